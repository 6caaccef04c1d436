// SPDX-License-Identifier: MIT
// query_list.h: queries of continuous tests from a CSV file, eight lines each
#ifndef ABUT_CLI_QUERY_LIST_H
#define ABUT_CLI_QUERY_LIST_H

#include "shared/command.h"

#include <abut/continuous.h>

/// A query and its answer.
typedef struct abut_cli_moving_query {
    abut_moving_pair pair;
    int64_t line; ///< of its first vertex, from 1
    int is_true;
} abut_cli_moving_query;

/// Starts as zero bytes. Release with abut_cli_query_list_release().
typedef struct abut_cli_query_list {
    abut_cli_moving_query *items;
    int count, capacity;
    int row; ///< lines read of the last query, which is whole if this is 0
} abut_cli_query_list;

/// Reads a line without its end, and changes the text: "xn,xd,yn,yd,zn,zd,truth", a vertex as three fractions. Four lines
/// are the vertices at the start, four those at the end. A wrong line adds nothing.
abut_status abut_cli_query_list_read_line(abut_cli_query_list *list, int64_t number, char *text, abut_error *error);

/// Reads a file; "-" is stdin. Prints "FILE:LINE: ..." for the first wrong line, and "FILE: ..." if the last query is not
/// whole or there is none.
abut_cli_exit abut_cli_query_list_read(abut_cli_query_list *list, const char *path);

void abut_cli_query_list_release(abut_cli_query_list *list);

#endif
