// SPDX-License-Identifier: MIT
// pair_query.c: the contacts of one pair of bodies
//
// With speculative contacts a query must find what the bodies can reach before the next one. The method is asked for
// gaps up to this distance. If it cannot tell near from far parts at such gaps, it is asked about the poses that the
// bodies are moving to, and the contacts found there are moved back.
#include "world/world.h"

#include "method/methods.h"
#include "method/pair.h"
#include "method/params.h"
#include "method/shape.h"
#include "method/stats.h"

double abut_world_look_ahead(const abut_world *world, abut_vec3 velocity, double spin_speed)
{
    int looks = world->def.gap_rule == ABUT_GAP_POSITIVE;
    return looks ? ABUT_STEPS_AHEAD * abut_world_horizon(world) * (abut_norm(velocity) + spin_speed) : 0.0;
}

double abut_world_fall_ahead(const abut_world *world, const abut_method *method)
{
    int looks = world->def.gap_rule == ABUT_GAP_POSITIVE &&
                (method->taxonomy.locality == ABUT_GLOBAL || abut_world_is_swept(world));
    return looks ? abut_world_horizon(world) * abut_world_horizon(world) * abut_norm(world->def.gravity) : 0.0;
}

double abut_body_spin_speed(const abut_body *body)
{
    return body->reach * abut_norm(body->motion.angular_velocity);
}

/// A body at a pose, with the velocities that it has.
static abut_side side_of(const abut_world *world, int index, abut_pose pose, abut_vec3 center)
{
    const abut_body *body = &world->bodies[index];
    abut_side side = abut_side_default(body->shape);
    side.pose = pose;
    side.angular_velocity = body->motion.angular_velocity;
    side.linear_velocity = abut_add(body->motion.linear_velocity,
                                    abut_cross(body->motion.angular_velocity, abut_sub(pose.position, center)));
    side.key = (uint64_t)body->number + 1;
    return side;
}

abut_pair abut_world_pair_of(const abut_world *world, abut_body_pair bodies)
{
    abut_pair pair = abut_pair_default(world->bodies[bodies.a].shape, world->bodies[bodies.b].shape);
    const abut_body *a = &world->bodies[bodies.a], *b = &world->bodies[bodies.b];
    pair.a = side_of(world, bodies.a, abut_body_pose(a), a->motion.center);
    pair.b = side_of(world, bodies.b, abut_body_pose(b), b->motion.center);
    pair.dt = world->def.dt;
    return pair;
}

abut_pair abut_world_solved_pair(const abut_world *world, abut_body_pair bodies)
{
    abut_pair pair = abut_pair_default(world->bodies[bodies.a].shape, world->bodies[bodies.b].shape);
    abut_pose a = world->poses[bodies.a], b = world->poses[bodies.b];
    pair.dt = world->def.dt;
    pair.a = side_of(world, bodies.a, a, abut_pose_apply(a, world->bodies[bodies.a].local_center));
    pair.b = side_of(world, bodies.b, b, abut_pose_apply(b, world->bodies[bodies.b].local_center));
    return pair;
}

abut_pair abut_world_pair(const abut_world *world, const abut_pair_state *state)
{
    abut_pair pair = abut_world_pair_of(world, state->bodies);
    abut_body_pair bodies = state->bodies;
    if (abut_world_is_swept(
            world)) { // methods that go back along the motion need not, and must not turn bodies around
        const abut_body *a = &world->bodies[bodies.a], *b = &world->bodies[bodies.b];
        double speed = abut_world_pair_speed(a, b), way = ABUT_LOOK_SHARE * fmin(a->size, b->size);
        pair.dt = speed * pair.dt > way ? way / speed : pair.dt;
    }
    pair.memory = state->memory;
    return pair;
}

static abut_status find(abut_detector *d, const abut_pair *pair, const abut_method_choice *choice)
{
    abut_status status = abut_find_contacts(pair, choice->method, &choice->params, d->workspace, &d->result);
    abut_stats_add(&d->stats, &d->result.stats); // the work of a query counts, even if its answer is not used
    return status;
}

