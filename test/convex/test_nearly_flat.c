// SPDX-License-Identifier: MIT
// test_nearly_flat.c: faces that are flat within the tolerance are in contact as a whole
#include "shapes.h"

#include <abut/convex.h>

// A unit cube whose top is a roof: 1 - slope |x| high over x from -0.5 to 0.5.
static abut_mesh *make_roof(double slope)
{
    abut_vec3 vertices[10];
    for (int i = 0; i < 4; ++i) {
        double x = i & 1 ? 0.5 : -0.5, y = i >> 1;
        vertices[i] = abut_vec3_make(x, y, 0.0);
        vertices[4 + i] = abut_vec3_make(x, y, 1.0 - 0.5 * slope);
    }
    vertices[8] = abut_vec3_make(0.0, 0.0, 1.0);
    vertices[9] = abut_vec3_make(0.0, 1.0, 1.0);
    const int offsets[8] = {0, 4, 9, 14, 18, 22, 26, 30};
    const int faces[30] = {0, 2, 3, 1, 0, 1, 5, 8, 4, 2, 6, 9, 7, 3, 0,
                           4, 6, 2, 1, 3, 7, 5, 4, 8, 9, 6, 8, 5, 7, 9};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 10;
    def.face_offsets = offsets;
    def.face_vertices = faces;
    def.face_count = 7;
    abut_mesh *mesh = NULL;
    abut_error error;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, &error), ABUT_OK);
    return mesh;
}

// A wide plate on the roof, turned so that it lies on one half. The far side of the other half is 2 * 0.5 * slope
// below the plate. With a slope of 1e-8 that is 1e-8, less than the tolerance of 1e-6, so the contact is the whole
// top, an area of 1. With a slope of 1e-3 the contact is one half, an area of 0.5.
static void halves_of_a_roof(void **state)
{
    (void)state;
    abut_mesh *plate_mesh = make_box(NULL, abut_vec3_make(-2, -2, 0), abut_vec3_make(2, 3, 1));
    abut_convex *plate = NULL;
    assert_int_equal(abut_convex_create(NULL, plate_mesh, NULL, &plate, NULL), ABUT_OK);
    for (int is_steep = 0; is_steep < 2; ++is_steep) {
        for (int side = -1; side <= 1; side += 2) {
            double slope = is_steep ? 1e-3 : 1e-8;
            abut_mesh *mesh = make_roof(slope);
            abut_convex *roof = NULL;
            assert_int_equal(abut_convex_create(NULL, mesh, NULL, &roof, NULL), ABUT_OK);
            abut_convex_pair pair = abut_convex_pair_default(roof, plate);
            pair.tolerance = 1e-6;
            pair.pose_b = abut_pose_make(abut_vec3_make(0, 0, 1),
                                         abut_quat_from_axis(abut_vec3_make(0, 1, 0), side * atan(slope)));
            abut_convex_result result;
            assert_int_equal(abut_convex_distance(&pair, NULL, NULL, &result), ABUT_OK);
            CHECK_NEAR(result.distance, 0.0, 1e-9, "touching");
            abut_convex_point points[16];
            abut_convex_manifold manifold = {.points = points, .capacity = 16};
            assert_int_equal(abut_convex_find_manifold(&pair, &result, &manifold), ABUT_OK);
            CHECK_NEAR(manifold.measure, is_steep ? 0.5 : 1.0, 1e-5, is_steep ? "half" : "whole top");
            abut_convex_destroy(roof);
            abut_mesh_destroy(mesh);
        }
    }
    abut_convex_destroy(plate);
    abut_mesh_destroy(plate_mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_of_a_roof),
    };
    return cmocka_run_group_tests_name("nearly flat faces", tests, NULL, NULL);
}
