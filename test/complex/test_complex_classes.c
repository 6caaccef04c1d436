// SPDX-License-Identifier: MIT
// test_complex_classes.c: classes of simplices (Merlhiot 2007, Table 1) that follow on paper
#include "complexes.h"

/// What a shape must consist of.
typedef struct expected {
    int vertices, edges, triangles;
    int classes[8]; ///< how many simplices of each
} expected;

/// Checks the counts of a mesh, and of copies that are turned, scaled and far away. Destroys the mesh.
static void check_classes(abut_mesh *mesh, const expected *e, const char *label)
{
    const double scales[] = {1.0, 1e-3, 1e3};
    test_random random = {7};
    for (int i = 0; i < 12; ++i) {
        double scale = scales[i % 3];
        abut_pose pose = abut_pose_identity();
        if (i > 0) {
            pose = abut_pose_make(random_vec3(&random, i > 6 ? 1e4 * scale : scale), random_rotation(&random));
        }
        abut_mesh *moved = make_moved(mesh, pose, scale);
        abut_complex *complex = make_complex(NULL, moved);
        abut_complex_info info = abut_complex_get_info(complex);
        CHECK_INT(info.vertex_count, e->vertices, label);
        CHECK_INT(info.edge_count, e->edges, label);
        CHECK_INT(info.triangle_count, e->triangles, label);
        for (int k = 0; k < 8; ++k) {
            CHECK(info.class_counts[k] == e->classes[k], "%s, copy %d: %d simplices of class %d, not %d", label, i,
                  info.class_counts[k], k, e->classes[k]);
        }
        abut_complex_destroy(complex);
        abut_mesh_destroy(moved);
    }
    abut_mesh_destroy(mesh);
}

// A cube: 8 corners, 12 edges and 6 diagonals, which lie inside flat faces. Filled with six tetrahedra it has the same
// boundary; the diagonal inside is not a simplex of ours.
static void cube(void **state)
{
    (void)state;
    const expected e = {8, 18, 12, {8, 0, 12, 0, 0, 6, 12, 0}};
    check_classes(make_box(NULL, v3(0, 0, 0), v3(1, 2, 3)), &e, "cube");
    check_classes(make_solid_box(NULL, v3(0, 0, 0), v3(1, 2, 3)), &e, "cube of tetrahedra");
    CHECK_DONE();
}

// A box whose top (z = 1) has a vertex in its middle (4) and one in the middle of the edge x = 0 (1). The top is a fan of
// five triangles about the middle; the side x = 0 has three. Edges: 12 of the box, one of them in two halves: 13 convex. 5
// spokes, 4 diagonals of the bottom and three sides, and 2 more in the side x = 0 instead of a diagonal: 5 + 4 + 2.
static void flat_vertices(void **state)
{
    (void)state;
    const abut_vec3 vertices[10] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},   {0, 0, 1},
                                    {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {0, 0.5, 1}, {0.5, 0.5, 1}};
    const int triangles[] = {0, 2, 1, 0, 3, 2, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6,
                             3, 0, 8, 0, 4, 8, 3, 8, 7, 9, 4, 5, 9, 5, 6, 9, 6, 7, 9, 7, 8, 9, 8, 4};
    const expected e = {10, 24, 16, {8, 1, 13, 0, 1, 11, 16, 0}};
    abut_mesh *mesh = make_triangles(NULL, vertices, 10, triangles, 16);
    abut_complex *complex = make_complex(NULL, mesh);
    CHECK_INT(abut_complex_vertex_class(complex, 8), 1, "in the edge");
    CHECK_INT(abut_complex_vertex_class(complex, 9), 4, "in the face");
    CHECK_INT(abut_complex_edge_class(complex, 4, 8), 2, "half of the edge");
    CHECK_INT(abut_complex_edge_class(complex, 9, 8), 5, "spoke");
    CHECK_INT(abut_complex_edge_class(complex, 4, 6), -1, "no edge");
    CHECK_INT(abut_complex_vertex_class(complex, 10), 7, "no vertex");
    abut_complex_destroy(complex);
    check_classes(mesh, &e, "flat vertices");
    CHECK_DONE();
}

// An L: at the inner corner of top and bottom the solid fills three quarters of a half-space. Its hull is the half-space,
// whose polar cone is a ray, and the surface is no plane: class 3. The upright inner edge is reentrant: 7. A hexagonal
// top has 3 inner edges and each of 6 sides has a diagonal: 12 flat edges; 18 others.
static void reentrant_corner(void **state)
{
    (void)state;
    const expected e = {12, 30, 20, {10, 0, 17, 2, 0, 12, 20, 1}};
    abut_mesh *mesh = make_l(NULL, 1.0);
    abut_complex *complex = make_complex(NULL, mesh);
    CHECK_INT(abut_complex_vertex_class(complex, 3), 3, "bottom");
    CHECK_INT(abut_complex_vertex_class(complex, 9), 3, "top");
    CHECK_INT(abut_complex_edge_class(complex, 3, 9), 7, "inner edge");
    abut_complex_destroy(complex);
    check_classes(mesh, &e, "L");
    CHECK_DONE();
}

