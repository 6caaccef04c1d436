// SPDX-License-Identifier: MIT
// test_regions_sliding.c: regions of bodies that overlap a little and slide
#include "local_scene.h"

// A cube on a slab of 4 x 1 x 4, deeper than its top by 1e-4, slides along x by 0.01 in a step of 1. Moving back along
// the motion does not end the overlap, so the answer is that of the bodies at rest: the cube's bottom, four contacts
// at y = 1 that push along y.
static void sliding_does_not_hide_an_overlap(void **state)
{
    (void)state;
    for (int is_sliding = 0; is_sliding < 2; ++is_sliding) {
        local_scene s;
        local_begin(&s, NULL, "regions", NULL, make_box(NULL, v3(-2, 0, -2), v3(2, 1, 2)),
                    make_box(NULL, v3(-0.5, 0, -0.5), v3(0.5, 1, 0.5)));
        s.pair.b.pose.position = v3(0, 1.0 - 1e-4, 0);
        s.pair.b.linear_velocity = v3(is_sliding ? 0.01 : 0.0, 0, 0);
        s.pair.dt = 1.0;
        local_find(&s);
        CHECK_INT(s.result.contacts.count, 4, is_sliding ? "sliding" : "at rest");
        for (int i = 0; i < s.result.contacts.count; ++i) {
            const abut_contact *c = &s.result.contacts.items[i];
            CHECK_NEAR(c->normal.y, 1.0, 1e-12, "normal");
            CHECK_NEAR(fabs(c->position.x), 0.5, 1e-3, "corner");
            CHECK_NEAR(fabs(c->position.z), 0.5, 1e-3, "corner");
            CHECK_NEAR(c->position.y, 1.0, 1e-3, "top");
        }
        local_end(&s);
    }
    CHECK_DONE();
}

// The pairs that a query of an L on a copy of it looks at. The copy is `height` above it and moves along x by a tenth of
// its size in a step of 1, or not at all.
static int64_t candidates_of_l(double height, int is_sliding)
{
    local_scene s;
    local_begin(&s, NULL, "regions", NULL, make_l(NULL, 0.5), make_l(NULL, 0.5));
    abut_box bounds = abut_mesh_get_elements(s.meshes[0]).bounds;
    s.pair.b.pose.position = v3(0.07, 0.03, bounds.upper.z - bounds.lower.z + height);
    s.pair.b.linear_velocity = v3(is_sliding ? 0.1 : 0.0, 0, 0);
    s.pair.dt = 1.0;
    local_find(&s);
    CHECK(s.result.regions.count > 0, "height %g: no region", height);
    int64_t candidates = s.result.stats.candidate_pairs;
    local_end(&s);
    return candidates;
}

// Solids that slide on each other, and overlap by no more than a thousandth of the tolerance, are analysed once, as if
// they were at rest: the overlap would show in a corner behind a face. Where it does, here by a third of the tolerance
// (a millionth of the size), more analyses look for where it began.
static void sliding_solids_are_analysed_once(void **state)
{
    (void)state;
    int64_t rest = candidates_of_l(0.0, 0), sliding = candidates_of_l(0.0, 1), below = candidates_of_l(-3e-7, 1);
    CHECK_INT(sliding, rest, "on the other");
    CHECK(below > 2 * rest, "an overlap: %lld candidates, %lld at rest", (long long)below, (long long)rest);
    CHECK_DONE();
}

// A bar of half-lengths 1, 0.05 and 0.2 is 0.5 above a slab and turns about z by up to three turns in a step of 1, from where
// it lies level. On paper the lower edge of its end at x = 1 meets the slab first, at the angle with sin + 0.05 cos = 0.5,
// whatever it meets later: so the contacts are the two ends of that edge, and push along y. If it turns by less than half
// a radian, it does not get there.
static void fast_spinners_touch_where_they_first_did(void **state)
{
    (void)state;
    for (int i = 0; i < 40; ++i) {
        double turn = 0.3 + 0.5 * i, down = fmod(turn, acos(-1.0)), deepest = sin(down) + 0.05 * fabs(cos(down));
        local_scene s;
        local_begin(&s, NULL, "regions", NULL, make_box(NULL, v3(-5, -1, -5), v3(5, 0, 5)),
                    make_box(NULL, v3(-1, -0.05, -0.2), v3(1, 0.05, 0.2)));
        s.pair.b.pose = abut_pose_make(v3(0.1, 0.5, 0.3), abut_quat_from_axis(v3(0, 0, 1), -turn));
        s.pair.b.angular_velocity = v3(0, 0, -turn);
        s.pair.dt = 1.0;
        local_find(&s);
        if (deepest < 0.49) {
            CHECK_INT(s.result.contacts.count, 0, "above the slab");
        } else if (deepest > 0.51) {
            CHECK(s.result.contacts.count == 2, "turn %g: %d contacts", turn, s.result.contacts.count);
            for (int k = 0; k < s.result.contacts.count; ++k) {
                const abut_contact *c = &s.result.contacts.items[k];
                CHECK(c->feature_b.kind == ABUT_FEATURE_VERTEX &&
                          (c->feature_b.index == 1 || c->feature_b.index == 5) && c->normal.y > 1.0 - 1e-9,
                      "turn %g: feature %d of kind %d, normal y %g", turn, c->feature_b.index,
                      (int)c->feature_b.kind, c->normal.y);
            }
        }
        local_end(&s);
    }
    CHECK_DONE();
}

// A box or an L stands on one edge, tilted by 1e-4, and moves down. The edge is below the top of a
// slab by a third of the tolerance, so the body is moved back to where it touched. An envelope of 1e-3 still shows the
// corners that are up to 2e-4 above the slab: all of its lower face, six for the L.
static void an_envelope_counts_where_bodies_touched(void **state)
{
    (void)state;
    for (int is_l = 0; is_l < 2; ++is_l) {
        local_scene s;
        local_begin(&s, NULL, "regions", NULL, make_box(NULL, v3(-4, -4, -1), v3(4, 4, 0)),
                    is_l ? make_l(NULL, 0.5) : make_box(NULL, v3(0, 0, 0), v3(1, 1, 1)));
        double size = abut_box_diagonal(abut_mesh_get_elements(s.meshes[1]).bounds);
        s.pair.b.pose = abut_pose_make(v3(0.0, 0.0, -3e-7 * size), abut_quat_from_axis(v3(0, 1, 0), -1e-4));
        s.pair.b.linear_velocity = v3(0, 0, -0.01);
        s.pair.dt = 0.01;
        local_find(&s);
        CHECK_INT(s.result.contacts.count, 2, "what touches");
        s.params.envelope = (abut_length){1e-3, 0};
        local_find(&s);
        CHECK_INT(s.result.contacts.count, is_l ? 6 : 4, "what is within the envelope");
        for (int i = 0; i < s.result.contacts.count; ++i) {
            const abut_contact *c = &s.result.contacts.items[i];
            CHECK_NEAR(c->gap, 1e-4 * c->position_b.x - 3e-7 * size, 1e-9, "gap");
        }
        local_end(&s);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_does_not_hide_an_overlap),
        cmocka_unit_test(sliding_solids_are_analysed_once),
        cmocka_unit_test(an_envelope_counts_where_bodies_touched),
        cmocka_unit_test(fast_spinners_touch_where_they_first_did),
    };
    return cmocka_run_group_tests_name("sliding regions", tests, NULL, NULL);
}
