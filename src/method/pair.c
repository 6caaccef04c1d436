// SPDX-License-Identifier: MIT
// pair.c: checking a pair and putting it into canonical order
//
// The order in which a method sees the two sides depends on the sides themselves, not on which one the caller named
// first. So A and B swapped give the same contacts to the last bit. The order goes by shape, then by the caller's key,
// then by pose. Sides that are equal in all of these keep the caller's order, which cannot matter then. A pair with a
// memory keeps the order in which its committed state was written.
#include "method/pair.h"

#include "base/error.h"
#include "mesh/size.h"
#include "method/pair_memory.h"
#include "method/shape.h"

#include <string.h>

abut_side abut_side_default(const abut_shape *shape)
{
    abut_side side = {0};
    side.shape = shape;
    side.pose = abut_pose_identity();
    return side;
}

static abut_pair default_pair(const abut_shape *a, const abut_shape *b)
{
    abut_pair pair = {0};
    pair.struct_size = sizeof pair;
    pair.a = abut_side_default(a);
    pair.b = abut_side_default(b);
    return pair;
}

void abut_pair_init(const abut_shape *a, const abut_shape *b, abut_pair *pair, size_t size)
{
    const abut_pair made = default_pair(a, b);
    abut_write_versioned(pair, size, &made, sizeof made);
}

const abut_mesh *abut_side_mesh(const abut_side *side)
{
    return abut_shape_mesh(abut_side_shape(side));
}

const abut_vec3 *abut_side_vertices(const abut_side *side)
{
    return side->instance != NULL ? abut_instance_start(side->instance)
                                  : abut_mesh_get_elements(abut_shape_mesh(side->shape)).vertices;
}

const abut_tree *abut_side_tree(const abut_side *side, abut_element_kind kind)
{
    return side->instance != NULL ? abut_instance_tree(side->instance, kind) : abut_shape_tree(side->shape, kind);
}

/// Normalises quaternions that are off by rounding and refuses others that are not of unit length.
/// `what` is "pose" or "end pose".
static abut_status check_pose(abut_pose *pose, const char *what, const char *name, abut_error *error)
{
    abut_quat q = pose->rotation;
    double squared = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!abut_is_finite(pose->position) || !isfinite(squared)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the %s of %s is not finite", what, name);
    }
    if (!abut_is_in_reach(pose->position)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the %s of %s is beyond %g in one coordinate", what, name,
                         ABUT_LARGEST_COORDINATE);
    }
    if (fabs(squared - 1.0) > 1e-6) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the rotation of the %s of %s is not a unit quaternion (norm %g)", what, name,
                         sqrt(squared));
    }
    if (squared != 1.0) {
        pose->rotation = abut_quat_unit(q);
    }
    return ABUT_OK;
}

/// The velocities that take the pose to its end pose in dt.
static void velocities_from_end_pose(abut_side *side, abut_pose end, double dt)
{
    abut_quat turn = abut_quat_multiply(end.rotation, abut_quat_conjugate(side->pose.rotation));
    if (turn.w < 0.0) {
        turn = abut_quat_make(-turn.w, -turn.x, -turn.y, -turn.z);
    }
    abut_vec3 axis = abut_vec3_make(turn.x, turn.y, turn.z);
    double sine = abut_norm(axis);
    double per_second = dt > 0.0 ? 1.0 / dt : 0.0;
    double rate = sine > 0.0 ? 2.0 * atan2(sine, turn.w) / sine : 2.0;
    side->angular_velocity = abut_scale(rate * per_second, axis);
    side->linear_velocity = abut_scale(per_second, abut_sub(end.position, side->pose.position));
}

static abut_status check_side(abut_side *side, double dt, const char *name, abut_error *error)
{
    if (side->instance != NULL) {
        side->shape = abut_instance_shape(side->instance);
        side->pose = abut_pose_identity();
        side->end_pose = NULL;
        side->linear_velocity = abut_vec3_make(0.0, 0.0, 0.0);
        side->angular_velocity = abut_vec3_make(0.0, 0.0, 0.0);
        return ABUT_OK;
    }
    if (side->shape == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "side %s of the pair has neither a shape nor a soft body", name);
    }
    abut_status status = check_pose(&side->pose, "pose", name, error);
    if (status == ABUT_OK && side->end_pose != NULL) {
        abut_pose end = *side->end_pose;
        status = check_pose(&end, "end pose", name, error);
        if (status == ABUT_OK) {
            velocities_from_end_pose(side, end, dt);
        }
    }
    if (status == ABUT_OK && (!abut_is_finite(side->linear_velocity) || !abut_is_finite(side->angular_velocity))) {
        status = abut_fail(error, ABUT_BAD_ARGUMENT, "the velocity of %s is not finite", name);
    }
    return status;
}

