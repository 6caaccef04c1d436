// SPDX-License-Identifier: MIT
// test_hull.c: convex hulls against brute force, and points without a hull
#define _POSIX_C_SOURCE 200809L // dup2

#include "check.h"
#include "failing.h"
#include "random.h"

#include <abut/mesh.h>
#include <abut/predicates.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

enum { POINTS_HIGHEST = 2000 };

// The greatest height of a point above the plane of a facet, over all points and facets.
static double highest_point(const abut_mesh *hull, const abut_vec3 *points, int count)
{
    abut_mesh_elements e = abut_mesh_get_elements(hull);
    double highest = 0.0;
    for (int i = 0; i < e.triangle_count; ++i) {
        const int *t = e.triangles + 3 * i;
        abut_vec3 a = e.vertices[t[0]], b = e.vertices[t[1]], c = e.vertices[t[2]];
        abut_vec3 normal = abut_unit(abut_cross(abut_sub(b, a), abut_sub(c, a)));
        for (int k = 0; k < count; ++k) {
            highest = fmax(highest, abut_dot(normal, abut_sub(points[k], a)));
        }
    }
    return highest;
}

// Exact test that no point is above a facet.
static int is_convex_exactly(const abut_mesh *hull, const abut_vec3 *points, int count)
{
    abut_mesh_elements e = abut_mesh_get_elements(hull);
    for (int i = 0; i < e.triangle_count; ++i) {
        const int *t = e.triangles + 3 * i;
        for (int k = 0; k < count; ++k) {
            int sign;
            if (abut_orient3d(e.vertices[t[0]], e.vertices[t[1]], e.vertices[t[2]], points[k], &sign) != ABUT_OK ||
                sign > 0) {
                return 0;
            }
        }
    }
    return 1;
}

// Makes a hull and checks that it is closed, oriented, of one part, outward, without unused vertices, and that its
// vertices are the points that `sources` names.
static abut_mesh *make_hull(const abut_vec3 *points, int count, const char *label)
{
    static int sources[POINTS_HIGHEST];
    assert_true(count <= POINTS_HIGHEST);
    abut_mesh *hull = NULL;
    abut_error error = {0};
    abut_status status = abut_hull_create(NULL, points, count, &hull, sources, &error);
    CHECK(status == ABUT_OK, "%s: %s", label, error.text);
    assert_int_equal(status, ABUT_OK);
    abut_mesh_info info = abut_mesh_get_info(hull);
    abut_mesh_elements e = abut_mesh_get_elements(hull);
    CHECK(info.is_closed && info.is_oriented, "%s: closed and oriented", label);
    CHECK_INT(info.unused_vertex_count, 0, label);
    CHECK_INT(abut_mesh_get_topology(hull).part_count, 1, label);
    CHECK_INT(e.triangle_count, 2 * e.vertex_count - 4, label);
    CHECK(info.volume > 0.0, "%s: volume %g", label, info.volume);
    for (int i = 0; i < e.vertex_count; ++i) {
        CHECK(i == 0 || sources[i] > sources[i - 1], "%s: sources ascend", label);
        CHECK(memcmp(&e.vertices[i], &points[sources[i]], sizeof e.vertices[i]) == 0, "%s: vertex %d", label, i);
    }
    return hull;
}

// A unit cube with its corners at random places of the array, and points on edges, on faces and inside.
static int make_cube_points(test_random *random, abut_vec3 *points, int extra_count)
{
    int count = 0;
    for (int i = 0; i < 8; ++i) {
        points[count++] = abut_vec3_make(i & 1, i >> 1 & 1, i >> 2 & 1);
    }
    for (int i = 0; i < extra_count; ++i) {
        double x[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = random_below(random, 2) ? random_in(random, 0.0, 1.0) : random_below(random, 2);
        }
        points[count++] = abut_vec3_make(x[0], x[1], x[2]);
    }
    for (int i = count - 1; i > 0; --i) {
        int k = random_below(random, i + 1);
        abut_vec3 swap = points[i];
        points[i] = points[k];
        points[k] = swap;
    }
    return count;
}

