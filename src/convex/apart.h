// SPDX-License-Identifier: MIT
// apart.h: closest points of shapes that are apart
#ifndef ABUT_CONVEX_APART_H
#define ABUT_CONVEX_APART_H

#include "convex/frame.h"

typedef struct abut_apart {
    abut_axis axis;             ///< from A to B, with minus the distance of the two planes as overlap
    double distance;            ///< of the closest points
    abut_vec3 point_a, point_b; ///< in A's frame
    int iteration_count;
} abut_apart;

/// The closest points, from a vertex of each to start with. Returns 0 if the bodies overlap, or are so near to
/// it that the closest points tell no direction.
int abut_convex_apart(const abut_convex_frame *frame, int a, int b, abut_apart *result);

#endif
