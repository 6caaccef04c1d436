// SPDX-License-Identifier: MIT
// effort.h: how many samples a seeded campaign takes
#ifndef ABUT_TEST_EFFORT_H
#define ABUT_TEST_EFFORT_H

#include <stdio.h>
#include <stdlib.h>

/// Whether the long campaigns run, as `make test-long` asks for.
static inline int is_long_test(void)
{
    return getenv("ABUT_TEST_LONG") != NULL;
}

// GCC defines macros for its sanitizers; clang has a question for them.
#if defined __has_feature
#define TEST_HAS_FEATURE(name) __has_feature(name)
#else
#define TEST_HAS_FEATURE(name) 0
#endif

/// Whether this build has sanitizers.
static inline int is_sanitized(void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    return 1;
#else
    return TEST_HAS_FEATURE(address_sanitizer) || TEST_HAS_FEATURE(thread_sanitizer);
#endif
}

/// Whether to save time: sanitizers are slow, and so is the emulator that the preset arm64 uses.
static inline int is_slow_test(void)
{
    return is_sanitized() || getenv("ABUT_TEST_SLOW") != NULL;
}

/// `usual` samples, or `longest` if ABUT_TEST_LONG is set. A slow test looks for faults of the program, which show in
/// most samples; rare wrong answers are found by the optimised build, several times as fast. It takes:
/// - usually the first quarter of the samples, but at least 8 (or all, if there are fewer);
/// - if ABUT_TEST_LONG is set, the first tenth of the longest campaign, but at least the usual number.
static inline int sample_count(int usual, int longest)
{
    if (!is_slow_test()) {
        return is_long_test() ? longest : usual;
    }
    if (is_long_test()) {
        return longest / 10 > usual ? longest / 10 : usual;
    }
    return usual <= 8 ? usual : usual <= 32 ? 8 : usual / 4;
}

/// The samples of a campaign that run, from `begin` to before `end`.
typedef struct sample_range {
    int begin, end;
} sample_range;

/// All samples of a campaign, or those that ABUT_TEST_RANGE names ("2000:3000"), so that a long form can be run in parts.
static inline sample_range sample_range_of(int count)
{
    sample_range all = {0, count}, range = all;
    const char *text = getenv("ABUT_TEST_RANGE");
    char rest = 0;
    if (text == NULL) {
        return all;
    }
    if (sscanf(text, "%d:%d%c", &range.begin, &range.end, &rest) != 2 || range.begin < 0 ||
        range.begin >= range.end || range.end > count) {
        fprintf(stderr, "ABUT_TEST_RANGE=%s: two numbers were expected, as 0:%d\n", text, count);
        exit(2);
    }
    return range;
}

#endif
