// SPDX-License-Identifier: MIT
// test_math.c: vectors, matrices, quaternions, poses and boxes
#include "check.h"
#include "random.h"

#include <abut/math.h>

static int same(abut_vec3 a, abut_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

#define CHECK_VEC3(actual, expected, tolerance, label)                                                             \
    do {                                                                                                           \
        abut_vec3 check_v = (actual), check_w = (expected);                                                        \
        CHECK(abut_norm(abut_sub(check_v, check_w)) <= (tolerance),                                                \
              "%s: (%.17g %.17g %.17g), not (%.17g %.17g %.17g)", label, check_v.x, check_v.y, check_v.z,          \
              check_w.x, check_w.y, check_w.z);                                                                    \
    } while (0)

static void vectors_follow_their_formulas(void **state)
{
    (void)state;
    abut_vec3 a = {1, 2, 3}, b = {4, -5, 6};
    CHECK(same(abut_add(a, b), abut_vec3_make(5, -3, 9)), "add");
    CHECK(same(abut_sub(a, b), abut_vec3_make(-3, 7, -3)), "sub");
    CHECK(same(abut_scale(2, a), abut_vec3_make(2, 4, 6)), "scale");
    CHECK(same(abut_negate(a), abut_vec3_make(-1, -2, -3)), "negate");
    CHECK(same(abut_add_scaled(a, 2, b), abut_vec3_make(9, -8, 15)), "add scaled");
    CHECK_NEAR(abut_dot(a, b), 4 - 10 + 18, 0.0, "dot");
    // i j k | 1 2 3 | 4 -5 6
    CHECK(same(abut_cross(a, b), abut_vec3_make(12 + 15, 12 - 6, -5 - 8)), "cross");
    CHECK_NEAR(abut_norm(abut_vec3_make(2, 3, 6)), 7.0, 0.0, "norm");
    CHECK_NEAR(abut_norm_squared(b), 77.0, 0.0, "norm squared");
    CHECK(same(abut_abs(b), abut_vec3_make(4, 5, 6)), "abs");
    CHECK(same(abut_min(a, b), abut_vec3_make(1, -5, 3)), "min");
    CHECK(same(abut_max(a, b), abut_vec3_make(4, 2, 6)), "max");
    CHECK_NEAR(abut_max_component(b), 6.0, 0.0, "largest component");
    CHECK(same(abut_lerp(a, b, 0.0), a) && same(abut_lerp(a, b, 1.0), b), "lerp has exact ends");
    CHECK(same(abut_lerp(a, b, 0.5), abut_vec3_make(2.5, -1.5, 4.5)), "lerp");
    CHECK(abut_is_finite(a) && !abut_is_finite(abut_vec3_make(0, NAN, 0)), "finite");
    CHECK(!abut_is_finite(abut_vec3_make(0, 0, HUGE_VAL)), "infinite");
    CHECK_DONE();
}

// (3, 0, 4) has the unit vector (0.6, 0, 0.8) at every scale from the smallest subnormal numbers to the largest
// doubles.
static void unit_is_safe_from_overflow(void **state)
{
    (void)state;
    const double sizes[8] = {1e-300, 1e-200, 1e-20, 1.0, 1e20, 1e200, 1e300, 4e307};
    for (int i = 0; i < 8; ++i) {
        abut_vec3 u = abut_unit(abut_vec3_make(3 * sizes[i], 0, 4 * sizes[i]));
        CHECK_VEC3(u, abut_vec3_make(0.6, 0, 0.8), 1e-15, "unit");
    }
    CHECK_VEC3(abut_unit(abut_vec3_make(3 * 0x1p-1074, 0, 4 * 0x1p-1074)), abut_vec3_make(0.6, 0, 0.8), 1e-15,
               "subnormal");
    abut_vec3 zero = {0, 0, 0};
    CHECK(same(abut_unit(zero), zero), "zero");
    CHECK(same(abut_unit(abut_vec3_make(HUGE_VAL, 1, 1)), zero), "infinite");
    CHECK(same(abut_unit(abut_vec3_make(NAN, NAN, NAN)), zero), "NaN");
    CHECK(same(abut_unit(abut_vec3_make(NAN, 1, 1)), zero), "NaN beside numbers");
    CHECK(same(abut_unit(abut_vec3_make(0, -5e-300, 0)), abut_vec3_make(0, -1, 0)), "axes are exact");
    test_random random = {1};
    for (int i = 0; i < 10000; ++i) {
        abut_vec3 v = abut_scale(pow(10.0, random_in(&random, -300, 300)), random_vec3(&random, 1.0));
        abut_vec3 unit = abut_unit(v);
        CHECK_NEAR(abut_norm(unit), 1.0, 4e-16, "length");
        // a power of two changes no bit, whether vectors of the size are scaled before or not
        int shift = random_below(&random, 800) - 400;
        abut_vec3 scaled = abut_vec3_make(ldexp(v.x, shift), ldexp(v.y, shift), ldexp(v.z, shift));
        double largest = abut_max_component(abut_abs(scaled)); // no subnormal numbers, which lose bits
        CHECK(!(largest > 1e-290 && largest < 1e300) || same(abut_unit(scaled), unit), "a power of two");
    }
    CHECK_DONE();
}

static void perpendicular_is_perpendicular(void **state)
{
    (void)state;
    test_random random = {2};
    for (int i = 0; i < 10000; ++i) {
        abut_vec3 n = random_unit(&random);
        if (i < 6) { // the axes
            n = abut_scale(i % 2 ? -1.0 : 1.0, abut_vec3_make(i / 2 == 0, i / 2 == 1, i / 2 == 2));
        }
        abut_vec3 p = abut_any_perpendicular(n);
        CHECK_NEAR(abut_dot(n, p), 0.0, 3e-16, "right angle");
        CHECK_NEAR(abut_norm(p), 1.0, 4e-16, "length");
    }
    CHECK_DONE();
}

static void matrices_follow_their_formulas(void **state)
{
    (void)state;
    // by columns: rows are (1 2 3), (0 1 4), (5 6 0), with determinant 1 (0 - 24) - 2 (0 - 20) + 3 (0 - 5) = 1
    abut_mat3 m = abut_mat3_make(abut_vec3_make(1, 0, 5), abut_vec3_make(2, 1, 6), abut_vec3_make(3, 4, 0));
    abut_vec3 v = {1, -1, 2};
    CHECK(same(abut_mat3_apply(m, v), abut_vec3_make(5, 7, -1)), "apply");
    CHECK(same(abut_mat3_apply_transposed(m, v), abut_mat3_apply(abut_mat3_transpose(m), v)), "transposed");
    CHECK_NEAR(abut_mat3_determinant(m), 1.0, 0.0, "determinant");
    // the inverse, by cofactors, has rows (-24 18 5), (20 -15 -4), (-5 4 1)
    abut_mat3 inverse =
        abut_mat3_make(abut_vec3_make(-24, 20, -5), abut_vec3_make(18, -15, 4), abut_vec3_make(5, -4, 1));
    abut_mat3 p = abut_mat3_multiply(m, inverse), one = abut_mat3_identity();
    CHECK(same(p.x, one.x) && same(p.y, one.y) && same(p.z, one.z), "multiply");
    CHECK_DONE();
}

// The quaternion product q v q* by its definition: the oracle for the matrix.
static abut_vec3 rotate_by_products(abut_quat q, abut_vec3 v)
{
    abut_quat r =
        abut_quat_multiply(abut_quat_multiply(q, abut_quat_make(0, v.x, v.y, v.z)), abut_quat_conjugate(q));
    return abut_vec3_make(r.x, r.y, r.z);
}

static void quaternions_agree_with_matrices(void **state)
{
    (void)state;
    test_random random = {3};
    for (int i = 0; i < 10000; ++i) {
        abut_quat a = random_rotation(&random), b = random_rotation(&random);
        abut_vec3 v = random_vec3(&random, 1.0);
        abut_mat3 m = abut_quat_matrix(a);
        CHECK_VEC3(abut_quat_rotate(a, v), rotate_by_products(a, v), 4e-15, "rotate");
        CHECK_VEC3(abut_mat3_apply(m, v), rotate_by_products(a, v), 4e-15, "matrix");
        CHECK_VEC3(abut_quat_rotate(abut_quat_multiply(a, b), v), abut_quat_rotate(a, abut_quat_rotate(b, v)),
                   4e-15, "product turns by the second first");
        CHECK_VEC3(abut_quat_rotate(abut_quat_conjugate(a), abut_quat_rotate(a, v)), v, 4e-15, "conjugate");
        CHECK_NEAR(abut_mat3_determinant(m), 1.0, 4e-15, "a rotation");
        CHECK_NEAR(abut_norm(abut_quat_rotate(a, v)), abut_norm(v), 4e-15, "keeps length");
    }
    CHECK_DONE();
}

// A quarter turn about z takes x to y, by the right-hand rule; a third of a turn about (1,1,1) takes x to y to z to x.
static void turns_follow_the_right_hand(void **state)
{
    (void)state;
    const double pi = acos(-1.0);
    abut_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    CHECK_VEC3(abut_quat_rotate(abut_quat_from_axis(z, pi / 2), x), y, 4e-16, "about z");
    CHECK_VEC3(abut_quat_rotate(abut_quat_from_axis(x, pi / 2), y), z, 4e-16, "about x");
    CHECK_VEC3(abut_quat_rotate(abut_quat_from_axis(y, pi / 2), z), x, 4e-16, "about y");
    abut_quat third = abut_quat_make(0.5, 0.5, 0.5, 0.5);
    CHECK(same(abut_quat_rotate(third, x), y), "x to y");
    CHECK(same(abut_quat_rotate(third, y), z), "y to z");
    CHECK_DONE();
}

// The identity and half turns about the axes change only signs, bit for bit.
static void identity_and_half_turns_are_exact(void **state)
{
    (void)state;
    test_random random = {4};
    for (int i = 0; i < 1000; ++i) {
        abut_vec3 v = random_vec3(&random, 1e3);
        CHECK(same(abut_quat_rotate(abut_quat_identity(), v), v), "identity");
        CHECK(same(abut_quat_rotate(abut_quat_make(0, 1, 0, 0), v), abut_vec3_make(v.x, -v.y, -v.z)), "about x");
        CHECK(same(abut_quat_rotate(abut_quat_make(0, 0, 1, 0), v), abut_vec3_make(-v.x, v.y, -v.z)), "about y");
        CHECK(same(abut_quat_rotate(abut_quat_make(0, 0, 0, 1), v), abut_vec3_make(-v.x, -v.y, v.z)), "about z");
        CHECK(same(abut_pose_apply(abut_pose_identity(), v), v), "identity pose");
        CHECK(same(abut_pose_apply_inverse(abut_pose_identity(), v), v), "identity pose, inverse");
    }
    CHECK_DONE();
}

static void quaternions_are_normalised(void **state)
{
    (void)state;
    abut_quat q = abut_quat_unit(abut_quat_make(2, -2, 2, -2));
    CHECK(q.w == 0.5 && q.x == -0.5 && q.y == 0.5 && q.z == -0.5, "unit");
    q = abut_quat_unit(abut_quat_make(0, 0, 0, 0));
    CHECK(q.w == 1.0 && q.x == 0.0, "zero gives the identity");
    q = abut_quat_unit(abut_quat_make(1, NAN, 0, 0));
    CHECK(q.w == 1.0 && q.x == 0.0, "NaN gives the identity");
    const double sizes[4] = {1e-320, 1e-200, 1e200, 1e308};
    for (int i = 0; i < 4; ++i) {
        q = abut_quat_unit(abut_quat_make(0, sizes[i], 0, -sizes[i]));
        CHECK_NEAR(q.x, sqrt(0.5), 1e-15, "any size");
        CHECK_NEAR(q.z, -sqrt(0.5), 1e-15, "any size");
    }
    CHECK_DONE();
}

static void poses_compose(void **state)
{
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 10000; ++i) {
        abut_pose a = abut_pose_make(random_vec3(&random, 10), random_rotation(&random));
        abut_pose b = abut_pose_make(random_vec3(&random, 10), random_rotation(&random));
        abut_vec3 p = random_vec3(&random, 1.0);
        abut_vec3 world = abut_pose_apply(b, p);
        CHECK_VEC3(abut_pose_apply(abut_pose_multiply(a, b), p), abut_pose_apply(a, world), 1e-13, "multiply");
        CHECK_VEC3(abut_pose_apply_inverse(b, world), p, 1e-13, "inverse");
        CHECK_VEC3(abut_pose_apply(abut_pose_relative(a, b), p), abut_pose_apply_inverse(a, world), 1e-13,
                   "relative");
    }
    CHECK_DONE();
}

