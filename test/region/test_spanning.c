// SPDX-License-Identifier: MIT
// test_spanning.c: spanning sets of normals, points and constraints, with answers on paper
#include "region/spanning.h"

#include "check.h"

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

// Of x, a direction 0.1 beside it, y and z, the axes span the largest volume, 1; with the other direction for x it is
// 1 / sqrt(1.01), and three of x, its neighbour and y or z span less than 0.1. Three normals or fewer stay as they are.
static void most_transversal_normals_stay(void **state)
{
    (void)state;
    abut_vec3 normals[] = {{1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    normals[1] = abut_unit(v3(1, 0.1, 0));
    CHECK_INT(abut_spanning_normals(normals, 4), 3, "three");
    CHECK(normals[0].x == 1.0 && normals[1].y == 1.0 && normals[2].z == 1.0, "the axes, in their order");
    abut_vec3 two[] = {{1, 0, 0}, {0, 1, 0}};
    CHECK_INT(abut_spanning_normals(two, 2), 2, "two");
    CHECK(two[0].x == 1.0 && two[1].y == 1.0, "as they are");
    CHECK_DONE();
}

// A rectangle of 3 x 4 with a point inside: a diagonal, of length 5, and a corner, 2.4 from it. A row of points within
// 0.01 of a line: its ends, unless the tolerance is smaller than that. Points within the tolerance of each other: one.
static void farthest_points_are_chosen(void **state)
{
    (void)state;
    const abut_vec3 rectangle[] = {{1, 1, 0}, {0, 0, 0}, {3, 0, 0}, {3, 4, 0}, {0, 4, 0}};
    int chosen[3];
    CHECK_INT(abut_spanning_points(rectangle, 5, 1e-6, chosen), 3, "rectangle");
    CHECK_INT(chosen[0], 1, "one end of the diagonal");
    CHECK_INT(chosen[1], 3, "the other end");
    CHECK(chosen[2] == 2 || chosen[2] == 4, "another corner, not the point inside");
    const abut_vec3 row[] = {{1, 0.01, 0}, {0, 0, 0}, {2, 0, 0}};
    CHECK_INT(abut_spanning_points(row, 3, 0.02, chosen), 2, "row");
    CHECK(chosen[0] == 1 && chosen[1] == 2, "the ends");
    CHECK_INT(abut_spanning_points(row, 3, 0.005, chosen), 3, "row with a smaller tolerance");
    CHECK_INT(chosen[2], 0, "the point beside the line");
    CHECK_INT(abut_spanning_points(row, 3, 3.0, chosen), 1, "one place");
    CHECK_INT(abut_spanning_points(row, 0, 1.0, chosen), 0, "nothing");
    CHECK_DONE();
}

// Normals up at the four corners of a square span three wrenches: the force, and two tilting moments. With three of them
// along x, y and z at each corner of a box's face all six degrees of freedom are held. Equal constraints count once.
static void independent_constraints_are_chosen(void **state)
{
    (void)state;
    const abut_vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const abut_vec3 axes[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    abut_constraint constraints[12];
    for (int i = 0; i < 12; ++i) {
        constraints[i].point = corners[i % 4];
        constraints[i].normal = axes[i / 4];
    }
    int chosen[6];
    CHECK_INT(abut_spanning_constraints(constraints, 4, 1.0, chosen), 3, "a face on a plane");
    CHECK_INT(abut_spanning_constraints(constraints, 12, 1.0, chosen), 6, "all degrees of freedom");
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < i; ++k) {
            CHECK(chosen[i] != chosen[k], "constraint %d twice", chosen[i]);
        }
    }
    constraints[1] = constraints[0];
    CHECK_INT(abut_spanning_constraints(constraints, 2, 1.0, chosen), 1, "equal constraints");
    CHECK_INT(abut_spanning_constraints(constraints, 0, 1.0, chosen), 0, "nothing");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(most_transversal_normals_stay),
        cmocka_unit_test(farthest_points_are_chosen),
        cmocka_unit_test(independent_constraints_are_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
