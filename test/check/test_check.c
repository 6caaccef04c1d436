// SPDX-License-Identifier: MIT
// test_check.c: a faulty mesh for each kind of finding, with known counts and elements
#include "failing.h"
#include "sick.h"

#include <stdlib.h>

// Unused vertices do not increase the tolerance, however far away they are: a million sizes, or at the end of the
// range of doubles.
static void test_far_unused_vertices(void **state)
{
    sick *s = sick_start(state);
    sick_cube(s, 0.0, 1.0);
    (void)sick_vertex(s, 1e6, 0.0, 0.0);
    (void)sick_vertex(s, -1e29, 1e29, 0.0);
    (void)sick_vertex(s, 1e300, -1e300, 1.0);
    abut_check *check = check_sick(s);
    EXPECT(check, ABUT_FINDING_UNUSED_VERTEX, 3, 3, 8, 9, 10);
    EXPECT_ONLY(check, BIT(ABUT_FINDING_UNUSED_VERTEX));
    abut_check_destroy(check);
    // a face at the far vertex makes the diagonal large, but the median side keeps the tolerance small
    (void)sick_triangle(s, 0, 1, 8);
    check = check_sick(s);
    CHECK_NEAR(abut_check_get_report(check).tolerance, 1e-3, 1e-9, "a thousandth of a side");
    CHECK_INT(count_of(check, ABUT_FINDING_NEAR_VERTEX), 0, "nothing is welded");
    abut_check_destroy(check);
    CHECK_DONE();
}

// A cube has no findings. The tolerance is 1e-6 times its diagonal, sqrt(3).
static void test_sound(void **state)
{
    sick *s = sick_start(state);
    sick_cube(s, 0.0, 1.0);
    abut_check *check = check_sick(s);
    EXPECT_ONLY(check, 0);
    abut_check_report report = abut_check_get_report(check);
    CHECK_INT(report.verdict, ABUT_VERDICT_SOUND, "verdict");
    CHECK_NEAR(report.tolerance, 1e-6 * sqrt(3.0), 1e-18, "tolerance");
    abut_check_destroy(check);
    CHECK_DONE();
}

// Vertex 3 is NaN; vertex 8 is infinite and unused. Dropping the four triangles at vertex 3 leaves a hole.
static void test_not_finite(void **state)
{
    sick *s = sick_start(state);
    sick_cube(s, 0.0, 1.0);
    s->vertices[3].y = (double)NAN;
    (void)sick_vertex(s, HUGE_VAL, 0.0, 0.0);
    abut_check *check = check_sick(s);
    EXPECT(check, ABUT_FINDING_NOT_FINITE, 2, 2, 3, 8);
    EXPECT_ONLY(check, BIT(ABUT_FINDING_NOT_FINITE) | BIT(ABUT_FINDING_OPEN_EDGE));
    abut_check_destroy(check);
    CHECK_DONE();
}

// Indices -1, 8 (one too many) and INT_MAX in faces 2, 5 and 12. Point 1 and segment 2 have an index out of range;
// segment 1 and tetrahedron 0 have a vertex twice.
static void test_index(void **state)
{
    sick *s = sick_start(state);
    sick_cube(s, 0.0, 1.0);
    s->triangles[3 * 2] = -1;
    s->triangles[3 * 5 + 2] = 8;
    (void)sick_triangle(s, 0, 1, INT32_MAX);
    abut_mesh_def def = sick_def(s);
    const int points[2] = {7, 8}, segments[6] = {0, 1, 2, 2, 3, -5}, tets[8] = {0, 1, 2, 1, 0, 1, 2, 4};
    def.points = points;
    def.point_count = 2;
    def.segments = segments;
    def.segment_count = 3;
    def.tets = tets;
    def.tet_count = 2;
    abut_check *check = check_def(&def, -1.0);
    EXPECT(check, ABUT_FINDING_INDEX, 3, 3, 2, 5, 12);
    EXPECT(check, ABUT_FINDING_BROKEN_POINT, 1, 1, 1);
    EXPECT(check, ABUT_FINDING_BROKEN_SEGMENT, 2, 2, 1, 2);
    EXPECT(check, ABUT_FINDING_BROKEN_TET, 1, 1, 0);
    abut_check_destroy(check);
    CHECK_DONE();
}

