// SPDX-License-Identifier: MIT
// test_tetgen_files.c: .node, .ele, .face and .edge files
#define _POSIX_C_SOURCE 200809L // mkdtemp

#include "io_helper.h"

#include <unistd.h>

// The unit tetrahedron; volume 1/6.
#define NODES "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"

// The contents of x.node, x.ele, x.face and x.edge in an empty folder; NULL: no such file.
typedef struct file_set {
    const char *node, *ele, *face, *edge;
} file_set;

static void write_or_remove(const char *path, const char *text)
{
    (void)remove(path);
    if (text != NULL) {
        write_file(path, text, strlen(text));
    }
}

static abut_status read_set(const file_set *set, const char *path, abut_mesh **mesh, abut_error *error)
{
    write_or_remove("x.node", set->node);
    write_or_remove("x.ele", set->ele);
    write_or_remove("x.face", set->face);
    write_or_remove("x.edge", set->edge);
    *mesh = NULL;
    error->text[0] = '\0';
    return abut_mesh_read(NULL, path, ABUT_FORMAT_AUTO, mesh, error);
}

// Numbers from 0 or 1, with attributes, markers, comments and the neighbours that -nn adds give the same mesh. The
// faces point inward, as TetGen writes them, and are reversed. The path of any file finds the others.
static void numbering_and_siblings(void **state)
{
    (void)state;
    static const file_set sets[] = {
        {NODES, "1 4 0\n1 1 2 3 4\n", "4 0\n1 1 2 3\n2 1 4 2\n3 1 3 4\n4 2 4 3\n", "1 0\n1 2 3\n"},
        {"# made by hand\n4 3 0 0\n\n0 0 0 0 # origin\n1 1 0 0\n2 0 1 0\n3 0 0 1\n# end", "1 4\n0 0 1 2 3\n",
         "4\n0 0 1 2\n1 0 3 1\n2 0 2 3\n3 1 3 2\n", "1\n0 1 2"},
        {"4 3 2 1\r\n1 0 0 0 7 8 1\r\n2 1 0 0 7 8 -1\r\n3 0 1 0 .5 8 0\r\n4 0 0 1 7 8 1\r\n",
         "1 4 1\n1 1 2 3 4 5\n", "4 1\n1 1 2 3 1 1 -1\n2 1 4 2 1 1 -1\n3 1 3 4 1 1 -1\n4 2 4 3 1 1 -1\n",
         "1 1\n1 2 3 1 1\n"},
    };
    static const char *const paths[] = {"x.node", "x.ele", "x.face", "x.edge"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i) {
        for (size_t k = 0; k < sizeof paths / sizeof *paths; ++k) {
            abut_mesh *mesh;
            abut_error error;
            CHECK(read_set(&sets[i], paths[k], &mesh, &error) == ABUT_OK, "%s", error.text);
            assert_non_null(mesh);
            abut_mesh_elements elements = abut_mesh_get_elements(mesh);
            CHECK_INT(elements.vertex_count, 4, paths[k]);
            CHECK_INT(elements.tet_count, 1, paths[k]);
            CHECK_INT(elements.face_count, 4, paths[k]);
            CHECK(same_ints(elements.face_vertices, (const int[]){0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}, 12),
                  "turned");
            CHECK(same_ints(elements.segments, (const int[]){1, 2}, 2), "segment");
            CHECK_INT(elements.precision, ABUT_PRECISION_DOUBLE, paths[k]);
            CHECK_NEAR(abut_mesh_get_info(mesh).volume, 1.0 / 6.0, 1e-15, paths[k]);
            abut_mesh_destroy(mesh);
        }
    }
    CHECK_DONE();
}

