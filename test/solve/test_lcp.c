// SPDX-License-Identifier: MIT
// test_lcp.c: Lemke's method, compared with a search of all complementary bases, and on problems with known answers
#include "check.h"
#include "random.h"

#include <abut/solve.h>
#include <stdlib.h>

enum { SMALL = 8 };

static abut_solver *make_solver(void)
{
    abut_solver *solver = NULL;
    assert_int_equal(abut_solver_create(NULL, &solver), ABUT_OK);
    return solver;
}

static abut_lcp_answer solve(abut_solver *solver, int count, const double *matrix, const double *vector, double *z)
{
    abut_lcp lcp = {count, matrix, vector};
    abut_lcp_answer answer = {.z = z};
    abut_error error = {.status = ABUT_OK};
    CHECK(abut_lcp_lemke(solver, &lcp, NULL, &answer, &error) == ABUT_OK, "%s", error.text);
    return answer;
}

// The largest violation by z: -z, -w, and the smaller of |z| and |w|, where w = M z + q.
static double missed(int count, const double *matrix, const double *vector, const double *z)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        double w = vector[i];
        for (int j = 0; j < count; ++j) {
            w += matrix[i * count + j] * z[j];
        }
        largest = fmax(largest, fmax(fmax(-z[i], -w), fmin(fabs(z[i]), fabs(w))));
    }
    return largest;
}

// Solves a x = b by elimination with the largest pivot of each column. Returns 0 if a is singular up to rounding.
// Overwrites a and b.
static int eliminate(int n, double a[SMALL][SMALL], double *b)
{
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i) {
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        }
        if (fabs(a[best][k]) < 1e-9) {
            return 0;
        }
        for (int j = 0; j < n; ++j) {
            double swapped = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = swapped;
        }
        double swapped = b[k];
        b[k] = b[best];
        b[best] = swapped;
        for (int i = 0; i < n; ++i) {
            double factor = i == k ? 0.0 : a[i][k] / a[k][k];
            for (int j = k; j < n; ++j) {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = 0; k < n; ++k) {
        b[k] /= a[k][k];
    }
    return 1;
}

// Tries all complementary bases: for each i, z_i or w_i is basic. Returns how many solve the problem to 1e-9.
static int count_solutions(int count, const double *matrix, const double *vector)
{
    int found = 0;
    for (int choice = 0; choice < 1 << count; ++choice) {
        double a[SMALL][SMALL] = {{0.0}}, b[SMALL] = {0.0}, z[SMALL] = {0.0};
        int index[SMALL], n = 0;
        for (int i = 0; i < count; ++i) {
            if (choice >> i & 1) {
                index[n++] = i;
            }
        }
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                a[i][j] = matrix[index[i] * count + index[j]];
            }
            b[i] = -vector[index[i]];
        }
        if (!eliminate(n, a, b)) {
            continue;
        }
        for (int i = 0; i < n; ++i) {
            z[index[i]] = b[i];
        }
        found += missed(count, matrix, vector, z) <= 1e-9;
    }
    return found;
}

// B^T B with B of `rank` rows
static void make_semidefinite(test_random *random, int count, int rank, double *matrix)
{
    double b[SMALL][SMALL];
    for (int i = 0; i < rank; ++i) {
        for (int j = 0; j < count; ++j) {
            b[i][j] = random_in(random, -1.0, 1.0);
        }
    }
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < count; ++j) {
            matrix[i * count + j] = 0.0;
            for (int k = 0; k < rank; ++k) {
                matrix[i * count + j] += b[k][i] * b[k][j];
            }
        }
    }
}

