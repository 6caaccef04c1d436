// SPDX-License-Identifier: MIT
// penalty_step.c: a time step in which penalty forces keep bodies apart
//
// Bodies get the velocities that gravity and pushes give them. Along the paths that they would take with these, the
// trackers of the pairs of bodies find the impulses. These change the velocities, the bodies move, and the trackers
// follow the paths that they took. The discrete forces are those at the present places: bodies do not move while they
// are found.
//
// Source:  Tang, Manocha, Otaduy, Tong 2012, section 3.3 (equation 7) and section 3.6 (friction).
// Differs: pairs are tracked along the paths that the bodies took, where the paper tracks them along the predicted ones: what
//          is crossed only on the way back would be inside without a side in the next step. Friction stops the sliding at most:
//          each of n contacts of a body takes at most the n-th part of the impulse that would stop it.
#include "world/world.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "response/response_params.h"

#include <string.h>

/// Two bodies that are near each other, or that penetrate.
typedef struct responder {
    abut_body_pair bodies;
    abut_tracker *tracker;
    int is_near;     ///< their paths may meet
    int is_followed; ///< one of them moved otherwise than predicted
    abut_response response;
    abut_status status;
    abut_error error;
} responder;

struct abut_penalty_stepper {
    responder *items, *merged; ///< ascending by bodies
    int count, capacity, merged_capacity;
    abut_tracker **spare;
    int spare_count, spare_capacity;
    abut_pose *ends;
    int *loads;               ///< contacts of each body
    unsigned char *is_pushed; ///< it got an impulse
    int end_capacity, load_capacity, pushed_capacity;
};

void abut_penalty_stepper_destroy(const abut_context *context, struct abut_penalty_stepper *s)
{
    if (s == NULL) {
        return;
    }
    for (int i = 0; i < s->count; ++i) {
        abut_tracker_destroy(s->items[i].tracker);
    }
    for (int i = 0; i < s->spare_count; ++i) {
        abut_tracker_destroy(s->spare[i]);
    }
    abut_free(context, s->items);
    abut_free(context, s->merged);
    abut_free(context, s->spare);
    abut_free(context, s->ends);
    abut_free(context, s->loads);
    abut_free(context, s->is_pushed);
    abut_free(context, s);
}

abut_status abut_world_read_response(abut_world *world, abut_error *error)
{
    abut_world_def *def = &world->def;
    if (def->response == NULL) {
        return ABUT_OK;
    }
    abut_error reason;
    if (abut_response_params_read(def->response, &world->response, &reason) != ABUT_OK) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the world's response: %s", reason.text);
    }
    def->response = &world->response;
    def->method = abut_method_find("continuous");
    def->params = NULL;
    return ABUT_OK;
}

void abut_world_forget_penalty(abut_world *world, int body, const abut_body *moved)
{
    struct abut_penalty_stepper *s = world->penalty;
    const abut_body_motion *from = &world->bodies[body].motion, *to = &moved->motion;
    int is_elsewhere = abut_norm(abut_sub(from->center, to->center)) > 0.0 ||
                       memcmp(&from->rotation, &to->rotation, sizeof from->rotation) != 0;
    for (int i = 0; s != NULL && is_elsewhere && i < s->count; ++i) {
        if (s->items[i].bodies.a == body || s->items[i].bodies.b == body) {
            abut_tracker_clear(s->items[i].tracker);
        }
    }
}

static abut_status fail_memory(abut_error *error)
{
    return abut_fail(error, ABUT_NO_MEMORY, "no memory for penalty forces");
}

