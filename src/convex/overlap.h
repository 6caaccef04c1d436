// SPDX-License-Identifier: MIT
// overlap.h: minimum translation of overlapping shapes
#ifndef ABUT_CONVEX_OVERLAP_H
#define ABUT_CONVEX_OVERLAP_H

#include "convex/frame.h"

typedef struct abut_overlap {
    abut_axis ties[ABUT_CONVEX_DIRECTIONS]; ///< the best axes, whose overlaps rounding cannot tell apart
    int tie_count;
    int has_more;
    double lowest; ///< the least overlap
    double bound;  ///< what the search says that none is below
    int axis_count;
    int is_fallback; ///< the sweep was needed
    abut_convex_proof proof;
    abut_vec3 cap_axis; ///< what ABUT_PROOF_CAP rests on
    double cap_cosine;
} abut_overlap;

enum { ABUT_OVERLAP_ALL = 0, ABUT_OVERLAP_UNTIL_APART = 1 };

/// Finds the facets of the Minkowski difference that are nearest to the origin. `first` is where the search starts:
/// any direction with its overlap and supports or, if `is_facet` is 1, a facet. Simple shapes need none. With
/// ABUT_OVERLAP_UNTIL_APART the search ends at the first axis that separates the bodies.
void abut_convex_overlap(const abut_convex_frame *frame, const abut_axis *first, int is_facet, int until,
                         abut_overlap *result);

/// Adds an axis to those that tie, or drops them if it is below all of them by more than `tie`.
void abut_overlap_add(abut_overlap *overlap, const abut_axis *axis, double tie);

/// Whether both shapes are zonotopes of few generators.
static inline int abut_convex_is_simple(const abut_convex_frame *frame)
{
    return frame->a->zonotope.count > 0 && frame->b->zonotope.count > 0;
}

/// abut_convex_overlap() for such shapes, by trying all facets; `result` must be empty.
void abut_zonotope_overlap(const abut_convex_frame *frame, int until, abut_overlap *result);

/// Updates normal, overlap and supports of a facet that was the nearest before the bodies moved; two edges that make
/// no facet any more become a face next to them. Returns 0 if they tell no direction.
int abut_convex_update_facet(const abut_convex_frame *frame, abut_axis *axis);

/// Overlaps that differ by less cannot be told apart.
static inline double abut_convex_rounding(const abut_convex_frame *frame)
{
    return 0x1p-47 * frame->scale;
}

#endif
