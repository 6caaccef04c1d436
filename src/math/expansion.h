// SPDX-License-Identifier: MIT
// expansion.h: exact sums and products of doubles, as expansions
//
// An expansion is a sum of doubles ("components") in increasing order of size. No component is zero, and no two
// overlap (no bit position is used by two of them). The value 0 has length 0. The sign of an expansion is the sign
// of its last component. Everything here is exact in IEEE double arithmetic (round to nearest, ties to even) as long
// as nothing overflows and no product underflows; the caller makes sure of that.
//
// Source:  Shewchuk 1997, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates":
//          the idea, and theorems 13 (sum) and 19 (product), which prove that results do not overlap (with ties to
//          even they do not overlap in the paper's strong sense, so they can be summed again).
// Fails:   with -ffast-math, or if double expressions are evaluated in a wider format.
#ifndef ABUT_MATH_EXPANSION_H
#define ABUT_MATH_EXPANSION_H

#include <float.h>

#if FLT_EVAL_METHOD != 0
#error "expansions need double expressions to be evaluated as double"
#endif
#if defined(__FAST_MATH__)
#error "expansions cannot be compiled with -ffast-math"
#endif

/// high + low: high is the rounded result of an operation, low is the rounding error.
typedef struct two_double {
    double high, low;
} two_double;

/// a + b
static inline two_double two_sum(double a, double b)
{
    double high = a + b;
    double b_part = high - a;
    double a_part = high - b_part;
    two_double r = {high, (a - a_part) + (b - b_part)};
    return r;
}

/// a + b for |a| >= |b| or a = 0
static inline two_double two_sum_ordered(double a, double b)
{
    double high = a + b;
    two_double r = {high, b - (high - a)};
    return r;
}

/// a - b
static inline two_double two_difference(double a, double b)
{
    return two_sum(a, -b);
}

/// a as a sum of two numbers of at most 26 bits, so that the product of two halves is exact
static inline two_double two_halves(double a)
{
    double c = 134217729.0 * a; // 2^27 + 1
    double high = c - (c - a);
    two_double r = {high, a - high};
    return r;
}

/// a b, given the halves of b
static inline two_double two_product_halved(double a, double b, two_double b_halves)
{
    two_double a_halves = two_halves(a);
    double high = a * b;
    double rest = high - a_halves.high * b_halves.high;
    rest -= a_halves.low * b_halves.high;
    rest -= a_halves.high * b_halves.low;
    two_double r = {high, a_halves.low * b_halves.low - rest};
    return r;
}

/// a b
static inline two_double two_product(double a, double b)
{
    return two_product_halved(a, b, two_halves(b));
}

/// Writes the nonzero components of a to h. Returns the length, at most 2.
static inline int expansion_from(two_double a, double *h)
{
    int n = 0;
    if (a.low != 0.0) {
        h[n++] = a.low;
    }
    if (a.high != 0.0) {
        h[n++] = a.high;
    }
    return n;
}

/// h = e + s f with s = 1 or -1. Returns the length, at most e_count + f_count. h must be neither e nor f.
static inline int expansion_add(const double *e, int e_count, double s, const double *f, int f_count, double *h)
{
    int n = 0;
    int i = 0, j = 0;
    double sum = 0.0;
    // Components are added in increasing order of size. `sum` carries what does not fit into one component. It may
    // be smaller than the next component, so two_sum_ordered() would not do.
    while (i < e_count || j < f_count) {
        double next;
        if (j == f_count || (i < e_count && (f[j] > e[i]) == (f[j] > -e[i]))) {
            next = e[i++];
        } else {
            next = s * f[j++];
        }
        two_double r = two_sum(sum, next);
        sum = r.high;
        if (r.low != 0.0) {
            h[n++] = r.low;
        }
    }
    if (sum != 0.0) {
        h[n++] = sum;
    }
    return n;
}

/// h = b e. Returns the length, at most 2 e_count. h must not be e.
static inline int expansion_scale(const double *e, int e_count, double b, double *h)
{
    if (e_count == 0 || b == 0.0) {
        return 0;
    }
    int n = 0;
    two_double halves = two_halves(b);
    double carry = 0.0;
    for (int i = 0; i < e_count; ++i) {
        two_double product = two_product_halved(e[i], b, halves);
        two_double low = two_sum(carry, product.low);
        two_double high = two_sum_ordered(product.high, low.high);
        carry = high.high;
        if (low.low != 0.0) {
            h[n++] = low.low;
        }
        if (high.low != 0.0) {
            h[n++] = high.low;
        }
    }
    if (carry != 0.0) {
        h[n++] = carry;
    }
    return n;
}

static inline int expansion_sign(const double *e, int count)
{
    return count == 0 ? 0 : (e[count - 1] > 0.0 ? 1 : -1);
}

#endif
