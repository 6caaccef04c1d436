// SPDX-License-Identifier: MIT
// test_tree_gap.c: the distance of structured meshes, many of whose triangles are equally near, and how its work grows
#include "random.h"
#include "round_bodies.h"

#include "prim/triangle_triangle.h"
#include "spatial/tree.h"

#include <float.h>
#include <string.h>

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

// Whether all of a mesh is below a plane must be as for its highest corner: below at its height, not one ulp lower.
// Stacks of level triangles are looked at without their nodes, so a corner of one of them is raised by 8 ulps.
static void planes_are_as_the_highest_corner(void **state)
{
    (void)state;
    test_random random = {78};
    for (int i = 0; i < 60; ++i) {
        abut_mesh *mesh = make_body((body)(i % BODIES), i % 2 == 0 ? 4 : 40, 1.0);
        abut_mesh_elements e = abut_mesh_get_elements(mesh);
        abut_vec3 *raised = malloc((size_t)e.vertex_count * sizeof *raised);
        assert_non_null(raised);
        abut_vec3 u = i % 4 == 0 ? random_unit(&random) : abut_vec3_make(0.0, 0.0, i % 4 == 1 ? -1.0 : 1.0);
        double highest = -HUGE_VAL;
        for (int k = 0; k < e.vertex_count; ++k) {
            raised[k] = e.vertices[k];
        }
        raised[random_below(&random, e.vertex_count)].z *= 1.0 + 8.0 * DBL_EPSILON;
        for (int k = 0; k < e.vertex_count; ++k) {
            highest = fmax(highest, abut_dot(u, raised[k]));
        }
        abut_tree *tree = make_tree(mesh);
        abut_tree_refit(tree, raised, NULL);
        int most = 1 << 30, visits[2] = {most, most};
        CHECK_INT(abut_tree_is_below(tree, u, highest, 1e-14, &visits[0]), 1, "at its height");
        CHECK_INT(abut_tree_is_below(tree, u, nextafter(highest, -HUGE_VAL), 1e-14, &visits[1]), 0, "an ulp lower");
        int few = (most - visits[0]) / 2;
        CHECK_INT(abut_tree_is_below(tree, u, highest, 1e-14, &few), 0, "too few visits");
        CHECK(few <= 0, "visits left: %d", few);
        abut_tree_destroy(tree);
        abut_mesh_destroy(mesh);
        free(raised);
    }
    CHECK_DONE();
}

// A flat plate of 40 x 40 quads: below its root, boxes tell no more, so the visits are those of the root and its two
// children, and one for each four triangles.
static void flat_plates_need_no_nodes(void **state)
{
    (void)state;
    enum { SIDE = 40 };
    static abut_vec3 vertices[(SIDE + 1) * (SIDE + 1)];
    static int quads[4 * SIDE * SIDE], offsets[SIDE * SIDE + 1];
    for (int i = 0; i < (SIDE + 1) * (SIDE + 1); ++i) {
        vertices[i] = abut_vec3_make(i % (SIDE + 1), i / (SIDE + 1), 3.0);
    }
    for (int i = 0; i < SIDE * SIDE; ++i) {
        int first = i / SIDE * (SIDE + 1) + i % SIDE;
        const int quad[4] = {first, first + 1, first + SIDE + 2, first + SIDE + 1};
        memcpy(&quads[4 * i], quad, sizeof quad);
        offsets[i + 1] = 4 * (i + 1);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = (SIDE + 1) * (SIDE + 1);
    def.face_vertices = quads;
    def.face_offsets = offsets;
    def.face_count = SIDE * SIDE;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    abut_tree *tree = make_tree(mesh);
    int visits = 10000;
    CHECK_INT(abut_tree_is_below(tree, abut_vec3_make(0.0, 0.0, 1.0), 3.0, 1e-14, &visits), 1, "plate");
    CHECK_INT(10000 - visits, 3 + 2 * SIDE * SIDE / 4, "visits");
    abut_tree_destroy(tree);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A parallel loop that runs the items one by one, last first.
static void backward_for(void *user, int count, int grain, abut_range_task *task, void *data)
{
    (void)user;
    (void)grain;
    for (int i = count - 1; i >= 0; --i) {
        task(data, i, i + 1, 0);
    }
}

// Two drums stacked 0.25 apart, not turned, have thousands of pairs at exactly that distance: the coordinates along z
// are exact. Whichever pair is given is at that distance up to rounding; it is the same whatever threads built the
// trees; and with A and B swapped the distance is the same up to rounding, where another pair may be given.
static void of_equally_near_pairs_any_is_given(void **state)
{
    (void)state;
    abut_mesh *mesh = make_body(BODY_DRUM, 60, 1.0);
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_tree *tree = make_tree(mesh), *other = NULL;
    abut_context context = abut_context_default();
    context.parallel_for = backward_for;
    assert_int_equal(abut_tree_create(&context, mesh, ABUT_ELEMENT_TRIANGLE, &other, NULL), ABUT_OK);
    abut_pose above = {abut_vec3_make(0.25, 0.125, 1.25), abut_quat_identity()};
    abut_pose below = {abut_negate(above.position), abut_quat_identity()};
    abut_tree_gap gap = abut_tree_distance(tree, tree, above, HUGE_VAL),
                  again = abut_tree_distance(other, other, above, HUGE_VAL),
                  swapped = abut_tree_distance(tree, tree, below, HUGE_VAL);
    CHECK_NEAR(gap.distance, 0.25, 1e-15, "distance");
    CHECK_NEAR(swapped.distance, 0.25, 1e-15, "swapped");
    CHECK(gap.element_a == again.element_a && gap.element_b == again.element_b, "elements");
    CHECK(memcmp(&gap.point_a, &again.point_a, sizeof gap.point_a) == 0 &&
              memcmp(&gap.point_b, &again.point_b, sizeof gap.point_b) == 0,
          "points");
    abut_vec3 a[3], b[3], x, y;
    for (int k = 0; k < 3; ++k) {
        a[k] = e.vertices[e.triangles[3 * gap.element_a + k]];
        b[k] = abut_pose_apply(above, e.vertices[e.triangles[3 * gap.element_b + k]]);
    }
    CHECK(sqrt(abut_triangle_triangle_distance_squared(a, b, &x, &y)) == gap.distance, "the pair's own distance");
    abut_tree_destroy(tree);
    abut_tree_destroy(other);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_of_structured_meshes),      cmocka_unit_test(work_follows_the_contact),
        cmocka_unit_test(planes_are_as_the_highest_corner),   cmocka_unit_test(flat_plates_need_no_nodes),
        cmocka_unit_test(of_equally_near_pairs_any_is_given),
    };
    return cmocka_run_group_tests_name("tree gap", tests, NULL, NULL);
}
