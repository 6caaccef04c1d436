// SPDX-License-Identifier: MIT
// step_limit.c: keeps the base complexes of method quasi-lmd apart in a step
//
// Dilations let bodies overlap a little, and contacts then push them out. Bodies whose base complexes meet have no
// contacts. So a step ends early for bodies that would get that far: all of a group of bodies that are near each other move
// for the same share of it, from where they were to a place on the straight way to where they would be. Velocities are
// those of the whole step.
//
// Source: Merlhiot 2007, footnote 2.
// Cost:   a search for the least distance, for each pair whose boxes meet on the way. No allocation in a repeated step.
// Fails:  fixed bodies that move are not stopped.
#include "world/world.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "method/methods.h"

#include <abut/quasi_lmd.h>

static const double least_motion = 1e-9; ///< of the size: shorter ways are no motion

typedef struct limiting {
    abut_world *world;
    double time; ///< from `begin` of the paths to where the bodies are
} limiting;

static const abut_method_choice *choice_of(const abut_world *world, abut_body_pair bodies)
{
    const abut_body *a = &world->bodies[bodies.a], *b = &world->bodies[bodies.b];
    return &world->choices[abut_world_law(world, a->material, b->material).choice];
}

static int has_complexes(const abut_world *world)
{
    for (int i = 0; i < world->choice_count; ++i) {
        if (world->choices[i].method == &abut_method_quasi_lmd) {
            return 1;
        }
    }
    return 0;
}

static abut_pose pose_before(const abut_world *world, int index)
{
    abut_body before = world->bodies[index];
    before.motion = world->paths.begin[index];
    return abut_body_pose(&before);
}

/// The constant velocities that bring a body from where it was to where it is.
static abut_side side_on_way(const abut_world *world, int index, double time)
{
    abut_side side = abut_side_default(world->bodies[index].shape);
    abut_pose now = abut_body_pose(&world->bodies[index]);
    side.pose = pose_before(world, index);
    abut_quat turn = abut_quat_multiply(now.rotation, abut_quat_conjugate(side.pose.rotation));
    double sign = turn.w < 0.0 ? -1.0 : 1.0, sine = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    double factor = sine > 0.0 ? sign * 2.0 * atan2(sine, sign * turn.w) / sine : 2.0;
    side.angular_velocity = abut_scale(factor / time, abut_vec3_make(turn.x, turn.y, turn.z));
    side.linear_velocity = abut_scale(1.0 / time, abut_sub(now.position, side.pose.position));
    return side;
}

/// Fills the boxes of the ways, and which bodies do not move.
static void find_boxes(abut_world *world, double time)
{
    abut_paths *p = &world->paths;
    for (int i = 0; i < world->body_count; ++i) {
        const abut_body *body = &world->bodies[i];
        abut_side side = side_on_way(world, i, time);
        double angle = abut_norm(side.angular_velocity) * time, reach = abut_norm(body->local_center) + body->reach;
        double way = abut_norm(side.linear_velocity) * time + reach * angle;
        // a point is off the straight line by at most r (1 - cos(angle / 2)), that is below r angle^2 / 8
        double margin = fmin(0.125 * angle * angle, 1.0) * reach;
        p->is_passive[i] = (unsigned char)!(way > least_motion * body->size);
        p->boxes[i] = abut_box_union(abut_body_box(body, side.pose, margin),
                                     abut_body_box(body, abut_body_pose(body), margin));
    }
}

