// SPDX-License-Identifier: MIT
// number.h: parse and print doubles: correctly rounded, independent of the locale
#ifndef ABUT_IO_NUMBER_H
#define ABUT_IO_NUMBER_H

#include <stdint.h>

typedef enum abut_number_status {
    ABUT_NUMBER_OK,
    ABUT_NUMBER_MALFORMED,
    ABUT_NUMBER_TOO_LARGE ///< beyond the range of double
} abut_number_status;

/// Parses all of start .. end - 1 as one decimal number: sign, digits with a decimal point, exponent. The result is
/// the nearest double, ties to even. Numbers too small for a double become zero. "nan", "inf" and hexadecimal
/// numbers are malformed.
abut_number_status abut_number_parse(const char *start, const char *end, double *value);

/// Parses all of start .. end - 1 as one decimal integer. One that is too large becomes INT64_MAX or -INT64_MAX.
abut_number_status abut_integer_parse(const char *start, const char *end, int64_t *value);

/// Size of the longest number that is printed, including the final zero.
enum { ABUT_NUMBER_SIZE = 32 };

/// Prints a finite number with 15 digits, or with 16 or 17 if needed to read back the same bits, without trailing
/// zeros. -0 keeps its sign. Returns the length.
int abut_number_print(double value, char text[ABUT_NUMBER_SIZE]);

#endif
