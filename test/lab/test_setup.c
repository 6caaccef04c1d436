// SPDX-License-Identifier: MIT
// test_setup.c: setups from JSON texts, cases and scenes
#include "check.h"
#include "effort.h"
#include "failing.h"

#include <abut-lab/lab.h>

static abut_status parse(const char *text, abut_setup **setup, abut_error *error)
{
    return abut_setup_parse(NULL, text, strlen(text), NULL, setup, error);
}

/// Given values are read; the others have their defaults.
static void a_text_is_read(void **state)
{
    (void)state;
    abut_setup *s = NULL;
    abut_error error;
    abut_status status =
        parse("{\"schema\": 1, \"gravity\": [0, 0, -1.62], \"dt\": 0.005, \"steps\": 7, \"stepper\": \"events\",\n"
              "\"stabilisation\": {\"share\": 0.25},\n"
              "\"materials\": {\"ice\": {\"density\": 917, \"friction\": 0.05}, \"rock\": {},\n"
              "\"glue\": {\"friction\": \"infinite\"}},\n"
              "\"pairs\": [{\"materials\": [\"rock\", \"ice\"], \"friction\": 0.1, \"method\": \"convex\"}],\n"
              "\"meshes\": {\"cube\": {\"box\": [1, 2, 3]}},\n"
              "\"bodies\": [{\"mesh\": \"cube\", \"material\": \"rock\", \"fixed\": true},\n"
              "{\"name\": \"top\", \"mesh\": \"cube\", \"material\": \"ice\", \"position\": [1, 2, 3],\n"
              "\"rotation\": [0, 1, 0, 0], \"velocity\": [4, 5, 6], \"spin\": [7, 8, 9]}]}",
              &s, &error);
    assert_int_equal(status, ABUT_OK);
    CHECK_NEAR(s->gravity.z, -1.62, 0.0, "gravity");
    CHECK_NEAR(s->dt, 0.005, 0.0, "dt");
    CHECK_INT(s->steps, 7, "steps");
    CHECK_INT(abut_setup_world_def(s).stepper, ABUT_STEPPER_EVENTS, "stepper");
    CHECK(s->has_sleep && abut_setup_world_def(s).has_sleep, "bodies sleep unless the scene says otherwise");
    CHECK(s->has_sweeps && abut_setup_world_def(s).has_sweeps, "steps are swept unless the scene says otherwise");
    CHECK(s->stabilisation.is_on && s->stabilisation.share == 0.25 && s->stabilisation.slop == 0.0,
          "stabilisation");
    CHECK_INT(s->material_count, 3, "materials");
    CHECK(s->materials[2].friction == HUGE_VAL, "no slip");
    CHECK_NEAR(s->materials[0].density, 917.0, 0.0, "density");
    CHECK_NEAR(s->materials[1].density, 1000.0, 0.0, "density by default");
    CHECK(s->pair_count == 1 && s->pairs[0].a == 1 && s->pairs[0].b == 0 && s->pairs[0].friction == 0.1 &&
              s->pairs[0].method == abut_method_find("convex"),
          "pair");
    CHECK_INT(s->body_count, 2, "bodies");
    CHECK(s->bodies[0].is_fixed && !s->bodies[1].is_fixed, "fixed");
    CHECK(strcmp(s->bodies[0].name, "body-0") == 0 && strcmp(s->bodies[1].name, "top") == 0, "names");
    CHECK(s->bodies[1].pose.position.y == 2.0 && s->bodies[1].pose.rotation.x == 1.0 &&
              s->bodies[1].linear_velocity.z == 6.0 && s->bodies[1].angular_velocity.x == 7.0,
          "numbers");
    abut_mass mass;
    CHECK_STATUS(abut_mesh_mass(s->meshes[0].mesh, &mass, &error), ABUT_OK, "mass");
    CHECK_NEAR(mass.mass, 6.0, 1e-12, "volume");
    CHECK(abut_mesh_get_elements(s->meshes[0].mesh).tet_count > 0, "a box has tetrahedra");
    abut_setup_destroy(s);
    CHECK_DONE();
}

