// SPDX-License-Identifier: MIT
// path.c: the first touch of bodies on their paths
//
// Boxes that hold whole paths go through the broad phase. Pairs of which no body moves by more than a small part of the
// tolerance are left out, so that bodies at rest cost nothing. The others are swept, piece by piece of constant spin.
//
// A sweep lets bodies that touch slide on each other as long as they do not overlap by more than its tolerance. Some
// that touch get further into each other, but slowly: the solver stopped early, or the points of a body that turns about
// a contact are on a curve. They are swept again with a larger tolerance. What they run into elsewhere is found, and
// what is left of the overlap is left to stabilisation.
#include "world/path.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "prim/compare.h"
#include "world/path_plane.h"
#include "world/world.h"

/// Of the tolerance of a sweep: a length that counts as nothing.
static const double margin_share = 0.25;
/// Of the smaller body: bodies that touch and get closer by less than this in the step are left to stabilisation if the
/// solver has not converged.
static const double harmless_way = 1e-3;
/// Of the tolerance of a sweep: how far bodies that touch may get into each other until it ends.
static const double sink_share = 0.25;
/// How often two bodies may slowly touch on their way, with one corner after the other, before it counts.
enum { SLOW_TOUCHES = 4 };

/// A body on its path.
struct abut_path_walk {
    abut_body body; ///< at the end of the piece
    abut_vec3 velocity;
    double begin, end; ///< of the piece
    double piece;      ///< its length
    int pieces, left;  ///< of the path; those that follow
    abut_motion motion;
};
typedef struct abut_path_walk walk;

abut_status abut_world_grow_paths(abut_world *world)
{
    const abut_context *context = &world->context;
    abut_paths *p = &world->paths;
    int count = world->body_count;
    return abut_grow(context, &p->begin, &p->begin_capacity, count, sizeof *p->begin) &&
                   abut_grow(context, &p->middle, &p->middle_capacity, count, sizeof *p->middle) &&
                   abut_grow(context, &p->velocities, &p->velocity_capacity, count, sizeof *p->velocities) &&
                   abut_grow(context, &p->is_held, &p->held_capacity, count, 1) &&
                   abut_grow(context, &p->held, &p->held_motion_capacity, count, sizeof *p->held) &&
                   abut_grow(context, &p->boxes, &p->box_capacity, count, sizeof *p->boxes) &&
                   abut_grow(context, &p->traces, &p->trace_capacity, count, sizeof *p->traces) &&
                   abut_grow(context, &p->is_passive, &p->passive_capacity, count, 1) &&
                   abut_grow(context, &p->island_sizes, &p->island_capacity, count, sizeof *p->island_sizes) &&
                   abut_grow(context, &p->walks, &p->walk_capacity, count, sizeof *p->walks)
               ? ABUT_OK
               : ABUT_NO_MEMORY;
}

void abut_world_release_paths(abut_world *world)
{
    abut_paths *p = &world->paths;
    void *const blocks[] = {p->begin,  p->middle,     p->velocities,  p->is_held,  p->held,
                            p->boxes,  p->is_passive, p->hits,        p->statuses, p->traces,
                            p->shares, p->walks,      p->island_sizes};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i) {
        abut_free(&world->context, blocks[i]);
    }
    abut_broad_release(&p->broad);
}

// ---------------------------------------------------------------------------------------------------------------
// Boxes

/// A box that holds a body while its center moves at a velocity for a time, and a bound of how far its points move.
static abut_box box_of_path(const abut_body *body, abut_vec3 velocity, double time, double *moved)
{
    const abut_body_motion *m = &body->motion;
    abut_body end = *body;
    double angle = abut_norm(m->angular_velocity) * time, margin = body->reach;
    end.motion.center = abut_add_scaled(m->center, time, velocity);
    *moved += abut_norm(velocity) * time + body->reach * angle;
    if (angle == 0.0) {
        margin = 0.0;
    } else if (angle < 1.0 && abut_body_piece_count(body, time) == 1) {
        // a point is off the straight line by at most r (1 - cos(angle / 2)), that is below r angle^2 / 8
        abut_vec3 spin = abut_body_turn_piece(&end, time);
        double turn = abut_norm(spin) * time;
        margin = 0.125 * body->reach * turn * turn;
    } else {
        abut_vec3 by = {margin, margin, margin};
        abut_box box = abut_box_add(abut_box_add(abut_box_empty(), m->center), end.motion.center);
        return (abut_box){abut_sub(box.lower, by), abut_add(box.upper, by)};
    }
    return abut_box_union(abut_body_box(body, abut_body_pose(body), margin),
                          abut_body_box(&end, abut_body_pose(&end), margin));
}

