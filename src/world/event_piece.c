// SPDX-License-Identifier: MIT
// event_piece.c: the time of the first event of a piece of a step
//
// A piece is integrated to its end, contacts are found there, and the piece is shortened until it has no event before
// its end:
// - a contact is deeper than at the beginning: the time at which its gap is zero, by Newton's method on its row;
// - the force of a contact that is held has ended (its gap'' is above zero): by bisection;
// - a contact that is held is no longer there, since a corner has left a face, say: by bisection on queries, which
//   leave the memories of the pairs as they are.
#include "world/event.h"

#include <float.h>

enum { ROOT_ROUNDS = 80 };

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
        double slack = abut_event_slack(world, row), gap = abut_event_row_frame(world, row).gap;
        if (!(gap < -slack && gap / row->size < deepest)) {
            continue;
        }
        abut_event_frame before = frame_before(world, row);
        int is_deeper = before.gap >= -slack || gap < before.gap - slack;
        // a row says nothing about the beginning if its features did not face each other there
        if (is_deeper || gap < least_before(world, row) - row->tolerance) {
            found = i;
            deepest = gap / row->size;
            *is_apart = before.gap > slack ||
                        (before.gap >= -slack && before.speed > 0.5 * abut_event_rest_speed(world, row));
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
        if (frame.speed < 0.0 && fabs(frame.gap) <= 1e-3 * abut_event_slack(world, &row)) {
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
        if (row->is_held &&
            abut_event_acceleration(s, i) > abut_event_least_acceleration * abut_event_accelerations(world, row)) {
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

/// Whether a trial went too far to tell what happened: bodies overlap, or no forces hold all rows. Long after the end of a
/// contact its row, of two edges say, may be far from the bodies and contradict the others.
static int is_too_far(abut_status status)
{
    return status == ABUT_OVERLAP || status == ABUT_LIMIT;
}

typedef enum event_test { TEST_RELEASED, TEST_ENDED } event_test;

/// Moves the bodies to a time of the piece, and tests whether the event has happened. A trial that went too far is late.
static abut_status is_late(abut_world *world, double time, event_test test, int *late, abut_error *error)
{
    int found = -1;
    abut_status status = abut_event_integrate(world, time, error);
    if (status == ABUT_OK && test == TEST_RELEASED) {
        status = find_released(world, &found, error);
        *late = found >= 0;
    } else if (status == ABUT_OK) {
        status = abut_event_find_rows(world, error);
        *late = status == ABUT_OK && find_ended(world) >= 0;
    }
    *late = *late || is_too_far(status);
    return is_too_far(status) ? ABUT_OK : status;
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

static void end_piece(abut_event_piece *p, int end, const abut_event_row *row)
{
    p->end = end;
    p->body_a = row->body_a;
    p->body_b = row->body_b;
}

static void halve(abut_event_piece *p)
{
    p->time *= 0.5;
    p->end = ABUT_PIECE_NO_EVENT;
}

/// Shortens a piece if the force of a contact ended in it, or a contact.
static abut_status look_for_end(abut_world *world, abut_event_piece *p, abut_error *error)
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
    end_piece(p, test == TEST_RELEASED ? ABUT_PIECE_RELEASED : ABUT_PIECE_ENDED, &s->rows[found]);
    double before = p->time;
    status = bisect(world, test, &p->time, error);
    p->is_done = p->time == before;        // nothing was earlier
    if (status == ABUT_OK && p->is_done) { // the last time that was tried may be an earlier one
        status = abut_event_integrate(world, p->time, error);
        status = status == ABUT_OK ? abut_event_find_rows(world, error) : status;
    }
    return status;
}

static abut_status try_piece(abut_world *world, abut_event_piece *p, abut_error *error)
{
    const abut_event_stepper *s = world->events;
    abut_status status = abut_event_integrate(world, p->time, error);
    if (status == ABUT_OK) {
        status = abut_event_find_rows(world, error);
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
        end_piece(p, ABUT_PIECE_TOUCH, &row);
        return find_touch(world, row, &p->time, error);
    }
    // if bodies overlap where no contact tells so, those that are known come from where they met, which was before
    double least = world->def.time_tolerance * world->def.dt;
    if (s->is_trial_moved && !s->is_moved && p->time > least) {
        halve(p);
        return ABUT_OK;
    }
    return look_for_end(world, p, error);
}

abut_status abut_event_try_piece(abut_world *world, abut_event_piece *p, abut_error *error)
{
    abut_status status = try_piece(world, p, error);
    int is_halved =
        status == ABUT_OVERLAP || (status == ABUT_LIMIT && p->time > world->def.time_tolerance * world->def.dt);
    if (is_halved) {
        halve(p);
    }
    return is_halved ? ABUT_OK : status;
}

int abut_event_is_met(const abut_world *world, const abut_event_piece *p)
{
    const abut_event_stepper *s = world->events;
    for (int i = 0; i < s->row_count; ++i) {
        const abut_event_row *row = &s->rows[i];
        if (row->body_a == p->body_a && row->body_b == p->body_b) {
            abut_event_frame frame = abut_event_row_frame(world, row);
            if (abut_event_has_met(world, row, &frame)) {
                return 1;
            }
        }
    }
    return 0;
}
