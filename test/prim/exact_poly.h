// SPDX-License-Identifier: MIT
// exact_poly.h: polynomials of one variable with integer coefficients of any size: signs, common divisors, roots
#ifndef ABUT_TEST_EXACT_POLY_H
#define ABUT_TEST_EXACT_POLY_H

#include <gmp.h>

enum { DEGREE = 12, ROOM = DEGREE + 1, CHAIN = DEGREE + 2 };

/// A polynomial in powers of t with integer coefficients; degree -1 is the zero polynomial.
typedef struct poly {
    int degree;
    mpz_t c[ROOM];
} poly;

/// A dyadic time: n / 2^shift.
typedef struct dyadic {
    mpz_t n;
    unsigned shift;
} dyadic;

/// Sturm's chain of a polynomial without its multiple roots: each counts once.
typedef struct chain {
    int count;
    poly p[CHAIN];
} chain;

/// Call this before anything else, and again when no number is left: it empties the pool that numbers live in.
void exact_start(void);

void exact_poly_init(poly *p);
void exact_poly_clear(poly *p);
/// Finds the degree, which is at most this.
void exact_poly_trim(poly *p, int degree);
void exact_poly_set(poly *p, const poly *q);
/// p = a + s b
void exact_poly_add(poly *p, const poly *a, int s, const poly *b);
/// p += s a b; p is neither a nor b
void exact_poly_add_product(poly *p, int s, const poly *a, const poly *b);
/// a = the greatest common divisor of a and b
void exact_poly_gcd(poly *a, const poly *b);
int exact_sign_at(const poly *p, const dyadic *t);
void exact_chain_make(chain *s, const poly *p);
void exact_chain_clear(chain *s);
/// The number of different roots in (a, b].
int exact_roots_in(const chain *s, const dyadic *a, const dyadic *b);
/// Gives both times the same denominator.
void exact_match(dyadic *a, dyadic *b);
/// The sign of p in all of [a, b], or 0 if the signs of its Bernstein coefficients do not tell: those of the polynomial
/// (1 + y)^n p((a + b y) / (1 + y)).
int exact_sign_between(const poly *p, dyadic *a, dyadic *b);

#endif
