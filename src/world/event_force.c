// SPDX-License-Identifier: MIT
// event_force.c: forces and impulses at contacts that rest or collide, and the correction of their drift
//
// Forces are a linear complementarity problem of accelerations (Baraff 1989): gap'' >= 0, force >= 0, one of them
// zero. It is the frictionless problem of abut_solve_mcp() with accelerations in place of velocities. Each island is
// solved on its own by Lemke's method, in time with the cube of its contacts.
//
// Drift is corrected by the least motion, in the metric of the masses, that makes all gaps zero, and the same for
// speeds: J M^-1 J^T x = -gap by conjugate gradients, which need no independent rows.
//
// Source:  Baraff 1989; Bouma and Vanecek 1993, section 2.2, for when drift is corrected.
// Differs: they hold contacts by equations at n + 1 points of a region and break those that pull. Three corners of four
//          pull for loads that all four together carry (docs/simulation.md), so here all corners are in the problem.
#include "world/event.h"

#include "base/error.h"

#include <float.h>
#include <string.h>

/// Drift that is left: of the smaller body, and of the largest speed of two bodies.
static const double gap_accuracy = 1e-14;
/// Of the largest response of a row: directions with a smaller one are dependent rows, which only have rounding.
static const double least_response = 1e-8;
enum { CORRECTION_ROUNDS = 4, GRADIENT_ROUNDS = 3 };

static int make_room(abut_world *world)
{
    abut_event_stepper *s = world->events;
    const abut_context *context = &world->context;
    int bodies = world->body_count, rows = s->row_count;
    return abut_grow(context, &s->bodies, &s->body_capacity, bodies, sizeof *s->bodies) &&
           abut_grow(context, &s->answer, &s->answer_capacity, bodies, sizeof *s->answer) &&
           abut_grow(context, &s->parents, &s->parent_capacity, bodies, sizeof *s->parents) &&
           abut_grow(context, &s->locals, &s->local_capacity, bodies, sizeof *s->locals) &&
           abut_grow(context, &s->heads, &s->head_capacity, bodies, sizeof *s->heads) &&
           abut_grow(context, &s->globals, &s->global_capacity, bodies, sizeof *s->globals) &&
           abut_grow(context, &s->island_bodies, &s->island_body_capacity, bodies, sizeof *s->island_bodies) &&
           abut_grow(context, &s->island_answer, &s->island_answer_capacity, bodies, sizeof *s->island_answer) &&
           abut_grow(context, &s->links, &s->link_capacity, rows, sizeof *s->links) &&
           abut_grow(context, &s->frames, &s->frame_capacity, rows, sizeof *s->frames) &&
           abut_grow(context, &s->forces, &s->force_capacity, rows, sizeof *s->forces) &&
           abut_grow(context, &s->island_contacts, &s->island_contact_capacity, rows, sizeof *s->island_contacts) &&
           abut_grow(context, &s->island_impulses, &s->island_impulse_capacity, rows, sizeof *s->island_impulses) &&
           abut_grow(context, &s->vectors, &s->vector_capacity, 4 * rows, sizeof *s->vectors);
}

