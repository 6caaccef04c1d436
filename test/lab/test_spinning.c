// SPDX-License-Identifier: MIT
// test_spinning.c: polyhedra that spin without slip: answers on paper
#include "check.h"

#include <abut-lab/spinning.h>

static abut_spin_report run_of(const abut_spin_params *params, const char *method, int steps)
{
    static abut_spin_report report;
    abut_setup *setup = NULL;
    abut_error error = {0};
    abut_status status = abut_spin_setup(NULL, params, &setup, &error);
    CHECK(status == ABUT_OK, "%s: %s", params->scene, error.text);
    if (status != ABUT_OK) {
        return report;
    }
    setup->steps = steps;
    abut_world_def def = abut_setup_world_def(setup);
    def.method = abut_method_find(method);
    status = abut_spin_run(NULL, setup, &def, &report, &error);
    CHECK(status == ABUT_OK && report.error.status == ABUT_OK, "%s: %s %s", params->scene, error.text,
          report.error.text);
    abut_setup_destroy(setup);
    return report;
}

// A sphere of any number of vertices: all are on the sphere and in the hull. The centre of mass is on the y axis,
// which is a principal axis; the moments about the other two are equal. With more vertices the volume grows towards
// that of the sphere, 32 pi / 3 for the radius 2.
static void spheres_are_symmetric(void **state)
{
    (void)state;
    const int counts[] = {8, 9, 10, 50, 57, 100, 200, 1000, 2000};
    double last = 0.0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        abut_mesh *mesh = NULL;
        abut_error error;
        CHECK_STATUS(abut_sphere_create(NULL, counts[i], 2.0, &mesh, &error), ABUT_OK, "sphere");
        abut_mesh_elements e = abut_mesh_get_elements(mesh);
        CHECK_INT(e.vertex_count, counts[i], "vertices");
        for (int k = 0; k < e.vertex_count; ++k) {
            CHECK_NEAR(abut_norm(e.vertices[k]), 2.0, 1e-14, "radius");
        }
        CHECK_NEAR(e.vertices[0].y, -2.0, 0.0, "pole");
        abut_mass mass;
        CHECK_STATUS(abut_mesh_mass(mesh, &mass, &error), ABUT_OK, "mass");
        CHECK_NEAR(hypot(mass.center.x, mass.center.z), 0.0, 1e-14, "centre");
        CHECK_NEAR(mass.inertia.x.x, mass.inertia.z.z, 1e-12, "inertia");
        CHECK_NEAR(fabs(mass.inertia.x.y) + fabs(mass.inertia.y.z) + fabs(mass.inertia.z.x), 0.0, 1e-12,
                   "products");
        CHECK(mass.mass > last && mass.mass < 32.0 * 3.14159265358979 / 3.0, "volume %g", mass.mass);
        last = mass.mass;
        abut_mesh_destroy(mesh);
    }
    CHECK_NEAR(last, 32.0 * 3.14159265358979 / 3.0, 0.15, "volume");
    abut_mesh *none = NULL;
    CHECK_STATUS(abut_sphere_create(NULL, 3, 1.0, &none, NULL), ABUT_BAD_ARGUMENT, "too few");
    CHECK_DONE();
}

// A force at a point of the axis has no moment about the axis. So a body that spins on a vertex below its centre of
// mass keeps its spin and all its energy, like a free body. Such a top falls over because of rounding errors, but only
// after more than the 2 s of this test.
static void a_vertex_keeps_the_energy(void **state)
{
    (void)state;
    const char *const methods[] = {"convex", "regions"};
    int count;
    const char *const *scenes = abut_spin_names(&count);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 2; ++k) {
            abut_spin_params params = abut_spin_params_default(scenes[i]);
            params.vertices = 100;
            abut_spin_report report = run_of(&params, methods[k], 2000);
            CHECK_NEAR(report.least_kept, 1.0, 1e-9, scenes[i]);
            CHECK_NEAR(report.kept, 1.0, 1e-9, scenes[i]);
            CHECK(isnan(report.stop_time), "%s stopped", scenes[i]);
            CHECK(report.contact_most == 1 && report.contact_mean == 1.0, "%s: contacts", scenes[i]);
        }
    }
    CHECK_DONE();
}

