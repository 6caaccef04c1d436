// SPDX-License-Identifier: MIT
// text.c: reading words and lines of a text file, with line numbers
#include "io/text.h"

#include "io/number.h"

#include <limits.h>
#include <string.h>

static int ends_line(char c)
{
    return c == '\n' || c == '\r';
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}

abut_text abut_text_open(const abut_file *file)
{
    abut_text text = {.file = file, .at = file->data, .end = file->data + file->size, .line = 1};
    if (file->size >= 3 && memcmp(file->data, "\xef\xbb\xbf", 3) == 0) {
        text.at += 3;
    }
    return text;
}

// Steps over one line end. The line number stays the same if the file ends there.
static void cross_line_end(abut_text *text)
{
    text->at += text->end - text->at >= 2 && text->at[0] == '\r' && text->at[1] == '\n' ? 2 : 1;
    text->line += text->at < text->end;
}

static int at_joint(const abut_text *text)
{
    return text->joins_backslashes && *text->at == '\\' && text->end - text->at >= 2 && ends_line(text->at[1]);
}

static int ends_word(const abut_text *text)
{
    char c = *text->at;
    return is_blank(c) || ends_line(c) || (c == text->comment && c != 0) || (c == '\\' && at_joint(text));
}

static void skip_comment(abut_text *text)
{
    while (text->at < text->end && !ends_line(*text->at)) {
        ++text->at;
    }
}

int abut_text_word(abut_text *text, abut_word *word)
{
    while (text->at < text->end) {
        if (is_blank(*text->at)) {
            ++text->at;
        } else if (at_joint(text)) {
            ++text->at;
            cross_line_end(text);
        } else {
            break;
        }
    }
    if (text->at < text->end && text->comment != 0 && *text->at == text->comment) {
        skip_comment(text);
    }
    if (text->at == text->end || ends_line(*text->at)) {
        return 0;
    }
    word->start = text->at;
    while (text->at < text->end && !ends_word(text)) {
        ++text->at;
    }
    word->end = text->at;
    return 1;
}

int abut_text_next_line(abut_text *text)
{
    while (text->at < text->end && !ends_line(*text->at)) {
        if (text->comment != 0 && *text->at == text->comment) {
            skip_comment(text);
        } else if (at_joint(text)) {
            ++text->at;
            cross_line_end(text);
        } else {
            ++text->at;
        }
    }
    if (text->at == text->end) {
        return 0;
    }
    cross_line_end(text);
    return text->at < text->end;
}

int abut_text_word_below(abut_text *text, abut_word *word)
{
    do {
        if (abut_text_word(text, word)) {
            return 1;
        }
    } while (abut_text_next_line(text));
    return 0;
}

int abut_text_find_line(abut_text *text)
{
    for (;;) {
        abut_text ahead = *text;
        abut_word word;
        if (abut_text_word(&ahead, &word)) {
            return 1;
        }
        if (!abut_text_next_line(text)) {
            return 0;
        }
    }
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

int abut_word_is(abut_word word, const char *name)
{
    const char *at = word.start;
    while (at < word.end && *name != '\0' && lower(*at) == lower(*name)) {
        ++at;
        ++name;
    }
    return at == word.end && *name == '\0';
}

const char *abut_word_quote(abut_word word, char text[ABUT_QUOTE_SIZE])
{
    char *out = text;
    *out++ = '\'';
    const char *at = word.start;
    for (; at < word.end && out < text + ABUT_QUOTE_SIZE - 5; ++at) {
        *out++ = (char)(*at >= ' ' && *at <= '~' ? *at : '?');
    }
    if (at < word.end) {
        memcpy(out, "...", 3);
        out += 3;
    }
    *out++ = '\'';
    *out = '\0';
    return text;
}

static abut_status next_field(abut_text *text, const char *what, abut_word *word)
{
    if (!abut_text_word(text, word)) {
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "%s is missing", what);
    }
    return ABUT_OK;
}

// Reads the words that programs print for numbers that are not finite ("nan", "-inf", "1.#IND"), and numbers beyond
// the range of double.
static int read_not_finite(abut_word word, double *value)
{
    double ignored;
    if (abut_number_parse(word.start, word.end, &ignored) == ABUT_NUMBER_TOO_LARGE) {
        *value = *word.start == '-' ? -HUGE_VAL : HUGE_VAL;
        return 1;
    }
    static const struct {
        const char *name;
        int is_infinite;
    } names[] = {{"nan", 0},    {"nan(ind)", 0}, {"nan(snan)", 0}, {"1.#qnan", 0}, {"1.#snan", 0},
                 {"1.#ind", 0}, {"inf", 1},      {"infinity", 1},  {"1.#inf", 1}};
    abut_word name = word;
    name.start += *word.start == '-' || *word.start == '+';
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (abut_word_is(name, names[i].name)) {
            *value = !names[i].is_infinite ? (double)NAN : *word.start == '-' ? -HUGE_VAL : HUGE_VAL;
            return 1;
        }
    }
    return 0;
}

abut_status abut_text_number(abut_text *text, const char *what, double *value)
{
    abut_word word;
    abut_status status = next_field(text, what, &word);
    if (status != ABUT_OK) {
        return status;
    }
    abut_number_status parsed = abut_number_parse(word.start, word.end, value);
    if (parsed == ABUT_NUMBER_OK || (text->file->is_lenient && read_not_finite(word, value))) {
        return ABUT_OK;
    }
    char quote[ABUT_QUOTE_SIZE];
    return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "%s %s is %s", what, abut_word_quote(word, quote),
                          parsed == ABUT_NUMBER_TOO_LARGE ? "too large" : "not a number");
}

abut_status abut_text_vec3(abut_text *text, const char *what, abut_vec3 *value)
{
    abut_status status = abut_text_number(text, what, &value->x);
    if (status == ABUT_OK) {
        status = abut_text_number(text, what, &value->y);
    }
    if (status == ABUT_OK) {
        status = abut_text_number(text, what, &value->z);
    }
    return status;
}

abut_status abut_text_wide_integer(abut_text *text, const char *what, int64_t *value)
{
    abut_word word;
    abut_status status = next_field(text, what, &word);
    if (status != ABUT_OK) {
        return status;
    }
    if (abut_integer_parse(word.start, word.end, value) != ABUT_NUMBER_OK) {
        char quote[ABUT_QUOTE_SIZE];
        return abut_file_fail(text->file, ABUT_BAD_DATA, text->line, "%s %s is not a whole number", what,
                              abut_word_quote(word, quote));
    }
    return ABUT_OK;
}

abut_status abut_text_integer(abut_text *text, const char *what, int *value)
{
    int64_t wide = 0;
    abut_status status = abut_text_wide_integer(text, what, &wide);
    if (status == ABUT_OK) {
        *value = wide > INT_MAX ? INT_MAX : wide < -INT_MAX ? -INT_MAX : (int)wide;
    }
    return status;
}
