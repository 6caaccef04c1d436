// SPDX-License-Identifier: MIT
// test_intersect.c: the exact intersection test of two triangles
//
// Oracle: the hulls of points a_i and b_k intersect if and only if 0 is in the hull of the nine differences a_i -
// b_k. By Caratheodory's theorem, 0 is then in the hull of at most four of them that are affinely independent. All
// choices are tried in integers: 64 bits for small grids, GMP for coordinates of 53 bits. The tested code works
// differently.
#include "check.h"
#include "effort.h"
#include "prim/grid_vec.h"
#include "prim/segment_triangle.h"
#include "prim/triangle_triangle.h"
#include "random.h"
#include <gmp.h>

static int grid_is_zero(grid_vec a)
{
    return a.x == 0 && a.y == 0 && a.z == 0;
}

static int zero_in_segment(grid_vec a, grid_vec b)
{
    return grid_is_zero(grid_cross(a, b)) && grid_dot(a, b) < 0;
}

static int zero_in_triangle(grid_vec a, grid_vec b, grid_vec c)
{
    grid_vec normal = grid_cross(grid_sub(b, a), grid_sub(c, a));
    return !grid_is_zero(normal) && grid_dot(a, normal) == 0 && grid_dot(grid_cross(a, b), normal) >= 0 &&
           grid_dot(grid_cross(b, c), normal) >= 0 && grid_dot(grid_cross(c, a), normal) >= 0;
}

// 0 = w0 a + w1 b + w2 c + w3 d, where the weights are proportional to determinants
static int zero_in_tet(grid_vec a, grid_vec b, grid_vec c, grid_vec d)
{
    int64_t w0 = grid_dot(b, grid_cross(c, d)), w1 = -grid_dot(a, grid_cross(c, d));
    int64_t w2 = grid_dot(a, grid_cross(b, d)), w3 = -grid_dot(a, grid_cross(b, c));
    int64_t sum = w0 + w1 + w2 + w3;
    return (sum > 0 && w0 >= 0 && w1 >= 0 && w2 >= 0 && w3 >= 0) ||
           (sum < 0 && w0 <= 0 && w1 <= 0 && w2 <= 0 && w3 <= 0);
}

static int zero_in_hull(const grid_vec *d, int count)
{
    for (int i = 0; i < count; ++i) {
        if (grid_is_zero(d[i])) {
            return 1;
        }
        for (int k = 0; k < i; ++k) {
            if (zero_in_segment(d[i], d[k])) {
                return 1;
            }
        }
    }
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < i; ++k) {
            for (int l = 0; l < k; ++l) {
                if (zero_in_triangle(d[i], d[k], d[l])) {
                    return 1;
                }
                for (int m = 0; m < l; ++m) {
                    if (zero_in_tet(d[i], d[k], d[l], d[m])) {
                        return 1;
                    }
                }
            }
        }
    }
    return 0;
}

// Quick rejection: whether a coordinate has the same sign in all differences, so that the boxes are apart.
static int boxes_apart(const grid_vec *d, int count)
{
    int positive[3] = {0, 0, 0}, negative[3] = {0, 0, 0};
    for (int i = 0; i < count; ++i) {
        const int64_t c[3] = {d[i].x, d[i].y, d[i].z};
        for (int k = 0; k < 3; ++k) {
            positive[k] += c[k] > 0;
            negative[k] += c[k] < 0;
        }
    }
    for (int k = 0; k < 3; ++k) {
        if (positive[k] == count || negative[k] == count) {
            return 1;
        }
    }
    return 0;
}

static int oracle(const grid_vec *a, int count_a, const grid_vec *b, int count_b)
{
    grid_vec d[9];
    for (int i = 0; i < count_a * count_b; ++i) {
        d[i] = grid_sub(a[i / count_b], b[i % count_b]);
    }
    return !boxes_apart(d, count_a * count_b) && zero_in_hull(d, count_a * count_b);
}

static abut_vec3 to_vec3(grid_vec v)
{
    return abut_vec3_make((double)v.x, (double)v.y, (double)v.z);
}

static int tested(const grid_vec a[3], const grid_vec b[3])
{
    const abut_vec3 p[3] = {to_vec3(a[0]), to_vec3(a[1]), to_vec3(a[2])};
    const abut_vec3 q[3] = {to_vec3(b[0]), to_vec3(b[1]), to_vec3(b[2])};
    return abut_triangles_intersect(p, q);
}

static void report(const char *label, const grid_vec a[3], const grid_vec b[3], int expected)
{
    CHECK(0, "%s: (%d %d %d)(%d %d %d)(%d %d %d) (%d %d %d)(%d %d %d)(%d %d %d): expected %d", label, (int)a[0].x,
          (int)a[0].y, (int)a[0].z, (int)a[1].x, (int)a[1].y, (int)a[1].z, (int)a[2].x, (int)a[2].y, (int)a[2].z,
          (int)b[0].x, (int)b[0].y, (int)b[0].z, (int)b[1].x, (int)b[1].y, (int)b[1].z, (int)b[2].x, (int)b[2].y,
          (int)b[2].z, expected);
}

