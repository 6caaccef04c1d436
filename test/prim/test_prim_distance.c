// SPDX-License-Identifier: MIT
// test_prim_distance.c: distances of points, segments, triangles and tetrahedra
//
// All of these are distances of two convex hulls A and B of a few corners. They are tested in three ways.
//
// With known answers: choose a plane. Some corners of A are on it, the others below. Some corners of B are a gap
// above it, the others higher. Move B along the plane until a point between the chosen corners of A is below a point
// between those of B. Then the distance is the gap. The choice of corners covers all regions of nearest features.
// "Below" by 0 or 1e-12 covers the borders of the regions.
//
// With a certificate: points x of A and y of B are nearest if and only if, in the direction y - x, no corner of A is
// beyond x and no corner of B is before y.
//
// With symmetry: swapping A and B changes no bit; moving and scaling both only scales the distance.
#include "check.h"
#include "prim/point_segment.h"
#include "prim/point_tet.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"
#include "prim/triangle_triangle.h"
#include "random.h"
#include <stdlib.h>

typedef struct hulls {
    abut_vec3 a[4], b[4];
    int count_a, count_b; // corners: 1 point, 2 segment, 3 triangle, 4 tetrahedron
} hulls;

typedef struct answer {
    double squared;
    abut_vec3 on_a, on_b;
} answer;

static const int kinds[][2] = {{1, 2}, {1, 3}, {1, 4}, {2, 2}, {3, 3}};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static answer distance(const hulls *h)
{
    answer result = {-1.0, h->a[0], h->b[0]};
    double s, t, weights[4];
    if (h->count_a == 1 && h->count_b == 2) {
        result.squared = abut_point_segment_distance_squared(h->a[0], h->b[0], h->b[1], &t);
        result.on_b = abut_lerp(h->b[0], h->b[1], t);
    } else if (h->count_a == 1 && h->count_b == 3) {
        result.squared = abut_point_triangle_distance_squared(h->a[0], h->b, weights);
        result.on_b = abut_triangle_point(h->b, weights);
    } else if (h->count_a == 1) {
        result.squared = abut_point_tet_distance_squared(h->a[0], h->b, weights);
        result.on_b = abut_tet_point(h->b, weights);
    } else if (h->count_a == 2) {
        result.squared = abut_segment_segment_distance_squared(h->a[0], h->a[1], h->b[0], h->b[1], &s, &t);
        result.on_a = abut_lerp(h->a[0], h->a[1], s);
        result.on_b = abut_lerp(h->b[0], h->b[1], t);
    } else {
        result.squared = abut_triangle_triangle_distance_squared(h->a, h->b, &result.on_a, &result.on_b);
    }
    return result;
}

// How far the worst corner is beyond its point of the pair; 0 for the nearest pair.
static double certificate(const hulls *h, answer result)
{
    abut_vec3 difference = abut_sub(result.on_b, result.on_a);
    double worst = 0.0;
    for (int i = 0; i < h->count_a; ++i) {
        worst = fmax(worst, abut_dot(abut_sub(h->a[i], result.on_a), difference));
    }
    for (int i = 0; i < h->count_b; ++i) {
        worst = fmax(worst, -abut_dot(abut_sub(h->b[i], result.on_b), difference));
    }
    return worst;
}

static void move(hulls *h, abut_pose pose, double scale)
{
    for (int i = 0; i < 4; ++i) {
        h->a[i] = abut_scale(scale, abut_pose_apply(pose, h->a[i]));
        h->b[i] = abut_scale(scale, abut_pose_apply(pose, h->b[i]));
    }
}

// Corners around a point at (x, y): `active` corners at height 0, others at `lift`, in a random order of corners.
static void build_hull(test_random *random, abut_vec3 *corners, int count, int active, double lift)
{
    double weights[4], sum = 0.0;
    abut_vec3 center = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        corners[i] = random_vec3(random, 1.0);
        corners[i].z = i < active ? 0.0 : lift * random_in(random, 0.5, 1.0);
        weights[i] = i < active ? random_in(random, 0.1, 1.0) : 0.0;
        sum += weights[i];
    }
    for (int i = 0; i < active; ++i) {
        center = abut_add_scaled(center, weights[i] / sum, corners[i]);
    }
    for (int i = 0; i < count; ++i) {
        corners[i] = abut_sub(corners[i], center);
    }
    for (int i = count - 1; i > 0; --i) {
        int k = random_below(random, i + 1);
        abut_vec3 corner = corners[i];
        corners[i] = corners[k];
        corners[k] = corner;
    }
}

