// SPDX-License-Identifier: MIT
// detect.c: the contacts of all pairs of bodies, on any number of threads, always in the same order
#include "world/world.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "method/pair_memory.h"
#include "method/params.h"
#include "method/stats.h"
#include "world/island_cut.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/// The parallel loop of queries: they run on one thread each, and start no others.
static void serial_for(void *user, int count, int grain, abut_range_task *task, void *data)
{
    (void)user;
    (void)grain;
    if (count > 0) {
        task(data, 0, count, 0);
    }
}

abut_status abut_world_create_detectors(abut_world *world)
{
    abut_context serial = world->context;
    serial.parallel_for = serial_for;
    serial.worker_count = 1;
    int count = world->context.worker_count > 1 ? world->context.worker_count : 1;
    world->detectors = abut_allocate_zeroed(&world->context, (size_t)count, sizeof *world->detectors);
    if (world->detectors == NULL) {
        return ABUT_NO_MEMORY;
    }
    world->detector_count = count;
    for (int i = 0; i < count; ++i) {
        world->detectors[i].result = abut_result_default();
        if (abut_workspace_create(&serial, &world->detectors[i].workspace) != ABUT_OK) {
            return ABUT_NO_MEMORY;
        }
    }
    return ABUT_OK;
}

void abut_world_make_spare(abut_world *world, abut_memory *memory)
{
    abut_memory_clear(memory);
    world->spare[world->spare_count++] = memory;
}

void abut_world_drop_pairs(abut_world *world)
{
    for (int i = 0; i < world->pair_count; ++i) {
        if (world->pairs[i].is_new) {
            abut_world_make_spare(world, world->pairs[i].memory);
        }
    }
    world->pair_count = 0;
}

void abut_world_destroy_detectors(abut_world *world)
{
    for (int i = 0; i < world->detector_count; ++i) {
        abut_detector *d = &world->detectors[i];
        abut_workspace_destroy(d->workspace);
        abut_free(&world->context, d->contacts);
        abut_free(&world->context, d->changes);
        abut_region_list_release(&world->context, &d->regions);
    }
    abut_free(&world->context, world->changes);
    abut_free(&world->context, world->detectors);
    abut_world_drop_pairs(world);
    for (int i = 0; i < world->known_pair_count; ++i) {
        abut_memory_destroy(world->known_pairs[i].memory);
    }
    for (int i = 0; i < world->spare_count; ++i) {
        abut_memory_destroy(world->spare[i]);
    }
}

abut_box abut_body_box(const abut_body *body, abut_pose pose, double margin)
{
    abut_box local = abut_mesh_get_elements(abut_shape_mesh(body->shape)).bounds;
    // 1e-12: the rounding of the few operations below
    margin += abut_shape_dilation(body->shape) + fmax(0.0, abut_shape_offset(body->shape)) + 1e-12 * body->size;
    abut_mat3 rotation = abut_quat_matrix(pose.rotation);
    abut_vec3 half = abut_scale(0.5, abut_sub(local.upper, local.lower));
    abut_vec3 middle = abut_add(abut_mat3_apply(rotation, abut_box_center(local)), pose.position);
    abut_vec3 reach =
        abut_add(abut_add(abut_scale(half.x, abut_abs(rotation.x)), abut_scale(half.y, abut_abs(rotation.y))),
                 abut_scale(half.z, abut_abs(rotation.z)));
    reach = abut_add(reach, abut_vec3_make(margin, margin, margin));
    abut_box box = {abut_sub(middle, reach), abut_add(middle, reach)};
    return box;
}

/// Half of what two bodies may be apart and still be in contact. A relative length refers to the smaller body, so the
/// margins of both bodies together are enough.
static double margin_of(const abut_world *world, const abut_body *body, double fall)
{
    double ahead = (body->is_fixed ? 0.0 : fall) +
                   abut_world_look_ahead(world, body->motion.linear_velocity, abut_body_spin_speed(body));
    ahead = abut_world_is_swept(world) ? fmin(ahead, ABUT_LOOK_SHARE * body->size) : ahead;
    return fmax(world->absolute_margin, world->relative_margin * body->size) + ahead;
}

/// How far bodies at rest may fall, by the method that looks furthest.
static double furthest_fall(const abut_world *world)
{
    double fall = 0.0;
    for (int i = 0; i < world->choice_count; ++i) {
        fall = fmax(fall, abut_world_fall_ahead(world, world->choices[i].method));
    }
    return fall;
}

