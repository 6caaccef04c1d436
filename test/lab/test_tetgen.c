// SPDX-License-Identifier: MIT
// test_tetgen.c: tetrahedra by the real program, and fake programs that fail in every way
#define _XOPEN_SOURCE 700
#include "check.h"
#include "memory_fault.h"

#include <abut-lab/lab.h>

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/// A directory for the fake programs; the children's directories are made in it too, by TMPDIR.
static char folder[] = "/tmp/abut-test-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL || setenv("TMPDIR", folder, 1) != 0;
}

static int tear_down(void **state)
{
    (void)state;
    return rmdir(folder); // fails where something was left behind
}

/// How many entries the directory has.
static int entries(void)
{
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        count += entry->d_name[0] != '.';
    }
    (void)closedir(directory);
    return count;
}

static abut_mesh *create_mesh(const abut_vec3 *vertices, int vertex_count, const int *triangles, int triangle_count)
{
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.face_vertices = triangles;
    def.face_count = triangle_count;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

/// The surface of a tetrahedron with coordinates that need all 17 digits.
static abut_mesh *create_tetrahedron(int triangle_count)
{
    static const int triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    const abut_vec3 vertices[] = {{0.1, 0.2, 0.3}, {1.0 / 3.0, 0.2, 0.3}, {0.1, 2.0 / 7.0, 0.3}, {0.1, 0.2, 1.1}};
    return create_mesh(vertices, 4, triangles, triangle_count);
}

static abut_status run(const abut_mesh *surface, const abut_tetgen_params *params, abut_mesh **mesh,
                       abut_error *error)
{
    memset(error, 0, sizeof *error);
    abut_status status = abut_tetrahedralize(NULL, surface, params, mesh, error);
    CHECK_INT(status == ABUT_OK, *mesh != NULL, "a mesh, or a failure");
    CHECK(status == ABUT_OK || (error->text[0] != '\0' && strchr(error->text, '\n') == NULL), "one line");
    return status;
}

static double tet_volume(const abut_mesh *mesh)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    double sum = 0.0;
    for (int i = 0; i < e.tet_count; ++i) {
        abut_vec3 a = e.vertices[e.tets[4 * i]], b = e.vertices[e.tets[4 * i + 1]];
        abut_vec3 c = e.vertices[e.tets[4 * i + 2]], d = e.vertices[e.tets[4 * i + 3]];
        sum += fabs(abut_dot(abut_sub(d, a), abut_cross(abut_sub(b, a), abut_sub(c, a)))) / 6.0;
    }
    return sum;
}

static int is_installed(void)
{
    abut_mesh *surface = create_tetrahedron(4), *mesh = NULL;
    abut_error error;
    abut_status status = abut_tetrahedralize(NULL, surface, NULL, &mesh, &error);
    abut_mesh_destroy(mesh);
    abut_mesh_destroy(surface);
    CHECK(status == ABUT_OK || status == ABUT_IO, "%s", error.text);
    return status == ABUT_OK;
}

/// The bodies of all cases, as surfaces: numbers, faces and bits of the vertices stay, and the volume is filled.
static void surfaces_keep_their_numbers(void **state)
{
    (void)state;
    if (!is_installed()) {
        skip();
    }
    int count = 0;
    const char *const *names = abut_case_names(&count);
    for (int i = 0; i < count; ++i) {
        abut_case_params params = abut_case_params_default();
        params.scene_size = 7.3;
        abut_case *c = NULL;
        assert_int_equal(abut_case_create(NULL, names[i], &params, &c, NULL), ABUT_OK);
        abut_mesh_elements e = abut_mesh_get_elements(c->b.mesh);
        abut_mesh *surface = create_mesh(e.vertices, e.vertex_count, e.triangles, e.triangle_count), *mesh = NULL;
        abut_error error;
        CHECK(run(surface, NULL, &mesh, &error) == ABUT_OK, "%s: %s", names[i], error.text);
        assert_non_null(mesh);
        abut_mesh_elements found = abut_mesh_get_elements(mesh);
        abut_mesh_topology topology = abut_mesh_get_topology(mesh);
        CHECK(found.vertex_count >= e.vertex_count, "%s", names[i]);
        CHECK(memcmp(found.vertices, e.vertices, (size_t)e.vertex_count * sizeof(abut_vec3)) == 0, "%s", names[i]);
        CHECK_INT(found.face_count, e.face_count, names[i]);
        CHECK(memcmp(found.triangles, e.triangles, (size_t)e.triangle_count * 3 * sizeof(int)) == 0, "%s",
              names[i]);
        for (int k = 0; k < found.triangle_count; ++k) {
            CHECK(topology.triangle_tets[k] >= 0, "%s: triangle %d", names[i], k);
        }
        double volume = abut_mesh_get_info(surface).volume;
        CHECK_NEAR(tet_volume(mesh), volume, 1e-12 * volume, names[i]);
        abut_mesh_destroy(mesh);
        abut_mesh_destroy(surface);
        abut_case_destroy(c);
    }
    CHECK_INT(entries(), 0, "nothing is left behind");
    CHECK_DONE();
}

