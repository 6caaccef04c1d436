// SPDX-License-Identifier: MIT
// test_buildings.c: the temple stands, and jacks fall through the funnel but not through its wall
#include "check.h"
#include "effort.h"

#include <abut-lab/simulation.h>

static abut_setup *make_setup(const char *name)
{
    abut_setup *setup = NULL;
    abut_error error;
    abut_status status = abut_setup_create(NULL, name, &setup, &error);
    CHECK(status == ABUT_OK, "%s: %s", name, error.text);
    assert_non_null(setup);
    return setup;
}

static abut_simulation *start(const abut_setup *setup)
{
    abut_world_def def = abut_setup_world_def(setup);
    abut_simulation *simulation = NULL;
    abut_error error;
    abut_status status = abut_simulation_create(NULL, setup, &def, &simulation, &error);
    CHECK(status == ABUT_OK, "%s: %s", setup->name, error.text);
    assert_non_null(simulation);
    return simulation;
}

// 3 steps, 44 pillars of 5 drums, 24 beams, 7 gables of 10 bricks with 4 at the ends, 6 spans of 6 slabs and a ridge:
// 363 stones. All rest on others and no overlap is large, so nothing moves.
static void the_temple_stands(void **state)
{
    (void)state;
    abut_setup *setup = make_setup("temple");
    CHECK_INT(setup->body_count, 1 + 3 + 44 * 5 + 24 + 7 * 10 + 4 + 6 * 7, "bodies");
    abut_simulation *simulation = start(setup);
    int first_count = 0;
    for (int i = 0; i < (is_long_test() ? 500 : 10); ++i) {
        abut_error error;
        abut_status status = abut_world_step(simulation->world, &error);
        CHECK(status == ABUT_OK, "step %d: %s", i, error.text);
        abut_world_report report = abut_world_get_report(simulation->world);
        first_count = i == 0 ? report.contact_count : first_count;
        CHECK_INT(report.contact_count, first_count, "contacts");
    }
    for (int i = 0; i < setup->body_count; ++i) {
        abut_vec3 now = abut_world_get_body(simulation->world, i).pose.position;
        double moved = abut_norm(abut_sub(now, setup->bodies[i].pose.position));
        CHECK(moved < 1e-6, "%s moved by %g", setup->bodies[i].name, moved);
    }
    abut_simulation_destroy(simulation);
    abut_setup_destroy(setup);
    CHECK_DONE();
}

static abut_mass mass_of(const abut_setup *setup, int body)
{
    abut_mass mass = {.mass = 0.0};
    abut_error error;
    abut_status status = abut_mesh_mass(setup->meshes[setup->bodies[body].mesh].mesh, &mass, &error);
    CHECK(status == ABUT_OK, "%s: %s", setup->bodies[body].name, error.text);
    return mass;
}

static double frustum(double height, double lower, double upper)
{
    return height / 3.0 * (lower * lower + lower * upper + upper * upper);
}

// A jack is a cube of 0.14 and six arms of square section: 0.19 long and 0.14 wide, then widening to 0.26 over 0.08,
// then narrowing to 0.18 over 0.11. It looks the same from all six sides, so its moments of inertia are equal. The
// funnel's volume is (n / 2) sin(2 pi / n) times the sum of (r^2 + r r' + r'^2) (y' - y) / 3 over its section.
static void meshes_have_their_volumes(void **state)
{
    (void)state;
    abut_setup *setup = make_setup("funnel");
    abut_mass jack = mass_of(setup, 2), funnel = mass_of(setup, 1);
    double arm = 0.19 * 0.14 * 0.14 + frustum(0.08, 0.14, 0.26) + frustum(0.11, 0.26, 0.18);
    CHECK_NEAR(jack.mass, 0.14 * 0.14 * 0.14 + 6.0 * arm, 1e-12, "volume of a jack");
    CHECK_NEAR(abut_norm(jack.center), 0.0, 1e-14, "centre of a jack");
    CHECK_NEAR(jack.inertia.x.x, jack.inertia.y.y, 1e-14, "inertia");
    CHECK_NEAR(jack.inertia.y.y, jack.inertia.z.z, 1e-14, "inertia");
    const double section[6][2] = {{9.5, 14.0}, {2.0, 6.5}, {2.0, 4.0}, {2.5, 4.0}, {2.5, 6.3}, {10.0, 13.8}};
    double sum = 0.0;
    for (int i = 0; i < 6; ++i) {
        double r = section[i][0], next = section[(i + 1) % 6][0], rise = section[(i + 1) % 6][1] - section[i][1];
        sum += (r * r + r * next + next * next) * rise / 3.0;
    }
    CHECK_NEAR(funnel.mass, 12.0 * sin(3.14159265358979323846 / 12.0) * sum, 1e-9, "volume of the funnel");
    abut_convex *convex = NULL;
    CHECK_STATUS(abut_convex_create(NULL, setup->meshes[setup->bodies[2].mesh].mesh, NULL, &convex, NULL),
                 ABUT_UNSUPPORTED, "a jack is not convex");
    abut_setup_destroy(setup);
    CHECK_DONE();
}

/// How far a point is outside the cavity of the funnel, a cone with a pipe below it; 0 above and below the funnel.
static double outside(abut_vec3 p)
{
    double r = hypot(p.x, p.z);
    if (p.y > 14.0 || p.y < 4.0) {
        return 0.0;
    }
    return fmax(0.0, r - (p.y > 6.5 ? 2.0 + (p.y - 6.5) : 2.0));
}

// The centre of a jack that fell through the wall would be outside the cavity before the jack leaves the pipe.
// Contacts only take energy away, except that stabilisation may raise a body, by at most its speed limit of 0.08 m/s in a
// step. In 3 s, which only the long test simulates, most jacks come through.
static void jacks_stay_in_the_funnel(void **state)
{
    (void)state;
    abut_setup *setup = make_setup("funnel");
    abut_simulation *simulation = start(setup);
    int steps = is_long_test() ? 300 : 95, through = 0, touching = 0;
    double before = HUGE_VAL, weight = 0.0;
    for (int i = 2; i < setup->body_count; ++i) {
        weight += abut_world_get_body(simulation->world, i).mass * abut_norm(setup->gravity);
    }
    for (int i = 0; i < steps; ++i) {
        abut_error error;
        abut_status status = abut_world_step(simulation->world, &error);
        CHECK(status == ABUT_OK, "step %d: %s", i, error.text);
        abut_world_energy energy = abut_world_get_energy(simulation->world);
        double total = energy.kinetic + energy.potential;
        CHECK(total < before + weight * 0.08 * setup->dt, "step %d: energy %g after %g", i, total, before);
        before = total;
        touching += abut_world_get_report(simulation->world).contact_count > 0;
        for (int k = 2; k < setup->body_count; ++k) {
            double out = outside(abut_world_get_body(simulation->world, k).center);
            CHECK(out == 0.0, "step %d: %s is outside by %g", i, setup->bodies[k].name, out);
        }
    }
    for (int k = 2; k < setup->body_count; ++k) {
        through += abut_world_get_body(simulation->world, k).center.y < 4.0;
    }
    CHECK(touching > 10, "there were contacts in %d steps", touching);
    CHECK(!is_long_test() || through > 80, "%d of 100 came through", through);
    abut_simulation_destroy(simulation);
    abut_setup_destroy(setup);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_temple_stands),
        cmocka_unit_test(meshes_have_their_volumes),
        cmocka_unit_test(jacks_stay_in_the_funnel),
    };
    return cmocka_run_group_tests_name("buildings", tests, NULL, NULL);
}
