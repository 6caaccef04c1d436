// SPDX-License-Identifier: MIT
// hold.h: which contacts of infinite friction are held, the same for both solvers
//
// Coulomb's law with infinite friction says: what presses does not slip, and what does not press has no friction. That is no convex condition, and as an
// equation for the slip alone it would hold a body at a wall from which it rolls away. So such contacts begin without friction; those that
// press are held, and friction may then be of any size; one that is held and parts, the fastest of all, is let go for good. No contact changes more than
// twice.
#ifndef ABUT_SOLVE_HOLD_H
#define ABUT_SOLVE_HOLD_H

typedef enum abut_hold {
    ABUT_HOLD_NEVER = 0, ///< friction is finite
    ABUT_HOLD_FREE,
    ABUT_HOLD_HELD,
    ABUT_HOLD_LET_GO
} abut_hold;

#endif
