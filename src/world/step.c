// SPDX-License-Identifier: MIT
// step.c: a time step: from forces and contacts to velocities and positions
#include "world/soft_body.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>

void abut_world_spread(const abut_world *world, int count, abut_range_task *task, void *data)
{
    enum {
        FEW = 256,
        RANGE = 64
    }; // of bodies or contacts: below, handing over the work takes longer than doing it
    if (count < FEW || world->context.worker_count == 1) {
        task(data, 0, count, 0);
    } else {
        abut_parallel_for(&world->context, count, RANGE, task, data);
    }
}

typedef struct advancing {
    abut_world *world;
    double time;
    atomic_int failed; ///< the first body that cannot be advanced, or body_count
} advancing;

static void advance_bodies(void *data, int begin, int end, int worker)
{
    advancing *a = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        abut_body *body = &a->world->bodies[i];
        if (!abut_body_is_asleep(body) && !abut_body_advance(body, a->time)) {
            int failed = atomic_load(&a->failed);
            while (i < failed && !atomic_compare_exchange_weak(&a->failed, &failed, i)) {
            }
        }
    }
}

abut_status abut_world_name_spinning(const abut_world *world, int body, abut_error *error)
{
    char name[ABUT_BODY_CALL_ROOM];
    return abut_fail_element(error, ABUT_LIMIT, world->bodies[body].number,
                             "step %lld: %s diverged: it spins at %.3g, too fast for the step",
                             (long long)world->step + 1, abut_world_call(world, body, name),
                             abut_norm(world->bodies[body].motion.angular_velocity));
}

abut_status abut_world_advance(abut_world *world, double time, abut_error *error)
{
    abut_world_tell(world, ABUT_PHASE_MOVE);
    advancing a = {.world = world, .time = time, .failed = world->body_count};
    abut_world_spread(world, world->body_count, advance_bodies, &a);
    int failed = atomic_load(&a.failed);
    return failed < world->body_count ? abut_world_name_spinning(world, failed, error) : ABUT_OK;
}

/// Damping is implicit, with the velocity at the end, so that it is stable for bodies of any mass: (m + dt k) v' =
/// m v + dt f, that is v' = v + dt (f - k v) / (m + dt k). The spin likewise.
abut_solve_body abut_world_free_motion(const abut_world *world, const abut_body *body)
{
    const abut_body_motion *m = &body->motion;
    abut_solve_body made = {.velocity = {m->linear_velocity, m->angular_velocity}};
    if (body->is_fixed || abut_body_is_asleep(body)) {
        return made;
    }
    double dt = world->span;
    made.inverse_mass = 1.0 / body->mass;
    made.inverse_inertia = abut_mat3_symmetric(abut_body_turn(body, body->local_inverse));
    abut_vec3 force = abut_add_scaled(abut_add(body->force, body->contact_force), body->mass, world->def.gravity);
    force = abut_add_scaled(force, -world->def.linear_damping, m->linear_velocity);
    made.velocity.linear =
        abut_add_scaled(m->linear_velocity, dt / (body->mass + dt * world->def.linear_damping), force);
    abut_vec3 moment = abut_add(body->moment, body->contact_moment);
    moment = abut_add_scaled(moment, -world->def.angular_damping, m->angular_velocity);
    abut_vec3 change = abut_mat3_apply(abut_body_turn(body, body->local_damped_inverse), moment);
    made.velocity.angular = abut_add_scaled(m->angular_velocity, dt, change);
    return made;
}

double abut_world_normal_speed(const abut_world *world, const abut_world_contact *c)
{
    const abut_body_motion *a = &world->bodies[c->body_a].motion, *b = &world->bodies[c->body_b].motion;
    abut_vec3 speed_a =
        abut_add(a->linear_velocity, abut_cross(a->angular_velocity, abut_sub(c->contact.position, a->center)));
    abut_vec3 speed_b =
        abut_add(b->linear_velocity, abut_cross(b->angular_velocity, abut_sub(c->contact.position, b->center)));
    return abut_dot(c->contact.normal, abut_sub(speed_b, speed_a));
}

double abut_world_pair_speed(const abut_body *a, const abut_body *b)
{
    return abut_norm(abut_sub(a->motion.linear_velocity, b->motion.linear_velocity)) + abut_body_spin_speed(a) +
           abut_body_spin_speed(b);
}

