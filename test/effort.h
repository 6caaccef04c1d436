// SPDX-License-Identifier: MIT
// effort.h: how many samples a seeded campaign takes
#ifndef ABUT_TEST_EFFORT_H
#define ABUT_TEST_EFFORT_H

#include <stdlib.h>

/// Whether the long campaigns run, as `make test-long` asks for.
static inline int is_long_test(void)
{
    return getenv("ABUT_TEST_LONG") != NULL;
}

/// Whether this build has the address or thread sanitizer of GCC.
static inline int is_sanitized(void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    return 1;
#else
    return 0;
#endif
}

/// `usual` samples, or `longest` if ABUT_TEST_LONG is set. A sanitizer makes a test 5 to 20 times as slow and looks for
/// faults that show in most samples; rare wrong answers are found by the optimised build. With one, therefore:
/// - usually the first quarter of the samples, but at least 8 (or all, if there are fewer);
/// - if ABUT_TEST_LONG is set, the first tenth of the longest campaign, but at least the usual number.
static inline int sample_count(int usual, int longest)
{
    if (!is_sanitized()) {
        return is_long_test() ? longest : usual;
    }
    if (is_long_test()) {
        return longest / 10 > usual ? longest / 10 : usual;
    }
    return usual <= 8 ? usual : usual <= 32 ? 8 : usual / 4;
}

#endif
