// SPDX-License-Identifier: MIT
// test_least_translation.c: the shortest vector of half-spaces beside closed forms and all possible bases
#include "check.h"
#include "random.h"

#include <abut/translation.h>

static abut_half_space side(double x, double y, double z, double distance)
{
    abut_half_space made = {abut_unit(abut_vec3_make(x, y, z)), distance};
    return made;
}

/// Nothing to meet, or the origin meets it: zero. One side: its foot point. Two and three walls at right angles: the
/// corner. Opposed walls with room between them: the nearer wall; without room: none.
static void closed_forms(void **state)
{
    (void)state;
    abut_vec3 t;
    CHECK_INT(abut_least_translation(NULL, 0, &t), 1, "no sides");
    CHECK_NEAR(abut_norm(t), 0.0, 0.0, "no sides");
    abut_half_space walls[3] = {side(1, 0, 0, 2), side(0, 1, 0, 3), side(0, 0, 1, -1)};
    CHECK_INT(abut_least_translation(walls, 1, &t), 1, "one");
    CHECK_NEAR(abut_norm(abut_sub(t, abut_vec3_make(2, 0, 0))), 0.0, 1e-15, "one");
    CHECK_INT(abut_least_translation(walls, 3, &t), 1, "two count");
    CHECK_NEAR(abut_norm(abut_sub(t, abut_vec3_make(2, 3, 0))), 0.0, 1e-15, "two count");
    // 60 degrees between the normals: both at distance 1 give a vector of length 1 / cos 30 between them
    abut_half_space roof[2] = {side(1, 0, 0, 1), side(0.5, sqrt(0.75), 0, 1)};
    CHECK_INT(abut_least_translation(roof, 2, &t), 1, "roof");
    CHECK_NEAR(abut_norm(t), 1.0 / cos(acos(-1.0) / 6.0), 1e-15, "roof");
    abut_half_space slot[2] = {side(1, 0, 0, 1), side(-1, 0, 0, -1.5)};
    CHECK_INT(abut_least_translation(slot, 2, &t), 1, "slot");
    CHECK_NEAR(t.x, 1.0, 1e-15, "slot");
    slot[1].distance = -0.5;
    CHECK_INT(abut_least_translation(slot, 2, &t), 0, "closed slot");
    // four walls of a tetrahedron, all inward: no common point
    abut_half_space all[4] = {side(1, 1, 1, 1), side(1, -1, -1, 1), side(-1, 1, -1, 1), side(-1, -1, 1, 1)};
    CHECK_INT(abut_least_translation(all, 4, &t), 0, "tetrahedron");
    CHECK_DONE();
}

/// Solves the planes of a subset by Cramer's rule or Gram's matrix, and tests it as an answer.
static double subset_length(const abut_half_space *sides, int count, const int *subset, int size)
{
    abut_vec3 n[3], t = {0.0, 0.0, 0.0};
    double d[3];
    for (int i = 0; i < size; ++i) {
        n[i] = sides[subset[i]].normal;
        d[i] = sides[subset[i]].distance;
    }
    if (size == 1) {
        t = abut_scale(d[0], n[0]);
    } else if (size == 2) {
        abut_vec3 axis = abut_cross(n[0], n[1]);
        double square = abut_norm_squared(axis);
        t = abut_scale(1.0 / square, abut_add(abut_scale(d[0], abut_cross(n[1], axis)),
                                              abut_scale(d[1], abut_cross(axis, n[0]))));
    } else {
        double determinant = abut_dot(n[0], abut_cross(n[1], n[2]));
        t = abut_add(abut_scale(d[0], abut_cross(n[1], n[2])),
                     abut_add(abut_scale(d[1], abut_cross(n[2], n[0])), abut_scale(d[2], abut_cross(n[0], n[1]))));
        t = abut_scale(1.0 / determinant, t);
    }
    for (int i = 0; i < count; ++i) {
        if (!(abut_dot(sides[i].normal, t) >= sides[i].distance - 1e-9)) {
            return HUGE_VAL;
        }
    }
    return abut_norm(t);
}

/// The least length of all points that are foot points of one to three planes and meet all sides.
static double brute_force(const abut_half_space *sides, int count)
{
    double least = HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        for (int k = i; k < count; ++k) {
            for (int l = k; l < count; ++l) {
                int subset[3] = {i, k, l}, size = 1 + (k > i) + (l > k && k > i);
                if (k == i && l > k) {
                    continue;
                }
                least = fmin(least, subset_length(sides, count, subset, size));
            }
        }
    }
    return least;
}

/// Random sides, most with the origin on their wrong side; every second set has a common point by construction.
static void equals_all_bases(void **state)
{
    (void)state;
    test_random random = {413};
    int solved = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        abut_half_space sides[12];
        int count = 1 + random_below(&random, 12);
        abut_vec3 common = random_vec3(&random, 1.0);
        for (int i = 0; i < count; ++i) {
            sides[i].normal = abut_unit(random_vec3(&random, 1.0));
            sides[i].distance = trial % 2 == 0 ? abut_dot(sides[i].normal, common) - random_in(&random, 0.0, 0.3)
                                               : random_in(&random, -0.2, 1.0);
        }
        double expected = brute_force(sides, count);
        int is_inside = 1;
        for (int i = 0; i < count; ++i) {
            is_inside = is_inside && sides[i].distance <= 0.0;
        }
        abut_vec3 t;
        int found = abut_least_translation(sides, count, &t);
        if (is_inside) {
            expected = 0.0;
        }
        CHECK_INT(found, !isinf(expected), "feasible");
        if (found && !isinf(expected)) {
            CHECK_NEAR(abut_norm(t), expected, 1e-7 * (1.0 + expected), "length");
            ++solved;
        }
    }
    CHECK(solved > 2000, "%d", solved);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms), cmocka_unit_test(equals_all_bases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