// Vertex 8 is at the position of vertex 7 and replaces it in triangle 11, so two edges of that triangle and the two
// beside them are open. Vertex 9 is at the position of vertex 0 (with a minus zero) and is a point. Vertex 10 is
// there too, unused.
static void test_duplicate_vertices(void **state)
{
    sick *s = sick_start(state);
    sick_cube(s, 0.0, 1.0);
    (void)sick_vertex(s, 1.0, 1.0, 1.0);
    const int point = sick_vertex(s, -0.0, 0.0, 0.0);
    (void)sick_vertex(s, 0.0, 0.0, 0.0);
    s->triangles[3 * 11 + 1] = 8; // 4 7 6 becomes 4 8 6
    abut_mesh_def def = sick_def(s);
    def.points = &point;
    def.point_count = 1;
    abut_check *check = check_def(&def, -1.0);
    EXPECT(check, ABUT_FINDING_DUPLICATE_VERTEX, 2, 2, 8, 7, 9, 0);
    EXPECT(check, ABUT_FINDING_UNUSED_VERTEX, 1, 1, 10);
    EXPECT(check, ABUT_FINDING_OPEN_EDGE, 4, 4, 4, 7, 4, 8, 6, 7, 6, 8);
    EXPECT_ONLY(check,
                BIT(ABUT_FINDING_DUPLICATE_VERTEX) | BIT(ABUT_FINDING_UNUSED_VERTEX) | BIT(ABUT_FINDING_OPEN_EDGE));
    // welding closes the open edges
    CHECK_INT(abut_check_get_report(check).verdict, ABUT_VERDICT_REPAIRABLE, "verdict");
    abut_check_destroy(check);
    CHECK_DONE();
}

// Vertex 8 is 1e-7 from vertex 7: within the default tolerance of 1.7e-6, but not within 1e-8 or 0. In a chain of
// vertices 0.6 tolerances apart, the first is kept, the second is welded to it, and the third is too far from the
// first and is kept.
static void test_near_vertices(void **state)
{
    sick *s = sick_start(state);
    sick_cube(s, 0.0, 1.0);
    (void)sick_vertex(s, 1.0 + 1e-7, 1.0, 1.0);
    s->triangles[3 * 11 + 1] = 8;
    abut_mesh_def def = sick_def(s);
    abut_check *check = check_def(&def, -1.0);
    EXPECT(check, ABUT_FINDING_NEAR_VERTEX, 1, 1, 8, 7);
    abut_check_destroy(check);
    const double small[2] = {1e-8, 0.0};
    for (int i = 0; i < 2; ++i) {
        check = check_def(&def, small[i]);
        CHECK_INT(count_of(check, ABUT_FINDING_NEAR_VERTEX), 0, "small tolerance");
        CHECK_NEAR(abut_check_get_report(check).tolerance, small[i], 0.0, "tolerance");
        abut_check_destroy(check);
    }
    int points[5];
    for (int i = 0; i < 5; ++i) {
        points[i] = sick_vertex(s, 5.0 + 0.06 * i, 0.0, 0.0);
    }
    def = sick_def(s);
    def.points = points;
    def.point_count = 5;
    check = check_def(&def, 0.1);
    EXPECT(check, ABUT_FINDING_NEAR_VERTEX, 3, 3, 8, 7, 10, 9, 12, 11);
    abut_check_destroy(check);
    CHECK_DONE();
}

