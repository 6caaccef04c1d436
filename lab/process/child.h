// SPDX-License-Identifier: MIT
// child.h: waiting for a child process that may hang, crash or never stop talking
#ifndef ABUT_LAB_CHILD_H
#define ABUT_LAB_CHILD_H

#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

/// A pipe whose ends a started program does not see, away from the standard streams. Returns 0 with errno set where
/// there is none.
int abut_child_pipe(int ends[2]);
void abut_child_close(const int ends[2]);

typedef enum abut_child_end {
    ABUT_CHILD_EXITED,      ///< `code` is its exit code
    ABUT_CHILD_SIGNALED,    ///< `code` is the signal
    ABUT_CHILD_TIMEOUT,     ///< killed: it took too long
    ABUT_CHILD_INTERRUPTED, ///< killed: a signal waits that abut_child_hold_signals() holds
    ABUT_CHILD_REFUSED      ///< killed: `take` did not want more
} abut_child_end;

typedef struct abut_child_report {
    abut_child_end end;
    int code;
} abut_child_report;

/// Gets what the child writes, piece by piece; returns 0 to have the child killed.
typedef int abut_child_take(void *user, const char *bytes, size_t size);

/// Reads `output` to its end and waits for the child, which must lead a process group of its own; kills the whole
/// group after `seconds`. Whatever the child left running in its group is killed as well. Closes `output`.
abut_child_report abut_child_wait(pid_t child, int output, double seconds, abut_child_take *take, void *user);

/// Its last part, where the output was read otherwise: reaps a child whose output has ended (ABUT_CHILD_EXITED), at
/// the latest at `deadline` of abut_child_clock(), or ends it for another reason.
abut_child_report abut_child_reap(pid_t child, abut_child_end end, double deadline);

/// Seconds since some moment.
double abut_child_clock(void);

/// Ctrl-C and its like wait until abut_child_release_signals(), so that no child and no file is left behind:
/// abut_child_wait() sees that one waits, kills the child and returns. To be called before the fork.
void abut_child_hold_signals(sigset_t *before);
void abut_child_release_signals(const sigset_t *before);

/// For the child, between fork and its work: a process group of its own, no input, no core file, at most `seconds`
/// of processor time, every signal as in a new process, and an end where the parent is killed (on Linux).
void abut_child_begin(pid_t parent, double seconds);

/// For the child: lowers a limit of setrlimit() to `amount`, if it is not lower already.
void abut_child_limit(int resource, double amount);

#endif
