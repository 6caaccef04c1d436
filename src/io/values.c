// SPDX-License-Identifier: MIT
// values.c: reading numbers from text, or from binary data of either byte order
#include "io/values.h"

#include <stdarg.h>
#include <string.h>

size_t abut_value_size(abut_value_type type)
{
    static const unsigned char sizes[] = {
        [ABUT_INT8] = 1,   [ABUT_UINT8] = 1,  [ABUT_INT16] = 2,   [ABUT_UINT16] = 2,  [ABUT_INT32] = 4,
        [ABUT_UINT32] = 4, [ABUT_UINT64] = 8, [ABUT_FLOAT32] = 4, [ABUT_FLOAT64] = 8,
    };
    return sizes[type];
}

abut_status abut_values_fail(const abut_values *values, abut_status status, const char *format, ...)
{
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const abut_file *file = values->text.file;
    if (!values->is_binary) {
        return abut_file_fail(file, status, values->text.line, "%s", message);
    }
    return abut_file_fail(file, status, 0, "byte %llu: %s", (unsigned long long)(values->text.at - file->data),
                          message);
}

abut_status abut_values_fail_growth(const abut_values *values, abut_status status, const char *what)
{
    return abut_file_fail_growth(values->text.file, status, values->is_binary ? 0 : values->text.line, what);
}

size_t abut_values_left(const abut_values *values)
{
    return (size_t)(values->text.end - values->text.at);
}

int abut_values_can_hold(const abut_values *values, uint64_t count, size_t least)
{
    size_t room = abut_values_left(values) + !values->is_binary; // the last value of a text needs no separator
    return least == 0 || count <= room / least;
}

int abut_values_begin_line(abut_values *values)
{
    return values->is_binary || abut_text_find_line(&values->text);
}

abut_status abut_values_end_line(abut_values *values, const char *what)
{
    abut_word word;
    if (!values->is_binary && abut_text_word(&values->text, &word)) {
        char quote[ABUT_QUOTE_SIZE];
        return abut_values_fail(values, ABUT_BAD_DATA, "%s after the end of %s", abut_word_quote(word, quote),
                                what);
    }
    return ABUT_OK;
}

// Reads the bits of the next value. Its first byte is the lowest one, or the highest one if the file is big-endian.
static abut_status take_bits(abut_values *values, abut_value_type type, const char *what, uint64_t *bits)
{
    size_t size = abut_value_size(type);
    if (abut_values_left(values) < size) {
        return abut_values_fail(values, ABUT_BAD_DATA, "the file ends inside %s", what);
    }
    const unsigned char *bytes = (const unsigned char *)values->text.at;
    *bits = 0;
    for (size_t i = 0; i < size; ++i) {
        *bits = *bits << 8 | bytes[values->is_big_endian ? i : size - 1 - i];
    }
    values->text.at += size;
    return ABUT_OK;
}

static int64_t integer_of(abut_value_type type, uint64_t bits)
{
    switch (type) {
    case ABUT_INT8: return (int8_t)(uint8_t)bits;
    case ABUT_INT16: return (int16_t)(uint16_t)bits;
    case ABUT_INT32: return (int32_t)(uint32_t)bits;
    default: return bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
    }
}

static double number_of(abut_value_type type, uint64_t bits)
{
    if (type == ABUT_FLOAT64) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (type == ABUT_FLOAT32) {
        uint32_t word = (uint32_t)bits;
        float value;
        memcpy(&value, &word, sizeof value);
        return (double)value;
    }
    return (double)integer_of(type, bits);
}

abut_status abut_values_number(abut_values *values, abut_value_type type, const char *what, double *value)
{
    if (!values->is_binary) {
        return abut_text_number(&values->text, what, value);
    }
    uint64_t bits = 0;
    abut_status status = take_bits(values, type, what, &bits);
    if (status == ABUT_OK) {
        *value = number_of(type, bits);
    }
    return status;
}

abut_status abut_values_integer(abut_values *values, abut_value_type type, const char *what, int64_t *value)
{
    if (!values->is_binary) {
        return abut_text_wide_integer(&values->text, what, value);
    }
    uint64_t bits = 0;
    abut_status status = take_bits(values, type, what, &bits);
    if (status == ABUT_OK) {
        *value = integer_of(type, bits);
    }
    return status;
}

abut_status abut_values_skip(abut_values *values, abut_value_type type, const char *what)
{
    if (values->is_binary) {
        uint64_t bits = 0;
        return take_bits(values, type, what, &bits);
    }
    abut_word word;
    return abut_text_word(&values->text, &word)
               ? ABUT_OK
               : abut_file_fail(values->text.file, ABUT_BAD_DATA, values->text.line, "%s is missing", what);
}