// The hull of a cube and of points on and in it has eight corners, twelve triangles and volume 1. The same holds for
// the cube rotated, scaled and moved 1e4 sizes away, although rounding makes many points stick out of faces and
// edges.
static void cube_has_eight_corners(void **state)
{
    (void)state;
    test_random random = {11};
    static const double scales[3] = {1e-3, 1.0, 1e3}, offsets[3] = {0.0, 100.0, 1e4};
    abut_vec3 points[220];
    for (int i = 0; i < 270; ++i) {
        int count = make_cube_points(&random, points, random_below(&random, 200));
        double scale = scales[i % 3], offset = scale * offsets[i / 3 % 3];
        abut_pose pose = abut_pose_make(abut_scale(offset, random_unit(&random)), random_rotation(&random));
        if (i < 9) {
            pose.rotation = abut_quat_identity();
        }
        for (int k = 0; k < count; ++k) {
            points[k] = abut_pose_apply(pose, abut_scale(scale, points[k]));
        }
        abut_mesh *hull = make_hull(points, count, "cube");
        CHECK_INT(abut_mesh_get_elements(hull).vertex_count, 8, "corners");
        CHECK_NEAR(abut_mesh_get_info(hull).volume / pow(scale, 3), 1.0, 1e-14 + 1e-14 * offsets[i / 3 % 3],
                   "volume");
        // each coordinate of a point, and the three of the plane, are off by a few 2^-53 of their magnitude
        double tolerance = 0x1p-50 * (offset + 2.0 * scale);
        CHECK_NEAR(highest_point(hull, points, count), 0.0, tolerance, "points inside");
        abut_mesh_destroy(hull);
    }
    CHECK_DONE();
}

// Random points: no point is above any facet (exact test). Of points on a sphere, all are corners.
static void random_points_are_inside(void **state)
{
    (void)state;
    test_random random = {12};
    static abut_vec3 points[POINTS_HIGHEST];
    for (int i = 0; i < 200; ++i) {
        int on_sphere = i % 2, count = 4 + random_below(&random, i < 196 ? 60 : 400);
        for (int k = 0; k < count; ++k) {
            points[k] = on_sphere ? random_unit(&random) : random_vec3(&random, 1.0);
        }
        abut_mesh *hull = make_hull(points, count, "random");
        CHECK(is_convex_exactly(hull, points, count), "convex");
        if (on_sphere) {
            CHECK_INT(abut_mesh_get_elements(hull).vertex_count, count, "all on the sphere");
        }
        abut_mesh_destroy(hull);
    }
    CHECK_DONE();
}

// A prism over a regular 500-gon: 1000 corners, two faces with 500 corners and 500 sides. A face with n corners is
// cut into n - 2 triangles.
static void faces_with_many_corners_are_cut(void **state)
{
    (void)state;
    static abut_vec3 points[1000];
    const double pi = acos(-1.0);
    for (int i = 0; i < 500; ++i) {
        points[i] = abut_vec3_make(cos(2 * pi * i / 500), sin(2 * pi * i / 500), 0.0);
        points[500 + i] = abut_vec3_make(points[i].x, points[i].y, 2.0);
    }
    abut_mesh *hull = make_hull(points, 1000, "prism");
    CHECK_INT(abut_mesh_get_elements(hull).vertex_count, 1000, "corners");
    // area of the polygon times the height
    CHECK_NEAR(abut_mesh_get_info(hull).volume, 500.0 * sin(2 * pi / 500), 1e-12, "volume");
    CHECK_NEAR(highest_point(hull, points, 1000), 0.0, 1e-14, "points inside");
    abut_mesh_destroy(hull);
    CHECK_DONE();
}

// Repeated points count once.
static void duplicates_count_once(void **state)
{
    (void)state;
    test_random random = {13};
    abut_vec3 points[200];
    for (int i = 0; i < 50; ++i) {
        for (int k = 0; k < 200; ++k) {
            points[k] = k < 20 ? random_unit(&random) : points[random_below(&random, 20)];
        }
        abut_mesh *hull = make_hull(points, 200, "duplicates");
        CHECK_INT(abut_mesh_get_elements(hull).vertex_count, 20, "different points");
        CHECK(is_convex_exactly(hull, points, 200), "convex");
        abut_mesh_destroy(hull);
    }
    CHECK_DONE();
}

