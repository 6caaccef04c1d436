// SPDX-License-Identifier: MIT
// point_tet.h: the point of a solid tetrahedron nearest to a given point
#ifndef ABUT_PRIM_POINT_TET_H
#define ABUT_PRIM_POINT_TET_H

#include <abut/math.h>

/// The squared distance from p to a solid tetrahedron of either orientation. The nearest point is the sum of
/// weights[i] tet[i]. If p is inside, the distance is 0. The inside test is exact for the coordinates that
/// abut/predicates.h supports; other points count as outside. A tetrahedron without volume is treated as its four
/// faces.
double abut_point_tet_distance_squared(abut_vec3 p, const abut_vec3 tet[4], double weights[4]);

/// The point with these weights.
static inline abut_vec3 abut_tet_point(const abut_vec3 tet[4], const double weights[4])
{
    abut_vec3 point = abut_scale(weights[0], tet[0]);
    for (int i = 1; i < 4; ++i) {
        point = abut_add_scaled(point, weights[i], tet[i]);
    }
    return point;
}

#endif
