// SPDX-License-Identifier: MIT
// newton.h: Newton steps on the laws of all contacts of a part at once
//
// Gauss-Seidel moves information by one contact per visit; a Newton step solves for all bodies together. It takes each
// contact as open, sticking or sliding, as the proximal map says, and solves the linear problem that is left in the
// velocities of the bodies: blocks of 6 x 6 on the graph of bodies that touch.
#ifndef ABUT_SOLVE_NEWTON_H
#define ABUT_SOLVE_NEWTON_H

#include "solve/part.h"
#include "solve/visit.h"

enum { ABUT_NEWTON_BODIES = 4096 }; ///< parts with more moving bodies get no Newton steps

/// The factorisation of a part: where its blocks are.
typedef struct abut_newton {
    int node_count; ///< bodies that move
    int *nodes;     ///< of each mover: its place in the order of elimination; -1: it does not move
    int *movers;    ///< of each node
    int *ends;      ///< of each node: the end of its list in `later`
    int *later;     ///< the nodes after it that it is coupled to when it is eliminated, ascending
    int64_t work;   ///< products of blocks that a factorisation takes
    /// Blocks, by rows: on the diagonal (then their inverses); below it, in the column of each node; right of it.
    double *diagonal, *lower, *upper;
    double *values;     ///< six numbers of each node: the right side, then the changes of velocity
    double (*laws)[12]; ///< of each contact: the impulse f = c - D u, in its frame: c, then D by rows
} abut_newton;

/// Orders the bodies and counts the work.
/// @return ABUT_OK; ABUT_LIMIT if there are too many bodies, or more than `most_work`; ABUT_NO_MEMORY
abut_status abut_newton_plan(abut_arena *arena, const abut_part *part, double most_work, abut_newton *newton);
/// Takes the memory for the blocks.
abut_status abut_newton_take(abut_arena *arena, int contact_count, abut_newton *newton);

/// A step from `impulses` and the velocities of the movers: writes new impulses, which satisfy the friction cones and
/// do not pull, and the velocities that go with them. `free` are the velocities without impulses. `stiffness` says how
/// far a step may go: the impulses of contacts that stay closed change by `stiffness` factors times the speed that
/// remains. Returns 0 if the linear problem cannot be solved; impulses and velocities then mean nothing.
int abut_newton_step(abut_newton *newton, abut_system *system, const abut_visit_factors *factors,
                     const abut_solve_velocity *free, double stiffness, abut_visit_impulse *impulses);

#endif
