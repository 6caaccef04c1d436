// SPDX-License-Identifier: MIT
// test_ply.c: PLY as text and as binary with either byte order, and invalid files of all kinds
#include "byte_helper.h"

#define SHAPE                                                                                                      \
    "comment none\nobj_info x y\nelement vertex 4\nproperty uchar red\nproperty double z\nproperty float x\n"      \
    "property list char short tags\nproperty int y\nelement edge 1\nproperty ushort vertex2\nproperty uint "       \
    "vertex1\n"                                                                                                    \
    "element other 2\nproperty short a\nelement face 2\nproperty double quality\n"                                 \
    "property list uchar int vertex_indices\nelement empty 7\nelement lists 1\nproperty list ushort float32 "      \
    "f\nend_header\n"

// The content of all files below: (0 0 0) (1 0 0) (1 1 0) (0 1 0.5), a segment from 3 to 2, a quad and a triangle.
static void check_shape(const abut_mesh *mesh, const char *label)
{
    static const abut_vec3 places[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.5}};
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    CHECK_INT(elements.vertex_count, 4, label);
    CHECK_INT(elements.segment_count, 1, label);
    CHECK_INT(elements.face_count, 2, label);
    CHECK_INT(elements.precision, ABUT_PRECISION_DOUBLE, label);
    if (check_failures == 0) {
        CHECK(memcmp(elements.vertices, places, sizeof places) == 0, "%s", label);
        CHECK(same_ints(elements.segments, (const int[]){3, 2}, 2), "%s", label);
        CHECK(same_ints(elements.face_offsets, (const int[]){0, 4, 7}, 3), "%s", label);
        CHECK(same_ints(elements.face_vertices, (const int[]){0, 1, 2, 3, 0, 1, 2}, 7), "%s", label);
    }
}

static const char shape_text[] =
    "ply\nformat ascii 1.0\n" SHAPE "9 0 0 0 0\n9 0 1 1 -5 0\n9 0 1 0 1\n\n9 .5 0 2 1 2 1\n"
    "2 3\n1\n2\nnan 4 0 1 2 3\n1 3 0 1 2\n2 1 2\n";

static void make_shape(bytes *made, const char *header, int is_big)
{
    static const double places[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.5}};
    made->size = 0;
    made->is_big = is_big;
    put_text(made, header);
    for (int i = 0; i < 4; ++i) {
        put_whole(made, 9, 1);
        put_double(made, places[i][2]);
        put_float(made, (float)places[i][0]);
        put_whole(made, i, 1);
        for (int k = 0; k < i; ++k) {
            put_whole(made, -1, 2);
        }
        put_whole(made, (int)places[i][1], 4);
    }
    put_whole(made, 2, 2);
    put_whole(made, 3, 4);
    put_whole(made, 1, 2);
    put_whole(made, 2, 2);
    for (int i = 0; i < 2; ++i) {
        put_double(made, i == 0 ? NAN : 1.0); // skipped values may be anything
        put_whole(made, 4 - i, 1);
        for (int k = 0; k < 4 - i; ++k) {
            put_whole(made, k, 4);
        }
    }
    put_whole(made, 1, 2);
    put_float(made, 1.0f);
}

static const char *const headers[2] = {"ply\nformat binary_little_endian 1.0\n" SHAPE,
                                       "ply\nformat binary_big_endian 1.0\n" SHAPE};

