// SPDX-License-Identifier: MIT
// test_setup.c: setups of JSON texts, cases and scenes
#include "check.h"

#include <abut-lab/lab.h>

static abut_status parse(const char *text, abut_setup **setup, abut_error *error)
{
    return abut_setup_parse(NULL, text, strlen(text), NULL, setup, error);
}

/// What is said is what is there; what is not said has its default.
static void a_text_is_read(void **state)
{
    (void)state;
    abut_setup *s = NULL;
    abut_error error;
    abut_status status =
        parse("{\"schema\": 1, \"gravity\": [0, 0, -1.62], \"dt\": 0.005, \"steps\": 7,\n"
              "\"materials\": {\"ice\": {\"density\": 917, \"friction\": 0.05}, \"rock\": {}},\n"
              "\"pairs\": [{\"materials\": [\"rock\", \"ice\"], \"friction\": 0.1}],\n"
              "\"meshes\": {\"cube\": {\"box\": [1, 2, 3]}},\n"
              "\"bodies\": [{\"mesh\": \"cube\", \"material\": \"rock\", \"fixed\": true},\n"
              "{\"name\": \"top\", \"mesh\": \"cube\", \"material\": \"ice\", \"position\": [1, 2, 3],\n"
              "\"rotation\": [0, 1, 0, 0], \"velocity\": [4, 5, 6], \"spin\": [7, 8, 9]}]}",
              &s, &error);
    assert_int_equal(status, ABUT_OK);
    CHECK_NEAR(s->gravity.z, -1.62, 0.0, "gravity");
    CHECK_NEAR(s->dt, 0.005, 0.0, "dt");
    CHECK_INT(s->steps, 7, "steps");
    CHECK_INT(s->material_count, 2, "materials");
    CHECK_NEAR(s->materials[0].law.density, 917.0, 0.0, "density");
    CHECK_NEAR(s->materials[1].law.density, 1000.0, 0.0, "density by default");
    CHECK(s->pair_count == 1 && s->pairs[0].a == 1 && s->pairs[0].b == 0 && s->pairs[0].friction == 0.1, "pair");
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

#define HEAD                                                                                                       \
    "{\"schema\": 1,\n\"materials\": {\"m\": {}},\n\"meshes\": {\"b\": {\"box\": [1, 1, 1]}},\n\"bodies\": "

/// Everything that is wrong is named by line and path.
static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
        int line;
    } rows[] = {
        {"", "", 1},
        {"{\n\"schema\": 1,\n\"materials\" }", "", 3},
        {"[]", "object", 1},
        {"{\"schema\": 2}", "schema: must be 1", 1},
        {"{\"schema\": 1,\n\"gravitation\": 3}", "gravitation: is not a key", 2},
        {"{\"schema\": 1,\n\n\"dt\": 0}", "dt: is 0", 3},
        {"{\"schema\": 1,\n\"dt\": \"x\"}", "dt: must be a number", 2},
        {"{\"schema\": 1,\n\"gravity\": [0,\n0, null]}", "gravity[2]: must be a number", 3},
        {"{\"schema\": 1}", "materials: there must be", 1},
        {"{\"schema\": 1,\n\"materials\": {\n\"m\": {\"density\": 0}}}", "materials.m.density: is 0", 3},
        {HEAD "[]}", "bodies: must be an array with at least one item", 4},
        {HEAD "[{\"mesh\": \"b\"}]}", "bodies[0].material: is missing", 4},
        {HEAD "[{\"mesh\": \"b\", \"material\": \"m\"},\n{\"mesh\": \"c\", \"material\": \"m\"}]}",
         "bodies[1].mesh: there is no mesh \"c\"", 5},
        {HEAD "[{\"mesh\": \"b\", \"material\": \"m\",\n\"rotation\": [1, 1, 0, 0]}]}",
         "bodies[0].rotation: must be a unit quaternion", 5},
        {HEAD "[{\"mesh\": \"b\", \"material\": \"m\", \"fixed\": 1}]}", "fixed: must be true or false", 4},
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

/// A case and a scene become a world that does a step: the Pillar's eight bodies touch in 40 points.
static void cases_and_scenes_become_worlds(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int bodies, contacts;
    } rows[] = {{"cliff-edges", 2, 4}, {"pillar", 8, 40}, {"arch", 14, 56}};
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

/// On paper: on `regions`, the Pillar has 40 contacts at every one of 500 steps, and stays where it is.
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_read),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(cases_and_scenes_become_worlds),
        cmocka_unit_test(the_pillar_stands),
    };
    return cmocka_run_group_tests_name("setup", tests, NULL, NULL);
}
