// SPDX-License-Identifier: MIT
// context.h: a context to keep, and parallel loops through it
#ifndef ABUT_BASE_CONTEXT_H
#define ABUT_BASE_CONTEXT_H

#include <abut/base.h>

/// A copy of the caller's context, which may be of an older version, or the default one for NULL. What the caller's
/// does not have, or left empty, is as in the default one.
abut_context abut_context_or_default(const abut_context *context);

/// Runs `task` by the context's loops, with workers below its worker count.
void abut_parallel_for(const abut_context *context, int count, int grain, abut_range_task *task, void *data);

#endif