// A ring with a hole of many sides: however straight its rim is, every vertex of it is a reentrant corner of top or bottom
// (3). The outer corners are 0.
static void ring(void **state)
{
    (void)state;
    for (int n = 8; n <= 512; n *= 4) {
        abut_vec3 *vertices = malloc(4 * (size_t)n * sizeof *vertices);
        int *triangles = malloc(24 * (size_t)n * sizeof *triangles), count = 0;
        for (int i = 0; i < 4 * n; ++i) { // outer low, outer high, inner high, inner low
            double angle = 6.2831853071795862 * (i % n) / n, radius = i < 2 * n ? 2.0 : 1.0;
            vertices[i] = v3(radius * cos(angle), radius * sin(angle), i / n == 1 || i / n == 2 ? 1 : 0);
        }
        for (int i = 0; i < 4 * n; ++i) { // from each circle to the next one
            int a = i, b = i / n * n + (i + 1) % n, c = (b + n) % (4 * n), d = (a + n) % (4 * n);
            const int faces[6] = {a, b, c, a, c, d};
            memcpy(triangles + count, faces, sizeof faces);
            count += 6;
        }
        abut_mesh *mesh = make_triangles(NULL, vertices, 4 * n, triangles, count / 3);
        abut_complex *complex = make_complex(NULL, mesh);
        CHECK_INT(abut_complex_get_info(complex).solid_part_count, 1, "solid");
        for (int i = 0; i < 4 * n; ++i) {
            CHECK_INT(abut_complex_vertex_class(complex, i), i < 2 * n ? 0 : 3, "rim");
        }
        abut_complex_destroy(complex);
        abut_mesh_destroy(mesh);
        free(vertices);
        free(triangles);
    }
    CHECK_DONE();
}

// A flat sheet of 3 by 3 squares: 4 corners (0), 8 vertices on the border (1), 4 inside (4); 12 edges of the border (2),
// 21 inside (5). Bent along y: the fold is an edge that distances have minima at (2), from its outer side. The two ends
// of the fold are corners, the vertices inside it are as on a straight edge.
static void sheets(void **state)
{
    (void)state;
    const expected flat = {16, 33, 18, {4, 8, 12, 0, 4, 21, 18, 0}};
    check_classes(make_sheet(3), &flat, "sheet");
    abut_mesh *sheet = make_sheet(3);
    abut_mesh_def def = abut_mesh_get_def(sheet);
    abut_vec3 bent[16];
    for (int i = 0; i < 16; ++i) { // folded at x = 1 by an angle of 0.5
        abut_vec3 p = def.vertices[i];
        bent[i] = p.x > 1.0 ? v3(1 + (p.x - 1) * cos(0.5), p.y, (p.x - 1) * sin(0.5)) : p;
    }
    def.vertices = bent;
    abut_mesh *folded = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &folded, NULL), ABUT_OK);
    // border: 4 corners and 2 ends of the fold (0), 6 others (1); inside: 2 in the fold (1), 2 in the flat part (4)
    const expected fold = {16, 33, 18, {6, 8, 15, 0, 2, 18, 18, 0}};
    check_classes(folded, &fold, "folded sheet");
    abut_mesh_destroy(sheet);
    CHECK_DONE();
}

// The inner corner of an L-shaped sheet: the sheet fills three quarters of its plane. The polar cone is the line of
// normals, and the star is not a plane: 3.
static void sheet_with_a_notch(void **state)
{
    (void)state;
    const abut_vec3 vertices[6] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
    const int triangles[12] = {0, 1, 3, 1, 2, 3, 0, 3, 5, 3, 4, 5};
    const expected e = {6, 9, 4, {5, 0, 6, 1, 0, 3, 4, 0}};
    check_classes(make_triangles(NULL, vertices, 6, triangles, 4), &e, "notch");
    CHECK_DONE();
}

// A polyline: both ends and the bend are corners (their polar cones are a half-space and a wedge), the vertex in the
// straight part has the plane across: 1. The edges have planes: 2. Points have all directions: 0.
static void lines_and_points(void **state)
{
    (void)state;
    const abut_vec3 vertices[4] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}};
    const int ends[6] = {0, 1, 1, 2, 2, 3};
    const expected line = {4, 3, 0, {3, 1, 3, 0, 0, 0, 0, 0}};
    check_classes(make_segments(vertices, 4, ends, 3), &line, "polyline");
    const expected points = {4, 0, 0, {4, 0, 0, 0, 0, 0, 0, 0}};
    check_classes(make_segments(vertices, 4, NULL, 0), &points, "points");
    CHECK_DONE();
}