// A tetrahedron is its own hull at any size that doubles allow, and even if the coordinates differ only in the last
// bits.
static void extreme_sizes_have_hulls(void **state)
{
    (void)state;
    const double sizes[6] = {1e-320, 1e-300, 1e-30, 1e30, 1e150, 1e307};
    for (int i = 0; i < 6; ++i) {
        double s = sizes[i];
        const abut_vec3 points[5] = {{-s, -s, -s}, {s, 0, 0}, {0, s, 0}, {0, 0, s}, {0, 0, 0}};
        abut_mesh *hull = NULL;
        abut_error error = {0};
        CHECK_STATUS(abut_hull_create(NULL, points, 5, &hull, NULL, &error), ABUT_OK, error.text);
        if (hull != NULL) {
            CHECK_INT(abut_mesh_get_elements(hull).vertex_count, 4, "tetrahedron");
            CHECK_INT(abut_mesh_get_elements(hull).triangle_count, 4, "tetrahedron");
        }
        abut_mesh_destroy(hull);
    }
    CHECK_DONE();
}

// Same points, same bytes.
static void hulls_are_deterministic(void **state)
{
    (void)state;
    test_random random = {14};
    abut_vec3 points[300];
    int count = make_cube_points(&random, points, 290);
    for (int i = 0; i < count; ++i) {
        points[i] = abut_quat_rotate(abut_quat_from_axis(abut_vec3_make(0.6, 0.0, 0.8), 1.0), points[i]);
    }
    abut_mesh *a = make_hull(points, count, "first");
    void *elsewhere = malloc(12345); // changes the addresses that qhull gets
    abut_mesh *b = make_hull(points, count, "second");
    CHECK(abut_mesh_hash(a) == abut_mesh_hash(b), "equal hashes");
    free(elsewhere);
    abut_mesh_destroy(a);
    abut_mesh_destroy(b);
    CHECK_DONE();
}

static void check_refused(const abut_vec3 *points, int count, abut_status expected, int element, const char *words)
{
    abut_mesh *hull = (abut_mesh *)&count; // must become NULL
    abut_error error = {0};
    CHECK_STATUS(abut_hull_create(NULL, points, count, &hull, NULL, &error), expected, words);
    CHECK(hull == NULL, "%s: no hull", words);
    CHECK(strstr(error.text, words) != NULL, "'%s' says '%s'", error.text, words);
    CHECK(strchr(error.text, '\n') == NULL, "one line");
    CHECK_INT(error.element, element, words);
    CHECK_STATUS(abut_hull_create(NULL, points, count, &hull, NULL, NULL), expected, "without error");
}

static void check_all_refusals(void)
{
    test_random random = {15};
    abut_vec3 points[100];
    for (int count = 0; count < 4; ++count) {
        for (int k = 0; k < count; ++k) {
            points[k] = random_vec3(&random, 1.0);
        }
        check_refused(points, count, ABUT_BAD_DATA, -1, "at least 4 points");
    }
    check_refused(points, -1, ABUT_BAD_ARGUMENT, -1, "-1");
    check_refused(NULL, 5, ABUT_BAD_ARGUMENT, -1, "points");
    check_refused(points, INT_MAX / 3 + 1, ABUT_LIMIT, -1, "limit"); // before any point is read
    for (int flat = 0; flat < 60; ++flat) {
        // a plane, a line, a point; along the axes and turned; near the origin and away
        abut_quat q = flat % 2 ? random_rotation(&random) : abut_quat_identity();
        abut_vec3 offset = flat % 4 < 2 ? abut_vec3_make(0, 0, 0) : random_vec3(&random, 1e3);
        for (int k = 0; k < 100; ++k) {
            abut_vec3 p = abut_vec3_make(random_in(&random, 0, 1), random_in(&random, 0, 1), 0.0);
            p.y = flat % 3 >= 1 ? 0.0 : p.y;
            p.x = flat % 3 == 2 ? 0.0 : p.x;
            points[k] = abut_add(abut_quat_rotate(q, p), offset);
        }
        check_refused(points, 100, ABUT_BAD_DATA, -1, "plane");
    }
    for (int k = 0; k < 100; ++k) {
        points[k] = random_vec3(&random, 1.0);
    }
    points[42].y = NAN;
    check_refused(points, 100, ABUT_BAD_DATA, 42, "point 42");
    points[42].y = HUGE_VAL;
    check_refused(points, 100, ABUT_BAD_DATA, 42, "not finite");
    CHECK_STATUS(abut_hull_create(NULL, points, 10, NULL, NULL, NULL), ABUT_BAD_ARGUMENT, "nowhere to put it");
}

