// SPDX-License-Identifier: MIT
// test_soft_mechanics.c: soft bodies against closed forms of mechanics
#include "effort.h"
#include "soft_bodies.h"

/// One thread: ctest `soft` compares numbers of threads, and on a busy machine threads wait for each other.
static const abut_context *one_thread(void)
{
    static abut_context context;
    context = abut_context_default();
    context.worker_count = 1;
    return &context;
}

// A bar of length L and cross-section A, held at one end and pulled by F at the other, gets longer by F L / (E A). Without
// lateral contraction that is exact for the element, also for large strains: the energy is E/2 (stretch - 1)^2.
static void bars_get_longer(void **state)
{
    (void)state;
    const int cells[3] = {6, 2, 2};
    abut_vec3 size = {3.0, 0.5, 0.4};
    abut_mesh *mesh = make_bar(cells, size);
    abut_soft_material material = abut_soft_material_default();
    material.young = 200.0;
    abut_soft *soft = make_soft(one_thread(), mesh, &material);
    abut_soft_state body = abut_soft_get_state(soft);
    abut_vec3 *forces = calloc((size_t)body.vertex_count, sizeof *forces);
    assert_non_null(forces);
    // the shares of a uniform pull: each triangle of the end gives a third of its area to its corners
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    double pull = 8.0, area = size.y * size.z;
    for (int t = 0; t < e.triangle_count; ++t) {
        const int *c = &e.triangles[3 * t];
        abut_vec3 a = e.vertices[c[0]], b = e.vertices[c[1]], d = e.vertices[c[2]];
        if (a.x == size.x && b.x == size.x && d.x == size.x) {
            double share = 0.5 * abut_norm(abut_cross(abut_sub(b, a), abut_sub(d, a))) / area / 3.0;
            for (int k = 0; k < 3; ++k) {
                forces[c[k]].x += pull * share;
            }
        }
    }
    for (int i = 0; i < body.vertex_count; ++i) {
        if (e.vertices[i].x == 0.0) {
            abut_soft_set_pin(soft, i, 1);
        }
    }
    abut_soft_params params = abut_soft_params_default();
    params.forces = forces;
    params.accuracy = 1e-11;
    settle(soft, &params);
    double stretch = 1.0 + pull / (material.young * area);
    for (int i = 0; i < body.vertex_count; ++i) {
        CHECK_NEAR(body.positions[i].x, stretch * e.vertices[i].x, 1e-7, "uniform stretch");
        CHECK_NEAR(body.positions[i].y, e.vertices[i].y, 1e-7, "without contraction");
    }
    free(forces);
    abut_soft_destroy(soft);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// The tip of a cantilever under a small load F: F L^3 / (3 E I). Linear tetrahedra are too stiff; the error falls with the
// square of their size, so that two meshes extrapolate.
static double tip_deflection(int across)
{
    const double length = 12.0, height = 1.0, load = 1e-4;
    const int cells[3] = {12 * across, across, across};
    abut_mesh *mesh = make_bar(cells, abut_vec3_make(length, height, height));
    abut_soft_material material = abut_soft_material_default();
    material.young = 1000.0;
    abut_soft *soft = make_soft(one_thread(), mesh, &material);
    abut_soft_state body = abut_soft_get_state(soft);
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_vec3 *forces = calloc((size_t)body.vertex_count, sizeof *forces);
    assert_non_null(forces);
    double tip = 0.0;
    int end_count = (across + 1) * (across + 1);
    for (int i = 0; i < body.vertex_count; ++i) {
        if (e.vertices[i].x == 0.0) {
            abut_soft_set_pin(soft, i, 1);
        }
        forces[i].z = e.vertices[i].x == length ? -load / end_count : 0.0;
    }
    abut_soft_params params = abut_soft_params_default();
    params.forces = forces;
    params.accuracy = 1e-5;
    settle(soft, &params);
    for (int i = 0; i < body.vertex_count; ++i) {
        tip += e.vertices[i].x == length ? (body.positions[i].z - e.vertices[i].z) / end_count : 0.0;
    }
    free(forces);
    abut_soft_destroy(soft);
    abut_mesh_destroy(mesh);
    return tip / (-load * pow(length, 3.0) / (3.0 * material.young * pow(height, 4.0) / 12.0));
}

static void cantilevers_bend(void **state)
{
    (void)state;
    int coarse = is_slow_test() ? 2 : is_long_test() ? 6 : 4, fine = is_slow_test() ? 4 : is_long_test() ? 9 : 6;
    double first = tip_deflection(coarse), second = tip_deflection(fine);
    // first = limit - c / coarse^2, second = limit - c / fine^2
    double ratio = (double)(fine * fine) / (coarse * coarse), limit = second + (second - first) / (ratio - 1.0);
    CHECK(first < second && second < 1.0, "too stiff, less so if refined: %g, %g", first, second);
    CHECK_NEAR(limit, 1.0, is_slow_test() ? 0.1 : 0.02, "extrapolated, of beam theory");
    CHECK_DONE();
}

// A chain that hangs between two points, once it has come to rest: the horizontal tension is the same in all links, and the
// shape is the catenary y = a cosh(x / a), up to the squared length of a link.
static void chains_hang(void **state)
{
    (void)state;
    enum { LINKS = 40 };
    const double length = 1.5, span = 1.0;
    abut_mesh *mesh = make_rope(LINKS, length);
    abut_soft_material material = abut_soft_material_default();
    material.rope = 1e5;
    material.mass_damping = 5.0;
    abut_soft *soft = make_soft(one_thread(), mesh, &material);
    abut_soft_state body = abut_soft_get_state(soft);
    for (int i = 0; i <= LINKS; ++i) { // a slack start, not on a line
        double x = span * i / LINKS;
        abut_soft_set_vertex(soft, i, abut_vec3_make(x, 0.0, -0.5 * sin(PI * i / LINKS)), abut_vec3_make(0, 0, 0));
    }
    abut_soft_set_pin(soft, 0, 1);
    abut_soft_set_pin(soft, LINKS, 1);
    abut_soft_params params = abut_soft_params_default();
    params.gravity = abut_vec3_make(0, 0, -10.0);
    params.dt = 0.02;
    for (int i = 0; i < 1000; ++i) {
        (void)advance(soft, &params);
    }
    // a from length = 2 a sinh(span / (2 a))
    double low = 0.05, high = 10.0;
    for (int i = 0; i < 200; ++i) {
        double a = 0.5 * (low + high);
        *(2.0 * a * sinh(span / (2.0 * a)) > length ? &low : &high) = a;
    }
    double sag = low * (cosh(span / (2.0 * low)) - 1.0), tension = 0.0;
    for (int i = 0; i <= LINKS; ++i) {
        double x = body.positions[i].x - 0.5 * span, height = low * (cosh(x / low) - 1.0) - sag;
        CHECK_NEAR(body.positions[i].z, height, 2e-3 * sag, "on the catenary");
    }
    for (int i = 0; i < LINKS; ++i) {
        abut_vec3 link = abut_sub(body.positions[i + 1], body.positions[i]);
        double rest = length / LINKS, pull = material.rope * (abut_norm(link) - rest) / rest;
        double along = pull * link.x / abut_norm(link);
        tension = i == 0 ? along : tension;
        CHECK_NEAR(along, tension, 1e-4 * tension, "horizontal tension");
    }
    // a rope of weight w per length has the horizontal tension a w
    CHECK_NEAR(tension, low * 10.0, 5e-3 * tension, "tension of the catenary");
    abut_soft_destroy(soft);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// Two particles of mass m on a spring k: frequency sqrt(2 k / m), critical step 2 / sqrt(2 k / m); with damping beta the
// root of w^2 dt^2 + 2 beta w^2 dt = 4. Below it motions stay bounded, above they grow.
static void springs_vibrate(void **state)
{
    (void)state;
    abut_mesh *mesh = make_rope(1, 2.0);
    abut_soft_material material = abut_soft_material_default();
    material.rope = 18.0;        // k = 9
    material.line_density = 3.0; // m = 3
    double frequency = sqrt(2.0 * 9.0 / 3.0);
    for (int damped = 0; damped < 2; ++damped) {
        material.shape_damping = damped ? 0.1 : 0.0;
        abut_soft *soft = make_soft(one_thread(), mesh, &material);
        double w = frequency * frequency, b = material.shape_damping;
        double expected = (-b * w + sqrt(b * b * w * w + 4.0 * w)) / w;
        CHECK_NEAR(abut_soft_critical_step(soft), expected, 1e-6 * expected, "critical step");
        for (int above = 0; above < 2; ++above) {
            abut_soft_set_vertex(soft, 0, abut_vec3_make(0, 0, 0), abut_vec3_make(0, 0, 0));
            abut_soft_set_vertex(soft, 1, abut_vec3_make(2.01, 0, 0), abut_vec3_make(0, 0, 0));
            abut_soft_params params = abut_soft_params_default();
            params.integrator = ABUT_SOFT_EXPLICIT;
            params.dt = expected * (above ? 1.01 : 0.99);
            double largest = 0.0;
            for (int i = 0; i < 60; ++i) {
                (void)advance(soft, &params);
                abut_soft_state body = abut_soft_get_state(soft);
                largest = fmax(largest, fabs(abut_norm(abut_sub(body.positions[1], body.positions[0])) - 2.0));
            }
            CHECK(above ? largest > 0.1 : largest < 0.1, "largest excess %g", largest);
        }
        abut_soft_destroy(soft);
    }
    // a period, by the passage through the rest length, with a short step
    material.shape_damping = 0.0;
    abut_soft *soft = make_soft(one_thread(), mesh, &material);
    abut_soft_set_vertex(soft, 1, abut_vec3_make(2.1, 0, 0), abut_vec3_make(0, 0, 0));
    abut_soft_params params = abut_soft_params_default();
    params.integrator = ABUT_SOFT_EXPLICIT;
    params.dt = 1e-4;
    double last = 0.1, crossings[2] = {0};
    for (int i = 0, count = 0; count < 2; ++i) {
        (void)advance(soft, &params);
        abut_soft_state body = abut_soft_get_state(soft);
        double excess = body.positions[1].x - body.positions[0].x - 2.0;
        if (excess < 0.0 && last >= 0.0) {
            crossings[count++] = params.dt * (i + last / (last - excess));
        }
        last = excess;
    }
    CHECK_NEAR(crossings[1] - crossings[0], 2.0 * PI / frequency, 1e-5, "period");
    abut_soft_destroy(soft);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// The first longitudinal vibration of a bar held at one end has the frequency pi / (2 L) sqrt(E / rho).
static void bars_vibrate(void **state)
{
    (void)state;
    const int cells[3] = {20, 1, 1};
    const double length = 10.0;
    abut_mesh *mesh = make_bar(cells, abut_vec3_make(length, 0.5, 0.5));
    abut_soft_material material = abut_soft_material_default();
    material.young = 400.0;
    material.density = 4.0;
    abut_soft *soft = make_soft(one_thread(), mesh, &material);
    abut_soft_state body = abut_soft_get_state(soft);
    int tip = bar_vertex(cells, cells[0], 0, 0);
    for (int i = 0; i < body.vertex_count; ++i) {
        abut_vec3 p = body.positions[i];
        if (p.x == 0.0) {
            abut_soft_set_pin(soft, i, 1);
        }
        p.x += 1e-3 * sin(0.5 * PI * p.x / length);
        abut_soft_set_vertex(soft, i, p, abut_vec3_make(0, 0, 0));
    }
    abut_soft_params params = abut_soft_params_default();
    params.integrator = ABUT_SOFT_EXPLICIT;
    params.dt = 0.2 * abut_soft_critical_step(soft);
    double last = 1e-3, crossings[3] = {0};
    for (int i = 0, count = 0; count < 3 && i < 100000; ++i) {
        (void)advance(soft, &params);
        double excess = body.positions[tip].x - length;
        if (excess < 0.0 && last >= 0.0) {
            crossings[count++] = params.dt * (i + last / (last - excess));
        }
        last = excess;
    }
    double period = 2.0 * PI / (0.5 * PI / length * sqrt(material.young / material.density));
    CHECK_NEAR((crossings[2] - crossings[0]) / 2.0, period, 0.01 * period, "period");
    abut_soft_destroy(soft);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A sheet of equilateral triangles, rolled to a cylinder of large radius in any direction, has the energy bend / 2 per
// area and squared curvature; stretched in any direction, (stretch + shear) / (1 - 1/9) (e1^2 + e2^2 + 2/3 e1 e2) / 2.
static void sheets_resist(void **state)
{
    (void)state;
    enum { SIDE = 60 };
    abut_mesh *mesh = make_lattice(SIDE, SIDE);
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_vec3 none = {0, 0, 0};
    double area = 2.0 * SIDE * SIDE * sqrt(3.0) / 4.0;
    for (int k = 0; k < 5; ++k) {
        double angle = 0.3 * k, c = cos(angle), s = sin(angle), radius = 500.0, strain = 1e-4;
        abut_soft_material material = abut_soft_material_default();
        material.stretch = 50.0;
        material.shear = 20.0;
        material.bend = 3.0;
        abut_soft *soft = make_soft(one_thread(), mesh, &material);
        for (int i = 0; i < e.vertex_count; ++i) {
            double u = c * e.vertices[i].x + s * e.vertices[i].y, v = -s * e.vertices[i].x + c * e.vertices[i].y;
            u *= 1.0 + strain;
            abut_soft_set_vertex(soft, i, abut_vec3_make(u, v, 0.0), none);
        }
        double expected = 0.5 * 70.0 / (1.0 - 1.0 / 9.0) * strain * strain * area;
        CHECK_NEAR(abut_soft_get_energy(soft, none).elastic / expected, 1.0, 0.03, "stretched");
        abut_soft_destroy(soft);

        material.stretch = 1e-9;
        material.shear = 0.0;
        soft = make_soft(one_thread(), mesh, &material);
        for (int i = 0; i < e.vertex_count; ++i) {
            double u = c * e.vertices[i].x + s * e.vertices[i].y, v = -s * e.vertices[i].x + c * e.vertices[i].y;
            abut_vec3 p = {radius * sin(u / radius), v, radius * (1.0 - cos(u / radius))};
            abut_soft_set_vertex(soft, i, p, none);
        }
        expected = 0.5 * material.bend / (radius * radius) * area;
        CHECK_NEAR(abut_soft_get_energy(soft, none).elastic / expected, 1.0, 0.03, "rolled");
        abut_soft_destroy(soft);
    }
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A cloth pinned at two corners swings down and comes to rest below its pins, without gain of energy in any step.
static void cloths_hang(void **state)
{
    (void)state;
    enum { SIDE = 12 };
    abut_mesh *mesh = make_lattice(SIDE, SIDE);
    abut_soft_material material = abut_soft_material_default();
    material.stretch = 2000.0;
    material.shear = 500.0;
    material.bend = 0.5;
    material.mass_damping = 1.0;
    abut_soft *soft = make_soft(one_thread(), mesh, &material);
    abut_soft_set_pin(soft, 0, 1);
    abut_soft_set_pin(soft, SIDE, 1);
    abut_soft_params params = abut_soft_params_default();
    params.gravity = abut_vec3_make(0, 0, -10);
    params.dt = 0.05;
    params.accuracy = 1e-8;
    double last = INFINITY;
    int steps = is_slow_test() ? 60 : 300;
    for (int i = 0; i < steps; ++i) {
        abut_soft_report report = advance(soft, &params);
        abut_soft_energy energy = abut_soft_get_energy(soft, params.gravity);
        double total = energy.kinetic + energy.elastic + energy.potential;
        CHECK(report.is_converged, "step %d: %g after %d", i, report.residual, report.newton_count);
        CHECK(total <= last + 1e-6, "step %d: energy %g after %g", i, total, last);
        last = total;
    }
    if (!is_slow_test()) {
        abut_soft_energy energy = abut_soft_get_energy(soft, params.gravity);
        CHECK(energy.kinetic < 1e-2 && energy.center.z < -4.0 && fabs(energy.center.y) < 0.6,
              "at rest below the pins: %g, %g %g", energy.kinetic, energy.center.y, energy.center.z);
    }
    abut_soft_destroy(soft);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// Two particles of mass m on a spring k: an impulse J on the first one moves the centre by J / 2m, and the distance changes
// at the rate -J / m / (1 + 2 k dt^2 / m) after an implicit step, of -J / m after an explicit one; across the spring, at rest,
// the first one takes it all. Damping a brakes it by 1 + a dt after an implicit step.
static void impulses_go_through_the_step(void **state)
{
    (void)state;
    const double m = 0.5, k = 3000.0, dt = 0.02, along = 0.3, across = 0.7, damping = 4.0;
    abut_mesh *mesh = make_rope(1, 2.0);
    abut_soft_material material = abut_soft_material_default();
    material.line_density = m;
    material.rope = 2.0 * k;
    material.mass_damping = damping;
    for (int is_explicit = 0; is_explicit < 2; ++is_explicit) {
        abut_soft *soft = make_soft(NULL, mesh, &material);
        abut_soft_params params = abut_soft_params_default();
        params.dt = dt;
        params.integrator = is_explicit ? ABUT_SOFT_EXPLICIT : ABUT_SOFT_IMPLICIT;
        abut_error error = {.text = ""};
        CHECK_STATUS(abut_soft_accelerate(soft, &params, NULL, &error), ABUT_OK, error.text);
        abut_vec3 impulses[2] = {{along, across, 0.0}, {0.0, 0.0, (double)NAN}};
        CHECK_STATUS(abut_soft_add_impulses(soft, impulses, &error), ABUT_BAD_DATA, "not finite");
        CHECK_INT(error.element, 1, "the vertex is named");
        impulses[1].z = 0.0;
        CHECK_STATUS(abut_soft_add_impulses(soft, impulses, &error), ABUT_OK, error.text);
        const abut_vec3 *v = abut_soft_get_state(soft).velocities;
        double brake = is_explicit ? 1.0 : 1.0 + damping * dt;
        double whole = is_explicit ? m : m * brake + 2.0 * k * dt * dt;
        CHECK_NEAR(v[0].x + v[1].x, along / (m * brake), 1e-12, "centre");
        CHECK_NEAR(v[0].x - v[1].x, along / whole, 1e-12, "distance");
        CHECK_NEAR(v[0].y, across / (m * brake), 1e-12, "across");
        CHECK_NEAR(v[1].y, 0.0, 1e-12, "across, the other one");
        abut_soft_destroy(soft);
    }
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// Small impulses after a step do what forces in it do.
static void impulses_are_forces_of_the_step(void **state)
{
    (void)state;
    const int cells[3] = {5, 2, 2};
    abut_mesh *mesh = make_bar(cells, abut_vec3_make(5, 2, 2));
    abut_soft_material material = abut_soft_material_default();
    material.young = 1e4;
    material.poisson = 0.3;
    material.shape_damping = 0.01;
    int count = abut_mesh_get_elements(mesh).vertex_count;
    abut_vec3 *pushes = calloc((size_t)count, sizeof *pushes);
    assert_non_null(pushes);
    test_random random = {21};
    for (int i = 0; i < count; i += 3) {
        pushes[i] = abut_scale(1e-4, random_vec3(&random, 1.0));
    }
    abut_soft *ours = make_soft(NULL, mesh, &material), *theirs = make_soft(NULL, mesh, &material);
    for (int i = 0; i < 2; ++i) {
        CHECK_STATUS(abut_soft_set_pin(ours, i, 1), ABUT_OK, "pin");
        CHECK_STATUS(abut_soft_set_pin(theirs, i, 1), ABUT_OK, "pin");
    }
    abut_soft_params params = abut_soft_params_default();
    params.dt = 0.05;
    params.accuracy = 1e-12;
    abut_error error = {.text = ""};
    CHECK_STATUS(abut_soft_accelerate(ours, &params, NULL, &error), ABUT_OK, error.text);
    params.forces = pushes;
    CHECK_STATUS(abut_soft_accelerate(theirs, &params, NULL, &error), ABUT_OK, error.text);
    for (int i = 0; i < count; ++i) {
        pushes[i] = abut_scale(params.dt, pushes[i]);
    }
    CHECK_STATUS(abut_soft_add_impulses(ours, pushes, &error), ABUT_OK, error.text);
    const abut_vec3 *a = abut_soft_get_state(ours).velocities, *b = abut_soft_get_state(theirs).velocities;
    double largest = 0.0, apart = 0.0;
    for (int i = 0; i < count; ++i) {
        largest = fmax(largest, abut_norm(b[i]));
        apart = fmax(apart, abut_norm(abut_sub(a[i], b[i])));
    }
    CHECK(largest > 1e-6 && apart < 1e-4 * largest, "velocities up to %g differ by %g", largest, apart);
    abut_soft_destroy(ours);
    abut_soft_destroy(theirs);
    abut_mesh_destroy(mesh);
    free(pushes);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulses_go_through_the_step),
        cmocka_unit_test(impulses_are_forces_of_the_step),
        cmocka_unit_test(bars_get_longer),
        cmocka_unit_test(cantilevers_bend),
        cmocka_unit_test(chains_hang),
        cmocka_unit_test(springs_vibrate),
        cmocka_unit_test(bars_vibrate),
        cmocka_unit_test(sheets_resist),
        cmocka_unit_test(cloths_hang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
