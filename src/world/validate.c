// SPDX-License-Identifier: MIT
// validate.c: what is suspicious in a world before its first step
//
// Two bodies overlap if a method that tells inside from outside says so: `convex` or `regions`. The world's own method is
// not asked: closest points of bodies that overlap say nothing, and the triangles of a body within another one do not
// meet. A contact is ambiguous if `regions` finds several sets of normals, and the velocities do not decide.
//
// Source: Bouma and Vanecek 1993, section 1, assumptions 4 and 5.
// Cost:   one broad phase over all bodies, and one or two queries for each pair whose boxes touch. The queries run on
//         shapes of their own, made of the bodies' meshes, since others may be using the bodies' shapes.
#include "world/world.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdio.h>

/// Overlap, relative to the smaller body, that still counts as touching; `regions` has the same limit.
static const double touching_depth = 1e-3;

/// Of a body: its box is widened by this, so that bodies that touch up to rounding are compared.
static const double box_margin = 1e-6;

/// A shape of our own for the bodies that have the shape `from`.
typedef struct shape_copy {
    const abut_shape *from;
    abut_shape *shape;
} shape_copy;

typedef struct validation {
    const abut_world *world;
    abut_box *boxes;
    shape_copy *copies; ///< room for one per body
    int copy_count;
    int *copy_of; ///< by body: its copy, or -1: not made yet
    abut_broad broad;
    unsigned char *found; ///< by pair: bit k is set for a finding of kind k
    abut_workspace *workspace;
    abut_result result;
} validation;

