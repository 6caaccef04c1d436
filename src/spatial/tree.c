// SPDX-License-Identifier: MIT
// tree.c: creates, refits and describes a box hierarchy
#include "spatial/tree.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"

#include <limits.h>
#include <string.h>

// Finds the elements of a kind in a mesh. Returns 0 for an unknown kind.
static int find_elements(const abut_mesh *mesh, abut_element_kind kind, abut_tree *tree)
{
    abut_mesh_elements all = abut_mesh_get_elements(mesh);
    const struct {
        const int *elements;
        int count;
    } kinds[] = {
        [ABUT_ELEMENT_POINT] = {all.points, all.point_count},
        [ABUT_ELEMENT_SEGMENT] = {all.segments, all.segment_count},
        [ABUT_ELEMENT_TRIANGLE] = {all.triangles, all.triangle_count},
        [ABUT_ELEMENT_TET] = {all.tets, all.tet_count},
    };
    if ((int)kind < 0 || (size_t)kind >= sizeof kinds / sizeof kinds[0]) {
        return 0;
    }
    tree->kind = kind;
    tree->elements = kinds[kind].elements;
    tree->element_count = kinds[kind].count;
    tree->corner_count = (int)kind + 1;
    tree->mesh_vertices = tree->start = tree->end = all.vertices;
    return 1;
}

// Builds a tree over its elements. Returns ABUT_NO_MEMORY if memory ran out.
static abut_status build(abut_tree made, abut_tree **tree)
{
    made.node_count = abut_tree_count_nodes(made.element_count);
    abut_tree *result = abut_allocate(&made.context, 1, sizeof *result);
    made.nodes = abut_allocate(&made.context, (size_t)made.node_count, sizeof *made.nodes);
    made.order = abut_allocate(&made.context, (size_t)made.element_count, sizeof *made.order);
    if (result != NULL && made.nodes != NULL && made.order != NULL) {
        abut_tree_choose_units(&made);
    }
    if (result == NULL || made.nodes == NULL || made.order == NULL || !abut_tree_link(&made)) {
        abut_free(&made.context, made.order);
        abut_free(&made.context, made.nodes);
        abut_free(&made.context, result);
        return ABUT_NO_MEMORY;
    }
    *result = made;
    *tree = result;
    return ABUT_OK;
}

abut_status abut_tree_create_over(const abut_context *context, const abut_vec3 *vertices, const int *triangles,
                                  int triangle_count, abut_tree **tree)
{
    abut_tree made;
    memset(&made, 0, sizeof made);
    *tree = NULL;
    made.context = *context;
    made.kind = ABUT_ELEMENT_TRIANGLE;
    made.elements = triangles;
    made.element_count = triangle_count;
    made.corner_count = 3;
    made.mesh_vertices = made.start = made.end = vertices;
    return build(made, tree);
}

abut_status abut_tree_create(const abut_context *context, const abut_mesh *mesh, abut_element_kind kind,
                             abut_tree **tree, abut_error *error)
{
    if (mesh == NULL || tree == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "tree: `mesh` or `tree` is NULL");
    }
    *tree = NULL;
    abut_tree made;
    memset(&made, 0, sizeof made);
    made.context = abut_context_or_default(context);
    if (!find_elements(mesh, kind, &made)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "tree: unknown kind of element %d", (int)kind);
    }
    if (made.element_count > INT_MAX / 2) {
        return abut_fail(error, ABUT_LIMIT, "tree: %d elements are too many; at most %d", made.element_count,
                         INT_MAX / 2);
    }
    if (build(made, tree) != ABUT_OK) {
        return abut_fail(error, ABUT_NO_MEMORY, "tree: no memory for %d elements", made.element_count);
    }
    return ABUT_OK;
}

void abut_tree_destroy(abut_tree *tree)
{
    if (tree != NULL) {
        abut_context context = tree->context;
        abut_free(&context, tree->order);
        abut_free(&context, tree->nodes);
        abut_free(&context, tree);
    }
}

void abut_tree_refit(abut_tree *tree, const abut_vec3 *start, const abut_vec3 *end)
{
    tree->start = start != NULL ? start : tree->mesh_vertices;
    tree->end = start != NULL && end != NULL ? end : tree->start;
    abut_tree_choose_units(tree);
    abut_tree_fit(tree);
}

abut_tree_info abut_tree_get_info(const abut_tree *tree)
{
    abut_tree_info info = {
        .kind = tree->kind,
        .element_count = tree->element_count,
        .node_count = tree->node_count,
        .depth = tree->depth,
        .bytes = sizeof *tree + (size_t)tree->node_count * sizeof *tree->nodes +
                 (size_t)tree->element_count * sizeof *tree->order,
        .bounds = tree->bounds,
    };
    return info;
}

// Adds the corners of an element at the start or end of its motion to a box. Returns 1 if all are finite.
static int add_corners(const abut_tree *tree, const abut_vec3 *vertices, int element, abut_box *box)
{
    const int *corners = tree->elements + (size_t)element * (size_t)tree->corner_count;
    int is_finite = 1;
    for (int i = 0; i < tree->corner_count; ++i) {
        is_finite &= abut_is_finite(vertices[corners[i]]);
        *box = abut_box_add(*box, vertices[corners[i]]);
    }
    return is_finite;
}

abut_box abut_tree_element_box(const abut_tree *tree, int element)
{
    abut_box box = abut_box_empty();
    int is_finite = add_corners(tree, tree->start, element, &box);
    if (tree->end != tree->start) {
        is_finite &= add_corners(tree, tree->end, element, &box);
    }
    return is_finite ? box : abut_box_empty();
}

// Adds all corners to the box. Returns 0 if a corner is not finite, or if their sum overflows.
static int bound_corners(const abut_tree *tree, const abut_vec3 *vertices, abut_box *bounds)
{
    size_t count = (size_t)tree->element_count * (size_t)tree->corner_count;
    abut_vec3 lower = bounds->lower, upper = bounds->upper, sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < count; ++i) {
        abut_vec3 p = vertices[tree->elements[i]];
        lower.x = lower.x < p.x ? lower.x : p.x;
        lower.y = lower.y < p.y ? lower.y : p.y;
        lower.z = lower.z < p.z ? lower.z : p.z;
        upper.x = upper.x > p.x ? upper.x : p.x;
        upper.y = upper.y > p.y ? upper.y : p.y;
        upper.z = upper.z > p.z ? upper.z : p.z;
        sum = abut_add(sum, p);
    }
    *bounds = (abut_box){lower, upper};
    return abut_is_finite(sum); // an infinite or NaN term makes the sum infinite or NaN
}

// The box of all finite elements.
static abut_box bound_elements(const abut_tree *tree)
{
    abut_box bounds = abut_box_empty();
    if (bound_corners(tree, tree->start, &bounds) &&
        (tree->end == tree->start || bound_corners(tree, tree->end, &bounds))) {
        return bounds;
    }
    bounds = abut_box_empty();
    for (int i = 0; i < tree->element_count; ++i) {
        bounds = abut_box_union(bounds, abut_tree_element_box(tree, i));
    }
    return bounds;
}

void abut_tree_choose_units(abut_tree *tree)
{
    abut_box bounds = bound_elements(tree);
    int is_empty = bounds.lower.x > bounds.upper.x;
    tree->bounds = bounds;
    tree->origin = is_empty ? abut_vec3_make(0.0, 0.0, 0.0) : abut_box_center(bounds);
    abut_vec3 half = is_empty ? tree->origin : abut_sub(bounds.upper, tree->origin);
    tree->exponent = abut_tree_exponent_of_vec3(half);
}
