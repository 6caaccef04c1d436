// SPDX-License-Identifier: MIT
// penalty_pairs.c: the pairs of bodies with penalty forces, and their trackers
//
// A pair takes part while the boxes of the paths of its bodies overlap, or its tracker remembers penetrating features.
// Each pair is worked on by one thread.
#include "world/penalty_pairs.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "world/soft_body.h"

#include <string.h>

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
    abut_broad_release(&s->broad);
    void *const blocks[] = {s->items,      s->merged,    s->spare,    s->near,   s->boxes,
                            s->is_passive, s->starts,    s->ends,     s->free,   s->loads,
                            s->impulses,   s->is_pushed, s->contacts, s->shares, s};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i) {
        abut_free(context, blocks[i]);
    }
}

int abut_penalty_make_room(abut_world *world)
{
    const abut_context *context = &world->context;
    if (world->penalty == NULL) {
        world->penalty = abut_allocate_zeroed(context, 1, sizeof *world->penalty);
        if (world->penalty != NULL) {
            abut_broad_init(&world->penalty->broad, context);
        }
    }
    struct abut_penalty_stepper *s = world->penalty;
    int count = world->body_count;
    return s != NULL && abut_grow(context, &s->boxes, &s->box_capacity, count, sizeof *s->boxes) &&
           abut_grow(context, &s->is_passive, &s->passive_capacity, count, 1) &&
           abut_grow(context, &s->starts, &s->start_capacity, count, sizeof *s->starts) &&
           abut_grow(context, &s->ends, &s->end_capacity, count, sizeof *s->ends) &&
           abut_grow(context, &s->free, &s->free_capacity, count, sizeof *s->free) &&
           abut_grow(context, &s->impulses, &s->impulse_capacity, count, sizeof *s->impulses) &&
           abut_grow(context, &s->loads, &s->load_capacity, count, sizeof *s->loads) &&
           abut_grow(context, &s->is_pushed, &s->pushed_capacity, count, 1);
}

