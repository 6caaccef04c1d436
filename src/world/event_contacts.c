// SPDX-License-Identifier: MIT
// event_contacts.c: the contacts at one time of a step of events, and their rows
#include "world/event.h"

#include "base/error.h"

/// Fails if a contact has friction.
static abut_status check_friction(const abut_world *world, abut_error *error)
{
    for (int i = 0; i < world->contact_count; ++i) {
        const abut_world_contact *c = &world->contacts[i];
        if (c->friction > 0.0) {
            char a[ABUT_BODY_CALL_ROOM], b[ABUT_BODY_CALL_ROOM];
            return abut_fail_element(error, ABUT_UNSUPPORTED, c->body_a,
                                     "step %lld: %s and %s have friction %g; the stepper `events` has none: set it "
                                     "to 0, or use another stepper",
                                     (long long)world->step + 1, abut_world_call(world, c->body_a, a),
                                     abut_world_call(world, c->body_b, b), c->friction);
        }
    }
    return ABUT_OK;
}

/// Finds the contacts at the present poses, within the tolerance. Bodies that overlap are moved back by the method along
/// their velocities now, at most by dt. Before the piece they moved along others, and would meet elsewhere: so they are
/// moved back again, no further than to its beginning.
static abut_status find_contacts(abut_world *world, abut_error *error)
{
    abut_event_stepper *s = world->events;
    abut_gap_rule gap_rule = world->def.gap_rule;
    double dt = world->def.dt;
    world->def.gap_rule = ABUT_GAP_NONE;
    s->is_trial_moved = 0;
    abut_status status = abut_world_find_contacts(world, error);
    if ((status == ABUT_OK && world->report.stats.fallbacks > 0) || status == ABUT_OVERLAP) {
        world->def.dt = s->trial_time > 0.0 ? fmin(dt, s->trial_time) : dt;
        status = world->def.dt < dt ? abut_world_find_contacts(world, error) : status;
        ++s->trials;
        s->is_trial_moved = 1;
    }
    world->def.dt = dt;
    world->def.gap_rule = gap_rule;
    ++s->trials;
    if (status == ABUT_OK && world->asleep_count > 0) {
        abut_world_wake_touched(world);
        for (int i = 0; i < world->body_count; ++i) { // bodies that woke stay awake if the trial is dropped
            world->events->start[i].island = world->bodies[i].motion.island;
        }
    }
    return status;
}

abut_status abut_event_find_rows(abut_world *world, abut_error *error)
{
    abut_event_stepper *s = world->events;
    abut_status status = find_contacts(world, error);
    const abut_world_callbacks *callbacks = &world->def.callbacks;
    if (status == ABUT_OK && callbacks->on_contacts != NULL) {
        status = callbacks->on_contacts(callbacks->user, world, world->contacts, world->contact_count);
        if (status != ABUT_OK) {
            return abut_fail(error, status, "step %lld was ended by on_contacts", (long long)world->step + 1);
        }
    }
    if (status == ABUT_OK) {
        status = check_friction(world, error);
    }
    s->trial_count = 0;
    if (status != ABUT_OK) {
        return status;
    }
    if (!abut_grow(&world->context, &s->trial_rows, &s->trial_capacity, world->contact_count,
                   sizeof *s->trial_rows)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for contacts");
    }
    for (int i = 0; i < world->contact_count; ++i) {
        s->trial_rows[s->trial_count++] = abut_event_row_of(world, &world->contacts[i]);
    }
    return ABUT_OK;
}

abut_status abut_event_take_rows(abut_world *world, abut_error *error)
{
    abut_event_stepper *s = world->events;
    abut_event_row *rows = s->rows;
    int capacity = s->row_capacity;
    s->rows = s->trial_rows;
    s->is_moved = s->is_trial_moved;
    s->row_count = s->trial_count;
    s->row_capacity = s->trial_capacity;
    s->trial_rows = rows;
    s->trial_capacity = capacity;
    s->trial_count = 0;
    if (!abut_grow(&world->context, &s->links, &s->link_capacity, s->row_count, sizeof *s->links)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for contacts");
    }
    abut_event_mark_inner(world, s->rows, s->row_count, s->links);
    return ABUT_OK;
}
