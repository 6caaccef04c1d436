// SPDX-License-Identifier: MIT
// test_soft_scenes.c: soft bodies in scene files and recordings
#define _POSIX_C_SOURCE 200809L // mkstemp
#include "check.h"
#include "failing.h"

#include <abut-lab/lab.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const HEAD = "{\"schema\": 1, \"materials\": {\"m\": {}},\n"
                                "\"meshes\": {\"solid\": {\"box\": [1, 1, 1]},\n"
                                "\"cloth\": {\"hull\": [[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0.3, 0]]}},\n"
                                "\"bodies\": [{\"mesh\": ";

/// A scene of one body: its mesh and what follows.
static abut_status parse(const char *body, abut_setup **setup, abut_error *error)
{
    char text[2048];
    int length = snprintf(text, sizeof text, "%s%s]}", HEAD, body);
    assert_true(length > 0 && (size_t)length < sizeof text);
    return abut_setup_parse(NULL, text, (size_t)length, NULL, setup, error);
}

static void a_soft_body_is_read(void **state)
{
    (void)state;
    abut_setup *s = NULL;
    abut_error error = {.text = ""};
    CHECK_STATUS(
        parse("\"cloth\", \"material\": \"m\", \"soft\": {\"stretch\": 50, \"pins\": [1, 2], \"integrator\": "
              "\"explicit\", \"self_contact\": false}}",
              &s, &error),
        ABUT_OK, error.text);
    assert_non_null(s);
    CHECK_INT(s->soft_count, 1, "soft parts");
    CHECK_INT(s->bodies[0].soft, 1, "of the body");
    const abut_setup_soft *soft = &s->softs[0];
    CHECK(soft->material->stretch == 50.0 && soft->material->shear == 25.0 && soft->material->area_density == 0.2,
          "material");
    CHECK(soft->pin_count == 2 && soft->pins[1] == 2 && !soft->has_self_contact &&
              soft->integrator == ABUT_SOFT_EXPLICIT,
          "the rest");
    abut_setup_destroy(s);
    CHECK_DONE();
}

// Each wrong text is refused, with the line and what is wrong.
static void wrong_bodies_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *body, *words;
    } wrong[] = {
        {"\"solid\", \"material\": \"m\", \"soft\": {\"young\": -5}}", "bodies[0].soft.young"},
        {"\"solid\", \"material\": \"m\", \"soft\": {\"young\": 5, \"poisson\": 0.5}}", "bodies[0].soft.poisson"},
        {"\"solid\", \"material\": \"m\", \"soft\": {}}", "\"young\" is missing"},
        {"\"cloth\", \"material\": \"m\", \"soft\": {\"young\": 5}}", "the mesh has no tetrahedra"},
        {"\"cloth\", \"material\": \"m\", \"soft\": {\"bend\": 5}}", "\"stretch\" is missing"},
        {"\"cloth\", \"material\": \"m\", \"soft\": {\"stretch\": 5, \"pins\": [4]}}", "bodies[0].soft.pins[0]"},
        {"\"cloth\", \"material\": \"m\", \"soft\": {\"stretch\": 5, \"pins\": 7}}", "must be an array"},
        {"\"cloth\", \"material\": \"m\", \"fixed\": true, \"soft\": {\"stretch\": 5}}", "neither"},
        {"\"cloth\", \"material\": \"m\", \"soft\": {\"stretch\": 5, \"colour\": 1}}", "unknown key"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        abut_setup *s = NULL;
        abut_error error = {.text = ""};
        CHECK_STATUS(parse(wrong[i].body, &s, &error), ABUT_BAD_DATA, wrong[i].words);
        CHECK(strstr(error.text, wrong[i].words) != NULL, "\"%s\" lacks \"%s\"", error.text, wrong[i].words);
        CHECK(error.line == 4, "line %d", error.line);
    }
    CHECK_DONE();
}

