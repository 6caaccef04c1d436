// SPDX-License-Identifier: MIT
// box_facet.h: the nearest facet of the Minkowski difference of two boxes
#ifndef ABUT_CONVEX_BOX_FACET_H
#define ABUT_CONVEX_BOX_FACET_H

#include "convex/frame.h"

/// Facets of the difference of two boxes: 6 + 6 of faces, 2 * 9 of pairs of edges.
enum { ABUT_BOX_FACETS = 30 };

/// A facet with the features of both boxes on its plane.
typedef struct abut_box_facet {
    abut_axis axis; ///< the gaps are not computed
    abut_convex_part part_a, part_b;
    int has_witness;            ///< 1: both parts are faces, and these points are on them
    abut_vec3 point_a, point_b; ///< in A's frame
    double drops[3]; ///< of a face: how much lower the support's neighbours along the other box's generators are
} abut_box_facet;

/// Returns 1 if both shapes are boxes: the sum of three segments at right angles to each other.
static inline int abut_convex_are_boxes(const abut_convex_frame *frame)
{
    return frame->a->zonotope.is_box && frame->b->zonotope.is_box;
}

/// Finds the facet nearest to the origin or, if the boxes are apart, the one furthest from it that separates them.
/// Returns 0 if the estimates do not tell which one it is, since two directions tie or edges are nearly parallel.
int abut_box_find_facet(const abut_convex_frame *frame, abut_box_facet *facet);

#endif
