// SPDX-License-Identifier: MIT
// motion.c: how a body moves while nothing acts on it
//
// A free body keeps its angular momentum L. In its own axes L is a vector P that turns, P' = P x W with the spin W
// = I^-1 P, and keeps both its length and the energy P W / 2. A piece of time h is the implicit midpoint rule on
// rotations: the body turns about W at the middle M = (P0 + P1) / 2 of the chord by the angle h |W|, which is the
// same as P1 - P0 = k M x W with k = 2 tan(h |W| / 2) / |W|. The difference is at right angles to M and to W, so
// that length and energy stay as they are for any h. It is right to second order, and exact about a principal axis.
#include "world/world.h"

#include <float.h>
#include <limits.h>

/// The largest rotation in one piece of time, in radians, at the spin of its beginning; at that of its middle twice as
/// much.
static const double widest_turn = 0.125;
/// If rounding stops Newton's method with a larger correction, relative to the square root of the energy, it has not
/// converged.
static const double settled = 1e-6;
/// A correction this much smaller, relative to the same, is below the rounding of what it corrects: 2^-54.
static const double rounding = 0x1p-54;

/// Bodies that turn by more until contacts are found again, in radians, do not keep their points of contact.
static const double widest_bend = 0.3;

enum { NEWTON_LIMIT = 20, PIECE_LIMIT = 1 << 18 };

static abut_quat rotation_by(abut_vec3 spin, double time)
{
    double speed = abut_norm(spin);
    return speed > 0.0 ? abut_quat_from_axis(abut_scale(1.0 / speed, spin), speed * time) : abut_quat_identity();
}

/// The x with m x = v; not finite if m has no inverse.
static abut_vec3 solved(abut_mat3 m, abut_vec3 v)
{
    abut_vec3 yz = abut_cross(m.y, m.z), zx = abut_cross(m.z, m.x), xy = abut_cross(m.x, m.y);
    return abut_scale(1.0 / abut_dot(m.x, yz), abut_vec3_make(abut_dot(v, yz), abut_dot(v, zx), abut_dot(v, xy)));
}

/// One step of Newton's method for 2 (M - P0) - k M x W = 0, with k fixed. Returns 0 if the rotation is too large.
static int find_correction(const abut_mat3 *inverse, abut_vec3 start, abut_vec3 middle, double time,
                           abut_vec3 *correction)
{
    abut_vec3 spin = abut_mat3_apply(*inverse, middle);
    double half = 0.5 * time * abut_norm(spin);
    if (!(half <= widest_turn)) {
        return 0;
    }
    double k = half > 0.0 ? time * tan(half) / half : time;
    abut_vec3 miss = abut_add_scaled(abut_scale(2.0, abut_sub(start, middle)), k, abut_cross(middle, spin));
    // column by column: 2 - k (x W + M x I^-1)
    const abut_mat3 axes = abut_mat3_identity();
    abut_mat3 slope = {abut_add_scaled(abut_scale(2.0, axes.x), -k,
                                       abut_add(abut_cross(axes.x, spin), abut_cross(middle, inverse->x))),
                       abut_add_scaled(abut_scale(2.0, axes.y), -k,
                                       abut_add(abut_cross(axes.y, spin), abut_cross(middle, inverse->y))),
                       abut_add_scaled(abut_scale(2.0, axes.z), -k,
                                       abut_add(abut_cross(axes.z, spin), abut_cross(middle, inverse->z)))};
    *correction = solved(slope, miss);
    return 1;
}

/// Rotates for a piece of time, with Newton's method until rounding stops it. Returns 0 if it does not converge.
static int turn_piece(const abut_mat3 *inverse, abut_vec3 momentum, double time, abut_quat *rotation)
{
    abut_vec3 start = abut_quat_rotate(abut_quat_conjugate(*rotation), momentum), middle = start;
    double scale = sqrt(abut_dot(start, abut_mat3_apply(*inverse, start)));
    double last = HUGE_VAL;
    for (int i = 0; i < NEWTON_LIMIT; ++i) {
        abut_vec3 correction;
        if (!find_correction(inverse, start, middle, time, &correction)) {
            return 0;
        }
        double size = sqrt(abut_dot(correction, abut_mat3_apply(*inverse, correction)));
        if (!(size < 0.5 * last)) {
            break;
        }
        last = size;
        middle = abut_add(middle, correction);
        if (size <= rounding * scale) {
            break; // as for a cube, whose momentum is along its spin
        }
    }
    if (!(last <= settled * scale)) {
        return 0;
    }
    *rotation = abut_quat_unit(abut_quat_multiply(*rotation, rotation_by(abut_mat3_apply(*inverse, middle), time)));
    return 1;
}

/// Rotates a free body, in as many equal pieces of time as necessary. Returns their number, 0 if there would be too many.
static int turn_freely(const abut_body *body, double time, abut_quat *rotated)
{
    double speed = abut_norm(body->motion.angular_velocity);
    double least = ceil(speed * time / widest_turn);
    for (int pieces = least <= PIECE_LIMIT ? (int)fmax(1.0, least) : INT_MAX; pieces <= PIECE_LIMIT; pieces *= 2) {
        abut_quat rotation = body->motion.rotation;
        int done = 0;
        while (done < pieces &&
               turn_piece(&body->local_inverse, body->motion.angular_momentum, time / pieces, &rotation)) {
            ++done;
        }
        if (done == pieces) {
            *rotated = rotation;
            return pieces;
        }
    }
    return 0;
}

