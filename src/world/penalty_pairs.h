// SPDX-License-Identifier: MIT
// penalty_pairs.h: the pairs of bodies with penalty forces, and their trackers
#ifndef ABUT_WORLD_PENALTY_PAIRS_H
#define ABUT_WORLD_PENALTY_PAIRS_H

#include "world/world.h"

/// Two bodies that are near each other, or that penetrate, or a soft body and itself.
typedef struct abut_responder {
    abut_body_pair bodies;
    abut_tracker *tracker;
    int is_near; ///< their paths may meet
    abut_response response;
    abut_status status;
    abut_error error;
} abut_responder;

struct abut_penalty_stepper {
    abut_responder *items, *merged; ///< ascending by bodies
    int count, capacity, merged_capacity;
    abut_tracker **spare;
    int spare_count, spare_capacity;
    abut_broad broad;
    abut_body_pair *near; ///< pairs of this step, ascending
    int near_count, near_capacity;
    abut_box *boxes;
    unsigned char *is_passive;
    abut_pose *starts, *ends;      ///< of the paths of rigid bodies
    abut_body_motion *free;        ///< of rigid bodies: with the velocities without contacts
    abut_solve_velocity *impulses; ///< on rigid bodies: linear, and angular about the centre
    int *loads;                    ///< contacts of each rigid body
    unsigned char *is_pushed;      ///< it got an impulse, or may have moved otherwise than predicted
    int box_capacity, passive_capacity, start_capacity, end_capacity, free_capacity, impulse_capacity,
        load_capacity, pushed_capacity;
    abut_world_contact *contacts; ///< in ascending order of the bodies
    double *shares;               ///< of the stiffness of each of them
    int contact_count, contact_capacity, share_capacity;
    abut_world_report report; ///< what concerns penalty forces
};

/// Makes the stepper, and room for all bodies. Returns 0 if memory ran out.
int abut_penalty_make_room(abut_world *world);
/// Marks the pairs of bodies whose paths may meet, and adds those that are new. Paths of rigid bodies lead from `starts`
/// to `ends`, those of soft ones are in their instances.
abut_status abut_penalty_find_near(abut_world *world, abut_error *error);
/// Finds the impulses of all pairs.
abut_status abut_penalty_respond(abut_world *world, abut_error *error);
/// Tracks the pairs of which a body was pushed, along the paths that they took.
abut_status abut_penalty_follow(abut_world *world, abut_error *error);

#endif
