// SPDX-License-Identifier: MIT
// prox.c: abut_solve_prox(): the parts of a problem, each by Gauss-Seidel, on the context's threads
//
// Parts do not depend on each other. A large part is solved by all threads together, if enough of its contacts can be
// visited at once (wide.h); the others are spread over the threads. Which contacts make a part depends on the problem
// alone, so the number of threads changes nothing.
#include "solve/prox.h"

#include "base/context.h"
#include "base/error.h"
#include "solve/solver.h"

#include <string.h>

// Contacts of a part that threads may share, and of a problem that more than one thread works on: below, handing over
// the work takes longer than doing it.
enum { LARGE_PART = 2048, LARGE_PROBLEM = 1024 };

typedef struct abut_prox {
    abut_solve_problem problem;
    abut_prox_params params;
    abut_prox_engine engine;
    abut_parts parts;
    abut_prox_part *items;
    unsigned char *is_done;       ///< of each part
    int is_resumed;               ///< parts that are not done go on, some with Newton steps
    abut_prox_history *histories; ///< one a worker
    int worker_count;
    const double *targets; ///< of abut_prox_repeat(); else NULL
    abut_solve_result *result;
} prox;

static int is_not_finite(const void *data, int contact)
{
    const abut_solve_impulse *start = (const abut_solve_impulse *)data + contact;
    return !isfinite(start->normal) || !abut_is_finite(start->tangent) || !isfinite(start->torsion);
}

static abut_status check_start(const abut_context *context, const prox *p, abut_error *error)
{
    const abut_solve_impulse *start = p->params.start;
    int count = start != NULL ? p->problem.contact_count : 0;
    int first = abut_first_element(context, count, is_not_finite, start);
    return first == count ? ABUT_OK
                          : abut_fail_element(error, ABUT_BAD_DATA, first,
                                              "contact %d: its starting impulse is not finite", first);
}

static int take_histories(abut_arena *arena, prox *p)
{
    int wanted = p->result->history != NULL ? p->result->history_capacity : 0;
    int capacity = wanted < p->params.iteration_limit ? wanted : p->params.iteration_limit;
    size_t bytes = (size_t)capacity * sizeof(double);
    p->histories = abut_arena_take(arena, (size_t)p->worker_count * sizeof *p->histories);
    for (int i = 0; p->histories != NULL && i < p->worker_count; ++i) {
        abut_prox_history *history = &p->histories[i];
        history->capacity = capacity;
        history->of = abut_arena_take(arena, bytes);
        history->last = abut_arena_take(arena, bytes);
        if (history->of == NULL || history->last == NULL) {
            return 0;
        }
        memset(history->of, 0, bytes);
        memset(history->last, 0, bytes);
    }
    return p->histories != NULL;
}

static abut_status plan(abut_solver *solver, prox *p)
{
    if (abut_parts_find(&solver->arena, &p->problem, &p->parts) != ABUT_OK || !take_histories(&solver->arena, p)) {
        return ABUT_NO_MEMORY;
    }
    p->items = abut_arena_take(&solver->arena, (size_t)p->parts.count * sizeof *p->items);
    p->is_done = abut_arena_take(&solver->arena, (size_t)p->parts.count);
    abut_status status = p->items != NULL && p->is_done != NULL ? ABUT_OK : ABUT_NO_MEMORY;
    for (int i = 0; i < p->parts.count && status == ABUT_OK; ++i) {
        const abut_part *part = &p->parts.items[i];
        int is_large = part->contact_count >= LARGE_PART;
        status = abut_prox_plan(&solver->arena, &p->problem, part, &p->params, p->engine,
                                is_large ? p->worker_count : 1, &p->items[i]);
        p->items[i].is_shared = p->items[i].wide.segment_count > 1;
    }
    return status;
}

static void solve_part(prox *p, int i, int worker)
{
    abut_prox_history *history = &p->histories[worker];
    if (!p->is_resumed) {
        abut_prox_part *part = &p->items[i];
        p->is_done[i] =
            (unsigned char)(p->targets != NULL ? abut_prox_solve_again(part, &p->problem, p->targets, history)
                                               : abut_prox_solve(part, &p->problem, history));
    } else if (!p->is_done[i]) {
        p->is_done[i] = (unsigned char)abut_prox_resume(&p->items[i], history);
    } else {
        return;
    }
    if (p->is_done[i]) {
        abut_prox_deliver(&p->items[i], p->result);
    }
}

static void solve_small_parts(void *data, int begin, int end, int worker)
{
    prox *p = data;
    for (int i = begin; i < end; ++i) {
        if (!p->items[i].is_shared) {
            solve_part(p, i, worker);
        }
    }
}

/// A part that all threads work on.
typedef struct shared_part {
    prox *all;
    int number;
} shared_part;

static void lead_part(abut_team *team, void *data)
{
    const shared_part *shared = data;
    abut_prox_part *part = &shared->all->items[shared->number];
    part->team = team;
    solve_part(shared->all, shared->number, 0);
    part->team = NULL;
}