/// Ice and rock have the geometric mean of the frictions 0.04 and 0.64, which is 0.16, and the larger restitution. A
/// pair changes only what it names.
static void pairs_change_what_they_name(void **state)
{
    (void)state;
    static const struct {
        const char *pair;
        double friction, restitution;
    } rows[] = {{"\"method\": \"convex\"", 0.16, 0.3},
                {"\"friction\": 0.9", 0.9, 0.3},
                {"\"restitution\": 0.1", 0.16, 0.1},
                {"\"friction\": 0, \"restitution\": 0", 0.0, 0.0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char text[1024];
        (void)snprintf(text, sizeof text,
                       "{\"schema\": 1, \"materials\": {\"ice\": {\"friction\": 0.04, \"restitution\": 0.3},\n"
                       "\"rock\": {\"friction\": 0.64, \"restitution\": 0.2}},\n"
                       "\"pairs\": [{\"materials\": [\"rock\", \"ice\"], %s}],\n"
                       "\"meshes\": {\"b\": {\"box\": [1, 1, 1]}},\n"
                       "\"bodies\": [{\"mesh\": \"b\", \"material\": \"ice\"}]}",
                       rows[i].pair);
        abut_setup *setup = NULL;
        abut_simulation *simulation = NULL;
        assert_int_equal(parse(text, &setup, NULL), ABUT_OK);
        for (int is_all = 0; is_all < 2; ++is_all) {
            abut_world_def def = abut_setup_world_def(setup);
            assert_int_equal(abut_simulation_create(NULL, setup, &def, &simulation, NULL), ABUT_OK);
            double friction = -1.0, restitution = -1.0;
            CHECK_STATUS(abut_world_get_pair(simulation->world, 0, 1, &friction, &restitution, NULL), ABUT_OK,
                         "pair");
            CHECK_NEAR(friction, is_all ? 0.7 : rows[i].friction, 1e-15, rows[i].pair);
            CHECK_NEAR(restitution, rows[i].restitution, 0.0, rows[i].pair);
            CHECK_STATUS(abut_world_get_pair(simulation->world, 0, 2, &friction, &restitution, NULL),
                         ABUT_BAD_ARGUMENT, "no such material");
            abut_simulation_destroy(simulation);
            abut_setup_set_friction(setup, 0.7);
        }
        abut_setup_destroy(setup);
    }
    CHECK_DONE();
}

#define HEAD                                                                                                       \
    "{\"schema\": 1,\n\"materials\": {\"m\": {}},\n\"meshes\": {\"b\": {\"box\": [1, 1, 1]}},\n\"bodies\": "

/// Every mistake is reported with line and path.
static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
        int line;
    } rows[] = {
        {"", "empty", 1},
        {"{}", "\"schema\" is missing", 1},
        {"{\n\"schema\": 1,\n\"materials\" }", "unexpected", 3},
        {"[]", "object", 1},
        {"{\"schema\": 2}", "schema: must be 1", 1},
        {"{\"schema\": 1,\n\"gravitation\": 3}", "gravitation: unknown key", 2},
        {"{\"schema\": 1,\n\n\"dt\": 0}", "dt: is 0", 3},
        {"{\"schema\": 1,\n\"dt\": \"x\"}", "dt: must be a number", 2},
        {"{\"schema\": 1,\n\"steps\": 2.7}", "steps: is 2.7, but must be a whole number", 2},
        {HEAD "[{\"mesh\": \"b\", \"material\": \"m\", \"mass\": 0}]}", "bodies[0].mass: is 0", 4},
        {"{\"schema\": 1,\n\"gravity\": [0,\n0, null]}", "gravity[2]: must be a number", 3},
        {"{\"schema\": 1}", "materials: is missing", 1},
        {"{\"schema\": 1,\n\"materials\": {\n\"m\": {\"density\": 0}}}", "materials.m.density: is 0", 3},
        {"{\"schema\": 1,\n\"materials\": {\"m\": {}},\n\"pairs\": [{\"materials\": [\"m\", \"m\"], \"method\": "
         "\"x\"}]}",
         "pairs[0].method: there is no method \"x\"", 3},
        {HEAD "[]}", "bodies: must be an array with at least one item", 4},
        {HEAD "[{\"mesh\": \"b\"}]}", "bodies[0].material: is missing", 4},
        {HEAD "[{\"mesh\": \"b\", \"material\": \"m\"},\n{\"mesh\": \"c\", \"material\": \"m\"}]}",
         "bodies[1].mesh: body \"body-1\": there is no mesh \"c\"", 5},
        {HEAD "[{\"mesh\": \"b\", \"material\": \"m\",\n\"rotation\": [1, 1, 0, 0]}]}",
         "bodies[0].rotation: must be a unit quaternion", 5},
        {HEAD "[{\"mesh\": \"b\", \"material\": \"m\", \"fixed\": 1}]}", "fixed: must be true or false", 4},
        {HEAD "[], \"sleep\": 1}", "sleep: must be true or false", 4},
        {HEAD "[], \"sweeps\": 1}", "sweeps: must be true or false", 4},
        {HEAD "[], \"impacts\": 1}", "impacts: must be \"simultaneous\" or \"sequential\"", 4},
        {HEAD "[], \"stepper\": \"event\"}", "stepper: must be \"moreau\", \"semi-implicit\" or \"events\"", 4},
        {"{\"schema\": 1,\n\"materials\": {\"m\": {}},\n\"meshes\": {\"b\": {\"box\": [1, -1, 1]}}}",
         "meshes.b.box: a box needs", 3},
        {"{\"schema\": 1,\n\"materials\": {\"m\": {}},\n\"meshes\": {\"b\": {}}}", "meshes.b: must have one of", 3},
        {"{\"schema\": 1,\n\"materials\": {\"m\": {}},\n\"meshes\": {\"b\":\n{\"file\": \"x.obj\"}}}",
         "meshes.b.file: there is no folder", 4},
        {"{\"schema\": 1,\n\"materials\": {\"m\": {}},\n\"meshes\": {\"b\":\n{\"hull\": "
         "[[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}}}",
         "meshes.b.hull", 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        abut_setup *setup = NULL;
        abut_error error = {.text = ""};
        abut_status status = parse(rows[i].text, &setup, &error);
        CHECK(status != ABUT_OK && setup == NULL, "row %zu was taken", i);
        CHECK(strstr(error.text, rows[i].part) != NULL, "row %zu: %s", i, error.text);
        CHECK_INT(error.line, rows[i].line, error.text);
        abut_setup_destroy(setup);
    }
    CHECK_DONE();
}

