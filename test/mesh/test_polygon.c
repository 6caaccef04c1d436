// SPDX-License-Identifier: MIT
// test_polygon.c: polygons are cut into triangles that cover them exactly once
#include "check.h"
#include "effort.h"
#include "random.h"

#include <abut/mesh.h>
#include <abut/predicates.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_COUNT = 400 };

// Lifts a point to one of three planes of integer points, (x, y) -> (x, y, 2x - 3y + 1) with permuted axes, so that
// points that are collinear in 2D are exactly collinear in 3D.
static abut_vec3 lift(abut_vec2 p, int plane)
{
    double z = 2.0 * p.x - 3.0 * p.y + 1.0;
    return plane == 0   ? abut_vec3_make(p.x, p.y, z)
           : plane == 1 ? abut_vec3_make(z, p.x, p.y)
                        : abut_vec3_make(p.y, z, p.x);
}

static abut_mesh *make_polygon(const abut_vec2 *points, int count, int plane)
{
    static abut_vec3 vertices[MAX_COUNT];
    static int face[MAX_COUNT];
    for (int i = 0; i < count; ++i) {
        vertices[i] = lift(points[i], plane);
        face[i] = i;
    }
    const int offsets[2] = {0, count};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = count;
    def.face_offsets = offsets;
    def.face_vertices = face;
    def.face_count = 1;
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

static int turn(const abut_vec2 *points, int a, int b, int c)
{
    int sign;
    assert_int_equal(abut_orient2d(points[a], points[b], points[c], &sign), ABUT_OK);
    return sign;
}

// There are count - 2 triangles with the orientation of the polygon. Each side of the polygon appears once, and each
// diagonal twice, in opposite directions. So the triangles form a disk without folds whose boundary is the polygon,
// and cover it exactly once.
static void check_cut(const abut_vec2 *points, int count, int expected_turn, const char *label)
{
    for (int plane = 0; plane < 3; ++plane) {
        abut_mesh *mesh = make_polygon(points, count, plane);
        abut_mesh_elements e = abut_mesh_get_elements(mesh);
        abut_mesh_topology t = abut_mesh_get_topology(mesh);
        abut_mesh_info info = abut_mesh_get_info(mesh);
        CHECK_INT(info.irregular_polygon_count, 0, label);
        CHECK_INT(e.triangle_count, count - 2, label);
        CHECK_INT(t.edge_count, 2 * count - 3, label);
        CHECK_INT(info.boundary_edge_count, count, label);
        CHECK_INT(info.is_oriented, 1, label);
        for (int i = 0; i < e.triangle_count; ++i) {
            CHECK_INT(turn(points, e.triangles[3 * i], e.triangles[3 * i + 1], e.triangles[3 * i + 2]),
                      expected_turn, label);
            CHECK_INT(e.triangle_faces[i], 0, label);
        }
        for (int i = 0; i < count; ++i) {
            int edge = abut_mesh_find_edge(mesh, i, (i + 1) % count);
            CHECK(edge >= 0 && t.edge_triangle_offsets[edge + 1] - t.edge_triangle_offsets[edge] == 1,
                  "%s: side %d", label, i);
        }
        abut_mesh_destroy(mesh);
    }
}

static void reverse(abut_vec2 *points, int count)
{
    for (int i = 0; i < count / 2; ++i) {
        abut_vec2 swapped = points[i];
        points[i] = points[count - 1 - i];
        points[count - 1 - i] = swapped;
    }
}

// Checks the polygon and its mirror image, starting at every seventh corner.
static void check_all_ways(abut_vec2 *points, int count, const char *label)
{
    for (int start = 0; start < count; start += 7) {
        abut_vec2 rotated[MAX_COUNT];
        for (int i = 0; i < count; ++i) {
            rotated[i] = points[(i + start) % count];
        }
        check_cut(rotated, count, 1, label);
        reverse(rotated, count);
        check_cut(rotated, count, -1, label);
    }
}

static int compare_angles(const void *a, const void *b)
{
    const abut_vec2 *p = a, *q = b;
    double d = atan2(p->y, p->x) - atan2(q->y, q->x);
    return (d > 0.0) - (d < 0.0);
}

// A star, often very concave: corners sorted by angle about the origin, no two at the same angle, without a gap of
// half a turn. Then points are added on the sides; they are exactly collinear because all coordinates are multiples
// of four.
static int make_star(test_random *random, abut_vec2 *points)
{
    for (;;) {
        int count = 4 + random_below(random, 40), is_star = 1;
        for (int i = 0; i < count; ++i) {
            points[i] =
                abut_vec2_make(4 * (random_below(random, 201) - 100), 4 * (random_below(random, 201) - 100));
        }
        qsort(points, (size_t)count, sizeof points[0], compare_angles);
        for (int i = 0; i < count; ++i) {
            abut_vec2 p = points[i], q = points[(i + 1) % count];
            is_star &= p.x * q.y - p.y * q.x > 0.0;
        }
        if (is_star) {
            return count;
        }
    }
}

static int add_points_on_sides(test_random *random, const abut_vec2 *from, int count, abut_vec2 *to)
{
    int made = 0;
    for (int i = 0; i < count; ++i) {
        abut_vec2 p = from[i], q = from[(i + 1) % count];
        to[made++] = p;
        for (int k = 1; k < 4; ++k) {
            if (random_below(random, 3) == 0) {
                to[made++] = abut_vec2_make(p.x + (q.x - p.x) / 4 * k, p.y + (q.y - p.y) / 4 * k);
            }
        }
    }
    return made;
}

static void stars_with_points_in_line(void **state)
{
    (void)state;
    test_random random = {11};
    for (int round = 0; round < 60; ++round) {
        abut_vec2 star[MAX_COUNT], points[MAX_COUNT];
        int count = make_star(&random, star);
        check_all_ways(star, count, "star");
        count = add_points_on_sides(&random, star, count, points);
        check_all_ways(points, count, "star with points on its sides");
    }
    CHECK_DONE();
}

// Corner i of a square spiral that begins `size` from its centre and comes 8 closer in each turn.
static abut_vec2 spiral_corner(int i, double size)
{
    double r = size - 8.0 * (i / 4), next = i % 4 == 3 ? r - 8.0 : r;
    return abut_vec2_make(i % 4 == 1 || i % 4 == 2 ? r : -r, i % 4 >= 2 ? next : -r);
}

// A square spiral of corridors, a comb, and a square with a dense row of points on one side.
static void long_and_narrow(void **state)
{
    (void)state;
    test_random random = {12};
    abut_vec2 points[MAX_COUNT], more[MAX_COUNT];
    // along the left wall of a corridor that spirals inward by 8 per turn, and back along the right wall, 4 further
    // in
    enum { TURNS = 12 };
    int count = 0;
    for (int i = 0; i < 4 * TURNS; ++i) {
        points[count++] = spiral_corner(i, 400.0);
    }
    for (int i = 4 * TURNS - 1; i >= 0; --i) {
        points[count++] = spiral_corner(i, 396.0);
    }
    check_all_ways(points, count, "spiral");
    count = add_points_on_sides(&random, points, count, more);
    check_all_ways(more, count, "spiral with points on its sides");
    count = 0;
    for (int i = 0; i < 30; ++i) {
        points[count++] = abut_vec2_make(8 * i, i % 2 == 0 ? 0 : 396);
    }
    points[count++] = abut_vec2_make(8 * 30, 400);
    points[count++] = abut_vec2_make(-8, 400);
    check_all_ways(points, count, "comb");
    count = add_points_on_sides(&random, points, count, more);
    check_all_ways(more, count, "comb with points on its sides");
    count = 0;
    for (int i = 0; i < 300; ++i) {
        points[count++] = abut_vec2_make(i, 0);
    }
    points[count++] = abut_vec2_make(299, 100);
    points[count++] = abut_vec2_make(0, 100);
    check_all_ways(points, count, "row");
    CHECK_DONE();
}

static double cross(abut_vec2 a, abut_vec2 b, abut_vec2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Whether p is on the segment from a to b; exact for small integers.
static int is_on(abut_vec2 a, abut_vec2 b, abut_vec2 p)
{
    return cross(a, b, p) == 0.0 && (p.x - a.x) * (p.x - b.x) + (p.y - a.y) * (p.y - b.y) <= 0.0;
}

// Tests all pairs of sides: adjacent sides must not fold back, others must not meet.
static int is_simple(const abut_vec2 *p, int count)
{
    for (int i = 0; i < count; ++i) {
        abut_vec2 a = p[i], b = p[(i + 1) % count], next = p[(i + 2) % count];
        if (is_on(a, b, next) || is_on(b, next, a)) {
            return 0;
        }
        for (int k = i + 2; k < count - (i == 0); ++k) {
            abut_vec2 c = p[k], d = p[(k + 1) % count];
            int is_crossed = cross(a, b, c) * cross(a, b, d) < 0.0 && cross(c, d, a) * cross(c, d, b) < 0.0;
            if (is_crossed || is_on(a, b, c) || is_on(a, b, d) || is_on(c, d, a) || is_on(c, d, b)) {
                return 0;
            }
        }
    }
    return 1;
}

// Random corners on a small grid: sides often cross, touch, overlap, are vertical or run through corners. A polygon
// is irregular if and only if the test of all pairs of sides says so; otherwise it is cut.
static void random_polygons_are_judged_as_by_all_pairs(void **state)
{
    (void)state;
    test_random random = {13};
    int simple_count = 0;
    for (int round = 0; round < 60000; ++round) {
        abut_vec2 points[MAX_COUNT];
        int count = 4 + random_below(&random, 6), extent = 3 + random_below(&random, 6);
        for (int i = 0; i < count; ++i) {
            points[i] = abut_vec2_make(random_below(&random, extent), random_below(&random, extent));
        }
        int expected = is_simple(points, count);
        abut_mesh *mesh = make_polygon(points, count, round % 3);
        CHECK_INT(abut_mesh_get_info(mesh).irregular_polygon_count, !expected, "irregular");
        abut_mesh_destroy(mesh);
        if (expected && simple_count++ % 16 == 0) {
            double area = 0.0;
            for (int i = 0; i < count; ++i) {
                area += cross(points[0], points[i], points[(i + 1) % count]);
            }
            check_cut(points, count, area > 0.0 ? 1 : -1, "random");
        }
    }
    CHECK(simple_count > 1000, "simple ones are among them: %d", simple_count);
    CHECK_DONE();
}

// A comb, rotated so that no side is parallel to an axis, or a spiral.
static void make_large(abut_vec3 *vertices, int count, int is_spiral, double z)
{
    for (int i = 0; i < count; ++i) {
        abut_vec2 p = abut_vec2_make(8.0 * i, i % 2 == 0 ? 0.0 : 396e3);
        if (is_spiral) {
            p = i < count / 2 ? spiral_corner(i, 80e3) : spiral_corner(count - 1 - i, 79996.0);
        } else if (i >= count - 2) {
            p = abut_vec2_make(i == count - 2 ? 8.0 * count : -8.0, 400e3);
        }
        vertices[i] = abut_vec3_make(0.75 * p.x - 0.5 * p.y, 0.5 * p.x + 0.75 * p.y, z);
    }
}

// 20 polygons (200 in the long run) of 9,998 corners. In quadratic time each would take a second. The limit is
// twenty times the usual time, so that slow machines and sanitizers pass.
static void many_large_polygons_take_no_time(void **state)
{
    (void)state;
    enum { COUNT = 9998 };
    int face_count = sample_count(20, 200);
    abut_vec3 *vertices = malloc((size_t)face_count * COUNT * sizeof *vertices);
    int *corners = malloc((size_t)face_count * COUNT * sizeof *corners);
    int *offsets = malloc((size_t)(face_count + 1) * sizeof *offsets);
    for (int i = 0; i <= face_count; ++i) {
        offsets[i] = i * COUNT;
    }
    for (int i = 0; i < face_count; ++i) {
        make_large(vertices + offsets[i], COUNT, i % 2, i);
    }
    for (int i = 0; i < face_count * COUNT; ++i) {
        corners[i] = i;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = face_count * COUNT;
    def.face_offsets = offsets;
    def.face_vertices = corners;
    def.face_count = face_count;
    abut_mesh *mesh;
    clock_t start = clock();
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    CHECK(seconds < 0.4 * face_count, "%d polygons took %g s", face_count, seconds);
    CHECK_INT(abut_mesh_get_info(mesh).irregular_polygon_count, 0, "regular");
    CHECK_INT(abut_mesh_get_info(mesh).boundary_edge_count, face_count * COUNT, "each side once");
    abut_mesh_destroy(mesh);
    free(offsets);
    free(corners);
    free(vertices);
    CHECK_DONE();
}

// Polygons that cross or touch themselves or have no area are counted and cut as a fan about their first vertex.
static void irregular_polygons(void **state)
{
    (void)state;
    static const struct {
        const char *label;
        int count;
        abut_vec2 points[8];
    } cases[] = {
        {"bow tie", 4, {{0, 0}, {4, 4}, {4, 0}, {0, 4}}},
        {"pentagram", 5, {{0, 10}, {6, -8}, {-10, 3}, {10, 3}, {-6, -8}}},
        {"line", 4, {{0, 0}, {1, 1}, {3, 3}, {2, 2}}},
        {"point", 4, {{5, 5}, {5, 5}, {5, 5}, {5, 5}}},
        {"spike outward", 5, {{0, 0}, {4, 0}, {8, 0}, {4, 0}, {2, 4}}},
        {"spike", 4, {{0, 0}, {8, 0}, {4, 0}, {2, 4}}},
        {"touching vertices", 6, {{0, 0}, {4, 2}, {8, 0}, {8, 4}, {4, 2}, {0, 4}}},
        {"vertex on a side", 5, {{0, 0}, {8, 0}, {8, 8}, {4, 0}, {0, 8}}},
        {"twice around", 6, {{0, 0}, {4, 0}, {0, 4}, {0, 0}, {4, 0}, {0, 4}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        for (int plane = 0; plane < 3; ++plane) {
            abut_mesh *mesh = make_polygon(cases[i].points, cases[i].count, plane);
            abut_mesh_elements e = abut_mesh_get_elements(mesh);
            CHECK_INT(abut_mesh_get_info(mesh).irregular_polygon_count, 1, cases[i].label);
            CHECK_INT(e.triangle_count, cases[i].count - 2, cases[i].label);
            for (int k = 0; k < e.triangle_count; ++k) {
                CHECK(e.triangles[3 * k] == 0 && e.triangles[3 * k + 1] == k + 1 && e.triangles[3 * k + 2] == k + 2,
                      "%s: triangle %d", cases[i].label, k);
            }
            abut_mesh_destroy(mesh);
        }
    }
    CHECK_DONE();
}

// A polygon with a repeated vertex gives no triangle and is counted.
static void repeated_vertex(void **state)
{
    (void)state;
    const abut_vec3 vertices[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const int offsets[3] = {0, 5, 9}, faces[9] = {0, 1, 2, 1, 3, 0, 1, 2, 3};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 4;
    def.face_offsets = offsets;
    def.face_vertices = faces;
    def.face_count = 2;
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    CHECK_INT(e.face_count, 2, "faces");
    CHECK_INT(e.triangle_count, 2, "triangles");
    CHECK_INT(e.triangle_faces[0], 1, "face of the first triangle");
    CHECK_INT(abut_mesh_get_info(mesh).degenerate_face_count, 1, "degenerate");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A polygon of 10,001 vertices is rejected, and the error names it. Coordinates out of range for the exact test do
// no harm.
static void extreme_polygons(void **state)
{
    (void)state;
    enum { COUNT = 10001 };
    abut_vec3 *vertices = calloc(COUNT, sizeof *vertices);
    int *face = calloc(COUNT, sizeof *face);
    assert_true(vertices != NULL && face != NULL);
    for (int i = 0; i < COUNT; ++i) {
        face[i] = i;
        vertices[i] = abut_vec3_make(cos(2e-4 * 3.14 * i), sin(2e-4 * 3.14 * i), 0.0);
    }
    int offsets[2] = {0, COUNT};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = COUNT;
    def.face_offsets = offsets;
    def.face_vertices = face;
    def.face_count = 1;
    abut_mesh *mesh;
    abut_error error;
    CHECK_STATUS(abut_mesh_create(NULL, &def, &mesh, &error), ABUT_LIMIT, "too many vertices");
    CHECK_INT(error.element, 0, "face");
    offsets[1] = COUNT - 1;
    CHECK_STATUS(abut_mesh_create(NULL, &def, &mesh, &error), ABUT_OK, "as many as possible");
    CHECK_INT(abut_mesh_get_info(mesh).irregular_polygon_count, 0, "regular");
    abut_mesh_destroy(mesh);
    vertices[0] = abut_vec3_make(1e300, 1e-300, 0.0);
    vertices[1] = abut_vec3_make(-1e300, 1e300, 1e300);
    vertices[2] = abut_vec3_make(1e-308, -1e300, 1.0);
    offsets[1] = 4;
    CHECK_STATUS(abut_mesh_create(NULL, &def, &mesh, &error), ABUT_OK, "huge coordinates");
    CHECK_INT(abut_mesh_get_elements(mesh).triangle_count, 2, "triangles");
    abut_mesh_destroy(mesh);
    free(face);
    free(vertices);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stars_with_points_in_line),
        cmocka_unit_test(long_and_narrow),
        cmocka_unit_test(irregular_polygons),
        cmocka_unit_test(repeated_vertex),
        cmocka_unit_test(extreme_polygons),
        cmocka_unit_test(random_polygons_are_judged_as_by_all_pairs),
        cmocka_unit_test(many_large_polygons_take_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
