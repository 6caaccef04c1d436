// SPDX-License-Identifier: MIT
// lab_random.c: splitmix64, and rotations from its numbers
#include "common/lab_random.h"

#include "common/lab_support.h"

#include <math.h>

static const uint64_t STRIDE = 0x9e3779b97f4a7c15u;

uint64_t abut_lab_mix(uint64_t hash, uint64_t value)
{
    uint64_t z = (hash ^ value) + STRIDE;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double abut_lab_share_of(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

double abut_lab_next_share(uint64_t *state)
{
    uint64_t bits = abut_lab_mix(*state, 0);
    *state += STRIDE;
    return abut_lab_share_of(bits);
}

abut_quat abut_lab_rotation(const double shares[3])
{
    double a = 2.0 * ABUT_LAB_PI * shares[1], b = 2.0 * ABUT_LAB_PI * shares[2];
    double s = sqrt(1.0 - shares[0]), t = sqrt(shares[0]);
    return abut_quat_unit(abut_quat_make(t * cos(b), s * sin(a), s * cos(a), t * sin(b)));
}
