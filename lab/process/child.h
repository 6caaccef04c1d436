// SPDX-License-Identifier: MIT
// child.h: waiting for a child process that may hang, crash or never stop talking
#ifndef ABUT_LAB_CHILD_H
#define ABUT_LAB_CHILD_H

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

/// Makes a pipe that programs started with exec() do not inherit. Its ends are not the numbers of standard streams.
/// Returns 0 and sets errno on failure.
int abut_child_pipe(int ends[2]);
void abut_child_close(const int ends[2]);

typedef enum abut_child_end {
    ABUT_CHILD_EXITED,      ///< `code` is its exit code
    ABUT_CHILD_SIGNALED,    ///< `code` is the signal
    ABUT_CHILD_TIMEOUT,     ///< killed: it took too long
    ABUT_CHILD_INTERRUPTED, ///< killed: a signal that abut_child_hold_signals() blocks is pending
    ABUT_CHILD_REFUSED      ///< killed: `take` returned 0
} abut_child_end;

typedef struct abut_child_report {
    abut_child_end end;
    int code;
} abut_child_report;

/// Receives the output of the child, piece by piece. Returns 0 to have the child killed.
typedef int abut_child_take(void *user, const char *bytes, size_t size);

/// Reads `output` to its end and waits for the child, which must lead a process group of its own. Kills the group
/// after `seconds`, and in any case when the child has ended. Closes `output`.
abut_child_report abut_child_wait(pid_t child, int output, double seconds, abut_child_take *take, void *user);

/// The second half of abut_child_wait(), for callers that read the output themselves. With ABUT_CHILD_EXITED it waits
/// for the child until `deadline` (of abut_child_clock()); with any other `end` it kills the child at once.
abut_child_report abut_child_reap(pid_t child, abut_child_end end, double deadline);

/// Seconds of a monotonic clock.
double abut_child_clock(void);

/// Blocks Ctrl-C and similar signals until abut_child_release_signals(), so that no child and no file is left behind:
/// abut_child_wait() sees that one is pending, kills the child and returns. Call this before fork().
void abut_child_hold_signals(sigset_t *before);
void abut_child_release_signals(const sigset_t *before);

/// Call this in the child right after fork(). It gets a process group of its own, no input, no core file, at most
/// `seconds` of processor time, and default signal handlers. On Linux it dies with its parent.
void abut_child_begin(pid_t parent, double seconds);

/// Lowers a limit of setrlimit() to `amount`, unless it is lower already. Call this in the child.
void abut_child_limit(int resource, double amount);

#endif
