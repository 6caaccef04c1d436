// SPDX-License-Identifier: MIT
// push_path.c: what stabilisation moves meets nothing on its way
//
// Stabilisation moves bodies between two parts of their paths. A body that is moved out of one may be moved into another,
// of which no contact was found or whose contacts are left to an impact, or further into one, if the solver stopped early.
// Pairs without contacts are swept. Contacts may get no deeper than the deepest of the island was. The island moves by the
// share of its way that this allows.
//
// Cost: nothing if no body is moved by more than a part of the tolerance.
#include "world/path.h"

#include "base/error.h"
#include "prim/compare.h"
#include "world/world.h"

/// Of the smaller body: a length that counts as nothing.
static double margin_of(const abut_body *body)
{
    return 0.125 * abut_sliding_depth * body->size;
}

static double speed_of(const abut_world *world, int index)
{
    const abut_solve_velocity *v = &world->velocities[index];
    const abut_body *body = &world->bodies[index];
    return body->is_fixed ? 0.0 : abut_norm(v->linear) + body->reach * abut_norm(v->angular);
}

/// Fills the boxes of the moves. Returns whether some body moves.
static int find_boxes(const abut_world *world)
{
    const abut_paths *p = &world->paths;
    int is_any = 0;
    for (int i = 0; i < world->body_count; ++i) {
        const abut_body *body = &world->bodies[i];
        double moved = speed_of(world, i) * world->span;
        p->boxes[i] = abut_body_box(body, abut_body_pose(body), moved + margin_of(body));
        p->is_passive[i] = (unsigned char)!(moved > margin_of(body));
        is_any |= !p->is_passive[i];
    }
    return is_any;
}

static abut_motion motion_of(const abut_world *world, int index)
{
    const abut_body *body = &world->bodies[index];
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    return (abut_motion){.pose = abut_body_pose(body),
                         .center = body->local_center,
                         .linear_velocity = body->is_fixed ? zero : world->velocities[index].linear,
                         .angular_velocity = body->is_fixed ? zero : world->velocities[index].angular};
}

/// Lets the islands of two bodies move by a share at most.
static void shorten(const abut_world *world, int a, int b, double share)
{
    double *shares = world->paths.shares;
    const int both[2] = {a, b};
    for (int i = 0; i < 2; ++i) {
        if (!world->bodies[both[i]].is_fixed) {
            int root = world->parents[both[i]];
            shares[root] = fmin(shares[root], share);
        }
    }
}

/// The speed at which the bodies of a contact separate there while they are moved.
static double separation_of(const abut_world *world, const abut_world_contact *c)
{
    const abut_solve_velocity rest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const abut_body *a = &world->bodies[c->body_a], *b = &world->bodies[c->body_b];
    abut_solve_velocity of_a = a->is_fixed ? rest : world->velocities[c->body_a];
    abut_solve_velocity of_b = b->is_fixed ? rest : world->velocities[c->body_b];
    abut_vec3 arm_a = abut_sub(c->contact.position_a, a->motion.center);
    abut_vec3 arm_b = abut_sub(c->contact.position_b, b->motion.center);
    abut_vec3 between = abut_sub(abut_add(of_b.linear, abut_cross(of_b.angular, arm_b)),
                                 abut_add(of_a.linear, abut_cross(of_a.angular, arm_a)));
    return abut_dot(c->contact.normal, between);
}

/// Lets contacts get no deeper than the deepest one of their island, or than what counts as touching.
static void limit_depths(const abut_world *world)
{
    double *depths = world->paths.shares + 2 * world->body_count; // of islands, at their roots
    for (int i = 0; i < world->body_count; ++i) {
        depths[i] = 0.0;
    }
    for (int i = 0; i < world->contact_count; ++i) {
        const abut_world_contact *c = &world->contacts[i];
        int root = world->parents[abut_world_free_body(world, c->body_a, c->body_b)];
        double size = fmin(world->bodies[c->body_a].size, world->bodies[c->body_b].size);
        depths[root] = fmax(depths[root], fmax(-c->contact.gap, 0.5 * abut_sliding_depth * size));
    }
    for (int i = 0; i < world->contact_count; ++i) {
        const abut_world_contact *c = &world->contacts[i];
        int root = world->parents[abut_world_free_body(world, c->body_a, c->body_b)];
        double way = separation_of(world, c) * world->span, room = c->contact.gap + depths[root];
        if (way < -room) {
            shorten(world, c->body_a, c->body_b, fmax(0.0, -room / way));
        }
    }
}

/// Sweeps two bodies that have no contact.
static void sweep_pair(const abut_world *world, abut_body_pair bodies)
{
    const abut_body *a = &world->bodies[bodies.a], *b = &world->bodies[bodies.b];
    abut_sweep_def def = abut_sweep_def_default(abut_shape_tree(a->shape, ABUT_ELEMENT_TRIANGLE),
                                                abut_shape_tree(b->shape, ABUT_ELEMENT_TRIANGLE));
    abut_sweep_hit hit;
    def.motion_a = motion_of(world, bodies.a);
    def.motion_b = motion_of(world, bodies.b);
    def.duration = world->span;
    def.tolerance = abut_sliding_depth * fmin(a->size, b->size);
    double speed = speed_of(world, bodies.a) + speed_of(world, bodies.b);
    if (abut_sweep(&def, &hit, NULL) == ABUT_OK && hit.is_hit &&
        hit.time * speed > fmin(margin_of(a), margin_of(b))) {
        shorten(world, bodies.a, bodies.b, hit.time / world->span);
    }
}

abut_status abut_world_sweep_pushes(abut_world *world)
{
    abut_paths *p = &world->paths;
    if (!find_boxes(world)) {
        return ABUT_OK;
    }
    limit_depths(world);
    abut_status status = abut_broad_find(&p->broad, p->boxes, p->is_passive, world->body_count);
    for (int i = 0; i < p->broad.pair_count && status == ABUT_OK; ++i) {
        abut_body_pair bodies = p->broad.pairs[i];
        const abut_body *a = &world->bodies[bodies.a], *b = &world->bodies[bodies.b];
        const abut_pair_state *pair = abut_world_find_pair(world, bodies);
        if (!(a->is_fixed && b->is_fixed) && a->soft == NULL && b->soft == NULL &&
            (pair == NULL || pair->contact_count == 0)) {
            sweep_pair(world, bodies);
        }
    }
    return status;
}
