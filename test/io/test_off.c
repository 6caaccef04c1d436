// SPDX-License-Identifier: MIT
// test_off.c: valid and invalid OFF files
#include "io_helper.h"

#define CORNERS "0 0 0\n1 0 0\n1 1 0\n0 1 .5\n"

// A square, a segment from 3 to 1 and the point 2, with everything that readers skip.
static void files_are_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "OFF\n4 3 0\n" CORNERS "4 0 1 2 3\n2 3 1\n1 2\n",
        "# first\nOFF 4 3\n#x\n\n" CORNERS "# 9\n4  0 1 2 3 # red\n1 2 7\n2 3 1 0.5 0.5 0.5 1",
        "OFF4 3 5\r\n0 0 0\r\n1 0 0\r\n1 1 0\r\n0 1 0.5\r\n2 3 1\r\n4 0 1 2 3\r\n1 2\r\n",
        "coff\n4 3 0\n0 0 0 255 0 0 255\n1 0 0 255 0 0 255\n1 1 0 1 1 1 1\n0 1 5e-1 0 0 0 0\n4 0 1 2 3 255 0 0\n2 "
        "3 "
        "1\n1 2\n",
        "OFF\n4 3 0\n" CORNERS "4\n0 1\n# two more\n2 3\n2 3\n1\n1 2\n",
        "STCNOFF\n4 3 0\n0 0 0 0 0 1 1 1 1 1 0 0\n1 0 0 0 0 1 1 1 1 1 0 0\n1 1 0\n0 1 0.5\n4 0 1 2 3\n2 3 1\n1 2",
    };
    static const abut_vec3 places[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.5}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        abut_mesh *mesh = parse_text(texts[i], "a.off");
        abut_mesh_elements elements = abut_mesh_get_elements(mesh);
        CHECK(elements.vertex_count == 4 && memcmp(elements.vertices, places, sizeof places) == 0, "%s", texts[i]);
        CHECK(elements.face_count == 1 && same_ints(elements.face_vertices, (const int[]){0, 1, 2, 3}, 4), "%s",
              texts[i]);
        CHECK(elements.segment_count == 1 && same_ints(elements.segments, (const int[]){3, 1}, 2), "%s", texts[i]);
        CHECK(elements.point_count == 1 && elements.points[0] == 2, "%s", texts[i]);
        CHECK_INT(elements.precision, ABUT_PRECISION_DOUBLE, texts[i]);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

static void errors_name_line_and_reason(void **state)
{
    (void)state;
    static const refused_text cases[] = {
        {"# nothing\n", ABUT_BAD_DATA, 0, "OFF"},
        {"4 3 0\n", ABUT_BAD_DATA, 0, "OFF"},
        {"ply\nformat", ABUT_UNSUPPORTED, 0, "PLY"},
        {"4OFF\n1 1 1\n", ABUT_UNSUPPORTED, 1, "4OFF OFF coordinates"},
        {"OFF BINARY\n", ABUT_UNSUPPORTED, 1, "OFF binary"},
        {"OFF\n", ABUT_BAD_DATA, 1, "counts"},
        {"OFF\nx 1 1\n", ABUT_BAD_DATA, 2, "x vertices"},
        {"OFF\n1\n", ABUT_BAD_DATA, 2, "faces"},
        {"OFF\n1 1 x\n", ABUT_BAD_DATA, 2, "x edges"},
        {"OFF\n1 1 1 1\n", ABUT_BAD_DATA, 2, "counts"},
        {"OFF\n-1 1 1\n", ABUT_BAD_DATA, 2, "vertices"},
        {"OFF\n1 -1 1\n", ABUT_BAD_DATA, 2, "faces"},
        {"OFF\n0 0 0\n", ABUT_BAD_DATA, 0, "OFF vertices"},
        {"OFF\n2000000000 1 0\n0 0 0\n", ABUT_BAD_DATA, 2, "2000000000 1 7"},
        {"OFF\n1 0 0\n0 0 x\n", ABUT_BAD_DATA, 3, "x vertex coordinate"},
        {"OFF\n1 0 0\n0 0   \n", ABUT_BAD_DATA, 3, "vertex coordinate"},
        {"OFF\n1 0 0\n0 0 1e999\n", ABUT_BAD_DATA, 3, "1e999 vertex coordinate"},
        {"OFF\n1 0 0\n0 0 0 red\n", ABUT_BAD_DATA, 3, "red vertex"},
        {"OFF\n2 0 0\n0 0 0\n         \n", ABUT_BAD_DATA, 4, "1 2 vertices"},
        {"OFF\n1 1 0\n0 0 0\n#        \n", ABUT_BAD_DATA, 4, "0 1 faces"},
        {"OFF\n1 1 0\n0 0 0\n0 0 0\n", ABUT_BAD_DATA, 4, "0 face corners"},
        {"OFF\n1 1 0\n0 0 0\n-3 0 0\n", ABUT_BAD_DATA, 4, "-3 face corners"},
        {"OFF\n1 1 0\n0 0 0\n3 0 0\n", ABUT_BAD_DATA, 4, "vertex face"},
        {"OFF\n1 1 0\n0 0 0\n3 0 0 1\n", ABUT_BAD_DATA, 4, "1 0 face"},
        {"OFF\n1 1 0\n0 0 0\n3 0 -1 0\n", ABUT_BAD_DATA, 4, "-1 0 face"},
        {"OFF\n1 1 0\n0 0 0\n3 0 0 0 red\n", ABUT_BAD_DATA, 4, "red face"},
        {"OFF\n1 1 0\n0 0 0\n3 0 0 0\n3 0 0 0\n", ABUT_BAD_DATA, 5, "1 faces"},
        {"OFF\n1 1 0\n0 0 0\n2 0 0\n", ABUT_BAD_DATA, 0, "0 segment vertex"},
    };
    check_refused(cases, sizeof cases / sizeof *cases, "a.off");
    CHECK_DONE();
}

// A file may only be cut after its last number: "2 3 1" needs all its numbers, and no line may be missing.
static void every_beginning_is_refused(void **state)
{
    (void)state;
    static const char text[] = "OFF\n4 2 0\n" CORNERS "4 0 1 2 3\n2 3 1\n";
    CHECK_INT(check_beginnings(text, strlen(text), "a.off"), 1, "without the last line end");
    CHECK_DONE();
}

static void round_trips_are_exact(void **state)
{
    (void)state;
    static const char text[] = "v 0.1 1e-310 -0\nv 1e300 0.30000000000000004 7\nv 1 2 3\nv 4 5 7\nv 5 5 5\n"
                               "p 3\np 1\nl 1 2 5\nf 1 2 3 4 5\nf 3 4 5\n";
    abut_mesh *mesh = parse_text(text, "a.obj"), *back = NULL;
    abut_error error = {.text = ""};
    CHECK(abut_mesh_write(mesh, "round.off", ABUT_FORMAT_AUTO, &error) == ABUT_OK, "%s", error.text);
    CHECK(abut_mesh_read(NULL, "round.off", ABUT_FORMAT_AUTO, &back, &error) == ABUT_OK, "%s", error.text);
    assert_non_null(back);
    check_same(mesh, back, "round trip");
    check_allocation_failures("round.off");
    (void)remove("round.off");
    abut_mesh_destroy(back);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(errors_name_line_and_reason),
        cmocka_unit_test(every_beginning_is_refused),
        cmocka_unit_test(round_trips_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
