// SPDX-License-Identifier: MIT
// test_concave_scenes.c: energy, jumps and escapes in scenes of bodies that are not convex
#include "check.h"
#include "effort.h"

#include <abut-lab/simulation.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_STEPS = 1000, MOST_BODIES = 256 };

/// What happened in a run. m, L: mass and size of the heaviest body.
typedef struct course {
    int steps;
    double excess; ///< of energy over the initial one, of m g L
    double rise;   ///< the largest of energy in a step, of m g L
    double jump;   ///< displacement of a centre beyond speed times dt, of L; see find_speeds()
    double motion; ///< kinetic energy at the end, of m g L
    int worst;     ///< step of `rise`
    int escaped;   ///< the first body that left the scene; -1: none
} course;

static double energy_of(const abut_world *world)
{
    abut_world_energy energy = abut_world_get_energy(world);
    return energy.kinetic + energy.potential;
}

static int is_outside(abut_vec3 p, abut_box box)
{
    return p.x < box.lower.x || p.y < box.lower.y || p.z < box.lower.z || p.x > box.upper.x || p.z > box.upper.z;
}

/// Where bodies may be: in the box of all bodies of the start, and a little around it. Nothing is above.
static abut_box room_of(const abut_setup *setup)
{
    abut_box room = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (int i = 0; i < setup->body_count; ++i) {
        abut_box box = abut_mesh_get_elements(setup->meshes[setup->bodies[i].mesh].mesh).bounds;
        for (int k = 0; k < 8; ++k) {
            abut_vec3 corner = {k & 1 ? box.lower.x : box.upper.x, k & 2 ? box.lower.y : box.upper.y,
                                k & 4 ? box.lower.z : box.upper.z};
            corner = abut_pose_apply(setup->bodies[i].pose, corner);
            room.lower = abut_min(room.lower, corner);
            room.upper = abut_max(room.upper, corner);
        }
    }
    return room;
}

/// The speed of a point of a body.
static double point_speed(const abut_body_state *body, abut_vec3 point)
{
    abut_vec3 arm = abut_sub(point, body->center);
    return abut_norm(abut_add(body->linear_velocity, abut_cross(body->angular_velocity, arm)));
}

/// How fast the centre of each body can have been in the step. Within a step a body may be hit, and stopped: then its
/// velocities of the beginning and the end do not tell. But it was not faster than the point that hit it: what is pushed
/// at a point moves slower at its centre than there, and nothing bounces.
static void find_speeds(const abut_world *world, int count, const abut_body_state *before, double *speeds)
{
    abut_world_report report = abut_world_get_report(world);
    for (int i = 0; i < count; ++i) {
        abut_body_state body = abut_world_get_body(world, i);
        speeds[i] = fmax(abut_norm(before[i].linear_velocity), abut_norm(body.linear_velocity));
    }
    for (int i = 0; i < report.contact_count && report.cut_count > 0; ++i) {
        const abut_world_contact *c = &report.contacts[i];
        const int bodies[2] = {c->body_a, c->body_b};
        for (int k = 0; k < 2; ++k) {
            abut_body_state after = abut_world_get_body(world, bodies[k]);
            double hit = fmax(point_speed(&before[bodies[k]], c->contact.position),
                              point_speed(&after, c->contact.position));
            speeds[bodies[1 - k]] = fmax(speeds[bodies[1 - k]], hit);
        }
    }
}

