// SPDX-License-Identifier: MIT
// test_brep.c: B-reps of solids whose faces, edges and vertices are known
#include "check.h"
#include "failing.h"
#include "mesh/brep_check.h"
#include "mesh/tessellate.h"

static const double pi = 3.14159265358979323846;

typedef struct example {
    test_solid solid;
    abut_mesh *mesh;
    abut_brep *brep;
    abut_brep_elements b;
} example;

static example make_planar_example(test_solid solid, double planarity, const char *label)
{
    example made = {.solid = solid, .mesh = solid_mesh(&solid, ABUT_PRECISION_DOUBLE)};
    abut_brep_params params = abut_brep_params_default();
    params.planarity = planarity;
    assert_int_equal(abut_brep_create(NULL, made.mesh, &params, &made.brep, NULL), ABUT_OK);
    made.b = abut_brep_get_elements(made.brep);
    CHECK_INT(brep_check_valid(made.mesh, made.brep, label), 0, label);
    return made;
}

static example make_example(test_solid solid, const char *label)
{
    return make_planar_example(solid, abut_brep_params_default().planarity, label);
}

static void free_example(example *made)
{
    abut_brep_destroy(made->brep);
    abut_mesh_destroy(made->mesh);
    solid_free(&made->solid);
}

static void check_counts(const example *e, int faces, int edges, int vertices, int loops, const char *label)
{
    CHECK_INT(e->b.face_count, faces, label);
    CHECK_INT(e->b.edge_count, edges, label);
    CHECK_INT(e->b.vertex_count, vertices, label);
    CHECK_INT(e->b.loop_count, loops, label);
}

static int count_edges(const example *e, abut_edge_kind kind, double angle)
{
    int count = 0;
    for (int i = 0; i < e->b.edge_count; ++i) {
        count += e->b.edges[i].kind == kind && fabs(e->b.edges[i].angle - angle) <= 1e-14;
    }
    return count;
}

static abut_vec3 position(const example *e, int vertex)
{
    return e->solid.vertices[e->b.vertices[vertex].source_vertex];
}

// 6 faces with one loop of 4 edges, 12 convex edges of 90 degrees, 8 vertices with 3 edges each. Seen from outside,
// each edge of a cycle is to the left of the one before, and the left face of an edge is on its left.
static void cube(void **state)
{
    (void)state;
    example e = make_example(solid_from_voxels("#", 1, 1, 1), "cube");
    check_counts(&e, 6, 12, 8, 6, "cube");
    CHECK_INT(e.b.coedge_count, 24, "coedges");
    CHECK_INT(count_edges(&e, ABUT_EDGE_CONVEX, pi / 2), 12, "convex edges");
    for (int i = 0; i < 6; ++i) {
        CHECK_NEAR(e.b.faces[i].area, 1.0, 1e-15, "area");
        CHECK_NEAR(fabs(e.b.faces[i].offset - 0.5), 0.5, 1e-15, "offset");
        CHECK_INT(e.b.faces[i].triangle_count, 2, "triangles");
        CHECK_INT(e.b.loops[e.b.faces[i].loop_begin].coedge_count, 4, "loop");
    }
    const abut_vec3 center = {0.5, 0.5, 0.5};
    for (int i = 0; i < 8; ++i) {
        const int *cycle = e.b.vertex_cycles + e.b.vertices[i].cycle_begin;
        abut_vec3 p = position(&e, i), along[3];
        CHECK_INT(e.b.vertices[i].cycle_count, 3, "cycle");
        for (int k = 0; k < 3; ++k) {
            const int *ends = e.b.edges[cycle[k]].vertices;
            along[k] = abut_sub(position(&e, ends[ends[0] == i]), p);
        }
        abut_vec3 outward = abut_sub(p, center);
        CHECK_NEAR(abut_dot(abut_cross(along[0], along[1]), outward), 0.5, 1e-15, "counter-clockwise");
        CHECK_NEAR(abut_dot(abut_cross(along[1], along[2]), outward), 0.5, 1e-15, "counter-clockwise");
    }
    for (int i = 0; i < 12; ++i) {
        const abut_brep_edge *edge = &e.b.edges[i];
        abut_vec3 along = abut_sub(position(&e, edge->vertices[1]), position(&e, edge->vertices[0]));
        abut_vec3 left = e.b.faces[edge->faces[0]].normal, right = e.b.faces[edge->faces[1]].normal;
        CHECK_NEAR(abut_dot(abut_cross(left, along), right), -1.0, 1e-14, "left face");
    }
    free_example(&e);
    CHECK_DONE();
}

