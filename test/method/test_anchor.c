// SPDX-License-Identifier: MIT
// test_anchor.c: anchors of points in tetrahedra, also in thin ones and of points outside
#include "check.h"
#include "method/local.h"
#include "random.h"

static const int corner_numbers[4] = {4, 7, 5, 6};

/// Checks that the weights are those of a point of the tetrahedron, and returns that point.
static abut_vec3 anchored_point(const abut_vec3 corners[4], abut_vec3 p, abut_anchor *anchor)
{
    abut_placed side = {.elements = {.tets = corner_numbers}};
    *anchor = abut_tet_anchor(&side, 0, corners, p);
    abut_vec3 sum = abut_vec3_make(0, 0, 0);
    double total = 0.0;
    for (int k = 0; k < 4; ++k) {
        CHECK_INT(anchor->vertices[k], corner_numbers[k], "vertex");
        CHECK(anchor->weights[k] >= 0.0 && anchor->weights[k] <= 1.0, "weight %d is %g", k, anchor->weights[k]);
        sum = abut_add_scaled(sum, anchor->weights[k], corners[k]);
        total += anchor->weights[k];
    }
    CHECK_NEAR(total, 1.0, 1e-14, "sum of the weights");
    return sum;
}

/// Corners 0 to 2 of a triangle with edges of about 1, corner 3 at `height` over it.
static void make_thin(test_random *random, double height, abut_vec3 corners[4])
{
    abut_pose pose = abut_pose_make(random_vec3(random, 1.0), random_rotation(random));
    const abut_vec3 local[4] = {{0, 0, 0}, {1, 0, 0}, {0.2, 0, 0.9}, {0.3, height, 0.4}};
    for (int k = 0; k < 4; ++k) {
        corners[k] = abut_pose_apply(pose, local[k]);
    }
}

/// A point of the tetrahedron, and its weights.
static abut_vec3 inner_point(test_random *random, const abut_vec3 corners[4], double weights[4])
{
    double sum = 0.0;
    for (int k = 0; k < 4; ++k) {
        weights[k] = random_in(random, 0.0, 1.0);
        sum += weights[k];
    }
    abut_vec3 p = abut_vec3_make(0, 0, 0);
    for (int k = 0; k < 4; ++k) {
        weights[k] /= sum;
        p = abut_add_scaled(p, weights[k], corners[k]);
    }
    return p;
}

// In a tetrahedron with volume the weights are unique: those that the point was made of.
static void inside(void **state)
{
    (void)state;
    test_random random = {3};
    for (int round = 0; round < 1000; ++round) {
        abut_vec3 corners[4];
        double weights[4];
        make_thin(&random, round % 2 == 0 ? 0.7 : -0.7, corners);
        abut_vec3 p = inner_point(&random, corners, weights);
        abut_anchor anchor;
        (void)anchored_point(corners, p, &anchor);
        for (int k = 0; k < 4; ++k) {
            CHECK_NEAR(anchor.weights[k], weights[k], 1e-14, "weight");
        }
    }
    CHECK_DONE();
}

// A point is made from weights and then moved by up to 0.03. Its anchor is no further away from it than the point
// before the move, up to rounding, however thin the tetrahedron is; 0 is the thinnest.
static void thin_and_outside(void **state)
{
    (void)state;
    test_random random = {4};
    int outside = 0;
    for (int round = 0; round < 4000; ++round) {
        abut_vec3 corners[4];
        double weights[4];
        int exponent = round % 20;
        make_thin(&random, exponent == 19 ? 0.0 : pow(10.0, -exponent), corners);
        abut_vec3 origin = inner_point(&random, corners, weights);
        abut_vec3 p = abut_add(origin, random_vec3(&random, round % 3 == 0 ? 0.0 : 0.03));
        abut_anchor anchor;
        double off = abut_norm(abut_sub(anchored_point(corners, p, &anchor), p));
        CHECK(off <= abut_norm(abut_sub(origin, p)) + 1e-9, "height 1e-%d: anchored %g away", exponent, off);
        outside += off > 1e-4;
    }
    CHECK(outside > 1000, "%d were outside", outside);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(inside), cmocka_unit_test(thin_and_outside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
