// SPDX-License-Identifier: MIT
// tableau.c: pivots, the lexicographic ratio test, and a fresh start from the given numbers
#include "solve/tableau.h"

#include <string.h>

static const double pivot_tolerance =
    1e-10; // of an element relative to the largest of its column: below it is rounding
static const double tie_tolerance = 1e-12;  // of what is left after the pivot, relative to what it is made of
static const double zero_tolerance = 1e-14; // of a right-hand side relative to q: below it is zero

static void fill(abut_tableau *t)
{
    size_t n = (size_t)t->count;
    for (size_t i = 0; i < n; ++i) {
        double *row = abut_tableau_row(t, (int)i);
        memset(row, 0, n * sizeof *row);
        row[i] = 1.0;
        for (size_t j = 0; j < n; ++j) {
            row[n + j] = -t->lcp->matrix[i * n + j];
        }
        row[2 * n] = -1.0; // the covering vector d: ones
        row[2 * n + 1] = t->lcp->vector[i];
    }
}

abut_status abut_tableau_init(abut_tableau *t, abut_arena *arena, const abut_lcp *lcp)
{
    t->lcp = lcp;
    t->count = lcp->count;
    t->width = 2 * lcp->count + 2;
    t->size = 0.0;
    t->values = abut_arena_take(arena, (size_t)t->count * (size_t)t->width * sizeof *t->values);
    t->basis = abut_arena_take(arena, (size_t)t->count * sizeof *t->basis);
    t->candidates = abut_arena_take(arena, (size_t)t->count * sizeof *t->candidates);
    if (t->values == NULL || t->basis == NULL || t->candidates == NULL) {
        return ABUT_NO_MEMORY;
    }
    fill(t);
    for (int i = 0; i < t->count; ++i) {
        t->basis[i] = i;
        t->size = fmax(t->size, fabs(lcp->vector[i]));
    }
    return ABUT_OK;
}

void abut_tableau_pivot(abut_tableau *t, int row, int variable)
{
    double *pivot_row = abut_tableau_row(t, row);
    double inverse = 1.0 / pivot_row[variable];
    for (int j = 0; j < t->width; ++j) {
        pivot_row[j] *= inverse;
    }
    pivot_row[variable] = 1.0;
    for (int i = 0; i < t->count; ++i) {
        double *other = abut_tableau_row(t, i);
        double factor = other[variable];
        if (i == row || factor == 0.0) {
            continue;
        }
        for (int j = 0; j < t->width; ++j) {
            other[j] -= factor * pivot_row[j];
        }
        other[variable] = 0.0;
        if (fabs(other[t->width - 1]) < zero_tolerance * t->size) {
            other[t->width - 1] = 0.0;
        }
    }
    t->basis[row] = variable;
}

static void swap_rows(abut_tableau *t, int a, int b)
{
    double *first = abut_tableau_row(t, a), *second = abut_tableau_row(t, b);
    for (int j = 0; a != b && j < t->width; ++j) {
        double swapped = first[j];
        first[j] = second[j];
        second[j] = swapped;
    }
}

int abut_tableau_refresh(abut_tableau *t)
{
    fill(t);
    // Gauss-Jordan: the k-th basic variable, in the order of the basis, gets the best of the rows from k on. Rows
    // are moved so that the basis stays as it is; the lexicographic order depends on columns alone.
    for (int k = 0; k < t->count; ++k) {
        int variable = t->basis[k], best = k;
        for (int i = k + 1; i < t->count; ++i) {
            if (fabs(abut_tableau_row(t, i)[variable]) > fabs(abut_tableau_row(t, best)[variable])) {
                best = i;
            }
        }
        if (!(fabs(abut_tableau_row(t, best)[variable]) > 0.0)) {
            return 0;
        }
        swap_rows(t, k, best);
        abut_tableau_pivot(t, k, variable);
    }
    return 1;
}

// The rows that limit a variable equally, up to rounding, by the right-hand side. Returns how many, 0 where none
// limits it.
static int find_candidates(const abut_tableau *t, int variable)
{
    double largest = 0.0;
    for (int i = 0; i < t->count; ++i) {
        largest = fmax(largest, fabs(abut_tableau_row(t, i)[variable]));
    }
    double least = HUGE_VAL;
    for (int i = 0; i < t->count; ++i) {
        const double *row = abut_tableau_row(t, i);
        if (row[variable] > pivot_tolerance * largest) {
            least = fmin(least, fmax(row[t->width - 1], 0.0) / row[variable]);
        }
    }
    int count = 0;
    for (int i = 0; i < t->count && least < HUGE_VAL; ++i) {
        const double *row = abut_tableau_row(t, i);
        double element = row[variable], side = fmax(row[t->width - 1], 0.0);
        if (element > pivot_tolerance * largest && side - least * element <= tie_tolerance * fmax(t->size, side)) {
            t->candidates[count++] = i;
        }
    }
    return count;
}

// Of the candidates, those with the least element of a column of the inverse basis over the pivot. Returns how many.
static int narrow(const abut_tableau *t, int count, int variable, int column, double tolerance)
{
    double least = HUGE_VAL;
    for (int k = 0; k < count; ++k) {
        const double *row = abut_tableau_row(t, t->candidates[k]);
        least = fmin(least, row[column] / row[variable]);
    }
    int kept = 0;
    for (int k = 0; k < count; ++k) {
        const double *row = abut_tableau_row(t, t->candidates[k]);
        if (row[column] / row[variable] <= least + tolerance) {
            t->candidates[kept++] = t->candidates[k];
        }
    }
    return kept;
}

static int narrow_lexicographically(const abut_tableau *t, int count, int variable)
{
    double size = 0.0;
    for (int k = 0; k < count; ++k) {
        const double *row = abut_tableau_row(t, t->candidates[k]);
        for (int j = 0; j < t->count; ++j) {
            size = fmax(size, fabs(row[j]) / row[variable]);
        }
    }
    for (int j = 0; j < t->count && count > 1; ++j) {
        count = narrow(t, count, variable, j, tie_tolerance * size);
    }
    return count;
}

int abut_tableau_ratio(const abut_tableau *t, int variable)
{
    int count = find_candidates(t, variable);
    if (count == 0) {
        return -1;
    }
    for (int k = 0; k < count; ++k) {
        if (t->basis[t->candidates[k]] == 2 * t->count) {
            return t->candidates[k];
        }
    }
    if (count > 1) {
        count = narrow_lexicographically(t, count, variable);
    }
    // rounding may leave several: the largest pivot of them, the first of equal ones
    int best = t->candidates[0];
    for (int k = 1; k < count; ++k) {
        if (abut_tableau_row(t, t->candidates[k])[variable] > abut_tableau_row(t, best)[variable]) {
            best = t->candidates[k];
        }
    }
    return best;
}
