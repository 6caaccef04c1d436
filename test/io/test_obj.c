// SPDX-License-Identifier: MIT
// test_obj.c: valid and invalid OBJ files
#include "io_helper.h"

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

// A square as polygon and a triangle, with a polyline of two segments and two points.
static void all_elements_are_read(void **state)
{
    (void)state;
    abut_mesh *mesh = parse_text(SQUARE "f 1 2 3 4\nf 3 1 2\nl 1 2 3\np 4 1\n", "a.obj");
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    CHECK_INT(elements.vertex_count, 4, "vertices");
    CHECK_INT(elements.face_count, 2, "faces");
    CHECK_INT(elements.face_offsets[1], 4, "corners of the polygon");
    CHECK_INT(elements.segment_count, 2, "segments");
    CHECK_INT(elements.point_count, 2, "points");
    CHECK(same_ints(elements.face_vertices, (const int[]){0, 1, 2, 3, 2, 0, 1}, 7), "corners");
    CHECK(same_ints(elements.segments, (const int[]){0, 1, 1, 2}, 4), "segments");
    CHECK(same_ints(elements.points, (const int[]){3, 0}, 2), "points");
    CHECK_INT(elements.precision, ABUT_PRECISION_DOUBLE, "precision");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// All of these are equivalent to SQUARE with the face 1 2 3 4.
static void forms_of_the_same_file(void **state)
{
    (void)state;
    static const char *const texts[] = {
        SQUARE "f 1/1 2/2 3/3 4/4\n",
        SQUARE "f 1//7 2//7 3//7 4//7",
        SQUARE "f 1/1/1 2/2/1 3/3/1 4/4/1 # a comment\n",
        SQUARE "f -4 -3 -2 -1\n",
        SQUARE "f -4/-1 -3/-2 -2/-3 -1/-4\n",
        "v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0 1 0.5 0.5 0.5\nv 0 1 0\nf 1 2 3 4\n",
        "# head\r\nv 0 0 0\r\nv 1 0 0\r\n\r\nv 1 1 0\r\nv 0 1 0\r\nf 1 2 3 4\r\n",
        "v 0 0 0\rv 1 0 0\rv 1 1 0\rv 0 1 0\rf 1 2 3 4\r",
        "\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4",
        "v 0 0 \\\n0\nv 1 0 0\nv 1 1\\\r\n 0\nv 0 1 0\nf 1\\\n 2 3 \\\n4\n",
        "  v\t0  0.0 -0e9\n v +1 0 0\n v 1. 1 .0\n v 0 1 0 \n\tf  1 2  3 4 \n",
        "mtllib a.mtl\no a b c\ng\ns off\nusemtl red\nvt 0 0\nvn nonsense\nvp 1\nlod 3\n" SQUARE "f 1 2 3 4\n",
        "# a comment does not go on \\\n" SQUARE "vn 0 0 \\\n1\nf 1 2 3 4\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        abut_mesh *mesh = parse_text(texts[i], "form.obj");
        abut_mesh_elements elements = abut_mesh_get_elements(mesh);
        CHECK_INT(elements.vertex_count, 4, texts[i]);
        CHECK_INT(elements.face_count, 1, texts[i]);
        CHECK(same_ints(elements.face_vertices, (const int[]){0, 1, 2, 3}, 4), "%s", texts[i]);
        CHECK(elements.vertices[2].x == 1.0 && elements.vertices[2].y == 1.0 && elements.vertices[2].z == 0.0, "%s",
              texts[i]);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

static void errors_name_line_and_reason(void **state)
{
    (void)state;
    static const refused_text cases[] = {
        {SQUARE "f 1 2 9\n", ABUT_BAD_DATA, 5, "9 4 face"},
        {"v 0 0 0\nf 1 2 3\n", ABUT_BAD_DATA, 2, "2 1 face"},
        {SQUARE "f 1 2 -5\n", ABUT_BAD_DATA, 5, "-5 4 face"},
        {SQUARE "f 0 1 2\n", ABUT_BAD_DATA, 5, "0 1 face"},
        {SQUARE "f 1 2\n", ABUT_BAD_DATA, 5, "2 3 face"},
        {SQUARE "f\n", ABUT_BAD_DATA, 5, "0 3 face"},
        {SQUARE "\n\nl 1\n", ABUT_BAD_DATA, 7, "1 2 vertex"},
        {SQUARE "p", ABUT_BAD_DATA, 5, "0 1 vertices"},
        {SQUARE "f 1 2 x\n", ABUT_BAD_DATA, 5, "x face"},
        {SQUARE "f 1 2 3/\n", ABUT_BAD_DATA, 5, "3/ face"},
        {SQUARE "f 1 2 3//\n", ABUT_BAD_DATA, 5, "3// face"},
        {SQUARE "f 1 2 3/1/1/1\n", ABUT_BAD_DATA, 5, "3/1/1/1 face"},
        {SQUARE "f 1 2 3.5\n", ABUT_BAD_DATA, 5, "3.5 face"},
        {SQUARE "f 1 2 99999999999999999999\n", ABUT_BAD_DATA, 5, "9223372036854775807 4 face"},
        {"v 0 0\n", ABUT_BAD_DATA, 1, "vertex coordinate"},
        {"v 0 0 nan\n", ABUT_BAD_DATA, 1, "nan vertex coordinate"},
        {"\r\nv 0 0 1e999\n", ABUT_BAD_DATA, 2, "1e999 vertex coordinate"},
        {"v 0,5 0 0\n", ABUT_BAD_DATA, 1, "0,5 vertex coordinate"},
        {"v 0 0 0 1 1\n", ABUT_BAD_DATA, 1, "5 3 vertex"},
        {"v 0 0 0 red\n", ABUT_BAD_DATA, 1, "red vertex"},
        {"v 0 0 0\nvertex 1 2 3\n", ABUT_BAD_DATA, 2, "vertex statement"},
        {"v 0 0 0\nV 1 2 3\n", ABUT_BAD_DATA, 2, "V statement"},
        {"v 0 0 0 \\\n\\\n\nbad\x01word-that-goes-on-and-on-and-on-and-on\n", ABUT_BAD_DATA, 4,
         "bad?word-that-goes-on-and-on-and-o... statement"},
        {"# nothing\n", ABUT_BAD_DATA, 0, "OBJ vertices"},
        {"\n", ABUT_BAD_DATA, 0, "OBJ vertices"},
        {"", ABUT_BAD_DATA, 0, "empty"},
        {"v 0 0 0\ncstype bezier\n", ABUT_UNSUPPORTED, 2, "cstype"},
    };
    check_refused(cases, sizeof cases / sizeof *cases, "a.obj");
    CHECK_DONE();
}

// Every truncation of the file gives a mesh or an error. So does changing any byte to one of a few nasty ones.
static void any_cut_or_change_is_survived(void **state)
{
    (void)state;
    static const char text[] = "o x\n" SQUARE "vt 0 0\nvn 0 0 1\nf 1/1/1 2//1 \\\n3/1 -1\nl 1 2 3\np 1\n";
    CHECK(check_beginnings(text, sizeof text - 1, "cut.obj") > 20, "a beginning with whole lines is a mesh");
    static const char nasty[] = {0, '\n', '\r', '\\', '#', '/', '-', '9', 'e', '.', ' ', '\xff'};
    for (size_t i = 0; i < sizeof text - 1; ++i) {
        for (size_t k = 0; k < sizeof nasty; ++k) {
            char copy[sizeof text];
            memcpy(copy, text, sizeof text);
            copy[i] = nasty[k];
            abut_mesh *mesh = NULL;
            abut_error error;
            (void)parse_bytes(copy, sizeof text - 1, "changed.obj", &mesh, &error);
            abut_mesh_destroy(mesh);
        }
    }
    CHECK_DONE();
}

static void binary_data_is_refused(void **state)
{
    (void)state;
    abut_mesh *mesh;
    abut_error error;
    CHECK_STATUS(parse_bytes("v 0 0 0\n\0\0", 10, "b.obj", &mesh, &error), ABUT_BAD_DATA, "zero bytes");
    check_error(&error, "b.obj", ABUT_BAD_DATA, 0, "OBJ binary");
    CHECK_DONE();
}

// In a file of 300,000 lines, an error at the end has the right line number. Without the error, all faces are read.
static void line_numbers_stay_right_in_long_files(void **state)
{
    (void)state;
    enum { LINES = 300000 };
    const size_t room = 16 * LINES;
    char *text = malloc(room);
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, room, SQUARE);
    for (int i = 4; i < LINES; ++i) {
        used += (size_t)snprintf(text + used, room - used, i % 3 == 0 ? "f 1 2 3\r\n" : i % 3 == 1 ? "\n" : "#\n");
    }
    abut_mesh *mesh = parse_text(text, "long.obj");
    CHECK_INT(abut_mesh_get_elements(mesh).face_count, (LINES - 1) / 3 - 1, "faces");
    abut_mesh_destroy(mesh);
    (void)snprintf(text + used, room - used, "x\n");
    check_bytes_refused(text, strlen(text), "long.obj", ABUT_BAD_DATA, LINES + 1, "statement x");
    free(text);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_elements_are_read),       cmocka_unit_test(forms_of_the_same_file),
        cmocka_unit_test(errors_name_line_and_reason), cmocka_unit_test(any_cut_or_change_is_survived),
        cmocka_unit_test(binary_data_is_refused),      cmocka_unit_test(line_numbers_stay_right_in_long_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
