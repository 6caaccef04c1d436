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
    double room;   ///< of the best facet, see abut_convex_check_facet()
    int axis_count;
    abut_convex_proof proof;
    abut_vec3 cap_axis; ///< what ABUT_PROOF_CAP rests on
    double cap_cosine;
} abut_overlap;

enum { ABUT_OVERLAP_ALL = 0, ABUT_OVERLAP_UNTIL_APART = 1 };

/// The facets of the Minkowski difference that are nearest to the origin. `first` is any direction with its overlap and
/// supports, or where `is_facet` a facet, which should be near to the nearest; with ABUT_OVERLAP_UNTIL_APART the search ends at the first axis that separates the bodies.
void abut_convex_overlap(const abut_convex_frame *frame, const abut_axis *first, int is_facet, int until,
                         abut_overlap *result);

/// Adds an axis to those that tie, or drops them where it is below all of them by more than `tie`.
void abut_overlap_add(abut_overlap *overlap, const abut_axis *axis, double tie);

/// Whether both shapes are zonotopes of few generators.
static inline int abut_convex_is_simple(const abut_convex_frame *frame)
{
    return frame->a->zonotope.count > 0 && frame->b->zonotope.count > 0;
}

/// The same for them, by all facets at once.
void abut_zonotope_overlap(const abut_convex_frame *frame, int until, abut_overlap *result);

typedef enum abut_facet_state {
    ABUT_FACET_NONE = 0, ///< the features make no facet any more
    ABUT_FACET_OPEN = 1, ///< not proven, or others may tie
    ABUT_FACET_NEAREST = 2
} abut_facet_state;

/// Whether a facet that was the nearest is so still, by the room around the nearest point in it and by the inner balls.
/// Updates normal, overlap and supports of `axis`; `room` gets the radius of a disc about the nearest point that is in the
/// facet.
abut_facet_state abut_convex_check_facet(const abut_convex_frame *frame, abut_axis *axis, double *room);

/// Overlaps that differ by less cannot be told apart.
static inline double abut_convex_rounding(const abut_convex_frame *frame)
{
    return 0x1p-47 * frame->scale;
}

#endif
