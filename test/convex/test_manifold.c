// SPDX-License-Identifier: MIT
// test_manifold.c: contact points of boxes in known places, directions that tie, and who chooses
#include "pairs.h"

enum { POINTS = 64 };

typedef struct answer {
    abut_convex_result result;
    abut_convex_point points[POINTS];
    abut_convex_manifold manifold;
} answer;

static void ask(const abut_convex_pair *pair, answer *a)
{
    a->manifold = (abut_convex_manifold){.points = a->points, .capacity = POINTS};
    assert_int_equal(abut_convex_distance(pair, NULL, NULL, &a->result), ABUT_OK);
    assert_int_equal(abut_convex_find_manifold(pair, &a->result, &a->manifold), ABUT_OK);
    for (int i = 0; i < a->manifold.count; ++i) {
        abut_vec3 way = abut_sub(a->points[i].position_b, a->points[i].position_a);
        CHECK_NEAR(abut_dot(way, a->result.normal), a->result.distance, 1e-9, "gap of a point");
        CHECK(abut_norm(abut_add_scaled(way, -a->result.distance, a->result.normal)) < 1e-8, "point %d slides", i);
    }
}

// Two cubes of side 2, one on the other and moved by (1, 0.5): a rectangle of 1 x 1.5 at height 1, for gaps of any sign.
static void stacked_boxes_touch_in_a_rectangle(void **state)
{
    (void)state;
    test_convex box = make_convex_box(1.0, 1.0, 1.0);
    const double gaps[] = {0.25, 1e-9, 0.0, -1e-9, -0.125};
    for (int i = 0; i < 5; ++i) {
        abut_convex_pair pair = abut_convex_pair_default(box.convex, box.convex);
        pair.pose_b.position = abut_vec3_make(1.0, 0.5, 2.0 + gaps[i]);
        answer a;
        ask(&pair, &a);
        CHECK_NEAR(a.result.distance, gaps[i], 1e-15, "gap");
        CHECK_NEAR(a.result.normal.z, 1.0, 1e-15, "normal");
        CHECK_INT(a.manifold.dimension, 2, "dimension");
        CHECK_INT(a.manifold.count, 4, "corners");
        CHECK_NEAR(a.manifold.measure, 1.5, 1e-12, "area");
        CHECK_INT(a.result.feature_a.kind, ABUT_FEATURE_FACE, "on A");
        CHECK_INT(a.result.feature_b.kind, ABUT_FEATURE_FACE, "on B");
        for (int k = 0; k < a.manifold.count; ++k) {
            CHECK_NEAR(a.points[k].position_a.z, 1.0, 1e-15, "top of A");
        }
    }
    release_convex(&box);
    CHECK_DONE();
}

