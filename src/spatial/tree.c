// SPDX-License-Identifier: MIT
// tree.c: making, fitting and describing a box hierarchy
#include "spatial/tree.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"

#include <limits.h>
#include <string.h>

// What the elements of a kind are in a mesh. Returns 0 for an unknown kind.
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

abut_status abut_tree_create(const abut_context *context, const abut_mesh *mesh, abut_element_kind kind,
                             abut_tree **tree, abut_error *error)
{
    if (mesh == NULL || tree == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "tree: no mesh, or nowhere to put the tree");
    }
    *tree = NULL;
    abut_tree made;
    memset(&made, 0, sizeof made);
    made.context = abut_context_or_default(context);
    if (!find_elements(mesh, kind, &made)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "tree: %d is no kind of element", (int)kind);
    }
    if (made.element_count > INT_MAX / 2) {
        return abut_fail(error, ABUT_LIMIT, "tree: %d elements; %d is the limit", made.element_count, INT_MAX / 2);
    }
    made.node_count = made.element_count > 0 ? 2 * made.element_count - 1 : 0;
    abut_tree *result = abut_allocate(&made.context, 1, sizeof *result);
    made.nodes = abut_allocate(&made.context, (size_t)made.node_count, sizeof *made.nodes);
    abut_tree_choose_units(&made);
    if (result == NULL || made.nodes == NULL || !abut_tree_link(&made)) {
        abut_free(&made.context, made.nodes);
        abut_free(&made.context, result);
        return abut_fail(error, ABUT_NO_MEMORY, "tree: no memory for %d elements", made.element_count);
    }
    abut_tree_fit(&made);
    *result = made;
    *tree = result;
    return ABUT_OK;
}

void abut_tree_destroy(abut_tree *tree)
{
    if (tree != NULL) {
        abut_context context = tree->context;
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
        .bytes = sizeof *tree + (size_t)tree->node_count * sizeof *tree->nodes,
        .bounds = tree->bounds,
    };
    return info;
}

// The box of an element in the frame of the mesh, over its whole way; empty where something is not finite.
static abut_box find_box(const abut_tree *tree, int element)
{
    const int *corners = tree->elements + (size_t)element * (size_t)tree->corner_count;
    abut_box box = abut_box_empty();
    for (int i = 0; i < tree->corner_count; ++i) {
        abut_vec3 start = tree->start[corners[i]], end = tree->end[corners[i]];
        if (!abut_is_finite(start) || !abut_is_finite(end)) {
            return abut_box_empty();
        }
        box = abut_box_add(abut_box_add(box, start), end);
    }
    return box;
}

void abut_tree_choose_units(abut_tree *tree)
{
    abut_box bounds = abut_box_empty();
    for (int i = 0; i < tree->element_count; ++i) {
        bounds = abut_box_union(bounds, find_box(tree, i));
    }
    int is_empty = bounds.lower.x > bounds.upper.x;
    tree->bounds = bounds;
    tree->origin = is_empty ? abut_vec3_make(0.0, 0.0, 0.0) : abut_box_center(bounds);
    abut_vec3 half = is_empty ? tree->origin : abut_sub(bounds.upper, tree->origin);
    tree->exponent = abut_tree_exponent_of_vec3(half);
}

static float round_down(double x)
{
    float rounded = (float)x;
    return (double)rounded > x ? nextafterf(rounded, -HUGE_VALF) : rounded;
}

static float round_up(double x)
{
    return -round_down(-x);
}

void abut_tree_element_box(const abut_tree *tree, int element, float lower[3], float upper[3])
{
    abut_box box = find_box(tree, element);
    double scale = ldexp(1.0, -tree->exponent);
    abut_vec3 low = abut_scale(scale, abut_sub(box.lower, tree->origin));
    abut_vec3 high = abut_scale(scale, abut_sub(box.upper, tree->origin));
    lower[0] = round_down(low.x);
    lower[1] = round_down(low.y);
    lower[2] = round_down(low.z);
    upper[0] = round_up(high.x);
    upper[1] = round_up(high.y);
    upper[2] = round_up(high.z);
}

void abut_tree_fit(abut_tree *tree)
{
    // Children come after their parents, so backwards they are done first.
    for (int i = tree->node_count - 1; i >= 0; --i) {
        abut_tree_node *node = &tree->nodes[i];
        if (abut_tree_is_leaf(node)) {
            abut_tree_element_box(tree, ~node->link, node->lower, node->upper);
            continue;
        }
        const abut_tree_node *left = &tree->nodes[i + 1], *right = &tree->nodes[node->link];
        for (int k = 0; k < 3; ++k) {
            node->lower[k] = fminf(left->lower[k], right->lower[k]);
            node->upper[k] = fmaxf(left->upper[k], right->upper[k]);
        }
    }
}
