// SPDX-License-Identifier: MIT
// test_regions.c: the region method on bodies that stand a little askew, as they do in a simulation
#include "check.h"
#include "random.h"
#include "shapes.h"

/// A box on a plate, or on a box with the same base, turned by a random angle of up to 1e-4 about any axis and moved so that its lowest
/// corner is 0 to 1e-4 below the plate, and as far to the side. On paper: it rests on a corner, an edge or its face; whichever the tolerance makes of it, it touches in one to four
/// points (up to eight on a box, where two rectangles cut each other), all of them within the base, and the normal is the plate's within the angle by which the box is turned.
static void askew_boxes_touch(void **state)
{
    (void)state;
    const abut_method *method = abut_method_find("regions");
    abut_params params = abut_params_default();
    abut_workspace *workspace = NULL;
    assert_int_equal(abut_workspace_create(NULL, &workspace), ABUT_OK);
    abut_result result = abut_result_default();
    test_random random = {11};
    for (int i = 0; i < 3000; ++i) {
        abut_vec3 half = abut_vec3_make(random_in(&random, 0.2, 2.0), random_in(&random, 0.2, 2.0),
                                        random_in(&random, 0.2, 2.0));
        abut_mesh *box = make_box(NULL, abut_negate(half), half);
        abut_shape *shape = make_shape(NULL, box, method, &params);
        int is_cliff = i % 2;
        abut_vec3 reach = is_cliff ? half : abut_vec3_make(20.0, 2.0, 20.0);
        abut_mesh *plate =
            make_box(NULL, abut_vec3_make(-reach.x, -2.0, -reach.z), abut_vec3_make(reach.x, 0.0, reach.z));
        abut_shape *plate_shape = make_shape(NULL, plate, method, &params);
        double angle = pow(10.0, random_in(&random, -9.0, -4.0)), depth = pow(10.0, random_in(&random, -9.0, -4.0));
        abut_pair pair = abut_pair_default(plate_shape, shape);
        abut_quat turn =
            abut_quat_from_axis(abut_vec3_make(0, 1, 0), is_cliff ? 0.0 : random_in(&random, 0.0, 3.0));
        pair.b.pose.rotation =
            abut_quat_unit(abut_quat_multiply(abut_quat_from_axis(random_unit(&random), angle), turn));
        abut_mesh_elements elements = abut_mesh_get_elements(box);
        double lowest = 0.0;
        for (int k = 0; k < elements.vertex_count; ++k) {
            lowest = fmin(lowest, abut_quat_rotate(pair.b.pose.rotation, elements.vertices[k]).y);
        }
        pair.b.pose.position =
            abut_vec3_make(random_in(&random, -1.0, 1.0) * (is_cliff ? depth : 5.0), -lowest - depth, 0.0);
        abut_status status = abut_find_contacts(&pair, method, &params, workspace, &result);
        while (status == ABUT_TRUNCATED) {
            assert_int_equal(abut_result_reserve(NULL, &result), ABUT_OK);
            status = abut_find_contacts(&pair, method, &params, workspace, &result);
        }
        CHECK(status == ABUT_OK, "box %d turned by %g, %g deep: %s", i, angle, depth, result.error.text);
        CHECK(result.contacts.count >= 1 && result.contacts.count <= (is_cliff ? 8 : 4),
              "box %d turned by %g, %g deep: %d contacts", i, angle, depth, result.contacts.count);
        for (int k = 0; k < result.contacts.count; ++k) {
            const abut_contact *c = &result.contacts.items[k];
            CHECK(abut_norm(abut_sub(c->normal, abut_vec3_make(0, 1, 0))) <= 1.01 * angle + 1e-12,
                  "box %d turned by %g, %g deep: normal %g %g %g", i, angle, depth, c->normal.x, c->normal.y,
                  c->normal.z);
            abut_vec3 local = abut_pose_apply_inverse(pair.b.pose, c->position_b);
            CHECK(fabs(local.x) <= half.x + 1e-9 && fabs(local.z) <= half.z + 1e-9 &&
                      fabs(local.y + half.y) <= 1e-3,
                  "box %d: contact %d is not at the base", i, k);
        }
        abut_shape_destroy(shape);
        abut_mesh_destroy(box);
        abut_shape_destroy(plate_shape);
        abut_mesh_destroy(plate);
    }
    abut_result_release(NULL, &result);
    abut_workspace_destroy(workspace);
    CHECK_DONE();
}

