// SPDX-License-Identifier: MIT
// number.c: parse doubles: correctly rounded, independent of the locale
//
// There are three methods. Each rounds only once:
// - Digits below 2^53 times or divided by a power of ten up to 10^22: both are exact doubles, so one operation does
// it.
// - Up to 18 digits and powers of ten up to 10^27: product or quotient in 128 bits, then rounded.
// - Anything else: big integers. A halfway point between two doubles has at most 767 digits. So of the digits after
//   the first 800 it only matters whether one is nonzero.
#include "io/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    FAST_POWER = 22,  // 10^22 is the largest power of ten that is an exact double
    WIDE_POWER = 27,  // 5^27 is the largest power of five below 2^64
    WORD_DIGITS = 18, // below 2^60, which leaves room to divide
    BIG_DIGITS = 800, // digits that the big integers take
    BIG_WORDS = 100   // 3200 bits: 801 digits need 2661, 5^1200 needs 2787
};

// A decimal number as written: 0.d1d2d3... times 10^point.
typedef struct decimal {
    const char *first;   // d1, the first digit that is not zero
    const char *end;     // after the last digit
    int64_t point;       // position of the decimal point, counted from d1
    uint64_t leading;    // the first WORD_DIGITS digits
    int64_t digit_count; // digits from d1 on
    int leading_count;   // digits in `leading`
    int is_longer;       // a nonzero digit follows those in `leading`
    int is_negative;
} decimal;

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void add_digit(decimal *number, const char *at)
{
    if (*at == '0' && number->digit_count == 0) {
        return;
    }
    if (number->digit_count++ == 0) {
        number->first = at;
    }
    if (number->leading_count < WORD_DIGITS) {
        number->leading = 10 * number->leading + (uint64_t)(*at - '0');
        ++number->leading_count;
    } else if (*at != '0') {
        number->is_longer = 1;
    }
}

// Reads an exponent with its sign. A huge exponent is clamped.
static const char *scan_exponent(const char *at, const char *end, int64_t *exponent)
{
    const int64_t huge = INT64_MAX / 100;
    int is_negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) {
        ++at;
    }
    if (at == end || !is_digit(*at)) {
        return NULL;
    }
    int64_t value = 0;
    for (; at < end && is_digit(*at); ++at) {
        value = value < huge ? 10 * value + (*at - '0') : huge;
    }
    *exponent = is_negative ? -value : value;
    return at;
}

static int scan_decimal(const char *at, const char *end, decimal *number)
{
    memset(number, 0, sizeof *number);
    number->is_negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) {
        ++at;
    }
    int any = 0;
    for (; at < end && is_digit(*at); ++at) {
        add_digit(number, at);
        any = 1;
    }
    number->point = number->digit_count;
    if (at < end && *at == '.') {
        for (++at; at < end && is_digit(*at); ++at) {
            add_digit(number, at);
            any = 1;
            number->point -= number->digit_count == 0; // zeros between the point and d1
        }
    }
    number->end = at;
    if (!any) {
        return 0;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        int64_t exponent = 0;
        at = scan_exponent(at + 1, end, &exponent);
        if (at == NULL) {
            return 0;
        }
        number->point += exponent;
    }
    return at == end;
}

// bits * 2^exponent, rounded to the nearest double. If `more` is set, the exact value is slightly larger. The top
// bit of `bits` must be set.
static double round_bits(uint64_t bits, int more, int exponent)
{
    int top = exponent + 63;
    if (top > 1023) {
        return HUGE_VAL;
    }
    int drop = top < -1022 ? 11 + (-1022 - top) : 11; // subnormal doubles have fewer bits
    if (drop > 64) {
        return 0.0;
    }
    uint64_t kept = drop < 64 ? bits >> drop : 0;
    uint64_t rest = bits << (64 - drop);
    const uint64_t half = (uint64_t)1 << 63;
    if (rest > half || (rest == half && (more || (kept & 1) != 0))) {
        ++kept;
    }
    if (drop == 11) {
        kept += (uint64_t)(top + 1022) << 52; // the leading bit of `kept` adds 1 to the exponent
    }
    double value;
    memcpy(&value, &kept, sizeof value);
    return value;
}