/// Adds a pair: what was known of it, or a new one if `known` is NULL.
static abut_status add_pair(abut_world *world, abut_body_pair bodies, const abut_pair_state *known)
{
    abut_pair_state state = {.bodies = bodies, .is_new = known == NULL};
    if (known != NULL) {
        state = *known;
        state.is_new = 0;
    } else if (world->spare_count > 0) {
        state.memory = world->spare[--world->spare_count];
    } else if (abut_memory_create(&world->context, &state.memory) != ABUT_OK) {
        return ABUT_NO_MEMORY;
    }
    state.is_asleep = known != NULL && abut_world_is_idle_pair(world, bodies);
    world->pairs[world->pair_count++] = state;
    return ABUT_OK;
}

/// Fills `pairs` with the pairs of the broad phase and those that sleep, with what was known of them after the last
/// successful step. The known pairs do not change until the step is done.
static abut_status take_pairs(abut_world *world)
{
    abut_world_drop_pairs(world);
    const abut_context *context = &world->context;
    const abut_body_pair *found = world->broad.pairs;
    const abut_pair_state *known = world->known_pairs;
    int found_count = world->broad.pair_count, known_count = world->known_pair_count;
    int64_t memories = (int64_t)world->spare_count + known_count + found_count;
    if (world->whole != NULL) { // whose pairs may be dropped too
        memories += (int64_t)world->whole->known_pair_count + world->whole->pair_count +
                    world->whole->cut->results.pair_count;
    }
    if (memories > INT_MAX ||
        !abut_grow(context, &world->pairs, &world->pair_capacity, found_count + known_count,
                   sizeof *world->pairs) ||
        !abut_grow(context, &world->answers, &world->answer_capacity, found_count + known_count,
                   sizeof *world->answers) ||
        !abut_grow(context, &world->spare, &world->spare_capacity, (int)memories, sizeof(abut_memory *))) {
        return ABUT_NO_MEMORY;
    }
    abut_status status = ABUT_OK;
    for (int i = 0, k = 0; (i < found_count || k < known_count) && status == ABUT_OK;) { // both ascend
        int is_known =
            k < known_count && (i == found_count || !abut_world_is_pair_before(found[i], known[k].bodies));
        int is_found =
            i < found_count && (k == known_count || !abut_world_is_pair_before(known[k].bodies, found[i]));
        abut_body_pair bodies = is_found ? found[i] : known[k].bodies;
        if (abut_world_is_idle_pair(world, bodies) ? is_known : is_found) {
            status = add_pair(world, bodies, is_known ? &known[k] : NULL);
        }
        i += is_found;
        k += is_known;
    }
    return status;
}

/// The velocity of a point of the world that moves with a side.
static abut_vec3 velocity_at(const abut_side *side, abut_vec3 position)
{
    return abut_add(side->linear_velocity,
                    abut_cross(side->angular_velocity, abut_sub(position, side->pose.position)));
}

/// Marks the regions of a pair by the velocities after the step: temporary if some contact still touches at its end, else
/// a collision if one has touched.
static void mark_lives(abut_world *world, const abut_pair_state *pair, const abut_pair *solved)
{
    const abut_body *a = &world->bodies[pair->bodies.a], *b = &world->bodies[pair->bodies.b];
    const abut_method_choice *choice = &world->choices[abut_world_law(world, a->material, b->material).choice];
    double tolerance = abut_length_resolve(choice->params.tolerance, fmin(a->size, b->size));
    abut_world_region *regions = world->regions.regions;
    for (int i = 0; i < pair->region_count.regions; ++i) {
        regions[pair->region_begin.regions + i].region.life = ABUT_LIFE_NEW;
    }
    for (int i = 0; i < pair->contact_count; ++i) {
        const abut_contact *c = &world->contacts[pair->contact_begin + i].contact;
        if (c->region < 0) {
            continue;
        }
        abut_region_life *life = &regions[c->region].region.life;
        double speed = abut_dot(
            c->normal, abut_sub(velocity_at(&solved->b, c->position), velocity_at(&solved->a, c->position)));
        if (c->gap + world->def.dt * speed <= tolerance) {
            *life = ABUT_LIFE_TEMPORARY;
        } else if (c->gap <= tolerance && *life == ABUT_LIFE_NEW) {
            *life = ABUT_LIFE_COLLISION;
        }
    }
}

