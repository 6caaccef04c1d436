// SPDX-License-Identifier: MIT
// test_eigen.c: eigenvalues of symmetric matrices, and quaternions of rotations
#include "check.h"
#include "math/eigen.h"
#include "random.h"

// q diag(values) q^T
static abut_mat3 turned(abut_quat q, abut_vec3 values)
{
    abut_mat3 r = abut_quat_matrix(q);
    abut_mat3 scaled =
        abut_mat3_make(abut_scale(values.x, r.x), abut_scale(values.y, r.y), abut_scale(values.z, r.z));
    return abut_mat3_multiply(scaled, abut_mat3_transpose(r));
}

static void check_eigen(abut_mat3 m, abut_vec3 expected, double tolerance, const char *label)
{
    abut_eigen e = abut_eigen_symmetric(m);
    CHECK_NEAR(e.values.x, expected.x, tolerance, label);
    CHECK_NEAR(e.values.y, expected.y, tolerance, label);
    CHECK_NEAR(e.values.z, expected.z, tolerance, label);
    CHECK(e.values.x <= e.values.y && e.values.y <= e.values.z, "%s: ascending", label);
    CHECK_NEAR(abut_mat3_determinant(e.vectors), 1.0, 4e-15, label);
    const abut_vec3 columns[3] = {e.vectors.x, e.vectors.y, e.vectors.z};
    const double values[3] = {e.values.x, e.values.y, e.values.z};
    for (int i = 0; i < 3; ++i) {
        abut_vec3 residual = abut_sub(abut_mat3_apply(m, columns[i]), abut_scale(values[i], columns[i]));
        CHECK(abut_norm(residual) <= tolerance, "%s: m v = value v, off by %g", label, abut_norm(residual));
        CHECK_NEAR(abut_norm(columns[i]), 1.0, 2e-15, label);
        CHECK_NEAR(abut_dot(columns[i], columns[(i + 1) % 3]), 0.0, 2e-15, label);
    }
}

// Random eigenvalues with random axes: distinct, two or three equal, zero, negative, of very different sizes.
static void values_and_vectors_are_right(void **state)
{
    (void)state;
    test_random random = {1};
    for (int i = 0; i < 20000; ++i) {
        double scale = pow(10.0, random_in(&random, -100.0, 100.0));
        double a = random_in(&random, -1.0, 1.0), b = random_in(&random, 0.0, 1.0),
               c = random_in(&random, 0.0, 1.0);
        b = i % 5 == 1 ? 0.0 : (i % 5 == 2 ? b * 1e-12 : b);
        c = i % 5 == 3 ? 0.0 : (i % 7 == 2 ? c * 1e-8 : c);
        a = i % 11 == 0 ? 0.0 : a;
        abut_vec3 values = abut_scale(scale, abut_vec3_make(a, a + b, a + b + c));
        check_eigen(turned(random_rotation(&random), values), values, 2e-14 * scale, "random");
    }
    CHECK_DONE();
}

// [[2 1 0] [1 2 0] [0 0 2]] has 1, 2, 3. The matrix of ones has 0, 0, 3.
static void small_cases_on_paper(void **state)
{
    (void)state;
    abut_mat3 m = abut_mat3_make(abut_vec3_make(2, 1, 0), abut_vec3_make(1, 2, 0), abut_vec3_make(0, 0, 2));
    check_eigen(m, abut_vec3_make(1, 2, 3), 1e-15, "1 2 3");
    abut_vec3 ones = {1, 1, 1}, zero = {0, 0, 0};
    check_eigen(abut_mat3_make(ones, ones, ones), abut_vec3_make(0, 0, 3), 2e-15, "ones");
    check_eigen(abut_mat3_make(zero, zero, zero), zero, 0.0, "zero");
    abut_eigen e = abut_eigen_symmetric(
        abut_mat3_make(abut_vec3_make(3, 0, 0), abut_vec3_make(0, 1, 0), abut_vec3_make(0, 0, 2)));
    CHECK(e.vectors.x.y == 1.0 && e.vectors.y.z == 1.0 && e.vectors.z.x == 1.0, "a diagonal matrix gives the axes");
    CHECK_DONE();
}

// The positive definite matrix [[1 e/2] [e/2 e^2]] with e = 1e-10 has the small eigenvalue 3/4 e^2 (1 + O(e^2)).
// Nearly all its digits must be right, although e^2 is far below the rounding error of 1.
static void small_values_keep_their_digits(void **state)
{
    (void)state;
    double e = 1e-10;
    abut_mat3 m =
        abut_mat3_make(abut_vec3_make(1, e / 2, 0), abut_vec3_make(e / 2, e * e, 0), abut_vec3_make(0, 0, 2));
    abut_eigen eigen = abut_eigen_symmetric(m);
    CHECK_NEAR(eigen.values.x / (0.75 * e * e), 1.0, 1e-14, "small value");
    CHECK_DONE();
}

static void matrix_gives_back_the_quaternion(void **state)
{
    (void)state;
    test_random random = {2};
    for (int i = 0; i < 20000; ++i) {
        abut_quat q = random_rotation(&random);
        if (i % 4 == 0) { // nearly half turns: w is almost 0, so dividing by it would lose all digits
            q = abut_quat_unit(abut_quat_make(random_in(&random, 0.0, 1e-9), q.x, q.y, q.z));
        }
        abut_quat r = abut_quat_from_matrix(abut_quat_matrix(q));
        double dot = q.w * r.w + q.x * r.x + q.y * r.y + q.z * r.z;
        CHECK_NEAR(fabs(dot), 1.0, 2e-15, "the same up to sign");
        CHECK(r.w >= 0.0, "w is not negative");
    }
    abut_quat identity = abut_quat_from_matrix(abut_mat3_identity());
    CHECK(identity.w == 1.0 && identity.x == 0.0 && identity.y == 0.0 && identity.z == 0.0, "identity is exact");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_vectors_are_right),
        cmocka_unit_test(small_cases_on_paper),
        cmocka_unit_test(small_values_keep_their_digits),
        cmocka_unit_test(matrix_gives_back_the_quaternion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
