// SPDX-License-Identifier: MIT
// apart.h: closest points of shapes that are apart
#ifndef ABUT_CONVEX_APART_H
#define ABUT_CONVEX_APART_H

#include "convex/frame.h"

typedef struct abut_apart {
    abut_axis axis;             ///< from A to B; its overlap is minus the distance between the supporting planes
    double distance;            ///< between the closest points
    abut_vec3 point_a, point_b; ///< in A's frame
    int iteration_count;
} abut_apart;

/// Finds the closest points, starting from vertex `a` of A and vertex `b` of B. Returns 0 if the bodies overlap or are
/// so close that the direction between the closest points is lost to rounding.
int abut_convex_apart(const abut_convex_frame *frame, int a, int b, abut_apart *result);

#endif