/// With a volume limit and without Y the program cuts the surface: faces are then those of the tetrahedra, closed and
/// of the same volume, and the first vertices are still ours.
static void fine_meshes_have_a_surface_of_their_own(void **state)
{
    (void)state;
    if (!is_installed()) {
        skip();
    }
    abut_mesh *surface = create_tetrahedron(4), *mesh = NULL;
    abut_tetgen_params params = abut_tetgen_params_default();
    params.switches = "pq1.4a0.0001Q";
    abut_error error;
    CHECK(run(surface, &params, &mesh, &error) == ABUT_OK, "%s", error.text);
    assert_non_null(mesh);
    abut_mesh_elements found = abut_mesh_get_elements(mesh), e = abut_mesh_get_elements(surface);
    abut_mesh_info info = abut_mesh_get_info(mesh);
    double volume = abut_mesh_get_info(surface).volume;
    CHECK(found.vertex_count > 4 && found.face_count > 4, "%d vertices", found.vertex_count);
    CHECK(memcmp(found.vertices, e.vertices, 4 * sizeof(abut_vec3)) == 0, "vertices");
    CHECK(info.is_closed && info.is_oriented, "surface");
    CHECK_NEAR(info.volume, volume, 1e-12 * volume, "volume");
    CHECK_NEAR(tet_volume(mesh), volume, 1e-12 * volume, "volume");
    abut_mesh_destroy(mesh);
    abut_mesh_destroy(surface);
    CHECK_DONE();
}

/// Corners of a box of half side `s`: the face z = s by (x, y), then the same at z = -s.
static void box_corners(double s, abut_vec3 corners[8])
{
    static const double x[] = {-1, 1, 1, -1}, y[] = {-1, -1, 1, 1};
    for (int i = 0; i < 8; ++i) {
        corners[i] = abut_vec3_make(s * x[i % 4], s * y[i % 4], i < 4 ? s : -s);
    }
}

static const int BOX_QUADS[] = {0, 1, 2, 3, 4, 7, 6, 5, 4, 0, 3, 7, 1, 5, 6, 2, 7, 3, 2, 6, 5, 1, 0, 4};

/// A box of six squares stays one of six squares.
static void polygons_stay_whole(void **state)
{
    (void)state;
    if (!is_installed()) {
        skip();
    }
    static const int offsets[] = {0, 4, 8, 12, 16, 20, 24};
    abut_vec3 corners[8];
    box_corners(0.1, corners);
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = corners;
    def.vertex_count = 8;
    def.face_offsets = offsets;
    def.face_vertices = BOX_QUADS;
    def.face_count = 6;
    abut_mesh *surface = NULL, *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &surface, NULL), ABUT_OK);
    abut_error error;
    CHECK(run(surface, NULL, &mesh, &error) == ABUT_OK, "%s", error.text);
    assert_non_null(mesh);
    abut_mesh_elements found = abut_mesh_get_elements(mesh);
    CHECK_INT(found.face_count, 6, "squares");
    CHECK_INT(found.triangle_count, 12, "triangles");
    CHECK_NEAR(tet_volume(mesh), 0.008, 1e-15, "volume");
    abut_mesh_destroy(mesh);
    abut_mesh_destroy(surface);
    CHECK_DONE();
}

