// SPDX-License-Identifier: MIT
// test_io.c: formats by name and content, round trips through files, meshes that writers reject, failing allocations
#define _POSIX_C_SOURCE 200809L // mkdtemp, truncate, setrlimit

#include "io/file.h"
#include "io/parts.h"
#include "io_helper.h"
#include "random.h"

#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static abut_mesh *make(const abut_mesh_def *def)
{
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    CHECK(abut_mesh_create(NULL, def, &mesh, &error) == ABUT_OK, "%s", error.text);
    assert_non_null(mesh);
    return mesh;
}

static abut_mesh *read_back(const char *path)
{
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    CHECK(abut_mesh_read(NULL, path, ABUT_FORMAT_AUTO, &mesh, &error) == ABUT_OK, "%s", error.text);
    assert_non_null(mesh);
    (void)remove(path);
    return mesh;
}

static void check_read_refused(const char *path, abut_status expected, const char *words)
{
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    CHECK_STATUS(abut_mesh_read(NULL, path, ABUT_FORMAT_AUTO, &mesh, &error), expected, path);
    CHECK(mesh == NULL, "%s", path);
    check_error(&error, path, expected, 0, words);
}

static void check_write_refused(const abut_mesh *mesh, const char *path, abut_format format, abut_status expected,
                                const char *words)
{
    abut_error error = {.text = ""};
    CHECK_STATUS(abut_mesh_write(mesh, path, format, &error), expected, words);
    check_error(&error, path, expected, 0, words);
    CHECK(access(path, F_OK) != 0, "%s must not be there", path);
}

