// SPDX-License-Identifier: MIT
// event_step.c: a step from event to event
//
// A step consists of pieces that end at events (event_piece.c). At the end of each, bodies that approach each other
// collide, and contacts without speed are held if they press.
//
// Source:  Bouma and Vanecek 1993, section 2.
// Differs: the time of an impact comes from the rows (event.h), not from the tolerance of the query; forces are a
//          complementarity problem (event_force.c).
// Fails:   never because of too many events: what is left of the step is then done by the time-stepping mode.
#include "world/event.h"

#include "base/error.h"

/// Of the smaller body: bodies that overlap by more at the beginning of a step are not moved apart by the correction of
/// drift.
static const double deepest_gap = 1e-3;

enum { SHORTENINGS = 200, COLLISION_ROUNDS = 8, IDLE_PIECES = 1 << 13, TINY_PIECES = 16 };

void abut_event_stepper_destroy(const abut_context *context, abut_event_stepper *s)
{
    if (s == NULL) {
        return;
    }
    abut_broad_release(&s->broad);
    void *const blocks[] = {s->boxes,
                            s->is_passive,
                            s->rows,
                            s->trial_rows,
                            s->start,
                            s->stages,
                            s->bodies,
                            s->answer,
                            s->frames,
                            s->forces,
                            s->parents,
                            s->locals,
                            s->heads,
                            s->links,
                            s->globals,
                            s->island_bodies,
                            s->island_answer,
                            s->island_contacts,
                            s->island_impulses,
                            s->vectors,
                            s->events,
                            s};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i) {
        abut_free(context, blocks[i]);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Events

static abut_status record(abut_world *world, abut_world_event event, abut_error *error)
{
    abut_event_stepper *s = world->events;
    event.time = (double)world->step * world->def.dt + s->time;
    int is_same = s->event_count > 0 && s->events[s->event_count - 1].kind == ABUT_WORLD_BEGIN &&
                  s->events[s->event_count - 1].time == event.time && event.kind == ABUT_WORLD_COLLISION;
    if (is_same) { // it turned out to be a collision
        s->events[s->event_count - 1] = event;
        return ABUT_OK;
    }
    if (!abut_grow(&world->context, &s->events, &s->event_capacity, s->event_count + 1, sizeof *s->events)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for events");
    }
    s->events[s->event_count++] = event;
    return ABUT_OK;
}

/// Lets the bodies that have met collide, with all that touch them. Sets `found` if there are any.
static abut_status collide(abut_world *world, int *found, abut_error *error)
{
    abut_event_stepper *s = world->events;
    abut_world_event event = {.kind = ABUT_WORLD_COLLISION};
    for (int i = 0; i < s->row_count; ++i) {
        abut_event_row *row = &s->rows[i];
        abut_event_frame frame = abut_event_row_frame(world, row);
        double rest = abut_event_rest_speed(world, row);
        int met = abut_event_has_met(world, row, &frame);
        row->is_held = !row->is_inner && (met || (fabs(frame.speed) <= rest && frame.gap <= row->tolerance));
        if (row->is_held && met && frame.speed < -rest) {
            ++event.contact_count;
            if (-frame.speed > event.speed) {
                event.speed = -frame.speed;
                event.body_a = row->body_a;
                event.body_b = row->body_b;
            }
        }
    }
    *found = event.contact_count > 0;
    if (!*found) {
        return ABUT_OK;
    }
    abut_status status = abut_event_collide(world, error);
    return status == ABUT_OK ? record(world, event, error) : status;
}

/// Decides which contacts are held: those without speed that would get closer without a force.
static abut_status hold(abut_world *world, abut_error *error)
{
    abut_event_stepper *s = world->events;
    for (int i = 0; i < s->row_count; ++i) {
        abut_event_row *row = &s->rows[i];
        abut_event_frame frame = abut_event_row_frame(world, row);
        row->is_held = !row->is_inner && abut_event_has_met(world, row, &frame) &&
                       fabs(frame.speed) <= abut_event_rest_speed(world, row);
    }
    abut_status status = abut_event_find_forces(world, error);
    for (int i = 0; i < s->row_count && status == ABUT_OK; ++i) {
        abut_event_row *row = &s->rows[i];
        row->force = s->forces[i];
        row->is_held = row->is_held && abut_event_acceleration(s, i) <=
                                           abut_event_least_acceleration * abut_event_accelerations(world, row);
    }
    return status == ABUT_OK ? abut_event_correct(world, error) : status;
}

/// Collisions and forces at the present state.
static abut_status settle(abut_world *world, abut_error *error)
{
    int found = 1;
    abut_status status = ABUT_OK;
    for (int i = 0; i < COLLISION_ROUNDS && found && status == ABUT_OK; ++i) {
        status = collide(world, &found, error);
    }
    return status == ABUT_OK ? hold(world, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Pieces

static void restart(abut_world *world)
{
    for (int i = 0; i < world->body_count; ++i) {
        world->bodies[i].motion = world->events->start[i];
    }
}

/// Advances to the next event, or to the end of the step. `is_stuck` is set if that is not possible.
static abut_status do_piece(abut_world *world, int *is_stuck, abut_error *error)
{
    abut_event_stepper *s = world->events;
    for (int i = 0; i < world->body_count; ++i) {
        s->start[i] = world->bodies[i].motion;
    }
    double left = world->def.dt - s->time;
    abut_event_piece p = {.time = left};
    abut_status status = abut_event_limit(world, &p.time, error);
    for (int i = 0; i < SHORTENINGS && !p.is_done && status == ABUT_OK; ++i) {
        status = abut_event_try_piece(world, &p, error);
    }
    *is_stuck = !p.is_done;
    if (status != ABUT_OK || !p.is_done) {
        restart(world);
        return status;
    }
    status = abut_event_take_rows(world, error);
    s->time = p.time >= left ? world->def.dt : s->time + p.time;
    if (status != ABUT_OK || p.end == ABUT_PIECE_NO_EVENT ||
        (p.end == ABUT_PIECE_TOUCH && !abut_event_is_met(world, &p))) {
        s->idle_pieces += p.time > world->def.time_tolerance * world->def.dt ? 1 : IDLE_PIECES / TINY_PIECES;
        return status;
    }
    s->idle_pieces = 0;
    static const abut_world_event_kind kinds[] = {[ABUT_PIECE_TOUCH] = ABUT_WORLD_BEGIN,
                                                  [ABUT_PIECE_RELEASED] = ABUT_WORLD_RELEASE,
                                                  [ABUT_PIECE_ENDED] = ABUT_WORLD_END};
    const abut_world_event event = {.kind = kinds[p.end], .body_a = p.body_a, .body_b = p.body_b};
    return record(world, event, error);
}

// ---------------------------------------------------------------------------------------------------------------
// The step

static abut_status begin(abut_world *world, abut_error *error)
{
    if (world->events == NULL) {
        world->events = abut_allocate_zeroed(&world->context, 1, sizeof *world->events);
        if (world->events != NULL) {
            abut_broad_init(&world->events->broad, &world->context);
        }
    }
    abut_event_stepper *s = world->events;
    if (s == NULL ||
        !abut_grow(&world->context, &s->start, &s->start_capacity, world->body_count, sizeof *s->start)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a step");
    }
    for (int i = 0; i < world->body_count; ++i) {
        s->start[i] = world->bodies[i].motion;
    }
    s->event_count = s->trials = s->idle_pieces = 0;
    s->time = s->trial_time = 0.0;
    world->span = world->horizon = world->def.dt;
    if (world->def.linear_damping > 0.0 || world->def.angular_damping > 0.0) {
        return abut_fail(error, ABUT_UNSUPPORTED,
                         "step %lld: the world has damping; the stepper `events` has none: set it to 0, or use "
                         "another stepper",
                         (long long)world->step + 1);
    }
    return ABUT_OK;
}

/// The rest of the step by the time-stepping mode, with sweeps: it may be a long one for bodies that are fast.
static abut_status do_rest(abut_world *world, abut_error *error)
{
    const abut_world_def def = world->def;
    world->def.dt -= world->events->time;
    world->def.stepper = ABUT_STEPPER_MOREAU;
    world->def.has_sweeps = 1;
    abut_status status = abut_world_step_time(world, ABUT_STEPPER_MOREAU, error);
    world->report.stepped_time = world->def.dt;
    world->def = def;
    return status;
}

/// Contacts of the report get the forces at the end of the step.
static void report_forces(abut_world *world)
{
    const abut_event_stepper *s = world->events;
    for (int i = 0; i < world->contact_count && i < s->row_count; ++i) {
        world->contacts[i].impulse.normal = s->rows[i].force * world->def.dt;
    }
    world->awake_contact_count = 0; // a warm start has nothing to start from
}

/// Whether some contact is deeper than rows may be corrected by: a correction is a displacement, which costs no energy.
static int is_overlapping(const abut_world *world)
{
    const abut_event_stepper *s = world->events;
    for (int i = 0; i < s->trial_count; ++i) {
        if (abut_event_row_frame(world, &s->trial_rows[i]).gap < -deepest_gap * s->trial_rows[i].size) {
            return 1;
        }
    }
    return 0;
}

static abut_status do_events(abut_world *world, int *is_stuck, abut_error *error)
{
    abut_event_stepper *s = world->events;
    abut_status status = abut_event_find_rows(world, error);
    // bodies that overlap at the beginning are left to the time-stepping mode
    if (status == ABUT_OVERLAP || (status == ABUT_OK && is_overlapping(world))) {
        *is_stuck = 1;
        return ABUT_OK;
    }
    if (status == ABUT_OK) {
        status = abut_event_take_rows(world, error);
    }
    if (status == ABUT_OK) {
        status = settle(world, error);
    }
    while (status == ABUT_OK && s->time < world->def.dt && !*is_stuck) {
        if (s->event_count >= world->def.event_limit || s->idle_pieces > IDLE_PIECES) {
            *is_stuck = 1;
            break;
        }
        status = do_piece(world, is_stuck, error);
        if (status == ABUT_OK && !*is_stuck) {
            status = settle(world, error);
        }
    }
    if (status == ABUT_LIMIT) { // no forces were found
        *is_stuck = 1;
        return ABUT_OK;
    }
    return status;
}

abut_status abut_world_step_events(abut_world *world, abut_error *error)
{
    int is_stuck = 0;
    abut_status status = begin(world, error);
    if (status == ABUT_OK) {
        status = do_events(world, &is_stuck, error);
    }
    if (status == ABUT_OK && is_stuck) {
        status = do_rest(world, error);
    } else if (status == ABUT_OK && abut_world_list_awake(world) != ABUT_OK) {
        status = abut_fail(error, ABUT_NO_MEMORY, "no memory for a step");
    } else if (status == ABUT_OK) {
        report_forces(world);
    }
    if (world->events != NULL) {
        world->report.events = world->events->events;
        world->report.event_count = world->events->event_count;
        world->report.trial_count = world->events->trials;
    }
    return status;
}
