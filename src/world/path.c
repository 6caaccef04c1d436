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
#include "world/world.h"

/// Of the tolerance of a sweep: a length that counts as nothing.
static const double margin_share = 0.25;
/// Of the smaller body: bodies that touch and get closer by less than this in the step are left to stabilisation if the
/// solver has not converged.
static const double harmless_way = 1e-3;
/// How often two bodies may slowly touch on their way, with one corner after the other, before it counts.
enum { SLOW_TOUCHES = 4 };

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
                   abut_grow(context, &p->is_passive, &p->passive_capacity, count, 1)
               ? ABUT_OK
               : ABUT_NO_MEMORY;
}

void abut_world_release_paths(abut_world *world)
{
    abut_paths *p = &world->paths;
    void *const blocks[] = {p->begin,      p->middle, p->velocities, p->is_held, p->held,  p->boxes,
                            p->is_passive, p->hits,   p->statuses,   p->traces,  p->shares};
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
    } else if (abut_body_piece_count(body, time) == 1 && (!body->is_fixed || angle < 1.0)) {
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

/// A body on its path.
typedef struct walk {
    abut_body body; ///< at the beginning of the piece
    abut_vec3 velocity;
    double begin, end; ///< of the piece
    double piece;      ///< its length
    int left;          ///< pieces that follow
    abut_motion motion;
} walk;

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

static void begin_walk(walk *w, const abut_world *world, int index, int is_after)
{
    const abut_paths *p = &world->paths;
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    int moves = is_moved(world, index);
    double time = is_after ? p->after : p->before;
    w->body = world->bodies[index];
    w->body.motion = is_after && moves ? p->middle[index] : p->begin[index];
    w->velocity = is_after ? p->velocities[index] : w->body.motion.linear_velocity;
    if (!moves) {
        w->velocity = w->body.motion.angular_velocity = w->body.motion.angular_momentum = zero;
    }
    int pieces = moves ? abut_body_piece_count(&w->body, time) : 1;
    w->left = pieces > 0 ? pieces : 1; // a step in which a body cannot be rotated has failed before
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

/// For bodies that touch or overlap from the beginning, and do not leave each other so that a sweep could tell what they
/// run into next: lets them move as far as cannot take one through the other, and contacts are found again there.
static void go_on_shortly(const abut_world *world, abut_path_hit *pair, double duration)
{
    const double share = 0.05;
    const abut_body *a = &world->bodies[pair->bodies.a], *b = &world->bodies[pair->bodies.b];
    double time = share * fmin(a->girth, b->girth) / pair->speed;
    pair->touch.is_hit = time < duration && !abut_world_is_harmless(world, a, b, pair->speed);
    pair->touch.time = time;
    pair->is_slow = 1;
}

/// Sweeps two bodies for a time in which their spins are constant. If they touch on their way and approach each other slowly,
/// which speculative contacts leave to bodies that turn, they are swept on from there, and may slide on each other. If
/// they touch at the beginning and get slowly further into each other, or overlap, they are swept again with a larger
/// tolerance.
static abut_status sweep_piece(const abut_world *world, abut_path_hit *pair, abut_sweep_def *def)
{
    abut_sweep_hit *hit = &pair->touch;
    const abut_body *a = &world->bodies[pair->bodies.a], *b = &world->bodies[pair->bodies.b];
    hit->is_hit = 0;
    abut_leniency leniency =
        abut_world_is_harmless(world, a, b, pair->speed) ? world->paths.leniency : ABUT_LENIENT_NONE;
    if (leniency == ABUT_LENIENT_ALL) {
        return ABUT_OK;
    }
    double size = fmin(world->bodies[pair->bodies.a].size, world->bodies[pair->bodies.b].size);
    double begin = 0.0;
    // of the size; the first sweep lets nothing sink, so that bodies that meet fast are stopped where they touch
    const double depths[] = {abut_sliding_depth, abut_sliding_depth, 2e-5, 1e-2};
    int is_inexact = world->report.outcome != ABUT_SOLVE_CONVERGED, touches = 0;
    for (int i = 0; i < (is_inexact ? 4 : 3);) {
        def->tolerance = depths[i] * size;
        def->sink = i > 0 ? 0.25 * def->tolerance : 0.0;
        abut_status status = abut_sweep(def, hit, NULL);
        if (status != ABUT_OK || !hit->is_hit) {
            return status;
        }
        // of bodies that touched, a sweep reports that they overlap by `sink`
        int did_touch = hit->time * pair->speed <= pair->margin || hit->gap < -0.125 * def->tolerance;
        pair->approach = -normal_speed_of(&def->motion_a, &def->motion_b, hit);
        pair->is_slow = pair->approach < abut_world_least_approach(world, size);
        int is_left =
            pair->is_slow || (did_touch && is_inexact && pair->approach * def->duration <= harmless_way * size);
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
    }
    hit->time += begin;
    if (hit->time * pair->speed <= pair->margin) {
        go_on_shortly(world, pair, begin + def->duration);
    } else if (leniency == ABUT_LENIENT_SLOW && pair->is_slow) {
        hit->is_hit = 0;
    }
    return ABUT_OK;
}

/// Sweeps two bodies before or after the contacts are found.
static abut_status sweep_part(const abut_world *world, abut_path_hit *pair, int is_after)
{
    walk a, b;
    double time = 0.0, all = is_after ? world->paths.after : world->paths.before;
    begin_walk(&a, world, pair->bodies.a, is_after);
    begin_walk(&b, world, pair->bodies.b, is_after);
    abut_sweep_def def = abut_sweep_def_default(abut_shape_tree(a.body.shape, ABUT_ELEMENT_TRIANGLE),
                                                abut_shape_tree(b.body.shape, ABUT_ELEMENT_TRIANGLE));
    for (;;) {
        double end = a.left == 0 && b.left == 0                     ? all
                     : a.left > 0 && (b.left == 0 || a.end < b.end) ? a.end
                                                                    : b.end;
        def.motion_a = motion_at(&a, time);
        def.motion_b = motion_at(&b, time);
        def.duration = end - time;
        pair->speed = abut_norm(abut_sub(a.velocity, b.velocity)) +
                      a.body.reach * abut_norm(a.motion.angular_velocity) +
                      b.body.reach * abut_norm(b.motion.angular_velocity);
        abut_status status = sweep_piece(world, pair, &def);
        if (status != ABUT_OK) {
            return status;
        }
        if (pair->touch.is_hit) {
            pair->time = (is_after ? world->paths.before : 0.0) + time + pair->touch.time;
            return ABUT_OK;
        }
        if (!(end < all)) {
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
}

static void sweep_pairs(void *data, int begin, int end, int worker)
{
    abut_world *world = data;
    abut_paths *p = &world->paths;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        abut_path_hit *hit = &p->hits[i];
        abut_body_pair bodies = p->broad.pairs[i];
        const abut_body *a = &world->bodies[bodies.a], *b = &world->bodies[bodies.b];
        *hit = (abut_path_hit){.bodies = bodies, .time = HUGE_VAL};
        hit->margin = margin_share * abut_sliding_depth * fmin(a->size, b->size);
        p->statuses[i] = ABUT_OK;
        if ((a->is_fixed && b->is_fixed) || a->soft != NULL || b->soft != NULL) {
            continue;
        }
        if (p->before > 0.0) {
            p->statuses[i] = sweep_part(world, hit, 0);
        }
        if (p->statuses[i] == ABUT_OK && hit->time == HUGE_VAL) {
            p->statuses[i] = sweep_part(world, hit, 1);
        }
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
    enum { PAIRS_OF_A_TASK = 16 }; // fewer take less time than waking a thread
    abut_parallel_for(&world->context, count, PAIRS_OF_A_TASK, sweep_pairs, world);
    p->hit_count = count;
    for (int i = 0; i < count; ++i) {
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
