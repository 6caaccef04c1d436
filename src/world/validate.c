// SPDX-License-Identifier: MIT
// validate.c: what is suspicious in a world before its first step
//
// Two fixed bodies overlap if a method that tells inside from outside says so: `convex` or `regions`. The world's own
// method is not asked: closest points of bodies that overlap say nothing, and the triangles of a body within another
// one do not meet.
//
// Cost: one broad phase over the fixed bodies, and one query for each pair of them whose boxes touch. The queries run
// on shapes of their own, made of the bodies' meshes, since others may be using the bodies' shapes at the same time.
#include "world/world.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdio.h>

/// Overlap, relative to the smaller body, that still counts as touching; `regions` has the same limit.
static const double touching_depth = 1e-3;

/// A shape of our own for the bodies that have the shape `from`.
typedef struct shape_copy {
    const abut_shape *from;
    abut_shape *shape;
} shape_copy;

typedef struct validation {
    const abut_world *world;
    int *fixed; ///< numbers of the fixed bodies, ascending
    int fixed_count;
    abut_box *boxes;    ///< of the fixed bodies
    shape_copy *copies; ///< room for one per fixed body
    int copy_count;
    int *copy_of; ///< for each fixed body, its copy, or -1: not made yet
    abut_broad broad;
    abut_workspace *workspace;
    abut_result result;
} validation;

static abut_status begin(validation *v)
{
    const abut_context *context = &v->world->context;
    size_t count = (size_t)v->world->body_count;
    abut_broad_init(&v->broad, context);
    v->result = abut_result_default();
    v->fixed = abut_allocate_zeroed(context, count, sizeof *v->fixed);
    v->boxes = abut_allocate_zeroed(context, count, sizeof *v->boxes);
    v->copies = abut_allocate_zeroed(context, count, sizeof *v->copies);
    v->copy_of = abut_allocate_zeroed(context, count, sizeof *v->copy_of);
    if (v->fixed == NULL || v->boxes == NULL || v->copies == NULL || v->copy_of == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < v->world->body_count; ++i) {
        const abut_body *body = &v->world->bodies[i];
        if (body->is_fixed) {
            v->boxes[v->fixed_count] = abut_body_box(body, abut_body_pose(body), 0.0);
            v->copy_of[v->fixed_count] = -1;
            v->fixed[v->fixed_count++] = i;
        }
    }
    return abut_workspace_create(context, &v->workspace);
}

static void end(validation *v)
{
    const abut_context *context = &v->world->context;
    for (int i = 0; i < v->copy_count; ++i) {
        abut_shape_destroy(v->copies[i].shape);
    }
    abut_workspace_destroy(v->workspace);
    abut_broad_release(&v->broad);
    abut_free(context, v->fixed);
    abut_free(context, v->boxes);
    abut_free(context, v->copies);
    abut_free(context, v->copy_of);
}

/// The copy of a fixed body's shape, made at the first call.
static abut_status get_shape(validation *v, int index, abut_shape **shape, abut_error *error)
{
    const abut_shape *from = v->world->bodies[v->fixed[index]].shape;
    for (int i = 0; i < v->copy_count && v->copy_of[index] < 0; ++i) {
        v->copy_of[index] = v->copies[i].from == from ? i : -1;
    }
    if (v->copy_of[index] < 0) {
        abut_shape_def def = abut_shape_def_default();
        def.mesh = abut_shape_mesh(from);
        shape_copy *copy = &v->copies[v->copy_count];
        abut_status status = abut_shape_create(&v->world->context, &def, &copy->shape, error);
        if (status != ABUT_OK) {
            return status;
        }
        copy->from = from;
        v->copy_of[index] = v->copy_count++;
    }
    *shape = v->copies[v->copy_of[index]].shape;
    return ABUT_OK;
}