// Face 12 has a vertex twice. Face 13 has three vertices on the x axis. Face 14 equals face 0; face 15 is face 0
// reversed. Face 16 is a sliver on new vertices, 0.001 high and 1 long; face 17 has a height of 0.02.
static void test_bad_faces(void **state)
{
    sick *s = sick_start(state);
    sick_cube(s, 0.0, 1.0);
    int a = sick_vertex(s, 2.1, 0.0, 0.0), b = sick_vertex(s, 2.2, 0.0, 0.0), c = sick_vertex(s, 2.9, 0.0, 0.0);
    int d = sick_vertex(s, 2.0, 5.0, 0.0), e = sick_vertex(s, 3.0, 5.0, 0.0), f = sick_vertex(s, 2.5, 5.001, 0.0);
    int g = sick_vertex(s, 2.5, 4.98, 0.0);
    (void)sick_triangle(s, 1, 2, 1);
    (void)sick_triangle(s, a, b, c);
    (void)sick_triangle(s, 6, 0, 4);
    (void)sick_triangle(s, 6, 4, 0);
    (void)sick_triangle(s, d, e, f);
    (void)sick_triangle(s, e, d, g);
    abut_check *check = check_sick(s);
    EXPECT(check, ABUT_FINDING_DEGENERATE_FACE, 2, 2, 12, 13);
    EXPECT(check, ABUT_FINDING_DUPLICATE_FACE, 2, 2, 14, 0, 15, 0);
    EXPECT(check, ABUT_FINDING_SLIVER, 1, 1, 16);
    CHECK_INT(count_of(check, ABUT_FINDING_NON_MANIFOLD_EDGE), 3, "edges of face 0");
    CHECK_INT(find_kind(check, ABUT_FINDING_NON_MANIFOLD_EDGE)->effect, ABUT_REPAIR_ALL,
              "goes with the duplicates");
    abut_check_destroy(check);
    CHECK_DONE();
}

// Polygons: a square, a bow tie that crosses itself, one with two vertices, one with a vertex twice.
static void test_polygons(void **state)
{
    sick *s = sick_start(state);
    for (int i = 0; i < 12; ++i) {
        static const double x[4] = {0.0, 1.0, 1.0, 0.0}, y[4] = {0.0, 0.0, 1.0, 1.0};
        (void)sick_vertex(s, x[i % 4] + 3.0 * (i / 4), y[i % 4], 0.0);
    }
    static const int offsets[] = {0, 4, 8, 10, 14}, corners[] = {0, 1, 2, 3, 4, 6, 5, 7, 8, 9, 8, 9, 10, 9};
    abut_mesh_def def = sick_def(s);
    def.face_offsets = offsets;
    def.face_vertices = corners;
    def.face_count = 4;
    abut_check *check = check_def(&def, -1.0);
    EXPECT(check, ABUT_FINDING_IRREGULAR_FACE, 1, 1, 1);
    EXPECT(check, ABUT_FINDING_DEGENERATE_FACE, 2, 2, 2, 3);
    EXPECT(check, ABUT_FINDING_UNUSED_VERTEX, 1, 1, 11);
    abut_check_destroy(check);
    CHECK_DONE();
}

// In a cube without triangle 3 (1 7 5), the three edges of that triangle are open. Three triangles at the edge 0-1
// make it non-manifold. Two tetrahedra tip to tip have a non-manifold vertex; they are one part but two shells.
static void test_edges(void **state)
{
    sick *s = sick_start(state);
    sick_cube(s, 0.0, 1.0);
    memmove(s->triangles + 9, s->triangles + 12, 24 * sizeof(int));
    --s->triangle_count;
    abut_check *check = check_sick(s);
    EXPECT(check, ABUT_FINDING_OPEN_EDGE, 3, 3, 1, 5, 1, 7, 5, 7);
    EXPECT_ONLY(check, BIT(ABUT_FINDING_OPEN_EDGE));
    CHECK_INT(abut_check_get_report(check).verdict, ABUT_VERDICT_FAULTY, "no hole is filled");
    abut_check_destroy(check);

    s = sick_start(state);
    static const double fan[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}};
    for (int i = 0; i < 5; ++i) {
        (void)sick_vertex(s, fan[i][0], fan[i][1], fan[i][2]);
    }
    (void)sick_triangle(s, 0, 1, 2);
    (void)sick_triangle(s, 1, 0, 3);
    (void)sick_triangle(s, 0, 1, 4);
    check = check_sick(s);
    EXPECT(check, ABUT_FINDING_NON_MANIFOLD_EDGE, 1, 1, 0, 1);
    EXPECT(check, ABUT_FINDING_OPEN_EDGE, 6, 2, 0, 2, 0, 3);
    EXPECT_ONLY(check, BIT(ABUT_FINDING_OPEN_EDGE) | BIT(ABUT_FINDING_NON_MANIFOLD_EDGE));
    abut_check_destroy(check);

    s = sick_start(state);
    static const double tips[7][3] = {{0, 0, 0},  {1, 0, 1},    {0, 1, 1}, {-1, -1, 1},
                                      {1, 0, -1}, {-1, -1, -1}, {0, 1, -1}};
    for (int i = 0; i < 7; ++i) {
        (void)sick_vertex(s, tips[i][0], tips[i][1], tips[i][2]);
    }
    for (int i = 0; i < 2; ++i) {
        int a = 3 * i + 1, b = a + 1, c = a + 2;
        (void)sick_triangle(s, a, b, c);
        (void)sick_triangle(s, 0, b, a);
        (void)sick_triangle(s, 0, c, b);
        (void)sick_triangle(s, 0, a, c);
    }
    check = check_sick(s);
    EXPECT(check, ABUT_FINDING_NON_MANIFOLD_VERTEX, 1, 1, 0);
    EXPECT_ONLY(check, BIT(ABUT_FINDING_NON_MANIFOLD_VERTEX));
    abut_check_destroy(check);
    CHECK_DONE();
}

