// SPDX-License-Identifier: MIT
// solver.c: the solver object, and the defaults of everything that a caller fills
#include "solve/solver.h"

#include "base/context.h"
#include "base/error.h"

abut_status abut_solver_create(const abut_context *context, abut_solver **solver)
{
    ABUT_ASSERT(solver != NULL);
    abut_context kept = abut_context_or_default(context);
    *solver = abut_allocate_zeroed(&kept, 1, sizeof **solver);
    if (*solver == NULL) {
        return ABUT_NO_MEMORY;
    }
    (*solver)->context = kept;
    abut_arena_init(&(*solver)->arena, &kept);
    abut_arena_init(&(*solver)->round, &kept);
    return ABUT_OK;
}

void abut_solver_destroy(abut_solver *solver)
{
    if (solver == NULL) {
        return;
    }
    abut_context context = solver->context;
    abut_arena_release(&solver->arena);
    abut_arena_release(&solver->round);
    abut_free(&context, solver);
}

abut_solve_contact abut_solve_contact_default(int body_a, int body_b, abut_vec3 normal)
{
    abut_solve_contact contact = {.body_a = body_a, .body_b = body_b, .normal = normal};
    return contact;
}

void abut_solve_problem_init(abut_solve_problem *problem, size_t size)
{
    const abut_solve_problem made = {.struct_size = sizeof made, .gap_rule = ABUT_GAP_NONE};
    abut_write_versioned(problem, size, &made, sizeof made);
}

void abut_prox_params_init(abut_prox_params *params, size_t size)
{
    const abut_prox_params made = {.struct_size = sizeof made,
                                   .sweep = ABUT_SWEEP_CONJUGATE,
                                   .factor = ABUT_FACTOR_LOCAL,
                                   .iteration_limit = 1000,
                                   .relative_tolerance = 1e-8,
                                   .growth = 10.0,
                                   .reduction = 0.9};
    abut_write_versioned(params, size, &made, sizeof made);
}

void abut_mcp_params_init(abut_mcp_params *params, size_t size)
{
    const abut_mcp_params made = {.struct_size = sizeof made, .directions = 4, .tolerance = 1e-9};
    abut_write_versioned(params, size, &made, sizeof made);
}

void abut_lcp_params_init(abut_lcp_params *params, size_t size)
{
    const abut_lcp_params made = {.struct_size = sizeof made, .tolerance = 1e-9};
    abut_write_versioned(params, size, &made, sizeof made);
}

const char *abut_solve_outcome_text(abut_solve_outcome outcome)
{
    switch (outcome) {
    case ABUT_SOLVE_CONVERGED: return "converged";
    case ABUT_SOLVE_ITERATIONS: return "iterations";
    case ABUT_SOLVE_DIVERGED: return "diverged";
    case ABUT_SOLVE_RAY: return "ray";
    case ABUT_SOLVE_INACCURATE: return "inaccurate";
    }
    return NULL;
}
