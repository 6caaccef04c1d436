// SPDX-License-Identifier: MIT
// shape_list.h: points, segments and convex polygons from a CSV file, one a line
#ifndef ABUT_CLI_SHAPE_LIST_H
#define ABUT_CLI_SHAPE_LIST_H

#include "shared/command.h"

#include <abut/math.h>

/// A line of the file: 1 corner is a point, 2 are a segment, more are a convex planar polygon.
typedef struct abut_cli_listed_shape {
    int64_t line; ///< from 1
    int corner_begin, corner_count;
} abut_cli_listed_shape;

/// Starts as zero bytes. Release with abut_cli_shape_list_release().
typedef struct abut_cli_shape_list {
    abut_cli_listed_shape *items;
    int count, capacity;
    abut_vec3 *corners;
    int corner_count, corner_capacity;
    int has_begun; ///< a line that is not a comment was read: a header can no longer come
} abut_cli_shape_list;

/// Reads a line without its end, and changes the text. A header before the first numbers, and comments from "#" on,
/// add nothing. Neither does a wrong line.
abut_status abut_cli_shape_list_read_line(abut_cli_shape_list *list, int64_t number, char *text, abut_error *error);

/// Reads a file; "-" is stdin. Prints "FILE:LINE: ..." for the first wrong line, and "FILE: ..." if there are no
/// numbers.
abut_cli_exit abut_cli_shape_list_read(abut_cli_shape_list *list, const char *path);

void abut_cli_shape_list_release(abut_cli_shape_list *list);

#endif
