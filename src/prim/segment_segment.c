// SPDX-License-Identifier: MIT
// segment_segment.c: the nearest points of two segments
//
// The squared distance is a convex function of (s, t) on the unit square. Its minimum is either inside, at the
// nearest points of the two lines, or on the border, at an end of one segment and its nearest point of the other.
// All five candidates are computed, and the nearest is kept. Every candidate is a pair of points of the two
// segments, so rounding can only make it a little less near, never place it outside. Nearly parallel segments need
// no threshold.
#include "prim/segment_segment.h"
#include "prim/pick.h"
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
    // At small angles both parameters are inaccurate. So recompute each from the other, and take the better pair.
    double fit_s = clamp_to_unit(abut_dot(abut_add_scaled(w, line_t, v), u) / abut_norm_squared(u));
    double fit_t = clamp_to_unit(abut_dot(abut_sub(abut_scale(line_s, u), w), v) / abut_norm_squared(v));
    // (s u - t v) - w: swapping the segments negates this and changes no rounding
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
    abut_vec3 u = abut_sub(p1, p0), v = abut_sub(q1, q0), w = abut_sub(q0, p0);
    double squared[5], excess[5], tries_s[5] = {0.0, 1.0}, tries_t[5] = {0.0, 0.0, 0.0, 1.0};
    squared[0] = abut_point_segment_distance_squared(p0, q0, q1, &tries_t[0]);
    squared[1] = abut_point_segment_distance_squared(p1, q0, q1, &tries_t[1]);
    squared[2] = abut_point_segment_distance_squared(q0, p0, p1, &tries_s[2]);
    squared[3] = abut_point_segment_distance_squared(q1, p0, p1, &tries_s[3]);
    squared[4] = abut_segment_segment_inner_distance_squared(p0, p1, q0, q1, &tries_s[4], &tries_t[4]);
    for (int i = 0; i < 5; ++i) {
        // r goes from q's point to p's. The ends of p are at -s u and (1 - s) u from its point, those of q at -t v
        // and
        // (1 - t) v.
        abut_vec3 r = abut_sub(abut_sub(abut_scale(tries_s[i], u), abut_scale(tries_t[i], v)), w);
        double along_u = abut_dot(r, u), along_v = abut_dot(r, v);
        excess[i] = fmax(fmax(tries_s[i] * along_u, (tries_s[i] - 1.0) * along_u),
                         fmax(-tries_t[i] * along_v, (1.0 - tries_t[i]) * along_v));
    }
    int best = abut_pick_nearest(squared, excess, 5);
    *s = tries_s[best];
    *t = tries_t[best];
    return abut_least(squared, 5);
}