static int make_room(abut_world *world)
{
    const abut_context *context = &world->context;
    if (world->penalty == NULL) {
        world->penalty = abut_allocate_zeroed(context, 1, sizeof *world->penalty);
    }
    struct abut_penalty_stepper *s = world->penalty;
    int count = world->body_count;
    return s != NULL && abut_grow(context, &world->boxes, &world->box_capacity, count, sizeof *world->boxes) &&
           abut_grow(context, &world->poses, &world->pose_capacity, count, sizeof *world->poses) &&
           abut_grow(context, &world->is_passive, &world->passive_capacity, count, 1) &&
           abut_grow(context, &s->ends, &s->end_capacity, count, sizeof *s->ends) &&
           abut_grow(context, &s->loads, &s->load_capacity, count, sizeof *s->loads) &&
           abut_grow(context, &s->is_pushed, &s->pushed_capacity, count, 1);
}

// ---------------------------------------------------------------------------------------------------------------
// Pairs of bodies

static int compare_pairs(abut_body_pair x, abut_body_pair y)
{
    return x.a != y.a ? (x.a > y.a) - (x.a < y.a) : (x.b > y.b) - (x.b < y.b);
}

static abut_tracker *take_tracker(const abut_context *context, struct abut_penalty_stepper *s)
{
    abut_tracker *tracker = NULL;
    if (s->spare_count > 0) {
        tracker = s->spare[--s->spare_count];
        abut_tracker_clear(tracker);
        return tracker;
    }
    return abut_tracker_create(context, &tracker, NULL) == ABUT_OK ? tracker : NULL;
}

/// Marks the pairs of bodies whose paths from `poses` to `ends` may meet, and adds those that are new.
static abut_status find_near(abut_world *world, abut_error *error)
{
    struct abut_penalty_stepper *s = world->penalty;
    double margin = world->response.kind == ABUT_RESPONSE_DISCRETE ? world->response.tolerance : 0.0;
    for (int i = 0; i < world->body_count; ++i) {
        const abut_body *body = &world->bodies[i];
        world->is_passive[i] = (unsigned char)body->is_fixed;
        world->boxes[i] =
            abut_box_union(abut_body_box(body, world->poses[i], margin), abut_body_box(body, s->ends[i], margin));
        if (!abut_is_finite(world->boxes[i].lower) || !abut_is_finite(world->boxes[i].upper)) {
            char name[ABUT_BODY_CALL_ROOM];
            return abut_fail_element(error, ABUT_LIMIT, i, "step %lld: %s diverged: its motion is not finite",
                                     (long long)world->step + 1, abut_world_call(world, i, name));
        }
    }
    const abut_context *context = &world->context;
    abut_broad *broad = &world->broad;
    if (abut_broad_find(broad, world->boxes, world->is_passive, world->body_count) != ABUT_OK ||
        !abut_grow(context, &s->merged, &s->merged_capacity, s->count + broad->pair_count, sizeof *s->merged) ||
        !abut_grow(context, &s->spare, &s->spare_capacity, s->spare_count + s->count + broad->pair_count,
                   sizeof *s->spare)) {
        return fail_memory(error);
    }
    int made = 0, k = 0;
    for (int i = 0; i <= s->count; ++i) {
        int order = 1;
        while (k < broad->pair_count &&
               (order = i == s->count ? -1 : compare_pairs(broad->pairs[k], s->items[i].bodies)) < 0) {
            s->merged[made++] = (responder){.bodies = broad->pairs[k++], .is_near = 1};
        }
        if (i < s->count) {
            s->items[i].is_near = k < broad->pair_count && order == 0;
            k += s->items[i].is_near;
            s->merged[made++] = s->items[i];
        }
    }
    int failed = 0;
    for (int i = 0; i < made && !failed; ++i) {
        if (s->merged[i].tracker == NULL) {
            s->merged[i].tracker = take_tracker(context, s);
            failed = s->merged[i].tracker == NULL;
        }
    }
    if (failed) { // the new ones are given back
        for (int i = 0, known = 0; i < made; ++i) {
            int is_known = known < s->count && compare_pairs(s->merged[i].bodies, s->items[known].bodies) == 0;
            known += is_known;
            if (!is_known) {
                abut_tracker_destroy(s->merged[i].tracker);
            }
        }
        return fail_memory(error);
    }
    responder *items = s->items;
    int capacity = s->capacity;
    s->items = s->merged;
    s->capacity = s->merged_capacity;
    s->count = made;
    s->merged = items;
    s->merged_capacity = capacity;
    return ABUT_OK;
}

