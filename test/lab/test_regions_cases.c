// SPDX-License-Identifier: MIT
// test_regions_cases.c: the method regions gets all ten fundamental cases right, wherever and however they are built
//
// Truth is that of the cases: quality 100, coverage 100 of positions with normals, excess 1.0. It must hold when the bodies are
// turned, scaled, moved far away, cut into other triangles, sunk a little, and with A and B swapped.
#include "check.h"
#include "effort.h"
#include "mesh/tessellate.h"

#include <abut-lab/lab.h>

/// A case that was turned, scaled, moved and cut, with the truth that goes with it.
typedef struct moved_case {
    abut_case now;
    abut_truth truth[2][4];
} moved_case;

static void move_body(const abut_case_body *from, double scale, abut_pose motion, test_random *random, int cuts,
                      abut_case_body *to)
{
    *to = *from;
    test_solid solid = solid_from_mesh(from->mesh);
    if (cuts > 0) {
        solid_tessellate(&solid, random, cuts, 2 * cuts);
        solid_shuffle(&solid, random);
    }
    solid_move(&solid, scale, abut_pose_identity());
    to->mesh = solid_mesh(&solid, ABUT_PRECISION_DOUBLE);
    solid_free(&solid);
    abut_pose pose = from->pose;
    pose.position = abut_scale(scale, pose.position);
    to->pose = abut_pose_multiply(motion, pose);
    to->pose.rotation = abut_quat_unit(to->pose.rotation);
    to->linear_velocity = abut_quat_rotate(motion.rotation, abut_scale(scale, from->linear_velocity));
}

static void move_case(const abut_case *from, double scale, abut_pose motion, test_random *random, int cuts,
                      moved_case *to)
{
    to->now = *from;
    move_body(&from->a, scale, motion, random, cuts, &to->now.a);
    move_body(&from->b, scale, motion, random, cuts, &to->now.b);
    to->now.size = scale * from->size;
    to->now.sink = abut_quat_rotate(motion.rotation, from->sink);
    for (int reading = 0; reading < 2; ++reading) {
        for (int i = 0; i < from->truth_count[reading]; ++i) {
            abut_truth t = from->truth[reading][i];
            to->truth[reading][i].position = abut_pose_apply(motion, abut_scale(scale, t.position));
            to->truth[reading][i].normal = abut_quat_rotate(motion.rotation, t.normal);
        }
        to->now.truth[reading] = to->truth[reading];
    }
}

static abut_shape *shape_of(const abut_mesh *mesh, const abut_method *method)
{
    abut_shape_def def = abut_shape_def_default();
    def.mesh = mesh;
    abut_shape *shape = NULL;
    abut_error error;
    assert_int_equal(abut_shape_create(NULL, &def, &shape, &error), ABUT_OK);
    assert_int_equal(abut_shape_prepare(shape, method, NULL, &error), ABUT_OK);
    return shape;
}

static void check_case(const abut_case *c, abut_state state, abut_workspace *work, const char *label)
{
    const abut_method *method = abut_method_find("regions");
    abut_shape *a = shape_of(c->a.mesh, method), *b = shape_of(c->b.mesh, method);
    abut_pair pair = abut_case_pair(c, state, a, b), swapped = pair;
    swapped.a = pair.b;
    swapped.b = pair.a;
    for (int order = 0; order < 2; ++order) {
        abut_result result = abut_result_default();
        abut_status status = abut_find_contacts(order == 0 ? &pair : &swapped, method, NULL, work, &result);
        CHECK(status == ABUT_OK, "%s %s depth %g: %s: %s", c->name, label, state.depth, abut_status_text(status),
              result.error.text);
        abut_sample samples[32];
        assert_true(result.contacts.count <= 32);
        for (int i = 0; i < result.contacts.count; ++i) {
            samples[i].position = result.contacts.items[i].position;
            samples[i].normal = result.contacts.items[i].normal;
            if (order == 1) {
                samples[i].normal = abut_negate(samples[i].normal);
            }
        }
        abut_measures m =
            abut_measure(c, abut_case_place(c, state), ABUT_READING_VELOCITY, samples, result.contacts.count);
        CHECK(m.quality == 100.0 && m.coverage == 100.0 && m.excess == 1.0,
              "%s %s depth %g order %d: quality %g coverage %g excess %g", c->name, label, state.depth, order,
              m.quality, m.coverage, m.excess);
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
}

static void all_cases_are_perfect(void **state)
{
    (void)state;
    test_random random = {2026};
    int case_count;
    const char *const *names = abut_case_names(&case_count);
    abut_workspace *work = NULL;
    assert_int_equal(abut_workspace_create(NULL, &work), ABUT_OK);
    for (int i = 0; i < case_count; ++i) {
        abut_case *c = NULL;
        assert_int_equal(abut_case_create(NULL, names[i], NULL, &c, NULL), ABUT_OK);
        for (int round = 0; round < sample_count(40, 200); ++round) {
            double scale = round == 0 ? 1.0 : pow(10.0, random_in(&random, -3.0, 3.0));
            double away = round % 3 == 2 ? 1e4 : 1.0;
            abut_pose motion = abut_pose_identity();
            if (round > 0) {
                motion = abut_pose_make(random_vec3(&random, away * scale * c->size), random_rotation(&random));
            }
            moved_case moved;
            move_case(c, scale, motion, &random, round % 2 == 1 ? 30 : 0, &moved);
            abut_state states[7] = {{ABUT_STATE_TOUCHING, 0.0}};
            for (int k = 1; k < 7; ++k) {
                states[k].kind = ABUT_STATE_SUNK;
                states[k].depth = moved.now.size * pow(10.0, -10.0 + k); // 1e-9 .. 1e-4 of the size
            }
            for (int k = 0; k < 7; ++k) {
                check_case(&moved.now, states[k], work, round % 2 == 1 ? "cut" : "plain");
            }
            abut_mesh_destroy(moved.now.a.mesh);
            abut_mesh_destroy(moved.now.b.mesh);
        }
        abut_case_destroy(c);
    }
    abut_workspace_destroy(work);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_cases_are_perfect)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
