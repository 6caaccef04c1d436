// SPDX-License-Identifier: MIT
// test_predicates.c: orient2d and orient3d against GMP on near-degenerate inputs and at the limits of their range
//
// Every sample is made so that rounding hides its sign: points on a line or plane, nudged by a few ulps; grids of
// neighbouring doubles; sizes from 1e-70 to 1e70 in one sample; copies and mirror images. ABUT_TEST_LONG=1 tests 20
// million samples of each predicate instead of one million.
#include "check.h"
#include "effort.h"
#include "exact.h"
#include "random.h"

#include <abut/predicates.h>

// n + 1 points with n coordinates each
typedef struct sample {
    double x[12];
    int n;
} sample;

typedef void sample_maker(test_random *random, sample *s);

static double *point(sample *s, int i)
{
    return s->x + i * s->n;
}

static double nudge(test_random *random, double x)
{
    for (int steps = random_below(random, 5) - 2; steps != 0; steps += steps > 0 ? -1 : 1) {
        x = nextafter(x, steps > 0 ? HUGE_VAL : -HUGE_VAL);
    }
    return x;
}

// The last point is a rounded combination of the others. All points are moved away from the origin and nudged.
static void make_near(test_random *random, sample *s)
{
    static const double offsets[] = {0.0, 0.0, 1.0, 1e4, 1e8};
    double offset = offsets[random_below(random, 5)];
    int n = s->n;
    for (int i = 0; i < n * n; ++i) {
        s->x[i] = random_in(random, -1.0, 1.0) + offset;
    }
    double weights[2] = {random_in(random, -2.0, 2.0), random_in(random, -2.0, 2.0)};
    for (int k = 0; k < n; ++k) {
        double x = point(s, 0)[k];
        for (int i = 1; i < n; ++i) {
            x += weights[i - 1] * (point(s, i)[k] - point(s, 0)[k]);
        }
        point(s, n)[k] = x;
    }
    for (int i = 0; i < n * (n + 1); ++i) {
        s->x[i] = nudge(random, s->x[i]);
    }
}

// A point among the neighbouring doubles of (0.5, 0.5, ...), and others on or near the diagonal, as in Shewchuk's
// paper.
static void make_tiny_grid(test_random *random, sample *s)
{
    for (int i = 0; i <= s->n; ++i) {
        double base = i == 0 ? 0.5 : 12.0 * i;
        double unit = i == 0 ? 0x1p-53 : 0x1p-49 * (double)random_below(random, 2);
        for (int k = 0; k < s->n; ++k) {
            point(s, i)[k] = base + unit * (double)random_below(random, 256);
        }
    }
}

static double random_magnitude(test_random *random)
{
    if (random_below(random, 5) == 0) {
        return 0.0;
    }
    double size = pow(10.0, random_in(random, -70.0, 70.0));
    size = fmin(fmax(size, 1e-70), 1e70);
    return random_below(random, 2) ? size : -size;
}

// Sizes from 1e-70 to 1e70 in one sample. Half of the samples repeat coordinates of other points, sometimes mirrored
// or nudged, so that huge products cancel and leave a tiny rest.
static void make_mixed(test_random *random, sample *s)
{
    int count = s->n * (s->n + 1);
    for (int i = 0; i < count; ++i) {
        s->x[i] = random_magnitude(random);
    }
    if (random_below(random, 2)) {
        for (int repeats = random_below(random, count) + 2; repeats > 0; --repeats) {
            int to = random_below(random, count), from = random_below(random, count);
            double x = random_below(random, 4) ? s->x[from] : -s->x[from];
            double nudged = nudge(random, x);
            s->x[to] = nudged == 0.0 || (fabs(nudged) >= 1e-70 && fabs(nudged) <= 1e70) ? nudged : x;
        }
    }
}

