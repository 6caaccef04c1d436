// SPDX-License-Identifier: MIT
// test_tets.c: separating axes, meeting points, nearest points and growth of two tetrahedra
//
// Oracles:
// - touching and overlapping: the separating axes in integers, which is exact;
// - meeting points: the corners of the intersection of eight half-spaces, from every three planes;
// - least overlap: random directions;
// - nearest points: the two planes through them;
// - growth: bisection.
#include "check.h"
#include "prim/grid_vec.h"
#include "prim/point_tet.h"
#include "prim/tet_growth.h"
#include "random.h"

enum { ROUND_COUNT = 1200 };

static const double parallel = 1e-6;

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

static abut_tet random_tet(test_random *random, abut_vec3 center)
{
    for (;;) {
        abut_vec3 corners[4];
        for (int i = 0; i < 4; ++i) {
            corners[i] = abut_add(center, random_vec3(random, 1.0));
        }
        abut_tet tet;
        double volume = abut_dot(abut_cross(abut_sub(corners[1], corners[0]), abut_sub(corners[2], corners[0])),
                                 abut_sub(corners[3], corners[0]));
        if (fabs(volume) > 0.1 && abut_tet_make(corners, &tet)) {
            return tet;
        }
    }
}

static double inner_height(const abut_tet *tet, abut_vec3 p)
{
    double highest = -HUGE_VAL;
    for (int k = 0; k < 4; ++k) {
        highest = fmax(highest, abut_tet_height(tet, k, p));
    }
    return highest;
}

// ---- the corners of eight half-spaces

static abut_vec3 plane_point(const abut_tet *tets[2], int plane)
{
    return tets[plane / 4]->corners[(plane + 1) % 4];
}

/// Returns 0 if the planes do not have a single common point.
static int common_point(const abut_tet *tets[2], const int planes[3], abut_vec3 *p)
{
    abut_vec3 n[3];
    double d[3];
    for (int i = 0; i < 3; ++i) {
        n[i] = tets[planes[i] / 4]->normals[planes[i] % 4];
        d[i] = abut_dot(n[i], plane_point(tets, planes[i]));
    }
    double det = abut_dot(n[0], abut_cross(n[1], n[2]));
    if (fabs(det) < 1e-6) {
        return 0;
    }
    abut_vec3 sum = abut_scale(d[0], abut_cross(n[1], n[2]));
    sum = abut_add_scaled(sum, d[1], abut_cross(n[2], n[0]));
    sum = abut_add_scaled(sum, d[2], abut_cross(n[0], n[1]));
    *p = abut_scale(1.0 / det, sum);
    return 1;
}

static int half_space_corners(const abut_tet *tets[2], abut_vec3 corners[56])
{
    int count = 0;
    for (int i = 0; i < 8; ++i) {
        for (int k = 0; k < i; ++k) {
            for (int l = 0; l < k; ++l) {
                const int planes[3] = {i, k, l};
                abut_vec3 p;
                if (common_point(tets, planes, &p) && inner_height(tets[0], p) <= 1e-9 &&
                    inner_height(tets[1], p) <= 1e-9) {
                    corners[count++] = p;
                }
            }
        }
    }
    return count;
}

static int is_among(abut_vec3 p, const abut_vec3 *points, int count)
{
    for (int i = 0; i < count; ++i) {
        if (abut_norm(abut_sub(p, points[i])) <= 1e-8) {
            return 1;
        }
    }
    return 0;
}

