// SPDX-License-Identifier: MIT
// apart.h: closest points of shapes that are apart
#ifndef ABUT_CONVEX_APART_H
#define ABUT_CONVEX_APART_H

#include "convex/frame.h"

/// Up to four points of the Minkowski difference, each by a vertex of A and one of B.
typedef struct abut_simplex {
    int a[4], b[4];
    abut_vec3 points[4]; ///< point of A minus point of B, in A's frame
    double weights[4];   ///< of the point nearest to the origin
    int count;
} abut_simplex;

typedef struct abut_apart {
    abut_simplex simplex;
    abut_axis axis;             ///< from A to B, with minus the distance of the two planes as overlap
    double distance;            ///< of the closest points
    abut_vec3 point_a, point_b; ///< in A's frame
    int iteration_count;
} abut_apart;

/// Sets the points of a simplex from its vertices.
void abut_simplex_place(const abut_convex_frame *frame, abut_simplex *simplex);

/// The closest points, from a simplex of one to three points to start with. Returns 0 where the bodies overlap, or are so
/// near to it that the closest points tell no direction.
int abut_convex_apart(const abut_convex_frame *frame, const abut_simplex *start, abut_apart *result);

#endif
