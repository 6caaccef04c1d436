// SPDX-License-Identifier: MIT
// test_minkowski.c: the depth of two boxes from the explicit Minkowski polytope, in exact arithmetic
//
// Yi and Drumwright 2016 take this as the truth of their Table I: the hull of all differences of vertices, whose facet
// nearest to the origin is the least translation. Boxes of 2 x 2 x 2 are rotated by quaternions of whole numbers and
// placed at fractions of their norm. Times the norm, all coordinates are whole numbers, and so are the normals and
// offsets of facets. Qhull only proposes the facets: that each of them has all points behind it is decided exactly, and
// so is which is nearest.
#include "pairs.h"

#include <math.h>

enum { CORNERS = 8, DIFFERENCES = CORNERS * CORNERS, PAIRS = 2000 };

__extension__ typedef __int128 wide;

typedef struct whole {
    int64_t x, y, z;
} whole;

static whole sub(whole a, whole b)
{
    return (whole){a.x - b.x, a.y - b.y, a.z - b.z};
}

static whole cross(whole a, whole b)
{
    return (whole){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static wide dot(whole a, whole b)
{
    return (wide)a.x * b.x + (wide)a.y * b.y + (wide)a.z * b.z;
}

/// A pose of whole numbers: a rotation by a quaternion, and a position times the quaternion's squared norm.
typedef struct whole_pose {
    int64_t w, x, y, z, norm;
    whole position;
} whole_pose;

static whole_pose random_pose(test_random *random)
{
    whole_pose p = {.norm = 0};
    while (p.norm == 0) {
        p.w = random_below(random, 17) - 8;
        p.x = random_below(random, 17) - 8;
        p.y = random_below(random, 17) - 8;
        p.z = random_below(random, 17) - 8;
        p.norm = p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z;
    }
    int reach = (int)(4 * p.norm) + 1; // the cubes overlap at least if their centres are within 2
    p.position.x = random_below(random, reach) - reach / 2;
    p.position.y = random_below(random, reach) - reach / 2;
    p.position.z = random_below(random, reach) - reach / 2;
    return p;
}

/// A corner of a cube of side 2, rotated and moved, times the norm.
static whole place(const whole_pose *p, int corner)
{
    int64_t a = corner & 1 ? 1 : -1, b = corner & 2 ? 1 : -1, c = corner & 4 ? 1 : -1;
    int64_t w = p->w, x = p->x, y = p->y, z = p->z;
    return (whole){
        p->position.x + (w * w + x * x - y * y - z * z) * a + 2 * (x * y - w * z) * b + 2 * (x * z + w * y) * c,
        p->position.y + 2 * (x * y + w * z) * a + (w * w - x * x + y * y - z * z) * b + 2 * (y * z - w * x) * c,
        p->position.z + 2 * (x * z - w * y) * a + 2 * (y * z + w * x) * b + (w * w - x * x - y * y + z * z) * c};
}

/// The signed distance of the origin from the hull of the points: minus the depth. 1 if the origin is not inside.
static double polytope_distance(const whole points[DIFFERENCES], int64_t norm)
{
    abut_vec3 rough[DIFFERENCES];
    int sources[DIFFERENCES];
    for (int i = 0; i < DIFFERENCES; ++i) {
        rough[i] = abut_vec3_make((double)points[i].x, (double)points[i].y, (double)points[i].z);
    }
    abut_mesh *hull = NULL;
    assert_int_equal(abut_hull_create(NULL, rough, DIFFERENCES, &hull, sources, NULL), ABUT_OK);
    abut_mesh_elements e = abut_mesh_get_elements(hull);
    wide best_offset = 0, best_square = 0; // the nearest facet has the least offset^2 / square
    int is_inside = 1;
    for (int i = 0; i < e.triangle_count; ++i) {
        const int *t = &e.triangles[3 * i];
        whole p = points[sources[t[0]]], q = points[sources[t[1]]], r = points[sources[t[2]]];
        whole normal = cross(sub(q, p), sub(r, p));
        wide offset = dot(normal, p), square = dot(normal, normal);
        for (int k = 0; k < DIFFERENCES; ++k) {
            CHECK(dot(normal, points[k]) <= offset, "facet %d is not one: point %d is in front of it", i, k);
        }
        is_inside = is_inside && offset > 0;
        if (best_square == 0 || offset * offset * best_square < best_offset * best_offset * square) {
            best_offset = offset;
            best_square = square;
        }
    }
    abut_mesh_destroy(hull);
    return is_inside ? -(double)((long double)best_offset / sqrtl((long double)best_square) / (long double)norm)
                     : 1.0;
}

// On all pairs that overlap, our depth is that of the polytope to a few roundings.
static void depths_are_those_of_the_polytope(void **state)
{
    (void)state;
    test_random random = {2016};
    test_convex box = make_convex_box(1.0, 1.0, 1.0);
    int overlapping = 0;
    double largest = 0.0;
    for (int round = 0; round < PAIRS; ++round) {
        whole_pose pose = random_pose(&random);
        whole points[DIFFERENCES];
        for (int i = 0; i < DIFFERENCES; ++i) {
            int corner = i / CORNERS;
            whole a = {corner & 1 ? pose.norm : -pose.norm, corner & 2 ? pose.norm : -pose.norm,
                       corner & 4 ? pose.norm : -pose.norm};
            points[i] = sub(a, place(&pose, i % CORNERS));
        }
        double truth = polytope_distance(points, pose.norm), n = (double)pose.norm;
        if (truth > 0.0) {
            continue;
        }
        ++overlapping;
        abut_convex_pair pair = abut_convex_pair_default(box.convex, box.convex);
        pair.pose_b.position =
            abut_vec3_make((double)pose.position.x / n, (double)pose.position.y / n, (double)pose.position.z / n);
        pair.pose_b.rotation =
            abut_quat_unit(abut_quat_make((double)pose.w, (double)pose.x, (double)pose.y, (double)pose.z));
        abut_convex_result result;
        assert_int_equal(abut_convex_distance(&pair, NULL, NULL, &result), ABUT_OK);
        CHECK(fabs(result.distance - truth) <= 4e-15, "round %d: %.17g instead of %.17g", round, result.distance,
              truth);
        largest = fmax(largest, fabs(result.distance - truth));
    }
    print_message("%d of %d pairs overlap; largest difference %.2g\n", overlapping, PAIRS, largest);
    CHECK(overlapping > PAIRS / 4, "%d", overlapping);
    release_convex(&box);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths_are_those_of_the_polytope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