// An L of three cubes in a row and one on the first: 8 faces, 18 edges of which one is reflex, 12 vertices.
static void l_shaped_solid(void **state)
{
    (void)state;
    example e = make_example(solid_from_voxels("###"
                                               "#..",
                                               3, 2, 1),
                             "L");
    check_counts(&e, 8, 18, 12, 8, "L");
    CHECK_INT(count_edges(&e, ABUT_EDGE_CONVEX, pi / 2), 17, "convex edges");
    CHECK_INT(count_edges(&e, ABUT_EDGE_REFLEX, 3 * pi / 2), 1, "reflex edge");
    free_example(&e);
    CHECK_DONE();
}

// A block with a rectangular hole through it: 10 faces, two of them with a hole, 24 edges, of which the 4 in the
// hole are reflex, 16 vertices. The faces with a hole have an area of 12 - 2; the hole runs clockwise, 4 edges.
static void through_hole(void **state)
{
    (void)state;
    example e = make_example(solid_from_voxels("####"
                                               "#..#"
                                               "####"
                                               "####"
                                               "#..#"
                                               "####",
                                               4, 3, 2),
                             "hole");
    check_counts(&e, 10, 24, 16, 12, "hole");
    CHECK_INT(count_edges(&e, ABUT_EDGE_CONVEX, pi / 2), 20, "convex edges");
    CHECK_INT(count_edges(&e, ABUT_EDGE_REFLEX, 3 * pi / 2), 4, "reflex edges");
    int with_hole = 0;
    for (int i = 0; i < e.b.face_count; ++i) {
        const abut_brep_face *face = &e.b.faces[i];
        if (face->loop_count == 2) {
            ++with_hole;
            CHECK_NEAR(face->area, 10.0, 1e-13, "area");
            CHECK_INT(e.b.loops[face->loop_begin].coedge_count, 4, "outer loop");
            CHECK_INT(e.b.loops[face->loop_begin + 1].coedge_count, 4, "hole");
        }
    }
    CHECK_INT(with_hole, 2, "faces with a hole");
    free_example(&e);
    CHECK_DONE();
}

// A pyramid of base 8 and height 6 with a pit of width 4 and depth 2 in its base. 4 + 1 + 4 faces, 8 + 4 + 4 edges,
// 10 vertices. Base and side meet at atan(6/4), two sides at pi - acos(4/13), pit and base at 135 degrees, two walls
// of the pit, of 45 degrees, at 360 - 120 degrees.
static void pyramid_with_pit(void **state)
{
    (void)state;
    static const abut_vec3 vertices[] = {{0, 0, 0}, {8, 0, 0}, {8, 8, 0}, {0, 8, 0}, {4, 4, 6},
                                         {2, 2, 0}, {6, 2, 0}, {6, 6, 0}, {2, 6, 0}, {4, 4, 2}};
    static const int polygons[] = {3, 0, 1, 4, 3, 1, 2, 4, 3, 2, 3, 4, 3, 3, 0, 4, 4, 0, 5, 6, 1, 4, 1, 6, 7, 2, 4,
                                   2, 7, 8, 3, 4, 3, 8, 5, 0, 3, 6, 5, 9, 3, 7, 6, 9, 3, 8, 7, 9, 3, 5, 8, 9, 0};
    example e = make_example(solid_from_polygons(vertices, 10, polygons), "pyramid");
    check_counts(&e, 9, 16, 10, 10, "pyramid");
    CHECK_INT(count_edges(&e, ABUT_EDGE_CONVEX, atan2(6.0, 4.0)), 4, "base edges");
    CHECK_INT(count_edges(&e, ABUT_EDGE_CONVEX, pi - acos(4.0 / 13.0)), 4, "side edges");
    CHECK_INT(count_edges(&e, ABUT_EDGE_CONVEX, 3 * pi / 4), 4, "rim of the pit");
    CHECK_INT(count_edges(&e, ABUT_EDGE_REFLEX, 4 * pi / 3), 4, "edges in the pit");
    CHECK_INT(e.b.vertices[e.b.mesh_vertex_vertices[4]].cycle_count, 4, "apex");
    CHECK_INT(e.b.vertices[e.b.mesh_vertex_vertices[9]].cycle_count, 4, "bottom of the pit");
    free_example(&e);
    CHECK_DONE();
}