static course simulate(const char *name, int steps)
{
    course c = {.escaped = -1, .excess = -HUGE_VAL};
    abut_error error = {.text = ""};
    abut_setup *setup = NULL;
    abut_simulation *simulation = NULL;
    assert_int_equal(abut_setup_create(NULL, name, &setup, &error), ABUT_OK);
    abut_world_def def = abut_setup_world_def(setup);
    assert_int_equal(abut_simulation_create(NULL, setup, &def, &simulation, &error), ABUT_OK);
    abut_world *world = simulation->world;
    assert_true(setup->body_count <= MOST_BODIES);
    static abut_body_state before[MOST_BODIES];
    static double speeds[MOST_BODIES];
    abut_box room = room_of(setup);
    double mass = 0.0, size = 0.0;
    for (int i = 0; i < setup->body_count; ++i) {
        before[i] = abut_world_get_body(world, i);
        if (before[i].mass > mass) {
            mass = before[i].mass;
            size = abut_box_diagonal(abut_mesh_get_elements(setup->meshes[setup->bodies[i].mesh].mesh).bounds);
        }
    }
    // the links hang lower than they start: by less than the length of the chain
    double margin = strcmp(name, "links") == 0 ? 6.0 : 0.1 * size;
    room.lower = abut_sub(room.lower, abut_vec3_make(margin, margin, margin));
    room.upper = abut_add(room.upper, abut_vec3_make(margin, margin, margin));
    double unit = mass * abut_norm(setup->gravity) * size, first = energy_of(world), last = first;
    for (; c.steps < steps && abut_world_step(world, &error) == ABUT_OK; ++c.steps) {
        double now = energy_of(world);
        if ((now - last) / unit > c.rise) {
            c.rise = (now - last) / unit;
            c.worst = c.steps + 1;
        }
        c.excess = fmax(c.excess, (now - first) / unit);
        last = now;
        find_speeds(world, setup->body_count, before, speeds);
        for (int i = 0; i < setup->body_count; ++i) {
            abut_body_state body = abut_world_get_body(world, i);
            double way = abut_norm(abut_sub(body.center, before[i].center));
            c.jump = fmax(c.jump, (way - speeds[i] * def.dt) / size);
            c.escaped = c.escaped < 0 && is_outside(body.center, room) ? i : c.escaped;
            before[i] = body;
        }
    }
    c.motion = abut_world_get_energy(world).kinetic / unit;
    CHECK(c.steps == steps, "%s: %s", name, error.text);
    if (is_long_test() || getenv("ABUT_TEST_SHOW") != NULL) {
        printf("%s: %d steps, energy %.3g over the first, at most %.3g up in a step (%d), jump %.3g, escaped %d, "
               "motion %.3g\n",
               name, c.steps, c.excess, c.rise, c.worst, c.jump, c.escaped, c.motion);
    }
    abut_simulation_destroy(simulation);
    abut_setup_destroy(setup);
    return c;
}

/// The limits: energy never above the initial one, at most 1e-3 m g L up in a step, no centre displaced by more than its
/// speed times dt and a thousandth of the size, no body outside, and in the end rest (the links swing).
///
/// Rounding takes 1e-12, and the first step in which a domino tips 7e-11: how it turns after the step is not known before.
static void check_scene(const char *name, int short_steps)
{
    int steps = is_long_test() ? LONG_STEPS : short_steps;
    course c = simulate(name, steps);
    CHECK(c.excess <= 1e-9, "%s: %g m g L above the first energy", name, c.excess);
    CHECK(c.rise <= 1e-3, "%s: %g m g L up in step %d", name, c.rise, c.worst);
    CHECK(c.jump <= 1e-3, "%s: a jump of %g sizes", name, c.jump);
    CHECK_INT(c.escaped, -1, name);
    CHECK(!is_long_test() || strcmp(name, "links") == 0 || c.motion <= 1e-6, "%s: %g m g L in motion", name,
          c.motion);
}

static void bodies_pour(void **state)
{
    (void)state;
    check_scene("pour", 10);
    CHECK_DONE();
}

static void jacks_fill_a_funnel(void **state)
{
    (void)state;
    check_scene("funnel", 10);
    CHECK_DONE();
}

static void links_swing(void **state)
{
    (void)state;
    check_scene("links", 40);
    CHECK_DONE();
}

static void a_bolt_stays_in_its_nut(void **state)
{
    (void)state;
    check_scene("bolt", 40);
    CHECK_DONE();
}

static void dominoes_fall(void **state)
{
    (void)state;
    check_scene("dominoes", 100);
    CHECK_DONE();
}

static void u_land(void **state)
{
    (void)state;
    check_scene("landings", 60);
    CHECK_DONE();
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]); // one scene takes minutes in the long form
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u_land),      cmocka_unit_test(dominoes_fall), cmocka_unit_test(a_bolt_stays_in_its_nut),
        cmocka_unit_test(links_swing), cmocka_unit_test(bodies_pour),   cmocka_unit_test(jacks_fill_a_funnel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
