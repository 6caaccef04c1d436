// SPDX-License-Identifier: MIT
// solver.c: the solver object, and the defaults and checks of what a caller fills
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
                                   .reduction = 0.9,
                                   .has_newton = 1};
    abut_write_versioned(params, size, &made, sizeof made);
}

abut_status abut_prox_params_read(const abut_prox_params *in, abut_prox_params *out, abut_error *error)
{
    *out = abut_prox_params_default();
    if (in != NULL && !abut_read_versioned(out, sizeof *out, in)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the parameters have a wrong struct_size: start from abut_prox_params_default()");
    }
    if (out->factor < ABUT_FACTOR_GLOBAL || out->factor > ABUT_FACTOR_BLOCKED) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "factor: there is no rule %d", (int)out->factor);
    }
    if (out->sweep < ABUT_SWEEP_FORWARD || out->sweep > ABUT_SWEEP_CONJUGATE) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "sweep: there is no rule %d", (int)out->sweep);
    }
    if (out->iteration_limit < 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "iteration_limit is %d; it must be 0 or more",
                         out->iteration_limit);
    }
    if (!(out->absolute_tolerance >= 0.0) || !(out->relative_tolerance >= 0.0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "absolute_tolerance is %g and relative_tolerance %g; they must be 0 or more",
                         out->absolute_tolerance, out->relative_tolerance);
    }
    if (!(out->growth >= 1.0) || !(out->reduction > 0.0 && out->reduction <= 1.0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "growth is %g and reduction %g; growth must be at least 1, and reduction above 0 and at "
                         "most 1",
                         out->growth, out->reduction);
    }
    return ABUT_OK;
}

void abut_mcp_params_init(abut_mcp_params *params, size_t size)
{
    const abut_mcp_params made = {.struct_size = sizeof made, .directions = 4, .tolerance = 1e-9};
    abut_write_versioned(params, size, &made, sizeof made);
}

abut_status abut_mcp_params_read(const abut_mcp_params *in, abut_mcp_params *out, abut_error *error)
{
    *out = abut_mcp_params_default();
    if (in != NULL && !abut_read_versioned(out, sizeof *out, in)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the parameters have a wrong struct_size: start from abut_mcp_params_default()");
    }
    if (out->directions < 2 || out->directions % 2 != 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "directions is %d; it must be even and at least 2",
                         out->directions);
    }
    if (out->iteration_limit < 0 || !(out->tolerance >= 0.0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "iteration_limit is %d and tolerance %g; they must be 0 or more",
                         out->iteration_limit, out->tolerance);
    }
    return ABUT_OK;
}

void abut_lcp_params_init(abut_lcp_params *params, size_t size)
{
    const abut_lcp_params made = {.struct_size = sizeof made, .tolerance = 1e-9};
    abut_write_versioned(params, size, &made, sizeof made);
}

abut_status abut_solve_result_check(const abut_solve_result *result, abut_error *error)
{
    if (result == NULL || result->history_capacity < 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the result is missing, or its history_capacity is negative");
    }
    return ABUT_OK;
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