// The sides of a prism with 1000 sides turn by 0.36 degrees each and do not merge.
static void prism_of_1000_sides(void **state)
{
    (void)state;
    example e = make_example(solid_prism(1000), "prism");
    check_counts(&e, 1002, 3000, 2000, 1002, "prism");
    free_example(&e);
    CHECK_DONE();
}

// An L-shaped sheet with a triangular hole: one face of area 20 - 2, 6 + 3 boundary edges, each vertex with two.
static void open_sheet(void **state)
{
    (void)state;
    static const abut_vec3 vertices[] = {{0, 0, 0}, {6, 0, 0}, {6, 2, 0}, {2, 2, 0}, {2, 6, 0},
                                         {0, 6, 0}, {1, 1, 0}, {3, 1, 0}, {1, 3, 0}};
    static const int polygons[] = {4, 0, 1, 7, 6, 3, 1, 2, 7, 4, 7, 2, 3, 8,
                                   3, 3, 4, 8, 4, 4, 5, 0, 8, 3, 0, 6, 8, 0};
    example e = make_example(solid_from_polygons(vertices, 9, polygons), "sheet");
    check_counts(&e, 1, 9, 9, 2, "sheet");
    CHECK_NEAR(e.b.faces[0].area, 18.0, 1e-13, "area");
    CHECK_INT(count_edges(&e, ABUT_EDGE_BOUNDARY, 0.0), 9, "boundary edges");
    CHECK_INT(e.b.loops[0].coedge_count, 6, "outer loop");
    CHECK_INT(e.b.loops[1].coedge_count, 3, "hole");
    for (int i = 0; i < 9; ++i) {
        CHECK_INT(e.b.vertices[i].cycle_count, 2, "cycle");
        CHECK_INT((e.b.edges[i].faces[0] < 0) + (e.b.edges[i].faces[1] < 0), 1, "one face");
    }
    free_example(&e);
    CHECK_DONE();
}

// Two cubes that share an edge: 12 faces, 12 + 12 - 1 edges, 8 + 8 - 2 vertices. At each end of the shared edge,
// each cube has a fan that begins and ends with the shared edge and has the cube's two other edges in between.
static void cubes_that_share_an_edge(void **state)
{
    (void)state;
    example e = make_example(solid_from_voxels("#."
                                               ".#",
                                               2, 2, 1),
                             "two cubes");
    check_counts(&e, 12, 23, 14, 12, "two cubes");
    CHECK_INT(count_edges(&e, ABUT_EDGE_CONVEX, pi / 2), 22, "convex edges");
    CHECK_INT(count_edges(&e, ABUT_EDGE_NON_MANIFOLD, 0.0), 1, "non-manifold edge");
    int listed = 0;
    for (int i = 0; i < e.b.vertex_count; ++i) {
        listed += e.b.vertices[i].cycle_count == 8;
    }
    CHECK_INT(listed, 2, "ends of the shared edge");
    free_example(&e);
    CHECK_DONE();
}

// Two pits that touch in a vertical edge. In the top face their rims are one loop of 8 edges that visits the common
// corner twice, because the face is on both sides of it.
static void loops_that_touch(void **state)
{
    (void)state;
    example e = make_example(solid_from_voxels("####"
                                               "####"
                                               "####"
                                               "####"
                                               "####"
                                               "#.##"
                                               "##.#"
                                               "####",
                                               4, 4, 2),
                             "touching pits");
    int found = 0;
    for (int i = 0; i < e.b.face_count; ++i) {
        const abut_brep_face *face = &e.b.faces[i];
        if (face->loop_count > 1) {
            ++found;
            CHECK_INT(face->loop_count, 2, "loops");
            CHECK_INT(e.b.loops[face->loop_begin].coedge_count, 4, "outer loop");
            CHECK_INT(e.b.loops[face->loop_begin + 1].coedge_count, 8, "both rims");
            CHECK_NEAR(face->area, 14.0, 1e-13, "area");
        }
    }
    CHECK_INT(found, 1, "top face");
    CHECK_INT(e.b.face_count, 6 + 10, "faces");
    free_example(&e);
    CHECK_DONE();
}

