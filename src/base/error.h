// SPDX-License-Identifier: MIT
// error.h: filling abut_error
#ifndef ABUT_BASE_ERROR_H
#define ABUT_BASE_ERROR_H

#include <abut/base.h>
#include <assert.h>

/// A bug of the caller, not of the data.
#define ABUT_ASSERT(condition) assert(condition)

/// Fills `error` (which may be NULL) with a message without element, and returns `status` for `return`.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
abut_status
abut_fail(abut_error *error, abut_status status, const char *format, ...);

/// The same, with the index of the element that is wrong.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
abut_status
abut_fail_element(abut_error *error, abut_status status, int64_t element, const char *format, ...);

#endif
