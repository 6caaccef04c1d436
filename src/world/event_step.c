// SPDX-License-Identifier: MIT
// event_step.c: a step from event to event
//
// A piece of a step is integrated to its end, contacts are found there, and the piece is shortened until it has no
// event before its end:
// - a contact is deeper than at the beginning: the time at which its gap is zero, by Newton's method on its row;
// - the force of a contact that is held has ended (its gap'' is above zero): by bisection;
// - a contact that is held is no longer there, since a corner has left a face, say: by bisection on queries, which
//   leave the memories of the pairs as they are.
// Then bodies that approach each other collide, and contacts without speed are held if they press.
//
// Source:  Bouma and Vanecek 1993, section 2.
// Differs: the time of an impact comes from the rows (event.h), not from the tolerance of the query; forces are a
//          complementarity problem (event_force.c).
// Fails:   never because of too many events: what is left of the step is then done by the time-stepping mode.
#include "world/event.h"

#include "base/error.h"

#include <float.h>
#include <string.h>

/// Of the smaller body: gaps and rebounds below this are zero.
static const double least_gap = 1e-12;
/// Of the accelerations of two bodies: what counts as zero.
static const double least_acceleration = 1e-11;

enum { SHORTENINGS = 200, COLLISION_ROUNDS = 8, ROOT_ROUNDS = 80, IDLE_PIECES = 1 << 13, TINY_PIECES = 16 };

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
// What counts as zero

static double slack_of(const abut_world *world, const abut_event_row *row)
{
    double far =
        abut_norm(world->bodies[row->body_a].motion.center) + abut_norm(world->bodies[row->body_b].motion.center);
    return least_gap * row->size + 8.0 * DBL_EPSILON * far;
}

double abut_event_acceleration_bound(const abut_world *world, const abut_body *body)
{
    const abut_body_motion *m = &body->motion;
    double bound = abut_norm_squared(m->angular_velocity) * body->reach;
    if (abut_body_is_free(body)) {
        abut_vec3 moment = abut_sub(body->moment, abut_cross(m->angular_velocity, m->angular_momentum));
        abut_vec3 angular = abut_mat3_apply(abut_body_turn(body, body->local_inverse), moment);
        bound += abut_norm(abut_add_scaled(world->def.gravity, 1.0 / body->mass, body->force)) +
                 body->reach * abut_norm(angular);
    }
    return bound;
}

static double accelerations_of(const abut_world *world, const abut_event_row *row)
{
    return abut_event_acceleration_bound(world, &world->bodies[row->body_a]) +
           abut_event_acceleration_bound(world, &world->bodies[row->body_b]);
}

/// The speed up to which bodies rest: what they gain within the time tolerance, or what lifts them by no more than the
/// least gap.
static double rest_speed(const abut_world *world, const abut_event_row *row)
{
    const abut_body *a = &world->bodies[row->body_a], *b = &world->bodies[row->body_b];
    double gained = accelerations_of(world, row);
    double rounding = abut_norm(a->motion.linear_velocity) + abut_norm(b->motion.linear_velocity) +
                      abut_body_spin_speed(a) + abut_body_spin_speed(b);
    return fmax(gained * world->def.time_tolerance * world->def.dt, sqrt(2.0 * gained * slack_of(world, row))) +
           1e-13 * rounding;
}