// Triangles that cannot bound a solid: two that run along their common edge in the same direction, three at one
// edge, two coplanar ones that share only a corner.
static void triangles_that_do_not_fit(void **state)
{
    (void)state;
    static const abut_vec3 vertices[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {-1, 0, 0}};
    static const int same_way[] = {3, 0, 1, 2, 3, 0, 1, 3, 0};
    static const int fin[] = {3, 0, 1, 2, 3, 1, 0, 3, 3, 0, 1, 4, 0};
    static const int corner[] = {3, 0, 1, 2, 3, 0, 5, 3, 0};
    example e = make_example(solid_from_polygons(vertices, 6, same_way), "same way");
    check_counts(&e, 2, 5, 4, 2, "same way");
    CHECK_INT(count_edges(&e, ABUT_EDGE_NON_MANIFOLD, 0.0), 1, "same way");
    CHECK_INT(count_edges(&e, ABUT_EDGE_BOUNDARY, 0.0), 4, "same way");
    free_example(&e);
    e = make_example(solid_from_polygons(vertices, 6, fin), "fin");
    check_counts(&e, 3, 7, 5, 3, "fin");
    CHECK_INT(count_edges(&e, ABUT_EDGE_NON_MANIFOLD, 0.0), 1, "fin");
    CHECK_INT(count_edges(&e, ABUT_EDGE_BOUNDARY, 0.0), 6, "fin");
    free_example(&e);
    e = make_example(solid_from_polygons(vertices, 6, corner), "corner");
    check_counts(&e, 2, 6, 5, 2, "corner");
    CHECK_INT(e.b.vertices[e.b.mesh_vertex_vertices[0]].cycle_count, 4, "corner");
    free_example(&e);
    CHECK_DONE();
}

