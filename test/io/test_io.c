// SPDX-License-Identifier: MIT
// test_io.c: formats by name and content, round trips through files, what writers refuse, memory that runs out
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

static void check_read_refused(const char *path, abut_status expected, const char *message)
{
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    CHECK_STATUS(abut_mesh_read(NULL, path, ABUT_FORMAT_AUTO, &mesh, &error), expected, path);
    CHECK(mesh == NULL && strcmp(error.text, message) == 0, "got '%s', expected '%s'", error.text, message);
}

static void check_write_refused(const abut_mesh *mesh, const char *path, abut_format format, abut_status expected,
                                const char *message)
{
    abut_error error = {.text = ""};
    CHECK_STATUS(abut_mesh_write(mesh, path, format, &error), expected, message);
    CHECK(strcmp(error.text, message) == 0, "got '%s', expected '%s'", error.text, message);
    CHECK(access(path, F_OK) != 0, "%s must not be there", path);
}

// Random coordinates of all sizes, polygons, segments and points: through OBJ and back, bit by bit.
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

// A closed surface whose vertices appear in order: text keeps doubles, binary the nearest floats.
static void stl_round_trip(void **state)
{
    (void)state;
    const abut_vec3 vertices[] = {{0.1, -0.0, 0.0}, {1.0 / 3.0, 0.0, 1e-30}, {0.0, 1e10, 0.0}, {0.0, 0.0, 1.0}};
    const int corners[] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2, 1, 1, 2};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 4;
    def.face_vertices = corners;
    def.face_count = 5; // the last one is a line; STL holds it all the same
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

