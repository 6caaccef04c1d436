// SPDX-License-Identifier: MIT
// test_solver.c: what the solvers promise: bad data is named, memory is reused, sweeps are counted, and a warm start
// helps
#include "failing.h"
#include "scene.h"

static const abut_vec3 up = {0.0, 0.0, 1.0};

// A stack of `count` boxes of mass 1, after one step of gravity.
static scene make_stack(int count)
{
    scene s = scene_make();
    const abut_vec3 cube = {1.0, 1.0, 1.0};
    for (int i = 0; i < count; ++i) {
        int box = scene_add_box(&s, abut_vec3_make(0.0, 0.0, i + 0.5), cube, 1.0);
        (void)scene_add_base(&s, box - 1, box, abut_vec3_make(0.0, 0.0, i), 1.0, 1.0);
    }
    scene_set_friction(&s, 0.5);
    scene_push(&s, abut_vec3_make(0.0, 0.0, -0.0981));
    return s;
}

typedef void change_scene(scene *s);

static void change_inverse_mass(scene *s)
{
    s->bodies[1].inverse_mass = 1.0 / 0.0; // a mass of zero
}
static void change_mass_sign(scene *s)
{
    s->bodies[1].inverse_mass = -1.0;
}
static void change_inertia(scene *s)
{
    s->bodies[1].inverse_inertia.y.z = NAN;
}
static void change_symmetry(scene *s)
{
    s->bodies[1].inverse_inertia.x.y = 0.5;
}
static void change_definite(scene *s)
{
    s->bodies[1].inverse_inertia.x.y = s->bodies[1].inverse_inertia.y.x = 10.0;
}
static void change_velocity(scene *s)
{
    s->bodies[1].velocity.angular.y = HUGE_VAL;
}
static void change_body_a(scene *s)
{
    s->contacts[1].body_a = -2;
}
static void change_body_b(scene *s)
{
    s->contacts[1].body_b = s->body_count;
}
static void change_self(scene *s)
{
    s->contacts[1].body_a = s->contacts[1].body_b;
}
static void change_normal(scene *s)
{
    s->contacts[1].normal = abut_vec3_make(0.0, 0.0, NAN);
}
static void change_normal_length(scene *s)
{
    s->contacts[1].normal = abut_vec3_make(0.0, 0.0, 1.001);
}
static void change_arm(scene *s)
{
    s->contacts[1].arm_b.x = NAN;
}
static void change_friction(scene *s)
{
    s->contacts[1].friction = -0.1;
}
static void change_torsion(scene *s)
{
    s->contacts[1].torsion_radius = NAN;
}
static void change_restitution(scene *s)
{
    s->contacts[1].restitution = 1.1;
}
static void change_speed(scene *s)
{
    s->contacts[1].speed_before = NAN;
}
static void change_correction(scene *s)
{
    s->contacts[1].correction = HUGE_VAL;
}
static void change_gap(scene *s)
{
    s->gap_rule = ABUT_GAP_SIGNED;
    s->contacts[1].gap = NAN;
}
static void change_tangent(scene *s)
{
    s->contacts[1].tangent = up;
}