static abut_solve_contact solve_contact(const abut_world *world, const abut_world_contact *c)
{
    const abut_body *a = &world->bodies[c->body_a], *b = &world->bodies[c->body_b];
    abut_solve_contact made = abut_solve_contact_default(c->body_a, c->body_b, c->contact.normal);
    made.arm_a = abut_sub(c->contact.position, a->motion.center);
    made.arm_b = abut_sub(c->contact.position, b->motion.center);
    made.friction = c->friction;
    made.torsion_radius = world->def.torsion_radius;
    made.speed_before = abut_world_normal_speed(world, c);
    made.gap = c->contact.gap;
    made.id = c->contact.id;
    double size = fmin(a->size, b->size);
    int bounces = -made.speed_before > abut_world_least_approach(world, size);
    int is_impact = world->span == 0.0, is_deep = made.gap < -abut_sliding_depth * size;
    made.restitution = !abut_world_is_swept(world) || (bounces && (is_impact || is_deep)) ? c->restitution : 0.0;
    return made;
}

double abut_world_least_approach(const abut_world *world, double size)
{
    // bodies that rest get the speed of a step of gravity; the rest is for rounding
    const double share = 1e-7;
    return fmax(2.0 * world->def.dt * abut_norm(world->def.gravity), share * size / world->def.dt);
}

/// Whether a contact is left to the impact that the bodies are moving to: it bounces, or the step is cut where they meet.
static int is_left_to_impact(const abut_world *world, const abut_world_contact *c, const abut_solve_contact *made)
{
    const abut_body *body_a = &world->bodies[c->body_a], *body_b = &world->bodies[c->body_b];
    double size = fmin(body_a->size, body_b->size);
    if (world->paths.is_lenient &&
        abut_world_is_harmless(world, body_a, body_b, abut_world_pair_speed(body_a, body_b))) {
        return 0;
    }
    int is_ahead = world->paths.is_cut && made->gap > abut_sliding_depth * size;
    if (world->span == 0.0 || !(is_ahead || c->restitution > 0.0)) {
        return 0;
    }
    const abut_solve_velocity *a = &world->solve_bodies[c->body_a].velocity,
                              *b = &world->solve_bodies[c->body_b].velocity;
    abut_vec3 speed_a = abut_add(a->linear, abut_cross(a->angular, made->arm_a));
    abut_vec3 speed_b = abut_add(b->linear, abut_cross(b->angular, made->arm_b));
    double speed = fmin(made->speed_before, abut_dot(made->normal, abut_sub(speed_b, speed_a)));
    return -speed > abut_world_least_approach(world, size) && made->gap >= -abut_sliding_depth * size;
}

/// Sets what a contact may do because its points move on arcs: the slip that friction does not oppose, and the speed at which
/// it may close, which is returned. The edge over which a body tips moves up and back on its arc. A solver that keeps it on a
/// straight line lifts and carries the body a little in each step, which adds energy. Both speeds are at most those that the
/// points had, because an impact changes how the body turns.
static double leave_arc(const abut_world *world, abut_solve_contact *made)
{
    const abut_body_motion *a = &world->bodies[made->body_a].motion, *b = &world->bodies[made->body_b].motion;
    double half = world->paths.after, whole = world->horizon, gap = made->gap, open = fmax(gap, 0.0);
    if (!(made->speed_before > 0.0 && world->span > 0.0)) {
        return 0.0;
    }
    abut_vec3 bend = abut_world_bend(world, made, whole);
    double rise = abut_dot(made->normal, bend);
    double dip = half < whole ? abut_dot(made->normal, abut_world_bend(world, made, half)) : 0.0;
    double first = (gap + (half < whole ? dip : rise)) / half;
    double all = (gap + rise - dip) / whole;
    abut_vec3 across = abut_add_scaled(bend, -rise, made->normal);
    abut_vec3 speed_a = abut_add(a->linear_velocity, abut_cross(a->angular_velocity, made->arm_a));
    abut_vec3 speed_b = abut_add(b->linear_velocity, abut_cross(b->angular_velocity, made->arm_b));
    double slip = abut_dot(across, abut_sub(speed_b, speed_a)), squared = abut_norm_squared(across);
    if (slip > 0.0) {
        made->drift = abut_scale(-fmin(1.0 / whole, slip / squared), across);
    }
    double rising = fmax(0.0, fmin(made->speed_before, fmin(first, all) - open / whole));
    made->correction = -rising;
    return rising;
}