// A cube on its edge over a cube: a segment of length 2, cut to 1.5 where it hangs over. On its corner: a point. Two cubes on
// edges that cross: a point with two edges.
static void edges_and_corners(void **state)
{
    (void)state;
    test_convex box = make_convex_box(1.0, 1.0, 1.0);
    const double root2 = 1.4142135623730951, root3 = 1.7320508075688772, eighth = 0.78539816339744831;
    abut_convex_pair pair = abut_convex_pair_default(box.convex, box.convex);
    answer a;
    pair.pose_b.rotation = abut_quat_from_axis(abut_vec3_make(1, 0, 0), eighth);
    pair.pose_b.position = abut_vec3_make(0.5, 0.0, 1.0 + root2 - 0.01);
    ask(&pair, &a);
    CHECK_NEAR(a.result.distance, -0.01, 1e-14, "edge on face");
    CHECK_INT(a.manifold.count, 2, "ends");
    CHECK_INT(a.manifold.dimension, 1, "dimension");
    CHECK_NEAR(a.manifold.measure, 1.5, 1e-12, "length");
    CHECK_INT(a.result.feature_b.kind, ABUT_FEATURE_EDGE, "on B");

    abut_pose crossed = pair.pose_b;
    pair.pose_a.rotation = abut_quat_from_axis(abut_vec3_make(0, 1, 0), eighth);
    pair.pose_b.position = abut_vec3_make(0.1, 0.2, 2.0 * root2 + 0.01);
    ask(&pair, &a);
    CHECK_NEAR(a.result.distance, 0.01, 1e-14, "edge on edge");
    CHECK_INT(a.manifold.count, 1, "crossing");
    CHECK_INT(a.result.feature_a.kind, ABUT_FEATURE_EDGE, "on A");
    CHECK_INT(a.result.feature_b.kind, ABUT_FEATURE_EDGE, "on B");
    CHECK_NEAR(a.points[0].position_a.x, 0.0, 1e-14, "A's edge is over its middle");
    CHECK_NEAR(a.points[0].position_b.y, 0.2, 1e-14, "B's edge is over its middle");

    pair.pose_a = abut_pose_identity();
    pair.pose_b = crossed;
    pair.pose_b.rotation = abut_quat_multiply(
        abut_quat_from_axis(abut_vec3_make(1 / root2, -1 / root2, 0), acos(1 / root3)), abut_quat_identity());
    pair.pose_b.position = abut_vec3_make(0.25, 0.125, 1.0 + root3 - 0.05);
    ask(&pair, &a);
    CHECK_NEAR(a.result.distance, -0.05, 1e-14, "corner on face");
    CHECK_INT(a.manifold.count, 1, "tip");
    CHECK_INT(a.result.feature_b.kind, ABUT_FEATURE_VERTEX, "on B");
    CHECK_NEAR(a.points[0].position_b.x, 0.25, 1e-14, "tip");
    release_convex(&box);
    CHECK_DONE();
}

// A cube with a roof that is 0.005 high, under a cube: with a tolerance of 0.01 all of the roof is on the plane, and the contact is the
// square of 2 x 2 around it; with the usual one it is the tip.
static void low_roofs_are_flat(void **state)
{
    (void)state;
    abut_vec3 points[9] = {{0.0, 0.0, 1.005}};
    for (int i = 0; i < 8; ++i) {
        points[i + 1] = abut_vec3_make(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0);
    }
    test_convex roof = make_convex(points, 9), box = make_convex_box(1.5, 1.5, 1.0);
    abut_convex_pair pair = abut_convex_pair_default(roof.convex, box.convex);
    pair.pose_b.position.z = 2.0;
    for (int is_low = 0; is_low < 2; ++is_low) {
        pair.tolerance = is_low ? 0.01 : 0.0;
        abut_convex_result r;
        abut_convex_point found[POINTS];
        abut_convex_manifold m = {.points = found, .capacity = POINTS};
        CHECK_STATUS(abut_convex_distance(&pair, NULL, NULL, &r), ABUT_OK, "distance");
        CHECK_STATUS(abut_convex_find_manifold(&pair, &r, &m), ABUT_OK, "manifold");
        CHECK_NEAR(r.distance, -0.005, 1e-15, "depth");
        CHECK_INT(m.count, is_low ? 4 : 1, "points");
        CHECK_NEAR(m.measure, is_low ? 4.0 : 0.0, 1e-12, "area");
        CHECK_INT(m.repair_count, 0, "repairs");
    }
    // of other shapes, a result is refused
    abut_convex_result foreign = {.part_a = {ABUT_FEATURE_FACE, 50}, .part_b = {ABUT_FEATURE_FACE, 0}};
    abut_convex_manifold none = {.capacity = 0};
    CHECK_STATUS(abut_convex_find_manifold(&pair, &foreign, &none), ABUT_BAD_ARGUMENT, "foreign result");
    release_convex(&roof);
    release_convex(&box);
    CHECK_DONE();
}

