// SPDX-License-Identifier: MIT
// prox_newton.c: when a part takes Newton steps between its conjugate iterations
//
// Both ways are measured during the solve: by how much they reduce the logarithm of the residual, in the time of an
// iteration. The iterations are cut into windows, each half as long as all iterations before it. At the end of a window
// the part takes a Newton step if the iterations of the window were slower than Newton steps are expected to be; it goes
// on with them as long as they are faster. Newton steps are poor where contacts slide: if much of the load rests on such
// contacts, or steps had to be undone, those that do not help may take a small share of all time only.
#include "solve/prox.h"

#include <math.h>

// The first window with a rate ends after WINDOW_FIRST iterations and one more for every WINDOW_BODIES bodies: ordering
// n bodies takes n^2 / 2 comparisons.
enum { WINDOW_FIRST = 32, WINDOW_BODIES = 16 };
// What a step costs, in iterations: the laws of the contacts, substitutions and copies take `least_cost` times as long
// as visiting all contacts forward and back; the product of two blocks takes `block_visits` times as long as visiting
// one. Measured on walls and piles.
static const double least_cost = 7.0, block_visits = 1.6;
// The first step is expected to divide the residual by this number, as it does in stacks.
static const double expected_gain = 10.0;
// A step is judged some iterations later, since sweeps smooth what it leaves behind: a quarter of its cost, within
// these bounds. It helped if the residual is below `newton_share` of what it was. Contacts that change between open,
// sticking and sliding may take some steps to settle: after NEWTON_STEPS in a row without help, or a residual that is
// `wild_growth` times what it was, all of these are undone.
enum { TRIAL_LEAST = 3, TRIAL_MOST = 16, NEWTON_STEPS = 4 };
static const double newton_share = 0.7, wild_growth = 10.0;
// Steps are doubtful if contacts that slide carry more than this share of all normal impulses, or if some were undone.
// Doubtful steps that do not help take at most a share of the time, which is larger if steps helped before.
static const double sliding_share = 0.03, doubtful_share = 1.0 / 16.0, helpful_share = 0.25;
// Stiffness of the first step, the most and the least; and what a step that helped a little, or one that did not help,
// multiplies it by. Stiffness multiplies rounding errors too, so it stays as it is while steps divide the residual by
// 1 / `quick_share`.
static const double quick_share = 0.01;
static const double first_stiffness = 1e4, most_stiffness = 1e6, least_stiffness = 30.0, stiffer = 10.0,
                    softer = 1.0 / 30.0;

// ---------------------------------------------------------------------------------------------------------------
// Deciding

static void open_window(abut_prox_newton *n, int iterations, double residual)
{
    n->window_begin = iterations;
    n->window_end = iterations + (iterations > WINDOW_FIRST ? iterations / 2 : WINDOW_FIRST / 2);
    n->before = residual;
    n->least = HUGE_VAL;
}

// The share of the load that rests on sliding contacts: those whose friction is at its limit, after the last sweep.
static double sliding_load(const abut_prox_part *p)
{
    const double near = 1.0 - 1e-9; // of rounding
    const abut_wide_impulse *impulses = (const abut_wide_impulse *)p->kept.impulses;
    double all = 0.0, sliding = 0.0;
    for (int i = 0; i < p->system.contact_count; ++i) { // in this order, whatever that of the slots
        const abut_wide_impulse *impulse = &impulses[p->wide.places[i].slot];
        int lane = p->wide.places[i].lane;
        double normal = impulse->of[0][lane], limit = near * p->system.rows[i].friction * normal;
        double first = impulse->of[1][lane], second = impulse->of[2][lane];
        all += normal;
        sliding += first * first + second * second >= limit * limit ? normal : 0.0;
    }
    return all > 0.0 ? sliding / all : 0.0;
}

// The share of the time that steps that do not help may take.
static double share_of_steps(const abut_prox_part *p)
{
    const abut_prox_newton *n = &p->newton;
    if (sliding_load(p) > sliding_share) {
        return doubtful_share;
    }
    return !(n->wasted > 0.0) ? 1.0 : n->has_helped ? helpful_share : doubtful_share;
}

static int trial_length(const abut_prox_newton *n)
{
    int length = (int)(0.25 * n->cost);
    return length < TRIAL_LEAST ? TRIAL_LEAST : length > TRIAL_MOST ? TRIAL_MOST : length;
}

// Whether Newton steps are expected to take less time than iterations at the rate of the last window.
static int is_worthwhile(const abut_prox_part *p)
{
    const abut_prox_newton *n = &p->newton;
    double tolerance = abut_prox_tolerance(p), left = tolerance > 0.0 ? log(n->before / tolerance) : HUGE_VAL;
    double attempt = n->cost + trial_length(n), rate = log(expected_gain) / attempt;
    double by_steps = attempt + left / rate; // while contacts settle, a step gains little
    if (n->sweep_rate * by_steps >= left || !(n->cost < p->params.iteration_limit - p->iterations)) {
        return 0;
    }
    double share = share_of_steps(p);
    return share == 1.0 || n->wasted + attempt <= share * p->iterations;
}

