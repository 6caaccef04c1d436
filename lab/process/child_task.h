// SPDX-License-Identifier: MIT
// child_task.h: runs the code of a contact method in a child process, so that a crash or hang stays there
#ifndef ABUT_LAB_CHILD_TASK_H
#define ABUT_LAB_CHILD_TASK_H

#include "common/lab_support.h"
#include "process/child.h"

/// What the child does, and what receives its output.
typedef struct abut_child_task {
    const char *name; ///< of the method or plug-in, for messages
    double seconds;
    void (*work)(void *user, int output);
    abut_child_take *take;
    void *user; ///< passed to both functions; the child has a copy
} abut_child_task;

/// Runs `work` in a child process with limits on time and memory, without input, and with its standard output
/// discarded. ABUT_METHOD_FAULT if it crashed, hung, exited or wrote more than `take` accepts.
abut_status abut_child_run(const abut_child_task *task, abut_error *error);

/// The two halves of abut_child_run(), for a caller that waits for several children. The first starts a child, which
/// abut_child_reap() ends; the second turns its report into a status. Hold signals meanwhile.
abut_status abut_child_start(const abut_child_task *task, pid_t *child, int *output, abut_error *error);
abut_status abut_child_explain(const abut_child_task *task, abut_child_report report, abut_error *error);

/// Writes all bytes, or ends the child. To be called by `work`.
void abut_child_write(int output, const void *bytes, size_t size);

/// Discards the standard output. Returns what abut_child_unsilence() needs to restore it.
int abut_child_silence(void);
void abut_child_unsilence(int kept);

#endif
