// SPDX-License-Identifier: MIT
// hold.h: which contacts of infinite friction are held, the same for both solvers
//
// Infinite friction is the limit of Coulomb's law for ever larger coefficients: contacts that press do not slip, and
// contacts that separate have no friction. This is not a convex condition, and "no slip" alone would hold a body at a
// wall from which it rolls away. So these contacts start without friction. Those that press are held: their friction
// may have any size. Of the held contacts that have friction but separate, the fastest is let go for good. Each group
// of contacts that are joined by moving bodies is decided on its own. No contact changes more than twice, so this
// ends.
#ifndef ABUT_SOLVE_HOLD_H
#define ABUT_SOLVE_HOLD_H

#include "solve/system.h"

typedef enum abut_hold {
    ABUT_HOLD_NEVER = 0, ///< friction is finite
    ABUT_HOLD_FREE,
    ABUT_HOLD_HELD,
    ABUT_HOLD_LET_GO
} abut_hold;

/// A contact, as abut_holds_see() last saw it. Impulses are given as the speeds that they alone would make at the
/// contact.
typedef struct abut_hold_contact {
    abut_hold hold;
    int group;
    double response; ///< speed along the normal for a unit of impulse; 0: nothing can move
    double press, friction, parting, slip;
} abut_hold_contact;

/// Contacts joined by bodies that move.
typedef struct abut_hold_group {
    /// Without any impulse: the largest speed that is missing along a normal, or slip of a contact with infinite
    /// friction.
    double scale;
    /// Set by the solver: what counts as nonzero; HUGE_VAL: nothing is held or let go.
    double least_press, least_parting;
    double residual; ///< for the solver
    int fastest;     ///< the contact to let go, or -1
    int has_new;     ///< whether a contact was held
} abut_hold_group;

typedef struct abut_holds {
    abut_hold_contact *contacts; ///< NULL if all friction is finite; then there are no groups either
    abut_hold_group *groups;     ///< islands; the last one has the contacts of bodies that do not move
    int contact_count, group_count;
} abut_holds;

/// Finds groups and scales from the velocities without impulses. All contacts with infinite friction start free. From
/// then on the friction of their rows is 0, or infinite while they are held.
/// @return ABUT_OK or ABUT_NO_MEMORY
abut_status abut_holds_begin(abut_arena *arena, abut_system *system, abut_holds *holds);

/// Records a contact: its normal impulse, the size of its friction, and its velocity.
void abut_holds_see(abut_holds *holds, int i, const abut_row *row, const abut_mover *movers, double normal,
                    double friction);

/// Holds a free contact, or lets a held one go.
void abut_holds_set(abut_holds *holds, int i, abut_row *row, abut_hold hold);

/// After all contacts were seen: holds contacts and lets others go. Returns whether any changed.
int abut_holds_update(abut_holds *holds, abut_row *rows);

/// After all contacts were seen: the largest speed by which a contact with infinite friction violates the law (it
/// slips while it presses, or has friction while it separates), or 0 if that is at most `least_parting` of its group.
double abut_holds_miss(const abut_holds *holds);

#endif
