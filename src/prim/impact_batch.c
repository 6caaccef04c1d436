// SPDX-License-Identifier: MIT
// impact_batch.c: the first touches of many moving pairs
//
// Four pairs at a time go through a filter; what it leaves goes through abut_find_impacts(). Ranges of pairs may run on
// several threads. The answers are those of abut_find_impacts(), bit by bit.
#include "base/context.h"
#include "prim/impact_wide.h"
#include "prim/moving.h"

#include <abut/support.h>
#include <math.h>

enum { GRAIN = 256 }; // pairs: some ten microseconds

typedef struct batch_task {
    const abut_moving_batch *batch;
    const abut_impact_params *params;
    abut_impact_wide_code *filter;
    double *times;
} batch_task;

static abut_impact_wide_code *choose_filter(void)
{
#if defined(ABUT_HAS_AVX2)
    if (__builtin_cpu_supports("avx2")) {
        return abut_impact_wide_avx2;
    }
#endif
    return abut_impact_wide_plain;
}

static double first_time(const batch_task *task, int i)
{
    abut_moving_pair pair = abut_moving_batch_pair(task->batch, i);
    return abut_first_impact_time(&pair, task->params->separation);
}

static void run_range(void *data, int begin, int end, int worker)
{
    const batch_task *task = data;
    (void)worker;
    int i = begin;
    for (; i + ABUT_IMPACT_LANES <= end && task->params->separation == 0.0; i += ABUT_IMPACT_LANES) {
        unsigned needs = task->filter(task->batch, i);
        for (int lane = 0; lane < ABUT_IMPACT_LANES; ++lane) {
            task->times[i + lane] = needs >> lane & 1u ? first_time(task, i + lane) : HUGE_VAL;
        }
    }
    for (; i < end; ++i) {
        task->times[i] = first_time(task, i);
    }
}

abut_status abut_find_first_impacts(const abut_context *context, const abut_moving_batch *batch,
                                    const abut_impact_params *params, double *times, abut_error *error)
{
    abut_impact_params own = abut_impact_params_default();
    if ((params != NULL && !abut_read_versioned(&own, sizeof own, params)) || batch->count < 0 ||
        (batch->kind != ABUT_VERTEX_FACE && batch->kind != ABUT_EDGE_EDGE)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "wrong params, kind or count of a batch of moving pairs");
    }
    own.is_first_only = 1;
    if (!(own.separation >= 0.0 && own.separation <= 1e100)) {
        return abut_fail(error, ABUT_BAD_DATA, "the separation is negative, not finite or beyond 1e100");
    }
    batch_task task = {batch, &own, choose_filter(), times};
    abut_context used = abut_context_or_default(context);
    if (batch->count > 0) {
        abut_parallel_for(&used, batch->count, GRAIN, run_range, &task);
    }
    for (int i = 0; i < batch->count; ++i) {
        if (isnan(times[i])) {
            return abut_fail_element(error, ABUT_BAD_DATA, i,
                                     "a coordinate of pair %d is not finite or beyond 1e100", i);
        }
    }
    return ABUT_OK;
}
