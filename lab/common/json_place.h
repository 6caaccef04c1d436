// SPDX-License-Identifier: MIT
// json_place.h: the line of a value in a JSON text, which jansson does not keep
#ifndef ABUT_LAB_JSON_PLACE_H
#define ABUT_LAB_JSON_PLACE_H

#include <stddef.h>

/// A step into a value: a key of an object or, if `key` is NULL, an index of an array.
typedef struct abut_json_step {
    const char *key;
    size_t index;
} abut_json_step;

/// The line, from 1, on which the value at a path begins. The text must be valid JSON. If the path does not exist, the
/// line of the last value on it that does. Keys are compared as they are in the text, with their escapes.
int abut_json_line(const char *text, size_t length, const abut_json_step *path, int step_count);

/// The lines of the first `count` items of the array or object that the root has under a key, in the order of the
/// text; all 0 if there is no such key.
void abut_json_lines(const char *text, size_t length, const char *key, int *lines, int count);

#endif
