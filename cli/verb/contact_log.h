// SPDX-License-Identifier: MIT
// contact_log.h: contacts of other programs, as JSON Lines (docs/contact-log.md)
#ifndef ABUT_CLI_CONTACT_LOG_H
#define ABUT_CLI_CONTACT_LOG_H

#include "verb/assess_parts.h"

/// All contacts of one case, method and state.
typedef struct abut_cli_log_entry {
    char *case_name;
    char *method;
    abut_cli_state state;
    abut_sample *samples;
    int count, capacity;
} abut_cli_log_entry;

typedef struct abut_cli_log {
    abut_cli_state default_state; ///< of lines that name none; its text belongs to the caller
    abut_cli_log_entry *entries;
    int count;
} abut_cli_log;

/// Reads one line, without its line end and without zero bytes, and adds its contacts. A wrong line adds nothing.
abut_status abut_cli_log_read_line(abut_cli_log *log, const char *line, size_t length, abut_error *error);

/// Reads a file; "-" is stdin. Prints "FILE:LINE: ..." for the first wrong line.
abut_cli_exit abut_cli_log_read(abut_cli_log *log, const char *path);

void abut_cli_log_release(abut_cli_log *log);

#endif