/// The two bodies on their ways from `poses` to `ends`.
static abut_pair pair_of(const abut_world *world, abut_body_pair bodies)
{
    const struct abut_penalty_stepper *s = world->penalty;
    abut_pair pair = abut_pair_default(world->bodies[bodies.a].shape, world->bodies[bodies.b].shape);
    pair.a.pose = world->poses[bodies.a];
    pair.b.pose = world->poses[bodies.b];
    pair.a.end_pose = &s->ends[bodies.a];
    pair.b.end_pose = &s->ends[bodies.b];
    pair.a.key = (uint64_t)bodies.a + 1;
    pair.b.key = (uint64_t)bodies.b + 1;
    pair.dt = world->def.dt;
    return pair;
}

static int takes_part(const responder *r)
{
    return r->is_near || abut_tracker_count(r->tracker) > 0;
}

static void respond(void *data, int begin, int end, int worker)
{
    abut_world *world = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        responder *r = &world->penalty->items[i];
        r->status = ABUT_OK;
        r->response = (abut_response){0};
        if (takes_part(r)) {
            abut_pair pair = pair_of(world, r->bodies);
            r->status = abut_tracker_step(r->tracker, &pair, &world->response, &r->response, &r->error);
        }
    }
}

static void follow(void *data, int begin, int end, int worker)
{
    abut_world *world = data;
    (void)worker;
    const struct abut_penalty_stepper *s = world->penalty;
    for (int i = begin; i < end; ++i) {
        responder *r = &world->penalty->items[i];
        r->status = ABUT_OK;
        int is_other =
            s->is_pushed[r->bodies.a] || s->is_pushed[r->bodies.b] || world->response.kind != ABUT_RESPONSE_CPF;
        if (takes_part(r) && is_other) {
            abut_pair pair = pair_of(world, r->bodies);
            r->status = abut_tracker_follow(r->tracker, &pair, &world->response, &r->error);
        }
    }
}

