// SPDX-License-Identifier: MIT
// test_world_failure.c: worlds and steps that must fail; a failed step leaves no trace
#include "stage.h"

static const abut_vec3 zero = {0, 0, 0};

/// A cube of side 1, sunk into the ground by a depth.
static stage make_sunk(const abut_world_def *def, double depth)
{
    stage s = make_stage(NULL, def, 0.5, 0.0);
    add_ground(&s);
    add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(0, 0.5 - depth, 0), zero, 0);
    return s;
}

/// Two pivots are not enough for four contacts, so there are no impulses: the step fails instead of letting the cube
/// fall.
static void lemke_without_an_answer_fails(void **state)
{
    (void)state;
    for (int limit = 0; limit <= 2; limit += 2) {
        abut_world_def def = falling();
        def.solver = ABUT_SOLVER_MCP;
        abut_mcp_params mcp = abut_mcp_params_default();
        mcp.iteration_limit = limit;
        def.mcp = &mcp;
        stage s = make_sunk(&def, 0.0);
        abut_error error = {.text = ""};
        CHECK_STATUS(abut_world_step(s.world, &error), limit == 0 ? ABUT_OK : ABUT_LIMIT, error.text);
        CHECK(limit == 0 || (strstr(error.text, "step 1") != NULL && strstr(error.text, "iterations") != NULL),
              "text: %s", error.text);
        CHECK_NEAR(abut_world_get_body(s.world, 1).center.y, 0.5, 1e-12, "height");
        end_stage(&s);
    }
    CHECK_DONE();
}

static abut_status refuse(const abut_query *query, abut_sink *sink)
{
    (void)query;
    return abut_sink_fail(sink, ABUT_OVERLAP, "too deep for this method");
}

/// A method that can do nothing with bodies that overlap.
static const abut_method timid = {.abi = ABUT_METHOD_ABI,
                                  .struct_size = sizeof(abut_method),
                                  .name = "timid",
                                  .summary = "refuses all pairs",
                                  .source = "none",
                                  .needs = ABUT_NEEDS_TRIANGLES,
                                  .query = refuse};

/// A cube is 0.2 deep in the ground. A method that refuses ends the step, with its name, the bodies and its reason. `auto`
/// and `regions` answer: the cube's four corners in the ground.
static void a_method_that_refuses_ends_the_step(void **state)
{
    (void)state;
    const abut_method *methods[] = {&timid, abut_method_find("auto"), abut_method_find("regions")};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; ++i) {
        abut_world_def def = falling();
        def.method = methods[i];
        stage s = make_sunk(&def, 0.2);
        abut_error error = {.text = ""};
        CHECK_STATUS(abut_world_step(s.world, &error), i == 0 ? ABUT_OVERLAP : ABUT_OK, error.text);
        CHECK_INT(abut_world_get_report(s.world).contact_count, i == 0 ? 0 : 4, methods[i]->name);
        CHECK(i > 0 ||
                  (strstr(error.text, "step 1: ") != NULL && strstr(error.text, "method timid: too deep") != NULL),
              "%s", error.text);
        end_stage(&s);
    }
    CHECK_DONE();
}

/// What must be equal after a step.
typedef struct trace {
    abut_body_state bodies[3];
    int contact_count, matched, iterations;
    uint64_t ids[32];
} trace;

