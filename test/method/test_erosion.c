// SPDX-License-Identifier: MIT
// test_erosion.c: which meshes erosion takes for convex hulls
#include "local_scene.h"
#include "method/erosion.h"

// A unit cube with a ninth vertex in the middle of its top, as vertex `flat` of the mesh.
static abut_mesh *make_cube_with_flat_vertex(int flat)
{
    static const int triangles[42] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 0, 2, 3,
                                      0, 3, 1, 4, 5, 7, 4, 7, 6, 2, 6, 8, 6, 7, 8, 7, 3, 8, 3, 2, 8};
    abut_vec3 vertices[9];
    int named[42];
    for (int i = 0; i < 9; ++i) {
        int at = i == 8 ? flat : i == flat ? 8 : i;
        vertices[at] = i == 8 ? v3(0.5, 1, 0.5) : v3(i & 1, i >> 1 & 1, i >> 2);
    }
    for (int i = 0; i < 42; ++i) {
        named[i] = triangles[i] == 8 ? flat : triangles[i] == flat ? 8 : triangles[i];
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 9;
    def.face_vertices = named;
    def.face_count = 14;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

// A vertex that is no corner makes a mesh no hull, whichever number it has: all vertices then move to 0.99 of their
// distance from the mean of the nine, (0.5, 5 / 9, 0.5), and not by epsilon = 0.1 against their normals.
static void flat_vertex_of_any_number_makes_no_hull(void **state)
{
    (void)state;
    abut_context context = abut_context_default();
    for (int flat = 0; flat < 9; ++flat) {
        abut_mesh *mesh = make_cube_with_flat_vertex(flat);
        abut_mesh_elements elements = abut_mesh_get_elements(mesh);
        abut_erosion *e = NULL;
        assert_int_equal(
            abut_erosion_create(&context, mesh, ABUT_EROSION_PROGRAM, 0.1, ABUT_ELEMENT_TRIANGLE, &e, NULL),
            ABUT_OK);
        for (int i = 0; i < 9; ++i) {
            abut_vec3 way = abut_sub(e->vertices[i], elements.vertices[i]);
            abut_vec3 scaled = abut_scale(0.01, abut_sub(v3(0.5, 5.0 / 9.0, 0.5), elements.vertices[i]));
            CHECK_NEAR(abut_norm(abut_sub(way, scaled)), 0.0, 1e-14, "way");
        }
        abut_erosion_destroy(e, &context);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// Boxes of thickness 0.1, by 0.08: all eight corners of each cannot recede as far, and a query says so in its statistics.
static void queries_count_what_was_cut_short(void **state)
{
    (void)state;
    local_scene s;
    local_begin(&s, NULL, "closest-points", "epsilon=0.08", make_box(NULL, v3(0, 0, 0), v3(1, 0.1, 1)),
                make_box(NULL, v3(0, 0, 0), v3(1, 0.1, 1)));
    s.pair.b.pose.position = v3(0, 0.1, 0);
    local_find(&s);
    CHECK_INT(s.result.stats.caps, 16, "corners");
    local_end(&s);
    CHECK_DONE();
}

// A tetrahedron of side 0.2 in the middle cell of a block of 3 x 3 x 3 cells: the tetrahedra around it have no triangle
// on the surface, and those of the outer cells are 0.3 away. As the program looks at the surface alone, there is no
// pair to look at.
static void program_skips_inner_tetrahedra(void **state)
{
    (void)state;
    const int cells[3] = {3, 3, 3};
    const abut_vec3 small[4] = {{1.4, 1.4, 1.4}, {1.6, 1.4, 1.4}, {1.4, 1.6, 1.4}, {1.4, 1.4, 1.6}};
    local_scene s;
    local_begin(&s, NULL, "closest-points", "reading=program", make_tet_block(NULL, cells, 0.0, 1, 1.0),
                make_tetrahedron(NULL, small));
    local_find(&s);
    CHECK_INT(s.result.stats.candidate_pairs, 0, "pairs");
    CHECK_INT(s.result.contacts.count, 0, "contacts");
    local_end(&s);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_vertex_of_any_number_makes_no_hull),
        cmocka_unit_test(queries_count_what_was_cut_short),
        cmocka_unit_test(program_skips_inner_tetrahedra),
    };
    return cmocka_run_group_tests_name("erosion", tests, NULL, NULL);
}
