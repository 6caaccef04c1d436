// SPDX-License-Identifier: MIT
// test_regions.c: method regions on bodies as simulations have them: slightly tilted, moving, at rest
#include "check.h"
#include "random.h"
#include "shapes.h"

/// A box on a plate, or on a box with the same base, turned by a random angle of up to 1e-4 about any axis and moved
/// so that its lowest corner is 0 to 1e-4 below the plate, and as far to the side. On paper: it rests on a corner, an
/// edge or its face. Whichever of these the tolerance allows, it touches in one to four points (up to
/// eight on a box, if two rectangles intersect), all of them within the base. The normal is the plate's, within
/// the angle by which the box is turned.
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
    abut_workspace_destroy(workspace);
    CHECK_DONE();
}

/// A small box, turned by 0.01 to 0.08 about any horizontal axis, is up to 0.01 above a plate, and everything within 0.1 is
/// asked for. On paper: what is near are corners of the box over the face of the plate. So each normal is exactly the
/// plate's, not that of the face of the box, whichever of the two is the first body and whatever its vertices are.
static void an_envelope_does_not_tilt_normals(void **state)
{
    (void)state;
    const abut_method *method = abut_method_find("regions");
    abut_params params = abut_params_default();
    abut_workspace *workspace = NULL;
    assert_int_equal(abut_workspace_create(NULL, &workspace), ABUT_OK);
    abut_result result = abut_result_default();
    test_random random = {5};
    int polygons = 0;
    params.envelope = abut_absolute(0.1);
    const abut_vec3 up = {0.0, 1.0, 0.0}, half = {0.5, 0.4, 0.6};
    for (int i = 0; i < 500; ++i) {
        abut_mesh *box = make_box(NULL, abut_negate(half), half);
        abut_mesh *plate = make_box(NULL, abut_vec3_make(-9.0, -2.0, -9.0), abut_vec3_make(9.0, 0.0, 9.0));
        abut_shape *shapes[2] = {make_shape(NULL, plate, method, &params), make_shape(NULL, box, method, &params)};
        double at = random_in(&random, 0.0, 6.3);
        abut_pose pose = abut_pose_identity();
        pose.rotation = abut_quat_from_axis(abut_vec3_make(cos(at), 0.0, sin(at)), random_in(&random, 0.01, 0.08));
        double lowest = 0.0;
        for (int k = 0; k < 8; ++k) {
            lowest = fmin(lowest, abut_quat_rotate(pose.rotation, abut_mesh_get_elements(box).vertices[k]).y);
        }
        pose.position =
            abut_vec3_make(random_in(&random, -5.0, 5.0), -lowest + random_in(&random, 1e-5, 1e-2), 0.0);
        for (int order = 0; order < 2; ++order) {
            abut_pair pair = abut_pair_default(shapes[order], shapes[1 - order]);
            abut_side *side = order == 0 ? &pair.b : &pair.a;
            side->pose = pose;
            assert_int_equal(abut_find_contacts(&pair, method, &params, workspace, &result), ABUT_OK);
            CHECK(result.contacts.count > 0, "box %d: no contacts", i);
            for (int k = 0; k < result.contacts.count; ++k) {
                const abut_contact *c = &result.contacts.items[k];
                abut_vec3 normal = order == 0 ? c->normal : abut_negate(c->normal);
                abut_vec3 corner = order == 0 ? c->position_b : c->position_a;
                CHECK(abut_norm(abut_sub(normal, up)) <= 1e-12, "box %d: normal %g %g %g", i, normal.x, normal.y,
                      normal.z);
                CHECK_NEAR(c->gap, corner.y, 1e-9, "box");
                CHECK_INT(c->normal_side, order == 0 ? ABUT_NORMAL_A : ABUT_NORMAL_B, "box");
            }
            polygons += result.contacts.count > 2;
        }
        for (int k = 0; k < 2; ++k) {
            abut_shape_destroy(shapes[k]);
        }
        abut_mesh_destroy(box);
        abut_mesh_destroy(plate);
    }
    CHECK(polygons > 100, "only %d polygons", polygons);
    abut_workspace_destroy(workspace);
    CHECK_DONE();
}