static int is_moved(const abut_world *world, int index)
{
    return !abut_body_is_asleep(&world->bodies[index]) && !world->paths.is_held[index];
}

/// Fills `boxes` and `is_passive`. Returns whether some body is not passive.
static int find_boxes(abut_world *world)
{
    abut_paths *p = &world->paths;
    int is_any = 0;
    for (int i = 0; i < world->body_count; ++i) {
        abut_body body = world->bodies[i];
        double moved = 0.0, margin = abut_sliding_depth * body.size;
        body.motion = p->begin[i];
        if (is_moved(world, i)) {
            abut_box box = abut_box_empty();
            if (p->before > 0.0) {
                box = box_of_path(&body, body.motion.linear_velocity, p->before, &moved);
            }
            body.motion = p->middle[i];
            p->boxes[i] = abut_box_union(box, box_of_path(&body, p->velocities[i], p->after, &moved));
        } else {
            p->boxes[i] = abut_body_box(&body, abut_body_pose(&body), 0.0);
        }
        abut_vec3 by = {margin, margin, margin};
        p->boxes[i] = (abut_box){abut_sub(p->boxes[i].lower, by), abut_add(p->boxes[i].upper, by)};
        p->is_passive[i] = (unsigned char)!(moved > 0.5 * margin_share * margin);
        is_any |= !p->is_passive[i];
    }
    return is_any;
}

// ---------------------------------------------------------------------------------------------------------------
// Sweeps

static void next_piece(walk *w)
{
    abut_body at = w->body;
    w->motion = (abut_motion){.pose = abut_body_pose(&at),
                              .center = at.local_center,
                              .linear_velocity = w->velocity,
                              .angular_velocity = abut_body_turn_piece(&w->body, w->piece)};
    w->body.motion.center = abut_add_scaled(at.motion.center, w->piece, w->velocity);
    w->begin = w->end;
    w->end += w->piece;
    --w->left;
}

/// Begins the path of a body before or after the contacts are found.
static void begin_walk(const abut_world *world, int index, int is_after)
{
    const abut_paths *p = &world->paths;
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    walk *w = &p->walks[index];
    int moves = is_moved(world, index);
    double time = is_after ? p->after : p->before;
    w->body = world->bodies[index];
    w->body.motion = is_after && moves ? p->middle[index] : p->begin[index];
    w->velocity = is_after ? p->velocities[index] : w->body.motion.linear_velocity;
    if (!moves) {
        w->velocity = w->body.motion.angular_velocity = w->body.motion.angular_momentum = zero;
    }
    int pieces = !moves ? 1 : is_after ? world->bodies[index].piece_count : abut_body_piece_count(&w->body, time);
    w->pieces = w->left = pieces > 0 ? pieces : 1; // a step in which a body cannot be rotated has failed before
    w->piece = time / w->left;
    w->end = 0.0;
    next_piece(w);
}

static abut_motion motion_at(const walk *w, double time)
{
    abut_motion m = w->motion;
    m.pose = abut_motion_pose(&w->motion, time - w->begin);
    return m;
}

/// The speed at which the bodies separate where they touch, after a time of the two motions.
static double normal_speed_of(const abut_motion *a, const abut_motion *b, const abut_sweep_hit *hit)
{
    abut_vec3 center_a = abut_add_scaled(abut_pose_apply(a->pose, a->center), hit->time, a->linear_velocity);
    abut_vec3 center_b = abut_add_scaled(abut_pose_apply(b->pose, b->center), hit->time, b->linear_velocity);
    abut_vec3 speed_a =
        abut_add(a->linear_velocity, abut_cross(a->angular_velocity, abut_sub(hit->a.point, center_a)));
    abut_vec3 speed_b =
        abut_add(b->linear_velocity, abut_cross(b->angular_velocity, abut_sub(hit->b.point, center_b)));
    return abut_dot(hit->normal, abut_sub(speed_b, speed_a));
}

