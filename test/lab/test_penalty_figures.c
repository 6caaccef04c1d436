// SPDX-License-Identifier: MIT
// test_penalty_figures.c: short forms of the figures of Tang et al. 2012 that docs/reproduction.md has whole
#include "check.h"
#include "effort.h"

#include <abut-lab/simulation.h>
#include <abut/response.h>
#include <abut/soft.h>

enum { STEPS = 150 };
static const double PI = 3.14159265358979323846;

/// What a run left.
typedef struct course {
    double force[STEPS]; ///< length of the mean force of a step of the scene on the fixed bodies
    double mean, impulse, roughness;
    double depth;  ///< the deepest contact at the end
    double height; ///< mean of the centres of free bodies at the end
    double fastest;
} course;

static int triangle_count(const abut_setup *setup)
{
    int count = 0;
    for (int i = 0; i < setup->body_count; ++i) {
        count += abut_mesh_get_elements(setup->meshes[setup->bodies[i].mesh].mesh).triangle_count;
    }
    return count;
}

static abut_simulation *start(abut_setup *setup)
{
    abut_simulation *made = NULL;
    abut_error error = {.text = ""};
    abut_world_def def = abut_setup_world_def(setup);
    CHECK_STATUS(abut_simulation_create(NULL, setup, &def, &made, &error), ABUT_OK, error.text);
    assert_non_null(made);
    return made;
}

/// The share of the power above a tenth of the sampling frequency.
static double roughness(const double *values, int n)
{
    double high = 0.0, whole = 0.0;
    for (int k = 0; k <= n / 2; ++k) {
        double re = 0.0, im = 0.0;
        for (int i = 0; i < n; ++i) {
            re += values[i] * cos(2.0 * PI * k * i / n);
            im += values[i] * sin(2.0 * PI * k * i / n);
        }
        double power = (k == 0 || 2 * k == n ? 1.0 : 2.0) * (re * re + im * im);
        whole += power;
        high += 10 * k > n ? power : 0.0;
    }
    return whole > 0.0 ? high / whole : 0.0;
}

static abut_vec3 force_on_fixed(const abut_simulation *s, const abut_setup *setup)
{
    abut_world_report report = abut_world_get_report(s->world);
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < report.contact_count; ++i) {
        const abut_world_contact *c = &report.contacts[i];
        abut_vec3 impulse = abut_add_scaled(c->impulse.tangent, c->impulse.normal, c->contact.normal);
        sum = abut_add_scaled(sum, setup->bodies[c->body_b].is_fixed - setup->bodies[c->body_a].is_fixed, impulse);
    }
    return abut_scale(1.0 / setup->dt, sum);
}

/// Nine rings fall over pins, for 5 s, in `parts` steps for each of the scene's.
static course run_rings(abut_response_kind kind, double stiffness, int parts)
{
    course out = {.mean = 0.0};
    abut_setup *setup = NULL;
    abut_error error = {.text = ""};
    CHECK_STATUS(abut_setup_create(NULL, "pin-rings", &setup, &error), ABUT_OK, error.text);
    assert_non_null(setup);
    CHECK_INT(setup->steps, STEPS, "steps");
    setup->response->kind = kind;
    setup->response->stiffness = stiffness;
    setup->dt /= parts;
    abut_simulation *s = start(setup);
    abut_vec3 impulse = {0.0, 0.0, 0.0};
    for (int i = 0; i < STEPS; ++i) {
        abut_vec3 force = {0.0, 0.0, 0.0};
        for (int k = 0; k < parts; ++k) {
            CHECK_STATUS(abut_world_step(s->world, &error), ABUT_OK, error.text);
            force = abut_add_scaled(force, 1.0 / parts, force_on_fixed(s, setup));
        }
        out.force[i] = abut_norm(force);
        out.mean += out.force[i] / STEPS;
        impulse = abut_add(impulse, force);
    }
    out.impulse = abut_norm(impulse);
    out.roughness = roughness(out.force, STEPS);
    abut_world_report report = abut_world_get_report(s->world);
    for (int i = 0; i < report.contact_count; ++i) {
        out.depth = fmax(out.depth, -report.contacts[i].contact.gap);
    }
    int free_count = 0;
    for (int i = 0; i < setup->body_count; ++i) {
        abut_body_state state = abut_world_get_body(s->world, i);
        out.height += setup->bodies[i].is_fixed ? 0.0 : state.center.y;
        out.fastest = fmax(out.fastest, setup->bodies[i].is_fixed ? 0.0 : abut_norm(state.linear_velocity));
        free_count += !setup->bodies[i].is_fixed;
    }
    out.height /= free_count;
    abut_simulation_destroy(s);
    abut_setup_destroy(setup);
    return out;
}

// Figure 15: with any stiffness the rings come to rest, and base and pins carry their weight. The softer, the lower they
// lie.
static void forces_by_stiffness(void **state)
{
    (void)state;
    const double weight = 9 * 4000.0 * 9.81;
    double lower = -HUGE_VAL;
    for (double k = 2000.0; k <= 8000.0; k *= 2.0) {
        if (is_slow_test() && k < 8000.0) {
            continue;
        }
        course c = run_rings(ABUT_RESPONSE_CPF, k, 1);
        double last = 0.0;
        for (int i = STEPS - 30; i < STEPS; ++i) {
            last += c.force[i] / 30;
        }
        CHECK(fabs(last / weight - 1.0) < 0.05, "k = %g: the last second carries %g of the weight", k,
              last / weight);
        CHECK(c.fastest < 1.0, "k = %g: speed %g", k, c.fastest);
        CHECK(c.height > lower, "k = %g: height %g after %g", k, c.height, lower);
        CHECK(k < 8000.0 || c.depth <= 0.2, "k = %g: depth %g", k, c.depth);
        lower = c.height;
    }
    CHECK_DONE();
}

