// SPDX-License-Identifier: MIT
// soft_body.h: a soft body of a world
//
// It has a place among the bodies of the world, as a fixed body that rigid bodies do not touch: the methods and solvers
// of rigid bodies leave it alone. Penalty forces are all that acts between it and others (penalty_step.c).
#ifndef ABUT_WORLD_SOFT_BODY_H
#define ABUT_WORLD_SOFT_BODY_H

#include "world/world.h"

typedef struct abut_soft_body {
    abut_soft *soft;
    abut_instance *instance; ///< on the paths of the step
    abut_soft_params params; ///< without those of the world
    int has_self_contact;
    int vertex_count;
    abut_vec3 *start, *velocities; ///< before the step
    abut_vec3 *end;                ///< of the paths
    abut_vec3 *forces;             ///< pushed on the vertices in the next step
    abut_vec3 *impulses;           ///< of the contacts of the step
    int *loads;                    ///< contacts of each vertex in the step
    abut_soft_report report;       ///< of the step
    abut_status status;            ///< of what was done for it last
    abut_error error;
} abut_soft_body;

void abut_soft_body_destroy(const abut_context *context, abut_soft_body *body);
/// The box of the vertices on the paths of the step, widened by the margin on all sides.
abut_box abut_soft_body_box(const abut_soft_body *body, double margin);
/// How much the velocity at a material point changes by an impulse of size 1 there, times the contacts of its vertices.
double abut_soft_body_yield(const abut_soft_body *body, const abut_anchor *anchor, int has_loads);
abut_vec3 abut_soft_body_velocity(const abut_soft_body *body, const abut_anchor *anchor);

/// Remembers the state before a step, so that abut_world_put_back_soft() can return to it.
void abut_world_keep_soft(abut_world *world);
void abut_world_put_back_soft(abut_world *world);
/// Gives all soft bodies the velocities of all forces but contacts, and finds where these lead: up to there (has_paths),
/// or nowhere.
abut_status abut_world_accelerate_soft(abut_world *world, int has_paths, abut_error *error);
/// Adds the impulses of the contacts and moves all soft bodies.
abut_status abut_world_move_soft(abut_world *world, abut_error *error);
/// After a successful step: forgets pushes.
void abut_world_commit_soft(abut_world *world);

#endif