// Two tetrahedra that share an edge. Apart by less than a half turn, seen along the edge, the edge is convex: 2. Opposite
// each other, they leave no gap of a half turn: 7. The surface alone, with four triangles at the edge, is a shell.
static void tets_at_an_edge(void **state)
{
    (void)state;
    const int tets[8] = {0, 1, 2, 3, 0, 1, 4, 5};
    for (int is_opposite = 0; is_opposite < 2; ++is_opposite) {
        double side = is_opposite ? -1.0 : 1.0;
        const abut_vec3 vertices[6] = {{0, 0, 0},      {0, 0, 1},        {1, 0.5, 0.5},
                                       {1, -0.5, 0.5}, {side, 2.0, 0.5}, {side, is_opposite ? -2.0 : 1.5, 0.5}};
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = 6;
        def.tets = tets;
        def.tet_count = 2;
        abut_mesh *mesh = NULL;
        assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
        abut_complex *complex = make_complex(NULL, mesh);
        CHECK_INT(abut_complex_edge_class(complex, 0, 1), is_opposite ? 7 : 2, "shared edge");
        CHECK_INT(abut_complex_vertex_class(complex, 0), 0, "end of the shared edge");
        CHECK_INT(abut_complex_get_info(complex).solid_triangle_count, 8, "all faces are solid");
        abut_complex_destroy(complex);
        abut_mesh_elements e = abut_mesh_get_elements(mesh);
        abut_mesh *surface = make_triangles(NULL, vertices, 6, e.triangles, e.triangle_count);
        complex = make_complex(NULL, surface);
        CHECK_INT(abut_complex_get_info(complex).solid_triangle_count, 0, "a shell");
        CHECK_INT(abut_complex_get_info(complex).shell_part_count, 1, "one shell");
        abut_complex_destroy(complex);
        abut_mesh_destroy(surface);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// A pit and a saddle: the middle of a square top, lowered (a pit), or with two opposite corners raised and the other two
// lowered (a saddle). No plane through the middle has the solid on one side: 7. The same without the solid: the edges
// at a pit's bottom lie on one side of a plane, so a shell has minima there, seen from below: 0.
static void saddle(void **state)
{
    (void)state;
    for (int is_pit = 0; is_pit < 2; ++is_pit) {
        double up = is_pit ? 1.0 : 1.2, down = is_pit ? 1.0 : 0.8, middle = is_pit ? 0.5 : 1.0;
        const abut_vec3 vertices[9] = {{0, 0, 0},    {1, 0, 0},  {1, 1, 0},    {0, 1, 0},         {0, 0, up},
                                       {1, 0, down}, {1, 1, up}, {0, 1, down}, {0.5, 0.5, middle}};
        const int triangles[] = {8, 4, 5, 8, 5, 6, 8, 6, 7, 8, 7, 4, 0, 2, 1, 0, 3, 2, 0, 1, 5,
                                 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
        abut_mesh *solid = make_triangles(NULL, vertices, 9, triangles, 14);
        abut_mesh *shell = make_triangles(NULL, vertices, 9, triangles, 4);
        abut_complex *complex = make_complex(NULL, solid);
        CHECK_INT(abut_complex_vertex_class(complex, 8), 7, is_pit ? "pit" : "saddle");
        CHECK_INT(abut_complex_get_info(complex).solid_part_count, 1, "solid");
        abut_complex_destroy(complex);
        complex = make_complex(NULL, shell);
        CHECK_INT(abut_complex_vertex_class(complex, 8), is_pit ? 0 : 7, is_pit ? "shell's pit" : "shell's saddle");
        abut_complex_destroy(complex);
        abut_mesh_destroy(solid);
        abut_mesh_destroy(shell);
    }
    CHECK_DONE();
}

// Coordinates as a binary STL file has them: rounding turns the normals of a flat face by up to the noise over the height
// of the triangles. The face stays flat.
static void rounded_to_float(void **state)
{
    (void)state;
    test_random random = {3};
    abut_mesh *sheet = make_sheet(8);
    for (int i = 0; i < 50; ++i) {
        abut_pose pose = abut_pose_make(random_vec3(&random, 20.0), random_rotation(&random));
        abut_mesh_def def = abut_mesh_get_def(sheet);
        abut_vec3 rounded[81];
        for (int k = 0; k < 81; ++k) {
            abut_vec3 p = abut_pose_apply(pose, def.vertices[k]);
            rounded[k] = v3((float)p.x, (float)p.y, (float)p.z);
        }
        def.vertices = rounded;
        def.precision = ABUT_PRECISION_FLOAT;
        abut_mesh *mesh = NULL;
        assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
        abut_complex *complex = make_complex(NULL, mesh);
        abut_complex_info info = abut_complex_get_info(complex);
        CHECK_INT(info.class_counts[4], 49, "inner vertices");
        CHECK_INT(info.class_counts[0], 4, "corners");
        CHECK_INT(info.class_counts[1], 28, "border");
        abut_complex_destroy(complex);
        abut_mesh_destroy(mesh);
    }
    abut_mesh_destroy(sheet);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube),
        cmocka_unit_test(flat_vertices),
        cmocka_unit_test(reentrant_corner),
        cmocka_unit_test(ring),
        cmocka_unit_test(sheets),
        cmocka_unit_test(sheet_with_a_notch),
        cmocka_unit_test(lines_and_points),
        cmocka_unit_test(tets_at_an_edge),
        cmocka_unit_test(saddle),
        cmocka_unit_test(rounded_to_float),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
