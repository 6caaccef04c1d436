// SPDX-License-Identifier: MIT
// test_scale.c: the units of mass and speed change only the unit of impulses
#include "solve/scene.h"

// A stack of four boxes of mass 1 / inverse_mass, after one step of gravity and a push along x and y.
static scene make_stack(double inverse_mass, double push_x, double push_y)
{
    scene s = scene_make();
    int below = scene_add_box(&s, abut_vec3_make(0, 0, -0.5), abut_vec3_make(4, 4, 1), 0.0);
    for (int i = 0; i < 4; ++i) {
        int box = scene_add_box(&s, abut_vec3_make(0, 0, 0.5 + i), abut_vec3_make(1, 1, 1), inverse_mass);
        scene_add_base(&s, below, box, abut_vec3_make(0, 0, i), 1.0, 1.0);
        below = box;
    }
    scene_set_friction(&s, 0.5);
    scene_push(&s, abut_vec3_make(push_x, push_y, -0.0981));
    return s;
}

// If masses and start impulses are 2^k times as large, all impulses are 2^k times as large, while velocities,
// residuals and the number of sweeps are the same to the last bit, since multiplying by a power of two does not round.
// So no threshold of the solver is an impulse in a fixed unit. The solver starts from nothing, and from the impulses
// of the first problem with another push: a little stronger, or from another side, so that the friction of the start
// is wrong.
static void unit_of_mass(void **state)
{
    (void)state;
    const int powers[3] = {0, -30, 30};
    abut_solver *solver = NULL;
    assert_int_equal(abut_solver_create(NULL, &solver), ABUT_OK);
    for (int sweep = 0; sweep < 2; ++sweep) {
        for (int factor = 0; factor < 3; ++factor) {
            scene found[3][3];
            abut_solve_result results[3][3];
            abut_prox_params params = abut_prox_params_default();
            params.sweep = (abut_sweep_rule)sweep;
            params.factor = (abut_factor_rule)factor;
            for (int i = 0; i < 3; ++i) {
                double inverse_mass = ldexp(0.5, -powers[i]);
                params.start = NULL;
                found[0][i] = make_stack(inverse_mass, 0.02, 0.0);
                results[0][i] = scene_prox(&found[0][i], solver, &params);
                params.start = found[0][i].impulses;
                found[1][i] = make_stack(inverse_mass, 0.021, 0.0);
                results[1][i] = scene_prox(&found[1][i], solver, &params);
                found[2][i] = make_stack(inverse_mass, -0.01, 0.04);
                results[2][i] = scene_prox(&found[2][i], solver, &params);
            }
            for (int warm = 0; warm < 3; ++warm) {
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

// If speeds are 2^k times as large, as in another unit of time, impulses and velocities are 2^k times as large to the
// last bit, and the number of sweeps is the same. With finite and infinite friction; from nothing, from start impulses
// that nearly fit, and from some whose friction is wrong.
static void unit_of_speed(void **state)
{
    (void)state;
    const double pushes[3][2] = {{0.02, 0.0}, {0.0200001, 0.0}, {-0.01, 0.04}};
    abut_solver *solver = NULL;
    assert_int_equal(abut_solver_create(NULL, &solver), ABUT_OK);
    for (int is_infinite = 0; is_infinite < 2; ++is_infinite) {
        for (int start = 0; start < 3; ++start) {
            scene found[2];
            abut_solve_result results[2];
            for (int i = 0; i < 2; ++i) {
                abut_prox_params params = abut_prox_params_default();
                scene first = make_stack(0.5, pushes[0][0], pushes[0][1]);
                found[i] = make_stack(0.5, pushes[start][0], pushes[start][1]);
                scene_set_friction(&first, is_infinite ? HUGE_VAL : 0.5);
                scene_set_friction(&found[i], is_infinite ? HUGE_VAL : 0.5);
                for (int k = 0; k < first.body_count; ++k) {
                    first.bodies[k].velocity.linear =
                        abut_scale(i == 0 ? 1.0 : 0x1p20, first.bodies[k].velocity.linear);
                    found[i].bodies[k].velocity.linear =
                        abut_scale(i == 0 ? 1.0 : 0x1p20, found[i].bodies[k].velocity.linear);
                }
                (void)scene_prox(&first, solver, &params);
                params.start = start > 0 ? first.impulses : NULL;
                results[i] = scene_prox(&found[i], solver, &params);
            }
            CHECK_INT(results[1].iterations, results[0].iterations, "sweeps");
            CHECK_INT(results[1].outcome, results[0].outcome, "outcome");
            for (int k = 0; k < found[0].contact_count; ++k) {
                CHECK(0x1p20 * found[0].impulses[k].normal == found[1].impulses[k].normal, "impulse %d, start %d",
                      k, start);
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
        cmocka_unit_test(unit_of_speed),
    };
    return cmocka_run_group_tests_name("scale", tests, NULL, NULL);
}
