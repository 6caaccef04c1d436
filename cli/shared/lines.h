// SPDX-License-Identifier: MIT
// lines.h: reading text files line by line
#ifndef ABUT_CLI_LINES_H
#define ABUT_CLI_LINES_H

#include "shared/command.h"

/// Gets a line without its end: `length` bytes, none of them 0, and a 0 behind them. It may change the text. `number`
/// counts from 1. Returns a status other than ABUT_OK, with a message, if the line is wrong.
typedef abut_status abut_cli_line_function(void *user, long long number, char *text, size_t length,
                                           abut_error *error);

/// Calls a function with each line of a file that is not blank; "-" is stdin. Prints "FILE:LINE: ..." for the first
/// wrong line, and stops there.
abut_cli_exit abut_cli_read_lines(const char *path, abut_cli_line_function *function, void *user);

#endif
