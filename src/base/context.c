// SPDX-License-Identifier: MIT
// context.c: the default context (malloc, and OpenMP if enabled), and reading versioned structs of the caller
#include "base/context.h"

#include "base/error.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(_OPENMP)
#include <omp.h>
#endif

static void *default_resize(void *user, void *block, size_t size)
{
    (void)user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

static int default_worker_count(void)
{
#if defined(_OPENMP)
    return omp_get_max_threads();
#else
    return 1;
#endif
}

#if defined(_OPENMP)

// Blocks of ranges, at most; further workers begin with the blocks of the first ones. A cache line, in bytes.
enum { BLOCKS = 32, CACHE_LINE = 64, HALF = 32 };

/// The ranges of a block that nobody has taken yet: the next one, and in the upper half the end.
typedef struct block {
    _Alignas(CACHE_LINE) _Atomic uint64_t left;
} block;

/// Takes the first or the last range that is left of a block. Returns -1 if there is none.
static int64_t take_range(block *b, int is_first)
{
    uint64_t left = atomic_load_explicit(&b->left, memory_order_relaxed), next, end, after;
    do {
        next = left & UINT32_MAX;
        end = left >> HALF;
        if (next >= end) {
            return -1;
        }
        after = is_first ? (end << HALF | (next + 1)) : ((end - 1) << HALF | next);
    } while (
        !atomic_compare_exchange_weak_explicit(&b->left, &left, after, memory_order_relaxed, memory_order_relaxed));
    return (int64_t)(is_first ? next : end - 1);
}

/// Runs the ranges on all workers. Each has a block of its own, which is the same part of the elements in every loop:
/// what it needs was last used by the same worker, as a rule, and is in its cache. Whoever has done his block takes
/// ranges from the ends of the others.
static void run_blocks(int worker_count, int count, int step, abut_range_task *task, void *data)
{
    int range_count = count / step + (count % step != 0);
    int block_count = worker_count < BLOCKS ? worker_count : BLOCKS;
    block blocks[BLOCKS];
    for (int i = 0; i < block_count; ++i) {
        uint64_t begin = (uint64_t)range_count * (uint64_t)i / (uint64_t)block_count;
        uint64_t end = (uint64_t)range_count * (uint64_t)(i + 1) / (uint64_t)block_count;
        atomic_init(&blocks[i].left, end << HALF | begin);
    }
#pragma omp parallel num_threads(worker_count)
    {
        int worker = omp_get_thread_num();
        for (int i = 0; i < block_count; ++i) {
            block *b = &blocks[(worker + i) % block_count];
            for (int64_t range = take_range(b, i == 0); range >= 0; range = take_range(b, i == 0)) {
                int begin = (int)range * step;
                task(data, begin, count - begin < step ? count : begin + step, worker);
            }
        }
    }
}

#endif

static void run_ranges(int worker_count, int count, int grain, abut_range_task *task, void *data)
{
#if defined(_OPENMP)
    int step = grain > 1 ? grain : 1;
    if (worker_count > 1 && count > step) {
        run_blocks(worker_count, count, step, task, data);
        return;
    }
#else
    (void)worker_count, (void)grain;
#endif
    if (count > 0) {
        task(data, 0, count, 0);
    }
}

static void default_parallel_for(void *user, int count, int grain, abut_range_task *task, void *data)
{
    (void)user;
    run_ranges(default_worker_count(), count, grain, task, data);
}

void abut_parallel_for(const abut_context *context, int count, int grain, abut_range_task *task, void *data)
{
    // default_parallel_for() does not see the context and would use OpenMP's current number of threads. That number
    // may differ from the context's worker_count (changed later, or set per thread), and callers allocate one slot
    // per
    // worker of the context. So pass worker_count on.
    if (context->parallel_for == default_parallel_for) {
        run_ranges(context->worker_count, count, grain, task, data);
    } else {
        context->parallel_for(context->user, count, grain, task, data);
    }
}

typedef struct first_search {
    abut_element_test *test;
    const void *data;
    atomic_int first;
} first_search;

static void find_first(void *data, int begin, int end, int worker)
{
    first_search *s = data;
    (void)worker;
    for (int i = begin; i < end && i < atomic_load_explicit(&s->first, memory_order_relaxed); ++i) {
        if (s->test(s->data, i)) {
            int first = atomic_load(&s->first);
            while (i < first && !atomic_compare_exchange_weak(&s->first, &first, i)) {
            }
            return;
        }
    }
}

int abut_first_element(const abut_context *context, int count, abut_element_test *test, const void *data)
{
    enum { FEW = 1024, RANGE = 256 }; // below, handing over the work takes longer than doing it
    first_search s = {.test = test, .data = data, .first = count};
    if (count < FEW || context->worker_count == 1) {
        find_first(&s, 0, count, 0);
    } else {
        abut_parallel_for(context, count, RANGE, find_first, &s);
    }
    return atomic_load(&s.first);
}

static abut_context default_context(void)
{
    abut_context context = {0};
    context.struct_size = sizeof context;
    context.resize = default_resize;
    context.parallel_for = default_parallel_for;
    context.worker_count = default_worker_count();
    return context;
}

int abut_read_versioned(void *out, size_t out_size, const void *in)
{
    size_t in_size;
    memcpy(&in_size, in, sizeof in_size);
    if (in_size < sizeof in_size || in_size > out_size) {
        return 0;
    }
    memcpy(out, in, in_size);
    memcpy(out, &out_size, sizeof out_size);
    return 1;
}

void abut_write_versioned(void *out, size_t out_size, const void *in, size_t in_size)
{
    ABUT_ASSERT(out_size >= sizeof out_size); // there must be room for struct_size
    memset(out, 0, out_size);
    memcpy(out, in, out_size < in_size ? out_size : in_size);
    memcpy(out, &out_size, sizeof out_size);
}

void abut_context_init(abut_context *context, size_t size)
{
    const abut_context made = default_context();
    abut_write_versioned(context, size, &made, sizeof made);
}

void abut_context_read(abut_context *out, size_t size, const abut_context *context)
{
    const abut_context standard = default_context();
    abut_context made = standard;
    if (context != NULL) {
        int is_read = abut_read_versioned(&made, sizeof made, context);
        ABUT_ASSERT(is_read); // fails if abut_context_default() did not make it
        (void)is_read;
    }
    made.resize = made.resize != NULL ? made.resize : standard.resize;
    if (made.parallel_for == NULL) {
        made.parallel_for = standard.parallel_for;
        made.worker_count = standard.worker_count;
    }
    abut_write_versioned(out, size, &made, sizeof made);
}
