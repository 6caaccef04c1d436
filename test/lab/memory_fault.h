// SPDX-License-Identifier: MIT
// memory_fault.h: a context whose memory runs out after a number of allocations, and which counts live blocks
#ifndef ABUT_TEST_MEMORY_FAULT_H
#define ABUT_TEST_MEMORY_FAULT_H

#include <abut/base.h>

typedef struct memory_fault {
    int allowed; ///< allocations that still succeed
    int live;    ///< blocks not yet freed
} memory_fault;

static inline void *memory_fault_resize(void *user, void *block, size_t size)
{
    memory_fault *fault = user;
    if (size == 0) {
        fault->live -= block != NULL;
        return abut_context_default().resize(NULL, block, 0);
    }
    if (fault->allowed <= 0) {
        return NULL;
    }
    --fault->allowed;
    void *result = abut_context_default().resize(NULL, block, size);
    fault->live += block == NULL && result != NULL;
    return result;
}

static inline abut_context memory_fault_context(memory_fault *fault)
{
    abut_context context = abut_context_default();
    context.resize = memory_fault_resize;
    context.worker_count = 1;
    context.user = fault;
    return context;
}

#endif
