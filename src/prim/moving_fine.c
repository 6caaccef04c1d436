// SPDX-License-Identifier: MIT
// moving_fine.c: near misses of some ulps, decided with twice the digits
//
// For a short interval in which plain arithmetic found a doubtful touch. Numbers are sums of two doubles. The volume over
// the interval is computed again: if its sign is sure, there is no touch. If it is monotone and changes its sign, the
// interval around the root is narrowed, and the origin is looked for among the relative vectors, projected along the
// axis of the largest component of the normal: signs of polynomials of degree 2 (4). If it is surely outside of one edge
// of the hull, there is no touch.
//
// Rounding errors. An operation on sums of two doubles has a relative error below 2^-100. With S the largest coordinate,
// a control point over an interval takes at most 5 operations, a coefficient of the volume 3 such factors, two products
// and up to 27 x 6 sums of terms below (2 S)^3, with weights up to 4: errors below 2^-100 (15 + 2 + 162) 162 * 32 S^3 < 2^-80
// S^3. The bounds below are larger than that.
//
// Polynomials are in the scaled Bernstein basis, t^i (1-t)^(n-i): the coefficients of a product are sums of products
// without weights, and have the signs of the usual coefficients.
#include "math/bernstein.h"
#include "math/expansion.h"
#include "prim/moving.h"

enum { ROUNDS = 4 };
static const double NOISE = 0x1p-78;

typedef two_double fine;

static fine fine_add(fine a, fine b)
{
    two_double s = two_sum(a.high, b.high);
    return two_sum_ordered(s.high, s.low + (a.low + b.low));
}

static fine fine_negate(fine a)
{
    fine r = {-a.high, -a.low};
    return r;
}

static fine fine_multiply(fine a, fine b)
{
    two_double p = two_product(a.high, b.high);
    return two_sum_ordered(p.high, p.low + (a.high * b.low + a.low * b.high));
}

static fine fine_of(double x)
{
    fine r = {x, 0.0};
    return r;
}

/// A moving vector over an interval: scaled coefficients of its three coordinates.
typedef struct fine_path {
    fine x[3][MOVING_PATH + 1];
} fine_path;

/// An interval of time, and the degree of paths.
typedef struct fine_span {
    fine begin, end;
    int degree;
} fine_span;

/// The difference of two vertices over an interval.
static fine_path difference(const abut_moving_pair *pair, int a, int b, double scale, const fine_span *span)
{
    fine_path path;
    fine control[3][MOVING_PATH + 1];
    int degree = span->degree;
    for (int step = 0; step <= degree; ++step) {
        const abut_vec3 *v = abut_moving_vertices(pair, step);
        control[0][step] = two_difference(scale * v[a].x, scale * v[b].x);
        control[1][step] = two_difference(scale * v[a].y, scale * v[b].y);
        control[2][step] = two_difference(scale * v[a].z, scale * v[b].z);
    }
    fine s = span->begin, e = span->end;
    fine r = fine_add(fine_of(1.0), fine_negate(s)), f = fine_add(fine_of(1.0), fine_negate(e));
    for (int k = 0; k < 3; ++k) {
        const fine *c = control[k];
        if (degree == 1) {
            path.x[k][0] = fine_add(fine_multiply(r, c[0]), fine_multiply(s, c[1]));
            path.x[k][1] = fine_add(fine_multiply(f, c[0]), fine_multiply(e, c[1]));
        } else { // de Casteljau at s and e gives four points, and these the blossoms at (s, s), (s, e), (e, e)
            fine s0 = fine_add(fine_multiply(r, c[0]), fine_multiply(s, c[1]));
            fine s1 = fine_add(fine_multiply(r, c[1]), fine_multiply(s, c[2]));
            fine e0 = fine_add(fine_multiply(f, c[0]), fine_multiply(e, c[1]));
            fine e1 = fine_add(fine_multiply(f, c[1]), fine_multiply(e, c[2]));
            fine middle = fine_add(fine_multiply(f, s0), fine_multiply(e, s1));
            path.x[k][0] = fine_add(fine_multiply(r, s0), fine_multiply(s, s1));
            path.x[k][1] = fine_add(middle, middle);
            path.x[k][2] = fine_add(fine_multiply(f, e0), fine_multiply(e, e1));
        }
    }
    return path;
}

/// out += sign a b
static void add_product(fine *out, const fine *a, int a_degree, const fine *b, int b_degree, int sign)
{
    for (int i = 0; i <= a_degree; ++i) {
        for (int k = 0; k <= b_degree; ++k) {
            fine product = fine_multiply(a[i], b[k]);
            out[i + k] = fine_add(out[i + k], sign > 0 ? product : fine_negate(product));
        }
    }
}

/// One component of the cross product.
static void cross_component(const fine_path *a, const fine_path *b, int axis, int degree,
                            fine out[2 * MOVING_PATH + 1])
{
    for (int i = 0; i <= 2 * degree; ++i) {
        out[i] = fine_of(0.0);
    }
    int j = (axis + 1) % 3, k = (axis + 2) % 3;
    add_product(out, a->x[j], degree, b->x[k], degree, 1);
    add_product(out, a->x[k], degree, b->x[j], degree, -1);
}

