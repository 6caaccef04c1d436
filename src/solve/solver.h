// SPDX-License-Identifier: MIT
// solver.h: the scratch memory that all solvers share
#ifndef ABUT_SOLVE_SOLVER_H
#define ABUT_SOLVE_SOLVER_H

#include "base/memory.h"

#include <abut/solve.h>

struct abut_solver {
    abut_context context;
    abut_arena arena; ///< reset at the beginning of every call
    abut_arena round; ///< of abut_solve_mcp(): reset for every problem that it makes of one
};

#endif
