// SPDX-License-Identifier: MIT
// json_place.c: a walk over JSON text, for the line of a value
#include "common/json_place.h"

#include <string.h>

typedef struct cursor {
    const char *at, *end;
} cursor;

/// strchr() alone would find a zero byte in every set.
static int is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static void skip_space(cursor *c)
{
    while (c->at < c->end && is_one_of(*c->at, " \t\r\n")) {
        ++c->at;
    }
}

static int take(cursor *c, char expected)
{
    skip_space(c);
    if (c->at < c->end && *c->at == expected) {
        ++c->at;
        return 1;
    }
    return 0;
}

/// Moves over a string, which begins here. Returns its first character behind the quote, and the length.
static const char *take_string(cursor *c, size_t *length)
{
    skip_space(c);
    const char *begin = c->at + 1;
    for (++c->at; c->at < c->end && *c->at != '"'; ++c->at) {
        if (*c->at == '\\') {
            ++c->at;
        }
    }
    *length = c->at < c->end ? (size_t)(c->at - begin) : 0;
    c->at = c->at < c->end ? c->at + 1 : c->end;
    return begin;
}

/// Moves over a value of any kind. Depth is counted, not recursed.
static void skip_value(cursor *c)
{
    int depth = 0;
    do {
        skip_space(c);
        if (c->at >= c->end) {
            return;
        }
        if (*c->at == '"') {
            size_t length;
            (void)take_string(c, &length);
        } else if (*c->at == '{' || *c->at == '[') {
            ++depth;
            ++c->at;
        } else if (*c->at == '}' || *c->at == ']') {
            --depth;
            ++c->at;
        } else if (*c->at == ',' || *c->at == ':') {
            ++c->at;
            continue;
        } else {
            while (c->at < c->end && !is_one_of(*c->at, ",:]} \t\r\n")) {
                ++c->at;
            }
        }
    } while (depth > 0);
}

/// Moves from the beginning of a value to that of one of its parts. Returns 0 if there is none.
static int enter(cursor *c, const abut_json_step *step)
{
    if (!take(c, step->key != NULL ? '{' : '[')) {
        return 0;
    }
    for (size_t i = 0;; ++i) {
        skip_space(c);
        if (c->at >= c->end || *c->at == '}' || *c->at == ']') {
            return 0;
        }
        if (step->key != NULL) {
            size_t length;
            const char *key = take_string(c, &length);
            (void)take(c, ':');
            if (length == strlen(step->key) && memcmp(key, step->key, length) == 0) {
                return 1;
            }
        } else if (i == step->index) {
            return 1;
        }
        skip_value(c);
        (void)take(c, ',');
    }
}

static int lines_between(const char *from, const char *to)
{
    int count = 0;
    for (const char *p = from; p < to; ++p) {
        count += *p == '\n';
    }
    return count;
}

int abut_json_line(const char *text, size_t length, const abut_json_step *path, int step_count)
{
    cursor c = {text, text + length};
    skip_space(&c);
    const char *found = c.at;
    for (int i = 0; i < step_count && enter(&c, &path[i]); ++i) {
        skip_space(&c);
        found = c.at;
    }
    return 1 + lines_between(text, found);
}

void abut_json_lines(const char *text, size_t length, const char *key, int *lines, int count)
{
    cursor c = {text, text + length};
    const abut_json_step step = {.key = key};
    memset(lines, 0, (size_t)count * sizeof *lines);
    if (!enter(&c, &step)) {
        return;
    }
    int has_keys = take(&c, '{'), line = 1;
    const char *counted = text;
    if (!has_keys && !take(&c, '[')) {
        return;
    }
    for (int i = 0; i < count; ++i) {
        if (has_keys) {
            size_t name_length;
            (void)take_string(&c, &name_length);
            (void)take(&c, ':');
        }
        skip_space(&c);
        lines[i] = line += lines_between(counted, c.at);
        counted = c.at;
        skip_value(&c);
        (void)take(&c, ',');
    }
}
