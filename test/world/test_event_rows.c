// SPDX-License-Identifier: MIT
// test_event_rows.c: derivatives of the gap of a contact, against differences of the gap itself
#include "stage.h"

#include "random.h"
#include "world/event.h"

static const abut_vec3 zero = {0, 0, 0};

/// Where a body is after a time, if it has no acceleration.
static void move(abut_body *body, const abut_body_motion *from, double time)
{
    double rate = abut_norm(from->angular_velocity);
    abut_quat turn = abut_quat_from_axis(abut_scale(1.0 / rate, from->angular_velocity), rate * time);
    body->motion = *from;
    body->motion.center = abut_add_scaled(from->center, time, from->linear_velocity);
    body->motion.rotation = abut_quat_unit(abut_quat_multiply(turn, from->rotation));
}

/// Compares gap' and gap'' of a row with differences. Those of two edges hold while the gap and its speed are zero, so the
/// second body gets a velocity along the normal that makes the speed zero.
static void check_row(abut_world *world, const abut_event_row *row, test_random *random)
{
    abut_body *a = &world->bodies[row->body_a], *b = &world->bodies[row->body_b];
    const abut_body_motion kept_a = a->motion, kept_b = b->motion;
    a->motion.linear_velocity = random_vec3(random, 1.0);
    a->motion.angular_velocity = random_vec3(random, 1.0);
    b->motion.linear_velocity = random_vec3(random, 1.0);
    b->motion.angular_velocity = random_vec3(random, 1.0);
    abut_event_frame frame = abut_event_row_frame(world, row);
    if (row->kind == ABUT_ROW_EDGES) {
        b->motion.linear_velocity = abut_add_scaled(b->motion.linear_velocity, -frame.speed, frame.normal);
        frame = abut_event_row_frame(world, row);
    }
    const abut_body_motion from_a = a->motion, from_b = b->motion;
    const double h = 2e-4;
    double gaps[5];
    for (int i = 0; i < 5; ++i) {
        move(a, &from_a, (i - 2) * h);
        move(b, &from_b, (i - 2) * h);
        gaps[i] = abut_event_row_frame(world, row).gap;
    }
    double speed = (gaps[0] - 8.0 * gaps[1] + 8.0 * gaps[3] - gaps[4]) / (12.0 * h);
    double second = (-gaps[0] + 16.0 * gaps[1] - 30.0 * gaps[2] + 16.0 * gaps[3] - gaps[4]) / (12.0 * h * h);
    CHECK_NEAR(frame.gap, 0.0, 1e-12, "gap");
    CHECK_NEAR(frame.speed, speed, 1e-10, "gap'");
    CHECK_NEAR(frame.bias, second, 1e-6, "gap''");
    a->motion = kept_a;
    b->motion = kept_b;
}

/// A body of which an edge or a corner is on top, under the origin, or at the bottom, above it.
static abut_body_def standing(int is_below, abut_quat turned, double reach, abut_pose whole)
{
    abut_body_def def = abut_body_def_default();
    abut_pose pose = abut_pose_make(abut_vec3_make(0.0, is_below ? -reach : reach, 0.0), turned);
    def.pose = abut_pose_multiply(whole, pose);
    def.material = 0;
    return def;
}

static void derivatives_are_those_of_the_gap(void **state)
{
    (void)state;
    test_random random = {1993};
    int kinds[3] = {0};
    abut_quat about_x = abut_quat_from_axis(abut_vec3_make(1, 0, 0), atan(1.0));
    abut_quat about_z = abut_quat_from_axis(abut_vec3_make(0, 0, 1), atan(1.0));
    abut_quat on_corner =
        abut_quat_multiply(abut_quat_from_axis(abut_vec3_make(0, 0, 1), atan(sqrt(0.5))), about_x);
    for (int i = 0; i < 60; ++i) {
        abut_world_def def = falling();
        stage s = make_stage(NULL, &def, 0.0, 0.0);
        abut_pose whole = abut_pose_make(random_vec3(&random, 1.0), random_rotation(&random));
        abut_vec3 cube = {1, 1, 1};
        abut_quat upright = abut_quat_identity();
        int shape = i % 3;
        double edge = sqrt(0.5), corner = 0.5 * sqrt(3.0);
        (void)add_box_body(&s, cube,
                           standing(1,
                                    shape == 0   ? about_x
                                    : shape == 1 ? on_corner
                                                 : upright,
                                    shape == 0   ? edge
                                    : shape == 1 ? corner
                                                 : 0.5,
                                    whole));
        (void)add_box_body(&s, cube,
                           standing(0,
                                    shape == 0   ? about_z
                                    : shape == 1 ? upright
                                                 : on_corner,
                                    shape == 0   ? edge
                                    : shape == 1 ? 0.5
                                                 : corner,
                                    whole));
        abut_error error;
        assert_int_equal(abut_world_detect(s.world, &error), ABUT_OK);
        CHECK_INT(s.world->contact_count, 1, "contacts");
        for (int k = 0; k < s.world->contact_count; ++k) {
            abut_event_row row = abut_event_row_of(s.world, &s.world->contacts[k]);
            ++kinds[row.kind];
            check_row(s.world, &row, &random);
        }
        end_stage(&s);
    }
    for (int i = 0; i < 3; ++i) {
        CHECK_INT(kinds[i], 20, "rows of each kind");
    }
    CHECK_DONE();
}

/// Of the corners of a grid in a plane, only the four outer ones are kept.
static void rows_between_others_are_marked(void **state)
{
    (void)state;
    abut_world_def def = falling();
    stage s = make_stage(NULL, &def, 0.0, 0.0);
    add_ground(&s);
    add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(0.0, 0.5, 0.0), zero, 0);
    abut_error error;
    assert_int_equal(abut_world_detect(s.world, &error), ABUT_OK);
    assert_true(s.world->contact_count > 0);
    abut_event_row rows[25];
    int room[25];
    for (int i = 0; i < 25; ++i) {
        rows[i] = abut_event_row_of(s.world, &s.world->contacts[0]);
        rows[i].kind = ABUT_ROW_POINT_OF_B;
        rows[i].direction_a = abut_vec3_make(0.0, 1.0, 0.0);
        rows[i].point_a = abut_vec3_make(0.0, 1.0, 0.0);
        rows[i].point_b = abut_vec3_make(0.2 * (i % 5 - 2), -0.5, 0.2 * ((i * 7) % 25 / 5 - 2));
    }
    abut_event_mark_inner(s.world, rows, 25, room);
    for (int i = 0; i < 25; ++i) {
        int is_corner = fabs(rows[i].point_b.x) > 0.3 && fabs(rows[i].point_b.z) > 0.3;
        CHECK_INT(rows[i].is_inner, !is_corner, "between others");
    }
    end_stage(&s);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_the_gap),
        cmocka_unit_test(rows_between_others_are_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
