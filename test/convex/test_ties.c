// SPDX-License-Identifier: MIT
// test_ties.c: directions that tie: which one is chosen, by which rule, and the effect of the memory
#include "pairs.h"
#include "solids.h"

static abut_convex_result ask(const abut_convex_pair *pair, const abut_convex_memory *before)
{
    abut_convex_result r = {.distance = 0.0};
    CHECK_STATUS(abut_convex_distance(pair, before, NULL, &r), ABUT_OK, "distance");
    return r;
}

// Concentric cubes: six directions tie. Without history and motion the first is chosen, with motion the one against
// it, with history the last one.
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

// Cubes of side 2 with parallel faces, B 1 to the right of A and 1 above: right and up are both 1 deep. If B falls,
// the overlap along up was smaller a moment ago: up. With B 2 to the right and 2 above, two edges touch. If B falls,
// the overlap along up grows at once, while it stays 0 along right, where B slides past: right.
static void motion_decides(void **state)
{
    (void)state;
    test_convex box = make_convex_box(1.0, 1.0, 1.0);
    const abut_vec3 down = {0.1, -1.0, 0.0}, left = {-1.0, 0.1, 0.0};
    for (int touches = 0; touches < 2; ++touches) {
        abut_convex_pair pair = abut_convex_pair_default(box.convex, box.convex);
        pair.pose_b.position = touches ? abut_vec3_make(2.0, 2.0, 0.5) : abut_vec3_make(1.0, 1.0, 0.5);
        abut_convex_result r = ask(&pair, NULL);
        CHECK_INT(r.direction_count, 2, "directions");
        CHECK_INT(r.rule, ABUT_RULE_NONE, "rule at rest");
        CHECK_NEAR(r.distance, touches ? 0.0 : -1.0, 1e-15, "depth");
        pair.velocity = down;
        r = ask(&pair, NULL);
        CHECK_INT(r.rule, ABUT_RULE_VELOCITY, "rule falling");
        CHECK_NEAR(touches ? r.normal.x : r.normal.y, 1.0, 1e-15, touches ? "slides" : "came from above");
        pair.velocity = left;
        r = ask(&pair, NULL);
        CHECK_NEAR(touches ? r.normal.y : r.normal.x, 1.0, 1e-15, touches ? "slides" : "came from the right");
    }
    release_convex(&box);
    CHECK_DONE();
}

static void check_same(const abut_convex_result *r, const abut_convex_result *cold, int kind)
{
    CHECK_INT(r->rule, cold->rule, "rule");
    CHECK_INT(r->axis_count, cold->axis_count, "axes");
    CHECK(r->distance == cold->distance && abut_norm(abut_sub(r->normal, cold->normal)) == 0.0,
          "memory of kind %d: distance %.17g, without %.17g", kind, r->distance, cold->distance);
}

// A memory that no query of this version wrote is ignored, whatever its normal: for disjoint bodies, overlapping
// bodies, and directions that tie, which a valid memory would decide.
static void unknown_memory_knows_nothing(void **state)
{
    (void)state;
    test_convex box = make_convex_box(1.0, 1.0, 1.0);
    const double heights[4] = {0.0, 1.0, 1.5, 2.5};
    const int32_t kinds[5] = {0, 3, 99, -1, INT32_MAX};
    for (int i = 0; i < 4; ++i) {
        abut_convex_pair pair = abut_convex_pair_default(box.convex, box.convex);
        pair.pose_b.position = abut_vec3_make(heights[i], heights[i], 0.0);
        pair.velocity = abut_vec3_make(0.0, -1.0, 0.0);
        abut_convex_result cold = ask(&pair, NULL);
        for (int k = 0; k < 5; ++k) {
            abut_convex_memory memory = {{kinds[k], 1, 0, 0, 0, 0}, {1.0, 0.0, 0.0}};
            abut_convex_result r = ask(&pair, &memory);
            check_same(&r, &cold, kinds[k]);
        }
    }
    release_convex(&box);
    CHECK_DONE();
}

// Concentric solids that are no zonotopes: no direction leads to a near facet, so all facets are searched, and the
// fallback is counted. An icosahedron with itself has 20 directions.
static void searches_over_all_facets_are_counted(void **state)
{
    (void)state;
    test_random random = {12};
    for (int i = 0; i < 20; ++i) {
        test_convex a = make_solid(&random, i % 2 ? SOLID_ROUND : SOLID_ANTIPRISM, 1.0);
        abut_convex_info info = abut_convex_get_info(a.convex);
        abut_convex_pair pair = abut_convex_pair_default(a.convex, a.convex);
        abut_convex_result r = ask(&pair, NULL);
        CHECK(r.axis_count >= 2 * info.face_count, "%d axes for %d faces", r.axis_count, info.face_count);
        CHECK_INT(r.fallback_count, 1, "fallbacks");
        CHECK_INT(r.certificate.proof, ABUT_PROOF_FULL, "proof");
        if (info.face_count == 20 && info.vertex_count == 12) {
            CHECK(r.direction_count == ABUT_CONVEX_DIRECTIONS && r.has_more_directions, "%d directions",
                  r.direction_count);
        }
        release_convex(&a);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ties_are_a_set),
        cmocka_unit_test(motion_decides),
        cmocka_unit_test(unknown_memory_knows_nothing),
        cmocka_unit_test(searches_over_all_facets_are_counted),
    };
    return cmocka_run_group_tests_name("convex ties", tests, NULL, NULL);
}
