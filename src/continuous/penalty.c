// SPDX-License-Identifier: MIT
// penalty.c: penalty impulses of moving features, integrated along their paths
//
// With n the normal of the features (not of unit length) and f = n . (p - q) their volume, the force on the first feature
// is -k (f / |n|^2) n: the depth -side f / |n| along side n / |n|. It does not depend on the points p and q, as n is at right
// angles to the features, nor on the sign of n. It is bounded by k |p - q| also if n vanishes. Over a penetration
// interval, f and n are polynomials of degree 3 d and 2 d for paths of degree d. With a constant for |n|^2 the impulse is
// the integral of a polynomial of degree 5 d: the mean of its Bernstein coefficients times the length of the interval.
// Else it is integrated by the 7-point Gauss rule with Kronrod's 15-point extension, on halves until both agree.
//
// Source:  Tang, Manocha, Otaduy, Tong 2012, theorem 1 and equations 12, 13, 16, 17; the slips of the paper are listed in
//          docs/methods/continuous.md.
// Differs: signs, and the factor dt; the exact integral is the default. The paper's constant is the root mean square of
//          |n| over the step; ABUT_PENALTY_INTERVAL takes it over the interval.
#include <abut/penalty.h>
#include <abut/support.h>

#include "math/bernstein.h"
#include "prim/moving.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"

#include <string.h>

enum { FORCE = 5 * MOVING_PATH, NORMAL = 2 * MOVING_PATH, HALVINGS = 12 };
static const double LARGEST = 1e100;

/// Normal and volume of a pair over an interval.
typedef struct penalty_paths {
    int degree;
    abut_vec3 normal[NORMAL + 1];
    double volume[MOVING_VOLUME + 1];
} penalty_paths;

/// No intervals and no impulses. The room for intervals is left as it is: to clear it takes longer than to test most pairs.
static void clear(abut_penalty *penalty)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    penalty->interval_count = 0;
    for (int i = 0; i < 4; ++i) {
        penalty->impulses[i] = zero;
    }
    penalty->total = penalty->angular_defect = zero;
    penalty->is_without_side = 0;
    penalty->track = (abut_penalty_track){0};
    penalty->end_depth = 0.0;
}

static abut_vec3 bernstein_point(const abut_vec3 *c, int n, double t)
{
    abut_vec3 d[FORCE + 1];
    memcpy(d, c, (size_t)(n + 1) * sizeof *d);
    for (int level = n; level > 0; --level) {
        for (int i = 0; i < level; ++i) {
            d[i] = abut_add_scaled(abut_scale(1.0 - t, d[i]), t, d[i + 1]);
        }
    }
    return d[0];
}

/// The control points of a difference of two vertices over [s, e].
static void restrict_difference(const abut_moving_pair *pair, int a, int b, double s, double e, abut_vec3 *out)
{
    abut_vec3 c[MOVING_PATH + 1];
    int degree = pair->is_curved ? 2 : 1;
    for (int step = 0; step <= degree; ++step) {
        const abut_vec3 *v = abut_moving_vertices(pair, step);
        c[step] = abut_sub(v[a], v[b]);
    }
    out[0] = bernstein_point(c, degree, s);
    out[degree] = bernstein_point(c, degree, e);
    if (degree == 2) {
        abut_vec3 first = abut_lerp(c[0], c[1], s), second = abut_lerp(c[1], c[2], s);
        out[1] = abut_lerp(first, second, e);
    }
}

/// The three vectors of the volume on straight paths, at a time: first - second, and two edges.
static void find_arms(const abut_moving_pair *pair, double t, abut_vec3 arms[3])
{
    int is_face = pair->kind == ABUT_VERTEX_FACE, second = is_face ? 1 : 2;
    const int ends[3][2] = {{0, second}, {is_face ? 2 : 1, is_face ? 1 : 0}, {3, second}};
    for (int i = 0; i < 3; ++i) {
        abut_vec3 start = abut_sub(pair->start[ends[i][0]], pair->start[ends[i][1]]);
        abut_vec3 end = abut_sub(pair->end[ends[i][0]], pair->end[ends[i][1]]);
        arms[i] = abut_add_scaled(abut_scale(1.0 - t, start), t, end);
    }
}