// A solid whose tetrahedra lie over each other cannot be at rest.
static void overlapping_tetrahedra_are_named(void **state)
{
    (void)state;
    const abut_vec3 vertices[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.2, 0.2, 2}};
    const int tets[8] = {0, 1, 2, 3, 0, 1, 2, 4}; // both above the face 0 1 2
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 5;
    def.tets = tets;
    def.tet_count = 2;
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, &error), ABUT_OK);
    abut_soft_material material = abut_soft_material_default();
    material.young = 10.0;
    abut_soft_def soft = abut_soft_def_default();
    soft.mesh = mesh;
    soft.material = &material;
    abut_soft *made = NULL;
    CHECK_STATUS(abut_soft_create(NULL, &soft, &made, &error), ABUT_BAD_DATA, "overlap");
    CHECK(strstr(error.text, "tetrahedra 0 and 1") != NULL, "%s", error.text);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A soft cube falls on the ground. What is read from the recording is where its vertices were after each step.
static void vertices_are_recorded(void **state)
{
    (void)state;
    static const char *const text =
        "{\"schema\": 1, \"materials\": {\"m\": {}},\n"
        "\"meshes\": {\"cube\": {\"box\": [1, 1, 1]}, \"ground\": {\"box\": [9, 1, 9]}},\n"
        "\"bodies\": [{\"mesh\": \"ground\", \"material\": \"m\", \"position\": [0, -0.5, 0], \"fixed\": true},\n"
        "{\"mesh\": \"cube\", \"material\": \"m\", \"position\": [0, 0.51, 0], \"soft\": {\"young\": 1e5}}]}";
    enum { STEPS = 12, VERTICES = 9 }; // the corners, and the centre
    abut_vec3 expected[STEPS + 1][VERTICES];
    abut_error error = {.text = ""};
    abut_setup *setup = NULL;
    CHECK_STATUS(abut_setup_parse(NULL, text, strlen(text), NULL, &setup, &error), ABUT_OK, error.text);
    assert_non_null(setup);
    abut_world_def def = abut_setup_world_def(setup);
    abut_simulation *simulation = NULL;
    CHECK_STATUS(abut_simulation_create(NULL, setup, &def, &simulation, &error), ABUT_OK, error.text);
    assert_non_null(simulation);
    char path[] = "/tmp/abut-soft-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    (void)close(file);
    abut_recorder_def recorder_def = abut_recorder_def_default();
    recorder_def.path = path;
    recorder_def.setup = setup;
    recorder_def.simulation = simulation;
    abut_recorder *recorder = NULL;
    CHECK_STATUS(abut_recorder_create(NULL, &recorder_def, &recorder, &error), ABUT_OK, error.text);
    for (int step = 0; step <= STEPS; ++step) {
        if (step > 0) {
            CHECK_STATUS(abut_world_step(simulation->world, &error), ABUT_OK, error.text);
            CHECK_STATUS(abut_recorder_add(recorder, NULL, &error), ABUT_OK, error.text);
        }
        abut_soft_state at = abut_soft_get_state(abut_world_body_soft(simulation->world, 1));
        assert_int_equal(at.vertex_count, VERTICES);
        memcpy(expected[step], at.positions, sizeof expected[step]);
    }
    CHECK_STATUS(abut_recorder_finish(recorder, ABUT_RECORDING_DONE, NULL, &error), ABUT_OK, error.text);
    abut_recorder_destroy(recorder);
    abut_recording *read = NULL;
    CHECK_STATUS(abut_recording_read(NULL, path, &read, &error), ABUT_OK, error.text);
    assert_non_null(read);
    CHECK(read->bodies[1].is_soft && !read->bodies[0].is_soft && read->bodies[1].mass > 999.0, "kinds");
    CHECK(abut_recording_get_vertices(read, 0, 0) == NULL, "a rigid body has no vertices of its own");
    CHECK(read->contact_count > 0, "it touched the ground");
    CHECK(read->steps[STEPS - 1].elastic_energy > 0.0, "elastic energy");
    for (int step = 0; step <= STEPS; ++step) {
        CHECK(memcmp(abut_recording_get_vertices(read, step, 1), expected[step], sizeof expected[step]) == 0,
              "step %d", step);
    }
    abut_recording_destroy(read);
    (void)unlink(path);
    abut_simulation_destroy(simulation);
    abut_setup_destroy(setup);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_soft_body_is_read), cmocka_unit_test(wrong_bodies_are_named),
        cmocka_unit_test(overlapping_tetrahedra_are_named), cmocka_unit_test(vertices_are_recorded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
