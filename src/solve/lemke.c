// SPDX-License-Identifier: MIT
// lemke.c: linear complementarity problems by Lemke's complementary pivoting
//
// An artificial variable z0 makes the problem w = M z + d z0 + q solvable at once; then variables enter whose
// complements have left, until z0 leaves (a solution) or nothing limits the one that enters (a ray).
//
// Source:  Cottle, Pang and Stone 1992, sections 4.4 and 4.9 (lexicographic degeneracy resolution).
// Differs: a ray counts only in a tableau computed anew; the basis that was found is solved again from the given
//          numbers.
// Cost:    one pivot takes time with the square of the unknowns; there are about as many pivots as unknowns.
// Fails:   on matrices for which the method has no guarantee; the outcome says so.
#include "solve/lemke.h"

#include "base/error.h"
#include "solve/solver.h"
#include "solve/tableau.h"

#include <string.h>

enum { REFRESH_PIVOTS = 100, REFINEMENTS = 3, LIMIT_PER_VARIABLE = 50 };

// Pivots until z0 leaves. Returns CONVERGED, RAY, ITERATIONS, or INACCURATE if rounding made the basis singular.
static abut_solve_outcome pivot_to_end(abut_tableau *t, int limit, int *pivots)
{
    int n = t->count, artificial = 2 * n, first = 0;
    for (int i = 1; i < n; ++i) {
        // the last of equal ones keeps the other rows lexicographically positive
        first = t->lcp->vector[i] <= t->lcp->vector[first] ? i : first;
    }
    int leaving = t->basis[first], since_refresh = 1;
    abut_tableau_pivot(t, first, artificial);
    *pivots = 1;
    while (leaving != artificial) {
        if (*pivots >= limit) {
            return ABUT_SOLVE_ITERATIONS;
        }
        int entering = leaving < n ? leaving + n : leaving - n;
        int row = abut_tableau_ratio(t, entering);
        if (row < 0 && since_refresh == 0) {
            return ABUT_SOLVE_RAY;
        }
        if (row < 0 || since_refresh >= REFRESH_PIVOTS + n) {
            if (!abut_tableau_refresh(t)) {
                return ABUT_SOLVE_INACCURATE;
            }
            since_refresh = 0;
            continue;
        }
        leaving = t->basis[row];
        abut_tableau_pivot(t, row, entering);
        ++*pivots;
        ++since_refresh;
    }
    return ABUT_SOLVE_CONVERGED;
}

// q minus the basic columns times the basic variables x
static void basis_residual(const abut_tableau *t, const double *x, double *residual)
{
    size_t n = (size_t)t->count;
    memcpy(residual, t->lcp->vector, n * sizeof *residual);
    for (size_t k = 0; k < n; ++k) {
        if (t->basis[k] < t->count) {
            residual[t->basis[k]] -= x[k];
            continue;
        }
        size_t column = (size_t)t->basis[k] - n;
        for (size_t i = 0; i < n; ++i) {
            residual[i] += (column < n ? t->lcp->matrix[i * n + column] : 1.0) * x[k]; // z0 is the last
        }
    }
}

// Solves the basis for q by its inverse, which is in the tableau, with corrections that make good its rounding.
static void solve_basis(const abut_tableau *t, double *x, double *residual, double *z)
{
    int n = t->count;
    memset(x, 0, (size_t)n * sizeof *x);
    for (int round = 0; round < REFINEMENTS; ++round) {
        basis_residual(t, x, residual);
        for (int k = 0; k < n; ++k) {
            const double *inverse = abut_tableau_row(t, k);
            double correction = 0.0;
            for (int i = 0; i < n; ++i) {
                correction += inverse[i] * residual[i];
            }
            x[k] += correction;
        }
    }
    memset(z, 0, (size_t)n * sizeof *z);
    for (int k = 0; k < n; ++k) {
        if (t->basis[k] >= n && t->basis[k] < 2 * n && x[k] > 0.0) {
            z[t->basis[k] - n] = x[k];
        }
    }
}

// The largest |min(z, w)|, relative to the largest number that w is the sum of.
static double answer_residual(const abut_tableau *t, const double *z)
{
    size_t n = (size_t)t->count;
    double largest = 0.0, size = t->size;
    for (size_t i = 0; i < n; ++i) {
        double w = t->lcp->vector[i];
        for (size_t j = 0; j < n; ++j) {
            double part = t->lcp->matrix[i * n + j] * z[j];
            w += part;
            size = fabs(part) > size ? fabs(part) : size;
        }
        double missed = fabs(z[i] < w ? z[i] : w);
        if (isnan(missed)) {
            return HUGE_VAL;
        }
        largest = fmax(largest, missed);
    }
    return largest / size;
}

