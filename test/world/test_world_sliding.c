// SPDX-License-Identifier: MIT
// test_world_sliding.c: bodies that slide over seams, fingers, cliffs, walls and grooves do not bounce
#include "effort.h"
#include "random.h"
#include "stage.h"

#include <stdio.h>

/// What a body slides on.
typedef enum track { TWO_FINGERS, SEAM, SEAMS, CLIFF, WALL, GROOVE, TRACKS } track;
static const char *const names[] = {"two fingers", "seam", "100 tiles", "cliff", "wall", "groove"};

typedef struct slide {
    stage s;
    abut_quat frame; ///< the world is turned by this
    int body;
    double mass, half; ///< of the body; half of its length
    double last;       ///< where its support ends, along x
} slide;

static abut_mesh *make_groove(double length)
{
    // a block from y = -1 to 0 with a groove at right angles, 0.5 deep, along x
    const double x0 = -3.0, x1 = length;
    const double yz[7][2] = {{-1, -1}, {-1, 1}, {0, 1}, {0, 0.5}, {-0.5, 0}, {0, -0.5}, {0, -1}};
    abut_vec3 v[14];
    for (int i = 0; i < 7; ++i) {
        v[i] = abut_vec3_make(x0, yz[i][0], yz[i][1]);
        v[7 + i] = abut_vec3_make(x1, yz[i][0], yz[i][1]);
    }
    int t[3 * 24], n = 0;
    for (int i = 0; i < 7; ++i) {
        int k = (i + 1) % 7;
        const int side[6] = {i, 7 + k, k, i, 7 + i, 7 + k};
        memcpy(t + 3 * n, side, sizeof side);
        n += 2;
    }
    static const int caps[5][3] = {{0, 4, 1}, {1, 4, 3}, {1, 3, 2}, {0, 6, 5}, {0, 5, 4}};
    for (int i = 0; i < 5; ++i) {
        const int ends[6] = {caps[i][0], caps[i][2], caps[i][1], caps[i][0] + 7, caps[i][1] + 7, caps[i][2] + 7};
        memcpy(t + 3 * n, ends, sizeof ends);
        n += 2;
    }
    return make_triangles(NULL, v, 14, t, n);
}

static int add(slide *d, abut_mesh *mesh, abut_vec3 place, abut_vec3 velocity, int is_fixed, double yaw)
{
    stage *s = &d->s;
    abut_error error;
    abut_body_def def = abut_body_def_default();
    s->meshes[s->count] = mesh;
    s->shapes[s->count] = make_shape(NULL, mesh, abut_method_find("regions"), NULL);
    def.shape = s->shapes[s->count++];
    abut_quat turn = abut_quat_from_axis(abut_vec3_make(0, 1, 0), yaw);
    def.pose = abut_pose_make(abut_quat_rotate(d->frame, place), abut_quat_multiply(d->frame, turn));
    def.linear_velocity = abut_quat_rotate(d->frame, velocity);
    def.is_fixed = is_fixed;
    def.material = 0;
    int index = -1;
    abut_status status = abut_world_add_body(s->world, &def, &index, &error);
    CHECK(status == ABUT_OK, "add body: %s", error.text);
    return index;
}

static abut_mesh *box(double x, double y, double z)
{
    return make_box(NULL, abut_vec3_make(-x, -y, -z), abut_vec3_make(x, y, z));
}

