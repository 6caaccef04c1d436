// SPDX-License-Identifier: MIT
// point_triangle.c: the point of a triangle nearest to a given point
//
// The nearest point is on one of the three edges or inside. All four candidates are computed, and the nearest is
// kept. The inside candidate counts only if the projection has positive weights. Every candidate is a point of the
// triangle, so an inaccurate normal (of a needle) can only make it a little less near.
#include "prim/point_triangle.h"
#include "prim/pick.h"
#include "prim/point_segment.h"

// The weights of the projection of p onto the plane. Returns whether it is inside. `to_p` are the vectors from the
// corners to p.
static int project(const abut_vec3 triangle[3], const abut_vec3 to_p[3], double weights[3])
{
    abut_vec3 normal = abut_cross(abut_sub(triangle[1], triangle[0]), abut_sub(triangle[2], triangle[0]));
    double a = abut_dot(abut_cross(to_p[1], to_p[2]), normal);
    double b = abut_dot(abut_cross(to_p[2], to_p[0]), normal);
    double c = abut_dot(abut_cross(to_p[0], to_p[1]), normal);
    double sum = a + b + c;
    weights[0] = a / sum;
    weights[1] = b / sum;
    weights[2] = c / sum;
    return a > 0.0 && b > 0.0 && c > 0.0;
}

static double find_excess(const abut_vec3 to_p[3], abut_vec3 r)
{
    const double along[3] = {abut_dot(to_p[0], r), abut_dot(to_p[1], r), abut_dot(to_p[2], r)};
    return abut_norm_squared(r) - abut_least(along, 3);
}

double abut_point_triangle_distance_squared(abut_vec3 p, const abut_vec3 triangle[3], double weights[3])
{
    const abut_vec3 to_p[3] = {abut_sub(p, triangle[0]), abut_sub(p, triangle[1]), abut_sub(p, triangle[2])};
    double squared[4], excess[4], tries[4][3];
    int count = 3;
    for (int i = 0; i < 3; ++i) {
        int k = (i + 1) % 3;
        double t;
        squared[i] = abut_point_segment_distance_squared(p, triangle[i], triangle[k], &t);
        tries[i][i] = 1.0 - t;
        tries[i][k] = t;
        tries[i][3 - i - k] = 0.0;
    }
    if (project(triangle, to_p, tries[3])) {
        squared[3] = abut_norm_squared(abut_triangle_point(to_p, tries[3]));
        count = 4;
    }
    double bound = abut_pick_bound(squared, count);
    for (int i = 0; i < count; ++i) {
        excess[i] = squared[i] <= bound ? find_excess(to_p, abut_triangle_point(to_p, tries[i])) : HUGE_VAL;
    }
    int best = abut_pick_nearest(squared, excess, count);
    for (int i = 0; i < 3; ++i) {
        weights[i] = tries[best][i];
    }
    return squared[best];
}
