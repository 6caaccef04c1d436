// SPDX-License-Identifier: MIT
// step.c: a time step: from forces and contacts to velocities and positions
//
// The angular momentum of a body is kept and its angular velocity follows from it at every orientation, so that there is no gyroscopic
// term that could add energy: a free body's momentum is constant to rounding.
#include "world/world.h"

#include "base/error.h"
#include "base/memory.h"

#include <limits.h>
#include <string.h>

static abut_quat turned(abut_quat rotation, abut_vec3 angular_velocity, double time)
{
    double speed = abut_norm(angular_velocity);
    if (speed == 0.0) {
        return rotation;
    }
    abut_quat turn = abut_quat_from_axis(abut_scale(1.0 / speed, angular_velocity), speed * time);
    return abut_quat_unit(abut_quat_multiply(turn, rotation));
}

static void update_angular_velocity(abut_body *body)
{
    if (!body->is_fixed) {
        body->motion.angular_velocity =
            abut_mat3_apply(abut_body_turn(body, body->local_inverse), body->motion.angular_momentum);
    }
}

void abut_body_advance(abut_body *body, double time)
{
    abut_motion *m = &body->motion;
    m->center = abut_add_scaled(m->center, time, m->linear_velocity);
    // of second order: with the angular velocity that the body has half way
    abut_quat start = m->rotation;
    m->rotation = turned(start, m->angular_velocity, 0.5 * time);
    update_angular_velocity(body);
    m->rotation = turned(start, m->angular_velocity, time);
    update_angular_velocity(body);
}

static void advance(abut_world *world, double time)
{
    abut_world_tell(world, ABUT_PHASE_MOVE);
    for (int i = 0; i < world->body_count; ++i) {
        abut_body_advance(&world->bodies[i], time);
    }
}

/// The same numbers on both sides of the diagonal.
static abut_mat3 symmetric(abut_mat3 m)
{
    m.y.x = m.x.y = 0.5 * (m.y.x + m.x.y);
    m.z.x = m.x.z = 0.5 * (m.z.x + m.x.z);
    m.z.y = m.y.z = 0.5 * (m.z.y + m.y.z);
    return m;
}

/// u + dt M^-1 h: what the body does without contacts.
static abut_solve_body free_body(const abut_world *world, const abut_body *body)
{
    abut_solve_body made = {.velocity = {body->motion.linear_velocity, body->motion.angular_velocity}};
    if (body->is_fixed) {
        return made;
    }
    double dt = world->def.dt;
    made.inverse_mass = 1.0 / body->mass;
    made.inverse_inertia = symmetric(abut_body_turn(body, body->local_inverse));
    abut_vec3 force = abut_add_scaled(body->force, -world->def.linear_damping, body->motion.linear_velocity);
    abut_vec3 moment = abut_add_scaled(body->moment, -world->def.angular_damping, body->motion.angular_velocity);
    abut_vec3 linear = abut_add_scaled(world->def.gravity, made.inverse_mass, force);
    made.velocity.linear = abut_add_scaled(made.velocity.linear, dt, linear);
    made.velocity.angular =
        abut_add_scaled(made.velocity.angular, dt, abut_mat3_apply(made.inverse_inertia, moment));
    return made;
}

static abut_solve_contact solve_contact(const abut_world *world, const abut_world_contact *c)
{
    const abut_body *a = &world->bodies[c->body_a], *b = &world->bodies[c->body_b];
    abut_solve_contact made = abut_solve_contact_default(c->body_a, c->body_b, c->contact.normal);
    made.arm_a = abut_sub(c->contact.position, a->motion.center);
    made.arm_b = abut_sub(c->contact.position, b->motion.center);
    made.friction = c->friction;
    made.torsion_radius = world->def.torsion_radius;
    made.restitution = c->restitution;
    abut_vec3 speed_a = abut_add(a->motion.linear_velocity, abut_cross(a->motion.angular_velocity, made.arm_a));
    abut_vec3 speed_b = abut_add(b->motion.linear_velocity, abut_cross(b->motion.angular_velocity, made.arm_b));
    made.speed_before = abut_dot(made.normal, abut_sub(speed_b, speed_a));
    made.gap = c->contact.gap;
    made.id = c->contact.id;
    return made;
}