// If two points of a face cannot slip, the body cannot rotate about the normal: it stops in the first step. A face of
// a sphere has three vertices, one of the cube four. Two triangles on each other, rotated by any angle about their
// common centre, meet in three to six corners.
static void a_face_stops(void **state)
{
    (void)state;
    int count;
    const char *const *scenes = abut_spin_names(&count);
    const double dts[] = {0.001, 0.01};
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 2; ++k) {
            abut_spin_params params = abut_spin_params_default(scenes[i]);
            params.start = ABUT_SPIN_FACE;
            params.dt = dts[k];
            abut_spin_report report = run_of(&params, "convex", 20);
            CHECK_NEAR(report.stop_time, dts[k], 0.0, scenes[i]);
            CHECK(report.kept < 1e-12, "%s: %g is left", scenes[i], report.kept);
            CHECK(report.contact_most >= 3 && report.contact_most <= 6, "%s: %d contacts", scenes[i],
                  report.contact_most);
        }
    }
    CHECK_DONE();
}

// A sphere on a fixed one of any size keeps its energy on a vertex, and stops on a face.
static void sizes_do_not_matter(void **state)
{
    (void)state;
    const double radii[] = {0.01, 0.1, 10.0, 100.0};
    for (size_t i = 0; i < sizeof radii / sizeof radii[0]; ++i) {
        abut_spin_params params = abut_spin_params_default("rolling-spheres");
        params.radius = radii[i];
        abut_spin_report report = run_of(&params, "convex", 500);
        CHECK_NEAR(report.kept, 1.0, 1e-9, "vertex");
        params.start = ABUT_SPIN_FACE;
        report = run_of(&params, "convex", 100);
        CHECK(report.stop_time < 0.05 && report.kept < 1e-9, "radius %g: stops at %g", radii[i], report.stop_time);
    }
    CHECK_DONE();
}

// Whatever its rotation, a body touches at the start, its energy never grows, and the same seed gives the same run.
static void random_starts_touch(void **state)
{
    (void)state;
    int count;
    const char *const *scenes = abut_spin_names(&count);
    for (int i = 0; i < count; ++i) {
        abut_spin_params params = abut_spin_params_default(scenes[i]);
        params.start = ABUT_SPIN_RANDOM;
        double first = NAN;
        for (int seed = 0; seed < 4; ++seed) {
            params.seed = (uint64_t)(seed % 3);
            abut_spin_report report = run_of(&params, "convex", 200);
            CHECK_INT(report.samples[3].contacts > 0, 1, "a contact at the beginning");
            CHECK(report.total_kept <= 1.0 + 1e-9, "%s, seed %d: energy %g", scenes[i], seed, report.total_kept);
            CHECK(report.kept < 0.999, "%s, seed %d: it lost nothing", scenes[i], seed);
            first = seed == 0 ? report.kept : first;
            CHECK(seed != 3 || report.kept == first, "%s: two runs of a seed", scenes[i]);
        }
    }
    CHECK_DONE();
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    abut_error error;
    abut_setup *setup = NULL;
    abut_spin_params params = abut_spin_params_default("spinning-top");
    CHECK_STATUS(abut_spin_setup(NULL, &params, &setup, &error), ABUT_BAD_ARGUMENT, "scene");
    params = abut_spin_params_default("spinning-box");
    params.radius = NAN;
    CHECK_STATUS(abut_spin_setup(NULL, &params, &setup, &error), ABUT_BAD_ARGUMENT, "radius");
    const double dts[] = {1e-300, 4e-9, 6.0, 0.0, -1.0, NAN};
    for (size_t i = 0; i < sizeof dts / sizeof dts[0]; ++i) {
        params = abut_spin_params_default("spinning-box");
        params.dt = dts[i];
        CHECK_STATUS(abut_spin_setup(NULL, &params, &setup, &error), ABUT_BAD_ARGUMENT, "dt");
        CHECK(strstr(error.text, "dt ") != NULL, "text: %s", error.text);
    }
    params = abut_spin_params_default("spinning-sphere");
    params.vertices = -5;
    CHECK_STATUS(abut_spin_setup(NULL, &params, &setup, &error), ABUT_BAD_ARGUMENT, "vertices");
    CHECK(strstr(error.text, "-5") != NULL, "text: %s", error.text);
    CHECK(setup == NULL, "nothing is made");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_are_symmetric), cmocka_unit_test(a_vertex_keeps_the_energy),
        cmocka_unit_test(a_face_stops),          cmocka_unit_test(sizes_do_not_matter),
        cmocka_unit_test(random_starts_touch),   cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests_name("spinning", tests, NULL, NULL);
}
