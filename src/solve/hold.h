// SPDX-License-Identifier: MIT
// hold.h: which contacts of infinite friction are held, the same for both solvers
//
// Infinite friction is the limit of Coulomb's law for ever larger coefficients: what presses does not slip, and
// what parts has no friction. That is no convex condition, and as an equation for the slip alone it would hold a
// body at a wall from which it rolls away. So such contacts begin without friction; those that press are held, and
// friction may then be of any size; of those that are held, have friction and part, the fastest is let go for good.
// All that is decided for each group, the contacts joined by bodies that move, as if there were no others. No
// contact changes more than twice, so it comes to an end.
#ifndef ABUT_SOLVE_HOLD_H
#define ABUT_SOLVE_HOLD_H

#include "solve/system.h"

typedef enum abut_hold {
    ABUT_HOLD_NEVER = 0, ///< friction is finite
    ABUT_HOLD_FREE,
    ABUT_HOLD_HELD,
    ABUT_HOLD_LET_GO
} abut_hold;

/// A contact, with what abut_holds_see() saw of it. Impulses are the speeds that they would make at the contact alone.
typedef struct abut_hold_contact {
    abut_hold hold;
    int group;
    double response; ///< speed along the normal for a unit of impulse; 0: nothing can move
    double press, friction, parting, slip;
} abut_hold_contact;

/// Contacts joined by bodies that move.
typedef struct abut_hold_group {
    /// The largest speed that is missing along a normal, or slip of a contact of infinite friction, without any
    /// impulse.
    double scale;
    /// The solver's: what counts as more than zero; HUGE_VAL: nothing is held, or let go.
    double least_press, least_parting;
    double residual; ///< the solver's own
    int fastest;     ///< the contact to let go, or -1
    int has_new;     ///< whether a contact was held
} abut_hold_group;

typedef struct abut_holds {
    abut_hold_contact *contacts; ///< NULL where all friction is finite, and then nothing else is there
    /// One for each body and the world, by the number of one of its bodies; most are not used.
    abut_hold_group *groups;
    int contact_count, group_count;
} abut_holds;

/// Finds groups and scales, from velocities without any impulse. All contacts of infinite friction are free, and
/// from then on the friction of their rows is 0, or infinite while they are held.
/// ABUT_OK or ABUT_NO_MEMORY.
abut_status abut_holds_begin(abut_arena *arena, abut_system *system, abut_holds *holds);

/// Takes note of a contact: its normal impulse, the size of its friction, and its velocity.
void abut_holds_see(abut_holds *holds, int i, const abut_row *row, const abut_mover *movers, double normal,
                    double friction);

/// Holds a contact that is free, or lets go one that is held.
void abut_holds_set(abut_holds *holds, int i, abut_row *row, abut_hold hold);

/// After all contacts were seen: holds and lets go. Returns whether there was one.
int abut_holds_update(abut_holds *holds, abut_row *rows);

/// After all contacts were seen: the largest speed by which a contact of infinite friction misses the law, as it
/// slips though it presses or has friction though it parts, where that is more than `least_parting` of its group;
/// else 0.
double abut_holds_miss(const abut_holds *holds);

#endif