// Random coordinates of all sizes, polygons, segments and points, written to OBJ and read back bit for bit.
static void obj_round_trip(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    static abut_vec3 vertices[COUNT];
    static int corners[7 * COUNT], offsets[COUNT + 1];
    test_random random = {3};
    for (int i = 0; i < COUNT; ++i) {
        vertices[i] = abut_scale(pow(10.0, random_in(&random, -40.0, 40.0)), random_vec3(&random, 1.0));
        offsets[i + 1] = offsets[i] + 3 + random_below(&random, 5);
    }
    vertices[0] = abut_vec3_make(-0.0, 5e-324, 0x1p900);
    for (int i = 0; i < offsets[COUNT]; ++i) {
        corners[i] = random_below(&random, COUNT);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = COUNT;
    def.face_offsets = offsets;
    def.face_vertices = corners;
    def.face_count = COUNT;
    def.segments = corners;
    def.segment_count = 20;
    def.points = corners + 5;
    def.point_count = 7;
    abut_mesh *mesh = make(&def);
    CHECK_STATUS(abut_mesh_write(mesh, "trip.obj", ABUT_FORMAT_AUTO, NULL), ABUT_OK, "write");
    abut_mesh *back = read_back("trip.obj");
    check_same(mesh, back, "OBJ");
    abut_mesh_destroy(back);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A closed surface whose vertices appear in order. Text STL keeps doubles; binary STL keeps the nearest floats.
static void stl_round_trip(void **state)
{
    (void)state;
    const abut_vec3 vertices[] = {{0.1, -0.0, 0.0}, {1.0 / 3.0, 0.0, 1e-30}, {0.0, 1e10, 0.0}, {0.0, 0.0, 1.0}};
    const int corners[] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2, 1, 1, 2};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 4;
    def.face_vertices = corners;
    def.face_count = 5; // the last one has no area, but STL can hold it
    abut_mesh *mesh = make(&def);
    CHECK_STATUS(abut_mesh_write(mesh, "t.stl", ABUT_FORMAT_STL_TEXT, NULL), ABUT_OK, "text");
    abut_mesh *back = read_back("t.stl");
    check_same(mesh, back, "text STL");
    abut_mesh_destroy(back);

    CHECK_STATUS(abut_mesh_write(mesh, "b.stl", ABUT_FORMAT_AUTO, NULL), ABUT_OK, "binary");
    struct stat info;
    CHECK(stat("b.stl", &info) == 0 && info.st_size == 84 + 5 * 50, "size");
    back = read_back("b.stl");
    abut_mesh_elements elements = abut_mesh_get_elements(back);
    CHECK_INT(elements.precision, ABUT_PRECISION_FLOAT, "precision");
    CHECK(same_ints(elements.face_vertices, corners, 15), "faces");
    for (int i = 0; i < 4; ++i) {
        const abut_vec3 *from = &vertices[i], *to = &elements.vertices[i];
        CHECK(to->x == (float)from->x && to->y == (float)from->y && to->z == (float)from->z, "vertex %d", i);
        CHECK(!signbit(to->y) == !signbit(from->y), "vertex %d keeps the sign of its zero", i);
    }
    CHECK_STATUS(abut_mesh_write(back, "b.stl", ABUT_FORMAT_STL, NULL), ABUT_OK, "floats again");
    abut_mesh *again = read_back("b.stl");
    check_same(back, again, "binary STL");
    abut_mesh_destroy(again);
    abut_mesh_destroy(back);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A square with four corners is written as the two triangles that it was cut into.
static void polygons_become_triangles_in_stl(void **state)
{
    (void)state;
    abut_mesh *mesh = parse_text(SQUARE "f 1 2 3 4\nf 3 2 1\n", "s.obj");
    CHECK_STATUS(abut_mesh_write(mesh, "s.stl", ABUT_FORMAT_AUTO, NULL), ABUT_OK, "write");
    abut_mesh *back = read_back("s.stl");
    CHECK_INT(abut_mesh_get_elements(back).face_count, 3, "faces");
    CHECK_NEAR(abut_mesh_get_info(back).area, 1.5, 1e-15, "area");
    abut_mesh_destroy(back);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

static void writers_refuse_what_they_cannot_hold(void **state)
{
    (void)state;
    abut_mesh *points = parse_text(SQUARE "f 1 2 3\np 1\n", "a.obj");
    abut_mesh *segments = parse_text(SQUARE "f 1 2 3\nl 1 2\n", "a.obj");
    abut_mesh *vertices = parse_text(SQUARE, "a.obj");
    abut_mesh *polygon = parse_text(SQUARE "f 1 2 3\nf 1 2 3 4\n", "a.obj");
    abut_mesh *repeated = parse_text(SQUARE "f 1 2 3\nf 1 1 1 1\n", "a.obj");
    abut_mesh *large = parse_text("v 0 0 0\nv 1e39 0 0\nv 0 1 0\nf 1 2 3\n", "a.obj");
    abut_mesh_def def = abut_mesh_def_default();
    abut_mesh *empty = make(&def);
    const abut_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int tet[] = {0, 1, 2, 3};
    def.vertices = corners;
    def.vertex_count = 4;
    def.tets = tet;
    def.tet_count = 1;
    abut_mesh *tets = make(&def);
    const struct {
        const abut_mesh *mesh;
        const char *path, *words;
    } cases[] = {
        {tets, "o.obj", "OBJ 1 TetGen"},
        {tets, "o.stl", "STL TetGen MSH"},
        {segments, "o.stl", "STL OBJ segments"},
        {points, "o.stl", "STL OBJ points"},
        {vertices, "o.stl", "STL OBJ faces"},
        {repeated, "o.stl", "STL 1 4"},
        {large, "o.stl", "STL coordinates binary"},
        {points, "o.node", "TetGen OBJ points"},
        {polygon, "o.node", "face 1 4"},
        {empty, "o.obj", "vertices"},
        {vertices, "o.step", "format node"},
        {vertices, "o.xyz", "format node"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        check_write_refused(cases[i].mesh, cases[i].path, ABUT_FORMAT_AUTO, ABUT_UNSUPPORTED, cases[i].words);
    }
    abut_mesh_destroy(points);
    abut_mesh_destroy(segments);
    abut_mesh_destroy(vertices);
    abut_mesh_destroy(polygon);
    abut_mesh_destroy(repeated);
    abut_mesh_destroy(large);
    abut_mesh_destroy(empty);
    abut_mesh_destroy(tets);
    CHECK_DONE();
}

// If writing fails half-way, an old file with the same name is unchanged and no other file is left.
static void failed_writes_leave_nothing(void **state)
{
    (void)state;
    abut_mesh *mesh = parse_text(SQUARE "f 1 2 3 4\n", "a.obj");
    check_write_refused(mesh, "none/o.obj", ABUT_FORMAT_AUTO, ABUT_IO, "folder");
    abut_error error;
    CHECK(mkdir("folder.obj", 0700) == 0, "folder");
    CHECK_STATUS(abut_mesh_write(mesh, "folder.obj", ABUT_FORMAT_AUTO, &error), ABUT_IO, "folder");
    check_error(&error, "folder.obj", ABUT_IO, 0, "folder");
    CHECK(rmdir("folder.obj") == 0, "folder");

    write_file("full.obj", "old", 3);
    struct rlimit before, small;
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0, "limit");
    small = before;
    small.rlim_cur = 10;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0, "limit");
    abut_status status = abut_mesh_write(mesh, "full.obj", ABUT_FORMAT_AUTO, &error);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0, "limit");
    (void)signal(SIGXFSZ, handler);
    CHECK_STATUS(status, ABUT_IO, "full");
    check_error(&error, "full.obj", ABUT_IO, 0, "size limit");
    char content[8] = "";
    FILE *stream = fopen("full.obj", "rb");
    assert_non_null(stream);
    CHECK(fread(content, 1, sizeof content, stream) == 3 && memcmp(content, "old", 3) == 0, "the old file");
    (void)fclose(stream);
    (void)remove("full.obj");

    char path[ABUT_PATH_SIZE + 10];
    memset(path, 'x', sizeof path);
    memcpy(path + sizeof path - 5, ".obj", 5);
    CHECK_STATUS(abut_mesh_write(mesh, path, ABUT_FORMAT_AUTO, &error), ABUT_IO, "long name");
    CHECK(strncmp(error.text, "...xxx", 6) == 0 && strstr(error.text, "xxx.obj: ") != NULL, "%s", error.text);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

static void names_tell_the_format(void **state)
{
    (void)state;
    write_file("A.OBJ", SQUARE, strlen(SQUARE));
    abut_mesh_destroy(read_back("A.OBJ"));
    write_file("plain", SQUARE, strlen(SQUARE));
    abut_mesh *mesh = NULL;
    CHECK_STATUS(abut_mesh_read(NULL, "plain", ABUT_FORMAT_OBJ, &mesh, NULL), ABUT_OK, "a given format");
    abut_mesh_destroy(mesh);
    CHECK_STATUS(abut_mesh_read(NULL, "plain", (abut_format)77, &mesh, NULL), ABUT_BAD_ARGUMENT, "no format");
    CHECK_STATUS(abut_mesh_read(NULL, NULL, ABUT_FORMAT_OBJ, &mesh, NULL), ABUT_BAD_ARGUMENT, "no path");
    CHECK_STATUS(abut_mesh_parse(NULL, NULL, ABUT_FORMAT_OBJ, &mesh, NULL), ABUT_BAD_ARGUMENT, "no file");
    CHECK_STATUS(abut_mesh_write(NULL, "x.obj", ABUT_FORMAT_OBJ, NULL), ABUT_BAD_ARGUMENT, "no mesh");
    check_read_refused("plain", ABUT_UNSUPPORTED, "format node");
    (void)remove("plain");
    check_read_refused("none.obj", ABUT_IO, "folder");
    check_read_refused("none.step", ABUT_IO, "folder");
    check_read_refused("none", ABUT_IO, "folder");
    check_read_refused(".", ABUT_IO, "folder");
    CHECK(mkdir("d.obj", 0700) == 0, "folder");
    check_read_refused("d.obj", ABUT_IO, "folder");
    CHECK(rmdir("d.obj") == 0, "folder");
    CHECK(mkfifo("f.obj", 0600) == 0, "pipe");
    check_read_refused("f.obj", ABUT_IO, "regular file");
    (void)remove("f.obj");
    write_file("e.stl", "", 0);
    check_read_refused("e.stl", ABUT_BAD_DATA, "empty");
    (void)remove("e.stl");
    check_bytes_refused("1 3\n", 4, "memory.ele", ABUT_UNSUPPORTED, 0, "node memory");
    CHECK_DONE();
}

// A sparse file of 100 GiB is rejected at once.
static void huge_files_are_refused(void **state)
{
    (void)state;
    write_file("huge.obj", "v", 1);
    if (truncate("huge.obj", (off_t)100 << 30) == 0) {
        check_read_refused("huge.obj", ABUT_LIMIT, "16");
    }
    (void)remove("huge.obj");
    CHECK_DONE();
}

static void foreign_formats_are_refused_with_advice(void **state)
{
    (void)state;
    static const struct {
        const char *name, *words;
    } names[] = {
        {"a.step", "STEP CAD"},         {"a.STP", "STEP CAD"}, {"a.iges", "IGES CAD"}, {"a.igs", "IGES CAD"},
        {"a.sldprt", "SolidWorks CAD"}, {"a.3mf", "3MF"},      {"a.meshb", "Medit"},   {"a.vtu", "VTU"},
        {"a.zip", "ZIP STL OBJ"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        check_bytes_refused("content", 7, names[i].name, ABUT_UNSUPPORTED, 0, names[i].words);
    }
    static const char iges[] = "A part, written by a program                                            S      1\n";
    static const struct {
        const char *content, *name, *words;
    } contents[] = {
        {"ISO-10303-21;\nHEADER;\n", "a.obj", "STEP CAD"},
        {"\r\n ISO-10303-21;\n", "a.stl", "STEP CAD"},
        {"ISO-10303-21;\n", "a.node", "STEP CAD"},
        {iges, "a.obj", "IGES CAD"},
        {iges, "a.stl", "IGES CAD"},
        {"ply\nformat ascii 1.0\n", "a.stl", "PLY"},
        {"OFF\n3 1 0\n", "a.obj", "OFF"},
        {"$MeshFormat\n2.2 0 8\n", "a.obj", "MSH"},
        {"PK\x03\x04...", "a.stl", "ZIP STL OBJ"},
        {"<!DOCTYPE html><html>", "a.stl", "HTML"},
    };
    for (size_t i = 0; i < sizeof contents / sizeof *contents; ++i) {
        check_bytes_refused(contents[i].content, strlen(contents[i].content), contents[i].name, ABUT_UNSUPPORTED, 0,
                            contents[i].words);
    }
    CHECK_DONE();
}

// Of a long path the beginning is cut off, never the name of the file or the message.
static void long_names_are_shortened_from_the_left(void **state)
{
    (void)state;
    char name[400];
    memset(name, 'd', sizeof name);
    memcpy(name + sizeof name - 11, "/spike.obj", 11);
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    CHECK_STATUS(parse_bytes("v 0 0 x", 7, name, &mesh, &error), ABUT_BAD_DATA, "read");
    CHECK(strncmp(error.text, "...ddd", 6) == 0, "%s", error.text);
    CHECK(strstr(error.text, "ddd/spike.obj:1: ") != NULL, "%s", error.text);
    CHECK_DONE();
}

static void allocation_failures(void **state)
{
    (void)state;
    abut_mesh *mesh = parse_text(SQUARE "f 1 2 3 4\nf 1 2 3\nl 1 2 3\np 1\n", "a.obj");
    CHECK_STATUS(abut_mesh_write(mesh, "m.obj", ABUT_FORMAT_AUTO, NULL), ABUT_OK, "write");
    abut_mesh_destroy(mesh);
    check_allocation_failures("m.obj");
    (void)remove("m.obj");
    static char text[40000] = SQUARE; // enough positions that the hash table of the welding grows
    size_t used = strlen(text);
    for (int i = 0; i < 300; ++i) {
        used += (size_t)snprintf(text + used, sizeof text - used, "v %d 0 1\nf 1 2 -1\n", i);
    }
    mesh = parse_text(text, "b.obj");
    CHECK_STATUS(abut_mesh_write(mesh, "m.stl", ABUT_FORMAT_STL, NULL), ABUT_OK, "write");
    check_allocation_failures("m.stl");
    CHECK_STATUS(abut_mesh_write(mesh, "m.stl", ABUT_FORMAT_STL_TEXT, NULL), ABUT_OK, "write");
    check_allocation_failures("m.stl");
    (void)remove("m.stl");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// An array with INT_MAX items cannot grow: ABUT_LIMIT, not ABUT_NO_MEMORY.
static void full_arrays_are_a_limit(void **state)
{
    (void)state;
    const abut_context context = abut_context_default();
    abut_ints array = {NULL, INT_MAX, INT_MAX};
    CHECK_STATUS(abut_ints_add(&context, &array, 0), ABUT_LIMIT, "ints");
    abut_parts parts;
    abut_parts_init(&parts, &context);
    parts.vertex_count = parts.vertex_capacity = INT_MAX;
    CHECK_STATUS(abut_parts_add_vertex(&parts, abut_vec3_make(0, 0, 0)), ABUT_LIMIT, "vertices");
    CHECK_DONE();
}

int main(void)
{
    char folder[] = "io-XXXXXX";
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj_round_trip),
        cmocka_unit_test(stl_round_trip),
        cmocka_unit_test(polygons_become_triangles_in_stl),
        cmocka_unit_test(writers_refuse_what_they_cannot_hold),
        cmocka_unit_test(failed_writes_leave_nothing),
        cmocka_unit_test(names_tell_the_format),
        cmocka_unit_test(huge_files_are_refused),
        cmocka_unit_test(foreign_formats_are_refused_with_advice),
        cmocka_unit_test(long_names_are_shortened_from_the_left),
        cmocka_unit_test(allocation_failures),
        cmocka_unit_test(full_arrays_are_a_limit),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    int removed = chdir("..") == 0 && rmdir(folder) == 0; // fails if a writer left a file behind
    return failures != 0 || !removed;
}