/// A body that begins at x = `start`, turned about the vertical axis by `yaw`.
static slide make_turned_slide(track kind, abut_vec3 velocity, double start, double yaw, const abut_world_def *base,
                               abut_quat frame)
{
    abut_world_def def = *base;
    def.gravity = abut_quat_rotate(frame, def.gravity);
    slide d = {.s = make_stage(NULL, &def, 0.0, 0.0), .frame = frame, .half = 0.25};
    const abut_vec3 zero = {0, 0, 0};
    abut_vec3 place = {0.0, 0.25, 0.03};
    abut_mesh *mesh = box(0.25, 0.25, 0.25);
    d.last = 1e9;
    switch (kind) {
    case TWO_FINGERS: // the block is longer than the gap between them
        for (int i = -6; i < 6; ++i) {
            (void)add(&d, box(0.1, 0.5, 1.5), abut_vec3_make(0.4 * i, -0.5, 0), zero, 1, 0.0);
        }
        abut_mesh_destroy(mesh);
        mesh = box(0.5, 0.25, 0.25);
        d.half = 0.5;
        d.last = 1.6;
        break;
    case SEAM:
        (void)add(&d, box(2, 0.5, 1.5), abut_vec3_make(-1.5, -0.5, 0), zero, 1, 0.0);
        (void)add(&d, box(2, 0.5, 1.5), abut_vec3_make(2.5, -0.5, 0), zero, 1, 0.0);
        d.last = 4.25;
        break;
    case SEAMS:
        for (int i = 0; i < 100; ++i) {
            (void)add(&d, box(0.05, 0.5, 1.5), abut_vec3_make(0.1 * i - 0.5, -0.5, 0), zero, 1, 0.0);
        }
        d.last = 9.0;
        break;
    case CLIFF:
        (void)add(&d, box(2, 0.5, 1.5), abut_vec3_make(-1.5, -0.5, 0), zero, 1, 0.0);
        d.last = 0.5;
        break;
    case WALL:
        (void)add(&d, box(4, 0.5, 1.5), abut_vec3_make(1.5, -0.5, 0), zero, 1, 0.0);
        (void)add(&d, box(2, 0.5, 0.5), abut_vec3_make(-1.5, 0.5, 0.78), zero, 1, 0.0);
        (void)add(&d, box(0.5, 0.5, 0.5), abut_vec3_make(1, 0.5, 0.78), zero, 1, 0.0);
        d.last = 5.2;
        break;
    case GROOVE:
        (void)add(&d, make_groove(1.0), zero, zero, 1, 0.0);
        // a prism of the groove's shape, with its edge down
        abut_mesh_destroy(mesh);
        {
            const abut_vec3 v[6] = {{-0.25, 0, 0}, {-0.25, 0.25, 0.25}, {-0.25, 0.25, -0.25},
                                    {0.25, 0, 0},  {0.25, 0.25, 0.25},  {0.25, 0.25, -0.25}};
            const int t[24] = {0, 1, 2, 3, 5, 4, 0, 3, 4, 0, 4, 1, 1, 4, 5, 1, 5, 2, 0, 2, 5, 0, 5, 3};
            mesh = make_triangles(NULL, v, 6, t, 8);
        }
        place.y = -0.5;
        place.z = 0.0;
        d.last = 1.0;
        break;
    case TRACKS: break;
    }
    place.x = start;
    d.body = add(&d, mesh, place, velocity, 0, yaw);
    d.mass = abut_world_get_body(d.s.world, d.body).mass;
    return d;
}

static slide make_slide(track kind, double speed, double start, const abut_world_def *base, abut_quat frame)
{
    return make_turned_slide(kind, abut_vec3_make(speed, 0, 0), start, 0.0, base, frame);
}

/// The impulse of all contacts of the last step along two directions; the report of events has none.
static void sum_impulses(const slide *d, abut_vec3 x, abut_vec3 y, double *along, double *support)
{
    abut_world_report report = abut_world_get_report(d->s.world);
    *along = *support = 0.0;
    for (int i = 0; i < report.contact_count; ++i) {
        const abut_world_contact *c = &report.contacts[i];
        double sign = c->body_b == d->body ? 1.0 : -1.0;
        *along += sign * c->impulse.normal * abut_dot(c->contact.normal, x);
        *support += sign * c->impulse.normal * abut_dot(c->contact.normal, y);
    }
}

