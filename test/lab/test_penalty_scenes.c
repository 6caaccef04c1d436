// SPDX-License-Identifier: MIT
// test_penalty_scenes.c: the chain, and the ball and the stick, under the three kinds of penalty forces
#include "check.h"
#include "effort.h"

#include <abut-lab/simulation.h>

static abut_simulation *start(const char *name, abut_response_kind kind, abut_setup **setup)
{
    abut_simulation *made = NULL;
    abut_error error;
    assert_int_equal(abut_setup_create(NULL, name, setup, &error), ABUT_OK);
    (*setup)->response->kind = kind;
    abut_world_def def = abut_setup_world_def(*setup);
    assert_int_equal(abut_simulation_create(NULL, *setup, &def, &made, &error), ABUT_OK);
    return made;
}

static int triangle_count(const abut_setup *setup)
{
    int count = 0;
    for (int i = 0; i < setup->body_count; ++i) {
        count += abut_mesh_get_elements(setup->meshes[setup->bodies[i].mesh].mesh).triangle_count;
    }
    return count;
}

// Figure 9. The stick hits the ball from below. Forces along the path throw it upwards. At the end of the step the
// stick has passed and is beside the ball: the discrete force pushes it sideways.
static void ball_and_stick(void **state)
{
    (void)state;
    for (int kind = ABUT_RESPONSE_CPF; kind <= ABUT_RESPONSE_DISCRETE; ++kind) {
        abut_setup *setup = NULL;
        abut_simulation *s = start("ball-and-stick", (abut_response_kind)kind, &setup);
        CHECK_NEAR(triangle_count(setup), 3000, 100, "triangles");
        for (int i = 0; i < setup->steps; ++i) {
            abut_error error;
            CHECK_STATUS(abut_world_step(s->world, &error), ABUT_OK, "step");
            CHECK_INT(abut_world_get_report(s->world).without_side_count, 0, "sides");
        }
        abut_vec3 v = abut_world_get_body(s->world, 1).linear_velocity;
        if (kind == ABUT_RESPONSE_CPF) {
            CHECK(v.y > 4.0 * hypot(v.x, v.z) && v.y > 1.0, "%g %g %g", v.x, v.y, v.z);
        } else {
            CHECK(fabs(v.x) > 3.0 * hypot(v.y, v.z) && v.x > 0.1, "%g %g %g", v.x, v.y, v.z);
        }
        abut_simulation_destroy(s);
        abut_setup_destroy(setup);
    }
    CHECK_DONE();
}

/// The largest distance of the centers of two links that are next to each other.
static double longest_joint(const abut_world *world, int link_count)
{
    double longest = 0.0;
    for (int i = 0; i + 1 < link_count; ++i) {
        abut_vec3 a = abut_world_get_body(world, i).center, b = abut_world_get_body(world, i + 1).center;
        longest = fmax(longest, abut_norm(abut_sub(a, b)));
    }
    return longest;
}

// Links of radius 1 are linked while their centers are within 2 of each other. Tracked pairs keep them linked.
// Features that are near each other at the end of a step have no force once the wires are in each other, so the chain
// falls apart.
static void chain(void **state)
{
    (void)state;
    int steps = is_long_test() ? 200 : 30;
    for (int kind = ABUT_RESPONSE_CPF; kind <= ABUT_RESPONSE_DISCRETE_CCD; ++kind) {
        abut_setup *setup = NULL;
        abut_simulation *s = start("chain", (abut_response_kind)kind, &setup);
        CHECK_NEAR(triangle_count(setup), 14000, 500, "triangles");
        CHECK_NEAR(setup->dt, 0.02, 0.0, "step");
        CHECK_NEAR(setup->response->stiffness, 10.0, 0.0, "stiffness");
        CHECK_NEAR(setup->response->tolerance, 4e-4, 0.0, "tolerance");
        for (int i = 0; i < steps; ++i) {
            abut_error error;
            CHECK_STATUS(abut_world_step(s->world, &error), ABUT_OK, "step");
        }
        double longest = longest_joint(s->world, setup->body_count - 1);
        CHECK(kind == ABUT_RESPONSE_DISCRETE ? longest > 2.0 : longest < 2.0, "kind %d: %g", kind, longest);
        abut_simulation_destroy(s);
        abut_setup_destroy(setup);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ball_and_stick), cmocka_unit_test(chain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
