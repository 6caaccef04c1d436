// SPDX-License-Identifier: MIT
// command.h: exit codes, error lines and memory of the command
#ifndef ABUT_CLI_COMMAND_H
#define ABUT_CLI_COMMAND_H

#include <abut/base.h>

/// What the command returns to the shell. Scripts rely on the numbers.
typedef enum abut_cli_exit {
    ABUT_CLI_DONE = 0,
    ABUT_CLI_UNMET = 1,     ///< done, and a --require did not hold
    ABUT_CLI_BAD_INPUT = 2, ///< wrong usage or bad input
    ABUT_CLI_UNFINISHED = 3 ///< memory, a child process, a full disk, an interrupt
} abut_cli_exit;

/// Prints one line on stderr that begins with "abut: ", whatever the text contains; returns `code` for `return`.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
abut_cli_exit
abut_cli_fail(abut_cli_exit code, const char *format, ...);

/// From here on ABUT_CLI_BAD_INPUT is not printed: another process of this machine has the same command, and prints it.
void abut_cli_leave_bad_input(void);

/// Prints one line on stderr that begins with "abut: note: ": what the user should know about a result.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void
abut_cli_note(const char *format, ...);

/// What an errno means, in the words that the library has for it.
const char *abut_cli_reason(int number);

/// The exit code that goes with a failure of the library.
abut_cli_exit abut_cli_exit_of(abut_status status);

/// Prints what the library says; returns the exit code.
abut_cli_exit abut_cli_fail_status(abut_status status, const abut_error *error);

/// The same for a message about a file: the name comes first, in full and once.
abut_cli_exit abut_cli_fail_file(const char *path, abut_status status, const abut_error *error);

/// The same, with what to do at the end of the line.
abut_cli_exit abut_cli_fail_advised(const char *path, abut_status status, const abut_error *error,
                                    const char *advice);

/// What the library says of a failure, or the status in words where it says nothing.
const char *abut_cli_message(abut_status status, const abut_error *error);

/// Memory for `count` items; ends the command with ABUT_CLI_UNFINISHED where there is none. Release with free().
void *abut_cli_resize(void *block, size_t count, size_t item_size);

/// A copy of a text, made in the same way.
char *abut_cli_copy(const char *text);

/// A printed text, made in the same way.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
char *
abut_cli_print(const char *format, ...);

/// Of the words that `get` gives for 0, 1, ... until NULL, the one that a misspelt word most likely means, or NULL.
typedef const char *abut_cli_word_function(const void *user, int index);
const char *abut_cli_nearest(const char *word, abut_cli_word_function *get, const void *user);

#endif
