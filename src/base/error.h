// SPDX-License-Identifier: MIT
// error.h: filling abut_error, and assertions
#ifndef ABUT_BASE_ERROR_H
#define ABUT_BASE_ERROR_H

#include <abut/support.h>
#include <assert.h>

/// Checks for bugs in the calling code. Bad data is reported with a status instead.
#define ABUT_ASSERT(condition) assert(condition)

#endif
