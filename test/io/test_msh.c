// SPDX-License-Identifier: MIT
// test_msh.c: Gmsh files of versions 2.2 and 4.1, text and binary; VTU; and invalid files of all kinds
#include "byte_helper.h"

// Five nodes with numbers 10, 3, 7, 8, 9: (0 0 0) (1 0 0) (0 1 0) (0 0 1) (1 1 0). A point at 10, a line from 10 to
// 3, the triangle 10 3 7, which faces the tetrahedron 10 3 7 8, a quadrangle, and the tetrahedron.
enum { NODE_COUNT = 5, ELEMENT_COUNT = 5 };
static const int node_tags[NODE_COUNT] = {10, 3, 7, 8, 9};
static const double node_places[NODE_COUNT][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}};
static const struct {
    int type, dimension, corners[4], corner_count;
} elements_of_file[ELEMENT_COUNT] = {{15, 0, {10}, 1},
                                     {1, 1, {10, 3}, 2},
                                     {2, 2, {10, 3, 7}, 3},
                                     {3, 2, {10, 3, 9, 7}, 4},
                                     {4, 3, {10, 3, 7, 8}, 4}};

// The triangle 0 1 2 faces vertex 3, so it is reversed. The quadrangle is unchanged.
static void check_shape(const abut_mesh *mesh, const char *label)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    CHECK_INT(elements.vertex_count, NODE_COUNT, label);
    CHECK(memcmp(elements.vertices, node_places, sizeof node_places) == 0, "%s", label);
    CHECK(elements.point_count == 1 && elements.points[0] == 0, "%s", label);
    CHECK(elements.segment_count == 1 && same_ints(elements.segments, (const int[]){0, 1}, 2), "%s", label);
    CHECK(elements.face_count == 2 && same_ints(elements.face_offsets, (const int[]){0, 3, 7}, 3), "%s", label);
    CHECK(same_ints(elements.face_vertices, (const int[]){0, 2, 1, 0, 1, 4, 2}, 7), "%s", label);
    CHECK(elements.tet_count == 1 && same_ints(elements.tets, (const int[]){0, 1, 2, 3}, 4), "%s", label);
    CHECK_INT(elements.precision, ABUT_PRECISION_DOUBLE, label);
}

// The variant of a file.
typedef struct style {
    const char *name;
    int is_new, is_binary, is_big, size;
} style;

static const style styles[] = {{"2.2 text", 0, 0, 0, 8},           {"2.2 binary", 0, 1, 0, 8},
                               {"2.2 binary, big", 0, 1, 1, 8},    {"4.1 text", 1, 0, 0, 8},
                               {"4.1 binary", 1, 1, 0, 8},         {"4.1 binary, big", 1, 1, 1, 8},
                               {"4.1 binary, 4 bytes", 1, 1, 0, 4}};
enum { STYLE_COUNT = sizeof styles / sizeof *styles };

static void put_number(bytes *to, const style *how, int64_t value, int size)
{
    if (how->is_binary) {
        put_whole(to, value, size);
    } else {
        char text[32];
        (void)snprintf(text, sizeof text, "%lld ", (long long)value);
        put_text(to, text);
    }
}

static void put_line_end(bytes *to, const style *how)
{
    put_text(to, how->is_binary ? "" : "\n");
}

static void put_place(bytes *to, const style *how, int node, int extra)
{
    for (int k = 0; k < 3 + extra; ++k) {
        double value = k < 3 ? node_places[node][k] : 0.5;
        if (how->is_binary) {
            put_double(to, value);
        } else {
            char text[32];
            (void)snprintf(text, sizeof text, "%g ", value);
            put_text(to, text);
        }
    }
    put_line_end(to, how);
}

