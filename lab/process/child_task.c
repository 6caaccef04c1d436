// SPDX-License-Identifier: MIT
// child_task.c: runs the code of a contact method in a child process, so that a crash or hang stays there
#define _XOPEN_SOURCE 700
#include "process/child_task.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { EXIT_BY_METHOD = 3 }; ///< exit code of a child whose method called exit()

static const double CHILD_MEMORY = 0x1p30; ///< bytes that the child may allocate beyond what it has after fork()

// ---------------------------------------------------------------------------------------------------------------
// The child

/// An exit handler. The last one registered runs first, so those of the host process do not run in the child, and
/// buffered output of the host is not written twice.
static void leave_at_once(void)
{
    _exit(EXIT_BY_METHOD);
}

static void limit_memory(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        unsigned long pages = 0;
        int read = fscanf(file, "%lu", &pages);
        (void)fclose(file);
        if (read == 1) {
            abut_child_limit(RLIMIT_AS, (double)pages * (double)sysconf(_SC_PAGESIZE) + CHILD_MEMORY);
        }
    }
}

int abut_child_silence(void)
{
    (void)fflush(stdout);
    int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int nothing = open("/dev/null", O_WRONLY);
    if (nothing >= 0) {
        (void)dup2(nothing, STDOUT_FILENO);
        (void)close(nothing);
    }
    return kept;
}

void abut_child_unsilence(int kept)
{
    (void)fflush(stdout); // discards what was printed meanwhile
    if (kept >= 0) {
        (void)dup2(kept, STDOUT_FILENO);
        (void)close(kept);
    }
}

void abut_child_write(int output, const void *bytes, size_t size)
{
    const char *next = bytes;
    while (size > 0) {
        ssize_t written = write(output, next, size);
        if (written < 0 && errno != EINTR) {
            _exit(EXIT_FAILURE);
        }
        if (written > 0) {
            next += written;
            size -= (size_t)written;
        }
    }
}

/// Runs in the child and never returns. The parent has flushed its buffers.
static void work_in_child(const abut_child_task *task, pid_t parent, int output)
{
    abut_child_begin(parent, task->seconds);
    (void)abut_child_silence();
    limit_memory();
    if (atexit(leave_at_once) != 0) {
        _exit(EXIT_FAILURE);
    }
    task->work(task->user, output);
    _exit(EXIT_SUCCESS);
}

// ---------------------------------------------------------------------------------------------------------------
// The parent

abut_status abut_child_explain(const abut_child_task *task, abut_child_report report, abut_error *error)
{
    const char *name = task->name;
    switch (report.end) {
    case ABUT_CHILD_TIMEOUT:
        return abut_fail(error, ABUT_METHOD_FAULT, "%.128s took more than %g seconds", name, task->seconds);
    case ABUT_CHILD_INTERRUPTED: return abut_fail(error, ABUT_LIMIT, "%.128s was interrupted", name);
    case ABUT_CHILD_REFUSED: return abut_fail(error, ABUT_METHOD_FAULT, "%.128s: its answer is too long", name);
    case ABUT_CHILD_SIGNALED:
        return abut_fail(error, ABUT_METHOD_FAULT, "%.128s was ended by signal %d (%s)", name, report.code,
                         strsignal(report.code));
    case ABUT_CHILD_EXITED:
        if (report.code != 0) {
            return abut_fail(error, ABUT_METHOD_FAULT, "%.128s ended its process with exit code %d", name,
                             report.code);
        }
    }
    return ABUT_OK;
}

abut_status abut_child_start(const abut_child_task *task, pid_t *child, int *output, abut_error *error)
{
    int ends[2];
    if (!abut_child_pipe(ends)) {
        return abut_fail(error, ABUT_LIMIT, "cannot make a pipe: %s", abut_errno_text(errno));
    }
    (void)fflush(stdout); // or the child would have a copy of the buffer
    pid_t parent = getpid();
    *child = fork();
    if (*child == 0) {
        (void)close(ends[0]);
        work_in_child(task, parent, ends[1]);
    }
    int reason = errno;
    (void)close(ends[1]);
    if (*child < 0) {
        (void)close(ends[0]);
        return abut_fail(error, ABUT_LIMIT, "cannot start a child process: %s", abut_errno_text(reason));
    }
    (void)setpgid(*child, *child); // the child does this too, but may not have run yet
    *output = ends[0];
    return ABUT_OK;
}

abut_status abut_child_run(const abut_child_task *task, abut_error *error)
{
    sigset_t signals;
    abut_child_hold_signals(&signals);
    pid_t child;
    int output;
    abut_status status = abut_child_start(task, &child, &output, error);
    if (status == ABUT_OK) {
        abut_child_report report = abut_child_wait(child, output, task->seconds, task->take, task->user);
        status = abut_child_explain(task, report, error);
    }
    abut_child_release_signals(&signals);
    return status;
}
