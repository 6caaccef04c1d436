// SPDX-License-Identifier: MIT
// force_paths.c: normal and volume of two moving features along their paths, and the integral of the penalty force
//
// f and n are polynomials of degree 3 d and 2 d for paths of degree d. With a constant for |n|^2 the integral of
// f n / |n|^2 is that of a polynomial of degree 5 d: the mean of its Bernstein coefficients times the length of the
// interval; a wall adds the mean of n times a constant. Else it is integrated by the 7-point Gauss rule with Kronrod's
// 15-point extension, on halves until both agree.
//
// Source:  Tang, Manocha, Otaduy, Tong 2012, equations 12, 14, 15, 16, 18.
#include "continuous/force_paths.h"
#include "math/bernstein.h"

#include <string.h>

enum { HALVINGS = 12 };
static const double USUAL =
    1e30; // arms of this length, down to its inverse, have products of five without overflow

abut_vec3 abut_curve_point(const abut_vec3 *points, int degree, double t)
{
    abut_vec3 d[FORCE_NORMAL + 1];
    memcpy(d, points, (size_t)(degree + 1) * sizeof *d);
    for (int level = degree; level > 0; --level) {
        for (int i = 0; i < level; ++i) {
            d[i] = abut_add_scaled(abut_scale(1.0 - t, d[i]), t, d[i + 1]);
        }
    }
    return d[0];
}

double abut_force_scale(double length)
{
    int exponent;
    (void)frexp(length, &exponent);
    return ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
}

abut_force_arms abut_force_arms_make(abut_moving_kind kind, int degree, const abut_vec3 *const *rows)
{
    int is_face = kind == ABUT_VERTEX_FACE, second = is_face ? 1 : 2;
    const int ends[3][2] = {{0, second}, {is_face ? 2 : 1, is_face ? 1 : 0}, {3, second}};
    abut_force_arms arms;
    arms.degree = degree;
    arms.is_scaled = 0;
    arms.unit = 1.0;
    arms.shell = 0.0;
    for (int i = 0; i < 3; ++i) {
        double largest = 0.0;
        arms.scales[i] = 1.0;
        for (int step = 0; step <= degree; ++step) {
            arms.points[i][step] = abut_sub(rows[step][ends[i][0]], rows[step][ends[i][1]]);
            double size = abut_max_component(abut_abs(arms.points[i][step]));
            largest = size > largest ? size : largest;
        }
        if (largest > USUAL || largest < 1.0 / USUAL) {
            double scale = abut_force_scale(largest);
            for (int step = 0; step <= degree; ++step) {
                arms.points[i][step] = abut_scale(scale, arms.points[i][step]);
            }
            arms.is_scaled = 1;
            arms.scales[i] = scale;
            arms.unit = i == 0 ? 1.0 / scale : arms.unit;
        }
    }
    return arms;
}

/// abut_force_paths_make() for straight paths: the products of Bernstein polynomials written out.
static void make_straight(const abut_force_arms *arms, double s, double e, abut_force_paths *paths)
{
    abut_vec3 a[3], b[3];
    for (int i = 0; i < 3; ++i) {
        const abut_vec3 *arm = arms->points[i];
        a[i] = abut_add_scaled(abut_scale(1.0 - s, arm[0]), s, arm[1]);
        b[i] = abut_add_scaled(abut_scale(1.0 - e, arm[0]), e, arm[1]);
    }
    abut_vec3 *n = paths->normal;
    n[0] = abut_cross(a[1], a[2]);
    n[1] = abut_scale(0.5, abut_add(abut_cross(a[1], b[2]), abut_cross(b[1], a[2])));
    n[2] = abut_cross(b[1], b[2]);
    paths->volume[0] = abut_dot(a[0], n[0]);
    paths->volume[1] = (2.0 * abut_dot(a[0], n[1]) + abut_dot(b[0], n[0])) / 3.0;
    paths->volume[2] = (abut_dot(a[0], n[2]) + 2.0 * abut_dot(b[0], n[1])) / 3.0;
    paths->volume[3] = abut_dot(b[0], n[2]);
}

