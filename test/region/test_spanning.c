// SPDX-License-Identifier: MIT
// test_spanning.c: which points, normals and constraints stand for the others
#include "check.h"
#include "constraint_rank.h"
#include "random.h"
#include "region/spanning.h"

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

// Of (0,0), (1,0), (4,0), (2,1) and (2,3): the first and third are furthest apart, 4, since the last is sqrt(13) from
// the first and sqrt(13) - sqrt(8) nearer to the third; (2,3) is furthest from their line. In any order.
static void points_that_span_a_plane(void **state)
{
    (void)state;
    const abut_vec3 given[5] = {{0, 0, 7}, {1, 0, 7}, {4, 0, 7}, {2, 1, 7}, {2, 3, 7}};
    for (int shift = 0; shift < 5; ++shift) {
        abut_vec3 points[5];
        for (int i = 0; i < 5; ++i) {
            points[(i + shift) % 5] = given[i];
        }
        int chosen[3];
        CHECK_INT(abut_spanning_points(points, 5, 1e-6, chosen), 3, "points");
        double ends = points[chosen[0]].x + points[chosen[1]].x;
        CHECK(ends == 4.0 && points[chosen[0]].y == 0.0 && points[chosen[1]].y == 0.0, "ends %d and %d", chosen[0],
              chosen[1]);
        CHECK(points[chosen[2]].y == 3.0, "the third is %d", chosen[2]);
    }
    CHECK_DONE();
}

// What adds less than the tolerance is left out: nothing, one point, one point twice, a line, a line with a kink of
// half a tolerance and one of two.
static void points_that_span_less(void **state)
{
    (void)state;
    const abut_vec3 points[4] = {{0, 0, 0}, {2, 0, 0}, {1, 0.5e-3, 0}, {1, 2e-3, 0}};
    const abut_vec3 twice[2] = {{1, 2, 3}, {1, 2, 3 + 0.5e-3}};
    int chosen[3];
    CHECK_INT(abut_spanning_points(points, 0, 1e-3, chosen), 0, "nothing");
    CHECK_INT(abut_spanning_points(points, 1, 1e-3, chosen), 1, "a point");
    CHECK_INT(abut_spanning_points(twice, 2, 1e-3, chosen), 1, "a point twice");
    CHECK_INT(abut_spanning_points(points, 2, 1e-3, chosen), 2, "a segment");
    CHECK_INT(abut_spanning_points(points, 3, 1e-3, chosen), 2, "a small kink");
    CHECK_INT(abut_spanning_points(points, 4, 1e-3, chosen), 3, "a kink");
    CHECK_DONE();
}

// The volume of the box of three unit normals is at most 1, and 1 only at right angles. Among x, y, z and two that are
// between them the first three are chosen, wherever they are in the list.
static void normals_at_right_angles_come_first(void **state)
{
    (void)state;
    const double h = sqrt(0.5);
    const abut_vec3 given[5] = {{1, 0, 0}, {h, h, 0}, {0, 1, 0}, {0, h, h}, {0, 0, 1}};
    for (int shift = 0; shift < 5; ++shift) {
        abut_vec3 normals[5];
        for (int i = 0; i < 5; ++i) {
            normals[(i + shift) % 5] = given[i];
        }
        CHECK_INT(abut_spanning_normals(normals, 5), 3, "normals");
        double volume = fabs(abut_dot(normals[0], abut_cross(normals[1], normals[2])));
        CHECK_NEAR(volume, 1.0, 1e-15, "volume");
    }
    abut_vec3 two[2] = {{1, 0, 0}, {0, 1, 0}};
    CHECK_INT(abut_spanning_normals(two, 2), 2, "all of two");
    CHECK(two[0].x == 1.0 && two[1].y == 1.0, "as they were");
    CHECK_DONE();
}

static int chosen_rank(const abut_constraint *constraints, const int *chosen, int count)
{
    abut_vec3 points[6], normals[6];
    for (int i = 0; i < count; ++i) {
        points[i] = constraints[chosen[i]].point;
        normals[i] = constraints[chosen[i]].normal;
    }
    return constraint_rank(points, normals, count);
}