static int make_solver_room(abut_world *world)
{
    const abut_context *context = &world->context;
    int contacts = world->contact_count, bodies = world->body_count;
    int history = world->def.solver == ABUT_SOLVER_PROX ? world->def.prox.iteration_limit : 0;
    return abut_grow_array(context, &world->solve_bodies, &world->solve_body_capacity, bodies,
                           sizeof *world->solve_bodies) &&
           abut_grow_array(context, &world->velocities, &world->velocity_capacity, bodies,
                           sizeof *world->velocities) &&
           abut_grow_array(context, &world->solve_contacts, &world->solve_contact_capacity, contacts,
                           sizeof *world->solve_contacts) &&
           abut_grow_array(context, &world->impulses, &world->impulse_capacity, contacts,
                           sizeof *world->impulses) &&
           abut_grow_array(context, &world->history, &world->history_capacity, history, sizeof *world->history);
}

static abut_status name_step(const abut_world *world, const abut_error *reason, abut_error *error)
{
    return abut_fail_element(error, reason->status, reason->element, "step %lld: %.200s",
                             (long long)world->step + 1, reason->text);
}

static abut_status run_solver(abut_world *world, abut_solve_result *result, abut_error *error)
{
    abut_solve_problem problem = abut_solve_problem_default();
    problem.bodies = world->solve_bodies;
    problem.body_count = world->body_count;
    problem.contacts = world->solve_contacts;
    problem.contact_count = world->contact_count;
    problem.gap_rule = world->def.gap_rule;
    problem.dt = world->def.dt;
    if (world->def.solver == ABUT_SOLVER_MCP) {
        return abut_solve_mcp(world->solver, &problem, &world->def.mcp, result, error);
    }
    abut_prox_params params = world->def.prox;
    if (world->def.has_warm_start) {
        abut_solve_past past = {world->last_contacts, world->last_impulses, world->last_contact_count};
        abut_status status =
            abut_solve_match(world->solver, &past, &problem, world->impulses, &world->report.matched);
        if (status != ABUT_OK) {
            return abut_fail(error, status, "no memory to match contacts");
        }
        params.start = world->impulses;
    }
    return abut_solve_prox(world->solver, &problem, &params, result, error);
}

/// What the next step begins with.
static void keep_impulses(abut_world *world)
{
    abut_solve_contact *contacts = world->last_contacts;
    abut_solve_impulse *impulses = world->last_impulses;
    int contact_capacity = world->last_contact_capacity, impulse_capacity = world->last_impulse_capacity;
    world->last_contacts = world->solve_contacts;
    world->last_impulses = world->impulses;
    world->last_contact_capacity = world->solve_contact_capacity;
    world->last_impulse_capacity = world->impulse_capacity;
    world->last_contact_count = world->contact_count;
    world->solve_contacts = contacts;
    world->impulses = impulses;
    world->solve_contact_capacity = contact_capacity;
    world->impulse_capacity = impulse_capacity;
}

