// SPDX-License-Identifier: MIT
// planar_math.h: vectors in the contact plane
#ifndef ABUT_CONVEX_PLANAR_MATH_H
#define ABUT_CONVEX_PLANAR_MATH_H

#include <abut/math.h>

static inline abut_vec2 abut_vec2_sub(abut_vec2 a, abut_vec2 b)
{
    return abut_vec2_make(a.x - b.x, a.y - b.y);
}

/// a + t (b - a)
static inline abut_vec2 abut_vec2_lerp(abut_vec2 a, abut_vec2 b, double t)
{
    return abut_vec2_make(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y));
}

static inline double abut_vec2_dot(abut_vec2 a, abut_vec2 b)
{
    return a.x * b.x + a.y * b.y;
}

/// Positive if b is to the left of a.
static inline double abut_vec2_cross(abut_vec2 a, abut_vec2 b)
{
    return a.x * b.y - a.y * b.x;
}

static inline double abut_vec2_norm_squared(abut_vec2 a)
{
    return abut_vec2_dot(a, a);
}

static inline int abut_vec2_is_near(abut_vec2 p, abut_vec2 q, double tolerance)
{
    return abut_vec2_norm_squared(abut_vec2_sub(p, q)) <= tolerance * tolerance;
}

/// The corner after corner i.
static inline int abut_planar_after(int i, int count)
{
    return i + 1 < count ? i + 1 : 0;
}

#endif
