// SPDX-License-Identifier: MIT
// test_penalty.c: penalty impulses on paper, against independent quadrature, and over several steps
#include "../prim/impact_families.h"
#include "check.h"
#include "effort.h"

#include "continuous/impulse_wide.h"

#include <abut/penalty.h>
#include <stdlib.h>

static const abut_vec3 UP = {0, 0, 1};

/// A vertex above the triangle x, y >= 0, x + y <= 4 in the plane z = 0.
static abut_moving_pair vertical(double start, double end)
{
    abut_moving_pair pair = {.kind = ABUT_VERTEX_FACE,
                             .start = {{1, 1, start}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
                             .end = {{1, 1, end}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
    memcpy(pair.middle, pair.start, sizeof pair.middle);
    return pair;
}

static abut_penalty find(const abut_moving_pair *pair, const abut_penalty_track *track,
                         const abut_penalty_params *params)
{
    abut_penalty penalty;
    CHECK_STATUS(abut_find_penalty(pair, track, params, &penalty), ABUT_OK, "penalty");
    return penalty;
}

static void check_vector(abut_vec3 actual, abut_vec3 expected, double tolerance, const char *label)
{
    CHECK_NEAR(abut_norm(abut_sub(actual, expected)), 0.0, tolerance, label);
}

// From z = 1 to z = -3: inside from t = 1/4 on, at the depth 4 t - 1. With stiffness 10 and a step of 1/2 the impulse
// is 5 times the integral, [2 t^2 - t] from 1/4 to 1: 5 x 9/8, upwards. All rules agree, except the one that takes
// the end: depth 3, 5 x 3. The corners share the opposite by their weights 1/2, 1/4, 1/4.
static void falling_vertex(void **state)
{
    (void)state;
    abut_penalty_params params = abut_penalty_params_default();
    params.stiffness = 10.0;
    params.dt = 0.5;
    for (int rule = ABUT_PENALTY_EXACT; rule <= ABUT_PENALTY_END; ++rule) {
        for (int mirror = -1; mirror <= 1; mirror += 2) { // the same from below: the sheet has two sides
            params.rule = (abut_penalty_rule)rule;
            abut_moving_pair pair = vertical(mirror, -3 * mirror);
            abut_penalty penalty = find(&pair, NULL, &params);
            double size = mirror * (rule == ABUT_PENALTY_END ? 15.0 : 5.625);
            CHECK_INT(penalty.interval_count, 1, "intervals");
            CHECK_NEAR(penalty.intervals[0].begin, 0.25, 1e-15, "begin");
            CHECK_NEAR(penalty.intervals[0].end, 1.0, 0.0, "end");
            check_vector(penalty.total, abut_scale(size, UP), 1e-13, "total");
            check_vector(penalty.impulses[0], abut_scale(size, UP), 1e-13, "vertex");
            check_vector(penalty.impulses[1], abut_scale(-0.5 * size, UP), 1e-12, "corner");
            check_vector(penalty.impulses[2], abut_scale(-0.25 * size, UP), 1e-12, "corner");
            check_vector(penalty.angular_defect, abut_vec3_make(0, 0, 0), 1e-12, "moment");
            CHECK_INT(penalty.track.side, mirror, "side");
            CHECK_NEAR(penalty.end_depth, 3.0, 1e-14, "depth");
        }
    }
    CHECK_DONE();
}

// Figure 4: what passes through and comes back, z = 1 - 8 t + 8 t^2, has no force at the end, by depth or by
// distance. On its way it is inside for |t - 1/2| < s = sqrt(1/8), with the integral 4 s / 3 of the depth.
static void through_and_back(void **state)
{
    (void)state;
    abut_moving_pair pair = vertical(1, 1);
    pair.is_curved = 1;
    pair.middle[0].z = -3;
    abut_penalty_params params = abut_penalty_params_default();
    double s = sqrt(0.125);
    for (int rule = ABUT_PENALTY_EXACT; rule <= ABUT_PENALTY_STEP; ++rule) {
        params.rule = (abut_penalty_rule)rule;
        abut_penalty penalty = find(&pair, NULL, &params);
        check_vector(penalty.total, abut_scale(4.0 * s / 3.0, UP), 1e-14, "continuous");
        CHECK_INT(penalty.track.side, 0, "not tracked");
    }
    params.rule = ABUT_PENALTY_END;
    check_vector(find(&pair, NULL, &params).total, abut_vec3_make(0, 0, 0), 0.0, "end");
    abut_penalty discrete;
    CHECK_STATUS(abut_find_discrete_penalty(&pair, 0.5, &params, &discrete), ABUT_OK, "discrete");
    check_vector(discrete.total, abut_vec3_make(0, 0, 0), 0.0, "discrete");
    // near the end of its fall it has one: 1/8 above the triangle, with the tolerance 1/2
    pair = vertical(1, 0.125);
    CHECK_STATUS(abut_find_discrete_penalty(&pair, 0.5, &params, &discrete), ABUT_OK, "discrete");
    check_vector(discrete.total, abut_vec3_make(0, 0, 0.375), 1e-15, "discrete");
    check_vector(discrete.impulses[2], abut_vec3_make(0, 0, -0.25 * 0.375), 1e-15, "discrete");
    CHECK_DONE();
}

// A step cut in two, with the track passed on, has the impulse of the whole. A pair that was let go has none at the
// exit.
static void steps_add_up(void **state)
{
    (void)state;
    test_random random = {17};
    int tracked = 0;
    for (int i = 0; i < sample_count(3000, 100000); ++i) {
        abut_moving_pair pair = make_pair(&random, i % 2 ? FAMILY_ROTATING : FAMILY_RANDOM, 0),
                         halves[2] = {pair, pair};
        double cut = random_in(&random, 0.2, 0.8);
        for (int k = 0; k < 4; ++k) {
            halves[0].end[k] = halves[1].start[k] = abut_lerp(pair.start[k], pair.end[k], cut);
        }
        abut_penalty whole = find(&pair, NULL, NULL);
        abut_penalty_params params = abut_penalty_params_default();
        params.dt = cut;
        abut_penalty first = find(&halves[0], NULL, &params);
        params.dt = 1.0 - cut;
        abut_penalty second = find(&halves[1], &first.track, &params);
        abut_vec3 sum = abut_add(first.total, second.total);
        double scale = 1e-11 * (1.0 + abut_norm(sum));
        check_vector(sum, whole.total, scale, "sum");
        CHECK_INT(second.track.side, whole.track.side, "side");
        tracked += first.track.side != 0;
    }
    CHECK(tracked > 20, "%d", tracked);
    abut_moving_pair out = vertical(-1, 1);
    check_vector(find(&out, NULL, NULL).total, abut_vec3_make(0, 0, -0.25), 1e-14, "from below: it entered at 1/2");
    abut_penalty_track track = {1, {1.0, 0.5, 0.25, 0.25}};
    check_vector(find(&out, &track, NULL).total, abut_vec3_make(0, 0, 0.25), 1e-14, "tracked: it leaves at 1/2");
    CHECK_INT(find(&out, &track, NULL).track.side, 0, "let go");
    out = vertical(1, 2);
    CHECK_INT(find(&out, &track, NULL).interval_count, 0, "no depth any more");
    out = vertical(0, -1); // touches at the start: on which side was it?
    abut_penalty touching = find(&out, NULL, NULL);
    CHECK(touching.is_without_side && touching.interval_count == 0, "no side, no force");
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Quadrature

static abut_vec3 at(const abut_moving_pair *pair, int i, double t)
{
    abut_vec3 a = pair->start[i], b = pair->end[i], m = pair->middle[i];
    return pair->is_curved ? abut_lerp(abut_lerp(a, m, t), abut_lerp(m, b, t), t) : abut_lerp(a, b, t);
}

/// Force on the first feature by the definition: -(n . (p - q)) n with n of unit length, or of length |n| / `constant`.
static abut_vec3 force(const abut_moving_pair *pair, const double *w, double constant, double t)
{
    abut_vec3 v[4] = {at(pair, 0, t), at(pair, 1, t), at(pair, 2, t), at(pair, 3, t)};
    int is_face = pair->kind == ABUT_VERTEX_FACE;
    abut_vec3 n = is_face ? abut_cross(abut_sub(v[2], v[1]), abut_sub(v[3], v[1]))
                          : abut_cross(abut_sub(v[1], v[0]), abut_sub(v[3], v[2]));
    n = abut_scale(1.0 / (constant > 0.0 ? constant : abut_norm(n)), n);
    abut_vec3 gap = abut_scale(w[0], v[0]);
    for (int i = 1; i < 4; ++i) {
        gap = abut_add_scaled(gap, is_face || i > 1 ? -w[i] : w[i], v[i]);
    }
    return abut_scale(-abut_dot(n, gap), n);
}

typedef abut_vec3 vector_function(const void *data, double t);

/// Tanh-sinh quadrature, refined until two levels agree.
static abut_vec3 integral(vector_function *function, const void *data, double s, double e)
{
    abut_vec3 last = {0, 0, 0}, sum = last;
    for (int level = 3; level < 15; ++level) {
        double h = ldexp(1.0, -level);
        sum = abut_vec3_make(0, 0, 0);
        for (int k = -(4 << level); k <= 4 << level; ++k) {
            double x = tanh(1.5707963267948966 * sinh(k * h));
            double weight = 1.5707963267948966 * h * cosh(k * h) / pow(cosh(1.5707963267948966 * sinh(k * h)), 2.0);
            sum = abut_add_scaled(sum, 0.5 * (e - s) * weight, function(data, 0.5 * (s + e) + 0.5 * (e - s) * x));
        }
        if (level > 3 && abut_norm(abut_sub(sum, last)) <= 1e-14 * abut_norm(sum)) {
            break;
        }
        last = sum;
    }
    return sum;
}

typedef struct pair_force {
    const abut_moving_pair *pair;
    const double *weights;
    double constant;
} pair_force;

static abut_vec3 force_of_pair(const void *data, double t)
{
    const pair_force *f = data;
    return force(f->pair, f->weights, f->constant, t);
}

static abut_vec3 quadrature(const abut_moving_pair *pair, const double *w, double constant, double s, double e)
{
    pair_force f = {pair, w, constant};
    return integral(force_of_pair, &f, s, e);
}

/// The root of the mean of |n|^2 over [s, e], by the Gauss rule of 5 points: it is a polynomial of degree 4 or 8.
static double mean_length(const abut_moving_pair *pair, double s, double e)
{
    const double inner = sqrt(5.0 - 2.0 * sqrt(10.0 / 7.0)) / 3.0, outer = sqrt(5.0 + 2.0 * sqrt(10.0 / 7.0)) / 3.0;
    const double x[5] = {-outer, -inner, 0.0, inner, outer};
    const double near = (322.0 + 13.0 * sqrt(70.0)) / 900.0, far = (322.0 - 13.0 * sqrt(70.0)) / 900.0;
    const double weights[5] = {far, near, 128.0 / 225.0, near, far};
    double sum = 0.0;
    for (int i = 0; i < 5; ++i) {
        double t = 0.5 * (s + e) + 0.5 * (e - s) * x[i];
        abut_vec3 v[4] = {at(pair, 0, t), at(pair, 1, t), at(pair, 2, t), at(pair, 3, t)};
        abut_vec3 n = pair->kind == ABUT_VERTEX_FACE ? abut_cross(abut_sub(v[2], v[1]), abut_sub(v[3], v[1]))
                                                     : abut_cross(abut_sub(v[1], v[0]), abut_sub(v[3], v[2]));
        sum += 0.5 * weights[i] * abut_norm_squared(n);
    }
    return sqrt(sum);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Prints how far the closed forms are from the exact integral.
static void report(const char *label, double *off, int count)
{
    qsort(off, (size_t)count, sizeof *off, compare_doubles);
    if (getenv("ABUT_TEST_VERBOSE") != NULL && count > 0) {
        (void)fprintf(stderr, "%s: %d pairs, off by %.3g in the median, %.3g at 90 %%\n", label, count,
                      off[count / 2], off[count * 9 / 10]);
    }
}

// Exact and closed form against quadrature, to 1e-12 of the impulse, on pairs that deform strongly, straight and
// curved. Momentum is kept to rounding.
static void against_quadrature(void **state)
{
    (void)state;
    test_random random = {23};
    static double off[2][20000];
    int compared = 0, multiple = 0;
    for (int i = 0; i < sample_count(1500, 20000); ++i) {
        abut_moving_pair pair = make_pair(&random, i % 3 ? FAMILY_RANDOM : FAMILY_ROTATING, i % 4 == 0);
        abut_penalty_params params = abut_penalty_params_default();
        abut_penalty exact = find(&pair, NULL, &params);
        multiple += exact.interval_count > 1;
        params.rule = ABUT_PENALTY_STEP;
        abut_penalty step = find(&pair, NULL, &params);
        params.rule = ABUT_PENALTY_INTERVAL;
        abut_penalty interval = find(&pair, NULL, &params);
        double constant = exact.interval_count > 0 ? mean_length(&pair, 0.0, 1.0) : 1.0;
        abut_vec3 sum = {0, 0, 0};
        for (int k = 0; k < exact.interval_count; ++k) {
            const abut_penalty_interval *e = &exact.intervals[k], *c = &step.intervals[k],
                                        *o = &interval.intervals[k];
            abut_vec3 slow = quadrature(&pair, e->weights, 0.0, e->begin, e->end);
            check_vector(e->impulse, slow, 1e-12 * fmax(abut_norm(slow), 1e-3), "exact");
            abut_vec3 closed = quadrature(&pair, c->weights, constant, c->begin, c->end);
            check_vector(c->impulse, closed, 1e-12 * fmax(abut_norm(closed), 1e-3), "closed form");
            closed = quadrature(&pair, o->weights, mean_length(&pair, o->begin, o->end), o->begin, o->end);
            check_vector(o->impulse, closed, 1e-12 * fmax(abut_norm(closed), 1e-3), "constant of the interval");
        }
        for (int k = 0; k < 4; ++k) {
            sum = abut_add(sum, exact.impulses[k]);
        }
        check_vector(sum, abut_vec3_make(0, 0, 0), 1e-15 * fmax(1.0, 8.0 * abut_norm(exact.total)), "momentum");
        if (abut_norm(exact.total) > 1e-6) {
            off[0][compared] = abut_norm(abut_sub(step.total, exact.total)) / abut_norm(exact.total);
            off[1][compared++] = abut_norm(abut_sub(interval.total, exact.total)) / abut_norm(exact.total);
        }
    }
    CHECK(compared > 50, "%d", compared);
    report("strong deformation, constant of the step", off[0], compared);
    report("strong deformation, constant of the interval", off[1], compared);
    CHECK_DONE();
}

// Features that move without turning: all continuous rules agree. Slowly turning bodies: the constants differ little.
static void rigid_motion(void **state)
{
    (void)state;
    test_random random = {29};
    static double off[20000];
    int compared = 0;
    for (int i = 0; i < sample_count(3000, 20000); ++i) {
        abut_moving_pair pair = make_pair(&random, FAMILY_RANDOM, 0);
        abut_vec3 way = random_vec3(&random, 2.0);
        abut_quat turn = abut_quat_from_axis(random_unit(&random), i % 2 ? 0.1 : 0.0);
        for (int k = 0; k < 4; ++k) {
            int is_first = k == 0 || (k == 1 && pair.kind == ABUT_EDGE_EDGE);
            pair.end[k] = is_first ? abut_add(abut_quat_rotate(turn, pair.start[k]), way) : pair.start[k];
        }
        abut_penalty_params params = abut_penalty_params_default();
        abut_penalty exact = find(&pair, NULL, &params);
        params.rule = ABUT_PENALTY_STEP;
        abut_penalty step = find(&pair, NULL, &params);
        double size = abut_norm(exact.total);
        if (i % 2 == 0) {
            check_vector(step.total, exact.total, 1e-12 * (1.0 + size), "translation");
        } else if (size > 1e-6) {
            off[compared++] = abut_norm(abut_sub(step.total, exact.total)) / size;
        }
    }
    report("a body turns by 0.1, constant of the step", off, compared);
    CHECK_DONE();
}

// A vertex comes down to z = 0 and stops there, exactly at the end of the step: no force, but its side is remembered.
// The next step begins with a touch and goes to z = -2: the impulse is the mean depth 1. Back to z = 0: 1 again. The
// side is still known: down to z = -2 once more. Without its history the third step has no side and no force.
static void stops_at_the_surface(void **state)
{
    (void)state;
    const double heights[5] = {1, 0, -2, 0, -2}, impulses[4] = {0, 1, 1, 1};
    for (int mirror = -1; mirror <= 1; mirror += 2) {
        abut_penalty_track track = {0};
        for (int step = 0; step < 4; ++step) {
            abut_moving_pair pair = vertical(mirror * heights[step], mirror * heights[step + 1]);
            abut_penalty penalty = find(&pair, &track, NULL);
            check_vector(penalty.total, abut_scale(mirror * impulses[step], UP), 1e-13, "impulse");
            CHECK_INT(penalty.track.side, mirror, "side");
            CHECK_INT(penalty.is_without_side, 0, "side");
            CHECK_NEAR(penalty.end_depth, fmax(-heights[step + 1], 0.0), 1e-14, "depth");
            track = penalty.track;
        }
        abut_moving_pair pair = vertical(0, -2 * mirror);
        abut_penalty penalty = find(&pair, NULL, NULL);
        CHECK_INT(penalty.is_without_side, 1, "no history");
        CHECK_INT(penalty.interval_count, 0, "no history");
    }
    CHECK_DONE();
}

// A batch gives the impulses of single pairs, for both kinds, any remainder of four, both codes and any number of
// threads. A bad number is named.
static void batches(void **state)
{
    (void)state;
    enum { COUNT = 1031 };
    static double numbers[24][COUNT], begins[COUNT], ends[COUNT], impulses[2][3][COUNT];
    static abut_vec3 expected[COUNT];
    test_random random = {77};
    abut_penalty_params params = abut_penalty_params_default();
    params.rule = ABUT_PENALTY_INTERVAL;
    params.stiffness = 3.0;
    params.dt = 0.25;
    for (int kind = 0; kind < 2; ++kind) {
        for (int j = 0; j < COUNT;) {
            abut_moving_pair pair = make_pair(&random, random_below(&random, FAMILY_COUNT), 0);
            pair.kind = (abut_moving_kind)kind;
            abut_penalty penalty = find(&pair, NULL, &params);
            if (penalty.interval_count == 0) {
                continue;
            }
            for (int i = 0; i < 24; ++i) {
                const abut_vec3 *v = i < 12 ? &pair.start[i / 3] : &pair.end[i / 3 - 4];
                numbers[i][j] = i % 3 == 0 ? v->x : i % 3 == 1 ? v->y : v->z;
            }
            begins[j] = penalty.intervals[0].begin;
            ends[j] = penalty.intervals[0].end;
            expected[j++] = penalty.intervals[0].impulse;
        }
        abut_impulse_batch batch = {.pairs = {.kind = (abut_moving_kind)kind}, .begin = begins, .end = ends};
        for (int i = 0; i < 24; ++i) {
            *(i < 12 ? &batch.pairs.start[i / 3][i % 3] : &batch.pairs.end[i / 3 - 4][i % 3]) = numbers[i];
        }
        for (int workers = 1; workers <= 3; workers += 2) {
            abut_context context = abut_context_default();
            context.worker_count = workers;
            for (int k = 0; k < 3; ++k) {
                batch.impulses[k] = impulses[workers > 1][k];
            }
            batch.pairs.count = COUNT;
            CHECK_STATUS(abut_find_impulses(&context, &batch, &params, NULL), ABUT_OK, "batch");
        }
        CHECK(memcmp(impulses[0], impulses[1], sizeof impulses[0]) == 0, "threads, kind %d", kind);
        for (int j = 0; j < COUNT; ++j) {
            abut_vec3 actual = {impulses[0][0][j], impulses[0][1][j], impulses[0][2][j]};
            check_vector(actual, expected[j], 1e-13 * (1.0 + abut_norm(expected[j])), "impulse");
        }
#if defined(ABUT_HAS_AVX2)
        for (int j = 0; j + ABUT_IMPULSE_LANES <= COUNT && __builtin_cpu_supports("avx2"); ++j) {
            unsigned unusual = abut_impulse_wide_plain(&batch, j, params.stiffness * params.dt);
            for (int k = 0; k < 3; ++k) {
                CHECK((unusual & 1u) || impulses[1][k][j] == impulses[0][k][j], "codes, kind %d", kind);
            }
            CHECK(abut_impulse_wide_avx2(&batch, j, params.stiffness * params.dt) == unusual, "pair %d", j);
        }
#endif
        abut_error error;
        begins[100] = ends[100] + 0.5;
        CHECK_STATUS(abut_find_impulses(NULL, &batch, &params, &error), ABUT_BAD_DATA, "interval");
        CHECK_INT(error.element, 100, "element");
        begins[100] = 0.0;
        numbers[5][40] = (double)NAN;
        CHECK_STATUS(abut_find_impulses(NULL, &batch, &params, &error), ABUT_BAD_DATA, "NaN");
        CHECK_INT(error.element, 40, "element");
    }
    CHECK_DONE();
}

// Impulses and depths grow with the scale, by every rule and without paths, however large or small it is. The
// normal does not depend on the size of a triangle. What exceeds all numbers has a status.
static void any_size(void **state)
{
    (void)state;
    const int exponents[5] = {320, 250, -120, -500, -1000};
    test_random random = {5};
    abut_penalty_params params = abut_penalty_params_default();
    for (int i = 0; i < 4000; ++i) {
        abut_moving_pair pair = make_pair(&random, i % 3 ? FAMILY_RANDOM : FAMILY_TOUCHING, i % 4 == 0),
                         scaled = pair;
        double unit = ldexp(1.0, exponents[i % 5]);
        abut_vec3 *rows[3] = {scaled.start, scaled.end, scaled.middle};
        for (int k = 0; k < 12; ++k) {
            rows[k / 4][k % 4] = abut_scale(unit, rows[k / 4][k % 4]);
        }
        params.rule = (abut_penalty_rule)(i % 7 % 4);
        abut_penalty usual = find(&pair, NULL, &params), other = find(&scaled, NULL, &params);
        CHECK_INT(other.interval_count, usual.interval_count, "intervals");
        check_vector(abut_scale(1.0 / unit, other.total), usual.total, 1e-11, "total");
        CHECK_NEAR(other.end_depth / unit, usual.end_depth, 1e-12, "depth");
        double tolerance = random_in(&random, 0.0, 2.0);
        abut_penalty near, other_near;
        CHECK_STATUS(abut_find_discrete_penalty(&pair, tolerance, NULL, &near), ABUT_OK, "discrete");
        CHECK_STATUS(abut_find_discrete_penalty(&scaled, unit * tolerance, NULL, &other_near), ABUT_OK, "discrete");
        check_vector(abut_scale(1.0 / unit, other_near.total), near.total, 1e-11, "discrete");
    }
    abut_penalty plain, large;
    abut_moving_pair pair = vertical(1, -2), wide = pair;
    for (int i = 1; i < 4; ++i) {
        wide.start[i] = wide.end[i] = abut_scale(0x1p300, wide.start[i]);
    }
    plain = find(&pair, NULL, NULL);
    large = find(&wide, NULL, NULL);
    check_vector(large.total, plain.total, 1e-13, "a large triangle");
    CHECK(abut_norm(plain.total) > 0.1, "an impulse");
    abut_moving_pair slope = {
        .kind = ABUT_VERTEX_FACE,
        .start = {{0x1p320, 0, 0x1p320}, {-0x1p325, -0x1p325, 0}, {0x1p325, 0, 0}, {0, 0x1p325, 0}},
        .end = {{-0x1p320, 0, -0x1p322}, {-0x1p325, -0x1p325, 0}, {0x1p325, 0, 0}, {0, 0x1p325, 0}}};
    params = abut_penalty_params_default();
    params.stiffness = params.dt = 1e100;
    abut_status status = abut_find_penalty(&slope, NULL, &params, &large);
    CHECK(status == ABUT_BAD_DATA && large.interval_count == 0, "beyond all numbers: %d", (int)status);
    CHECK_DONE();
}

typedef struct curves {
    abut_moving_kind kind;
    int degree;
    double constant; ///< for |n|; 0: none
    abut_vec3 points[ABUT_PENALTY_DEGREE + 1][4];
} curves;

/// The normal, not of length 1, and the vector from the second feature to the first.
static void find_factors(const curves *c, double t, abut_vec3 *normal, abut_vec3 *gap)
{
    abut_vec3 v[4] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double binomial = 1.0;
    for (int i = 0; i <= c->degree; ++i) {
        for (int k = 0; k < 4; ++k) {
            v[k] = abut_add_scaled(v[k], binomial * pow(t, i) * pow(1.0 - t, c->degree - i), c->points[i][k]);
        }
        binomial *= (double)(c->degree - i) / (i + 1);
    }
    int is_face = c->kind == ABUT_VERTEX_FACE;
    *normal = is_face ? abut_cross(abut_sub(v[2], v[1]), abut_sub(v[3], v[1]))
                      : abut_cross(abut_sub(v[1], v[0]), abut_sub(v[3], v[2]));
    *gap = abut_sub(v[0], v[is_face ? 1 : 2]);
}

static abut_vec3 force_of_curves(const void *data, double t)
{
    const curves *c = data;
    abut_vec3 n, gap;
    find_factors(c, t, &n, &gap);
    n = abut_scale(1.0 / (c->constant > 0.0 ? c->constant : abut_norm(n)), n);
    return abut_scale(-abut_dot(n, gap), n);
}

static abut_vec3 square_of_normal(const void *data, double t)
{
    abut_vec3 n, gap;
    find_factors(data, t, &n, &gap);
    return abut_vec3_make(abut_norm_squared(n), 0.0, 0.0);
}

// Paths of any degree: a pair gives what it gives as a curve of a higher degree, and curves of degree 3 and 4, of which
// the closed forms are polynomials of degree 16 and 21, give what quadrature gives.
static void higher_degrees(void **state)
{
    (void)state;
    test_random random = {31};
    abut_penalty_params params = abut_penalty_params_default();
    params.stiffness = 3.0;
    params.dt = 0.25;
    for (int i = 0; i < 300; ++i) {
        curves c = {.kind = i % 2 ? ABUT_EDGE_EDGE : ABUT_VERTEX_FACE, .degree = 1 + i / 2 % 4};
        for (int k = 0; k < 4 * (c.degree + 1); ++k) {
            c.points[k / 4][k % 4] = random_vec3(&random, 1.0);
        }
        double s = random_in(&random, 0.0, 0.5), e = random_in(&random, 0.5, 1.0);
        for (int rule = ABUT_PENALTY_EXACT; rule <= ABUT_PENALTY_STEP; ++rule) {
            params.rule = (abut_penalty_rule)rule;
            c.constant = 0.0;
            if (rule != ABUT_PENALTY_EXACT) {
                double from = rule == ABUT_PENALTY_STEP ? 0.0 : s, to = rule == ABUT_PENALTY_STEP ? 1.0 : e;
                c.constant = sqrt(integral(square_of_normal, &c, from, to).x / (to - from));
            }
            abut_vec3 actual, expected = abut_scale(0.75, integral(force_of_curves, &c, s, e));
            CHECK_STATUS(abut_find_path_impulse(c.kind, c.degree, c.points[0], s, e, &params, &actual), ABUT_OK,
                         "curves");
            check_vector(actual, expected, 1e-12 * fmax(abut_norm(expected), 0.1), "quadrature");
            curves up = c;
            up.degree = c.degree + 1;
            for (int k = 0; k < 4 * (up.degree + 1) && up.degree <= ABUT_PENALTY_DEGREE; ++k) {
                double a = (double)(k / 4) / up.degree;
                abut_vec3 before = k < 4 ? c.points[0][k] : c.points[k / 4 - 1][k % 4];
                abut_vec3 here = k / 4 > c.degree ? before : c.points[k / 4][k % 4];
                up.points[k / 4][k % 4] = abut_lerp(here, before, a);
            }
            if (up.degree <= ABUT_PENALTY_DEGREE) {
                CHECK_STATUS(abut_find_path_impulse(up.kind, up.degree, up.points[0], s, e, &params, &expected),
                             ABUT_OK, "curves");
                check_vector(actual, expected, 1e-12 * fmax(abut_norm(expected), 0.1), "a degree higher");
            }
        }
    }
    // the vertex of falling_vertex() at the end: depth 3, stiffness times dt 3/4
    abut_moving_pair pair = vertical(1, -3);
    abut_vec3 impulse, points[8];
    memcpy(points, pair.start, sizeof pair.start);
    memcpy(points + 4, pair.end, sizeof pair.end);
    params.rule = ABUT_PENALTY_END;
    CHECK_STATUS(abut_find_path_impulse(pair.kind, 1, points, 0.25, 1.0, &params, &impulse), ABUT_OK, "end");
    check_vector(impulse, abut_scale(2.25, UP), 1e-14, "end");
    CHECK_STATUS(abut_find_path_impulse(pair.kind, 5, points, 0.25, 1.0, &params, &impulse), ABUT_BAD_ARGUMENT,
                 "degree");
    CHECK_STATUS(abut_find_path_impulse(pair.kind, 1, points, 0.5, 0.25, &params, &impulse), ABUT_BAD_DATA,
                 "interval");
    params.separation = 0.1;
    CHECK_STATUS(abut_find_path_impulse(pair.kind, 1, points, 0.25, 1.0, &params, &impulse), ABUT_BAD_ARGUMENT,
                 "separation");
    params.separation = 0.0;
    points[7].y = (double)NAN;
    CHECK_STATUS(abut_find_path_impulse(pair.kind, 1, points, 0.25, 1.0, &params, &impulse), ABUT_BAD_DATA, "NaN");
    CHECK_DONE();
}

// Friction is orthogonal to the impulse, opposite to the sliding, and stops it at most.
static void friction(void **state)
{
    (void)state;
    abut_vec3 impulse = {0, 0, 2}, velocity = {3, 4, -7};
    abut_vec3 f = abut_penalty_friction(impulse, velocity, 0.8, 0.005, 100.0);
    check_vector(f, abut_scale(-(1.6 + 0.025) / 5.0, abut_vec3_make(3, 4, 0)), 1e-15, "friction");
    f = abut_penalty_friction(impulse, velocity, 0.8, 0.005, 0.5);
    check_vector(f, abut_scale(-0.1, abut_vec3_make(3, 4, 0)), 1e-15, "limit");
    check_vector(abut_penalty_friction(impulse, abut_vec3_make(0, 0, 1), 0.8, 0.0, 1.0), abut_vec3_make(0, 0, 0),
                 0.0, "none");
    CHECK_DONE();
}

static void bad_input(void **state)
{
    (void)state;
    abut_moving_pair pair = vertical(1, -1);
    abut_penalty penalty;
    abut_penalty_params params = abut_penalty_params_default();
    params.stiffness = -1.0;
    CHECK_STATUS(abut_find_penalty(&pair, NULL, &params, &penalty), ABUT_BAD_DATA, "stiffness");
    CHECK_STATUS(abut_find_discrete_penalty(&pair, 1.0, &params, &penalty), ABUT_BAD_DATA, "stiffness");
    params = abut_penalty_params_default();
    params.dt = (double)NAN;
    CHECK_STATUS(abut_find_penalty(&pair, NULL, &params, &penalty), ABUT_BAD_DATA, "dt");
    params = abut_penalty_params_default();
    params.separation = 0.1;
    CHECK_STATUS(abut_find_discrete_penalty(&pair, 1.0, &params, &penalty), ABUT_BAD_ARGUMENT, "separation");
    params.separation = -0.1;
    CHECK_STATUS(abut_find_penalty(&pair, NULL, &params, &penalty), ABUT_BAD_DATA, "separation");
    params = abut_penalty_params_default();
    params.rule = (abut_penalty_rule)9;
    CHECK_STATUS(abut_find_penalty(&pair, NULL, &params, &penalty), ABUT_BAD_ARGUMENT, "rule");
    pair.end[2].y = HUGE_VAL;
    CHECK_STATUS(abut_find_penalty(&pair, NULL, NULL, &penalty), ABUT_BAD_DATA, "infinite");
    CHECK_STATUS(abut_find_discrete_penalty(&pair, 1.0, NULL, &penalty), ABUT_BAD_DATA, "infinite");
    CHECK_INT(penalty.interval_count, 0, "nothing");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falling_vertex), cmocka_unit_test(through_and_back),
        cmocka_unit_test(steps_add_up),   cmocka_unit_test(against_quadrature),
        cmocka_unit_test(rigid_motion),   cmocka_unit_test(stops_at_the_surface),
        cmocka_unit_test(batches),        cmocka_unit_test(friction),
        cmocka_unit_test(bad_input),      cmocka_unit_test(any_size),
        cmocka_unit_test(higher_degrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