/// Errors that only the world finds are reported with line and path too. A box of 1e308 is too large for a shape. A
/// box of 1e-59 with a density of 1e-30 has a moment of inertia of about 1e-325, which rounds to 0.
static void later_mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
        int line;
    } rows[] = {
        {"{\"schema\": 1, \"materials\": {\"m\": {}}, \"meshes\": {\"a\": {\"box\": [1, 1, 1]},\n\n"
         "\"b\": {\"box\": [1, 1, 1e308]}},\n\"bodies\": [{\"mesh\": \"b\", \"material\": \"m\"}]}",
         "line 3: meshes.b: ", 3},
        {"{\"schema\": 1, \"materials\": {\"m\": {\"density\": 1e-30}}, \"meshes\": {\"b\": {\"box\": [1, 1, 1]},\n"
         "\"c\": {\"box\": [1e-59, 1e-59, 1e-59]}},\n\"bodies\": [{\"mesh\": \"b\", \"material\": \"m\"},\n"
         "{\"name\": \"[]{}\", \"mesh\": \"c\", \"material\": \"m\"}]}",
         "line 4: bodies[1]: ", 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        abut_setup *setup = NULL;
        abut_simulation *simulation = NULL;
        abut_error error = {.text = ""};
        abut_status status = parse(rows[i].text, &setup, &error);
        if (status == ABUT_OK) {
            abut_world_def def = abut_setup_world_def(setup);
            status = abut_simulation_create(NULL, setup, &def, &simulation, &error);
        }
        CHECK(status != ABUT_OK && simulation == NULL, "row %zu was taken", i);
        CHECK(strstr(error.text, rows[i].part) != NULL, "row %zu: %s", i, error.text);
        CHECK_INT(error.line, rows[i].line, error.text);
        abut_setup_destroy(setup);
    }
    CHECK_DONE();
}

