// SPDX-License-Identifier: MIT
// test_world_spin.c: bodies that rotate freely, damping, and bodies that rotate too fast
#include "stage.h"

/// A world with one box of a given rotation and spin.
static stage make_spinning(const abut_world_def *def, abut_vec3 size, abut_quat rotation, abut_vec3 spin)
{
    stage s = make_stage(NULL, def, 0.5, 0.0);
    const abut_vec3 zero = {0, 0, 0};
    int body = add_box(&s, size, zero, zero, 0);
    abut_error error;
    assert_int_equal(
        abut_world_set_body(s.world, body, abut_pose_make(zero, rotation), abut_vec3_make(1, 0, 0), spin, &error),
        ABUT_OK);
    return s;
}

static double distance(abut_vec3 a, abut_vec3 b)
{
    return abut_norm(abut_sub(a, b)) / abut_norm(b);
}

/// Nothing acts on the body. Energy and angular momentum L stay the same, for any body and speed, and the angular
/// velocity w fits to them: w . L is twice the energy. The bodies are a box that spins about its middle axis, which is
/// unstable, rods and a plate.
static void a_free_body_keeps_energy_and_momentum(void **state)
{
    (void)state;
    const struct {
        abut_vec3 size, spin;
    } rows[] = {{{1, 2, 3}, {0.01, 3.0, 0.02}},    {{1, 2, 3}, {1, 50, 2}},         {{1, 0.02, 0.022}, {10, 5, 1}},
                {{1, 0.02, 0.022}, {30, 1, 2}},    {{1, 1e-3, 1.1e-3}, {30, 1, 2}}, {{1, 1.1, 0.01}, {20, 5, 30}},
                {{1e-3, 2e-5, 2.2e-5}, {10, 5, 1}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        for (int stepper = 0; stepper < 2; ++stepper) {
            abut_world_def def = abut_world_def_default();
            def.stepper = (abut_stepper)stepper;
            abut_quat rotation = abut_quat_from_axis(abut_unit(abut_vec3_make(1, 1, 0)), 0.3);
            stage s = make_spinning(&def, rows[i].size, rotation, rows[i].spin);
            abut_body_state before = abut_world_get_body(s.world, 0);
            double energy = abut_world_get_energy(s.world).kinetic, worst = 0.0;
            double moving = 0.5 * before.mass, turning = energy - moving;
            for (int k = 0; k < 10000; ++k) {
                run(&s, 1);
                worst = fmax(worst, fabs(abut_world_get_energy(s.world).kinetic - energy) / turning);
            }
            abut_body_state after = abut_world_get_body(s.world, 0);
            CHECK(worst < 1e-6, "row %d: energy error %g", (int)i, worst);
            CHECK(distance(after.angular_momentum, before.angular_momentum) < 1e-12, "row %d: momentum", (int)i);
            CHECK_NEAR(0.5 * abut_dot(after.angular_velocity, after.angular_momentum) / turning, 1.0, 1e-6, "spin");
            CHECK_NEAR(after.center.x, 100.0, 1e-9, "way");
            end_stage(&s);
        }
    }
    CHECK_DONE();
}

/// A box with a square base is a symmetric top. Its axis rotates about L at the rate |L| / I1, and the box rotates
/// about its axis at the rate W3 (1 - I3 / I1), where W3 is the spin along the axis. So its rotation is that about its
/// axis, followed by the initial one, followed by that about L. The error decreases with dt^2.
static void a_symmetric_top_precesses(void **state)
{
    (void)state;
    const abut_vec3 size = {1, 1, 3}, spin = {1, -2, 4};
    const double side = 1.0 / 12.0 * (1.0 + 9.0), axis = 1.0 / 12.0 * 2.0; // moments of inertia for mass 1
    abut_quat start = abut_quat_from_axis(abut_unit(abut_vec3_make(1, 1, 0)), 0.3);
    abut_vec3 local = abut_quat_rotate(abut_quat_conjugate(start), spin);
    abut_vec3 momentum = abut_quat_rotate(start, abut_vec3_make(side * local.x, side * local.y, axis * local.z));
    abut_quat round = abut_quat_from_axis(abut_unit(momentum), abut_norm(momentum) / side);
    abut_quat own = abut_quat_from_axis(abut_vec3_make(0, 0, 1), local.z * (1.0 - axis / side));
    abut_mat3 right = abut_quat_matrix(abut_quat_multiply(abut_quat_multiply(round, start), own));
    for (int stepper = 0; stepper < 2; ++stepper) {
        double errors[2];
        for (int i = 0; i < 2; ++i) {
            abut_world_def def = abut_world_def_default();
            def.stepper = (abut_stepper)stepper;
            def.dt = i == 0 ? 0.01 : 0.005;
            stage s = make_spinning(&def, size, start, spin);
            run(&s, i == 0 ? 100 : 200);
            abut_mat3 found = abut_quat_matrix(abut_world_get_body(s.world, 0).pose.rotation);
            errors[i] = abut_norm(abut_sub(found.x, right.x)) + abut_norm(abut_sub(found.y, right.y)) +
                        abut_norm(abut_sub(found.z, right.z));
            end_stage(&s);
        }
        CHECK(errors[0] < 1e-3, "error %g", errors[0]);
        CHECK(errors[0] / errors[1] > 3.9 && errors[0] / errors[1] < 4.1, "errors %g and %g", errors[0], errors[1]);
    }
    CHECK_DONE();
}

/// About a principal axis, the rotation in a step is w dt, however large: 30 radians here.
static void a_fast_spin_is_exact(void **state)
{
    (void)state;
    abut_world_def def = abut_world_def_default();
    stage s = make_spinning(&def, abut_vec3_make(1, 2, 3), abut_quat_identity(), abut_vec3_make(0, 0, 3000.0));
    run(&s, 1);
    abut_vec3 found = abut_quat_rotate(abut_world_get_body(s.world, 0).pose.rotation, abut_vec3_make(1, 0, 0));
    CHECK_NEAR(distance(found, abut_vec3_make(cos(30.0), sin(30.0), 0)), 0.0, 1e-11, "turned");
    end_stage(&s);
    CHECK_DONE();
}

/// With implicit damping, after n steps the speed is v / (1 + k dt / m)^n, and the spin about a principal axis is w /
/// (1 + k dt / I)^n. A body slows down however light it is.
static void damping_slows_down(void **state)
{
    (void)state;
    const double sizes[] = {1.0, 1e-3, 1e-5, 1e-25};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        abut_world_def def = abut_world_def_default();
        def.linear_damping = def.angular_damping = 0.01;
        double a = sizes[i], mass = 2000.0 * a * a * a, inertia = mass * a * a / 6.0;
        stage s = make_spinning(&def, abut_vec3_make(a, a, a), abut_quat_identity(), abut_vec3_make(0, 1, 0));
        for (int k = 1; k <= 5; ++k) {
            run(&s, 1);
            abut_body_state body = abut_world_get_body(s.world, 0);
            double linear = pow(1.0 + 0.01 * def.dt / mass, -k), angular = pow(1.0 + 0.01 * def.dt / inertia, -k);
            CHECK_NEAR(body.linear_velocity.x, linear, 1e-12, "speed");
            CHECK_NEAR(body.angular_velocity.y, angular, 1e-12, "spin");
            CHECK_NEAR(body.angular_momentum.y / inertia, angular, 1e-12, "momentum");
        }
        end_stage(&s);
    }
    CHECK_DONE();
}

