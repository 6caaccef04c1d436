// SPDX-License-Identifier: MIT
// line_line.c: the nearest points of two lines
#include "prim/line_line.h"
#include <float.h>

double abut_line_line_distance_squared(abut_vec3 p, abut_vec3 u, abut_vec3 q, abut_vec3 v, double *s, double *t)
{
    abut_vec3 w = abut_sub(q, p), normal = abut_cross(u, v);
    double u_squared = abut_norm_squared(u), v_squared = abut_norm_squared(v);
    double normal_squared = abut_norm_squared(normal);
    *s = *t = 0.0;
    // A cross product is rounded by about DBL_EPSILON |u| |v|: anything below four times that has no direction.
    double resolution = 4.0 * DBL_EPSILON;
    if (normal_squared > resolution * resolution * u_squared * v_squared) {
        *s = abut_dot(abut_cross(w, v), normal) / normal_squared;
        *t = abut_dot(abut_cross(w, u), normal) / normal_squared;
        double height = abut_dot(w, normal);
        return height * height / normal_squared;
    }
    if (v_squared > 0.0) {
        *t = -abut_dot(w, v) / v_squared;
    } else if (u_squared > 0.0) {
        *s = abut_dot(w, u) / u_squared;
    }
    return abut_norm_squared(abut_sub(abut_sub(abut_scale(*s, u), abut_scale(*t, v)), w));
}