static abut_status begin(validation *v)
{
    const abut_context *context = &v->world->context;
    size_t count = (size_t)v->world->body_count;
    abut_broad_init(&v->broad, context);
    v->result = abut_result_default();
    v->boxes = abut_allocate_zeroed(context, count, sizeof *v->boxes);
    v->copies = abut_allocate_zeroed(context, count, sizeof *v->copies);
    v->copy_of = abut_allocate_zeroed(context, count, sizeof *v->copy_of);
    if (v->boxes == NULL || v->copies == NULL || v->copy_of == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < v->world->body_count; ++i) {
        const abut_body *body = &v->world->bodies[i];
        v->boxes[i] = abut_body_box(body, abut_body_pose(body), box_margin * body->size);
        v->copy_of[i] = -1;
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
    abut_free(context, v->boxes);
    abut_free(context, v->copies);
    abut_free(context, v->copy_of);
    abut_free(context, v->found);
}

/// The copy of a body's shape, made at the first call.
static abut_status get_shape(validation *v, int index, abut_shape **shape, abut_error *error)
{
    const abut_shape *from = v->world->bodies[index].shape;
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

/// Asks a method about two bodies; its answer is in v->result.
static abut_status ask(validation *v, const abut_pair *pair, abut_shape *a, abut_shape *b, const char *name)
{
    const abut_method *method = abut_method_find(name);
    abut_error reason;
    abut_status status = abut_shape_prepare(a, method, NULL, &reason);
    if (status == ABUT_OK) {
        status = abut_shape_prepare(b, method, NULL, &reason);
    }
    return status == ABUT_OK ? abut_find_contacts(pair, method, NULL, v->workspace, &v->result) : status;
}

/// Whether the contacts of the last answer overlap by more than touching bodies.
static int is_deep(const validation *v, const abut_pair *pair)
{
    double least = 0.0, size = fmin(abut_box_diagonal(abut_mesh_get_elements(abut_side_mesh(&pair->a)).bounds),
                                    abut_box_diagonal(abut_mesh_get_elements(abut_side_mesh(&pair->b)).bounds));
    for (int i = 0; i < v->result.contacts.count; ++i) {
        least = fmin(least, v->result.contacts.items[i].gap);
    }
    return least < -touching_depth * size;
}

/// What is suspicious in two bodies; nothing if no method can compare them. A failure is ABUT_NO_MEMORY.
static abut_status compare(validation *v, abut_body_pair bodies, unsigned char *found)
{
    const abut_world *world = v->world;
    if (world->bodies[bodies.a].soft != NULL || world->bodies[bodies.b].soft != NULL) {
        return ABUT_OK;
    }
    int are_fixed = world->bodies[bodies.a].is_fixed && world->bodies[bodies.b].is_fixed;
    unsigned char overlap = (unsigned char)(1u << (are_fixed ? ABUT_WORLD_FIXED_OVERLAP : ABUT_WORLD_OVERLAP));
    abut_shape *a = NULL, *b = NULL;
    abut_error reason;
    abut_status status = get_shape(v, bodies.a, &a, &reason);
    if (status == ABUT_OK) {
        status = get_shape(v, bodies.b, &b, &reason);
    }
    if (status != ABUT_OK) {
        return status;
    }
    // the overlap is that of the poses: with velocities, bodies may count as moved back
    abut_pair moving = abut_world_pair_of(world, bodies), still = abut_pair_default(a, b);
    moving.a.shape = a;
    moving.b.shape = b;
    still.a.pose = moving.a.pose;
    still.b.pose = moving.b.pose;
    status = ask(v, &still, a, b, "convex");
    int is_compared = status == ABUT_OK, is_apart = is_compared && v->result.contacts.count == 0;
    *found = is_compared && is_deep(v, &still) ? overlap : 0;
    if (status == ABUT_NO_MEMORY || *found != 0 || is_apart || (is_compared && are_fixed)) {
        return status;
    }
    if (!is_compared) {
        status = ask(v, &still, a, b, "regions");
        *found = status == ABUT_OVERLAP || (status == ABUT_OK && is_deep(v, &still)) ? overlap : 0;
    }
    if (status == ABUT_OK && !are_fixed) {
        status = ask(v, &moving, a, b, "regions");
        if (status == ABUT_OK && v->result.stats.arbitrary_normals > 0) {
            *found = 1u << ABUT_WORLD_AMBIGUOUS_CONTACT;
        }
    }
    return status == ABUT_NO_MEMORY ? status : ABUT_OK;
}

/// Reports a finding. Returns what the caller answers: other than 0 to stop.
static int report_finding(const abut_world *world, abut_world_finding_kind kind, abut_body_pair bodies,
                          abut_world_finding_function *function, void *user)
{
    static const char *const what[] = {[ABUT_WORLD_FIXED_OVERLAP] = "are fixed and overlap",
                                       [ABUT_WORLD_OVERLAP] = "overlap at the start",
                                       [ABUT_WORLD_AMBIGUOUS_CONTACT] =
                                           "touch at the start where several normals are equally correct"};
    char a[ABUT_BODY_CALL_ROOM], b[ABUT_BODY_CALL_ROOM], text[2 * ABUT_BODY_CALL_ROOM + 80];
    (void)snprintf(text, sizeof text, "%s and %s %s", abut_world_call(world, bodies.a, a),
                   abut_world_call(world, bodies.b, b), what[kind]);
    const abut_world_finding finding = {kind, bodies.a, bodies.b, text};
    return function(user, &finding);
}

static abut_status compare_all(validation *v)
{
    abut_status status = abut_broad_find(&v->broad, v->boxes, NULL, v->world->body_count);
    if (status != ABUT_OK) {
        return status;
    }
    v->found = abut_allocate_zeroed(&v->world->context, (size_t)v->broad.pair_count + 1, 1);
    if (v->found == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < v->broad.pair_count && status == ABUT_OK; ++i) {
        status = compare(v, v->broad.pairs[i], &v->found[i]);
    }
    return status;
}

static void report_all(const validation *v, abut_world_finding_function *function, void *user)
{
    for (int kind = ABUT_WORLD_FIXED_OVERLAP; kind <= ABUT_WORLD_AMBIGUOUS_CONTACT; ++kind) {
        for (int i = 0; i < v->broad.pair_count; ++i) {
            if ((v->found[i] >> kind & 1) != 0 &&
                report_finding(v->world, (abut_world_finding_kind)kind, v->broad.pairs[i], function, user) != 0) {
                return;
            }
        }
    }
}

abut_status abut_world_validate(const abut_world *world, abut_world_finding_function *function, void *user,
                                abut_error *error)
{
    ABUT_ASSERT(world != NULL && function != NULL);
    validation v = {.world = world};
    abut_status status = begin(&v);
    if (status == ABUT_OK) {
        status = compare_all(&v);
    }
    if (status == ABUT_OK) {
        report_all(&v, function, user);
    }
    end(&v);
    return status == ABUT_OK ? ABUT_OK : abut_fail(error, status, "no memory to validate a world");
}