static void commit_memories(void *data, int begin, int end, int worker)
{
    enum { FAR = 8 };
    abut_world *world = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        if (i + FAR < end) {
            abut_memory_foresee(world->pairs[i + FAR].memory);
        }
        if (!world->pairs[i].is_asleep) {
            abut_pair solved = abut_world_solved_pair(world, world->pairs[i].bodies);
            mark_lives(world, &world->pairs[i], &solved);
            abut_memory_commit_motion(world->pairs[i].memory, &solved);
        }
    }
}

void abut_world_commit_pairs(abut_world *world)
{
    for (int i = 0, k = 0; i < world->known_pair_count; ++i) {
        while (k < world->pair_count &&
               abut_world_is_pair_before(world->pairs[k].bodies, world->known_pairs[i].bodies)) {
            ++k;
        }
        if (k == world->pair_count ||
            abut_world_is_pair_before(world->known_pairs[i].bodies, world->pairs[k].bodies)) {
            abut_world_make_spare(world, world->known_pairs[i].memory);
        }
    }
    abut_world_spread(world, world->pair_count, commit_memories, world);
    abut_world_contact *contacts = world->known_contacts;
    int contact_capacity = world->known_contact_capacity;
    world->known_contacts = world->contacts;
    world->known_contact_capacity = world->contact_capacity;
    world->contacts = contacts;
    world->contact_capacity = contact_capacity;
    abut_region_list regions = world->known_regions;
    world->known_regions = world->regions;
    world->regions = regions;
    abut_pair_state *pairs = world->known_pairs;
    int capacity = world->known_pair_capacity;
    world->known_pairs = world->pairs;
    world->known_pair_count = world->pair_count;
    world->known_pair_capacity = world->pair_capacity;
    world->pairs = pairs;
    world->pair_count = 0;
    world->pair_capacity = capacity;
}

/// Copies the contacts and regions of the last query to the lists of the worker.
static abut_status keep_answer(const abut_world *world, abut_detector *d, const abut_pair *pair,
                               abut_body_pair bodies, abut_pair_answer *answer)
{
    const abut_context *context = &world->context;
    int count = d->result.contacts.count;
    answer->begin = d->count;
    answer->region_begin = d->regions.counts;
    if (count > INT_MAX - d->count ||
        !abut_grow(context, &d->contacts, &d->capacity, d->count + count, sizeof *d->contacts) ||
        (!answer->is_ahead && !abut_region_list_add_result(context, &d->regions, &d->result, bodies)) ||
        !abut_world_keep_changes(context, d, bodies, answer)) {
        return abut_fail(&d->result.error, ABUT_NO_MEMORY, "no memory for contacts");
    }
    abut_contact_law law =
        abut_world_law(world, world->bodies[bodies.a].material, world->bodies[bodies.b].material);
    for (int i = 0; i < count; ++i) {
        abut_world_contact *c = &d->contacts[d->count++];
        c->body_a = bodies.a;
        c->body_b = bodies.b;
        c->contact = d->result.contacts.items[i];
        c->friction = law.friction;
        c->restitution = law.restitution;
        c->impulse = (abut_solve_impulse){0};
        abut_world_settle(pair, answer, &c->contact);
        c->contact.region += c->contact.region >= 0 ? answer->region_begin.regions : 0;
    }
    answer->count = count;
    if (!answer->is_ahead) {
        const abut_region_counts region_count = {d->result.regions.count, d->result.loops.count,
                                                 d->result.cones.count, d->result.points.count,
                                                 d->result.directions.count};
        answer->region_count = region_count;
    }
    return ABUT_OK;
}

/// Brings what the queries after this one need into the cache: a memory takes longer to come than a query to answer.
static void foresee(const abut_world *world, int pair, int end)
{
    enum { NEAR = 3, FAR = 6 };
    if (pair + FAR < end) {
        abut_memory_foresee(world->pairs[pair + FAR].memory);
    }
    if (pair + NEAR < end) {
        abut_memory_foresee_bytes(world->pairs[pair + NEAR].memory);
    }
}

static void look_at_pairs(void *data, int begin, int end, int worker)
{
    abut_world *world = data;
    abut_detector *d = &world->detectors[worker];
    for (int i = begin; i < end; ++i) {
        foresee(world, i, end);
        abut_body_pair bodies = world->pairs[i].bodies;
        abut_pair_answer answer = {.worker = worker};
        if (world->pairs[i].is_asleep) {
            continue;
        }
        abut_pair pair = abut_world_pair(world, &world->pairs[i]);
        abut_status status = abut_world_query(world, d, &pair, &world->pairs[i], &answer);
        if (status == ABUT_OK) {
            status = keep_answer(world, d, &pair, bodies, &answer);
        }
        if (status != ABUT_OK && (d->failed_pair < 0 || i < d->failed_pair)) {
            d->failed_pair = i;
            d->error = d->result.error;
        }
        world->answers[i] = answer;
    }
}