static grid_vec cube_corner(int i)
{
    return (grid_vec){i & 1, i >> 1 & 1, i >> 2 & 1};
}

// All pairs of triangles whose corners are corners of a cube: every combination of triangles, segments and points.
static void all_triangles_of_a_cube(void **state)
{
    (void)state;
    for (int i = 0; i < 512; ++i) {
        const grid_vec a[3] = {cube_corner(i & 7), cube_corner(i >> 3 & 7), cube_corner(i >> 6)};
        for (int k = 0; k <= i; ++k) {
            const grid_vec b[3] = {cube_corner(k & 7), cube_corner(k >> 3 & 7), cube_corner(k >> 6)};
            int expected = oracle(a, 3, b, 3);
            if (tested(a, b) != expected) {
                report("cube", a, b, expected);
            }
        }
    }
    CHECK_DONE();
}

// Random corners on a grid of this size. Corners are often repeated, so that degenerate triangles are frequent.
static void random_grid_triangle(test_random *random, int size, grid_vec t[3])
{
    for (int i = 0; i < 3; ++i) {
        t[i] = (grid_vec){random_below(random, size), random_below(random, size), random_below(random, size)};
        if (i > 0 && random_below(random, 8) == 0) {
            t[i] = t[random_below(random, i)];
        }
    }
}

static void triangles_of_small_grids(void **state)
{
    (void)state;
    test_random random = {21};
    int met = 0, count = sample_count(100000, 10000000);
    for (int i = 0; i < count; ++i) {
        grid_vec a[3], b[3];
        int size = 3 + random_below(&random, 4);
        random_grid_triangle(&random, size, a);
        random_grid_triangle(&random, size, b);
        int expected = oracle(a, 3, b, 3);
        met += expected;
        if (tested(a, b) != expected || tested(b, a) != expected) {
            report("grid", a, b, expected);
        }
    }
    CHECK(met > count / 10 && met < count / 10 * 9, "%d of %d meet", met, count);
    CHECK_DONE();
}

static void segments_and_triangles_of_small_grids(void **state)
{
    (void)state;
    test_random random = {22};
    for (int i = 0; i < 50000; ++i) {
        grid_vec a[3], b[3];
        random_grid_triangle(&random, 4, a);
        random_grid_triangle(&random, 4, b);
        const abut_vec3 q[3] = {to_vec3(b[0]), to_vec3(b[1]), to_vec3(b[2])};
        CHECK(abut_segment_triangle_intersect(to_vec3(a[0]), to_vec3(a[1]), q) == oracle(a, 2, b, 3), "triangle %d",
              i);
        CHECK(abut_segments_intersect(to_vec3(a[0]), to_vec3(a[1]), q[0], q[1]) == oracle(a, 2, b, 2), "segment %d",
              i);
    }
    CHECK_DONE();
}

// The exact sign of the determinant of (b - a, c - a, d - a).
static int exact_orient3d(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d)
{
    const double from[3] = {a.x, a.y, a.z};
    const double to[3][3] = {{b.x, b.y, b.z}, {c.x, c.y, c.z}, {d.x, d.y, d.z}};
    mpq_t m[3][3], sum, product, origin;
    mpq_inits(sum, product, origin, NULL);
    for (int i = 0; i < 9; ++i) {
        mpq_init(m[i / 3][i % 3]);
        mpq_set_d(m[i / 3][i % 3], to[i / 3][i % 3]);
        mpq_set_d(origin, from[i % 3]);
        mpq_sub(m[i / 3][i % 3], m[i / 3][i % 3], origin);
    }
    for (int i = 0; i < 6; ++i) {
        int x = i % 3, y = (x + (i < 3 ? 1 : 2)) % 3, z = 3 - x - y;
        mpq_mul(product, m[0][x], m[1][y]);
        mpq_mul(product, product, m[2][z]);
        (i < 3 ? mpq_add : mpq_sub)(sum, sum, product);
    }
    int sign = mpq_sgn(sum);
    for (int i = 0; i < 9; ++i) {
        mpq_clear(m[i / 3][i % 3]);
    }
    mpq_clears(sum, product, origin, NULL);
    return sign;
}

// For triangles in general position, with rationals: an edge intersects a triangle if its ends are on different
// sides of the plane and all edges turn around it in the same sense. Near misses have a corner of A on B's plane,
// edge or corner, rounded.
static int exact_edge_meets(abut_vec3 p, abut_vec3 q, const abut_vec3 t[3], int *is_general)
{
    int s0 = exact_orient3d(t[0], t[1], t[2], p), s1 = exact_orient3d(t[0], t[1], t[2], q);
    int e0 = exact_orient3d(p, q, t[0], t[1]), e1 = exact_orient3d(p, q, t[1], t[2]);
    int e2 = exact_orient3d(p, q, t[2], t[0]);
    *is_general &= (s0 != 0 || s1 != 0) && (e0 != 0 || e1 != 0 || e2 != 0);
    return s0 * s1 <= 0 && ((e0 >= 0 && e1 >= 0 && e2 >= 0) || (e0 <= 0 && e1 <= 0 && e2 <= 0));
}

