// SPDX-License-Identifier: MIT
// test_world_impact.c: bodies that meet within a step: none passes, and they bounce as on paper
#include "effort.h"
#include "random.h"
#include "stage.h"

#include <limits.h>
#include <string.h>

static const abut_vec3 zero = {0.0, 0.0, 0.0};

// ---------------------------------------------------------------------------------------------------------------
// Tunnelling

enum { ROOM_STEPS = 2, BULLETS = 2 };
static const double room = 1.0, wall = 0.01;

/// A room of side 1 about the origin, of six fixed plates that are a hundredth thick.
static stage make_room(const abut_context *context, const abut_world_def *def, double restitution)
{
    stage s = make_stage(context, def, 0.5, restitution);
    const double away = 0.5 * (room + wall), wide = room + 2.0 * wall;
    for (int i = 0; i < 6; ++i) {
        double side = i % 2 == 0 ? -away : away;
        abut_vec3 size = {i / 2 == 0 ? wall : wide, i / 2 == 1 ? wall : wide, i / 2 == 2 ? wall : wide};
        abut_vec3 center = {i / 2 == 0 ? side : 0.0, i / 2 == 1 ? side : 0.0, i / 2 == 2 ? side : 0.0};
        add_box(&s, size, center, zero, 1);
    }
    return s;
}

/// How far the corners of a body are outside of the room.
static double outside_of(const stage *s, int body)
{
    abut_pose pose = abut_world_get_body(s->world, body).pose;
    abut_mesh_elements mesh = abut_mesh_get_elements(abut_shape_mesh(abut_world_body_shape(s->world, body)));
    double most = -room;
    for (int i = 0; i < mesh.vertex_count; ++i) {
        abut_vec3 at = abut_abs(abut_pose_apply(pose, mesh.vertices[i]));
        most = fmax(most, fmax(fmax(at.x, at.y), at.z) - 0.5 * room);
    }
    return most;
}

static double energy_of(const stage *s)
{
    abut_world_energy energy = abut_world_get_energy(s->world);
    return energy.kinetic + energy.potential;
}

/// What is thrown in a launch.
typedef struct bullet {
    abut_vec3 size;
    abut_body_def body;
} bullet;

static void draw_bullets(test_random *random, int i, double dt, bullet bullets[BULLETS])
{
    for (int k = 0; k < BULLETS; ++k) {
        double length = random_in(random, 0.05, 0.2);
        abut_vec3 size = {length, length * random_in(random, 0.1, 1.0), length * random_in(random, 0.1, 1.0)};
        abut_body_def body = abut_body_def_default();
        body.material = 0;
        body.pose = abut_pose_make(abut_vec3_make(k == 0 ? -0.25 : 0.25, 0.0, 0.0), random_rotation(random));
        double lengths = pow(1000.0, random_in(random, 0.0, 1.0)), angle = random_in(random, 0.0, 20.0);
        abut_vec3 direction = random_unit(random), axis = random_unit(random);
        body.linear_velocity = abut_scale(lengths * length / dt, direction);
        body.angular_velocity = i % 4 == 0 ? zero : abut_scale(angle / dt, axis);
        bullets[k] = (bullet){size, body};
    }
}

/// Two plates, bars or cubes fly about in the room, at up to a thousand lengths a step, and turn by up to 20 radians a
/// step.
static stage launch(const abut_context *context, test_random *random, int i)
{
    const double restitutions[] = {0.0, 0.5, 1.0};
    abut_world_def def = abut_world_def_default();
    def.has_sweeps = 1;
    def.stepper = i % 2 == 0 ? ABUT_STEPPER_MOREAU : ABUT_STEPPER_SEMI_IMPLICIT;
    def.method = abut_method_find(i % 5 == 4 ? "convex" : "regions");
    stage s = make_room(context, &def, restitutions[i % 3]);
    bullet bullets[BULLETS];
    draw_bullets(random, i, def.dt, bullets);
    for (int k = 0; k < BULLETS; ++k) {
        add_box_body(&s, bullets[k].size, bullets[k].body);
    }
    return s;
}