// The points are exactly the corners of the common part. Their features are right: a corner has the position of its
// corner, and a point of an edge and a face is on both.
static void points_are_the_corners_of_the_common_part(void **state)
{
    (void)state;
    test_random random = {11};
    int overlapping = 0;
    for (int round = 0; round < ROUND_COUNT; ++round) {
        abut_tet a = random_tet(&random, v3(0, 0, 0)), b = random_tet(&random, random_vec3(&random, 1.0));
        const abut_tet *tets[2] = {&a, &b};
        abut_vec3 expected[56], found[ABUT_TET_POINT_LIMIT];
        int expected_count = half_space_corners(tets, expected);
        abut_tet_meeting meeting = {.reach = 1e-12, .tolerance = 1e-10, .parallel = parallel};
        abut_meeting_point points[ABUT_TET_POINT_LIMIT];
        int count = abut_tet_points(&a, &b, &meeting, points);
        overlapping += count > 0;
        for (int i = 0; i < count; ++i) {
            const abut_meeting_point *p = &points[i];
            found[i] = p->position;
            CHECK(is_among(p->position, expected, expected_count), "round %d: point %d is no corner", round, i);
            const abut_tet *own = tets[p->side], *other = tets[1 - p->side];
            if (p->corner >= 0) {
                CHECK_NEAR(abut_norm(abut_sub(p->position, own->corners[p->corner])), 0.0, 0.0, "its corner");
            } else {
                for (int k = 0; k < 2; ++k) {
                    double height = abut_tet_height(own, abut_tet_edges[5 - p->edge][k], p->position);
                    CHECK_NEAR(height, 0.0, 1e-12, "on the faces at its edge");
                }
                CHECK_NEAR(abut_tet_height(other, p->other_face, p->position), 0.0, 1e-12, "on the other's face");
            }
        }
        for (int i = 0; i < expected_count; ++i) {
            CHECK(is_among(expected[i], found, count), "round %d: corner %d is missing", round, i);
        }
    }
    CHECK(overlapping > ROUND_COUNT / 4 && overlapping < ROUND_COUNT, "%d overlap", overlapping);
    CHECK_DONE();
}

// The points on a face are those in its plane.
static void points_on_a_face_are_in_its_plane(void **state)
{
    (void)state;
    test_random random = {12};
    int on = 0, off = 0;
    for (int round = 0; round < ROUND_COUNT; ++round) {
        abut_tet a = random_tet(&random, v3(0, 0, 0)), b = random_tet(&random, random_vec3(&random, 1.0));
        abut_tet_meeting meeting = {.reach = 1e-12, .tolerance = 1e-10, .parallel = parallel};
        abut_meeting_point points[ABUT_TET_POINT_LIMIT];
        int count = abut_tet_points(&a, &b, &meeting, points);
        for (int i = 0; i < 4 * count; ++i) {
            int is_in_plane = fabs(abut_tet_height(&a, i % 4, points[i / 4].position)) <= 1e-10;
            CHECK_INT(abut_tet_is_on_face(&a, i % 4, points[i / 4].position, 1e-10), is_in_plane, "on the face");
            on += is_in_plane;
            off += !is_in_plane;
        }
    }
    CHECK(on > 500 && off > 500, "%d and %d points", on, off);
    CHECK_DONE();
}

// ---- touching, in integers

static int separates(const grid_vec a[4], const grid_vec b[4], grid_vec axis)
{
    int64_t lower[2] = {INT64_MAX, INT64_MAX}, upper[2] = {INT64_MIN, INT64_MIN};
    for (int i = 0; i < 8; ++i) {
        grid_vec p = i < 4 ? a[i] : b[i - 4];
        int64_t x = grid_dot(p, axis);
        lower[i / 4] = x < lower[i / 4] ? x : lower[i / 4];
        upper[i / 4] = x > upper[i / 4] ? x : upper[i / 4];
    }
    return upper[0] < lower[1] || upper[1] < lower[0];
}

static int grid_meets(const grid_vec a[4], const grid_vec b[4])
{
    for (int i = 0; i < 6; ++i) {
        grid_vec e = grid_sub(a[abut_tet_edges[i][0]], a[abut_tet_edges[i][1]]);
        for (int k = 0; k < 6; ++k) {
            grid_vec f = grid_sub(b[abut_tet_edges[k][0]], b[abut_tet_edges[k][1]]);
            grid_vec g = grid_sub(a[abut_tet_edges[k][0]], a[abut_tet_edges[k][1]]);
            grid_vec h = grid_sub(b[abut_tet_edges[i][0]], b[abut_tet_edges[i][1]]);
            if (separates(a, b, grid_cross(e, f)) || separates(a, b, grid_cross(e, g)) ||
                separates(a, b, grid_cross(h, f))) {
                return 0;
            }
        }
    }
    return 1;
}

