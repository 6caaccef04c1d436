// SPDX-License-Identifier: MIT
// impulse_batch.c: the impulses of many pairs, over one interval each
#include "base/context.h"
#include "continuous/impulse_wide.h"
#include "prim/moving.h"

#include <abut/support.h>
#include <math.h>

enum { GRAIN = 1024 }; // pairs: some ten microseconds

typedef struct impulse_task {
    const abut_impulse_batch *batch;
    abut_impulse_wide_code *code;
    double factor;
} impulse_task;

static abut_impulse_wide_code *choose_code(void)
{
#if defined(ABUT_HAS_AVX2)
    if (__builtin_cpu_supports("avx2")) {
        return abut_impulse_wide_avx2;
    }
#endif
    return abut_impulse_wide_plain;
}

/// Four pairs; those of unusual size one by one.
static void run_four(const impulse_task *task, const abut_impulse_batch *batch, int first)
{
    unsigned unusual = task->code(batch, first, task->factor);
    for (int i = first; unusual != 0; ++i, unusual >>= 1) {
        if (unusual & 1u) {
            abut_moving_pair pair = abut_moving_batch_pair(&batch->pairs, i);
            abut_vec3 impulse = abut_interval_impulse(&pair, task->factor, batch->begin[i], batch->end[i]);
            batch->impulses[0][i] = impulse.x;
            batch->impulses[1][i] = impulse.y;
            batch->impulses[2][i] = impulse.z;
        }
    }
}

/// The last pairs, fewer than four, with copies of the last one behind them.
static void run_rest(const impulse_task *task, int begin, int count)
{
    double numbers[29][ABUT_IMPULSE_LANES];
    abut_impulse_batch rest = {.pairs = {.kind = task->batch->pairs.kind, .count = ABUT_IMPULSE_LANES},
                               .begin = numbers[24],
                               .end = numbers[25],
                               .impulses = {numbers[26], numbers[27], numbers[28]}};
    for (int lane = 0; lane < ABUT_IMPULSE_LANES; ++lane) {
        int from = begin + (lane < count ? lane : count - 1);
        for (int i = 0; i < 12; ++i) {
            numbers[i][lane] = task->batch->pairs.start[i / 3][i % 3][from];
            numbers[12 + i][lane] = task->batch->pairs.end[i / 3][i % 3][from];
        }
        numbers[24][lane] = task->batch->begin[from];
        numbers[25][lane] = task->batch->end[from];
    }
    for (int i = 0; i < 12; ++i) {
        rest.pairs.start[i / 3][i % 3] = numbers[i];
        rest.pairs.end[i / 3][i % 3] = numbers[12 + i];
    }
    run_four(task, &rest, 0);
    for (int lane = 0; lane < count; ++lane) {
        for (int k = 0; k < 3; ++k) {
            task->batch->impulses[k][begin + lane] = numbers[26 + k][lane];
        }
    }
}

static void run_range(void *data, int begin, int end, int worker)
{
    const impulse_task *task = data;
    (void)worker;
    int i = begin;
    for (; i + ABUT_IMPULSE_LANES <= end; i += ABUT_IMPULSE_LANES) {
        run_four(task, task->batch, i);
    }
    if (i < end) {
        run_rest(task, i, end - i);
    }
}

abut_status abut_find_impulses(const abut_context *context, const abut_impulse_batch *batch,
                               const abut_penalty_params *params, abut_error *error)
{
    abut_penalty_params own = abut_penalty_params_default();
    const abut_moving_batch *pairs = &batch->pairs;
    if ((params != NULL && !abut_read_versioned(&own, sizeof own, params)) || pairs->count < 0 ||
        (pairs->kind != ABUT_VERTEX_FACE && pairs->kind != ABUT_EDGE_EDGE) || own.separation != 0.0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "wrong params, kind or count of a batch of impulses");
    }
    double factor = own.stiffness * own.dt;
    if (!(own.stiffness >= 0.0 && own.dt >= 0.0) || !isfinite(factor)) {
        return abut_fail(error, ABUT_BAD_DATA, "stiffness or dt is negative or not finite");
    }
    impulse_task task = {batch, choose_code(), factor};
    abut_context used = abut_context_or_default(context);
    if (pairs->count > 0) {
        abut_parallel_for(&used, pairs->count, GRAIN, run_range, &task);
    }
    for (int i = 0; i < pairs->count; ++i) {
        double sum = batch->impulses[0][i] + batch->impulses[1][i] + batch->impulses[2][i];
        if (!(batch->begin[i] >= 0.0 && batch->begin[i] <= batch->end[i] && batch->end[i] <= 1.0) ||
            !isfinite(sum)) {
            return abut_fail_element(
                error, ABUT_BAD_DATA, i,
                "pair %d: its interval is not from 0 to 1, or a coordinate is not finite or too large", i);
        }
    }
    return ABUT_OK;
}