static void near_misses_by_rationals(void **state)
{
    (void)state;
    test_random random = {23};
    int met = 0, general = 0, count = sample_count(8000, 400000);
    for (int i = 0; i < count; ++i) {
        abut_vec3 a[3], b[3];
        for (int k = 0; k < 3; ++k) {
            a[k] = random_vec3(&random, 1.0);
            b[k] = random_vec3(&random, 1.0);
        }
        double u = random_in(&random, 0.0, 1.0), v = random_below(&random, 2) == 0 ? 0.0 : 1.0 - u;
        a[0] = abut_add(abut_scale(u, b[0]), abut_add(abut_scale(v, b[1]), abut_scale(1.0 - u - v, b[2])));
        if (i % 3 == 0) {
            a[1] = abut_lerp(b[0], b[1], random_in(&random, -1.0, 2.0)); // an edge along B's plane
        }
        int is_general = 1, expected = 0;
        for (int k = 0; k < 3; ++k) {
            expected |= exact_edge_meets(a[k], a[(k + 1) % 3], b, &is_general);
            expected |= exact_edge_meets(b[k], b[(k + 1) % 3], a, &is_general);
        }
        if (is_general) {
            ++general;
            met += expected;
            CHECK(abut_triangles_intersect(a, b) == expected, "case %d", i);
            CHECK(abut_triangles_intersect(b, a) == expected, "case %d swapped", i);
        }
    }
    CHECK(general > count / 2 && met > count / 10 && met < general - count / 10, "%d %d", general, met);
    CHECK_DONE();
}

// The distance is 0 if and only if the triangles intersect, and then the common point is on both.
static void distance_agrees_with_intersection(void **state)
{
    (void)state;
    test_random random = {24};
    for (int i = 0; i < 20000; ++i) {
        grid_vec a[3], b[3];
        random_grid_triangle(&random, 5, a);
        random_grid_triangle(&random, 5, b);
        const abut_vec3 p[3] = {to_vec3(a[0]), to_vec3(a[1]), to_vec3(a[2])};
        const abut_vec3 q[3] = {to_vec3(b[0]), to_vec3(b[1]), to_vec3(b[2])};
        abut_vec3 on_a, on_b, x, y;
        double squared = abut_triangle_triangle_distance_squared(p, q, &on_a, &on_b);
        CHECK((squared == 0.0) == abut_triangles_intersect(p, q), "case %d: %g", i, squared);
        if (squared == 0.0) {
            const abut_vec3 point[3] = {on_a, on_a, on_a};
            CHECK(abut_norm(abut_sub(on_a, on_b)) == 0.0, "one point");
            CHECK_NEAR(sqrt(abut_triangle_triangle_distance_squared(point, p, &x, &y)), 0.0, 1e-14, "on a");
            CHECK_NEAR(sqrt(abut_triangle_triangle_distance_squared(point, q, &x, &y)), 0.0, 1e-14, "on b");
        } else {
            CHECK(squared > 1e-6, "grid triangles that do not meet are well apart: %g", squared);
        }
    }
    CHECK_DONE();
}

static void not_finite_meets_nothing(void **state)
{
    (void)state;
    const abut_vec3 good[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    for (int i = 0; i < 9; ++i) {
        abut_vec3 bad[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
        (i % 3 == 0 ? &bad[i / 3].x : i % 3 == 1 ? &bad[i / 3].y : &bad[i / 3].z)[0] = i % 2 == 0 ? NAN : HUGE_VAL;
        CHECK(!abut_triangles_intersect(good, bad) && !abut_triangles_intersect(bad, good), "%d", i);
    }
    CHECK_DONE();
}

// Scaling by powers of two changes nothing, even to sizes of 1e-300 and 1e300.
static void scale_changes_nothing(void **state)
{
    (void)state;
    test_random random = {25};
    for (int i = 0; i < 2000; ++i) {
        grid_vec a[3], b[3];
        random_grid_triangle(&random, 4, a);
        random_grid_triangle(&random, 4, b);
        double scale = ldexp(1.0, 996 * (i % 2 == 0 ? 1 : -1));
        abut_vec3 p[3], q[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = abut_scale(scale, to_vec3(a[k]));
            q[k] = abut_scale(scale, to_vec3(b[k]));
        }
        CHECK(abut_triangles_intersect(p, q) == oracle(a, 3, b, 3), "case %d", i);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_triangles_of_a_cube),
        cmocka_unit_test(triangles_of_small_grids),
        cmocka_unit_test(segments_and_triangles_of_small_grids),
        cmocka_unit_test(near_misses_by_rationals),
        cmocka_unit_test(distance_agrees_with_intersection),
        cmocka_unit_test(not_finite_meets_nothing),
        cmocka_unit_test(scale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