static int is_solved_by_zero(const abut_lcp *lcp)
{
    for (int i = 0; i < lcp->count; ++i) {
        if (lcp->vector[i] < 0.0) {
            return 0;
        }
    }
    return 1;
}

abut_status abut_lemke(abut_arena *arena, const abut_lcp *lcp, const abut_lcp_params *params,
                       abut_lcp_answer *answer)
{
    int n = lcp->count;
    int is_trivial = is_solved_by_zero(lcp);
    abut_tableau t;
    size_t bytes = (size_t)n * sizeof(double);
    double *x = abut_arena_take(arena, bytes), *scratch = abut_arena_take(arena, bytes);
    if (x == NULL || scratch == NULL || (!is_trivial && abut_tableau_init(&t, arena, lcp) != ABUT_OK)) {
        return ABUT_NO_MEMORY;
    }
    answer->outcome = ABUT_SOLVE_CONVERGED;
    answer->iterations = 0;
    answer->residual = 0.0;
    if (n > 0) {
        memset(answer->z, 0, bytes);
    }
    if (is_trivial) {
        return ABUT_OK;
    }
    int limit = params->iteration_limit > 0 ? params->iteration_limit : LIMIT_PER_VARIABLE * n;
    answer->outcome = pivot_to_end(&t, limit, &answer->iterations);
    if (answer->outcome == ABUT_SOLVE_CONVERGED) {
        solve_basis(&t, x, scratch, answer->z);
        answer->residual = answer_residual(&t, answer->z);
        if (!(answer->residual <= params->tolerance)) {
            // the inverse may be too far off: once more with a fresh one
            if (abut_tableau_refresh(&t)) {
                solve_basis(&t, x, scratch, answer->z);
                answer->residual = answer_residual(&t, answer->z);
            }
            answer->outcome = answer->residual <= params->tolerance ? ABUT_SOLVE_CONVERGED : ABUT_SOLVE_INACCURATE;
        }
        return ABUT_OK;
    }
    if (answer->outcome == ABUT_SOLVE_RAY) {
        // equations that depend on each other may contradict by rounding, and then z0 cannot leave: what is there
        // without it may solve the problem
        solve_basis(&t, x, scratch, answer->z);
        if (answer_residual(&t, answer->z) <= params->tolerance) {
            answer->outcome = ABUT_SOLVE_CONVERGED;
        } else {
            memset(answer->z, 0, bytes);
        }
    }
    answer->residual = answer_residual(&t, answer->z);
    return ABUT_OK;
}

static abut_status check(const abut_lcp *lcp, abut_error *error)
{
    if (lcp == NULL || lcp->count < 0 || (lcp->count > 0 && (lcp->matrix == NULL || lcp->vector == NULL))) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the problem or one of its arrays is missing");
    }
    if (lcp->count > ABUT_LCP_VARIABLES) {
        return abut_fail(error, ABUT_LIMIT, "there are %d unknowns; at most %d are possible", lcp->count,
                         ABUT_LCP_VARIABLES);
    }
    int64_t n = lcp->count;
    for (int64_t i = 0; i < n * n; ++i) {
        if (!isfinite(lcp->matrix[i])) {
            return abut_fail_element(error, ABUT_BAD_DATA, i,
                                     "the element of row %lld and column %lld is not finite", (long long)(i / n),
                                     (long long)(i % n));
        }
    }
    for (int64_t i = 0; i < n; ++i) {
        if (!isfinite(lcp->vector[i])) {
            return abut_fail_element(error, ABUT_BAD_DATA, n * n + i, "element %lld of the vector is not finite",
                                     (long long)i);
        }
    }
    return ABUT_OK;
}

abut_status abut_lcp_lemke(abut_solver *solver, const abut_lcp *lcp, const abut_lcp_params *params,
                           abut_lcp_answer *answer, abut_error *error)
{
    ABUT_ASSERT(solver != NULL);
    abut_lcp_params p = abut_lcp_params_default();
    if (params != NULL && !abut_read_versioned(&p, sizeof p, params)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the parameters were not made by abut_lcp_params_default()");
    }
    if (p.iteration_limit < 0 || !(p.tolerance >= 0.0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the iteration limit or the tolerance is below 0");
    }
    abut_status status = check(lcp, error);
    if (status != ABUT_OK) {
        return status;
    }
    if (answer == NULL || (lcp->count > 0 && answer->z == NULL)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the answer or its array z is missing");
    }
    abut_solver_reset(solver);
    status = abut_lemke(&solver->arena, lcp, &p, answer);
    return status == ABUT_OK ? ABUT_OK : abut_fail(error, status, "no memory for %d unknowns", lcp->count);
}