static void solve_parts(abut_solver *solver, prox *p)
{
    for (int i = 0; i < p->parts.count; ++i) {
        if (p->items[i].is_shared && !(p->is_resumed && p->is_done[i])) {
            shared_part shared = {p, i};
            abut_team_lead(&solver->context, lead_part, &shared);
        }
    }
    if (p->problem.contact_count >= LARGE_PROBLEM && p->worker_count > 1) {
        abut_parallel_for(&solver->context, p->parts.count, 1, solve_small_parts, p);
    } else {
        solve_small_parts(p, 0, p->parts.count, 0);
    }
}

// How bad an outcome is.
static int rank_of(abut_solve_outcome outcome)
{
    switch (outcome) {
    case ABUT_SOLVE_CONVERGED: return 0;
    case ABUT_SOLVE_INACCURATE: return 1;
    case ABUT_SOLVE_ITERATIONS: return 2;
    default: return 3;
    }
}

// Sums up the parts.
static void report(const prox *p)
{
    abut_solve_result *result = p->result;
    result->outcome = ABUT_SOLVE_CONVERGED;
    result->iterations = result->rejections = result->newton_steps = 0;
    result->residual = result->scale = 0.0;
    for (int i = 0; i < p->parts.count; ++i) {
        const abut_prox_part *part = &p->items[i];
        result->outcome = rank_of(part->outcome) > rank_of(result->outcome) ? part->outcome : result->outcome;
        result->iterations = part->iterations > result->iterations ? part->iterations : result->iterations;
        result->rejections += part->rejections;
        result->newton_steps += part->newton.taken;
        result->residual = fmax(result->residual, part->residual);
        result->scale = fmax(result->scale, part->scale);
    }
}

static void deliver_history(const prox *p)
{
    abut_solve_result *result = p->result;
    int capacity = p->histories[0].capacity;
    result->history_count = result->iterations < capacity ? result->iterations : capacity;
    double last = 0.0;
    for (int i = 0; i < result->history_count; ++i) {
        double largest = 0.0;
        for (int k = 0; k < p->worker_count; ++k) {
            last = fmax(last, p->histories[k].last[i]);
            largest = fmax(largest, p->histories[k].of[i]);
        }
        result->history[i] = fmax(largest, last);
    }
}

static void solve_all(abut_solver *solver, prox *p)
{
    abut_solve_result *result = p->result;
    for (int i = 0; result->velocities != NULL && i < p->problem.body_count; ++i) {
        result->velocities[i] = p->problem.bodies[i].velocity;
    }
    const abut_solve_impulse none = {.normal = 0.0};
    for (int i = 0; result->impulses != NULL && i < p->parts.idle_count; ++i) {
        result->impulses[p->parts.idle[i]] = none;
    }
    solve_parts(solver, p);
    int has_rest = 0;
    for (int i = 0; i < p->parts.count; ++i) {
        if (!p->is_done[i]) {
            abut_prox_newton_plan(&solver->arena, &p->problem, &p->items[i]);
            has_rest = 1;
        }
    }
    if (has_rest) {
        p->is_resumed = 1;
        solve_parts(solver, p);
    }
    report(p);
    deliver_history(p);
}

abut_status abut_prox_run(abut_solver *solver, const abut_solve_problem *problem, const abut_prox_params *params,
                          abut_prox_engine engine, abut_solve_result *result, abut_error *error)
{
    ABUT_ASSERT(solver != NULL);
    abut_solver_reset(solver);
    prox p = {.engine = engine, .worker_count = solver->context.worker_count, .result = result};
    abut_status status = abut_prox_params_read(params, &p.params, error);
    if (status == ABUT_OK) {
        status = abut_solve_result_check(result, error);
    }
    if (status == ABUT_OK) {
        status = abut_problem_read(&solver->context, problem, &p.problem, error);
    }
    if (status == ABUT_OK) {
        status = check_start(&solver->context, &p, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    if (plan(solver, &p) != ABUT_OK) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for %d contacts", p.problem.contact_count);
    }
    solve_all(solver, &p);
    solver->prox = abut_arena_take(&solver->arena, sizeof p);
    if (solver->prox != NULL) {
        *solver->prox = p;
    }
    return ABUT_OK;
}

abut_status abut_prox_repeat(abut_solver *solver, const double *targets, const abut_prox_params *params,
                             abut_solve_result *result, abut_error *error)
{
    prox *p = solver->prox;
    if (p == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory to solve a problem again");
    }
    abut_status status = abut_prox_params_read(params, &p->params, error);
    if (status != ABUT_OK) {
        return status;
    }
    p->targets = targets;
    p->result = result;
    p->is_resumed = 0;
    if (!take_histories(&solver->arena, p)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for the history");
    }
    for (int i = 0; i < p->parts.count; ++i) {
        p->items[i].params = p->params;
    }
    solve_all(solver, p);
    return ABUT_OK;
}

abut_status abut_solve_prox(abut_solver *solver, const abut_solve_problem *problem, const abut_prox_params *params,
                            abut_solve_result *result, abut_error *error)
{
    return abut_prox_run(solver, problem, params, ABUT_ENGINE_FASTEST, result, error);
}