/// make_paths() for straight paths: the products of Bernstein polynomials written out.
static penalty_paths make_straight_paths(const abut_moving_pair *pair, double s, double e)
{
    penalty_paths paths;
    abut_vec3 a[3], b[3];
    find_arms(pair, s, a);
    find_arms(pair, e, b);
    paths.degree = 1;
    abut_vec3 *n = paths.normal;
    n[0] = abut_cross(a[1], a[2]);
    n[1] = abut_scale(0.5, abut_add(abut_cross(a[1], b[2]), abut_cross(b[1], a[2])));
    n[2] = abut_cross(b[1], b[2]);
    paths.volume[0] = abut_dot(a[0], n[0]);
    paths.volume[1] = (2.0 * abut_dot(a[0], n[1]) + abut_dot(b[0], n[0])) / 3.0;
    paths.volume[2] = (abut_dot(a[0], n[2]) + 2.0 * abut_dot(b[0], n[1])) / 3.0;
    paths.volume[3] = abut_dot(b[0], n[2]);
    return paths;
}

static penalty_paths make_paths(const abut_moving_pair *pair, double s, double e)
{
    if (!pair->is_curved) {
        return make_straight_paths(pair, s, e);
    }
    penalty_paths paths = {.degree = 2};
    int is_face = pair->kind == ABUT_VERTEX_FACE;
    abut_vec3 arms[3][MOVING_PATH + 1];
    restrict_difference(pair, 0, is_face ? 1 : 2, s, e, arms[0]);
    restrict_difference(pair, is_face ? 2 : 1, is_face ? 1 : 0, s, e, arms[1]);
    restrict_difference(pair, 3, is_face ? 1 : 2, s, e, arms[2]);
    abut_bernstein_cross(arms[1], paths.degree, arms[2], paths.degree, paths.normal);
    abut_bernstein_dot(arms[0], paths.degree, paths.normal, 2 * paths.degree, paths.volume);
    return paths;
}