// Meshes without area: empty, only points, a segment, a triangle with collinear corners, one with equal corners. No
// crash, and normals have length 1.
static void degenerate_meshes(void **state)
{
    (void)state;
    static const abut_vec3 vertices[] = {{1, 1, 1}, {2, 2, 2}, {4, 4, 4}, {1, 1, 1}, {1, 1, 1}};
    static const int segments[] = {0, 1}, line[] = {0, 1, 2}, point[] = {0, 3, 4};
    static const struct {
        const char *label;
        int vertex_count, segment_count;
        const int *triangle;
        int faces, edges;
    } cases[] = {
        {"nothing", 0, 0, NULL, 0, 0},    {"points", 5, 0, NULL, 0, 0},       {"segment", 5, 1, NULL, 0, 0},
        {"in a line", 5, 0, line, 1, -1}, {"in a point", 5, 1, point, 1, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = cases[i].vertex_count;
        def.segments = segments;
        def.segment_count = cases[i].segment_count;
        def.face_vertices = cases[i].triangle;
        def.face_count = cases[i].triangle != NULL;
        abut_mesh *mesh;
        abut_brep *brep;
        assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
        assert_int_equal(abut_brep_create(NULL, mesh, NULL, &brep, NULL), ABUT_OK);
        abut_brep_elements b = abut_brep_get_elements(brep);
        CHECK_INT(brep_check_valid(mesh, brep, cases[i].label), 0, cases[i].label);
        CHECK_INT(b.face_count, cases[i].faces, cases[i].label);
        CHECK(cases[i].edges < 0 || b.edge_count == cases[i].edges, "%s: edges", cases[i].label);
        for (int k = 0; k < abut_mesh_get_topology(mesh).edge_count && cases[i].segment_count > 0; ++k) {
            double angle = 1.0;
            CHECK_INT(abut_brep_mesh_edge_kind(brep, k, &angle), ABUT_EDGE_BOUNDARY, cases[i].label);
            CHECK_NEAR(angle, 0.0, 0.0, cases[i].label);
        }
        abut_brep_destroy(brep);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// A cube whose edge from vertex 0 to 1 has a middle vertex on one side only, closed by a triangle without area. The
// B-rep is still that of a cube.
static void sliver_in_an_edge(void **state)
{
    (void)state;
    abut_vec3 vertices[9];
    for (int i = 0; i < 8; ++i) {
        vertices[i] = abut_vec3_make(i & 1, i >> 1 & 1, i >> 2 & 1);
    }
    vertices[8] = abut_vec3_make(0.5, 0.0, 0.0);
    const int polygons[] = {4, 0, 2, 3, 1, 4, 4, 5, 7, 6, 4, 2, 6, 7, 3, 4, 0, 4, 6, 2, 4,
                            1, 3, 7, 5, 3, 0, 8, 4, 3, 8, 5, 4, 3, 8, 1, 5, 3, 0, 1, 8, 0};
    example e = make_example(solid_from_polygons(vertices, 9, polygons), "sliver");
    CHECK_INT(abut_mesh_get_info(e.mesh).is_closed, 1, "closed");
    check_counts(&e, 6, 12, 8, 6, "sliver");
    CHECK_INT(count_edges(&e, ABUT_EDGE_CONVEX, pi / 2), 12, "convex edges");
    free_example(&e);
    CHECK_DONE();
}

// An L-shaped prism. Its lower side is a rectangle and a square that meet in the line from (2, 1) through the reflex
// corner (1, 1) to (0, 1). Triangles without area fill that line, beside the wall that ends at the corner. They lie
// in the planes of both the lower side and the wall. There are still 8 faces, 17 convex edges and one reflex edge,
// and the edge of the wall ends at the corner.
static void slivers_across_a_corner(void **state)
{
    (void)state;
    abut_vec3 vertices[15];
    const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    for (int i = 0; i < 6; ++i) {
        vertices[i] = abut_vec3_make(outline[i][0], outline[i][1], 0.0);
        vertices[7 + i] = abut_vec3_make(outline[i][0], outline[i][1], 3.0);
    }
    vertices[6] = abut_vec3_make(0.0, 1.0, 0.0);
    vertices[13] = abut_vec3_make(1.75, 1.0, 0.0);
    vertices[14] = abut_vec3_make(0.5, 1.0, 0.0);
    const int polygons[] = {4,  0, 6, 2,  1, 5,  4, 3, 14, 6,  5,  3, 2, 6,  14, 3, 2,  14, 13, 3, 13, 14,
                            3,  4, 7, 8,  9, 10, 4, 7, 10, 11, 12, 4, 0, 1,  8,  7, 4,  1,  2,  9, 8,  5,
                            10, 9, 2, 13, 3, 4,  3, 4, 11, 10, 4,  4, 5, 12, 11, 5, 12, 5,  6,  0, 7,  0};
    example e = make_example(solid_from_polygons(vertices, 15, polygons), "slivers");
    CHECK_INT(abut_mesh_get_info(e.mesh).is_closed, 1, "closed");
    check_counts(&e, 8, 18, 12, 8, "slivers");
    CHECK_INT(count_edges(&e, ABUT_EDGE_CONVEX, pi / 2), 17, "convex edges");
    CHECK_INT(count_edges(&e, ABUT_EDGE_REFLEX, 3 * pi / 2), 1, "reflex edges");
    free_example(&e);
    CHECK_DONE();
}

// Two rectangles that meet at an angle of 0.06 in the edge from (0, 0) to (0, 1). Vertex 6 is in the right one,
// beside the edge, and the triangles between it and the edge are within the tolerance of both planes. At a distance
// of 3 tolerances from the edge they are too narrow to have a normal. At 6 tolerances, and 0.25 tolerances above its
// plane, the vertex is closer to the left plane (6 * 0.06 - 0.25 = 0.11). But two planes meet in a straight edge: 2
// faces, 7 edges, 6 vertices. In the second mesh the edge has two more vertices and three such triangles.
static void border_beside_slivers(void **state)
{
    (void)state;
    static const int one[] = {3, 2, 0, 1, 3, 2, 1, 3, 3, 0, 4, 6, 3, 4, 5, 6, 3, 5, 1, 6, 3, 0, 6, 1, 0};
    static const int three[] = {3, 2, 0, 7, 3, 2, 7, 8, 3, 2, 8, 1, 3, 2, 1, 3, 3, 0, 4, 6, 3,
                                4, 5, 6, 3, 5, 1, 6, 3, 0, 6, 7, 3, 7, 6, 8, 3, 8, 6, 1, 0};
    for (int i = 0; i < 6; ++i) {
        double planarity = i % 3 == 0 ? 1e-9 : i % 3 == 1 ? 1e-6 : 1e-4, tolerance = planarity * sqrt(5.0);
        double beside = (i < 3 ? 3.0 : 6.0) * tolerance, above = (i < 3 ? 0.0 : 0.25) * tolerance;
        abut_vec3 vertices[] = {{0, 0, 0},     {0, 1, 0},   {-1, 0, 0},  {-1, 1, 0}, {1, 0, -0.06},
                                {1, 1, -0.06}, {0, 0.4, 0}, {0, 0.3, 0}, {0, 0.6, 0}};
        vertices[6].x = beside;
        vertices[6].z = above - 0.06 * beside;
        char label[64];
        (void)snprintf(label, sizeof label, "planarity %g, %g beside", planarity, beside);
        example e = make_planar_example(solid_from_polygons(vertices, 7, one), planarity, label);
        check_counts(&e, 2, 7, 6, 2, label);
        free_example(&e);
        e = make_planar_example(solid_from_polygons(vertices, 9, three), planarity, label);
        check_counts(&e, 2, 7, 6, 2, label);
        free_example(&e);
    }
    CHECK_DONE();
}

// A strip of 0.6 x 10 in one plane, except that vertex 4 is 0.3 tolerances above it. The upper triangle, 0.6 wide
// and 0.9 high, is the one with the largest altitude; its plane is 0.3 * 10 / 0.9 = 3.3 tolerances off the strip at
// the lower end. But all vertices are within the tolerance of one plane: one face.
static void seed_that_is_small_for_its_face(void **state)
{
    (void)state;
    static const int triangles[] = {3, 4, 3, 1, 3, 4, 1, 2, 3, 4, 2, 3, 3, 5, 0, 1, 3, 5, 1, 3, 3, 5, 3, 0, 0};
    const double planarity = 1e-4, tolerance = planarity * sqrt(0.36 + 100.0);
    const abut_vec3 vertices[] = {{0, 0, 0},    {0.6, 0, 0}, {0.6, 10, 0}, {0, 10, 0}, {0.3, 9.1, 0.3 * tolerance},
                                  {0.2, 0.3, 0}};
    example e = make_planar_example(solid_from_polygons(vertices, 6, triangles), planarity, "strip");
    check_counts(&e, 1, 4, 4, 1, "strip");
    free_example(&e);
    CHECK_DONE();
}

// A square of side 1 whose middle is raised by 1e-7: four faces if the precision is double; one face if it is float
// or if the caller asks for that planarity.
static void planarity_is_a_distance(void **state)
{
    (void)state;
    static const abut_vec3 vertices[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 1e-7}};
    static const int triangles[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    for (int way = 0; way < 3; ++way) {
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = 5;
        def.face_vertices = triangles;
        def.face_count = 4;
        def.precision = way == 1 ? ABUT_PRECISION_FLOAT : ABUT_PRECISION_DOUBLE;
        abut_brep_params params = abut_brep_params_default();
        params.planarity = way == 2 ? 1e-6 : 0.0;
        abut_mesh *mesh;
        abut_brep *brep;
        assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
        assert_int_equal(abut_brep_create(NULL, mesh, &params, &brep, NULL), ABUT_OK);
        abut_brep_elements b = abut_brep_get_elements(brep);
        CHECK_INT(b.face_count, way == 0 ? 4 : 1, "faces");
        CHECK_NEAR(b.tolerance, (way == 0 ? 1e-9 : 1e-6) * sqrt(2.0), 1e-12, "tolerance");
        abut_brep_destroy(brep);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// Random triangles between the points of a small grid: coplanar, folded, crossing, non-manifold, without area. The
// B-rep is always consistent.
static void random_triangles(void **state)
{
    (void)state;
    test_random random = {31};
    for (int round = 0; round < 3000; ++round) {
        abut_vec3 vertices[12];
        int triangles[3 * 24], vertex_count = 4 + random_below(&random, 9), count = 1 + random_below(&random, 24);
        int height = random_below(&random, 3);
        for (int i = 0; i < vertex_count; ++i) {
            vertices[i] = abut_vec3_make(random_below(&random, 4), random_below(&random, 4),
                                         random_below(&random, 1 + height));
        }
        for (int i = 0; i < 3 * count; ++i) {
            triangles[i] = random_below(&random, vertex_count);
        }
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = vertex_count;
        def.face_vertices = triangles;
        def.face_count = count;
        abut_mesh *mesh;
        abut_brep *brep;
        assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
        assert_int_equal(abut_brep_create(NULL, mesh, NULL, &brep, NULL), ABUT_OK);
        CHECK_INT(brep_check_valid(mesh, brep, "random triangles"), 0, "random triangles");
        abut_brep_destroy(brep);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

static void wrong_arguments(void **state)
{
    (void)state;
    example e = make_example(solid_from_voxels("#", 1, 1, 1), "cube");
    abut_brep *brep = NULL;
    abut_error error = {0};
    const double wrong[] = {-1.0, NAN, INFINITY};
    for (int i = 0; i < 3; ++i) {
        abut_brep_params params = abut_brep_params_default();
        params.planarity = wrong[i];
        CHECK_STATUS(abut_brep_create(NULL, e.mesh, &params, &brep, &error), ABUT_BAD_ARGUMENT, "planarity");
        CHECK(brep == NULL && error.text[0] != 0, "error");
    }
    abut_brep_params params = {0};
    CHECK_STATUS(abut_brep_create(NULL, e.mesh, &params, &brep, NULL), ABUT_BAD_ARGUMENT, "struct size");
    CHECK_STATUS(abut_brep_create(NULL, NULL, NULL, &brep, NULL), ABUT_BAD_ARGUMENT, "no mesh");
    CHECK_STATUS(abut_brep_create(NULL, e.mesh, NULL, NULL, NULL), ABUT_BAD_ARGUMENT, "no result");
    abut_brep_destroy(NULL);
    free_example(&e);
    CHECK_DONE();
}

// Every allocation fails once. The result is ABUT_NO_MEMORY, and nothing leaks.
static void memory_runs_out(void **state)
{
    (void)state;
    example e = make_example(solid_from_voxels("###"
                                               "#.#"
                                               "###",
                                               3, 3, 1),
                             "ring");
    abut_status status = ABUT_NO_MEMORY;
    int fail_at = 1;
    for (; status != ABUT_OK && fail_at < 1000; ++fail_at) {
        failing_heap heap = {0, fail_at, 0};
        abut_context context = failing_context(&heap);
        abut_brep *brep = NULL;
        abut_error error;
        status = abut_brep_create(&context, e.mesh, NULL, &brep, &error);
        if (status == ABUT_OK) {
            CHECK(heap.calls < fail_at, "all allocations were tried");
            abut_brep_destroy(brep);
        } else {
            CHECK_STATUS(status, ABUT_NO_MEMORY, "failed allocation");
            CHECK_STATUS(error.status, ABUT_NO_MEMORY, "error");
        }
        CHECK_INT(heap.live, 0, "leaked blocks");
    }
    CHECK(fail_at > 20, "%d allocations", fail_at);
    free_example(&e);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube),
        cmocka_unit_test(l_shaped_solid),
        cmocka_unit_test(through_hole),
        cmocka_unit_test(pyramid_with_pit),
        cmocka_unit_test(prism_of_1000_sides),
        cmocka_unit_test(open_sheet),
        cmocka_unit_test(cubes_that_share_an_edge),
        cmocka_unit_test(loops_that_touch),
        cmocka_unit_test(triangles_that_do_not_fit),
        cmocka_unit_test(degenerate_meshes),
        cmocka_unit_test(sliver_in_an_edge),
        cmocka_unit_test(slivers_across_a_corner),
        cmocka_unit_test(border_beside_slivers),
        cmocka_unit_test(seed_that_is_small_for_its_face),
        cmocka_unit_test(planarity_is_a_distance),
        cmocka_unit_test(random_triangles),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