static int grid_tet(test_random *random, grid_vec grid[4], abut_tet *tet)
{
    abut_vec3 corners[4];
    for (int i = 0; i < 4; ++i) {
        grid[i] = (grid_vec){random_below(random, 4), random_below(random, 4), random_below(random, 4)};
        corners[i] = v3((double)grid[i].x, (double)grid[i].y, (double)grid[i].z);
    }
    return abut_tet_make(corners, tet);
}

// On a grid of 4 x 4 x 4 most pairs touch in a corner, an edge or a face. With a reach far below the spacing of the
// grid, a pair has axes and points if and only if it touches or overlaps, and every point is in both.
static void touching_pairs_have_points(void **state)
{
    (void)state;
    test_random random = {13};
    int met = 0, apart = 0;
    while (met + apart < 10 * ROUND_COUNT) {
        grid_vec grid_a[4], grid_b[4];
        abut_tet a, b;
        if (!grid_tet(&random, grid_a, &a) || !grid_tet(&random, grid_b, &b)) {
            continue;
        }
        int meets = grid_meets(grid_a, grid_b);
        abut_tet_axis axes[ABUT_TET_AXIS_LIMIT];
        abut_tet_meeting meeting = {.reach = 1e-9, .tolerance = 1e-9, .parallel = parallel};
        abut_meeting_point points[ABUT_TET_POINT_LIMIT];
        int axis_count = abut_tet_axes(&a, &b, parallel, 1e-9, axes);
        int count = abut_tet_points(&a, &b, &meeting, points);
        CHECK((axis_count > 0) == meets, "pair %d: axes, %d", met + apart, meets);
        CHECK((count > 0) == meets, "pair %d: %d points, %d", met + apart, count, meets);
        for (int i = 0; i < count; ++i) {
            double weights[4];
            CHECK(abut_point_tet_distance_squared(points[i].position, a.corners, weights) <= 1e-18 &&
                      abut_point_tet_distance_squared(points[i].position, b.corners, weights) <= 1e-18,
                  "pair %d: point %d is in both", met + apart, i);
        }
        met += meets;
        apart += !meets;
    }
    CHECK(met > ROUND_COUNT && apart > ROUND_COUNT, "%d meet, %d apart", met, apart);
    CHECK_DONE();
}

// A pair with a gap has points if the reach is above the gap, and none if it is below.
static void reach_is_the_distance(void **state)
{
    (void)state;
    test_random random = {14};
    int tried = 0;
    for (int round = 0; round < ROUND_COUNT; ++round) {
        abut_tet a = random_tet(&random, v3(0, 0, 0)), b = random_tet(&random, random_vec3(&random, 2.5));
        abut_tet_axis axes[ABUT_TET_AXIS_LIMIT];
        abut_vec3 on_a, on_b;
        if (abut_tet_axes(&a, &b, parallel, 1e-3, axes) > 0) {
            continue;
        }
        ++tried;
        double gap = sqrt(abut_tet_tet_distance_squared(&a, &b, &on_a, &on_b));
        for (int above = 0; above < 2; ++above) {
            double reach = (above ? 1.0 + 1e-9 : 1.0 - 1e-9) * gap;
            abut_tet_meeting meeting = {.reach = reach, .tolerance = 1e-9, .parallel = parallel};
            abut_meeting_point points[ABUT_TET_POINT_LIMIT];
            int count = abut_tet_points(&a, &b, &meeting, points);
            CHECK((count > 0) == above, "round %d: %d points at a reach of %g, distance %g", round, count, reach,
                  gap);
        }
    }
    CHECK(tried > ROUND_COUNT / 4, "%d tried", tried);
    CHECK_DONE();
}

// ---- axes and distance

