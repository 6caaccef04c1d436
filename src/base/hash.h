// SPDX-License-Identifier: MIT
// hash.h: 64-bit hashes of numbers, the same on every machine
#ifndef ABUT_BASE_HASH_H
#define ABUT_BASE_HASH_H

#include <stdint.h>
#include <string.h>

/// First 64 bits of the fraction of sqrt(2): any start other than 0 will do.
#define ABUT_HASH_START UINT64_C(0x6a09e667f3bcc908)

/// Mixes a value into a hash with one step of SplitMix64 (Steele, Lea and Flood 2014), which gives the constants and
/// shifts. Every bit of both inputs affects every bit of the result.
static inline uint64_t abut_hash_mix(uint64_t hash, uint64_t value)
{
    uint64_t z = (hash ^ value) + UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/// 0.0 and -0.0 have the same hash.
static inline uint64_t abut_hash_double(uint64_t hash, double value)
{
    double positive_zero = value + 0.0;
    uint64_t bits;
    memcpy(&bits, &positive_zero, sizeof bits);
    return abut_hash_mix(hash, bits);
}

#endif