// Triangles 4 and 9 are reversed. Then all triangles except those two are reversed: the same two are reported, and
// the cube is inside out.
static void test_orientation(void **state)
{
    sick *s = sick_start(state);
    sick_cube(s, 0.0, 1.0);
    sick_turn(s, 4);
    sick_turn(s, 9);
    abut_check *check = check_sick(s);
    EXPECT(check, ABUT_FINDING_FLIPPED_FACE, 2, 2, 4, 9);
    EXPECT_ONLY(check, BIT(ABUT_FINDING_FLIPPED_FACE));
    CHECK_INT(abut_check_get_report(check).verdict, ABUT_VERDICT_REPAIRABLE, "verdict");
    abut_check_destroy(check);
    for (int i = 0; i < 12; ++i) {
        sick_turn(s, i);
    }
    check = check_sick(s);
    EXPECT(check, ABUT_FINDING_FLIPPED_FACE, 2, 2, 4, 9);
    EXPECT(check, ABUT_FINDING_INSIDE_OUT_PART, 1, 1, 0);
    EXPECT_ONLY(check, BIT(ABUT_FINDING_FLIPPED_FACE) | BIT(ABUT_FINDING_INSIDE_OUT_PART));
    abut_check_destroy(check);
    CHECK_DONE();
}

// A Moebius strip of six quads: the last is joined to the first upside down.
static void test_one_sided(void **state)
{
    sick *s = sick_start(state);
    for (int i = 0; i < 6; ++i) {
        double u = 6.283185307179586 * i / 6.0, h = 0.5 * u;
        for (int k = 0; k < 2; ++k) {
            double r = 3.0 + (k == 0 ? -0.5 : 0.5) * cos(h), z = (k == 0 ? -0.5 : 0.5) * sin(h);
            (void)sick_vertex(s, r * cos(u), r * sin(u), z);
        }
    }
    for (int i = 0; i < 6; ++i) {
        int a = 2 * i, b = 2 * i + 1, c = i < 5 ? a + 3 : 0, d = i < 5 ? a + 2 : 1;
        (void)sick_triangle(s, a, b, c);
        (void)sick_triangle(s, a, c, d);
    }
    abut_check *check = check_sick(s);
    EXPECT(check, ABUT_FINDING_ONE_SIDED_PART, 1, 1, 0);
    EXPECT_ONLY(check, BIT(ABUT_FINDING_ONE_SIDED_PART) | BIT(ABUT_FINDING_OPEN_EDGE));
    abut_check_destroy(check);
    CHECK_DONE();
}

