// SPDX-License-Identifier: MIT
// failing.h: a context that counts what it gives out, and fails at one chosen allocation
#ifndef ABUT_TEST_FAILING_H
#define ABUT_TEST_FAILING_H

#include <abut/base.h>

typedef struct failing_heap {
    int calls;   ///< allocations and growths so far
    int fail_at; ///< the call that fails, from 1; 0: none
    int live;    ///< blocks that were given out and not taken back
} failing_heap;

static inline void *failing_resize(void *user, void *block, size_t size)
{
    failing_heap *heap = user;
    if (size > 0 && ++heap->calls == heap->fail_at) {
        return NULL;
    }
    void *result = abut_context_default().resize(NULL, block, size);
    if (block == NULL) {
        heap->live += result != NULL;
    } else if (size == 0) {
        --heap->live;
    }
    return result;
}

/// The default context on this heap.
static inline abut_context failing_context(failing_heap *heap)
{
    abut_context context = abut_context_default();
    context.resize = failing_resize;
    context.user = heap;
    return context;
}

#endif