/// A box of volume 8 with a hollow of volume 1: the program fills the hollow, which is noticed by the volume.
static void cavities_are_noticed(void **state)
{
    (void)state;
    if (!is_installed()) {
        skip();
    }
    abut_vec3 corners[16];
    int triangles[24][3];
    box_corners(1.0, corners);
    box_corners(0.5, corners + 8);
    for (int i = 0; i < 12; ++i) {
        const int *quad = &BOX_QUADS[4 * (i / 2)];
        int second = quad[1 + i % 2], third = quad[2 + i % 2];
        int outer[3] = {quad[0], second, third}, inner[3] = {quad[0] + 8, third + 8, second + 8};
        memcpy(triangles[i], outer, sizeof outer);
        memcpy(triangles[12 + i], inner, sizeof inner);
    }
    abut_mesh *surface = create_mesh(corners, 16, &triangles[0][0], 24), *mesh = NULL;
    CHECK_NEAR(abut_mesh_get_info(surface).volume, 7.0, 1e-14, "hollow");
    abut_error error;
    CHECK_STATUS(run(surface, NULL, &mesh, &error), ABUT_BAD_DATA, "cavity");
    CHECK(strstr(error.text, "cavity") != NULL, "%s", error.text);
    abut_mesh_destroy(surface);
    CHECK_DONE();
}

/// A surface that crosses itself makes the program fail: bad data, with what it said.
static void crossing_surfaces_are_bad_data(void **state)
{
    (void)state;
    if (!is_installed()) {
        skip();
    }
    static const int two[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3, 4, 6, 5, 4, 5, 7, 5, 6, 7, 6, 4, 7};
    const abut_vec3 vertices[] = {{0, 0, 0},        {1, 0, 0},        {0, 1, 0},        {0, 0, 1},
                                  {0.1, 0.1, -0.5}, {1.1, 0.1, -0.4}, {0.1, 1.1, -0.4}, {0.2, 0.2, 0.4}};
    abut_mesh *surface = create_mesh(vertices, 8, two, 8), *mesh = NULL;
    abut_error error;
    CHECK_STATUS(run(surface, NULL, &mesh, &error), ABUT_BAD_DATA, error.text);
    abut_mesh_destroy(surface);
    CHECK_INT(entries(), 0, "nothing is left behind");
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Fake programs

typedef struct fake {
    const char *name;
    const char *script; ///< after #!/bin/sh
    abut_status status;
    const char *word; ///< part of the message
} fake;

static void write_program(const char *path, const char *script)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fprintf(file, "#!/bin/sh\n%s\n", script);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
}

#define NODES "4 3 0 0\n0 0.1 0.2 0.3\n1 0.33333333333333331 0.2 0.3\n2 0.1 0.2857142857142857 0.3\n3 0.1 0.2 1.1\n"

