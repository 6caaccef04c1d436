// SPDX-License-Identifier: MIT
// lab_random.h: pseudorandom numbers and rotations, the same on every machine
#ifndef ABUT_LAB_RANDOM_H
#define ABUT_LAB_RANDOM_H

#include <abut/abut.h>

#include <stdint.h>

/// Mixes a value into a hash. Every bit of the value affects every bit of the result (the finalizer of splitmix64).
uint64_t abut_lab_mix(uint64_t hash, uint64_t value);

/// A number in [0, 1) from 53 bits of a result of abut_lab_mix(). Uniform if the bits are.
double abut_lab_share_of(uint64_t bits);

/// The next number in [0, 1) of splitmix64.
double abut_lab_next_share(uint64_t *state);

/// A rotation from three numbers in [0, 1). If the numbers are uniform, so are the rotations (Shoemake 1992).
abut_quat abut_lab_rotation(const double shares[3]);

#endif