// Points without a hull are rejected with a message of one line, and nothing is printed: standard output and error
// are redirected to a file, which stays empty.
static void refusals_are_silent(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    (void)fflush(stdout);
    (void)fflush(stderr);
    int kept_out = dup(STDOUT_FILENO), kept_err = dup(STDERR_FILENO);
    assert_true(dup2(fileno(file), STDOUT_FILENO) >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    check_all_refusals();
    (void)fflush(stdout);
    (void)fflush(stderr);
    (void)dup2(kept_out, STDOUT_FILENO);
    (void)dup2(kept_err, STDERR_FILENO);
    (void)close(kept_out);
    (void)close(kept_err);
    char text[4096];
    rewind(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    CHECK(size == 0, "printed: %s", text);
    (void)fclose(file);
    CHECK_DONE();
}

// Points within rounding of a plane, and clusters as small as rounding errors, give a hull with all the properties
// that make_hull() checks, or an error, but never a crash.
static void hopeless_points_are_survived(void **state)
{
    (void)state;
    test_random random = {16};
    abut_vec3 points[120];
    int made = 0;
    for (int i = 0; i < 600; ++i) {
        abut_quat q = random_rotation(&random);
        double tiny = pow(10.0, random_in(&random, -17.0, -9.0));
        int count = 4 + random_below(&random, 116);
        for (int k = 0; k < count; ++k) {
            abut_vec3 p = random_vec3(&random, 1.0);
            if (i % 2) {
                p.z *= tiny;
                points[k] = abut_quat_rotate(q, p);
            } else {
                abut_vec3 corner = abut_vec3_make(k & 1, k >> 1 & 1, k >> 2 & 1);
                points[k] = abut_add(abut_quat_rotate(q, corner), abut_scale(tiny, p));
            }
        }
        abut_mesh *hull = NULL;
        abut_error error = {0};
        abut_status status = abut_hull_create(NULL, points, count, &hull, NULL, &error);
        if (status == ABUT_OK) {
            ++made;
            abut_mesh_destroy(hull);
            abut_mesh_destroy(make_hull(points, count, "hopeless"));
        } else {
            CHECK_STATUS(status, ABUT_BAD_DATA, error.text);
            CHECK(hull == NULL && error.text[0] != '\0', "a message");
        }
    }
    CHECK(made > 300, "%d of 600 have a hull", made);
    CHECK_DONE();
}

// Each allocation fails in turn. The result is ABUT_NO_MEMORY, and nothing leaks.
static void failed_allocations_are_reported(void **state)
{
    (void)state;
    test_random random = {17};
    abut_vec3 points[50];
    int count = make_cube_points(&random, points, 42);
    abut_status status = ABUT_NO_MEMORY;
    int tries = 0;
    for (; status == ABUT_NO_MEMORY && tries < 1000; ++tries) {
        failing_heap heap = {.fail_at = tries + 1};
        abut_context context = failing_context(&heap);
        abut_mesh *hull = NULL;
        abut_error error = {0};
        status = abut_hull_create(&context, points, count, &hull, NULL, &error);
        CHECK_INT(error.status, status, "error");
        CHECK((hull != NULL) == (status == ABUT_OK), "a hull or none");
        abut_mesh_destroy(hull);
        CHECK_INT(heap.live, 0, "leaked blocks");
    }
    CHECK_STATUS(status, ABUT_OK, "enough memory at last");
    CHECK(tries > 5, "%d allocations", tries);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_has_eight_corners),
        cmocka_unit_test(random_points_are_inside),
        cmocka_unit_test(faces_with_many_corners_are_cut),
        cmocka_unit_test(duplicates_count_once),
        cmocka_unit_test(extreme_sizes_have_hulls),
        cmocka_unit_test(hulls_are_deterministic),
        cmocka_unit_test(refusals_are_silent),
        cmocka_unit_test(hopeless_points_are_survived),
        cmocka_unit_test(failed_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