static void fake_programs_fail_cleanly(void **state)
{
    (void)state;
    static const fake fakes[] = {
        {"crash", "echo first; echo 'last words' >&2; kill -SEGV $$", ABUT_BAD_DATA, "last words"},
        {"exit code", "echo ' a line  '; echo; exit 3", ABUT_BAD_DATA, "exit code 3:  a line"},
        {"silent", "exit 1", ABUT_BAD_DATA, "no output"},
        {"no files", "exit 0", ABUT_IO, "surface.1.node"},
        {"loop", "while :; do :; done", ABUT_LIMIT, "seconds"},
        {"sleep in a grandchild", "sleep 1000 & wait", ABUT_LIMIT, "seconds"},
        {"closed output", "exec >/dev/null 2>&1; sleep 1000", ABUT_LIMIT, "seconds"},
        {"endless talk", "while :; do echo 'and on and on and on and on and on'; done", ABUT_LIMIT, "seconds"},
        {"huge file", "exec head -c 100000000 /dev/zero > surface.1.node", ABUT_LIMIT, "megabytes"},
        {"binary talk", "printf '\\001\\377\\033[2J'; exit 1", ABUT_BAD_DATA, "???[2J"},
        {"garbage nodes", "echo garbage > surface.1.node", ABUT_BAD_DATA, "surface.1.node"},
        {"huge count", "echo '2000000000 3 0 0' > surface.1.node", ABUT_BAD_DATA, "surface.1.node"},
        {"no tetrahedra", "printf '" NODES "' > surface.1.node", ABUT_BAD_DATA, "0 tetrahedra"},
        {"garbage tetrahedra", "printf '" NODES "' > surface.1.node; echo '1 4 0 x' > surface.1.ele; ",
         ABUT_BAD_DATA, "surface.1.ele"},
        {"index out of range", "printf '" NODES "' > surface.1.node; printf '1 4 0\\n0 0 1 2 4\\n' > surface.1.ele",
         ABUT_BAD_DATA, "surface.1.ele"},
        {"same vertex twice", "printf '" NODES "' > surface.1.node; printf '1 4 0\\n0 0 1 2 2\\n' > surface.1.ele",
         ABUT_BAD_DATA, ""},
        {"moved vertex",
         "printf '" NODES "' | sed 's/1.1/1.2/' > surface.1.node; "
         "printf '1 4 0\\n0 0 1 2 3\\n' > surface.1.ele",
         ABUT_BAD_DATA, "moved vertex 3"},
        {"doubled tetrahedron",
         "printf '" NODES "' > surface.1.node; "
         "printf '2 4 0\\n0 0 1 2 3\\n1 0 1 2 3\\n' > surface.1.ele",
         ABUT_BAD_DATA, ""},
        {"subdirectory left", "mkdir -p a/b/c; touch a/b/c/d; exit 9", ABUT_BAD_DATA, "exit code 9"},
        {"right",
         "test $1 = -pYq2QJ || exit 5; test \"$2\" = surface.poly || exit 6; printf '" NODES
         "' > surface.1.node; printf '1 4 0\\n0 0 1 2 3\\n' > surface.1.ele",
         ABUT_OK, ""},
    };
    char path[64];
    (void)snprintf(path, sizeof path, "%s/fake", folder);
    abut_mesh *surface = create_tetrahedron(4);
    for (size_t i = 0; i < sizeof fakes / sizeof fakes[0]; ++i) {
        write_program(path, fakes[i].script);
        abut_tetgen_params params = abut_tetgen_params_default();
        params.program = path;
        params.seconds = strcmp(fakes[i].word, "seconds") == 0 ? 0.3 : 20.0; // only where time is the limit
        params.megabytes = 64.0;
        abut_mesh *mesh = NULL;
        abut_error error;
        struct timespec begin, end;
        (void)clock_gettime(CLOCK_MONOTONIC, &begin);
        CHECK(run(surface, &params, &mesh, &error) == fakes[i].status, "%s: %s: %s", fakes[i].name,
              abut_status_text(error.status), error.text);
        (void)clock_gettime(CLOCK_MONOTONIC, &end);
        CHECK(strstr(error.text, fakes[i].word) != NULL, "%s: %s", fakes[i].name, error.text);
        CHECK(end.tv_sec - begin.tv_sec < 15, "%s takes too long", fakes[i].name);
        CHECK(entries() == 1, "%s leaves something behind", fakes[i].name);
        abut_mesh_destroy(mesh);
        (void)unlink(path);
    }
    abut_mesh_destroy(surface);
    CHECK_DONE();
}