/// A cube that falls corner first, and turns, has come into a plate by 0.002 since the last step. On paper: it touches
/// the plate in its lowest corner, and the normal is that of the plate, which rests, whichever of the two is the first
/// body and however fast the cube turns.
static void a_turning_body_does_not_turn_the_normal(void **state)
{
    (void)state;
    const abut_method *method = abut_method_find("regions");
    abut_params params = abut_params_default();
    abut_workspace *workspace = NULL;
    assert_int_equal(abut_workspace_create(NULL, &workspace), ABUT_OK);
    abut_result result = abut_result_default();
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
    abut_workspace_destroy(workspace);
    CHECK_DONE();
}

/// A unit cube lands on a plate with the velocity (1, -0.2, 0), of which a fifth is along the normal. In a step of
/// 0.01 it sinks by 0.002, so one step ago it was above the plate. The diagonal of the cube is sqrt(3), and the
/// tolerance a millionth of it. Deeper than a thousandth of the tolerance it is moved back along its motion, which is
/// counted once, even at 0.0018, more than a thousandth of the size. On paper: the four lower corners, with the
/// plate's normal.
static void oblique_landings_are_moved_back(void **state)
{
    (void)state;
    const double tolerance = 1e-6 * sqrt(3.0);
    const double depths[] = {0.5e-3 * tolerance, 2e-3 * tolerance, 0.5 * tolerance, 0.0018};
    const abut_method *method = abut_method_find("regions");
    abut_mesh *cube = make_box(NULL, abut_vec3_make(-0.5, 0, -0.5), abut_vec3_make(0.5, 1, 0.5));
    abut_mesh *plate = make_box(NULL, abut_vec3_make(-3, -2, -3), abut_vec3_make(3, 0, 3));
    abut_shape *shapes[2] = {make_shape(NULL, plate, method, NULL), make_shape(NULL, cube, method, NULL)};
    abut_workspace *workspace = NULL;
    assert_int_equal(abut_workspace_create(NULL, &workspace), ABUT_OK);
    abut_result result = abut_result_default();
    for (int i = 0; i < 4; ++i) {
        abut_pair pair = abut_pair_default(shapes[0], shapes[1]);
        pair.b.pose.position.y = -depths[i];
        pair.b.linear_velocity = abut_vec3_make(1.0, -0.2, 0.0);
        pair.dt = 0.01;
        abut_status status = abut_find_contacts(&pair, method, NULL, workspace, &result);
        CHECK(status == ABUT_OK, "%g deep: %s", depths[i], result.error.text);
        CHECK_INT(result.contacts.count, 4, "corners");
        CHECK_INT((int)result.stats.fallbacks, i > 0, "moved back");
        for (int k = 0; k < result.contacts.count; ++k) {
            CHECK_NEAR(result.contacts.items[k].gap, -depths[i], 1e-12, "gap");
            CHECK_NEAR(result.contacts.items[k].normal.y, 1.0, 1e-12, "normal");
        }
    }
    abut_workspace_destroy(workspace);
    abut_shape_destroy(shapes[0]);
    abut_shape_destroy(shapes[1]);
    abut_mesh_destroy(plate);
    abut_mesh_destroy(cube);
    CHECK_DONE();
}

/// Two unit cubes, one above the other and shifted, 0.001 apart: four corners for every envelope from 0.002 on,
/// however large; those that had to be cut short are counted. So it is 0.3 apart, though an envelope of 0.5 is as large
/// as the cubes' parts. 3 apart: nothing.
static void large_envelopes_lose_nothing_in_silence(void **state)
{
    (void)state;
    static const struct {
        double height, envelope;
        int contacts;
    } rows[] = {{1.001, 0.002, 4}, {1.001, 0.15, 4},   {1.001, 0.2, 4}, {1.001, 0.5, 4},
                {1.001, 2.0, 4},   {1.001, 0.0005, 0}, {1.3, 0.5, 4},   {4.0, 0.5, 0}};
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
        CHECK_STATUS(status, ABUT_OK, "envelope");
        CHECK(result.contacts.count == rows[i].contacts, "%g apart, envelope %g: %d contacts", rows[i].height - 1.0,
              rows[i].envelope, result.contacts.count);
        CHECK(rows[i].height > 2.0 || rows[i].envelope <= 0.15 || result.stats.caps > 0,
              "envelope %g is not counted", rows[i].envelope);
        for (int k = 0; k < result.contacts.count; ++k) {
            CHECK_NEAR(result.contacts.items[k].gap, rows[i].height - 1.0, 1e-12, "gap");
            CHECK_NEAR(result.contacts.items[k].normal.z, 1.0, 1e-12, "normal");
        }
    }
    abut_workspace_destroy(workspace);
    abut_shape_destroy(shape);
    abut_mesh_destroy(cube);
    CHECK_DONE();
}

