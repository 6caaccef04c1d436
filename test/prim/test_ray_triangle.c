// SPDX-License-Identifier: MIT
// test_ray_triangle.c: rays and triangles: known answers, random targets, and the seams of a closed surface
#include "check.h"
#include "prim/ray_triangle.h"
#include "random.h"

static int cast(abut_vec3 origin, abut_vec3 direction, const abut_vec3 triangle[3], double *t, double weights[3])
{
    abut_ray ray;
    return abut_ray_make(origin, direction, &ray) && abut_ray_triangle(&ray, triangle, t, weights);
}

// The triangle x, y >= 0, x + y <= 4 in the plane z = 2 is hit from below, from above, and at its border.
static void on_paper(void **state)
{
    (void)state;
    const abut_vec3 triangle[3] = {{0, 0, 2}, {4, 0, 2}, {0, 4, 2}};
    abut_vec3 up = {0, 0, 1}, down = {0, 0, -2};
    double t, weights[3];
    for (int x = -1; x <= 5; ++x) {
        for (int y = -1; y <= 5; ++y) {
            int is_inside = x >= 0 && y >= 0 && x + y <= 4;
            CHECK_INT(cast(abut_vec3_make(x, y, 0), up, triangle, &t, weights), is_inside, "from below");
            if (is_inside) {
                CHECK_NEAR(t, 2.0, 0.0, "t");
                CHECK_NEAR(weights[0], (4 - x - y) / 4.0, 0.0, "weight");
                CHECK_NEAR(weights[1], x / 4.0, 0.0, "weight");
                CHECK_NEAR(weights[2], y / 4.0, 0.0, "weight");
            }
            CHECK_INT(cast(abut_vec3_make(x, y, 3), down, triangle, &t, weights), is_inside, "from above");
            CHECK(!is_inside || t == 0.5, "t %g", t);
            CHECK_INT(cast(abut_vec3_make(x, y, 3), up, triangle, &t, weights), 0, "away");
            CHECK_INT(cast(abut_vec3_make(x, y, 2), up, triangle, &t, weights), is_inside, "starts on it");
        }
    }
    // just beside the edge y = 0
    CHECK_INT(cast(abut_vec3_make(1, -1e-300, 0), up, triangle, &t, weights), 0, "beside");
    CHECK_INT(cast(abut_vec3_make(1, 1e-300, 0), up, triangle, &t, weights), 1, "inside");
    CHECK_DONE();
}

// Seen edge-on, the triangle is hit at its border, or at the start of the ray if that is inside.
static void edge_on(void **state)
{
    (void)state;
    const abut_vec3 triangle[3] = {{0, 0, 2}, {4, 0, 2}, {0, 4, 2}};
    double t, weights[3];
    abut_vec3 along = {2, 0, 0};
    CHECK_INT(cast(abut_vec3_make(-2, 1, 2), along, triangle, &t, weights), 1, "into the edge x = 0");
    CHECK_NEAR(t, 1.0, 0.0, "t");
    CHECK_NEAR(weights[0], 0.75, 0.0, "weight");
    CHECK_NEAR(weights[2], 0.25, 0.0, "weight");
    CHECK_INT(cast(abut_vec3_make(1, 1, 2), along, triangle, &t, weights), 1, "from the inside");
    CHECK_NEAR(t, 0.0, 0.0, "t");
    CHECK_NEAR(weights[1], 0.25, 1e-15, "weight");
    CHECK_INT(cast(abut_vec3_make(-2, 0, 2), along, triangle, &t, weights), 1, "along an edge");
    CHECK_NEAR(t, 1.0, 0.0, "t");
    CHECK_INT(cast(abut_vec3_make(-2, 4, 2), along, triangle, &t, weights), 1, "through a corner");
    CHECK_NEAR(t, 1.0, 0.0, "t");
    CHECK_INT(cast(abut_vec3_make(-2, 4.5, 2), along, triangle, &t, weights), 0, "beside");
    CHECK_INT(cast(abut_vec3_make(5, 1, 2), along, triangle, &t, weights), 0, "behind");
    CHECK_INT(cast(abut_vec3_make(-2, 1, 2.5), along, triangle, &t, weights), 0, "above");
    const abut_vec3 segment[3] = {{0, 0, 2}, {4, 0, 2}, {2, 0, 2}}, point[3] = {{1, 0, 2}, {1, 0, 2}, {1, 0, 2}};
    CHECK_INT(cast(abut_vec3_make(3, 0, 0), abut_vec3_make(0, 0, 1), segment, &t, weights), 1, "segment");
    CHECK_INT(cast(abut_vec3_make(5, 0, 0), abut_vec3_make(0, 0, 1), segment, &t, weights), 0,
              "beside the segment");
    CHECK_INT(cast(abut_vec3_make(1, 0, 0), abut_vec3_make(0, 0, 1), point, &t, weights), 1, "point");
    CHECK_INT(cast(abut_vec3_make(1, 1, 0), abut_vec3_make(0, 0, 1), point, &t, weights), 0, "beside the point");
    CHECK_DONE();
}

