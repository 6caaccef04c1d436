// SPDX-License-Identifier: MIT
// test_world_detect.c: how far a step looks ahead, and the speeds that a report tells
#include "stage.h"

static const abut_vec3 zero = {0, 0, 0};

/// An arm, a cube of side 1 from x = 10 to x = 11, that turns about the z axis, and a cube of side 1 at rest above it,
/// `gap` away. Returns the number of contacts that a detection finds.
static int count_ahead(abut_body_def arm, double gap, double spin)
{
    abut_world_def def = abut_world_def_default();
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(10.5, 1.0 + gap, 0), zero, 0);
    s.meshes[s.count] = make_box(NULL, abut_vec3_make(10, -0.5, -0.5), abut_vec3_make(11, 0.5, 0.5));
    abut_params params = abut_params_default();
    s.shapes[s.count] = make_shape(NULL, s.meshes[s.count], def.method, &params);
    arm.shape = s.shapes[s.count++];
    arm.material = 0;
    arm.angular_velocity.z = spin;
    abut_error error = {.text = ""};
    CHECK_STATUS(abut_world_add_body(s.world, &arm, NULL, &error), ABUT_OK, error.text);
    CHECK_STATUS(abut_world_detect(s.world, &error), ABUT_OK, error.text);
    int count = abut_world_get_report(s.world).contact_count;
    end_stage(&s);
    return count;
}

/// The arm turns at 1 about a point 10 away from it: the origin of its mesh if it is fixed, or a given centre of mass.
/// Its near end moves at 10, by 0.1 in a step of 0.01: a cube 0.08 away must have speculative contacts. (The arm's
/// diagonal of 1.73, taken for the distance of its points from the centre, gives twice 0.0173.) The world looks twice as
/// far ahead as the furthest corner moves, 2 x 0.01 x |(11, 0.5, 0.5)| = 0.2205: a cube 0.23 away has no contacts.
static void a_body_may_turn_about_a_point_far_away(void **state)
{
    (void)state;
    const abut_mass mass = {.mass = 1.0, .inertia = {{100, 0, 0}, {0, 100, 0}, {0, 0, 100}}};
    for (int is_fixed = 0; is_fixed < 2; ++is_fixed) {
        abut_body_def arm = abut_body_def_default();
        arm.is_fixed = is_fixed;
        arm.mass = is_fixed ? NULL : &mass;
        CHECK(count_ahead(arm, 0.08, 1.0) > 0, "no speculative contact, is_fixed = %d", is_fixed);
        CHECK_INT(count_ahead(arm, 0.23, 1.0), 0, "out of reach");
        CHECK_INT(count_ahead(arm, 0.08, 0.0), 0, "at rest");
    }
    CHECK_DONE();
}

/// A cube hits the ground at a speed of 5. Half a step of 0.01 takes it from a height of 0.02 to 0.005 below the
/// ground's surface, where the step stops it. Then it is set to rise from there at 0.7. Its velocity does not tell
/// from where it came, so the world asks with that of the step before; but the contacts separate at 0.7.
static void speeds_are_those_of_the_bodies(void **state)
{
    (void)state;
    abut_world_def def = abut_world_def_default();
    def.gap_rule = ABUT_GAP_NONE;
    def.stabilisation.is_on = 0;
    def.prox = precise(1e-12);
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    add_ground(&s);
    int cube = add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(0, 0.52, 0), abut_vec3_make(0, -5, 0), 0);
    abut_error error = {.text = ""};
    CHECK_STATUS(abut_world_step(s.world, &error), ABUT_OK, error.text);
    abut_world_report report = abut_world_get_report(s.world);
    CHECK_INT(report.contact_count, 4, "contacts of the landing");
    for (int i = 0; i < report.contact_count; ++i) {
        CHECK_NEAR(report.contacts[i].contact.normal_speed, -5.0, 1e-12, "speed of the landing");
    }
    abut_pose pose = abut_world_get_body(s.world, cube).pose;
    CHECK_NEAR(pose.position.y, 0.495, 1e-12, "height");
    CHECK_STATUS(abut_world_set_body(s.world, cube, pose, abut_vec3_make(0, 0.7, 0), zero, &error), ABUT_OK,
                 "rise");
    CHECK_STATUS(abut_world_detect(s.world, &error), ABUT_OK, error.text);
    report = abut_world_get_report(s.world);
    CHECK_INT(report.contact_count, 4, "contacts");
    for (int i = 0; i < report.contact_count; ++i) {
        CHECK_NEAR(report.contacts[i].contact.normal_speed, 0.7, 1e-12, "speed");
    }
    end_stage(&s);
    CHECK_DONE();
}

/// A cube falls at 40, by 0.4 in a step of 0.01, towards the ground 0.2 below it. The world's own method has an envelope
/// of 2. The pair's method has none, so the step must widen it: the cube would pass through the ground otherwise.
static void each_method_looks_ahead_from_its_own_envelope(void **state)
{
    (void)state;
    abut_params far = abut_params_default();
    far.envelope = (abut_length){2.0, 0};
    abut_world_def def = abut_world_def_default();
    def.params = &far;
    def.has_sweeps = 0; // with which bodies do not look that far ahead
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    abut_error error = {.text = ""};
    CHECK_STATUS(abut_world_set_method(s.world, 0, 0, abut_method_find("convex"), NULL, &error), ABUT_OK,
                 error.text);
    add_ground(&s);
    add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(0, 0.7, 0), abut_vec3_make(0, -40, 0), 0);
    CHECK_STATUS(abut_world_detect(s.world, &error), ABUT_OK, error.text);
    CHECK_INT(abut_world_get_report(s.world).contact_count, 4, "speculative contacts");
    end_stage(&s);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_may_turn_about_a_point_far_away),
        cmocka_unit_test(each_method_looks_ahead_from_its_own_envelope),
        cmocka_unit_test(speeds_are_those_of_the_bodies),
    };
    return cmocka_run_group_tests_name("world_detect", tests, NULL, NULL);
}
