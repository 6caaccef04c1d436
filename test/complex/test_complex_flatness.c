// SPDX-License-Identifier: MIT
// test_complex_flatness.c: surfaces of large radius, rounded to float: flat from triangle to triangle, but not as a whole
#include "complexes.h"
#include "effort.h"

/// Rounds vertices as in a binary STL file.
static void round_to_float(abut_vec3 *vertices, int count)
{
    for (int i = 0; i < count; ++i) {
        vertices[i] = v3((float)vertices[i].x, (float)vertices[i].y, (float)vertices[i].z);
    }
}

static abut_mesh *make_rounded(const abut_mesh_def *like, abut_vec3 *vertices, int count)
{
    abut_mesh_def def = *like;
    abut_mesh *mesh = NULL;
    round_to_float(vertices, count);
    def.vertices = vertices;
    def.precision = ABUT_PRECISION_FLOAT;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

/// A sheet of n by n squares of side `edge`, domed with this radius (upward in the middle), or bent about an axis, at a
/// place. With a hole in its middle if it has one.
static abut_mesh *make_dome(int n, double radius, double edge, int is_bent, int has_hole, abut_vec3 place)
{
    abut_mesh *flat = make_sheet(n);
    abut_mesh_def def = abut_mesh_get_def(flat);
    abut_vec3 vertices[256];
    int triangles[6 * 256], count = 0;
    for (int i = 0; i < def.vertex_count; ++i) {
        double x = edge * (def.vertices[i].x - 0.47 * n), y = edge * (def.vertices[i].y - 0.53 * n);
        double far = is_bent ? x * x : x * x + y * y;
        vertices[i] = abut_add(place, v3(x, y, sqrt(radius * radius - far) - radius));
    }
    for (int i = 0; i < def.face_count; ++i) {
        int column = i / 2 % n, row = i / 2 / n, is_inner = abs(2 * column - n) < 5 && abs(2 * row - n) < 5;
        for (int k = 0; k < 3 && !(has_hole && is_inner); ++k) {
            triangles[count++] = def.face_vertices[3 * i + k];
        }
    }
    def.face_vertices = triangles;
    def.face_count = count / 3;
    abut_mesh *mesh = make_rounded(&def, vertices, def.vertex_count);
    abut_mesh_destroy(flat);
    return mesh;
}

/// The height of the highest vertex that is used, in the direction `up`.
static double highest(const abut_mesh *mesh, const abut_complex *complex, abut_vec3 up)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    double most = -HUGE_VAL;
    for (int i = 0; i < e.vertex_count; ++i) {
        abut_simplex s = abut_complex_get_simplex(complex, i);
        int is_used = 0;
        for (int k = 0; k < 3 * e.triangle_count && !is_used; ++k) {
            is_used = e.triangles[k] == s.vertices[0];
        }
        for (int k = 0; k < 2 * e.segment_count && !is_used; ++k) {
            is_used = e.segments[k] == s.vertices[0];
        }
        most = is_used ? fmax(most, abut_dot(up, e.vertices[i])) : most;
    }
    return most;
}

/// A plate of two triangles above a body, tipped a little: the least distance of quasi-LMDs is that of the nearest vertex.
static void check_below_plate(abut_mesh *mesh, abut_vec3 place, double size, test_random *random, const char *label)
{
    abut_complex *body = make_complex(NULL, mesh);
    abut_vec3 w[4] = {{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}};
    const int squares[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 4; ++i) {
        w[i] = abut_scale(size, w[i]);
    }
    abut_mesh *plate_mesh = make_triangles(NULL, w, 4, squares, 2);
    abut_complex *plate = make_complex(NULL, plate_mesh);
    abut_lmd_set *set = NULL;
    assert_int_equal(abut_lmd_set_create(NULL, &set), ABUT_OK);
    for (int i = 0; i < 4; ++i) {
        abut_lmd_def def = abut_lmd_def_default();
        abut_error error;
        def.a = body;
        def.b = plate;
        def.b_to_a.position = abut_add(place, v3(0.01 * size, 0.02 * size, 0.1 * size));
        def.b_to_a.rotation = abut_quat_from_axis(v3(cos(i), sin(i), 0), i == 0 ? 0.0 : random_in(random, 0, 2e-3));
        def.theta = i % 2 ? 0.0 : def.theta;
        def.reach = size;
        CHECK_STATUS(abut_find_lmds(&def, set, &error), ABUT_OK, label);
        abut_lmd_view view = abut_lmd_set_get(set);
        abut_vec3 up = abut_quat_rotate(def.b_to_a.rotation, v3(0, 0, 1));
        double distance = abut_dot(up, def.b_to_a.position) - highest(mesh, body, up), least = HUGE_VAL;
        for (int k = 0; k < view.count; ++k) {
            least = fmin(least, view.items[k].distance);
        }
        // A patch is flat if its vertices are within four roundings of a plane: a corner of it is the nearest place then, and
        // another vertex is nearer by eight at most.
        double largest = abut_max_component(abut_abs(place)) + size;
        CHECK_NEAR(least, distance, 8.0 * 0x1p-23 * largest, label);
    }
    abut_lmd_set_destroy(set);
    abut_complex_destroy(plate);
    abut_complex_destroy(body);
    abut_mesh_destroy(plate_mesh);
    abut_mesh_destroy(mesh);
}