/// Draws what launches need that do not run.
static void skip_launches(test_random *random, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        bullet skipped[BULLETS];
        draw_bullets(random, i, 1.0, skipped);
    }
}

// The walls hold everything: the corners of all bodies stay in the room. After each hit a body flies on to another wall,
// to the other body or into a corner, within the same step. Restitution with friction may add energy, so energy is
// checked without restitution.
static void nothing_leaves_the_room(void **state)
{
    (void)state;
    test_random random = {2109};
    const sample_range range = sample_range_of(sample_count(24, 10000));
    int count = range.end - range.begin, hits = 0, held = 0;
    skip_launches(&random, 0, range.begin);
    for (int i = range.begin; i < range.end; ++i) {
        stage s = launch(NULL, &random, i);
        double energy = energy_of(&s);
        for (int step = 0; step < ROOM_STEPS; ++step) {
            run(&s, 1);
            for (int k = 6; k < s.count; ++k) {
                double out = outside_of(&s, k);
                CHECK(out <= 1e-5, "launch %d, step %d: a corner of body %d is outside by %g", i, step, k, out);
            }
            double now = energy_of(&s);
            CHECK(i % 3 != 0 || now <= energy * (1.0 + 1e-9), "launch %d, step %d: energy %g after %g", i, step,
                  now, energy);
            energy = now;
            abut_world_report report = abut_world_get_report(s.world);
            hits += report.impact_count;
            held += report.held_count > 0;
        }
        end_stage(&s);
    }
    CHECK(hits > count, "only %d impacts in %d launches", hits, count);
    print_message("%d launches: %d impacts; in %d of %d steps bodies were held\n", count, hits, held,
                  count * ROOM_STEPS);
    CHECK_DONE();
}

// In these launches of the long form corners once ended 2e-5 to 3e-4 inside of a wall: stabilisation pushed bodies into walls
// whose contacts were left to an impact; bodies that overlapped went on without a sweep; a body that turned got deeper with
// each piece of its path; and one at rest in a corner was left to a solver that stopped early.
static void nothing_gets_into_a_wall(void **state)
{
    (void)state;
    const int numbers[] = {3759, 4038, 4656, 4977, 5916, 6060, 6519, 7041};
    test_random random = {2109};
    int drawn = 0;
    for (int k = 0; k < (int)(sizeof numbers / sizeof numbers[0]); ++k) {
        int i = numbers[k];
        skip_launches(&random, drawn, i);
        drawn = i + 1;
        stage s = launch(NULL, &random, i);
        for (int step = 0; step < ROOM_STEPS; ++step) {
            run(&s, 1);
            for (int body = 6; body < s.count; ++body) {
                double out = outside_of(&s, body);
                CHECK(out <= 1e-5, "launch %d, step %d: a corner of body %d is outside by %g", i, step, body, out);
            }
        }
        end_stage(&s);
    }
    CHECK_DONE();
}

// A plate of 0.2 x 0.02 x 0.1 flies at 25 against a wall of thickness 0.02, by 1.25 of its length in a step, and at up to
// 100 lengths a step. Without restitution it stops at the wall, with its front at -0.01.
static void a_plate_stops_at_a_wall(void **state)
{
    (void)state;
    const double speeds[] = {25.0, 50.0, 500.0, 2000.0};
    for (int i = 0; i < 8; ++i) {
        abut_world_def def = abut_world_def_default();
        def.has_sweeps = 1;
        def.stepper = (abut_stepper)(i % 2);
        def.prox = precise(1e-14);
        stage s = make_stage(NULL, &def, 0.5, 0.0);
        add_box(&s, abut_vec3_make(0.02, 4.0, 4.0), zero, zero, 1);
        int plate = add_box(&s, abut_vec3_make(0.2, 0.02, 0.1), abut_vec3_make(-1.5, 0.0, 0.0),
                            abut_vec3_make(speeds[i / 2], 0.0, 0.0), 0);
        run(&s, 20);
        abut_body_state body = abut_world_get_body(s.world, plate);
        CHECK_NEAR(body.center.x, -0.11, 1e-6, "place");
        CHECK_NEAR(body.linear_velocity.x, 0.0, 1e-9, "speed");
        end_stage(&s);
    }
    CHECK_DONE();
}

