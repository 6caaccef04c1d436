// SPDX-License-Identifier: MIT
// test_stl.c: text and binary STL, welding, and invalid files of all kinds
#include "io_helper.h"
#include "random.h"

#include <time.h>

#define FACET(a, b, c)                                                                                             \
    "facet normal 0 0 1\n outer loop\n  vertex " a "\n  vertex " b "\n  vertex " c "\n endloop\nendfacet\n"

static void put_word(unsigned char *at, uint32_t word)
{
    for (int i = 0; i < 4; ++i) {
        at[i] = (unsigned char)(word >> (8 * i));
    }
}

static void put_float(unsigned char *at, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    put_word(at, word);
}

// Makes a binary file from nine floats for each triangle. The caller frees it.
static unsigned char *make_binary(const char *header, const float *corners, int count, size_t *size)
{
    *size = 84 + 50 * (size_t)count;
    unsigned char *data = calloc(*size, 1);
    assert_non_null(data);
    memcpy(data, header, strlen(header));
    put_word(data + 80, (uint32_t)count);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 9; ++k) {
            put_float(data + 84 + 50 * i + 12 + 4 * k, corners[9 * i + k]);
        }
    }
    return data;
}

// Two triangles of a square: six corners at four positions, numbered in order of appearance.
static const float square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, /**/ 0, 0, 0, 1, 1, 0, -0.0f, 1, 0};

static void check_square(const abut_mesh *mesh, const char *label)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    CHECK_INT(elements.vertex_count, 4, label);
    CHECK_INT(elements.face_count, 2, label);
    CHECK(same_ints(elements.face_vertices, (const int[]){0, 1, 2, 0, 2, 3}, 6), "%s", label);
    CHECK(elements.vertices[2].x == 1.0 && elements.vertices[2].y == 1.0, "%s", label);
}

static void text_is_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "solid a b\n" FACET("0 0 0", "1 0 0", "1 1 0") FACET("0 0 0", "1 1 0", "-0 1 0") "endsolid a b\n",
        // two solids, the second without a name; the normals are wrong
        "solid a\n" FACET("0 0 0", "1 0 0",
                          "1 1 0") "endsolid a\n\nsolid\nfacet normal nan -nan x\nouter loop\n"
                                   "vertex 0 -0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid",
        "\xef\xbb\xbf SOLID\r\nFacet Normal 0 0 0 OUTER LOOP VERTEX 0 0 0\r\nVERTEX 1e0 0 0\r\nVERTEX 1 1 "
        "0\r\nENDLOOP "
        "ENDFACET\r\n" FACET("0 0 -0", "1 1 0", "0 1 0") "endsolid\r\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        abut_mesh *mesh = parse_text(texts[i], "text.stl");
        check_square(mesh, texts[i]);
        CHECK_INT(abut_mesh_get_elements(mesh).precision, ABUT_PRECISION_DOUBLE, texts[i]);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// A binary file may start with "solid"; it is recognised by its size.
static void binary_is_read(void **state)
{
    (void)state;
    static const char *const headers[] = {"", "solid of a program that does not care", "ply\n", "ISO-10303-21"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; ++i) {
        size_t size;
        unsigned char *data = make_binary(headers[i], square, 2, &size);
        abut_mesh *mesh = NULL;
        abut_error error = {.text = ""};
        CHECK(parse_bytes(data, size, "b.stl", &mesh, &error) == ABUT_OK, "%s", error.text);
        assert_non_null(mesh);
        check_square(mesh, headers[i]);
        CHECK_INT(abut_mesh_get_elements(mesh).precision, ABUT_PRECISION_FLOAT, headers[i]);
        abut_mesh_destroy(mesh);
        free(data);
    }
    CHECK_DONE();
}

// 0 and -0 are the same position, and the first keeps its sign. Neighbouring floats are different positions.
static void welding_is_exact(void **state)
{
    (void)state;
    const float next = nextafterf(1.0f, 2.0f);
    const float corners[] = {-0.0f, 0, 0, 1, 0, 0, next, 1, 0, /**/ 0, -0.0f, 0, next, 0, 0, 1, 1, 0};
    size_t size;
    unsigned char *data = make_binary("", corners, 2, &size);
    abut_mesh *mesh = NULL;
    CHECK_STATUS(parse_bytes(data, size, "w.stl", &mesh, NULL), ABUT_OK, "read");
    assert_non_null(mesh);
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    CHECK_INT(elements.vertex_count, 5, "places");
    CHECK(signbit(elements.vertices[0].x) && !signbit(elements.vertices[0].y), "the first sign is kept");
    CHECK(same_ints(elements.face_vertices, (const int[]){0, 1, 2, 0, 3, 4}, 6), "numbers");
    abut_mesh_destroy(mesh);
    free(data);
    CHECK_DONE();
}

// Corners on a 12 x 12 x 12 lattice, compared with a search through all earlier vertices.
static void welding_matches_brute_force(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static float corners[9 * COUNT];
    test_random random = {7};
    for (int i = 0; i < 9 * COUNT; ++i) {
        corners[i] = (float)(random_below(&random, 12) - 6) / 7.0f;
    }
    size_t size;
    unsigned char *data = make_binary("", corners, COUNT, &size);
    abut_mesh *mesh = NULL;
    CHECK_STATUS(parse_bytes(data, size, "l.stl", &mesh, NULL), ABUT_OK, "read");
    assert_non_null(mesh);
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    static int first[3 * COUNT]; // for each vertex: the corner where it first appeared
    int count = 0;
    for (int i = 0; i < 3 * COUNT; ++i) {
        int vertex = 0;
        while (vertex < count && memcmp(corners + 3 * first[vertex], corners + 3 * i, 3 * sizeof(float)) != 0) {
            ++vertex;
        }
        if (vertex == count) {
            first[count++] = i;
        }
        CHECK_INT(elements.face_vertices[i], vertex, "vertex of a corner");
    }
    CHECK_INT(elements.vertex_count, count, "places");
    abut_mesh_destroy(mesh);
    free(data);
    CHECK_DONE();
}