void abut_prox_newton_begin(abut_prox_part *p)
{
    const abut_prox_newton empty = {.cost = least_cost, .stiffness = first_stiffness};
    p->newton = empty;
    p->newton.is_possible = p->is_wide && p->params.sweep == ABUT_SWEEP_CONJUGATE && p->params.has_newton;
    open_window(&p->newton, 0, HUGE_VAL);
    p->newton.window_end += p->system.body_count / (2 * WINDOW_BODIES);
}

void abut_prox_newton_watch(abut_prox_part *p)
{
    abut_prox_newton *n = &p->newton;
    if (!n->is_possible || n->steps > 0) {
        return;
    }
    n->least = fmin(n->least, p->residual);
    if (p->iterations < n->window_end) {
        return;
    }
    n->sweep_rate = fmax(log(n->before / n->least), 0.0) / (p->iterations - n->window_begin);
    open_window(n, p->iterations, n->least);
    n->is_due = is_worthwhile(p);
}

void abut_prox_newton_plan(abut_arena *arena, const abut_solve_problem *problem, abut_prox_part *p)
{
    abut_prox_newton *n = &p->newton;
    size_t movers = (size_t)p->system.body_count + 1;
    if (p->params.factor == ABUT_FACTOR_LOCAL) { // so far they are in the lanes only
        abut_visit_factors_find(&p->system, ABUT_FACTOR_LOCAL, 0, p->system.contact_count, p->factors, NULL);
    }
    int limit = p->params.iteration_limit;
    double most_cost = fmin(share_of_steps(p) * limit, limit - p->iterations);
    double per_block = block_visits / p->system.contact_count;
    n->is_due = 0;
    n->is_possible = most_cost > least_cost &&
                     abut_newton_plan(arena, p->part, (most_cost - least_cost) / per_block, &n->matrix) == ABUT_OK;
    if (!n->is_possible) {
        return;
    }
    n->cost = least_cost + per_block * (double)n->matrix.work;
    n->free = abut_arena_take(arena, movers * sizeof *n->free);
    n->is_possible = n->free != NULL && abut_prox_take_point(arena, p, &n->base) &&
                     abut_newton_take(arena, p->system.contact_count, &n->matrix) == ABUT_OK;
    for (int i = 0; n->is_possible && i < p->system.body_count; ++i) {
        n->free[i] = problem->bodies[p->part->bodies[i]].velocity;
    }
    n->is_planned = n->is_possible;
    n->is_due = n->is_possible && is_worthwhile(p);
}

// ---------------------------------------------------------------------------------------------------------------
// Steps

void abut_prox_newton_step(abut_prox_part *p)
{
    abut_prox_newton *n = &p->newton;
    abut_prox_copy_point(p, &p->start, &p->now);
    if (n->steps++ == 0) {
        abut_prox_copy_point(p, &p->now, &n->base);
        n->base_residual = p->residual;
        n->base_iterations = p->iterations;
    }
    abut_wide_store(&p->wide, p->impulses, 0, p->system.contact_count);
    abut_wide_store_velocities(&p->wide, &p->system);
    if (abut_newton_step(&n->matrix, &p->system, p->factors, n->free, n->stiffness, p->impulses)) {
        abut_wide_load_state(&p->wide, &p->system, p->impulses);
    }
    abut_prox_restart(p);
    ++n->taken;
    n->is_due = 0;
    n->trial_end = p->iterations + trial_length(n);
}

// The time since `base`, in iterations.
static double time_since_base(const abut_prox_part *p)
{
    return p->newton.steps * p->newton.cost + (p->iterations - p->newton.base_iterations);
}

void abut_prox_newton_undo(abut_prox_part *p)
{
    abut_prox_newton *n = &p->newton;
    abut_prox_copy_point(p, &n->base, &p->now);
    abut_prox_restart(p);
    p->residual = n->base_residual;
    n->wasted += time_since_base(p);
    n->steps = n->trial_end = 0;
    n->stiffness = fmax(softer * n->stiffness, least_stiffness);
    open_window(n, p->iterations, n->base_residual);
}

int abut_prox_newton_judge(abut_prox_part *p)
{
    abut_prox_newton *n = &p->newton;
    if (n->steps == 0 || p->iterations < n->trial_end) {
        return 0;
    }
    if (p->residual <= newton_share * n->base_residual) {
        int is_slow = p->residual > quick_share * n->base_residual;
        n->is_due = log(n->base_residual / p->residual) >= n->sweep_rate * time_since_base(p);
        n->stiffness = is_slow ? fmin(stiffer * n->stiffness, most_stiffness) : n->stiffness;
        n->has_helped = 1;
        n->steps = 0;
        open_window(n, p->iterations, p->residual);
    } else if (n->steps == NEWTON_STEPS || p->residual > wild_growth * n->base_residual) {
        abut_prox_newton_undo(p);
        return 1;
    } else {
        n->is_due = 1;
    }
    return 0;
}
