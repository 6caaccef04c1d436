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
    params.iteration_limit = 20000;
    params.relative_tolerance = 1e-10;
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

// A box on four corners that slides at 0.3 and spins at 10 stops in one step: two points at rest allow no rotation
// about the normal.
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

// A cube of side 2 and mass 1 touches the ground with one point below its centre, at r = 1. Its moment of inertia is
// 2/3. A spin about the normal through the point does not change. A cube that slides at v begins to roll and keeps its
// angular momentum about the point: w = m r v / (m r^2 + I) = 0.6 v, and its speed is w r. A cube that rolls goes on
// rolling.
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

// A wheel rolls away from a wall that it touches, and goes on: a wall does not hold a body that separates from it. If
// the wheel flies up and sideways, the ground does not hold it either, and all impulses are zero.
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

// By how much an answer violates the law: bodies penetrate or are pulled, contacts that press slip or separate,
// contacts that separate have friction.
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

// A box moves down at 1 and along x at 10, and touches the ground with one point behind and below its centre, at (x,
// z) = (-0.5, -0.7). With a = x z / I and b = 1 + z^2 / I, friction f along x gives the point the speeds 10 + b f
// along x and -1 - a f upward. If the point is held, f = -10 / b, and it separates at 10 a / b - 1 = 3.75 although it
// has friction. If it is released, it presses and slips. In the limit of large coefficients, f_n = |f| / mu goes to 0
// and f to -1 / a, and the point slips at 10 - b / a: it neither presses nor separates. Lemke's
// method finds this with a large coefficient, here and by itself; Gauss-Seidel does not, and reports it.
static void what_can_neither_be_held_nor_part_slips(void **state)
{
    (void)state;
    abut_solver *solver = make_solver();
    const double inertia = (1.0 + 1.4 * 1.4) / 12.0, a = 0.35 / inertia, b = 1.0 + 0.49 / inertia;
    scene s = scene_make();
    int box = scene_add_box(&s, zero, abut_vec3_make(1.0, 1.0, 1.4), 1.0);
    (void)scene_add_contact(&s, ABUT_SOLVE_WORLD, box, up, abut_vec3_make(-0.5, 0.0, -0.7));
    s.contacts[0].tangent = abut_vec3_make(1.0, 0.0, 0.0);
    scene_push(&s, abut_vec3_make(10.0, 0.0, -1.0));
    for (int which = 0; which < SOLVERS - 1; ++which) {
        scene_set_friction(&s, INFINITY);
        abut_solve_result result = run(&s, solver, which);
        CHECK(result.outcome == ABUT_SOLVE_INACCURATE && result.residual > 0.1, "solver %d: %s, %g", which,
              abut_solve_outcome_text(result.outcome), result.residual);
    }
    const double coefficients[2] = {1e6, INFINITY}, tolerances[2] = {1e-5, 2e-3}; // in the end it takes 1e4
    abut_vec3 arm = s.contacts[0].arm_b, u = zero;
    for (int i = 0; i < 2; ++i) {
        scene_set_friction(&s, coefficients[i]);
        CHECK(run(&s, solver, SOLVERS - 1).outcome == ABUT_SOLVE_CONVERGED, "a large coefficient");
        u = abut_add(s.velocities[0].linear, abut_cross(s.velocities[0].angular, arm));
        CHECK_NEAR(u.x, 10.0 - b / a, tolerances[i], "slip of the limit");
    }
    CHECK_NEAR(u.z, 0.0, 1e-9, "it does not part");
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// A box at rest on a slope, started from the impulses of the last step: one sweep finds nothing to change.
static void the_start_has_friction(void **state)
{
    (void)state;
    abut_solver *solver = make_solver();
    scene s = scene_make();
    int box = scene_add_box(&s, abut_vec3_make(0.0, 0.0, 0.5), abut_vec3_make(1.0, 1.0, 1.0), 1.0);
    (void)scene_add_base(&s, ABUT_SOLVE_WORLD, box, zero, 1.0, 1.0);
    scene_push(&s, abut_vec3_make(0.5 * gravity * dt, 0.0, -gravity * dt));
    scene_set_friction(&s, INFINITY);
    abut_prox_params params = abut_prox_params_default();
    abut_solve_result cold = scene_prox(&s, solver, &params);
    params.start = s.impulses;
    abut_solve_result warm = scene_prox(&s, solver, &params);
    CHECK(cold.outcome == ABUT_SOLVE_CONVERGED && cold.iterations > 1, "cold: %d iterations", cold.iterations);
    CHECK(warm.outcome == ABUT_SOLVE_CONVERGED && warm.iterations == 1, "warm: %d iterations", warm.iterations);
    CHECK(law_error(&s) < 1e-8, "warm: %g", law_error(&s));
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// Start impulses that do not fit the problem hold no contact: the velocities are the same as without a start.
static void a_start_far_off_changes_nothing(void **state)
{
    (void)state;
    abut_solver *solver = make_solver();
    test_random random = {11};
    int solved = 0;
    const int problems = 100;
    for (int i = 0; i < problems; ++i) {
        scene cold = scene_random(&random, 0.0, 0);
        scene_set_friction(&cold, INFINITY);
        scene warm = cold;
        for (int c = 0; c < warm.contact_count; ++c) {
            abut_solve_impulse far_off = {.normal = 0.3, .tangent = random_vec3(&random, 0.3)};
            warm.impulses[c] = far_off;
        }
        abut_prox_params params = abut_prox_params_default();
        params.iteration_limit = 20000;
        params.relative_tolerance = 1e-10;
        abut_solve_result first = scene_prox(&cold, solver, &params);
        params.start = warm.impulses;
        abut_solve_result second = scene_prox(&warm, solver, &params);
        if (first.outcome == ABUT_SOLVE_CONVERGED && second.outcome == ABUT_SOLVE_CONVERGED) {
            ++solved;
            CHECK(scene_difference(&cold, &warm) < 1e-6, "problem %d: %g", i, scene_difference(&cold, &warm));
        }
    }
    CHECK(solved * 10 >= problems * 9, "%d of %d", solved, problems);
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// In 300 random problems, the answers that the solvers call converged satisfy the law, and both solvers find the same
// velocities. Several answers may be correct, but both solvers choose in the same way. Lemke's method solves all. Where
// Gauss-Seidel reports contacts that can neither be held nor separate, it takes a coefficient of 1e4, and contacts that
// neither press nor separate may slip.
// Gauss-Seidel solves at least 92 of 100: three contacts with friction between two bodies can make a problem so
// ill-conditioned that the iterations are not enough.
static void both_solvers_agree(void **state)
{
    (void)state;
    abut_solver *solver = make_solver();
    test_random random = {7};
    int by_prox = 0, by_mcp = 0;
    const int problems = 300;
    for (int i = 0; i < problems; ++i) {
        scene a = scene_random(&random, 0.0, 0);
        scene_set_friction(&a, INFINITY);
        scene b = a;
        abut_solve_result prox = run(&a, solver, ABUT_FACTOR_LOCAL), mcp = run(&b, solver, SOLVERS - 1);
        int has_prox = prox.outcome == ABUT_SOLVE_CONVERGED, has_mcp = mcp.outcome == ABUT_SOLVE_CONVERGED;
        by_prox += has_prox;
        by_mcp += has_mcp;
        CHECK(!has_prox || law_error(&a) < 1e-7, "problem %d, prox: %g", i, law_error(&a));
        double most = prox.outcome == ABUT_SOLVE_INACCURATE ? 1e-3 : 1e-8;
        CHECK(!has_mcp || law_error(&b) < most, "problem %d, mcp: %g", i, law_error(&b));
        CHECK(!has_prox || !has_mcp || scene_difference(&a, &b) < 1e-7, "problem %d: %g", i,
              scene_difference(&a, &b));
    }
    CHECK(by_prox * 100 >= problems * 92, "prox: %d of %d", by_prox, problems);
    CHECK(by_mcp == problems, "mcp: %d of %d", by_mcp, problems);
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// Random problems with an additional, unconnected body that slides at 10,000: it does not change their velocities.
static void others_change_nothing(void **state)
{
    (void)state;
    abut_solver *solver = make_solver();
    test_random random = {7};
    for (int i = 0; i < 60; ++i) {
        scene alone = scene_random(&random, 0.0, 0);
        scene_set_friction(&alone, INFINITY);
        scene both = alone;
        int slider = scene_add_box(&both, abut_vec3_make(9.0, 0.0, 1.0), abut_vec3_make(1.0, 1.0, 1.0), 1.0);
        (void)scene_add_contact(&both, ABUT_SOLVE_WORLD, slider, up, abut_vec3_make(9.0, 0.0, 0.5));
        both.bodies[slider].velocity.linear = abut_vec3_make(1e4, 0.0, -1.0);
        scene_set_friction(&both, INFINITY);
        for (int which = ABUT_FACTOR_LOCAL; which < SOLVERS; which += 2) {
            abut_solve_result first = run(&alone, solver, which), second = run(&both, solver, which);
            if (first.outcome == ABUT_SOLVE_CONVERGED) {
                CHECK(second.outcome == ABUT_SOLVE_CONVERGED && scene_difference(&alone, &both) < 1e-7,
                      "problem %d, solver %d: %s, %g", i, which, abut_solve_outcome_text(second.outcome),
                      scene_difference(&alone, &both));
            }
        }
    }
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// Twenty copies of a problem that do not touch each other have the same answer twenty times. This also holds for
// Lemke's method, which has to release more contacts the more there are.
static void copies_have_the_same_answer(void **state)
{
    (void)state;
    enum { COPIES = 20 };
    abut_solver *solver = make_solver();
    test_random random = {7};
    for (int i = 0; i < 8; ++i) {
        scene one = scene_random(&random, 0.0, 0);
        scene_set_friction(&one, INFINITY);
        scene all = one;
        for (int k = 1; k < COPIES; ++k) {
            for (int c = 0; c < one.contact_count; ++c) {
                abut_solve_contact *to = &all.contacts[all.contact_count++];
                *to = one.contacts[c];
                to->body_a += to->body_a == ABUT_SOLVE_WORLD ? 0 : all.body_count;
                to->body_b += to->body_b == ABUT_SOLVE_WORLD ? 0 : all.body_count;
            }
            for (int body = 0; body < one.body_count; ++body) {
                all.bodies[all.body_count++] = one.bodies[body];
            }
        }
        abut_solve_result single = run(&one, solver, SOLVERS - 1), result = run(&all, solver, SOLVERS - 1);
        CHECK(result.outcome == single.outcome, "problem %d: %s alone, %s together", i,
              abut_solve_outcome_text(single.outcome), abut_solve_outcome_text(result.outcome));
        for (int body = 0; single.outcome == ABUT_SOLVE_CONVERGED && body < all.body_count; ++body) {
            const abut_solve_velocity *a = &one.velocities[body % one.body_count], *b = &all.velocities[body];
            CHECK(abut_norm(abut_sub(a->linear, b->linear)) < 1e-8 &&
                      abut_norm(abut_sub(a->angular, b->angular)) < 1e-8,
                  "problem %d, body %d", i, body);
        }
    }
    abut_solver_destroy(solver);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_face_stops),
        cmocka_unit_test(a_point_rolls),
        cmocka_unit_test(what_parts_is_free),
        cmocka_unit_test(what_can_neither_be_held_nor_part_slips),
        cmocka_unit_test(the_start_has_friction),
        cmocka_unit_test(a_start_far_off_changes_nothing),
        cmocka_unit_test(both_solvers_agree),
        cmocka_unit_test(others_change_nothing),
        cmocka_unit_test(copies_have_the_same_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
