// SPDX-License-Identifier: MIT
// test_penalty_shell.c: penalty impulses that begin at a separation: on paper, and against a march along the paths
#include "../prim/impact_families.h"
#include "check.h"
#include "effort.h"

#include <abut/penalty.h>

static const abut_vec3 UP = {0, 0, 1};

/// A vertex above the triangle x, y >= 0, x + y <= 4 in the plane z = 0.
static abut_moving_pair vertex_at(abut_vec3 start, abut_vec3 end)
{
    abut_moving_pair pair = {.kind = ABUT_VERTEX_FACE,
                             .start = {start, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
                             .end = {end, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
    memcpy(pair.middle, pair.start, sizeof pair.middle);
    return pair;
}

static abut_penalty find(const abut_moving_pair *pair, const abut_penalty_track *track, abut_penalty_rule rule,
                         double separation)
{
    abut_penalty_params params = abut_penalty_params_default();
    params.rule = rule;
    params.separation = separation;
    abut_penalty penalty;
    CHECK_STATUS(abut_find_penalty(pair, track, &params, &penalty), ABUT_OK, "penalty");
    return penalty;
}

static void check_up(const abut_penalty *penalty, double size, const char *label)
{
    CHECK(abut_norm(abut_sub(penalty->total, abut_scale(size, UP))) <= 1e-13, "%s: %g %g %.15g, not %.15g", label,
          penalty->total.x, penalty->total.y, penalty->total.z, size);
}

// From z = 1 to z = -3 with the separation 1/2: from t = 1/8 on, at the depth 4 t - 1/2. The integral is 49/32, and the depth
// at the end 7/2. The same from below, and of any size. What stays outside of the shell has no force.
static void falling_vertex(void **state)
{
    (void)state;
    for (int rule = ABUT_PENALTY_EXACT; rule <= ABUT_PENALTY_END; ++rule) {
        for (int mirror = -1; mirror <= 1; mirror += 2) {
            abut_moving_pair pair = vertex_at(abut_vec3_make(1, 1, mirror), abut_vec3_make(1, 1, -3.0 * mirror));
            abut_penalty penalty = find(&pair, NULL, (abut_penalty_rule)rule, 0.5);
            CHECK_INT(penalty.interval_count, 1, "intervals");
            CHECK_NEAR(penalty.intervals[0].begin, 0.125, 1e-15, "begin");
            check_up(&penalty, mirror * (rule == ABUT_PENALTY_END ? 3.5 : 49.0 / 32.0), "total");
            CHECK_NEAR(abut_norm(abut_add(penalty.impulses[0], penalty.impulses[1])),
                       0.5 * abut_norm(penalty.total), 1e-13, "half for the first corner");
            CHECK_INT(penalty.track.side, mirror, "side");
            CHECK_NEAR(penalty.end_depth, 3.5, 1e-14, "depth");
        }
    }
    abut_moving_pair above = vertex_at(abut_vec3_make(1, 1, 1), abut_vec3_make(1, 1, 0.51));
    CHECK_INT(find(&above, NULL, ABUT_PENALTY_EXACT, 0.5).interval_count, 0, "above the shell");
    const double sizes[4] = {1e-60, 1e-3, 1e3, 1e60};
    for (int i = 0; i < 4; ++i) {
        abut_moving_pair pair = vertex_at(abut_vec3_make(1, 1, 1), abut_vec3_make(1, 1, -3));
        for (int k = 0; k < 4; ++k) {
            pair.start[k] = abut_scale(sizes[i], pair.start[k]);
            pair.end[k] = abut_scale(sizes[i], pair.end[k]);
        }
        abut_penalty penalty = find(&pair, NULL, ABUT_PENALTY_EXACT, 0.5 * sizes[i]);
        CHECK_NEAR(penalty.total.z / sizes[i], 49.0 / 32.0, 1e-12, "any size");
    }
    CHECK_DONE();
}

// z = 1 - 3 t + 3 t^2 comes down to 1/4 and goes up again: with u = t - 1/2 the depth in a shell of 1/2 is 1/4 - 3 u^2 for
// |u| < s = sqrt(1/12), with the integral s / 3. Nothing crosses.
static void in_and_out(void **state)
{
    (void)state;
    abut_moving_pair pair = vertex_at(abut_vec3_make(1, 1, 1), abut_vec3_make(1, 1, 1));
    pair.is_curved = 1;
    pair.middle[0].z = -0.5;
    abut_penalty penalty = find(&pair, NULL, ABUT_PENALTY_EXACT, 0.5);
    CHECK_INT(penalty.interval_count, 1, "intervals");
    check_up(&penalty, sqrt(1.0 / 12.0) / 3.0, "total");
    CHECK_INT(penalty.track.side, 0, "not tracked");
    CHECK_INT(find(&pair, NULL, ABUT_PENALTY_EXACT, 0.2).interval_count, 0, "too high");
    CHECK_DONE();
}

// What comes in from the side begins with the next step, or where it crosses. A tracked pair keeps its side beyond the
// triangle's plane, and ends where it is a separation away on its own side.
static void sides(void **state)
{
    (void)state;
    abut_moving_pair pair = vertex_at(abut_vec3_make(-2, 1, 0.25), abut_vec3_make(1, 1, 0.25));
    CHECK_INT(find(&pair, NULL, ABUT_PENALTY_EXACT, 0.5).interval_count, 0, "beside it at the start");
    pair = vertex_at(abut_vec3_make(1, 1, 0.25), abut_vec3_make(1, 1, 0.25));
    abut_penalty penalty = find(&pair, NULL, ABUT_PENALTY_EXACT, 0.5);
    check_up(&penalty, 0.25, "in the shell at the start");
    CHECK_INT(penalty.track.side, 1, "its side is known");
    pair = vertex_at(abut_vec3_make(-2, 1, 0.25), abut_vec3_make(2, 1, -0.25)); // crosses at t = 1/2
    penalty = find(&pair, NULL, ABUT_PENALTY_EXACT, 0.5);
    CHECK_NEAR(penalty.intervals[0].begin, 0.5, 1e-12, "where it crosses");
    check_up(&penalty, 0.5 * 0.5 + 0.5 * 0.125, "from there on");
    abut_penalty_track track = {1, {1.0, 0.5, 0.25, 0.25}};
    pair = vertex_at(abut_vec3_make(1, 1, -1), abut_vec3_make(1, 1, 1));
    penalty = find(&pair, &track, ABUT_PENALTY_EXACT, 0.5);
    CHECK_NEAR(penalty.intervals[0].end, 0.75, 1e-12, "leaves at 1/2 above");
    check_up(&penalty, 0.75 * 0.75, "tracked");
    CHECK_INT(penalty.track.side, 0, "let go");
    pair = vertex_at(abut_vec3_make(1, 1, 0.6), abut_vec3_make(1, 1, 2));
    CHECK_INT(find(&pair, &track, ABUT_PENALTY_EXACT, 0.5).interval_count, 0, "tracked, but away");
    pair = vertex_at(abut_vec3_make(1, 1, 0), abut_vec3_make(1, 1, 0.1));
    penalty = find(&pair, NULL, ABUT_PENALTY_EXACT, 0.5);
    CHECK(penalty.is_without_side && penalty.interval_count == 0, "touching at the start: no side, no force");
    abut_penalty_params params = abut_penalty_params_default();
    params.separation = -1.0;
    CHECK_STATUS(abut_find_penalty(&pair, NULL, &params, &penalty), ABUT_BAD_DATA, "negative");
    params.separation = (double)NAN;
    CHECK_STATUS(abut_find_penalty(&pair, NULL, &params, &penalty), ABUT_BAD_DATA, "not a number");
    params.separation = 1.0;
    pair.end[2].y = (double)INFINITY;
    CHECK_STATUS(abut_find_penalty(&pair, NULL, &params, &penalty), ABUT_BAD_DATA, "infinite");
    CHECK_DONE();
}

/// Distance along the normal, with its sign, and the least of the weights of the points that face each other.
typedef struct shell_place {
    double distance, least;
    abut_vec3 normal;
} shell_place;

static shell_place look(const abut_moving_pair *pair, double t)
{
    abut_vec3 v[4];
    for (int i = 0; i < 4; ++i) {
        v[i] = abut_lerp(pair->start[i], pair->end[i], t);
    }
    int is_face = pair->kind == ABUT_VERTEX_FACE;
    abut_vec3 a = is_face ? abut_sub(v[2], v[1]) : abut_sub(v[1], v[0]), b = abut_sub(v[3], v[is_face ? 1 : 2]);
    abut_vec3 gap = abut_sub(v[0], v[is_face ? 1 : 2]), cross = abut_cross(a, b);
    shell_place out = {.normal = abut_unit(cross)};
    out.distance = abut_dot(out.normal, gap);
    // least squares: the foot of the gap in the plane of a and b
    double aa = abut_dot(a, a), ab = abut_dot(a, b), bb = abut_dot(b, b), ga = abut_dot(gap, a),
           gb = abut_dot(gap, b);
    double determinant = aa * bb - ab * ab, s = (ga * bb - gb * ab) / determinant,
           u = (gb * aa - ga * ab) / determinant;
    out.least = is_face ? fmin(fmin(s, u), 1.0 - s - u) : fmin(fmin(1.0 + s, -s), fmin(u, 1.0 - u));
    return out;
}

/// Marches along the paths. Returns 0 if it is not clear whether the features face each other where it matters.
static int march(const abut_moving_pair *pair, double h, abut_vec3 *impulse)
{
    enum { STEPS = 4000 };
    const double clear = 0.02;
    int side = 0;
    abut_vec3 first = {0, 0, 0};
    shell_place before = look(pair, 0.0);
    *impulse = abut_vec3_make(0, 0, 0);
    for (int i = 0; i <= STEPS; ++i) {
        shell_place now = look(pair, (double)i / STEPS);
        int comes_in = fabs(now.distance) < h && (i == 0 || fabs(before.distance) >= h);
        int crosses = i > 0 && now.distance * before.distance < 0.0;
        if (side == 0 && (comes_in || crosses)) {
            if (fabs(now.least) < clear || (i == 0 && fabs(fabs(now.distance) - h) < clear * h)) {
                return 0;
            }
            side = now.least > 0.0 ? (before.distance > 0.0) - (before.distance < 0.0) : 0;
            first = now.normal;
        } else if (side != 0 && (side * now.distance >= h || abut_dot(now.normal, first) <= 0.0)) {
            side = 0;
        }
        double weight = i == 0 || i == STEPS ? 0.5 / STEPS : 1.0 / STEPS;
        *impulse = abut_add_scaled(*impulse, side == 0 ? 0.0 : weight * (h * side - now.distance), now.normal);
        before = now;
    }
    return 1;
}

static void against_a_march(void **state)
{
    (void)state;
    test_random random = {29};
    int samples = sample_count(1000, 30000), compared = 0, forced = 0;
    for (int i = 0; i < samples; ++i) {
        abut_moving_pair pair = make_pair(&random, i % 2 ? FAMILY_ROTATING : FAMILY_RANDOM, 0);
        double h = random_in(&random, 0.02, 0.4);
        abut_vec3 expected;
        if (!march(&pair, h, &expected)) {
            continue;
        }
        abut_penalty found = find(&pair, NULL, ABUT_PENALTY_EXACT, h);
        double off = abut_norm(abut_sub(found.total, expected));
        CHECK(off <= 4e-3 * (h + abut_norm(expected)), "pair %d: off by %g of %g, h %g", i, off,
              abut_norm(expected), h);
        compared += 1;
        forced += abut_norm(expected) > 0.0;
    }
    CHECK(compared > samples / 2 && forced > samples / 20, "%d and %d of %d", compared, forced, samples);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(falling_vertex), cmocka_unit_test(in_and_out),
                                       cmocka_unit_test(sides), cmocka_unit_test(against_a_march)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