static void make_solve_contacts(void *data, int begin, int end, int worker)
{
    abut_world *world = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        world->solve_contacts[i] = solve_contact(world, &world->contacts[world->awake_contacts[i]]);
        world->pushes[i] = (abut_solve_impulse){0};
    }
}

/// The end of the contacts of the same two bodies that begin at `begin`. `is_deep` gets whether one of them tells that the
/// bodies overlap by more than sliding ones may.
static int end_of_pair(const abut_world *world, int begin, int *is_deep)
{
    const abut_solve_contact *first = &world->solve_contacts[begin];
    double size = fmin(world->bodies[first->body_a].size, world->bodies[first->body_b].size);
    int end = begin;
    *is_deep = 0;
    for (; end < world->awake_contact_count; ++end) {
        const abut_solve_contact *c = &world->solve_contacts[end];
        if (c->body_a != first->body_a || c->body_b != first->body_b) {
            break;
        }
        *is_deep |= c->gap < -abut_sliding_depth * size;
    }
    return end;
}

/// Makes the contacts of the solver. Those that bounce are left out, until the bodies touch: not those of bodies that
/// overlap elsewhere, since a sweep does not find where these meet.
static void make_contacts(abut_world *world)
{
    abut_world_spread(world, world->awake_contact_count, make_solve_contacts, world);
    if (!abut_world_is_swept(world)) {
        return;
    }
    int count = 0, is_deep = 0;
    for (int i = 0, end = 0; i < world->awake_contact_count; ++i) {
        end = i < end ? end : end_of_pair(world, i, &is_deep);
        int index = world->awake_contacts[i];
        abut_solve_contact made = world->solve_contacts[i];
        if (is_deep || !is_left_to_impact(world, &world->contacts[index], &made)) {
            world->rises[count] = leave_arc(world, &made);
            world->awake_contacts[count] = index;
            world->solve_contacts[count++] = made;
        }
    }
    world->awake_contact_count = count;
}

/// Residuals that a report has room for. A limit of iterations that means "until it converges" must not take gigabytes.
enum { HISTORY_LIMIT = 10000 };

static int make_solver_room(abut_world *world)
{
    const abut_context *context = &world->context;
    int contacts = world->awake_contact_count, bodies = world->body_count;
    int history = 0;
    if (world->def.solver == ABUT_SOLVER_PROX) {
        history = world->prox.iteration_limit < HISTORY_LIMIT ? world->prox.iteration_limit : HISTORY_LIMIT;
    }
    return abut_grow(context, &world->solve_bodies, &world->solve_body_capacity, bodies,
                     sizeof *world->solve_bodies) &&
           abut_grow(context, &world->velocities, &world->velocity_capacity, bodies, sizeof *world->velocities) &&
           abut_grow(context, &world->solve_contacts, &world->solve_contact_capacity, contacts,
                     sizeof *world->solve_contacts) &&
           abut_grow(context, &world->rises, &world->rise_capacity, contacts, sizeof *world->rises) &&
           abut_grow(context, &world->impulses, &world->impulse_capacity, contacts, sizeof *world->impulses) &&
           abut_grow(context, &world->pushes, &world->push_capacity, contacts, sizeof *world->pushes) &&
           abut_grow(context, &world->history, &world->history_capacity, history, sizeof *world->history);
}

abut_status abut_world_name_step(const abut_world *world, const abut_error *reason, abut_error *error)
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
    problem.contact_count = world->awake_contact_count;
    int is_impact = world->span == 0.0;
    world->has_pushes = 1;
    problem.gap_rule = is_impact ? ABUT_GAP_NONE : world->def.gap_rule;
    problem.dt = world->horizon;
    if (world->def.solver == ABUT_SOLVER_MCP) {
        return abut_solve_mcp(world->solver, &problem, &world->mcp, result, error);
    }
    abut_prox_params params = world->prox;
    if (world->def.has_warm_start && !is_impact) {
        abut_status status = abut_world_warm_start(world);
        if (status != ABUT_OK) {
            return abut_fail(error, status, "no memory to match contacts");
        }
        params.start = world->impulses;
    }
    return abut_solve_prox(world->solver, &problem, &params, result, error);
}

