// SPDX-License-Identifier: MIT
// test_index_points.c: locations of points, against exact signs and ray parity
//
// ABUT_TEST_LONG=1 tests a hundred times as many random points: millions.
#include "check.h"
#include "effort.h"
#include "random.h"
#include "spatial/index_solids.h"

static void check_location(const indexed_solid *solid, abut_vec3 p, abut_location expected)
{
    abut_location found = abut_brep_index_locate(solid->index, p);
    CHECK(is_same_location(found, expected), "%s: (%.17g %.17g %.17g) is at %d %d, expected %d %d", solid->name,
          p.x, p.y, p.z, (int)found.place, found.entity, (int)expected.place, expected.entity);
}

// Random points are inside or outside. Those within a few tolerances of the boundary are left out.
static void check_random_points(const indexed_solid *solid, test_random *random, int count)
{
    abut_box bounds = abut_mesh_get_elements(solid->mesh).bounds;
    abut_vec3 center = abut_box_center(bounds), half = abut_scale(0.6, abut_sub(bounds.upper, bounds.lower));
    double near = 4.0 * abut_brep_index_get_info(solid->index).tolerance;
    for (int i = 0; i < count; ++i) {
        abut_vec3 r = random_vec3(random, 1.0);
        abut_vec3 p = abut_add(center, abut_vec3_make(r.x * half.x, r.y * half.y, r.z * half.z));
        abut_location expected = locate_exactly(solid, p);
        abut_location found = abut_brep_index_locate(solid->index, p);
        if (!is_same_location(found, expected) && distance_to_surface(solid, p) > near) {
            check_location(solid, p, expected);
        }
    }
}

static void test_random_points(void **state)
{
    (void)state;
    test_random random = {1};
    for (int which = 0; which < ALL_SOLIDS; ++which) {
        for (int cuts = ABUT_CUTS_BALANCED; cuts <= ABUT_CUTS_FACE_PLANES; ++cuts) {
            indexed_solid solid = make_indexed_solid(which, (abut_index_cuts)cuts);
            check_random_points(&solid, &random, sample_count(1000, 100000));
            free_indexed_solid(&solid);
        }
    }
    for (int i = 0; i < sample_count(10, 1000); ++i) {
        indexed_solid solid =
            make_voxel_blob(3 + i % 3, i % 2 ? ABUT_CUTS_BALANCED : ABUT_CUTS_FACE_PLANES, &random);
        check_random_points(&solid, &random, 500);
        free_indexed_solid(&solid);
    }
    CHECK_DONE();
}

// Half-integer coordinates are exact, and many such points are on faces, edges and vertices of these solids. So every
// point has one right answer, including the entity.
static void check_grid_points(const indexed_solid *solid, double step)
{
    abut_box bounds = abut_mesh_get_elements(solid->mesh).bounds;
    int on_count = 0;
    for (double x = bounds.lower.x - step; x <= bounds.upper.x + step; x += step) {
        for (double y = bounds.lower.y - step; y <= bounds.upper.y + step; y += step) {
            for (double z = bounds.lower.z - step; z <= bounds.upper.z + step; z += step) {
                abut_vec3 p = abut_vec3_make(x, y, z);
                abut_location expected = locate_exactly(solid, p);
                on_count += expected.entity >= 0;
                check_location(solid, p, expected);
            }
        }
    }
    CHECK(on_count > 0, "%s: no point is on it", solid->name);
}

static void test_points_on_entities(void **state)
{
    (void)state;
    test_random random = {2};
    for (int which = 0; which < EXACT_SOLIDS; ++which) {
        for (int cuts = ABUT_CUTS_BALANCED; cuts <= ABUT_CUTS_FACE_PLANES; ++cuts) {
            indexed_solid solid = make_indexed_solid(which, (abut_index_cuts)cuts);
            abut_box bounds = abut_mesh_get_elements(solid.mesh).bounds;
            double size = abut_max_component(abut_sub(bounds.upper, bounds.lower));
            check_grid_points(&solid, size > 100.0 ? 256.0 : 0.5);
            free_indexed_solid(&solid);
        }
    }
    for (int i = 0; i < sample_count(10, 1000); ++i) {
        indexed_solid solid =
            make_voxel_blob(2 + i % 3, i % 2 ? ABUT_CUTS_BALANCED : ABUT_CUTS_FACE_PLANES, &random);
        check_grid_points(&solid, 0.5);
        free_indexed_solid(&solid);
    }
    CHECK_DONE();
}