static double overlap_along(const abut_tet *a, const abut_tet *b, abut_vec3 direction)
{
    double upper = -HUGE_VAL, lower = HUGE_VAL;
    for (int i = 0; i < 4; ++i) {
        upper = fmax(upper, abut_dot(direction, a->corners[i]));
        lower = fmin(lower, abut_dot(direction, b->corners[i]));
    }
    return upper - lower;
}

// The least overlap along the axes is the least over all directions.
static void least_overlap_is_the_least_of_all_directions(void **state)
{
    (void)state;
    test_random random = {15};
    int tried = 0;
    for (int round = 0; round < ROUND_COUNT; ++round) {
        abut_tet a = random_tet(&random, v3(0, 0, 0)), b = random_tet(&random, random_vec3(&random, 1.0));
        abut_tet_axis axes[ABUT_TET_AXIS_LIMIT];
        int count = abut_tet_axes(&a, &b, parallel, 0.0, axes);
        double least = HUGE_VAL;
        for (int i = 0; i < count; ++i) {
            CHECK_NEAR(axes[i].forward, overlap_along(&a, &b, axes[i].direction), 1e-14, "forward");
            CHECK_NEAR(axes[i].backward, overlap_along(&a, &b, abut_negate(axes[i].direction)), 1e-14, "backward");
            least = fmin(least, fmin(axes[i].forward, axes[i].backward));
        }
        for (int i = 0; i < 50 && count > 0; ++i) {
            CHECK(overlap_along(&a, &b, random_unit(&random)) >= least - 1e-14, "round %d", round);
        }
        tried += count > 0;
    }
    CHECK(tried > ROUND_COUNT / 4, "%d tried", tried);
    CHECK_DONE();
}

// Nearest points: in the direction between them, no corner of A is beyond A's point and no corner of B is before B's
// point. Both points are in their tetrahedra. Together this proves the distance.
static void check_nearest(const abut_vec3 a[4], const abut_vec3 b[4], double squared, abut_vec3 on_a,
                          abut_vec3 on_b)
{
    abut_vec3 r = abut_sub(on_b, on_a);
    double weights[4], length = abut_norm(r);
    CHECK_NEAR(length * length, squared, 1e-13, "distance");
    CHECK(abut_point_tet_distance_squared(on_a, a, weights) <= 1e-26, "on A");
    CHECK(abut_point_tet_distance_squared(on_b, b, weights) <= 1e-26, "on B");
    for (int k = 0; k < 4; ++k) {
        CHECK(abut_dot(abut_sub(a[k], on_a), r) <= 1e-12, "A's corner %d", k);
        CHECK(abut_dot(abut_sub(b[k], on_b), r) >= -1e-12, "B's corner %d", k);
    }
}

static void nearest_points_have_planes_between_them(void **state)
{
    (void)state;
    test_random random = {16};
    int tried = 0;
    for (int round = 0; round < ROUND_COUNT; ++round) {
        abut_tet a = random_tet(&random, v3(0, 0, 0)), b = random_tet(&random, random_vec3(&random, 2.5));
        abut_tet_axis axes[ABUT_TET_AXIS_LIMIT];
        if (abut_tet_axes(&a, &b, parallel, 0.0, axes) > 0) {
            continue;
        }
        ++tried;
        abut_vec3 on_a, on_b;
        double squared = abut_tet_tet_distance_squared(&a, &b, &on_a, &on_b);
        check_nearest(a.corners, b.corners, squared, on_a, on_b);
    }
    CHECK(tried > ROUND_COUNT / 4, "%d tried", tried);
    CHECK_DONE();
}

// ---- growth

static double distance_at(const abut_tet *a, const abut_tet *b, double scale)
{
    abut_tet scaled_a = abut_tet_scaled(a, scale), scaled_b = abut_tet_scaled(b, scale);
    abut_tet_axis axes[ABUT_TET_AXIS_LIMIT];
    abut_vec3 on_a, on_b;
    return abut_tet_axes(&scaled_a, &scaled_b, parallel, 0.0, axes) > 0
               ? 0.0
               : sqrt(abut_tet_tet_distance_squared(&scaled_a, &scaled_b, &on_a, &on_b));
}

