// SPDX-License-Identifier: MIT
// command.c: exit codes, error lines and memory of the command
#define _POSIX_C_SOURCE 200809L
#include "shared/command.h"

#include <abut/primitives.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_line(const char *prefix, const char *format, va_list arguments)
{
    char line[4096];
    int length = vsnprintf(line, sizeof line, format, arguments);
    if (length < 0) {
        line[0] = '\0';
    }
    // Keep it one line: a file name may contain a line break.
    for (char *c = line; *c != '\0'; ++c) {
        if ((unsigned char)*c < ' ' || *c == 0x7f) {
            *c = '?';
        }
    }
    (void)fprintf(stderr, "%s%s\n", prefix, line);
}

static int leaves_bad_input; // set once at the start, if at all

void abut_cli_leave_bad_input(void)
{
    leaves_bad_input = 1;
}

abut_cli_exit abut_cli_fail(abut_cli_exit code, const char *format, ...)
{
    if (code == ABUT_CLI_BAD_INPUT && leaves_bad_input) {
        return code;
    }
    va_list arguments;
    va_start(arguments, format);
    print_line("abut: ", format, arguments);
    va_end(arguments);
    return code;
}

void abut_cli_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("abut: note: ", format, arguments);
    va_end(arguments);
}

abut_cli_exit abut_cli_exit_of(abut_status status)
{
    switch (status) {
    case ABUT_OK:
    case ABUT_TRUNCATED: return ABUT_CLI_DONE;
    case ABUT_NO_MEMORY:
    case ABUT_LIMIT:
    case ABUT_METHOD_FAULT: return ABUT_CLI_UNFINISHED;
    case ABUT_BAD_ARGUMENT:
    case ABUT_BAD_DATA:
    case ABUT_IO:
    case ABUT_UNSUPPORTED:
    case ABUT_UNPREPARED:
    case ABUT_OVERLAP: return ABUT_CLI_BAD_INPUT;
    }
    return ABUT_CLI_UNFINISHED;
}

const char *abut_cli_message(abut_status status, const abut_error *error)
{
    return error != NULL && error->text[0] != '\0' ? error->text : abut_status_text(status);
}

abut_cli_exit abut_cli_fail_status(abut_status status, const abut_error *error)
{
    return abut_cli_fail(abut_cli_exit_of(status), "%s", abut_cli_message(status, error));
}

// The library shortens long names to "...end". If the message begins with such a name, returns what follows it.
static const char *after_cut_name(const char *message, const char *path)
{
    if (strncmp(message, "...", 3) != 0) {
        return NULL;
    }
    for (const char *end = path; *end != '\0'; ++end) {
        size_t length = strlen(end);
        if (strncmp(message + 3, end, length) == 0 && message[3 + length] == ':') {
            return message + 3 + length;
        }
    }
    return NULL;
}

// Whether the message is about a file beside this one: part.ele beside part.node.
static int names_neighbour(const char *message, const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strncmp(message, path, (size_t)(dot - path) + 1) == 0;
}

/// What follows "line N: " at the beginning of a message about line N, or NULL.
static const char *after_line(const char *message, const abut_error *error)
{
    char begin[40];
    if (error == NULL || error->line <= 0) {
        return NULL;
    }
    int length = snprintf(begin, sizeof begin, "line %lld: ", (long long)error->line);
    return strncmp(message, begin, (size_t)length) == 0 ? message + length : NULL;
}

abut_cli_exit abut_cli_fail_advised(const char *path, abut_status status, const abut_error *error,
                                    const char *advice)
{
    const char *message = abut_cli_message(status, error);
    abut_cli_exit code = abut_cli_exit_of(status);
    size_t length = strlen(path);
    const char *rest = strncmp(message, path, length) == 0 && message[length] == ':'
                           ? message + length
                           : after_cut_name(message, path);
    const char *body = rest == NULL ? message : strncmp(rest, ": ", 2) == 0 ? rest + 2 : NULL;
    const char *at_line = body != NULL ? after_line(body, error) : NULL;
    if (at_line != NULL) {
        return abut_cli_fail(code, "%s:%lld: %s%s", path, (long long)error->line, at_line, advice);
    }
    if (rest != NULL) {
        return abut_cli_fail(code, "%s%s%s", path, rest, advice);
    }
    // what is wrong with "sphere:" mentions "sphere:R", which does not name the argument
    if (!abut_is_primitive(path) && (strstr(message, path) != NULL || names_neighbour(message, path))) {
        return abut_cli_fail(code, "%s%s", message, advice);
    }
    return abut_cli_fail(code, "%s: %s%s", path, message, advice);
}

abut_cli_exit abut_cli_fail_file(const char *path, abut_status status, const abut_error *error)
{
    return abut_cli_fail_advised(path, status, error, "");
}

static void *or_exit(void *block)
{
    if (block == NULL) {
        exit((int)abut_cli_fail(ABUT_CLI_UNFINISHED, "out of memory: try a smaller input"));
    }
    return block;
}

void *abut_cli_resize(void *block, size_t count, size_t item_size)
{
    size_t items = count > 0 ? count : 1;
    return or_exit(item_size > 0 && items > SIZE_MAX / item_size ? NULL : realloc(block, items * item_size));
}

char *abut_cli_copy(const char *text)
{
    return or_exit(strdup(text));
}

char *abut_cli_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? or_exit(NULL) : abut_cli_resize(NULL, (size_t)length + 1, 1);
    va_start(arguments, format);
    (void)vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

// Longer words are never compared.
enum { LONGEST_WORD = 40 };

// Damerau-Levenshtein distance: letters to insert, remove or replace, or neighbours to swap.
static int edit_distance(const char *a, const char *b)
{
    int rows[3][LONGEST_WORD + 2];
    size_t length_a = strlen(a), length_b = strlen(b);
    if (length_a > LONGEST_WORD || length_b > LONGEST_WORD) {
        return LONGEST_WORD;
    }
    for (size_t j = 0; j <= length_b; ++j) {
        rows[0][j] = (int)j;
    }
    for (size_t i = 1; i <= length_a; ++i) {
        int *row = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= length_b; ++j) {
            int best = last[j - 1] + (a[i - 1] != b[j - 1]);
            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best) {
                best = before[j - 2] + 1;
            }
            row[j] = best;
        }
    }
    return rows[length_a % 3][length_b];
}

const char *abut_cli_nearest(const char *word, abut_cli_word_function *get, const void *user)
{
    const char *nearest = NULL;
    int least = LONGEST_WORD;
    for (int i = 0; get(user, i) != NULL; ++i) {
        const char *candidate = get(user, i);
        int distance = edit_distance(word, candidate);
        // An abbreviation is near, however short it is.
        if (distance > 1 && strlen(word) >= 3 && strncmp(candidate, word, strlen(word)) == 0) {
            distance = 1;
        }
        if (distance < least && 2 * (size_t)distance <= strlen(candidate)) {
            nearest = candidate;
            least = distance;
        }
    }
    return nearest;
}