// Nested cubes from 0 to 9, 1 to 8 and 2 to 7, and one beside them. If they point outward, inward, outward, nothing
// is inside out. If all point outward, the second one is, because it is the wall of a cavity. Parts are named by
// their first faces.
static void test_nested(void **state)
{
    sick *s = sick_start(state);
    for (int i = 0; i < 3; ++i) {
        sick_cube(s, i, 9.0 - i);
    }
    sick_box(s, abut_vec3_make(20.0, 0.0, 0.0), abut_vec3_make(29.0, 9.0, 9.0));
    abut_check *check = check_sick(s);
    EXPECT(check, ABUT_FINDING_SEVERAL_PARTS, 4, 4, 0, 12, 24, 36);
    EXPECT(check, ABUT_FINDING_NESTED_PART, 2, 2, 12, 0, 24, 12);
    EXPECT(check, ABUT_FINDING_INSIDE_OUT_PART, 1, 1, 12);
    EXPECT_ONLY(check, BIT(ABUT_FINDING_SEVERAL_PARTS) | BIT(ABUT_FINDING_NESTED_PART) |
                           BIT(ABUT_FINDING_INSIDE_OUT_PART));
    abut_check_destroy(check);
    for (int i = 12; i < 24; ++i) {
        sick_turn(s, i);
    }
    // an open sheet between the cubes does not stop the rays
    int a = sick_vertex(s, -50.0, -50.0, 8.5), b = sick_vertex(s, 5.0, -50.0, 8.5),
        c = sick_vertex(s, 0.5, 50.0, 50.0);
    (void)sick_triangle(s, a, b, c);
    check = check_sick(s);
    EXPECT(check, ABUT_FINDING_NESTED_PART, 2, 2, 12, 0, 24, 12);
    CHECK_INT(count_of(check, ABUT_FINDING_INSIDE_OUT_PART), 0, "a cavity looks inward");
    abut_check_destroy(check);
    CHECK_DONE();
}

// These intersect: two triangles that pass through each other, two that share a vertex and cross, two that share an
// edge and overlap. These do not: coplanar neighbours at an edge and at a vertex, and a fold of a few degrees.
static void test_self_intersection(void **state)
{
    sick *s = sick_start(state);
    static const double places[][3] = {
        {0, 0, 0},  {2, 0, 0},  {0, 2, 0},  {0.5, 0.5, -1}, {0.5, 0.5, 1}, {3, 3, 0.2}, // 0-5: 0 and 1
        {10, 0, 0}, {12, 0, 0}, {10, 2, 0}, {12, 1, -1},    {12, 1, 1},                 // 6-10: 2 and 3
        {20, 0, 0}, {22, 0, 0}, {20, 2, 0}, {22, 3, 0},                                 // 11-14: 4 and 5
        {30, 0, 0}, {32, 0, 0}, {30, 2, 0}, {32, -2, 0},    {28, 1, 0},    {28, -1, 0}, // 15-20: 6, 7, 8
        {40, 0, 0}, {42, 0, 0}, {41, 2, 0}, {41, 2, 0.1}};                              // 21-24: 9 and 10
    for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
        (void)sick_vertex(s, places[i][0], places[i][1], places[i][2]);
    }
    static const int triangles[][3] = {{0, 1, 2},    {3, 4, 5},    {6, 7, 8},    {6, 9, 10},
                                       {11, 12, 13}, {11, 12, 14}, {15, 16, 17}, {16, 15, 18},
                                       {15, 19, 20}, {21, 22, 23}, {22, 21, 24}};
    for (size_t i = 0; i < sizeof triangles / sizeof triangles[0]; ++i) {
        (void)sick_triangle(s, triangles[i][0], triangles[i][1], triangles[i][2]);
    }
    abut_check *check = check_sick(s);
    EXPECT(check, ABUT_FINDING_SELF_INTERSECTION, 3, 3, 0, 1, 2, 3, 4, 5);
    CHECK_INT(find_kind(check, ABUT_FINDING_SELF_INTERSECTION)->is_complete, 1, "all were looked at");
    abut_check_destroy(check);
    CHECK_DONE();
}

