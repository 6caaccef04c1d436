// SPDX-License-Identifier: MIT
// overlap.h: minimum translation of overlapping shapes
#ifndef ABUT_CONVEX_OVERLAP_H
#define ABUT_CONVEX_OVERLAP_H

#include "convex/frame.h"

typedef struct abut_overlap {
    abut_axis ties[ABUT_CONVEX_DIRECTIONS]; ///< the best axes; their overlaps are equal up to rounding
    int tie_count;
    int has_more;  ///< 1: more axes tie than `ties` has room for
    double lowest; ///< the least overlap found
    double bound;  ///< the search proved that no overlap is below this
    int axis_count;
    int is_fallback; ///< 1: the sweep was needed
    abut_convex_proof proof;
    abut_vec3 cap_axis; ///< axis and cosine of the cap of directions that ABUT_PROOF_CAP searched
    double cap_cosine;
} abut_overlap;

enum { ABUT_OVERLAP_ALL = 0, ABUT_OVERLAP_UNTIL_APART = 1 };

/// Finds the facets of the Minkowski difference nearest to the origin. The search starts at `first`: any direction
/// with its overlap and supports or, if `is_facet` is 1, a facet. For simple shapes (abut_convex_is_simple()) it may
/// be NULL. With ABUT_OVERLAP_UNTIL_APART the search ends at the first axis that separates the bodies.
void abut_convex_overlap(const abut_convex_frame *frame, const abut_axis *first, int is_facet, int until,
                         abut_overlap *result);

/// Adds an axis to the ties if its overlap is within `tie` of the least one. Drops ties that are now too large.
void abut_overlap_add(abut_overlap *overlap, const abut_axis *axis, double tie);

/// Returns 1 if both shapes are zonotopes with at most ABUT_ZONOTOPE_GENERATORS generators, such as boxes.
static inline int abut_convex_is_simple(const abut_convex_frame *frame)
{
    return frame->a->zonotope.count > 0 && frame->b->zonotope.count > 0;
}

/// abut_convex_overlap() for zonotopes: tries all facets. `result` must be empty.
void abut_zonotope_overlap(const abut_convex_frame *frame, int until, abut_overlap *result);

/// Updates normal, overlap and supports of a facet after the bodies moved. If its two edges no longer form a facet, it
/// becomes that of a face next to them. Returns 0 if the edges are parallel now.
int abut_convex_update_facet(const abut_convex_frame *frame, abut_axis *axis);

/// Rounding error of an overlap, a length: 32 DBL_EPSILON of the coordinates. An overlap is a sum of three dot
/// products of turned vectors, each a few DBL_EPSILON off. Overlaps that differ by less tie.
static inline double abut_convex_rounding(const abut_convex_frame *frame)
{
    return 0x1p-47 * frame->scale;
}

#endif