/// Runs a task for all pairs, and fails with the first pair that failed.
static abut_status run_pairs(abut_world *world, abut_range_task *task, abut_error *error)
{
    const struct abut_penalty_stepper *s = world->penalty;
    abut_parallel_for(&world->context, s->count, 1, task, world);
    for (int i = 0; i < s->count; ++i) {
        const responder *r = &s->items[i];
        if (r->status != ABUT_OK) {
            char a[ABUT_BODY_CALL_ROOM], b[ABUT_BODY_CALL_ROOM];
            return abut_fail_element(error, r->status, r->bodies.a, "step %lld: %s and %s: %s",
                                     (long long)world->step + 1, abut_world_call(world, r->bodies.a, a),
                                     abut_world_call(world, r->bodies.b, b), r->error.text);
        }
    }
    return ABUT_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Impulses

static void push(abut_body *body, abut_vec3 point, abut_vec3 impulse)
{
    if (!body->is_fixed) {
        abut_body_motion *m = &body->motion;
        m->linear_velocity = abut_add_scaled(m->linear_velocity, 1.0 / body->mass, impulse);
        m->angular_momentum = abut_add(m->angular_momentum, abut_cross(abut_sub(point, m->center), impulse));
    }
}

static abut_vec3 velocity_at(const abut_body *body, abut_vec3 point)
{
    const abut_body_motion *m = &body->motion;
    return abut_add(m->linear_velocity, abut_cross(m->angular_velocity, abut_sub(point, m->center)));
}

/// How much the velocity at a point changes along a direction, by an impulse of size 1 there.
static double mobility(const abut_body *body, abut_vec3 point, abut_vec3 direction)
{
    if (body->is_fixed) {
        return 0.0;
    }
    abut_vec3 lever = abut_cross(abut_sub(point, body->motion.center), direction);
    return 1.0 / body->mass + abut_dot(lever, abut_mat3_apply(abut_body_turn(body, body->local_inverse), lever));
}

/// The friction on B.
static abut_vec3 find_friction(const abut_world *world, abut_body_pair bodies, const abut_response_pair *pair)
{
    const abut_body *a = &world->bodies[bodies.a], *b = &world->bodies[bodies.b];
    const int *loads = world->penalty->loads;
    abut_vec3 normal = abut_unit(pair->impulse);
    abut_vec3 velocity = abut_sub(velocity_at(b, pair->point_b), velocity_at(a, pair->point_a));
    abut_vec3 sliding = abut_add_scaled(velocity, -abut_dot(velocity, normal), normal);
    abut_vec3 direction = abut_unit(sliding);
    double moves = mobility(a, pair->point_a, direction) + mobility(b, pair->point_b, direction);
    int load = a->is_fixed   ? loads[bodies.b]
               : b->is_fixed ? loads[bodies.a]
                             : (int)fmax(loads[bodies.a], loads[bodies.b]);
    if (!(moves > 0.0) || abut_norm_squared(normal) == 0.0) {
        return abut_vec3_make(0.0, 0.0, 0.0);
    }
    double coulomb = abut_world_law(world, a->material, b->material).friction;
    double limit = abut_norm(sliding) / (moves * load);
    return abut_penalty_friction(pair->impulse, velocity, coulomb, world->def.viscosity * world->def.dt, limit);
}

static abut_world_contact make_contact(const abut_world *world, abut_body_pair bodies,
                                       const abut_response_pair *pair, abut_vec3 friction)
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
    c->normal_speed = abut_dot(c->normal, abut_sub(velocity_at(&world->bodies[bodies.b], pair->point_b),
                                                   velocity_at(&world->bodies[bodies.a], pair->point_a)));
    c->time = pair->begin;
    c->feature_a = pair->feature_a;
    c->feature_b = pair->feature_b;
    c->region = -1;
    made.impulse.normal = abut_norm(pair->impulse);
    made.impulse.tangent = friction;
    return made;
}

/// Lists the contacts, with the impulses of all pairs, and counts those of each body.
static abut_status list_contacts(abut_world *world, abut_error *error)
{
    struct abut_penalty_stepper *s = world->penalty;
    abut_world_report *report = &world->report;
    int count = 0;
    for (int i = 0; i < world->body_count; ++i) {
        s->loads[i] = 0;
        s->is_pushed[i] = 0;
    }
    for (int i = 0; i < s->count; ++i) {
        const responder *r = &s->items[i];
        for (int k = 0; k < r->response.count; ++k) {
            int is_force = !r->response.pairs[k].is_without_side;
            count += is_force;
            s->loads[r->bodies.a] += is_force;
            s->loads[r->bodies.b] += is_force;
        }
        report->pair_count += r->is_near;
        report->tracked_count += r->response.tracked_count;
        report->without_side_count += r->response.without_side_count;
        report->angular_defect = abut_add(report->angular_defect, r->response.angular_defect);
        report->stats.candidate_pairs += r->response.candidate_pairs;
        report->stats.tested_pairs += r->response.tested_pairs;
    }
    if (!abut_grow(&world->context, &world->contacts, &world->contact_capacity, count, sizeof *world->contacts)) {
        return fail_memory(error);
    }
    world->contact_count = 0;
    for (int i = 0; i < s->count; ++i) {
        const responder *r = &s->items[i];
        for (int k = 0; k < r->response.count; ++k) {
            const abut_response_pair *pair = &r->response.pairs[k];
            if (!pair->is_without_side) {
                abut_vec3 friction = find_friction(world, r->bodies, pair);
                world->contacts[world->contact_count++] = make_contact(world, r->bodies, pair, friction);
            }
        }
    }
    report->contacts = world->contacts;
    report->contact_count = world->contact_count;
    report->poses = world->poses;
    return ABUT_OK;
}