// Two squares side by side. The right one has vertex 6 at the middle of the common side, the left one does not. The
// vertex is on the edge 1-2 of triangle 0. Nothing intersects, although triangles 2 to 4 touch that edge. Without a
// repair, the squares are connected only at vertices 1 and 2.
static void test_t_junction(void **state)
{
    sick *s = sick_start(state);
    static const double places[7][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 0}, {2, 1}, {1, 0.5}};
    for (int i = 0; i < 7; ++i) {
        (void)sick_vertex(s, places[i][0], places[i][1], 0.1 * places[i][0]);
    }
    (void)sick_triangle(s, 0, 1, 2);
    (void)sick_triangle(s, 0, 2, 3);
    (void)sick_triangle(s, 1, 4, 6);
    (void)sick_triangle(s, 6, 4, 5);
    (void)sick_triangle(s, 6, 5, 2);
    abut_check *check = check_sick(s);
    EXPECT(check, ABUT_FINDING_T_JUNCTION, 1, 1, 6, 1, 2);
    EXPECT(check, ABUT_FINDING_OPEN_EDGE, 9, 1, 0, 1);
    EXPECT(check, ABUT_FINDING_NON_MANIFOLD_VERTEX, 2, 2, 1, 2);
    EXPECT_ONLY(check,
                BIT(ABUT_FINDING_T_JUNCTION) | BIT(ABUT_FINDING_OPEN_EDGE) | BIT(ABUT_FINDING_NON_MANIFOLD_VERTEX));
    abut_check_destroy(check);
    // half a tolerance off the edge it is still a T-junction, two tolerances off it is not
    abut_mesh_def def = sick_def(s);
    s->vertices[6].x = 1.0005;
    check = check_def(&def, 0.001);
    CHECK_INT(count_of(check, ABUT_FINDING_T_JUNCTION), 1, "half a tolerance");
    abut_check_destroy(check);
    s->vertices[6].x = 1.002;
    check = check_def(&def, 0.001);
    CHECK_INT(count_of(check, ABUT_FINDING_T_JUNCTION), 0, "two tolerances");
    abut_check_destroy(check);
    CHECK_DONE();
}