// Faces that already point outward are unchanged, and so are faces without tetrahedra. Missing faces are derived.
static void faces_are_turned_only_where_needed(void **state)
{
    (void)state;
    static const file_set outward = {NODES, "1 4 0\n1 1 2 4 3\n", "2 0\n1 1 3 2\n2 2 3 4\n", NULL};
    static const file_set surface = {NODES, NULL, "1 0\n1 1 2 3\n", NULL};
    static const file_set solid = {NODES, "1 4 0\n1 1 2 4 3\n", NULL, NULL};
    abut_mesh *mesh;
    abut_error error;
    CHECK(read_set(&outward, "x.node", &mesh, &error) == ABUT_OK, "%s", error.text);
    CHECK(same_ints(abut_mesh_get_elements(mesh).face_vertices, (const int[]){0, 2, 1, 1, 2, 3}, 6), "stay");
    abut_mesh_destroy(mesh);
    CHECK(read_set(&surface, "x.face", &mesh, &error) == ABUT_OK, "%s", error.text);
    CHECK(same_ints(abut_mesh_get_elements(mesh).face_vertices, (const int[]){0, 1, 2}, 3), "stay");
    abut_mesh_destroy(mesh);
    CHECK(read_set(&solid, "x.ele", &mesh, &error) == ABUT_OK, "%s", error.text);
    CHECK_INT(abut_mesh_get_elements(mesh).face_count, 4, "derived");
    CHECK_NEAR(abut_mesh_get_info(mesh).volume, 1.0 / 6.0, 1e-15, "derived");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A face between two tetrahedra has no outside, so it is unchanged.
static void inner_faces_stay(void **state)
{
    (void)state;
    static const file_set set = {"5 3\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 0 0 -1\n",
                                 "2 4\n0 0 1 2 3\n1 0 1 2 4\n", "2\n0 0 1 2\n1 0 2 1\n", NULL};
    abut_mesh *mesh;
    abut_error error;
    CHECK(read_set(&set, "x.node", &mesh, &error) == ABUT_OK, "%s", error.text);
    CHECK(same_ints(abut_mesh_get_elements(mesh).face_vertices, (const int[]){0, 1, 2, 0, 2, 1}, 6), "stay");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

static void errors_name_line_and_reason(void **state)
{
    (void)state;
    static const struct {
        file_set set;
        abut_status status;
        int line;
        const char *name, *words;
    } cases[] = {
        {{"# only\n", NULL, NULL, NULL}, ABUT_BAD_DATA, 1, "x.node", "counts"},
        {{"4\n", NULL, NULL, NULL}, ABUT_BAD_DATA, 1, "x.node", "count"},
        {{"4 3 0 0 0\n", NULL, NULL, NULL}, ABUT_BAD_DATA, 1, "x.node", "4"},
        {{"four 3\n", NULL, NULL, NULL}, ABUT_BAD_DATA, 1, "x.node", "four count"},
        {{"-4 3\n", NULL, NULL, NULL}, ABUT_BAD_DATA, 1, "x.node", "count"},
        {{"4 2 0 0\n", NULL, NULL, NULL}, ABUT_UNSUPPORTED, 1, "x.node", "2 3"},
        {{"0 3 0 0\n", NULL, NULL, NULL}, ABUT_BAD_DATA, 0, "x.node", "nodes"},
        {{"1 3 0 7\n", NULL, NULL, NULL}, ABUT_BAD_DATA, 1, "x.node", "count"},
        {{"2 3\n1 0 0 0\n", NULL, NULL, NULL}, ABUT_BAD_DATA, 2, "x.node", "1 2"},
        {{"1 3\n1 0 0 0\n2 0 0 0\n", NULL, NULL, NULL}, ABUT_BAD_DATA, 3, "x.node", "1 nodes"},
        {{"1 3\n5 0 0 0\n", NULL, NULL, NULL}, ABUT_BAD_DATA, 2, "x.node", "5 0"},
        {{"2 3\n1 0 0 0\n3 0 0 0\n", NULL, NULL, NULL}, ABUT_BAD_DATA, 3, "x.node", "3 2"},
        {{"1 3\n1 0 0\n", NULL, NULL, NULL}, ABUT_BAD_DATA, 2, "x.node", "node coordinate"},
        {{"1 3\n1 0 0 1e400\n", NULL, NULL, NULL}, ABUT_BAD_DATA, 2, "x.node", "1e400 node"},
        {{"1 3 1 0\n1 0 0 0\n", NULL, NULL, NULL}, ABUT_BAD_DATA, 2, "x.node", "0 1"},
        {{"1 3\n1 0 0 0 x\n", NULL, NULL, NULL}, ABUT_BAD_DATA, 2, "x.node", "x attribute"},
        {{"2147483647 3\n1 0 0 0\n", NULL, NULL, NULL}, ABUT_BAD_DATA, 2, "x.node", "1 2147483647"},
        {{NODES, "1 10 0\n", NULL, NULL}, ABUT_UNSUPPORTED, 1, "x.ele", "10 4"},
        {{NODES, "1 4 0\n1 1 2 3 5\n", NULL, NULL}, ABUT_BAD_DATA, 2, "x.ele", "5 1"},
        {{NODES, "1 4 0\n1 0 2 3 4\n", NULL, NULL}, ABUT_BAD_DATA, 2, "x.ele", "0 1"},
        {{NODES, "1 4 0\n1 1 2 3 99999999999\n", NULL, NULL}, ABUT_BAD_DATA, 2, "x.ele", "2147483647 1"},
        {{NODES, "1 4 0\n1 1 2 3\n", NULL, NULL}, ABUT_BAD_DATA, 2, "x.ele", "node"},
        {{NODES, NULL, "1 0\n1 1 2 x\n", NULL}, ABUT_BAD_DATA, 2, "x.face", "x node"},
        {{NODES, NULL, "1 0\n1 1 2 3 1 1 1\n", NULL}, ABUT_BAD_DATA, 2, "x.face", "3 2"},
        {{NODES, NULL, "1 9\n", NULL}, ABUT_BAD_DATA, 1, "x.face", "count"},
        {{NODES, NULL, NULL, "2 0\n1 1 2\n"}, ABUT_BAD_DATA, 2, "x.edge", "1 2"},
        {{NODES, NULL, NULL, ""}, ABUT_BAD_DATA, 0, "x.edge", "empty"},
        {{NULL, "1 4 0\n1 1 2 3 4\n", NULL, NULL}, ABUT_IO, 0, "x.node", "folder"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        abut_mesh *mesh;
        abut_error error;
        CHECK_STATUS(read_set(&cases[i].set, "x.node", &mesh, &error), cases[i].status, cases[i].words);
        CHECK(mesh == NULL, "%s", cases[i].words);
        check_error(&error, cases[i].name, cases[i].status, cases[i].line, cases[i].words);
    }
    abut_mesh *mesh;
    abut_error error;
    const file_set nodes_only = {NODES, NULL, NULL, NULL};
    CHECK_STATUS(read_set(&nodes_only, "x.ele", &mesh, &error), ABUT_IO, "the named file is needed");
    check_error(&error, "x.ele", ABUT_IO, 0, "folder");
    CHECK_DONE();
}

// Writing and reading gives the same mesh. A file of an earlier mesh with the same name is removed.
static void round_trip(void **state)
{
    (void)state;
    static const file_set set = {"5 3\n0 0.1 0 -0\n1 1 0 1e-300\n2 0 1 0.3333333333333333\n3 0 0 1\n4 0 0 -1\n",
                                 "2 4\n0 0 1 2 3\n1 0 1 2 4\n", NULL, "1\n0 1 2\n"};
    abut_mesh *mesh, *back = NULL;
    abut_error error;
    CHECK(read_set(&set, "x.node", &mesh, &error) == ABUT_OK, "%s", error.text);
    assert_non_null(mesh);
    CHECK(abut_mesh_write(mesh, "y.node", ABUT_FORMAT_AUTO, &error) == ABUT_OK, "%s", error.text);
    CHECK(abut_mesh_read(NULL, "y", ABUT_FORMAT_TETGEN, &back, &error) == ABUT_OK, "%s", error.text);
    assert_non_null(back);
    check_same(mesh, back, "round trip");
    abut_mesh_destroy(back);
    abut_mesh_destroy(mesh);
    CHECK(read_set(&(const file_set){NODES, NULL, NULL, NULL}, "x.node", &mesh, &error) == ABUT_OK, "%s",
          error.text);
    CHECK(abut_mesh_write(mesh, "y.ele", ABUT_FORMAT_AUTO, &error) == ABUT_OK, "%s", error.text);
    CHECK(access("y.ele", F_OK) != 0 && access("y.face", F_OK) != 0 && access("y.edge", F_OK) != 0, "old files");
    CHECK(abut_mesh_read(NULL, "y.node", ABUT_FORMAT_AUTO, &back, &error) == ABUT_OK, "%s", error.text);
    check_same(mesh, back, "only nodes");
    abut_mesh_destroy(back);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

static void allocation_failures(void **state)
{
    (void)state;
    static const file_set set = {NODES, "1 4 0\n1 1 2 3 4\n", "4 0\n1 1 2 3\n2 1 4 2\n3 1 3 4\n4 2 4 3\n",
                                 "1 0\n1 2 3\n"};
    abut_mesh *mesh;
    abut_error error;
    CHECK(read_set(&set, "x.node", &mesh, &error) == ABUT_OK, "%s", error.text);
    abut_mesh_destroy(mesh);
    check_allocation_failures("x.node");
    CHECK_DONE();
}

// From memory, only the .node file can be read.
static void cut_nodes_are_survived(void **state)
{
    (void)state;
    static const char nodes[] = "# x\n4 3 1 1\n1 0 0 0 5 1\n2 1 0 0 5 1\n3 0 1 0 5 1\n4 0 0 1e0 5 1\n";
    // valid only with the last marker
    CHECK_INT(check_beginnings(nodes, sizeof nodes - 1, "cut.node"), 1, "beginnings");
    CHECK_DONE();
}

int main(void)
{
    char folder[] = "tetgen-files-XXXXXX";
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbering_and_siblings),
        cmocka_unit_test(faces_are_turned_only_where_needed),
        cmocka_unit_test(inner_faces_stay),
        cmocka_unit_test(errors_name_line_and_reason),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(allocation_failures),
        cmocka_unit_test(cut_nodes_are_survived),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    static const char *const files[] = {"x.node", "x.ele", "x.face", "x.edge", "y.node"};
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        (void)remove(files[i]);
    }
    int removed = chdir("..") == 0 && rmdir(folder) == 0; // fails if a writer left a file behind
    return failures != 0 || !removed;
}
