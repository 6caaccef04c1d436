// SPDX-License-Identifier: MIT
// progress.h: a progress bar on stderr, and a clean end on Ctrl-C
#ifndef ABUT_CLI_PROGRESS_H
#define ABUT_CLI_PROGRESS_H

#include <time.h>

typedef struct abut_cli_progress {
    const char *what; ///< the noun, such as "steps"
    int total;
    int is_shown; ///< stderr is a terminal
    int holds_signals;
    struct timespec begin, last;
} abut_cli_progress;

void abut_cli_progress_begin(abut_cli_progress *progress, const char *what, int total);
/// From now on, SIGINT and SIGTERM only set a flag, so that files can be finished. One progress at a time.
void abut_cli_progress_hold(abut_cli_progress *progress);
/// Draws the bar, at most ten times a second.
void abut_cli_progress_show(abut_cli_progress *progress, int done);
/// Whether there was a SIGINT or SIGTERM. A second one ends the command at once.
int abut_cli_progress_is_interrupted(const abut_cli_progress *progress);
/// Removes the bar and restores the signals.
void abut_cli_progress_end(abut_cli_progress *progress);

#endif
