// SPDX-License-Identifier: MIT
// context.h: parallel loops through a context
#ifndef ABUT_BASE_CONTEXT_H
#define ABUT_BASE_CONTEXT_H

#include <abut/support.h>

/// Runs `task` with the `parallel_for` of the context; the default one uses `worker_count` threads.
void abut_parallel_for(const abut_context *context, int count, int grain, abut_range_task *task, void *data);

#endif
