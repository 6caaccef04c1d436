// SPDX-License-Identifier: MIT
// exact.h: exact signs of determinants with GMP integers and rationals, an oracle for the predicates
#ifndef ABUT_TEST_EXACT_H
#define ABUT_TEST_EXACT_H

#include <gmp.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>

/// Scratch numbers for a determinant, kept between calls.
typedef struct exact_room {
    mpz_t row[3][3];
    mpz_t last[3];
    mpz_t product, sum;
} exact_room;

static inline void exact_init(exact_room *room)
{
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            mpz_init(room->row[i][k]);
        }
        mpz_init(room->last[i]);
    }
    mpz_inits(room->product, room->sum, NULL);
}

static inline void exact_clear(exact_room *room)
{
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            mpz_clear(room->row[i][k]);
        }
        mpz_clear(room->last[i]);
    }
    mpz_clears(room->product, room->sum, NULL);
}

/// An exponent e such that every x is an integer multiple of 2^e.
static inline int exact_exponent(const double *x, int count)
{
    int lowest = INT_MAX;
    for (int i = 0; i < count; ++i) {
        int e;
        if (x[i] != 0.0) {
            (void)frexp(x[i], &e);
            lowest = e - 53 < lowest ? e - 53 : lowest;
        }
    }
    return lowest;
}

/// z = x / 2^exponent, which must be an integer
static inline void exact_set(mpz_t z, double x, int exponent)
{
    int e;
    double fraction = frexp(x, &e);
    mpz_set_si(z, (long)ldexp(fraction, 53));
    if (x != 0.0) {
        mpz_mul_2exp(z, z, (mp_bitcnt_t)(e - 53 - exponent));
    }
}

/// Adds s a b c to the sum, or s a b if c is NULL.
static inline void exact_add_product(exact_room *room, int s, mpz_t a, mpz_t b, mpz_ptr c)
{
    mpz_mul(room->product, a, b);
    if (c != NULL) {
        mpz_mul(room->product, room->product, c);
    }
    if (s > 0) {
        mpz_add(room->sum, room->sum, room->product);
    } else {
        mpz_sub(room->sum, room->sum, room->product);
    }
}

/// The sign of the determinant of the differences p[i] - p[0], i = 1 .. n, of points with n = 2 or 3 coordinates:
/// +1 for a left turn, and for a fourth point above the other three. `p` has n + 1 points, one after the other.
static inline int exact_sign(exact_room *room, const double *p, int n)
{
    int exponent = exact_exponent(p, n * (n + 1));
    for (int k = 0; k < n; ++k) {
        exact_set(room->last[k], p[k], exponent);
        for (int i = 0; i < n; ++i) {
            exact_set(room->row[i][k], p[n * (i + 1) + k], exponent);
            mpz_sub(room->row[i][k], room->row[i][k], room->last[k]);
        }
    }
    mpz_set_ui(room->sum, 0);
    // every permutation of the columns, with its sign
    if (n == 2) {
        exact_add_product(room, 1, room->row[0][0], room->row[1][1], NULL);
        exact_add_product(room, -1, room->row[0][1], room->row[1][0], NULL);
    } else {
        for (int k = 0; k < 3; ++k) {
            exact_add_product(room, 1, room->row[0][k], room->row[1][(k + 1) % 3], room->row[2][(k + 2) % 3]);
            exact_add_product(room, -1, room->row[0][k], room->row[1][(k + 2) % 3], room->row[2][(k + 1) % 3]);
        }
    }
    return mpz_sgn(room->sum);
}

/// exact_sign() with rationals made directly from the doubles: slower, but checks the scaling of exact_sign().
static inline int exact_sign_rational(const double *p, int n)
{
    mpq_t row[3][3], origin, product, sum;
    mpq_inits(origin, product, sum, NULL);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) {
            mpq_init(row[i][k]);
            mpq_set_d(row[i][k], p[n * (i + 1) + k]);
            mpq_set_d(origin, p[k]);
            mpq_sub(row[i][k], row[i][k], origin);
        }
    }
    for (int k = 0; k < n; ++k) {
        for (int s = 1; s >= (n == 2 ? 1 : -1); s -= 2) {
            mpq_mul(product, row[0][k], row[1][(k + n + s) % n]);
            if (n == 3) {
                mpq_mul(product, product, row[2][(k + n - s) % n]);
            }
            int sign = n == 2 ? 1 - 2 * k : s;
            if (sign > 0) {
                mpq_add(sum, sum, product);
            } else {
                mpq_sub(sum, sum, product);
            }
        }
    }
    int sign = mpq_sgn(sum);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) {
            mpq_clear(row[i][k]);
        }
    }
    mpq_clears(origin, product, sum, NULL);
    return sign;
}

#endif