static void put_old_body(bytes *to, const style *how)
{
    put_text(to, "$Nodes\n5\n");
    for (int i = 0; i < NODE_COUNT; ++i) {
        put_number(to, how, node_tags[i], 4);
        put_place(to, how, i, 0);
    }
    put_text(to, "\n$EndNodes\n$Elements\n5\n");
    for (int i = 0; i < ELEMENT_COUNT; ++i) {
        if (how->is_binary) {
            put_whole(to, elements_of_file[i].type, 4);
            put_whole(to, 1, 4);
            put_whole(to, 2, 4);
        }
        put_number(to, how, i + 1, 4);
        if (!how->is_binary) {
            put_number(to, how, elements_of_file[i].type, 4);
            put_number(to, how, 2, 4);
        }
        put_number(to, how, 1, 4);
        put_number(to, how, 1, 4);
        for (int k = 0; k < elements_of_file[i].corner_count; ++k) {
            put_number(to, how, elements_of_file[i].corners[k], 4);
        }
        put_line_end(to, how);
    }
}

static void put_node_block(bytes *to, const style *how, int dimension, int begin, int end)
{
    put_number(to, how, dimension, 4);
    put_number(to, how, 1, 4);
    put_number(to, how, dimension > 0, 4);
    put_number(to, how, end - begin, how->size);
    put_line_end(to, how);
    for (int i = begin; i < end; ++i) {
        put_number(to, how, node_tags[i], how->size);
        put_line_end(to, how);
    }
    for (int i = begin; i < end; ++i) {
        put_place(to, how, i, dimension);
    }
}

static void put_new_body(bytes *to, const style *how)
{
    put_text(to, "$Nodes\n");
    const int node_counts[] = {2, NODE_COUNT, 3, 10};
    for (int i = 0; i < 4; ++i) {
        put_number(to, how, node_counts[i], how->size);
    }
    put_line_end(to, how);
    put_node_block(to, how, 0, 0, 1);
    put_node_block(to, how, 2, 1, NODE_COUNT);
    put_text(to, "\n$EndNodes\n$Elements\n");
    const int element_counts[] = {ELEMENT_COUNT, ELEMENT_COUNT, 1, ELEMENT_COUNT};
    for (int i = 0; i < 4; ++i) {
        put_number(to, how, element_counts[i], how->size);
    }
    put_line_end(to, how);
    for (int i = 0; i < ELEMENT_COUNT; ++i) {
        put_number(to, how, elements_of_file[i].dimension, 4);
        put_number(to, how, 1, 4);
        put_number(to, how, elements_of_file[i].type, 4);
        put_number(to, how, 1, how->size);
        put_line_end(to, how);
        put_number(to, how, i + 1, how->size);
        for (int k = 0; k < elements_of_file[i].corner_count; ++k) {
            put_number(to, how, elements_of_file[i].corners[k], how->size);
        }
        put_line_end(to, how);
    }
}

static void make_file(bytes *made, const style *how)
{
    char format[32];
    made->size = 0;
    made->is_big = how->is_big;
    (void)snprintf(format, sizeof format, "$MeshFormat\n%s %d %d\n", how->is_new ? "4.1" : "2.2", how->is_binary,
                   how->size);
    put_text(made, format);
    if (how->is_binary) {
        put_whole(made, 1, 4);
        put_text(made, "\n");
    }
    // binary data may contain what looks like the end of another section
    put_text(made, "$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"$EndNodes\"\n$EndPhysicalNames\n");
    if (how->is_new) {
        put_new_body(made, how);
    } else {
        put_old_body(made, how);
    }
    put_text(made, "\n$EndElements\n");
}

