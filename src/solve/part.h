// SPDX-License-Identifier: MIT
// part.h: parts of a problem that do not touch each other
//
// An island is the contacts joined by bodies that impulses can move. Bodies that nothing moves join nothing. Small
// islands are put together, so that a part is worth the effort.
#ifndef ABUT_SOLVE_PART_H
#define ABUT_SOLVE_PART_H

#include "solve/wide.h"

typedef struct abut_part {
    const int *contacts; ///< numbers in the problem, ascending
    int contact_count;
    const int
        *bodies; ///< numbers in the problem: those of the movers, without the last, which stands for the world
    int body_count;
    const abut_wide_pair *pairs; ///< movers of each contact
    const unsigned char *moves;  ///< whether each mover moves; body_count + 1
    int is_special;              ///< some contact has torsion or infinite friction
} abut_part;

typedef struct abut_parts {
    abut_part *items;
    int count;
    const int *idle; ///< contacts of two bodies that do not move, which are in no part
    int idle_count;
} abut_parts;

/// Whether an impulse can move the body.
int abut_body_can_move(double inverse_mass, abut_mat3 inverse_inertia);

/// The islands of contacts: `islands` gets the number of each, in the order of their first contacts, or -1 if neither
/// body moves. Returns the number of islands; -1 if there is no memory. Of each contact, `pairs` has the bodies,
/// numbers below `body_count`.
int abut_islands_find(abut_arena *arena, const abut_wide_pair *pairs, int contact_count, const unsigned char *moves,
                      int body_count, int *islands);

/// Finds the parts of a problem that was checked.
/// @return ABUT_OK or ABUT_NO_MEMORY
abut_status abut_parts_find(abut_arena *arena, const abut_solve_problem *problem, abut_parts *parts);

#endif
