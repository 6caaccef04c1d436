// SPDX-License-Identifier: MIT
// event_sweep.c: how long a piece of a step may be, so that bodies do not pass through each other in it
//
// Contacts are looked for at the end of a piece. Pairs that are apart are swept first, at their velocities now: the
// piece ends where they meet, or just after, where the query finds them. Where they curve, or rest on each other, they
// may not move further than part of the thinner one. Pairs that slide on each other are slid along by the sweep.
#include "world/event.h"

#include "base/error.h"

#include <abut/sweep.h>

/// Of the thinner body: how far a pair may leave its sweep, or move if it is in contact and the sweep meets at once.
static const double longest_way = 0.25;
/// Of the smaller body: how far a pair may move beyond the time at which its sweep meets. The query still has an answer.
static const double way_after = 2e-4;

static double least_extent(const abut_body *body)
{
    abut_box box = abut_mesh_get_elements(abut_shape_mesh(body->shape)).bounds;
    abut_vec3 extent = abut_sub(box.upper, box.lower);
    return fmin(extent.x, fmin(extent.y, extent.z));
}

static double speed_of(const abut_body *body)
{
    return abut_norm(body->motion.linear_velocity) + abut_body_spin_speed(body);
}

/// The time in which a body with this speed and acceleration covers a way.
static double time_for(double way, double speed, double acceleration)
{
    double root = sqrt(speed * speed + 2.0 * acceleration * way);
    return root > 0.0 ? 2.0 * way / (speed + root) : HUGE_VAL;
}

static int is_touching(const abut_event_stepper *s, abut_body_pair pair)
{
    for (int i = 0; i < s->row_count; ++i) {
        if (s->rows[i].body_a == pair.a && s->rows[i].body_b == pair.b) {
            return 1;
        }
    }
    return 0;
}

/// Whether a body rests on another one.
static int is_pushed(const abut_event_stepper *s, int body)
{
    for (int i = 0; i < s->row_count; ++i) {
        if (s->rows[i].is_held && (s->rows[i].body_a == body || s->rows[i].body_b == body)) {
            return 1;
        }
    }
    return 0;
}

static abut_motion motion_of(const abut_body *body)
{
    abut_motion motion = {abut_body_pose(body), body->local_center, body->motion.linear_velocity,
                          body->motion.angular_velocity};
    return motion;
}

/// The longest piece for a pair; at most `time`.
static abut_status limit_pair(const abut_world *world, abut_body_pair pair, double *time, abut_error *error)
{
    const abut_body *a = &world->bodies[pair.a], *b = &world->bodies[pair.b];
    double way = longest_way * fmin(least_extent(a), least_extent(b));
    double speed = speed_of(a) + speed_of(b);
    double acceleration = abut_event_acceleration_bound(world, a) + abut_event_acceleration_bound(world, b);
    *time = fmin(*time, time_for(way, 0.0, acceleration)); // up to there it stays near its sweep
    abut_sweep_def def = abut_sweep_def_default(abut_shape_tree(a->shape, ABUT_ELEMENT_TRIANGLE),
                                                abut_shape_tree(b->shape, ABUT_ELEMENT_TRIANGLE));
    def.motion_a = motion_of(a);
    def.motion_b = motion_of(b);
    def.duration = *time;
    abut_sweep_hit hit;
    abut_error reason;
    if (abut_sweep(&def, &hit, &reason) != ABUT_OK) {
        return abut_world_name_step(world, &reason, error);
    }
    if (hit.is_hit) {
        double after = is_touching(world->events, pair) ? way : way_after * fmin(a->size, b->size);
        *time = fmin(*time, hit.time + time_for(after, speed, acceleration));
    }
    return ABUT_OK;
}

/// A box that holds a body for a time.
static abut_box box_of(const abut_world *world, int index, double time)
{
    const abut_body *body = &world->bodies[index];
    double way = time * (speed_of(body) + 0.5 * time * abut_event_acceleration_bound(world, body));
    abut_box box = abut_body_box(body, abut_body_pose(body), way);
    if (is_pushed(world->events, index)) {
        return box;
    }
    // its center moves on a parabola, however it turns
    abut_vec3 begin = body->motion.center, end = abut_add_scaled(begin, time, body->motion.linear_velocity);
    double by = body->reach + 1e-12 * body->size;
    if (abut_body_is_free(body)) {
        abut_vec3 acceleration = abut_add_scaled(world->def.gravity, 1.0 / body->mass, body->force);
        by += 0.5 * time * time * abut_norm(acceleration);
    }
    abut_vec3 margin = {by, by, by};
    box.lower = abut_max(box.lower, abut_sub(abut_min(begin, end), margin));
    box.upper = abut_min(box.upper, abut_add(abut_max(begin, end), margin));
    return box;
}

abut_status abut_event_limit(abut_world *world, double *time, abut_error *error)
{
    abut_event_stepper *s = world->events;
    if (!abut_grow(&world->context, &s->boxes, &s->box_capacity, world->body_count, sizeof *s->boxes) ||
        !abut_grow(&world->context, &s->is_passive, &s->passive_capacity, world->body_count, 1)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for boxes of bodies");
    }
    for (int i = 0; i < world->body_count; ++i) {
        const abut_body *body = &world->bodies[i];
        s->is_passive[i] = (unsigned char)!abut_body_is_free(body);
        s->boxes[i] = box_of(world, i, *time);
        if (!abut_is_finite(s->boxes[i].lower) || !abut_is_finite(s->boxes[i].upper)) {
            char name[ABUT_BODY_CALL_ROOM];
            return abut_fail_element(error, ABUT_LIMIT, i, "step %lld: %s: its position is not finite",
                                     (long long)world->step + 1, abut_world_call(world, i, name));
        }
    }
    if (abut_broad_find(&s->broad, s->boxes, s->is_passive, world->body_count) != ABUT_OK) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for pairs of bodies");
    }
    abut_status status = ABUT_OK;
    for (int i = 0; i < s->broad.pair_count && status == ABUT_OK; ++i) {
        status = limit_pair(world, s->broad.pairs[i], time, error);
    }
    return status;
}