/// A cube of side 1 that spins at 100 exceeds a speed limit of 150, since its diagonal is sqrt 3. A spin that no step
/// can follow, and an energy that is not finite, fail too. The message names step and body, and the world is as
/// before.
static void a_spin_that_is_too_fast_is_told(void **state)
{
    (void)state;
    const struct {
        double limit, spin, speed;
        const char *reason;
    } rows[] = {{150.0, 100.0, 0.0, "limit of 150"},
                {HUGE_VAL, 1e12, 0.0, "too fast"},
                {HUGE_VAL, 0.0, 1e155, "not finite"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        abut_world_def def = abut_world_def_default();
        def.speed_limit = rows[i].limit;
        stage s =
            make_spinning(&def, abut_vec3_make(1, 1, 1), abut_quat_identity(), abut_vec3_make(0, rows[i].spin, 0));
        abut_pose pose = abut_world_get_body(s.world, 0).pose;
        abut_error error = {.text = ""};
        CHECK_STATUS(abut_world_set_body(s.world, 0, pose, abut_vec3_make(rows[i].speed, 0, 0),
                                         abut_vec3_make(0, rows[i].spin, 0), &error),
                     ABUT_OK, "set");
        abut_body_state before = abut_world_get_body(s.world, 0);
        CHECK_STATUS(abut_world_step(s.world, &error), ABUT_LIMIT, rows[i].reason);
        CHECK(strstr(error.text, "step 1: body 0") != NULL && strstr(error.text, rows[i].reason) != NULL,
              "text: %s", error.text);
        abut_body_state after = abut_world_get_body(s.world, 0);
        CHECK(memcmp(&before, &after, sizeof before) == 0, "the body moved");
        end_stage(&s);
    }
    CHECK_DONE();
}

/// By how much the squared norm of a body's rotation differs from 1.
static double unit_error(const abut_world *world, int body)
{
    abut_quat q = abut_world_get_body(world, body).pose.rotation;
    return fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0);
}

/// Each step multiplies the rotation by that of the step, with an error of the norm of about 1e-16. In 20,000 steps
/// this would add up to 1e-14 or more. With normalisation, the norm is always within a few ulps of 1, for a free body
/// and for a fixed one that rotates. A pose given in 7 digits is normalised when it is set.
static void rotations_stay_unit_quaternions(void **state)
{
    (void)state;
    const double few_ulps = 2e-15;
    const abut_vec3 zero = {0, 0, 0}, spin = {1.0, 2.0, 0.5};
    for (int is_fixed = 0; is_fixed < 2; ++is_fixed) {
        abut_world_def def = abut_world_def_default();
        stage s = make_stage(NULL, &def, 0.5, 0.0);
        int body = add_box(&s, abut_vec3_make(1, 2, 3), zero, zero, is_fixed);
        abut_error error;
        abut_pose pose = abut_pose_identity();
        pose.rotation.w = 1.0000004;
        assert_int_equal(abut_world_set_body(s.world, body, pose, zero, spin, &error), ABUT_OK);
        CHECK_NEAR(unit_error(s.world, body), 0.0, few_ulps, "a pose in few digits");
        double worst = 0.0;
        for (int i = 0; i < 20000; ++i) {
            run(&s, 1);
            worst = fmax(worst, unit_error(s.world, body));
        }
        CHECK(worst <= few_ulps, "fixed %d: the norm is off by %g", is_fixed, worst);
        end_stage(&s);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_body_keeps_energy_and_momentum),
        cmocka_unit_test(a_symmetric_top_precesses),
        cmocka_unit_test(a_fast_spin_is_exact),
        cmocka_unit_test(damping_slows_down),
        cmocka_unit_test(a_spin_that_is_too_fast_is_told),
        cmocka_unit_test(rotations_stay_unit_quaternions),
    };
    return cmocka_run_group_tests_name("world_spin", tests, NULL, NULL);
}