static int compare_doubles(const double *a, const double *b, int count)
{
    for (int i = 0; i < count; ++i) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_positions(const abut_vec3 *a, const abut_vec3 *b, int count)
{
    int order = 0;
    for (int i = 0; i < count && order == 0; ++i) {
        const double row_a[3] = {a[i].x, a[i].y, a[i].z}, row_b[3] = {b[i].x, b[i].y, b[i].z};
        order = compare_doubles(row_a, row_b, 3);
    }
    return order;
}

static int compare_integers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_motion(const abut_side *a, const abut_side *b)
{
    double values[2][13];
    const abut_side *sides[2] = {a, b};
    for (int i = 0; i < 2; ++i) {
        const abut_side *s = sides[i];
        const double row[13] = {s->pose.position.x,   s->pose.position.y,    s->pose.position.z,
                                s->pose.rotation.w,   s->pose.rotation.x,    s->pose.rotation.y,
                                s->pose.rotation.z,   s->linear_velocity.x,  s->linear_velocity.y,
                                s->linear_velocity.z, s->angular_velocity.x, s->angular_velocity.y,
                                s->angular_velocity.z};
        memcpy(values[i], row, sizeof row);
    }
    return compare_doubles(values[0], values[1], 13);
}

static int compare_soft(const abut_side *a, const abut_side *b)
{
    int order = compare_integers(a->instance != NULL, b->instance != NULL);
    if (order != 0 || a->instance == NULL) {
        return order;
    }
    int count = abut_mesh_get_elements(abut_side_mesh(a)).vertex_count;
    order = compare_positions(abut_instance_start(a->instance), abut_instance_start(b->instance), count);
    if (order == 0) {
        order = compare_positions(abut_instance_end(a->instance), abut_instance_end(b->instance), count);
    }
    return order;
}

static int compare_sides(const abut_side *a, const abut_side *b)
{
    int order = compare_integers(abut_shape_hash(a->shape), abut_shape_hash(b->shape));
    if (order == 0) {
        order = compare_integers(a->key, b->key);
    }
    if (order == 0) {
        order = compare_soft(a, b);
    }
    if (order == 0) {
        order = compare_motion(a, b);
    }
    return order;
}

abut_status abut_pair_canonical(const abut_pair *in, abut_pair *out, int *is_swapped, abut_error *error)
{
    *is_swapped = 0;
    if (in->struct_size == sizeof *in) {
        *out = *in;
    } else {
        *out = abut_pair_default(NULL, NULL);
        if (!abut_read_versioned(out, sizeof *out, in)) {
            return abut_fail(error, ABUT_BAD_ARGUMENT, "the pair was not made by abut_pair_default()");
        }
    }
    if (!(out->dt >= 0.0) || !isfinite(out->dt)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the time step is %g, but must be zero or positive", out->dt);
    }
    abut_status status = check_side(&out->a, out->dt, "A", error);
    if (status == ABUT_OK) {
        status = check_side(&out->b, out->dt, "B", error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    *is_swapped = compare_sides(&out->a, &out->b) > 0;
    if (out->memory != NULL) {
        abut_pair_identity identity = {{abut_shape_hash(out->a.shape), abut_shape_hash(out->b.shape)},
                                       {out->a.key, out->b.key}};
        abut_memory_order(out->memory, &identity, is_swapped);
        abut_memory_begin(out->memory, &identity, *is_swapped);
    }
    if (*is_swapped) {
        abut_side first = out->b;
        out->b = out->a;
        out->a = first;
    }
    return ABUT_OK;
}

void abut_pair_drop_memory(const abut_pair *pair)
{
    abut_pair read = abut_pair_default(NULL, NULL);
    if (abut_read_versioned(&read, sizeof read, pair) && read.memory != NULL) {
        abut_memory_drop(read.memory);
    }
}

int abut_pair_is_self(const abut_pair *pair)
{
    if (pair->a.instance != NULL || pair->b.instance != NULL) {
        return pair->a.instance == pair->b.instance;
    }
    return pair->a.shape == pair->b.shape && pair->a.key != 0 && pair->a.key == pair->b.key &&
           compare_motion(&pair->a, &pair->b) == 0;
}

abut_relative_motion abut_pair_relative_motion(const abut_side *a, const abut_side *b)
{
    // a point p of the world moves by v_B(p) - v_A(p)
    abut_vec3 angular = abut_sub(b->angular_velocity, a->angular_velocity);
    abut_vec3 linear = abut_sub(abut_sub(b->linear_velocity, a->linear_velocity),
                                abut_cross(b->angular_velocity, abut_sub(b->pose.position, a->pose.position)));
    abut_mat3 to_world = abut_quat_matrix(a->pose.rotation);
    abut_relative_motion motion = {abut_mat3_apply_transposed(to_world, linear),
                                   abut_mat3_apply_transposed(to_world, angular)};
    return motion;
}

abut_vec3 abut_side_point_velocity(const abut_side *side, double dt, abut_vec3 position, const abut_anchor *anchor)
{
    if (side->instance == NULL) {
        return abut_add(side->linear_velocity,
                        abut_cross(side->angular_velocity, abut_sub(position, side->pose.position)));
    }
    abut_vec3 moved = abut_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < 4; ++i) {
        int vertex = anchor->vertices[i];
        if (vertex >= 0) {
            abut_vec3 way =
                abut_sub(abut_instance_end(side->instance)[vertex], abut_instance_start(side->instance)[vertex]);
            moved = abut_add_scaled(moved, anchor->weights[i], way);
        }
    }
    return abut_scale(dt > 0.0 ? 1.0 / dt : 0.0, moved);
}
