// SPDX-License-Identifier: MIT
// body_state.c: the states of the bodies of a world
#include "world/soft_body.h"

#include "base/error.h"

int abut_world_body_count(const abut_world *world)
{
    return world->body_count;
}

static const abut_body *get(const abut_world *world, int body)
{
    ABUT_ASSERT(world != NULL && body >= 0 && body < world->body_count);
    return &world->bodies[body];
}

abut_body_state abut_world_get_body(const abut_world *world, int body)
{
    const abut_body *b = get(world, body);
    if (b->soft != NULL) {
        return abut_soft_body_state(b);
    }
    abut_body_state state = {.pose = abut_body_pose(b),
                             .center = b->motion.center,
                             .linear_velocity = b->motion.linear_velocity,
                             .angular_velocity = b->motion.angular_velocity,
                             .angular_momentum = b->motion.angular_momentum,
                             .mass = b->mass};
    return state;
}

const char *abut_world_body_name(const abut_world *world, int body)
{
    return get(world, body)->name;
}

const abut_shape *abut_world_body_shape(const abut_world *world, int body)
{
    return get(world, body)->shape;
}

int abut_world_body_is_fixed(const abut_world *world, int body)
{
    return get(world, body)->is_fixed && get(world, body)->soft == NULL;
}

int abut_world_body_is_asleep(const abut_world *world, int body)
{
    return abut_body_is_asleep(get(world, body));
}

abut_status abut_world_set_body(abut_world *world, int body, abut_pose pose, abut_vec3 linear_velocity,
                                abut_vec3 angular_velocity, abut_error *error)
{
    ABUT_ASSERT(world != NULL);
    if (body < 0 || body >= world->body_count) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "there is no body %d", body);
    }
    char called[ABUT_BODY_CALL_ROOM];
    abut_body moved = world->bodies[body];
    abut_status status = abut_body_place(&moved, pose, linear_velocity, angular_velocity,
                                         abut_world_call(world, body, called), error);
    if (status == ABUT_OK && moved.soft != NULL) {
        abut_world_forget_penalty(world, body, NULL);
        abut_soft_body_place(&moved, pose, linear_velocity, angular_velocity);
        ++world->motion_count;
        return ABUT_OK;
    }
    if (status == ABUT_OK) {
        abut_world_forget_penalty(world, body, &moved);
        world->bodies[body] = moved;
        ++world->motion_count;
        if (moved.is_fixed) { // bodies may have stood on it, or may now touch it
            abut_world_wake_all(world);
        } else {
            abut_world_wake_body(world, body);
            world->bodies[body].motion.still_count = 0;
        }
    }
    return status;
}

void abut_world_push(abut_world *world, int body, abut_vec3 force, abut_vec3 point, abut_vec3 moment)
{
    ABUT_ASSERT(get(world, body)->soft == NULL);
    abut_vec3 arm = abut_sub(point, get(world, body)->motion.center);
    abut_body *b = &world->bodies[body];
    b->force = abut_add(b->force, force);
    b->moment = abut_add(b->moment, abut_add(moment, abut_cross(arm, force)));
    abut_world_wake_body(world, body);
}

void abut_world_set_gravity(abut_world *world, abut_vec3 gravity)
{
    ABUT_ASSERT(abut_is_finite(gravity));
    world->def.gravity = gravity;
    abut_world_wake_all(world);
}

abut_world_report abut_world_get_report(const abut_world *world)
{
    return world->report;
}
