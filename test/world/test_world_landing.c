// SPDX-License-Identifier: MIT
// test_world_landing.c: bodies fall, land in any pose and come to rest, with the default settings of a world
//
// In one step a body falls by much more than the tolerance of `regions`. Only speculative contacts can prevent that
// a landing begins with an overlap.
#include "stage.h"

#include "random.h"

enum { DROPS = 12, STEPS = 1000, LAST_STEPS = 20 };

/// Drops a body from a height with a given rotation. Returns the height at which its centre of mass comes to rest.
static double drop(abut_mesh *mesh, abut_quat rotation, double dt, int i)
{
    abut_world_def def = falling();
    def.dt = dt;
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    add_ground(&s);
    abut_params params = abut_params_default();
    s.meshes[s.count] = mesh;
    s.shapes[s.count] = make_shape(NULL, mesh, abut_method_find("regions"), &params);
    abut_body_def body = abut_body_def_default();
    body.shape = s.shapes[s.count];
    body.pose.position.y = 4.0;
    body.pose.rotation = rotation;
    body.material = 0;
    abut_error error;
    assert_int_equal(abut_world_add_body(s.world, &body, NULL, &error), ABUT_OK);
    ++s.count;
    double before = abut_world_get_energy(s.world).potential, most = 0.0;
    int fallbacks = 0;
    for (int step = 0; step < STEPS; ++step) {
        run(&s, 1);
        abut_world_energy energy = abut_world_get_energy(s.world);
        most = fmax(most, energy.kinetic + energy.potential);
        fallbacks += step >= STEPS - LAST_STEPS ? abut_world_get_report(s.world).fallback_count : 0;
    }
    double height = abut_world_get_body(s.world, 1).center.y, rest = abut_world_get_energy(s.world).kinetic;
    CHECK(most <= 1.01 * before, "drop %d: energy %g from %g", i, most, before);
    CHECK(rest <= 1e-9 * before, "drop %d: kinetic energy %g at the end", i, rest);
    CHECK_INT(fallbacks, 0, "fallbacks at rest");
    end_stage(&s);
    return height;
}

static double nearest(const double *heights, int count, double height)
{
    double best = heights[0];
    for (int i = 1; i < count; ++i) {
        best = fabs(heights[i] - height) < fabs(best - height) ? heights[i] : best;
    }
    return best;
}

// A box of 1 x 0.8 x 0.6 rests on one of its faces: its centre is at half of one of its three sides.
static void boxes_come_to_rest_on_a_face(void **state)
{
    (void)state;
    const double heights[3] = {0.5, 0.4, 0.3}, steps[3] = {0.01, 0.02, 0.005};
    test_random random = {20181};
    for (int i = 0; i < DROPS; ++i) {
        const abut_vec3 half = {0.5, 0.4, 0.3};
        double height = drop(make_box(NULL, abut_negate(half), half), random_rotation(&random), steps[i % 3], i);
        CHECK_NEAR(height, nearest(heights, 3, height), 1e-4, "height of a box");
    }
    CHECK_DONE();
}

// The centre of mass of the L is at (5/6, 5/6, 1/2). It rests on one of the faces of its hull: flat, at 1/2; on a leg,
// at 5/6; on the end of a leg, at 2 - 5/6; or on the ends of both, in the plane x + y = 3, at (3 - 5/3) / sqrt(2).
static void bodies_that_are_not_convex_come_to_rest(void **state)
{
    (void)state;
    const double heights[4] = {0.5, 5.0 / 6.0, 7.0 / 6.0, 4.0 / 3.0 / sqrt(2.0)};
    test_random random = {20182};
    for (int i = 0; i < DROPS; ++i) {
        double height = drop(make_l(NULL, 1.0), random_rotation(&random), 0.01, i);
        CHECK_NEAR(height, nearest(heights, 4, height), 1e-4, "height of an L");
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_come_to_rest_on_a_face),
        cmocka_unit_test(bodies_that_are_not_convex_come_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
