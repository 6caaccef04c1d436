// SPDX-License-Identifier: MIT
// query_list.c: queries of continuous tests from a CSV file, eight lines each
#include "verb/query_list.h"

#include "shared/lines.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 8, FIELDS = 7, DIGITS_HIGHEST = 400 };

/// Reads an integer that a double holds exactly. Returns 0 if the text is anything else.
static int parse_integer(const char *text, double *value)
{
    size_t sign = text[0] == '-';
    size_t digits = strspn(text + sign, "0123456789");
    if (digits == 0 || digits > DIGITS_HIGHEST || text[sign + digits] != '\0') {
        return 0;
    }
    *value = strtod(text, NULL);
    if (!isfinite(*value)) {
        return 0;
    }
    char again[DIGITS_HIGHEST + 2];
    (void)snprintf(again, sizeof again, "%.0f", fabs(*value));
    const char *plain = text + sign;
    while (*plain == '0' && plain[1] != '\0') {
        ++plain;
    }
    return strcmp(again, plain) == 0;
}

/// Cuts a line at its commas. Returns the number of fields; those beyond `capacity` are counted only.
static int split(char *text, char **fields, int capacity)
{
    int count = 0;
    for (char *rest = text; rest != NULL;) {
        char *comma = strchr(rest, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        while (isspace((unsigned char)*rest)) {
            ++rest;
        }
        for (size_t n = strlen(rest); n > 0 && isspace((unsigned char)rest[n - 1]);) {
            rest[--n] = '\0';
        }
        if (count < capacity) {
            fields[count] = rest;
        }
        ++count;
        rest = comma != NULL ? comma + 1 : NULL;
    }
    return count;
}

static abut_status parse_coordinate(char **fields, char axis, double *value, abut_error *error)
{
    double numerator, denominator;
    int exponent;
    if (!parse_integer(fields[0], &numerator) || !parse_integer(fields[1], &denominator)) {
        return abut_fail(
            error, ABUT_BAD_DATA,
            "%c is not a fraction of two integers that a double holds exactly: give xn,xd,yn,yd,zn,zd,truth", axis);
    }
    if (!(denominator > 0.0) || frexp(denominator, &exponent) != 0.5) {
        return abut_fail(error, ABUT_BAD_DATA,
                         "the denominator of %c is not a power of two: no double has this value", axis);
    }
    *value = numerator / denominator;
    if (*value * denominator != numerator) {
        return abut_fail(error, ABUT_BAD_DATA, "%c is too small for a double", axis);
    }
    return ABUT_OK;
}

static abut_status parse_line(char *text, abut_vec3 *vertex, int *is_true, abut_error *error)
{
    char *fields[FIELDS];
    int count = split(text, fields, FIELDS);
    if (count != FIELDS) {
        return abut_fail(error, ABUT_BAD_DATA, "%d field%s instead of 7: xn,xd,yn,yd,zn,zd,truth", count,
                         abut_cli_plural(count));
    }
    abut_status status = parse_coordinate(fields, 'x', &vertex->x, error);
    status = status != ABUT_OK ? status : parse_coordinate(fields + 2, 'y', &vertex->y, error);
    status = status != ABUT_OK ? status : parse_coordinate(fields + 4, 'z', &vertex->z, error);
    if (status == ABUT_OK) {
        *is_true = strcmp(fields[6], "1") == 0;
        if (!*is_true && strcmp(fields[6], "0") != 0) {
            return abut_fail(error, ABUT_BAD_DATA, "the truth is neither 0 nor 1");
        }
    }
    return status;
}

abut_status abut_cli_query_list_read_line(abut_cli_query_list *list, int64_t number, char *text, abut_error *error)
{
    abut_vec3 vertex;
    int is_true = 0;
    abut_status status = parse_line(text, &vertex, &is_true, error);
    if (status != ABUT_OK) {
        return status;
    }
    if (list->row == 0) {
        if (list->count == INT_MAX / 2) {
            return abut_fail(error, ABUT_LIMIT, "more than %d queries in one file: split it", INT_MAX / 2);
        }
        if (list->count == list->capacity) {
            list->capacity += list->capacity / 2 + 64;
            list->items = abut_cli_resize(list->items, (size_t)list->capacity, sizeof *list->items);
        }
        list->items[list->count++] = (abut_cli_moving_query){.line = number, .is_true = is_true};
    }
    abut_cli_moving_query *query = &list->items[list->count - 1];
    if (query->is_true != is_true) {
        return abut_fail(error, ABUT_BAD_DATA,
                         "the truth differs from that of line %lld, which is of the same query",
                         (long long)query->line);
    }
    *(list->row < 4 ? &query->pair.start[list->row] : &query->pair.end[list->row - 4]) = vertex;
    list->row = (list->row + 1) % ROWS;
    return ABUT_OK;
}

static abut_status read_line(void *list, long long number, char *text, size_t length, abut_error *error)
{
    (void)length;
    return abut_cli_query_list_read_line(list, number, text, error);
}

abut_cli_exit abut_cli_query_list_read(abut_cli_query_list *list, const char *path)
{
    abut_cli_exit code = abut_cli_read_lines(path, read_line, list);
    if (code == ABUT_CLI_DONE && list->row != 0) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: the query that begins in line %lld has %d lines instead of 8",
                             path, (long long)list->items[list->count - 1].line, list->row);
    }
    if (code == ABUT_CLI_DONE && list->count == 0) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "%s: no queries: give eight lines xn,xd,yn,yd,zn,zd,truth for each", path);
    }
    return code;
}

void abut_cli_query_list_release(abut_cli_query_list *list)
{
    free(list->items);
    *list = (abut_cli_query_list){0};
}