// A unit box on the ground, four contacts: it can still slide along x and z and turn about y, so three constraints are
// independent. With a wall at x = 0 five: what is left is to slide along z. In a corner of three walls all six.
static void constraints_of_a_box_in_a_corner(void **state)
{
    (void)state;
    const int expected[4] = {0, 3, 5, 6};
    abut_constraint constraints[12];
    for (int walls = 0; walls < 4; ++walls) {
        for (int i = 0; i < 4; ++i) {
            double u = i & 1, v = i >> 1;
            constraints[i] = (abut_constraint){v3(u, 0, v), v3(0, 1, 0)};
            constraints[4 + i] = (abut_constraint){v3(0, u, v), v3(1, 0, 0)};
            constraints[8 + i] = (abut_constraint){v3(u, v, 0), v3(0, 0, 1)};
        }
        int chosen[6];
        int found = abut_spanning_constraints(constraints, 4 * walls, 1.0, chosen);
        CHECK_INT(found, expected[walls], "constraints");
        CHECK_INT(chosen_rank(constraints, chosen, found), found, "rank");
    }
    CHECK_DONE();
}

// Random constraints: 6 of 20 are independent, and 3 of 20 in a plane without friction (normals in it), where a body
// has three degrees of freedom.
static void random_constraints(void **state)
{
    (void)state;
    test_random random = {11};
    for (int sample = 0; sample < 200; ++sample) {
        int is_flat = sample % 2;
        abut_constraint constraints[20];
        for (int i = 0; i < 20; ++i) {
            abut_vec3 p = random_vec3(&random, 1.0), n = random_vec3(&random, 1.0);
            p.z = is_flat ? 0.0 : p.z;
            n.z = is_flat ? 0.0 : n.z;
            constraints[i] = (abut_constraint){p, abut_unit(n)};
        }
        int chosen[6];
        int found = abut_spanning_constraints(constraints, 20, 1.0, chosen);
        CHECK_INT(found, is_flat ? 3 : 6, "constraints");
        CHECK_INT(chosen_rank(constraints, chosen, found), found, "rank");
    }
    CHECK_DONE();
}

// Three cones of three normals about x, y and z: nine normals are one too many. The first cone stays, and one of the
// other two, the lower one, since both are at right angles to it. Two cones of three have six normals, and both stay.
// Ten cones of one normal keep eight, the first among them. One cone of ten stays, and a cone of nine alone if there is
// one of ten.
static void cones_of_at_most_eight_normals(void **state)
{
    (void)state;
    abut_vec3 normals[3][3], around[10];
    abut_directions cones[10];
    unsigned char is_marked[10];
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            double c = 0.1 * cos(2.0 * k), s = 0.1 * sin(2.0 * k);
            normals[i][k] = abut_unit(i == 0 ? v3(1, c, s) : i == 1 ? v3(s, 1, c) : v3(c, s, 1));
        }
        cones[i] = (abut_directions){normals[i], 3};
    }
    for (int count = 2; count <= 3; ++count) {
        is_marked[0] = is_marked[1] = is_marked[2] = 1;
        abut_spanning_cones(cones, count, 1e-6, is_marked);
        CHECK_INT(is_marked[0] + is_marked[1], 2, "the first two");
        CHECK_INT(is_marked[2], count == 2, "the third");
    }
    for (int i = 0; i < 10; ++i) {
        around[i] = abut_unit(v3(cos(0.6 * i), sin(0.6 * i), 1.0));
        cones[i] = (abut_directions){&around[i], 1};
        is_marked[i] = 1;
    }
    abut_spanning_cones(cones, 10, 1e-6, is_marked);
    int left = 0;
    for (int i = 0; i < 10; ++i) {
        left += is_marked[i];
    }
    CHECK_INT(left, 8, "half-spaces");
    CHECK_INT(is_marked[0], 1, "the first");
    cones[0] = (abut_directions){around, 10};
    cones[1] = (abut_directions){around, 9};
    for (int count = 1; count <= 2; ++count) {
        is_marked[0] = is_marked[1] = 1;
        abut_spanning_cones(cones, count, 1e-6, is_marked);
        CHECK_INT(is_marked[count - 1], 1, "the one with the fewest normals");
        CHECK_INT(is_marked[2 - count], count == 1, "the other");
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_that_span_a_plane),           cmocka_unit_test(points_that_span_less),
        cmocka_unit_test(normals_at_right_angles_come_first), cmocka_unit_test(cones_of_at_most_eight_normals),
        cmocka_unit_test(constraints_of_a_box_in_a_corner),   cmocka_unit_test(random_constraints),
    };
    return cmocka_run_group_tests_name("spanning sets", tests, NULL, NULL);
}
