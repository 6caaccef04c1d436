// SPDX-License-Identifier: MIT
// test_medit.c: valid and invalid Medit files
#include "io_helper.h"

#define HEAD "MeshVersionFormatted 2\nDimension 3\n"
#define CORNERS "Vertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 7\n0 0 .5 0\n"

// A tetrahedron with one of its faces, an edge and a square of its four corners; words in any lines, tables in any order.
static void files_are_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD CORNERS
        "Triangles 1\n1 3 2 5\nQuadrilaterals 1\n1 2 3 4 0\nTetrahedra 1\n1 2 3 4 9\nEdges 1\n4 2 0\nEnd\n",
        "# made by hand\nmeshversionformatted\n2\n\nDimension\n3\nVertices\n4\n0 0 0 0 1 0 0 0\n0 1 0 7 0 0 .5 0\n"
        "Corners 2\n1\n2\nNormals 1\n0 0 1\nEdges\n1\n4 2 0\nTetrahedra\n1\n1 2\n3 4 9\nTriangles 1 1 3 2 5 "
        "Quadrilaterals 1 1 2 3 4 0 End",
    };
    static const abut_vec3 places[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0.5}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        abut_mesh *mesh = parse_text(texts[i], "a.mesh");
        abut_mesh_elements elements = abut_mesh_get_elements(mesh);
        CHECK(elements.vertex_count == 4 && memcmp(elements.vertices, places, sizeof places) == 0, "%s", texts[i]);
        CHECK(elements.face_count == 2 && same_ints(elements.face_offsets, (const int[]){0, 3, 7}, 3), "%s",
              texts[i]);
        CHECK(same_ints(elements.face_vertices, (const int[]){0, 2, 1, 0, 1, 2, 3}, 7), "%s", texts[i]);
        CHECK(elements.segment_count == 1 && same_ints(elements.segments, (const int[]){3, 1}, 2), "%s", texts[i]);
        CHECK_INT(elements.tet_count, 1, texts[i]);
        CHECK_INT(elements.precision, ABUT_PRECISION_DOUBLE, texts[i]);
        abut_mesh_destroy(mesh);
    }
    abut_mesh *single = parse_text("MeshVersionFormatted 1\nDimension 3\nVertices 1\n.1 0 0 0\nEnd\n", "a.mesh");
    CHECK_INT(abut_mesh_get_elements(single).precision, ABUT_PRECISION_FLOAT, "version 1");
    abut_mesh_destroy(single);
    CHECK_DONE();
}

static void errors_name_line_and_reason(void **state)
{
    (void)state;
    static const refused_text cases[] = {
        {"Vertices 1\n", ABUT_BAD_DATA, 0, "Medit MeshVersionFormatted"},
        {"MeshVersionFormatted x\n", ABUT_BAD_DATA, 1, "x version"},
        {"MeshVersionFormatted 2\nDimension 2\n", ABUT_UNSUPPORTED, 2, "dimension 2 3"},
        {HEAD "End\n", ABUT_BAD_DATA, 0, "Medit vertices"},
        {HEAD CORNERS, ABUT_BAD_DATA, 7, "End"},
        {HEAD "Vertices 9999999\n0 0 0 0\nEnd", ABUT_BAD_DATA, 3, "9999999 Vertices bytes"},
        {HEAD "Vertices -1\nEnd", ABUT_BAD_DATA, 3, "Vertices"},
        {HEAD "Vertices 2\n0 0 0 0\n1 1 x 0\nEnd", ABUT_BAD_DATA, 5, "x vertex coordinate"},
        {HEAD "Vertices 2\n0 0 0 0\n1 1 1\nEnd          ", ABUT_BAD_DATA, 6, "End reference vertex"},
        {HEAD CORNERS CORNERS "End\n", ABUT_BAD_DATA, 8, "two vertices"},
        {HEAD CORNERS "Triangles 1\n1 2 5 0\nEnd\n", ABUT_BAD_DATA, 9, "5 vertex 1 4"},
        {HEAD CORNERS "Tetrahedra 1\n0 2 3 4 0\nEnd\n", ABUT_BAD_DATA, 9, "0 vertex 1 4"},
        {HEAD CORNERS "Hexahedra 1\n1 2 3 4 1 2 3 4 0\nEnd\n", ABUT_UNSUPPORTED, 8, "Hexahedra tetrahedra"},
        {HEAD CORNERS "TrianglesP2 1\n1\nEnd\n", ABUT_UNSUPPORTED, 8, "TrianglesP2 Medit"},
    };
    check_refused(cases, sizeof cases / sizeof *cases, "a.mesh");
    CHECK_DONE();
}

static void every_beginning_is_refused(void **state)
{
    (void)state;
    static const char text[] = HEAD CORNERS "Triangles 1\n1 2 3 0\nEnd";
    CHECK_INT(check_beginnings(text, strlen(text), "a.mesh"), 0, "beginnings");
    CHECK_DONE();
}

static void memory_may_run_out(void **state)
{
    (void)state;
    FILE *file = fopen("memory.mesh", "w");
    assert_non_null(file);
    (void)fputs(HEAD CORNERS "Triangles 1\n1 2 3 0\nQuadrilaterals 1\n1 2 3 4 0\nTetrahedra 1\n1 2 3 4 0\nEnd\n",
                file);
    (void)fclose(file);
    check_allocation_failures("memory.mesh");
    (void)remove("memory.mesh");
    CHECK_DONE();
}

static void files_are_not_written(void **state)
{
    (void)state;
    abut_mesh *mesh = parse_text(HEAD CORNERS "End\n", "a.mesh");
    abut_error error = {.text = ""};
    CHECK_STATUS(abut_mesh_write(mesh, "b.mesh", ABUT_FORMAT_AUTO, &error), ABUT_UNSUPPORTED, error.text);
    check_error(&error, "b.mesh", ABUT_UNSUPPORTED, 0, "Medit msh");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(errors_name_line_and_reason),
        cmocka_unit_test(every_beginning_is_refused),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(files_are_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
