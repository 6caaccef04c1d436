// SPDX-License-Identifier: MIT
// progress.h: a bar on stderr with the time left, and an end on Ctrl-C that can be asked for
#ifndef ABUT_CLI_PROGRESS_H
#define ABUT_CLI_PROGRESS_H

#include <time.h>

typedef struct abut_cli_progress {
    const char *what; ///< is counted
    int total;
    int is_shown; ///< stderr is a terminal
    int holds_signals;
    struct timespec begin, last;
} abut_cli_progress;

void abut_cli_progress_begin(abut_cli_progress *progress, const char *what, int total);
/// From now on SIGINT and SIGTERM do not end the command at once, so that it can finish its files. One at a time.
void abut_cli_progress_hold(abut_cli_progress *progress);
/// Draws the bar, a few times a second.
void abut_cli_progress_show(abut_cli_progress *progress, int done);
/// Whether the user asked for the end. A second Ctrl-C ends the command at once.
int abut_cli_progress_is_interrupted(const abut_cli_progress *progress);
/// Removes the bar; signals do what they did before.
void abut_cli_progress_end(abut_cli_progress *progress);

#endif