/// A pair that is asked with a memory, and without.
typedef struct rest_test {
    const abut_method *method;
    abut_params params;
    abut_workspace *workspace, *cold_workspace;
    abut_pair pair;
    abut_result kept, cold;
} rest_test;

static void ask(rest_test *t, const abut_pair *pair, abut_result *result)
{
    abut_workspace *workspace = pair->memory != NULL ? t->workspace : t->cold_workspace;
    abut_status status = abut_find_contacts(pair, t->method, &t->params, workspace, result);
    CHECK(status == ABUT_OK, "%s", result->error.text);
}

/// Asks with the memory and without, and checks that contacts and regions are equal within `off`. Returns whether the
/// query with the memory analysed the bodies again.
static int looks(rest_test *t, double off)
{
    abut_pair cold = t->pair;
    cold.memory = NULL;
    ask(t, &t->pair, &t->kept);
    ask(t, &cold, &t->cold);
    abut_memory_commit(t->pair.memory);
    CHECK_INT(t->kept.contacts.count, t->cold.contacts.count, "contacts");
    CHECK_INT(t->kept.regions.count, t->cold.regions.count, "regions");
    CHECK_INT(t->kept.points.count, t->cold.points.count, "corners");
    for (int i = 0; i < t->kept.contacts.count && i < t->cold.contacts.count; ++i) {
        const abut_contact *a = &t->kept.contacts.items[i], *b = &t->cold.contacts.items[i];
        CHECK(a->id == b->id && a->region == b->region && a->rule == b->rule, "contact %d", i);
        CHECK_NEAR(abut_norm(abut_sub(a->position_a, b->position_a)), 0.0, off, "position_a");
        CHECK_NEAR(abut_norm(abut_sub(a->position_b, b->position_b)), 0.0, off, "position_b");
        CHECK_NEAR(abut_norm(abut_sub(a->normal, b->normal)), 0.0, off, "normal");
        CHECK_NEAR(a->gap, b->gap, off, "gap");
    }
    for (int i = 0; i < t->kept.regions.count && i < t->cold.regions.count; ++i) {
        const abut_region *a = &t->kept.regions.items[i], *b = &t->cold.regions.items[i];
        CHECK(a->id == b->id && a->kind == b->kind && a->cone_count == b->cone_count, "region %d", i);
        CHECK_NEAR(a->measure, b->measure, 10.0 * off, "area");
    }
    CHECK_INT((int)t->kept.stats.fallbacks, (int)t->cold.stats.fallbacks, "fallbacks");
    CHECK(t->cold.stats.tested_pairs > 0, "nothing is tested without a memory");
    CHECK(t->cold.stats.candidate_pairs > 0, "no candidates without a memory");
    return t->kept.stats.tested_pairs > 0;
}

