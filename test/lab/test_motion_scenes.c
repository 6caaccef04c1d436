// SPDX-License-Identifier: MIT
// test_motion_scenes.c: scenes of motion from event to event, and of bodies that meet within a step, against closed forms
#include "check.h"
#include "effort.h"

#include <abut-lab/simulation.h>

static const double g = 9.81;

typedef struct run {
    abut_setup *setup;
    abut_simulation *simulation;
    abut_world *world;
} run;

static run start(const char *name, double dt, abut_stepper stepper, abut_impact_rule rule)
{
    run made = {NULL, NULL, NULL};
    abut_error error;
    assert_int_equal(abut_setup_create(NULL, name, &made.setup, &error), ABUT_OK);
    abut_world_def def = abut_setup_world_def(made.setup);
    def.dt = dt;
    def.impact_rule = rule;
    CHECK_INT(def.stepper, stepper, "stepper");
    assert_int_equal(abut_simulation_create(NULL, made.setup, &def, &made.simulation, &error), ABUT_OK);
    made.world = made.simulation->world;
    return made;
}

static run start_events(const char *name, double dt)
{
    return start(name, dt, ABUT_STEPPER_EVENTS, ABUT_IMPACT_SIMULTANEOUS);
}

static abut_world_report step(run *r)
{
    abut_error error;
    abut_status status = abut_world_step(r->world, &error);
    CHECK(status == ABUT_OK, "%s: %s", r->setup->name, error.text);
    abut_world_report report = abut_world_get_report(r->world);
    CHECK(report.stepped_time == 0.0, "%s: time-stepped %g", r->setup->name, report.stepped_time);
    return report;
}

static void end(run *r)
{
    abut_simulation_destroy(r->simulation);
    abut_setup_destroy(r->setup);
}

static double energy_of(const run *r)
{
    abut_world_energy energy = abut_world_get_energy(r->world);
    return energy.kinetic + energy.potential;
}

/// The plate turns at the rate w. Along it, the block at x has x'' = w^2 x - g sin(w t), so with x = at, x' = 0 at first
/// x = at cosh(w t) - g / (2 w^2) sinh(w t) + g / (2 w^2) sin(w t). It turns with the plate, at a constant height above.
static void a_block_on_a_turning_plate(void **state)
{
    (void)state;
    const double w = 0.5, at = 0.3, height = 0.5;
    run r = start_events("drift", 0.01);
    for (int i = 1; i <= 100; ++i) {
        abut_world_report report = step(&r);
        double t = i * 0.01, x = at * cosh(w * t) + g / (2.0 * w * w) * (sin(w * t) - sinh(w * t));
        abut_body_state block = abut_world_get_body(r.world, 1);
        CHECK_NEAR(block.center.x, x * cos(w * t) - height * sin(w * t), 1e-10, "x");
        CHECK_NEAR(block.center.y, x * sin(w * t) + height * cos(w * t), 1e-10, "y");
        CHECK_NEAR(block.angular_velocity.z, w, 1e-10, "spin");
        CHECK_INT(report.contact_count, 4, "corners");
        for (int k = 0; k < report.contact_count; ++k) {
            CHECK_NEAR(report.contacts[k].contact.gap, 0.0, 1e-13, "drift");
        }
    }
    end(&r);
    CHECK_DONE();
}

