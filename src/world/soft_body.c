// SPDX-License-Identifier: MIT
// soft_body.c: the soft bodies of a world
#include "world/soft_body.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "soft/soft.h"

#include <stdio.h>

void abut_soft_body_def_init(abut_soft_body_def *def, size_t size)
{
    const abut_soft_body_def made = {
        .struct_size = sizeof made, .pose = abut_pose_identity(), .material = -1, .has_self_contact = 1};
    abut_write_versioned(def, size, &made, sizeof made);
}

void abut_soft_body_destroy(const abut_context *context, abut_soft_body *body)
{
    if (body == NULL) {
        return;
    }
    abut_soft_destroy(body->soft);
    abut_instance_destroy(body->instance);
    abut_free(context, body->start);
    abut_free(context, body->velocities);
    abut_free(context, body->end);
    abut_free(context, body->forces);
    abut_free(context, body->impulses);
    abut_free(context, body->loads);
    abut_free(context, body);
}

/// Where a rigid motion takes the vertices of the mesh, and their velocities.
static void place_vertices(const abut_mesh *mesh, abut_pose pose, abut_vec3 linear, abut_vec3 angular,
                           abut_vec3 center, abut_vec3 *positions, abut_vec3 *velocities)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    for (int i = 0; i < e.vertex_count; ++i) {
        positions[i] = abut_pose_apply(pose, e.vertices[i]);
        velocities[i] = abut_add(linear, abut_cross(angular, abut_sub(positions[i], center)));
    }
}

static abut_status check_def(const abut_world *world, const abut_soft_body_def *def, const char *name,
                             abut_error *error)
{
    if (def->shape == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "%s has no shape", name);
    }
    if (def->material < 0 || def->material >= world->material_count) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "%s: material is %d, but there is no such material; call abut_world_add_material() first",
                         name, def->material);
    }
    if (!abut_is_finite(def->pose.position) || !abut_is_unit(def->pose.rotation)) {
        return abut_fail(error, ABUT_BAD_DATA,
                         "%s: its pose is not finite, or its rotation is not a unit quaternion", name);
    }
    if (!abut_is_finite(def->linear_velocity) || !abut_is_finite(def->angular_velocity)) {
        return abut_fail(error, ABUT_BAD_DATA, "%s: a velocity is not finite", name);
    }
    if (abut_mesh_get_elements(abut_shape_mesh(def->shape)).triangle_count == 0) {
        return abut_fail(error, ABUT_UNSUPPORTED, "%s: its mesh has no faces, which contacts need", name);
    }
    return ABUT_OK;
}

static int make_room(const abut_context *context, abut_soft_body *made, int count)
{
    size_t n = (size_t)count;
    made->vertex_count = count;
    made->start = abut_allocate(context, n, sizeof *made->start);
    made->velocities = abut_allocate(context, n, sizeof *made->velocities);
    made->end = abut_allocate(context, n, sizeof *made->end);
    made->forces = abut_allocate_zeroed(context, n, sizeof *made->forces);
    made->impulses = abut_allocate_zeroed(context, n, sizeof *made->impulses);
    made->loads = abut_allocate_zeroed(context, n, sizeof *made->loads);
    return made->start != NULL && made->velocities != NULL && made->end != NULL && made->forces != NULL &&
           made->impulses != NULL && made->loads != NULL;
}

/// Makes the particles, elements and trees.
static abut_status make_body(const abut_world *world, const abut_soft_body_def *def, abut_soft_body *made,
                             const char *name, abut_error *error)
{
    const abut_mesh *mesh = abut_shape_mesh(def->shape);
    abut_error reason;
    if (!make_room(&world->context, made, abut_mesh_get_elements(mesh).vertex_count)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for %s", name);
    }
    place_vertices(mesh, def->pose, def->linear_velocity, def->angular_velocity, def->pose.position, made->start,
                   made->velocities);
    abut_soft_def soft = abut_soft_def_default();
    soft.mesh = mesh;
    soft.material = def->soft_material;
    soft.positions = made->start;
    soft.velocities = made->velocities;
    soft.pins = def->pins;
    soft.pin_count = def->pin_count;
    abut_status status = abut_soft_create(&world->context, &soft, &made->soft, &reason);
    if (status == ABUT_OK) { // the linear velocity is that of the centre of mass
        abut_vec3 center = abut_soft_get_energy(made->soft, abut_vec3_make(0.0, 0.0, 0.0)).center;
        place_vertices(mesh, def->pose, def->linear_velocity, def->angular_velocity, center, made->start,
                       made->velocities);
        abut_soft_put_back(made->soft, made->start, made->velocities);
        status = abut_world_prepare_continuous(def->shape, &reason);
    }
    if (status == ABUT_OK) {
        status = abut_instance_create(&world->context, def->shape, &made->instance, &reason);
    }
    if (status == ABUT_OK) {
        status = abut_instance_move(made->instance, made->start, NULL, &reason);
    }
    if (status != ABUT_OK) {
        status = abut_fail(error, status, "%s: %s", name, reason.text);
        if (error != NULL) {
            error->element = reason.element;
        }
    }
    return status;
}

