// SPDX-License-Identifier: MIT
// predicates.c: exact orientation tests by adaptive floating-point expansions
//
// Three stages, each tried if the one before cannot determine the sign:
//   0  plain double arithmetic with a bound on its error (the filter; its proof is beside it);
//   1  the exact determinant of the rounded differences; it decides if the differences are exact, or if it
//      exceeds the error that their rounding can cause;
//   2  the exact determinant of the exact differences.
//
// Source:  Shewchuk 1997, for the idea of adaptive expansions; the stages, bounds and ranges are derived here.
// Differs: the filter's bound holds for every finite input, even with overflow and underflow; what the filter cannot
//          decide is checked for range, and scaled if needed, before expansions are used.
// Cost:    no allocation; stage 2 works on expansions of at most 192 components.
//
// Range of the expansions. A coordinate is used unscaled if it is 0 or 2^-288 <= |x| < 2^338; this contains
// 1e-70 > 2^-233 and 1e70 < 2^233. Then every coordinate is a multiple of g = 2^-340, since the last of the 53
// bits of a number of size 2^-288 is worth 2^-340. Sums, differences and products of multiples of g^i and g^j are
// multiples of g^max(i,j) and g^(i+j); so are their rounded values and rounding errors, because rounding a multiple
// of a power of two gives another one, and so are the halves of a product's factors. An expansion's components
// are therefore 0 or at least g^3 = 2^-1020, which is a normal number: no product underflows, every error term is
// exact. Differences are below 2^339, products of three below 2^1017, a sum of six below 2^1020, and splitting
// multiplies at most a product of two by 2^27 + 1: nothing overflows.
// Other inputs are multiplied by the power of two that puts the largest coordinate just below 2^338. If that leaves
// every coordinate a multiple of g, the sign is the sign of the scaled points; if not, the input is refused.
//
// Below, u = 2^-53 is half the distance from 1 to the next double. If r is the rounded value of x, then
// |x - r| <= u |x| and |x - r| <= u |r|. A product that underflows has |x - r| <= 2^-1075 instead. A sum or
// difference that underflows is exact.
#include <abut/predicates.h>

#include "math/expansion.h"

#include <math.h>

enum {
    TOP_EXPONENT = 338,    // coordinates are below 2^TOP_EXPONENT
    BOTTOM_EXPONENT = 340, // and multiples of 2^-BOTTOM_EXPONENT
};
static const double UNSCALED_LOWEST = 0x1p-288;
static const double UNSCALED_HIGHEST = 0x1p338;

// Scales the coordinates if needed. Returns 0 if one is not finite or scaling would round one.
static int bring_into_range(double *x, int count)
{
    double largest = 0.0;
    int in_range = 1;
    for (int i = 0; i < count; ++i) {
        double size = fabs(x[i]);
        if (!isfinite(size)) {
            return 0;
        }
        in_range &= size == 0.0 || (size >= UNSCALED_LOWEST && size < UNSCALED_HIGHEST);
        largest = size > largest ? size : largest;
    }
    if (in_range) {
        return 1;
    }
    int exponent;
    (void)frexp(largest, &exponent);
    int shift = TOP_EXPONENT - exponent;
    for (int i = 0; i < count; ++i) {
        double scaled = ldexp(x[i], shift);
        if (ldexp(scaled, -shift) != x[i]) {
            return 0;
        }
        if (fabs(scaled) < UNSCALED_LOWEST) {
            double multiple = ldexp(scaled, BOTTOM_EXPONENT); // below 2^52
            if (multiple != floor(multiple)) {
                return 0;
            }
        }
        x[i] = scaled;
    }
    return 1;
}

// The result of plain arithmetic. The sign of `determinant` is right if its magnitude exceeds `bound`.
typedef struct filter_result {
    double determinant, bound;
} filter_result;

static int sign_of(double x)
{
    return (x > 0.0) - (x < 0.0);
}

// The value of an expansion with a relative error of at most 2^-50. Components grow at least by a factor of two, so
// adding them in order makes errors that form a geometric series: u times at most twice the final sum.
static double expansion_estimate(const double *e, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += e[i];
    }
    return sum;
}

// h = a b, at most 8 components
static int product_of_two(two_double a, two_double b, double *h)
{
    double e[2], low[4], high[4];
    int e_count = expansion_from(a, e);
    int low_count = expansion_scale(e, e_count, b.low, low);
    int high_count = expansion_scale(e, e_count, b.high, high);
    return expansion_add(low, low_count, 1.0, high, high_count, h);
}

// h = a d - b c, at most 16 components
static int minor_of_two(two_double a, two_double b, two_double c, two_double d, double *h)
{
    double ad[8], bc[8];
    int ad_count = product_of_two(a, d, ad);
    int bc_count = product_of_two(b, c, bc);
    return expansion_add(ad, ad_count, -1.0, bc, bc_count, h);
}