static void all_kinds_are_read(void **state)
{
    (void)state;
    abut_mesh *mesh = parse_text(shape_text, "a.ply");
    check_shape(mesh, "text");
    abut_mesh_destroy(mesh);
    for (int is_big = 0; is_big < 2; ++is_big) {
        static bytes made;
        make_shape(&made, headers[is_big], is_big);
        mesh = parse_made(&made, "a.ply");
        check_shape(mesh, headers[is_big]);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// The lines of a header may end with CR LF or CR. After a CR, the first byte of the values may happen to be LF.
static void line_ends_of_headers(void **state)
{
    (void)state;
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    static const char *const lines[] = {"ply",
                                        "format binary_little_endian 1.0",
                                        "element vertex 1",
                                        "property char x",
                                        "property char y",
                                        "property char z",
                                        "end_header"};
    for (int i = 0; i < 3; ++i) {
        static bytes made;
        made.size = 0;
        for (size_t k = 0; k < sizeof lines / sizeof *lines; ++k) {
            put_text(&made, lines[k]);
            put_text(&made, ends[i]);
        }
        put_whole(&made, 10, 1);
        put_whole(&made, 13, 1);
        put_whole(&made, -10, 1);
        abut_mesh *mesh = parse_made(&made, "a.ply");
        abut_vec3 vertex = abut_mesh_get_elements(mesh).vertices[0];
        CHECK(vertex.x == 10 && vertex.y == 13 && vertex.z == -10, "line end %d", i);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// Sizes and signs of all types, at their limits.
static void types_have_their_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int size;
        int64_t value;
    } types[] = {{"char", 1, -128},    {"uchar", 1, 255},           {"short", 2, -32768},
                 {"ushort", 2, 65535}, {"int", 4, -2147483647 - 1}, {"uint", 4, 4294967295},
                 {"int8", 1, 127},     {"uint8", 1, 128},           {"int16", 2, 32767},
                 {"uint16", 2, 32768}, {"int32", 4, 2147483647},    {"uint32", 4, 2147483648}};
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        static bytes made;
        made.size = 0;
        made.is_big = (int)i % 2;
        char header[256];
        (void)snprintf(header, sizeof header,
                       "ply\nformat binary_%s_endian 1.0\nelement vertex 1\nproperty %s x\nproperty float64 y\n"
                       "property float32 z\nend_header\n",
                       made.is_big ? "big" : "little", types[i].name);
        put_text(&made, header);
        put_whole(&made, types[i].value, types[i].size);
        put_double(&made, 0.1);
        put_float(&made, 0.1f);
        abut_mesh *mesh = parse_made(&made, "a.ply");
        abut_vec3 vertex = abut_mesh_get_elements(mesh).vertices[0];
        CHECK(vertex.x == (double)types[i].value && vertex.y == 0.1 && vertex.z == (double)0.1f, "%s",
              types[i].name);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

static void floats_are_known_as_such(void **state)
{
    (void)state;
    abut_mesh *mesh = parse_text("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
                                 "property float z\nproperty double w\nend_header\n1 2 3 4",
                                 "a.ply");
    CHECK_INT(abut_mesh_get_elements(mesh).precision, ABUT_PRECISION_FLOAT, "floats");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

#define HEAD "ply\nformat ascii 1.0\n"
#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define ONE HEAD "element vertex 1\n" XYZ
#define FACE "element face 1\nproperty list uchar int vertex_index\n"

static void text_errors_name_line_and_reason(void **state)
{
    (void)state;
    static const refused_text cases[] = {
        {"plx\n", ABUT_BAD_DATA, 0, "ply PLY"},
        {"OFF\n1 1 1", ABUT_UNSUPPORTED, 0, "OFF"},
        {"ply\n", ABUT_BAD_DATA, 1, "header"},
        {"ply\nend_header\n", ABUT_BAD_DATA, 2, "header format"},
        {"ply\nformat\n", ABUT_BAD_DATA, 2, "format header"},
        {"ply\nformat ascii\n", ABUT_BAD_DATA, 2, "version format header"},
        {"ply\nformat asci 1.0\n", ABUT_UNSUPPORTED, 2, "asci PLY format"},
        {"ply\nformat ascii 2.0\n", ABUT_UNSUPPORTED, 2, "2.0 PLY 1.0"},
        {"ply\nformat ascii 1.0 x\n", ABUT_BAD_DATA, 2, "x header"},
        {HEAD "vertices 3\n", ABUT_BAD_DATA, 3, "vertices PLY header"},
        {HEAD "element\n", ABUT_BAD_DATA, 3, "element header"},
        {HEAD "element vertex\n", ABUT_BAD_DATA, 3, "elements"},
        {HEAD "element vertex x\n", ABUT_BAD_DATA, 3, "x elements"},
        {HEAD "element vertex -1\n", ABUT_BAD_DATA, 3, "elements"},
        {HEAD "element tristrips 1\nproperty int vertex_indices\n", ABUT_BAD_DATA, 4, "vertex_indices list"},
        {ONE "element vertex 1\n", ABUT_BAD_DATA, 7, "vertex twice"},
        {HEAD "property float x\n", ABUT_BAD_DATA, 3, "property element"},
        {HEAD "element vertex 1\nproperty\n", ABUT_BAD_DATA, 4, "type property header"},
        {HEAD "element vertex 1\nproperty real x\n", ABUT_BAD_DATA, 4, "real PLY type"},
        {HEAD "element vertex 1\nproperty float\n", ABUT_BAD_DATA, 4, "property header"},
        {HEAD "element vertex 1\nproperty list float int x\n", ABUT_BAD_DATA, 4, "list"},
        {HEAD "element vertex 1\nproperty list int int x\n", ABUT_BAD_DATA, 4, "x list"},
        {HEAD "element face 1\nproperty int vertex_index\n", ABUT_BAD_DATA, 4, "vertex_index list"},
        {HEAD "element face 1\nproperty list int float vertex_index\n", ABUT_BAD_DATA, 4, "vertex_index list"},
        {HEAD "element edge 1\nproperty double vertex1\n", ABUT_BAD_DATA, 4, "vertex1"},
        {ONE "property float x\n", ABUT_BAD_DATA, 7, "x twice"},
        {HEAD "end_header\n", ABUT_BAD_DATA, 0, "PLY vertices"},
        {HEAD "element vertex 1\nproperty float x\nend_header\n1", ABUT_BAD_DATA, 3, "vertex y property"},
        {ONE "element face 0\nend_header\n1 2 3", ABUT_BAD_DATA, 7, "face vertex_indices property"},
        {HEAD "element vertex 4000000000\n" XYZ "end_header\n0 0 0\n", ABUT_BAD_DATA, 3, "vertex 4000000000 6"},
        {ONE "end_header\n0 0 x", ABUT_BAD_DATA, 8, "x vertex coordinate"},
        {ONE "end_header\n0 0\n0 0\n", ABUT_BAD_DATA, 8, "vertex coordinate"},
        {ONE "end_header\n0 0 nan", ABUT_BAD_DATA, 8, "nan vertex coordinate"},
        {ONE "end_header\n0 0 0 0", ABUT_BAD_DATA, 8, "0 vertex"},
        {ONE "end_header\n0 0 0\n1\n", ABUT_BAD_DATA, 9, "element"},
        {ONE FACE "end_header\n0 0 0\n2 0 0\n", ABUT_BAD_DATA, 11, "face 0 3"},
        {ONE FACE "end_header\n0 0 0\n-1 0 0\n", ABUT_BAD_DATA, 11, "face 0 list"},
        {ONE FACE "end_header\n0 0 0\n900 0 0\n", ABUT_BAD_DATA, 11, "face 0 list"},
        {ONE FACE "end_header\n0 0 0\n3 0 0 \n     ", ABUT_BAD_DATA, 11, "vertex face"},
        {ONE FACE "end_header\n0 0 0\n3 0 0 1\n", ABUT_BAD_DATA, 11, "face 0 1"},
        {ONE FACE "end_header\n0 0 0\n3 0 0 -1\n", ABUT_BAD_DATA, 11, "face 0 -1"},
        {ONE FACE "end_header\n0 0 0\n           ", ABUT_BAD_DATA, 11, "face 0 1"},
        {ONE "element edge 1\nproperty int vertex1\nproperty int vertex2\nend_header\n0 0 0\n0 7\n", ABUT_BAD_DATA,
         12, "edge 0 7"},
        {ONE "element o 1\nproperty int a\nproperty int b\nend_header\n0 0 0\n0     \n", ABUT_BAD_DATA, 12,
         "property"},
    };
    check_refused(cases, sizeof cases / sizeof *cases, "a.ply");
    CHECK_DONE();
}

static void binary_errors_name_the_byte(void **state)
{
    (void)state;
    static bytes made;
    made.is_big = 0;
#define BINARY "ply\nformat binary_little_endian 1.0\nelement vertex 3\n" XYZ
    static const char list[] = BINARY "element face 1\nproperty list int int vertex_indices\nend_header\n";
    static const struct {
        const char *header;
        int values[8];
        int count;
        const char *words;
    } cases[] = {
        {list, {0, 0, 0, 0, 0, 0, 0, 0}, 8, "vertex 3 32"},
        {BINARY "end_header\n", {0}, 1, "vertex 3 4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        made.size = 0;
        put_text(&made, cases[i].header);
        for (int k = 0; k < cases[i].count; ++k) {
            put_whole(&made, cases[i].values[k], 4);
        }
        check_bytes_refused(made.data, made.size, "a.ply", ABUT_BAD_DATA, 3, cases[i].words);
    }
    static const struct {
        int64_t corners[4];
        int count;
        const char *words;
    } faces[] = {
        {{2, 0, 1, 0}, 3, "207 face corners"},
        {{-3, 0, 1, 2}, 4, "207 face negative"},
        {{2000000000, 0, 1, 2}, 4, "207 face longer"},
        {{3, 0, 1, 3}, 4, "face 219 0"},
    };
    for (size_t i = 0; i < sizeof faces / sizeof *faces; ++i) {
        made.size = 0;
        put_text(&made, list);
        for (int k = 0; k < 9; ++k) {
            put_float(&made, (float)k);
        }
        for (int k = 0; k < faces[i].count; ++k) {
            put_whole(&made, faces[i].corners[k], 4);
        }
        check_made_refused(&made, "a.ply", ABUT_BAD_DATA, faces[i].words);
    }
    // a NaN is reported when the mesh is built
    made.size = 0;
    put_text(&made, BINARY "end_header\n");
    for (int k = 0; k < 9; ++k) {
        put_float(&made, k == 7 ? NAN : 1.0f);
    }
    check_made_refused(&made, "a.ply", ABUT_BAD_DATA, "2 vertex coordinate");
    CHECK_DONE();
}

// Truncated files are rejected. Only the last line end of text may be missing.
static void every_beginning_is_refused(void **state)
{
    (void)state;
    CHECK_INT(check_beginnings(shape_text, strlen(shape_text), "a.ply"), 1, "text without its last line end");
    for (int is_big = 0; is_big < 2; ++is_big) {
        static bytes made;
        make_shape(&made, headers[is_big], is_big);
        CHECK_INT(check_beginnings((const char *)made.data, made.size, "a.ply"), 0, headers[is_big]);
        put_whole(&made, 0, 1);
        char words[64];
        (void)snprintf(words, sizeof words, "%zu byte element", made.size - 1);
        check_made_refused(&made, "a.ply", ABUT_BAD_DATA, words);
    }
    CHECK_DONE();
}

static void round_trip(const abut_mesh *mesh, abut_format format, const char *label)
{
    abut_error error = {.text = ""};
    CHECK(abut_mesh_write(mesh, "round.ply", format, &error) == ABUT_OK, "%s", error.text);
    abut_mesh *back = NULL;
    CHECK(abut_mesh_read(NULL, "round.ply", ABUT_FORMAT_AUTO, &back, &error) == ABUT_OK, "%s", error.text);
    assert_non_null(back);
    check_same(mesh, back, label);
    CHECK_INT(abut_mesh_get_elements(back).precision, abut_mesh_get_elements(mesh).precision, label);
    abut_mesh_destroy(back);
    (void)remove("round.ply");
}

// A mesh of float precision in which one coordinate, at any position, is not an exact float is written with doubles.
// Optimisers tend to remove the conversion to float and back.
static void one_double_among_floats_is_kept(void **state)
{
    (void)state;
    for (int place = 0; place < 24; ++place) {
        double xyz[24];
        abut_vec3 vertices[8];
        for (int i = 0; i < 24; ++i) {
            xyz[i] = i == place ? 0.1 : 0.5 * i;
        }
        for (int i = 0; i < 8; ++i) {
            vertices[i] = abut_vec3_make(xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]);
        }
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = 8;
        def.precision = ABUT_PRECISION_FLOAT;
        abut_mesh *mesh = NULL, *back = NULL;
        CHECK_STATUS(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK, "mesh");
        CHECK_STATUS(abut_mesh_write(mesh, "mixed.ply", ABUT_FORMAT_PLY, NULL), ABUT_OK, "write");
        CHECK_STATUS(abut_mesh_read(NULL, "mixed.ply", ABUT_FORMAT_AUTO, &back, NULL), ABUT_OK, "read");
        check_same(mesh, back, "with a double");
        abut_mesh_destroy(back);
        abut_mesh_destroy(mesh);
    }
    (void)remove("mixed.ply");
    CHECK_DONE();
}

// Numbers that need all their digits, extreme sizes, and -0; polygons with 3, 4 and 300 corners; doubles and floats.
static void round_trips_are_exact(void **state)
{
    (void)state;
    static abut_vec3 vertices[300];
    static int corners[3 + 4 + 300];
    for (int i = 0; i < 300; ++i) {
        vertices[i] =
            abut_vec3_make(cos(0.01 * i) / 3.0, sin(0.01 * i) * 1e-300, i == 7 ? -0.0 : ldexp(1.0, 3 * i));
        corners[7 + i] = i;
    }
    const int first[] = {2, 1, 0, 9, 8, 7, 6};
    memcpy(corners, first, sizeof first);
    const int offsets[] = {0, 3, 7, 307}, segments[] = {0, 299, 5, 4};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 300;
    def.segments = segments;
    def.segment_count = 2;
    def.face_offsets = offsets;
    def.face_vertices = corners;
    def.face_count = 3;
    for (int as_float = 0; as_float < 2; ++as_float) {
        def.face_count = 3 - as_float;
        def.precision = as_float ? ABUT_PRECISION_FLOAT : ABUT_PRECISION_DOUBLE;
        for (int i = 0; i < 300 && as_float; ++i) {
            vertices[i] = abut_vec3_make((double)(float)vertices[i].x, i, -0.0);
        }
        abut_mesh *mesh = NULL;
        CHECK_STATUS(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK, "mesh");
        assert_non_null(mesh);
        round_trip(mesh, ABUT_FORMAT_PLY, "binary");
        round_trip(mesh, ABUT_FORMAT_PLY_TEXT, "text");
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

static void allocation_failures(void **state)
{
    (void)state;
    static bytes made;
    make_shape(&made, headers[1], 1);
    write_file("failing.ply", made.data, made.size);
    check_allocation_failures("failing.ply");
    write_file("failing.ply", shape_text, strlen(shape_text));
    check_allocation_failures("failing.ply");
    (void)remove("failing.ply");
    CHECK_DONE();
}

// Two strips in one list: 0 1 2 3 makes 0 1 2 and 2 1 3; after -1, 3 2 1 0 0 1 makes 3 2 1, 1 2 0, and nothing of the
// rows that name 0 twice. The last vertex is the sixth of its strip, so its triangle is turned around.
static void strips_are_read(void **state)
{
    (void)state;
    static const char text[] = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
                               "property float z\nelement tristrips 1\nproperty list int int vertex_indices\n"
                               "end_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n11 0 1 2 3 -1 3 2 1 0 0 1\n";
    abut_mesh *mesh = parse_text(text, "a.ply");
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    CHECK_INT(elements.face_count, 4, "faces");
    CHECK(elements.face_count == 4 &&
              same_ints(elements.face_vertices, (const int[]){0, 1, 2, 2, 1, 3, 3, 2, 1, 1, 2, 0}, 12),
          "corners");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_are_read),          cmocka_unit_test(strips_are_read),
        cmocka_unit_test(line_ends_of_headers),        cmocka_unit_test(types_have_their_ranges),
        cmocka_unit_test(floats_are_known_as_such),    cmocka_unit_test(text_errors_name_line_and_reason),
        cmocka_unit_test(binary_errors_name_the_byte), cmocka_unit_test(every_beginning_is_refused),
        cmocka_unit_test(round_trips_are_exact),       cmocka_unit_test(one_double_among_floats_is_kept),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