/// The control points of a part of a curve: point k is the blossom at s, (degree - k) times, and e, k times.
static void restrict_curve(const abut_vec3 *points, int degree, double s, double e, abut_vec3 *out)
{
    for (int k = 0; k <= degree; ++k) {
        abut_vec3 d[FORCE_PATH + 1];
        memcpy(d, points, (size_t)(degree + 1) * sizeof *d);
        for (int level = degree; level > 0; --level) {
            double t = level > k ? s : e;
            for (int i = 0; i < level; ++i) {
                d[i] = abut_add_scaled(abut_scale(1.0 - t, d[i]), t, d[i + 1]);
            }
        }
        out[k] = d[0];
    }
}

abut_force_paths abut_force_paths_make(const abut_force_arms *arms, double s, double e)
{
    abut_force_paths paths;
    int d = arms->degree;
    paths.degree = d;
    paths.wall = 0.0;
    if (d == 1) {
        make_straight(arms, s, e, &paths);
        return paths;
    }
    abut_vec3 part[3][FORCE_PATH + 1];
    for (int i = 0; i < 3; ++i) {
        restrict_curve(arms->points[i], d, s, e, part[i]);
    }
    abut_bernstein_cross(part[1], d, part[2], d, paths.normal);
    abut_bernstein_dot(part[0], d, paths.normal, 2 * d, paths.volume);
    return paths;
}

/// The mean of |n|^2.
static double mean_square(const abut_force_paths *paths)
{
    double square[2 * FORCE_NORMAL + 1], sum = 0.0;
    int n = 2 * paths->degree;
    if (n == 2) {
        const abut_vec3 *c = paths->normal;
        return (abut_norm_squared(c[0]) + abut_dot(c[0], c[1]) +
                (2.0 * abut_norm_squared(c[1]) + abut_dot(c[0], c[2])) / 3.0 + abut_dot(c[1], c[2]) +
                abut_norm_squared(c[2])) /
               5.0;
    }
    abut_bernstein_dot(paths->normal, n, paths->normal, n, square);
    for (int i = 0; i <= 2 * n; ++i) {
        sum += square[i];
    }
    return sum / (2 * n + 1);
}

/// The integral of f n over the interval, which has length 1 here: the mean of the coefficients of the product.
static abut_vec3 integrate_polynomial(const abut_force_paths *paths)
{
    int p = 3 * paths->degree, q = 2 * paths->degree;
    abut_vec3 sum = {0.0, 0.0, 0.0};
    if (p == 3) { // 60 times the mean of B(i, 3) B(k, 2)
        static const double weights[3][4] = {{10.0, 6.0, 3.0, 1.0}, {4.0, 6.0, 6.0, 4.0}, {1.0, 3.0, 6.0, 10.0}};
        const double *f = paths->volume;
        for (int k = 0; k <= q; ++k) {
            const double *w = weights[k];
            sum = abut_add_scaled(sum, w[0] * f[0] + w[1] * f[1] + w[2] * f[2] + w[3] * f[3], paths->normal[k]);
        }
        return abut_scale(1.0 / 60.0, sum);
    }
    for (int i = 0; i <= p; ++i) {
        for (int k = 0; k <= q; ++k) {
            double weight = abut_binomials[p][i] * abut_binomials[q][k] / abut_binomials[p + q][i + k];
            sum = abut_add_scaled(sum, weight * paths->volume[i], paths->normal[k]);
        }
    }
    return abut_scale(1.0 / (p + q + 1), sum);
}

