// SPDX-License-Identifier: MIT
// energy.c: energy and momentum of a world
#include "world/soft_body.h"

double abut_body_kinetic_energy(const abut_body *body)
{
    const abut_body_motion *m = &body->motion;
    return 0.5 * (body->mass * abut_norm_squared(m->linear_velocity) +
                  abut_dot(m->angular_velocity, m->angular_momentum));
}

abut_world_energy abut_world_get_energy(const abut_world *world)
{
    abut_world_energy energy = {0.0, 0.0, 0.0};
    for (int i = 0; i < world->body_count; ++i) {
        const abut_body *b = &world->bodies[i];
        if (b->soft != NULL) {
            abut_soft_energy soft = abut_soft_get_energy(b->soft->soft, world->def.gravity);
            energy.kinetic += soft.kinetic;
            energy.potential += soft.potential;
            energy.elastic += soft.elastic;
            continue;
        }
        energy.kinetic += abut_body_kinetic_energy(b);
        energy.potential -= b->mass * abut_dot(world->def.gravity, b->motion.center);
    }
    return energy;
}

abut_world_momentum abut_world_get_momentum(const abut_world *world)
{
    abut_world_momentum sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int i = 0; i < world->body_count; ++i) {
        const abut_body *b = &world->bodies[i];
        abut_vec3 linear = abut_scale(b->mass, b->motion.linear_velocity), center = b->motion.center,
                  spin = b->motion.angular_momentum;
        if (b->soft != NULL) {
            abut_body_state state = abut_soft_body_state(b);
            linear = abut_scale(state.mass, state.linear_velocity);
            center = state.center;
            spin = state.angular_momentum;
        }
        sum.linear = abut_add(sum.linear, linear);
        sum.angular = abut_add(sum.angular, abut_add(spin, abut_cross(center, linear)));
    }
    return sum;
}