// Vertices and points taken from edges and triangles must be located on these entities despite rounding. Away from a
// face's edges, a point half a tolerance off the face is still on it; four tolerances off it is outside or inside.
static void check_samples(const indexed_solid *solid, test_random *random)
{
    abut_mesh_elements mesh = abut_mesh_get_elements(solid->mesh);
    abut_brep_elements brep = abut_brep_get_elements(solid->brep);
    double tolerance = abut_brep_index_get_info(solid->index).tolerance;
    for (int i = 0; i < brep.vertex_count; ++i) {
        abut_vec3 p = mesh.vertices[brep.vertices[i].source_vertex];
        check_location(solid, p, (abut_location){ABUT_PLACE_VERTEX, i});
        abut_vec3 off = abut_add_scaled(p, 0.5 * tolerance, random_unit(random));
        CHECK(abut_brep_index_locate(solid->index, off).entity >= 0, "%s: beside vertex %d", solid->name, i);
    }
    for (int i = 0; i < brep.edge_count; ++i) {
        abut_vec3 a = mesh.vertices[brep.vertices[brep.edges[i].vertices[0]].source_vertex];
        abut_vec3 b = mesh.vertices[brep.vertices[brep.edges[i].vertices[1]].source_vertex];
        abut_vec3 p = abut_lerp(a, b, random_in(random, 0.01, 0.99));
        check_location(solid, p, (abut_location){ABUT_PLACE_EDGE, i});
        abut_vec3 off = abut_add_scaled(p, 0.5 * tolerance, random_unit(random));
        CHECK(abut_brep_index_locate(solid->index, off).entity >= 0, "%s: beside edge %d", solid->name, i);
    }
    for (int i = 0; i < mesh.triangle_count; ++i) {
        const int *t = mesh.triangles + 3 * i;
        double u = random_in(random, 0.1, 0.4), v = random_in(random, 0.1, 0.4);
        abut_vec3 p = abut_add(abut_scale(1.0 - u - v, mesh.vertices[t[0]]),
                               abut_add(abut_scale(u, mesh.vertices[t[1]]), abut_scale(v, mesh.vertices[t[2]])));
        abut_location on = {ABUT_PLACE_FACE, brep.triangle_faces[i]};
        abut_vec3 normal = brep.faces[on.entity].normal;
        check_location(solid, p, on);
        check_location(solid, abut_add_scaled(p, 0.5 * tolerance, normal), on);
        check_location(solid, abut_add_scaled(p, -0.5 * tolerance, normal), on);
        check_location(solid, abut_add_scaled(p, 4.0 * tolerance, normal), (abut_location){ABUT_PLACE_OUTSIDE, -1});
        check_location(solid, abut_add_scaled(p, -4.0 * tolerance, normal), (abut_location){ABUT_PLACE_INSIDE, -1});
    }
}

static void test_samples_of_moved_solids(void **state)
{
    (void)state;
    test_random random = {3};
    for (int round = 0; round < sample_count(3, 300); ++round) {
        for (int which = 0; which <= EXACT_SOLIDS; ++which) {
            indexed_solid solid =
                make_moved_solid(which, round % 2 ? ABUT_CUTS_FACE_PLANES : ABUT_CUTS_BALANCED, &random);
            check_samples(&solid, &random);
            check_random_points(&solid, &random, 50);
            free_indexed_solid(&solid);
        }
    }
    for (int which = EXACT_SOLIDS + 1; which < ALL_SOLIDS; ++which) {
        for (int cuts = ABUT_CUTS_BALANCED; cuts <= ABUT_CUTS_FACE_PLANES; ++cuts) {
            indexed_solid solid = make_indexed_solid(which, (abut_index_cuts)cuts);
            check_samples(&solid, &random);
            free_indexed_solid(&solid);
        }
    }
    CHECK_DONE();
}

// Points with infinite or NaN coordinates are outside.
static void test_points_that_are_not_finite(void **state)
{
    (void)state;
    indexed_solid solid = make_indexed_solid(0, ABUT_CUTS_BALANCED);
    const abut_vec3 points[] = {
        {NAN, 0.0, 0.0}, {0.0, INFINITY, 0.0}, {0.0, 0.0, -INFINITY}, {1e300, 0.5, 0.5}, {-1e308, 1e308, 0.0}};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; ++i) {
        check_location(&solid, points[i], (abut_location){ABUT_PLACE_OUTSIDE, -1});
    }
    free_indexed_solid(&solid);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_points),
        cmocka_unit_test(test_points_on_entities),
        cmocka_unit_test(test_samples_of_moved_solids),
        cmocka_unit_test(test_points_that_are_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
