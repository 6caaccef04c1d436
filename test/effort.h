// SPDX-License-Identifier: MIT
// effort.h: how many samples a seeded campaign takes
#ifndef ABUT_TEST_EFFORT_H
#define ABUT_TEST_EFFORT_H

#include <stdlib.h>

/// Whether the long campaigns run: make test-long.
static inline int is_long_test(void)
{
    return getenv("ABUT_TEST_LONG") != NULL;
}

/// Whether GCC's sanitizers are in this build.
static inline int is_sanitized(void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    return 1;
#else
    return 0;
#endif
}

/// `longest` samples where ABUT_TEST_LONG is set, else `usual`. With a sanitizer the first quarter of the usual ones, and at
/// least 8 where there are as many: it looks for faults on the way, which are the same in all samples; rare wrong answers are found
/// by the optimised build, several times as fast.
static inline int sample_count(int usual, int longest)
{
    int fewer = usual <= 8 ? usual : usual <= 32 ? 8 : usual / 4;
    return is_long_test() ? longest : is_sanitized() ? fewer : usual;
}

#endif
