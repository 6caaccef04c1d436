// SPDX-License-Identifier: MIT
// segment_segment.c: the nearest points of two segments
//
// The squared distance is a convex function of (s, t) on the unit square, so its minimum is inside, where the two lines
// are nearest, or on the border, where an end of one segment is nearest to the other segment. All five are tried and
// the least is kept. Every try is a pair of points of the two segments, so rounding can only make it a little
// less near, never place it outside; nearly parallel segments need no threshold.
#include "prim/segment_segment.h"
#include "prim/point_segment.h"

static double clamp_to_unit(double x)
{
    return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

double abut_segment_segment_inner_distance_squared(abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1,
                                                   double *s, double *t)
{
    abut_vec3 u = abut_sub(p1, p0), v = abut_sub(q1, q0), w = abut_sub(q0, p0);
    abut_vec3 normal = abut_cross(u, v);
    double normal_squared = abut_norm_squared(normal);
    *s = *t = 0.0;
    if (!(normal_squared > 0.0)) {
        return HUGE_VAL;
    }
    double line_s = clamp_to_unit(abut_dot(abut_cross(w, v), normal) / normal_squared);
    double line_t = clamp_to_unit(abut_dot(abut_cross(w, u), normal) / normal_squared);
    // For small angles both parameters are vague, so one is made to fit the other, in both ways to stay symmetric.
    double fit_s = clamp_to_unit(abut_dot(abut_add_scaled(w, line_t, v), u) / abut_norm_squared(u));
    double fit_t = clamp_to_unit(abut_dot(abut_sub(abut_scale(line_s, u), w), v) / abut_norm_squared(v));
    // (s u - t v) - w: swapping the segments negates it without a change of rounding
    abut_vec3 first = abut_sub(abut_sub(abut_scale(line_s, u), abut_scale(fit_t, v)), w);
    abut_vec3 second = abut_sub(abut_sub(abut_scale(fit_s, u), abut_scale(line_t, v)), w);
    double first_squared = abut_norm_squared(first), second_squared = abut_norm_squared(second);
    int is_first = first_squared <= second_squared;
    *s = is_first ? line_s : fit_s;
    *t = is_first ? fit_t : line_t;
    return is_first ? first_squared : second_squared;
}

double abut_segment_segment_distance_squared(abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1, double *s,
                                             double *t)
{
    double best = abut_segment_segment_inner_distance_squared(p0, p1, q0, q1, s, t);
    for (int i = 0; i < 4; ++i) {
        double along;
        double end = (double)(i % 2);
        double squared = i < 2 ? abut_point_segment_distance_squared(i == 0 ? p0 : p1, q0, q1, &along)
                               : abut_point_segment_distance_squared(i == 2 ? q0 : q1, p0, p1, &along);
        if (squared < best) {
            best = squared;
            *s = i < 2 ? end : along;
            *t = i < 2 ? along : end;
        }
    }
    return best;
}
