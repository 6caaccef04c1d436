// SPDX-License-Identifier: MIT
// tableau.h: the dense tableau of Lemke's method
//
// The equations w - M z - d z0 = q, solved for the basic variables. Variables are numbered: w_i is i, z_i is count
// + i, and the artificial z0 is 2 count. The columns of w hold the inverse of the basis.
#ifndef ABUT_SOLVE_TABLEAU_H
#define ABUT_SOLVE_TABLEAU_H

#include "base/memory.h"

#include <abut/solve.h>

typedef struct abut_tableau {
    const abut_lcp *lcp;
    int count;
    int width;       ///< 2 count + 2: the variables and the right-hand side
    double *values;  ///< by rows
    int *basis;      ///< the variable of each row
    int *candidates; ///< scratch: rows
    double size;     ///< the largest |q_i|
} abut_tableau;

/// ABUT_OK or ABUT_NO_MEMORY. All w are basic.
abut_status abut_tableau_init(abut_tableau *tableau, abut_arena *arena, const abut_lcp *lcp);

static inline double *abut_tableau_row(const abut_tableau *tableau, int row)
{
    return tableau->values + (size_t)row * (size_t)tableau->width;
}

/// The variable enters the basis in a row.
void abut_tableau_pivot(abut_tableau *tableau, int row, int variable);

/// Computes all values anew for the present basis, so that rounding errors of the pivots are gone. The rows of the
/// basis may change. Returns 0 if the basis is singular up to rounding; the tableau is then invalid.
int abut_tableau_refresh(abut_tableau *tableau);

/// The row that has to leave when the variable enters: the lexicographically least of [right-hand side, inverse
/// basis] over the variable's column. Of rows that tie on the right-hand side, that of z0. Returns -1 where no row
/// limits the variable.
int abut_tableau_ratio(const abut_tableau *tableau, int variable);

#endif