// The last point is exactly in the plane of the others, with coordinates of very different sizes. Then one is
// nudged.
static void make_mixed_plane(test_random *random, sample *s)
{
    int n = s->n;
    for (int i = 0; i < n * n; ++i) {
        s->x[i] = ldexp((double)(random_below(random, 41) - 20), random_below(random, 100) - 50);
    }
    for (int k = 0; k < n; ++k) {
        double x = point(s, 0)[k];
        for (int i = 1; i < n; ++i) {
            x += (i == 1 ? 2.0 : -1.0) * (point(s, i)[k] - point(s, 0)[k]);
        }
        point(s, n)[k] = x;
    }
    int i = random_below(random, n * (n + 1));
    s->x[i] = nudge(random, s->x[i]);
    if (fabs(s->x[i]) < 1e-70) { // 0 nudged is the smallest subnormal
        s->x[i] = 0.0;
    }
}

// Few different coordinates, so many points are equal, collinear or coplanar. Multiples of 0.1 are not exact.
static void make_coarse_grid(test_random *random, sample *s)
{
    double unit = random_below(random, 2) ? 0.1 : ldexp(1.0, random_below(random, 300) - 150);
    for (int i = 0; i < s->n * (s->n + 1); ++i) {
        s->x[i] = unit * (double)(random_below(random, 5) - 2);
    }
}

// Equal points, midpoints and points on the line of two others.
static void make_collinear(test_random *random, sample *s)
{
    make_near(random, s);
    int a = random_below(random, s->n + 1), b = random_below(random, s->n + 1), c = random_below(random, s->n + 1);
    double t = random_below(random, 2) ? 0.5 * random_below(random, 4) : random_in(random, -1.0, 2.0);
    for (int k = 0; k < s->n; ++k) {
        point(s, c)[k] = (1.0 - t) * point(s, a)[k] + t * point(s, b)[k];
    }
}

static sample_maker *const makers[] = {make_near,        make_tiny_grid,   make_mixed,
                                       make_mixed_plane, make_coarse_grid, make_collinear};
enum { MAKER_COUNT = sizeof makers / sizeof makers[0] };

static abut_status orient(const sample *s, int *sign, int *stage)
{
    const double *x = s->x;
    if (s->n == 2) {
        return abut_orient2d_stage(abut_vec2_make(x[0], x[1]), abut_vec2_make(x[2], x[3]),
                                   abut_vec2_make(x[4], x[5]), sign, stage);
    }
    return abut_orient3d_stage(abut_vec3_make(x[0], x[1], x[2]), abut_vec3_make(x[3], x[4], x[5]),
                               abut_vec3_make(x[6], x[7], x[8]), abut_vec3_make(x[9], x[10], x[11]), sign, stage);
}

static abut_status orient_plain(const sample *s, int *sign)
{
    const double *x = s->x;
    if (s->n == 2) {
        return abut_orient2d(abut_vec2_make(x[0], x[1]), abut_vec2_make(x[2], x[3]), abut_vec2_make(x[4], x[5]),
                             sign);
    }
    return abut_orient3d(abut_vec3_make(x[0], x[1], x[2]), abut_vec3_make(x[3], x[4], x[5]),
                         abut_vec3_make(x[6], x[7], x[8]), abut_vec3_make(x[9], x[10], x[11]), sign);
}

static void swap_points(sample *s, int i, int j)
{
    for (int k = 0; k < s->n; ++k) {
        double x = point(s, i)[k];
        point(s, i)[k] = point(s, j)[k];
        point(s, j)[k] = x;
    }
}

static int rounded_sign(const sample *s)
{
    const double *x = s->x;
    double determinant;
    if (s->n == 2) {
        determinant = (x[2] - x[0]) * (x[5] - x[1]) - (x[3] - x[1]) * (x[4] - x[0]);
    } else {
        abut_vec3 a = {x[0], x[1], x[2]}, b = {x[3], x[4], x[5]}, c = {x[6], x[7], x[8]}, d = {x[9], x[10], x[11]};
        determinant = abut_dot(abut_cross(abut_sub(b, a), abut_sub(c, a)), abut_sub(d, a));
    }
    return (determinant > 0.0) - (determinant < 0.0);
}

static void report_sample(const sample *s, const char *label, int sign, int expected)
{
    if (!CHECK(sign == expected, "%s: sign %d, exactly %d", label, sign, expected)) {
        for (int i = 0; i < s->n * (s->n + 1); ++i) {
            (void)fprintf(stderr, " %a", s->x[i]);
        }
        (void)fprintf(stderr, "\n");
    }
}

