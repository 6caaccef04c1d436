// SPDX-License-Identifier: MIT
/// @file predicates.h
/// Exact orientation tests: the sign is right for every input that is accepted.
///
/// Coordinates may be 0 or have a magnitude from 1e-70 to 1e70. Others are scaled by a power of two if that keeps
/// every coordinate exact. If no scale does, because the magnitudes are too far apart, the sign is still given if
/// plain arithmetic can decide it safely; otherwise, and for NaN and infinity, the status is ABUT_BAD_DATA and `sign`
/// is 0.
#ifndef ABUT_PREDICATES_H
#define ABUT_PREDICATES_H

#include <abut/base.h>
#include <abut/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// sign = +1 if a, b, c turn left (counter-clockwise), -1 if right, 0 if they are on a line.
ABUT_API abut_status abut_orient2d(abut_vec2 a, abut_vec2 b, abut_vec2 c, int *sign);

/// sign = +1 if d is above the plane through a, b, c, where "above" is the side from which a, b, c appear
/// counter-clockwise; -1 below; 0 on the plane. This is the sign of (b - a) x (c - a) . (d - a).
ABUT_API abut_status abut_orient3d(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d, int *sign);

/// These tests also say how the sign was found: `stage` is 0 if plain floating-point arithmetic was enough, 1 if the
/// determinant of rounded differences had to be exact, 2 if the differences had to be exact too.
ABUT_API abut_status abut_orient2d_stage(abut_vec2 a, abut_vec2 b, abut_vec2 c, int *sign, int *stage);
ABUT_API abut_status abut_orient3d_stage(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d, int *sign, int *stage);

#ifdef __cplusplus
}
#endif
#endif