// Each fault is in body 1 or contact 1. Both solvers refuse it, name it, and write nothing.
static void test_bad_data(void **state)
{
    (void)state;
    const struct {
        change_scene *change;
        const char *text;
    } rows[] = {{change_inverse_mass, "body 1: the inverse mass"},
                {change_mass_sign, "body 1: the inverse mass"},
                {change_inertia, "body 1: the inverse inertia is not finite"},
                {change_symmetry, "body 1: the inverse inertia is not symmetric"},
                {change_definite, "body 1: the inverse inertia is not symmetric and positive semidefinite"},
                {change_velocity, "body 1: the velocity"},
                {change_body_a, "contact 1 of bodies -2 and 0: there is no such body"},
                {change_body_b, "contact 1 of bodies -1 and 2: there is no such body"},
                {change_self, "contact 1 of bodies 0 and 0: a body does not touch itself"},
                {change_normal, "contact 1 of bodies -1 and 0: the normal"},
                {change_normal_length, "contact 1 of bodies -1 and 0: the normal"},
                {change_arm, "contact 1 of bodies -1 and 0: an arm"},
                {change_friction, "contact 1 of bodies -1 and 0: the friction"},
                {change_torsion, "contact 1 of bodies -1 and 0: the torsion"},
                {change_restitution, "contact 1 of bodies -1 and 0: the restitution"},
                {change_speed, "contact 1 of bodies -1 and 0: the speed"},
                {change_correction, "contact 1 of bodies -1 and 0: the speed before or the correction"},
                {change_gap, "contact 1 of bodies -1 and 0: the gap"},
                {change_tangent, "contact 1 of bodies -1 and 0: the tangent"}};
    abut_solver *solver = NULL;
    assert_int_equal(abut_solver_create(NULL, &solver), ABUT_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        for (int solver_kind = 0; solver_kind < 2; ++solver_kind) {
            scene s = make_stack(2);
            rows[i].change(&s);
            abut_solve_problem problem = scene_problem(&s);
            abut_solve_result result = {.velocities = s.velocities, .impulses = s.impulses, .iterations = -7};
            abut_error error = {.status = ABUT_OK};
            abut_status status = solver_kind == 0 ? abut_solve_prox(solver, &problem, NULL, &result, &error)
                                                  : abut_solve_mcp(solver, &problem, NULL, &result, &error);
            CHECK_STATUS(status, ABUT_BAD_DATA, rows[i].text);
            CHECK_INT(error.element, 1, rows[i].text);
            CHECK(strncmp(error.text, rows[i].text, strlen(rows[i].text)) == 0, "'%s' is not '%s'", error.text,
                  rows[i].text);
            CHECK_INT(result.iterations, -7, rows[i].text);
            CHECK_NEAR(s.impulses[0].normal, 0.0, 0.0, rows[i].text);
        }
    }
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// Invalid arguments.
static void test_bad_arguments(void **state)
{
    (void)state;
    abut_solver *solver = NULL;
    assert_int_equal(abut_solver_create(NULL, &solver), ABUT_OK);
    scene s = make_stack(2);
    abut_solve_problem good = scene_problem(&s), bad[7];
    abut_solve_result result = {.velocities = NULL};
    for (int i = 0; i < 7; ++i) {
        bad[i] = good;
    }
    bad[0].struct_size = 0;
    bad[1].body_count = -1;
    bad[2].contact_count = -1;
    bad[3].bodies = NULL;
    bad[4].contacts = NULL;
    bad[5].gap_rule = (abut_gap_rule)3;
    bad[6].gap_rule = ABUT_GAP_POSITIVE;
    bad[6].dt = 0.0;
    for (int i = 0; i < 7; ++i) {
        CHECK_STATUS(abut_solve_prox(solver, &bad[i], NULL, &result, NULL), ABUT_BAD_ARGUMENT, "problem");
        CHECK_STATUS(abut_solve_mcp(solver, &bad[i], NULL, &result, NULL), ABUT_BAD_ARGUMENT, "problem");
    }
    CHECK_STATUS(abut_solve_prox(solver, NULL, NULL, &result, NULL), ABUT_BAD_ARGUMENT, "no problem");
    CHECK_STATUS(abut_solve_prox(solver, &good, NULL, NULL, NULL), ABUT_BAD_ARGUMENT, "no result");

    abut_prox_params prox[8];
    for (int i = 0; i < 8; ++i) {
        prox[i] = abut_prox_params_default();
    }
    prox[0].struct_size = 1;
    prox[1].factor = (abut_factor_rule)3;
    prox[2].iteration_limit = -1;
    prox[3].absolute_tolerance = NAN;
    prox[4].relative_tolerance = -1.0;
    prox[5].growth = 0.5;
    prox[6].reduction = 0.0;
    prox[7].reduction = 1.5;
    for (int i = 0; i < 8; ++i) {
        CHECK_STATUS(abut_solve_prox(solver, &good, &prox[i], &result, NULL), ABUT_BAD_ARGUMENT, "prox");
    }
    abut_mcp_params mcp[4];
    for (int i = 0; i < 4; ++i) {
        mcp[i] = abut_mcp_params_default();
    }
    mcp[0].directions = 3;
    mcp[1].directions = 0;
    mcp[2].iteration_limit = -1;
    mcp[3].tolerance = NAN;
    for (int i = 0; i < 4; ++i) {
        CHECK_STATUS(abut_solve_mcp(solver, &good, &mcp[i], &result, NULL), ABUT_BAD_ARGUMENT, "mcp");
    }
    abut_error error;
    mcp[0].directions = 2000000000;
    CHECK_STATUS(abut_solve_mcp(solver, &good, &mcp[0], &result, &error), ABUT_LIMIT, "unknowns");
    s.contacts[2].torsion_radius = 0.1;
    CHECK_STATUS(abut_solve_mcp(solver, &good, NULL, &result, &error), ABUT_UNSUPPORTED, "torsion");
    CHECK_INT(error.element, 2, "torsion");

    abut_solve_impulse start[8] = {{0.0, {0.0, 0.0, 0.0}, 0.0}};
    start[3].tangent.y = NAN;
    abut_prox_params params = abut_prox_params_default();
    params.start = start;
    CHECK_STATUS(abut_solve_prox(solver, &good, &params, &result, &error), ABUT_BAD_DATA, "start");
    CHECK_INT(error.element, 3, "start");
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// An empty problem is solved. Speeds near the largest double make the solver diverge, and the answer stays finite.
static void test_extremes(void **state)
{
    (void)state;
    abut_solver *solver = NULL;
    assert_int_equal(abut_solver_create(NULL, &solver), ABUT_OK);
    abut_solve_problem nothing = abut_solve_problem_default();
    abut_solve_result result = {.velocities = NULL};
    CHECK_STATUS(abut_solve_prox(solver, &nothing, NULL, &result, NULL), ABUT_OK, "nothing");
    CHECK_INT(result.outcome, ABUT_SOLVE_CONVERGED, "nothing");
    CHECK_STATUS(abut_solve_mcp(solver, &nothing, NULL, &result, NULL), ABUT_OK, "nothing");
    CHECK_INT(result.outcome, ABUT_SOLVE_CONVERGED, "nothing");

    scene s = make_stack(2);
    s.bodies[1].velocity.linear.z = -1e300;
    result = scene_prox(&s, solver, NULL);
    CHECK_INT(result.outcome, ABUT_SOLVE_DIVERGED, "huge");
    for (int i = 0; i < s.contact_count; ++i) {
        CHECK(isfinite(s.impulses[i].normal) && abut_is_finite(s.impulses[i].tangent), "contact %d", i);
    }
    CHECK(abut_is_finite(s.velocities[0].linear) && abut_is_finite(s.velocities[1].angular), "velocities");
    s.contacts[0].arm_b.x = 1e200;
    result = scene_mcp(&s, solver, NULL);
    CHECK_INT(result.outcome, ABUT_SOLVE_DIVERGED, "huge arm");
    CHECK_NEAR(s.impulses[0].normal, 0.0, 0.0, "huge arm");

    // Without friction, a NaN could look like a separating contact. An impulse of 1e157 at an arm of 1e-156 would give
    // a body of inverse inertia 1e308 a spin of 1e309.
    s = scene_make();
    int body = scene_add_box(&s, up, abut_vec3_make(1.0, 1.0, 1.0), 1e-10);
    s.bodies[body].inverse_inertia.y.y = 1e308;
    s.bodies[body].velocity.linear.z = -1e153;
    int c = scene_add_contact(&s, ABUT_SOLVE_WORLD, body, up, up);
    s.contacts[c].arm_b = abut_vec3_make(1e-156, 0.0, 0.0);
    CHECK_INT(scene_prox(&s, solver, NULL).outcome, ABUT_SOLVE_DIVERGED, "turning");
    CHECK(abut_is_finite(s.velocities[body].angular), "turning at %g", s.velocities[body].angular.y);
    for (int outcome = 0; outcome < 5; ++outcome) {
        CHECK(abut_solve_outcome_text((abut_solve_outcome)outcome) != NULL, "outcome %d", outcome);
    }
    CHECK(abut_solve_outcome_text((abut_solve_outcome)5) == NULL, "outcome 5");
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// The history has one residual for each sweep, up to its capacity. The result's residual is the last one that was
// accepted. With growth 1, every sweep that is worse than the best so far is undone. The velocities are then still
// those that the impulses give.
static void test_history(void **state)
{
    (void)state;
    abut_solver *solver = NULL;
    assert_int_equal(abut_solver_create(NULL, &solver), ABUT_OK);
    scene s = make_stack(6);
    scene_push(&s, abut_vec3_make(0.03, 0.01, 0.0));
    abut_solve_problem problem = scene_problem(&s);
    double history[400];
    for (int strict = 0; strict < 2; ++strict) {
        abut_prox_params params = abut_prox_params_default();
        params.iteration_limit = 300;
        params.sweep = ABUT_SWEEP_FORWARD;
        params.growth = strict ? 1.0 : 10.0;
        params.relative_tolerance = 0.0;
        abut_solve_result result = {
            .velocities = s.velocities, .impulses = s.impulses, .history = history, .history_capacity = 400};
        CHECK_STATUS(abut_solve_prox(solver, &problem, &params, &result, NULL), ABUT_OK, "history");
        CHECK_INT(result.outcome, ABUT_SOLVE_ITERATIONS, "history");
        CHECK_INT(result.iterations, 300, "history");
        CHECK_INT(result.history_count, 300, "history");
        CHECK_NEAR(result.scale, 0.0981, 1e-15, "scale");
        double least = HUGE_VAL, last = 0.0;
        int rejected = 0;
        for (int i = 0; i < 300; ++i) {
            if (history[i] > params.growth * least) {
                ++rejected;
            } else {
                last = history[i];
                least = fmin(least, last);
            }
        }
        CHECK_INT(result.rejections, rejected, "rejections");
        CHECK(strict ? rejected > 0 : rejected == 0, "rejected %d", rejected);
        CHECK_NEAR(result.residual, last, 0.0, "residual");
        scene_errors errors = scene_find_errors(&s);
        CHECK(errors.velocity <= 1e-13, "velocities are off by %g", errors.velocity);
        CHECK(errors.cone <= 1e-15 && errors.smallest_normal >= 0.0, "cone %g", errors.cone);
    }
    abut_solve_result result = {.history = history, .history_capacity = 5};
    CHECK_STATUS(abut_solve_prox(solver, &problem, NULL, &result, NULL), ABUT_OK, "capacity");
    CHECK_INT(result.history_count, 5, "capacity");
    CHECK(result.iterations > 5, "%d iterations", result.iterations);

    // No sweeps: the velocities are those with the start impulses.
    abut_prox_params params = abut_prox_params_default();
    params.iteration_limit = 0;
    params.start = s.impulses;
    scene again = s;
    (void)scene_prox(&again, solver, &params);
    CHECK(scene_difference(&again, &s) <= 1e-13, "differ by %g", scene_difference(&again, &s));
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// The same contacts in another order. Started from the impulses of the first solution, the solver finds the same
// velocities in a few sweeps.
static void test_warm_start(void **state)
{
    (void)state;
    abut_solver *solver = NULL;
    assert_int_equal(abut_solver_create(NULL, &solver), ABUT_OK);
    scene s = make_stack(5), turned = s;
    for (int i = 0; i < s.contact_count; ++i) {
        turned.contacts[i] = s.contacts[(7 * i + 3) % s.contact_count];
    }
    abut_prox_params params = abut_prox_params_default();
    params.iteration_limit = 100000;
    abut_solve_result cold = scene_prox(&s, solver, &params);
    abut_solve_past past = {s.contacts, s.impulses, s.contact_count};
    abut_solve_problem problem = scene_problem(&turned);
    int matched = 0;
    CHECK_STATUS(abut_solve_match(solver, &past, &problem, turned.impulses, &matched), ABUT_OK, "match");
    CHECK_INT(matched, s.contact_count, "match");
    params.start = turned.impulses; // the result has the same array
    abut_solve_result warm = scene_prox(&turned, solver, &params);
    CHECK_INT(cold.outcome, ABUT_SOLVE_CONVERGED, "cold");
    CHECK_INT(warm.outcome, ABUT_SOLVE_CONVERGED, "warm");
    CHECK(warm.iterations * 10 < cold.iterations, "%d sweeps, cold %d", warm.iterations, cold.iterations);
    CHECK(scene_difference(&s, &turned) <= 1e-6, "velocities differ by %g", scene_difference(&s, &turned));
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// The contacts are now (0,1,id 5), (0,1,id 5), (1,2,id 5), (0,1,id 9), and were (1,2,5), (0,1,5), (0,1,7). The first
// of the two equal ones gets the impulse, (1,2,5) gets its own, and the others get zero. Friction (1,0,1) with the
// normal z becomes (1,0,0).
static void test_match(void **state)
{
    (void)state;
    abut_solver *solver = NULL;
    assert_int_equal(abut_solver_create(NULL, &solver), ABUT_OK);
    abut_solve_contact now[4] = {abut_solve_contact_default(0, 1, up), abut_solve_contact_default(0, 1, up),
                                 abut_solve_contact_default(1, 2, up), abut_solve_contact_default(0, 1, up)};
    abut_solve_contact before[3] = {abut_solve_contact_default(1, 2, up), abut_solve_contact_default(0, 1, up),
                                    abut_solve_contact_default(0, 1, up)};
    now[0].id = now[1].id = now[2].id = before[0].id = before[1].id = 5;
    now[3].id = 9;
    before[2].id = 7;
    abut_solve_impulse impulses[3] = {
        {1.0, {1.0, 0.0, 1.0}, 0.5}, {2.0, {0.0, 0.0, 0.0}, 0.0}, {3.0, {0, 0, 0}, 0.0}};
    abut_solve_past past = {before, impulses, 3};
    abut_solve_problem problem = abut_solve_problem_default();
    problem.contacts = now;
    problem.contact_count = 4;
    abut_solve_impulse start[4];
    int matched = -1;
    CHECK_STATUS(abut_solve_match(solver, &past, &problem, start, &matched), ABUT_OK, "match");
    CHECK_INT(matched, 2, "match");
    const double normals[4] = {2.0, 0.0, 1.0, 0.0};
    for (int i = 0; i < 4; ++i) {
        CHECK_NEAR(start[i].normal, normals[i], 0.0, "match");
    }
    CHECK_NEAR(abut_norm(abut_sub(start[2].tangent, abut_vec3_make(1.0, 0.0, 0.0))), 0.0, 0.0, "tangent");
    CHECK_NEAR(start[2].torsion, 0.5, 0.0, "torsion");

    past.count = 0;
    CHECK_STATUS(abut_solve_match(solver, &past, &problem, start, NULL), ABUT_OK, "no past");
    CHECK_NEAR(start[0].normal, 0.0, 0.0, "no past");
    past.count = -1;
    CHECK_STATUS(abut_solve_match(solver, &past, &problem, start, NULL), ABUT_BAD_ARGUMENT, "count");
    past.count = 3;
    CHECK_STATUS(abut_solve_match(solver, &past, &problem, NULL, NULL), ABUT_BAD_ARGUMENT, "no room");
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// Calls every function of a solver once, as a step of a simulation would.
static abut_status run_all(abut_solver *solver, scene *s)
{
    abut_solve_problem problem = scene_problem(s);
    abut_solve_result result = {.velocities = s->velocities, .impulses = s->impulses};
    abut_solve_past past = {s->contacts, s->impulses, s->contact_count};
    abut_solve_impulse start[SCENE_CONTACTS];
    abut_prox_params params = abut_prox_params_default();
    params.iteration_limit = 20;
    params.factor = ABUT_FACTOR_BLOCKED;
    const double matrix[4] = {1.0, 0.0, 0.0, 1.0}, vector[2] = {-1.0, -1.0};
    double z[2];
    abut_lcp lcp = {2, matrix, vector};
    abut_lcp_answer answer = {.z = z};
    abut_status status = abut_solve_prox(solver, &problem, &params, &result, NULL);
    if (status == ABUT_OK) {
        status = abut_solve_mcp(solver, &problem, NULL, &result, NULL);
    }
    if (status == ABUT_OK) {
        status = abut_solve_match(solver, &past, &problem, start, NULL);
    }
    return status == ABUT_OK ? abut_lcp_lemke(solver, &lcp, NULL, &answer, NULL) : status;
}

// After two rounds there are no more heap calls for problems of the same or a smaller size. Each failed allocation is
// reported, and nothing leaks.
static void test_memory(void **state)
{
    (void)state;
    failing_heap heap = {0, 0, 0};
    abut_context context = failing_context(&heap);
    abut_solver *solver = NULL;
    assert_int_equal(abut_solver_create(&context, &solver), ABUT_OK);
    scene s = make_stack(4), smaller = make_stack(2), held = make_stack(4);
    scene_set_friction(&held, INFINITY);
    for (int round = 0; round < 5; ++round) {
        int calls = heap.calls;
        CHECK_STATUS(run_all(solver, &s), ABUT_OK, "memory");
        CHECK_STATUS(run_all(solver, &smaller), ABUT_OK, "memory");
        CHECK_STATUS(run_all(solver, &held), ABUT_OK, "memory");
        CHECK(round < 2 || heap.calls == calls, "round %d: %d heap calls", round, heap.calls - calls);
    }
    abut_solver_destroy(solver);
    CHECK_INT(heap.live, 0, "leak");

    abut_status status = ABUT_NO_MEMORY;
    for (int fail_at = 1; fail_at < 100 && status != ABUT_OK; ++fail_at) {
        heap = (failing_heap){0, fail_at, 0};
        status = abut_solver_create(&context, &solver);
        if (status == ABUT_OK) {
            status = run_all(solver, &held);
            abut_solver_destroy(solver);
        }
        CHECK(status == ABUT_OK || status == ABUT_NO_MEMORY, "fail at %d: %s", fail_at, abut_status_text(status));
        CHECK_INT(heap.live, 0, "leak");
    }
    CHECK_STATUS(status, ABUT_OK, "memory");
    CHECK_DONE();
}

// With other units of mass, length and speed, from grains to buildings, velocities and impulses are the same in these
// units.
static void test_scales(void **state)
{
    (void)state;
    abut_solver *solver = NULL;
    assert_int_equal(abut_solver_create(NULL, &solver), ABUT_OK);
    test_random random = {41};
    for (int round = 0; round < 60; ++round) {
        scene base = scene_random(&random, 0.1, 0), scaled = base;
        double mass = pow(10.0, random_in(&random, -9.0, 9.0)), length = pow(10.0, random_in(&random, -3.0, 3.0));
        double speed = pow(10.0, random_in(&random, -6.0, 6.0));
        for (int i = 0; i < base.body_count; ++i) {
            abut_solve_body *body = &scaled.bodies[i];
            double inertia = mass * length * length;
            body->inverse_mass /= mass;
            body->inverse_inertia.x = abut_scale(1.0 / inertia, body->inverse_inertia.x);
            body->inverse_inertia.y = abut_scale(1.0 / inertia, body->inverse_inertia.y);
            body->inverse_inertia.z = abut_scale(1.0 / inertia, body->inverse_inertia.z);
            body->velocity.linear = abut_scale(speed, body->velocity.linear);
            body->velocity.angular = abut_scale(speed / length, body->velocity.angular);
        }
        for (int i = 0; i < base.contact_count; ++i) {
            scaled.contacts[i].arm_a = abut_scale(length, scaled.contacts[i].arm_a);
            scaled.contacts[i].arm_b = abut_scale(length, scaled.contacts[i].arm_b);
        }
        for (int kind = 0; kind < 2; ++kind) {
            abut_solve_result a = kind == 0 ? scene_prox(&base, solver, NULL) : scene_mcp(&base, solver, NULL);
            abut_solve_result b = kind == 0 ? scene_prox(&scaled, solver, NULL) : scene_mcp(&scaled, solver, NULL);
            CHECK_INT(b.outcome, a.outcome, "outcome");
            CHECK_INT(b.iterations, a.iterations, "iterations");
            for (int i = 0; i < base.body_count; ++i) {
                abut_vec3 linear = abut_scale(1.0 / speed, scaled.velocities[i].linear);
                double difference = abut_norm(abut_sub(linear, base.velocities[i].linear));
                CHECK(difference <= 1e-9, "round %d, solver %d: body %d differs by %g", round, kind, i, difference);
            }
            for (int i = 0; i < base.contact_count; ++i) {
                double difference = scaled.impulses[i].normal / (mass * speed) - base.impulses[i].normal;
                CHECK(fabs(difference) <= 1e-9, "round %d, solver %d: contact %d differs by %g", round, kind, i,
                      difference);
            }
        }
    }
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// The same input gives the same bytes, whatever the solver did before.
static void test_repeats(void **state)
{
    (void)state;
    abut_solver *fresh = NULL, *used = NULL;
    assert_int_equal(abut_solver_create(NULL, &fresh), ABUT_OK);
    assert_int_equal(abut_solver_create(NULL, &used), ABUT_OK);
    scene other = make_stack(6), a = make_stack(3), b = a;
    (void)scene_prox(&other, used, NULL);
    (void)scene_mcp(&other, used, NULL);
    (void)scene_prox(&a, fresh, NULL);
    (void)scene_prox(&b, used, NULL);
    CHECK(memcmp(a.impulses, b.impulses, sizeof a.impulses) == 0, "prox");
    CHECK(memcmp(a.velocities, b.velocities, sizeof a.velocities) == 0, "prox");
    (void)scene_mcp(&a, fresh, NULL);
    (void)scene_mcp(&b, used, NULL);
    CHECK(memcmp(a.impulses, b.impulses, sizeof a.impulses) == 0, "mcp");
    CHECK(memcmp(a.velocities, b.velocities, sizeof a.velocities) == 0, "mcp");
    abut_solver_destroy(fresh);
    abut_solver_destroy(used);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_data), cmocka_unit_test(test_bad_arguments), cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_history),  cmocka_unit_test(test_warm_start),    cmocka_unit_test(test_match),
        cmocka_unit_test(test_memory),   cmocka_unit_test(test_repeats),       cmocka_unit_test(test_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
