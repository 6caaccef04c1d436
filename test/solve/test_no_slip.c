// SPDX-License-Identifier: MIT
// test_no_slip.c: infinite friction: answers on paper for both solvers, and their agreement
#include "scene.h"

static const double gravity = 9.81, dt = 0.01;
static const abut_vec3 up = {0.0, 0.0, 1.0}, zero = {0.0, 0.0, 0.0};

enum { SOLVERS = 4 }; // three factor rules of proximal Gauss-Seidel, and Lemke

static abut_solver *make_solver(void)
{
    abut_solver *solver = NULL;
    assert_int_equal(abut_solver_create(NULL, &solver), ABUT_OK);
    return solver;
}

static abut_solve_result run(scene *s, abut_solver *solver, int which)
{
    if (which == SOLVERS - 1) {
        return scene_mcp(s, solver, NULL);
    }
    abut_prox_params params = abut_prox_params_default();
    params.factor = (abut_factor_rule)which;
    params.iteration_limit = 10000;
    params.relative_tolerance = 1e-12;
    return scene_prox(s, solver, &params);
}

static void check_motion(scene *s, abut_solver *solver, int which, abut_vec3 linear, abut_vec3 angular,
                         const char *label)
{
    scene_set_friction(s, INFINITY);
    abut_solve_result result = run(s, solver, which);
    CHECK(result.outcome == ABUT_SOLVE_CONVERGED, "%s, solver %d: %s", label, which,
          abut_solve_outcome_text(result.outcome));
    CHECK_NEAR(abut_norm(abut_sub(s->velocities[0].linear, linear)), 0.0, 1e-9, label);
    CHECK_NEAR(abut_norm(abut_sub(s->velocities[0].angular, angular)), 0.0, 1e-9, label);
}

