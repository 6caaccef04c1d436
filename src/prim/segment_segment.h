// SPDX-License-Identifier: MIT
// segment_segment.h: the nearest points of two segments
#ifndef ABUT_PRIM_SEGMENT_SEGMENT_H
#define ABUT_PRIM_SEGMENT_SEGMENT_H

#include <abut/math.h>

/// The squared distance of two segments; the nearest points are (1 - s) p0 + s p1 and (1 - t) q0 + t q1.
/// Of parallel segments it is one of the nearest pairs that has an end in it. Segments of length 0 are points.
/// Swapping p and q changes no bit of the distance. The squares of the coordinates must not overflow.
double abut_segment_segment_distance_squared(abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1, double *s,
                                             double *t);

/// The squared distance of the nearest points if both are inside their segments; pairs with an end of a segment are not
/// tried. For distances of bodies that look at vertices separately. HUGE_VAL if the segments are parallel.
double abut_segment_segment_inner_distance_squared(abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1,
                                                   double *s, double *t);

#endif
