// SPDX-License-Identifier: MIT
// test_tree_quality.c: the boxes of a tree are small; large ones would cost time but give no wrong answer
//
// A random line that meets the root box meets a convex box inside it with a probability equal to the ratio of their
// surfaces. So the sum of the surfaces of all boxes, divided by that of the root box, is the mean number of boxes that
// a query along a line opens: the cost of a tree. The reference cuts every range at the median of the middles, along
// the longest side of the box of the middles, down to two elements.
#include "check.h"
#include "random.h"
#include "spatial/tree.h"

#include <stdlib.h>

enum { ELEMENTS = 2000 };

static double surface(abut_box box)
{
    abut_vec3 s = abut_sub(box.upper, box.lower);
    return s.x * s.y + s.y * s.z + s.z * s.x;
}

static double cost_of_tree(const abut_tree *tree)
{
    double unit = ldexp(1.0, tree->exponent), sum = 0.0;
    for (int i = 0; i < tree->node_count; ++i) {
        for (int k = 0; k < 2; ++k) {
            const abut_tree_node *n = &tree->nodes[i];
            abut_box box = {abut_vec3_make(n->lower[0][k], n->lower[1][k], n->lower[2][k]),
                            abut_vec3_make(n->upper[0][k], n->upper[1][k], n->upper[2][k])};
            sum += surface(box) * unit * unit;
        }
    }
    return sum / surface(tree->bounds);
}

typedef struct item {
    abut_box box;
    double middle[3], key;
} item;

static int compare_keys(const void *x, const void *y)
{
    const item *a = x, *b = y;
    return (a->key > b->key) - (a->key < b->key);
}

static double sum_below(item *items, int count)
{
    abut_box box = abut_box_empty();
    double lower[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, upper[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < count; ++i) {
        box = abut_box_union(box, items[i].box);
        for (int k = 0; k < 3; ++k) {
            lower[k] = fmin(lower[k], items[i].middle[k]);
            upper[k] = fmax(upper[k], items[i].middle[k]);
        }
    }
    double sum = surface(box);
    if (count <= ABUT_TREE_LEAF) {
        return sum;
    }
    int axis = 0;
    for (int k = 1; k < 3; ++k) {
        axis = upper[k] - lower[k] > upper[axis] - lower[axis] ? k : axis;
    }
    for (int i = 0; i < count; ++i) {
        items[i].key = items[i].middle[axis];
    }
    qsort(items, (size_t)count, sizeof *items, compare_keys);
    int half = (count / 2 + 1) / 2 * 2;
    return sum + sum_below(items, half) + sum_below(items + half, count - half);
}

static double cost_of_medians(const abut_tree *tree)
{
    item *items = malloc(ELEMENTS * sizeof *items);
    assert_non_null(items);
    for (int i = 0; i < tree->element_count; ++i) {
        abut_box box = abut_tree_element_box(tree, i);
        abut_vec3 middle = abut_box_center(box);
        items[i] = (item){box, {middle.x, middle.y, middle.z}, 0.0};
    }
    double sum = sum_below(items, tree->element_count);
    free(items);
    return sum / surface(tree->bounds) - 1.0; // nodes do not hold the root box
}

// Triangles in a box with sides `sides`: all of size 0.05, or of sizes from 0.01 to 2, most of them small.
static abut_mesh *make_soup(uint64_t seed, abut_vec3 sides, int is_mixed)
{
    static abut_vec3 vertices[3 * ELEMENTS];
    static int faces[3 * ELEMENTS];
    test_random random = {seed};
    for (int i = 0; i < ELEMENTS; ++i) {
        abut_vec3 p = random_vec3(&random, 1.0);
        p = abut_vec3_make(p.x * sides.x, p.y * sides.y, p.z * sides.z);
        double size = is_mixed ? 0.01 * pow(200.0, pow(random_in(&random, 0.0, 1.0), 3.0)) : 0.05;
        for (int k = 0; k < 3; ++k) {
            faces[3 * i + k] = 3 * i + k;
            vertices[3 * i + k] = abut_add(p, random_vec3(&random, size));
        }
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3 * ELEMENTS;
    def.face_vertices = faces;
    def.face_count = ELEMENTS;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

// Cuts by the surface area heuristic must cost less than cuts at medians, for cubes, rods and plates of equal or mixed
// triangles.
static void trees_cost_less_than_medians(void **state)
{
    (void)state;
    const abut_vec3 sides[3] = {{1, 1, 1}, {8, 1, 1}, {8, 8, 0.2}};
    for (int i = 0; i < 12; ++i) {
        abut_mesh *mesh = make_soup((uint64_t)i, sides[i % 3], i % 2);
        abut_tree *tree = NULL;
        assert_int_equal(abut_tree_create(NULL, mesh, ABUT_ELEMENT_TRIANGLE, &tree, NULL), ABUT_OK);
        double cost = cost_of_tree(tree), medians = cost_of_medians(tree);
        CHECK(cost < medians, "soup %d: cost %g, that of medians %g", i, cost, medians);
        abut_tree_destroy(tree);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_cost_less_than_medians),
    };
    return cmocka_run_group_tests_name("quality of trees", tests, NULL, NULL);
}