/// The scale at which the distance is delta. The distance falls from that of the centres at scale 0 to 0 at scale 1.
static double bisect(const abut_tet *a, const abut_tet *b, double delta)
{
    double lower = 1e-4, upper = 1.0;
    for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (lower + upper);
        if (distance_at(a, b, middle) > delta) {
            lower = middle;
        } else {
            upper = middle;
        }
    }
    return upper;
}

static abut_tet stretched(const abut_tet *tet, abut_vec3 center, abut_vec3 factors)
{
    abut_vec3 corners[4];
    for (int i = 0; i < 4; ++i) {
        abut_vec3 p = abut_sub(tet->corners[i], center);
        corners[i] = abut_add(center, v3(factors.x * p.x, factors.y * p.y, factors.z * p.z));
    }
    abut_tet made;
    assert_true(abut_tet_make(corners, &made));
    return made;
}

// Overlapping pairs stop at a distance from delta / 10 to delta (docs/methods/growth.md), so between the scale at
// which it is delta and the scale at which they touch. If they are closer than delta when they are first apart, they
// stop there. In every other pair A is flattened to a twentieth along y and B is as small. Then the separation is
// often nearly perpendicular to the line of the centres, the steps of the paper are too short, and the longer steps
// must finish.
static void growth_stops_between_a_tenth_and_all_of_delta(void **state)
{
    (void)state;
    test_random random = {17};
    int tried = 0, slow = 0;
    for (int round = 0; round < ROUND_COUNT; ++round) {
        abut_vec3 center = random_vec3(&random, 1.2);
        abut_tet a = random_tet(&random, v3(0, 0, 0)), b = random_tet(&random, center);
        if (round % 2) {
            center.y *= 0.05;
            a = stretched(&a, v3(0, 0, 0), v3(1.0, 0.05, 1.0));
            b = random_tet(&random, center);
            b = stretched(&b, center, v3(0.05, 0.05, 0.05));
        }
        abut_tet_axis axes[ABUT_TET_AXIS_LIMIT];
        abut_tet_growth_params params = {.axes = axes, .tolerance = 1e-9};
        params.axis_count = abut_tet_axes(&a, &b, parallel, 1e-9, axes);
        abut_vec3 between = abut_sub(abut_tet_center(&a), abut_tet_center(&b));
        if (params.axis_count == 0 || abut_norm(between) < 0.01) {
            continue;
        }
        ++tried;
        abut_tet_growth growth;
        double delta = abut_tet_growth_target(&a, &b);
        CHECK(abut_tet_grow(&a, &b, &params, &growth), "round %d", round);
        double distance = abut_norm(growth.separation);
        CHECK_NEAR(distance, distance_at(&a, &b, growth.scale), 1e-12, "the separation at its scale");
        CHECK(distance <= delta, "round %d: %g of %g", round, distance, delta);
        CHECK(growth.steps == 0 || distance >= 0.1 * delta * (1.0 - 1e-9), "round %d: %g of %g", round, distance,
              delta);
        CHECK(growth.scale >= bisect(&a, &b, delta) * (1.0 - 1e-9), "round %d: scale %g", round, growth.scale);
        CHECK(!growth.is_capped, "round %d: %d steps", round, growth.steps);
        slow += growth.is_slow;
    }
    CHECK(tried > ROUND_COUNT / 8 && slow > 0 && slow < tried / 2, "%d tried, %d slow", tried, slow);
    CHECK_DONE();
}