// Room for fewer points than there are: the first ones, and how many it takes.
static void small_room_is_told(void **state)
{
    (void)state;
    test_convex box = make_convex_box(1.0, 1.0, 1.0);
    abut_convex_pair pair = abut_convex_pair_default(box.convex, box.convex);
    pair.pose_b.position.z = 2.0;
    abut_convex_result r;
    abut_convex_point points[3];
    abut_convex_manifold m = {.points = points, .capacity = 3};
    CHECK_STATUS(abut_convex_distance(&pair, NULL, NULL, &r), ABUT_OK, "distance");
    CHECK_STATUS(abut_convex_find_manifold(&pair, &r, &m), ABUT_TRUNCATED, "manifold");
    CHECK(m.count == 3 && m.required == 4, "%d of %d", m.count, m.required);
    release_convex(&box);
    CHECK_DONE();
}

// Cubes with one centre: six directions tie. Without history and motion the first is taken; with motion the one against it; with
// history the one from before.
static void ties_are_a_set(void **state)
{
    (void)state;
    test_convex box = make_convex_box(1.0, 1.0, 1.0);
    abut_convex_pair pair = abut_convex_pair_default(box.convex, box.convex);
    abut_convex_memory memory = {{0}, {0.0, 0.0, 0.0}};
    abut_convex_result r;
    CHECK_STATUS(abut_convex_distance(&pair, NULL, NULL, &r), ABUT_OK, "nothing");
    CHECK_INT(r.direction_count, 6, "directions");
    CHECK_INT(r.rule, ABUT_RULE_NONE, "rule");
    CHECK_NEAR(r.distance, -2.0, 1e-15, "depth");
    pair.velocity = abut_vec3_make(0.1, -1.0, 0.2);
    CHECK_STATUS(abut_convex_distance(&pair, NULL, &memory, &r), ABUT_OK, "velocity");
    CHECK_INT(r.rule, ABUT_RULE_VELOCITY, "rule");
    CHECK_NEAR(r.normal.y, 1.0, 1e-15, "against the motion");
    pair.velocity = abut_vec3_make(-1.0, 0.0, 0.0);
    CHECK_STATUS(abut_convex_distance(&pair, &memory, NULL, &r), ABUT_OK, "history");
    CHECK_INT(r.rule, ABUT_RULE_HISTORY, "rule");
    CHECK_NEAR(r.normal.y, 1.0, 1e-15, "as before");
    CHECK_INT(r.direction_count, 6, "directions");
    release_convex(&box);
    CHECK_DONE();
}

// A prism of 1,000 sides on its like: more vertices than are taken, which is counted; the others still give an area.
static void large_faces_are_counted(void **state)
{
    (void)state;
    abut_vec3 points[2000];
    for (int i = 0; i < 2000; ++i) {
        double angle = 6.283185307179586 * (i % 1000) / 1000;
        points[i] = abut_vec3_make(cos(angle), sin(angle), i < 1000 ? -0.5 : 0.5);
    }
    test_convex disc = make_convex(points, 2000);
    abut_convex_pair pair = abut_convex_pair_default(disc.convex, disc.convex);
    pair.pose_b.position.z = 1.0;
    static abut_convex_point found[2048];
    abut_convex_manifold m = {.points = found, .capacity = 2048};
    abut_convex_result r;
    CHECK_STATUS(abut_convex_distance(&pair, NULL, NULL, &r), ABUT_OK, "distance");
    CHECK_STATUS(abut_convex_find_manifold(&pair, &r, &m), ABUT_OK, "manifold");
    CHECK_INT(m.cap_count, 2, "caps");
    CHECK(m.measure > 0.4, "area %g", m.measure);
    release_convex(&disc);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacked_boxes_touch_in_a_rectangle),
        cmocka_unit_test(edges_and_corners),
        cmocka_unit_test(low_roofs_are_flat),
        cmocka_unit_test(small_room_is_told),
        cmocka_unit_test(ties_are_a_set),
        cmocka_unit_test(large_faces_are_counted),
    };
    return cmocka_run_group_tests_name("convex manifold", tests, NULL, NULL);
}
