// SPDX-License-Identifier: MIT
// progress.c: a progress bar on stderr, and a clean end on Ctrl-C
#define _POSIX_C_SOURCE 200809L
#include "shared/progress.h"

#include "shared/command.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const int SIGNALS[2] = {SIGINT, SIGTERM};
static const double PAUSE = 0.1; ///< seconds between two updates
enum { BAR = 30 };

static volatile sig_atomic_t interruptions;
static struct sigaction before[2]; ///< the former actions of the signals

static void on_signal(int number)
{
    (void)number;
    if (++interruptions > 1) {
        _exit(ABUT_CLI_UNFINISHED);
    }
}

static double seconds_since(const struct timespec *then)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

void abut_cli_progress_begin(abut_cli_progress *progress, const char *what, int total)
{
    memset(progress, 0, sizeof *progress);
    progress->what = what;
    progress->total = total;
    progress->is_shown = isatty(STDERR_FILENO);
    (void)clock_gettime(CLOCK_MONOTONIC, &progress->begin);
    progress->last = progress->begin;
}

void abut_cli_progress_hold(abut_cli_progress *progress)
{
    progress->holds_signals = 1;
    interruptions = 0;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    for (int i = 0; i < 2; ++i) {
        (void)sigaction(SIGNALS[i], &action, &before[i]);
    }
}

void abut_cli_progress_show(abut_cli_progress *progress, int done)
{
    if (!progress->is_shown || seconds_since(&progress->last) < PAUSE) {
        return;
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &progress->last);
    double passed = seconds_since(&progress->begin);
    double left = done > 0 ? passed * (progress->total - done) / done : 0.0;
    char bar[BAR + 1];
    int filled = progress->total > 0 ? (int)((double)BAR * done / progress->total) : BAR;
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)filled);
    bar[BAR] = '\0';
    (void)fprintf(stderr, "\r[%s] %d of %d %s, %.0f s left \033[K", bar, done, progress->total, progress->what,
                  left);
    (void)fflush(stderr);
}

int abut_cli_progress_is_interrupted(const abut_cli_progress *progress)
{
    return progress->holds_signals && interruptions > 0;
}

void abut_cli_progress_end(abut_cli_progress *progress)
{
    for (int i = 0; i < 2 && progress->holds_signals; ++i) {
        (void)sigaction(SIGNALS[i], &before[i], NULL);
    }
    if (progress->is_shown) {
        (void)fprintf(stderr, "\r\033[K");
    }
}