// A ray through an inner point of a random triangle hits it at t = 1. Moved sideways by twice its size, it misses.
static void random_targets(void **state)
{
    (void)state;
    test_random random = {41};
    for (int i = 0; i < 100000; ++i) {
        abut_vec3 triangle[3], target = {0.0, 0.0, 0.0};
        double given[3], sum = 0.0, t, weights[3];
        for (int k = 0; k < 3; ++k) {
            triangle[k] = random_vec3(&random, 1.0);
            given[k] = random_in(&random, 0.01, 1.0);
            sum += given[k];
        }
        for (int k = 0; k < 3; ++k) {
            target = abut_add_scaled(target, given[k] / sum, triangle[k]);
        }
        abut_vec3 origin = random_vec3(&random, 3.0), direction = abut_sub(target, origin);
        abut_vec3 normal = abut_cross(abut_sub(triangle[1], triangle[0]), abut_sub(triangle[2], triangle[0]));
        double slope = fabs(abut_dot(abut_unit(normal), abut_unit(direction)));
        if (abut_norm(normal) < 0.01 || slope < 0.01) {
            continue; // seen so narrow that the tolerance below does not hold
        }
        CHECK_INT(cast(origin, direction, triangle, &t, weights), 1, "hit");
        CHECK_NEAR(t, 1.0, 1e-12, "t");
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(weights[k], given[k] / sum, 1e-10, "weight");
        }
        abut_vec3 aside = abut_scale(4.0, abut_any_perpendicular(abut_unit(direction)));
        CHECK_INT(cast(abut_add(origin, aside), direction, triangle, &t, weights), 0, "aside");
        CHECK_INT(cast(origin, abut_negate(direction), triangle, &t, weights), 0, "behind");
    }
    CHECK_DONE();
}

// A fan of triangles around a point is a bumpy disc. Rays from above to its seams and its centre, with rounded
// directions, never slip through: some triangle is hit.
static void no_gaps_at_seams(void **state)
{
    (void)state;
    test_random random = {42};
    enum { RIM = 7 };
    for (int i = 0; i < 20000; ++i) {
        abut_vec3 center = random_vec3(&random, 0.1), rim[RIM];
        abut_pose pose = {random_vec3(&random, i % 2 == 0 ? 1.0 : 1e4), random_rotation(&random)};
        for (int k = 0; k < RIM; ++k) {
            double angle = 2.0 * 3.14159265358979 * k / RIM;
            rim[k] = abut_pose_apply(pose, abut_vec3_make(cos(angle), sin(angle), random_in(&random, -0.1, 0.1)));
        }
        center = abut_pose_apply(pose, center);
        abut_vec3 origin = abut_pose_apply(pose, abut_vec3_make(0.1, 0.2, random_in(&random, 0.5, 5.0)));
        double along = i % 5 == 0 ? 0.0 : random_in(&random, 0.0, 0.7);
        abut_vec3 target = abut_lerp(center, rim[random_below(&random, RIM)], along);
        int hits = 0;
        for (int k = 0; k < RIM; ++k) {
            const abut_vec3 triangle[3] = {center, rim[k], rim[(k + 1) % RIM]};
            double t, weights[3];
            hits += cast(origin, abut_sub(target, origin), triangle, &t, weights);
        }
        CHECK(hits >= 1, "case %d slips through", i);
    }
    CHECK_DONE();
}

static void hostile_input(void **state)
{
    (void)state;
    abut_ray ray;
    abut_vec3 zero = {0, 0, 0}, up = {0, 0, 1};
    CHECK_INT(abut_ray_make(zero, zero, &ray), 0, "no direction");
    CHECK_INT(abut_ray_make(zero, abut_vec3_make(NAN, 1, 0), &ray), 0, "NaN");
    CHECK_INT(abut_ray_make(abut_vec3_make(0, HUGE_VAL, 0), up, &ray), 0, "infinite");
    double t, weights[3];
    for (int i = 0; i < 8; ++i) {
        const abut_vec3 bad[3] = {{i & 1 ? NAN : -1, -1, 1}, {1, -1, i & 2 ? NAN : 1}, {0, i & 4 ? NAN : 1, 1}};
        CHECK_INT(cast(zero, up, bad, &t, weights), i == 0, "NaN is not hit");
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_paper),         cmocka_unit_test(edge_on),       cmocka_unit_test(random_targets),
        cmocka_unit_test(no_gaps_at_seams), cmocka_unit_test(hostile_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
