// SPDX-License-Identifier: MIT
// test_wide_face.c: the triangles of a face at a point, in a time that grows as a logarithm
#include "region/wide_face.h"

#include "check.h"
#include "effort.h"
#include "mesh/tessellate.h"
#include "random.h"

/// A flat sheet with its hierarchy.
typedef struct sheet {
    abut_mesh *mesh;
    abut_brep *brep;
    abut_mesh_elements elements;
    abut_brep_elements faces;
    abut_context context;
    abut_wide_face wide;
} sheet;

static sheet make_sheet(const test_solid *solid)
{
    sheet s = {.mesh = solid_mesh(solid, ABUT_PRECISION_DOUBLE), .context = abut_context_default()};
    assert_int_equal(abut_brep_create(NULL, s.mesh, NULL, &s.brep, NULL), ABUT_OK);
    s.elements = abut_mesh_get_elements(s.mesh);
    s.faces = abut_brep_get_elements(s.brep);
    assert_int_equal(s.faces.face_count, 1);
    assert_true(abut_wide_face_build(&s.context, &s.elements, &s.faces, 0, &s.wide));
    return s;
}

static void free_sheet(sheet *s)
{
    abut_wide_face_free(&s->context, &s->wide);
    abut_brep_destroy(s->brep);
    abut_mesh_destroy(s->mesh);
}

/// Whether a point is at most `reach` beyond each side of a triangle, along its plane.
static int is_near(const sheet *s, int triangle, abut_vec3 p, double reach)
{
    const int *t = s->elements.triangles + 3 * triangle;
    for (int k = 0; k < 3; ++k) {
        abut_vec3 from = s->elements.vertices[t[k]], to = s->elements.vertices[t[(k + 1) % 3]];
        abut_vec3 outward = abut_unit(abut_cross(abut_sub(to, from), s->faces.faces[0].normal));
        if (abut_dot(outward, abut_sub(p, from)) > reach) {
            return 0;
        }
    }
    return 1;
}

/// Compares a search with all triangles: it gives each once, and leaves out only those whose distance exceeds the
/// reach, which may be at most `reach` beyond each side if the sides meet at a sharp angle. Returns how many it gave.
static int check_search(const sheet *s, abut_vec3 p, double reach, unsigned char *is_given)
{
    abut_wide_search search = abut_wide_search_begin(&s->wide, &s->elements, p, reach);
    int triangle, count = 0;
    memset(is_given, 0, (size_t)s->elements.triangle_count);
    while ((triangle = abut_wide_search_next(&search)) >= 0) {
        CHECK(!is_given[triangle], "triangle %d is given twice", triangle);
        CHECK(is_near(s, triangle, p, reach * (1.0 + 1e-9)), "triangle %d is not near", triangle);
        is_given[triangle] = 1;
        ++count;
    }
    for (int i = 0; i < s->elements.triangle_count; ++i) {
        CHECK(is_given[i] || !is_near(s, i, p, 0.0), "triangle %d is missing", i);
    }
    return count;
}

// Sheets that are cut at random, turned, scaled and far away; points in them, at corners of triangles, and beside them.
static void test_all_triangles(void **state)
{
    (void)state;
    static unsigned char is_given[8192];
    test_random random = {71};
    int rounds = sample_count(40, 400);
    for (int i = 0; i < rounds; ++i) {
        test_solid solid = solid_disc(3 + random_below(&random, 60));
        solid_tessellate(&solid, &random, random_below(&random, 300), 300);
        solid_shuffle(&solid, &random);
        double scale = pow(10.0, random_in(&random, -3.0, 3.0));
        abut_pose pose = abut_pose_make(random_vec3(&random, 100.0 * scale), random_rotation(&random));
        solid_move(&solid, scale, pose);
        sheet s = make_sheet(&solid);
        solid_free(&solid);
        for (int k = 0; k < 100; ++k) {
            abut_vec3 p = {random_in(&random, -1.1, 1.1), random_in(&random, -1.1, 1.1),
                           random_in(&random, -0.1, 0.1)};
            p = abut_pose_apply(pose, abut_scale(scale, p));
            double reach = scale * pow(10.0, random_in(&random, -7.0, -1.0));
            (void)check_search(&s, p, reach, is_given);
            int corner = random_below(&random, s.elements.vertex_count);
            int count = check_search(&s, s.elements.vertices[corner], reach, is_given);
            CHECK(count >= 1, "no triangle at its own corner");
        }
        free_sheet(&s);
    }
    CHECK_DONE();
}