// M is positive semidefinite, also with an antisymmetric part added. Lemke's method solves the problem, or ends on a
// ray if there is no solution. The search of all bases tells which is right.
static void test_semidefinite(void **state)
{
    (void)state;
    abut_solver *solver = make_solver();
    test_random random = {1};
    int rays = 0, solved = 0;
    for (int round = 0; round < 1500; ++round) {
        int n = 1 + random_below(&random, SMALL);
        double matrix[SMALL * SMALL], vector[SMALL], z[SMALL];
        make_semidefinite(&random, n, 1 + random_below(&random, n), matrix);
        for (int i = 0; i < n; ++i) {
            vector[i] = random_in(&random, -1.0, 0.5);
            for (int j = 0; j < i && round % 3 == 0; ++j) {
                double turn = random_in(&random, -1.0, 1.0);
                matrix[i * n + j] += turn;
                matrix[j * n + i] -= turn;
            }
        }
        abut_lcp_answer answer = solve(solver, n, matrix, vector, z);
        int exists = count_solutions(n, matrix, vector) > 0;
        if (answer.outcome == ABUT_SOLVE_CONVERGED) {
            double largest = 1.0; // rounding errors of M z grow with z
            for (int i = 0; i < n; ++i) {
                largest = fmax(largest, z[i]);
            }
            CHECK(missed(n, matrix, vector, z) <= 1e-9 * largest, "round %d: misses %g", round,
                  missed(n, matrix, vector, z));
            ++solved;
        } else {
            CHECK(answer.outcome == ABUT_SOLVE_RAY && !exists, "round %d: %s, exists %d", round,
                  abut_solve_outcome_text(answer.outcome), exists);
            ++rays;
        }
    }
    CHECK(solved > 500 && rays > 100, "solved %d, rays %d", solved, rays);
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// The sum of a semidefinite matrix and one without negative elements and with a positive diagonal is strictly
// copositive. Such a problem has a solution for every q.
static void test_copositive(void **state)
{
    (void)state;
    abut_solver *solver = make_solver();
    test_random random = {2};
    for (int round = 0; round < 1000; ++round) {
        int n = 1 + random_below(&random, SMALL);
        double matrix[SMALL * SMALL], vector[SMALL], z[SMALL];
        make_semidefinite(&random, n, 1 + random_below(&random, n), matrix);
        for (int i = 0; i < n * n; ++i) {
            matrix[i] += random_in(&random, 0.0, 2.0);
        }
        for (int i = 0; i < n; ++i) {
            matrix[i * n + i] += 0.1;
            vector[i] = random_in(&random, -1.0, 0.5);
        }
        abut_lcp_answer answer = solve(solver, n, matrix, vector, z);
        CHECK(answer.outcome == ABUT_SOLVE_CONVERGED && missed(n, matrix, vector, z) <= 1e-9,
              "round %d: %s, misses %g", round, abut_solve_outcome_text(answer.outcome),
              missed(n, matrix, vector, z));
    }
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// With small whole numbers most ratios tie. M is a P-matrix (lower triangular with a positive diagonal): there is one
// solution for every q, by forward substitution z_i = max(0, -(q + M z)_i / m_ii).
static void test_ties(void **state)
{
    (void)state;
    abut_solver *solver = make_solver();
    test_random random = {3};
    for (int round = 0; round < 1000; ++round) {
        enum { N = 20 };
        double matrix[N * N] = {0.0}, vector[N], z[N];
        for (int i = 0; i < N; ++i) {
            for (int j = 0; j < i; ++j) {
                matrix[i * N + j] = random_below(&random, 3) - 1;
            }
            matrix[i * N + i] = 1.0;
            vector[i] = random_below(&random, 3) - 2;
        }
        abut_lcp_answer answer = solve(solver, N, matrix, vector, z);
        CHECK(answer.outcome == ABUT_SOLVE_CONVERGED, "round %d: %s", round,
              abut_solve_outcome_text(answer.outcome));
        double expected[N], largest = 1.0;
        for (int i = 0; i < N; ++i) {
            double sum = vector[i];
            for (int j = 0; j < i; ++j) {
                sum += matrix[i * N + j] * expected[j];
            }
            expected[i] = fmax(0.0, -sum);
            largest = fmax(largest, expected[i]);
        }
        for (int i = 0; i < N; ++i) {
            CHECK(fabs(z[i] - expected[i]) <= 1e-9 * largest, "round %d: z%d is %g, expected %g", round, i, z[i],
                  expected[i]);
        }
    }
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// In Kostreva's example all ratios tie, and Lemke's method cycles if it breaks ties carelessly. The solution is z =
// (1/3, 1/3, 1/3).
// Murty's example has ones on the diagonal, twos below and q = -1. The solution is z = (1, 0, 0, ...), after a number
// of pivots that doubles with each unknown. With 30 unknowns the pivot limit ends the search.
static void test_known(void **state)
{
    (void)state;
    abut_solver *solver = make_solver();
    const double kostreva[9] = {1, 2, 0, 0, 1, 2, 2, 0, 1}, minus[3] = {-1, -1, -1};
    double z[30];
    CHECK_INT(solve(solver, 3, kostreva, minus, z).outcome, ABUT_SOLVE_CONVERGED, "kostreva");
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(z[i], 1.0 / 3.0, 1e-15, "kostreva");
    }
    double murty[900], vector[30];
    for (int n = 8; n <= 30; n += 22) {
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                murty[i * n + j] = j > i ? 0.0 : (i == j ? 1.0 : 2.0);
            }
            vector[i] = -1.0;
        }
        CHECK_INT(solve(solver, n, murty, vector, z).outcome, n == 8 ? ABUT_SOLVE_CONVERGED : ABUT_SOLVE_ITERATIONS,
                  "murty");
        for (int i = 0; i < n; ++i) {
            CHECK_NEAR(z[i], i == 0 && n == 8 ? 1.0 : 0.0, 1e-12, "murty");
        }
    }
    // no unknowns; nothing to do; w = -z - 1, which has no solution
    CHECK_INT(solve(solver, 0, NULL, NULL, NULL).outcome, ABUT_SOLVE_CONVERGED, "empty");
    const double one = 1.0, minus_one = -1.0;
    CHECK_INT(solve(solver, 1, &one, &one, z).iterations, 0, "nothing to do");
    CHECK_INT(solve(solver, 1, &minus_one, &minus_one, z).outcome, ABUT_SOLVE_RAY, "no solution");
    CHECK_NEAR(z[0], 0.0, 0.0, "no solution");
    abut_solver_destroy(solver);
    CHECK_DONE();
}

