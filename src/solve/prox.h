// SPDX-License-Identifier: MIT
// prox.h: proximal Gauss-Seidel on one part of a problem
#ifndef ABUT_SOLVE_PROX_H
#define ABUT_SOLVE_PROX_H

#include "solve/hold.h"
#include "solve/newton.h"
#include "solve/part.h"
#include "solve/visit.h"
#include "solve/wide.h"

#include <float.h>

/// How contacts are visited. All give the same bits, except that sums of conjugate steps are rounded differently.
typedef enum abut_prox_engine {
    ABUT_ENGINE_FASTEST = 0,
    ABUT_ENGINE_PLAIN = 1, ///< four contacts at a time, without AVX2
    ABUT_ENGINE_NARROW = 2 ///< one contact at a time
} abut_prox_engine;

/// Impulses of all contacts, and the velocities that go with them.
typedef struct abut_prox_point {
    double *impulses, *velocities;
} abut_prox_point;

/// The residuals of one thread's parts. Islands that end early count with their last residual from then on.
typedef struct abut_prox_history {
    double *of;   ///< of each iteration, the largest
    double *last; ///< of each number of iterations: the largest last residual of parts that took so many
    int capacity;
} abut_prox_history;

/// What a part knows of Newton steps. Rates are changes of the logarithm of the residual in the time of an iteration.
typedef struct abut_prox_newton {
    int is_possible; ///< whether the part may take any
    int is_planned;  ///< whether it has the memory for them
    int is_due;      ///< the next thing to do is a step
    double cost;     ///< of a step, in iterations; before the plan: the least
    double stiffness;
    int has_helped;
    double wasted; ///< by steps that were undone, in iterations
    int taken;     ///< steps in all
    // the iterations
    int window_begin, window_end;
    double before, least; ///< the least residuals of the last window, and of this one
    double sweep_rate;    ///< of the iterations of the last window
    // steps that were not judged
    abut_prox_point base; ///< where they began
    double base_residual;
    int base_iterations;
    int steps;     ///< since `base`
    int trial_end; ///< the number of iterations after which the last one is judged
    // the linear problem
    abut_newton matrix;
    abut_solve_velocity *free; ///< of each mover, without impulses
} abut_prox_newton;

typedef struct abut_prox_part {
    const abut_part *part;
    abut_system system;
    abut_prox_params params;
    abut_visit_factors *factors; ///< of wide parts with ABUT_FACTOR_LOCAL: for Newton steps only
    abut_visit_block *blocks;    ///< only for ABUT_FACTOR_BLOCKED, else NULL
    abut_visit_impulse *impulses;
    abut_holds holds;
    int is_wide;
    abut_wide wide;
    const abut_wide_code *code; ///< loops over numbers
    int is_shared;              ///< by several threads
    abut_team *team;            ///< of a part that is shared, while it is being solved; else NULL
    size_t impulse_numbers, velocity_numbers;
    abut_prox_point now;  ///< of `wide`: where it works; else a copy, made by abut_prox_sweep()
    abut_prox_point kept; ///< after the last sweep that was kept
    abut_prox_point
        start; ///< before the sweep; of ABUT_SWEEP_CONJUGATE, as the next two. Has the impulses of a wide part
    abut_prox_point earlier; ///< the start before that
    double last_square;      ///< squared norm of the change of the last sweep; 0: there is none
    double share;            ///< all factors are multiplied by it; each rejected sweep reduces it
    double least;            ///< the least residual so far
    abut_prox_newton newton;
    // the answer
    abut_solve_outcome outcome;
    int iterations, rejections;
    double residual, scale;
} abut_prox_part;

/// Takes the memory of a part, and decides how its contacts are visited: by up to `segment_limit` threads.
/// @return ABUT_OK or ABUT_NO_MEMORY
abut_status abut_prox_plan(abut_arena *arena, const abut_solve_problem *problem, const abut_part *part,
                           const abut_prox_params *params, abut_prox_engine engine, int segment_limit,
                           abut_prox_part *p);
/// Solves a part. Returns 0 if it stopped since Newton steps may pay: then plan them and call abut_prox_resume().
int abut_prox_solve(abut_prox_part *p, const abut_solve_problem *problem, abut_prox_history *history);
/// The same for abut_prox_repeat(), after abut_prox_solve().
int abut_prox_solve_again(abut_prox_part *p, const abut_solve_problem *problem, const double *targets,
                          abut_prox_history *history);
/// Solves the rest.
int abut_prox_resume(abut_prox_part *p, abut_prox_history *history);
/// Writes impulses and velocities of its contacts and bodies.
void abut_prox_deliver(abut_prox_part *p, abut_solve_result *result);

// Newton steps (prox_newton.c)

void abut_prox_newton_begin(abut_prox_part *p);
/// After an iteration: is it time for a step?
void abut_prox_newton_watch(abut_prox_part *p);
/// Finds what a step costs, and takes memory. Without memory, or if steps cost too much, the part goes on without.
void abut_prox_newton_plan(abut_arena *arena, const abut_solve_problem *problem, abut_prox_part *p);
void abut_prox_newton_step(abut_prox_part *p);
/// After an iteration: judges the last steps, if it is time. Returns whether they were undone.
int abut_prox_newton_judge(abut_prox_part *p);
void abut_prox_newton_undo(abut_prox_part *p);

// Parts of abut_prox_part (prox_part.c)

int abut_prox_take_point(abut_arena *arena, const abut_prox_part *p, abut_prox_point *point);
void abut_prox_copy_point(const abut_prox_part *p, const abut_prox_point *from, abut_prox_point *to);
/// Restarts from `now`: the directions and residuals of other points mean nothing.
void abut_prox_restart(abut_prox_part *p);
/// The residual at which a part is solved.
double abut_prox_tolerance(const abut_prox_part *p);

/// Solves the problem of the last call of abut_solve_prox() once more, without friction and restitution: contact i
/// parts at `targets[i]` at least. Those with ABUT_PROX_OPEN are left out. Bodies start with the velocities that they
/// have in the problem now; the rest of it must be as it was, and the solver must not have had other calls that failed or
/// were not these two. The order of visits and all factors are kept, which take as long as many sweeps. `start` of the
/// parameters has normal impulses only, or is NULL, and their rules must be those of that call.
abut_status abut_prox_repeat(abut_solver *solver, const double *targets, const abut_prox_params *params,
                             abut_solve_result *result, abut_error *error);
#define ABUT_PROX_OPEN (-DBL_MAX)

/// abut_solve_prox() with an engine, for tests.
abut_status abut_prox_run(abut_solver *solver, const abut_solve_problem *problem, const abut_prox_params *params,
                          abut_prox_engine engine, abut_solve_result *result, abut_error *error);

#endif
