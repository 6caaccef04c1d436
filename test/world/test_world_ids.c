// SPDX-License-Identifier: MIT
// test_world_ids.c: contacts keep their ids over time, so that the solver can start from the last impulses
#include "stage.h"

#include <stdlib.h>

static const abut_vec3 zero = {0, 0, 0};

/// A stack of six boxes at rest, solved to 1e-8.
static stage make_stack(int has_warm_start)
{
    abut_world_def def = falling();
    def.prox = precise(1e-8);
    def.has_warm_start = has_warm_start;
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    add_ground(&s);
    for (int i = 0; i < 6; ++i) {
        add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(0.05 * (i % 2), 0.5 + i, 0), zero, 0);
    }
    return s;
}

/// A stack at rest needs the same impulses in every step. The first step starts from zero and matches nothing. Later
/// steps start from the answer: all 24 contacts are matched, and the solver needs only a few iterations. Without a
/// warm start nothing is matched, and each step takes about as many iterations as the first.
static void a_warm_start_saves_iterations(void **state)
{
    (void)state;
    stage warm = make_stack(1), cold = make_stack(0);
    run(&warm, 1);
    run(&cold, 1);
    int first = abut_world_get_report(warm.world).iterations;
    CHECK_INT(abut_world_get_report(warm.world).contact_count, 24, "contacts");
    CHECK_INT(abut_world_get_report(warm.world).matched, 0, "matched in the first step");
    CHECK_INT(abut_world_get_report(cold.world).iterations, first, "iterations of the first step");
    CHECK(first > 10, "%d iterations: the stack is too easy", first);
    for (int i = 0; i < 5; ++i) {
        run(&warm, 1);
        run(&cold, 1);
        abut_world_report report = abut_world_get_report(warm.world), other = abut_world_get_report(cold.world);
        CHECK_INT(report.matched, 24, "matched");
        CHECK(5 * report.iterations <= first, "%d iterations after %d", report.iterations, first);
        CHECK_INT(other.matched, 0, "matched without a warm start");
        CHECK(2 * other.iterations > first, "%d iterations without a warm start", other.iterations);
        CHECK(3 * report.iterations <= other.iterations, "%d iterations, %d without a warm start",
              report.iterations, other.iterations);
        CHECK(report.outcome == ABUT_SOLVE_CONVERGED && other.outcome == ABUT_SOLVE_CONVERGED &&
                  report.residual <= 1e-8 * report.residual_scale && other.residual <= 1e-8 * other.residual_scale,
              "residuals %g and %g of %g", report.residual, other.residual, report.residual_scale);
    }
    end_stage(&warm);
    end_stage(&cold);
    CHECK_DONE();
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/// The sorted ids of the contacts of two equal boxes.
static int find_ids(const abut_world *world, uint64_t ids[16])
{
    abut_world_report report = abut_world_get_report(world);
    assert_true(report.contact_count <= 16);
    for (int i = 0; i < report.contact_count; ++i) {
        ids[i] = report.contacts[i].contact.id;
    }
    qsort(ids, (size_t)report.contact_count, sizeof *ids, compare_ids);
    return report.contact_count;
}

/// Two bodies of one shape touch: the right face of the first and the left face of the second, which is shifted. An id
/// is made of the features of the first body and of the second. It must not change if both are rotated about the
/// vertical axis through the first: the second is then on its other side. Since the shapes are equal, the numbers of
/// the bodies decide which is the first, and positions do not matter. There is no step between the rotations, so no
/// memory can help.
static void ids_do_not_depend_on_places(void **state)
{
    (void)state;
    abut_world_def def = abut_world_def_default();
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    int first = add_box(&s, abut_vec3_make(1, 1, 1), zero, zero, 0), second = -1;
    abut_body_def body = abut_body_def_default();
    body.shape = s.shapes[0];
    body.material = 0;
    abut_error error;
    assert_int_equal(abut_world_add_body(s.world, &body, &second, &error), ABUT_OK);
    const abut_vec3 up = {0, 1, 0}, place = {1.0, 0.3, 0.2};
    uint64_t expected[16] = {0}, found[16] = {0};
    for (int turn = 0; turn < 4; ++turn) {
        abut_quat rotation = abut_quat_from_axis(up, turn * asin(1.0));
        assert_int_equal(abut_world_set_body(s.world, first, abut_pose_make(zero, rotation), zero, zero, &error),
                         ABUT_OK);
        assert_int_equal(abut_world_set_body(s.world, second,
                                             abut_pose_make(abut_quat_rotate(rotation, place), rotation), zero,
                                             zero, &error),
                         ABUT_OK);
        CHECK_STATUS(abut_world_detect(s.world, &error), ABUT_OK, error.text);
        CHECK_INT(find_ids(s.world, turn == 0 ? expected : found), 4, "contacts");
        CHECK(turn == 0 || memcmp(found, expected, sizeof expected) == 0, "other ids after turn %d", turn);
    }
    end_stage(&s);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warm_start_saves_iterations),
        cmocka_unit_test(ids_do_not_depend_on_places),
    };
    return cmocka_run_group_tests_name("world_ids", tests, NULL, NULL);
}
