// SPDX-License-Identifier: MIT
// triangle_triangle.h: whether two triangles meet, and how far apart they are
#ifndef ABUT_PRIM_TRIANGLE_TRIANGLE_H
#define ABUT_PRIM_TRIANGLE_TRIANGLE_H

#include <abut/math.h>

/// Whether two triangles have a common point. Exact: touching counts, triangles without area are the segments or points
/// that their corners span, NaN and infinity meet nothing. What abut/predicates.h refuses (coordinates whose
/// magnitudes are too far apart) counts as meeting unless a sign contradicts it.
int abut_triangles_intersect(const abut_vec3 a[3], const abut_vec3 b[3]);

/// The squared distance of two triangles, and a pair of nearest points. 0 if and only if abut_triangles_intersect()
/// or the square underflows; the two points are then the same. Swapping A and B changes no bit of the distance.
/// The fourth powers of the lengths must not overflow.
double abut_triangle_triangle_distance_squared(const abut_vec3 a[3], const abut_vec3 b[3], abut_vec3 *point_a,
                                               abut_vec3 *point_b);

#endif
