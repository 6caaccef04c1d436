// SPDX-License-Identifier: MIT
// segment_triangle.h: exact intersection tests of segments and triangles
//
// Touching counts as intersecting. Segments of length 0 are treated as points, and triangles without area as
// segments or points. The answers are exact for the coordinates that abut/predicates.h supports. Others count as
// intersecting if their boxes overlap and no computed sign contradicts it.
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