/// Boxes slide on each other. The solver has few iterations, so that the result shows the start impulses. With
/// `has_failures`, some steps are preceded by a step that fails after the solver ran, or by a detection while the
/// ground is far away.
static trace run_with(int has_failures)
{
    abut_world_def def = falling();
    def.speed_limit = 100.0;
    abut_prox_params prox = *def.prox;
    prox.iteration_limit = 3;
    def.prox = &prox;
    stage s = make_stage(NULL, &def, 0.3, 0.0);
    add_ground(&s);
    add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(0, 0.5, 0), abut_vec3_make(0.3, 0, 0), 0);
    int top = add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(0.1, 1.5, 0), abut_vec3_make(1.3, 0, 0.1), 0);
    for (int i = 0; i < 40; ++i) {
        abut_error error = {.text = ""};
        if (has_failures && i % 10 == 5) {
            abut_body_state body = abut_world_get_body(s.world, top);
            abut_world_push(s.world, top, abut_vec3_make(1e9, 0, 0), body.center, zero);
            CHECK_STATUS(abut_world_step(s.world, &error), ABUT_LIMIT, "pushed");
            abut_world_push(s.world, top, abut_vec3_make(-1e9, 0, 0), body.center, zero);
        }
        if (has_failures && i % 10 == 8) { // move the ground: its pose was set, and so is restored exactly
            abut_pose pose = abut_world_get_body(s.world, 0).pose, away = pose;
            away.position.y -= 10.0;
            CHECK_STATUS(abut_world_set_body(s.world, 0, away, zero, zero, &error), ABUT_OK, "away");
            CHECK_STATUS(abut_world_detect(s.world, &error), ABUT_OK, error.text);
            CHECK_INT(abut_world_get_report(s.world).pair_count, 1, "pairs without the ground");
            CHECK_STATUS(abut_world_set_body(s.world, 0, pose, zero, zero, &error), ABUT_OK, "back");
        }
        run(&s, 1);
    }
    trace t = {.contact_count = 0};
    for (int i = 0; i < 3; ++i) {
        t.bodies[i] = abut_world_get_body(s.world, i);
    }
    abut_world_report report = abut_world_get_report(s.world);
    t.contact_count = report.contact_count;
    t.matched = report.matched;
    t.iterations = report.iterations;
    for (int i = 0; i < report.contact_count && i < 32; ++i) {
        t.ids[i] = report.contacts[i].contact.id;
    }
    end_stage(&s);
    return t;
}

static void a_failed_step_leaves_no_trace(void **state)
{
    (void)state;
    trace expected = run_with(0), found = run_with(1);
    CHECK(memcmp(&expected.bodies, &found.bodies, sizeof expected.bodies) == 0, "the bodies differ");
    CHECK_INT(expected.contact_count, 8, "contacts");
    CHECK_INT(found.contact_count, expected.contact_count, "contacts");
    CHECK_INT(found.matched, expected.matched, "contacts with an impulse of the last step");
    CHECK_INT(found.iterations, expected.iterations, "iterations");
    CHECK(memcmp(&expected.ids, &found.ids, sizeof expected.ids) == 0, "the ids differ");
    CHECK_DONE();
}

/// A push that is not finite makes the next step fail with a message that names the body, and is then dropped. A push
/// on another body is kept until a step succeeds.
static void a_bad_push_is_dropped(void **state)
{
    (void)state;
    abut_world_def def = abut_world_def_default();
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    add_box(&s, abut_vec3_make(1, 1, 1), zero, zero, 0);
    add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(3, 0, 0), zero, 0);
    const double bad[] = {NAN, HUGE_VAL};
    for (int i = 0; i < 2; ++i) {
        abut_error error = {.text = ""};
        abut_world_push(s.world, 0, abut_vec3_make(0, 2000.0, 0), zero, zero);
        abut_world_push(s.world, 1, abut_vec3_make(bad[i], 0, 0), zero, zero);
        CHECK_STATUS(abut_world_step(s.world, &error), ABUT_BAD_DATA, "pushed");
        CHECK(strstr(error.text, "body 1") != NULL && error.element == 1, "text: %s", error.text);
        run(&s, 1);
        CHECK_NEAR(abut_world_get_body(s.world, 0).linear_velocity.y, (i + 1) * def.dt, 1e-15,
                   "speed of the other");
        CHECK_NEAR(abut_norm(abut_world_get_body(s.world, 1).linear_velocity), 0.0, 0.0, "speed");
    }
    end_stage(&s);
    CHECK_DONE();
}

static void count_step(void *user, const abut_world *world)
{
    int *count = user;
    ++*count;
    CHECK_INT(abut_world_get_report(world).step, *count, "step");
}

/// on_step is called once after each successful step, and not after a failed one.
static void done_steps_are_told(void **state)
{
    (void)state;
    int count = 0;
    abut_world_def def = falling();
    def.callbacks.on_step = count_step;
    def.callbacks.user = &count;
    stage s = make_sunk(&def, 0.0);
    run(&s, 3);
    abut_error error;
    abut_world_push(s.world, 1, abut_vec3_make(NAN, 0, 0), zero, zero);
    CHECK_STATUS(abut_world_step(s.world, &error), ABUT_BAD_DATA, "pushed");
    CHECK_STATUS(abut_world_detect(s.world, &error), ABUT_OK, "detect");
    CHECK_INT(count, 3, "calls");
    run(&s, 1);
    CHECK_INT(count, 4, "calls");
    end_stage(&s);
    CHECK_DONE();
}

/// What the callback does to the contacts of a step.
typedef struct contact_rule {
    double friction;
    abut_status status;
} contact_rule;

