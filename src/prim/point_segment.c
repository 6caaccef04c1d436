// SPDX-License-Identifier: MIT
// point_segment.c: the point of a segment nearest to a given point
#include "prim/point_segment.h"
#include "prim/compare.h"

double abut_point_segment_distance_squared(abut_vec3 p, abut_vec3 a, abut_vec3 b, double *t)
{
    int is_swapped = abut_vec3_is_before(b, a);
    abut_vec3 start = is_swapped ? b : a, end = is_swapped ? a : b;
    abut_vec3 direction = abut_sub(end, start), offset = abut_sub(p, start);
    double along = abut_dot(offset, direction), length_squared = abut_norm_squared(direction);
    double parameter = 0.0;
    abut_vec3 difference = offset;
    if (along > 0.0) {
        if (along < length_squared) {
            parameter = along / length_squared;
            difference = abut_add_scaled(offset, -parameter, direction);
        } else {
            parameter = 1.0;
            difference = abut_sub(p, end);
        }
    }
    *t = is_swapped ? 1.0 - parameter : parameter;
    return abut_norm_squared(difference);
}
