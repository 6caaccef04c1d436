// SPDX-License-Identifier: MIT
// segment_triangle.h: exact tests whether segments and triangles meet
//
// Touching counts as meeting. Segments of length 0 are points, and triangles without area are segments or points. The
// answers are exact for the coordinates that abut/predicates.h takes. Others, where the boxes overlap, count as meeting
// unless a sign contradicts it.
#ifndef ABUT_PRIM_SEGMENT_TRIANGLE_H
#define ABUT_PRIM_SEGMENT_TRIANGLE_H

#include <abut/math.h>

/// Whether segments p0 p1 and q0 q1 have a common point.
int abut_segments_intersect(abut_vec3 p0, abut_vec3 p1, abut_vec3 q0, abut_vec3 q1);

/// Whether segment p0 p1 and a triangle have a common point.
int abut_segment_triangle_intersect(abut_vec3 p0, abut_vec3 p1, const abut_vec3 triangle[3]);

/// If the corners are on a line, returns 1 and the ends of the segment that they span.
int abut_triangle_is_segment(const abut_vec3 triangle[3], abut_vec3 ends[2]);

#endif
