// SPDX-License-Identifier: MIT
// json.c: a JSON text as an array of values, for readers of mesh files
//
// Strings keep their escapes: what a mesh needs of them are names without any.
#include "io/json.h"

#include "base/memory.h"
#include "io/number.h"

#include <limits.h>
#include <string.h>

enum { DEEPEST = 64 };

/// A text while it is parsed.
typedef struct json_text {
    abut_json *json;
    const abut_file *file;
    const char *begin, *at, *end;
} json_text;

static abut_status fail_here(const json_text *text, const char *what)
{
    return abut_file_fail(text->file, ABUT_BAD_DATA, 0, "JSON: %s at byte %llu", what,
                          (unsigned long long)(text->at - text->begin));
}

static void skip_blanks(json_text *text)
{
    while (text->at < text->end &&
           (*text->at == ' ' || *text->at == '\t' || *text->at == '\n' || *text->at == '\r')) {
        ++text->at;
    }
}

/// Skips a character if it is the next one after blanks.
static int take(json_text *text, char wanted)
{
    skip_blanks(text);
    if (text->at < text->end && *text->at == wanted) {
        ++text->at;
        return 1;
    }
    return 0;
}

/// Adds a value; returns its index, or -1 if memory ran out.
static int add_value(json_text *text, abut_json_kind kind)
{
    abut_json *json = text->json;
    if (!abut_grow(&json->context, &json->values, &json->capacity, json->count + 1, sizeof *json->values)) {
        return -1;
    }
    json->values[json->count] = (abut_json_value){.kind = kind, .next = json->count + 1};
    return json->count++;
}

static abut_status read_string(json_text *text)
{
    int index = add_value(text, ABUT_JSON_STRING);
    if (index < 0) {
        return abut_file_fail_growth(text->file, ABUT_NO_MEMORY, 0, "values");
    }
    const char *start = ++text->at; // after the quote
    while (text->at < text->end && *text->at != '"') {
        if ((unsigned char)*text->at < 0x20) {
            return fail_here(text, "a control character in a string");
        }
        text->at += *text->at == '\\' && text->end - text->at > 1 ? 2 : 1;
    }
    if (text->at >= text->end) {
        return fail_here(text, "a string without end");
    }
    text->json->values[index].start = start;
    text->json->values[index].end = text->at++;
    return ABUT_OK;
}

static abut_status read_number(json_text *text)
{
    const char *start = text->at;
    while (text->at < text->end && strchr("+-.eE0123456789", *text->at) != NULL && *text->at != '\0') {
        ++text->at;
    }
    double number = 0.0;
    if (abut_number_parse(start, text->at, &number) != ABUT_NUMBER_OK) {
        text->at = start;
        return fail_here(text, "not a number");
    }
    int index = add_value(text, ABUT_JSON_NUMBER);
    if (index < 0) {
        return abut_file_fail_growth(text->file, ABUT_NO_MEMORY, 0, "values");
    }
    text->json->values[index].number = number;
    return ABUT_OK;
}

static abut_status read_word(json_text *text)
{
    static const struct {
        const char *word;
        abut_json_kind kind;
    } words[] = {{"null", ABUT_JSON_NULL}, {"false", ABUT_JSON_FALSE}, {"true", ABUT_JSON_TRUE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        size_t length = strlen(words[i].word);
        if ((size_t)(text->end - text->at) >= length && memcmp(text->at, words[i].word, length) == 0) {
            text->at += length;
            return add_value(text, words[i].kind) < 0
                       ? abut_file_fail_growth(text->file, ABUT_NO_MEMORY, 0, "values")
                       : ABUT_OK;
        }
    }
    return read_number(text);
}

static abut_status read_value(json_text *text, int depth);

static abut_status read_inside(json_text *text, int depth, int is_object)
{
    char last = is_object ? '}' : ']';
    if (take(text, last)) {
        return ABUT_OK;
    }
    do {
        skip_blanks(text);
        if (is_object) {
            if (text->at >= text->end || *text->at != '"') {
                return fail_here(text, "a name is missing");
            }
            abut_status status = read_string(text);
            if (status != ABUT_OK) {
                return status;
            }
            if (!take(text, ':')) {
                return fail_here(text, "':' is missing");
            }
        }
        abut_status status = read_value(text, depth + 1);
        if (status != ABUT_OK) {
            return status;
        }
    } while (take(text, ','));
    return take(text, last) ? ABUT_OK
                            : fail_here(text, is_object ? "',' or '}' is missing" : "',' or ']' is missing");
}

static abut_status read_value(json_text *text, int depth)
{
    skip_blanks(text);
    if (text->at >= text->end) {
        return fail_here(text, "a value is missing");
    }
    if (*text->at == '"') {
        return read_string(text);
    }
    if (*text->at != '{' && *text->at != '[') {
        return read_word(text);
    }
    if (depth >= DEEPEST) {
        return fail_here(text, "more than 64 levels");
    }
    int is_object = *text->at++ == '{', index = add_value(text, is_object ? ABUT_JSON_OBJECT : ABUT_JSON_ARRAY);
    if (index < 0) {
        return abut_file_fail_growth(text->file, ABUT_NO_MEMORY, 0, "values");
    }
    abut_status status = read_inside(text, depth, is_object);
    text->json->values[index].next = text->json->count;
    return status;
}

abut_status abut_json_parse(abut_json *json, const abut_file *file, const char *start, const char *end)
{
    *json = (abut_json){.context = file->context};
    json_text text = {json, file, start, start, end};
    abut_status status = read_value(&text, 0);
    skip_blanks(&text);
    return status == ABUT_OK && text.at < text.end ? fail_here(&text, "data after the end") : status;
}

void abut_json_release(abut_json *json)
{
    abut_free(&json->context, json->values);
    json->values = NULL;
    json->count = json->capacity = 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Looking up

static int has_kind(const abut_json *json, int value, abut_json_kind kind)
{
    return value >= 0 && json->values[value].kind == kind;
}

int abut_json_is(const abut_json *json, int value, const char *text)
{
    if (!has_kind(json, value, ABUT_JSON_STRING)) {
        return 0;
    }
    size_t length = (size_t)(json->values[value].end - json->values[value].start);
    return strlen(text) == length && memcmp(json->values[value].start, text, length) == 0;
}

int abut_json_member(const abut_json *json, int value, const char *name)
{
    if (!has_kind(json, value, ABUT_JSON_OBJECT)) {
        return -1;
    }
    for (int at = value + 1; at < json->values[value].next; at = json->values[at + 1].next) {
        if (abut_json_is(json, at, name)) {
            return at + 1;
        }
    }
    return -1;
}

int abut_json_first(const abut_json *json, int array)
{
    return has_kind(json, array, ABUT_JSON_ARRAY) && array + 1 < json->values[array].next ? array + 1 : -1;
}

int abut_json_after(const abut_json *json, int array, int item)
{
    int next = json->values[item].next;
    return next < json->values[array].next ? next : -1;
}

int abut_json_count(const abut_json *json, int value)
{
    int count = 0;
    for (int item = abut_json_first(json, value); item >= 0; item = abut_json_after(json, value, item)) {
        ++count;
    }
    return count;
}

double abut_json_number(const abut_json *json, int value, double fallback)
{
    return has_kind(json, value, ABUT_JSON_NUMBER) ? json->values[value].number : fallback;
}

int abut_json_index(const abut_json *json, int value, int fallback)
{
    if (value < 0) {
        return fallback;
    }
    double number = abut_json_number(json, value, -1.0);
    return number >= 0.0 && number <= INT_MAX && number == (double)(int)number ? (int)number : -2;
}