abut_status abut_world_prepare_continuous(abut_shape *shape, abut_error *error)
{
    abut_status status = abut_shape_prepare_tree(shape, ABUT_ELEMENT_TRIANGLE, error);
    return status == ABUT_OK ? abut_shape_prepare(shape, abut_method_find("continuous"), NULL, error) : status;
}

/// Rigid bodies get what contacts with soft ones need.
static abut_status prepare_others(const abut_world *world, abut_error *error)
{
    for (int i = 0; i < world->body_count && world->soft_count == 0; ++i) {
        char name[ABUT_BODY_CALL_ROOM];
        abut_error reason;
        abut_status status = abut_world_prepare_continuous(world->bodies[i].shape, &reason);
        if (status != ABUT_OK) {
            return abut_fail(error, status, "%s: %s", abut_world_call(world, i, name), reason.text);
        }
    }
    return ABUT_OK;
}

abut_status abut_world_add_soft_body(abut_world *world, const abut_soft_body_def *def, int *index,
                                     abut_error *error)
{
    ABUT_ASSERT(world != NULL);
    abut_soft_body_def read = abut_soft_body_def_default();
    if (def == NULL || !abut_read_versioned(&read, sizeof read, def)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the body's definition is missing or was not made by abut_soft_body_def_default()");
    }
    abut_body *body = abut_world_next_body(world, read.name);
    if (body == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a body");
    }
    char called[ABUT_BODY_CALL_ROOM];
    const char *name = abut_world_call(world, world->body_count, called);
    abut_soft_body *made = NULL;
    abut_status status = check_def(world, &read, name, error);
    if (status == ABUT_OK) {
        made = abut_allocate_zeroed(&world->context, 1, sizeof *made);
        status = made == NULL ? abut_fail(error, ABUT_NO_MEMORY, "no memory for %s", name) : ABUT_OK;
    }
    if (status == ABUT_OK) {
        made->params = abut_soft_params_default();
        made->has_self_contact = read.has_self_contact != 0;
        if (read.params != NULL && !abut_read_versioned(&made->params, sizeof made->params, read.params)) {
            status = abut_fail(error, ABUT_BAD_ARGUMENT,
                               "%s: its params were not made by abut_soft_params_default()", name);
        }
    }
    status = status == ABUT_OK ? make_body(world, &read, made, name, error) : status;
    status = status == ABUT_OK ? prepare_others(world, error) : status;
    if (status != ABUT_OK) {
        abut_soft_body_destroy(&world->context, made);
        return status;
    }
    body->soft = made;
    body->shape = read.shape;
    body->material = read.material;
    body->is_fixed = 1;
    body->size = abut_box_diagonal(abut_mesh_get_elements(abut_shape_mesh(read.shape)).bounds);
    body->girth = abut_body_girth(body);
    body->reach = body->size;
    body->motion.rotation = abut_quat_identity();
    if (index != NULL) {
        *index = world->body_count;
    }
    ++world->body_count;
    ++world->soft_count;
    ++world->motion_count;
    abut_world_wake_all(world);
    return ABUT_OK;
}

abut_soft *abut_world_body_soft(const abut_world *world, int body)
{
    ABUT_ASSERT(world != NULL && body >= 0 && body < world->body_count);
    return world->bodies[body].soft != NULL ? world->bodies[body].soft->soft : NULL;
}

abut_status abut_world_push_vertex(abut_world *world, int body, int vertex, abut_vec3 force)
{
    if (body < 0 || body >= world->body_count || world->bodies[body].soft == NULL || vertex < 0 ||
        vertex >= world->bodies[body].soft->vertex_count) {
        return ABUT_BAD_ARGUMENT;
    }
    abut_vec3 *sum = &world->bodies[body].soft->forces[vertex];
    *sum = abut_add(*sum, force);
    return ABUT_OK;
}