static void boxes_hold_their_points(void **state)
{
    (void)state;
    abut_box box = abut_box_empty();
    CHECK_NEAR(abut_box_diagonal(box), 0.0, 0.0, "empty");
    box = abut_box_add(box, abut_vec3_make(1, 5, -2));
    CHECK_NEAR(abut_box_diagonal(box), 0.0, 0.0, "one point");
    box = abut_box_add(box, abut_vec3_make(3, 2, 4));
    CHECK(same(box.lower, abut_vec3_make(1, 2, -2)) && same(box.upper, abut_vec3_make(3, 5, 4)), "two points");
    CHECK_NEAR(abut_box_diagonal(box), 7.0, 0.0, "sides 2, 3, 6"); // 4 + 9 + 36 = 49
    CHECK(same(abut_box_center(box), abut_vec3_make(2, 3.5, 1)), "centre");
    abut_box all = abut_box_union(box, abut_box_empty());
    CHECK(same(all.lower, box.lower) && same(all.upper, box.upper), "union with nothing");
    abut_box huge = {{-1e308, -1e308, -1e308}, {1.5e308, 1e308, 1e308}};
    CHECK(abut_is_finite(abut_box_center(huge)), "the centre does not overflow");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_follow_their_formulas),
        cmocka_unit_test(unit_is_safe_from_overflow),
        cmocka_unit_test(perpendicular_is_perpendicular),
        cmocka_unit_test(matrices_follow_their_formulas),
        cmocka_unit_test(quaternions_agree_with_matrices),
        cmocka_unit_test(turns_follow_the_right_hand),
        cmocka_unit_test(identity_and_half_turns_are_exact),
        cmocka_unit_test(quaternions_are_normalised),
        cmocka_unit_test(poses_compose),
        cmocka_unit_test(boxes_hold_their_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
