// SPDX-License-Identifier: MIT
// values.h: reading numbers from text, or from binary data of either byte order
#ifndef ABUT_IO_VALUES_H
#define ABUT_IO_VALUES_H

#include "io/text.h"

typedef enum abut_value_type {
    ABUT_INT8,
    ABUT_UINT8,
    ABUT_INT16,
    ABUT_UINT16,
    ABUT_INT32,
    ABUT_UINT32,
    ABUT_UINT64,
    ABUT_FLOAT32,
    ABUT_FLOAT64
} abut_value_type;

/// The size of a value in binary data, in bytes.
size_t abut_value_size(abut_value_type type);

/// A position in a file. In binary data only `text.at` is used.
typedef struct abut_values {
    abut_text text;
    int is_binary, is_big_endian;
} abut_values;

/// Fills the file's error with "name:line: message" or, in binary data, "name: byte N: message". Returns `status`.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
abut_status
abut_values_fail(const abut_values *values, abut_status status, const char *format, ...);

/// Reports that an array could not grow (ABUT_NO_MEMORY or ABUT_LIMIT). `what` names its items in the plural.
abut_status abut_values_fail_growth(const abut_values *values, abut_status status, const char *what);

/// The number of bytes left.
size_t abut_values_left(const abut_values *values);

/// Whether the rest of the file has room for `count` items of at least `least` bytes each. In text a value takes at
/// least two bytes: a digit and a separator. Call this before trusting a count from the file.
int abut_values_can_hold(const abut_values *values, uint64_t count, size_t least);

/// Text: goes to the next line that has words; returns 0 at the end of the file. Binary: returns 1.
int abut_values_begin_line(abut_values *values);
/// Text: fails if words are left in the line. `what` names the line in the message. Binary: returns ABUT_OK.
abut_status abut_values_end_line(abut_values *values, const char *what);

/// Reads the next value; in text, the next word of the line. `what` names it in messages ("vertex coordinate").
abut_status abut_values_number(abut_values *values, abut_value_type type, const char *what, double *value);
/// Reads an integer; `type` must be an integer type. A value beyond INT64_MAX becomes INT64_MAX.
abut_status abut_values_integer(abut_values *values, abut_value_type type, const char *what, int64_t *value);
/// Skips a value; in text, any word.
abut_status abut_values_skip(abut_values *values, abut_value_type type, const char *what);

#endif