static abut_status fail_pair(const abut_world *world, abut_body_pair bodies, const abut_error *reason,
                             abut_error *error)
{
    char a[ABUT_BODY_CALL_ROOM], b[ABUT_BODY_CALL_ROOM], method[ABUT_BODY_CALL_ROOM] = "";
    if (reason->status == ABUT_OVERLAP) { // other methods may answer
        int materials[2] = {world->bodies[bodies.a].material, world->bodies[bodies.b].material};
        int choice = abut_world_law(world, materials[0], materials[1]).choice;
        (void)snprintf(method, sizeof method, "method %s: ", world->choices[choice].method->name);
    }
    return abut_fail_element(error, reason->status, bodies.a, "step %lld: %s and %s: %s%s",
                             (long long)world->step + 1, abut_world_call(world, bodies.a, a),
                             abut_world_call(world, bodies.b, b), method, reason->text);
}

/// Counts the contacts and regions of all pairs, gives the pairs their places, and makes room. The answers of pairs that
/// sleep become their places in the lists of the last step.
static int place_answers(abut_world *world)
{
    abut_region_counts regions = {0};
    int contacts = 0;
    for (int i = 0; i < world->pair_count; ++i) {
        abut_pair_state *pair = &world->pairs[i];
        abut_pair_answer *answer = &world->answers[i];
        if (pair->is_asleep) {
            *answer = (abut_pair_answer){.begin = pair->contact_begin,
                                         .count = pair->contact_count,
                                         .region_begin = pair->region_begin,
                                         .region_count = pair->region_count};
        }
        pair->contact_begin = contacts;
        pair->contact_count = answer->count;
        pair->region_begin = regions;
        pair->region_count = answer->region_count;
        if (answer->count > INT_MAX - contacts || !abut_region_counts_add(&regions, &answer->region_count)) {
            return 0;
        }
        contacts += answer->count;
    }
    world->contact_count = contacts;
    return abut_grow(&world->context, &world->contacts, &world->contact_capacity, contacts,
                     sizeof *world->contacts) &&
           abut_region_list_resize(&world->context, &world->regions, &regions);
}

static void copy_answers(void *data, int begin, int end, int worker)
{
    abut_world *world = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        const abut_pair_state *pair = &world->pairs[i];
        const abut_pair_answer *answer = &world->answers[i];
        const abut_detector *d = &world->detectors[answer->worker];
        const abut_world_contact *from = pair->is_asleep ? world->known_contacts : d->contacts;
        for (int k = 0; k < answer->count; ++k) {
            abut_world_contact *c = &world->contacts[pair->contact_begin + k];
            *c = from[answer->begin + k];
            c->contact.region +=
                c->contact.region >= 0 ? pair->region_begin.regions - answer->region_begin.regions : 0;
        }
        abut_region_list_copy_part(&world->regions, &pair->region_begin,
                                   pair->is_asleep ? &world->known_regions : &d->regions, &answer->region_begin,
                                   &answer->region_count);
    }
}

/// Copies the contacts and regions of all workers and of the pairs that sleep to the lists of the world, in the order of
/// the pairs. The contacts of a pair that sleeps keep their impulses.
static abut_status collect(abut_world *world)
{
    if (!place_answers(world)) {
        return ABUT_NO_MEMORY;
    }
    abut_world_spread(world, world->pair_count, copy_answers, world);
    return ABUT_OK;
}

/// collect() if a single worker has found everything: its lists are those of the world already.
static void exchange_lists(abut_world *world)
{
    abut_detector *d = &world->detectors[0];
    abut_world_contact *contacts = world->contacts;
    int capacity = world->contact_capacity;
    world->contacts = d->contacts;
    world->contact_capacity = d->capacity;
    world->contact_count = d->count;
    d->contacts = contacts;
    d->capacity = capacity;
    abut_region_list regions = world->regions;
    world->regions = d->regions;
    d->regions = regions;
    for (int i = 0; i < world->pair_count; ++i) {
        const abut_pair_answer *answer = &world->answers[i];
        abut_pair_state *pair = &world->pairs[i];
        pair->contact_begin = answer->begin;
        pair->contact_count = answer->count;
        pair->region_begin = answer->region_begin;
        pair->region_count = answer->region_count;
    }
}

