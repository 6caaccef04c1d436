// SPDX-License-Identifier: MIT
// event_motion.c: the motion of all bodies between two events
//
// Position, velocity, rotation and angular momentum of each body are integrated by the pair of Runge and Kutta methods
// of orders 5 and 4 of Dormand and Prince 1980, in pieces of time whose estimated error is below a bound. Free fall is
// exact up to rounding.
#include "world/event.h"

#include "base/error.h"

#include <string.h>

enum { STAGES = 7, NUMBERS = 13, PIECE_LIMIT = 4096 };

/// The error of a piece: of positions relative to the body, of rotations in radians, of velocities relative to their
/// size or to that of one body in a step.
static const double piece_error = 1e-13;
static const double least_piece = 1.0 / PIECE_LIMIT; // of the time

static const double nodes[STAGES][STAGES - 1] = {
    {0.0},
    {1.0 / 5.0},
    {3.0 / 40.0, 9.0 / 40.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}};
/// The answer of order 5 minus that of order 4.
static const double differences[STAGES] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                           -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};

/// The numbers of a body, in this order: position, velocity, rotation, angular momentum.
static void store(const abut_body *body, double *y)
{
    const abut_body_motion *m = &body->motion;
    const double numbers[NUMBERS] = {m->center.x,          m->center.y,           m->center.z,
                                     m->linear_velocity.x, m->linear_velocity.y,  m->linear_velocity.z,
                                     m->rotation.w,        m->rotation.x,         m->rotation.y,
                                     m->rotation.z,        m->angular_momentum.x, m->angular_momentum.y,
                                     m->angular_momentum.z};
    memcpy(y, numbers, sizeof numbers);
}

static void load(abut_body *body, const double *y)
{
    abut_body_motion *m = &body->motion;
    m->center = abut_vec3_make(y[0], y[1], y[2]);
    m->linear_velocity = abut_vec3_make(y[3], y[4], y[5]);
    m->rotation = abut_quat_unit(abut_quat_make(y[6], y[7], y[8], y[9]));
    m->angular_momentum = abut_vec3_make(y[10], y[11], y[12]);
    if (!body->is_fixed) {
        abut_body_update_spin(body);
    }
}

/// Adds the force of a row to the change of the momentum of a body.
static void add_force(const abut_body *body, abut_vec3 arm, abut_vec3 force, double *change)
{
    if (abut_body_is_free(body)) {
        abut_vec3 moment = abut_cross(arm, force);
        change[10] += moment.x;
        change[11] += moment.y;
        change[12] += moment.z;
    }
}

/// The derivatives of all numbers at the present state of the bodies.
static abut_status differentiate(abut_world *world, double *change, abut_error *error)
{
    abut_event_stepper *s = world->events;
    abut_status status = abut_event_find_forces(world, error);
    if (status != ABUT_OK) {
        return status;
    }
    for (int i = 0; i < world->body_count; ++i) {
        const abut_body *body = &world->bodies[i];
        const abut_body_motion *m = &body->motion;
        abut_vec3 w = m->angular_velocity,
                  moment = abut_body_is_free(body) ? body->moment : abut_vec3_make(0, 0, 0);
        abut_quat turn = abut_quat_multiply(abut_quat_make(0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z), m->rotation);
        abut_vec3 linear = s->answer[i].linear;
        const double numbers[NUMBERS] = {m->linear_velocity.x,
                                         m->linear_velocity.y,
                                         m->linear_velocity.z,
                                         linear.x,
                                         linear.y,
                                         linear.z,
                                         turn.w,
                                         turn.x,
                                         turn.y,
                                         turn.z,
                                         moment.x,
                                         moment.y,
                                         moment.z};
        memcpy(change + (size_t)i * NUMBERS, numbers, sizeof numbers);
    }
    for (int i = 0; i < s->row_count; ++i) {
        const abut_event_row *row = &s->rows[i];
        if (row->is_held && s->forces[i] > 0.0) {
            abut_vec3 force = abut_scale(s->forces[i], s->frames[i].normal);
            add_force(&world->bodies[row->body_a], s->frames[i].arm_a, abut_negate(force),
                      change + (size_t)row->body_a * NUMBERS);
            add_force(&world->bodies[row->body_b], s->frames[i].arm_b, force,
                      change + (size_t)row->body_b * NUMBERS);
        }
    }
    return ABUT_OK;
}

