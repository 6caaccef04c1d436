// SPDX-License-Identifier: MIT
// test_scale.c: the unit of mass changes nothing but the unit of impulses
#include "solve/scene.h"

// A stack of four boxes of mass 1 / inverse_mass that gravity and a push from the side have moved for one step.
static scene make_stack(double inverse_mass, double push)
{
    scene s = scene_make();
    int below = scene_add_box(&s, abut_vec3_make(0, 0, -0.5), abut_vec3_make(4, 4, 1), 0.0);
    for (int i = 0; i < 4; ++i) {
        int box = scene_add_box(&s, abut_vec3_make(0, 0, 0.5 + i), abut_vec3_make(1, 1, 1), inverse_mass);
        scene_add_base(&s, below, box, abut_vec3_make(0, 0, i), 1.0, 1.0);
        below = box;
    }
    scene_set_friction(&s, 0.5);
    scene_push(&s, abut_vec3_make(push, 0.0, -0.0981));
    return s;
}

// Masses that are 2^k times as large, with starts that are too: all impulses are 2^k times as large, and velocities,
// residuals and the number of sweeps are the same to the last bit, as a power of two does not round. So no threshold
// of the solver is an impulse in some unit. From nothing, and from the impulses of a step with another push.
static void unit_of_mass(void **state)
{
    (void)state;
    const int powers[3] = {0, -30, 30};
    abut_solver *solver = NULL;
    assert_int_equal(abut_solver_create(NULL, &solver), ABUT_OK);
    for (int sweep = 0; sweep < 2; ++sweep) {
        for (int factor = 0; factor < 3; ++factor) {
            scene found[2][3];
            abut_solve_result results[2][3];
            abut_prox_params params = abut_prox_params_default();
            params.sweep = (abut_sweep_rule)sweep;
            params.factor = (abut_factor_rule)factor;
            for (int i = 0; i < 3; ++i) {
                double inverse_mass = ldexp(0.5, -powers[i]);
                params.start = NULL;
                found[0][i] = make_stack(inverse_mass, 0.02);
                results[0][i] = scene_prox(&found[0][i], solver, &params);
                params.start = found[0][i].impulses;
                found[1][i] = make_stack(inverse_mass, 0.021);
                results[1][i] = scene_prox(&found[1][i], solver, &params);
            }
            for (int warm = 0; warm < 2; ++warm) {
                const scene *unit = &found[warm][0];
                for (int i = 1; i < 3; ++i) {
                    const scene *other = &found[warm][i];
                    CHECK_INT(results[warm][i].outcome, results[warm][0].outcome, "outcome");
                    CHECK_INT(results[warm][i].iterations, results[warm][0].iterations, "sweeps");
                    CHECK(results[warm][i].residual == results[warm][0].residual, "residual");
                    CHECK(scene_difference(unit, other) == 0.0, "velocities, start %d", warm);
                    for (int k = 0; k < unit->contact_count; ++k) {
                        CHECK(ldexp(unit->impulses[k].normal, powers[i]) == other->impulses[k].normal,
                              "impulse %d: %g, and %g at 2^%d", k, unit->impulses[k].normal,
                              other->impulses[k].normal, powers[i]);
                    }
                }
            }
        }
    }
    abut_solver_destroy(solver);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unit_of_mass),
    };
    return cmocka_run_group_tests_name("scale", tests, NULL, NULL);
}