static void every_region_has_its_gap(void **state)
{
    (void)state;
    test_random random = {11};
    static const double lifts[] = {0.0, 1e-12, 0.5}, gaps[] = {0.0, 1e-12, 0.1, 1.0};
    for (int i = 0; i < 60000; ++i) {
        const int *kind = kinds[i % KIND_COUNT];
        hulls h = {.count_a = kind[0], .count_b = kind[1]};
        double gap = gaps[random_below(&random, 4)];
        build_hull(&random, h.a, h.count_a, 1 + random_below(&random, h.count_a), -lifts[random_below(&random, 3)]);
        build_hull(&random, h.b, h.count_b, 1 + random_below(&random, h.count_b), lifts[random_below(&random, 3)]);
        for (int k = 0; k < h.count_b; ++k) {
            h.b[k].z += gap;
        }
        double scale = exp2(random_below(&random, 40) - 20);
        move(&h, abut_pose_make(random_vec3(&random, 1.0), random_rotation(&random)), scale);
        answer result = distance(&h);
        double points = abut_norm(abut_sub(result.on_b, result.on_a));
        // Coordinates below 8 are rounded by up to 1e-15, here and in the move. Weights in flat tetrahedra are less
        // accurate.
        CHECK(fabs(sqrt(result.squared) - scale * gap) <= 1e-14 * scale, "case %d, %d to %d, gap %g: %.17g", i,
              kind[0], kind[1], gap, sqrt(result.squared) / scale);
        CHECK(fabs(points - scale * gap) <= 1e-13 * scale, "points, case %d, gap %g: %.17g", i, gap,
              points / scale);
    }
    CHECK_DONE();
}

// Corners from a small grid, from a cube, on a needle of width 1e-9, or in a plane.
static abut_vec3 random_corner(test_random *random, int style)
{
    abut_vec3 p = random_vec3(random, 1.0);
    switch (style) {
    case 0: return abut_vec3_make(random_below(random, 3), random_below(random, 3), random_below(random, 3));
    case 1: return abut_vec3_make(p.x, p.y * 1e-9, p.z * 1e-9);
    case 2: return abut_vec3_make(p.x, p.y, 0.0);
    default: return p;
    }
}

static void nearest_pairs_have_certificates(void **state)
{
    (void)state;
    test_random random = {12};
    for (int i = 0; i < 80000; ++i) {
        const int *kind = kinds[i % KIND_COUNT];
        hulls h = {.count_a = kind[0], .count_b = kind[1]};
        int style_a = random_below(&random, 4), style_b = random_below(&random, 4);
        for (int k = 0; k < 4; ++k) {
            h.a[k] = random_corner(&random, style_a);
            h.b[k] = random_corner(&random, style_b);
        }
        answer result = distance(&h);
        double squared = abut_norm_squared(abut_sub(result.on_b, result.on_a));
        CHECK(certificate(&h, result) <= 1e-14, "case %d, %d to %d, styles %d %d: %g", i, kind[0], kind[1], style_a,
              style_b, certificate(&h, result));
        CHECK(fabs(sqrt(squared) - sqrt(result.squared)) <= 2e-15, "case %d: %g %g", i, squared, result.squared);
    }
    CHECK_DONE();
}

static void swap_motion_and_scale_change_nothing(void **state)
{
    (void)state;
    test_random random = {13};
    for (int i = 0; i < 20000; ++i) {
        int count = 2 + i % 2;
        hulls h = {.count_a = count, .count_b = count}, swapped = {.count_a = count, .count_b = count};
        int style = random_below(&random, 4);
        for (int k = 0; k < 4; ++k) {
            h.a[k] = swapped.b[k] = random_corner(&random, style);
            h.b[k] = swapped.a[k] = random_corner(&random, style);
        }
        answer result = distance(&h), other = distance(&swapped);
        CHECK(result.squared == other.squared, "swap, case %d: %.17g %.17g", i, result.squared, other.squared);
        hulls scaled = h;
        move(&scaled, abut_pose_identity(), 0x1p-40);
        other = distance(&scaled);
        CHECK(result.squared == 0x1p80 * other.squared, "scale, case %d: %.17g", i, result.squared);
        move(&h, abut_pose_make(random_vec3(&random, 1.0), random_rotation(&random)), 1.0);
        other = distance(&h);
        // If segments nearly touch and are nearly parallel, the square is right up to rounding, but its root is not.
        CHECK_NEAR(other.squared, result.squared, 3e-14, "motion");
    }
    CHECK_DONE();
}

