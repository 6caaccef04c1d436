// SPDX-License-Identifier: MIT
// block6.h: 6 x 6 matrices, by rows
#ifndef ABUT_SOLVE_BLOCK6_H
#define ABUT_SOLVE_BLOCK6_H

/// c -= a b
static inline void abut_block6_subtract(double *restrict c, const double *restrict a, const double *restrict b)
{
    for (int i = 0; i < 6; ++i) {
        double row[6];
        for (int j = 0; j < 6; ++j) {
            row[j] = a[6 * i] * b[j];
        }
        for (int k = 1; k < 6; ++k) {
            for (int j = 0; j < 6; ++j) {
                row[j] += a[6 * i + k] * b[6 * k + j];
            }
        }
        for (int j = 0; j < 6; ++j) {
            c[6 * i + j] -= row[j];
        }
    }
}

/// c = a b
static inline void abut_block6_multiply(double *restrict c, const double *restrict a, const double *restrict b)
{
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            double sum = 0.0;
            for (int k = 0; k < 6; ++k) {
                sum += a[6 * i + k] * b[6 * k + j];
            }
            c[6 * i + j] = sum;
        }
    }
}

/// y -= a x
static inline void abut_block6_subtract_vector(double *restrict y, const double *restrict a,
                                               const double *restrict x)
{
    for (int i = 0; i < 6; ++i) {
        double sum = 0.0;
        for (int k = 0; k < 6; ++k) {
            sum += a[6 * i + k] * x[k];
        }
        y[i] -= sum;
    }
}

/// Replaces a matrix by its inverse, by Gauss-Jordan elimination with row pivots. Returns 0 if a pivot is zero or not
/// finite.
int abut_block6_invert(double a[36]);

#endif