// Panels like a car's hood, bent or domed, with and without a hole, at places where the rounding of floats is more than the
// angle from triangle to triangle, and less. Radii, lengths of edges and places are random. The nearest point is found.
static void panels(void **state)
{
    (void)state;
    test_random random = {7};
    int count = sample_count(600, 3000);
    for (int i = 0; i < count; ++i) {
        double radius = pow(10.0, random_in(&random, 2.0, 5.0)), edge = random_in(&random, 1.0, 5.0);
        abut_vec3 place = random_vec3(&random, pow(10.0, random_in(&random, 0.0, 4.0)));
        check_below_plate(make_dome(14, radius, edge, i % 2, i / 2 % 2, place), place, 14 * edge, &random,
                          i % 2 ? "bent panel" : "domed panel");
    }
    CHECK_DONE();
}

// Ropes that are bent as little.
static void ropes(void **state)
{
    (void)state;
    enum { POINTS = 40 };
    test_random random = {9};
    int segments[2 * POINTS], count = sample_count(60, 3000);
    for (int i = 0; i < 2 * POINTS; ++i) {
        segments[i] = (i + 1) / 2;
    }
    for (int i = 0; i < count; ++i) {
        double radius = pow(10.0, random_in(&random, 2.0, 5.0)), edge = random_in(&random, 1.0, 3.0);
        abut_vec3 place = random_vec3(&random, pow(10.0, random_in(&random, 0.0, 4.0))), points[POINTS];
        for (int k = 0; k < POINTS; ++k) {
            double x = edge * (k - 0.47 * POINTS);
            points[k] = abut_add(place, v3(x, 0.3 * x, sqrt(radius * radius - x * x) - radius));
        }
        abut_mesh_def def = abut_mesh_def_default();
        def.vertex_count = POINTS;
        def.segments = segments;
        def.segment_count = POINTS - 1;
        check_below_plate(make_rounded(&def, points, POINTS), place, POINTS * edge, &random, "rope");
    }
    CHECK_DONE();
}

// A surface that is flat stays so, however far away it is, as long as rounding leaves its triangles their shape: its inner
// vertices are class 4, those of its border class 1.
static void planes_stay_flat(void **state)
{
    (void)state;
    test_random random = {11};
    abut_mesh *sheet = make_sheet(12);
    abut_mesh_def def = abut_mesh_get_def(sheet);
    for (int i = 0; i < sample_count(100, 4000); ++i) {
        abut_pose pose =
            abut_pose_make(random_vec3(&random, pow(10.0, random_in(&random, 0.0, 1.5))), random_rotation(&random));
        abut_vec3 vertices[169];
        for (int k = 0; k < 169; ++k) {
            abut_vec3 p = v3(def.vertices[k].x, def.vertices[k].y * (i % 2 ? 0.1 : 1.0), 0.0);
            vertices[k] = abut_pose_apply(pose, p);
        }
        abut_mesh *mesh = make_rounded(&def, vertices, 169);
        abut_complex *complex = make_complex(NULL, mesh);
        abut_complex_info info = abut_complex_get_info(complex);
        CHECK_INT(info.class_counts[4], 121, "inner vertices");
        CHECK_INT(info.class_counts[1], 44, "border");
        CHECK_INT(info.class_counts[0], 4, "corners");
        abut_complex_destroy(complex);
        abut_mesh_destroy(mesh);
    }
    abut_mesh_destroy(sheet);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels),
        cmocka_unit_test(ropes),
        cmocka_unit_test(planes_stay_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
