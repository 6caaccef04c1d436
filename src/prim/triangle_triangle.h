// SPDX-License-Identifier: MIT
// triangle_triangle.h: intersection test and distance of two triangles
#ifndef ABUT_PRIM_TRIANGLE_TRIANGLE_H
#define ABUT_PRIM_TRIANGLE_TRIANGLE_H

#include <abut/math.h>

/// Whether two triangles have a common point. The answer is exact. Touching counts as intersecting. A triangle
/// without area is treated as the segment or point that its corners span. Triangles with NaN or infinity intersect
/// nothing. Coordinates that abut/predicates.h does not support (magnitudes too far apart) count as intersecting
/// unless a computed sign contradicts it.
int abut_triangles_intersect(const abut_vec3 a[3], const abut_vec3 b[3]);

/// The squared distance between two triangles, and a pair of nearest points. It is 0 if and only if the triangles
/// intersect or the square underflows. If they intersect, the two points are the same. Swapping A and B changes no
/// bit of the distance. The fourth powers of the edge lengths must not overflow.
double abut_triangle_triangle_distance_squared(const abut_vec3 a[3], const abut_vec3 b[3], abut_vec3 *point_a,
                                               abut_vec3 *point_b);

#endif
