// SPDX-License-Identifier: MIT
// random.h: seeded random numbers, the same on every machine
#ifndef ABUT_TEST_RANDOM_H
#define ABUT_TEST_RANDOM_H

#include <abut/math.h>
#include <stdint.h>

/// The state of a splitmix64 generator: any value is a good seed.
typedef struct test_random {
    uint64_t state;
} test_random;

static inline uint64_t random_bits(test_random *random)
{
    uint64_t z = (random->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/// Uniform in [lower, upper).
static inline double random_in(test_random *random, double lower, double upper)
{
    return lower + (upper - lower) * (double)(random_bits(random) >> 11) * 0x1p-53;
}

/// Uniform in 0 .. count - 1.
static inline int random_below(test_random *random, int count)
{
    return (int)(random_bits(random) % (uint64_t)count);
}

/// Uniform in the cube of half side `extent`.
static inline abut_vec3 random_vec3(test_random *random, double extent)
{
    double x = random_in(random, -extent, extent);
    double y = random_in(random, -extent, extent);
    double z = random_in(random, -extent, extent);
    return abut_vec3_make(x, y, z);
}

static inline abut_vec3 random_unit(test_random *random)
{
    for (;;) {
        abut_vec3 v = random_vec3(random, 1.0);
        double squared = abut_norm_squared(v);
        if (squared > 1e-4 && squared <= 1.0) {
            return abut_unit(v);
        }
    }
}

static inline abut_quat random_rotation(test_random *random)
{
    return abut_quat_unit(abut_quat_from_axis(random_unit(random), random_in(random, -3.14159, 3.14159)));
}

#endif
