// SPDX-License-Identifier: MIT
// sleep.c: islands of bodies at rest, which cost nothing until something wakes them
//
// An island is a set of free bodies connected by contacts. It sleeps once none of its bodies has moved for some steps,
// as a whole: the impulses of each body depend on all others. Its contacts stay in the list with their impulses, so
// that an island that wakes goes on as if it had not slept.
#include "world/world.h"

#include "base/memory.h"

#include <string.h>

/// Of the size of a body: smaller motions in a step are rest. With the default tolerance of the solver, bodies at rest
/// sway by up to 5e-11 in a step, and come back.
static const double still_share = 1e-10;

enum { STILL_STEPS = 10 };

int abut_world_is_idle_pair(const abut_world *world, abut_body_pair bodies)
{
    const abut_body *a = &world->bodies[bodies.a], *b = &world->bodies[bodies.b];
    if (a->soft != NULL || b->soft != NULL) {
        return 1;
    }
    int is_idle_a = abut_body_is_asleep(a) || (a->is_fixed && (b->is_fixed || !abut_body_moves(a)));
    int is_idle_b = abut_body_is_asleep(b) || (b->is_fixed && (a->is_fixed || !abut_body_moves(b)));
    return is_idle_a && is_idle_b;
}

int abut_world_is_at_rest(const abut_world *world)
{
    for (int i = 0; i < world->body_count && world->asleep_count > 0; ++i) {
        const abut_body *body = &world->bodies[i];
        if (body->is_fixed ? abut_body_moves(body) : !abut_body_is_asleep(body)) {
            return 0;
        }
    }
    return world->asleep_count > 0;
}

static void wake(abut_world *world, abut_body *body)
{
    world->asleep_count -= abut_body_is_asleep(body);
    body->motion.island = 0;
    body->motion.still_count = 0;
}

void abut_world_wake_all(abut_world *world)
{
    for (int i = 0; i < world->body_count; ++i) {
        wake(world, &world->bodies[i]);
    }
}

void abut_world_wake_body(abut_world *world, int body)
{
    int island = world->bodies[body].motion.island;
    for (int i = 0; i < world->body_count && island > 0; ++i) {
        if (world->bodies[i].motion.island == island) {
            wake(world, &world->bodies[i]);
        }
    }
}

void abut_world_wake_touched(abut_world *world)
{
    for (int i = 0; i < world->pair_count && world->asleep_count > 0; ++i) {
        const abut_pair_state *pair = &world->pairs[i];
        if (!pair->is_asleep && pair->contact_count > 0) { // one of them is awake
            abut_world_wake_body(world, pair->bodies.a);
            abut_world_wake_body(world, pair->bodies.b);
        }
    }
}

abut_status abut_world_list_awake(abut_world *world)
{
    const abut_context *context = &world->context;
    if (!abut_grow(context, &world->awake_contacts, &world->awake_capacity, world->contact_count,
                   sizeof *world->awake_contacts) ||
        !abut_grow(context, &world->parents, &world->parent_capacity, world->body_count, sizeof *world->parents)) {
        return ABUT_NO_MEMORY;
    }
    world->awake_contact_count = 0;
    for (int i = 0; i < world->contact_count; ++i) {
        const abut_world_contact *c = &world->contacts[i];
        if (world->asleep_count == 0 ||
            (!abut_body_is_asleep(&world->bodies[c->body_a]) && !abut_body_is_asleep(&world->bodies[c->body_b]))) {
            world->awake_contacts[world->awake_contact_count++] = i;
        }
    }
    return ABUT_OK;
}

/// Counts the steps in which a body has not moved.
static void count_still(abut_world *world, int index)
{
    abut_body *body = &world->bodies[index];
    const abut_body_motion *then = &world->kept[index];
    abut_body_motion *now = &body->motion;
    const abut_quat p = then->rotation, q = now->rotation;
    double turned = fmax(fmax(fabs(p.w - q.w), fabs(p.x - q.x)), fmax(fabs(p.y - q.y), fabs(p.z - q.z)));
    double speed = abut_norm(now->linear_velocity) + body->reach * abut_norm(now->angular_velocity);
    double moved = abut_norm(abut_sub(now->center, then->center)) + 4.0 * body->reach * turned;
    int is_still = fmax(moved, speed * world->def.dt) <= still_share * body->size;
    now->still_count = !is_still ? 0 : now->still_count < STILL_STEPS ? now->still_count + 1 : STILL_STEPS;
}

int abut_world_root(const abut_world *world, int body)
{
    int *parents = world->parents;
    while (parents[body] != body) {
        parents[body] = parents[parents[body]];
        body = parents[body];
    }
    return body;
}

void abut_world_join(const abut_world *world, int a, int b)
{
    if (!world->bodies[a].is_fixed && !world->bodies[b].is_fixed) {
        int root_a = abut_world_root(world, a), root_b = abut_world_root(world, b);
        world->parents[root_a > root_b ? root_a : root_b] = root_a < root_b ? root_a : root_b;
    }
}

/// Joins the bodies that touch, and lets none sleep that a moving fixed body touches.
static void join_touching(abut_world *world)
{
    for (int i = 0; i < world->contact_count; ++i) {
        int a = world->contacts[i].body_a, b = world->contacts[i].body_b;
        abut_body *body_a = &world->bodies[a], *body_b = &world->bodies[b];
        abut_world_join(world, a, b);
        if ((body_a->is_fixed || body_b->is_fixed) && abut_body_moves(body_a->is_fixed ? body_a : body_b)) {
            (body_a->is_fixed ? body_b : body_a)->motion.still_count = 0;
        }
    }
}

void abut_world_put_to_sleep(abut_world *world)
{
    if (!world->def.has_sleep || world->soft_count > 0) {
        return;
    }
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    for (int i = 0; i < world->body_count; ++i) {
        world->parents[i] = i;
        if (!world->bodies[i].is_fixed && !abut_body_is_asleep(&world->bodies[i])) {
            count_still(world, i);
        }
    }
    join_touching(world);
    for (int i = world->body_count - 1; i >= 0; --i) { // the root of an island is its lowest body
        int root = abut_world_root(world, i);
        abut_body_motion *m = &world->bodies[i].motion, *of_root = &world->bodies[root].motion;
        of_root->still_count = m->still_count < of_root->still_count ? m->still_count : of_root->still_count;
    }
    for (int i = 0; i < world->body_count; ++i) {
        abut_body *body = &world->bodies[i];
        int root = abut_world_root(world, i);
        body->motion.still_count = world->bodies[root].motion.still_count;
        if (!body->is_fixed && !abut_body_is_asleep(body) && body->motion.still_count == STILL_STEPS) {
            body->motion.island = root + 1;
            body->motion.linear_velocity = body->motion.angular_velocity = body->motion.angular_momentum = zero;
            ++world->asleep_count;
        }
    }
}
