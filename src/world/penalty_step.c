// SPDX-License-Identifier: MIT
// penalty_step.c: a time step in which penalty forces keep bodies apart
//
// Bodies get the velocities that all other forces give them: gravity, pushes, and of soft bodies the elastic forces. Along
// the paths that they would take with these, the trackers of the pairs of bodies find the impulses. These change the
// velocities, the bodies move, and the trackers follow the paths that they took. The discrete forces are those at the
// present places: bodies do not move while they are found.
//
// If only soft bodies have penalty forces, rigid bodies get theirs as forces of the step in which a solver keeps rigid
// bodies apart.
//
// Source:  Tang, Manocha, Otaduy, Tong 2012, section 3.3 (equation 7) and section 3.6 (friction).
// Differs: pairs are tracked along the paths that the bodies took, where the paper tracks them along the predicted ones: what
//          is crossed only on the way back would be inside without a side in the next step. Friction stops the sliding at most:
//          each of n contacts of a body or vertex takes at most the n-th part of the impulse that would stop it.
#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "response/response_params.h"
#include "world/penalty_pairs.h"
#include "world/soft_body.h"

#include <string.h>

/// Without a given stiffness: k = this times m / dt^2, with the mass m that the contacts there may move together. A
/// single contact is stable up to 2.
static const double STIFFNESS_SHARE = 0.5;

/// Whether the world chooses the stiffness of each contact.
static int has_own_stiffness(const abut_world *world)
{
    return world->def.response == NULL && world->def.soft_response == NULL;
}

abut_status abut_world_read_response(abut_world *world, abut_error *error)
{
    abut_world_def *def = &world->def;
    abut_error reason;
    const abut_response_params *given = def->response != NULL ? def->response : def->soft_response;
    world->response = abut_response_params_default();
    world->response.weights = ABUT_WEIGHTS_PAIR;
    if (given != NULL && abut_response_params_read(given, &world->response, &reason) != ABUT_OK) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the world's %s: %s",
                         def->response != NULL ? "response" : "soft_response", reason.text);
    }
    def->soft_response = def->response == NULL && given != NULL ? &world->response : NULL;
    if (def->response != NULL) {
        def->response = &world->response;
        def->method = abut_method_find("continuous");
        def->params = NULL;
    }
    return ABUT_OK;
}

static abut_status fail_memory(abut_error *error)
{
    return abut_fail(error, ABUT_NO_MEMORY, "no memory for penalty forces");
}

// ---------------------------------------------------------------------------------------------------------------
// Impulses

/// One side of a contact.
typedef struct contact_side {
    int body;
    const abut_anchor *anchor;
    abut_vec3 point;
} contact_side;

static contact_side side_of(const abut_world_contact *c, int second)
{
    return second ? (contact_side){c->body_b, &c->contact.anchor_b, c->contact.position_b}
                  : (contact_side){c->body_a, &c->contact.anchor_a, c->contact.position_a};
}

static abut_vec3 velocity_at(const abut_world *world, contact_side at)
{
    const abut_body *body = &world->bodies[at.body];
    if (body->soft != NULL) {
        return abut_soft_body_velocity(body->soft, at.anchor);
    }
    const abut_body_motion *m = &world->penalty->free[at.body];
    return abut_add(m->linear_velocity, abut_cross(m->angular_velocity, abut_sub(at.point, m->center)));
}

/// How much the velocity at a point changes along a direction, by an impulse of size 1 there; with loads, by such an
/// impulse at each contact of the body or vertices.
static double yield(const abut_world *world, contact_side at, abut_vec3 direction, int has_loads)
{
    const abut_body *body = &world->bodies[at.body];
    if (body->soft != NULL) {
        return abut_soft_body_yield(body->soft, at.anchor, has_loads);
    }
    if (body->is_fixed) {
        return 0.0;
    }
    abut_vec3 lever = abut_cross(abut_sub(at.point, body->motion.center), direction);
    double one =
        1.0 / body->mass + abut_dot(lever, abut_mat3_apply(abut_body_turn(body, body->local_inverse), lever));
    return has_loads ? world->penalty->loads[at.body] * one : one;
}