// A is the corner tetrahedron of a unit cube, and B is A mirrored at the plane x = 0.2. The centres are at x = 0.25
// and x = 0.15, with the same y and z. Along x, A reaches from 0 to 1 and B from -0.6 to 0.4. A's face x = 0 is 0.25
// below its centre, and B's face x = 0.4 is 0.25 above its centre. At scale t, A's face is at 0.25 - 0.25 t and B's
// at 0.15 + 0.25 t, so they touch at t = 0.2. The diameters are sqrt(2), so delta is sqrt(2) / 100. The gap 0.1 -
// 0.5 t is delta at t = 0.2 - sqrt(2) / 50. The direction from A to B is -x.
static void growth_of_mirrored_corners(void **state)
{
    (void)state;
    const abut_vec3 corners_a[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const abut_vec3 corners_b[4] = {{0.4, 0, 0}, {-0.6, 0, 0}, {0.4, 1, 0}, {0.4, 0, 1}};
    abut_tet a, b;
    assert_true(abut_tet_make(corners_a, &a) && abut_tet_make(corners_b, &b));
    abut_tet_axis axes[ABUT_TET_AXIS_LIMIT];
    abut_tet_growth_params params = {.axes = axes, .tolerance = 1e-9};
    params.axis_count = abut_tet_axes(&a, &b, parallel, 1e-9, axes);
    double delta = sqrt(2.0) / 100.0;
    CHECK_NEAR(abut_tet_growth_target(&a, &b), delta, 1e-15, "delta");
    abut_tet_growth growth;
    assert_true(abut_tet_grow(&a, &b, &params, &growth));
    CHECK_NEAR(abut_unit(growth.separation).x, -1.0, 1e-12, "direction");
    CHECK_NEAR(-growth.separation.x, 0.1 - 0.5 * growth.scale, 1e-12, "distance");
    CHECK(growth.scale >= 0.2 - 2.0 * delta - 1e-12 && growth.scale <= 0.2 - 0.2 * delta + 1e-12, "scale %g",
          growth.scale);
    CHECK_NEAR(bisect(&a, &b, delta), 0.2 - 2.0 * delta, 1e-9, "bisection");
    CHECK_DONE();
}

// Coincident centres give no direction. Nearly coincident ones do, down to a thousandth of the size.
static void coincident_centres_have_no_growth(void **state)
{
    (void)state;
    const abut_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double shifts[] = {0.0, 1e-9, 1e-2};
    for (int i = 0; i < 3; ++i) {
        abut_vec3 moved[4];
        for (int k = 0; k < 4; ++k) {
            moved[k] = abut_add(corners[k], v3(shifts[i], 0.5 * shifts[i], 0.0));
        }
        abut_tet a, b;
        assert_true(abut_tet_make(corners, &a) && abut_tet_make(moved, &b));
        abut_tet_axis axes[ABUT_TET_AXIS_LIMIT];
        abut_tet_growth_params params = {.axes = axes, .tolerance = 1e-12};
        params.axis_count = abut_tet_axes(&a, &b, parallel, 1e-12, axes);
        abut_tet_growth growth;
        CHECK_INT(abut_tet_grow(&a, &b, &params, &growth), i == 2, "a direction");
    }
    CHECK_DONE();
}

// Flat tetrahedra of any size are rejected; thin ones are not.
static void flat_tets_are_refused(void **state)
{
    (void)state;
    const double heights[] = {0.0, 1e-14, 1e-9};
    for (int i = 0; i < 3; ++i) {
        for (int k = -3; k <= 3; ++k) {
            double size = pow(10.0, k);
            const abut_vec3 corners[4] = {
                {0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0.3 * size, 0.3 * size, heights[i] * size}};
            abut_tet tet;
            CHECK_INT(abut_tet_make(corners, &tet), i == 2, "height");
        }
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_the_corners_of_the_common_part),
        cmocka_unit_test(points_on_a_face_are_in_its_plane),
        cmocka_unit_test(touching_pairs_have_points),
        cmocka_unit_test(reach_is_the_distance),
        cmocka_unit_test(least_overlap_is_the_least_of_all_directions),
        cmocka_unit_test(nearest_points_have_planes_between_them),
        cmocka_unit_test(growth_stops_between_a_tenth_and_all_of_delta),
        cmocka_unit_test(growth_of_mirrored_corners),
        cmocka_unit_test(coincident_centres_have_no_growth),
        cmocka_unit_test(flat_tets_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