// h = a d - b c, at most 4 components
static int minor_of_one(double a, double b, double c, double d, double *h)
{
    double ad[2], bc[2];
    int ad_count = expansion_from(two_product(a, d), ad);
    int bc_count = expansion_from(two_product(b, c), bc);
    return expansion_add(ad, ad_count, -1.0, bc, bc_count, h);
}

// ---- two dimensions

// `left` has three roundings, of two differences and a product: left = exact (1 + d1)(1 + d2)(1 + d3) with |d| <= u.
// So has `right`. So the exact value of left - right is off by at most (3u + 4u^2)(|left| + |right|), plus 2^-1074
// if
// both products underflow. The last subtraction keeps the sign and shrinks the value at most by the factor 1 - u.
// The
// bound 4u (|left| + |right|) + 2^-1000, computed with two roundings, exceeds that: 4u (1 - u)^3 > 3u + 4u^2.
// If anything overflows or is NaN, the bound is infinite or NaN, and no comparison with it holds.
static inline filter_result filter_orient2d(abut_vec2 a, abut_vec2 b, abut_vec2 c)
{
    double left = (a.x - c.x) * (b.y - c.y);
    double right = (a.y - c.y) * (b.x - c.x);
    filter_result f = {left - right, 0x1p-51 * (fabs(left) + fabs(right)) + 0x1p-1000};
    return f;
}

static abut_status expand_orient2d(abut_vec2 a, abut_vec2 b, abut_vec2 c, int *sign, int *stage)
{
    double p[6] = {a.x, a.y, b.x, b.y, c.x, c.y};
    *sign = 0;
    *stage = 1;
    if (!bring_into_range(p, 6)) {
        return ABUT_BAD_DATA;
    }
    two_double ax = two_difference(p[0], p[4]), ay = two_difference(p[1], p[5]);
    two_double bx = two_difference(p[2], p[4]), by = two_difference(p[3], p[5]);
    double h[16];
    int count = minor_of_one(ax.high, ay.high, bx.high, by.high, h);
    double magnitude = fabs(ax.high * by.high) + fabs(ay.high * bx.high);
    int is_exact = ax.low == 0.0 && ay.low == 0.0 && bx.low == 0.0 && by.low == 0.0;
    if (is_exact || magnitude == 0.0) { // a rounded difference is 0 only if the exact one is
        *sign = expansion_sign(h, count);
        return ABUT_OK;
    }
    // The two products of the exact differences differ from those of the rounded ones by at most 2u + u^2 of
    // themselves; 3u covers that, the estimate's error, and the rounding of the bound.
    double estimate = expansion_estimate(h, count);
    if (fabs(estimate) > 0x1.8p-52 * magnitude) {
        *sign = sign_of(estimate);
        return ABUT_OK;
    }
    *stage = 2;
    count = minor_of_two(ax, ay, bx, by, h);
    *sign = expansion_sign(h, count);
    return ABUT_OK;
}

abut_status abut_orient2d_stage(abut_vec2 a, abut_vec2 b, abut_vec2 c, int *sign, int *stage)
{
    filter_result f = filter_orient2d(a, b, c);
    if (fabs(f.determinant) > f.bound) {
        *sign = f.determinant > 0.0 ? 1 : -1;
        *stage = 0;
        return ABUT_OK;
    }
    return expand_orient2d(a, b, c, sign, stage);
}

abut_status abut_orient2d(abut_vec2 a, abut_vec2 b, abut_vec2 c, int *sign)
{
    filter_result f = filter_orient2d(a, b, c);
    if (fabs(f.determinant) > f.bound) {
        *sign = f.determinant > 0.0 ? 1 : -1;
        return ABUT_OK;
    }
    int stage;
    return expand_orient2d(a, b, c, sign, &stage);
}

// ---- three dimensions

// The determinant is t1 + t2 + t3 with t = z (m - n), where m and n are products of an x and a y. Let q be the sum
// with every product made positive, computed from the rounded differences without further rounding.
//   - Rounding the differences changes each product of three by at most (1 + u)^3 - 1 of itself, and so changes the
//     determinant by at most (3u + 4u^2) q.
//   - Computing m, m - n and z (m - n) rounds three times: another (3u + 4u^2) q.
//   - t1 + t2 rounds by u (|t1| + |t2|) <= u (1 + u)^3 q. The last addition keeps the sign and shrinks the value at
//     most by the factor 1 - u.
// The sum of these errors is below 7u q + 20u^2 q. The computed permanent is at least (1 - u)^4 q, and
// 8u (1 - u)^8 > 7u + 20u^2. Underflow adds to the determinant at most 2^-1075 |z| for each m and n and 2^-1075 for
// each t, and 8u times as much to the permanent. That is less than 2^-1070 (|z1| + |z2| + |z3| + 1), far below the
// last term of the bound. If anything overflows or is NaN, the permanent is infinite or NaN, and no comparison with
// the bound holds.
static inline filter_result filter_orient3d(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d)
{
    // Rows a - d, b - d, c - d: the determinant is (a - d) . (b - d) x (c - d), the negative of the sign we report.
    double ax = a.x - d.x, ay = a.y - d.y, az = a.z - d.z;
    double bx = b.x - d.x, by = b.y - d.y, bz = b.z - d.z;
    double cx = c.x - d.x, cy = c.y - d.y, cz = c.z - d.z;
    double bxcy = bx * cy, cxby = cx * by;
    double cxay = cx * ay, axcy = ax * cy;
    double axby = ax * by, bxay = bx * ay;
    double determinant = az * (bxcy - cxby) + bz * (cxay - axcy) + cz * (axby - bxay);
    double sa = fabs(az), sb = fabs(bz), sc = fabs(cz);
    double permanent =
        sa * (fabs(bxcy) + fabs(cxby)) + sb * (fabs(cxay) + fabs(axcy)) + sc * (fabs(axby) + fabs(bxay));
    filter_result f = {determinant, 0x1p-50 * permanent + 0x1p-1000 * (sa + sb + sc + 1.0)};
    return f;
}