// A square of four corners is written as the two triangles that it is cut into.
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
        const char *path, *message;
    } cases[] = {
        {tets, "o.obj", "o.obj: OBJ cannot hold the mesh's 1 tetrahedra; write TetGen files or MSH"},
        {tets, "o.stl", "o.stl: STL cannot hold tetrahedra; write TetGen files or MSH"},
        {segments, "o.stl", "o.stl: STL cannot hold segments; write OBJ"},
        {points, "o.stl", "o.stl: STL cannot hold points; write OBJ"},
        {vertices, "o.stl", "o.stl: STL cannot hold a mesh without faces; write OBJ"},
        {repeated, "o.stl", "o.stl: STL cannot hold face 1: its 4 corners give no triangle"},
        {large, "o.stl", "o.stl: coordinates are too large for the floats of a binary STL"},
        {points, "o.node", "o.node: TetGen files cannot hold points; write OBJ"},
        {polygon, "o.node",
         "o.node: TetGen's faces are triangles; face 1 has 4 corners: cut them, as with abut mesh convert "
         "--triangles"},
        {empty, "o.obj", "o.obj: a mesh without vertices cannot be written"},
        {vertices, "o.step",
         "o.step: the name does not end in a known format: .obj, .stl, .ply, .off, .msh, .node, .vtu"},
        {vertices, "o.xyz",
         "o.xyz: the name does not end in a known format: .obj, .stl, .ply, .off, .msh, .node, .vtu"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        check_write_refused(cases[i].mesh, cases[i].path, ABUT_FORMAT_AUTO, ABUT_UNSUPPORTED, cases[i].message);
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

// Where writing fails half-way, an old file of that name is as before and nothing else is left.
static void failed_writes_leave_nothing(void **state)
{
    (void)state;
    abut_mesh *mesh = parse_text(SQUARE "f 1 2 3 4\n", "a.obj");
    check_write_refused(mesh, "none/o.obj", ABUT_FORMAT_AUTO, ABUT_IO,
                        "none/o.obj: cannot be written: no such file or folder");
    abut_error error;
    CHECK(mkdir("folder.obj", 0700) == 0, "folder");
    CHECK_STATUS(abut_mesh_write(mesh, "folder.obj", ABUT_FORMAT_AUTO, &error), ABUT_IO, "folder");
    CHECK(strcmp(error.text, "folder.obj: cannot be written: it is a folder") == 0, "%s", error.text);
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
    CHECK(strcmp(error.text, "full.obj: cannot be written: the file is too large for the file system") == 0, "%s",
          error.text);
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
    CHECK(strncmp(error.text, "...xxx", 6) == 0 &&
              strstr(error.text, "xxx.obj: cannot be written: its name") != NULL,
          "%s", error.text);
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
    check_read_refused("plain", ABUT_UNSUPPORTED,
                       "plain: the name does not end in a known format: .obj, .stl, .ply, .off, .msh, .node");
    (void)remove("plain");
    check_read_refused("none.obj", ABUT_IO, "none.obj: cannot be read: no such file or folder");
    check_read_refused("none.step", ABUT_IO, "none.step: cannot be read: no such file or folder");
    check_read_refused("none", ABUT_IO, "none: cannot be read: no such file or folder");
    check_read_refused(".", ABUT_IO, ".: this is a folder, not a file");
    CHECK(mkdir("d.obj", 0700) == 0, "folder");
    check_read_refused("d.obj", ABUT_IO, "d.obj: this is a folder, not a file");
    CHECK(rmdir("d.obj") == 0, "folder");
    CHECK(mkfifo("f.obj", 0600) == 0, "pipe");
    check_read_refused("f.obj", ABUT_IO, "f.obj: this is not a regular file");
    (void)remove("f.obj");
    write_file("e.stl", "", 0);
    check_read_refused("e.stl", ABUT_BAD_DATA, "e.stl: the file is empty");
    (void)remove("e.stl");
    check_refused("1 3\n", "memory.ele", ABUT_UNSUPPORTED, 0,
                  "memory.ele: of TetGen's files only the .node file can be read from memory");
    CHECK_DONE();
}

// 100 GiB without any content on the disk: refused at once.
static void huge_files_are_refused(void **state)
{
    (void)state;
    write_file("huge.obj", "v", 1);
    if (truncate("huge.obj", (off_t)100 << 30) == 0) {
        check_read_refused("huge.obj", ABUT_LIMIT, "huge.obj: the file is larger than 16 GiB");
    }
    (void)remove("huge.obj");
    CHECK_DONE();
}

static void foreign_formats_are_refused_with_advice(void **state)
{
    (void)state;
#define CAD " files hold CAD surfaces, not a mesh; export STL or OBJ from the CAD program"
#define LATER " files are not read yet; convert to OBJ or STL"
#define NAMED "; give the file a name that says so"
    static const struct {
        const char *name, *message;
    } names[] = {
        {"a.step", "a.step: STEP" CAD},
        {"a.STP", "a.STP: STEP" CAD},
        {"a.iges", "a.iges: IGES" CAD},
        {"a.igs", "a.igs: IGES" CAD},
        {"a.sldprt", "a.sldprt: SolidWorks" CAD},
        {"a.3mf", "a.3mf: 3MF" LATER},
        {"a.glb", "a.glb: glTF" LATER},
        {"a.vtu", "a.vtu: VTU files are written, for ParaView, but not read"},
        {"a.zip", "a.zip: this is a ZIP archive; unpack it first, or export STL or OBJ"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        check_refused("content", names[i].name, ABUT_UNSUPPORTED, 0, names[i].message);
    }
    static const char iges[] = "A part, written by a program                                            S      1\n";
    static const struct {
        const char *content, *name, *message;
    } contents[] = {
        {"ISO-10303-21;\nHEADER;\n", "a.obj", "a.obj: STEP" CAD},
        {"\r\n ISO-10303-21;\n", "a.stl", "a.stl: STEP" CAD},
        {"ISO-10303-21;\n", "a.node", "a.node: STEP" CAD},
        {iges, "a.obj", "a.obj: IGES" CAD},
        {iges, "a.stl", "a.stl: IGES" CAD},
        {"ply\nformat ascii 1.0\n", "a.stl", "a.stl: by its content this is PLY" NAMED},
        {"OFF\n3 1 0\n", "a.obj", "a.obj: by its content this is OFF" NAMED},
        {"$MeshFormat\n2.2 0 8\n", "a.obj", "a.obj: by its content this is MSH" NAMED},
        {"PK\x03\x04...", "a.stl", "a.stl: this is a ZIP archive; unpack it first, or export STL or OBJ"},
        {"<!DOCTYPE html><html>", "a.stl", "a.stl: this is a HTML file, not a mesh"},
    };
    for (size_t i = 0; i < sizeof contents / sizeof *contents; ++i) {
        check_refused(contents[i].content, contents[i].name, ABUT_UNSUPPORTED, 0, contents[i].message);
    }
    CHECK_DONE();
}

// A long path loses its beginning, never the name of the file or the message.
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
    CHECK(strstr(error.text, "ddd/spike.obj:1: vertex coordinate 'x' is not a number") != NULL, "%s", error.text);
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
    static char text[40000] = SQUARE; // enough places that the table of the welding grows
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

// At INT_MAX items an array is full: a limit, not memory.
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
    int removed = chdir("..") == 0 && rmdir(folder) == 0; // fails where a writer left something behind
    return failures != 0 || !removed;
}
