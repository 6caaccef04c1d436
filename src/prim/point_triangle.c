// SPDX-License-Identifier: MIT
// point_triangle.c: the point of a triangle that is nearest to a point
//
// The nearest point is on one of the edges or inside. All four are tried, and the least distance is kept; the inside counts
// where the projection has positive weights. Every try is a point of the triangle, so that rounding in needles,
// whose normal is vague, can only make it a little less near.
#include "prim/point_triangle.h"
#include "prim/point_segment.h"

// Tries the projection of p to the plane.
static double inner_distance_squared(abut_vec3 p, const abut_vec3 triangle[3], double weights[3])
{
    abut_vec3 a = abut_sub(p, triangle[0]), b = abut_sub(p, triangle[1]), c = abut_sub(p, triangle[2]);
    abut_vec3 normal = abut_cross(abut_sub(triangle[1], triangle[0]), abut_sub(triangle[2], triangle[0]));
    double wa = abut_dot(abut_cross(b, c), normal);
    double wb = abut_dot(abut_cross(c, a), normal);
    double wc = abut_dot(abut_cross(a, b), normal);
    if (!(wa > 0.0 && wb > 0.0 && wc > 0.0)) {
        return HUGE_VAL;
    }
    double sum = wa + wb + wc;
    weights[0] = wa / sum;
    weights[1] = wb / sum;
    weights[2] = wc / sum;
    abut_vec3 difference = abut_scale(weights[0], a);
    difference = abut_add_scaled(difference, weights[1], b);
    difference = abut_add_scaled(difference, weights[2], c);
    return abut_norm_squared(difference);
}

double abut_point_triangle_distance_squared(abut_vec3 p, const abut_vec3 triangle[3], double weights[3])
{
    double best = inner_distance_squared(p, triangle, weights);
    for (int i = 0; i < 3; ++i) {
        int k = (i + 1) % 3;
        double t;
        double squared = abut_point_segment_distance_squared(p, triangle[i], triangle[k], &t);
        if (!(squared > best)) {
            best = squared;
            weights[i] = 1.0 - t;
            weights[k] = t;
            weights[3 - i - k] = 0.0;
        }
    }
    return best;
}
