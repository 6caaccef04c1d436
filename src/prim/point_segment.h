// SPDX-License-Identifier: MIT
// point_segment.h: the point of a segment nearest to a given point
#ifndef ABUT_PRIM_POINT_SEGMENT_H
#define ABUT_PRIM_POINT_SEGMENT_H

#include <abut/math.h>

/// The squared distance from p to the segment ab; the nearest point is (1 - t) a + t b.
/// Swapping a and b changes no bit of the distance, so all elements at an edge agree on it.
/// The squares of the coordinates must not overflow. NaN gives NaN. A segment of length 0 is treated as a point.
double abut_point_segment_distance_squared(abut_vec3 p, abut_vec3 a, abut_vec3 b, double *t);

#endif
