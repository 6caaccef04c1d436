// SPDX-License-Identifier: MIT
// test_tree_fit.c: boxes and slabs contain all elements below them, whether built, fitted or refitted
#include "soup.h"
#include "spatial/tree.h"
#include <string.h>

// Entries of a stack of nodes; a tree has fewer nodes than elements.
enum { STACK = ELEMENTS };

// The corners of an element must be within a child's box, to the last bit, and within its slab, up to the rounding of
// the products.
static void check_element(const abut_tree *tree, const abut_tree_node *node, int side, int element)
{
    for (int k = 0; k < 2 * tree->corner_count; ++k) {
        const abut_vec3 *vertices = k < tree->corner_count ? tree->start : tree->end;
        abut_vec3 p = vertices[tree->elements[element * tree->corner_count + k % tree->corner_count]];
        abut_vec3 q = abut_scale(ldexp(1.0, -tree->exponent), abut_sub(p, tree->origin));
        const double x[3] = {q.x, q.y, q.z};
        double height = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
            height += (double)node->normal[axis][side] * x[axis];
            CHECK((double)node->lower[axis][side] <= x[axis] && x[axis] <= (double)node->upper[axis][side],
                  "element %d is not in its box: %g in %g to %g", element, x[axis], (double)node->lower[axis][side],
                  (double)node->upper[axis][side]);
        }
        CHECK((double)node->slab_lower[side] - 1e-12 <= height && height <= (double)node->slab_upper[side] + 1e-12,
              "element %d is not in its slab", element);
    }
}

// Checks all elements below one child of a node. Returns their number.
static int check_child(const abut_tree *tree, int node, int side)
{
    int stack[STACK], count = 0, found = 0;
    stack[count++] = tree->nodes[node].child[side];
    while (count > 0) {
        int child = stack[--count];
        if (!abut_tree_is_leaf(child)) {
            stack[count++] = tree->nodes[child].child[0];
            stack[count++] = tree->nodes[child].child[1];
            continue;
        }
        abut_tree_range range = abut_tree_leaf_range(tree, child);
        for (int i = range.begin; i < range.end; ++i, ++found) {
            check_element(tree, &tree->nodes[node], side, tree->order[i]);
        }
    }
    return found;
}

// Every child must contain the elements below it, at the start and end of the motion.
static void check_children(const abut_tree *tree)
{
    for (int i = 0; i < tree->node_count; ++i) {
        int below = check_child(tree, i, 0) + check_child(tree, i, 1);
        CHECK(i > 0 || below == tree->element_count, "%d elements of %d", below, tree->element_count);
    }
}

// Every element must be in the order once, every child must contain the elements below it, also with motion, and
// fitting again must change nothing.
static void check_tree(abut_tree *tree)
{
    static abut_tree_node built[ELEMENTS];
    int seen[ELEMENTS] = {0};
    for (int i = 0; i < tree->element_count; ++i) {
        CHECK(seen[tree->order[i]]++ == 0, "element %d is there twice", tree->order[i]);
    }
    check_children(tree);
    memcpy(built, tree->nodes, (size_t)tree->node_count * sizeof *built);
    abut_tree_refit(tree, NULL, NULL);
    CHECK(memcmp(built, tree->nodes, (size_t)tree->node_count * sizeof *built) == 0, "fitted anew, boxes differ");
    static abut_vec3 end[VERTICES];
    test_random random = {39};
    for (int i = 0; i < VERTICES; ++i) {
        end[i] = abut_add(tree->mesh_vertices[i], random_vec3(&random, 0.3));
    }
    abut_tree_refit(tree, tree->mesh_vertices, end);
    check_children(tree);
}

static void check_soup(const soup *s)
{
    abut_mesh *mesh = make_mesh(s);
    abut_tree *tree = make_tree(mesh, s->kind);
    check_tree(tree);
    abut_tree_destroy(tree);
    abut_mesh_destroy(mesh);
}

// From one element to more than a block of them.
static void all_is_held(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 3, 4, 5, 8, 9, 17, 100, 256, 257, 399, 400};
    test_random random = {37};
    for (int kind = ABUT_ELEMENT_POINT; kind <= ABUT_ELEMENT_TET; ++kind) {
        for (int style = 0; style < STYLE_COUNT; ++style) {
            for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
                soup s = make_soup(&random, (abut_element_kind)kind, (soup_style)style, counts[i]);
                check_soup(&s);
            }
        }
    }
    CHECK_DONE();
}

// Two far triangles in the middle of the list form a leaf at the root. Its sibling holds all others, more than a
// block.
static void far_leaf(void **state)
{
    (void)state;
    enum { COUNT = 300, FAR = 130 };
    test_random random = {38};
    soup s = {.kind = ABUT_ELEMENT_TRIANGLE, .element_count = COUNT, .vertex_count = VERTICES};
    for (int i = 0; i < VERTICES; ++i) {
        s.vertices[i] = random_vec3(&random, 0.1);
    }
    for (int i = 0; i < 6; ++i) {
        s.vertices[i].x += 100.0;
    }
    for (int i = 0; i < 3 * COUNT; ++i) {
        int is_far = i / 3 == FAR || i / 3 == FAR + 1;
        s.corners[i] = is_far ? i - 3 * FAR : 6 + i % (VERTICES - 6);
    }
    abut_mesh *mesh = make_mesh(&s);
    abut_tree *tree = make_tree(mesh, s.kind);
    const abut_tree_node *root = &tree->nodes[0];
    if (CHECK(abut_tree_is_leaf(root->child[1]) && COUNT - ABUT_TREE_LEAF > ABUT_TREE_BLOCK,
              "no leaf at the root")) {
        int sum = tree->order[COUNT - 2] + tree->order[COUNT - 1];
        CHECK(sum == 2 * FAR + 1, "other triangles are in the leaf");
        // the far triangles are 50 from the tree's origin (100 - 50), in units of 64
        CHECK(root->lower[0][1] > 0.75f && root->upper[0][0] < -0.75f, "the leaf has the box of others");
    }
    check_tree(tree);
    abut_tree_destroy(tree);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_held),
        cmocka_unit_test(far_leaf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