static abut_status apply_rule(void *user, abut_world *world, abut_world_contact *contacts, int count)
{
    const contact_rule *rule = user;
    CHECK(count > 0 && contacts == abut_world_get_report(world).contacts, "contacts of the report");
    for (int i = 0; i < count; ++i) {
        contacts[i].friction = rule->friction;
    }
    return rule->status;
}

/// A cube that slides at 1 loses mu g dt in a step, with the mu that the callback sets. If that is 0, or the step
/// fails, the cube keeps its speed.
static void contacts_may_be_changed(void **state)
{
    (void)state;
    abut_world_def def = falling();
    const struct {
        contact_rule rule;
        abut_status status;
        double speed;
    } rows[] = {{{0.5, ABUT_OK}, ABUT_OK, 1.0 - 0.5 * g * def.dt},
                {{0.25, ABUT_OK}, ABUT_OK, 1.0 - 0.25 * g * def.dt},
                {{0.0, ABUT_OK}, ABUT_OK, 1.0},
                {{0.5, ABUT_LIMIT}, ABUT_LIMIT, 1.0},
                {{-0.5, ABUT_OK}, ABUT_BAD_DATA, 1.0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        contact_rule rule = rows[i].rule;
        def.callbacks.on_contacts = apply_rule;
        def.callbacks.user = &rule;
        stage s = make_sunk(&def, 0.0);
        abut_error error = {.text = ""};
        abut_pose pose = abut_world_get_body(s.world, 1).pose;
        assert_int_equal(abut_world_set_body(s.world, 1, pose, abut_vec3_make(1, 0, 0), zero, &error), ABUT_OK);
        CHECK_STATUS(abut_world_step(s.world, &error), rows[i].status, error.text);
        CHECK_NEAR(abut_world_get_body(s.world, 1).linear_velocity.x, rows[i].speed, 1e-10, "speed");
        CHECK_INT(abut_world_get_report(s.world).step, rows[i].status == ABUT_OK, "steps");
        CHECK(rows[i].status == ABUT_OK || strstr(error.text, "step 1") != NULL, "text: %s", error.text);
        end_stage(&s);
    }
    CHECK_DONE();
}

/// Lemke's method has no torsional friction: creating the world fails, not its first step.
static void torsion_needs_its_solver(void **state)
{
    (void)state;
    for (int solver = 0; solver < 2; ++solver) {
        abut_world_def def = abut_world_def_default();
        def.solver = (abut_solver_kind)solver;
        def.torsion_radius = 0.1;
        abut_world *world = NULL;
        abut_error error = {.text = ""};
        CHECK_STATUS(abut_world_create(NULL, &def, &world, &error),
                     solver == ABUT_SOLVER_MCP ? ABUT_BAD_ARGUMENT : ABUT_OK, error.text);
        CHECK(solver != ABUT_SOLVER_MCP || strstr(error.text, "torsion_radius") != NULL, "text: %s", error.text);
        abut_world_destroy(world);
    }
    CHECK_DONE();
}

/// Parameters that are wrong are refused when the world is made, or when a method is set, and not by the first body or
/// step. The text names the struct and the field.
static void bad_parameters_are_refused(void **state)
{
    (void)state;
    const abut_option unknown = {"nonsense", 1.0}, no_choice = {"gaps", 7.0};
    const struct {
        const char *part, *field;
        abut_params params;
        abut_prox_params prox;
        abut_mcp_params mcp;
    } rows[] = {
        {"params", "tolerance", {.tolerance = {-1.0, 0}}, {0}, {0}},
        {"params", "envelope", {.envelope = {NAN, 0}}, {0}, {0}},
        {"params", "merge", {.merge = {HUGE_VAL, 0}}, {0}, {0}},
        {"params", "angle", {.angle = 2.0}, {0}, {0}},
        {"params", "nonsense", {.options = &unknown, .option_count = 1}, {0}, {0}},
        {"params", "option_count", {.option_count = 1}, {0}, {0}},
        {"params", "gaps", {.options = &no_choice, .option_count = 1}, {0}, {0}},
        {"prox", "iteration_limit", {0}, {.growth = 1, .reduction = 1, .iteration_limit = -1}, {0}},
        {"prox", "relative_tolerance", {0}, {.growth = 1, .reduction = 1, .relative_tolerance = NAN}, {0}},
        {"prox", "growth", {0}, {.growth = 0.5, .reduction = 1}, {0}},
        {"prox", "factor", {0}, {.growth = 1, .reduction = 1, .factor = (abut_factor_rule)9}, {0}},
        {"prox", "sweep", {0}, {.growth = 1, .reduction = 1, .sweep = (abut_sweep_rule)9}, {0}},
        {"mcp", "directions", {0}, {0}, {.directions = 3}},
        {"mcp", "tolerance", {0}, {0}, {.directions = 4, .tolerance = -1.0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const char *part = rows[i].part;
        abut_params params = rows[i].params;
        abut_prox_params prox = rows[i].prox;
        abut_mcp_params mcp = rows[i].mcp;
        params.struct_size = sizeof params;
        prox.struct_size = sizeof prox;
        mcp.struct_size = sizeof mcp;
        abut_world_def def = abut_world_def_default();
        def.params = strcmp(part, "params") == 0 ? &params : NULL;
        def.prox = strcmp(part, "prox") == 0 ? &prox : NULL;
        def.mcp = strcmp(part, "mcp") == 0 ? &mcp : NULL;
        abut_world *world = NULL;
        abut_error error = {.text = ""};
        CHECK_STATUS(abut_world_create(NULL, &def, &world, &error), ABUT_BAD_ARGUMENT, rows[i].field);
        CHECK(world == NULL && strstr(error.text, part) != NULL && strstr(error.text, rows[i].field) != NULL,
              "%s of %s: %s", rows[i].field, part, error.text);
        if (def.params != NULL) {
            def = abut_world_def_default();
            stage s = make_stage(NULL, &def, 0.5, 0.0);
            error.text[0] = '\0';
            CHECK_STATUS(abut_world_set_method(s.world, 0, 0, def.method, &params, &error), ABUT_BAD_ARGUMENT,
                         rows[i].field);
            CHECK(strstr(error.text, rows[i].field) != NULL, "%s: %s", rows[i].field, error.text);
            end_stage(&s);
        }
    }
    CHECK_DONE();
}

/// `convex` takes an L only with the option geometry=hull. The caller's options are gone when a body is added: the
/// world has its own, those of its method and those of a pair of materials.
static void options_are_copied(void **state)
{
    (void)state;
    abut_mesh *mesh = make_l(NULL, 1.0);
    abut_shape_def shape_def = abut_shape_def_default();
    shape_def.mesh = mesh;
    for (int is_of_pair = 0; is_of_pair < 2; ++is_of_pair) {
        const abut_method *convex = abut_method_find("convex");
        char name[] = "geometry";
        abut_option option = {name, 1.0};
        abut_params params = abut_params_default();
        params.options = &option;
        params.option_count = 1;
        abut_world_def def = abut_world_def_default();
        def.method = is_of_pair ? def.method : convex;
        def.params = is_of_pair ? NULL : &params;
        stage s = make_stage(NULL, &def, 0.5, 0.0);
        abut_error error = {.text = ""};
        if (is_of_pair) {
            CHECK_STATUS(abut_world_set_method(s.world, 0, 0, convex, &params, &error), ABUT_OK, error.text);
        }
        memset(name, 'x', sizeof name - 1);
        memset(&option, 0, sizeof option);
        memset(&params, 0, sizeof params);
        abut_body_def body = abut_body_def_default();
        body.material = 0;
        assert_int_equal(abut_shape_create(NULL, &shape_def, &s.shapes[s.count++], NULL), ABUT_OK);
        for (int i = 0; i < 2; ++i) { // one on the other
            body.shape = s.shapes[0];
            body.pose.position.z = i;
            CHECK_STATUS(abut_world_add_body(s.world, &body, NULL, &error), ABUT_OK, error.text);
        }
        CHECK_STATUS(abut_world_step(s.world, &error), ABUT_OK, error.text);
        CHECK_INT(abut_world_get_report(s.world).contact_count, 5, "corners of the hull's base");
        if (!is_of_pair) {
            const abut_params *used = abut_world_get_def(s.world)->params;
            CHECK(used->option_count == 1 && strcmp(used->options[0].name, "geometry") == 0,
                  "options of the world");
        }
        end_stage(&s);
    }
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lemke_without_an_answer_fails),
        cmocka_unit_test(a_method_that_refuses_ends_the_step),
        cmocka_unit_test(a_failed_step_leaves_no_trace),
        cmocka_unit_test(a_bad_push_is_dropped),
        cmocka_unit_test(done_steps_are_told),
        cmocka_unit_test(contacts_may_be_changed),
        cmocka_unit_test(torsion_needs_its_solver),
        cmocka_unit_test(bad_parameters_are_refused),
        cmocka_unit_test(options_are_copied),
    };
    return cmocka_run_group_tests_name("world_failure", tests, NULL, NULL);
}