// rows[i][k] is coordinate k of point i minus coordinate k of point 3.
typedef struct rows_3d {
    two_double rows[3][3];
    int is_exact; // no difference was rounded
} rows_3d;

static rows_3d differences_3d(const double p[12])
{
    rows_3d r;
    r.is_exact = 1;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            r.rows[i][k] = two_difference(p[3 * i + k], p[9 + k]);
            r.is_exact &= r.rows[i][k].low == 0.0;
        }
    }
    return r;
}

// The exact determinant of the rounded differences (at most 24 components), and the sum of the magnitudes of its
// products.
static int rounded_determinant(const rows_3d *r, double *h, double *permanent)
{
    double terms[3][8], sum[16];
    int counts[3];
    *permanent = 0.0;
    for (int i = 0; i < 3; ++i) {
        const two_double *p = r->rows[(i + 1) % 3], *q = r->rows[(i + 2) % 3];
        double z = r->rows[i][2].high;
        double minor[4];
        int minor_count = minor_of_one(p[0].high, p[1].high, q[0].high, q[1].high, minor);
        counts[i] = expansion_scale(minor, minor_count, z, terms[i]);
        *permanent += fabs(z) * (fabs(p[0].high * q[1].high) + fabs(p[1].high * q[0].high));
    }
    int sum_count = expansion_add(terms[0], counts[0], 1.0, terms[1], counts[1], sum);
    return expansion_add(sum, sum_count, 1.0, terms[2], counts[2], h);
}

// The exact sign of the determinant of the exact differences.
static int exact_determinant_sign(const rows_3d *r)
{
    double terms[3][64], sum[128], h[192];
    int counts[3];
    for (int i = 0; i < 3; ++i) {
        const two_double *p = r->rows[(i + 1) % 3], *q = r->rows[(i + 2) % 3];
        two_double z = r->rows[i][2];
        double minor[16], low[32], high[32];
        int minor_count = minor_of_two(p[0], p[1], q[0], q[1], minor);
        int low_count = expansion_scale(minor, minor_count, z.low, low);
        int high_count = expansion_scale(minor, minor_count, z.high, high);
        counts[i] = expansion_add(low, low_count, 1.0, high, high_count, terms[i]);
    }
    int sum_count = expansion_add(terms[0], counts[0], 1.0, terms[1], counts[1], sum);
    int count = expansion_add(sum, sum_count, 1.0, terms[2], counts[2], h);
    return expansion_sign(h, count);
}

static abut_status expand_orient3d(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d, int *sign, int *stage)
{
    double p[12] = {a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z};
    *sign = 0;
    *stage = 1;
    if (!bring_into_range(p, 12)) {
        return ABUT_BAD_DATA;
    }
    rows_3d r = differences_3d(p);
    double h[24], permanent;
    int count = rounded_determinant(&r, h, &permanent);
    if (r.is_exact || permanent == 0.0) { // a rounded difference is 0 only if the exact one is
        *sign = -expansion_sign(h, count);
        return ABUT_OK;
    }
    // Rounding the differences changes each product of three by at most 3u + 4u^2 of itself; 4u covers that, the
    // estimate's error, and the rounding of the permanent.
    double estimate = expansion_estimate(h, count);
    if (fabs(estimate) > 0x1p-51 * permanent) {
        *sign = -sign_of(estimate);
        return ABUT_OK;
    }
    *stage = 2;
    *sign = -exact_determinant_sign(&r);
    return ABUT_OK;
}

abut_status abut_orient3d_stage(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d, int *sign, int *stage)
{
    filter_result f = filter_orient3d(a, b, c, d);
    if (fabs(f.determinant) > f.bound) {
        *sign = f.determinant < 0.0 ? 1 : -1;
        *stage = 0;
        return ABUT_OK;
    }
    return expand_orient3d(a, b, c, d, sign, stage);
}

abut_status abut_orient3d(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d, int *sign)
{
    filter_result f = filter_orient3d(a, b, c, d);
    if (fabs(f.determinant) > f.bound) {
        *sign = f.determinant < 0.0 ? 1 : -1;
        return ABUT_OK;
    }
    int stage;
    return expand_orient3d(a, b, c, d, sign, &stage);
}