/// Where the solver fails, the fastest body with a contact is the likely reason. Its speed is that of its fastest point at most.
static abut_status name_fastest(const abut_world *world, abut_solve_outcome outcome, abut_error *error)
{
    int fastest = 0; // there are contacts, or no solver would fail
    double highest = 0.0;
    for (int i = 0; i < 2 * world->contact_count; ++i) {
        const abut_world_contact *contact = &world->contacts[i / 2];
        int body = i % 2 == 0 ? contact->body_a : contact->body_b;
        abut_solve_velocity velocity = world->solve_bodies[body].velocity;
        double size = abut_box_diagonal(abut_mesh_get_elements(abut_shape_mesh(world->bodies[body].shape)).bounds);
        double speed = abut_norm(velocity.linear) + size * abut_norm(velocity.angular);
        if (speed > highest) {
            fastest = body;
            highest = speed;
        }
    }
    char name[ABUT_BODY_CALL_ROOM];
    return abut_fail_element(error, ABUT_LIMIT, fastest,
                             "step %lld: the solver found no impulses: %s; %s is the fastest in contact, at %.3g",
                             (long long)world->step + 1, abut_solve_outcome_text(outcome),
                             abut_world_call(world, fastest, name), highest);
}

// The speeds at which bodies shall part, of all contacts, and nothing else. Returns whether any do.
static int set_corrections(abut_world *world)
{
    const abut_stabilisation *s = &world->def.stabilisation;
    int has_overlap = 0;
    for (int i = 0; i < world->contact_count; ++i) {
        abut_solve_contact *contact = &world->solve_contacts[i];
        double overlap = fmax(0.0, -contact->gap - s->slop);
        contact->correction = fmin(s->speed_limit, s->share * overlap / world->def.dt);
        contact->friction = contact->restitution = 0.0;
        has_overlap |= contact->correction > 0.0;
    }
    return has_overlap;
}

/// Moves bodies that overlap apart: a second problem, of bodies at rest and contacts without friction, whose velocities last for this step only. So the
/// correction gives no speed, and where contacts of deep bodies contradict each other, no force.
static abut_status stabilise(abut_world *world, abut_error *error)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    if (!world->def.stabilisation.is_on || !set_corrections(world)) {
        return ABUT_OK;
    }
    for (int i = 0; i < world->body_count; ++i) {
        world->solve_bodies[i].velocity.linear = world->solve_bodies[i].velocity.angular = zero;
    }
    abut_solve_problem problem = abut_solve_problem_default();
    problem.bodies = world->solve_bodies;
    problem.body_count = world->body_count;
    problem.contacts = world->solve_contacts;
    problem.contact_count = world->contact_count;
    abut_prox_params params = world->def.prox;
    params.start = NULL;
    abut_solve_result result = {.velocities = world->velocities};
    abut_error reason = {.element = -1};
    if (abut_solve_prox(world->solver, &problem, &params, &result, &reason) != ABUT_OK) {
        return name_step(world, &reason, error);
    }
    for (int i = 0; i < world->body_count; ++i) {
        abut_body *body = &world->bodies[i];
        if (!body->is_fixed) {
            body->motion.center = abut_add_scaled(body->motion.center, world->def.dt, world->velocities[i].linear);
            body->motion.rotation = turned(body->motion.rotation, world->velocities[i].angular, world->def.dt);
            update_angular_velocity(body);
        }
    }
    return ABUT_OK;
}

static abut_status solve(abut_world *world, abut_error *error)
{
    abut_world_tell(world, ABUT_PHASE_SOLVE);
    if (!make_solver_room(world)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for the solver");
    }
    for (int i = 0; i < world->body_count; ++i) {
        world->solve_bodies[i] = free_body(world, &world->bodies[i]);
    }
    for (int i = 0; i < world->contact_count; ++i) {
        world->solve_contacts[i] = solve_contact(world, &world->contacts[i]);
    }
    abut_solve_result result = {.velocities = world->velocities,
                                .impulses = world->impulses,
                                .history = world->history,
                                .history_capacity = world->history_capacity};
    abut_error reason = {.element = -1};
    abut_status status = run_solver(world, &result, &reason);
    if (status != ABUT_OK) {
        return name_step(world, &reason, error);
    }
    abut_world_report *report = &world->report;
    report->outcome = result.outcome;
    report->iterations = result.iterations;
    report->residual = result.residual;
    report->residual_scale = result.scale;
    report->history = world->history;
    report->history_count = result.history_count;
    if (result.outcome == ABUT_SOLVE_DIVERGED || result.outcome == ABUT_SOLVE_RAY) {
        return name_fastest(world, result.outcome, error);
    }
    for (int i = 0; i < world->contact_count; ++i) {
        world->contacts[i].impulse = world->impulses[i];
    }
    for (int i = 0; i < world->body_count; ++i) {
        abut_body *body = &world->bodies[i];
        if (!body->is_fixed) {
            body->motion.linear_velocity = world->velocities[i].linear;
            body->motion.angular_velocity = world->velocities[i].angular;
            body->motion.angular_momentum =
                abut_mat3_apply(abut_body_turn(body, body->local_inertia), world->velocities[i].angular);
        }
    }
    status = stabilise(world, error);
    keep_impulses(world);
    return status;
}

