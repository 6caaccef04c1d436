// SPDX-License-Identifier: MIT
// values.h: the numbers of a file that has them as words of text or as bytes of either order
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

/// The bytes of a value in binary data.
size_t abut_value_size(abut_value_type type);

/// A place in such a file. In binary data only `text.at` moves on.
typedef struct abut_values {
    abut_text text;
    int is_binary, is_big_endian;
} abut_values;

/// Fills the file's error with "name:line: message", or "name: byte N: message" in binary data. Returns `status`.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
abut_status
abut_values_fail(const abut_values *values, abut_status status, const char *format, ...);

/// For ABUT_NO_MEMORY and ABUT_LIMIT, which arrays that grow return; `what` is in the plural.
abut_status abut_values_fail_growth(const abut_values *values, abut_status status, const char *what);

/// The bytes that are left.
size_t abut_values_left(const abut_values *values);

/// Whether `count` items of at least `least` bytes each can follow; in text a value has two bytes, with what parts
/// it from the next. A count that a file promises is believed after this, and no sooner.
int abut_values_can_hold(const abut_values *values, uint64_t count, size_t least);

/// Text: moves to the next line with words, or returns 0 at the end of the file. Binary: returns 1.
int abut_values_begin_line(abut_values *values);
/// Text: an error if words are left in the line; then goes to its end. `what` names the line.
abut_status abut_values_end_line(abut_values *values, const char *what);

/// Reads the next value, in text that of the line. `what` names it in messages ("vertex coordinate").
abut_status abut_values_number(abut_values *values, abut_value_type type, const char *what, double *value);
/// Reads an integer, of an integer type; a value beyond INT64_MAX becomes INT64_MAX.
abut_status abut_values_integer(abut_values *values, abut_value_type type, const char *what, int64_t *value);
/// Passes over a value of any type, or in text over any word.
abut_status abut_values_skip(abut_values *values, abut_value_type type, const char *what);

#endif