/// Puts all bodies to y + time times the weighted stages.
static void place(abut_world *world, const double *y, const double *stages, const double *weights, int count,
                  double time)
{
    size_t n = (size_t)world->body_count * NUMBERS;
    for (int i = 0; i < world->body_count; ++i) {
        double numbers[NUMBERS];
        for (int k = 0; k < NUMBERS; ++k) {
            size_t at = (size_t)i * NUMBERS + (size_t)k;
            double sum = 0.0;
            for (int j = 0; j < count; ++j) {
                sum += weights[j] * stages[(size_t)j * n + at];
            }
            numbers[k] = y[at] + time * sum;
        }
        if (!abut_body_is_asleep(&world->bodies[i])) {
            load(&world->bodies[i], numbers);
        }
    }
}

/// The estimated error of a piece, relative to what is allowed.
static double error_of(const abut_world *world, const double *stages, double time)
{
    size_t n = (size_t)world->body_count * NUMBERS;
    double largest = 0.0;
    for (int i = 0; i < world->body_count; ++i) {
        const abut_body *body = &world->bodies[i];
        const abut_mat3 *inertia = &body->local_inertia;
        double speed = abut_norm(body->motion.linear_velocity) + body->size / world->def.dt;
        double spin = abut_norm(body->motion.angular_momentum) +
                      fmax(fmax(inertia->x.x, inertia->y.y), inertia->z.z) / world->def.dt;
        for (int k = 0; k < NUMBERS && !abut_body_is_asleep(body); ++k) {
            double scale = k < 3 ? body->size : k < 6 ? speed : k < 10 ? 1.0 : spin, sum = 0.0;
            for (int j = 0; j < STAGES; ++j) {
                sum += differences[j] * stages[(size_t)j * n + (size_t)i * NUMBERS + (size_t)k];
            }
            largest = scale > 0.0 ? fmax(largest, fabs(time * sum) / scale) : largest;
        }
    }
    return largest / piece_error;
}

/// One piece of time from y on. The bodies are then at its end; stage 0 must be known.
static abut_status do_piece(abut_world *world, const double *y, double *stages, double time, abut_error *error)
{
    size_t n = (size_t)world->body_count * NUMBERS;
    abut_status status = ABUT_OK;
    for (int i = 1; i < STAGES && status == ABUT_OK; ++i) {
        place(world, y, stages, nodes[i], i, time);
        status = differentiate(world, stages + (size_t)i * n, error);
    }
    return status;
}

static abut_status do_pieces(abut_world *world, double time, abut_error *error)
{
    abut_event_stepper *s = world->events;
    size_t n = (size_t)world->body_count * NUMBERS;
    double *y = s->stages, *stages = y + n;
    double done = 0.0, piece = time;
    abut_status status = differentiate(world, stages, error);
    while (done < time && status == ABUT_OK) {
        for (int i = 0; i < world->body_count; ++i) {
            store(&world->bodies[i], y + (size_t)i * NUMBERS);
        }
        double ratio = HUGE_VAL;
        for (;;) {
            piece = fmin(piece, time - done);
            status = do_piece(world, y, stages, piece, error);
            if (status != ABUT_OK) {
                return status;
            }
            ratio = error_of(world, stages, piece);
            if (!(ratio > 1.0) || piece <= least_piece * time) {
                break;
            }
            piece = fmax(least_piece * time, piece * fmax(0.1, 0.9 * pow(ratio, -0.2)));
        }
        done = piece >= time - done ? time : done + piece;
        piece *= fmin(4.0, 0.9 * pow(fmax(ratio, 1e-4), -0.2));
        memcpy(stages, stages + (STAGES - 1) * n, n * sizeof *stages); // the last stage is at the end of the piece
    }
    return status;
}

abut_status abut_event_integrate(abut_world *world, double time, abut_error *error)
{
    abut_event_stepper *s = world->events;
    if (!abut_grow(&world->context, &s->stages, &s->stage_capacity, (STAGES + 1) * NUMBERS * world->body_count,
                   sizeof *s->stages)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory to integrate motion");
    }
    for (int i = 0; i < world->body_count; ++i) {
        world->bodies[i].motion = s->start[i];
    }
    s->trial_time = time;
    abut_status status = time > 0.0 ? do_pieces(world, time, error) : ABUT_OK;
    return status == ABUT_OK ? abut_event_correct(world, error) : status;
}