// A fan of n triangles about a corner of its border: long ones that boxes along the axes cannot tell apart. A point at a
// random place is in one of them, and a search passes by some rectangles on each level: a multiple of log2 n, whatever
// the direction of the axes.
static void test_fans(void **state)
{
    (void)state;
    static unsigned char is_given[8192];
    test_random random = {72};
    for (int n = 64; n <= 4096; n *= 4) {
        test_solid solid = solid_disc(n + 2);
        abut_pose pose = abut_pose_make(random_vec3(&random, 1.0), random_rotation(&random));
        solid_move(&solid, 1.0, pose);
        sheet s = make_sheet(&solid);
        solid_free(&solid);
        double visits = 0.0;
        int count = 0;
        for (int k = 0; k < 200; ++k) {
            double angle = random_in(&random, 0.0, 6.28), radius = sqrt(random_in(&random, 0.0, 0.99));
            abut_vec3 p = abut_pose_apply(pose, abut_vec3_make(radius * cos(angle), radius * sin(angle), 0.0));
            abut_wide_search search = abut_wide_search_begin(&s.wide, &s.elements, p, 1e-9);
            while (abut_wide_search_next(&search) >= 0) {
                ++count;
            }
            visits += search.visits / 200.0;
            (void)check_search(&s, p, 1e-9, is_given);
        }
        CHECK(count >= 195 && count <= 205, "%d triangles at 200 points", count);
        CHECK(visits <= 4.0 * log2(n), "%g rectangles of a fan of %d", visits, n);
        free_sheet(&s);
    }
    CHECK_DONE();
}

// Triangles that halve in size from one to the next, down to rounding: the splits at the mean take one off each time.
// The depth stays within the bound of the search, and the innermost is found.
static void test_shrinking_triangles(void **state)
{
    (void)state;
    enum { COUNT = 120 };
    static unsigned char is_given[COUNT];
    test_solid solid = solid_disc(3);
    solid.vertices = realloc(solid.vertices, (COUNT + 2) * sizeof *solid.vertices);
    solid.triangles = realloc(solid.triangles, (size_t)COUNT * 3 * sizeof *solid.triangles);
    solid.planes = realloc(solid.planes, COUNT * sizeof *solid.planes);
    assert_true(solid.vertices != NULL && solid.triangles != NULL && solid.planes != NULL);
    solid.vertices[0] = abut_vec3_make(0.0, 1.0, 0.0);
    for (int i = 0; i <= COUNT; ++i) {
        solid.vertices[1 + i] = abut_vec3_make(pow(0.75, COUNT - i), 0.0, 0.0);
    }
    for (int i = 0; i < COUNT; ++i) {
        const int t[3] = {0, 1 + i, 2 + i};
        memcpy(solid.triangles + 3 * i, t, sizeof t);
        solid.planes[i] = 0;
    }
    solid.vertex_count = COUNT + 2;
    solid.triangle_count = COUNT;
    sheet s = make_sheet(&solid);
    solid_free(&solid);
    for (int i = 0; i < COUNT; ++i) {
        abut_vec3 p = abut_vec3_make(0.45 * (pow(0.75, COUNT - i) + pow(0.75, COUNT - i - 1)), 0.1, 0.0);
        CHECK(check_search(&s, p, 0.0, is_given) >= 1 && is_given[i], "triangle %d", i);
    }
    free_sheet(&s);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_triangles), cmocka_unit_test(test_fans),
                                       cmocka_unit_test(test_shrinking_triangles)};
    return cmocka_run_group_tests_name("wide_face", tests, NULL, NULL);
}