// Without sweeps the plate passes the wall: the test above would notice. They are on unless a world says otherwise.
static void without_sweeps_a_plate_passes(void **state)
{
    (void)state;
    abut_world_def def = abut_world_def_default();
    CHECK_INT(def.has_sweeps, 1, "default");
    def.has_sweeps = 0;
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    add_box(&s, abut_vec3_make(0.02, 4.0, 4.0), zero, zero, 1);
    int plate = add_box(&s, abut_vec3_make(0.2, 0.02, 0.1), abut_vec3_make(-1.5, 0.0, 0.0),
                        abut_vec3_make(500.0, 0.0, 0.0), 0);
    run(&s, 4);
    CHECK(abut_world_get_body(s.world, plate).center.x > 1.0, "it stopped at %g",
          abut_world_get_body(s.world, plate).center.x);
    end_stage(&s);
    CHECK_DONE();
}

// The same bytes at any number of threads.
static void threads_do_not_matter(void **state)
{
    (void)state;
    abut_body_state first[BULLETS];
    for (int threads = 1; threads <= 4; threads *= 2) {
        test_random random = {77};
        abut_context context = abut_context_default();
        context.worker_count = threads;
        stage s = launch(&context, &random, 1);
        run(&s, 3 * ROOM_STEPS);
        for (int k = 0; k < BULLETS; ++k) {
            abut_body_state body = abut_world_get_body(s.world, 6 + k);
            if (threads == 1) {
                first[k] = body;
            }
            CHECK(memcmp(&first[k], &body, sizeof body) == 0, "%d threads: body %d differs", threads, k);
        }
        end_stage(&s);
    }
    CHECK_DONE();
}

/// Checks that contacts are shown with the numbers of the world: each point is in the box of both bodies, nearly.
static abut_status look_at_contacts(void *user, abut_world *world, abut_world_contact *contacts, int count)
{
    int *shown = user;
    for (int i = 0; i < count; ++i) {
        const int both[2] = {contacts[i].body_a, contacts[i].body_b};
        for (int k = 0; k < 2; ++k) {
            abut_vec3 away = abut_sub(contacts[i].contact.position, abut_world_get_body(world, both[k]).center);
            abut_box box = abut_mesh_get_elements(abut_shape_mesh(abut_world_body_shape(world, both[k]))).bounds;
            CHECK(abut_norm(away) <= 0.51 * abut_box_diagonal(box) + fabs(contacts[i].contact.gap),
                  "contact %d is not at body %d", i, both[k]);
        }
    }
    *shown += count;
    return ABUT_OK;
}

/// The contacts that all detections of a step find, in which a plate hits a wall beside so many boxes at rest.
static int work_of(int boxes, int has_sweeps)
{
    int shown = 0;
    abut_world_def def = falling();
    def.has_sweeps = has_sweeps;
    def.method = abut_method_find("convex");
    def.callbacks.on_contacts = look_at_contacts;
    def.callbacks.user = &shown;
    stage s = make_stage(NULL, &def, 0.5, 0.5);
    add_ground(&s);
    for (int i = 0; i < boxes; ++i) {
        add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(1.5 * (i % 8) - 6.0, 0.5, 1.5 * (double)(i / 8)), zero,
                0);
    }
    add_box(&s, abut_vec3_make(0.02, 4.0, 4.0), abut_vec3_make(-8.0, 2.0, 0.0), zero, 1);
    int plate = add_box(&s, abut_vec3_make(0.2, 0.02, 0.1), abut_vec3_make(-8.5, 2.0, 0.0),
                        abut_vec3_make(50.0, 0.0, 0.0), 0);
    run(&s, 1);
    abut_world_report report = abut_world_get_report(s.world);
    CHECK_INT(report.impact_count, has_sweeps, "impacts");
    CHECK(!has_sweeps || abut_world_get_body(s.world, plate).linear_velocity.x < 0.0, "it does not bounce");
    CHECK(report.contact_count > 4 * boxes, "only %d contacts of the boxes and the plate", report.contact_count);
    CHECK(shown >= 4 * boxes, "only %d contacts were shown", shown);
    end_stage(&s);
    return shown;
}

