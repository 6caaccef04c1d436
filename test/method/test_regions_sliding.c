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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_does_not_hide_an_overlap),
        cmocka_unit_test(sliding_solids_are_analysed_once),
    };
    return cmocka_run_group_tests_name("sliding regions", tests, NULL, NULL);
}