/// A block of 2 a x 2 c slides at speed v. Its lower front edge meets the foot of the ramp, whose normal is (-1, 1) / sqrt 2,
/// after a way of 1 - a. With e = 0 and an impulse P there alone, P (1 / m + (a - c)^2 / (2 I)) = v / sqrt 2; both lower
/// edges leave the floor, as c^2 + 3 a c > 2 a^2.
static void a_block_meets_the_foot_of_a_ramp(void **state)
{
    (void)state;
    const double a = 0.4, c = 0.3, v = 2.0, inertia = (a * a + c * c) / 3.0;
    double impulse = v / sqrt(2.0) / (1.0 + 0.5 * (a - c) * (a - c) / inertia); // over the mass
    run r = start_events("stop", ((1.0 - a) / v + 1e-7) / 30);
    int hits = 0;
    for (int i = 0; i < 30; ++i) { // up to just after the collision
        abut_world_report report = step(&r);
        for (int k = 0; k < report.event_count; ++k) {
            CHECK_INT(report.events[k].kind, ABUT_WORLD_COLLISION, "kind");
            CHECK_NEAR(report.events[k].time, (1.0 - a) / v, 1e-9, "time");
            CHECK_INT(report.events[k].contact_count, 2, "ends of the segment");
            CHECK_NEAR(report.events[k].speed, v / sqrt(2.0), 1e-9, "speed");
            ++hits;
        }
    }
    abut_body_state block = abut_world_get_body(r.world, 1);
    CHECK_INT(hits, 1, "collisions");
    CHECK_NEAR(block.linear_velocity.x, v - impulse / sqrt(2.0), 5e-6, "x after the collision");
    CHECK_NEAR(block.linear_velocity.y, impulse / sqrt(2.0), 5e-6, "y after the collision");
    CHECK_NEAR(block.angular_velocity.z, impulse / sqrt(2.0) * (a - c) / inertia, 5e-6, "spin after the collision");
    end(&r);
    CHECK_DONE();
}

/// The block tips without losing energy until it lands, and then has the ground as its support.
static void a_block_tips_over_an_edge(void **state)
{
    (void)state;
    run r = start_events("tip", 0.01);
    double before = energy_of(&r), last = before;
    int counts[ABUT_WORLD_END + 1] = {0}, is_landed = 0;
    for (int i = 0; i < r.setup->steps; ++i) {
        abut_world_report report = step(&r);
        double now = energy_of(&r);
        for (int k = 0; k < report.event_count; ++k) {
            ++counts[report.events[k].kind];
            is_landed = is_landed || report.events[k].body_a == 0;
        }
        CHECK(is_landed || fabs(now - before) <= 1e-10 * before, "step %d: energy %.17g of %.17g", i, now, before);
        CHECK(now <= last + 1e-10 * before, "step %d: energy %.17g after %.17g", i, now, last);
        last = now;
    }
    CHECK(is_landed && counts[ABUT_WORLD_COLLISION] > 0, "it does not land");
    CHECK(counts[ABUT_WORLD_RELEASE] > 0, "no contact is released");
    end(&r);
    CHECK_DONE();
}

/// Linked rings that tumble overlap nowhere by more than the tolerance, gain no energy and stay linked: a ring never
/// gets further from the other than the sum of their radii.
static void rings_tumble_without_overlap(void **state)
{
    (void)state;
    run r = start_events("rings", 0.01);
    double last = energy_of(&r), first = last, deepest = 0.0;
    int events = 0;
    for (int i = 0; i < (is_long_test() ? 300 : 120); ++i) {
        abut_world_report report = step(&r);
        double now = energy_of(&r);
        abut_vec3 apart = abut_sub(abut_world_get_body(r.world, 1).center, abut_world_get_body(r.world, 2).center);
        CHECK(now <= last + 1e-10 * first, "step %d: energy %.17g after %.17g", i, now, last);
        CHECK(abut_norm(apart) < 2.0, "step %d: the rings are %g apart", i, abut_norm(apart));
        for (int k = 0; k < report.contact_count; ++k) {
            deepest = fmin(deepest, report.contacts[k].contact.gap);
        }
        last = now;
        events += report.event_count;
    }
    CHECK(events > 50, "only %d events", events);
    CHECK(deepest >= -2e-6, "overlap %g", deepest);
    end(&r);
    CHECK_DONE();
}