// The obstacle problem on a line: a tridiagonal matrix (-1, 2, -1), and a load that pushes the middle onto z >= 0. It
// is large enough for the tableau to be recomputed on the way. The answer is checked by the conditions of the problem.
static void test_large(void **state)
{
    (void)state;
    enum { N = 150 };
    abut_solver *solver = make_solver();
    double *matrix = calloc((size_t)N * N, sizeof *matrix), vector[N], z[N];
    assert_non_null(matrix);
    for (int i = 0; i < N; ++i) {
        matrix[i * N + i] = 2.0;
        if (i > 0) {
            matrix[i * N + i - 1] = matrix[(i - 1) * N + i] = -1.0;
        }
        vector[i] = 0.01 * cos(0.2 * i);
    }
    abut_lcp_answer answer = solve(solver, N, matrix, vector, z);
    CHECK_INT(answer.outcome, ABUT_SOLVE_CONVERGED, "obstacle");
    CHECK(missed(N, matrix, vector, z) <= 1e-12, "misses %g", missed(N, matrix, vector, z));

    abut_lcp lcp = {N, matrix, vector};
    abut_lcp_params params = abut_lcp_params_default();
    params.iteration_limit = answer.iterations - 1;
    CHECK_STATUS(abut_lcp_lemke(solver, &lcp, &params, &answer, NULL), ABUT_OK, "limit");
    CHECK_INT(answer.outcome, ABUT_SOLVE_ITERATIONS, "limit");
    CHECK_INT(answer.iterations, params.iteration_limit, "limit");
    free(matrix);
    abut_solver_destroy(solver);
    CHECK_DONE();
}

static void test_hostile(void **state)
{
    (void)state;
    abut_solver *solver = make_solver();
    double matrix[4] = {1, 0, 0, 1}, vector[2] = {-1, -1}, z[2];
    abut_lcp lcp = {2, matrix, vector};
    abut_lcp_answer answer = {.z = z};
    abut_error error = {.status = ABUT_OK};
    matrix[2] = NAN;
    CHECK_STATUS(abut_lcp_lemke(solver, &lcp, NULL, &answer, &error), ABUT_BAD_DATA, "matrix");
    CHECK_INT(error.element, 2, "matrix");
    matrix[2] = 0.0;
    vector[1] = HUGE_VAL;
    CHECK_STATUS(abut_lcp_lemke(solver, &lcp, NULL, &answer, &error), ABUT_BAD_DATA, "vector");
    CHECK_INT(error.element, 5, "vector");
    vector[1] = -1.0;
    lcp.count = ABUT_LCP_VARIABLES + 1;
    CHECK_STATUS(abut_lcp_lemke(solver, &lcp, NULL, &answer, &error), ABUT_LIMIT, "count");
    lcp.count = -1;
    CHECK_STATUS(abut_lcp_lemke(solver, &lcp, NULL, &answer, &error), ABUT_BAD_ARGUMENT, "count");
    lcp.count = 2;
    abut_lcp_params params = abut_lcp_params_default();
    params.tolerance = NAN;
    CHECK_STATUS(abut_lcp_lemke(solver, &lcp, &params, &answer, &error), ABUT_BAD_ARGUMENT, "tolerance");
    params.struct_size = 0;
    CHECK_STATUS(abut_lcp_lemke(solver, &lcp, &params, &answer, &error), ABUT_BAD_ARGUMENT, "size");
    answer.z = NULL;
    CHECK_STATUS(abut_lcp_lemke(solver, &lcp, NULL, &answer, &error), ABUT_BAD_ARGUMENT, "no room");
    // Numbers that overflow on the way must neither crash nor give a wrong answer.
    matrix[0] = 1e300;
    matrix[3] = 1e-300;
    matrix[1] = 1e300;
    answer.z = z;
    CHECK_STATUS(abut_lcp_lemke(solver, &lcp, NULL, &answer, &error), ABUT_OK, "range");
    CHECK(answer.outcome != ABUT_SOLVE_CONVERGED || missed(2, matrix, vector, z) <= 1e-9, "range: %s",
          abut_solve_outcome_text(answer.outcome));
    abut_solver_destroy(solver);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_semidefinite), cmocka_unit_test(test_copositive), cmocka_unit_test(test_ties),
        cmocka_unit_test(test_known),        cmocka_unit_test(test_large),      cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