// At a corner or edge, the other weights are 0. The triangles on both sides of an edge give the same bits.
static void triangles_agree_on_their_edge(void **state)
{
    (void)state;
    test_random random = {14};
    int shared = 0;
    for (int i = 0; i < 20000; ++i) {
        abut_vec3 a = random_vec3(&random, 1.0), b = random_vec3(&random, 1.0), p = random_vec3(&random, 2.0);
        abut_vec3 left[3] = {a, b, random_vec3(&random, 1.0)}, right[3] = {b, a, random_vec3(&random, 1.0)};
        double wl[3], wr[3];
        double dl = abut_point_triangle_distance_squared(p, left, wl);
        double dr = abut_point_triangle_distance_squared(p, right, wr);
        CHECK(wl[0] >= 0.0 && wl[1] >= 0.0 && wl[2] >= 0.0, "case %d", i);
        CHECK_NEAR(wl[0] + wl[1] + wl[2], 1.0, 1e-15, "sum of weights");
        if (wl[2] == 0.0 && wr[2] == 0.0 && (wl[0] > 0.0 || wr[1] == 0.0) && (wl[1] > 0.0 || wr[0] == 0.0)) {
            CHECK(dl == dr, "case %d: %.17g %.17g", i, dl, dr);
            ++shared;
        }
    }
    CHECK(shared > 500, "%d shared", shared);
    CHECK_DONE();
}

// The border belongs to a tetrahedron. A point that is outside by the smallest amount is outside.
static void tets_are_solid(void **state)
{
    (void)state;
    const abut_vec3 tet[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const abut_vec3 mirrored[4] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
    test_random random = {15};
    for (int i = 0; i < 1000; ++i) {
        abut_vec3 p = {random_below(&random, 5) / 4.0, random_below(&random, 5) / 4.0,
                       random_below(&random, 5) / 4.0};
        int is_inside = p.x + p.y + p.z <= 1.0;
        double weights[4];
        double squared = abut_point_tet_distance_squared(p, tet, weights);
        CHECK((squared == 0.0) == is_inside, "%g %g %g: %g", p.x, p.y, p.z, squared);
        CHECK(abut_point_tet_distance_squared(p, mirrored, weights) == squared, "mirrored");
        if (is_inside) {
            CHECK(abut_norm(abut_sub(abut_tet_point(mirrored, weights), p)) <= 1e-15, "weights");
        }
    }
    double weights[4];
    CHECK(abut_point_tet_distance_squared(abut_vec3_make(0.25, 0.25, -1e-300), tet, weights) == 0.0, "underflow");
    CHECK_NEAR(abut_point_tet_distance_squared(abut_vec3_make(0.25, 0.25, -1e-17), tet, weights), 1e-34, 1e-40,
               "out");
    CHECK_DONE();
}

// NaN neither hangs nor crashes, and gives no valid distance.
static void nan_gives_no_distance(void **state)
{
    (void)state;
    for (int i = 0; i < KIND_COUNT; ++i) {
        hulls h = {.count_a = kinds[i][0], .count_b = kinds[i][1]};
        for (int k = 0; k < 4; ++k) {
            h.a[k] = h.b[k] = abut_vec3_make(NAN, 0.0, 1.0);
        }
        double squared = distance(&h).squared;
        CHECK(isnan(squared) || squared == HUGE_VAL, "%g", squared);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_region_has_its_gap),
        cmocka_unit_test(nearest_pairs_have_certificates),
        cmocka_unit_test(swap_motion_and_scale_change_nothing),
        cmocka_unit_test(triangles_agree_on_their_edge),
        cmocka_unit_test(tets_are_solid),

        cmocka_unit_test(nan_gives_no_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