/// Each allocation in turn fails; nothing leaks, neither memory nor files.
static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    char path[64];
    (void)snprintf(path, sizeof path, "%s/fake", folder);
    write_program(path, "printf '" NODES "' > surface.1.node; printf '1 4 0\\n0 0 1 2 3\\n' > surface.1.ele");
    abut_tetgen_params params = abut_tetgen_params_default();
    params.program = path;
    abut_mesh *surface = create_tetrahedron(4);
    int failures = 0;
    for (abut_status status = ABUT_NO_MEMORY; status != ABUT_OK; ++failures) {
        memory_fault fault = {.allowed = failures};
        abut_context context = memory_fault_context(&fault);
        abut_mesh *mesh = NULL;
        status = abut_tetrahedralize(&context, surface, &params, &mesh, NULL);
        abut_mesh_destroy(mesh);
        CHECK(status == ABUT_OK || status == ABUT_NO_MEMORY, "%d: %s", failures, abut_status_text(status));
        CHECK_INT(fault.live, 0, "leak");
        assert_true(failures < 1000);
    }
    CHECK(failures > 3, "%d", failures);
    CHECK_INT(entries(), 1, "nothing is left behind");
    (void)unlink(path);
    abut_mesh_destroy(surface);
    CHECK_DONE();
}

static void missing_programs_are_named(void **state)
{
    (void)state;
    char path[64];
    (void)snprintf(path, sizeof path, "%s/text", folder);
    write_program(path, "exit 0");
    assert_int_equal(chmod(path, 0600), 0);
    const char *const programs[] = {"abut-no-such-program", "/no/such/program", path};
    const char *const words[] = {"install the package tetgen", "/no/such/program", "cannot start"};
    abut_mesh *surface = create_tetrahedron(4);
    for (int i = 0; i < 3; ++i) {
        abut_tetgen_params params = abut_tetgen_params_default();
        params.program = programs[i];
        abut_mesh *mesh = NULL;
        abut_error error;
        CHECK_STATUS(run(surface, &params, &mesh, &error), ABUT_IO, programs[i]);
        CHECK(strstr(error.text, words[i]) != NULL, "%s", error.text);
    }
    (void)unlink(path);
    abut_mesh_destroy(surface);
    CHECK_INT(entries(), 0, "nothing is left behind");
    CHECK_DONE();
}

/// Switches that read or write other files never reach the program; nor do open surfaces.
static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    static const char *const switches[] = {"",   "q2", "pr",   "pN",   "pE", "pI", "pg",    "pk", "pi",
                                           "pm", "pc", "p;ls", "p -V", "-p", "p/", "pa1e5", NULL};
    abut_mesh *surface = create_tetrahedron(4), *mesh = NULL;
    abut_error error;
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; ++i) {
        abut_tetgen_params params = abut_tetgen_params_default();
        params.switches = switches[i];
        CHECK_STATUS(run(surface, &params, &mesh, &error), ABUT_BAD_ARGUMENT, switches[i] ? switches[i] : "NULL");
    }
    for (int i = 0; i < 5; ++i) {
        abut_tetgen_params params = abut_tetgen_params_default();
        switch (i) {
        case 0: params.seconds = 0.0; break;
        case 1: params.megabytes = NAN; break;
        case 2: params.program = ""; break;
        case 3: params.program = NULL; break;
        default: params.struct_size = 1;
        }
        CHECK_STATUS(run(surface, &params, &mesh, &error), ABUT_BAD_ARGUMENT, "params");
    }
    CHECK_STATUS(run(NULL, NULL, &mesh, &error), ABUT_BAD_ARGUMENT, "surface");
    abut_mesh_destroy(surface);
    surface = create_tetrahedron(3);
    CHECK_STATUS(run(surface, NULL, &mesh, &error), ABUT_UNSUPPORTED, "open");
    abut_mesh_destroy(surface);
    static const int inside_out[] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
    const abut_vec3 vertices[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    surface = create_mesh(vertices, 4, inside_out, 4);
    CHECK_STATUS(run(surface, NULL, &mesh, &error), ABUT_UNSUPPORTED, "inside out");
    abut_mesh_destroy(surface);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces_keep_their_numbers),
        cmocka_unit_test(fine_meshes_have_a_surface_of_their_own),
        cmocka_unit_test(polygons_stay_whole),
        cmocka_unit_test(cavities_are_noticed),
        cmocka_unit_test(crossing_surfaces_are_bad_data),
        cmocka_unit_test(fake_programs_fail_cleanly),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(missing_programs_are_named),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
