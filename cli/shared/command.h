// SPDX-License-Identifier: MIT
// command.h: exit codes, error lines and memory of the command
#ifndef ABUT_CLI_COMMAND_H
#define ABUT_CLI_COMMAND_H

#include <abut/support.h>

/// What the command returns to the shell. Scripts rely on the numbers.
typedef enum abut_cli_exit {
    ABUT_CLI_DONE = 0,
    ABUT_CLI_UNMET = 1,     ///< done, but a --require does not hold
    ABUT_CLI_BAD_INPUT = 2, ///< wrong usage or bad input
    ABUT_CLI_UNFINISHED = 3 ///< out of memory, a child process failed, a full disk, an interrupt
} abut_cli_exit;

/// Prints one line on stderr that begins with "abut: ". Returns `code`, for `return`.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
abut_cli_exit
abut_cli_fail(abut_cli_exit code, const char *format, ...);

/// From now on, does not print bad input: the first rank on this machine prints it.
void abut_cli_leave_bad_input(void);

/// Prints one line on stderr that begins with "abut: note: ", about a result.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void
abut_cli_note(const char *format, ...);

/// The ending of a noun after a count: "" for 1, else "s".
static inline const char *abut_cli_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/// The exit code for a status of the library.
abut_cli_exit abut_cli_exit_of(abut_status status);

/// Prints the message of the library. Returns the exit code.
abut_cli_exit abut_cli_fail_status(abut_status status, const abut_error *error);

/// Prints the message of the library about a file: begins with its name, which appears once and in full.
abut_cli_exit abut_cli_fail_file(const char *path, abut_status status, const abut_error *error);

/// As abut_cli_fail_file(), with advice at the end of the line.
abut_cli_exit abut_cli_fail_advised(const char *path, abut_status status, const abut_error *error,
                                    const char *advice);

/// The message of the library, or the text of the status if there is none.
const char *abut_cli_message(abut_status status, const abut_error *error);

/// realloc() for `count` items. Ends the command with ABUT_CLI_UNFINISHED if memory runs out. Release with free().
void *abut_cli_resize(void *block, size_t count, size_t item_size);

/// strdup() that ends the command if memory runs out.
char *abut_cli_copy(const char *text);

/// asprintf() that ends the command if memory runs out.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
char *
abut_cli_print(const char *format, ...);

/// Finds what a misspelt word most likely means, or NULL. `get` returns the known words for 0, 1, ... up to NULL.
typedef const char *abut_cli_word_function(const void *user, int index);
const char *abut_cli_nearest(const char *word, abut_cli_word_function *get, const void *user);

#endif