static int is_found(const abut_detector *d, abut_status status)
{
    return status == ABUT_OK && d->result.contacts.count > 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Speculative contacts

abut_pose abut_world_pose_after(const abut_side *side, double time)
{
    abut_pose pose = side->pose;
    double rate = abut_norm(side->angular_velocity);
    if (rate > 0.0) {
        abut_vec3 axis = abut_scale(1.0 / rate, side->angular_velocity);
        pose.rotation = abut_quat_unit(abut_quat_multiply(abut_quat_from_axis(axis, rate * time), pose.rotation));
    }
    pose.position = abut_add_scaled(pose.position, time, side->linear_velocity);
    return pose;
}

/// The pair where it would be at the end of the time that a query looks ahead, and that time as its step: methods that
/// move overlapping bodies back along their motion can go back to the present poses.
static abut_pair pair_ahead(const abut_pair *pair)
{
    abut_pair later = *pair;
    later.dt = ABUT_STEPS_AHEAD * pair->dt;
    later.memory = NULL; // it is for the present poses
    later.a.pose = abut_world_pose_after(&pair->a, later.dt);
    later.b.pose = abut_world_pose_after(&pair->b, later.dt);
    return later;
}

/// How far a query looks ahead.
static double find_reach(const abut_world *world, const abut_pair_state *state, const abut_method *method,
                         double tolerance)
{
    const abut_body *a = &world->bodies[state->bodies.a], *b = &world->bodies[state->bodies.b];
    abut_vec3 velocity = abut_sub(b->motion.linear_velocity, a->motion.linear_velocity);
    double ahead = abut_world_look_ahead(world, velocity, abut_body_spin_speed(a) + abut_body_spin_speed(b));
    if (method->taxonomy.locality == ABUT_GLOBAL || ahead > tolerance || state->is_new) {
        ahead += abut_world_fall_ahead(world, method);
    }
    return abut_world_is_swept(world) ? fmin(ahead, ABUT_LOOK_SHARE * fmin(a->size, b->size)) : ahead;
}

static abut_status find_ahead(const abut_world *world, abut_detector *d, const abut_pair *pair,
                              const abut_pair_state *state, const abut_method_choice *choice,
                              abut_pair_answer *answer)
{
    const abut_body *a = &world->bodies[state->bodies.a], *b = &world->bodies[state->bodies.b];
    double size = fmin(a->size, b->size);
    answer->tolerance = abut_length_resolve(choice->params.tolerance, size);
    double ahead = find_reach(world, state, choice->method, answer->tolerance);
    // a step of events may ask with a shorter dt, so that bodies are not moved back by all of it
    answer->slide_time = ABUT_STEPS_AHEAD * (world->def.stepper == ABUT_STEPPER_EVENTS ? world->horizon : pair->dt);
    double reach = fmax(answer->tolerance, abut_length_resolve(choice->params.envelope, size));
    abut_method_choice wide = *choice;
    wide.params.envelope = ahead > reach ? (abut_length){ahead, 0} : choice->params.envelope;
    abut_status status = find(d, pair, &wide);
    if (status != ABUT_UNSUPPORTED || !(ahead > reach)) {
        if (status == ABUT_OK && choice->method == &abut_method_convex) {
            answer->convex[0] = abut_shape_find_data(pair->a.shape, choice->method, &choice->params);
            answer->convex[1] = abut_shape_find_data(pair->b.shape, choice->method, &choice->params);
        }
        return status;
    }
    status = find(d, pair, choice);
    if (status != ABUT_OK || d->result.contacts.count > 0 || abut_world_is_swept(world)) {
        return status; // what is not near yet is met on the way
    }
    abut_pair later = pair_ahead(pair);
    answer->is_ahead = is_found(d, find(d, &later, choice));
    if (!answer->is_ahead) {
        abut_result_clear(&d->result); // the present poses have no contacts, as was found above
    }
    return ABUT_OK;
}

static abut_vec3 moved_back(abut_pose now, abut_pose later, abut_vec3 point)
{
    return abut_pose_apply(now, abut_pose_apply_inverse(later, point));
}

/// The normal speed of a contact with the velocities of the pair; the query may have had others.
static double normal_speed_of(const abut_pair *pair, const abut_contact *c)
{
    abut_vec3 velocity_a = abut_side_point_velocity(&pair->a, pair->dt, c->position_a, &c->anchor_a);
    abut_vec3 velocity_b = abut_side_point_velocity(&pair->b, pair->dt, c->position_b, &c->anchor_b);
    return abut_dot(c->normal, abut_sub(velocity_b, velocity_a));
}

void abut_world_settle(const abut_pair *pair, const abut_pair_answer *answer, abut_contact *c)
{
    if (answer->is_ahead) {
        abut_pair later = pair_ahead(pair);
        c->position_a = moved_back(pair->a.pose, later.a.pose, c->position_a);
        c->position_b = moved_back(pair->b.pose, later.b.pose, c->position_b);
        c->position = abut_lerp(c->position_a, c->position_b, 0.5);
        c->gap = abut_dot(c->normal, abut_sub(c->position_b, c->position_a));
        c->region = -1; // regions are not moved back
        c->normal_speed = normal_speed_of(pair, c);
    }
    if (answer->convex[0] != NULL) {
        abut_world_free_slide(pair, answer, c);
    }
}

abut_status abut_world_query(const abut_world *world, abut_detector *d, const abut_pair *pair,
                             const abut_pair_state *state, abut_pair_answer *answer)
{
    const abut_body *a = &world->bodies[state->bodies.a], *b = &world->bodies[state->bodies.b];
    const abut_method_choice *choice = &world->choices[abut_world_law(world, a->material, b->material).choice];
    return find_ahead(world, d, pair, state, choice, answer);
}
