// SPDX-License-Identifier: MIT
// test_particle.c: a particle on a plane, stepped with penalty impulses (supplement C of the paper)
//
// Per step dt, with r = dt^2 k / m, symplectic Euler maps (x, v dt) by ((1 - r, 1), (-r, 1)): trace 2 - r, determinant 1, stable
// for r <= 4. Integrated along the path, the map is ((1 - r, 1 - r/2), (-r, 1 - r/2)): trace 2 - 3/2 r, determinant 1 - r/2,
// stable for r < 2, and eigenvalues of modulus sqrt(1 - r/2) < 1 as long as they are complex.
#include "check.h"

#include <abut/penalty.h>

enum { LARGE = 1000 }; ///< half the size of the triangle

/// Height and speed of a particle above a triangle at rest.
typedef struct particle {
    double height, speed;
    abut_penalty_track track;
} particle;

/// One step of length 1 and mass 1: the impulse of the predicted path, then the position with the new speed.
static void step(particle *p, double stiffness, abut_penalty_rule rule)
{
    abut_moving_pair pair = {.kind = ABUT_VERTEX_FACE,
                             .start = {{0, 0, p->height}, {-LARGE, -LARGE, 0}, {LARGE, -LARGE, 0}, {0, LARGE, 0}}};
    memcpy(pair.end, pair.start, sizeof pair.end);
    // The rule at the end of the step sees the start of the next one: symplectic Euler takes the force at its start.
    pair.end[0].z = rule == ABUT_PENALTY_END ? p->height : p->height + p->speed;
    abut_penalty_params params = abut_penalty_params_default();
    params.stiffness = stiffness;
    params.rule = rule;
    abut_penalty penalty;
    assert_int_equal(abut_find_penalty(&pair, &p->track, &params, &penalty), ABUT_OK);
    p->speed += penalty.total.z;
    p->height += p->speed;
}

/// Whether oscillations inside grow: the track is held, so the force acts on both sides of the plane, as in the linear
/// analysis.
static double growth(double stiffness, abut_penalty_rule rule)
{
    particle p = {.height = -1.0};
    double x = p.height, v = 0.0;
    double largest = 0.0;
    for (int i = 0; i < 400; ++i) {
        // The map is linear and odd: mirror the state so that the particle is inside, step, and mirror back.
        double sign = x > 0.0 ? -1.0 : 1.0;
        p = (particle){sign * x, sign * v, {1, {1.0, 0.3, 0.3, 0.4}}};
        // Leaving within the step would end the force: hold the end inside by taking the force of both parts.
        particle other = {-p.height - p.speed, p.speed, {1, {1.0, 0.3, 0.3, 0.4}}};
        double begin = p.height, speed = p.speed;
        if (rule != ABUT_PENALTY_END && begin + speed > 0.0) {
            // inside until it leaves at -begin / speed; beyond, the mirrored path that ends inside has the opposite impulse
            step(&p, stiffness, rule);
            other.height = -(begin + speed);
            other.speed = speed;
            double back = other.speed;
            step(&other, stiffness, rule);
            p.speed -= other.speed - back;
            p.height = begin + p.speed;
        } else {
            step(&p, stiffness, rule);
        }
        x = sign * p.height;
        v = sign * p.speed;
        largest = i >= 200 ? fmax(largest, fabs(x)) : largest;
    }
    return largest;
}

// The limits of the step: r = 4 for symplectic Euler, r = 2 along the path, where oscillations also die out.
static void limits(void **state)
{
    (void)state;
    CHECK(growth(3.99, ABUT_PENALTY_END) < 100.0, "below the limit of symplectic Euler");
    CHECK(growth(4.01, ABUT_PENALTY_END) > 100.0, "above");
    CHECK(growth(0.5, ABUT_PENALTY_END) > 0.5, "symplectic Euler does not damp");
    CHECK(growth(1.98, ABUT_PENALTY_EXACT) < 1.0, "below the limit along the path");
    CHECK(growth(2.02, ABUT_PENALTY_EXACT) > 2.0, "above");
    CHECK(growth(0.5, ABUT_PENALTY_EXACT) < 1e-9, "damped by (1 - r/2)^(1/2) a step");
    CHECK_DONE();
}

// Dropped from 0.1 m onto a plane: under gravity the particle comes to rest along the path. The mean depth of the predicted
// path is then m g / k, and the depth m g / k - g dt^2 / 2. With the force at the start of the step it keeps bouncing.
// m = 1, dt = 2 ms, k = 10 kN/m: r = 0.04; lengths in m, time in steps.
static void rest(void **state)
{
    (void)state;
    double g = 9.81 * 0.002 * 0.002, r = 0.04;
    for (int rule = 0; rule < 2; ++rule) {
        particle p = {.height = 0.1};
        double highest = -1.0;
        for (int i = 0; i < 20000; ++i) {
            p.speed -= g;
            double before = p.height;
            step(&p, r, rule ? ABUT_PENALTY_END : ABUT_PENALTY_EXACT);
            // tracked as long as it is below the plane
            p.track.side = p.height < 0.0;
            p.track.weights[0] = 1.0;
            p.track.weights[1] = p.track.weights[2] = p.track.weights[3] = 1.0 / 3.0;
            highest = i >= 10000 ? fmax(highest, before) : highest;
        }
        CHECK(rule ? highest > 0.01 : highest < 0.0, "rule %d: up to %g in the second half", rule, highest);
        CHECK(rule || fabs(p.height + g / r - 0.5 * g) < 1e-12, "it rests at %g instead of %g", p.height,
              0.5 * g - g / r);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(limits), cmocka_unit_test(rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