/// Slides, and checks the impulses of each step as long as the centre is over its support: nothing along the motion, and
/// the whole weight across it.
static void check_slide(slide *d, const abut_world_def *def, int limit, const char *label)
{
    abut_vec3 x = abut_quat_rotate(d->frame, abut_vec3_make(1, 0, 0));
    abut_vec3 y = abut_quat_rotate(d->frame, abut_vec3_make(0, 1, 0));
    double weight = d->mass * g * def->dt, worst_along = 0.0, worst_support = 0.0;
    double bound = def->stabilisation.is_on ? 1e-6 : 1e-9;
    int worst = 0, i = 0;
    abut_body_state start = abut_world_get_body(d->s.world, d->body);
    for (; i < limit; ++i) {
        abut_error error;
        abut_body_state before = abut_world_get_body(d->s.world, d->body);
        if (abut_dot(before.center, x) + abut_norm(before.linear_velocity) * def->dt > d->last) {
            break;
        }
        abut_status status = abut_world_step(d->s.world, &error);
        CHECK(status == ABUT_OK, "%s, step %d: %s", label, i, error.text);
        double along, support;
        sum_impulses(d, x, y, &along, &support);
        if (def->stepper == ABUT_STEPPER_EVENTS) {
            abut_body_state after = abut_world_get_body(d->s.world, d->body);
            abut_vec3 change = abut_scale(d->mass, abut_sub(after.linear_velocity, before.linear_velocity));
            along = abut_dot(change, x);
            support = weight + abut_dot(change, y);
            double stepped = abut_world_get_report(d->s.world).stepped_time;
            CHECK(stepped == 0.0, "%s, step %d: time-stepped %g", label, i, stepped);
        }
        worst = fabs(along) > worst_along || fabs(support - weight) > worst_support ? i : worst;
        worst_along = fmax(worst_along, fabs(along));
        worst_support = fmax(worst_support, fabs(support - weight));
    }
    CHECK(i > 3, "%s: only %d steps", label, i);
    if (def->stepper == ABUT_STEPPER_EVENTS) { // no time is lost at events either
        abut_vec3 way = abut_sub(abut_world_get_body(d->s.world, d->body).center, start.center);
        double expected = i * def->dt * abut_dot(start.linear_velocity, x);
        CHECK(fabs(abut_dot(way, x) - expected) <= 1e-14 * i, "%s: it moved by %.17g, not %.17g", label,
              abut_dot(way, x), expected);
    }
    CHECK(worst_along <= bound * weight && worst_support <= bound * weight,
          "%s: step %d: along the motion %.3g, support %.3g of the weight", label, worst, worst_along / weight,
          worst_support / weight);
}

/// Where something changes under the body: an edge of it comes to an edge of the track, or its centre to the end.
typedef struct change {
    track kind;
    double place; ///< of the centre
} change;

static const change changes[] = {{TWO_FINGERS, 0.8}, {TWO_FINGERS, 1.0}, {SEAM, 0.25}, {SEAM, 0.75}, {SEAMS, 3.0},
                                 {CLIFF, 0.25},      {CLIFF, 0.5},       {WALL, 0.25}, {WALL, 0.75}, {WALL, 1.25},
                                 {WALL, 1.75},       {GROOVE, 0.75},     {GROOVE, 1.0}};
enum { CHANGES = sizeof changes / sizeof changes[0] };

/// Slides from some steps before each change to some after it.
static void check_changes(const char *method, abut_stepper stepper, int is_stabilised)
{
    static const double speeds[] = {0.1, 1.0, 2.0, 10.0}, steps[] = {1e-3, 1e-2, 2e-2};
    test_random random = {3};
    for (int i = 0; i < CHANGES; ++i) {
        for (int k = 0; k < 12; ++k) {
            track kind = changes[i].kind;
            int is_taken = is_long_test() || kind != SEAMS || k % 4 == 1;
            if ((kind == GROOVE && strcmp(method, "convex") == 0) || !is_taken) {
                continue;
            }
            abut_world_def def = falling();
            def.prox = precise(1e-10);
            def.method = abut_method_find(method);
            def.stepper = stepper;
            def.stabilisation.is_on = is_stabilised;
            def.dt = steps[k % 3];
            double speed = speeds[k / 3];
            abut_quat frame = k % 2 == 0 ? abut_quat_identity() : random_rotation(&random);
            // both where the edges meet exactly at a step, and where they do not
            double start = changes[i].place - (k % 2 == 0 ? 6.0 : 6.3) * speed * def.dt;
            slide d = make_slide(kind, speed, start, &def, frame);
            char label[128];
            (void)snprintf(label, sizeof label, "%s, %s at %g, stepper %d, speed %g, dt %g", method, names[kind],
                           changes[i].place, (int)stepper, speed, def.dt);
            check_slide(&d, &def, 14, label);
            end_stage(&d.s);
        }
    }
}

