// SPDX-License-Identifier: MIT
// context.c: the default context (malloc, and OpenMP if enabled), and reading versioned structs of the caller
#include "base/context.h"

#include "base/error.h"

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

static void run_ranges(int worker_count, int count, int grain, abut_range_task *task, void *data)
{
#if defined(_OPENMP)
    int step = grain > 1 ? grain : 1;
    int range_count = count / step + (count % step != 0);
    if (worker_count > 1 && range_count > 1) {
#pragma omp parallel for schedule(dynamic) num_threads(worker_count)
        for (int i = 0; i < range_count; ++i) {
            int begin = i * step;
            int end = count - begin < step ? count : begin + step;
            task(data, begin, end, omp_get_thread_num());
        }
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
