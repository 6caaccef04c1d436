// SPDX-License-Identifier: MIT
// moving_exact.c: signs of the volume's Bernstein coefficients by exact arithmetic
//
// For straight paths the coefficients are, with arms a, b, c at the start (0) and the end (1):
//   |a0 b0 c0|,  (|a1 b0 c0| + |a0 b1 c0| + |a0 b0 c1|) / 3,  (|a0 b1 c1| + |a1 b0 c1| + |a1 b1 c0|) / 3,  |a1 b1 c1|.
// The arms are exact differences of input coordinates. If all four signs are equal and not zero, the volume is never
// zero.
//
// Range: coordinates are 0 or between 2^-288 and 2^333, as in predicates.c: then every component is a multiple of
// 2^-1020, and sums of 18 products stay below 2^1023. Others are not decided.
#include "math/expansion.h"
#include "prim/moving.h"

#include <math.h>

static const double LOWEST = 0x1p-288, HIGHEST = 0x1p333;

typedef struct exact_vector {
    two_double x[3];
} exact_vector;

static exact_vector difference(abut_vec3 a, abut_vec3 b)
{
    exact_vector v = {{two_difference(a.x, b.x), two_difference(a.y, b.y), two_difference(a.z, b.z)}};
    return v;
}

// h = e (high + low), at most 4 times as long
static int times_two(const double *e, int count, two_double f, double *h)
{
    double low[32], high[32];
    int low_count = expansion_scale(e, count, f.low, low);
    int high_count = expansion_scale(e, count, f.high, high);
    return expansion_add(low, low_count, 1.0, high, high_count, h);
}

// h = a d - b c, at most 16 components
static int minor(two_double a, two_double b, two_double c, two_double d, double *h)
{
    double e[2], ad[8], bc[8];
    int ad_count = times_two(e, expansion_from(a, e), d, ad);
    int bc_count = times_two(e, expansion_from(b, e), c, bc);
    return expansion_add(ad, ad_count, -1.0, bc, bc_count, h);
}

// sum += |a b c|; at most 192 components are added. Returns the new length.
static int add_determinant(const exact_vector *a, const exact_vector *b, const exact_vector *c, double *sum,
                           int count)
{
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double m[16], product[64], total[576];
        int m_count = minor(b->x[j], b->x[k], c->x[j], c->x[k], m);
        int product_count = times_two(m, m_count, a->x[i], product);
        int total_count = expansion_add(sum, count, 1.0, product, product_count, total);
        for (int n = 0; n < total_count; ++n) {
            sum[n] = total[n];
        }
        count = total_count;
    }
    return count;
}

static int are_in_range(const abut_vec3 *vertices)
{
    for (int i = 0; i < 4; ++i) {
        const double x[3] = {fabs(vertices[i].x), fabs(vertices[i].y), fabs(vertices[i].z)};
        for (int k = 0; k < 3; ++k) {
            if (x[k] != 0.0 && !(x[k] >= LOWEST && x[k] <= HIGHEST)) {
                return 0;
            }
        }
    }
    return 1;
}

static void find_exact_arms(const abut_moving_pair *pair, int step, exact_vector arms[3])
{
    const abut_vec3 *v = abut_moving_vertices(pair, step);
    int is_face = pair->kind == ABUT_VERTEX_FACE;
    arms[0] = is_face ? difference(v[0], v[1]) : difference(v[0], v[2]);
    arms[1] = is_face ? difference(v[2], v[1]) : difference(v[1], v[0]);
    arms[2] = is_face ? difference(v[3], v[1]) : difference(v[3], v[2]);
}

int abut_moving_volume_is_nonzero(const abut_moving_pair *pair)
{
    if (pair->is_curved || !are_in_range(pair->start) || !are_in_range(pair->end)) {
        return 0;
    }
    exact_vector arms[2][3];
    find_exact_arms(pair, 0, arms[0]);
    find_exact_arms(pair, 1, arms[1]);
    int sign = 0;
    for (int ends = 0; ends <= 3; ++ends) { // how many of a, b, c are taken at the end
        double sum[576];
        int count = 0;
        for (int choice = 0; choice < 8; ++choice) {
            int a = choice & 1, b = choice >> 1 & 1, c = choice >> 2;
            if (a + b + c == ends) {
                count = add_determinant(&arms[a][0], &arms[b][1], &arms[c][2], sum, count);
            }
        }
        int next = expansion_sign(sum, count);
        if (next == 0 || (ends > 0 && next != sign)) {
            return 0;
        }
        sign = next;
    }
    return 1;
}
