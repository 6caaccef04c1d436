// SPDX-License-Identifier: MIT
// test_locale.c: numbers of the laboratory in a host whose locale has a decimal comma
#define _XOPEN_SOURCE 700
#include "check.h"

#include <abut-lab/lab.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// A library that HDF5 loads makes a locale and never frees it. The leak sanitizer calls this function to learn which
// leaks to ignore.
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:__argz_add_sep\n";
}

static int set_up(void **state)
{
    (void)state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        print_message("there is no locale de_DE.UTF-8: its tests are left out\n");
    }
    return 0;
}

/// Whether the locale prints 0,5.
static int has_comma(void)
{
    char text[8];
    (void)snprintf(text, sizeof text, "%.1f", 0.5);
    return strcmp(text, "0,5") == 0;
}

static void states_have_a_decimal_point(void **state)
{
    (void)state;
    if (!has_comma()) {
        skip();
    }
    abut_state parsed;
    CHECK_STATUS(abut_state_parse("sunk:0.25", &parsed, NULL), ABUT_OK, "point");
    CHECK_NEAR(parsed.depth, 0.25, 0.0, "depth");
    CHECK_STATUS(abut_state_parse("sunk:0,25", &parsed, NULL), ABUT_BAD_ARGUMENT, "comma");
    CHECK(has_comma(), "the host's locale stays");
    CHECK_DONE();
}

/// A program that checks its input: exit code 7 if it has a comma, 8 if it has 0.5 with a point.
static void tetgen_files_have_a_decimal_point(void **state)
{
    (void)state;
    if (!has_comma()) {
        skip();
    }
    char path[] = "/tmp/abut-test-XXXXXX";
    int file = mkstemp(path);
    static const char script[] =
        "#!/bin/sh\ngrep -q , surface.poly && exit 7\ngrep -q '0\\.5' surface.poly && exit 8\n";
    assert_true(file >= 0 && write(file, script, sizeof script - 1) == (ssize_t)sizeof script - 1);
    assert_true(fchmod(file, 0700) == 0 && close(file) == 0);
    static const int triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    const abut_vec3 vertices[] = {{0, 0, 0}, {0.5, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 4;
    def.face_vertices = triangles;
    def.face_count = 4;
    abut_mesh *surface = NULL, *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &surface, NULL), ABUT_OK);
    abut_tetgen_params params = abut_tetgen_params_default();
    params.program = path;
    abut_error error = {0};
    CHECK_STATUS(abut_tetrahedralize(NULL, surface, &params, &mesh, &error), ABUT_BAD_DATA, "program");
    CHECK(strstr(error.text, "exit code 8") != NULL, "%s", error.text);
    abut_mesh_destroy(surface);
    (void)unlink(path);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_have_a_decimal_point),
        cmocka_unit_test(tetgen_files_have_a_decimal_point),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
