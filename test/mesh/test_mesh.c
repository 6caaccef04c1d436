// SPDX-License-Identifier: MIT
// test_mesh.c: adjacency against brute force, polygons, tetrahedra, hostile data
#include "check.h"
#include "random.h"

#include <abut/mesh.h>

// A unit cube of six squares: 12 triangles, 18 edges (12 and a diagonal for each square), closed, volume 1, area 6.
static void cube_of_squares(void **state)
{
    (void)state;
    abut_vec3 vertices[8];
    for (int i = 0; i < 8; ++i) {
        vertices[i] = abut_vec3_make(i & 1, i >> 1 & 1, i >> 2 & 1);
    }
    const int offsets[] = {0, 4, 8, 12, 16, 20, 24};
    const int faces[] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.face_offsets = offsets;
    def.face_vertices = faces;
    def.face_count = 6;
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    abut_mesh_info info = abut_mesh_get_info(mesh);
    CHECK_INT(abut_mesh_get_elements(mesh).triangle_count, 12, "triangles");
    CHECK_INT(abut_mesh_get_topology(mesh).edge_count, 18, "edges");
    CHECK_INT(abut_mesh_get_topology(mesh).part_count, 1, "parts");
    CHECK_INT(info.is_closed, 1, "closed");
    CHECK_INT(info.is_oriented, 1, "oriented");
    CHECK_INT(info.non_manifold_vertex_count, 0, "fans");
    CHECK_NEAR(info.volume, 1.0, 1e-15, "volume");
    CHECK_NEAR(info.area, 6.0, 1e-15, "area");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_of_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
