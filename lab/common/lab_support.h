// SPDX-License-Identifier: MIT
// lab_support.h: errors and memory for the laboratory, which sees only the library's public headers
#ifndef ABUT_LAB_SUPPORT_H
#define ABUT_LAB_SUPPORT_H

#include <abut/base.h>

enum { ABUT_LAB_NUMBER_ROOM = 32 };

#define ABUT_LAB_PI 3.14159265358979323846

/// Fills `error` (which may be NULL) with one line and returns `status` for `return`.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
abut_status
abut_lab_fail(abut_error *error, abut_status status, const char *format, ...);

/// A copy of the caller's context, which may be of an older version, or the default one for NULL.
abut_context abut_lab_context(const abut_context *context);

/// The default context with the calling thread alone: for a child process, which a fork gives no other.
abut_context abut_lab_serial_context(void);

/// Copies the caller's struct, which may be of an older version, over `out`, which holds the defaults; both begin
/// with `size_t struct_size`. 0 where that size makes no sense: not made by the ..._default() function, or newer
/// than this library.
int abut_lab_read_versioned(void *out, size_t out_size, const void *in);

/// Zeroed memory of the context; NULL where memory ran out or the size overflows.
void *abut_lab_allocate(const abut_context *context, size_t count, size_t item_size);
void abut_lab_free(const abut_context *context, void *block);

/// strtod() and "%.17g" with a decimal point, whatever the locale of the host has.
double abut_lab_read_number(const char *text, char **end);
void abut_lab_print_number(double value, char text[ABUT_LAB_NUMBER_ROOM]);
/// The same with the fewest of 15 to 17 digits that read back as `value`.
void abut_lab_print_shortest(double value, char text[ABUT_LAB_NUMBER_ROOM]);

#endif
