// SPDX-License-Identifier: MIT
// event_zero.c: what counts as zero in a step of events: gaps, speeds and accelerations
#include "world/event.h"

#include <float.h>

/// Of the smaller body: gaps and rebounds below this are zero.
static const double least_gap = 1e-12;

double abut_event_slack(const abut_world *world, const abut_event_row *row)
{
    double far =
        abut_norm(world->bodies[row->body_a].motion.center) + abut_norm(world->bodies[row->body_b].motion.center);
    return least_gap * row->size + 8.0 * DBL_EPSILON * far;
}

double abut_event_acceleration_bound(const abut_world *world, const abut_body *body)
{
    const abut_body_motion *m = &body->motion;
    double bound = abut_norm_squared(m->angular_velocity) * body->reach;
    if (abut_body_is_free(body)) {
        abut_vec3 moment = abut_sub(body->moment, abut_cross(m->angular_velocity, m->angular_momentum));
        abut_vec3 angular = abut_mat3_apply(abut_body_turn(body, body->local_inverse), moment);
        bound += abut_norm(abut_add_scaled(world->def.gravity, 1.0 / body->mass, body->force)) +
                 body->reach * abut_norm(angular);
    }
    return bound;
}

double abut_event_accelerations(const abut_world *world, const abut_event_row *row)
{
    return abut_event_acceleration_bound(world, &world->bodies[row->body_a]) +
           abut_event_acceleration_bound(world, &world->bodies[row->body_b]);
}

double abut_event_rest_speed(const abut_world *world, const abut_event_row *row)
{
    const abut_body *a = &world->bodies[row->body_a], *b = &world->bodies[row->body_b];
    double gained = abut_event_accelerations(world, row);
    double rounding = abut_norm(a->motion.linear_velocity) + abut_norm(b->motion.linear_velocity) +
                      abut_body_spin_speed(a) + abut_body_spin_speed(b);
    return fmax(gained * world->def.time_tolerance * world->def.dt,
                sqrt(2.0 * gained * abut_event_slack(world, row))) +
           1e-13 * rounding;
}

int abut_event_has_met(const abut_world *world, const abut_event_row *row, const abut_event_frame *frame)
{
    double late = world->def.time_tolerance * world->def.dt * fabs(frame->speed);
    return frame->gap <= abut_event_slack(world, row) + late;
}
