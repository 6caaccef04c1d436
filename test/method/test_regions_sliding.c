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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_does_not_hide_an_overlap),
    };
    return cmocka_run_group_tests_name("sliding regions", tests, NULL, NULL);
}