static void apply_contacts(abut_world *world)
{
    struct abut_penalty_stepper *s = world->penalty;
    for (int i = 0; i < world->contact_count; ++i) {
        const abut_world_contact *c = &world->contacts[i];
        abut_vec3 impulse = abut_add_scaled(c->impulse.tangent, c->impulse.normal, c->contact.normal);
        push(&world->bodies[c->body_a], c->contact.position_a, abut_negate(impulse));
        push(&world->bodies[c->body_b], c->contact.position_b, impulse);
        s->is_pushed[c->body_a] = s->is_pushed[c->body_b] = 1;
    }
    for (int i = 0; i < world->body_count; ++i) {
        if (s->is_pushed[i] && !world->bodies[i].is_fixed) {
            abut_body_update_spin(&world->bodies[i]);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The step

/// Gives the bodies their velocities without contacts, and finds where these lead.
static abut_status predict(abut_world *world, abut_error *error)
{
    struct abut_penalty_stepper *s = world->penalty;
    int has_paths = world->response.kind == ABUT_RESPONSE_CPF;
    for (int i = 0; i < world->body_count; ++i) {
        abut_body *body = &world->bodies[i];
        world->poses[i] = s->ends[i] = abut_body_pose(body);
        abut_solve_velocity velocity = abut_world_free_motion(world, body).velocity;
        if (!body->is_fixed) {
            abut_vec3 change = abut_sub(velocity.angular, body->motion.angular_velocity);
            body->motion.angular_momentum = abut_add(
                body->motion.angular_momentum, abut_mat3_apply(abut_body_turn(body, body->local_inertia), change));
            body->motion.linear_velocity = velocity.linear;
            body->motion.angular_velocity = velocity.angular;
        }
        abut_body moved = *body;
        if (has_paths && !abut_body_advance(&moved, world->def.dt)) {
            return abut_world_name_spinning(world, i, error);
        }
        s->ends[i] = has_paths ? abut_body_pose(&moved) : s->ends[i];
    }
    return ABUT_OK;
}

abut_status abut_world_step_penalty(abut_world *world, abut_error *error)
{
    memset(&world->report, 0, sizeof world->report);
    world->report.step = world->step;
    world->report.time = (double)world->step * world->def.dt;
    world->span = world->horizon = world->def.dt;
    if (!make_room(world)) {
        return fail_memory(error);
    }
    abut_world_tell(world, ABUT_PHASE_BROAD);
    abut_status status = predict(world, error);
    status = status == ABUT_OK ? find_near(world, error) : status;
    if (status == ABUT_OK) {
        abut_world_tell(world, ABUT_PHASE_NARROW);
        status = run_pairs(world, respond, error);
    }
    status = status == ABUT_OK ? list_contacts(world, error) : status;
    if (status != ABUT_OK) {
        return status;
    }
    abut_world_tell(world, ABUT_PHASE_SOLVE);
    apply_contacts(world);
    status = abut_world_advance(world, world->def.dt, error);
    if (status != ABUT_OK || world->response.kind == ABUT_RESPONSE_DISCRETE) {
        return status;
    }
    for (int i = 0; i < world->body_count; ++i) {
        world->penalty->ends[i] = abut_body_pose(&world->bodies[i]);
    }
    abut_world_tell(world, ABUT_PHASE_SWEEP);
    status = find_near(world, error);
    return status == ABUT_OK ? run_pairs(world, follow, error) : status;
}

void abut_world_commit_penalty(abut_world *world)
{
    struct abut_penalty_stepper *s = world->penalty;
    int kept = 0;
    for (int i = 0; i < s->count; ++i) {
        responder *r = &s->items[i];
        if (takes_part(r)) {
            abut_tracker_commit(r->tracker);
        }
        if (takes_part(r)) {
            s->items[kept++] = *r;
        } else {
            s->spare[s->spare_count++] = r->tracker; // find_near() made room
        }
    }
    s->count = kept;
}