/// Keeps contacts and impulses for the warm start of the next step.
static void keep_impulses(abut_world *world)
{
    abut_solve_contact *contacts = world->last_contacts;
    abut_solve_impulse *impulses = world->last_impulses, *pushes = world->last_pushes;
    int contact_capacity = world->last_contact_capacity, impulse_capacity = world->last_impulse_capacity,
        push_capacity = world->last_push_capacity;
    world->last_contacts = world->solve_contacts;
    world->last_impulses = world->impulses;
    world->last_pushes = world->pushes;
    world->last_contact_capacity = world->solve_contact_capacity;
    world->last_impulse_capacity = world->impulse_capacity;
    world->last_push_capacity = world->push_capacity;
    world->last_contact_count = world->awake_contact_count;
    world->last_span = world->span;
    world->push_span = world->has_pushes ? world->span : 0.0;
    world->solve_contacts = contacts;
    world->impulses = impulses;
    world->pushes = pushes;
    world->solve_contact_capacity = contact_capacity;
    world->impulse_capacity = impulse_capacity;
    world->push_capacity = push_capacity;
}

/// An upper bound of the speed of all points of the body.
static double speed_bound(const abut_body *body, abut_vec3 linear, abut_vec3 angular)
{
    return abut_norm(linear) + body->size * abut_norm(angular);
}

/// Fails with the fastest body in contact, which is the likely reason if the solver has no answer.
static abut_status name_fastest(const abut_world *world, abut_solve_outcome outcome, abut_error *error)
{
    int fastest = 0; // there are contacts: without any, no solver fails
    double highest = 0.0;
    for (int i = 0; i < 2 * world->awake_contact_count; ++i) {
        const abut_world_contact *contact = &world->contacts[world->awake_contacts[i / 2]];
        int body = i % 2 == 0 ? contact->body_a : contact->body_b;
        abut_solve_velocity velocity = world->solve_bodies[body].velocity;
        double speed = speed_bound(&world->bodies[body], velocity.linear, velocity.angular);
        if (speed > highest) {
            fastest = body;
            highest = speed;
        }
    }
    char name[ABUT_BODY_CALL_ROOM];
    return abut_fail_element(
        error, ABUT_LIMIT, world->bodies[fastest].number,
        "step %lld: the solver found no impulses (%s); the fastest body in contact is %s, at %.3g",
        (long long)world->step + 1, abut_solve_outcome_text(outcome), abut_world_call(world, fastest, name),
        highest);
}

/// Whether the step can use the impulses. At its iteration limit Gauss-Seidel is near an answer, and the report has
/// the residual; Lemke's method has an answer or none.
static int is_answer(abut_solver_kind solver, abut_solve_outcome outcome)
{
    return outcome == ABUT_SOLVE_CONVERGED || (solver == ABUT_SOLVER_PROX && outcome != ABUT_SOLVE_DIVERGED);
}

static void make_solve_bodies(void *data, int begin, int end, int worker)
{
    abut_world *world = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        const abut_body_motion *m = &world->bodies[i].motion;
        world->solve_bodies[i] = world->paths.is_held[i]
                                     ? (abut_solve_body){.velocity = {m->linear_velocity, m->angular_velocity}}
                                     // nothing moves it
                                     : abut_world_free_motion(world, &world->bodies[i]);
    }
}

static void take_impulses(void *data, int begin, int end, int worker)
{
    abut_world *world = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        world->contacts[world->awake_contacts[i]].impulse = world->impulses[i];
    }
}

static void take_velocities(void *data, int begin, int end, int worker)
{
    abut_world *world = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        abut_body *body = &world->bodies[i];
        if (!body->is_fixed && !abut_body_is_asleep(body)) {
            // adds the change, so that momentum without an impulse is kept to the last bit
            abut_vec3 change = abut_sub(world->velocities[i].angular, body->motion.angular_velocity);
            body->motion.angular_momentum = abut_add(
                body->motion.angular_momentum, abut_mat3_apply(abut_body_turn(body, body->local_inertia), change));
            body->motion.linear_velocity = world->velocities[i].linear;
            body->motion.angular_velocity = world->velocities[i].angular;
        }
    }
}