// Figure 16 and section 5.2: the continuous force is smoother than the one at the end of steps of a third of the length, and
// the two are comparable: they carry the same.
static void smoother_than_a_third_of_the_step(void **state)
{
    (void)state;
    if (is_slow_test()) {
        skip();
    }
    course smooth = run_rings(ABUT_RESPONSE_CPF, 8000.0, 1);
    course other = run_rings(ABUT_RESPONSE_DISCRETE_CCD, 8000.0, 3);
    CHECK(fabs(other.mean / smooth.mean - 1.0) < 0.05, "mean forces %g and %g", other.mean, smooth.mean);
    CHECK(fabs(other.impulse / smooth.impulse - 1.0) < 0.05, "impulses %g and %g", other.impulse, smooth.impulse);
    CHECK(smooth.roughness < other.roughness, "roughness %g, discrete %g", smooth.roughness, other.roughness);
    CHECK_DONE();
}

/// The scenes of soft bodies, their triangles, and bounds of where they may be.
typedef struct soft_scene {
    const char *name;
    int triangles;
    double lowest, widest; ///< height of a vertex, and distance from the axis
    int short_steps;
} soft_scene;

static void check_places(const abut_simulation *s, const abut_setup *setup, const soft_scene *scene, int step)
{
    double lowest = HUGE_VAL, widest = 0.0;
    for (int i = 0; i < setup->body_count; ++i) {
        const abut_soft *soft = abut_world_body_soft(s->world, i);
        int count = soft != NULL ? abut_soft_get_state(soft).vertex_count : 0;
        for (int k = 0; k < count; ++k) {
            abut_vec3 p = abut_soft_get_state(soft).positions[k];
            lowest = fmin(lowest, p.y);
            widest = fmax(widest, hypot(p.x, p.z));
        }
    }
    CHECK(lowest >= scene->lowest, "%s, step %d: a vertex at height %g", scene->name, step, lowest);
    CHECK(widest <= scene->widest, "%s, step %d: a vertex %g from the axis", scene->name, step, widest);
}

// Figures 10 to 14: the paper has 15, 65 and 103 thousand triangles, ours have the numbers here. They begin without
// contacts that have no side, and their steps are short enough for all pairs. Energy never grows by more than a
// hundredth, and nothing leaves. The long form runs them to the end, where bodies cross nothing by more than the
// tolerance. The dragons do, so the long form fails: docs/reproduction.md has how deep they are.
static void soft_scenes(void **state)
{
    (void)state;
    static const soft_scene scenes[] = {{"octopus", 14232, -9.05, 9.0, 4},
                                        {"tori-on-cloth", 65000, -50.0, 71.0, 2},
                                        {"dragons", 101120, -0.05, 12.6, 1}};
    for (size_t n = 0; n < sizeof scenes / sizeof scenes[0]; ++n) {
        const soft_scene *scene = &scenes[n];
        abut_setup *setup = NULL;
        abut_error error = {.text = ""};
        CHECK_STATUS(abut_setup_create(NULL, scene->name, &setup, &error), ABUT_OK, error.text);
        assert_non_null(setup);
        CHECK_NEAR(triangle_count(setup), scene->triangles, 0.01 * scene->triangles, scene->name);
        abut_simulation *s = start(setup);
        abut_world_energy first = abut_world_get_energy(s->world);
        double begin = first.kinetic + first.potential + first.elastic, least = HUGE_VAL, depth = 0.0;
        int steps = is_long_test() && !is_slow_test() ? setup->steps : scene->short_steps;
        for (int i = 0; i < steps; ++i) {
            CHECK_STATUS(abut_world_step(s->world, &error), ABUT_OK, error.text);
            abut_world_report report = abut_world_get_report(s->world);
            abut_world_energy now = abut_world_get_energy(s->world);
            double whole = now.kinetic + now.potential + now.elastic;
            least = fmin(least, now.potential);
            CHECK(whole - begin <= 0.01 * (begin - least) + 1e-3 * fabs(begin), "%s, step %d: energy %g after %g",
                  scene->name, i, whole, begin);
            CHECK(report.without_side_count == 0, "%s, step %d: %d without a side", scene->name, i,
                  report.without_side_count);
            CHECK(report.contact_step == 0.0 || report.contact_step > setup->dt, "%s, step %d: %g", scene->name, i,
                  report.contact_step);
            depth = 0.0;
            for (int k = 0; k < report.contact_count; ++k) {
                depth = fmax(depth, -report.contacts[k].contact.gap);
            }
        }
        check_places(s, setup, scene, steps);
        CHECK(depth <= setup->response->tolerance, "%s: depth %g", scene->name, depth);
        abut_simulation_destroy(s);
        abut_setup_destroy(setup);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forces_by_stiffness),
                                       cmocka_unit_test(smoother_than_a_third_of_the_step),
                                       cmocka_unit_test(soft_scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