/// Lets the bodies of a sweep move on for a time.
static void move_on(abut_sweep_def *def, double time)
{
    def->motion_a.pose = abut_motion_pose(&def->motion_a, time);
    def->motion_b.pose = abut_motion_pose(&def->motion_b, time);
    def->duration -= time;
}

/// For bodies that touch or overlap, and do not leave each other so that a sweep could tell what they run into next: lets
/// them move as far as cannot take one through the other, and contacts are found again there.
static void go_on_shortly(const abut_world *world, abut_path_hit *pair, double duration)
{
    const double share = 0.05;
    const abut_body *a = &world->bodies[pair->bodies.a], *b = &world->bodies[pair->bodies.b];
    double time = share * fmin(a->girth, b->girth) / pair->speed;
    pair->touch.is_hit = time < duration && !abut_world_is_harmless(world, a, b, pair->speed);
    pair->touch.time = time;
    pair->is_slow = 1;
}

/// Whether bodies that cannot pass may get a little further into each other. In a large island some always do, slowly or because
/// the solver stopped early, and stabilisation takes them apart again. A small one tries to avoid that, as long as its
/// step may be cut.
static int is_lenient(const abut_world *world, abut_body_pair bodies)
{
    const int *sizes = world->paths.island_sizes;
    return world->paths.is_lenient || sizes[bodies.a] > ABUT_SMALL_ISLAND || sizes[bodies.b] > ABUT_SMALL_ISLAND;
}

static int is_inexact(const abut_world *world, abut_body_pair bodies)
{
    return world->report.outcome != ABUT_SOLVE_CONVERGED && is_lenient(world, bodies);
}

/// How often a sweep is tried with a larger tolerance; the last is for bodies that get into each other from the beginning.
enum { TOLERANCES = 4 };

/// The tolerance of such a sweep.
static double tolerance_of(const abut_world *world, const abut_path_hit *pair, int number)
{
    // of the size; the first sweep lets nothing sink, so that bodies that meet fast are stopped where they touch
    const double depths[TOLERANCES] = {abut_sliding_depth, abut_sliding_depth, 2e-5, 1e-2};
    const abut_body *a = &world->bodies[pair->bodies.a], *b = &world->bodies[pair->bodies.b];
    double size = fmin(a->size, b->size), most = depths[number] * size;
    if (number < TOLERANCES - 1 || abut_world_is_harmless(world, a, b, pair->speed)) {
        return most;
    }
    // those that might pass get a little deeper until contacts are found again: as much on each path, however many pieces it
    // has. If the cuts would not last, they may sink by a part of what slow ones do in a step
    double deeper = (pair->overlap + abut_sliding_depth * size) / sink_share;
    double slow = world->paths.is_behind ? abut_world_least_approach(world, size) * world->def.dt : 0.0;
    return fmin(fmax(deeper, fmin(slow, harmless_way * size)), most);
}

/// Sweeps two bodies for a time in which their spins are constant. If they touch on their way and approach each other slowly,
/// which speculative contacts leave to bodies that turn, they are swept on from there, and may slide on each other. If
/// they touch at the beginning and get slowly further into each other, or overlap, they are swept again with a larger
/// tolerance. `since` is the time from the beginning of the paths to that of the sweep.
static abut_status sweep_piece(const abut_world *world, double since, abut_path_hit *pair, abut_sweep_def *def)
{
    abut_sweep_hit *hit = &pair->touch;
    const abut_body *a = &world->bodies[pair->bodies.a], *b = &world->bodies[pair->bodies.b];
    hit->is_hit = 0;
    int is_harmless = abut_world_is_harmless(world, a, b, pair->speed);
    if (is_harmless && world->paths.is_lenient) {
        return ABUT_OK;
    }
    double size = fmin(a->size, b->size), begin = 0.0;
    int is_left_inexact = is_harmless && is_inexact(world, pair->bodies), touches = 0;
    int is_at_begin = 0, count = is_left_inexact ? TOLERANCES : TOLERANCES - 1;
    for (int i = 0; i < count;) {
        def->tolerance = tolerance_of(world, pair, i);
        def->sink = i > 0 ? sink_share * def->tolerance : 0.0;
        abut_status status = abut_sweep(def, hit, NULL);
        if (status != ABUT_OK || !hit->is_hit) {
            return status;
        }
        is_at_begin = (since + begin + hit->time) * pair->speed <= pair->margin;
        pair->overlap = is_at_begin ? fmax(pair->overlap, -hit->gap) : pair->overlap;
        // of bodies that touched, a sweep reports that they overlap by `sink`
        int did_touch = hit->time * pair->speed <= pair->margin || hit->gap < -0.125 * def->tolerance;
        pair->approach = -normal_speed_of(&def->motion_a, &def->motion_b, hit);
        pair->is_slow = pair->approach < abut_world_least_approach(world, size);
        int is_left = pair->is_slow ||
                      (did_touch && is_left_inexact && pair->approach * def->duration <= harmless_way * size);
        if (pair->is_slow && !did_touch && touches < SLOW_TOUCHES) {
            ++touches;
            begin += hit->time;
            move_on(def, hit->time);
        } else if (!is_left && !(hit->gap < -def->tolerance)) {
            hit->time += begin;
            return ABUT_OK;
        } else {
            ++i;
        }
        if (i == TOLERANCES - 1 && !is_harmless && (is_at_begin || world->paths.is_behind)) {
            count = TOLERANCES;
        }
    }
    hit->time += begin;
    if (is_at_begin) {
        go_on_shortly(world, pair, begin + def->duration);
    } else if (pair->is_slow && is_harmless) {
        hit->is_hit = 0;
    }
    return ABUT_OK;
}

