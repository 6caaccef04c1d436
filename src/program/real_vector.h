// SPDX-License-Identifier: MIT
// real_vector.h: vectors of the scalar `real`, in the program's order of operations
//
// The file that includes this defines `real`, REAL_EPSILON and REAL_SQRT.
#ifndef ABUT_PROGRAM_REAL_VECTOR_H
#define ABUT_PROGRAM_REAL_VECTOR_H

#include <math.h>

typedef struct vec {
    real x, y, z;
} vec;

static const real tiny = 10 * REAL_EPSILON;

static vec add(vec a, vec b)
{
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static vec sub(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vec scale(real s, vec a)
{
    return (vec){a.x * s, a.y * s, a.z * s};
}

/// Divides each component: not the same as scale(1 / s).
static vec divide(vec a, real s)
{
    return (vec){a.x / s, a.y / s, a.z / s};
}

static vec negate(vec a)
{
    return (vec){-a.x, -a.y, -a.z};
}

static real dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static real norm(vec a)
{
    return REAL_SQRT(dot(a, a));
}

static vec unit(vec a)
{
    real length = norm(a);
    return length > 0 ? scale(1 / length, a) : a;
}

static real least(real a, real b)
{
    return b < a ? b : a;
}

static real most(real a, real b)
{
    return a < b ? b : a;
}

/// The largest component of a - b, without signs.
static real distance_of_components(vec a, vec b)
{
    vec d = sub(a, b);
    real x = d.x < 0 ? -d.x : d.x, y = d.y < 0 ? -d.y : d.y, z = d.z < 0 ? -d.z : d.z;
    return most(most(x, y), z);
}

#endif
