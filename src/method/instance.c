// SPDX-License-Identifier: MIT
// instance.c: a soft body: a shape with its own vertex positions, and trees refitted to them
#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "mesh/size.h"
#include "method/shape.h"

#include <string.h>

struct abut_instance {
    abut_context context;
    const abut_shape *shape;
    int vertex_count;
    abut_vec3 *start;
    abut_vec3 *end;
    abut_tree *trees[ABUT_ELEMENT_KINDS];
};

abut_status abut_instance_create(const abut_context *context, const abut_shape *shape, abut_instance **instance,
                                 abut_error *error)
{
    ABUT_ASSERT(shape != NULL && instance != NULL);
    *instance = NULL;
    abut_context kept = abut_context_or_default(context);
    abut_instance *made = abut_allocate_zeroed(&kept, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a soft body");
    }
    abut_mesh_elements elements = abut_mesh_get_elements(abut_shape_mesh(shape));
    made->context = kept;
    made->shape = shape;
    made->vertex_count = elements.vertex_count;
    made->start = abut_allocate(&kept, (size_t)elements.vertex_count, sizeof *made->start);
    made->end = abut_allocate(&kept, (size_t)elements.vertex_count, sizeof *made->end);
    abut_status status = ABUT_OK;
    if (made->start == NULL || made->end == NULL) {
        status =
            abut_fail(error, ABUT_NO_MEMORY, "no memory for the %d vertices of a soft body", elements.vertex_count);
    }
    for (int kind = 0; status == ABUT_OK && kind < ABUT_ELEMENT_KINDS; ++kind) {
        if (abut_shape_tree(shape, (abut_element_kind)kind) != NULL) {
            status =
                abut_tree_create(&kept, abut_shape_mesh(shape), (abut_element_kind)kind, &made->trees[kind], error);
        }
    }
    if (status == ABUT_OK) {
        status = abut_instance_move(made, elements.vertices, NULL, error);
    }
    if (status != ABUT_OK) {
        abut_instance_destroy(made);
        return status;
    }
    *instance = made;
    return ABUT_OK;
}

void abut_instance_destroy(abut_instance *instance)
{
    if (instance == NULL) {
        return;
    }
    abut_context context = instance->context;
    for (int kind = 0; kind < ABUT_ELEMENT_KINDS; ++kind) {
        abut_tree_destroy(instance->trees[kind]);
    }
    abut_free(&context, instance->start);
    abut_free(&context, instance->end);
    abut_free(&context, instance);
}

static abut_status check_positions(const abut_vec3 *positions, int count, const char *when, abut_error *error)
{
    for (int i = 0; i < count; ++i) {
        if (!abut_is_in_reach(positions[i])) {
            return abut_fail_element(error, ABUT_BAD_DATA, i,
                                     "vertex %d is not finite, or beyond %g, at the %s of the step", i,
                                     ABUT_LARGEST_COORDINATE, when);
        }
    }
    return ABUT_OK;
}

abut_status abut_instance_move(abut_instance *instance, const abut_vec3 *start, const abut_vec3 *end,
                               abut_error *error)
{
    ABUT_ASSERT(instance != NULL && (start != NULL || instance->vertex_count == 0));
    const abut_vec3 *last = end != NULL ? end : start;
    abut_status status = check_positions(start, instance->vertex_count, "start", error);
    if (status == ABUT_OK) {
        status = check_positions(last, instance->vertex_count, "end", error);
    }
    if (status != ABUT_OK || instance->vertex_count == 0) {
        return status;
    }
    memcpy(instance->start, start, (size_t)instance->vertex_count * sizeof *start);
    memcpy(instance->end, last, (size_t)instance->vertex_count * sizeof *last);
    for (int kind = 0; kind < ABUT_ELEMENT_KINDS; ++kind) {
        if (instance->trees[kind] != NULL) {
            abut_tree_refit(instance->trees[kind], instance->start, instance->end);
        }
    }
    return ABUT_OK;
}

const abut_shape *abut_instance_shape(const abut_instance *instance)
{
    return instance->shape;
}

const abut_vec3 *abut_instance_start(const abut_instance *instance)
{
    return instance->start;
}

const abut_vec3 *abut_instance_end(const abut_instance *instance)
{
    return instance->end;
}

const abut_tree *abut_instance_tree(const abut_instance *instance, abut_element_kind kind)
{
    return (unsigned)kind < ABUT_ELEMENT_KINDS ? instance->trees[kind] : NULL;
}