abut_status abut_world_solve(abut_world *world, abut_error *error)
{
    if (!make_solver_room(world)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for the solver");
    }
    abut_world_spread(world, world->body_count, make_solve_bodies, world);
    make_contacts(world);
    abut_solve_result result = {.velocities = world->velocities,
                                .impulses = world->impulses,
                                .history = world->history,
                                .history_capacity = world->history_capacity};
    abut_error reason = {.element = -1};
    abut_status status = run_solver(world, &result, &reason);
    if (status != ABUT_OK) {
        return abut_world_name_step(world, &reason, error);
    }
    abut_world_report *report = &world->report;
    report->outcome = result.outcome;
    report->iterations = result.iterations;
    report->residual = result.residual;
    report->residual_scale = result.scale;
    report->history = world->history;
    report->history_count = result.history_count;
    if (!is_answer(world->def.solver, result.outcome)) {
        return name_fastest(world, result.outcome, error);
    }
    abut_world_spread(world, world->awake_contact_count, take_impulses, world);
    abut_world_spread(world, world->body_count, take_velocities, world);
    return ABUT_OK;
}

static int has_mean_velocities(const abut_world *world)
{
    return world->paths.before == 0.0 && abut_world_is_swept(world);
}

static void take_path_velocities(void *data, int begin, int end, int worker)
{
    abut_world *world = data;
    abut_paths *p = &world->paths;
    int is_mean = has_mean_velocities(world);
    (void)worker;
    for (int i = begin; i < end; ++i) {
        const abut_body_motion *now = &world->bodies[i].motion;
        p->velocities[i] =
            is_mean ? abut_lerp(p->begin[i].linear_velocity, now->linear_velocity, 0.5) : now->linear_velocity;
    }
}

/// Finds the velocities of the centers up to the end of the step, after it was solved. If the step is swept, a body without
/// contact forces moves at the mean of its velocities, which is exact in free fall; others at the velocity that the contacts allow. In
/// Moreau's step the halves give that mean.
static void find_velocities(abut_world *world)
{
    abut_paths *p = &world->paths;
    int is_mean = has_mean_velocities(world);
    abut_world_spread(world, world->body_count, take_path_velocities, world);
    for (int i = 0; i < world->awake_contact_count && is_mean; ++i) {
        const abut_solve_contact *c = &world->solve_contacts[i];
        if (world->impulses[i].normal > 0.0) {
            p->velocities[c->body_a] = world->bodies[c->body_a].motion.linear_velocity;
            p->velocities[c->body_b] = world->bodies[c->body_b].motion.linear_velocity;
        }
    }
}

static abut_status check_motion(const abut_world *world, abut_error *error)
{
    for (int i = 0; i < world->body_count; ++i) {
        const abut_body_motion *m = &world->bodies[i].motion;
        char name[ABUT_BODY_CALL_ROOM];
        double speed = speed_bound(&world->bodies[i], m->linear_velocity, m->angular_velocity);
        double energy = abut_body_kinetic_energy(&world->bodies[i]);
        if (!abut_is_finite(m->center) || !isfinite(speed) || !isfinite(energy)) {
            return abut_fail_element(error, ABUT_LIMIT, world->bodies[i].number,
                                     "step %lld: %s diverged: its motion is not finite", (long long)world->step + 1,
                                     abut_world_call(world, i, name));
        }
        if (speed > world->def.speed_limit) {
            return abut_fail_element(
                error, ABUT_LIMIT, world->bodies[i].number,
                "step %lld: %s diverged: its speed plus spin times size is %.3g, above the limit of %.3g",
                (long long)world->step + 1, abut_world_call(world, i, name), speed, world->def.speed_limit);
        }
    }
    return ABUT_OK;
}

static void keep_beginnings(void *data, int begin, int end, int worker)
{
    abut_world *world = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        world->paths.begin[i] = world->bodies[i].motion;
    }
}

static void keep_middles(void *data, int begin, int end, int worker)
{
    abut_world *world = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        world->paths.middle[i] = world->bodies[i].motion;
    }
}