static double pair_yield(const abut_world *world, const abut_world_contact *c, abut_vec3 direction, int has_loads)
{
    return yield(world, side_of(c, 0), direction, has_loads) + yield(world, side_of(c, 1), direction, has_loads);
}

/// The vertices and weights of one of the two features.
static abut_anchor anchor_of(const abut_response_pair *pair, int second)
{
    abut_anchor out = {{-1, -1, -1, -1}, {0.0, 0.0, 0.0, 0.0}};
    int split = pair->kind == ABUT_VERTEX_FACE ? 1 : 2, made = 0;
    for (int i = second ? split : 0; i < (second ? 4 : split); ++i, ++made) {
        out.vertices[made] = pair->vertices[i];
        out.weights[made] = pair->weights[i];
    }
    return out;
}

static abut_world_contact make_contact(const abut_world *world, abut_body_pair bodies,
                                       const abut_response_pair *pair)
{
    abut_contact_law law =
        abut_world_law(world, world->bodies[bodies.a].material, world->bodies[bodies.b].material);
    abut_world_contact made = {
        .body_a = bodies.a, .body_b = bodies.b, .friction = law.friction, .restitution = law.restitution};
    abut_contact *c = &made.contact;
    c->position_a = pair->point_a;
    c->position_b = pair->point_b;
    c->position = abut_lerp(pair->point_a, pair->point_b, 0.5);
    c->normal = abut_unit(pair->impulse);
    c->gap = abut_dot(c->normal, abut_sub(pair->point_b, pair->point_a));
    c->time = pair->begin;
    c->feature_a = pair->feature_a;
    c->feature_b = pair->feature_b;
    c->anchor_a = anchor_of(pair, pair->is_flipped);
    c->anchor_b = anchor_of(pair, !pair->is_flipped);
    c->region = -1;
    c->normal_speed =
        abut_dot(c->normal, abut_sub(velocity_at(world, side_of(&made, 1)), velocity_at(world, side_of(&made, 0))));
    made.impulse.normal = abut_norm(pair->impulse);
    return made;
}

static void add_load(abut_world *world, contact_side at)
{
    abut_soft_body *soft = world->bodies[at.body].soft;
    world->penalty->loads[at.body] += 1;
    for (int i = 0; soft != NULL && i < 4; ++i) {
        if (at.anchor->vertices[i] >= 0) {
            soft->loads[at.anchor->vertices[i]] += 1;
        }
    }
}

/// Lists the contacts of all pairs, and counts those of each body and vertex.
static abut_status list_contacts(abut_world *world, abut_error *error)
{
    struct abut_penalty_stepper *s = world->penalty;
    abut_world_report *report = &s->report;
    int count = 0;
    for (int i = 0; i < world->body_count; ++i) {
        s->loads[i] = 0;
        s->is_pushed[i] = 0;
        memset(&s->impulses[i], 0, sizeof s->impulses[i]);
    }
    for (int i = 0; i < s->count; ++i) {
        const abut_responder *r = &s->items[i];
        count += r->response.count;
        report->pair_count += r->is_near;
        report->tracked_count += r->response.tracked_count;
        report->without_side_count += r->response.without_side_count;
        report->angular_defect = abut_add(report->angular_defect, r->response.angular_defect);
        report->stats.candidate_pairs += r->response.candidate_pairs;
        report->stats.tested_pairs += r->response.tested_pairs;
    }
    if (!abut_grow(&world->context, &s->contacts, &s->contact_capacity, count, sizeof *s->contacts) ||
        !abut_grow(&world->context, &s->shares, &s->share_capacity, count, sizeof *s->shares)) {
        return fail_memory(error);
    }
    s->contact_count = 0;
    for (int i = 0; i < s->count; ++i) {
        const abut_responder *r = &s->items[i];
        for (int k = 0; k < r->response.count; ++k) {
            const abut_response_pair *pair = &r->response.pairs[k];
            if (!pair->is_without_side) {
                abut_world_contact *made = &s->contacts[s->contact_count];
                s->shares[s->contact_count++] = pair->share * world->response.stiffness;
                *made = make_contact(world, r->bodies, pair);
                add_load(world, side_of(made, 0));
                add_load(world, side_of(made, 1));
            }
        }
    }
    return ABUT_OK;
}