// Figure 8 of Bouma and Vanecek 1993, and its kin. On paper nothing but the weight acts on the body, so the contacts carry
// m g dt across the motion and nothing along it.
static void regions_slide_freely(void **state)
{
    (void)state;
    for (int stepper = ABUT_STEPPER_MOREAU; stepper <= ABUT_STEPPER_SEMI_IMPLICIT; ++stepper) {
        check_changes("regions", (abut_stepper)stepper, 0);
        check_changes("regions", (abut_stepper)stepper, 1);
    }
    CHECK_DONE();
}

static void convex_bodies_slide_freely(void **state)
{
    (void)state;
    for (int stepper = ABUT_STEPPER_MOREAU; stepper <= ABUT_STEPPER_SEMI_IMPLICIT; ++stepper) {
        check_changes("convex", (abut_stepper)stepper, 0);
        check_changes("convex", (abut_stepper)stepper, 1);
    }
    CHECK_DONE();
}

static void events_slide_freely(void **state)
{
    (void)state;
    check_changes("regions", ABUT_STEPPER_EVENTS, 0);
    check_changes("convex", ABUT_STEPPER_EVENTS, 0);
    CHECK_DONE();
}

/// Slides with events, until the body has fallen. Its energy stays, unless it collides: a body that tips over the ends of
/// two fingers may sway from one to the other. Speeds below those that count as rest are taken away, hence the bound.
static void check_energy(slide *d, int steps, const char *label)
{
    abut_vec3 up = abut_quat_rotate(d->frame, abut_vec3_make(0, 1, 0));
    abut_world_energy e = abut_world_get_energy(d->s.world);
    double first = e.kinetic + e.potential, weight = d->mass * g * d->half;
    int has_collided = 0;
    for (int i = 0; i < steps; ++i) {
        abut_error error;
        abut_status status = abut_world_step(d->s.world, &error);
        CHECK(status == ABUT_OK, "%s, step %d: %s", label, i, error.text);
        abut_world_report report = abut_world_get_report(d->s.world);
        e = abut_world_get_energy(d->s.world);
        double gain = (e.kinetic + e.potential - first) / weight;
        for (int k = 0; k < report.event_count; ++k) {
            has_collided |= report.events[k].kind == ABUT_WORLD_COLLISION;
        }
        CHECK(gain <= 2e-8 && (gain >= -2e-8 || has_collided) && report.stepped_time == 0.0,
              "%s, step %d: energy changes by %g of m g h, %d events, time-stepped %g", label, i, gain,
              report.event_count, report.stepped_time);
        if (status != ABUT_OK || abut_dot(abut_world_get_body(d->s.world, d->body).center, up) < -0.5) {
            break;
        }
    }
}

// Bodies that are turned about the vertical axis, and move across, slide over fingers and seams and off their ends.
static void events_keep_energy(void **state)
{
    (void)state;
    static const track tracks[] = {TWO_FINGERS, SEAM, CLIFF, WALL, GROOVE};
    test_random random = {8};
    for (int i = 0; i < (is_long_test() ? 1000 : 15); ++i) {
        abut_world_def def = falling();
        track kind = tracks[i % 5];
        def.stepper = ABUT_STEPPER_EVENTS;
        def.dt = i / 5 % 3 == 0 ? 1e-3 : i / 5 % 3 == 1 ? 1e-2 : 2e-2;
        int is_guided = kind == WALL || kind == GROOVE;
        def.method = abut_method_find(kind != GROOVE && i % 2 == 1 ? "convex" : "regions");
        double speed = pow(10.0, random_in(&random, -1.0, 1.0)),
               yaw = is_guided ? 0.0 : random_in(&random, -1.5, 1.5);
        double across = is_guided ? 0.0 : speed * random_in(&random, -1.0, 1.0);
        double start = fmax((kind == CLIFF ? 0.35 : 0.8) - 30.0 * speed * def.dt, -1.0);
        slide d = make_turned_slide(kind, abut_vec3_make(speed, 0, across), start, yaw, &def,
                                    i % 2 == 0 ? abut_quat_identity() : random_rotation(&random));
        char label[128];
        (void)snprintf(label, sizeof label, "round %d, %s, speed %g, yaw %g, dt %g", i, names[kind], speed, yaw,
                       def.dt);
        check_energy(&d, 60, label);
        end_stage(&d.s);
    }
    CHECK_DONE();
}

