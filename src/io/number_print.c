// SPDX-License-Identifier: MIT
// number_print.c: print doubles so that they read back to the same bits, independent of the locale
#include "io/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DIGITS = 17 }; // enough to distinguish any two doubles

// d1.d2d3... times 10^exponent
typedef struct digits {
    char text[MOST_DIGITS + 1];
    int exponent;
} digits;

// All digits of a number >= 0, without the locale's decimal point.
static digits print_digits(double value)
{
    char text[ABUT_NUMBER_SIZE];
    (void)snprintf(text, sizeof text, "%.*e", MOST_DIGITS - 1, value);
    digits result = {"", 0};
    int count = 0;
    const char *at = text;
    for (; *at != 'e' && *at != '\0'; ++at) {
        if (*at >= '0' && *at <= '9' && count < MOST_DIGITS) {
            result.text[count++] = *at;
        }
    }
    int64_t exponent = 0;
    (void)abut_integer_parse(at + 1, text + strlen(text), &exponent);
    result.exponent = (int)exponent;
    return result;
}

// Rounds to the first `count` digits.
static digits shorten(const digits *all, int count)
{
    digits result = *all;
    result.text[count] = '\0';
    if (count == MOST_DIGITS || all->text[count] < '5') {
        return result;
    }
    int last = count - 1;
    while (last >= 0 && result.text[last] == '9') {
        result.text[last--] = '0';
    }
    if (last >= 0) {
        ++result.text[last];
    } else { // all nines
        result.text[0] = '1';
        ++result.exponent;
    }
    return result;
}

// Writes d1.d2d3...e5, or without an exponent if that takes only a few zeros.
static int lay_out(const digits *number, char *text)
{
    const int room = ABUT_NUMBER_SIZE - 1; // the caller may have written a sign before
    const char *all = number->text;
    int exponent = number->exponent;
    int count = (int)strlen(all);
    while (count > 1 && all[count - 1] == '0') {
        --count;
    }
    if (exponent < -5 || exponent > 16) {
        return snprintf(text, (size_t)room, "%c%s%.*se%d", all[0], count > 1 ? "." : "", count - 1, all + 1,
                        exponent);
    }
    if (exponent < 0) {
        return snprintf(text, (size_t)room, "0.%.*s%.*s", -exponent - 1, "0000", count, all);
    }
    int whole = exponent + 1;
    if (count <= whole) {
        return snprintf(text, (size_t)room, "%.*s%.*s", count, all, whole - count, "0000000000000000");
    }
    return snprintf(text, (size_t)room, "%.*s.%.*s", whole, all, count - whole, all + whole);
}

int abut_number_print(double value, char text[ABUT_NUMBER_SIZE])
{
    int sign = signbit(value) != 0;
    double size = fabs(value);
    if (sign) {
        *text++ = '-';
    }
    const digits all = print_digits(size);
    int length = 0;
    for (int count = MOST_DIGITS - 2; count <= MOST_DIGITS;
         ++count) { // 15 digits are enough for numbers that were read with 15
        const digits shorter = shorten(&all, count);
        length = lay_out(&shorter, text);
        double back = 0.0;
        if (abut_number_parse(text, text + length, &back) == ABUT_NUMBER_OK && back == size) {
            break;
        }
    }
    return sign + length;
}