const abut_pair_state *abut_world_find_pair(const abut_world *world, abut_body_pair bodies)
{
    int begin = 0, end = world->pair_count;
    while (begin < end) {
        int middle = begin + (end - begin) / 2;
        if (abut_world_is_pair_before(world->pairs[middle].bodies, bodies)) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    int is_found = begin < world->pair_count && !abut_world_is_pair_before(bodies, world->pairs[begin].bodies);
    return is_found ? &world->pairs[begin] : NULL;
}

/// Of the smaller body's shortest side: an overlap in which contacts still tell how two bodies can leave each other.
static const double shallow_share = 0.1;

/// Whether the plane of a contact of two bodies keeps them apart for the time of a sweep, or as deep in each other as they
/// are if they cannot pass: then nothing needs to be swept.
static int is_kept_apart(const abut_world *world, const abut_path_hit *pair, const abut_sweep_def *def)
{
    const abut_pair_state *state = abut_world_find_pair(world, pair->bodies);
    const abut_body *a = &world->bodies[pair->bodies.a], *b = &world->bodies[pair->bodies.b];
    const abut_pose poses[2] = {world->poses[pair->bodies.a], world->poses[pair->bodies.b]};
    const abut_mesh_elements meshes[2] = {abut_mesh_get_elements(abut_shape_mesh(a->shape)),
                                          abut_mesh_get_elements(abut_shape_mesh(b->shape))};
    const abut_path_side side_a = {def->motion_a, meshes[0].vertices, meshes[0].vertex_count, a->reach};
    const abut_path_side side_b = {def->motion_b, meshes[1].vertices, meshes[1].vertex_count, b->reach};
    double size = fmin(a->size, b->size), level = -0.5 * abut_sliding_depth * size, deepest = level;
    double lowest = 0.0;
    int is_left_inexact = is_inexact(world, pair->bodies);
    if (is_left_inexact || abut_world_is_harmless(world, a, b, pair->speed)) {
        level = -(is_left_inexact ? harmless_way : abut_sliding_depth) * size;
        for (int i = 0; state != NULL && i < state->contact_count; ++i) {
            lowest = fmin(lowest, world->contacts[state->contact_begin + i].contact.gap);
        }
        // contacts tell half of an overlap or more; a plane that is deeper is beside them
        deepest = fmax(-shallow_share * fmin(a->girth, b->girth), 2.0 * lowest - abut_sliding_depth * size);
    }
    abut_vec3 last = {0.0, 0.0, 0.0};
    for (int i = 0; state != NULL && i < state->contact_count; ++i) {
        const abut_contact *contact = &world->contacts[state->contact_begin + i].contact;
        abut_path_plane planes[ABUT_PATH_PLANES];
        if (abut_dot(contact->normal, last) > 1.0 - 1e-12) {
            continue; // of the same face
        }
        last = contact->normal;
        int count = abut_path_planes_of(contact, meshes, poses, planes);
        for (int k = 0; k < count; ++k) {
            if (abut_path_plane_holds(&planes[k], &side_a, &side_b, def->duration, level, deepest)) {
                return 1;
            }
        }
    }
    return 0;
}

/// A slice of the time before or after the contacts are found.
typedef struct slice {
    abut_world *world;
    int is_after;
    double begin, end, all;
} slice;

/// Sweeps two bodies in a slice of time.
static abut_status sweep_slice(const slice *s, abut_path_hit *pair)
{
    const abut_world *world = s->world;
    walk a = world->paths.walks[pair->bodies.a], b = world->paths.walks[pair->bodies.b];
    double time = s->begin;
    abut_sweep_def def = abut_sweep_def_default(abut_shape_tree(a.body.shape, ABUT_ELEMENT_TRIANGLE),
                                                abut_shape_tree(b.body.shape, ABUT_ELEMENT_TRIANGLE));
    while (time < s->end) {
        double end = s->end;
        end = a.left > 0 ? fmin(end, a.end) : end;
        end = b.left > 0 ? fmin(end, b.end) : end;
        def.motion_a = motion_at(&a, time);
        def.motion_b = motion_at(&b, time);
        def.duration = end - time;
        pair->speed = abut_norm(abut_sub(a.velocity, b.velocity)) +
                      a.body.reach * abut_norm(a.motion.angular_velocity) +
                      b.body.reach * abut_norm(b.motion.angular_velocity);
        if (!(def.duration < s->all) && is_kept_apart(world, pair, &def)) {
            return ABUT_OK;
        }
        abut_status status = sweep_piece(world, time, pair, &def);
        if (status != ABUT_OK) {
            return status;
        }
        if (pair->touch.is_hit) {
            pair->time = (s->is_after ? world->paths.before : 0.0) + time + pair->touch.time;
            return ABUT_OK;
        }
        time = end;
        if (a.left > 0 && a.end <= end) {
            next_piece(&a);
        }
        if (b.left > 0 && b.end <= end) {
            next_piece(&b);
        }
    }
    return ABUT_OK;
}

/// A box that holds a body in a slice of time that is not the whole path.
static abut_box box_in_slice(const slice *s, int index)
{
    const walk *w = &s->world->paths.walks[index];
    if (w->pieces == 1 && abut_norm_squared(w->velocity) == 0.0) {
        return s->world->paths.boxes[index];
    }
    double margin = w->body.reach + abut_sliding_depth * w->body.size;
    abut_vec3 center = abut_pose_apply(w->motion.pose, w->motion.center), by = {margin, margin, margin};
    abut_box box = abut_box_add(abut_box_empty(), abut_add_scaled(center, s->begin - w->begin, w->velocity));
    box = abut_box_add(box, abut_add_scaled(center, s->end - w->begin, w->velocity));
    return (abut_box){abut_sub(box.lower, by), abut_add(box.upper, by)};
}

static void sweep_pairs(void *data, int begin, int end, int worker)
{
    const slice *s = data;
    abut_world *world = s->world;
    abut_paths *p = &world->paths;
    int is_whole = s->end - s->begin >= s->all;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        abut_path_hit *hit = &p->hits[i];
        abut_body_pair bodies = hit->bodies;
        const abut_body *a = &world->bodies[bodies.a], *b = &world->bodies[bodies.b];
        int is_idle = (a->is_fixed && b->is_fixed) || a->soft != NULL || b->soft != NULL;
        if (!is_idle && p->statuses[i] == ABUT_OK && hit->time == HUGE_VAL &&
            (is_whole || abut_boxes_overlap(box_in_slice(s, bodies.a), box_in_slice(s, bodies.b)))) {
            p->statuses[i] = sweep_slice(s, hit);
        }
    }
}