// What a cut adds to a step does not depend on the bodies that have nothing to do with it.
static void a_cut_costs_its_island(void **state)
{
    (void)state;
    int few = work_of(4, 1) - work_of(4, 0), many = work_of(64, 1) - work_of(64, 0);
    CHECK(few == many, "a cut adds %d contacts beside 4 boxes, %d beside 64", few, many);
    CHECK_DONE();
}

// If a step may not be cut, bodies that would pass stay where they are, and the report says for how long.
static void bodies_are_held_at_the_limit(void **state)
{
    (void)state;
    abut_world_def def = abut_world_def_default();
    def.has_sweeps = 1;
    def.cut_limit = 0;
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    add_box(&s, abut_vec3_make(0.02, 4.0, 4.0), zero, zero, 1);
    int plate = add_box(&s, abut_vec3_make(0.2, 0.02, 0.1), abut_vec3_make(-1.5, 0.0, 0.0),
                        abut_vec3_make(500.0, 0.0, 0.0), 0);
    run(&s, 1);
    abut_world_report report = abut_world_get_report(s.world);
    CHECK_INT(report.held_count, 1, "held bodies");
    CHECK_NEAR(report.lost_time, 0.01, 0.0, "lost time");
    CHECK_NEAR(abut_world_get_body(s.world, plate).center.x, -1.5, 0.0, "place");
    CHECK_NEAR(abut_world_get_body(s.world, plate).linear_velocity.x, 500.0, 0.0, "speed");
    end_stage(&s);
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Restitution

/// Heights of the first bounces of a cube of side 0.5 that falls from a height of 1, by the energy at the top.
static void bounce(const abut_world_def *def, double restitution)
{
    enum { BOUNCES = 5 };
    stage s = make_stage(NULL, def, 0.0, restitution);
    add_ground(&s);
    int cube = add_box(&s, abut_vec3_make(0.5, 0.5, 0.5), abut_vec3_make(0.0, 1.25, 0.0), zero, 0);
    double expected = 1.0, before = -1.0;
    int count = 0;
    for (int step = 0; step * def->dt < 8.0 && count < BOUNCES; ++step) {
        run(&s, 1);
        abut_body_state body = abut_world_get_body(s.world, cube);
        double speed = body.linear_velocity.y;
        if (before < 0.0 && speed > 0.0) { // it left the ground: the height that it will reach
            expected *= restitution * restitution;
            double height = body.center.y - 0.25 + speed * speed / (2.0 * g);
            CHECK(fabs(height - expected) <= 0.01 * expected,
                  "e %g, dt %g, stepper %d, solver %d: bounce %d to %g, not %g", restitution, def->dt,
                  (int)def->stepper, (int)def->solver, count, height, expected);
            ++count;
        }
        CHECK(body.center.y >= 0.25 - 1e-6, "it sinks to %g", body.center.y - 0.25);
        before = speed;
    }
    CHECK_INT(count, BOUNCES, "bounces");
    end_stage(&s);
}

// A body that falls from a height h bounces to e^2 h, then e^4 h and so on.
static void bodies_bounce_as_on_paper(void **state)
{
    (void)state;
    const double restitutions[] = {0.5, 0.8, 1.0}, steps[] = {0.01, 0.004, 0.001};
    for (int i = 0; i < 36; ++i) {
        abut_world_def def = falling();
        def.has_sweeps = 1;
        def.dt = steps[i / 3 % 3];
        def.stepper = (abut_stepper)(i / 9 % 2);
        def.solver = (abut_solver_kind)(i / 18);
        bounce(&def, restitutions[i % 3]);
    }
    CHECK_DONE();
}

// The largest limit of cuts is no limit: a step is cut, and a cube bounces.
static void any_limit_of_cuts_bounces(void **state)
{
    (void)state;
    abut_world_def def = falling();
    def.has_sweeps = 1;
    def.cut_limit = INT_MAX;
    bounce(&def, 0.5);
    CHECK_DONE();
}

/// Five cubes of side 1 in a row, `gap` apart, on the ground, and a sixth that hits the first at speed 1. Fills the speeds of
/// all six after they have met, the striker first.
static void strike(double gap, abut_impact_rule rule, abut_stepper stepper, double speeds[6])
{
    abut_world_def def = falling();
    def.has_sweeps = 1;
    def.impact_rule = rule;
    def.stepper = stepper;
    stage s = make_stage(NULL, &def, 0.0, 1.0);
    add_ground(&s);
    for (int i = 0; i < 6; ++i) {
        double x = i == 0 ? -1.5 : (i - 1) * (1.0 + gap);
        add_box(&s, abut_vec3_make(1.0, 1.0, 1.0), abut_vec3_make(x, 0.5, 0.0), abut_vec3_make(i == 0, 0.0, 0.0),
                0);
    }
    double energy = energy_of(&s);
    run(&s, 80);
    CHECK_NEAR(energy_of(&s) / energy, 1.0, 1e-6, "energy");
    for (int i = 0; i < 6; ++i) {
        speeds[i] = abut_world_get_body(s.world, 1 + i).linear_velocity.x;
    }
    end_stage(&s);
}

// Boxes a thousandth apart hand the speed on: the last one leaves with all of it. So do touching ones by sequential
// impacts. By Newton's law for all contacts at once, each of the five contacts of equal boxes keeps its relative speed
// (0) or turns it around (-1): v1 - v0 = 1, all others equal, and momentum 1 gives v0 = -2/3 and 1/3 for the others.
static void cradles_swing_as_on_paper(void **state)
{
    (void)state;
    for (int i = 0; i < 8; ++i) {
        double gap = i & 1 ? 1e-3 : 0.0, speeds[6];
        abut_impact_rule rule = i & 2 ? ABUT_IMPACT_SEQUENTIAL : ABUT_IMPACT_SIMULTANEOUS;
        strike(gap, rule, i & 4 ? ABUT_STEPPER_SEMI_IMPLICIT : ABUT_STEPPER_MOREAU, speeds);
        int passes_on = gap > 0.0 || rule == ABUT_IMPACT_SEQUENTIAL;
        for (int k = 0; k < 6; ++k) {
            double expected = passes_on ? k == 5 : k == 0 ? -2.0 / 3.0 : 1.0 / 3.0;
            CHECK(fabs(speeds[k] - expected) <= 1e-5, "gap %g, rule %d, stepper %d: box %d has %g, not %g", gap,
                  (int)rule, i >> 2, k, speeds[k], expected);
        }
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_leaves_the_room),   cmocka_unit_test(nothing_gets_into_a_wall),
        cmocka_unit_test(a_plate_stops_at_a_wall),   cmocka_unit_test(without_sweeps_a_plate_passes),
        cmocka_unit_test(threads_do_not_matter),     cmocka_unit_test(bodies_are_held_at_the_limit),
        cmocka_unit_test(a_cut_costs_its_island),    cmocka_unit_test(bodies_bounce_as_on_paper),
        cmocka_unit_test(cradles_swing_as_on_paper), cmocka_unit_test(any_limit_of_cuts_bounces),
    };
    return cmocka_run_group_tests_name("world_impact", tests, NULL, NULL);
}