static int has_single_worker(const abut_world *world)
{
    for (int i = 0; i < world->pair_count && world->asleep_count > 0; ++i) {
        if (world->pairs[i].is_asleep) {
            return 0;
        }
    }
    return world->detector_count == 1;
}

/// Whether a body can wake others that it does not touch yet: a fixed one that moves.
static int wakes(const abut_world *world, const abut_body *body)
{
    return world->asleep_count > 0 && abut_body_moves(body);
}

typedef struct boxing {
    abut_world *world;
    double fall;
    atomic_int failed; ///< the first body whose position is not finite, or body_count
} boxing;

static void find_boxes(void *data, int begin, int end, int worker)
{
    boxing *b = data;
    abut_world *world = b->world;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        const abut_body *body = &world->bodies[i];
        world->is_passive[i] =
            (unsigned char)(abut_body_is_asleep(body) || (body->is_fixed && !wakes(world, body)));
        world->poses[i] = abut_body_pose(body);
        world->boxes[i] = abut_body_box(body, world->poses[i], margin_of(world, body, b->fall));
        if (!abut_is_finite(world->boxes[i].lower) || !abut_is_finite(world->boxes[i].upper)) {
            int failed = atomic_load(&b->failed);
            while (i < failed && !atomic_compare_exchange_weak(&b->failed, &failed, i)) {
            }
        }
    }
}

static abut_status find_pairs(abut_world *world, abut_error *error)
{
    const abut_context *context = &world->context;
    if (!abut_grow(context, &world->boxes, &world->box_capacity, world->body_count, sizeof *world->boxes) ||
        !abut_grow(context, &world->poses, &world->pose_capacity, world->body_count, sizeof *world->poses) ||
        !abut_grow(context, &world->is_passive, &world->passive_capacity, world->body_count, 1)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for boxes of bodies");
    }
    boxing b = {.world = world, .fall = furthest_fall(world), .failed = world->body_count};
    abut_world_spread(world, world->body_count, find_boxes, &b);
    int failed = atomic_load(&b.failed);
    if (failed < world->body_count) {
        char name[ABUT_BODY_CALL_ROOM];
        return abut_fail_element(error, ABUT_LIMIT, world->bodies[failed].number,
                                 "step %lld: %s: its position is not finite", (long long)world->step + 1,
                                 abut_world_call(world, failed, name));
    }
    abut_status status = abut_broad_find(&world->broad, world->boxes, world->is_passive, world->body_count);
    if (status == ABUT_OK) {
        status = take_pairs(world);
    }
    return status == ABUT_OK ? ABUT_OK : abut_fail(error, status, "no memory for pairs of bodies");
}

abut_status abut_world_find_contacts(abut_world *world, abut_error *error)
{
    memset(&world->report, 0, sizeof world->report);
    world->report.step = world->step;
    world->report.time = (double)world->step * world->def.dt;
    abut_world_tell(world, ABUT_PHASE_BROAD);
    abut_status status = find_pairs(world, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_world_tell(world, ABUT_PHASE_NARROW);
    for (int i = 0; i < world->detector_count; ++i) {
        abut_detector *d = &world->detectors[i];
        d->count = 0;
        d->regions.counts = (abut_region_counts){0};
        d->change_count = 0;
        d->failed_pair = -1;
        memset(&d->stats, 0, sizeof d->stats);
    }
    enum { PAIRS_OF_A_TASK = 8 }; // fewer take less time than waking a thread
    abut_parallel_for(&world->context, world->pair_count, PAIRS_OF_A_TASK, look_at_pairs, world);
    const abut_detector *failed = NULL;
    world->report.pair_count = world->pair_count;
    for (int i = 0; i < world->detector_count; ++i) {
        const abut_detector *d = &world->detectors[i];
        abut_stats_add(&world->report.stats, &d->stats);
        if (d->failed_pair >= 0 && (failed == NULL || d->failed_pair < failed->failed_pair)) {
            failed = d;
        }
    }
    if (failed != NULL) {
        return fail_pair(world, world->pairs[failed->failed_pair].bodies, &failed->error, error);
    }
    if (has_single_worker(world)) {
        exchange_lists(world);
    } else {
        status = collect(world);
    }
    if (status == ABUT_OK) {
        status = abut_world_collect_changes(world);
    }
    if (status != ABUT_OK) {
        return abut_fail(error, status, "no memory for contacts");
    }
    world->report.contacts = world->contacts;
    world->report.contact_count = world->contact_count;
    world->report.regions = abut_region_list_view(&world->regions);
    world->report.poses = world->poses;
    world->report.asleep_count = world->asleep_count;
    return ABUT_OK;
}