/// Begins the list of hits.
static void begin_hits(abut_world *world)
{
    abut_paths *p = &world->paths;
    p->hit_count = p->broad.pair_count;
    for (int i = 0; i < p->hit_count; ++i) {
        abut_body_pair bodies = p->broad.pairs[i];
        double size = fmin(world->bodies[bodies.a].size, world->bodies[bodies.b].size);
        p->hits[i] =
            (abut_path_hit){.bodies = bodies, .time = HUGE_VAL, .margin = margin_share * abut_sliding_depth * size};
        p->statuses[i] = ABUT_OK;
    }
}

/// The first hit, or -1. Fails if a sweep did.
static abut_status find_earliest(const abut_world *world, int *earliest, abut_error *error)
{
    const abut_paths *p = &world->paths;
    *earliest = -1;
    for (int i = 0; i < p->hit_count; ++i) {
        if (p->statuses[i] != ABUT_OK) {
            char a[ABUT_BODY_CALL_ROOM], b[ABUT_BODY_CALL_ROOM];
            return abut_fail(error, p->statuses[i], "step %lld: %s and %s: a body turns too far in the step",
                             (long long)world->step + 1, abut_world_call(world, p->hits[i].bodies.a, a),
                             abut_world_call(world, p->hits[i].bodies.b, b));
        }
        if (p->hits[i].time < HUGE_VAL && (*earliest < 0 || p->hits[i].time < p->hits[*earliest].time)) {
            *earliest = i;
        }
    }
    return ABUT_OK;
}