// Samples of every kind have the sign that exact arithmetic gives, and swapping two points flips it. Plain
// arithmetic gets some of them wrong, and each stage decides some of them.
static void check_against_exact(int n)
{
    int count = sample_count(1000000, 20000000);
    test_random random = {(uint64_t)n};
    exact_room room;
    exact_init(&room);
    int64_t stages[3] = {0}, wrong = 0, zeros = 0;
    for (int i = 0; i < count; ++i) {
        sample s = {{0.0}, n};
        makers[i % MAKER_COUNT](&random, &s);
        int expected = exact_sign(&room, s.x, n), sign, stage;
        if (i % 64 < MAKER_COUNT) {
            report_sample(&s, "oracle", exact_sign_rational(s.x, n), expected);
        }
        CHECK_STATUS(orient(&s, &sign, &stage), ABUT_OK, "in range");
        report_sample(&s, "random", sign, expected);
        ++stages[stage];
        zeros += expected == 0;
        wrong += rounded_sign(&s) != expected;
        int first = random_below(&random, n + 1);
        swap_points(&s, first, (first + 1 + random_below(&random, n)) % (n + 1));
        CHECK_STATUS(orient_plain(&s, &sign), ABUT_OK, "in range, swapped");
        report_sample(&s, "swapped", sign, -expected);
    }
    exact_clear(&room);
    CHECK(stages[0] > 0 && stages[1] > 0 && stages[2] > 0, "each stage decides some");
    CHECK(wrong > count / 20, "plain arithmetic is wrong on %lld of %d", (long long)wrong, count);
    CHECK(zeros > count / 20 && zeros < count / 2, "%lld of %d are exactly zero", (long long)zeros, count);
}

static void orient2d_is_exact(void **state)
{
    (void)state;
    check_against_exact(2);
    CHECK_DONE();
}

static void orient3d_is_exact(void **state)
{
    (void)state;
    check_against_exact(3);
    CHECK_DONE();
}

// Coordinates out of range but of similar size: samples scaled by powers of two up to the largest doubles and down
// to subnormal ones (which are rounded first). All signs are right.
static void other_sizes_are_scaled(void **state)
{
    (void)state;
    test_random random = {3};
    exact_room room;
    exact_init(&room);
    for (int i = 0; i < 200000; ++i) {
        sample s = {{0.0}, 2 + i % 2};
        (i % 3 == 0 ? make_near : (i % 3 == 1 ? make_tiny_grid : make_coarse_grid))(&random, &s);
        double largest = 0.0;
        for (int k = 0; k < s.n * (s.n + 1); ++k) {
            largest = fmax(largest, fabs(s.x[k]));
        }
        int exponent;
        (void)frexp(largest, &exponent);
        int target =
            random_below(&random, 2) ? 1024 - random_below(&random, 700) : random_below(&random, 700) - 1073;
        for (int k = 0; k < s.n * (s.n + 1); ++k) {
            s.x[k] = ldexp(s.x[k], target - exponent);
        }
        int sign, stage;
        CHECK_STATUS(orient(&s, &sign, &stage), ABUT_OK, "scaled");
        report_sample(&s, "scaled", sign, exact_sign(&room, s.x, s.n));
    }
    exact_clear(&room);
    CHECK_DONE();
}

// For any finite doubles the sign is right, or the call fails and the sign is 0.
static void any_doubles_are_right_or_refused(void **state)
{
    (void)state;
    test_random random = {4};
    exact_room room;
    exact_init(&room);
    int refused = 0;
    for (int i = 0; i < 50000; ++i) {
        sample s = {{0.0}, 2 + i % 2};
        int count = s.n * (s.n + 1);
        for (int k = 0; k < count; ++k) {
            do {
                uint64_t bits = random_bits(&random);
                memcpy(&s.x[k], &bits, sizeof bits);
            } while (!isfinite(s.x[k]));
            if (random_below(&random, 2)) {
                s.x[k] = s.x[random_below(&random, k + 1)];
            }
        }
        int sign, stage;
        abut_status status = orient(&s, &sign, &stage);
        if (status == ABUT_OK) {
            report_sample(&s, "any", sign, exact_sign(&room, s.x, s.n));
        } else {
            CHECK_STATUS(status, ABUT_BAD_DATA, "any");
            CHECK_INT(sign, 0, "refused");
            ++refused;
        }
    }
    exact_clear(&room);
    CHECK(refused > 1000 && refused < 49000, "%d refused", refused);
    CHECK_DONE();
}

