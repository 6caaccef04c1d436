// SPDX-License-Identifier: MIT
// test_gltf.c: valid and invalid glTF files
#include "io_helper.h"

#include <math.h>

// Four vertices of a square and its corners as floats and bytes, in base64:
// 0 0 0, 1 0 0, 0 1 0, 1 1 0, and after 48 bytes the indices 0 1 2 2 1 3.
#define DATA                                                                                                       \
    "data:application/octet-stream;base64,"                                                                        \
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAACAPwAAgD8AAAAAAAECAgED"
#define BUFFERS                                                                                                    \
    "\"buffers\":[{\"byteLength\":54,\"uri\":\"" DATA "\"}],"                                                      \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":6}],"        \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"                      \
    "{\"bufferView\":1,\"componentType\":5121,\"count\":6,\"type\":\"SCALAR\"}]"
#define ASSET "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
#define MESH(rest) "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}" rest "}]}],"
#define NODE(rest) "\"nodes\":[{\"mesh\":0" rest "}],"

static void squares_are_read(void **state)
{
    (void)state;
    abut_mesh *mesh = parse_text(ASSET NODE("") MESH(",\"indices\":1") BUFFERS "}", "a.gltf");
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    static const abut_vec3 places[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    CHECK(e.vertex_count == 4 && memcmp(e.vertices, places, sizeof places) == 0, "vertices");
    CHECK(e.face_count == 2 && same_ints(e.face_vertices, (const int[]){0, 1, 2, 2, 1, 3}, 6), "faces");
    CHECK_INT(e.precision, ABUT_PRECISION_FLOAT, "precision");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

/// The four vertices without indices, in every mode.
static void modes_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int points, segments, faces;
        int first[3], last[3]; ///< corners of the first and last element
    } cases[] = {
        {ASSET NODE("") MESH(",\"mode\":0") BUFFERS "}", 4, 0, 0, {0}, {3}},
        {ASSET NODE("") MESH(",\"mode\":1") BUFFERS "}", 0, 2, 0, {0, 1}, {2, 3}},
        {ASSET NODE("") MESH(",\"mode\":2") BUFFERS "}", 0, 4, 0, {0, 1}, {3, 0}},
        {ASSET NODE("") MESH(",\"mode\":3") BUFFERS "}", 0, 3, 0, {0, 1}, {2, 3}},
        {ASSET NODE("") MESH(",\"mode\":4") BUFFERS "}", 0, 0, 1, {0, 1, 2}, {0, 1, 2}},
        {ASSET NODE("") MESH(",\"mode\":5") BUFFERS "}", 0, 0, 2, {0, 1, 2}, {2, 1, 3}},
        {ASSET NODE("") MESH(",\"mode\":6") BUFFERS "}", 0, 0, 2, {0, 1, 2}, {0, 2, 3}},
    };
    for (int i = 0; i < 7; ++i) {
        abut_mesh *mesh = parse_text(cases[i].text, "a.gltf");
        abut_mesh_elements e = abut_mesh_get_elements(mesh);
        CHECK(e.point_count == cases[i].points && e.segment_count == cases[i].segments &&
                  e.face_count == cases[i].faces,
              "mode %d: %d %d %d", i, e.point_count, e.segment_count, e.face_count);
        int size = cases[i].points > 0 ? 1 : cases[i].segments > 0 ? 2 : 3;
        int count = cases[i].points + cases[i].segments + cases[i].faces;
        const int *corners = size == 1 ? e.points : size == 2 ? e.segments : e.face_vertices;
        CHECK(same_ints(corners, cases[i].first, size) &&
                  same_ints(corners + (count - 1) * size, cases[i].last, size),
              "mode %d", i);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

/// A child of a moved, turned and scaled node: (1, 1, 0) is doubled, turned by 90 degrees about z to (-2, 2, 0), moved by
/// (10, 0, 0), and its own matrix moved it by (0, 0, 5) before, which the parent doubles.
static void nodes_place_meshes(void **state)
{
    (void)state;
    static const char text[] =
        ASSET "\"nodes\":[{\"children\":[1],\"translation\":[10,0,0],\"scale\":[2,2,2],"
              "\"rotation\":[0,0,0.70710678118654752,0.70710678118654752]},"
              "{\"mesh\":0,\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,5,1]}]," MESH(",\"indices\":1") BUFFERS "}";
    abut_mesh *mesh = parse_text(text, "a.gltf");
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    CHECK_INT(e.vertex_count, 4, "vertices");
    CHECK_NEAR(e.vertices[3].x, 8.0, 1e-14, "x");
    CHECK_NEAR(e.vertices[3].y, 2.0, 1e-14, "y");
    CHECK_NEAR(e.vertices[3].z, 10.0, 1e-14, "z");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

/// Two primitives of one mesh share their vertices; two nodes with the same mesh do not.
static void vertices_are_welded_in_a_node(void **state)
{
    (void)state;
    abut_mesh *one = parse_text(ASSET NODE("") "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}},"
                                               "{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]," BUFFERS "}",
                                "a.gltf");
    CHECK_INT(abut_mesh_get_elements(one).vertex_count, 4, "one node");
    abut_mesh_destroy(one);
    abut_mesh *two = parse_text("{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0,1]}],"
                                "\"nodes\":[{\"mesh\":0},{\"mesh\":0}]," MESH("") BUFFERS "}",
                                "a.gltf");
    CHECK_INT(abut_mesh_get_elements(two).vertex_count, 8, "two nodes");
    abut_mesh_destroy(two);
    CHECK_DONE();
}

/// The same as a .glb file: header, JSON chunk, binary chunk with one triangle.
static size_t make_binary(unsigned char *bytes)
{
    static const char text[] =
        ASSET NODE("") MESH("") "\"buffers\":[{\"byteLength\":36}],"
                                "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":"
                                "[{\"bufferView\":0,\"componentType\":5126,\"count\":3,"
                                "\"type\":\"VEC3\"}]}";
    const float places[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    uint32_t length = (uint32_t)strlen(text), head[5] = {0x46546c67u, 2, 0, length, 0x4e4f534au};
    uint32_t binary[2] = {sizeof places, 0x004e4942u};
    head[2] = (uint32_t)(sizeof head + length + sizeof binary + sizeof places);
    unsigned char *at = bytes;
    memcpy(at, head, sizeof head);
    memcpy(at += sizeof head, text, length);
    memcpy(at += length, binary, sizeof binary);
    memcpy(at += sizeof binary, places, sizeof places);
    return (size_t)(at - bytes) + sizeof places;
}

static void binary_files_are_read(void **state)
{
    (void)state;
    unsigned char bytes[1024];
    size_t size = make_binary(bytes);
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    CHECK(parse_bytes(bytes, size, "a.glb", &mesh, &error) == ABUT_OK, "%s", error.text);
    assert_non_null(mesh);
    CHECK_INT(abut_mesh_get_elements(mesh).triangle_count, 1, "triangles");
    abut_mesh_destroy(mesh);
    CHECK_INT(check_beginnings((const char *)bytes, size, "a.glb"), 0, "beginnings");
    FILE *file = fopen("memory.glb", "wb");
    assert_non_null(file);
    (void)fwrite(bytes, 1, size, file);
    (void)fclose(file);
    check_allocation_failures("memory.glb");
    (void)remove("memory.glb");
    CHECK_DONE();
}

/// A buffer in a file beside the text.
static void files_beside_are_read(void **state)
{
    (void)state;
    static const char text[] =
        ASSET NODE("") MESH("") "\"buffers\":[{\"byteLength\":36,\"uri\":\"beside.bin\"}],"
                                "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":"
                                "[{\"bufferView\":0,\"componentType\":5126,\"count\":3,"
                                "\"type\":\"VEC3\"}]}";
    const float places[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    FILE *file = fopen("beside.gltf", "w"), *beside = fopen("beside.bin", "wb");
    assert_true(file != NULL && beside != NULL);
    (void)fputs(text, file);
    (void)fwrite(places, sizeof places, 1, beside);
    (void)fclose(file);
    (void)fclose(beside);
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    CHECK(abut_mesh_read(NULL, "beside.gltf", ABUT_FORMAT_AUTO, &mesh, &error) == ABUT_OK, "%s", error.text);
    abut_mesh_destroy(mesh);
    check_allocation_failures("beside.gltf");
    (void)remove("beside.bin");
    CHECK_STATUS(abut_mesh_read(NULL, "beside.gltf", ABUT_FORMAT_AUTO, &mesh, &error), ABUT_IO, "missing");
    check_bytes_refused(text, strlen(text), "a.gltf", ABUT_UNSUPPORTED, 0, "buffer 0 memory");
    (void)remove("beside.gltf");
    CHECK_DONE();
}

static void errors_tell_the_reason(void **state)
{
    (void)state;
    static const refused_text cases[] = {
        {"{", ABUT_BAD_DATA, 0, "JSON name"},
        {"[1,]", ABUT_BAD_DATA, 0, "JSON number"},
        {"{}", ABUT_BAD_DATA, 0, "glTF asset"},
        {"{\"asset\":{\"version\":\"2.0\"}}", ABUT_BAD_DATA, 0, "scene"},
        {ASSET "\"nodes\":[]}", ABUT_BAD_DATA, 0, "node 0 exist"},
        {ASSET "\"nodes\":[{\"children\":[0]}]}", ABUT_BAD_DATA, 0, "node 0 twice"},
        {ASSET "\"nodes\":[{\"mesh\":3}]}", ABUT_BAD_DATA, 0, "node 0 mesh"},
        {ASSET "\"nodes\":[{\"scale\":[1,2]}]}", ABUT_BAD_DATA, 0, "node 0 transformation"},
        {ASSET "\"nodes\":[{}]}", ABUT_BAD_DATA, 0, "scene vertices"},
        {ASSET "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"nodes\":[{}]}", ABUT_UNSUPPORTED, 0,
         "KHR_draco_mesh_compression compression"},
        {ASSET NODE("") MESH(",\"indices\":7") BUFFERS "}", ABUT_BAD_DATA, 0, "accessor 7"},
        {ASSET NODE("") MESH(",\"mode\":9") BUFFERS "}", ABUT_BAD_DATA, 0, "mode"},
        {ASSET "\"buffers\":[{\"uri\":\"../secret\"}]}", ABUT_UNSUPPORTED, 0, "buffer 0 beside"},
        {ASSET "\"buffers\":[{\"uri\":\"/etc/passwd\"}]}", ABUT_UNSUPPORTED, 0, "buffer 0 beside"},
        {ASSET "\"buffers\":[{\"uri\":\"data:;base64,!\"}]}", ABUT_BAD_DATA, 0, "buffer 0 base64"},
        {ASSET "\"buffers\":[{}]}", ABUT_BAD_DATA, 0, "buffer 0 data"},
        {ASSET NODE("") MESH("") "\"buffers\":[{\"uri\":\"data:;base64,AAAA\"}],\"bufferViews\":[{\"buffer\":0,"
                                 "\"byteLength\":3}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
                                 "\"count\":1,\"type\":\"VEC3\"}]}",
         ABUT_BAD_DATA, 0, "accessor 0 beyond"},
    };
    check_refused(cases, sizeof cases / sizeof *cases, "a.gltf");
    char deep[200];
    memset(deep, '[', sizeof deep);
    check_bytes_refused(deep, sizeof deep, "a.gltf", ABUT_BAD_DATA, 0, "64 levels");
    CHECK_DONE();
}

static void every_beginning_is_refused(void **state)
{
    (void)state;
    static const char text[] = ASSET NODE("") MESH(",\"indices\":1") BUFFERS "}";
    CHECK_INT(check_beginnings(text, strlen(text), "a.gltf"), 0, "beginnings");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_are_read),       cmocka_unit_test(modes_are_read),
        cmocka_unit_test(nodes_place_meshes),     cmocka_unit_test(vertices_are_welded_in_a_node),
        cmocka_unit_test(binary_files_are_read),  cmocka_unit_test(files_beside_are_read),
        cmocka_unit_test(errors_tell_the_reason), cmocka_unit_test(every_beginning_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