static void all_kinds_are_read(void **state)
{
    (void)state;
    for (int i = 0; i < STYLE_COUNT; ++i) {
        static bytes made;
        make_file(&made, &styles[i]);
        abut_mesh *mesh = parse_made(&made, "a.msh");
        check_shape(mesh, styles[i].name);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// Only the last line end may be missing.
static void every_beginning_is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < STYLE_COUNT; ++i) {
        static bytes made;
        make_file(&made, &styles[i]);
        size_t until = made.size - strlen("\n$EndElements\n");
        // a file may end before $Elements, with or without a line end: then it is a cloud of nodes
        CHECK_INT(check_beginnings((const char *)made.data, until, "a.msh"), 2, styles[i].name);
        // after that, only a line end may be missing
        --made.size;
        abut_mesh *mesh = parse_made(&made, "a.msh");
        check_shape(mesh, styles[i].name);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

#define OLD "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NEW "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES OLD "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
#define NEW_NODES NEW "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n"

static void text_errors_name_line_and_reason(void **state)
{
    (void)state;
    static const refused_text cases[] = {
        {"mesh\n", ABUT_BAD_DATA, 0, "Gmsh $MeshFormat"},
        {"ply\nformat", ABUT_UNSUPPORTED, 0, "PLY"},
        {"$Nodes\n1\n", ABUT_BAD_DATA, 1, "$Nodes $MeshFormat"},
        {"$MeshFormat\n", ABUT_BAD_DATA, 1, "$MeshFormat"},
        {"$MeshFormat\n4 0 8\n", ABUT_UNSUPPORTED, 2, "4 2.2 4.1"},
        {"$MeshFormat\n2.2\n", ABUT_BAD_DATA, 2, "type"},
        {"$MeshFormat\n2.2 0\n", ABUT_BAD_DATA, 2, "size"},
        {"$MeshFormat\n2.2 2 8\n", ABUT_BAD_DATA, 2, "2 0 1"},
        {"$MeshFormat\n2.2 0 4\n", ABUT_UNSUPPORTED, 2, "4 8"},
        {"$MeshFormat\n2.2 0 8 1\n", ABUT_BAD_DATA, 2, "1 format"},
        {"$MeshFormat\n2.2 0 8\n$EndFormat\n", ABUT_BAD_DATA, 3, "$EndFormat section"},
        {"$MeshFormat\n2.2 0 8\n", ABUT_BAD_DATA, 2, "$MeshFormat"},
        {OLD "$MeshFormat\n", ABUT_BAD_DATA, 4, "$MeshFormat twice"},
        {OLD, ABUT_BAD_DATA, 0, "Gmsh nodes"},
        {OLD "nodes\n", ABUT_BAD_DATA, 4, "nodes $Name section"},
        {OLD "$Names\nabc\n", ABUT_BAD_DATA, 5, "$Names"},
        {OLD "$Nodes\n", ABUT_BAD_DATA, 4, "$Nodes"},
        {OLD "$Nodes\nx\n", ABUT_BAD_DATA, 5, "x nodes"},
        {OLD "$Nodes\n-1\n", ABUT_BAD_DATA, 5, "nodes"},
        {OLD "$Nodes\n1 1\n", ABUT_BAD_DATA, 5, "1 nodes"},
        {OLD "$Nodes\n4000000000\n1 0 0 0\n", ABUT_BAD_DATA, 6, "4000000000 8 nodes"},
        {OLD "$Nodes\n1\nx 0 0 0\n", ABUT_BAD_DATA, 6, "x node"},
        {OLD "$Nodes\n1\n1 0 0 x\n", ABUT_BAD_DATA, 6, "x node coordinate"},
        {OLD "$Nodes\n1\n1 0 0 0 0\n", ABUT_BAD_DATA, 6, "0 node"},
        {OLD "$Nodes\n1\n1 0 0   \n", ABUT_BAD_DATA, 6, "node coordinate"},
        {OLD "$Nodes\n2\n1 0 0 0\n1 1 1 1\n$EndNodes\n", ABUT_BAD_DATA, 7, "1 nodes"},
        {NODES "$Nodes\n", ABUT_BAD_DATA, 10, "$Nodes section"},
        {OLD "$Elements\n1\n", ABUT_BAD_DATA, 5, "$Elements section $Nodes"},
        {NODES "$Elements\n1\n1 2 0 1 2 4\n", ABUT_BAD_DATA, 12, "1 4 element"},
        {NODES "$Elements\n1\n1 2 0 1 2 -1\n", ABUT_BAD_DATA, 12, "1 -1 element"},
        {NODES "$Elements\n1\n1 2 0 1 2   \n", ABUT_BAD_DATA, 12, "node element"},
        {NODES "$Elements\n1\n1 2 0 1 2 3 1\n", ABUT_BAD_DATA, 12, "1 element"},
        {NODES "$Elements\n1\n1 2 99 1 2 3\n", ABUT_BAD_DATA, 12, "99 7 labels"},
        {NODES "$Elements\n1\n1 2 -1 1 2 3\n", ABUT_BAD_DATA, 12, "labels element"},
        {NODES "$Elements\n1\n1 5 0 1 2 3 1 2 3 1 2\n", ABUT_UNSUPPORTED, 12, "5 Gmsh 1"},
        {NODES "$Elements\n1\n1 9 0 1 2 3 1 2 3\n", ABUT_UNSUPPORTED, 12, "9 Gmsh 1"},
        {NODES "$Elements\n1\n1 77 0 1 2 3 1 2 3\n", ABUT_UNSUPPORTED, 12, "77 Gmsh 1"},
        {NODES "$Elements\n900\n1 2 0 1 2 3\n", ABUT_BAD_DATA, 12, "900 12 elements"},
        {NODES "$Elements\n1\n            ", ABUT_BAD_DATA, 12, "$Elements"},
        {NODES "$Elements\n1\n1 2 0 1 2 3\n$EndElements\n$Elements\n", ABUT_BAD_DATA, 14, "$Elements section"},
        {NODES "$Elements\n1\n1 1 0 2 2\n$EndElements\n", ABUT_BAD_DATA, 0, "0 1 segment"},
        {NEW "$Nodes\n1 4000000000 1 4000000000\n2 1 0 4000000000\n", ABUT_BAD_DATA, 5, "4000000000 18 nodes"},
        {NEW "$Nodes\n900 1 1 1\n0 1 0 1\n1\n0 0 0\n$EndNodes\n", ABUT_BAD_DATA, 5, "900 27 blocks"},
        {NEW "$Nodes\n1 2 1 2\n0 1 0 1\n1\n0 0 0\n$EndNodes\n", ABUT_BAD_DATA, 8, "2 1 nodes"},
        {NEW "$Nodes\n1 1 1 1\n4 1 0 1\n1\n0 0 0\n$EndNodes\n", ABUT_BAD_DATA, 6, "4 nodes dimension"},
        {NEW "$Nodes\n1 1 1 1\n2 1 1 1\n1\n0 0 0\n$EndNodes\n", ABUT_BAD_DATA, 8, "coordinate"},
        {NEW "$Nodes\n1 1 1 1\n2 1 0 1\n1 1\n0 0 0\n$EndNodes\n", ABUT_BAD_DATA, 7, "1 node"},
        {NEW_NODES "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 9\n$EndElements\n", ABUT_BAD_DATA, 17, "1 9 element"},
        {NEW_NODES "$Elements\n1 2 1 1\n2 1 2 1\n1 1 2 3\n$EndElements\n", ABUT_BAD_DATA, 17, "2 1 elements"},
        {NEW_NODES "$Elements\n1 1 1 1\n2 1 11 1\n1 1 2 3\n$EndElements\n", ABUT_UNSUPPORTED, 16, "11 Gmsh 1"},
    };
    check_refused(cases, sizeof cases / sizeof *cases, "a.msh");
    CHECK_DONE();
}

static void binary_errors_name_the_byte(void **state)
{
    (void)state;
    static bytes made;
    made.is_big = 0;
    made.size = 0;
    put_text(&made, "$MeshFormat\n2.2 1 8\n");
    put_whole(&made, 7, 4);
    check_made_refused(&made, "a.msh", ABUT_BAD_DATA, "24 byte order");
    made.size -= 4;
    put_whole(&made, 1, 4);
    put_text(&made, "\n$EndMeshFormat\n$Nodes\n4000000000\nxxxxx");
    check_made_refused(&made, "a.msh", ABUT_BAD_DATA, "58 4000000000 5");
    made.size = 20;
    put_whole(&made, 1, 4);
    put_text(&made, "\n$EndMeshFormat\n$Nodes\n1\n");
    put_whole(&made, 5, 4);
    for (int k = 0; k < 3; ++k) {
        put_double(&made, k);
    }
    put_text(&made, "\n$EndNodes\n$Elements\n1\n");
    size_t size = made.size;
    put_whole(&made, 15, 4);
    put_whole(&made, 2, 4);
    put_whole(&made, 0, 4);
    check_made_refused(&made, "a.msh", ABUT_BAD_DATA, "112 2 1");
    made.size = size;
    put_whole(&made, 5, 4);
    put_whole(&made, 1, 4);
    put_whole(&made, 0, 4);
    check_made_refused(&made, "a.msh", ABUT_UNSUPPORTED, "112 5 Gmsh");
    made.size = size;
    put_whole(&made, 15, 4);
    put_whole(&made, 1, 4);
    put_whole(&made, 0, 4);
    put_whole(&made, 1, 4);
    put_whole(&made, 6, 4);
    check_made_refused(&made, "a.msh", ABUT_BAD_DATA, "120 1 6");
    CHECK_DONE();
}

static void round_trips_are_exact(void **state)
{
    (void)state;
    static bytes made;
    make_file(&made, &styles[0]);
    abut_mesh *mesh = parse_made(&made, "a.msh"), *back = NULL;
    abut_error error = {.text = ""};
    CHECK(abut_mesh_write(mesh, "round.msh", ABUT_FORMAT_AUTO, &error) == ABUT_OK, "%s", error.text);
    CHECK(abut_mesh_read(NULL, "round.msh", ABUT_FORMAT_AUTO, &back, &error) == ABUT_OK, "%s", error.text);
    assert_non_null(back);
    check_same(mesh, back, "round trip");
    (void)remove("round.msh");
    abut_mesh_destroy(back);
    abut_mesh_destroy(mesh);
    mesh = parse_text("v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\nf 1 2 3\nf 1 2 3 4 5\n", "a.obj");
    CHECK_STATUS(abut_mesh_write(mesh, "round.msh", ABUT_FORMAT_AUTO, &error), ABUT_UNSUPPORTED, "polygon");
    check_error(&error, "round.msh", ABUT_UNSUPPORTED, 0, "MSH 1 5");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// Five cells of types 1, 3, 5, 9, 10, which end after 1, 3, 6, 10 and 14 corners.
static void vtu_holds_everything(void **state)
{
    (void)state;
    static bytes made;
    make_file(&made, &styles[4]);
    abut_mesh *mesh = parse_made(&made, "a.msh");
    abut_error error = {.text = ""};
    CHECK(abut_mesh_write(mesh, "a.vtu", ABUT_FORMAT_AUTO, &error) == ABUT_OK, "%s", error.text);
    abut_mesh_destroy(mesh);
    static char text[4096];
    FILE *stream = fopen("a.vtu", "rb");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    (void)fclose(stream);
    (void)remove("a.vtu");
    static const char expected[] =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
        "<UnstructuredGrid>\n<Piece NumberOfPoints=\"5\" NumberOfCells=\"5\">\n<Points>\n"
        "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n"
        "0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 0\n</DataArray>\n</Points>\n<Cells>\n"
        "<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">\n"
        "0\n0 1\n0 2 1\n0 1 4 2\n0 1 2 3\n</DataArray>\n"
        "<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">\n1\n3\n6\n10\n14\n</DataArray>\n"
        "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">\n1\n3\n5\n9\n10\n</DataArray>\n"
        "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
    CHECK(strcmp(text, expected) == 0, "%s", text);
    CHECK_DONE();
}

static void allocation_failures(void **state)
{
    (void)state;
    for (int i = 0; i < STYLE_COUNT; i += 4) {
        static bytes made;
        make_file(&made, &styles[i]);
        write_file("failing.msh", made.data, made.size);
        check_allocation_failures("failing.msh");
        (void)remove("failing.msh");
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_are_read),
        cmocka_unit_test(every_beginning_is_refused),
        cmocka_unit_test(text_errors_name_line_and_reason),
        cmocka_unit_test(binary_errors_name_the_byte),
        cmocka_unit_test(round_trips_are_exact),
        cmocka_unit_test(vtu_holds_everything),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