/// Plates that hit the wall head on stop there, without restitution: half a plate of 0.2 before a wall of 0.02.
static void plates_stop_at_a_wall(void **state)
{
    (void)state;
    run r = start("bullets", 0.01, ABUT_STEPPER_MOREAU, ABUT_IMPACT_SIMULTANEOUS);
    for (int i = 0; i < r.setup->steps; ++i) {
        (void)step(&r);
    }
    for (int i = 1; i < r.setup->body_count; ++i) {
        abut_body_state plate = abut_world_get_body(r.world, i);
        double left = 1e-8 * r.setup->bodies[i].linear_velocity.x; // the tolerance of the solver
        CHECK_NEAR(plate.center.x, -0.11, 1e-6 + left * r.setup->steps * 0.01, "place");
        CHECK_NEAR(plate.linear_velocity.x, 0.0, left, "speed");
    }
    end(&r);
    CHECK_DONE();
}

/// The k-th bounce of a body that falls from a height h reaches e^2k h.
static void cubes_bounce(void **state)
{
    (void)state;
    const double restitutions[] = {0.5, 0.8, 1.0}, rest = 0.25;
    run r = start("bounce", 0.01, ABUT_STEPPER_MOREAU, ABUT_IMPACT_SIMULTANEOUS);
    double expected[3] = {1.0, 1.0, 1.0}, before[3] = {0.0, 0.0, 0.0};
    int counts[3] = {0, 0, 0};
    for (int i = 0; i < r.setup->steps; ++i) {
        (void)step(&r);
        for (int k = 0; k < 3; ++k) {
            abut_body_state cube = abut_world_get_body(r.world, 1 + k);
            double speed = cube.linear_velocity.y;
            if (before[k] < 0.0 && speed > 0.0 && counts[k] < 5) {
                expected[k] *= restitutions[k] * restitutions[k];
                double height = cube.center.y - rest + speed * speed / (2.0 * g);
                CHECK_NEAR(height, expected[k], 0.01 * expected[k], "height");
                ++counts[k];
            }
            before[k] = speed;
        }
    }
    // the n-th bounce begins after sqrt(2 h / g) (1 + 2 e + 2 e^2 + ... + 2 e^(n-1)), in 3 s:
    CHECK_INT(counts[0], 5, "bounces with e = 0.5");
    CHECK_INT(counts[1], 5, "bounces with e = 0.8");
    CHECK_INT(counts[2], 3, "bounces with e = 1");
    end(&r);
    CHECK_DONE();
}

/// Boxes a thousandth apart hand the speed on, and so do touching ones by sequential impacts. By Newton's law for all
/// contacts of touching boxes at once, the first one turns back at 2/3 and the others move on at 1/3.
static void cradles_swing(void **state)
{
    (void)state;
    for (int rule = 0; rule < 2; ++rule) {
        run r = start("cradle", 0.01, ABUT_STEPPER_MOREAU, (abut_impact_rule)rule);
        for (int i = 0; i < r.setup->steps; ++i) {
            (void)step(&r);
        }
        for (int i = 1; i < r.setup->body_count; ++i) {
            int k = (i - 1) % 6, is_passed_on = i <= 6 || rule == ABUT_IMPACT_SEQUENTIAL;
            double expected = is_passed_on ? k == 5 : k == 0 ? -2.0 / 3.0 : 1.0 / 3.0;
            double speed = abut_world_get_body(r.world, i).linear_velocity.x;
            CHECK(fabs(speed - expected) <= 1e-4, "rule %d, %s: speed %g, not %g", rule, r.setup->bodies[i].name,
                  speed, expected);
        }
        end(&r);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_on_a_turning_plate),
        cmocka_unit_test(a_block_meets_the_foot_of_a_ramp),
        cmocka_unit_test(a_block_tips_over_an_edge),
        cmocka_unit_test(rings_tumble_without_overlap),
        cmocka_unit_test(plates_stop_at_a_wall),
        cmocka_unit_test(cubes_bounce),
        cmocka_unit_test(cradles_swing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
