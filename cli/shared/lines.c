// SPDX-License-Identifier: MIT
// lines.c: reading text files line by line
#define _POSIX_C_SOURCE 200809L
#include "shared/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Some editors begin UTF-8 files with it.
static const char byte_order_mark[] = "\xef\xbb\xbf";

enum {
    LINE_HIGHEST = 64 * 1024 * 1024 ///< bytes, so that a device without line ends does not fill the memory
};

/// A line of the file, without its end.
typedef struct text_line {
    char *text;
    size_t length, capacity;
} text_line;

/// Reads the next line and puts a 0 behind it. Returns 0 at the end of the file, if reading fails, and if the line is
/// too long.
static int read_line(FILE *file, text_line *line)
{
    int c;
    line->length = 0;
    while ((c = getc_unlocked(file)) != EOF && c != '\n' && line->length < LINE_HIGHEST) {
        if (line->length + 1 >= line->capacity) {
            line->capacity = 2 * line->capacity + 256;
            line->text = abut_cli_resize(line->text, line->capacity, 1);
        }
        line->text[line->length++] = (char)c;
    }
    if (line->length > 0) {
        line->text[line->length] = '\0';
    }
    return c == '\n' || (c == EOF && line->length > 0 && !ferror(file));
}

static int is_blank(const char *text, size_t length)
{
    size_t i = 0;
    while (i < length && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r')) {
        ++i;
    }
    return i == length;
}

static abut_status use_line(const text_line *line, long long number, abut_cli_line_function *function, void *user,
                            abut_error *error)
{
    size_t mark = strlen(byte_order_mark);
    size_t start = number == 1 && line->length >= mark && memcmp(line->text, byte_order_mark, mark) == 0 ? mark : 0;
    size_t length = line->length - start;
    if (length == 0 || is_blank(line->text + start, length)) {
        return ABUT_OK;
    }
    char *text = line->text + start;
    const char *zero = memchr(text, '\0', length);
    return zero != NULL
               ? abut_fail(error, ABUT_BAD_DATA, "there is a zero byte at column %d", (int)(zero - text) + 1)
               : function(user, number, text, length, error);
}

abut_cli_exit abut_cli_read_lines(const char *path, abut_cli_line_function *function, void *user)
{
    int is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "r");
    if (file == NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: cannot be read: %s", path, abut_errno_text(errno));
    }
    abut_cli_exit code = ABUT_CLI_DONE;
    text_line line = {0};
    long long number = 1;
    for (; code == ABUT_CLI_DONE && read_line(file, &line); ++number) {
        abut_error error = {0};
        if (use_line(&line, number, function, user, &error) != ABUT_OK) {
            code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s:%lld: %s", path, number, error.text);
        }
    }
    if (code == ABUT_CLI_DONE && ferror(file)) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s: cannot be read: %s", path, abut_errno_text(errno));
    } else if (code == ABUT_CLI_DONE && !feof(file)) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "%s:%lld: the line is longer than %d bytes", path, number,
                             LINE_HIGHEST);
    }
    free(line.text);
    if (!is_stdin) {
        (void)fclose(file);
    }
    return code;
}