// A box on four corners that slides at 3 and spins at 10 stops in one step: two points at rest leave no turn about the normal.
static void a_face_stops(void **state)
{
    (void)state;
    abut_solver *solver = make_solver();
    for (int which = 0; which < SOLVERS; ++which) {
        scene s = scene_make();
        int box = scene_add_box(&s, abut_vec3_make(0.0, 0.0, 0.1), abut_vec3_make(2.0, 1.0, 0.2), 0.5);
        (void)scene_add_base(&s, ABUT_SOLVE_WORLD, box, zero, 2.0, 1.0);
        scene_push(&s, abut_vec3_make(0.3, 0.0, -gravity * dt));
        s.bodies[box].velocity.angular.z = 10.0;
        check_motion(&s, solver, which, zero, zero, "face");
    }
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// A cube of side 2 and mass 1 on one point below its centre, at r = 1: its inertia is 2/3. A spin about the normal through the point stays as it
// is. One that slides at v begins to roll and keeps its angular momentum about the point: w = m r v / (m r^2 + I) = 0.6 v, and the
// speed is w r. One that rolls goes on as it was.
static void a_point_rolls(void **state)
{
    (void)state;
    abut_solver *solver = make_solver();
    const struct {
        double v, w_y, w_z, v_after, w_y_after;
    } rows[] = {{0.0, 0.0, 10.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.6, 0.6}, {2.0, 2.0, 5.0, 2.0, 2.0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        for (int which = 0; which < SOLVERS; ++which) {
            scene s = scene_make();
            int ball = scene_add_box(&s, up, abut_vec3_make(2.0, 2.0, 2.0), 1.0);
            (void)scene_add_contact(&s, ABUT_SOLVE_WORLD, ball, up, zero);
            scene_push(&s, abut_vec3_make(rows[i].v, 0.0, -gravity * dt));
            s.bodies[ball].velocity.angular = abut_vec3_make(0.0, rows[i].w_y, rows[i].w_z);
            check_motion(&s, solver, which, abut_vec3_make(rows[i].v_after, 0.0, 0.0),
                         abut_vec3_make(0.0, rows[i].w_y_after, rows[i].w_z), "point");
        }
    }
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// A wheel that rolls away from a wall which it touches goes on: the wall does not hold what parts from it. Flying up and aside it is not
// held by the ground either, and all impulses are zero.
static void what_parts_is_free(void **state)
{
    (void)state;
    abut_solver *solver = make_solver();
    for (int which = 0; which < SOLVERS; ++which) {
        scene s = scene_make();
        int wheel = scene_add_box(&s, up, abut_vec3_make(2.0, 2.0, 2.0), 1.0);
        (void)scene_add_contact(&s, ABUT_SOLVE_WORLD, wheel, up, zero);
        (void)scene_add_contact(&s, ABUT_SOLVE_WORLD, wheel, abut_vec3_make(1.0, 0.0, 0.0),
                                abut_vec3_make(-1.0, 0.0, 1.0));
        scene_push(&s, abut_vec3_make(1.0, 0.0, -gravity * dt));
        s.bodies[wheel].velocity.angular.y = 1.0;
        check_motion(&s, solver, which, abut_vec3_make(1.0, 0.0, 0.0), abut_vec3_make(0.0, 1.0, 0.0), "wall");
        CHECK(s.impulses[1].normal == 0.0 && abut_norm(s.impulses[1].tangent) == 0.0, "solver %d: the wall pulls",
              which);

        s.bodies[wheel].velocity.linear = abut_vec3_make(1.0, 0.5, 0.25);
        check_motion(&s, solver, which, s.bodies[wheel].velocity.linear, s.bodies[wheel].velocity.angular, "air");
        CHECK(abut_norm(s.impulses[0].tangent) == 0.0, "solver %d: the ground pulls", which);
    }
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// By how much an answer misses the law: bodies sink in or are pulled, what presses slips, what does not press has friction and parts.
static double law_error(const scene *s)
{
    double worst = 0.0;
    for (int i = 0; i < s->contact_count; ++i) {
        const abut_solve_contact *c = &s->contacts[i];
        const abut_solve_impulse *p = &s->impulses[i];
        abut_vec3 u = zero;
        for (int side = 0; side < 2; ++side) {
            int body = side == 0 ? c->body_a : c->body_b;
            if (body != ABUT_SOLVE_WORLD) {
                const abut_solve_velocity *v = &s->velocities[body];
                abut_vec3 at = abut_add(v->linear, abut_cross(v->angular, side == 0 ? c->arm_a : c->arm_b));
                u = abut_add_scaled(u, side == 0 ? -1.0 : 1.0, at);
            }
        }
        double along = abut_dot(u, c->normal);
        double slip = abut_norm(abut_add_scaled(u, -along, c->normal));
        worst = fmax(worst, fmax(-along, -p->normal));
        worst = fmax(worst, fmin(p->normal, fmax(along, slip)));
        worst = fmax(worst, fmin(abut_norm(p->tangent), along));
    }
    return worst;
}

// On random problems both solvers keep the law wherever they say that they did, and then nearly always have the same velocities: more than one
// answer may be right.
static void both_solvers_agree(void **state)
{
    (void)state;
    abut_solver *solver = make_solver();
    test_random random = {7};
    int solved = 0, equal = 0;
    const int problems = 150;
    for (int i = 0; i < problems; ++i) {
        scene a = scene_random(&random, 0.0, 0);
        scene_set_friction(&a, INFINITY);
        scene b = a;
        abut_solve_result prox = run(&a, solver, ABUT_FACTOR_LOCAL), mcp = run(&b, solver, SOLVERS - 1);
        if (prox.outcome == ABUT_SOLVE_CONVERGED) {
            CHECK(law_error(&a) < 1e-8, "problem %d, prox: %g", i, law_error(&a));
        }
        if (mcp.outcome == ABUT_SOLVE_CONVERGED) {
            CHECK(law_error(&b) < 1e-8, "problem %d, mcp: %g", i, law_error(&b));
        }
        if (prox.outcome == ABUT_SOLVE_CONVERGED && mcp.outcome == ABUT_SOLVE_CONVERGED) {
            ++solved;
            equal += scene_difference(&a, &b) < 1e-7;
        }
    }
    CHECK(solved > problems * 2 / 3 && equal > solved * 9 / 10, "%d of %d solved by both, %d alike", solved,
          problems, equal);
    abut_solver_destroy(solver);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_face_stops),
        cmocka_unit_test(a_point_rolls),
        cmocka_unit_test(what_parts_is_free),
        cmocka_unit_test(both_solvers_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