/// Makes room, and evaluates the rows that are held. `bodies` get their inverse masses.
static abut_status begin(abut_world *world, abut_error *error)
{
    abut_event_stepper *s = world->events;
    if (!make_room(world)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for forces");
    }
    for (int i = 0; i < world->body_count; ++i) {
        const abut_body *body = &world->bodies[i];
        abut_solve_body made = {.velocity = {body->motion.linear_velocity, body->motion.angular_velocity}};
        if (abut_body_is_free(body)) {
            made.inverse_mass = 1.0 / body->mass;
            made.inverse_inertia = abut_mat3_symmetric(abut_body_turn(body, body->local_inverse));
        }
        s->bodies[i] = made;
    }
    for (int i = 0; i < s->row_count; ++i) {
        s->forces[i] = 0.0;
        if (s->rows[i].is_held) {
            s->frames[i] = abut_event_row_frame(world, &s->rows[i]);
        }
    }
    return ABUT_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Islands

static int root_of(int *parents, int body)
{
    while (parents[body] != body) {
        parents[body] = parents[parents[body]];
        body = parents[body];
    }
    return body;
}

/// Lists the rows that are held by island: from `heads` of its lowest free body, ascending, along `links`.
static void find_islands(abut_world *world)
{
    abut_event_stepper *s = world->events;
    for (int i = 0; i < world->body_count; ++i) {
        s->parents[i] = i;
        s->heads[i] = s->locals[i] = -1;
    }
    for (int i = 0; i < s->row_count; ++i) {
        int a = s->rows[i].body_a, b = s->rows[i].body_b;
        if (s->rows[i].is_held && s->bodies[a].inverse_mass > 0.0 && s->bodies[b].inverse_mass > 0.0) {
            int root_a = root_of(s->parents, a), root_b = root_of(s->parents, b);
            s->parents[root_a > root_b ? root_a : root_b] = root_a < root_b ? root_a : root_b;
        }
    }
    for (int i = s->row_count - 1; i >= 0; --i) {
        if (s->rows[i].is_held) {
            int is_a = s->bodies[s->rows[i].body_a].inverse_mass > 0.0;
            int root = root_of(s->parents, is_a ? s->rows[i].body_a : s->rows[i].body_b);
            s->links[i] = s->heads[root];
            s->heads[root] = i;
        }
    }
}

static int local_of(abut_event_stepper *s, int body, int *count)
{
    if (s->locals[body] < 0) {
        s->locals[body] = *count;
        s->globals[*count] = body;
        s->island_bodies[(*count)++] = s->bodies[body];
    }
    return s->locals[body];
}

/// What a row asks for: of accelerations gap'' >= 0, of velocities Newton's law.
static abut_solve_contact contact_of(const abut_event_row *row, const abut_event_frame *frame, int is_impact)
{
    abut_solve_contact made = abut_solve_contact_default(0, 1, frame->normal);
    made.arm_a = frame->arm_a;
    made.arm_b = frame->arm_b;
    if (is_impact) {
        made.restitution = row->restitution;
        made.speed_before = frame->speed;
    } else {
        made.correction = -frame->bias;
    }
    return made;
}

/// Solves by Lemke's method. Dependent rows can spoil its tableau, or let it run in circles; then by Gauss-Seidel.
static abut_status solve_directly(abut_world *world, const abut_solve_problem *problem, abut_solve_result *result,
                                  abut_error *reason)
{
    abut_mcp_params params = abut_mcp_params_default();
    abut_status status = abut_solve_mcp(world->solver, problem, &params, result, reason);
    if (status == ABUT_OK && result->outcome != ABUT_SOLVE_CONVERGED && result->outcome != ABUT_SOLVE_RAY) {
        abut_prox_params second = abut_prox_params_default();
        second.relative_tolerance = 1e-13;
        second.iteration_limit = 10000;
        status = abut_solve_prox(world->solver, problem, &second, result, reason);
        if (result->outcome == ABUT_SOLVE_ITERATIONS && result->residual <= 1e-9 * result->scale) {
            result->outcome = ABUT_SOLVE_CONVERGED;
        }
    }
    return status;
}

/// Solves the problem that was gathered; a collision once more without restitution if it has no answer with it.
static abut_status solve_gathered(abut_world *world, abut_solve_problem *problem, int is_impact, abut_error *error)
{
    abut_event_stepper *s = world->events;
    abut_solve_result result = {.velocities = s->island_answer, .impulses = s->island_impulses};
    abut_error reason = {.element = -1};
    abut_status status = solve_directly(world, problem, &result, &reason);
    if (status == ABUT_OK && result.outcome != ABUT_SOLVE_CONVERGED && is_impact) {
        for (int i = 0; i < problem->contact_count; ++i) {
            s->island_contacts[i].restitution = 0.0;
        }
        status = solve_directly(world, problem, &result, &reason);
    }
    if (status != ABUT_OK) {
        return abut_world_name_step(world, &reason, error);
    }
    if (result.outcome != ABUT_SOLVE_CONVERGED) {
        char name[ABUT_BODY_CALL_ROOM];
        int body = s->globals[problem->contacts[0].body_a];
        return abut_fail_element(error, ABUT_LIMIT, body,
                                 "step %lld: no forces keep the bodies apart that touch %s (%s)",
                                 (long long)world->step + 1, abut_world_call(world, body, name),
                                 abut_solve_outcome_text(result.outcome));
    }
    return ABUT_OK;
}

static abut_status solve_island(abut_world *world, int head, int is_impact, abut_error *error)
{
    abut_event_stepper *s = world->events;
    int bodies = 0, contacts = 0;
    for (int i = head; i >= 0; i = s->links[i]) {
        abut_solve_contact *c = &s->island_contacts[contacts++];
        *c = contact_of(&s->rows[i], &s->frames[i], is_impact);
        c->body_a = local_of(s, s->rows[i].body_a, &bodies);
        c->body_b = local_of(s, s->rows[i].body_b, &bodies);
    }
    abut_solve_problem problem = abut_solve_problem_default();
    problem.bodies = s->island_bodies;
    problem.body_count = bodies;
    problem.contacts = s->island_contacts;
    problem.contact_count = contacts;
    abut_status status = solve_gathered(world, &problem, is_impact, error);
    if (status == ABUT_OK) {
        contacts = 0;
        for (int i = head; i >= 0; i = s->links[i]) {
            s->forces[i] = s->island_impulses[contacts++].normal;
        }
        for (int i = 0; i < bodies; ++i) {
            s->answer[s->globals[i]] = s->island_answer[i];
        }
    }
    for (int i = 0; i < bodies; ++i) { // a fixed body may be in other islands too
        s->locals[s->globals[i]] = -1;
    }
    return status;
}

static abut_status solve_islands(abut_world *world, int is_impact, abut_error *error)
{
    abut_event_stepper *s = world->events;
    find_islands(world);
    for (int i = 0; i < world->body_count; ++i) {
        s->answer[i] = s->bodies[i].velocity;
    }
    abut_status status = ABUT_OK;
    for (int i = 0; i < world->body_count && status == ABUT_OK; ++i) {
        status = s->heads[i] >= 0 ? solve_island(world, s->heads[i], is_impact, error) : ABUT_OK;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Forces and impulses

abut_status abut_event_find_forces(abut_world *world, abut_error *error)
{
    abut_event_stepper *s = world->events;
    abut_status status = begin(world, error);
    if (status != ABUT_OK) {
        return status;
    }
    for (int i = 0; i < world->body_count; ++i) {
        const abut_body *body = &world->bodies[i];
        abut_solve_velocity free = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        if (abut_body_is_free(body)) {
            abut_vec3 moment =
                abut_sub(body->moment, abut_cross(body->motion.angular_velocity, body->motion.angular_momentum));
            free.linear = abut_add_scaled(world->def.gravity, 1.0 / body->mass, body->force);
            free.angular = abut_mat3_apply(s->bodies[i].inverse_inertia, moment);
        }
        s->bodies[i].velocity = free;
    }
    return solve_islands(world, 0, error);
}

double abut_event_acceleration(const abut_event_stepper *s, int row)
{
    const abut_event_frame *f = &s->frames[row];
    const abut_solve_velocity *a = &s->answer[s->rows[row].body_a], *b = &s->answer[s->rows[row].body_b];
    abut_vec3 at_a = abut_add(a->linear, abut_cross(a->angular, f->arm_a));
    abut_vec3 at_b = abut_add(b->linear, abut_cross(b->angular, f->arm_b));
    return abut_dot(f->normal, abut_sub(at_b, at_a)) + f->bias;
}

/// Gives a free body an impulse along the normal of a row.
static void push(abut_body *body, abut_vec3 arm, abut_vec3 impulse)
{
    if (abut_body_is_free(body)) {
        body->motion.linear_velocity = abut_add_scaled(body->motion.linear_velocity, 1.0 / body->mass, impulse);
        body->motion.angular_momentum = abut_add(body->motion.angular_momentum, abut_cross(arm, impulse));
        abut_body_update_spin(body);
    }
}

abut_status abut_event_collide(abut_world *world, abut_error *error)
{
    abut_event_stepper *s = world->events;
    abut_status status = begin(world, error);
    if (status == ABUT_OK) {
        status = solve_islands(world, 1, error);
    }
    for (int i = 0; i < s->row_count && status == ABUT_OK; ++i) {
        if (s->rows[i].is_held && s->forces[i] > 0.0) {
            const abut_event_frame *f = &s->frames[i];
            push(&world->bodies[s->rows[i].body_a], f->arm_a, abut_scale(-s->forces[i], f->normal));
            push(&world->bodies[s->rows[i].body_b], f->arm_b, abut_scale(s->forces[i], f->normal));
        }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Drift

static double speed_of(const abut_event_stepper *s, int row)
{
    const abut_event_frame *f = &s->frames[row];
    const abut_solve_velocity *a = &s->answer[s->rows[row].body_a], *b = &s->answer[s->rows[row].body_b];
    abut_vec3 at_a = abut_add(a->linear, abut_cross(a->angular, f->arm_a));
    abut_vec3 at_b = abut_add(b->linear, abut_cross(b->angular, f->arm_b));
    return abut_dot(f->normal, abut_sub(at_b, at_a));
}

static void add_impulse(abut_event_stepper *s, int body, abut_vec3 arm, abut_vec3 impulse)
{
    const abut_solve_body *b = &s->bodies[body];
    abut_solve_velocity *v = &s->answer[body];
    v->linear = abut_add_scaled(v->linear, b->inverse_mass, impulse);
    v->angular = abut_add(v->angular, abut_mat3_apply(b->inverse_inertia, abut_cross(arm, impulse)));
}

/// Fills `answer` with what impulses x at the rows that are held make of bodies at rest.
static void respond(abut_world *world, const double *x)
{
    abut_event_stepper *s = world->events;
    for (int i = 0; i < world->body_count; ++i) {
        s->answer[i] = (abut_solve_velocity){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    }
    for (int i = 0; i < s->row_count; ++i) {
        if (s->rows[i].is_held) {
            add_impulse(s, s->rows[i].body_a, s->frames[i].arm_a, abut_scale(-x[i], s->frames[i].normal));
            add_impulse(s, s->rows[i].body_b, s->frames[i].arm_b, abut_scale(x[i], s->frames[i].normal));
        }
    }
}

/// The speed that a unit impulse at a row makes there.
static double response_of(const abut_event_stepper *s, int row)
{
    const abut_event_frame *f = &s->frames[row];
    const abut_solve_body *a = &s->bodies[s->rows[row].body_a], *b = &s->bodies[s->rows[row].body_b];
    abut_vec3 turn_a = abut_cross(f->arm_a, f->normal), turn_b = abut_cross(f->arm_b, f->normal);
    return a->inverse_mass + b->inverse_mass + abut_dot(turn_a, abut_mat3_apply(a->inverse_inertia, turn_a)) +
           abut_dot(turn_b, abut_mat3_apply(b->inverse_inertia, turn_b));
}

/// How far rounding may put off the gap or the speed of a row.
static double rounding_of(const abut_world *world, const abut_event_row *row, int is_gap)
{
    const abut_body *a = &world->bodies[row->body_a], *b = &world->bodies[row->body_b];
    double gap = abut_norm(a->motion.center) + abut_norm(b->motion.center) + a->reach + b->reach;
    double speed = abut_norm(a->motion.linear_velocity) + abut_norm(b->motion.linear_velocity) +
                   abut_body_spin_speed(a) + abut_body_spin_speed(b);
    return 4.0 * DBL_EPSILON * (is_gap ? gap : speed);
}

/// Conjugate gradients for speeds that cancel `forces`, from zero, down to rounding: rows may depend on each other, and
/// what they contradict each other by must not be amplified. `answer` gets the velocities of the best iterate.
static void cancel(abut_world *world, int is_gap)
{
    abut_event_stepper *s = world->events;
    int n = s->row_count, held = 0;
    double *x = s->vectors, *residual = x + n, *direction = residual + n, *best = direction + n;
    double square = 0.0, response = 0.0, aim = 0.0;
    for (int i = 0; i < n; ++i) {
        x[i] = best[i] = 0.0;
        residual[i] = direction[i] = s->rows[i].is_held ? -s->forces[i] : 0.0;
        square += residual[i] * residual[i];
        if (s->rows[i].is_held) {
            double rounding = rounding_of(world, &s->rows[i], is_gap);
            aim += rounding * rounding;
            response = fmax(response, response_of(s, i));
            ++held;
        }
    }
    double least = square;
    for (int round = 0; round < GRADIENT_ROUNDS * held && square > aim; ++round) {
        respond(world, direction);
        double curvature = 0.0, length = 0.0;
        for (int i = 0; i < n; ++i) {
            curvature += s->rows[i].is_held ? direction[i] * speed_of(s, i) : 0.0;
            length += direction[i] * direction[i];
        }
        if (!(curvature > least_response * response * length)) {
            break;
        }
        double step = square / curvature, next = 0.0;
        for (int i = 0; i < n; ++i) {
            if (s->rows[i].is_held) {
                x[i] += step * direction[i];
                residual[i] -= step * speed_of(s, i);
                next += residual[i] * residual[i];
            }
        }
        for (int i = 0; i < n; ++i) {
            direction[i] = residual[i] + next / square * direction[i];
        }
        square = next;
        if (square < least) {
            least = square;
            memcpy(best, x, (size_t)n * sizeof *best);
        }
    }
    respond(world, best);
}

/// The largest gap of the rows that are held, relative to the bodies.
static double largest_gap(const abut_event_stepper *s)
{
    double largest = 0.0;
    for (int i = 0; i < s->row_count; ++i) {
        largest = s->rows[i].is_held ? fmax(largest, fabs(s->frames[i].gap) / s->rows[i].size) : largest;
    }
    return largest;
}

static void correct_speeds(abut_world *world)
{
    abut_event_stepper *s = world->events;
    for (int i = 0; i < s->row_count; ++i) {
        s->forces[i] = s->rows[i].is_held ? s->frames[i].speed : 0.0;
    }
    cancel(world, 0);
    for (int i = 0; i < world->body_count; ++i) {
        abut_body *body = &world->bodies[i];
        if (abut_body_is_free(body)) {
            abut_body_motion *m = &body->motion;
            m->linear_velocity = abut_add(m->linear_velocity, s->answer[i].linear);
            m->angular_momentum =
                abut_add(m->angular_momentum,
                         abut_mat3_apply(abut_body_turn(body, body->local_inertia), s->answer[i].angular));
            abut_body_update_spin(body);
        }
    }
}

abut_status abut_event_correct(abut_world *world, abut_error *error)
{
    abut_event_stepper *s = world->events;
    abut_status status = begin(world, error);
    double last = HUGE_VAL;
    for (int round = 0; round < CORRECTION_ROUNDS && status == ABUT_OK; ++round) {
        double largest = largest_gap(s);
        if (largest <= gap_accuracy || !(largest < 0.5 * last)) {
            break;
        }
        last = largest;
        for (int i = 0; i < s->row_count; ++i) {
            s->forces[i] = s->rows[i].is_held ? s->frames[i].gap : 0.0;
        }
        cancel(world, 1);
        for (int i = 0; i < world->body_count; ++i) {
            if (abut_body_is_free(&world->bodies[i])) {
                abut_body_displace(&world->bodies[i], s->answer[i], 1.0);
            }
        }
        status = begin(world, error);
    }
    if (status == ABUT_OK) {
        correct_speeds(world);
    }
    return status;
}