/// The sign of all coefficients, or 0 if it is not the same or not sure.
static int sure_sign(const fine *c, int n, double noise)
{
    int positive = 1, negative = 1;
    for (int i = 0; i <= n; ++i) {
        positive &= c[i].high > noise;
        negative &= c[i].high < -noise;
    }
    return positive - negative;
}

/// Whether the origin is surely outside of the hull of the relative vectors at all times of the interval.
static int is_outside(const abut_moving_pair *pair, const abut_moving *m, const fine_span *span,
                      fine normal[3][2 * MOVING_PATH + 1])
{
    static const int faces[4][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 1}};
    static const int edges[4][2] = {{0, 2}, {0, 3}, {1, 3}, {1, 2}}; // around the parallelogram
    int axis = 0;
    for (int k = 1; k < 3; ++k) {
        axis = fabs(normal[k][0].high) > fabs(normal[axis][0].high) ? k : axis;
    }
    int n = 2 * m->degree;
    double noise = NOISE * m->size * m->size;
    int sign = sure_sign(normal[axis], n, noise);
    fine_path paths[4];
    for (int i = 0; i < m->vector_count && sign != 0; ++i) {
        const int *ends = m->kind == ABUT_VERTEX_FACE ? faces[i] : edges[i];
        paths[i] = difference(pair, ends[0], ends[1], m->scale, span);
    }
    for (int i = 0; i < m->vector_count && sign != 0; ++i) {
        fine moment[2 * MOVING_PATH + 1];
        cross_component(&paths[i], &paths[(i + 1) % m->vector_count], axis, m->degree, moment);
        if (sure_sign(moment, n, noise) == -sign) {
            return 1;
        }
    }
    return 0;
}

/// Computes normal and volume over the interval.
static void find_fine_volume(const abut_moving_pair *pair, const abut_moving *m, const fine_span *span,
                             fine normal[3][2 * MOVING_PATH + 1], fine volume[MOVING_VOLUME + 1])
{
    int is_face = pair->kind == ABUT_VERTEX_FACE;
    fine_path a = difference(pair, 0, is_face ? 1 : 2, m->scale, span);
    fine_path b = is_face ? difference(pair, 2, 1, m->scale, span) : difference(pair, 1, 0, m->scale, span);
    fine_path c = is_face ? difference(pair, 3, 1, m->scale, span) : difference(pair, 3, 2, m->scale, span);
    for (int i = 0; i <= 3 * m->degree; ++i) {
        volume[i] = fine_of(0.0);
    }
    for (int k = 0; k < 3; ++k) {
        cross_component(&b, &c, k, m->degree, normal[k]);
        add_product(volume, a.x[k], m->degree, normal[k], 2 * m->degree, 1);
    }
}

/// Narrows the interval around the only root of the volume. Returns 0 if there is not surely one, or the interval is as
/// short as it gets.
static int narrow(fine_span *span, const fine *volume, double noise)
{
    int n = 3 * span->degree;
    double c[MOVING_VOLUME + 1];
    for (int i = 0; i <= n; ++i) {
        c[i] = volume[i].high / abut_binomials[n][i];
    }
    int rising = c[0] < 0.0;
    double slope = HUGE_VAL;
    for (int i = 0; i < n; ++i) {
        slope = fmin(slope, rising ? c[i + 1] - c[i] : c[i] - c[i + 1]);
    }
    if (!(fmin(fabs(c[0]), fabs(c[n])) > noise) || (c[0] < 0.0) == (c[n] < 0.0) || !(slope > 4.0 * noise)) {
        return 0;
    }
    double root = abut_bernstein_root(c, n, 0.0, 1.0, rising);
    double margin = fmax(4.0 * noise / (n * slope), 0x1p-46);
    if (!(margin < 0x1p-3)) {
        return 0;
    }
    fine length = fine_add(span->end, fine_negate(span->begin)), begin = span->begin;
    span->begin = fine_add(begin, fine_multiply(fine_of(fmax(root - margin, 0.0)), length));
    span->end = fine_add(begin, fine_multiply(fine_of(fmin(root + margin, 1.0)), length));
    return 1;
}

int abut_moving_is_free(const abut_moving_pair *pair, const abut_moving *m, double begin, double end)
{
    fine_span span = {{begin, 0.0}, {end, 0.0}, m->degree};
    double noise = NOISE * m->size * m->size * m->size;
    for (int round = 0; round < ROUNDS; ++round) {
        fine normal[3][2 * MOVING_PATH + 1], volume[MOVING_VOLUME + 1];
        find_fine_volume(pair, m, &span, normal, volume);
        if (sure_sign(volume, 3 * m->degree, noise) != 0 || is_outside(pair, m, &span, normal)) {
            return 1;
        }
        if (!narrow(&span, volume, noise)) {
            return 0;
        }
    }
    return 0;
}
