// SPDX-License-Identifier: MIT
// test_tree_meet.c: intersecting pairs and the distance of two trees, against all pairs of triangles
#include "prim/triangle_triangle.h"
#include "spatial/soup.h"

// Two soups, and the pose of the second.
typedef struct scene {
    soup a, b;
    abut_mesh *mesh_a, *mesh_b;
    abut_tree *tree_a, *tree_b;
    abut_pose b_to_a;
    abut_vec3 placed[VERTICES]; // vertices of b in a's frame
} scene;

// Bodies of size 2; `shift` is their distance in sizes.
static void make_scene(scene *s, test_random *random, int i, double scale, double shift)
{
    double far = i % 3 == 0 ? 0.0 : 1e4 * scale;
    s->a = make_soup(random, ABUT_ELEMENT_TRIANGLE, (soup_style)(i % STYLE_COUNT), 40 + i % 7);
    s->b = make_soup(random, ABUT_ELEMENT_TRIANGLE, (soup_style)(i / 2 % STYLE_COUNT), 50);
    abut_vec3 offset_a = random_vec3(random, far), offset_b = random_vec3(random, far);
    move_soup(&s->a, scale, offset_a);
    move_soup(&s->b, scale, offset_b);
    abut_quat rotation = i % 4 == 0 ? abut_quat_identity() : random_rotation(random);
    abut_vec3 back = abut_sub(offset_a, abut_quat_rotate(rotation, offset_b));
    s->b_to_a.position = abut_add(back, abut_scale(scale * shift, random_unit(random)));
    s->b_to_a.rotation = rotation;
    for (int k = 0; k < s->b.vertex_count; ++k) {
        s->placed[k] = abut_pose_apply(s->b_to_a, s->b.vertices[k]);
    }
    s->mesh_a = make_mesh(&s->a);
    s->mesh_b = make_mesh(&s->b);
    s->tree_a = make_tree(s->mesh_a, ABUT_ELEMENT_TRIANGLE);
    s->tree_b = make_tree(s->mesh_b, ABUT_ELEMENT_TRIANGLE);
}

static void destroy_scene(scene *s)
{
    abut_tree_destroy(s->tree_a);
    abut_tree_destroy(s->tree_b);
    abut_mesh_destroy(s->mesh_a);
    abut_mesh_destroy(s->mesh_b);
}

// The set of pairs must equal that of brute force, with and without an envelope.
static void intersections_equal_brute_force(void **state)
{
    (void)state;
    static scene s;
    static pair_table table;
    test_random random = {41};
    int found = 0;
    for (int i = 0; i < 40; ++i) {
        double scale = scales[i % 3], envelope = i % 2 == 0 ? 0.0 : 0.05 * scale;
        make_scene(&s, &random, i, scale, 0.5);
        memset(&table, 0, sizeof table);
        CHECK_INT(abut_tree_intersections(s.tree_a, s.tree_b, s.b_to_a, envelope, note_pair, &table), 0, "result");
        for (int a = 0; a < s.a.element_count; ++a) {
            for (int b = 0; b < s.b.element_count; ++b) {
                abut_vec3 ta[3], tb[3], x, y;
                triangle_of(&s.a, s.a.vertices, a, ta);
                triangle_of(&s.b, s.placed, b, tb);
                int expected = envelope > 0.0
                                   ? abut_triangle_triangle_distance_squared(ta, tb, &x, &y) <= envelope * envelope
                                   : abut_triangles_intersect(ta, tb);
                CHECK(table.seen[a][b] == expected, "pair %d %d of round %d", a, b, i);
            }
        }
        found += table.count;
        destroy_scene(&s);
    }
    CHECK(found > 300, "only %d pairs met", found);
    CHECK_DONE();
}

// The distance of two triangles of a scene.
static double pair_distance(const scene *s, int a, int b)
{
    abut_vec3 ta[3], tb[3], x, y;
    triangle_of(&s->a, s->a.vertices, a, ta);
    triangle_of(&s->b, s->placed, b, tb);
    return sqrt(abut_triangle_triangle_distance_squared(ta, tb, &x, &y));
}

