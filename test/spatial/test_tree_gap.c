// SPDX-License-Identifier: MIT
// test_tree_gap.c: the distance of structured meshes, many of whose triangles are equally near, and how its work grows
#include "random.h"
#include "round_bodies.h"

#include "prim/triangle_triangle.h"
#include "spatial/tree.h"

static double brute_force(const abut_mesh *mesh_a, const abut_mesh *mesh_b, abut_pose b_to_a)
{
    abut_mesh_elements a = abut_mesh_get_elements(mesh_a), b = abut_mesh_get_elements(mesh_b);
    double least = HUGE_VAL;
    for (int i = 0; i < b.triangle_count; ++i) {
        abut_vec3 tb[3], ta[3], x, y;
        for (int k = 0; k < 3; ++k) {
            tb[k] = abut_pose_apply(b_to_a, b.vertices[b.triangles[3 * i + k]]);
        }
        for (int j = 0; j < a.triangle_count; ++j) {
            for (int k = 0; k < 3; ++k) {
                ta[k] = a.vertices[a.triangles[3 * j + k]];
            }
            least = fmin(least, abut_triangle_triangle_distance_squared(ta, tb, &x, &y));
        }
    }
    return sqrt(least);
}

// Stacked on the common axis, side by side with parallel axes, one inside the hole or body of the other, and at random;
// with gaps from 1e-9 to 1. Far from the origin and at several scales. The answer is that of brute force, up to rounding
// of the coordinates.
static void distance_of_structured_meshes(void **state)
{
    (void)state;
    test_random random = {77};
    for (int i = 0; i < 60; ++i) {
        double scale = pow(10.0, i % 3 * 3 - 3), gap = pow(10.0, random_in(&random, -9.0, 0.0));
        abut_mesh *a = make_body((body)(i % BODIES), 6, scale), *b = make_body((body)(i / 2 % BODIES), 5, scale);
        abut_vec3 ways[4] = {
            {0.0, 0.0, 1.4 + gap}, {2.0 + gap, 0.0, 0.0}, {0.1, 0.0, 0.05}, random_vec3(&random, 3.0)};
        abut_quat turn = i % 5 == 0
                             ? random_rotation(&random)
                             : abut_quat_from_axis(abut_vec3_make(0.0, 0.0, 1.0), random_in(&random, 0.0, 1.0));
        abut_pose pose = {abut_scale(scale, ways[i % 4]), turn};
        abut_tree *tree_a = make_tree(a), *tree_b = make_tree(b);
        double expected = brute_force(a, b, pose),
               found = abut_tree_distance(tree_a, tree_b, pose, HUGE_VAL).distance;
        CHECK(fabs(found - expected) <= 4e-15 * scale, "round %d: %.17g instead of %.17g", i, found, expected);
        abut_tree_destroy(tree_a);
        abut_tree_destroy(tree_b);
        abut_mesh_destroy(a);
        abut_mesh_destroy(b);
    }
    CHECK_DONE();
}

// The work for two bodies with 8 n^2 triangles in all, with a gap of 0.3 or stacked 0.001 apart.
static int64_t work_of(body which, int n, int is_stacked)
{
    abut_mesh *mesh = make_body(which, n, 1.0);
    abut_tree *tree = make_tree(mesh);
    double height = which == BODY_TORUS ? 0.8 : which == BODY_BALL ? 2.0 : 1.0;
    abut_pose pose = {abut_vec3_make(3.1, 0.0, 0.0), abut_quat_from_axis(abut_vec3_make(0.0, 0.0, 1.0), 0.5)};
    if (is_stacked) {
        pose.position = abut_vec3_make(0.0, 0.0, height + 0.001);
    }
    int64_t work;
    abut_tree_gap gap = abut_tree_find_gap(tree, tree, pose, HUGE_VAL, &work);
    CHECK(gap.distance > 0.0 && gap.distance < 1.2, "distance %g", gap.distance);
    abut_tree_destroy(tree);
    abut_mesh_destroy(mesh);
    return work;
}

// 100 times the triangles. Tori and balls apart are nearest in one place, and the work grows with the depth of the tree:
// by 7 levels each, less than 6 times. The ring of a torus on a torus, the poles of balls and the line between drums
// side by side have 10 times as many triangles that are level with the nearest; the proof visits each once, and the
// search some before it. The faces of stacked drums have 100 times as many. Pairs of level triangles are 100 and about
// 1000 times as many; all of them are equally near, and trying them would break these bounds.
static void work_follows_the_contact(void **state)
{
    (void)state;
    static const int level_growth[BODIES][2] = {{1, 10}, {1, 10}, {10, 100}};
    for (body b = BODY_TORUS; b < BODIES; ++b) {
        for (int is_stacked = 0; is_stacked < 2; ++is_stacked) {
            int64_t few = work_of(b, 12, is_stacked), many = work_of(b, 120, is_stacked);
            int growth = level_growth[b][is_stacked], most = growth == 1 ? 6 : growth == 10 ? 40 : 150;
            CHECK(few < 4000 && many <= most * few, "body %d, stacked %d: %lld, then %lld", (int)b, is_stacked,
                  (long long)few, (long long)many);
        }
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_of_structured_meshes),
        cmocka_unit_test(work_follows_the_contact),
    };
    return cmocka_run_group_tests_name("tree gap", tests, NULL, NULL);
}
