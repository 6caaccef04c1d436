// SPDX-License-Identifier: MIT
// test_brep_groups.c: groups of triangles that may share a face: two triangles with a common side
#include "mesh/brep_groups.h"

#include "random.h"
#include "shapes.h"

#include "base/context.h"

/// The width of a tetrahedron: the least distance of two parallel planes with all corners between them. They hold a
/// face and a corner, or two opposite edges.
static double width_of(const abut_vec3 p[4])
{
    static const int directions[7][4] = {{0, 1, 0, 2}, {0, 1, 0, 3}, {0, 2, 0, 3}, {1, 2, 1, 3},
                                         {0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}};
    double width = HUGE_VAL;
    for (int i = 0; i < 7; ++i) {
        const int *d = directions[i];
        abut_vec3 n = abut_unit(abut_cross(abut_sub(p[d[1]], p[d[0]]), abut_sub(p[d[3]], p[d[2]])));
        double lower = HUGE_VAL, upper = -HUGE_VAL;
        for (int k = 0; k < 4; ++k) {
            lower = fmin(lower, abut_dot(n, abut_sub(p[k], p[0])));
            upper = fmax(upper, abut_dot(n, abut_sub(p[k], p[0])));
        }
        width = abut_norm_squared(n) > 0.0 ? fmin(width, upper - lower) : width;
    }
    return width;
}

static int count_groups(const abut_vec3 p[4], double tolerance)
{
    static const int triangles[6] = {0, 1, 2, 1, 0, 3};
    abut_mesh *mesh = make_triangles(NULL, p, 4, triangles, 2);
    abut_brep_work work = {.context = abut_context_default(),
                           .mesh = abut_mesh_get_elements(mesh),
                           .topology = abut_mesh_get_topology(mesh),
                           .tolerance = tolerance};
    abut_brep_groups groups;
    assert_true(abut_brep_find_groups(&work, &groups));
    int count = groups.count;
    CHECK_INT(groups.largest, 3 - count, "largest");
    CHECK_INT(groups.offsets[count], 2, "members");
    CHECK(groups.members[0] == 0 && groups.members[1] == 1, "ascending");
    abut_brep_free_groups(&work, &groups);
    abut_mesh_destroy(mesh);
    return count;
}

// A plane is within the tolerance of all four corners exactly if their tetrahedron is at most two tolerances wide. Then
// the two triangles are one group, however thin they are. Triangles of usual shapes that are clearly not in one plane
// are two groups.
static void triangles_in_one_plane_stay_together(void **state)
{
    (void)state;
    test_random random = {43};
    int together = 0, apart = 0;
    for (int round = 0; round < 4000; ++round) {
        double tolerance = pow(10.0, random_in(&random, -9.0, -5.0));
        double thin = round % 2 == 0 ? 1.0 : pow(10.0, random_in(&random, -6.0, 0.0));
        double height = tolerance * pow(10.0, random_in(&random, -1.0, 2.0));
        abut_vec3 p[4] = {{0, 0, 0},
                          {1, 0, 0},
                          {random_in(&random, 0.2, 0.8), thin * random_in(&random, 0.5, 1.0), 0},
                          {random_in(&random, 0.2, 0.8), -thin * random_in(&random, 0.5, 1.0), height}};
        abut_quat turn = random_rotation(&random);
        for (int k = 0; k < 4; ++k) {
            p[k] = abut_quat_rotate(turn, p[k]);
        }
        int count = count_groups(p, tolerance);
        double width = width_of(p) / tolerance;
        CHECK(count == 1 || width > 2.0, "round %d: apart, %g tolerances wide", round, width);
        CHECK(count == 2 || round % 2 == 1 || width < 12.0, "round %d: together, %g tolerances wide", round, width);
        together += count == 1;
        apart += count == 2;
    }
    CHECK(together > 500 && apart > 500, "%d together, %d apart", together, apart);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(triangles_in_one_plane_stay_together)};
    return cmocka_run_group_tests_name("groups of triangles", tests, NULL, NULL);
}
