// SPDX-License-Identifier: MIT
// cast.c: the first body that a ray or a moving shape meets
//
// A tree over the boxes of all bodies is built at the first cast after bodies moved. A cast visits the boxes on its way,
// near ones first, and asks the trees of the bodies: abut_tree_ray() or abut_sweep(). What it finds limits the rest.
//
// Cost: log n and the bodies on the way; n log n once after a step.
#include "world/world.h"

#include "base/error.h"
#include "base/memory.h"

/// A cast on its way.
typedef struct search {
    const abut_world *world;
    abut_cast_filter filter;
    const abut_ray *ray;
    abut_ray_hit ray_hit;
    abut_sweep_def sweep; ///< of the shape and the body at hand
    abut_shape_cast_hit shape_hit;
    abut_status status;
    abut_error error;
} search;

void abut_cast_filter_init(abut_cast_filter *filter, size_t size)
{
    const abut_cast_filter made = {.struct_size = sizeof made, .ignored_body = -1, .sees_fixed = 1, .sees_free = 1};
    abut_write_versioned(filter, size, &made, sizeof made);
}

static int is_seen(const search *c, int body)
{
    const abut_cast_filter *f = &c->filter;
    int kind = c->world->bodies[body].is_fixed ? f->sees_fixed : f->sees_free;
    return body != f->ignored_body && c->world->bodies[body].soft == NULL && kind &&
           (f->sees == NULL || f->sees(f->user, c->world, body));
}

/// Builds the tree of the casts, if bodies may have moved since it was built.
static abut_status update_tree(abut_world *world, abut_error *error)
{
    if (world->cast_count == world->motion_count) {
        return ABUT_OK;
    }
    abut_broad *broad = &world->cast_broad;
    world->cast_count = -1;
    if (!abut_grow(&world->context, &world->cast_boxes, &world->cast_box_capacity, world->body_count,
                   sizeof *world->cast_boxes)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a cast");
    }
    for (int i = 0; i < world->body_count; ++i) {
        world->cast_boxes[i] = abut_body_box(&world->bodies[i], abut_body_pose(&world->bodies[i]), 0.0);
    }
    if (abut_broad_build(broad, world->cast_boxes, world->body_count) != ABUT_OK) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a cast");
    }
    world->cast_count = world->motion_count;
    return ABUT_OK;
}

