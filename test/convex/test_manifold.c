// SPDX-License-Identifier: MIT
// test_manifold.c: contact points of boxes and prisms with known answers, memory and limits
#include "effort.h"
#include "failing.h"
#include "pairs.h"
#include "polygons.h"

#include <stdlib.h>

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

// Two cubes of side 2, one on the other and moved by (1, 0.5): the contact is a rectangle of 1 x 1.5 at height 1, for
// positive and negative gaps.
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

// A cube standing on its edge on a cube: a segment of length 2, or 1.5 if it overhangs by 0.5. Standing on its corner:
// a point. Two cubes with crossing edges: a point on two edges.
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

// A cube with a roof 0.005 high, under a cube. With a tolerance of 0.01 all of the roof is on the plane, and the
// contact is the square of 2 x 2 around it. With the default tolerance it is the tip.
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
    // a result of other shapes is refused
    abut_convex_result foreign = {.part_a = {ABUT_FEATURE_FACE, 50}, .part_b = {ABUT_FEATURE_FACE, 0}};
    abut_convex_manifold none = {.capacity = 0};
    CHECK_STATUS(abut_convex_find_manifold(&pair, &foreign, &none), ABUT_BAD_ARGUMENT, "foreign result");
    release_convex(&roof);
    release_convex(&box);
    CHECK_DONE();
}

// Room for fewer points than there are: delivers the first ones and reports how many are required.
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
    const int none[] = {0, -1, -2147483647};
    for (int i = 0; i < 3; ++i) {
        m = (abut_convex_manifold){.points = NULL, .capacity = none[i]};
        CHECK_STATUS(abut_convex_find_manifold(&pair, &r, &m), ABUT_TRUNCATED, "no room");
        CHECK(m.count == 0 && m.required == 4, "%d of %d", m.count, m.required);
        CHECK_NEAR(m.measure, 4.0, 1e-12, "area");
    }
    release_convex(&box);
    CHECK_DONE();
}

// A cube of side 2 with one corner cut off by less than the tolerance, on a face of 6 x 6 and under it: a square of 4
// corners. With the corner cut off by 10 tolerances: 5 corners.
static void cuts_below_the_tolerance_are_no_sides(void **state)
{
    (void)state;
    test_convex box = make_convex_box(3.0, 3.0, 1.0);
    const double cuts[] = {3e-8, 9e-10, 1e-10, 1e-11, 1e-12, 1e-13};
    for (int i = 0; i < 6; ++i) {
        abut_vec3 points[10] = {{1.0 - cuts[i], 1.0, 1.0}, {1.0, 1.0 - cuts[i], 1.0}, {1.0, 1.0, 1.0 - cuts[i]}};
        for (int k = 0; k < 7; ++k) {
            points[k + 3] = abut_vec3_make(k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0);
        }
        test_convex cut = make_convex(points, 10);
        for (int is_under = 0; is_under < 2; ++is_under) {
            abut_convex_pair pair = is_under ? abut_convex_pair_default(box.convex, cut.convex)
                                             : abut_convex_pair_default(cut.convex, box.convex);
            pair.pose_b.position.z = is_under ? -2.0 : 2.0;
            answer a;
            ask(&pair, &a);
            CHECK_INT(a.manifold.count, i == 0 ? 5 : 4, "corners");
            CHECK_NEAR(a.manifold.measure, 4.0, 1e-8, "area");
            CHECK_INT(a.manifold.repair_count, 0, "repairs");
        }
        release_convex(&cut);
    }
    release_convex(&box);
    CHECK_DONE();
}

// Cubes of side 2 with a result from before one of them was moved by 5 along x. Seen along the normal they are now 3
// apart, from x = 1 to x = 4.
static void features_that_do_not_meet_are_told(void **state)
{
    (void)state;
    test_convex box = make_convex_box(1.0, 1.0, 1.0);
    abut_convex_pair pair = abut_convex_pair_default(box.convex, box.convex);
    pair.pose_b.position.z = 2.0;
    abut_convex_result r;
    CHECK_STATUS(abut_convex_distance(&pair, NULL, NULL, &r), ABUT_OK, "distance");
    pair.pose_b.position.x = 5.0;
    abut_convex_point point;
    abut_convex_manifold m = {.points = &point, .capacity = 1};
    CHECK_STATUS(abut_convex_find_manifold(&pair, &r, &m), ABUT_OK, "manifold");
    CHECK_INT(m.repair_count, 1, "repairs");
    CHECK_INT(m.count, 1, "closest points");
    CHECK_INT(m.dimension, 0, "dimension");
    CHECK_NEAR(point.position_a.x, 1.0, 1e-15, "on A");
    CHECK_NEAR(point.position_b.x, 4.0, 1e-15, "on B");
    CHECK_NEAR(point.position_b.y, point.position_a.y, 1e-15, "beside");
    release_convex(&box);
    CHECK_DONE();
}

