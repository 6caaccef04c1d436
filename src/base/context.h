// SPDX-License-Identifier: MIT
// context.h: parallel loops through a context
#ifndef ABUT_BASE_CONTEXT_H
#define ABUT_BASE_CONTEXT_H

#include <abut/support.h>

/// Calls the `parallel_for` of the context. The default one uses the `worker_count` threads of the context.
void abut_parallel_for(const abut_context *context, int count, int grain, abut_range_task *task, void *data);

#endif