/// Puts the bodies to the ends of their paths, after they were turned.
static void place_bodies(void *data, int begin, int end, int worker)
{
    abut_world *world = data;
    const abut_paths *p = &world->paths;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        abut_body *body = &world->bodies[i];
        if (p->is_held[i]) {
            body->motion.center = p->begin[i].center;
            body->motion.rotation = p->begin[i].rotation;
            abut_body_update_spin(body);
        } else if (!abut_body_is_asleep(body)) {
            body->motion.center = abut_add_scaled(p->middle[i].center, p->after, p->velocities[i]);
        }
    }
}

abut_status abut_world_try_span(abut_world *world, double span, abut_error *error)
{
    abut_paths *p = &world->paths;
    world->span = span;
    // what is left to the solver must meet its contacts first: half of a step without them would lead into others
    p->before = p->is_moreau && !p->is_rest && !p->is_lenient ? 0.5 * span : 0.0;
    p->after = span - p->before;
    int is_followed = p->is_moreau && !p->is_cut; // by the first half of a step
    world->horizon = p->after + (is_followed ? 0.5 * world->def.dt : 0.0);
    abut_world_spread(world, world->body_count, keep_beginnings, world);
    abut_status status = p->before > 0.0 ? abut_world_advance(world, p->before, error) : ABUT_OK;
    if (status == ABUT_OK) {
        status = abut_world_limit(world, p->before, error);
    }
    if (status == ABUT_OK) {
        status = abut_world_find_awake_contacts(world, error);
    }
    if (status == ABUT_OK) {
        abut_world_tell(world, ABUT_PHASE_SOLVE);
        status = abut_world_solve(world, error);
    }
    if (status == ABUT_OK) {
        find_velocities(world);
        status = abut_world_stabilise(world, error);
    }
    if (status == ABUT_OK) {
        abut_world_spread(world, world->body_count, keep_middles, world);
        status = abut_world_advance(world, p->after, error);
        abut_world_spread(world, world->body_count, place_bodies, world);
    }
    if (status == ABUT_OK) {
        status = abut_world_is_swept(world) ? check_motion(world, error) : abut_world_limit(world, p->after, error);
    }
    return status;
}

abut_status abut_world_step_time(abut_world *world, abut_stepper stepper, abut_error *error)
{
    world->paths.is_moreau = stepper == ABUT_STEPPER_MOREAU;
    world->paths.is_rest = world->paths.is_cut = 0;
    memset(world->paths.is_held, 0, (size_t)world->body_count);
    world->report.held_count = 0;
    world->report.lost_time = 0.0;
    return abut_world_is_swept(world) ? abut_world_run_swept(world, error)
                                      : abut_world_try_span(world, world->def.dt, error);
}

/// Shows the contacts to the caller, with the numbers of its world.
static abut_status show_contacts(abut_world *world)
{
    const abut_world_callbacks *callbacks = &world->def.callbacks;
    if (world->whole == NULL) {
        return callbacks->on_contacts(callbacks->user, world, world->contacts, world->contact_count);
    }
    for (int i = 0; i < world->contact_count; ++i) {
        abut_world_contact *c = &world->contacts[i];
        c->body_a = world->bodies[c->body_a].number;
        c->body_b = world->bodies[c->body_b].number;
    }
    abut_status status =
        callbacks->on_contacts(callbacks->user, world->whole, world->contacts, world->contact_count);
    for (int i = 0; i < world->pair_count; ++i) {
        const abut_pair_state *pair = &world->pairs[i];
        for (int k = 0; k < pair->contact_count; ++k) {
            world->contacts[pair->contact_begin + k].body_a = pair->bodies.a;
            world->contacts[pair->contact_begin + k].body_b = pair->bodies.b;
        }
    }
    return status;
}