/// A cube that falls corner first, and turns, has come into a plate by 0.002 since the last step. On paper: it touches the plate in its lowest corner, and the normal is that of the
/// plate, which rests, whichever of the two is the first body and however fast the cube turns.
static void a_turning_body_does_not_turn_the_normal(void **state)
{
    (void)state;
    const abut_method *method = abut_method_find("regions");
    abut_params params = abut_params_default();
    abut_workspace *workspace = NULL;
    assert_int_equal(abut_workspace_create(NULL, &workspace), ABUT_OK);
    abut_result result = abut_result_default();
    result.contacts.required = 64;
    assert_int_equal(abut_result_reserve(NULL, &result), ABUT_OK);
    const abut_vec3 half = {0.5, 0.5, 0.5};
    abut_mesh *box = make_box(NULL, abut_negate(half), half);
    abut_shape *shape = make_shape(NULL, box, method, &params);
    test_random random = {12};
    for (int i = 0; i < 200; ++i) {
        // of several sizes: which of two bodies the method takes as the first depends on a hash of their shapes
        double reach = 3.0 + 0.01 * i;
        abut_mesh *plate = make_box(NULL, abut_vec3_make(-reach, -2.0, -reach), abut_vec3_make(reach, 0.0, reach));
        abut_shape *plate_shape = make_shape(NULL, plate, method, &params);
        abut_side cube = abut_side_default(shape);
        // on a corner, and a little off, so that no edge lies flat
        abut_quat upright = abut_quat_from_axis(abut_unit(abut_vec3_make(1.0, 0.0, -1.0)), 0.955);
        cube.pose.rotation =
            abut_quat_multiply(abut_quat_from_axis(random_unit(&random), random_in(&random, 0.0, 0.3)), upright);
        abut_mesh_elements elements = abut_mesh_get_elements(box);
        double lowest = 0.0;
        for (int k = 0; k < elements.vertex_count; ++k) {
            lowest = fmin(lowest, abut_quat_rotate(cube.pose.rotation, elements.vertices[k]).y);
        }
        cube.pose.position = abut_vec3_make(0.0, -lowest - 0.002, 0.0);
        cube.linear_velocity = abut_vec3_make(random_in(&random, -1.0, 1.0), -1.0, random_in(&random, -1.0, 1.0));
        cube.angular_velocity = abut_scale(0.5, random_unit(&random));
        abut_pair pair = abut_pair_default(plate_shape, shape);
        int is_first = i % 2;
        *(is_first ? &pair.a : &pair.b) = cube;
        *(is_first ? &pair.b : &pair.a) = abut_side_default(plate_shape);
        pair.dt = 0.01;
        abut_status status = abut_find_contacts(&pair, method, &params, workspace, &result);
        CHECK(status == ABUT_OK, "cube %d: %s", i, result.error.text);
        CHECK_INT(result.contacts.count, 1, "one corner");
        for (int k = 0; k < result.contacts.count; ++k) {
            abut_vec3 n = result.contacts.items[k].normal, right = abut_vec3_make(0.0, is_first ? -1.0 : 1.0, 0.0);
            CHECK(abut_norm(abut_sub(n, right)) <= 1e-12, "cube %d: normal %g %g %g", i, n.x, n.y, n.z);
        }
        abut_shape_destroy(plate_shape);
        abut_mesh_destroy(plate);
    }
    abut_shape_destroy(shape);
    abut_mesh_destroy(box);
    abut_result_release(NULL, &result);
    abut_workspace_destroy(workspace);
    CHECK_DONE();
}

/// Two unit cubes, one above the other and shifted, 0.001 apart: four corners for every envelope from 0.002 on, however large; those that
/// had to be cut short are counted. 0.3 apart, an envelope of 0.5 is as large as the cubes' parts: refused. 3 apart: nothing.
static void large_envelopes_lose_nothing_in_silence(void **state)
{
    (void)state;
    static const struct {
        double height, envelope;
        abut_status status;
        int contacts;
    } rows[] = {{1.001, 0.002, ABUT_OK, 4},      {1.001, 0.15, ABUT_OK, 4}, {1.001, 0.2, ABUT_OK, 4},
                {1.001, 0.5, ABUT_OK, 4},        {1.001, 2.0, ABUT_OK, 4},  {1.001, 0.0005, ABUT_OK, 0},
                {1.3, 0.5, ABUT_UNSUPPORTED, 0}, {4.0, 0.5, ABUT_OK, 0}};
    const abut_method *method = abut_method_find("regions");
    abut_mesh *cube = make_box(NULL, abut_vec3_make(0, 0, 0), abut_vec3_make(1, 1, 1));
    abut_params params = abut_params_default();
    abut_shape *shape = make_shape(NULL, cube, method, &params);
    abut_workspace *workspace = NULL;
    assert_int_equal(abut_workspace_create(NULL, &workspace), ABUT_OK);
    abut_result result = abut_result_default();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        abut_pair pair = abut_pair_default(shape, shape);
        pair.b.pose.position = abut_vec3_make(0.3, 0.2, rows[i].height);
        params.envelope = abut_absolute(rows[i].envelope);
        abut_status status = abut_find_contacts(&pair, method, &params, workspace, &result);
        while (status == ABUT_TRUNCATED) {
            assert_int_equal(abut_result_reserve(NULL, &result), ABUT_OK);
            status = abut_find_contacts(&pair, method, &params, workspace, &result);
        }
        CHECK_STATUS(status, rows[i].status, "envelope");
        CHECK(result.contacts.count == rows[i].contacts, "%g apart, envelope %g: %d contacts", rows[i].height - 1.0,
              rows[i].envelope, result.contacts.count);
        CHECK(rows[i].height > 2.0 || rows[i].envelope <= 0.15 || result.stats.caps > 0,
              "envelope %g is not counted", rows[i].envelope);
        for (int k = 0; k < result.contacts.count; ++k) {
            CHECK_NEAR(result.contacts.items[k].gap, 0.001, 1e-12, "gap");
            CHECK_NEAR(result.contacts.items[k].normal.z, 1.0, 1e-12, "normal");
        }
    }
    abut_result_release(NULL, &result);
    abut_workspace_destroy(workspace);
    abut_shape_destroy(shape);
    abut_mesh_destroy(cube);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(askew_boxes_touch),
        cmocka_unit_test(a_turning_body_does_not_turn_the_normal),
        cmocka_unit_test(large_envelopes_lose_nothing_in_silence),
    };
    return cmocka_run_group_tests_name("regions", tests, NULL, NULL);
}