/// A body with a given mass has this mass, whatever the density of its material. A box of mass m and sides 1, 2, 3 has
/// the moment of inertia m (2^2 + 3^2) / 12 about x, so a spin of 2 about x has the energy m 13/12 2^2 / 2.
static void a_mass_overrides_density(void **state)
{
    (void)state;
    abut_setup *setup = NULL;
    abut_simulation *simulation = NULL;
    assert_int_equal(
        parse("{\"schema\": 1, \"gravity\": [0, 0, 0], \"materials\": {\"m\": {\"density\": 7900}},\n"
              "\"meshes\": {\"b\": {\"box\": [1, 2, 3]}},\n"
              "\"bodies\": [{\"mesh\": \"b\", \"material\": \"m\", \"mass\": 5, \"spin\": [2, 0, 0]}]}",
              &setup, NULL),
        ABUT_OK);
    abut_world_def def = abut_setup_world_def(setup);
    assert_int_equal(abut_simulation_create(NULL, setup, &def, &simulation, NULL), ABUT_OK);
    CHECK_NEAR(abut_world_get_body(simulation->world, 0).mass, 5.0, 1e-12, "mass");
    CHECK_NEAR(abut_world_get_energy(simulation->world).kinetic, 5.0 * 13.0 / 12.0 * 2.0, 1e-12, "energy");
    abut_simulation_destroy(simulation);
    abut_setup_destroy(setup);
    CHECK_DONE();
}

/// A setup can be made of every listed name. Among them are cases, scenes, buildings and spinning bodies.
static void all_names_are_known(void **state)
{
    (void)state;
    static const char *const some[] = {"spikes", "saddles-3", "arch", "colosseum", "rolling-spheres"};
    int found = 0, count = 0;
    for (; abut_setup_name(count) != NULL; ++count) {
        abut_setup *setup = NULL;
        abut_status status = abut_setup_create(NULL, abut_setup_name(count), &setup, NULL);
        CHECK(status == ABUT_OK, "%s", abut_setup_name(count));
        abut_setup_destroy(setup);
        for (size_t i = 0; i < sizeof some / sizeof some[0]; ++i) {
            found += strcmp(some[i], abut_setup_name(count)) == 0;
        }
    }
    CHECK_INT(found, 5, "names");
    CHECK(abut_setup_name(-1) == NULL && abut_setup_name(count + 1) == NULL, "no such name");
    CHECK_DONE();
}

/// Cases, scenes and buildings become worlds that can do a step. The Pillar's eight bodies touch in 40 points.
static void cases_and_scenes_become_worlds(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int bodies, contacts;
    } rows[] = {
        {"cliff-edges", 2, 4},
        // 4 x 12 sides, and 12 stones on the ground, with 4 corners each; 3 x 24 stones that overlap by half, with 6
        {"tower", 49, 4 * 60 + 6 * 72},
        // 8 x 10 sides, 10 stones on the ground, and 7 x 10 on each other, with 4 corners each; 7 x 20 neighbours
        // across a corner touch in an edge: at rest nothing decides between two normals at each of its two ends
        {"dome", 81, 4 * (80 + 10 + 70) + 4 * 140},
        {"pillar", 8, 40},
        {"arch", 14, 56}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        abut_setup *setup = NULL;
        abut_error error;
        assert_int_equal(abut_setup_create(NULL, rows[i].name, &setup, &error), ABUT_OK);
        CHECK_INT(setup->body_count, rows[i].bodies, rows[i].name);
        abut_world_def def = abut_setup_world_def(setup);
        abut_simulation *simulation = NULL;
        assert_int_equal(abut_simulation_create(NULL, setup, &def, &simulation, &error), ABUT_OK);
        abut_status status = abut_world_step(simulation->world, &error);
        CHECK(status == ABUT_OK, "%s: %s", rows[i].name, error.text);
        CHECK_INT(abut_world_get_report(simulation->world).contact_count, rows[i].contacts, rows[i].name);
        abut_simulation_destroy(simulation);
        abut_setup_destroy(setup);
    }
    abut_setup *none = NULL;
    abut_error error;
    CHECK_STATUS(abut_setup_create(NULL, "piller", &none, &error), ABUT_BAD_ARGUMENT, "unknown name");
    CHECK_DONE();
}

