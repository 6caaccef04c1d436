// SPDX-License-Identifier: MIT
// collide.c: new velocities of bodies that meet
//
// At the time of contact the contacts are found as they are, without looking ahead. Newton's law of impact and Coulomb's
// of friction are a problem for the solver without forces and without a length of time: contacts that approach each
// other separate with `restitution` times the speed, and the others, on which bodies rest, stay closed or open.
#include "world/world.h"

#include "base/error.h"
#include "base/memory.h"

#include <limits.h>

/// How often the pairs of a sequence of impacts are visited, on average: momentum passes from pair to pair and back.
enum { VISITS = 32 };

/// Adds the touch of two bodies to the contacts.
static int add_touch(abut_world *world, const abut_path_hit *hit)
{
    if (!abut_grow(&world->context, &world->contacts, &world->contact_capacity, world->contact_count + 1,
                   sizeof *world->contacts) ||
        !abut_grow(&world->context, &world->awake_contacts, &world->awake_capacity, world->awake_contact_count + 1,
                   sizeof *world->awake_contacts)) {
        return 0;
    }
    const abut_body *a = &world->bodies[hit->bodies.a], *b = &world->bodies[hit->bodies.b];
    abut_contact_law law = abut_world_law(world, a->material, b->material);
    abut_world_contact *c = &world->contacts[world->contact_count];
    *c = (abut_world_contact){
        .body_a = hit->bodies.a, .body_b = hit->bodies.b, .friction = law.friction, .restitution = law.restitution};
    c->contact.normal = hit->touch.normal;
    c->contact.position_a = hit->touch.a.point;
    c->contact.position_b = hit->touch.b.point;
    c->contact.position = abut_lerp(hit->touch.a.point, hit->touch.b.point, 0.5);
    c->contact.gap = hit->touch.gap;
    c->contact.region = -1;
    world->awake_contacts[world->awake_contact_count++] = world->contact_count++;
    world->report.contacts = world->contacts;
    return 1;
}

/// Whether the contacts of a pair, without those that were added, approach each other.
static int has_approach(const abut_world *world, abut_body_pair bodies)
{
    for (int i = 0; i < world->contact_count; ++i) {
        const abut_world_contact *c = &world->contacts[i];
        if (c->body_a == bodies.a && c->body_b == bodies.b && abut_world_normal_speed(world, c) < 0.0) {
            return 1;
        }
    }
    return 0;
}

/// Adds the touches of the paths for which the method has no contact, or whose contacts did not stop the bodies.
static int add_touches(abut_world *world, double time, int is_stuck)
{
    const abut_paths *p = &world->paths;
    for (int i = 0; i < p->hit_count; ++i) {
        const abut_path_hit *hit = &p->hits[i];
        if (hit->time < HUGE_VAL && fabs(hit->time - time) * hit->approach <= 4.0 * hit->margin &&
            (is_stuck || !has_approach(world, hit->bodies)) && !add_touch(world, hit)) {
            return 0;
        }
    }
    return 1;
}

/// The contact with the fastest approach above a limit, or -1.
static int find_fastest(const abut_world *world, int *contacts, int count)
{
    int found = -1;
    double least = 0.0;
    for (int i = 0; i < count; ++i) {
        const abut_world_contact *c = &world->contacts[contacts[i]];
        double size = fmin(world->bodies[c->body_a].size, world->bodies[c->body_b].size);
        double speed = abut_world_normal_speed(world, c);
        if (speed < least && -speed > abut_world_least_approach(world, size)) {
            least = speed;
            found = contacts[i];
        }
    }
    return found;
}

/// Solves pair by pair, the fastest approach first. What is left after that is slow or does not end.
static abut_status solve_in_sequence(abut_world *world, abut_error *error)
{
    int count = world->awake_contact_count, fastest;
    const abut_context *context = &world->context;
    if (!abut_grow(context, &world->impact_contacts, &world->impact_capacity, count, sizeof(int))) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for an impact");
    }
    int *all = world->impact_contacts;
    for (int i = 0; i < count; ++i) {
        all[i] = world->awake_contacts[i];
    }
    for (int visit = 0; visit < VISITS * count && (fastest = find_fastest(world, all, count)) >= 0; ++visit) {
        const abut_world_contact *of = &world->contacts[fastest];
        world->awake_contact_count = 0;
        for (int i = 0; i < count; ++i) {
            const abut_world_contact *c = &world->contacts[all[i]];
            if (c->body_a == of->body_a && c->body_b == of->body_b) {
                world->awake_contacts[world->awake_contact_count++] = all[i];
            }
        }
        abut_status status = abut_world_solve(world, error);
        if (status != ABUT_OK) {
            return status;
        }
    }
    for (int i = 0; i < count; ++i) {
        world->awake_contacts[i] = all[i];
    }
    world->awake_contact_count = count;
    return ABUT_OK;
}

abut_status abut_world_collide(abut_world *world, double time, int is_stuck, abut_error *error)
{
    world->span = world->horizon = 0.0;
    abut_status status = abut_world_find_awake_contacts(world, error);
    if (status != ABUT_OK) {
        return status;
    }
    if (!add_touches(world, time, is_stuck)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for an impact");
    }
    abut_world_tell(world, ABUT_PHASE_SOLVE);
    if (world->def.impact_rule == ABUT_IMPACT_SEQUENTIAL) {
        status = solve_in_sequence(world, error);
    }
    return status == ABUT_OK ? abut_world_solve(world, error) : status;
}
