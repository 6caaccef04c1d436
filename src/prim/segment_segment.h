// SPDX-License-Identifier: MIT
// segment_segment.h: the nearest points of two segments
#ifndef ABUT_PRIM_SEGMENT_SEGMENT_H
#define ABUT_PRIM_SEGMENT_SEGMENT_H

#include <abut/math.h>

/// The squared distance between two segments; the nearest points are (1 - s) p0 + s p1 and (1 - t) q0 + t q1.
/// For parallel segments, one of the two nearest points is the end of a segment. Segments of length 0 are treated as
/// points. Swapping p and q changes no bit of the distance. The squares of the coordinates must not overflow.
double abut_segment_segment_distance_squared(abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1, double *s,
                                             double *t);

/// The squared distance of the points where the two lines are nearest, moved to the ends of the segments if they are
/// outside. It is the distance of the segments only if both points are inside: other pairs with an end are not
/// tried. For callers that test the vertices separately. HUGE_VAL if the segments are parallel.
double abut_segment_segment_inner_distance_squared(abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1,
                                                   double *s, double *t);

#endif