abut_body_state abut_soft_body_state(const abut_body *body)
{
    const abut_soft_state s = abut_soft_get_state(body->soft->soft);
    abut_body_state out = {.pose = abut_pose_identity()};
    abut_vec3 momentum = {0.0, 0.0, 0.0}, moment = momentum;
    for (int i = 0; i < s.vertex_count; ++i) {
        out.mass += s.masses[i];
        out.center = abut_add_scaled(out.center, s.masses[i], s.positions[i]);
        momentum = abut_add_scaled(momentum, s.masses[i], s.velocities[i]);
        moment = abut_add_scaled(moment, s.masses[i], abut_cross(s.positions[i], s.velocities[i]));
    }
    out.center = abut_scale(1.0 / out.mass, out.center);
    out.linear_velocity = abut_scale(1.0 / out.mass, momentum);
    out.angular_momentum = abut_sub(moment, abut_cross(out.center, momentum));
    return out;
}

void abut_soft_body_place(abut_body *body, abut_pose pose, abut_vec3 linear, abut_vec3 angular)
{
    abut_soft_body *s = body->soft;
    const abut_mesh *mesh = abut_shape_mesh(body->shape);
    place_vertices(mesh, pose, linear, angular, pose.position, s->start, s->velocities);
    abut_soft_put_back(s->soft, s->start, s->velocities);
    abut_vec3 center = abut_soft_body_state(body).center;
    place_vertices(mesh, pose, linear, angular, center, s->start, s->velocities);
    abut_soft_put_back(s->soft, s->start, s->velocities);
}

abut_box abut_soft_body_box(const abut_soft_body *body, double margin)
{
    const abut_vec3 *start = abut_instance_start(body->instance), *end = abut_instance_end(body->instance);
    abut_box box = {start[0], start[0]};
    for (int i = 0; i < body->vertex_count; ++i) {
        box.lower = abut_min(box.lower, abut_min(start[i], end[i]));
        box.upper = abut_max(box.upper, abut_max(start[i], end[i]));
    }
    abut_vec3 by = {margin, margin, margin};
    return (abut_box){abut_sub(box.lower, by), abut_add(box.upper, by)};
}

double abut_soft_body_yield(const abut_soft_body *body, const abut_anchor *anchor, int has_loads)
{
    const abut_soft_state s = abut_soft_get_state(body->soft);
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        int v = anchor->vertices[i];
        if (v >= 0 && !s.is_pinned[v]) {
            sum += (has_loads ? body->loads[v] : 1) * anchor->weights[i] * anchor->weights[i] / s.masses[v];
        }
    }
    return sum;
}

abut_vec3 abut_soft_body_velocity(const abut_soft_body *body, const abut_anchor *anchor)
{
    const abut_soft_state s = abut_soft_get_state(body->soft);
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < 4; ++i) {
        if (anchor->vertices[i] >= 0) {
            sum = abut_add_scaled(sum, anchor->weights[i], s.velocities[anchor->vertices[i]]);
        }
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------------------------
// Steps

void abut_world_keep_soft(abut_world *world)
{
    for (int i = 0; i < world->body_count && world->soft_count > 0; ++i) {
        abut_soft_body *body = world->bodies[i].soft;
        if (body != NULL) {
            const abut_soft_state s = abut_soft_get_state(body->soft);
            size_t n = (size_t)body->vertex_count;
            memcpy(body->start, s.positions, n * sizeof *body->start);
            memcpy(body->velocities, s.velocities, n * sizeof *body->velocities);
            memset(body->impulses, 0, n * sizeof *body->impulses);
            memset(body->loads, 0, n * sizeof *body->loads);
        }
    }
}

void abut_world_put_back_soft(abut_world *world)
{
    for (int i = 0; i < world->body_count && world->soft_count > 0; ++i) {
        abut_soft_body *body = world->bodies[i].soft;
        if (body != NULL) {
            abut_soft_put_back(body->soft, body->start, body->velocities);
        }
    }
}

/// Fails for a reason, with the step and the body.
static abut_status fail_body(const abut_world *world, int index, abut_status status, const abut_error *reason,
                             abut_error *error)
{
    char name[ABUT_BODY_CALL_ROOM];
    return abut_fail_element(error, status, index, "step %lld: %s: %s", (long long)world->step + 1,
                             abut_world_call(world, index, name), reason->text);
}

/// Leads the paths from the start of the step to `end`.
static abut_status set_paths(const abut_world *world, int index, const abut_vec3 *end, abut_error *error)
{
    const abut_soft_body *body = world->bodies[index].soft;
    abut_error reason;
    abut_status status = abut_instance_move(body->instance, body->start, end, &reason);
    // the positions were finite before the step
    return status == ABUT_OK
               ? ABUT_OK
               : fail_body(world, index, status == ABUT_BAD_DATA ? ABUT_LIMIT : status, &reason, error);
}

static abut_status check_speeds(const abut_world *world, int index, abut_error *error)
{
    const abut_soft_state s = abut_soft_get_state(world->bodies[index].soft->soft);
    double limit = world->def.speed_limit;
    for (int i = 0; i < s.vertex_count && limit < HUGE_VAL; ++i) {
        if (abut_norm(s.velocities[i]) > limit) {
            char name[ABUT_BODY_CALL_ROOM];
            return abut_fail_element(
                error, ABUT_LIMIT, index,
                "step %lld: %s diverged: the speed of its vertex %d is %.3g, above the limit of "
                "%.3g",
                (long long)world->step + 1, abut_world_call(world, index, name), i, abut_norm(s.velocities[i]),
                limit);
        }
    }
    return ABUT_OK;
}

/// What is done for each soft body.
typedef struct soft_work {
    const abut_world *world;
    void (*task)(const abut_world *world, abut_soft_body *body);
    int is_small; ///< of the bodies whose turn it is
} soft_work;

static void work_range(void *data, int begin, int end, int worker)
{
    const soft_work *work = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        abut_soft_body *body = work->world->bodies[i].soft;
        if (body != NULL && abut_soft_is_small(body->soft) == work->is_small) {
            work->task(work->world, body);
        }
    }
}