/// With `regions` the Pillar has 40 contacts in each of 500 steps and does not move: its stones rest in equilibrium.
static void the_pillar_stands(void **state)
{
    (void)state;
    abut_setup *setup = NULL;
    abut_error error;
    assert_int_equal(abut_setup_create(NULL, "pillar", &setup, &error), ABUT_OK);
    abut_world_def def = abut_setup_world_def(setup);
    abut_simulation *simulation = NULL;
    assert_int_equal(abut_simulation_create(NULL, setup, &def, &simulation, &error), ABUT_OK);
    for (int i = 0; i < 500; ++i) {
        abut_status status = abut_world_step(simulation->world, &error);
        CHECK(status == ABUT_OK, "step %d: %s", i + 1, error.text);
        CHECK_INT(abut_world_get_report(simulation->world).contact_count, 40, "contacts");
    }
    for (int i = 0; i < setup->body_count; ++i) {
        abut_vec3 moved =
            abut_sub(abut_world_get_body(simulation->world, i).pose.position, setup->bodies[i].pose.position);
        CHECK(abut_norm(moved) < 1e-6, "%s moved by %g", setup->bodies[i].name, abut_norm(moved));
    }
    abut_simulation_destroy(simulation);
    abut_setup_destroy(setup);
    CHECK_DONE();
}

/// Runs a setup for half a second with a method.
static abut_outcome_report outcome_of(const char *name, const char *method, int steps)
{
    abut_setup *setup = NULL;
    abut_error error;
    assert_int_equal(abut_setup_create(NULL, name, &setup, &error), ABUT_OK);
    abut_world_def def = abut_setup_world_def(setup);
    def.method = abut_method_find(method);
    abut_outcome_report report;
    abut_status status = abut_find_outcome(NULL, setup, &def, steps, &report, &error);
    CHECK(status == ABUT_OK, "%s on %s: %s", name, method, error.text);
    abut_setup_destroy(setup);
    CHECK_INT(report.steps, steps, "steps");
    for (int i = 0; i < report.steps; ++i) {
        CHECK(report.counts[i] > 0, "no contacts at step %d", i + 1);
    }
    abut_outcome_release(NULL, &report);
    return report;
}

