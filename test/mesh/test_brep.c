// SPDX-License-Identifier: MIT
// test_brep.c: B-reps of known solids
#include "check.h"

#include <abut/brep.h>

static const double pi = 3.14159265358979323846;

// A cube of six squares: 6 faces with one loop of 4, 12 convex edges of 90 degrees, 8 vertices with 3 edges.
static void cube(void **state)
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
    abut_brep *brep;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    assert_int_equal(abut_brep_create(NULL, mesh, NULL, &brep, NULL), ABUT_OK);
    abut_brep_elements elements = abut_brep_get_elements(brep);
    CHECK_INT(elements.face_count, 6, "faces");
    CHECK_INT(elements.edge_count, 12, "edges");
    CHECK_INT(elements.vertex_count, 8, "vertices");
    CHECK_INT(elements.loop_count, 6, "loops");
    CHECK_INT(elements.coedge_count, 24, "coedges");
    for (int i = 0; i < elements.edge_count; ++i) {
        CHECK_INT(elements.edges[i].kind, ABUT_EDGE_CONVEX, "kind");
        CHECK_NEAR(elements.edges[i].angle, pi / 2, 1e-15, "angle");
    }
    for (int i = 0; i < elements.vertex_count; ++i) {
        CHECK_INT(elements.vertices[i].cycle_count, 3, "cycle");
    }
    abut_brep_destroy(brep);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
