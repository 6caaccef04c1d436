// SPDX-License-Identifier: MIT
// ball.h: smallest enclosing balls of points
#ifndef ABUT_COMPLEX_BALL_H
#define ABUT_COMPLEX_BALL_H

#include <abut/math.h>

typedef struct abut_ball {
    abut_vec3 center;
    double radius;
} abut_ball;

/// The smallest ball that encloses some points, at least one, up to 1e-3 of its radius; it encloses all of them, up to
/// rounding.
abut_ball abut_ball_of_points(const abut_vec3 *points, int count);

#endif