/// Asks a method whether two bodies overlap. ABUT_OK with *overlaps; another status: it cannot tell.
static abut_status ask(validation *v, const abut_pair *pair, abut_shape *a, abut_shape *b,
                       const abut_method *method, int *overlaps)
{
    abut_error reason;
    abut_status status = abut_shape_prepare(a, method, NULL, &reason);
    if (status == ABUT_OK) {
        status = abut_shape_prepare(b, method, NULL, &reason);
    }
    if (status == ABUT_OK) {
        status = abut_find_contacts(pair, method, NULL, v->workspace, &v->result);
    }
    if (status == ABUT_OVERLAP) {
        *overlaps = 1;
        return ABUT_OK;
    }
    if (status != ABUT_OK) {
        return status;
    }
    const abut_contact_view *contacts = &v->result.contacts;
    double least = 0.0, size = fmin(abut_box_diagonal(abut_mesh_get_elements(abut_shape_mesh(a)).bounds),
                                    abut_box_diagonal(abut_mesh_get_elements(abut_shape_mesh(b)).bounds));
    for (int i = 0; i < contacts->count; ++i) {
        least = fmin(least, contacts->items[i].gap);
    }
    *overlaps = least < -touching_depth * size;
    return ABUT_OK;
}

/// Whether two fixed bodies overlap. Bodies that no method can compare do not. A failure is ABUT_NO_MEMORY.
static abut_status compare(validation *v, abut_body_pair indices, int *overlaps)
{
    static const char *const names[] = {"convex", "regions"};
    abut_shape *a = NULL, *b = NULL;
    abut_error reason;
    abut_status status = get_shape(v, indices.a, &a, &reason);
    if (status == ABUT_OK) {
        status = get_shape(v, indices.b, &b, &reason);
    }
    if (status != ABUT_OK) {
        return status;
    }
    abut_pair pair = abut_pair_default(a, b);
    pair.a.pose = abut_body_pose(&v->world->bodies[v->fixed[indices.a]]);
    pair.b.pose = abut_body_pose(&v->world->bodies[v->fixed[indices.b]]);
    *overlaps = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        status = ask(v, &pair, a, b, abut_method_find(names[i]), overlaps);
        if (status == ABUT_OK || status == ABUT_NO_MEMORY) {
            return status;
        }
    }
    return ABUT_OK;
}

/// Reports a pair of bodies. Returns what the caller answers: other than 0 to stop.
static int report_overlap(const abut_world *world, int body_a, int body_b, abut_world_finding_function *function,
                          void *user)
{
    char a[ABUT_BODY_CALL_ROOM], b[ABUT_BODY_CALL_ROOM], text[2 * ABUT_BODY_CALL_ROOM + 64];
    (void)snprintf(text, sizeof text, "%s and %s are fixed and overlap", abut_world_call(world, body_a, a),
                   abut_world_call(world, body_b, b));
    const abut_world_finding finding = {ABUT_WORLD_FIXED_OVERLAP, body_a, body_b, text};
    return function(user, &finding);
}

static abut_status find_fixed_overlaps(validation *v, abut_world_finding_function *function, void *user)
{
    abut_status status = abut_broad_find(&v->broad, v->boxes, NULL, v->fixed_count);
    for (int i = 0; i < v->broad.pair_count && status == ABUT_OK; ++i) {
        abut_body_pair indices = v->broad.pairs[i];
        int overlaps = 0;
        status = compare(v, indices, &overlaps);
        if (overlaps && report_overlap(v->world, v->fixed[indices.a], v->fixed[indices.b], function, user) != 0) {
            break;
        }
    }
    return status;
}

abut_status abut_world_validate(const abut_world *world, abut_world_finding_function *function, void *user,
                                abut_error *error)
{
    ABUT_ASSERT(world != NULL && function != NULL);
    validation v = {.world = world};
    abut_status status = begin(&v);
    if (status == ABUT_OK) {
        status = find_fixed_overlaps(&v, function, user);
    }
    end(&v);
    return status == ABUT_OK ? ABUT_OK : abut_fail(error, status, "no memory to validate a world");
}