// The distance must be that of brute force up to rounding, that of the pair it names, and that of the points. The same
// query gives the same answer.
static void distance_equals_brute_force(void **state)
{
    (void)state;
    static scene s;
    test_random random = {42};
    for (int i = 0; i < 40; ++i) {
        make_scene(&s, &random, i, scales[i % 3], 1.0 + i % 5);
        double least = HUGE_VAL;
        for (int a = 0; a < s.a.element_count; ++a) {
            for (int b = 0; b < s.b.element_count; ++b) {
                least = fmin(least, pair_distance(&s, a, b));
            }
        }
        abut_tree_gap gap = abut_tree_distance(s.tree_a, s.tree_b, s.b_to_a, HUGE_VAL);
        double size = abut_norm(gap.point_a) + abut_norm(gap.point_b);
        CHECK_NEAR(gap.distance, least, 1e-15 * size, "distance");
        if (least > 0.0) {
            CHECK(gap.distance == pair_distance(&s, gap.element_a, gap.element_b), "pair of round %d", i);
            CHECK_NEAR(abut_norm(abut_sub(gap.point_b, gap.point_a)), gap.distance, 1e-14 * size, "points");
            abut_tree_gap again = abut_tree_distance(s.tree_a, s.tree_b, s.b_to_a, HUGE_VAL);
            CHECK_INT(memcmp(&gap, &again, sizeof gap), 0, "the same answer");
            gap = abut_tree_distance(s.tree_a, s.tree_b, s.b_to_a, least);
            CHECK(gap.element_a >= 0 && gap.distance == least, "the limit belongs to it");
            gap = abut_tree_distance(s.tree_a, s.tree_b, s.b_to_a, 0.999 * least);
            CHECK_INT(gap.element_a, -1, "nothing below the least");
        }
        destroy_scene(&s);
    }
    CHECK_DONE();
}

// The self pairs of a tree must be those with a second tree in the same place, each once and lower index first.
static void self_pairs_equal_pairs(void **state)
{
    (void)state;
    static pair_table self, both;
    test_random random = {43};
    for (int i = 0; i < 20; ++i) {
        soup s = make_soup(&random, (abut_element_kind)(i % 4), (soup_style)(i % STYLE_COUNT), 3 + 15 * i);
        double margin = i % 2 == 0 ? 0.0 : 0.03;
        abut_mesh *mesh = make_mesh(&s);
        abut_tree *tree = make_tree(mesh, s.kind);
        memset(&self, 0, sizeof self);
        memset(&both, 0, sizeof both);
        CHECK_INT(abut_tree_self_pairs(tree, margin, note_pair, &self), 0, "result");
        (void)abut_tree_pairs(tree, tree, abut_pose_identity(), margin, note_pair, &both);
        for (int a = 0; a < s.element_count; ++a) {
            for (int b = 0; b < s.element_count; ++b) {
                CHECK(self.seen[a][b] == (a < b ? both.seen[a][b] : 0), "pair %d %d", a, b);
            }
        }
        abut_tree_destroy(tree);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// Trees of other elements, NaN poses, and NaN or negative limits find nothing.
static void hostile_input(void **state)
{
    (void)state;
    test_random random = {44};
    soup s = make_soup(&random, ABUT_ELEMENT_TRIANGLE, STYLE_SAME, 20), points = s;
    points.kind = ABUT_ELEMENT_POINT;
    abut_mesh *mesh = make_mesh(&s), *point_mesh = make_mesh(&points);
    abut_tree *tree = make_tree(mesh, s.kind), *point_tree = make_tree(point_mesh, points.kind);
    abut_pose pose = abut_pose_identity(), bad = pose;
    int count = 0;
    bad.rotation.x = NAN;
    (void)abut_tree_intersections(tree, point_tree, pose, 0.0, count_pair, &count);
    (void)abut_tree_intersections(tree, tree, bad, 0.0, count_pair, &count);
    (void)abut_tree_intersections(tree, tree, pose, NAN, count_pair, &count);
    (void)abut_tree_intersections(tree, tree, pose, -1.0, count_pair, &count);
    (void)abut_tree_self_pairs(tree, NAN, count_pair, &count);
    CHECK_INT(count, 0, "calls");
    CHECK_INT(abut_tree_distance(tree, point_tree, pose, HUGE_VAL).element_a, -1, "points");
    CHECK_INT(abut_tree_distance(tree, tree, bad, HUGE_VAL).element_a, -1, "pose");
    CHECK_INT(abut_tree_distance(tree, tree, pose, NAN).element_a, -1, "limit NaN");
    CHECK_INT(abut_tree_distance(tree, tree, pose, -1.0).element_a, -1, "limit negative");
    CHECK_NEAR(abut_tree_distance(tree, tree, pose, 0.0).distance, 0.0, 0.0, "limit zero");
    abut_vec3 moved[VERTICES];
    for (int i = 0; i < s.vertex_count; ++i) {
        moved[i] = abut_vec3_make(NAN, HUGE_VAL, 0.0);
    }
    abut_tree_refit(tree, moved, NULL);
    (void)abut_tree_intersections(tree, tree, pose, HUGE_VAL, count_pair, &count);
    (void)abut_tree_self_pairs(tree, HUGE_VAL, count_pair, &count);
    CHECK_INT(count, 0, "calls without a finite triangle");
    CHECK_INT(abut_tree_distance(tree, tree, pose, HUGE_VAL).element_a, -1, "no finite triangle");
    abut_tree_destroy(tree);
    abut_tree_destroy(point_tree);
    abut_mesh_destroy(mesh);
    abut_mesh_destroy(point_mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intersections_equal_brute_force),
        cmocka_unit_test(distance_equals_brute_force),
        cmocka_unit_test(self_pairs_equal_pairs),
        cmocka_unit_test(hostile_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