// Boxes on four fingers, turned about the vertical axis: a dozen rows of the same plane, of which Lemke's method once ran
// in circles ("no forces keep the bodies apart"). And a cube that tips over the edge of narrow tiles, over a seam: its
// face is so nearly level with that edge that it once seemed to overlap the next tile.
static void dependent_rows_have_forces(void **state)
{
    (void)state;
    abut_world_def def = falling();
    def.stepper = ABUT_STEPPER_EVENTS;
    def.dt = 0.02;
    for (int i = 0; i < 6; ++i) {
        slide d = make_turned_slide(TWO_FINGERS, abut_vec3_make(10, 0, 0), -1.0, 1.38965 + 1e-5 * i, &def,
                                    abut_quat_identity());
        check_energy(&d, 12, "fingers");
        end_stage(&d.s);
    }
    def.dt = 0.01;
    slide d = make_turned_slide(SEAMS, abut_vec3_make(10, 0, -9.78741), 0.0, -1.00399, &def, abut_quat_identity());
    check_energy(&d, 30, "tiles");
    end_stage(&d.s);
    CHECK_DONE();
}

// The second tile sticks out by a thousandth of the box's size. The box runs into it: it loses all of its speed, or is
// turned up over it, but does not slide on.
static void a_true_step_is_hit(void **state)
{
    (void)state;
    static const char *const methods[] = {"regions", "convex"};
    for (int i = 0; i < 8; ++i) {
        abut_world_def def = falling();
        def.method = abut_method_find(methods[i % 2]);
        def.stepper = (abut_stepper)(i / 2 % 2);
        slide d = {.s = make_stage(NULL, &def, 0.0, 0.0), .frame = abut_quat_identity()};
        const abut_vec3 zero = {0, 0, 0};
        double speed = i < 4 ? 0.1 : 2.0;
        (void)add(&d, box(0.5, 0.5, 1.5), abut_vec3_make(0, -0.5, 0), zero, 1, 0.0);
        (void)add(&d, box(0.5, 0.5, 1.5), abut_vec3_make(1, -0.4995, 0), zero, 1, 0.0);
        d.body = add(&d, box(0.25, 0.25, 0.25), abut_vec3_make(0.25 - 5.3 * speed * def.dt, 0.25, 0),
                     abut_vec3_make(speed, 0, 0), 0, 0.0);
        run(&d.s, 10);
        abut_body_state after = abut_world_get_body(d.s.world, d.body);
        CHECK(after.linear_velocity.x < 0.8 * speed, "%s, stepper %d, speed %g: it goes on at %g", methods[i % 2],
              i / 2 % 2, speed, after.linear_velocity.x);
        end_stage(&d.s);
    }
    CHECK_DONE();
}

// A box slides over a cliff and tips. No contact adds energy.
static void a_box_tips_without_gain(void **state)
{
    (void)state;
    static const char *const methods[] = {"regions", "convex"};
    for (int i = 0; i < 4; ++i) {
        abut_world_def def = falling();
        def.method = abut_method_find(methods[i % 2]);
        def.stepper = (abut_stepper)(i / 2);
        slide d = make_slide(CLIFF, 0.5, 0.4, &def, abut_quat_identity());
        abut_world_energy e = abut_world_get_energy(d.s.world);
        double first = e.kinetic + e.potential, most = first;
        for (int k = 0; k < 80; ++k) {
            run(&d.s, 1);
            e = abut_world_get_energy(d.s.world);
            most = fmax(most, e.kinetic + e.potential);
        }
        abut_body_state after = abut_world_get_body(d.s.world, d.body);
        CHECK(after.center.y < 0.2, "it fell to %g", after.center.y);
        CHECK(most - first <= 1e-3 * d.mass * g * d.half, "%s, stepper %d: energy grew by %g of m g h",
              methods[i % 2], i / 2, (most - first) / (d.mass * g * d.half));
        end_stage(&d.s);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions_slide_freely),       cmocka_unit_test(convex_bodies_slide_freely),
        cmocka_unit_test(events_slide_freely),        cmocka_unit_test(events_keep_energy),
        cmocka_unit_test(dependent_rows_have_forces), cmocka_unit_test(a_true_step_is_hit),
        cmocka_unit_test(a_box_tips_without_gain),
    };
    return cmocka_run_group_tests_name("sliding", tests, NULL, NULL);
}
