// SPDX-License-Identifier: MIT
// test_impact.c: continuous tests of moving features: on paper, degenerate, and against exact arithmetic
#include "check.h"
#include "effort.h"
#include "impact_families.h"
#include "impact_oracle.h"
#include "prim/impact_wide.h"

#include <abut/support.h>
#include <stdlib.h>

static abut_impacts find(const abut_moving_pair *pair)
{
    abut_impacts touches;
    CHECK_STATUS(abut_find_impacts(pair, NULL, &touches), ABUT_OK, "touches");
    return touches;
}

/// A vertex that goes from z = 1 to z = end above or beside the triangle x, y >= 0, x + y <= 4 in the plane z = 0.
static abut_moving_pair falling(double x, double y, double start, double end)
{
    abut_moving_pair pair = {.kind = ABUT_VERTEX_FACE,
                             .start = {{x, y, start}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
                             .end = {{x, y, end}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
    return pair;
}

// From z = 1 to z = -3 at constant speed: z = 0 at t = 1/4. The weights of (1, 2) are 1/4, 1/4, 1/2.
static void vertex_through_face(void **state)
{
    (void)state;
    abut_moving_pair pair = falling(1, 2, 1, -3);
    abut_impacts touches = find(&pair);
    CHECK_INT(touches.count, 1, "count");
    const abut_impact *touch = &touches.items[0];
    CHECK_NEAR(touch->time, 0.25, 1e-15, "time");
    CHECK(touch->lower <= 0.25 && touch->upper >= 0.25 && touch->upper - touch->lower < 1e-12, "bounds");
    CHECK_INT(touch->is_certain, 1, "certain");
    CHECK_INT(touch->side, 1, "from the side of the normal");
    const double weights[4] = {1.0, 0.25, 0.25, 0.5};
    for (int i = 0; i < 4; ++i) {
        CHECK_NEAR(touch->weights[i], weights[i], 1e-15, "weight");
    }
    CHECK_DONE();
}

// Borders count: corners and edges are hit, and times 0 and 1; beside them nothing is.
static void closed_sets(void **state)
{
    (void)state;
    for (int x = -1; x <= 5; ++x) {
        for (int y = -1; y <= 5; ++y) {
            int is_inside = x >= 0 && y >= 0 && x + y <= 4;
            const double ends[4][3] = {{1, -1, 0.5}, {1, 0, 1.0}, {0, 1, 0.0}, {0, 0, 0.0}};
            for (int i = 0; i < 4; ++i) {
                abut_moving_pair pair = falling(x, y, ends[i][0], ends[i][1]);
                abut_impacts touches = find(&pair);
                CHECK_INT(touches.count, is_inside, "count");
                CHECK(touches.count == 0 ||
                          (touches.items[0].lower <= ends[i][2] && touches.items[0].upper >= ends[i][2] &&
                           touches.items[0].lower >= ends[i][2] - 1e-9),
                      "%d %d: [%.17g, %.17g]", x, y, touches.items[0].lower, touches.items[0].upper);
            }
            abut_moving_pair above = falling(x, y, 1, 1e-300);
            CHECK_INT(find(&above).count, 0, "stops above");
        }
    }
    CHECK_DONE();
}

// Two crossed edges, one at z = 0 along x, one along y that rises from z = -1 to 1: they cross at t = 1/2 if the second
// is at |x| <= 1.
static void edges_cross(void **state)
{
    (void)state;
    for (int x = -2; x <= 2; ++x) {
        abut_moving_pair pair = {.kind = ABUT_EDGE_EDGE,
                                 .start = {{-1, 0, 0}, {1, 0, 0}, {x, -1, -1}, {x, 1, -1}},
                                 .end = {{-1, 0, 0}, {1, 0, 0}, {x, -1, 1}, {x, 1, 1}}};
        abut_impacts touches = find(&pair);
        CHECK_INT(touches.count, abs(x) <= 1, "count");
        if (touches.count > 0) {
            CHECK_NEAR(touches.items[0].time, 0.5, 1e-15, "time");
            CHECK_NEAR(touches.items[0].weights[1], 0.5 * (x + 1), 1e-12, "weight");
            CHECK_NEAR(touches.items[0].weights[3], 0.5, 1e-12, "weight");
            CHECK_INT(touches.items[0].is_certain, x == 0, "certain");
        }
    }
    CHECK_DONE();
}

/// The distance from the first vertex at the start that no vertex exceeds.
static double size_of(const abut_moving_pair *pair)
{
    double size = 0.0;
    for (int i = 0; i < 4; ++i) {
        size = fmax(size, abut_norm(abut_sub(pair->start[i], pair->start[0])));
        size = fmax(size, abut_norm(abut_sub(pair->end[i], pair->start[0])));
        size = fmax(size, pair->is_curved ? abut_norm(abut_sub(pair->middle[i], pair->start[0])) : 0.0);
    }
    return size;
}

/// How far apart the points of a touch are, relative to the size of the pair.
static double relative_gap(const abut_moving_pair *pair, const abut_impact *touch)
{
    abut_vec3 gap = {0, 0, 0};
    double t = touch->time;
    for (int i = 0; i < 4; ++i) {
        abut_vec3 a = abut_sub(pair->start[i], pair->start[0]), b = abut_sub(pair->end[i], pair->start[0]);
        abut_vec3 m = abut_sub(pair->middle[i], pair->start[0]);
        abut_vec3 p = pair->is_curved ? abut_lerp(abut_lerp(a, m, t), abut_lerp(m, b, t), t) : abut_lerp(a, b, t);
        int is_first = i == 0 || (pair->kind == ABUT_EDGE_EDGE && i == 1);
        gap = abut_add_scaled(gap, is_first ? touch->weights[i] : -touch->weights[i], p);
    }
    return abut_norm(gap) / size_of(pair);
}

// Features that turn may cross three times. The sides alternate, and the points of each touch coincide.
static void three_roots(void **state)
{
    (void)state;
    test_random random = {3};
    int threes = 0;
    for (int i = 0; i < 200000 && threes < 20; ++i) {
        abut_moving_pair pair = make_pair(&random, FAMILY_ROTATING, 0);
        pair.kind = ABUT_VERTEX_FACE;
        abut_impacts touches = find(&pair);
        if (touches.count == 3 && touches.items[0].is_certain && touches.items[1].is_certain &&
            touches.items[2].is_certain) {
            ++threes;
            CHECK_INT(touches.items[1].side, -touches.items[0].side, "side");
            CHECK_INT(touches.items[2].side, touches.items[0].side, "side");
            for (int k = 0; k < 3; ++k) {
                CHECK_NEAR(relative_gap(&pair, &touches.items[k]), 0.0, 1e-12, "the points coincide");
            }
        }
    }
    CHECK(threes > 0, "%d", threes);
    CHECK_DONE();
}

// A vertex slides in the plane of a triangle, from x = -2 to x = 6 at y = 1: inside from x = 0 (t = 1/4) to x = 3
// (t = 5/8). All volumes are zero.
static void sliding_lasts(void **state)
{
    (void)state;
    abut_moving_pair pair = falling(0, 1, 0, 0);
    pair.start[0].x = -2;
    pair.end[0].x = 6;
    abut_impacts touches = find(&pair);
    CHECK_INT(touches.count, 1, "count");
    CHECK_NEAR(touches.items[0].lower, 0.25, 1e-9, "begin");
    CHECK_NEAR(touches.items[0].upper, 0.625, 1e-9, "end");
    CHECK(touches.items[0].lower <= 0.25 && touches.items[0].upper >= 0.625, "holds the contact");
    // at rest inside: from 0 to 1
    pair = falling(1, 1, 0, 0);
    touches = find(&pair);
    CHECK_INT(touches.count, 1, "count");
    CHECK(touches.items[0].lower == 0.0 && touches.items[0].upper == 1.0, "always");
    // all four vertices at one place
    abut_moving_pair point = {.kind = ABUT_EDGE_EDGE};
    touches = find(&point);
    CHECK(touches.count == 1 && touches.items[0].lower == 0.0 && touches.items[0].upper == 1.0, "always");
    CHECK_DONE();
}

// With a separation of 1/2, a vertex that falls from 2 to -2 is near between z = 1/2 (t = 3/8) and -1/2 (t = 5/8).
static void separation(void **state)
{
    (void)state;
    abut_moving_pair pair = falling(1, 1, 2, -2);
    abut_impact_params params = abut_impact_params_default();
    params.separation = 0.5;
    abut_impacts touches;
    CHECK_STATUS(abut_find_impacts(&pair, &params, &touches), ABUT_OK, "separation");
    CHECK_INT(touches.count, 1, "count");
    CHECK_NEAR(touches.items[0].lower, 0.375, 1e-12, "begin");
    CHECK(touches.items[0].lower <= 0.375, "never late");
    CHECK_NEAR(touches.items[0].upper, 0.625, 1e-9, "end");
    // it stops at 0.5 + 1e-9
    pair = falling(1, 1, 2, 0.5 + 1e-9);
    CHECK_STATUS(abut_find_impacts(&pair, &params, &touches), ABUT_OK, "separation");
    CHECK_INT(touches.count, 0, "stops above");
    pair = falling(1, 1, 2, 0.5);
    CHECK_STATUS(abut_find_impacts(&pair, &params, &touches), ABUT_OK, "separation");
    CHECK_INT(touches.count, 1, "closed");
    params.separation = -1.0;
    CHECK_STATUS(abut_find_impacts(&pair, &params, &touches), ABUT_BAD_DATA, "negative");
    CHECK_DONE();
}

// A throw: z = 1 - 8 t + 8 t^2 is zero at t = (1 -+ sqrt(1/2)) / 2. Acceleration 16: middle = (1 + 1) / 2 - 4 = -3.
static void thrown_vertex(void **state)
{
    (void)state;
    abut_moving_pair pair = falling(1, 1, 1, 1);
    pair.is_curved = 1;
    for (int i = 0; i < 4; ++i) {
        pair.middle[i] = pair.start[i];
    }
    pair.middle[0].z = -3;
    abut_impacts touches = find(&pair);
    CHECK_INT(touches.count, 2, "count");
    CHECK_NEAR(touches.items[0].time, 0.5 - sqrt(0.125), 1e-15, "first");
    CHECK_NEAR(touches.items[1].time, 0.5 + sqrt(0.125), 1e-15, "second");
    CHECK(touches.items[0].is_certain && touches.items[1].is_certain, "certain");
    pair.middle[0].z = -1; // touches at t = 1/2 and turns back
    touches = find(&pair);
    CHECK_INT(touches.count, 1, "count");
    CHECK_NEAR(touches.items[0].lower, 0.5, 1e-6, "turning point");
    pair.middle[0].z = -1 + 1e-12;
    CHECK_INT(find(&pair).count, 0, "turns before");
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Against exact arithmetic

static void print_pair(const abut_moving_pair *pair, const char *family)
{
    (void)fprintf(stderr, "%s %s%s\n", family, pair->kind == ABUT_VERTEX_FACE ? "vertex-face" : "edge-edge",
                  pair->is_curved ? " curved" : "");
    for (int i = 0; i < 4; ++i) {
        (void)fprintf(stderr, "  {%a, %a, %a}, {%a, %a, %a}\n", pair->start[i].x, pair->start[i].y,
                      pair->start[i].z, pair->end[i].x, pair->end[i].y, pair->end[i].z);
    }
}

/// The part of the paths between two times, up to rounding.
static abut_moving_pair restricted(const abut_moving_pair *pair, double s, double e)
{
    abut_moving_pair part = *pair;
    for (int i = 0; i < 4; ++i) {
        abut_vec3 a = pair->start[i], b = pair->end[i], m = pair->middle[i];
        if (pair->is_curved) {
            part.start[i] = abut_lerp(abut_lerp(a, m, s), abut_lerp(m, b, s), s);
            part.middle[i] = abut_lerp(abut_lerp(a, m, s), abut_lerp(m, b, s), e);
            part.end[i] = abut_lerp(abut_lerp(a, m, e), abut_lerp(m, b, e), e);
        } else {
            part.start[i] = abut_lerp(a, b, s);
            part.end[i] = abut_lerp(a, b, e);
        }
    }
    return part;
}

/// Checks how far apart the features of a false alarm are, beyond the separation. In an interval of doubt, of length h, the
/// direction between the nearest points at its middle does not separate the features at both ends. So their gap at the
/// middle is at most what a relative vector moves in h / 2, and at any time in it what that moves in h. All points are
/// within R of the first one, so a vertex moves by at most 2 R, a relative vector by 4 R; on a parabola at up to twice that
/// speed.
static void check_false_alarm(const abut_moving_pair *pair, const abut_impact *touch, double separation, int family)
{
    double size = size_of(pair), gap = relative_gap(pair, touch) - separation / size;
    double bound = 1e-13 + (pair->is_curved ? 8.0 : 4.0) * (touch->upper - touch->lower);
    int is_near = gap < bound;
    if (!is_near) { // the weights on a needle are inaccurate: exact arithmetic decides
        abut_moving_pair part = restricted(pair, touch->lower, touch->upper);
        is_near = oracle_comes_near(&part, separation + bound * size);
    }
    if (!CHECK(is_near, "false alarm: the gap is %g, not below %g", gap, bound) && check_failures < 4) {
        print_pair(pair, family_names[family]);
    }
}

/// Every touch is between the bounds of one that was found, and what is certain has a touch between its bounds.
static void check_times(const abut_moving_pair *pair, double separation, const abut_impacts *touches, int family)
{
    double begin = 0.0;
    int is_fine = 1;
    for (int k = 0; k <= touches->count; ++k) {
        const abut_impact *next = &touches->items[k];
        double end = k < touches->count ? nextafter(next->lower, -1.0) : 1.0;
        is_fine &= CHECK(begin > end || !oracle_comes_near_within(pair, separation, begin, end),
                         "a touch between %.17g and %.17g is missing", begin, end);
        if (k < touches->count) {
            is_fine &=
                CHECK(!next->is_certain || oracle_comes_near_within(pair, separation, next->lower, next->upper),
                      "no touch between %.17g and %.17g", next->lower, next->upper);
            begin = nextafter(next->upper, 2.0);
        }
    }
    if (!is_fine && check_failures < 4) {
        print_pair(pair, family_names[family]);
    }
}

/// No touch may be missed, and what is certain must be true. False alarms are counted. They are near misses, of some
/// ulps, of the families that have such.
static void check_pair(const abut_moving_pair *pair, double separation, int family, int has_times, int counts[3])
{
    abut_impact_params params = abut_impact_params_default();
    params.separation = separation;
    abut_impacts touches;
    CHECK_STATUS(abut_find_impacts(pair, &params, &touches), ABUT_OK, "touches");
    int is_certain = 0;
    for (int k = 0; k < touches.count; ++k) {
        is_certain |= touches.items[k].is_certain;
    }
    int is_true = family == FAMILY_TOUCHING || oracle_comes_near(pair, separation);
    int is_missed = is_true && touches.count == 0, is_wrong = is_certain && !is_true;
    if (!CHECK(!is_missed && !is_wrong, "%s, separation %a", is_missed ? "missed" : "certain but false",
               separation) &&
        check_failures < 4) {
        print_pair(pair, family_names[family]);
    }
    if (is_true && has_times) {
        check_times(pair, separation, &touches, family);
    }
    counts[0] += is_true;
    counts[1] += !is_true;
    if (!is_true && touches.count > 0) {
        ++counts[2];
        CHECK(separation > 0.0 || family == FAMILY_NUDGED || family == FAMILY_SLIDING || family == FAMILY_NEAR ||
                  family == FAMILY_NEEDLE || family == FAMILY_SHARED || family == FAMILY_MIXED,
              "false alarm: %s", family_names[family]);
        check_false_alarm(pair, &touches.items[0], separation, family);
    }
}

/// Separations of all magnitudes; every second is a multiple of an eighth of the size, which lattices have as distances.
static double random_separation(test_random *random, const abut_moving_pair *pair)
{
    int exponent;
    (void)frexp(size_of(pair), &exponent);
    return random_below(random, 2) ? ldexp(1 + random_below(random, 8), exponent - 6)
                                   : size_of(pair) * pow(10.0, -random_in(random, 0.5, 17.0));
}

static void check_families(int is_curved, int is_separated, int usual, int longest)
{
    int total[3] = {0, 0, 0};
    int count = sample_count(usual, longest) / FAMILY_COUNT;
    for (int family = FAMILY_COUNT - 1; family >= 0; --family) {
        test_random random = {(uint64_t)(family + 100 * is_curved + 200 * is_separated)};
        int counts[3] = {0, 0, 0};
        for (int i = 0; i < count; ++i) {
            abut_moving_pair pair = make_pair(&random, family, is_curved);
            move_pair(&random, &pair, family);
            int has_times = i % 4 == 0 || !is_long_test(); // these take as long as all the rest
            check_pair(&pair, is_separated ? random_separation(&random, &pair) : 0.0, family, has_times, counts);
        }
        if (getenv("ABUT_TEST_VERBOSE") != NULL) {
            (void)fprintf(stderr, "%-11s touch %8d apart %8d false alarms %6d\n", family_names[family], counts[0],
                          counts[1], counts[2]);
        }
        for (int k = 0; k < 3; ++k) {
            total[k] += counts[k];
        }
    }
    CHECK(total[0] > count && total[1] > count, "both occur: %d %d", total[0], total[1]);
    CHECK_DONE();
}

static void straight_families(void **state)
{
    (void)state;
    check_families(0, 0, 12000, 10000004);
}

static void curved_families(void **state)
{
    (void)state;
    check_families(1, 0, 2400, 400000);
}

// The same with a separation.
static void separated_families(void **state)
{
    (void)state;
    check_families(0, 1, 1800, 400000);
    check_families(1, 1, 240, 12000);
}

// False alarms that once were far apart. A triangle that is nearly a line has normals with large errors, and two edges that
// rounding errors exchange: its features are told apart all the same.
static void needles_are_told_apart(void **state)
{
    (void)state;
    const abut_moving_pair pairs[2] = {
        {.kind = ABUT_VERTEX_FACE,
         .start = {{2, 0x1p-39, -2}, {-6, -4, 10}, {-6, 0, 6}, {-6, 4, 2}},
         .end = {{-4, 4, 0}, {0, 6, -6}, {-2, 2, 0}, {-2, 0, 2}}},
        {.kind = ABUT_VERTEX_FACE,
         .start = {{3, 0, -3}, {-3, 1, 2}, {1, 3, -4}, {3, 2, -5}},
         .end = {{1 + 0x1p-49, 3, -4}, {-1, -1, 2}, {-2, -3, 5}, {1, 3, -4}}},
    };
    for (int i = 0; i < 2; ++i) {
        int counts[3] = {0, 0, 0};
        check_pair(&pairs[i], 0.0, FAMILY_SLIDING, 1, counts);
        CHECK_INT(counts[0], 0, "apart");
    }
    CHECK_DONE();
}

// Touches that were found too late: an end of one edge is a denormal number beside an end of the other, so that the volume
// underflows, and with it the bound of its rounding error.
static void underflow_is_no_sign(void **state)
{
    (void)state;
    const double least = 0x1p-1074;
    const abut_moving_pair pairs[2] = {
        {.kind = ABUT_EDGE_EDGE,
         .start = {{2, 0, 0}, {1, 2, -2}, {2, least, 0}, {-2, -2, -2}},
         .end = {{1, 0, 2}, {-2, 1, -2}, {1, 0, 2}, {1, -1, -2}}},
        {.kind = ABUT_EDGE_EDGE,
         .start = {{2, least, 1}, {-1, 0, 2}, {2, 0, 1}, {-1, 1, -1}},
         .end = {{-2, 0, 0}, {-2, 0, 2}, {-2, 0, 0}, {1, 0, 2}}},
    };
    for (int i = 0; i < 2; ++i) {
        int counts[3] = {0, 0, 0};
        check_pair(&pairs[i], 0.0, FAMILY_SHARED, 1, counts);
        CHECK_INT(counts[0], 1, "touch");
    }
    CHECK_DONE();
}

// A batch gives the times of single tests, bit by bit, from every family and with extreme sizes, by both filters and on any number
// of threads. A bad number is named.
static void batches(void **state)
{
    (void)state;
    enum { COUNT = 4099 };
    static double numbers[2][4][3][COUNT], times[COUNT];
    static abut_moving_pair pairs[COUNT];
    test_random random = {41};
    for (int kind = 0; kind < 2; ++kind) {
        abut_moving_batch batch = {.kind = (abut_moving_kind)kind, .count = COUNT};
        for (int j = 0; j < COUNT; ++j) {
            int family = random_below(&random, FAMILY_COUNT);
            pairs[j] = make_pair(&random, family, 0);
            move_pair(&random, &pairs[j], family);
            pairs[j].kind = batch.kind;
            for (int i = 0; i < 8; ++i) {
                abut_vec3 v = i < 4 ? pairs[j].start[i] : pairs[j].end[i - 4];
                numbers[i / 4][i % 4][0][j] = v.x;
                numbers[i / 4][i % 4][1][j] = v.y;
                numbers[i / 4][i % 4][2][j] = v.z;
            }
        }
        for (int i = 0; i < 12; ++i) {
            batch.start[i / 3][i % 3] = numbers[0][i / 3][i % 3];
            batch.end[i / 3][i % 3] = numbers[1][i / 3][i % 3];
        }
        abut_impact_params params = abut_impact_params_default();
        params.is_first_only = 1;
        for (int threads = 1; threads <= 3; threads += 2) {
            abut_context context = abut_context_default();
            context.worker_count = threads;
            CHECK_STATUS(abut_find_first_impacts(&context, &batch, NULL, times, NULL), ABUT_OK, "batch");
            int kept = 0;
            for (int j = 0; j < COUNT; ++j) {
                abut_impacts single;
                CHECK_STATUS(abut_find_impacts(&pairs[j], &params, &single), ABUT_OK, "single");
                CHECK(times[j] == (single.count > 0 ? single.items[0].lower : HUGE_VAL), "pair %d: %.17g", j,
                      times[j]);
                if (j + ABUT_IMPACT_LANES <= COUNT) {
                    unsigned plain = abut_impact_wide_plain(&batch, j);
                    kept += (int)(plain & 1u);
                    CHECK((plain & 1u) || single.count == 0, "pair %d was left out", j);
#if defined(ABUT_HAS_AVX2)
                    CHECK(!__builtin_cpu_supports("avx2") || abut_impact_wide_avx2(&batch, j) == plain, "pair %d",
                          j);
#endif
                }
            }
            CHECK(kept < COUNT / 4 * 3, "the filter keeps %d of %d", kept, COUNT);
        }
        params.separation = 0.25;
        CHECK_STATUS(abut_find_first_impacts(NULL, &batch, &params, times, NULL), ABUT_OK, "separation");
        numbers[1][2][1][1234] = (double)NAN;
        abut_error error;
        CHECK_STATUS(abut_find_first_impacts(NULL, &batch, NULL, times, &error), ABUT_BAD_DATA, "NaN");
        CHECK_INT(error.element, 1234, "element");
        batch.count = -1;
        CHECK_STATUS(abut_find_first_impacts(NULL, &batch, NULL, times, &error), ABUT_BAD_ARGUMENT, "count");
    }
    CHECK_DONE();
}

// Wrong input has a status; every coordinate is looked at.
static void bad_input(void **state)
{
    (void)state;
    const double bad[3] = {(double)NAN, HUGE_VAL, 1e101};
    for (int i = 0; i < 36 * 3; ++i) {
        abut_moving_pair pair = falling(1, 1, 1, -1);
        pair.is_curved = 1;
        abut_vec3 *rows[3] = {pair.start, pair.end, pair.middle};
        abut_vec3 *v = &rows[i / 3 % 12 / 4][i / 3 % 4];
        *(i / 36 == 0 ? &v->x : i / 36 == 1 ? &v->y : &v->z) = bad[i % 3];
        abut_impacts touches;
        CHECK_STATUS(abut_find_impacts(&pair, NULL, &touches), ABUT_BAD_DATA, "coordinate");
        CHECK_INT(touches.count, 0, "nothing");
    }
    abut_moving_pair pair = falling(1, 1, 1, -1);
    pair.kind = (abut_moving_kind)2;
    abut_impacts touches;
    CHECK_STATUS(abut_find_impacts(&pair, NULL, &touches), ABUT_BAD_ARGUMENT, "kind");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertex_through_face),
        cmocka_unit_test(closed_sets),
        cmocka_unit_test(edges_cross),
        cmocka_unit_test(three_roots),
        cmocka_unit_test(sliding_lasts),
        cmocka_unit_test(separation),
        cmocka_unit_test(thrown_vertex),
        cmocka_unit_test(straight_families),
        cmocka_unit_test(curved_families),
        cmocka_unit_test(batches),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(separated_families),
        cmocka_unit_test(needles_are_told_apart),
        cmocka_unit_test(underflow_is_no_sign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