void abut_world_forget_penalty(abut_world *world, int body, const abut_body *moved)
{
    struct abut_penalty_stepper *s = world->penalty;
    int is_elsewhere = moved == NULL;
    if (moved != NULL) {
        const abut_body_motion *from = &world->bodies[body].motion, *to = &moved->motion;
        is_elsewhere = abut_norm(abut_sub(from->center, to->center)) > 0.0 ||
                       memcmp(&from->rotation, &to->rotation, sizeof from->rotation) != 0;
    }
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

/// Boxes of the paths.
static abut_status find_boxes(const abut_world *world, abut_error *error)
{
    struct abut_penalty_stepper *s = world->penalty;
    double margin = 0.5 * world->response.tolerance;
    for (int i = 0; i < world->body_count; ++i) {
        const abut_body *body = &world->bodies[i];
        s->is_passive[i] = body->is_fixed && body->soft == NULL;
        s->boxes[i] = body->soft != NULL ? abut_soft_body_box(body->soft, margin)
                                         : abut_box_union(abut_body_box(body, s->starts[i], margin),
                                                          abut_body_box(body, s->ends[i], margin));
        if (!abut_is_finite(s->boxes[i].lower) || !abut_is_finite(s->boxes[i].upper)) {
            char name[ABUT_BODY_CALL_ROOM];
            return abut_fail_element(error, ABUT_LIMIT, i, "step %lld: %s diverged: its motion is not finite",
                                     (long long)world->step + 1, abut_world_call(world, i, name));
        }
    }
    return ABUT_OK;
}

/// Lists the pairs whose boxes overlap and that have penalty forces, and soft bodies with themselves.
static int list_near(const abut_world *world)
{
    struct abut_penalty_stepper *s = world->penalty;
    const abut_broad *broad = &s->broad;
    if (!abut_grow(&world->context, &s->near, &s->near_capacity, broad->pair_count + world->soft_count,
                   sizeof *s->near)) {
        return 0;
    }
    int made = 0, k = 0, has_all = world->def.response != NULL;
    for (int i = 0; i < world->body_count; ++i) {
        if (world->bodies[i].soft != NULL && world->bodies[i].soft->has_self_contact) {
            s->near[made++] = (abut_body_pair){i, i};
        }
        for (; k < broad->pair_count && broad->pairs[k].a == i; ++k) {
            abut_body_pair pair = broad->pairs[k];
            if (has_all || world->bodies[pair.a].soft != NULL || world->bodies[pair.b].soft != NULL) {
                s->near[made++] = pair;
            }
        }
    }
    s->near_count = made;
    return 1;
}

/// Gives trackers to those of the merged pairs that have none. Returns 0 if memory ran out.
static int add_trackers(const abut_context *context, struct abut_penalty_stepper *s, int made)
{
    int failed = 0;
    for (int i = 0; i < made && !failed; ++i) {
        if (s->merged[i].tracker == NULL) {
            s->merged[i].tracker = take_tracker(context, s);
            failed = s->merged[i].tracker == NULL;
        }
    }
    for (int i = 0, known = 0; i < made && failed; ++i) { // the new ones are given back
        int is_known = known < s->count && compare_pairs(s->merged[i].bodies, s->items[known].bodies) == 0;
        known += is_known;
        if (!is_known) {
            abut_tracker_destroy(s->merged[i].tracker);
        }
    }
    return !failed;
}

abut_status abut_penalty_find_near(abut_world *world, abut_error *error)
{
    struct abut_penalty_stepper *s = world->penalty;
    const abut_context *context = &world->context;
    abut_status status = find_boxes(world, error);
    if (status != ABUT_OK) {
        return status;
    }
    if (abut_broad_find(&s->broad, s->boxes, s->is_passive, world->body_count) != ABUT_OK || !list_near(world) ||
        !abut_grow(context, &s->merged, &s->merged_capacity, s->count + s->near_count, sizeof *s->merged) ||
        !abut_grow(context, &s->spare, &s->spare_capacity, s->spare_count + s->count + s->near_count,
                   sizeof *s->spare)) {
        return fail_memory(error);
    }
    int made = 0, k = 0;
    for (int i = 0; i <= s->count; ++i) {
        int order = 1;
        while (k < s->near_count &&
               (order = i == s->count ? -1 : compare_pairs(s->near[k], s->items[i].bodies)) < 0) {
            s->merged[made++] = (abut_responder){.bodies = s->near[k++], .is_near = 1};
        }
        if (i < s->count) {
            s->items[i].is_near = k < s->near_count && order == 0;
            k += s->items[i].is_near;
            s->merged[made++] = s->items[i];
        }
    }
    if (!add_trackers(context, s, made)) {
        return fail_memory(error);
    }
    abut_responder *items = s->items;
    int capacity = s->capacity;
    s->items = s->merged;
    s->capacity = s->merged_capacity;
    s->count = made;
    s->merged = items;
    s->merged_capacity = capacity;
    return ABUT_OK;
}

static void place_side(const abut_world *world, int body, abut_side *side)
{
    const struct abut_penalty_stepper *s = world->penalty;
    side->pose = s->starts[body];
    side->end_pose = &s->ends[body];
    side->key = (uint64_t)body + 1;
    if (world->bodies[body].soft != NULL) {
        side->instance = world->bodies[body].soft->instance;
        side->end_pose = NULL;
    }
}

/// The two bodies on their paths.
static abut_pair pair_of(const abut_world *world, abut_body_pair bodies)
{
    abut_pair pair = abut_pair_default(world->bodies[bodies.a].shape, world->bodies[bodies.b].shape);
    place_side(world, bodies.a, &pair.a);
    place_side(world, bodies.b, &pair.b);
    pair.dt = world->def.dt;
    return pair;
}

static int takes_part(const abut_responder *r)
{
    return r->is_near || abut_tracker_count(r->tracker) > 0;
}

static void respond(void *data, int begin, int end, int worker)
{
    abut_world *world = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        abut_responder *r = &world->penalty->items[i];
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
        abut_responder *r = &world->penalty->items[i];
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
        const abut_responder *r = &s->items[i];
        if (r->status != ABUT_OK) {
            char a[ABUT_BODY_CALL_ROOM], b[ABUT_BODY_CALL_ROOM];
            return abut_fail_element(error, r->status, r->bodies.a, "step %lld: %s and %s: %s",
                                     (long long)world->step + 1, abut_world_call(world, r->bodies.a, a),
                                     abut_world_call(world, r->bodies.b, b), r->error.text);
        }
    }
    return ABUT_OK;
}

abut_status abut_penalty_respond(abut_world *world, abut_error *error)
{
    return run_pairs(world, respond, error);
}

abut_status abut_penalty_follow(abut_world *world, abut_error *error)
{
    return run_pairs(world, follow, error);
}

void abut_world_commit_penalty(abut_world *world)
{
    struct abut_penalty_stepper *s = world->penalty;
    int kept = 0;
    for (int i = 0; i < s->count; ++i) {
        abut_responder *r = &s->items[i];
        if (takes_part(r)) {
            abut_tracker_commit(r->tracker);
        }
        if (takes_part(r)) {
            s->items[kept++] = *r;
        } else {
            s->spare[s->spare_count++] = r->tracker; // abut_penalty_find_near() made room
        }
    }
    s->count = kept;
}