static int leading_zeros(uint64_t value)
{
    int count = 0;
    for (int step = 32; step > 0; step /= 2) {
        if (value >> (64 - step) == 0) {
            value <<= step;
            count += step;
        }
    }
    return count;
}

// high * 2^64 + low = a * b
static void multiply_wide(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low)
{
    uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    uint64_t other = a0 * b1 + (middle & UINT32_MAX);
    *high = a1 * b1 + (middle >> 32) + (other >> 32);
    *low = a * b;
}

// (high * 2^64) / divisor for high < divisor, by long division with digits of 32 bits. The divisor's top bit is set,
// so a guessed digit is too large by at most two.
static uint64_t divide_wide(uint64_t high, uint64_t divisor, uint64_t *remainder)
{
    uint64_t d1 = divisor >> 32, d0 = divisor & UINT32_MAX, quotient = 0;
    for (int i = 0; i < 2; ++i) {
        uint64_t digit = high / d1, rest = high % d1;
        while (digit > UINT32_MAX || digit * d0 > rest << 32) {
            --digit;
            rest += d1;
            if (rest > UINT32_MAX) {
                break;
            }
        }
        high = (high << 32) - digit * divisor;
        quotient = quotient << 32 | digit;
    }
    *remainder = high;
    return quotient;
}

static const uint64_t powers_of_five[WIDE_POWER + 1] = {
    1u,
    5u,
    25u,
    125u,
    625u,
    3125u,
    15625u,
    78125u,
    390625u,
    1953125u,
    9765625u,
    48828125u,
    244140625u,
    1220703125u,
    6103515625u,
    30517578125u,
    152587890625u,
    762939453125u,
    3814697265625u,
    19073486328125u,
    95367431640625u,
    476837158203125u,
    2384185791015625u,
    11920928955078125u,
    59604644775390625u,
    298023223876953125u,
    1490116119384765625u,
    7450580596923828125u,
};

// mantissa * 10^power for 0 < mantissa < 2^60 and |power| <= WIDE_POWER
static double round_wide(uint64_t mantissa, int power)
{
    int shift = leading_zeros(mantissa) - 1; // the top bit stays 0, so the dividend is below the divisor
    mantissa <<= shift;
    if (power < 0) {
        uint64_t divisor = powers_of_five[-power], remainder;
        int divisor_shift = leading_zeros(divisor);
        uint64_t quotient = divide_wide(mantissa, divisor << divisor_shift, &remainder);
        int up = leading_zeros(quotient);
        return round_bits(quotient << up, remainder != 0, power - shift + divisor_shift - 64 - up);
    }
    uint64_t high, low;
    multiply_wide(mantissa, powers_of_five[power], &high, &low);
    if (high == 0) {
        return round_bits(low << 1, 0, power - shift - 1);
    }
    int up = leading_zeros(high);
    if (up > 0) {
        high = high << up | low >> (64 - up);
        low <<= up;
    }
    return round_bits(high, low != 0, power - shift + 64 - up);
}

// A big integer, lowest word first.
typedef struct big {
    uint32_t words[BIG_WORDS];
    int count;
} big;

static void big_multiply_add(big *number, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < number->count; ++i) {
        carry += (uint64_t)number->words[i] * factor;
        number->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        number->words[number->count++] = (uint32_t)carry;
    }
}

static void big_multiply_power_of_five(big *number, int64_t power)
{
    for (; power >= 13; power -= 13) {
        big_multiply_add(number, (uint32_t)powers_of_five[13], 0);
    }
    big_multiply_add(number, (uint32_t)powers_of_five[power], 0);
}

static int big_bits(const big *number)
{
    return 32 * number->count - (leading_zeros(number->words[number->count - 1]) - 32);
}

static void big_shift_left(big *number, int bits)
{
    int words = bits / 32, rest = bits % 32;
    if (words > 0) {
        memmove(number->words + words, number->words, (size_t)number->count * sizeof *number->words);
        memset(number->words, 0, (size_t)words * sizeof *number->words);
        number->count += words;
    }
    big_multiply_add(number, (uint32_t)1 << rest, 0);
}