// Prisms of 40 sides, one on the other and turned by half a side: 80 vertices on the plane, more than the stack has
// room for, and 80 crossings. A query allocates once, or never with scratch memory, and finds the same points. If
// allocation fails, it returns ABUT_NO_MEMORY and leaks nothing. Boxes have 8 vertices each and never need scratch
// memory.
static void large_faces_take_scratch_memory(void **state)
{
    (void)state;
    abut_vec3 points[80];
    for (int i = 0; i < 80; ++i) {
        double angle = 6.283185307179586 * (i % 40) / 40;
        points[i] = abut_vec3_make(cos(angle), sin(angle), i < 40 ? -0.5 : 0.5);
    }
    test_convex box = make_convex_box(1.0, 1.0, 1.0), prism = make_convex(points, 80);
    CHECK(abut_convex_scratch_size(box.convex, box.convex) == 0, "boxes need scratch");
    failing_heap heap = {0};
    abut_context context = failing_context(&heap);
    abut_convex *convex;
    assert_int_equal(abut_convex_create(&context, prism.mesh, NULL, &convex, NULL), ABUT_OK);
    abut_convex_pair pair = abut_convex_pair_default(convex, convex);
    pair.pose_b = abut_pose_make(abut_vec3_make(0, 0, 1),
                                 abut_quat_from_axis(abut_vec3_make(0, 0, 1), 0.5 * 6.283185307179586 / 40));
    abut_convex_result r;
    assert_int_equal(abut_convex_distance(&pair, NULL, NULL, &r), ABUT_OK);
    abut_convex_point found[2][128];
    memset(found, 0, sizeof found);
    int live = heap.live;
    for (int has_scratch = 0; has_scratch < 2; ++has_scratch) {
        abut_convex_manifold m = {.points = found[has_scratch], .capacity = 128};
        pair.scratch_size = has_scratch ? abut_convex_scratch_size(convex, convex) : 0;
        pair.scratch = has_scratch ? malloc(pair.scratch_size) : NULL;
        heap.calls = 0;
        CHECK_STATUS(abut_convex_find_manifold(&pair, &r, &m), ABUT_OK, "manifold");
        CHECK_INT(heap.calls, !has_scratch, "heap calls");
        CHECK_INT(heap.live, live, "blocks");
        CHECK_INT(m.count, 80, "crossings");
        free(pair.scratch);
    }
    CHECK(memcmp(found[0], found[1], sizeof found[0]) == 0, "other points with scratch memory");
    abut_convex_manifold m = {.points = found[0], .capacity = 128};
    pair.scratch = NULL;
    heap.calls = 0;
    heap.fail_at = 1;
    CHECK_STATUS(abut_convex_find_manifold(&pair, &r, &m), ABUT_NO_MEMORY, "no memory");
    CHECK_INT(m.count, 0, "points without memory");
    abut_convex_destroy(convex);
    release_convex(&prism);
    release_convex(&box);
    CHECK_DONE();
}

// A prism of 1,000 sides on an equal one. 512 vertices of each are used, at least one of every two neighbours: 488
// gaps of two sides and 24 of one. So the intersection contains a disc of radius cos(2 pi / 1000).
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
    const double gap = 6.283185307179586 / 1000;
    CHECK(m.measure >= 0.5 * 6.283185307179586 * cos(gap) * cos(gap), "area %.9g", m.measure);
    CHECK(m.measure <= 0.5 * (488 * sin(2.0 * gap) + 24 * sin(gap)) + 1e-12, "area %.9g", m.measure);
    release_convex(&disc);
    CHECK_DONE();
}

// ---- faces that meet in any way

enum { CORNERS = 8 };

// Leaves out sides that are too short to have a direction.
static long double lowest_height(const polygon *p, long double x, long double y)
{
    long double lowest = 1.0L;
    for (int i = 0; i < p->count; ++i) {
        int next = (i + 1) % p->count;
        if (fabsl(p->x[next] - p->x[i]) + fabsl(p->y[next] - p->y[i]) > 1e-6L) {
            long double height = height_of(p, i, x, y);
            lowest = height < lowest ? height : lowest;
        }
    }
    return lowest;
}

// Regular polygons about the origin, turned and moved.
static polygon make_polygon(int count, long double angle, long double x, long double y)
{
    polygon p = {.count = count};
    for (int i = 0; i < count; ++i) {
        long double turn = angle + 6.283185307179586476925L * i / count;
        p.x[i] = x + cosl(turn);
        p.y[i] = y + sinl(turn);
    }
    return p;
}

static test_convex make_prism(int count)
{
    abut_vec3 points[2 * CORNERS];
    polygon p = make_polygon(count, 0.0L, 0.0L, 0.0L);
    for (int i = 0; i < 2 * count; ++i) {
        points[i] = abut_vec3_make((double)p.x[i % count], (double)p.y[i % count], i < count ? -0.5 : 0.5);
    }
    return make_convex(points, 2 * count);
}

