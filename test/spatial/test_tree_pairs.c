// SPDX-License-Identifier: MIT
// test_tree_pairs.c: pairs of two trees against the exact distances of all pairs
#include "prim/triangle_triangle.h"
#include "spatial/soup.h"

static void check_pairs(const soup *a, const soup *b, abut_pose b_to_a, double margin, const pair_table *table)
{
    abut_vec3 placed[VERTICES];
    for (int i = 0; i < b->vertex_count; ++i) {
        placed[i] = abut_pose_apply(b_to_a, b->vertices[i]);
    }
    for (int i = 0; i < a->element_count; ++i) {
        abut_vec3 ta[3], tb[3], x, y;
        triangle_of(a, a->vertices, i, ta);
        for (int k = 0; k < b->element_count; ++k) {
            triangle_of(b, placed, k, tb);
            double squared = table->seen[i][k] ? 0.0 : abut_triangle_triangle_distance_squared(ta, tb, &x, &y);
            CHECK(table->seen[i][k] || squared > margin * margin, "pair %d %d is %g apart, margin %g", i, k,
                  sqrt(squared), margin);
        }
    }
}

// Bodies of size 2 in poses in which they overlap. Meshes are up to 1e4 sizes away from their origins.
static void pairs_miss_nothing(void **state)
{
    (void)state;
    test_random random = {31};
    static pair_table table, again;
    for (int i = 0; i < 60; ++i) {
        double scale = scales[i % 3];
        double far = (i / 3) % 2 == 0 ? 0.0 : 1e4 * scale;
        soup a = make_soup(&random, ABUT_ELEMENT_TRIANGLE, (soup_style)(i % STYLE_COUNT), 60 + i % 7);
        soup b = make_soup(&random, ABUT_ELEMENT_TRIANGLE, (soup_style)(i / 2 % STYLE_COUNT), 70);
        abut_vec3 offset_a = random_vec3(&random, far), offset_b = random_vec3(&random, far);
        move_soup(&a, scale, offset_a);
        move_soup(&b, scale, offset_b);
        abut_quat rotation = i % 4 == 0 ? abut_quat_identity() : random_rotation(&random);
        abut_vec3 shift = abut_sub(offset_a, abut_quat_rotate(rotation, offset_b));
        abut_pose pose = {abut_add(shift, random_vec3(&random, scale)), rotation};
        double margin = i % 5 == 0 ? 0.0 : scale * pow(10.0, random_in(&random, -6.0, -1.0));
        abut_mesh *mesh_a = make_mesh(&a), *mesh_b = make_mesh(&b);
        abut_tree *tree_a = make_tree(mesh_a, a.kind), *tree_b = make_tree(mesh_b, b.kind);
        memset(&table, 0, sizeof table);
        memset(&again, 0, sizeof again);
        CHECK_INT(abut_tree_pairs(tree_a, tree_b, pose, margin, note_pair, &table), 0, "pairs");
        (void)abut_tree_pairs(tree_a, tree_b, pose, margin, note_pair, &again);
        CHECK(table.order == again.order, "the same order again");
        check_pairs(&a, &b, pose, margin, &table);
        abut_tree_destroy(tree_a);
        abut_tree_destroy(tree_b);
        abut_mesh_destroy(mesh_a);
        abut_mesh_destroy(mesh_b);
    }
    CHECK_DONE();
}

// A row of triangles in unit cells against itself: triangle i meets i - 1, i and i + 1. Boxes must give the same, so
// there are few pairs even 1e4 lengths from the origin.
static void pairs_are_few_far_from_the_origin(void **state)
{
    (void)state;
    static pair_table table;
    soup s = {.kind = ABUT_ELEMENT_TRIANGLE, .element_count = 100, .vertex_count = 300};
    for (int i = 0; i < 100; ++i) {
        double x = 1e6 + 2e-3 * i;
        s.vertices[3 * i] = abut_vec3_make(x, -1e6, 1e6);
        s.vertices[3 * i + 1] = abut_vec3_make(x + 1e-3, -1e6, 1e6);
        s.vertices[3 * i + 2] = abut_vec3_make(x, -1e6 + 1e-3, 1e6);
        for (int k = 0; k < 3; ++k) {
            s.corners[3 * i + k] = 3 * i + k;
        }
    }
    abut_mesh *mesh = make_mesh(&s);
    abut_tree *tree = make_tree(mesh, s.kind);
    memset(&table, 0, sizeof table);
    (void)abut_tree_pairs(tree, tree, abut_pose_identity(), 0.0, note_pair, &table);
    CHECK_INT(table.count, 100, "each with itself");
    memset(&table, 0, sizeof table);
    (void)abut_tree_pairs(tree, tree, abut_pose_identity(), 1.5e-3, note_pair, &table);
    CHECK_INT(table.count, 298, "and with its neighbours");
    abut_tree_destroy(tree);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

static int stop_at_third(void *user, int a, int b)
{
    (void)a;
    (void)b;
    return ++*(int *)user == 3 ? 42 : 0;
}

// A search ends when the caller says so. NaN poses and margins find nothing; an infinite margin finds all pairs.
static void pairs_take_hostile_input(void **state)
{
    (void)state;
    test_random random = {32};
    soup s = make_soup(&random, ABUT_ELEMENT_TRIANGLE, STYLE_SAME, 20);
    abut_mesh *mesh = make_mesh(&s);
    abut_tree *tree = make_tree(mesh, s.kind);
    int count = 0;
    CHECK_INT(abut_tree_pairs(tree, tree, abut_pose_identity(), 0.0, stop_at_third, &count), 42, "stopped");
    CHECK_INT(count, 3, "calls");
    static const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 21; ++i) {
        abut_pose pose = abut_pose_identity();
        double *parts[] = {&pose.position.x, &pose.position.y, &pose.position.z, &pose.rotation.w,
                           &pose.rotation.x, &pose.rotation.y, &pose.rotation.z};
        *parts[i / 3] = bad[i % 3];
        count = 0;
        CHECK_INT(abut_tree_pairs(tree, tree, pose, 1.0, count_pair, &count), 0, "result");
        CHECK_INT(count, 0, "calls with a bad pose");
    }
    count = 0;
    (void)abut_tree_pairs(tree, tree, abut_pose_identity(), NAN, count_pair, &count);
    CHECK_INT(count, 0, "margin NaN");
    (void)abut_tree_pairs(tree, tree, abut_pose_identity(), -HUGE_VAL, count_pair, &count);
    CHECK_INT(count, 0, "margin -infinite");
    abut_pose apart = {{1e300, -1e300, 1.0}, {1.0, 0.0, 0.0, 0.0}};
    (void)abut_tree_pairs(tree, tree, apart, 1.0, count_pair, &count);
    CHECK_INT(count, 0, "far apart");
    (void)abut_tree_pairs(tree, tree, apart, HUGE_VAL, count_pair, &count);
    CHECK_INT(count, 400, "margin infinite");
    abut_tree_destroy(tree);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_miss_nothing),
        cmocka_unit_test(pairs_are_few_far_from_the_origin),
        cmocka_unit_test(pairs_take_hostile_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