// Not by the inertia in the world's axes, which has rounding of the largest element in all of them.
void abut_body_update_spin(abut_body *body)
{
    abut_quat rotation = body->motion.rotation;
    abut_vec3 momentum = abut_quat_rotate(abut_quat_conjugate(rotation), body->motion.angular_momentum);
    body->motion.angular_velocity = abut_quat_rotate(rotation, abut_mat3_apply(body->local_inverse, momentum));
}

int abut_body_advance(abut_body *body, double time)
{
    abut_body_motion *m = &body->motion;
    m->center = abut_add_scaled(m->center, time, m->linear_velocity);
    if (body->is_fixed) {
        m->rotation = abut_quat_unit(abut_quat_multiply(rotation_by(m->angular_velocity, time), m->rotation));
        body->piece_count = 1;
        return 1;
    }
    body->piece_count = turn_freely(body, time, &m->rotation);
    abut_body_update_spin(body);
    return body->piece_count > 0;
}

int abut_body_piece_count(const abut_body *body, double time)
{
    abut_quat rotated;
    return body->is_fixed ? 1 : turn_freely(body, time, &rotated);
}

abut_vec3 abut_body_turn_piece(abut_body *body, double time)
{
    abut_quat *rotation = &body->motion.rotation, before = *rotation;
    if (body->is_fixed) {
        *rotation = abut_quat_unit(abut_quat_multiply(rotation_by(body->motion.angular_velocity, time), before));
        return body->motion.angular_velocity;
    }
    (void)turn_piece(&body->local_inverse, body->motion.angular_momentum, time, rotation);
    abut_quat turn = abut_quat_multiply(*rotation, abut_quat_conjugate(before));
    double sine = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    double factor = sine > 0.0 ? 2.0 * atan2(sine, turn.w) / sine : 2.0 / turn.w; // below pi
    return abut_scale(factor / time, abut_vec3_make(turn.x, turn.y, turn.z));
}

void abut_body_displace(abut_body *body, abut_solve_velocity velocity, double time)
{
    abut_body_motion *m = &body->motion;
    m->center = abut_add_scaled(m->center, time, velocity.linear);
    m->rotation = abut_quat_unit(abut_quat_multiply(rotation_by(velocity.angular, time), m->rotation));
    abut_body_update_spin(body);
}

/// How far from a straight line a point of a body moves in a time.
static abut_vec3 bend_of(const abut_world *world, int index, abut_vec3 arm, double time)
{
    abut_vec3 spin = world->bodies[index].motion.angular_velocity;
    // it is about half of the arm times the square of the angle: below the rounding of the arm for bodies at rest
    if (abut_body_is_asleep(&world->bodies[index]) || !(abut_norm_squared(spin) * time * time > DBL_EPSILON)) {
        return abut_vec3_make(0.0, 0.0, 0.0);
    }
    abut_body body = world->bodies[index];
    abut_quat before = body.motion.rotation;
    double first = fmin(time, world->paths.after);
    (void)abut_body_advance(&body, first); // and then as the next step does, which rounds off differently
    (void)abut_body_advance(&body, time - first);
    abut_vec3 own = abut_quat_rotate(abut_quat_conjugate(before), arm);
    abut_vec3 way = abut_sub(abut_quat_rotate(body.motion.rotation, own), arm);
    return abut_add_scaled(way, -time, abut_cross(spin, arm));
}

abut_vec3 abut_world_bend(const abut_world *world, const abut_solve_contact *c, double time)
{
    const abut_body *a = &world->bodies[c->body_a], *b = &world->bodies[c->body_b];
    double spin = fmax(abut_norm(a->motion.angular_velocity), abut_norm(b->motion.angular_velocity));
    if (!(spin * world->horizon <= widest_bend)) {
        return abut_vec3_make(0.0, 0.0, 0.0);
    }
    return abut_sub(bend_of(world, c->body_b, c->arm_b, time), bend_of(world, c->body_a, c->arm_a, time));
}

double abut_body_girth(const abut_body *body)
{
    const double least = 1e-3;
    const abut_mesh *mesh = abut_shape_mesh(body->shape);
    abut_mesh_info info = abut_mesh_get_info(mesh);
    if (!info.is_closed || !info.is_oriented) { // a volume would depend on where the mesh lies
        return least * body->size;
    }
    abut_box bounds = abut_mesh_get_elements(mesh).bounds;
    abut_vec3 sides = abut_sub(bounds.upper, bounds.lower);
    double volume = fabs(info.volume), area = info.area;
    // 2 V / A is the thickness of a plate; that of a ball, whose V^2 / A^3 is the largest, is three times as much
    const double pi = acos(-1.0);
    double compactness = area > 0.0 ? cbrt(36.0 * pi * volume * volume) / area : 0.0;
    double thickness = area > 0.0 ? 2.0 * volume / area * (1.0 + 2.0 * compactness) : 0.0;
    return fmax(fmin(fmin(fmin(sides.x, sides.y), sides.z), thickness), least * body->size);
}
