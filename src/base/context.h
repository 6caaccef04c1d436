// SPDX-License-Identifier: MIT
// context.h: parallel loops through a context
#ifndef ABUT_BASE_CONTEXT_H
#define ABUT_BASE_CONTEXT_H

#include <abut/support.h>

/// Whether something is wrong with an element.
typedef int abut_element_test(const void *data, int element);

/// The first of `count` elements for which the test is not 0, or `count`. Looks at many elements on several threads.
int abut_first_element(const abut_context *context, int count, abut_element_test *test, const void *data);

/// Calls the `parallel_for` of the context. The default one uses the `worker_count` threads of the context.
void abut_parallel_for(const abut_context *context, int count, int grain, abut_range_task *task, void *data);

#endif