/// The friction on B.
static abut_vec3 find_friction(const abut_world *world, const abut_world_contact *c)
{
    abut_vec3 normal = c->contact.normal;
    abut_vec3 velocity = abut_sub(velocity_at(world, side_of(c, 1)), velocity_at(world, side_of(c, 0)));
    abut_vec3 sliding = abut_add_scaled(velocity, -abut_dot(velocity, normal), normal);
    double moves = pair_yield(world, c, abut_unit(sliding), 1);
    if (!(moves > 0.0) || abut_norm_squared(normal) == 0.0) {
        return abut_vec3_make(0.0, 0.0, 0.0);
    }
    return abut_penalty_friction(abut_scale(c->impulse.normal, normal), velocity, c->friction,
                                 world->def.viscosity * world->def.dt, abut_norm(sliding) / moves);
}

/// Completes the impulses of a range of contacts: stiffness, if the world chooses it, and friction.
static void complete(void *data, int begin, int end, int worker)
{
    abut_world *world = data;
    struct abut_penalty_stepper *s = world->penalty;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        abut_world_contact *c = &s->contacts[i];
        if (has_own_stiffness(world)) {
            double moves = pair_yield(world, c, c->contact.normal, 1), dt = world->def.dt;
            s->shares[i] = moves > 0.0 ? STIFFNESS_SHARE / (dt * dt * moves) : 0.0;
            c->impulse.normal *= s->shares[i];
        } else if (world->response.weights == ABUT_WEIGHTS_MASS) {
            double moves = pair_yield(world, c, c->contact.normal, 0), mass = moves > 0.0 ? 1.0 / moves : 0.0;
            s->shares[i] *= mass;
            c->impulse.normal *= mass;
        }
        c->impulse.tangent = find_friction(world, c);
    }
}

static void push(abut_world *world, contact_side at, abut_vec3 impulse)
{
    struct abut_penalty_stepper *s = world->penalty;
    abut_soft_body *soft = world->bodies[at.body].soft;
    s->is_pushed[at.body] = 1;
    if (soft == NULL) {
        abut_solve_velocity *sum = &s->impulses[at.body];
        abut_vec3 arm = abut_sub(at.point, world->bodies[at.body].motion.center);
        sum->linear = abut_add(sum->linear, impulse);
        sum->angular = abut_add(sum->angular, abut_cross(arm, impulse));
        return;
    }
    for (int i = 0; i < 4; ++i) {
        int v = at.anchor->vertices[i];
        if (v >= 0) {
            soft->impulses[v] = abut_add_scaled(soft->impulses[v], at.anchor->weights[i], impulse);
        }
    }
}