/// Runs a task for all soft bodies: for small ones on the threads of the context, then for those one by one that use the
/// threads themselves. Returns the first failure of a body.
static abut_status run_soft(abut_world *world, void (*task)(const abut_world *world, abut_soft_body *body),
                            abut_error *error)
{
    soft_work work = {world, task, 1};
    abut_parallel_for(&world->context, world->body_count, 1, work_range, &work);
    work.is_small = 0;
    work_range(&work, 0, world->body_count, 0);
    for (int i = 0; i < world->body_count; ++i) {
        const abut_soft_body *body = world->bodies[i].soft;
        if (body != NULL && body->status != ABUT_OK) {
            return fail_body(world, i, body->status, &body->error, error);
        }
    }
    return ABUT_OK;
}

static void accelerate(const abut_world *world, abut_soft_body *body)
{
    body->params.dt = world->def.dt;
    body->params.gravity = world->def.gravity;
    body->params.forces = body->forces;
    body->status = abut_soft_accelerate(body->soft, &body->params, &body->report, &body->error);
    if (body->status == ABUT_BAD_DATA) { // no other push could cancel it
        memset(body->forces, 0, (size_t)body->vertex_count * sizeof *body->forces);
    }
}

abut_status abut_world_accelerate_soft(abut_world *world, int has_paths, abut_error *error)
{
    if (world->soft_count == 0) {
        return ABUT_OK;
    }
    abut_status status = run_soft(world, accelerate, error);
    for (int i = 0; i < world->body_count && status == ABUT_OK; ++i) {
        abut_soft_body *body = world->bodies[i].soft;
        if (body == NULL) {
            continue;
        }
        const abut_soft_state s = abut_soft_get_state(body->soft);
        for (int k = 0; k < s.vertex_count; ++k) {
            body->end[k] = abut_add_scaled(s.positions[k], world->def.dt, s.velocities[k]);
        }
        status = set_paths(world, i, has_paths ? body->end : NULL, error);
    }
    return status;
}

static void move(const abut_world *world, abut_soft_body *body)
{
    body->status = abut_soft_add_impulses(body->soft, body->impulses, &body->error);
    body->status = body->status == ABUT_BAD_DATA ? ABUT_LIMIT : body->status;
    if (body->status == ABUT_OK) {
        body->status = abut_soft_move(body->soft, world->def.dt, &body->error);
    }
}

abut_status abut_world_move_soft(abut_world *world, abut_error *error)
{
    if (world->soft_count == 0) {
        return ABUT_OK;
    }
    abut_status status = run_soft(world, move, error);
    for (int i = 0; i < world->body_count && status == ABUT_OK; ++i) {
        const abut_soft_body *body = world->bodies[i].soft;
        if (body != NULL) {
            status = check_speeds(world, i, error);
        }
        if (body != NULL && status == ABUT_OK) {
            status = set_paths(world, i, abut_soft_get_state(body->soft).positions, error);
        }
    }
    return status;
}

void abut_world_commit_soft(abut_world *world)
{
    for (int i = 0; i < world->body_count && world->soft_count > 0; ++i) {
        abut_soft_body *body = world->bodies[i].soft;
        if (body != NULL) {
            memset(body->forces, 0, (size_t)body->vertex_count * sizeof *body->forces);
        }
    }
}
