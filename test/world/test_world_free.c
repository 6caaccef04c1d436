// SPDX-License-Identifier: MIT
// test_world_free.c: bodies without contacts: momentum and damping in numbers
#include "world/stage.h"

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

static void set_motion(stage *s, int body, abut_vec3 position, abut_vec3 linear, abut_vec3 angular)
{
    abut_error error;
    abut_pose pose = abut_pose_make(position, abut_quat_identity());
    assert_int_equal(abut_world_set_body(s->world, body, pose, linear, angular, &error), ABUT_OK);
}

// Cubes of side 1 and density 2000 have the mass 2000 and the moment of inertia 2000 / 6 about every axis. The
// momentum is 2000 v, the angular momentum about the origin is 2000 c x v + 2000 / 6 w. A world without bodies has
// none.
static void momentum_in_numbers(void **state)
{
    (void)state;
    abut_world_def def = abut_world_def_default();
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    abut_world_momentum none = abut_world_get_momentum(s.world);
    CHECK(abut_norm(none.linear) == 0.0 && abut_norm(none.angular) == 0.0, "an empty world");
    abut_vec3 linear = {0, 0, 0}, angular = {0, 0, 0};
    for (int i = 0; i < 3; ++i) {
        abut_vec3 center = v3(10.0 * i, 5.0 - i, -3.0 * i), velocity = v3(1.0 + i, -2.0 * i, 0.5);
        abut_vec3 spin = v3(0.3 * i, 1.0, -0.7);
        int body = add_box(&s, v3(1, 1, 1), center, velocity, 0);
        set_motion(&s, body, center, velocity, spin);
        linear = abut_add_scaled(linear, 2000.0, velocity);
        angular = abut_add_scaled(angular, 2000.0, abut_cross(center, velocity));
        angular = abut_add_scaled(angular, 2000.0 / 6.0, spin);
    }
    abut_world_momentum sum = abut_world_get_momentum(s.world);
    CHECK_NEAR(abut_norm(abut_sub(sum.linear, linear)), 0.0, 1e-9, "momentum");
    CHECK_NEAR(abut_norm(abut_sub(sum.angular, angular)), 0.0, 1e-8, "moment of momentum");
    end_stage(&s);
    CHECK_DONE();
}

// Damping with the coefficient c is implicit: a step multiplies the velocity by m / (m + c dt) and the spin, about
// every axis, by I / (I + c dt). With m = 2000, I = 2000 / 6, c = 1000 and dt = 0.01 these are 2000 / 2010 and 333.3 /
// 343.3.
static void damping_is_the_same_about_all_axes(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; ++axis) {
        abut_world_def def = abut_world_def_default();
        def.gravity = v3(0, 0, 0);
        def.dt = 0.01;
        def.linear_damping = def.angular_damping = 1000.0;
        stage s = make_stage(NULL, &def, 0.5, 0.0);
        abut_vec3 along = v3(axis == 0, axis == 1, axis == 2);
        int body = add_box(&s, v3(1, 1, 1), v3(0, 0, 0), along, 0);
        set_motion(&s, body, v3(0, 0, 0), along, abut_scale(3.0, along));
        abut_error error;
        abut_status status = abut_world_step(s.world, &error);
        CHECK(status == ABUT_OK, "step: %s", error.text);
        abut_body_state after = abut_world_get_body(s.world, body);
        abut_vec3 linear = abut_scale(2000.0 / 2010.0, along);
        abut_vec3 angular = abut_scale(3.0 * (2000.0 / 6.0) / (2000.0 / 6.0 + 10.0), along);
        CHECK_NEAR(abut_norm(abut_sub(after.linear_velocity, linear)), 0.0, 1e-12, "velocity");
        CHECK_NEAR(abut_norm(abut_sub(after.angular_velocity, angular)), 0.0, 1e-12, "spin");
        end_stage(&s);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_in_numbers),
        cmocka_unit_test(damping_is_the_same_about_all_axes),
    };
    return cmocka_run_group_tests_name("free bodies", tests, NULL, NULL);
}