// The anchor must give the point, with as many vertices as the feature has, or three for a face.
static void check_anchor(const test_convex *shape, abut_pose pose, abut_feature feature, const abut_anchor *anchor,
                         abut_vec3 position)
{
    const abut_vec3 *vertices = abut_mesh_get_elements(shape->mesh).vertices;
    abut_vec3 sum = abut_vec3_make(0.0, 0.0, 0.0);
    int count = 0;
    for (int i = 0; i < 4; ++i) {
        if (anchor->vertices[i] >= 0) {
            sum = abut_add_scaled(sum, anchor->weights[i], vertices[anchor->vertices[i]]);
            ++count;
        }
    }
    int expected = feature.kind == ABUT_FEATURE_VERTEX ? 1 : feature.kind == ABUT_FEATURE_EDGE ? 2 : 3;
    CHECK_INT(count, expected, "vertices of the anchor");
    CHECK(abut_norm(abut_sub(abut_pose_apply(pose, sum), position)) < 1e-14, "anchor is elsewhere");
}

static void check_meeting(const answer *a, const abut_convex_pair *pair, const test_convex *shapes,
                          const polygon *p, const polygon *q)
{
    const double slack = 3e-8; // the tolerance is 1e-9 of the diagonal
    polygon truth = cut_polygon(*p, q), found = {.count = a->manifold.count};
    for (int i = 0; i < found.count; ++i) {
        const abut_convex_point *point = &a->points[i];
        found.x[i] = point->position_a.x;
        found.y[i] = point->position_a.y;
        CHECK(lowest_height(&truth, found.x[i], found.y[i]) > -slack, "point %d is outside", i);
        check_anchor(&shapes[0], pair->pose_a, point->feature_a, &point->anchor_a, point->position_a);
        check_anchor(&shapes[1], pair->pose_b, point->feature_b, &point->anchor_b, point->position_b);
    }
    CHECK_NEAR((double)area_of(&found), (double)area_of(&truth), slack, "area of the points");
    CHECK_NEAR(a->manifold.measure, (double)area_of(&truth), slack, "measure");
    for (int i = 0; i < truth.count; ++i) {
        CHECK(lowest_height(&found, truth.x[i], truth.y[i]) > -slack, "corner %d is missing", i);
    }
}

// Prisms of 3 to 8 sides, one on the other. They are turned and moved at random, or so that corners and sides coincide
// up to some tolerances. The contact must be the intersection of the polygons, computed in long double without a
// tolerance.
static void faces_meet_in_their_intersection(void **state)
{
    (void)state;
    const double besides[] = {0.0, 1e-15, 1e-12, 5e-10, 2e-9, 3e-9, 1e-8};
    test_convex prisms[CORNERS + 1];
    for (int i = 3; i <= CORNERS; ++i) {
        prisms[i] = make_prism(i);
    }
    test_random random = {11};
    int count = sample_count(20000, 1000000), tried = 0;
    for (int i = 0; i < count; ++i) {
        int sides_a = 3 + random_below(&random, CORNERS - 2);
        int sides_b = random_below(&random, 2) ? sides_a : 3 + random_below(&random, CORNERS - 2);
        double beside = besides[random_below(&random, 7)], step = 3.141592653589793 / sides_a;
        double angle =
            random_below(&random, 3) ? step * random_below(&random, 2 * sides_a) : random_in(&random, -3.0, 3.0);
        angle += random_in(&random, -1.0, 1.0) * beside;
        double far = random_below(&random, 3) ? 0.5 * random_below(&random, 4) : random_in(&random, 0.0, 2.0);
        double way = step * random_below(&random, 2 * sides_a) + random_in(&random, -1.0, 1.0) * beside;
        double x = (far + beside) * cos(way), y = (far + beside) * sin(way);
        polygon p = make_polygon(sides_a, 0.0L, 0.0L, 0.0L), q = make_polygon(sides_b, angle, x, y);
        polygon both = cut_polygon(p, &q);
        if (area_of(&both) < 1e-4L) {
            continue;
        }
        const test_convex shapes[2] = {prisms[sides_a], prisms[sides_b]};
        abut_convex_pair pair = abut_convex_pair_default(shapes[0].convex, shapes[1].convex);
        pair.pose_b.position = abut_vec3_make(x, y, 1.0 + 1e-3);
        pair.pose_b.rotation = abut_quat_from_axis(abut_vec3_make(0, 0, 1), angle);
        answer a;
        ask(&pair, &a);
        CHECK_NEAR(a.result.normal.z, 1.0, 1e-15, "normal");
        check_meeting(&a, &pair, shapes, &p, &q);
        ++tried;
    }
    CHECK(tried > count / 2, "%d of %d meet", tried, count);
    for (int i = 3; i <= CORNERS; ++i) {
        release_convex(&prisms[i]);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacked_boxes_touch_in_a_rectangle),
        cmocka_unit_test(edges_and_corners),
        cmocka_unit_test(low_roofs_are_flat),
        cmocka_unit_test(small_room_is_told),
        cmocka_unit_test(cuts_below_the_tolerance_are_no_sides),
        cmocka_unit_test(features_that_do_not_meet_are_told),
        cmocka_unit_test(large_faces_are_counted),
        cmocka_unit_test(large_faces_take_scratch_memory),
        cmocka_unit_test(faces_meet_in_their_intersection),
    };
    return cmocka_run_group_tests_name("convex manifold", tests, NULL, NULL);
}