static abut_status check_motion(const abut_world *world, abut_error *error)
{
    for (int i = 0; i < world->body_count; ++i) {
        const abut_motion *m = &world->bodies[i].motion;
        char name[ABUT_BODY_CALL_ROOM];
        double speed = abut_norm(m->linear_velocity);
        if (!abut_is_finite(m->center) || !isfinite(speed) || !abut_is_finite(m->angular_velocity)) {
            return abut_fail_element(error, ABUT_LIMIT, i, "step %lld: %s diverged: its motion is not finite",
                                     (long long)world->step + 1, abut_world_call(world, i, name));
        }
        if (speed > world->def.speed_limit) {
            return abut_fail_element(error, ABUT_LIMIT, i, "step %lld: %s diverged: its speed is %.3g, above %.3g",
                                     (long long)world->step + 1, abut_world_call(world, i, name), speed,
                                     world->def.speed_limit);
        }
    }
    return ABUT_OK;
}

static abut_status run_step(abut_world *world, abut_error *error)
{
    double before = world->def.stepper == ABUT_STEPPER_MOREAU ? 0.5 * world->def.dt : 0.0;
    if (before > 0.0) {
        advance(world, before);
    }
    abut_status status = abut_world_find_contacts(world, error);
    const abut_world_callbacks *callbacks = &world->def.callbacks;
    if (status == ABUT_OK && callbacks->on_contacts != NULL) {
        status = callbacks->on_contacts(callbacks->user, world, world->contacts, world->contact_count);
        if (status != ABUT_OK) {
            return abut_fail(error, status, "step %lld was ended by the caller", (long long)world->step + 1);
        }
    }
    if (status == ABUT_OK) {
        status = solve(world, error);
    }
    if (status == ABUT_OK) {
        advance(world, world->def.dt - before);
        status = check_motion(world, error);
    }
    return status;
}

abut_status abut_world_step(abut_world *world, abut_error *error)
{
    ABUT_ASSERT(world != NULL);
    if (!abut_grow_array(&world->context, &world->kept, &world->kept_capacity, world->body_count,
                         sizeof *world->kept)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a step");
    }
    for (int i = 0; i < world->body_count; ++i) {
        world->kept[i] = world->bodies[i].motion;
    }
    abut_status status = run_step(world, error);
    if (status != ABUT_OK) {
        for (int i = 0; i < world->body_count; ++i) {
            world->bodies[i].motion = world->kept[i];
        }
        return status;
    }
    for (int i = 0; i < world->body_count; ++i) {
        world->bodies[i].force = world->bodies[i].moment = abut_vec3_make(0.0, 0.0, 0.0);
    }
    abut_world_commit_memories(world);
    ++world->step;
    world->report.step = world->step;
    world->report.time = (double)world->step * world->def.dt;
    abut_world_tell(world, ABUT_PHASE_END);
    return ABUT_OK;
}

abut_status abut_world_detect(abut_world *world, abut_error *error)
{
    ABUT_ASSERT(world != NULL);
    return abut_world_find_contacts(world, error);
}