/// Whether the two points have met, up to the time tolerance.
static int has_met(const abut_world *world, const abut_event_row *row, const abut_event_frame *frame)
{
    double late = world->def.time_tolerance * world->def.dt * fabs(frame->speed);
    return frame->gap <= slack_of(world, row) + late;
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts

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

/// Of dt: the least time by which a query may move bodies back that overlap. Rests and velocities are told apart by it.
static const double least_way_back = 1e-3;

/// Finds the contacts at the present poses, within the tolerance and without a fallback. Bodies that overlap are moved
/// back by the method, at most by dt: in that time fast ones would meet elsewhere. So they are moved back again, no
/// further than to the beginning of the piece.
static abut_status find_contacts(abut_world *world, abut_error *error)
{
    abut_event_stepper *s = world->events;
    const abut_method *fallback = world->fallback.method;
    abut_gap_rule gap_rule = world->def.gap_rule;
    double dt = world->def.dt;
    world->fallback.method = NULL;
    world->def.gap_rule = ABUT_GAP_NONE;
    abut_status status = abut_world_find_contacts(world, error);
    if ((status == ABUT_OK && world->report.stats.fallbacks > 0) || status == ABUT_OVERLAP) {
        world->def.dt = fmin(dt, fmax(s->trial_time, least_way_back * dt));
        status = world->def.dt < dt ? abut_world_find_contacts(world, error) : status;
        ++s->trials;
    }
    world->def.dt = dt;
    world->fallback.method = fallback;
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

/// Finds the contacts, and fills `trial_rows`.
static abut_status find_rows(abut_world *world, abut_error *error)
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

/// The rows that were tried become those of the next piece.
static abut_status take_rows(abut_world *world, abut_error *error)
{
    abut_event_stepper *s = world->events;
    abut_event_row *rows = s->rows;
    int capacity = s->row_capacity;
    s->rows = s->trial_rows;
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
        double rest = rest_speed(world, row);
        int met = has_met(world, row, &frame);
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
        row->is_held = !row->is_inner && frame.gap <= row->tolerance && fabs(frame.speed) <= rest_speed(world, row);
    }
    abut_status status = abut_event_find_forces(world, error);
    for (int i = 0; i < s->row_count && status == ABUT_OK; ++i) {
        abut_event_row *row = &s->rows[i];
        row->force = s->forces[i];
        row->is_held =
            row->is_held && abut_event_acceleration(s, i) <= least_acceleration * accelerations_of(world, row);
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
// The time of the first event

static void restart(abut_world *world)
{
    for (int i = 0; i < world->body_count; ++i) {
        world->bodies[i].motion = world->events->start[i];
    }
}

/// A row at the beginning of the piece.
static abut_event_frame frame_before(abut_world *world, const abut_event_row *row)
{
    const abut_event_stepper *s = world->events;
    const abut_body_motion now_a = world->bodies[row->body_a].motion, now_b = world->bodies[row->body_b].motion;
    world->bodies[row->body_a].motion = s->start[row->body_a];
    world->bodies[row->body_b].motion = s->start[row->body_b];
    abut_event_frame frame = abut_event_row_frame(world, row);
    world->bodies[row->body_a].motion = now_a;
    world->bodies[row->body_b].motion = now_b;
    return frame;
}

/// The least gap of the contacts that two bodies had at the beginning of the piece; 0 if none overlapped.
static double least_before(abut_world *world, const abut_event_row *of)
{
    const abut_event_stepper *s = world->events;
    double least = 0.0;
    for (int i = 0; i < s->row_count; ++i) {
        if (s->rows[i].body_a == of->body_a && s->rows[i].body_b == of->body_b) {
            least = fmin(least, frame_before(world, &s->rows[i]).gap);
        }
    }
    return least;
}

/// The trial row that is deepest, of those that got deeper since the beginning of the piece; or -1. `is_apart` is 1 if
/// its bodies were apart there or separated. If not, its features do not tell when they met: else it would be held.
static int find_deeper(abut_world *world, int *is_apart)
{
    const abut_event_stepper *s = world->events;
    int found = -1;
    double deepest = 0.0;
    *is_apart = 1;
    for (int i = 0; i < s->trial_count; ++i) {
        const abut_event_row *row = &s->trial_rows[i];
        double slack = slack_of(world, row), gap = abut_event_row_frame(world, row).gap;
        if (!(gap < -slack && gap / row->size < deepest)) {
            continue;
        }
        abut_event_frame before = frame_before(world, row);
        int is_deeper = before.gap >= -slack || gap < before.gap - slack;
        // a row says nothing about the beginning if its features did not face each other there
        if (is_deeper || gap < least_before(world, row) - row->tolerance) {
            found = i;
            deepest = gap / row->size;
            *is_apart = before.gap > slack || (before.gap >= -slack && before.speed > 0.5 * rest_speed(world, row));
        }
    }
    return found;
}

/// Shortens a piece to the time at which the gap of a row is zero. A time is too late if the gap is below zero and gets
/// smaller.
static abut_status find_touch(abut_world *world, abut_event_row row, double *time, abut_error *error)
{
    double early = 0.0, late = *time;
    abut_event_frame frame = abut_event_row_frame(world, &row);
    for (int i = 0; i < ROOT_ROUNDS && late - early > 4.0 * DBL_EPSILON * late; ++i) {
        double next = frame.speed < 0.0 ? *time - frame.gap / frame.speed : early;
        *time = next > early && next < late ? next : 0.5 * (early + late);
        abut_status status = abut_event_integrate(world, *time, error);
        if (status != ABUT_OK) {
            return status;
        }
        frame = abut_event_row_frame(world, &row);
        if (frame.speed < 0.0 && fabs(frame.gap) <= 1e-3 * slack_of(world, &row)) {
            break;
        }
        if (frame.gap < 0.0 && frame.speed < 0.0) {
            late = *time;
        } else {
            early = *time;
        }
    }
    return ABUT_OK;
}

/// A row that is held and whose force has ended in the present state, or -1.
static abut_status find_released(abut_world *world, int *found, abut_error *error)
{
    const abut_event_stepper *s = world->events;
    *found = -1;
    abut_status status = abut_event_find_forces(world, error);
    for (int i = 0; i < s->row_count && status == ABUT_OK && *found < 0; ++i) {
        const abut_event_row *row = &s->rows[i];
        if (row->is_held && abut_event_acceleration(s, i) > least_acceleration * accelerations_of(world, row)) {
            *found = i;
        }
    }
    return status;
}

/// A row that is held and has no contact at its place in the present state, or -1.
static int find_ended(const abut_world *world)
{
    const abut_event_stepper *s = world->events;
    for (int i = 0; i < s->row_count; ++i) {
        const abut_event_row *row = &s->rows[i];
        int is_there = !row->is_held;
        abut_event_frame frame = abut_event_row_frame(world, row);
        for (int k = 0; k < s->trial_count && !is_there; ++k) {
            const abut_event_row *other = &s->trial_rows[k];
            if (other->body_a == row->body_a && other->body_b == row->body_b) {
                abut_event_frame there = abut_event_row_frame(world, other);
                is_there = abut_norm(abut_sub(there.point, frame.point)) <= 2.0 * row->tolerance;
            }
        }
        if (!is_there) {
            return i;
        }
    }
    return -1;
}

typedef enum event_test { TEST_RELEASED, TEST_ENDED } event_test;

/// Moves the bodies to a time of the piece, and tests whether the event has happened. Bodies that overlap are late too.
static abut_status is_late(abut_world *world, double time, event_test test, int *late, abut_error *error)
{
    int found = -1;
    abut_status status = abut_event_integrate(world, time, error);
    if (status == ABUT_OK && test == TEST_RELEASED) {
        status = find_released(world, &found, error);
        *late = found >= 0;
    } else if (status == ABUT_OK) {
        status = find_rows(world, error);
        *late = status == ABUT_OVERLAP || (status == ABUT_OK && find_ended(world) >= 0);
        status = status == ABUT_OVERLAP ? ABUT_OK : status;
    }
    return status;
}

/// Shortens a piece to just after an event, by bisection.
static abut_status bisect(abut_world *world, event_test test, double *time, abut_error *error)
{
    double early = 0.0, least = world->def.time_tolerance * world->def.dt;
    abut_status status = ABUT_OK;
    while (*time - early > least && status == ABUT_OK) {
        double middle = 0.5 * (early + *time);
        int late = 0;
        status = is_late(world, middle, test, &late, error);
        if (late) {
            *time = middle;
        } else {
            early = middle;
        }
    }
    return status;
}

/// A piece of the step that is being tried.
typedef struct piece {
    double time;
    int is_done; ///< it has no event before its end
    enum { NO_EVENT, TOUCH, RELEASED, ENDED } end;
    int body_a, body_b; ///< of the event at its end
} piece;

static void end_piece(piece *p, int end, const abut_event_row *row)
{
    p->end = end;
    p->body_a = row->body_a;
    p->body_b = row->body_b;
}

static void halve(piece *p)
{
    p->time *= 0.5;
    p->end = NO_EVENT;
}

/// Shortens a piece if the force of a contact ended in it, or a contact.
static abut_status look_for_end(abut_world *world, piece *p, abut_error *error)
{
    const abut_event_stepper *s = world->events;
    int found = -1;
    event_test test = TEST_RELEASED;
    abut_status status = find_released(world, &found, error);
    if (status == ABUT_OK && found < 0) {
        test = TEST_ENDED;
        found = find_ended(world);
    }
    if (status != ABUT_OK || found < 0) {
        p->is_done = status == ABUT_OK;
        return status;
    }
    end_piece(p, test == TEST_RELEASED ? RELEASED : ENDED, &s->rows[found]);
    double before = p->time;
    status = bisect(world, test, &p->time, error);
    p->is_done = p->time == before;        // nothing was earlier
    if (status == ABUT_OK && p->is_done) { // the last time that was tried may be an earlier one
        status = abut_event_integrate(world, p->time, error);
        status = status == ABUT_OK ? find_rows(world, error) : status;
    }
    return status;
}

/// Tries a piece, and shortens it if it has an event before its end.
static abut_status try_piece(abut_world *world, piece *p, abut_error *error)
{
    const abut_event_stepper *s = world->events;
    abut_status status = abut_event_integrate(world, p->time, error);
    if (status == ABUT_OK) {
        status = find_rows(world, error);
    }
    if (status == ABUT_OVERLAP) {
        halve(p);
        return ABUT_OK;
    }
    if (status != ABUT_OK) {
        return status;
    }
    int is_apart = 0, found = find_deeper(world, &is_apart);
    if (found >= 0 && !is_apart) {
        halve(p);
        return ABUT_OK;
    }
    if (found >= 0) {
        const abut_event_row row = s->trial_rows[found];
        end_piece(p, TOUCH, &row);
        return find_touch(world, row, &p->time, error);
    }
    return look_for_end(world, p, error);
}

/// Whether the bodies at the end of a piece touch there: a row may have been that of a face that they miss.
static int is_met(const abut_world *world, const piece *p)
{
    const abut_event_stepper *s = world->events;
    for (int i = 0; i < s->row_count; ++i) {
        const abut_event_row *row = &s->rows[i];
        if (row->body_a == p->body_a && row->body_b == p->body_b) {
            abut_event_frame frame = abut_event_row_frame(world, row);
            if (has_met(world, row, &frame)) {
                return 1;
            }
        }
    }
    return 0;
}

/// Advances to the next event, or to the end of the step. `is_stuck` is set if that is not possible.
static abut_status do_piece(abut_world *world, int *is_stuck, abut_error *error)
{
    abut_event_stepper *s = world->events;
    for (int i = 0; i < world->body_count; ++i) {
        s->start[i] = world->bodies[i].motion;
    }
    double left = world->def.dt - s->time;
    piece p = {.time = left};
    abut_status status = abut_event_limit(world, &p.time, error);
    for (int i = 0; i < SHORTENINGS && !p.is_done && status == ABUT_OK; ++i) {
        status = try_piece(world, &p, error);
    }
    *is_stuck = !p.is_done;
    if (status != ABUT_OK || !p.is_done) {
        restart(world);
        return status;
    }
    status = take_rows(world, error);
    s->time = p.time >= left ? world->def.dt : s->time + p.time;
    if (status != ABUT_OK || p.end == NO_EVENT || (p.end == TOUCH && !is_met(world, &p))) {
        s->idle_pieces += p.time > world->def.time_tolerance * world->def.dt ? 1 : IDLE_PIECES / TINY_PIECES;
        return status;
    }
    s->idle_pieces = 0;
    static const abut_world_event_kind kinds[] = {
        [TOUCH] = ABUT_WORLD_BEGIN, [RELEASED] = ABUT_WORLD_RELEASE, [ENDED] = ABUT_WORLD_END};
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

/// The rest of the step by the time-stepping mode.
static abut_status do_rest(abut_world *world, abut_error *error)
{
    double dt = world->def.dt;
    world->def.dt = dt - world->events->time;
    abut_status status = abut_world_step_time(world, ABUT_STEPPER_MOREAU, error);
    world->report.stepped_time = world->def.dt;
    world->def.dt = dt;
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

static abut_status do_events(abut_world *world, int *is_stuck, abut_error *error)
{
    abut_event_stepper *s = world->events;
    abut_status status = find_rows(world, error);
    if (status == ABUT_OVERLAP) { // bodies overlap at the beginning; the time-stepping mode can part them
        *is_stuck = 1;
        return ABUT_OK;
    }
    if (status == ABUT_OK) {
        status = take_rows(world, error);
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
