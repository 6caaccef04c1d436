// SPDX-License-Identifier: MIT
// test_tree_slabs.c: slabs separate parallel plates whose boxes overlap
#include "check.h"

#include <abut/mesh.h>
#include <abut/tree.h>

enum { CELLS = 16 };

// A square plate of side 1 in the plane through the origin with normal (1, 1, 1), oblique to all axes. With two sides
// it is 0.001 thick, and each triangle has a twin that faces the other way.
static abut_mesh *make_plate(int side_count)
{
    enum { SIDE_VERTICES = (CELLS + 1) * (CELLS + 1), SIDE_FACES = 2 * CELLS * CELLS };
    static abut_vec3 vertices[2 * SIDE_VERTICES];
    static int faces[2 * 3 * SIDE_FACES];
    abut_vec3 u = abut_unit(abut_vec3_make(1, -1, 0)), v = abut_unit(abut_vec3_make(1, 1, -2));
    for (int i = 0; i <= CELLS; ++i) {
        for (int k = 0; k <= CELLS; ++k) {
            vertices[i * (CELLS + 1) + k] =
                abut_add(abut_scale(i / (double)CELLS, u), abut_scale(k / (double)CELLS, v));
        }
    }
    for (int i = 0; i < CELLS * CELLS; ++i) {
        int corner = i / CELLS * (CELLS + 1) + i % CELLS;
        const int added[6] = {corner, corner + 1,         corner + CELLS + 2,
                              corner, corner + CELLS + 2, corner + CELLS + 1};
        memcpy(faces + 6 * i, added, sizeof added);
    }
    for (int i = 0; i < SIDE_VERTICES; ++i) {
        vertices[SIDE_VERTICES + i] = abut_add_scaled(vertices[i], -0.001, abut_unit(abut_vec3_make(1, 1, 1)));
    }
    for (int i = 0; i < 3 * SIDE_FACES; ++i) {
        faces[3 * SIDE_FACES + i] = SIDE_VERTICES + faces[i % 3 == 0 ? i : i % 3 == 1 ? i + 1 : i - 1];
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = side_count * SIDE_VERTICES;
    def.face_vertices = faces;
    def.face_count = side_count * SIDE_FACES;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

static int count_pair(void *user, int a, int b)
{
    (void)a, (void)b;
    ++*(int *)user;
    return 0;
}

// Plates at a distance d along their normal. Triangles have sides of 1/16, so boxes of triangles that face each other
// overlap for d = 0.02. No pair is within the margin of 0.001, and the slabs, which have no thickness, show it: no
// pair is reported. For d = 0.0005 each triangle has at least one partner. Turning about the normal changes nothing.
static void check_plates(int side_count)
{
    abut_mesh *mesh = make_plate(side_count);
    abut_tree *tree = NULL;
    assert_int_equal(abut_tree_create(NULL, mesh, ABUT_ELEMENT_TRIANGLE, &tree, NULL), ABUT_OK);
    abut_vec3 normal = abut_unit(abut_vec3_make(1, 1, 1));
    for (int turn = 0; turn < 4; ++turn) {
        abut_quat rotation = abut_quat_from_axis(normal, 0.1 * turn);
        int apart = 0, near = 0;
        (void)abut_tree_pairs(tree, tree, abut_pose_make(abut_scale(0.02, normal), rotation), 0.001, count_pair,
                              &apart);
        (void)abut_tree_pairs(tree, tree, abut_pose_make(abut_scale(0.0005, normal), rotation), 0.001, count_pair,
                              &near);
        CHECK_INT(apart, 0, "pairs of plates apart");
        CHECK(near >= CELLS * CELLS, "%d pairs of plates that are near", near);
    }
    abut_tree_destroy(tree);
    abut_mesh_destroy(mesh);
}

static void slabs_tell_plates_apart(void **state)
{
    (void)state;
    check_plates(1);
    CHECK_DONE();
}

// The normals of both sides cancel, and their mean is rounding. The slab is along the normal all the same.
static void slabs_hold_both_sides_of_thin_plates(void **state)
{
    (void)state;
    check_plates(2);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slabs_tell_plates_apart),
        cmocka_unit_test(slabs_hold_both_sides_of_thin_plates),
    };
    return cmocka_run_group_tests_name("slabs", tests, NULL, NULL);
}
