// SPDX-License-Identifier: MIT
// json.h: a JSON text as an array of values, for readers of mesh files
#ifndef ABUT_IO_JSON_H
#define ABUT_IO_JSON_H

#include "io/file.h"

typedef enum abut_json_kind {
    ABUT_JSON_NULL,
    ABUT_JSON_FALSE,
    ABUT_JSON_TRUE,
    ABUT_JSON_NUMBER,
    ABUT_JSON_STRING,
    ABUT_JSON_ARRAY,
    ABUT_JSON_OBJECT
} abut_json_kind;

/// A value. Those inside of an array follow it; those of an object too, each after its name, which is a string.
typedef struct abut_json_value {
    abut_json_kind kind;
    int next;                ///< the index after this value and all inside of it
    const char *start, *end; ///< of a string: the text between the quotes, as it is in the file, with escapes
    double number;
} abut_json_value;

typedef struct abut_json {
    abut_context context;
    abut_json_value *values; ///< the first is the whole text
    int count, capacity;
} abut_json;

/// Parses start .. end - 1, a part of the file. Nesting is limited to 64 levels. Release also after a failure.
abut_status abut_json_parse(abut_json *json, const abut_file *file, const char *start, const char *end);
void abut_json_release(abut_json *json);

// Looking up values. Each function returns -1 if there is no such value; a `value` of -1 has nothing inside.
int abut_json_member(const abut_json *json, int value, const char *name);
int abut_json_count(const abut_json *json, int value);           ///< of an array; 0 for others
int abut_json_first(const abut_json *json, int array);           ///< the first item
int abut_json_after(const abut_json *json, int array, int item); ///< the next item

/// A number, or `fallback` if there is none.
double abut_json_number(const abut_json *json, int value, double fallback);
/// A whole number from 0 to INT_MAX; `fallback` if there is no value; -2 if it is something else.
int abut_json_index(const abut_json *json, int value, int fallback);
/// Whether it is a string with this text, without escapes.
int abut_json_is(const abut_json *json, int value, const char *text);

#endif