/// Sums of the impulses on bodies and vertices, and the longest stable step.
static void sum_impulses(abut_world *world)
{
    struct abut_penalty_stepper *s = world->penalty;
    s->report.contact_step = HUGE_VAL;
    for (int i = 0; i < s->contact_count; ++i) {
        const abut_world_contact *c = &s->contacts[i];
        abut_vec3 impulse = abut_add_scaled(c->impulse.tangent, c->impulse.normal, c->contact.normal);
        push(world, side_of(c, 0), abut_negate(impulse));
        push(world, side_of(c, 1), impulse);
        double rate = s->shares[i] * pair_yield(world, c, c->contact.normal, 0);
        s->report.contact_step =
            rate > 0.0 ? fmin(s->report.contact_step, sqrt(2.0 / rate)) : s->report.contact_step;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The step

/// Finds the velocities of all bodies without contacts, and where these lead.
static abut_status predict(abut_world *world, abut_error *error)
{
    struct abut_penalty_stepper *s = world->penalty;
    int has_paths = world->response.kind == ABUT_RESPONSE_CPF;
    for (int i = 0; i < world->body_count; ++i) {
        abut_body *body = &world->bodies[i];
        body->contact_force = body->contact_moment = abut_vec3_make(0.0, 0.0, 0.0);
        s->starts[i] = s->ends[i] = abut_body_pose(body);
        s->free[i] = body->motion;
        if (!body->is_fixed) {
            abut_solve_velocity velocity = abut_world_free_motion(world, body).velocity;
            abut_vec3 change = abut_sub(velocity.angular, body->motion.angular_velocity);
            s->free[i].angular_momentum = abut_add(
                body->motion.angular_momentum, abut_mat3_apply(abut_body_turn(body, body->local_inertia), change));
            s->free[i].linear_velocity = velocity.linear;
            s->free[i].angular_velocity = velocity.angular;
        }
        abut_body moved = *body;
        moved.motion = s->free[i];
        if (has_paths && body->soft == NULL && !abut_body_advance(&moved, world->def.dt)) {
            return abut_world_name_spinning(world, i, error);
        }
        s->ends[i] = has_paths && body->soft == NULL ? abut_body_pose(&moved) : s->ends[i];
    }
    return abut_world_accelerate_soft(world, has_paths, error);
}

static void count_soft(abut_world *world)
{
    abut_world_report *report = &world->penalty->report;
    report->inverted_body = report->inverted_tet = -1;
    for (int i = 0; i < world->body_count; ++i) {
        const abut_soft_body *soft = world->bodies[i].soft;
        if (soft == NULL) {
            continue;
        }
        report->unsettled_count += !soft->report.is_converged;
        if (soft->report.inverted_count > 0 && report->inverted_count == 0) {
            report->inverted_body = i;
            report->inverted_tet = soft->report.first_inverted;
        }
        report->inverted_count += soft->report.inverted_count;
    }
}

/// Finds the impulses of all pairs with penalty forces. Nothing moves.
static abut_status find_impulses(abut_world *world, abut_error *error)
{
    world->span = world->horizon = world->def.dt;
    if (!abut_penalty_make_room(world)) {
        return fail_memory(error);
    }
    memset(&world->penalty->report, 0, sizeof world->penalty->report);
    abut_world_tell(world, ABUT_PHASE_MOVE);
    abut_status status = predict(world, error);
    if (status == ABUT_OK) {
        count_soft(world);
        abut_world_tell(world, ABUT_PHASE_BROAD);
        status = abut_penalty_find_near(world, error);
    }
    if (status == ABUT_OK) {
        abut_world_tell(world, ABUT_PHASE_NARROW);
        status = abut_penalty_respond(world, error);
    }
    if (status == ABUT_OK) {
        abut_world_tell(world, ABUT_PHASE_SOLVE);
        status = list_contacts(world, error);
    }
    if (status == ABUT_OK) {
        abut_world_spread(world, world->penalty->contact_count, complete, world);
        sum_impulses(world);
    }
    return status;
}

/// Follows the paths that the bodies took.
static abut_status follow_paths(abut_world *world, abut_error *error)
{
    struct abut_penalty_stepper *s = world->penalty;
    for (int i = 0; i < world->body_count; ++i) {
        s->ends[i] = abut_body_pose(&world->bodies[i]);
        // a solver may have changed the motion of any rigid body
        s->is_pushed[i] |= world->def.response == NULL && !world->bodies[i].is_fixed;
    }
    if (world->response.kind == ABUT_RESPONSE_DISCRETE) {
        return ABUT_OK;
    }
    abut_world_tell(world, ABUT_PHASE_SWEEP);
    abut_status status = abut_penalty_find_near(world, error);
    return status == ABUT_OK ? abut_penalty_follow(world, error) : status;
}

/// Takes what concerns penalty forces into the report of the step.
static void report_penalty(abut_world *world)
{
    const abut_world_report *from = &world->penalty->report;
    abut_world_report *to = &world->report;
    to->pair_count += from->pair_count;
    to->stats.candidate_pairs += from->stats.candidate_pairs;
    to->stats.tested_pairs += from->stats.tested_pairs;
    to->tracked_count = from->tracked_count;
    to->without_side_count = from->without_side_count;
    to->angular_defect = from->angular_defect;
    to->contact_step = from->contact_step;
    to->unsettled_count = from->unsettled_count;
    to->inverted_count = from->inverted_count;
    to->inverted_body = from->inverted_body;
    to->inverted_tet = from->inverted_tet;
}

abut_status abut_world_step_penalty(abut_world *world, abut_error *error)
{
    memset(&world->report, 0, sizeof world->report);
    world->report.step = world->step;
    world->report.time = (double)world->step * world->def.dt;
    abut_status status = find_impulses(world, error);
    if (status != ABUT_OK) {
        return status;
    }
    struct abut_penalty_stepper *s = world->penalty;
    report_penalty(world);
    world->report.contacts = s->contacts;
    world->report.contact_count = s->contact_count;
    world->report.poses = s->starts;
    for (int i = 0; i < world->body_count; ++i) {
        abut_body *body = &world->bodies[i];
        if (!body->is_fixed) {
            body->motion = s->free[i];
            body->motion.linear_velocity =
                abut_add_scaled(body->motion.linear_velocity, 1.0 / body->mass, s->impulses[i].linear);
            body->motion.angular_momentum = abut_add(body->motion.angular_momentum, s->impulses[i].angular);
        }
        if (!body->is_fixed && s->is_pushed[i]) {
            abut_body_update_spin(body);
        }
    }
    status = abut_world_advance(world, world->def.dt, error);
    status = status == ABUT_OK ? abut_world_move_soft(world, error) : status;
    return status == ABUT_OK ? follow_paths(world, error) : status;
}

abut_status abut_world_begin_soft(abut_world *world, abut_error *error)
{
    abut_status status = find_impulses(world, error);
    for (int i = 0; i < world->body_count && status == ABUT_OK; ++i) {
        const abut_solve_velocity *impulse = &world->penalty->impulses[i];
        world->bodies[i].contact_force = abut_scale(1.0 / world->def.dt, impulse->linear);
        world->bodies[i].contact_moment = abut_scale(1.0 / world->def.dt, impulse->angular);
    }
    return status;
}

/// Merges the contacts of rigid and of soft bodies into one list, ascending by bodies.
static abut_status merge_contacts(abut_world *world, abut_error *error)
{
    const struct abut_penalty_stepper *s = world->penalty;
    abut_world_report *report = &world->report;
    int count = report->contact_count + s->contact_count, made = 0, k = 0;
    if (!abut_grow(&world->context, &world->all_contacts, &world->all_capacity, count,
                   sizeof *world->all_contacts)) {
        return fail_memory(error);
    }
    for (int i = 0; i <= report->contact_count; ++i) {
        const abut_world_contact *rigid = &report->contacts[i];
        while (k < s->contact_count &&
               (i == report->contact_count ||
                abut_world_is_pair_before((abut_body_pair){s->contacts[k].body_a, s->contacts[k].body_b},
                                          (abut_body_pair){rigid->body_a, rigid->body_b}))) {
            world->all_contacts[made++] = s->contacts[k++];
        }
        if (i < report->contact_count) {
            world->all_contacts[made++] = *rigid;
        }
    }
    report->contacts = world->all_contacts;
    report->contact_count = made;
    return ABUT_OK;
}

abut_status abut_world_end_soft(abut_world *world, abut_error *error)
{
    abut_status status = abut_world_move_soft(world, error);
    status = status == ABUT_OK ? follow_paths(world, error) : status;
    if (status != ABUT_OK) {
        return status;
    }
    report_penalty(world);
    return merge_contacts(world, error);
}
