// SPDX-License-Identifier: MIT
// solver.h: the scratch memory that all solvers share, and checks of their parameters
#ifndef ABUT_SOLVE_SOLVER_H
#define ABUT_SOLVE_SOLVER_H

#include "base/memory.h"

#include <abut/solve.h>

struct abut_solver {
    abut_context context;
    abut_arena arena;       ///< abut_solver_reset() at the beginning of every call
    struct abut_prox *prox; ///< in the arena: what abut_prox_repeat() needs; or NULL
    abut_arena round;       ///< of abut_solve_mcp(): reset for every problem that it makes of one
};

/// Forgets the last call.
static inline void abut_solver_reset(abut_solver *solver)
{
    abut_arena_reset(&solver->arena);
    solver->prox = NULL;
}

// Read the caller's parameters (NULL: the defaults) and check them.
abut_status abut_prox_params_read(const abut_prox_params *in, abut_prox_params *out, abut_error *error);
abut_status abut_mcp_params_read(const abut_mcp_params *in, abut_mcp_params *out, abut_error *error);
/// Checks that a result can be filled.
abut_status abut_solve_result_check(const abut_solve_result *result, abut_error *error);

#endif