static abut_status begin(search *c, abut_world *world, const abut_cast_filter *filter, abut_error *error)
{
    c->world = world;
    c->filter = abut_cast_filter_default();
    if (filter != NULL && !abut_read_versioned(&c->filter, sizeof c->filter, filter)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the filter was not made by abut_cast_filter_default()");
    }
    return world->body_count > 0 ? update_tree(world, error) : ABUT_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Rays

static double visit_by_ray(void *user, int body, double limit)
{
    search *c = user;
    if (!is_seen(c, body)) {
        return limit;
    }
    const abut_body *b = &c->world->bodies[body];
    abut_pose pose = abut_body_pose(b);
    abut_quat back = abut_quat_conjugate(pose.rotation);
    abut_vec3 direction = abut_quat_rotate(back, c->ray->direction);
    const abut_tree *tree = abut_shape_tree(b->shape, ABUT_ELEMENT_TRIANGLE);
    abut_tree_hit found = abut_tree_ray(tree, abut_pose_apply_inverse(pose, c->ray->origin), direction, limit);
    abut_ray_hit *hit = &c->ray_hit;
    if (found.element < 0 || (hit->body >= 0 && found.distance == hit->t && body > hit->body)) {
        return limit;
    }
    const abut_mesh *mesh = abut_shape_mesh(b->shape);
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    const int *corners = elements.triangles + 3 * (size_t)found.element;
    abut_vec3 p = elements.vertices[corners[0]], q = elements.vertices[corners[1]],
              r = elements.vertices[corners[2]];
    abut_vec3 normal = abut_unit(abut_cross(abut_sub(q, p), abut_sub(r, p)));
    *hit = (abut_ray_hit){.body = body,
                          .t = found.distance,
                          .triangle = found.element,
                          .point = abut_pose_apply(pose, found.point),
                          .normal = abut_quat_rotate(pose.rotation, normal),
                          .is_from_inside = abut_dot(normal, direction) > 0.0};
    return found.distance;
}

abut_status abut_world_cast_ray(abut_world *world, const abut_ray *ray, const abut_cast_filter *filter,
                                abut_ray_hit *hit, abut_error *error)
{
    ABUT_ASSERT(world != NULL && ray != NULL && hit != NULL);
    search c = {.ray = ray, .ray_hit.body = -1};
    *hit = c.ray_hit;
    if (!abut_is_finite(ray->origin) || !abut_is_finite(ray->direction) ||
        !(abut_norm_squared(ray->direction) > 0.0) || !(ray->limit >= 0.0)) {
        return abut_fail(
            error, ABUT_BAD_ARGUMENT,
            "a ray needs a finite origin, a finite direction that is not zero, and a limit of 0 or more");
    }
    abut_status status = begin(&c, world, filter, error);
    if (status == ABUT_OK && world->body_count > 0) {
        const abut_vec3 half = {0.0, 0.0, 0.0};
        abut_broad_cast(&world->cast_broad, ray->origin, ray->direction, half, ray->limit, visit_by_ray, &c);
        *hit = c.ray_hit;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Shapes

static double visit_by_shape(void *user, int body, double limit)
{
    search *c = user;
    if (!is_seen(c, body) || c->status != ABUT_OK) {
        return limit;
    }
    const abut_body *b = &c->world->bodies[body];
    c->sweep.b = abut_shape_tree(b->shape, ABUT_ELEMENT_TRIANGLE);
    c->sweep.motion_b = (abut_motion){.pose = abut_body_pose(b)};
    c->sweep.duration = limit;
    abut_sweep_hit found;
    c->status = abut_sweep(&c->sweep, &found, &c->error);
    if (c->status != ABUT_OK || !found.is_hit ||
        (c->shape_hit.body >= 0 && !(found.time < c->shape_hit.hit.time) && body > c->shape_hit.body)) {
        return limit;
    }
    c->shape_hit = (abut_shape_cast_hit){body, found};
    return fmin(found.time, limit);
}

/// The half sides of a box about the center of a moving shape that holds it all the way. The center is moved to the
/// middle of the shape's box if nothing turns.
static abut_vec3 half_of(const abut_shape_cast *cast, abut_vec3 *center)
{
    const abut_motion *m = &cast->motion;
    abut_box box = abut_mesh_get_elements(abut_shape_mesh(cast->shape)).bounds;
    *center = abut_pose_apply(m->pose, m->center);
    if (abut_norm_squared(m->angular_velocity) > 0.0) {
        abut_vec3 corner =
            abut_max(abut_abs(abut_sub(box.lower, m->center)), abut_abs(abut_sub(box.upper, m->center)));
        double reach = abut_norm(corner);
        return abut_vec3_make(reach, reach, reach);
    }
    abut_mat3 axes = abut_quat_matrix(m->pose.rotation);
    abut_vec3 half = abut_scale(0.5, abut_sub(box.upper, box.lower));
    *center = abut_pose_apply(m->pose, abut_box_center(box));
    return abut_add(abut_add(abut_scale(half.x, abut_abs(axes.x)), abut_scale(half.y, abut_abs(axes.y))),
                    abut_scale(half.z, abut_abs(axes.z)));
}

abut_status abut_world_cast_shape(abut_world *world, const abut_shape_cast *shape_cast,
                                  const abut_cast_filter *filter, abut_shape_cast_hit *hit, abut_error *error)
{
    ABUT_ASSERT(world != NULL && shape_cast != NULL && shape_cast->shape != NULL && hit != NULL);
    search c = {.shape_hit.body = -1};
    *hit = c.shape_hit;
    const abut_tree *tree = abut_shape_tree(shape_cast->shape, ABUT_ELEMENT_TRIANGLE);
    if (tree == NULL) {
        return abut_fail(error, ABUT_UNPREPARED,
                         "the shape has no tree over triangles: call abut_shape_prepare_tree() first");
    }
    c.sweep = abut_sweep_def_default(tree, tree);
    c.sweep.motion_a = shape_cast->motion;
    c.sweep.duration = shape_cast->duration;
    abut_vec3 center, half = half_of(shape_cast, &center);
    if (!(shape_cast->duration >= 0.0) || !isfinite(shape_cast->duration) || !abut_is_finite(center) ||
        !abut_is_finite(half) || !abut_is_finite(shape_cast->motion.linear_velocity)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "a cast needs a finite pose and finite velocities, and a duration of 0 or more");
    }
    abut_status status = begin(&c, world, filter, error);
    if (status == ABUT_OK && world->body_count > 0) {
        abut_broad_cast(&world->cast_broad, center, shape_cast->motion.linear_velocity, half, shape_cast->duration,
                        visit_by_shape, &c);
        *hit = c.shape_hit;
        status = c.status == ABUT_OK ? ABUT_OK : abut_fail(error, c.status, "%s", c.error.text);
    }
    return status;
}