static void find_shares(void *data, int begin, int end, int worker)
{
    limiting *l = data;
    abut_world *world = l->world;
    abut_paths *p = &world->paths;
    for (int i = begin; i < end; ++i) {
        abut_body_pair bodies = p->broad.pairs[i];
        const abut_method_choice *choice = choice_of(world, bodies);
        p->hits[i] = (abut_path_hit){.bodies = bodies, .time = 1.0};
        p->statuses[i] = ABUT_OK;
        if (choice->method != &abut_method_quasi_lmd ||
            (world->bodies[bodies.a].is_fixed && world->bodies[bodies.b].is_fixed)) {
            continue;
        }
        abut_pair pair = abut_pair_default(world->bodies[bodies.a].shape, world->bodies[bodies.b].shape);
        pair.a = side_on_way(world, bodies.a, l->time);
        pair.b = side_on_way(world, bodies.b, l->time);
        pair.dt = l->time;
        p->statuses[i] = abut_find_step_share(&pair, &choice->params, world->detectors[worker].workspace,
                                              &p->hits[i].time, NULL);
    }
}

/// Groups of bodies that are near each other move for the least share of their pairs: if one of two stopped alone, the
/// other one could run into it.
static void limit_groups(abut_world *world, double time)
{
    abut_paths *p = &world->paths;
    for (int i = 0; i < world->body_count; ++i) {
        world->parents[i] = i;
        p->shares[i] = 1.0;
    }
    for (int i = 0; i < p->hit_count; ++i) {
        if (choice_of(world, p->hits[i].bodies)->method == &abut_method_quasi_lmd) {
            abut_world_join(world, p->hits[i].bodies.a, p->hits[i].bodies.b);
        }
    }
    for (int i = 0; i < p->hit_count; ++i) {
        int root = abut_world_root(world, abut_world_free_body(world, p->hits[i].bodies.a, p->hits[i].bodies.b));
        p->shares[root] = fmin(p->shares[root], p->hits[i].time);
    }
    for (int i = 0; i < world->body_count; ++i) {
        abut_body *body = &world->bodies[i];
        double share = p->shares[abut_world_root(world, i)];
        if (body->is_fixed || abut_body_is_asleep(body) || !(share < 1.0)) {
            continue;
        }
        abut_side side = side_on_way(world, i, time);
        abut_pose pose = abut_world_pose_after(&side, share * time);
        body->motion.rotation = pose.rotation;
        body->motion.center = abut_pose_apply(pose, body->local_center);
        abut_body_update_spin(body);
        ++world->report.held_count;
        world->report.lost_time = fmax(world->report.lost_time, (1.0 - share) * time);
    }
}

abut_status abut_world_limit(abut_world *world, double time, abut_error *error)
{
    abut_paths *p = &world->paths;
    if (!(time > 0.0) || abut_world_is_swept(world) || !has_complexes(world)) {
        return ABUT_OK;
    }
    find_boxes(world, time);
    abut_status status = abut_broad_find(&p->broad, p->boxes, p->is_passive, world->body_count);
    int count = p->broad.pair_count;
    if (status != ABUT_OK || !abut_grow(&world->context, &p->hits, &p->hit_capacity, count, sizeof *p->hits) ||
        !abut_grow(&world->context, &p->statuses, &p->status_capacity, count, sizeof *p->statuses) ||
        !abut_grow(&world->context, &p->shares, &p->share_capacity, world->body_count, sizeof *p->shares) ||
        !abut_grow(&world->context, &world->parents, &world->parent_capacity, world->body_count,
                   sizeof *world->parents)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory to limit a step");
    }
    limiting l = {.world = world, .time = time};
    abut_parallel_for(&world->context, count, 1, find_shares, &l);
    p->hit_count = count;
    int is_limited = 0;
    for (int i = 0; i < count; ++i) {
        if (p->statuses[i] != ABUT_OK) {
            return abut_fail(error, p->statuses[i], "step %lld: the way of bodies %d and %d cannot be searched",
                             (long long)world->step + 1, p->hits[i].bodies.a, p->hits[i].bodies.b);
        }
        is_limited |= p->hits[i].time < 1.0;
    }
    if (is_limited) {
        limit_groups(world, time);
    }
    for (int i = 0; i < world->body_count; ++i) { // what follows starts from here
        p->begin[i] = world->bodies[i].motion;
    }
    return ABUT_OK;
}