static void text_errors_name_line_and_reason(void **state)
{
    (void)state;
    static const refused_text cases[] = {
        {"solid a\n", ABUT_BAD_DATA, 1, "solid"},
        {"solid a\nendsolid a\n", ABUT_BAD_DATA, 0, "STL triangles"},
        {"solid a\nface normal 0 0 1\n", ABUT_BAD_DATA, 2, "face facet endsolid"},
        {"solid a\nfacet 0 0 1\n", ABUT_BAD_DATA, 2, "0 normal facet"},
        {"solid a\nfacet normal 0 1\nouter loop\n", ABUT_BAD_DATA, 2, "2 3 normal"},
        {"solid a\nfacet normal 0 0 1\nloop\n", ABUT_BAD_DATA, 3, "loop outer facet"},
        {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", ABUT_BAD_DATA, 4, "vertex coordinate"},
        {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n", ABUT_BAD_DATA, 4, "nan vertex coordinate"},
        {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0 0\n", ABUT_BAD_DATA, 4, "0 vertex facet"},
        {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nendloop\n", ABUT_BAD_DATA, 6,
         "endloop vertex facet"},
        {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nvertex 1 1 0\n",
         ABUT_BAD_DATA, 7, "vertex endloop facet"},
        {"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n", ABUT_BAD_DATA, 4, "vertex facet"},
        {"solid a\n" FACET("0 0 0", "1 0 0", "1 1 0") "endsolid\nfacet\n", ABUT_BAD_DATA, 10, "facet solid"},
        {"hello\n", ABUT_BAD_DATA, 0, "solid STL binary"},
        {"# an OBJ file under the wrong name\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\n",
         ABUT_BAD_DATA, 0, "solid STL OBJ"},
        {"", ABUT_BAD_DATA, 0, "empty"},
    };
    check_refused(cases, sizeof cases / sizeof *cases, "a.stl");
    CHECK_DONE();
}

static void check_binary_refused(const unsigned char *data, size_t size, const char *words)
{
    check_bytes_refused(data, size, "b.stl", ABUT_BAD_DATA, 0, words);
}

static void binary_errors_name_the_triangle(void **state)
{
    (void)state;
    size_t size;
    unsigned char *data = make_binary("solid", square, 2, &size);
    check_binary_refused(data, size - 1, "STL 2 184");
    put_word(data + 80, 1);
    check_binary_refused(data, size, "STL 1 134");
    put_word(data + 80, 2);
    put_float(data + 84 + 50 + 12 + 16, NAN);
    check_binary_refused(data, size, "1 triangle coordinate");
    abut_mesh *mesh = NULL;
    abut_error error;
    (void)parse_bytes(data, size, "b.stl", &mesh, &error);
    CHECK_INT(error.element, 1, "element");
    put_float(data + 84 + 12, -INFINITY);
    check_binary_refused(data, size, "0 triangle coordinate");
    put_word(data + 80, 0);
    check_binary_refused(data, 84, "STL triangle");
    free(data);
    CHECK_DONE();
}

// The header declares 4 billion triangles, but the file has two. It is rejected at once, without allocating memory.
static void promised_billions_are_not_believed(void **state)
{
    (void)state;
    size_t size;
    unsigned char *data = make_binary("", square, 2, &size);
    put_word(data + 80, UINT32_MAX);
    clock_t start = clock();
    for (int i = 0; i < 1000; ++i) {
        check_binary_refused(data, size, "STL 4294967295 214748364834");
    }
    CHECK((double)(clock() - start) / CLOCKS_PER_SEC < 1.0, "at once");
    free(data);
    CHECK_DONE();
}

static void any_cut_or_change_is_survived(void **state)
{
    (void)state;
    static const char text[] =
        "solid a\n" FACET("0 0 0", "1 0 0", "1 1 0") FACET("0 0 0", "1 1 0", "0 1e0 0") "endsolid a\n";
    // valid only if the last word is complete, with or without the name and the line end after it
    CHECK_INT(check_beginnings(text, sizeof text - 1, "cut.stl"), 3, "beginnings");
    size_t size;
    unsigned char *data = make_binary("x", square, 2, &size);
    CHECK_INT(check_beginnings((const char *)data, size, "cut.stl"), 0, "beginnings");
    for (size_t i = 0; i < size; ++i) {
        for (int k = 0; k < 8; ++k) {
            unsigned char copy[184];
            assert_int_equal(size, sizeof copy);
            memcpy(copy, data, sizeof copy);
            copy[i] = (unsigned char)(copy[i] ^ (1 << k));
            abut_mesh *mesh = NULL;
            (void)parse_bytes(copy, sizeof copy, "flip.stl", &mesh, NULL);
            abut_mesh_destroy(mesh);
        }
    }
    free(data);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_read),
        cmocka_unit_test(binary_is_read),
        cmocka_unit_test(welding_is_exact),
        cmocka_unit_test(welding_matches_brute_force),
        cmocka_unit_test(text_errors_name_line_and_reason),
        cmocka_unit_test(binary_errors_name_the_triangle),
        cmocka_unit_test(promised_billions_are_not_believed),
        cmocka_unit_test(any_cut_or_change_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