// Eleven triangles of side 1, one of side 20 and one of side 0.05.
static void test_uneven(void **state)
{
    sick *s = sick_start(state);
    for (int i = 0; i < 13; ++i) {
        double side = i == 4 ? 20.0 : i == 7 ? 0.05 : 1.0, x = 50.0 * i;
        int a = sick_vertex(s, x, 0.0, 0.0), b = sick_vertex(s, x + side, 0.0, 0.0),
            c = sick_vertex(s, x, side, 0.0);
        (void)sick_triangle(s, a, b, c);
    }
    abut_check *check = check_sick(s);
    EXPECT(check, ABUT_FINDING_UNEVEN_SIZE, 2, 2, 4, 7);
    EXPECT(check, ABUT_FINDING_SEVERAL_PARTS, 13, 10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    abut_check_destroy(check);
    CHECK_DONE();
}

// The same faulty mesh at scales from 1e-200 to 1e200, and far away, has the same findings.
static void test_scales(void **state)
{
    static const double scales[] = {1.0, 1e-200, 1e-40, 1e-3, 1e3, 1e40, 1e200, 1e307};
    for (size_t i = 0; i < sizeof scales / sizeof scales[0]; ++i) {
        sick *s = sick_start(state);
        sick_cube(s, 0.0, 1.0);
        sick_cube(s, 0.25, 0.5);
        sick_box(s, abut_vec3_make(0.9, 0.9, 0.9), abut_vec3_make(1.1, 1.2, 1.3));
        sick_turn(s, 3);
        const int point = sick_vertex(s, 1.0 + 1e-7, 1.0, 1.0);
        for (int k = 0; k < s->vertex_count; ++k) {
            s->vertices[k] = abut_scale(scales[i], s->vertices[k]);
        }
        abut_mesh_def def = sick_def(s);
        def.points = &point;
        def.point_count = 1;
        abut_check *check = check_def(&def, -1.0);
        EXPECT(check, ABUT_FINDING_NEAR_VERTEX, 1, 1, 24, 7);
        EXPECT(check, ABUT_FINDING_FLIPPED_FACE, 1, 1, 3);
        EXPECT(check, ABUT_FINDING_NESTED_PART, 1, 1, 12, 0);
        CHECK(count_of(check, ABUT_FINDING_SELF_INTERSECTION) == 15, "scale %g: %lld", scales[i],
              count_of(check, ABUT_FINDING_SELF_INTERSECTION));
        abut_check_destroy(check);
    }
    CHECK_DONE();
}

// An empty mesh or vertices alone: a repair leaves nothing, which is a fault. Tetrahedra alone: no findings.
static void test_few_elements(void **state)
{
    sick *s = sick_start(state);
    abut_check *check = check_sick(s);
    EXPECT_ONLY(check, BIT(ABUT_FINDING_NO_ELEMENTS));
    CHECK_INT(count_of(check, ABUT_FINDING_NO_ELEMENTS), 1, "nothing");
    abut_check_destroy(check);
    (void)sick_vertex(s, 0.0, 0.0, 0.0);
    check = check_sick(s);
    EXPECT(check, ABUT_FINDING_UNUSED_VERTEX, 1, 1, 0);
    EXPECT_ONLY(check, BIT(ABUT_FINDING_UNUSED_VERTEX) | BIT(ABUT_FINDING_NO_ELEMENTS));
    CHECK_INT(abut_check_get_report(check).verdict, ABUT_VERDICT_FAULTY, "nothing is left after a repair");
    abut_check_destroy(check);
    (void)sick_vertex(s, 1.0, 0.0, 0.0);
    (void)sick_vertex(s, 0.0, 1.0, 0.0);
    (void)sick_vertex(s, 0.0, 0.0, 1.0);
    static const int tet[4] = {0, 1, 2, 3};
    abut_mesh_def def = sick_def(s);
    def.tets = tet;
    def.tet_count = 1;
    check = check_def(&def, -1.0);
    EXPECT_ONLY(check, 0);
    abut_check_destroy(check);
    CHECK_DONE();
}

static void test_bad_arguments(void **state)
{
    sick *s = sick_start(state);
    sick_cube(s, 0.0, 1.0);
    abut_mesh_def def = sick_def(s);
    abut_check *check = NULL;
    abut_error error;
    abut_check_params params = abut_check_params_default();
    params.tolerance = (double)NAN;
    CHECK_STATUS(abut_check_create(NULL, &def, &params, &check, &error), ABUT_BAD_ARGUMENT, "NaN tolerance");
    params = abut_check_params_default();
    params.element_limit = -1;
    CHECK_STATUS(abut_check_create(NULL, &def, &params, &check, &error), ABUT_BAD_ARGUMENT, "negative limit");
    CHECK_STATUS(abut_check_create(NULL, NULL, NULL, &check, &error), ABUT_BAD_ARGUMENT, "no definition");
    CHECK_STATUS(abut_check_create(NULL, &def, NULL, NULL, &error), ABUT_BAD_ARGUMENT, "no result");
    static const int offsets[] = {0, 6, 3};
    def.face_offsets = offsets;
    def.face_count = 2;
    CHECK_STATUS(abut_check_create(NULL, &def, NULL, &check, &error), ABUT_BAD_DATA, "offsets descend");
    CHECK(check == NULL, "no check");
    CHECK_DONE();
}

// Every allocation fails once. The result is ABUT_NO_MEMORY, and nothing leaks.
static void test_no_memory(void **state)
{
    sick *s = sick_start(state);
    sick_cube(s, 0.0, 1.0);
    sick_cube(s, 0.25, 0.5);
    (void)sick_vertex(s, 1.0, 1.0, 1.0);
    (void)sick_triangle(s, 0, 16, 3);
    abut_mesh_def def = sick_def(s);
    for (int fail_at = 1;; ++fail_at) {
        failing_heap heap = {.fail_at = fail_at};
        abut_context context = failing_context(&heap);
        abut_check *check = NULL;
        abut_error error = {.text = ""};
        abut_status status = abut_check_create(&context, &def, NULL, &check, &error);
        abut_check_destroy(check);
        CHECK_INT(heap.live, 0, "blocks left");
        if (status == ABUT_OK) {
            CHECK(fail_at > 20, "%d allocations were tried", fail_at);
            break;
        }
        CHECK_STATUS(status, ABUT_NO_MEMORY, error.text);
        CHECK(error.text[0] != '\0', "a message");
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),
        cmocka_unit_test(test_far_unused_vertices),
        cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_index),
        cmocka_unit_test(test_duplicate_vertices),
        cmocka_unit_test(test_near_vertices),
        cmocka_unit_test(test_bad_faces),
        cmocka_unit_test(test_polygons),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_orientation),
        cmocka_unit_test(test_one_sided),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_self_intersection),
        cmocka_unit_test(test_t_junction),
        cmocka_unit_test(test_uneven),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_few_elements),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, sick_setup, sick_teardown);
}