/// A box on a plinth with the same base. Exact contacts carry it, and let it slide without friction if gravity is
/// tilted by 5 degrees: g sin 5 t^2 / 2, which is 0.107 for half a second. `intersection` has horizontal normals at
/// the cliff's edges, which hold it: too stable (Erleben 2018, 7.1). A box above nothing falls by 1.23; its height is
/// 2: collapsed.
static void outcomes_are_told(void **state)
{
    (void)state;
    abut_outcome_report exact = outcome_of("cliff-edges", "regions", 50);
    CHECK_INT(exact.outcome, ABUT_OUTCOME_STANDS, "exact");
    CHECK_NEAR(exact.slide, 0.5 * 9.82 * sin(0.0872664625997165) * 0.25, 1e-3, "slide");
    abut_outcome_report held = outcome_of("cliff-edges", "intersection", 50);
    CHECK_INT(held.outcome, ABUT_OUTCOME_TOO_STABLE, "held");
    CHECK(held.slide < 1e-6, "slide %g", held.slide);
    abut_setup *setup = NULL;
    abut_error error;
    const char *text = HEAD "[{\"name\": \"box\", \"mesh\": \"b\", \"material\": \"m\"}]}";
    assert_int_equal(parse(text, &setup, &error), ABUT_OK);
    abut_world_def def = abut_setup_world_def(setup);
    abut_outcome_report report;
    assert_int_equal(abut_find_outcome(NULL, setup, &def, 50, &report, &error), ABUT_OK);
    CHECK_INT(report.outcome, ABUT_OUTCOME_COLLAPSED, "a box above nothing");
    CHECK_NEAR(report.fall.heights, 0.5 * 9.82 * 0.25, 1e-9, "heights");
    CHECK(strcmp(abut_outcome_text(report.outcome), "collapsed") == 0, "text");
    CHECK(report.steps == 50 && report.counts[0] == 0 && report.counts[49] == 0, "contacts");
    abut_outcome_release(NULL, &report);
    abut_setup_destroy(setup);
    // The method of the pair of materials holds the box; the exact run does not use it.
    assert_int_equal(abut_setup_create(NULL, "cliff-edges", &setup, &error), ABUT_OK);
    abut_setup_pair pair = {0, 0, NAN, NAN, abut_method_find("intersection")};
    setup->pairs = &pair;
    setup->pair_count = 1;
    def = abut_setup_world_def(setup);
    assert_int_equal(abut_find_outcome(NULL, setup, &def, 50, &report, &error), ABUT_OK);
    CHECK_INT(report.outcome, ABUT_OUTCOME_TOO_STABLE, "held by the method of a pair");
    CHECK_NEAR(report.exact_slide, exact.slide, 0.0, "the exact run");
    abut_outcome_release(NULL, &report);
    setup->pairs = NULL;
    abut_setup_destroy(setup);
    CHECK_DONE();
}

/// The outcome of spikes after two steps on a heap, and its status. Nothing may stay allocated.
static abut_status outcome_on(failing_heap *heap, const abut_setup *setup, abut_outcome *outcome)
{
    abut_context context = failing_context(heap);
    context.worker_count = 1; // the heap counts without locks
    abut_world_def def = abut_setup_world_def(setup);
    abut_outcome_report report;
    abut_status status = abut_find_outcome(&context, setup, &def, 2, &report, NULL);
    *outcome = report.outcome;
    abut_outcome_release(&context, &report);
    CHECK_INT(heap->live, 0, "blocks in use");
    return status;
}

/// Running out of memory is not an outcome: whichever allocation fails, in a step or before, the call reports it, or it
/// was not needed and the outcome is that of the whole run.
static void no_memory_is_not_an_outcome(void **state)
{
    (void)state;
    abut_setup *setup = NULL;
    assert_int_equal(abut_setup_create(NULL, "spikes", &setup, NULL), ABUT_OK);
    failing_heap whole = {0};
    abut_outcome expected, found;
    CHECK_STATUS(outcome_on(&whole, setup, &expected), ABUT_OK, "whole");
    CHECK(expected != ABUT_OUTCOME_FAILED && whole.calls > 100, "%d calls", whole.calls);
    int failures = 0;
    for (int at = 1; at <= whole.calls; ++at) {
        failing_heap heap = {.fail_at = at};
        abut_status status = outcome_on(&heap, setup, &found);
        CHECK(status == ABUT_NO_MEMORY || (status == ABUT_OK && found == expected), "allocation %d: %s, %s", at,
              abut_status_text(status), abut_outcome_text(found));
        failures += status == ABUT_NO_MEMORY;
    }
    CHECK(failures > whole.calls / 2, "%d of %d", failures, whole.calls);
    abut_setup_destroy(setup);
    CHECK_DONE();
}

/// A spike hits the tip of another at 6 m/s, and after two steps they overlap by more than a thousandth. With `auto`, `convex`
/// answers; `regions` separates them. Either way the spike slides off to the side to which it moves, and falls.
static void convex_bodies_do_not_interlock(void **state)
{
    (void)state;
    abut_error error;
    abut_setup *setup = NULL;
    assert_int_equal(abut_setup_create(NULL, "spikes", &setup, &error), ABUT_OK);
    for (int is_auto = 0; is_auto < 2; ++is_auto) {
        abut_world_def def = abut_setup_world_def(setup);
        def.method = abut_method_find(is_auto ? "auto" : "regions");
        abut_outcome_report report;
        assert_int_equal(abut_find_outcome(NULL, setup, &def, 100, &report, &error), ABUT_OK);
        CHECK_INT(report.outcome, ABUT_OUTCOME_COLLAPSED, "falls");
        CHECK_INT(report.counts[99], 0, "parted");
        abut_outcome_release(NULL, &report);
    }
    abut_setup_destroy(setup);
    CHECK_DONE();
}

