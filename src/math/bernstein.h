// SPDX-License-Identifier: MIT
// bernstein.h: polynomials on [0, 1] in the Bernstein basis
//
// p(t) = sum of c[i] B(i, n)(t) with B(i, n)(t) = binomial(n, i) t^i (1-t)^(n-i). The values are between the least and
// the largest coefficient, which is why signs of coefficients bound signs of values.
#ifndef ABUT_MATH_BERNSTEIN_H
#define ABUT_MATH_BERNSTEIN_H

#include <abut/math.h>

enum { BERNSTEIN_DEGREE = 16 }; ///< the highest

/// binomial(n, k) for n up to 20: the product of normals and volumes of paths of degree 4.
extern const double abut_binomials[21][21];

/// Replaces p by its restriction to [s, e], which is again written over [0, 1].
static inline void bernstein_restrict(double *c, int n, double s, double e)
{
    // first [0, e], then [s / e, 1] of it
    if (e < 1.0) {
        for (int level = 1; level <= n; ++level) {
            for (int i = n; i >= level; --i) {
                c[i] = (1.0 - e) * c[i - 1] + e * c[i];
            }
        }
    }
    double r = s > 0.0 ? s / e : 0.0;
    if (r > 0.0) {
        for (int level = 1; level <= n; ++level) {
            for (int i = 0; i <= n - level; ++i) {
                c[i] = (1.0 - r) * c[i] + r * c[i + 1];
            }
        }
    }
}

static inline double bernstein_value(const double *c, int n, double t)
{
    double d[BERNSTEIN_DEGREE + 1];
    for (int i = 0; i <= n; ++i) {
        d[i] = c[i];
    }
    for (int level = n; level > 0; --level) {
        for (int i = 0; i < level; ++i) {
            d[i] = (1.0 - t) * d[i] + t * d[i + 1];
        }
    }
    return d[0];
}

/// The root of a polynomial with exactly one sign change in (s, e). `rising` is 1 if it goes from negative to positive.
double abut_bernstein_root(const double *c, int n, double s, double e, int rising);

/// Finds the times in [0, 1] at which p changes its sign, in order. Double roots up to rounding may be missed. Returns
/// their number, at most n.
int abut_bernstein_roots(const double *c, int n, double *roots);

// Products, in the same basis: out has a_degree + b_degree + 1 coefficients.
void abut_bernstein_cross(const abut_vec3 *a, int a_degree, const abut_vec3 *b, int b_degree, abut_vec3 *out);
void abut_bernstein_dot(const abut_vec3 *a, int a_degree, const abut_vec3 *b, int b_degree, double *out);

#endif