abut_vec3 abut_force_at(const abut_force_paths *paths, double t)
{
    const double *f = paths->volume;
    const abut_vec3 *n = paths->normal;
    abut_vec3 normal;
    double volume, r = 1.0 - t;
    if (paths->degree == 1) {
        normal = abut_add_scaled(abut_add_scaled(abut_scale(r * r, n[0]), 2.0 * r * t, n[1]), t * t, n[2]);
        volume = r * r * (r * f[0] + 3.0 * t * f[1]) + t * t * (3.0 * r * f[2] + t * f[3]);
    } else {
        normal = abut_curve_point(n, 2 * paths->degree, t);
        volume = bernstein_value(f, 3 * paths->degree, t);
    }
    double square = abut_norm_squared(normal);
    if (!(square > 0.0)) {
        return abut_vec3_make(0.0, 0.0, 0.0);
    }
    double wall = paths->wall != 0.0 ? paths->wall * sqrt(square) : 0.0;
    return abut_scale((volume - wall) / square, normal);
}

// Nodes of the Kronrod rule on [-1, 1], its weights, and those of the Gauss rule at every second node.
static const double nodes[8] = {0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
                                0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
                                0.586087235467691130294144691693,    0.405845151377397166906606412076961,
                                0.207784955007898467600689403773245, 0.0};
static const double kronrod[8] = {0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
                                  0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
                                  0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
                                  0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
static const double gauss[4] = {0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
                                0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

static abut_vec3 integrate_part(const abut_force_paths *paths, double s, double e, double limit, int halvings)
{
    double half = 0.5 * (e - s), middle = 0.5 * (s + e);
    abut_vec3 fine = {0.0, 0.0, 0.0}, coarse = fine;
    for (int i = 0; i < 8; ++i) {
        abut_vec3 value = abut_force_at(paths, middle - half * nodes[i]);
        if (nodes[i] != 0.0) {
            value = abut_add(value, abut_force_at(paths, middle + half * nodes[i]));
        }
        fine = abut_add_scaled(fine, kronrod[i], value);
        if (i % 2 == 1) {
            coarse = abut_add_scaled(coarse, gauss[i / 2], value);
        }
    }
    if (halvings == 0 || half * abut_norm(abut_sub(fine, coarse)) <= limit) {
        return abut_scale(half, fine);
    }
    return abut_add(integrate_part(paths, s, middle, 0.5 * limit, halvings - 1),
                    integrate_part(paths, middle, e, 0.5 * limit, halvings - 1));
}

/// The integral of abut_force_at() over the interval, which has length 1 here, to 1e-13 of the largest depth.
static abut_vec3 integrate_exactly(const abut_force_paths *paths)
{
    double largest = 0.0;
    for (int i = 0; i <= 4; ++i) {
        largest = fmax(largest, abut_norm(abut_force_at(paths, 0.25 * i)));
    }
    return integrate_part(paths, 0.0, 1.0, 1e-13 * largest, HALVINGS);
}

/// The integral of n over the interval.
static abut_vec3 integrate_normal(const abut_force_paths *paths)
{
    int n = 2 * paths->degree;
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i <= n; ++i) {
        sum = abut_add(sum, paths->normal[i]);
    }
    return abut_scale(1.0 / (n + 1), sum);
}

abut_vec3 abut_force_integral(const abut_force_arms *arms, abut_penalty_rule rule, int side, double begin,
                              double end)
{
    abut_force_paths paths = abut_force_paths_make(arms, begin, end);
    paths.wall = side * arms->shell;
    abut_vec3 integral;
    if (rule == ABUT_PENALTY_EXACT) {
        integral = integrate_exactly(&paths);
    } else {
        double square = mean_square(&paths);
        if (rule == ABUT_PENALTY_STEP) {
            abut_force_paths step = abut_force_paths_make(arms, 0.0, 1.0);
            square = mean_square(&step);
        }
        integral =
            square > 0.0 ? abut_scale(1.0 / square, integrate_polynomial(&paths)) : abut_vec3_make(0.0, 0.0, 0.0);
        if (square > 0.0 && paths.wall != 0.0) {
            integral = abut_add_scaled(integral, -paths.wall / sqrt(square), integrate_normal(&paths));
        }
    }
    return abut_scale((end - begin) * arms->unit, integral);
}
