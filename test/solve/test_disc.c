// SPDX-License-Identifier: MIT
// test_disc.c: friction of one contact, tested by the conditions that only the correct answer meets
#include "check.h"
#include "random.h"
#include "solve/disc.h"

// B^T B of a random B with `rank` rows, whose sizes differ by up to 1e4: symmetric and positive semidefinite
static abut_mat3 make_matrix(test_random *random, int rank)
{
    abut_mat3 m = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int i = 0; i < rank; ++i) {
        abut_vec3 row = abut_scale(pow(10.0, random_in(random, -4.0, 0.0)), random_unit(random));
        m.x = abut_add_scaled(m.x, row.x, row);
        m.y = abut_add_scaled(m.y, row.y, row);
        m.z = abut_add_scaled(m.z, row.z, row);
    }
    return m;
}

// f minimises f.A f / 2 + c.f in the ball if and only if A f + c = -t f with t >= 0, and t = 0 inside. If A is
// singular and c is not in its range, f is on the sphere.
static void test_conditions(void **state)
{
    (void)state;
    test_random random = {31};
    int inside = 0, outside = 0;
    for (int round = 0; round < 20000; ++round) {
        int rank = 1 + random_below(&random, 3);
        abut_mat3 matrix = make_matrix(&random, rank);
        abut_vec3 c = random_vec3(&random, 1.0);
        double radius = pow(10.0, random_in(&random, -3.0, 9.0));
        abut_disc_block block = abut_disc_block_make(matrix);
        abut_vec3 f = abut_disc_solve(&block, c, radius);
        double size = abut_norm(f);
        abut_vec3 slip = abut_add(abut_mat3_apply(matrix, f), c);
        double rounding = 1e-11 * (block.values.z * size +
                                   abut_norm(c)); // eigenvalues below 1e-12 of the largest are rounding errors
        CHECK(size <= radius * (1.0 + 1e-14), "round %d: outside by %g", round, size / radius - 1.0);
        if (size < radius * (1.0 - 1e-12)) {
            CHECK(abut_norm(slip) <= rounding, "round %d, rank %d: slip %g", round, rank, abut_norm(slip));
            ++inside;
        } else {
            double along = abut_dot(slip, f) / size;
            abut_vec3 across = abut_add_scaled(slip, -along / size, f);
            CHECK(along <= rounding, "round %d, rank %d: friction drives, by %g", round, rank, along);
            CHECK(abut_norm(across) <= rounding, "round %d, rank %d: across %g", round, rank, abut_norm(across));
            ++outside;
        }
    }
    CHECK(inside > 1000 && outside > 1000, "%d inside, %d outside", inside, outside);
    CHECK_DONE();
}

// A = diag(1, 4), c = (-3, -8): without a limit f = (3, 2). With a ball of radius 0 there is no friction; with a zero
// matrix all friction is opposite to c.
static void test_known(void **state)
{
    (void)state;
    abut_mat3 matrix = {{1.0, 0.0, 0.0}, {0.0, 4.0, 0.0}, {0.0, 0.0, 0.0}};
    abut_vec3 c = {-3.0, -8.0, 0.0}, free_answer = {3.0, 2.0, 0.0};
    abut_disc_block block = abut_disc_block_make(matrix);
    CHECK_NEAR(abut_norm(abut_sub(abut_disc_solve(&block, c, 10.0), free_answer)), 0.0, 1e-15, "free");
    CHECK_NEAR(abut_norm(abut_disc_solve(&block, c, 0.0)), 0.0, 0.0, "no ball");
    abut_mat3 nothing = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    block = abut_disc_block_make(nothing);
    abut_vec3 against = abut_scale(-2.0, abut_unit(c));
    CHECK_NEAR(abut_norm(abut_sub(abut_disc_solve(&block, c, 2.0), against)), 0.0, 1e-15, "no matrix");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_conditions), cmocka_unit_test(test_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
