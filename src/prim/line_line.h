// SPDX-License-Identifier: MIT
// line_line.h: the nearest points of two lines
#ifndef ABUT_PRIM_LINE_LINE_H
#define ABUT_PRIM_LINE_LINE_H

#include <abut/math.h>

/// The squared distance of the lines p + s u and q + t v, and where they are nearest. Where they are parallel, to the
/// resolution of double, or a direction is zero, s is 0 if v is not zero, and the pair is nearest to p (or q).
double abut_line_line_distance_squared(abut_vec3 p, abut_vec3 u, abut_vec3 q, abut_vec3 v, double *s, double *t);

#endif
