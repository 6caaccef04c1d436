// SPDX-License-Identifier: MIT
// bernstein.c: roots and products of polynomials in the Bernstein basis
//
// The roots of p are between those of its derivative, where p is monotone: one root for each sign change, found by
// Newton's method kept inside a shrinking bracket.
#include "math/bernstein.h"

const double abut_binomials[21][21] = {
    {1},
    {1, 1},
    {1, 2, 1},
    {1, 3, 3, 1},
    {1, 4, 6, 4, 1},
    {1, 5, 10, 10, 5, 1},
    {1, 6, 15, 20, 15, 6, 1},
    {1, 7, 21, 35, 35, 21, 7, 1},
    {1, 8, 28, 56, 70, 56, 28, 8, 1},
    {1, 9, 36, 84, 126, 126, 84, 36, 9, 1},
    {1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1},
    {1, 11, 55, 165, 330, 462, 462, 330, 165, 55, 11, 1},
    {1, 12, 66, 220, 495, 792, 924, 792, 495, 220, 66, 12, 1},
    {1, 13, 78, 286, 715, 1287, 1716, 1716, 1287, 715, 286, 78, 13, 1},
    {1, 14, 91, 364, 1001, 2002, 3003, 3432, 3003, 2002, 1001, 364, 91, 14, 1},
    {1, 15, 105, 455, 1365, 3003, 5005, 6435, 6435, 5005, 3003, 1365, 455, 105, 15, 1},
    {1, 16, 120, 560, 1820, 4368, 8008, 11440, 12870, 11440, 8008, 4368, 1820, 560, 120, 16, 1},
    {1, 17, 136, 680, 2380, 6188, 12376, 19448, 24310, 24310, 19448, 12376, 6188, 2380, 680, 136, 17, 1},
    {1, 18, 153, 816, 3060, 8568, 18564, 31824, 43758, 48620, 43758, 31824, 18564, 8568, 3060, 816, 153, 18, 1},
    {1,     19,    171,   969,   3876,  11628, 27132, 50388, 75582, 92378,
     92378, 75582, 50388, 27132, 11628, 3876,  969,   171,   19,    1},
    {1,      20,     190,   1140,  4845,  15504, 38760, 77520, 125970, 167960, 184756,
     167960, 125970, 77520, 38760, 15504, 4845,  1140,  190,   20,     1},
};

static double value_and_slope(const double *c, int n, double t, double *slope)
{
    double d[BERNSTEIN_DEGREE + 1], r = 1.0 - t;
    if (n == 3) { // the usual case, written out
        double x = r * c[0] + t * c[1], y = r * c[1] + t * c[2], z = r * c[2] + t * c[3];
        double left = r * x + t * y, right = r * y + t * z;
        *slope = 3.0 * (right - left);
        return r * left + t * right;
    }
    for (int i = 0; i <= n; ++i) {
        d[i] = c[i];
    }
    for (int level = n; level > 1; --level) {
        for (int i = 0; i < level; ++i) {
            d[i] = r * d[i] + t * d[i + 1];
        }
    }
    *slope = n * (d[1] - d[0]);
    return r * d[0] + t * d[1];
}

/// A step of Newton's method this short is its last one: the next would be some orders of magnitude shorter, or noise.
static const double ROOT_ERROR = 0x1p-52;

double abut_bernstein_root(const double *c, int n, double s, double e, int rising)
{
    double t = 0.5 * (s + e);
    double sign = rising ? 1.0 : -1.0;
    for (int i = 0; i < 100; ++i) {
        double slope;
        double value = sign * value_and_slope(c, n, t, &slope);
        if (value < 0.0) {
            s = t;
        } else if (value > 0.0) {
            e = t;
        } else {
            return t;
        }
        double step = value / (sign * slope), next = t - step;
        if (fabs(step) <= ROOT_ERROR) {
            return fmin(fmax(next, s), e);
        }
        if (!(next > s && next < e)) {
            next = 0.5 * (s + e);
        }
        if (fabs(next - t) <= 0x1p-53 * t || next == s || next == e) {
            return next;
        }
        t = next;
    }
    return t;
}

int abut_bernstein_roots(const double *c, int n, double *roots)
{
    if (n == 0) {
        return 0;
    }
    if (n == 1) {
        if ((c[0] < 0.0) != (c[1] < 0.0) && c[0] != c[1]) {
            roots[0] = c[0] / (c[0] - c[1]);
            return 1;
        }
        return 0;
    }
    int changes = 0;
    for (int i = 0; i < n; ++i) {
        changes += (c[i] < 0.0) != (c[i + 1] < 0.0);
    }
    if (changes == 0) { // there are no more roots than changes of sign of the coefficients, and as many modulo 2
        return 0;
    }
    if (changes == 1) {
        roots[0] = abut_bernstein_root(c, n, 0.0, 1.0, c[0] < 0.0);
        return 1;
    }
    double slopes[BERNSTEIN_DEGREE], turns[BERNSTEIN_DEGREE + 2] = {0.0};
    for (int i = 0; i < n; ++i) {
        slopes[i] = c[i + 1] - c[i];
    }
    int turn_count = abut_bernstein_roots(slopes, n - 1, turns + 1);
    turns[turn_count + 1] = 1.0;
    int count = 0;
    double value = c[0];
    for (int i = 0; i <= turn_count; ++i) {
        double next = i == turn_count ? c[n] : bernstein_value(c, n, turns[i + 1]);
        if ((value < 0.0) != (next < 0.0)) {
            roots[count++] = abut_bernstein_root(c, n, turns[i], turns[i + 1], value < 0.0);
        }
        value = next;
    }
    return count;
}

void abut_bernstein_cross(const abut_vec3 *a, int a_degree, const abut_vec3 *b, int b_degree, abut_vec3 *out)
{
    int n = a_degree + b_degree;
    for (int k = 0; k <= n; ++k) {
        out[k] = abut_vec3_make(0.0, 0.0, 0.0);
        int first = k > b_degree ? k - b_degree : 0;
        int last = k < a_degree ? k : a_degree;
        for (int i = first; i <= last; ++i) {
            double weight = abut_binomials[a_degree][i] * abut_binomials[b_degree][k - i] / abut_binomials[n][k];
            out[k] = abut_add_scaled(out[k], weight, abut_cross(a[i], b[k - i]));
        }
    }
}

void abut_bernstein_dot(const abut_vec3 *a, int a_degree, const abut_vec3 *b, int b_degree, double *out)
{
    int n = a_degree + b_degree;
    for (int k = 0; k <= n; ++k) {
        out[k] = 0.0;
        int first = k > b_degree ? k - b_degree : 0;
        int last = k < a_degree ? k : a_degree;
        for (int i = first; i <= last; ++i) {
            double weight = abut_binomials[a_degree][i] * abut_binomials[b_degree][k - i] / abut_binomials[n][k];
            out[k] += weight * abut_dot(a[i], b[k - i]);
        }
    }
}