abut_status abut_world_find_awake_contacts(abut_world *world, abut_error *error)
{
    abut_status status = abut_world_find_contacts(world, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_world_wake_touched(world);
    if (world->def.callbacks.on_contacts != NULL) {
        status = show_contacts(world);
        if (status != ABUT_OK) {
            return abut_fail(error, status, "step %lld was ended by on_contacts", (long long)world->step + 1);
        }
    }
    return abut_world_list_awake(world) == ABUT_OK ? ABUT_OK
                                                   : abut_fail(error, ABUT_NO_MEMORY, "no memory for the solver");
}

/// Fails if a push is not finite, and drops it: no other push could cancel it.
static abut_status check_pushes(abut_world *world, abut_error *error)
{
    for (int i = 0; i < world->body_count; ++i) {
        abut_body *body = &world->bodies[i];
        if (!abut_is_finite(body->force) || !abut_is_finite(body->moment)) {
            char name[ABUT_BODY_CALL_ROOM];
            body->force = body->moment = abut_vec3_make(0.0, 0.0, 0.0);
            return abut_fail_element(error, ABUT_BAD_DATA, i,
                                     "step %lld: %s: a force or moment pushed on it is not finite",
                                     (long long)world->step + 1, abut_world_call(world, i, name));
        }
    }
    return ABUT_OK;
}

void abut_world_put_back(abut_world *world, const abut_body_motion *motions)
{
    world->asleep_count = 0;
    for (int i = 0; i < world->body_count; ++i) {
        world->bodies[i].motion = motions[i];
        world->asleep_count += abut_body_is_asleep(&world->bodies[i]);
    }
}

static void end_step(abut_world *world)
{
    ++world->step;
    world->report.step = world->step;
    world->report.time = (double)world->step * world->def.dt;
    world->report.asleep_count = world->asleep_count;
    abut_world_tell(world, ABUT_PHASE_END);
    if (world->def.callbacks.on_step != NULL) {
        world->def.callbacks.on_step(world->def.callbacks.user, world);
    }
}

/// A step in which all free bodies sleep. Its report has the contacts of the last one.
static void rest(abut_world *world)
{
    abut_world_report *report = &world->report;
    report->iterations = report->matched = report->history_count = 0;
    report->stabilisation_iterations = report->change_count = report->churn = 0;
    report->residual = report->residual_scale = 0.0;
    report->outcome = ABUT_SOLVE_CONVERGED;
    memset(&report->stats, 0, sizeof report->stats);
    end_step(world);
}

/// The step, without its end, by the stepper of the world.
static abut_status run_step(abut_world *world, abut_error *error)
{
    if (world->def.response != NULL) {
        return abut_world_step_penalty(world, error);
    }
    if (world->def.stepper == ABUT_STEPPER_EVENTS) {
        return world->soft_count == 0
                   ? abut_world_step_events(world, error)
                   : abut_fail(error, ABUT_UNSUPPORTED, "a world with soft bodies has no steps of events");
    }
    abut_status status = world->soft_count > 0 ? abut_world_begin_soft(world, error) : ABUT_OK;
    status = status == ABUT_OK ? abut_world_step_time(world, world->def.stepper, error) : status;
    return status == ABUT_OK && world->soft_count > 0 ? abut_world_end_soft(world, error) : status;
}

abut_status abut_world_step(abut_world *world, abut_error *error)
{
    ABUT_ASSERT(world != NULL);
    if (!abut_grow(&world->context, &world->kept, &world->kept_capacity, world->body_count, sizeof *world->kept) ||
        abut_world_grow_paths(world) != ABUT_OK) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a step");
    }
    if (abut_world_is_at_rest(world)) {
        rest(world);
        return ABUT_OK;
    }
    for (int i = 0; i < world->body_count; ++i) {
        world->kept[i] = world->bodies[i].motion;
    }
    ++world->motion_count;
    abut_status status = check_pushes(world, error);
    abut_world_keep_soft(world);
    status = status == ABUT_OK ? run_step(world, error) : status;
    if (status == ABUT_OK) {
        status = check_motion(world, error);
    }
    if (status != ABUT_OK) {
        abut_world_put_back(world, world->kept);
        abut_world_put_back_soft(world);
        return status;
    }
    abut_world_commit_soft(world);
    for (int i = 0; i < world->body_count; ++i) {
        world->bodies[i].force = world->bodies[i].moment = abut_vec3_make(0.0, 0.0, 0.0);
    }
    if (abut_world_has_penalty(world)) {
        abut_world_commit_penalty(world);
    }
    if (world->def.response == NULL) {
        keep_impulses(world);
        abut_world_put_to_sleep(world);
        abut_world_commit_pairs(world);
    }
    end_step(world);
    return ABUT_OK;
}

abut_status abut_world_detect(abut_world *world, abut_error *error)
{
    ABUT_ASSERT(world != NULL);
    world->span = world->horizon = world->def.dt;
    world->paths.is_cut = 0;
    return abut_world_find_contacts(world, error);
}
