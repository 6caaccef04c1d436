// SPDX-License-Identifier: MIT
// lab_random.h: numbers and rotations that look random, and are the same on every machine
#ifndef ABUT_LAB_RANDOM_H
#define ABUT_LAB_RANDOM_H

#include <abut/abut.h>

#include <stdint.h>

/// Every bit of the value reaches every bit of the result (the finalizer of splitmix64).
uint64_t abut_lab_mix(uint64_t hash, uint64_t value);

/// Uniform in [0, 1), of 53 bits of a result of abut_lab_mix().
double abut_lab_share_of(uint64_t bits);

/// The next number in [0, 1) of splitmix64.
double abut_lab_next_share(uint64_t *state);

/// The rotation of three numbers in [0, 1): all rotations alike where the numbers are uniform (Shoemake 1992).
abut_quat abut_lab_rotation(const double shares[3]);

#endif