/// Checks a detection of a scene: quality and coverage are 100, with the least number of contacts.
static void check_scene_detection(const abut_scene *scene, const abut_detection *detection)
{
    abut_error error;
    abut_scene_measures measures;
    assert_int_equal(
        abut_scene_measure(NULL, scene, detection->samples, detection->report.contact_count, &measures, &error),
        ABUT_OK);
    CHECK_NEAR(measures.quality, 100.0, 0.0, scene->name);
    CHECK_NEAR(measures.coverage_normals, 100.0, 0.0, scene->name);
    CHECK_NEAR(measures.coverage, 100.0, 0.0, scene->name);
    CHECK_NEAR(measures.excess, 1.0, 0.0, scene->name);
}

/// Checks a detection of a case: quality and coverage are 100, with the least number of contacts.
static void check_case_detection(const abut_case *fundamental, const abut_detection *detection)
{
    int count = detection->report.contact_count;
    abut_case_poses poses = {detection->report.poses[0], detection->report.poses[1]};
    abut_measures measures = abut_measure(fundamental, poses, ABUT_READING_VELOCITY, detection->samples, count);
    CHECK_NEAR(measures.quality, 100.0, 0.0, fundamental->name);
    CHECK_NEAR(measures.coverage, 100.0, 0.0, fundamental->name);
    CHECK_NEAR(measures.excess, 1.0, 0.0, fundamental->name);
}

/// Simulates a case or scene with `regions` up to the third detection, in a long test also up to the 500th, and checks
/// both. Nothing sags by more than 1e-4 of the height of the Wall, 4.
static void check_setup(const abut_setup *setup, const abut_case *fundamental, const abut_scene *scene)
{
    static const int steps[] = {3, 500};
    int step_count = is_long_test() ? 2 : 1;
    abut_error error;
    abut_world_def def = abut_setup_world_def(setup);
    abut_simulation *simulation = NULL;
    assert_int_equal(abut_simulation_create(NULL, setup, &def, &simulation, &error), ABUT_OK);
    for (int k = 0; k < step_count; ++k) {
        abut_detection detection;
        abut_status status = abut_simulation_run_to(simulation, steps[k], &detection, &error);
        CHECK(status == ABUT_OK, "%s, step %d: %s", setup->name, steps[k], error.text);
        CHECK_INT(detection.report.step, steps[k], "steps done");
        if (scene != NULL) {
            check_scene_detection(scene, &detection);
        } else {
            check_case_detection(fundamental, &detection);
        }
        abut_detection_release(simulation, &detection);
    }
    double sag = 0.0;
    for (int k = 0; k < setup->body_count; ++k) {
        abut_vec3 now = abut_world_get_body(simulation->world, k).pose.position;
        sag = fmax(sag, setup->bodies[k].pose.position.y - now.y);
    }
    CHECK(sag < 1e-4 * 4.0, "%s sags by %g", setup->name, sag);
    abut_simulation_destroy(simulation);
}