/// A box lies on another, turned by 0.3. While the two move relative to each other by less than a thousandth of the
/// tolerance, however they move together, the last answer is reused. Small moves do not add up unnoticed. With a fast
/// motion, another tolerance or other options, the bodies are analysed again.
static void resting_bodies_are_not_looked_at_again(void **state)
{
    (void)state;
    rest_test t = {.method = abut_method_find("regions"),
                   .params = abut_params_default(),
                   .kept = abut_result_default(),
                   .cold = abut_result_default()};
    assert_int_equal(abut_workspace_create(NULL, &t.workspace), ABUT_OK);
    assert_int_equal(abut_workspace_create(NULL, &t.cold_workspace), ABUT_OK);
    abut_mesh *box = make_box(NULL, abut_vec3_make(-1, 0, -1), abut_vec3_make(1, 1, 1));
    abut_shape *shape = make_shape(NULL, box, t.method, &t.params);
    t.pair = abut_pair_default(shape, shape);
    t.pair.a.key = 1;
    t.pair.b.key = 2;
    t.pair.dt = 0.01;
    assert_int_equal(abut_memory_create(NULL, &t.pair.memory), ABUT_OK);
    t.pair.b.pose.position = abut_vec3_make(0.3, 1.0, 0.2);
    t.pair.b.pose.rotation = abut_quat_from_axis(abut_vec3_make(0, 1, 0), 0.3);
    const double step = 1e-3 * 1e-6 * 3.0; // a thousandth of the tolerance, which is 1e-6 of the diagonal of 3
    CHECK(looks(&t, 0.0), "the first time");
    CHECK(t.kept.contacts.count >= 6, "%d corners", t.kept.contacts.count);
    CHECK(!looks(&t, 1e-15), "the second time");
    // both elsewhere, in the same place to each other
    abut_pose moved = abut_pose_make(abut_vec3_make(0.3, -0.2, 0.1),
                                     abut_quat_from_axis(abut_unit(abut_vec3_make(1, 2, 3)), 0.7));
    abut_pose at[2] = {t.pair.a.pose, t.pair.b.pose};
    t.pair.a.pose = abut_pose_multiply(moved, at[0]);
    t.pair.b.pose = abut_pose_multiply(moved, at[1]);
    CHECK(!looks(&t, 1e-14), "moved together");
    t.pair.a.pose = at[0];
    t.pair.b.pose = at[1];
    // 0.4, 0.8, 1.2 steps away: only the last is too far, and starts a new analysis. Edges cross at an angle of 0.3,
    // so corners move 1 / sin 0.3 times as far.
    const double off = step / sin(0.3);
    for (int i = 1; i <= 9; ++i) {
        t.pair.b.pose.position.x = at[1].position.x + 0.4 * step * i;
        CHECK_INT(looks(&t, 1.1 * off), i % 3 == 0, "moved on");
    }
    CHECK(!looks(&t, 1e-14), "at rest again");
    // a turn moves the far corner of the upper box, whose distance is sqrt 3
    t.pair.b.pose.rotation = abut_quat_from_axis(abut_vec3_make(0, 1, 0), 0.3 + 1.1 * step / sqrt(3.0));
    CHECK(looks(&t, 1e-14), "turned");
    t.pair.b.linear_velocity.x = 4e-4; // more than the tolerance in a step
    CHECK(looks(&t, 1e-14), "fast");
    t.pair.b.linear_velocity.x = 2e-4;
    CHECK(!looks(&t, 1e-14), "slow");
    t.params.tolerance = abut_relative(2e-6);
    CHECK(looks(&t, 1e-14), "another tolerance");
    // sunk in, so that the tolerance must be widened
    t.pair.b.pose.position.y -= 1e-5;
    CHECK(looks(&t, 1e-14), "sunk");
    CHECK(!looks(&t, 1e-14) && t.kept.stats.fallbacks > 0, "sunk and at rest");
    abut_option option = {"normals", 1.0};
    t.params.options = &option;
    t.params.option_count = 1;
    CHECK(looks(&t, 1e-14), "another option");
    // with culling and with an envelope the motion decides too, so the answer is never taken from the memory
    option = (abut_option){"culling", 1.0};
    CHECK(looks(&t, 1e-14) && looks(&t, 1e-14), "culling");
    t.params.option_count = 0;
    CHECK(looks(&t, 1e-14) && !looks(&t, 1e-14), "no option");
    t.params.envelope = abut_relative(1e-4);
    CHECK(looks(&t, 1e-14) && looks(&t, 1e-14), "envelope");
    abut_memory_destroy(t.pair.memory);
    abut_workspace_destroy(t.workspace);
    abut_workspace_destroy(t.cold_workspace);
    abut_shape_destroy(shape);
    abut_mesh_destroy(box);
    CHECK_DONE();
}

// A tolerance of zero is valid: cubes that touch exactly have the corners of their common square; if they overlap by
// d, the tolerance is widened from rounding on, and about twenty tries of four times as much reach d from any start.
// An envelope of any size is reduced as often.
static void no_tolerance_is_too_small(void **state)
{
    (void)state;
    static const struct {
        double tolerance, envelope, height;
    } rows[] = {{0.0, 0.0, 1.0},      {0.0, 0.0, 1.0 - 1e-4},   {1e-300, 0.0, 1.0 - 1e-4},
                {1e300, 0.0, 1.0},    {0.0, 1e300, 1.0 - 1e-9}, {0.0, 1e-300, 1.0},
                {1e-300, 1e300, 1.0}, {0.0, 0.0, 1.0 - 1e-13}};
    const abut_method *method = abut_method_find("regions");
    abut_mesh *cube = make_box(NULL, abut_vec3_make(0, 0, 0), abut_vec3_make(1, 1, 1));
    abut_params params = abut_params_default();
    abut_shape *shape = make_shape(NULL, cube, method, &params);
    abut_workspace *workspace = NULL;
    assert_int_equal(abut_workspace_create(NULL, &workspace), ABUT_OK);
    abut_result result = abut_result_default();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        abut_pair pair = abut_pair_default(shape, shape);
        pair.b.pose.position = abut_vec3_make(0.25, 0.25, rows[i].height);
        params.tolerance = abut_absolute(rows[i].tolerance);
        params.envelope = abut_absolute(rows[i].envelope);
        abut_status status = abut_find_contacts(&pair, method, &params, workspace, &result);
        CHECK_STATUS(status, ABUT_OK, "any tolerance");
        CHECK(result.contacts.count == 4, "tolerance %g, envelope %g: %d contacts", rows[i].tolerance,
              rows[i].envelope, result.contacts.count);
        CHECK(result.stats.fallbacks <= 20, "%d tries", (int)result.stats.fallbacks);
    }
    // more than a double can hold
    abut_pair pair = abut_pair_default(shape, shape);
    params.envelope = abut_relative(1.7e308);
    CHECK_STATUS(abut_find_contacts(&pair, method, &params, workspace, &result), ABUT_BAD_ARGUMENT, "infinite");
    abut_workspace_destroy(workspace);
    abut_shape_destroy(shape);
    abut_mesh_destroy(cube);
    CHECK_DONE();
}

