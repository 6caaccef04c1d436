// SPDX-License-Identifier: MIT
// child_task.h: code of a contact method in a child process, which its crash or hang cannot leave
#ifndef ABUT_LAB_CHILD_TASK_H
#define ABUT_LAB_CHILD_TASK_H

#include "common/lab_support.h"
#include "process/child.h"

/// What to do in the child, and who gets what it writes to `output`.
typedef struct abut_child_task {
    const char *name; ///< of the method or plug-in, for messages
    double seconds;
    void (*work)(void *user, int output);
    abut_child_take *take;
    void *user; ///< of both functions; the child has a copy
} abut_child_task;

/// Runs `work` in a child process with limits on time and memory, without input, and with a standard output that
/// nobody sees. ABUT_METHOD_FAULT where it crashed, hung, exited or wrote more than `take` wants.
abut_status abut_child_run(const abut_child_task *task, abut_error *error);

/// The two halves of it, for a caller that waits for several children: starts one, to be reaped with
/// abut_child_reap(), and says what its end means. Signals are to be held meanwhile.
abut_status abut_child_start(const abut_child_task *task, pid_t *child, int *output, abut_error *error);
abut_status abut_child_explain(const abut_child_task *task, abut_child_report report, abut_error *error);

/// For `work`: writes all bytes, or ends the child.
void abut_child_write(int output, const void *bytes, size_t size);

/// Sends the standard output to nowhere. Returns what abut_child_unsilence() needs to bring it back.
int abut_child_silence(void);
void abut_child_unsilence(int kept);

#endif
