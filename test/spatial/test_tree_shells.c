// SPDX-License-Identifier: MIT
// test_tree_shells.c: the distance of shells that are close to each other everywhere
#include "check.h"

#include <abut/mesh.h>
#include <abut/tree.h>

#include <stdlib.h>

enum { RINGS = 40, SECTORS = 40 };

// A globe of radius `scale`: vertices on a sphere, in rings and sectors, and one at each pole.
static abut_mesh *make_globe(double scale)
{
    static abut_vec3 vertices[(RINGS - 1) * SECTORS + 2];
    static int faces[6 * RINGS * SECTORS];
    int south = (RINGS - 1) * SECTORS, north = south + 1, count = 0;
    for (int i = 1; i < RINGS; ++i) {
        for (int k = 0; k < SECTORS; ++k) {
            double latitude = 3.141592653589793 * (i / (double)RINGS - 0.5);
            double longitude = 6.283185307179586 * k / SECTORS;
            vertices[(i - 1) * SECTORS + k] =
                abut_scale(scale, abut_vec3_make(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude),
                                                 sin(latitude)));
        }
    }
    vertices[south] = abut_vec3_make(0.0, 0.0, -scale);
    vertices[north] = abut_vec3_make(0.0, 0.0, scale);
    for (int i = 0; i < RINGS; ++i) {
        for (int k = 0; k < SECTORS; ++k) {
            int next = (k + 1) % SECTORS;
            int a = (i - 1) * SECTORS + k, b = (i - 1) * SECTORS + next, c = i * SECTORS + k,
                d = i * SECTORS + next;
            const int lower[3] = {i == 0 ? south : a, d, c}, upper[3] = {a, b, i == RINGS - 1 ? north : d};
            if (i < RINGS - 1) {
                memcpy(faces + count, lower, sizeof lower);
                count += 3;
            }
            if (i > 0) {
                memcpy(faces + count, upper, sizeof upper);
                count += 3;
            }
        }
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = north + 1;
    def.face_vertices = faces;
    def.face_count = count / 3;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

// Distance of the nearest face plane from the origin.
static double nearest_plane(const abut_mesh *mesh)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    double least = HUGE_VAL;
    for (int i = 0; i < e.face_count; ++i) {
        const int *v = &e.face_vertices[3 * i];
        abut_vec3 n = abut_unit(
            abut_cross(abut_sub(e.vertices[v[1]], e.vertices[v[0]]), abut_sub(e.vertices[v[2]], e.vertices[v[0]])));
        least = fmin(least, fabs(abut_dot(n, e.vertices[v[0]])));
    }
    return least;
}

// A convex globe P inside a larger copy k P. Take a face of P whose plane has distance h from the origin. All points
// of P have height at most h along its normal, so they are at least (k - 1) h behind the plane of the same face of k
// P. The point of the face nearest to the origin is exactly that far behind it. So the distance is (k - 1) h for the
// nearest face. All pairs of faces are about as near, so the search has to keep more pairs of boxes than its heap has
// room for.
static void globe_in_a_globe(void **state)
{
    (void)state;
    const double factors[3] = {1.001, 1.01, 1.1};
    abut_mesh *inner = make_globe(1.0);
    abut_tree *inner_tree = NULL;
    assert_int_equal(abut_tree_create(NULL, inner, ABUT_ELEMENT_TRIANGLE, &inner_tree, NULL), ABUT_OK);
    for (int i = 0; i < 3; ++i) {
        abut_mesh *outer = make_globe(factors[i]);
        abut_tree *outer_tree = NULL;
        assert_int_equal(abut_tree_create(NULL, outer, ABUT_ELEMENT_TRIANGLE, &outer_tree, NULL), ABUT_OK);
        double expected = (factors[i] - 1.0) * nearest_plane(inner);
        abut_tree_gap gap = abut_tree_distance(inner_tree, outer_tree, abut_pose_identity(), HUGE_VAL);
        CHECK_NEAR(gap.distance, expected, 1e-12, "inner to outer");
        gap = abut_tree_distance(outer_tree, inner_tree, abut_pose_identity(), HUGE_VAL);
        CHECK_NEAR(gap.distance, expected, 1e-12, "outer to inner");
        abut_tree_destroy(outer_tree);
        abut_mesh_destroy(outer);
    }
    abut_tree_destroy(inner_tree);
    abut_mesh_destroy(inner);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(globe_in_a_globe),
    };
    return cmocka_run_group_tests_name("shells", tests, NULL, NULL);
}