/// Sweeps all pairs before or after the contacts are found. A part of a world needs to know the first hits only: a body that
/// turns often is looked at slice by slice, up to the slice in which some bodies touch.
static abut_status sweep_leg(abut_world *world, int is_after, int *earliest, abut_error *error)
{
    enum { PAIRS_OF_A_TASK = 16, PIECES_OF_A_SLICE = 8 }; // fewer pairs take less time than waking a thread
    abut_paths *p = &world->paths;
    slice s = {.world = world, .is_after = is_after, .all = is_after ? p->after : p->before};
    int most = 1;
    for (int i = 0; i < world->body_count; ++i) {
        begin_walk(world, i, is_after);
        most = p->walks[i].pieces > most ? p->walks[i].pieces : most;
    }
    int slices = world->whole != NULL ? (most + PIECES_OF_A_SLICE - 1) / PIECES_OF_A_SLICE : 1;
    abut_status status = ABUT_OK;
    for (int k = 0; k < slices && status == ABUT_OK && (*earliest < 0 || world->whole == NULL); ++k) {
        s.begin = s.end;
        s.end = k == slices - 1 ? s.all : s.all * (k + 1) / slices;
        for (int i = 0; i < world->body_count; ++i) {
            while (p->walks[i].left > 0 && p->walks[i].end <= s.begin) {
                next_piece(&p->walks[i]);
            }
        }
        abut_parallel_for(&world->context, p->hit_count, PAIRS_OF_A_TASK, sweep_pairs, &s);
        status = find_earliest(world, earliest, error);
    }
    return status;
}

/// Finds how many bodies push each other.
static void find_island_sizes(abut_world *world)
{
    int *sizes = world->paths.island_sizes;
    for (int i = 0; i < world->body_count; ++i) {
        world->parents[i] = i;
        sizes[i] = 0;
    }
    for (int i = 0; i < world->awake_contact_count; ++i) {
        const abut_solve_contact *c = &world->solve_contacts[i];
        if (world->impulses[i].normal > 0.0) {
            abut_world_join(world, c->body_a, c->body_b);
        }
    }
    for (int i = 0; i < world->body_count; ++i) {
        ++sizes[abut_world_root(world, i)];
    }
    for (int i = 0; i < world->body_count; ++i) {
        sizes[i] = sizes[abut_world_root(world, i)]; // a root is the lowest body of its island
    }
}

abut_status abut_world_sweep_paths(abut_world *world, int *earliest, abut_error *error)
{
    abut_paths *p = &world->paths;
    *earliest = -1;
    p->hit_count = 0;
    abut_world_tell(world, ABUT_PHASE_SWEEP);
    if (!find_boxes(world)) {
        return ABUT_OK;
    }
    abut_status status = abut_broad_find(&p->broad, p->boxes, p->is_passive, world->body_count);
    int count = p->broad.pair_count;
    if (status != ABUT_OK || !abut_grow(&world->context, &p->hits, &p->hit_capacity, count, sizeof *p->hits) ||
        !abut_grow(&world->context, &p->statuses, &p->status_capacity, count, sizeof *p->statuses)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for paths of bodies");
    }
    begin_hits(world);
    find_island_sizes(world);
    if (p->before > 0.0) {
        status = sweep_leg(world, 0, earliest, error);
    }
    return status == ABUT_OK && (*earliest < 0 || world->whole == NULL) ? sweep_leg(world, 1, earliest, error)
                                                                        : status;
}
