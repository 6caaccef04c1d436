// SPDX-License-Identifier: MIT
// point_triangle.h: the point of a triangle nearest to a given point
#ifndef ABUT_PRIM_POINT_TRIANGLE_H
#define ABUT_PRIM_POINT_TRIANGLE_H

#include <abut/math.h>

/// The squared distance from p to a triangle; the nearest point is the sum of weights[i] triangle[i].
/// The weights are not negative and sum to 1 up to rounding. If the nearest point is on an edge or at a vertex, the
/// weights of the other vertices are exactly 0, and every triangle at that edge or vertex gives the same distance,
/// bit for bit.
/// A triangle without area is treated as a segment or a point. The fourth powers of the edge lengths must not
/// overflow.
double abut_point_triangle_distance_squared(abut_vec3 p, const abut_vec3 triangle[3], double weights[3]);

/// The point with these weights.
static inline abut_vec3 abut_triangle_point(const abut_vec3 triangle[3], const double weights[3])
{
    abut_vec3 point = abut_scale(weights[0], triangle[0]);
    point = abut_add_scaled(point, weights[1], triangle[1]);
    return abut_add_scaled(point, weights[2], triangle[2]);
}

#endif