/// With `regions`, cliff and internal edges, Pillar, Wall and Arch have quality and coverage 100 at steps 3 and 500.
static void regions_stay_perfect(void **state)
{
    (void)state;
    static const char *const cases[] = {"cliff-edges", "internal-edges"};
    static const char *const scenes[] = {"pillar", "wall", "arch"};
    abut_error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        abut_setup *setup = NULL;
        abut_case *fundamental = NULL;
        assert_int_equal(abut_case_create(NULL, cases[i], NULL, &fundamental, &error), ABUT_OK);
        assert_int_equal(abut_setup_create_case(NULL, fundamental, &setup, &error), ABUT_OK);
        check_setup(setup, fundamental, NULL);
        abut_setup_destroy(setup);
        abut_case_destroy(fundamental);
    }
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        abut_setup *setup = NULL;
        abut_scene *scene = NULL;
        assert_int_equal(abut_scene_create(NULL, scenes[i], NULL, &scene, &error), ABUT_OK);
        assert_int_equal(abut_setup_create_scene(NULL, scene, &setup, &error), ABUT_OK);
        check_setup(setup, NULL, scene);
        abut_setup_destroy(setup);
        abut_scene_destroy(scene);
    }
    CHECK_DONE();
}

/// A box above nothing falls. The k-th detection is half a step after the step began, at t = (k - 1/2) dt. The box has
/// then fallen by g t^2 / 2, less g dt^2 / 8 because the half step uses the old velocity. Asking for a step that is
/// past, or for step 0, fails.
static void detections_have_poses(void **state)
{
    (void)state;
    abut_setup *setup = NULL;
    abut_error error;
    const char *text = HEAD "[{\"name\": \"box\", \"mesh\": \"b\", \"material\": \"m\"}]}";
    assert_int_equal(parse(text, &setup, &error), ABUT_OK);
    abut_prox_params prox;
    abut_world_def def = abut_setup_paper_def(setup, &prox);
    abut_simulation *simulation = NULL;
    assert_int_equal(abut_simulation_create(NULL, setup, &def, &simulation, &error), ABUT_OK);
    abut_detection detection;
    for (int step = 1; step <= 7; step += 3) {
        assert_int_equal(abut_simulation_run_to(simulation, step, &detection, &error), ABUT_OK);
        double time = (step - 0.5) * def.dt, fallen = 0.5 * 9.82 * time * time - 9.82 * def.dt * def.dt / 8.0;
        CHECK_NEAR(detection.report.poses[0].position.y, -fallen, 1e-12, "fallen");
        CHECK_INT(detection.report.contact_count, 0, "contacts");
        abut_detection_release(simulation, &detection);
    }
    CHECK_STATUS(abut_simulation_run_to(simulation, 6, &detection, &error), ABUT_BAD_ARGUMENT,
                 "a step that is past");
    abut_detection_release(simulation, &detection);
    CHECK_STATUS(abut_simulation_run_to(simulation, 0, &detection, &error), ABUT_BAD_ARGUMENT, "no step");
    abut_detection_release(simulation, &detection);
    abut_simulation_destroy(simulation);
    abut_setup_destroy(setup);
    CHECK_DONE();
}

/// A zero byte anywhere is an error. jansson accepts one after a number, and the search for the line of an error must
/// stop there too.
static void zero_bytes_are_refused(void **state)
{
    (void)state;
    static const char text[] = "{\"schema\": 1,\n\"dt\": 1\0,\n\"colour\": 2}";
    abut_setup *setup = NULL;
    abut_error error;
    CHECK_STATUS(abut_setup_parse(NULL, text, sizeof text - 1, NULL, &setup, &error), ABUT_BAD_DATA, "zero byte");
    CHECK(strcmp(error.text, "line 2: there is a zero byte") == 0 && error.line == 2, "%s", error.text);
    assert_null(setup);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_read),
        cmocka_unit_test(pairs_change_what_they_name),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(zero_bytes_are_refused),
        cmocka_unit_test(later_mistakes_are_named),
        cmocka_unit_test(a_mass_overrides_density),
        cmocka_unit_test(all_names_are_known),
        cmocka_unit_test(cases_and_scenes_become_worlds),
        cmocka_unit_test(the_pillar_stands),
        cmocka_unit_test(outcomes_are_told),
        cmocka_unit_test(no_memory_is_not_an_outcome),
        cmocka_unit_test(convex_bodies_do_not_interlock),
        cmocka_unit_test(regions_stay_perfect),
        cmocka_unit_test(detections_have_poses),
    };
    return cmocka_run_group_tests_name("setup", tests, NULL, NULL);
}