// (0,0), (1,1), (t,t) with t = 2^-700 are collinear, but the test would need 700 bits: rejected. With t = 2^-200 the
// sign is 0, and with (t,2t) it is +1. 2^-600 is outside 1e-70..1e70 but can be scaled.
static void sizes_too_far_apart_are_refused(void **state)
{
    (void)state;
    abut_vec2 a = {0.0, 0.0}, b = {1.0, 1.0};
    int sign = 7;
    CHECK_STATUS(abut_orient2d(a, b, abut_vec2_make(0x1p-700, 0x1p-700), &sign), ABUT_BAD_DATA, "2^-700");
    CHECK_INT(sign, 0, "2^-700");
    CHECK_STATUS(abut_orient2d(a, b, abut_vec2_make(0x1p-600, 0x1p-600), &sign), ABUT_OK, "2^-600");
    CHECK_INT(sign, 0, "2^-600");
    CHECK_STATUS(abut_orient2d(a, b, abut_vec2_make(0x1p-600, 0x1p-599), &sign), ABUT_OK, "2^-600, above");
    CHECK_INT(sign, 1, "2^-600, above");
    CHECK_STATUS(abut_orient2d(a, b, abut_vec2_make(0x1p-200, 0x1p-200), &sign), ABUT_OK, "2^-200");
    CHECK_INT(sign, 0, "2^-200");
    CHECK_DONE();
}

// NaN or infinity in any coordinate of any point, in 2D and 3D: the call fails and the sign is 0.
static void not_finite_is_refused(void **state)
{
    (void)state;
    const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL};
    test_random random = {5};
    for (int n = 2; n <= 3; ++n) {
        for (int i = 0; i < n * (n + 1); ++i) {
            for (int k = 0; k < 3; ++k) {
                for (int solid = 0; solid < 2; ++solid) {
                    sample s = {{0.0}, n};
                    if (solid) {
                        make_near(&random, &s);
                    }
                    s.x[i] = bad[k];
                    int sign = 7, stage;
                    CHECK_STATUS(orient(&s, &sign, &stage), ABUT_BAD_DATA, "stage");
                    CHECK_INT(sign, 0, "stage");
                    sign = 7;
                    CHECK_STATUS(orient_plain(&s, &sign), ABUT_BAD_DATA, "plain");
                    CHECK_INT(sign, 0, "plain");
                }
            }
        }
    }
    CHECK_DONE();
}

// As the header says: a left turn is +1, and so is a fourth point on the side from which a, b, c are
// counter-clockwise.
static void signs_follow_the_header(void **state)
{
    (void)state;
    int sign;
    CHECK_STATUS(abut_orient2d(abut_vec2_make(0, 0), abut_vec2_make(1, 0), abut_vec2_make(0, 1), &sign), ABUT_OK,
                 "");
    CHECK_INT(sign, 1, "left turn");
    abut_vec3 a = {0, 0, 0}, b = {1, 0, 0}, c = {0, 1, 0};
    CHECK_STATUS(abut_orient3d(a, b, c, abut_vec3_make(0.2, 0.2, 1e-60), &sign), ABUT_OK, "");
    CHECK_INT(sign, 1, "above");
    CHECK_STATUS(abut_orient3d(a, b, c, abut_vec3_make(0.2, 0.2, -1e-60), &sign), ABUT_OK, "");
    CHECK_INT(sign, -1, "below");
    CHECK_STATUS(abut_orient3d(a, b, c, abut_vec3_make(0.1, 0.7, 0.0), &sign), ABUT_OK, "");
    CHECK_INT(sign, 0, "on the plane");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_follow_the_header),
        cmocka_unit_test(orient2d_is_exact),
        cmocka_unit_test(orient3d_is_exact),
        cmocka_unit_test(other_sizes_are_scaled),
        cmocka_unit_test(any_doubles_are_right_or_refused),
        cmocka_unit_test(sizes_too_far_apart_are_refused),
        cmocka_unit_test(not_finite_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
