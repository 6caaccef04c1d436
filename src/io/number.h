// SPDX-License-Identifier: MIT
// number.h: decimal numbers to and from double, exactly rounded, the same in every locale
#ifndef ABUT_IO_NUMBER_H
#define ABUT_IO_NUMBER_H

#include <stdint.h>

typedef enum abut_number_status {
    ABUT_NUMBER_OK,
    ABUT_NUMBER_MALFORMED,
    ABUT_NUMBER_TOO_LARGE ///< beyond the range of double
} abut_number_status;

/// Reads all of start .. end - 1 as one decimal number: sign, digits with a point, exponent. The result is the double
/// nearest to it, ties to even; numbers too small for a double become zero. No "nan", "inf" or hexadecimal.
abut_number_status abut_number_parse(const char *start, const char *end, double *value);

/// Reads all of start .. end - 1 as one decimal integer; one that is too large becomes INT64_MAX or -INT64_MAX.
abut_number_status abut_integer_parse(const char *start, const char *end, int64_t *value);

/// Room for any number that is printed, with its final zero.
enum { ABUT_NUMBER_SIZE = 32 };

/// Prints a finite number with 15 digits, or 16 or 17 if it needs them to read back to the same bits, without zeros
/// at the end; -0 keeps its sign. Returns the length.
int abut_number_print(double value, char text[ABUT_NUMBER_SIZE]);

#endif