static int big_is_less(const big *a, const big *b)
{
    if (a->count != b->count) {
        return a->count < b->count;
    }
    for (int i = a->count - 1; i >= 0; --i) {
        if (a->words[i] != b->words[i]) {
            return a->words[i] < b->words[i];
        }
    }
    return 0;
}

// a -= b for a >= b
static void big_subtract(big *a, const big *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < a->count; ++i) {
        uint64_t taken = borrow + (i < b->count ? b->words[i] : 0);
        borrow = a->words[i] < taken;
        a->words[i] = (uint32_t)(a->words[i] - taken);
    }
    while (a->count > 0 && a->words[a->count - 1] == 0) {
        --a->count;
    }
}

// Converts the digits to an integer. The number is this integer times ten to the returned power.
static int64_t big_from_decimal(const decimal *number, big *value)
{
    int64_t taken = 0;
    int more = 0;
    value->count = 0;
    for (const char *at = number->first; at < number->end; ++at) {
        if (*at == '.') {
            continue;
        }
        if (taken < BIG_DIGITS) {
            big_multiply_add(value, 10, (uint32_t)(*at - '0'));
            ++taken;
        } else if (*at != '0') {
            more = 1;
            break;
        }
    }
    if (more) {
        big_multiply_add(value, 10, 1);
        ++taken;
    }
    return number->point - taken;
}

// Binary long division gives the first 64 bits of the quotient and whether there is a remainder.
static double round_big(const decimal *number)
{
    big numerator, divisor;
    int64_t power = big_from_decimal(number, &numerator);
    divisor.words[0] = 1;
    divisor.count = 1;
    big_multiply_power_of_five(power >= 0 ? &numerator : &divisor, power >= 0 ? power : -power);
    int shift = big_bits(&numerator) - big_bits(&divisor);
    big_shift_left(shift >= 0 ? &divisor : &numerator, shift >= 0 ? shift : -shift);
    uint64_t quotient = 0;
    int steps = 0;
    while (quotient >> 63 == 0) {
        quotient <<= 1;
        if (!big_is_less(&numerator, &divisor)) {
            big_subtract(&numerator, &divisor);
            quotient |= 1;
        }
        big_multiply_add(&numerator, 2, 0);
        ++steps;
    }
    return round_bits(quotient, numerator.count > 0, (int)power + shift - (steps - 1));
}

static const double powers_of_ten[FAST_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static double round_decimal(const decimal *number)
{
    if (number->digit_count == 0 || number->point < -330) { // half the smallest double is 2.47e-324
        return 0.0;
    }
    if (number->point > 310) { // the largest double is 1.8e308
        return HUGE_VAL;
    }
    int64_t power = number->point - number->leading_count;
    int64_t size = power < 0 ? -power : power;
    if (number->is_longer || size > WIDE_POWER) {
        return round_big(number);
    }
    if (FLT_EVAL_METHOD == 0 && size <= FAST_POWER && number->leading >> 53 == 0) {
        double mantissa = (double)number->leading;
        return power < 0 ? mantissa / powers_of_ten[size] : mantissa * powers_of_ten[size];
    }
    return round_wide(number->leading, (int)power);
}

abut_number_status abut_number_parse(const char *start, const char *end, double *value)
{
    decimal number;
    if (!scan_decimal(start, end, &number)) {
        return ABUT_NUMBER_MALFORMED;
    }
    double size = round_decimal(&number);
    *value = number.is_negative ? -size : size;
    return isfinite(size) ? ABUT_NUMBER_OK : ABUT_NUMBER_TOO_LARGE;
}

abut_number_status abut_integer_parse(const char *start, const char *end, int64_t *value)
{
    const char *at = start;
    int is_negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) {
        ++at;
    }
    if (at == end) {
        return ABUT_NUMBER_MALFORMED;
    }
    int64_t size = 0;
    for (; at < end; ++at) {
        if (!is_digit(*at)) {
            return ABUT_NUMBER_MALFORMED;
        }
        size = size < INT64_MAX / 10 - 1 ? 10 * size + (*at - '0') : INT64_MAX;
    }
    *value = is_negative ? -size : size;
    return ABUT_NUMBER_OK;
}