/// The mean of |n|^2.
static double mean_square(const penalty_paths *paths)
{
    double square[2 * NORMAL + 1], sum = 0.0;
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
static abut_vec3 integrate_polynomial(const penalty_paths *paths)
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

/// f n / |n|^2; zero where the normal vanishes.
static abut_vec3 integrand(const penalty_paths *paths, double t)
{
    abut_vec3 normal = bernstein_point(paths->normal, 2 * paths->degree, t);
    double square = abut_norm_squared(normal);
    double volume = bernstein_value(paths->volume, 3 * paths->degree, t);
    return square > 0.0 ? abut_scale(volume / square, normal) : abut_vec3_make(0.0, 0.0, 0.0);
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

static abut_vec3 integrate_part(const penalty_paths *paths, double s, double e, double limit, int halvings)
{
    double half = 0.5 * (e - s), middle = 0.5 * (s + e);
    abut_vec3 fine = {0.0, 0.0, 0.0}, coarse = fine;
    for (int i = 0; i < 8; ++i) {
        abut_vec3 value = integrand(paths, middle - half * nodes[i]);
        if (nodes[i] != 0.0) {
            value = abut_add(value, integrand(paths, middle + half * nodes[i]));
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

/// The integral of f n / |n|^2 over the interval, which has length 1 here, to 1e-13 of the largest depth.
static abut_vec3 integrate_exactly(const penalty_paths *paths)
{
    double largest = 0.0;
    for (int i = 0; i <= 4; ++i) {
        largest = fmax(largest, abut_norm(integrand(paths, 0.25 * i)));
    }
    return integrate_part(paths, 0.0, 1.0, 1e-13 * largest, HALVINGS);
}

// ---------------------------------------------------------------------------------------------------------------
// Intervals

/// The impact at a crossing of the volume, or NULL: the features pass beside each other.
static const abut_impact *find_impact(const abut_impacts *impacts, double time)
{
    for (int i = 0; i < impacts->count; ++i) {
        const abut_impact *impact = &impacts->items[i];
        if (time >= impact->lower - 0x1p-40 && time <= impact->upper + 0x1p-40) {
            return impact;
        }
    }
    return NULL;
}

static void begin_interval(abut_penalty *penalty, double time, int side, const double *weights)
{
    abut_penalty_interval *interval = &penalty->intervals[penalty->interval_count];
    interval->begin = time;
    interval->side = side;
    memcpy(interval->weights, weights, sizeof interval->weights);
}

static int sign_of(double x)
{
    return (x > 0.0) - (x < 0.0);
}

/// A pair that touches at the end of the step without being inside has a side to remember: the next step cannot see it.
static void keep_touch(const abut_moving *moving, const abut_impacts *impacts, int known, abut_penalty *penalty)
{
    const abut_impact *last = impacts->count > 0 ? &impacts->items[impacts->count - 1] : NULL;
    if (last == NULL || last->upper < 1.0) {
        return;
    }
    int side = penalty->interval_count > 0 ? penalty->intervals[penalty->interval_count - 1].side : known;
    if (side == 0 && last->lower > 0.0) {
        side = sign_of(bernstein_value(moving->volume, 3 * moving->degree, last->lower));
    }
    penalty->track.side = side;
    memcpy(penalty->track.weights, last->weights, sizeof last->weights);
}

/// Walks along the sign changes of the volume: the first feature enters where it meets the second one, and leaves where
/// the sign comes back, met or not.
static void find_intervals(const abut_moving *moving, const abut_impacts *impacts, const abut_penalty_track *track,
                           abut_penalty *penalty)
{
    double roots[MOVING_VOLUME];
    const double *volume = moving->volume;
    int n = 3 * moving->degree, known = track != NULL ? track->side : 0;
    int root_count = abut_bernstein_roots(volume, n, roots);
    int side = 0; // sign of the volume, just after time 0 and then after each root
    for (int i = 0; i <= n && side == 0; ++i) {
        side = sign_of(volume[i]);
    }
    int is_inside = known * side < 0;
    if (is_inside) {
        begin_interval(penalty, 0.0, known, track->weights);
    }
    penalty->is_without_side = known == 0 && impacts->count > 0 && impacts->items[0].lower == 0.0;
    int first = volume[0] == 0.0 && side < 0; // the root at time 0 is behind
    for (int i = first; i < root_count; ++i, side = -side) {
        if (is_inside) {
            penalty->intervals[penalty->interval_count++].end = roots[i];
            is_inside = 0;
            continue;
        }
        const abut_impact *impact = find_impact(impacts, roots[i]);
        int has_side = impact != NULL && (impact->lower > 0.0 || known == side);
        if (has_side && penalty->interval_count < ABUT_PENALTY_CAPACITY) {
            begin_interval(penalty, roots[i], side, impact->weights);
            is_inside = 1;
        }
    }
    if (is_inside) {
        abut_penalty_interval *last = &penalty->intervals[penalty->interval_count++];
        last->end = 1.0;
        penalty->track.side = last->side;
        memcpy(penalty->track.weights, last->weights, sizeof last->weights);
    } else {
        keep_touch(moving, impacts, known, penalty);
    }
}

/// Distributes an impulse on the first feature to the vertices.
static void distribute(const abut_moving_pair *pair, abut_vec3 impulse, const double *weights, double time,
                       abut_penalty *penalty)
{
    int first = pair->kind == ABUT_VERTEX_FACE ? 1 : 2, degree = pair->is_curved ? 2 : 1;
    abut_vec3 gap = {0.0, 0.0, 0.0};
    for (int i = 0; i < 4; ++i) {
        double weight = i < first ? weights[i] : -weights[i];
        penalty->impulses[i] = abut_add_scaled(penalty->impulses[i], weight, impulse);
        abut_vec3 c[MOVING_PATH + 1]; // relative to vertex 0: the weights sum to zero
        for (int step = 0; step <= degree; ++step) {
            const abut_vec3 *v = abut_moving_vertices(pair, step);
            c[step] = abut_sub(v[i], v[0]);
        }
        gap = abut_add_scaled(gap, weight, bernstein_point(c, degree, time));
    }
    penalty->total = abut_add(penalty->total, impulse);
    penalty->angular_defect = abut_add(penalty->angular_defect, abut_cross(gap, impulse));
}

static abut_vec3 interval_impulse(const abut_moving_pair *pair, const abut_penalty_params *params, double begin,
                                  double end)
{
    penalty_paths paths = make_paths(pair, begin, end);
    abut_vec3 integral;
    if (params->rule == ABUT_PENALTY_EXACT) {
        integral = integrate_exactly(&paths);
    } else {
        double square = mean_square(&paths);
        if (params->rule == ABUT_PENALTY_STEP) {
            penalty_paths step = make_paths(pair, 0.0, 1.0);
            square = mean_square(&step);
        }
        integral =
            square > 0.0 ? abut_scale(1.0 / square, integrate_polynomial(&paths)) : abut_vec3_make(0.0, 0.0, 0.0);
    }
    return abut_scale(-params->stiffness * params->dt * (end - begin), integral);
}

static void find_impulses(const abut_moving_pair *pair, const abut_penalty_params *params, abut_penalty *penalty)
{
    abut_vec3 at_end = {0.0, 0.0, 0.0};
    if (penalty->track.side != 0) {
        penalty_paths last = make_paths(pair, 1.0, 1.0);
        at_end = integrand(&last, 1.0);
        penalty->end_depth = penalty->track.side * last.volume[3 * last.degree] < 0.0 ? abut_norm(at_end) : 0.0;
    }
    for (int i = 0; i < penalty->interval_count; ++i) {
        abut_penalty_interval *interval = &penalty->intervals[i];
        double time = 0.5 * (interval->begin + interval->end);
        if (params->rule == ABUT_PENALTY_END) {
            int is_last = interval->end == 1.0 && penalty->track.side != 0;
            interval->impulse = abut_scale(is_last ? -params->stiffness * params->dt : 0.0, at_end);
            time = 1.0;
        } else {
            interval->impulse = interval_impulse(pair, params, interval->begin, interval->end);
        }
        distribute(pair, interval->impulse, interval->weights, time, penalty);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Queries

void abut_penalty_params_init(abut_penalty_params *params, size_t size)
{
    const abut_penalty_params made = {
        .struct_size = sizeof made, .rule = ABUT_PENALTY_EXACT, .dt = 1.0, .stiffness = 1.0};
    abut_write_versioned(params, size, &made, sizeof made);
}

static abut_status read_params(const abut_penalty_params *params, abut_penalty_params *own)
{
    *own =
        (abut_penalty_params){.struct_size = sizeof *own, .rule = ABUT_PENALTY_EXACT, .dt = 1.0, .stiffness = 1.0};
    if ((params != NULL && !abut_read_versioned(own, sizeof *own, params)) || own->rule < ABUT_PENALTY_EXACT ||
        own->rule > ABUT_PENALTY_END) {
        return ABUT_BAD_ARGUMENT;
    }
    int is_fine = own->dt >= 0.0 && own->dt <= LARGEST && own->stiffness >= 0.0 && own->stiffness <= LARGEST;
    return is_fine ? ABUT_OK : ABUT_BAD_DATA;
}

abut_status abut_find_penalty(const abut_moving_pair *pair, const abut_penalty_track *track,
                              const abut_penalty_params *params, abut_penalty *penalty)
{
    clear(penalty);
    abut_penalty_params own;
    abut_status status = read_params(params, &own);
    abut_impacts impacts;
    status = status != ABUT_OK ? status : abut_find_impacts(pair, NULL, &impacts);
    int is_tracked = track != NULL && track->side != 0;
    if (status != ABUT_OK || (impacts.count == 0 && !is_tracked)) {
        return status;
    }
    abut_moving moving;
    (void)abut_moving_make(pair, &moving); // abut_find_impacts() took it
    abut_moving_find_volume(pair, &moving);
    find_intervals(&moving, &impacts, track, penalty);
    if (penalty->interval_count > 0) {
        find_impulses(pair, &own, penalty);
    }
    return ABUT_OK;
}

/// Whether all coordinates at the end of the paths, and at their start, are finite and not too large.
static int is_in_range(const abut_moving_pair *pair)
{
    int is_fine = 1;
    for (int i = 0; i < 4; ++i) {
        abut_vec3 a = abut_abs(pair->start[i]), b = abut_abs(pair->end[i]); // false for NaN
        is_fine &= (a.x <= LARGEST) & (a.y <= LARGEST) & (a.z <= LARGEST) & (b.x <= LARGEST) & (b.y <= LARGEST) &
                   (b.z <= LARGEST);
    }
    return is_fine;
}

/// Whether a coordinate axis separates the features by the tolerance, at the end.
static int is_far_at_end(const abut_moving_pair *pair, double tolerance)
{
    const abut_vec3 *v = pair->end;
    int is_face = pair->kind == ABUT_VERTEX_FACE;
    abut_vec3 low = is_face ? v[0] : abut_min(v[0], v[1]), high = is_face ? v[0] : abut_max(v[0], v[1]);
    abut_vec3 other_low = abut_min(v[2], v[3]), other_high = abut_max(v[2], v[3]);
    other_low = is_face ? abut_min(other_low, v[1]) : other_low;
    other_high = is_face ? abut_max(other_high, v[1]) : other_high;
    abut_vec3 above = abut_sub(low, other_high), below = abut_sub(other_low, high);
    return (above.x >= tolerance) | (above.y >= tolerance) | (above.z >= tolerance) | (below.x >= tolerance) |
           (below.y >= tolerance) | (below.z >= tolerance);
}

abut_status abut_find_discrete_penalty(const abut_moving_pair *pair, double tolerance,
                                       const abut_penalty_params *params, abut_penalty *penalty)
{
    clear(penalty);
    abut_penalty_params own;
    abut_status status = read_params(params, &own);
    if (status != ABUT_OK || (pair->kind != ABUT_VERTEX_FACE && pair->kind != ABUT_EDGE_EDGE)) {
        return status != ABUT_OK ? status : ABUT_BAD_ARGUMENT;
    }
    if (!(tolerance >= 0.0 && tolerance <= LARGEST) || !is_in_range(pair)) {
        return ABUT_BAD_DATA;
    }
    if (is_far_at_end(pair, tolerance)) {
        return ABUT_OK;
    }
    double weights[4] = {1.0};
    abut_vec3 v[4], gap;
    for (int i = 0; i < 4; ++i) {
        v[i] = abut_sub(pair->end[i], pair->end[0]);
    }
    if (pair->kind == ABUT_VERTEX_FACE) {
        (void)abut_point_triangle_distance_squared(v[0], v + 1, weights + 1);
        gap = abut_negate(abut_triangle_point(v + 1, weights + 1));
    } else {
        (void)abut_segment_segment_distance_squared(v[0], v[1], v[2], v[3], &weights[1], &weights[3]);
        weights[0] = 1.0 - weights[1];
        weights[2] = 1.0 - weights[3];
        gap = abut_sub(abut_lerp(v[0], v[1], weights[1]), abut_lerp(v[2], v[3], weights[3]));
    }
    double distance = abut_norm(gap);
    if (distance > 0.0 && distance < tolerance) {
        abut_vec3 impulse = abut_scale(own.stiffness * own.dt * (tolerance - distance) / distance, gap);
        penalty->intervals[0] = (abut_penalty_interval){.begin = 1.0, .end = 1.0, .impulse = impulse};
        memcpy(penalty->intervals[0].weights, weights, sizeof weights);
        penalty->interval_count = 1;
        distribute(pair, impulse, weights, 1.0, penalty);
    }
    return ABUT_OK;
}

abut_vec3 abut_penalty_friction(abut_vec3 impulse, abut_vec3 velocity, double coulomb, double viscous_dt,
                                double limit)
{
    abut_vec3 direction = abut_unit(impulse);
    abut_vec3 sliding = abut_add_scaled(velocity, -abut_dot(velocity, direction), direction);
    double speed = abut_norm(sliding);
    if (!(speed > 0.0)) {
        return abut_vec3_make(0.0, 0.0, 0.0);
    }
    double size = fmin(coulomb * abut_norm(impulse) + viscous_dt * speed, limit);
    return abut_scale(-size / speed, sliding);
}
