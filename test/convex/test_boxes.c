// SPDX-License-Identifier: MIT
// test_boxes.c: boxes, which have a search of their own, against all separating axes
#include "effort.h"
#include "pairs.h"

// A box by its axes, half sizes and center, and the shape made of its corners.
typedef struct test_box {
    abut_vec3 axes[3], center;
    double sizes[3];
    test_convex shape;
} test_box;

// A box of any proportions, anywhere and turned in its own frame; a third of them along the axes of that frame.
static test_box make_box(test_random *random)
{
    test_box box = {.center = random_vec3(random, 1.0)};
    abut_mat3 turn =
        abut_quat_matrix(random_below(random, 3) == 0 ? abut_quat_identity() : random_rotation(random));
    box.axes[0] = turn.x, box.axes[1] = turn.y, box.axes[2] = turn.z;
    for (int i = 0; i < 3; ++i) {
        box.sizes[i] = random_in(random, 0.2, 1.0);
    }
    abut_vec3 corners[8];
    for (int i = 0; i < 8; ++i) {
        corners[i] = box.center;
        for (int k = 0; k < 3; ++k) {
            corners[i] = abut_add_scaled(corners[i], i >> k & 1 ? box.sizes[k] : -box.sizes[k], box.axes[k]);
        }
    }
    box.shape = make_convex(corners, 8);
    return box;
}

static abut_vec3 axis_of(const test_box *box, abut_quat rotation, int i)
{
    return abut_quat_rotate(rotation, box->axes[i]);
}

static double reach_along(const test_box *box, abut_quat rotation, abut_vec3 n)
{
    double reach = 0.0;
    for (int i = 0; i < 3; ++i) {
        reach += box->sizes[i] * fabs(abut_dot(n, axis_of(box, rotation, i)));
    }
    return reach;
}

// The least overlap over the normals of both boxes and the cross products of their edges. Parallel edges have no
// normal: below a sine of 1e-6 the oracle leaves them out, where their facets are no nearer than those of the faces
// next to them by more than 1e-6 of the size.
static double least_overlap(const test_box *a, const test_box *b, const abut_convex_pair *pair)
{
    abut_quat turn_a = pair->pose_a.rotation, turn_b = pair->pose_b.rotation;
    abut_vec3 between =
        abut_sub(abut_pose_apply(pair->pose_b, b->center), abut_pose_apply(pair->pose_a, a->center));
    double least = HUGE_VAL;
    for (int k = 0; k < 15; ++k) {
        abut_vec3 n = k < 3   ? axis_of(a, turn_a, k)
                      : k < 6 ? axis_of(b, turn_b, k - 3)
                              : abut_cross(axis_of(a, turn_a, (k - 6) / 3), axis_of(b, turn_b, (k - 6) % 3));
        double length = abut_norm(n);
        if (length > 1e-6) {
            n = abut_scale(1.0 / length, n);
            least = fmin(least, reach_along(a, turn_a, n) + reach_along(b, turn_b, n) - fabs(abut_dot(n, between)));
        }
    }
    return least;
}

// How far a point is outside a box.
static double outside(const test_box *box, abut_pose pose, abut_vec3 point)
{
    double most = -HUGE_VAL;
    abut_vec3 p = abut_sub(point, abut_pose_apply(pose, box->center));
    for (int i = 0; i < 3; ++i) {
        most = fmax(most, fabs(abut_dot(p, axis_of(box, pose.rotation, i))) - box->sizes[i]);
    }
    return most;
}

// Turns B so that an axis of it is along one of A, up to a small angle or exactly, and puts it on that side of A.
static void stack(const test_box *a, const test_box *b, test_random *random, abut_convex_pair *pair)
{
    static const double tilts[] = {0.0, 0.0, 1e-15, 1e-12, 1e-8, 1e-4};
    abut_vec3 up = axis_of(a, pair->pose_a.rotation, random_below(random, 3));
    abut_vec3 own = axis_of(b, pair->pose_b.rotation, random_below(random, 3)), way = abut_cross(own, up);
    double sine = abut_norm(way);
    if (sine > 0.1) {
        abut_quat turn = abut_quat_from_axis(abut_scale(1.0 / sine, way), atan2(sine, abut_dot(own, up)));
        pair->pose_b.rotation = abut_quat_unit(abut_quat_multiply(turn, pair->pose_b.rotation));
    }
    abut_quat tilt = abut_quat_from_axis(random_unit(random), tilts[random_below(random, 6)]);
    pair->pose_b.rotation = abut_quat_unit(abut_quat_multiply(tilt, pair->pose_b.rotation));
    abut_vec3 from = abut_pose_apply(pair->pose_a, a->center), aside = random_vec3(random, 0.6);
    double height = reach_along(a, pair->pose_a.rotation, up) + reach_along(b, pair->pose_b.rotation, up);
    aside = abut_add_scaled(aside, height - random_in(random, 0.0, 0.1) - abut_dot(up, aside), up);
    pair->pose_b.position = abut_sub(abut_add(from, aside), abut_quat_rotate(pair->pose_b.rotation, b->center));
}

// The distance is minus the least overlap; the witness points are on both boxes; swapping A and B changes neither.
static void check_boxes(const test_box *a, const test_box *b, const abut_convex_pair *pair)
{
    abut_convex_result r = {.distance = 0.0}, swapped = {.distance = 0.0};
    double overlap = least_overlap(a, b, pair);
    if (overlap <= 0.0) {
        return; // apart: the closest points may be corners, which no axis gives
    }
    CHECK_STATUS(abut_convex_distance(pair, NULL, NULL, &r), ABUT_OK, "pair");
    CHECK_NEAR(r.distance, -overlap, 1e-6, "least overlap, with normals of parallel edges");
    CHECK(r.distance >= -overlap - 1e-13, "no axis is nearer than %g, the distance is %g", overlap, r.distance);
    CHECK_INT(r.certificate.proof, ABUT_PROOF_FULL, "all facets are tried");
    CHECK_INT(r.fallback_count, 0, "fallbacks");
    CHECK(outside(a, pair->pose_a, r.point_a) <= 1e-9 && outside(b, pair->pose_b, r.point_b) <= 1e-9,
          "witness points are on the boxes");
    CHECK_NEAR(abut_dot(r.normal, abut_sub(r.point_b, r.point_a)), r.distance, 1e-14, "witness points");
    abut_convex_pair other = *pair;
    other.a = pair->b, other.b = pair->a;
    other.pose_a = pair->pose_b, other.pose_b = pair->pose_a;
    CHECK_STATUS(abut_convex_distance(&other, NULL, NULL, &swapped), ABUT_OK, "swapped");
    CHECK_NEAR(swapped.distance, r.distance, 1e-14, "swapped");
}

static void boxes_have_the_least_overlap_of_all_axes(void **state)
{
    (void)state;
    test_random random = {7};
    for (int i = 0; i < sample_count(4000, 400000); ++i) {
        test_box a = make_box(&random), b = make_box(&random);
        abut_convex_pair pair = abut_convex_pair_default(a.shape.convex, b.shape.convex);
        pair.pose_a = abut_pose_make(random_vec3(&random, 1.0), random_rotation(&random));
        pair.pose_b = abut_pose_make(random_vec3(&random, 1.0), random_rotation(&random));
        if (i % 2 == 0) {
            stack(&a, &b, &random, &pair);
        }
        check_boxes(&a, &b, &pair);
        release_convex(&a.shape);
        release_convex(&b.shape);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_have_the_least_overlap_of_all_axes),
    };
    return cmocka_run_group_tests_name("convex boxes", tests, NULL, NULL);
}
