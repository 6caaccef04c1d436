// SPDX-License-Identifier: MIT
// ball.h: smallest enclosing balls of points
#ifndef ABUT_COMPLEX_BALL_H
#define ABUT_COMPLEX_BALL_H

#include <abut/math.h>

typedef struct abut_ball {
    abut_vec3 center;
    double radius;
} abut_ball;

/// Gives point i of a set.
typedef abut_vec3 abut_point_function(const void *user, int i);

/// The smallest ball that encloses points 0 to count - 1, up to 1e-6 of its radius; it encloses all of them, up to
/// rounding. `count` is at least 1.
abut_ball abut_ball_of_points(abut_point_function *point, const void *user, int count);

#endif
