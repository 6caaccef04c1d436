// SPDX-License-Identifier: MIT
// check.h: checks that print file, line, label and values, and do not stop at the first failure of a test
#ifndef ABUT_TEST_CHECK_H
#define ABUT_TEST_CHECK_H

// cmocka.h needs these four first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <abut/base.h>

/// Failures of the running test; at most this many are printed.
static int check_failures;
enum { CHECK_PRINTED = 20 };

static inline int check_report(int holds, const char *file, int line, const char *format, ...)
{
    if (!holds) {
        ++check_failures;
        if (check_failures <= CHECK_PRINTED) {
            va_list arguments;
            va_start(arguments, format);
            (void)fprintf(stderr, "%s:%d: ", file, line);
            (void)vfprintf(stderr, format, arguments);
            (void)fprintf(stderr, "\n");
            va_end(arguments);
        }
    }
    return holds;
}

/// CHECK(condition, "label %d", i): continues after a failure; the test fails at CHECK_DONE.
#define CHECK(condition, ...)                                                                                      \
    (check_report((condition) ? 1 : 0, __FILE__, __LINE__, "failed: " #condition ": " __VA_ARGS__))

#define CHECK_INT(actual, expected, label)                                                                         \
    do {                                                                                                           \
        long long check_a = (long long)(actual), check_e = (long long)(expected);                                  \
        check_report(check_a == check_e, __FILE__, __LINE__, "%s: %s is %lld, expected %lld", label, #actual,      \
                     check_a, check_e);                                                                            \
    } while (0)

#define CHECK_NEAR(actual, expected, tolerance, label)                                                             \
    do {                                                                                                           \
        double check_a = (actual), check_e = (expected), check_t = (tolerance);                                    \
        check_report(fabs(check_a - check_e) <= check_t, __FILE__, __LINE__,                                       \
                     "%s: %s is %.17g, expected %.17g within %g", label, #actual, check_a, check_e, check_t);      \
    } while (0)

#define CHECK_STATUS(actual, expected, label)                                                                      \
    do {                                                                                                           \
        abut_status check_a = (actual), check_e = (expected);                                                      \
        check_report(check_a == check_e, __FILE__, __LINE__, "%s: %s is '%s', expected '%s'", label, #actual,      \
                     abut_status_text(check_a), abut_status_text(check_e));                                        \
    } while (0)

/// Ends a test: fails it if any check failed.
#define CHECK_DONE()                                                                                               \
    do {                                                                                                           \
        int check_count = check_failures;                                                                          \
        check_failures = 0;                                                                                        \
        assert_int_equal(check_count, 0);                                                                          \
    } while (0)

#endif