/// A cube on a plate. One of the two moves towards the other by 0.005 in a step: with its frame nearby by a velocity
/// of 0.5, or, with its frame 10^4 away, by turning about that frame by 5e-7. The cube is 0.004 deep in the plate,
/// more than counts as touching, but one step ago they were apart. In all cases on paper: four corners, 0.004 deep.
static void frames_may_be_far_away(void **state)
{
    (void)state;
    static const struct {
        double cube, plate; ///< how far the frames are away
        int cube_moves;
    } rows[] = {{0, 0, 0}, {1e4, 1e4, 0}, {1e4, 0, 1}, {0, 1e4, 0}, {1e4, 1e4, 1}};
    const abut_method *method = abut_method_find("regions");
    abut_workspace *workspace = NULL;
    assert_int_equal(abut_workspace_create(NULL, &workspace), ABUT_OK);
    abut_result result = abut_result_default();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        double c = rows[i].cube, p = rows[i].plate;
        abut_mesh *cube =
            make_box(NULL, abut_vec3_make(c - 0.5, -0.5, -0.004), abut_vec3_make(c + 0.5, 0.5, 0.996));
        abut_shape *cube_shape = make_shape(NULL, cube, method, NULL);
        abut_mesh *plate = make_box(NULL, abut_vec3_make(p - 2.0, -2.0, -1.0), abut_vec3_make(p + 2.0, 2.0, 0.0));
        abut_shape *plate_shape = make_shape(NULL, plate, method, NULL);
        abut_pair pair = abut_pair_default(plate_shape, cube_shape);
        pair.a.pose.position.x = -p;
        pair.b.pose.position.x = -c;
        pair.dt = 0.01;
        abut_side *mover = rows[i].cube_moves ? &pair.b : &pair.a;
        double speed = rows[i].cube_moves ? -0.5 : 0.5, away = -mover->pose.position.x;
        if (away == 0.0) {
            mover->linear_velocity.z = speed;
        } else {
            mover->angular_velocity.y = -speed / away; // e_y x e_x = -e_z
        }
        abut_status status = abut_find_contacts(&pair, method, NULL, workspace, &result);
        CHECK(status == ABUT_OK, "row %zu: %s", i, result.error.text);
        CHECK(result.contacts.count == 4, "row %zu: %d contacts", i, result.contacts.count);
        for (int k = 0; k < result.contacts.count; ++k) {
            CHECK_NEAR(result.contacts.items[k].gap, -0.004, 1e-6, "gap");
            CHECK_NEAR(result.contacts.items[k].normal.z, 1.0, 1e-9, "normal");
        }
        abut_shape_destroy(plate_shape);
        abut_mesh_destroy(plate);
        abut_shape_destroy(cube_shape);
        abut_mesh_destroy(cube);
    }
    abut_workspace_destroy(workspace);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(askew_boxes_touch),
        cmocka_unit_test(an_envelope_does_not_tilt_normals),
        cmocka_unit_test(a_turning_body_does_not_turn_the_normal),
        cmocka_unit_test(resting_bodies_are_not_looked_at_again),
        cmocka_unit_test(large_envelopes_lose_nothing_in_silence),
        cmocka_unit_test(no_tolerance_is_too_small),
        cmocka_unit_test(frames_may_be_far_away),
        cmocka_unit_test(oblique_landings_are_moved_back),
    };
    return cmocka_run_group_tests_name("regions", tests, NULL, NULL);
}
