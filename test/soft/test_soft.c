// SPDX-License-Identifier: MIT
// test_soft.c: forces, energies and momenta of soft bodies, their steps, and bad input
#include "soft_bodies.h"
#include "threaded.h"

#include "soft/soft.h"

static abut_soft_material solid_material(void)
{
    abut_soft_material m = abut_soft_material_default();
    m.young = 1000.0;
    m.poisson = 0.3;
    return m;
}

static abut_soft_material cloth_material(void)
{
    abut_soft_material m = abut_soft_material_default();
    m.stretch = 100.0;
    m.shear = 30.0;
    m.bend = 2.0;
    return m;
}

// Moves all vertices by random lengths.
static void shake(abut_soft *soft, test_random *random, double size)
{
    abut_soft_state state = abut_soft_get_state(soft);
    for (int i = 0; i < state.vertex_count; ++i) {
        abut_vec3 place = abut_add(state.positions[i], random_vec3(random, size));
        abut_soft_set_vertex(soft, i, place, random_vec3(random, 1.0));
    }
}

// The rotation of R S, S symmetric positive definite, is R. For any matrix no rotation has a larger trace of R^T F than the
// one found: random ones, and small turns of it.
static void rotations_are_nearest(void **state)
{
    (void)state;
    test_random random = {7};
    for (int i = 0; i < 2000; ++i) {
        double scale = pow(10.0, random_in(&random, -30.0, 30.0)), best = 0.0;
        abut_mat3 f = {random_vec3(&random, scale), random_vec3(&random, scale), random_vec3(&random, scale)};
        if (i % 3 == 1) { // flat
            f.z = abut_add(f.x, abut_scale(0.5, f.y));
        }
        if (i % 50 == 2) { // a line
            f.y = f.z = f.x;
        }
        abut_mat3 r = abut_nearest_rotation(f);
        abut_mat3 square = abut_mat3_multiply(abut_mat3_transpose(r), r);
        double size = abut_norm(f.x) + abut_norm(f.y) + abut_norm(f.z);
        CHECK_NEAR(abut_norm(abut_sub(square.x, abut_vec3_make(1, 0, 0))) +
                       abut_norm(abut_sub(square.y, abut_vec3_make(0, 1, 0))) +
                       abut_norm(abut_sub(square.z, abut_vec3_make(0, 0, 1))),
                   0.0, 1e-14, "orthonormal");
        CHECK_NEAR(abut_mat3_determinant(r), 1.0, 1e-14, "not a reflection");
        best = abut_dot(r.x, f.x) + abut_dot(r.y, f.y) + abut_dot(r.z, f.z);
        for (int k = 0; k < 20; ++k) {
            abut_quat turn = abut_quat_from_axis(random_unit(&random),
                                                 k < 10 ? random_in(&random, -3.14, 3.14) : pow(10.0, -k / 4.0));
            abut_mat3 other = abut_mat3_multiply(abut_quat_matrix(turn), r);
            double trace = abut_dot(other.x, f.x) + abut_dot(other.y, f.y) + abut_dot(other.z, f.z);
            CHECK(trace <= best + 1e-14 * size, "matrix %d: %.17g above %.17g", i, trace, best);
        }
    }
    abut_mat3 zero = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    CHECK_NEAR(abut_nearest_rotation(zero).x.x, 1.0, 0.0, "no matrix");
    CHECK_DONE();
}

// Forces are the negative gradient of the elastic energy, by central differences, for small and large deformations. They
// keep linear and angular momentum, whatever the deformation.
static void check_forces(abut_soft *soft, const char *label)
{
    abut_soft_state state = abut_soft_get_state(soft);
    abut_vec3 *forces = malloc((size_t)state.vertex_count * sizeof *forces), none = {0, 0, 0};
    abut_vec3 total = {0, 0, 0}, torque = {0, 0, 0};
    double size = 0.0;
    assert_non_null(forces);
    abut_soft_get_forces(soft, forces);
    for (int i = 0; i < state.vertex_count; ++i) {
        abut_vec3 x = state.positions[i];
        total = abut_add(total, forces[i]);
        torque = abut_add(torque, abut_cross(x, forces[i]));
        size += abut_norm(forces[i]);
    }
    CHECK(size > 0.1, "%s: there are forces", label);
    CHECK(abut_norm(total) <= 1e-14 * size, "%s: linear momentum", label);
    CHECK(abut_norm(torque) <= 1e-13 * size * 8.0, "%s: angular momentum", label);
    for (int i = 0; i < state.vertex_count; ++i) {
        abut_vec3 x = state.positions[i], slope;
        double h = 1e-5, *components = &slope.x;
        for (int k = 0; k < 3; ++k) {
            abut_vec3 d = {k == 0 ? h : 0.0, k == 1 ? h : 0.0, k == 2 ? h : 0.0};
            abut_soft_set_vertex(soft, i, abut_add(x, d), none);
            double above = abut_soft_get_energy(soft, none).elastic;
            abut_soft_set_vertex(soft, i, abut_sub(x, d), none);
            components[k] = (above - abut_soft_get_energy(soft, none).elastic) / (2.0 * h);
        }
        abut_soft_set_vertex(soft, i, x, none);
        CHECK(abut_norm(abut_add(slope, forces[i])) <= 1e-6 * size, "%s: vertex %d: force %g %g %g, slope %g %g %g",
              label, i, forces[i].x, forces[i].y, forces[i].z, slope.x, slope.y, slope.z);
    }
    free(forces);
}

static void forces_are_gradients(void **state)
{
    (void)state;
    test_random random = {11};
    const int cells[3] = {2, 2, 1};
    abut_mesh *meshes[3] = {make_bar(cells, abut_vec3_make(2, 2, 1)), make_lattice(3, 3), make_rope(6, 6.0)};
    abut_soft_material materials[3] = {solid_material(), cloth_material(), abut_soft_material_default()};
    materials[2].rope = 50.0;
    static const char *labels[3] = {"solid", "cloth", "rope"};
    static const double shakes[3] = {1e-2, 0.2, 2.0}; // the last turns tetrahedra inside out
    for (int m = 0; m < 3; ++m) {
        for (int k = 0; k < 3; ++k) {
            abut_soft *soft = make_soft(NULL, meshes[m], &materials[m]);
            shake(soft, &random, shakes[k]);
            check_forces(soft, labels[m]);
            abut_soft_destroy(soft);
        }
        abut_mesh_destroy(meshes[m]);
    }
    CHECK_DONE();
}

// In a body that is stretched and turned, the stiffness matrix is the derivative of the forces, by central differences.
static void stiffness_is_the_derivative(void **state)
{
    (void)state;
    const int one[3] = {1, 1, 1};
    abut_mesh *mesh = make_bar(one, abut_vec3_make(1, 1, 1));
    abut_soft_material material = solid_material();
    abut_soft *soft = make_soft(NULL, mesh, &material);
    abut_soft_state body = abut_soft_get_state(soft);
    abut_quat turn = abut_quat_from_axis(abut_unit(abut_vec3_make(1, -2, 3)), 1.0);
    abut_vec3 none = {0, 0, 0}, above[8], below[8], step[8], image[8];
    test_random random = {13};
    for (int i = 0; i < 8; ++i) {
        abut_vec3 p = body.positions[i];
        p = abut_vec3_make(1.3 * p.x + 0.1 * p.y, 1.2 * p.y, 1.4 * p.z - 0.1 * p.x);
        abut_soft_set_vertex(soft, i, abut_quat_rotate(turn, p), none);
        step[i] = random_vec3(&random, 1.0);
    }
    abut_soft_evaluate(soft, body.positions);
    abut_soft_assemble(soft, 1.0, NULL, soft->stiffness);
    abut_soft_multiply(soft, soft->stiffness, step, image);
    for (int sign = -1; sign <= 1; sign += 2) {
        abut_vec3 places[8];
        for (int i = 0; i < 8; ++i) {
            places[i] = abut_add_scaled(body.positions[i], sign * 1e-5, step[i]);
        }
        abut_soft_evaluate(soft, places);
        abut_soft_gather(soft, sign < 0 ? below : above);
    }
    for (int i = 0; i < 8; ++i) {
        abut_vec3 slope = abut_scale(-0.5e5, abut_sub(above[i], below[i]));
        CHECK(abut_norm(abut_sub(slope, image[i])) <= 1e-6 * abut_norm(slope), "vertex %d: %g %g %g, not %g %g %g",
              i, image[i].x, image[i].y, image[i].z, slope.x, slope.y, slope.z);
    }
    abut_soft_destroy(soft);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A body that is moved and turned as a whole has no forces. Its masses add up to density times volume, area or length.
static void rigid_motions_are_free(void **state)
{
    (void)state;
    const int cells[3] = {3, 2, 1};
    abut_mesh *meshes[3] = {make_bar(cells, abut_vec3_make(3, 2, 1)), make_lattice(4, 3), make_rope(5, 2.0)};
    abut_soft_material materials[3] = {solid_material(), cloth_material(), abut_soft_material_default()};
    materials[0].density = 2.0;
    materials[1].area_density = 3.0;
    materials[2].rope = 1.0;
    materials[2].line_density = 5.0;
    const double masses[3] = {12.0, 3.0 * 24 * sqrt(3.0) / 4.0, 10.0};
    abut_pose pose = {{1e3, -20.0, 3.0}, abut_quat_from_axis(abut_unit(abut_vec3_make(1, 2, 3)), 2.5)};
    for (int m = 0; m < 3; ++m) {
        abut_soft *soft = make_soft(NULL, meshes[m], &materials[m]);
        abut_soft_state body = abut_soft_get_state(soft);
        abut_vec3 none = {0, 0, 0}, *forces = malloc((size_t)body.vertex_count * sizeof *forces);
        assert_non_null(forces);
        CHECK_NEAR(abut_soft_get_info(soft).mass, masses[m], 1e-13 * masses[m], "mass");
        for (int i = 0; i < body.vertex_count; ++i) {
            abut_soft_set_vertex(soft, i, abut_pose_apply(pose, body.positions[i]), none);
        }
        abut_soft_get_forces(soft, forces);
        for (int i = 0; i < body.vertex_count; ++i) {
            CHECK(abut_norm(forces[i]) <= 1e-8, "mesh %d, vertex %d: %g", m, i, abut_norm(forces[i]));
        }
        free(forces);
        abut_soft_destroy(soft);
        abut_mesh_destroy(meshes[m]);
    }
    CHECK_DONE();
}

// Free bodies keep their linear momentum, explicit and implicit; symplectic Euler keeps the angular one too, and its energy
// stays near. Gravity adds m g t.
static void momenta_are_kept(void **state)
{
    (void)state;
    test_random random = {5};
    const int cells[3] = {2, 1, 1};
    abut_mesh *mesh = make_bar(cells, abut_vec3_make(2, 1, 1));
    abut_soft_material material = solid_material();
    for (int integrator = 0; integrator < 2; ++integrator) {
        abut_soft *soft = make_soft(NULL, mesh, &material);
        shake(soft, &random, 0.05);
        abut_vec3 none = {0, 0, 0};
        abut_soft_energy before = abut_soft_get_energy(soft, none);
        abut_soft_params params = abut_soft_params_default();
        params.integrator = (abut_soft_integrator)integrator;
        params.dt = 0.1 * abut_soft_critical_step(soft);
        params.accuracy = 1e-12;
        for (int i = 0; i < 200; ++i) {
            (void)advance(soft, &params);
        }
        abut_soft_energy after = abut_soft_get_energy(soft, none);
        CHECK(abut_norm(abut_sub(after.momentum, before.momentum)) < 1e-9, "linear momentum %d: %g", integrator,
              abut_norm(abut_sub(after.momentum, before.momentum)));
        if (integrator == ABUT_SOFT_EXPLICIT) {
            CHECK(abut_norm(abut_sub(after.angular_momentum, before.angular_momentum)) < 1e-11, "angular momentum");
            CHECK_NEAR((after.kinetic + after.elastic) / (before.kinetic + before.elastic), 1.0, 0.05, "energy");
        } else {
            CHECK(after.kinetic + after.elastic < before.kinetic + before.elastic, "backward Euler damps");
        }
        params.gravity = abut_vec3_make(0, 0, -10);
        (void)advance(soft, &params);
        abut_soft_energy fallen = abut_soft_get_energy(soft, none);
        CHECK_NEAR(fallen.momentum.z - after.momentum.z, -10.0 * params.dt * abut_soft_get_info(soft).mass, 1e-10,
                   "gravity");
        abut_soft_destroy(soft);
    }
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A rough implicit step, of one or two iterations, gives the body all of the momentum that gravity and an impulse on a corner
// bring: else a body would weigh less, the less accurate its steps are.
static void rough_steps_keep_the_weight(void **state)
{
    (void)state;
    const int cells[3] = {6, 2, 2};
    abut_mesh *mesh = make_bar(cells, abut_vec3_make(6, 2, 2));
    abut_soft_material material = solid_material();
    material.young *= 1e4;
    for (int limit = 1; limit <= 2; ++limit) {
        abut_soft *soft = make_soft(NULL, mesh, &material);
        abut_soft_params params = abut_soft_params_default();
        params.dt = 0.01;
        params.newton_limit = 1;
        params.iteration_limit = limit;
        params.gravity = abut_vec3_make(0, 0, -10);
        double mass = abut_soft_get_info(soft).mass, given = 0.7 * mass;
        CHECK_STATUS(abut_soft_add_impulse(soft, 0, abut_vec3_make(0, given, 0)), ABUT_OK, "impulse");
        for (int i = 1; i <= 10; ++i) {
            (void)advance(soft, &params);
            abut_soft_energy now = abut_soft_get_energy(soft, params.gravity);
            CHECK_NEAR(now.momentum.y / given, 1.0, 1e-9, "impulse");
            CHECK_NEAR(now.momentum.z / mass, -0.1 * i, 1e-9, "weight");
        }
        abut_soft_destroy(soft);
    }
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A tetrahedron turned inside out is named, and comes back to its rest shape, up to a motion.
static void inverted_elements_recover(void **state)
{
    (void)state;
    const int one[3] = {1, 1, 1};
    abut_mesh *mesh = make_bar(one, abut_vec3_make(1, 1, 1));
    abut_soft_material material = solid_material();
    material.mass_damping = 1.0;
    abut_soft *soft = make_soft(NULL, mesh, &material);
    abut_vec3 none = {0, 0, 0};
    abut_soft_set_vertex(soft, 6, abut_vec3_make(0.3, -1.4, -0.9), none); // through the body
    abut_soft_params params = abut_soft_params_default();
    params.dt = 0.02;
    abut_soft_report report = advance(soft, &params);
    CHECK(report.inverted_count > 0 && report.first_inverted >= 0, "%d inverted", report.inverted_count);
    for (int i = 0; i < 400; ++i) {
        report = advance(soft, &params);
    }
    CHECK_INT(report.inverted_count, 0, "after 8 s");
    CHECK_INT(report.first_inverted, -1, "after 8 s");
    CHECK_NEAR(abut_soft_get_energy(soft, none).elastic, 0.0, 1e-6, "rest shape");
    abut_soft_destroy(soft);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A flat tetrahedron, all vertices in one point, and a random heap: steps end, with finite values.
static void collapsed_bodies_survive(void **state)
{
    (void)state;
    test_random random = {3};
    const int cells[3] = {2, 1, 1};
    abut_mesh *meshes[2] = {make_bar(cells, abut_vec3_make(2, 1, 1)), make_lattice(3, 2)};
    abut_soft_material materials[2] = {solid_material(), cloth_material()};
    for (int k = 0; k < 6; ++k) {
        abut_soft *soft = make_soft(NULL, meshes[k % 2], &materials[k % 2]);
        abut_soft_state body = abut_soft_get_state(soft);
        for (int i = 0; i < body.vertex_count; ++i) {
            abut_vec3 p = body.positions[i];
            abut_vec3 places[3] = {{0, 0, 0}, {p.x, p.y, 0}, random_vec3(&random, 100.0)};
            abut_soft_set_vertex(soft, i, places[k / 2], abut_vec3_make(0, 0, 0));
        }
        abut_soft_params params = abut_soft_params_default();
        for (int i = 0; i < 20; ++i) {
            (void)advance(soft, &params);
        }
        for (int i = 0; i < body.vertex_count; ++i) {
            CHECK(abut_is_finite(body.positions[i]), "state %d, vertex %d", k, i);
        }
        abut_soft_destroy(soft);
    }
    abut_mesh_destroy(meshes[0]);
    abut_mesh_destroy(meshes[1]);
    CHECK_DONE();
}

// Pinned vertices stay, or move with the velocity that they were given, and damping holds the rest to them.
static void pins_hold(void **state)
{
    (void)state;
    abut_mesh *mesh = make_rope(4, 4.0);
    abut_soft_material material = abut_soft_material_default();
    material.rope = 100.0;
    material.shape_damping = 0.05;
    abut_soft *soft = make_soft(NULL, mesh, &material);
    CHECK_STATUS(abut_soft_set_pin(soft, 0, 1), ABUT_OK, "pin");
    abut_soft_set_vertex(soft, 0, abut_vec3_make(0, 0, 0), abut_vec3_make(0.5, 0, 0));
    abut_soft_params params = abut_soft_params_default();
    params.accuracy = 1e-12;
    for (int i = 0; i < 4000; ++i) {
        abut_soft_report report = advance(soft, &params);
        CHECK(report.is_converged, "step %d: %g", i, report.residual);
    }
    abut_soft_state body = abut_soft_get_state(soft);
    CHECK_NEAR(body.positions[0].x, 20.0, 1e-11, "the pin moves at its speed");
    for (int i = 1; i < 5; ++i) {
        CHECK_NEAR(body.velocities[i].x, 0.5, 1e-6, "the rest follows");
        CHECK_NEAR(body.positions[i].x - body.positions[i - 1].x, 1.0, 1e-6, "without stretch");
    }
    CHECK_STATUS(abut_soft_add_impulse(soft, 0, abut_vec3_make(1, 0, 0)), ABUT_OK, "impulse on a pin");
    CHECK_NEAR(body.velocities[0].x, 0.5, 0.0, "does nothing");
    double speed = body.velocities[4].x;
    CHECK_STATUS(abut_soft_add_impulse(soft, 4, abut_vec3_make(1, 0, 0)), ABUT_OK, "impulse");
    CHECK_NEAR(body.velocities[4].x - speed, 1.0 / body.masses[4], 1e-15, "adds impulse / mass");
    abut_soft_destroy(soft);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

static uint64_t run_hash(abut_parallel_for_function *loop, int threads, const abut_mesh *mesh)
{
    test_loops loops = {threads, 0};
    abut_context context = test_loop_context(loop, &loops);
    abut_soft_material material = solid_material();
    material.shape_damping = 1e-3;
    abut_soft *soft = make_soft(&context, mesh, &material);
    test_random random = {9};
    shake(soft, &random, 0.02);
    abut_soft_params params = abut_soft_params_default();
    for (int i = 0; i < 3; ++i) {
        (void)advance(soft, &params);
    }
    double step = abut_soft_critical_step(soft);
    CHECK(loops.count > 10, "the loops are used: %d", loops.count);
    abut_soft_state body = abut_soft_get_state(soft);
    uint64_t hash = 14695981039346656037u;
    const unsigned char *bytes = (const unsigned char *)body.positions;
    for (size_t i = 0; i < (size_t)body.vertex_count * sizeof(abut_vec3); ++i) {
        hash = (hash ^ bytes[i]) * 1099511628211u;
    }
    uint64_t bits;
    memcpy(&bits, &step, sizeof bits);
    abut_soft_destroy(soft);
    return hash ^ bits;
}

// The same bytes with one thread, with several, and with one vertex at a time.
static void threads_change_nothing(void **state)
{
    (void)state;
    const int cells[3] = {12, 13, 14}; // large enough for threads
    abut_mesh *mesh = make_bar(cells, abut_vec3_make(12, 13, 14));
    uint64_t expected = run_hash(test_serial_for, 1, mesh);
    CHECK(run_hash(test_threaded_for, 2, mesh) == expected, "two threads");
    CHECK(run_hash(test_threaded_for, 5, mesh) == expected, "five threads");
    CHECK(run_hash(test_single_for, 3, mesh) == expected, "one by one");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// Steps make no heap calls. A creation that runs out of memory says so and leaks nothing.
static void memory_is_counted(void **state)
{
    (void)state;
    abut_mesh *mesh = make_lattice(4, 4);
    abut_soft_material material = cloth_material();
    failing_heap heap = {0};
    abut_context context = failing_context(&heap);
    abut_soft *soft = make_soft(&context, mesh, &material);
    int calls = heap.calls;
    abut_soft_params params = abut_soft_params_default();
    params.gravity = abut_vec3_make(0, 0, -10);
    (void)advance(soft, &params);
    (void)abut_soft_critical_step(soft);
    CHECK_INT(heap.calls, calls, "heap calls of a step");
    abut_soft_destroy(soft);
    CHECK_INT(heap.live, 0, "all is freed");
    for (int i = 1; i <= calls; ++i) {
        heap = (failing_heap){.fail_at = i};
        abut_soft_def def = abut_soft_def_default();
        def.mesh = mesh;
        def.material = &material;
        abut_error error = {.text = ""};
        CHECK_STATUS(abut_soft_create(&context, &def, &soft, &error), ABUT_NO_MEMORY, "a failing allocation");
        CHECK(soft == NULL && heap.live == 0, "allocation %d leaks %d", i, heap.live);
    }
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

static abut_status try_material(const abut_mesh *mesh, size_t offset, double value, abut_error *error)
{
    abut_soft_material m = solid_material();
    m.stretch = m.rope = 1.0;
    memcpy((char *)&m + offset, &value, sizeof value);
    abut_soft_def def = abut_soft_def_default();
    def.mesh = mesh;
    def.material = &m;
    abut_soft *soft = NULL;
    abut_status status = abut_soft_create(NULL, &def, &soft, error);
    abut_soft_destroy(soft);
    return status;
}

// Bad values name themselves.
static void bad_input_is_named(void **state)
{
    (void)state;
    const int one[3] = {1, 1, 1};
    abut_mesh *solid = make_bar(one, abut_vec3_make(1, 1, 1)), *cloth = make_lattice(1, 1),
              *rope = make_rope(2, 1.0);
    abut_error error = {.text = ""};
#define REFUSED(mesh, field, value)                                                                                \
    CHECK_STATUS(try_material(mesh, offsetof(abut_soft_material, field), value, &error), ABUT_BAD_DATA, #field);   \
    CHECK(strstr(error.text, #field) != NULL, "%s", error.text)
    REFUSED(solid, young, 0.0);
    REFUSED(solid, young, NAN);
    REFUSED(solid, young, INFINITY);
    REFUSED(solid, poisson, 0.5);
    REFUSED(solid, poisson, -1.0);
    REFUSED(solid, density, 0.0);
    REFUSED(solid, density, -1.0);
    REFUSED(cloth, area_density, 0.0);
    REFUSED(cloth, stretch, 0.0);
    REFUSED(cloth, shear, -1.0);
    REFUSED(cloth, bend, NAN);
    REFUSED(rope, line_density, 0.0);
    REFUSED(rope, rope, 0.0);
    REFUSED(rope, mass_damping, -1.0);
    REFUSED(rope, shape_damping, INFINITY);
    CHECK_STATUS(try_material(solid, offsetof(abut_soft_material, stretch), 0.0, &error), ABUT_OK,
                 "a solid needs no stretch");

    abut_soft_material m = solid_material();
    abut_soft *soft = make_soft(NULL, solid, &m);
    abut_soft_params params = abut_soft_params_default();
    abut_vec3 forces[8] = {{0, 0, 0}};
    forces[5].y = NAN;
    params.forces = forces;
    CHECK_STATUS(abut_soft_accelerate(soft, &params, NULL, &error), ABUT_BAD_DATA, "force");
    CHECK_INT(error.element, 5, "the force");
    forces[5].y = 0.0;
    params.dt = 0.0;
    CHECK_STATUS(abut_soft_accelerate(soft, &params, NULL, &error), ABUT_BAD_ARGUMENT, "dt");
    params.dt = NAN;
    CHECK_STATUS(abut_soft_accelerate(soft, &params, NULL, &error), ABUT_BAD_ARGUMENT, "dt");
    CHECK_STATUS(abut_soft_move(soft, -1.0, &error), ABUT_BAD_ARGUMENT, "dt");
    CHECK_STATUS(abut_soft_set_vertex(soft, 8, forces[0], forces[0]), ABUT_BAD_ARGUMENT, "vertex");
    CHECK_STATUS(abut_soft_set_vertex(soft, 0, abut_vec3_make(NAN, 0, 0), forces[0]), ABUT_BAD_DATA, "position");
    CHECK_STATUS(abut_soft_add_impulse(soft, -1, forces[0]), ABUT_BAD_ARGUMENT, "vertex");
    CHECK_STATUS(abut_soft_add_impulse(soft, 0, abut_vec3_make(0, INFINITY, 0)), ABUT_BAD_DATA, "impulse");
    CHECK_STATUS(abut_soft_set_pin(soft, 9, 1), ABUT_BAD_ARGUMENT, "pin");
    abut_soft_destroy(soft);

    const int pins[2] = {0, 99};
    abut_soft_def def = abut_soft_def_default();
    def.mesh = solid;
    def.material = &m;
    def.pins = pins;
    def.pin_count = 2;
    CHECK_STATUS(abut_soft_create(NULL, &def, &soft, &error), ABUT_BAD_DATA, "pins");
    CHECK_INT(error.element, 1, "the pin");
    abut_mesh_destroy(solid);
    abut_mesh_destroy(cloth);
    abut_mesh_destroy(rope);
    CHECK_DONE();
}

// A tetrahedron without volume, an edge without length, points alone; a vertex that nothing uses is counted and stays.
static void bad_meshes_are_named(void **state)
{
    (void)state;
    abut_vec3 vertices[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {0, 0, 0}};
    const int tets[8] = {0, 1, 2, 3, 0, 1, 2, 4}, segments[4] = {0, 1, 0, 5}, points[1] = {2};
    abut_soft_material m = solid_material();
    m.rope = 1.0;
    abut_mesh_def mesh_def = abut_mesh_def_default();
    mesh_def.vertices = vertices;
    mesh_def.vertex_count = 6;
    mesh_def.tets = tets;
    mesh_def.tet_count = 2;
    abut_error error = {.text = ""};
    abut_soft *soft = NULL;
    abut_soft_def def = abut_soft_def_default();
    def.material = &m;

    abut_mesh *mesh = make_mesh(&mesh_def);
    def.mesh = mesh;
    CHECK_STATUS(abut_soft_create(NULL, &def, &soft, &error), ABUT_BAD_DATA, "flat");
    CHECK_INT(error.element, 1, "the flat tetrahedron");
    abut_mesh_destroy(mesh);

    mesh_def.tet_count = 0;
    mesh_def.segments = segments;
    mesh_def.segment_count = 2;
    mesh = make_mesh(&mesh_def);
    def.mesh = mesh;
    CHECK_STATUS(abut_soft_create(NULL, &def, &soft, &error), ABUT_BAD_DATA, "no length");
    CHECK(strstr(error.text, "0 and 5") != NULL, "%s", error.text);
    abut_mesh_destroy(mesh);

    mesh_def.segment_count = 1;
    mesh = make_mesh(&mesh_def);
    def.mesh = mesh;
    CHECK_STATUS(abut_soft_create(NULL, &def, &soft, &error), ABUT_OK, "unused vertices");
    CHECK_INT(abut_soft_get_info(soft).unused_vertex_count, 4, "unused vertices");
    abut_soft_params params = abut_soft_params_default();
    params.gravity.z = -10.0;
    (void)advance(soft, &params);
    CHECK_NEAR(abut_soft_get_state(soft).positions[4].z, 0.0, 0.0, "an unused vertex stays");
    CHECK_NEAR(abut_soft_get_state(soft).positions[1].z, -10.0 * 0.01 * 0.01, 1e-15, "others fall");
    CHECK_STATUS(abut_soft_set_pin(soft, 4, 0), ABUT_BAD_ARGUMENT, "to free it");
    abut_soft_destroy(soft);
    abut_mesh_destroy(mesh);

    mesh_def.segment_count = 0;
    mesh_def.points = points;
    mesh_def.point_count = 1;
    mesh = make_mesh(&mesh_def);
    def.mesh = mesh;
    CHECK_STATUS(abut_soft_create(NULL, &def, &soft, &error), ABUT_UNSUPPORTED, "points");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_are_nearest),
        cmocka_unit_test(forces_are_gradients),
        cmocka_unit_test(stiffness_is_the_derivative),
        cmocka_unit_test(rigid_motions_are_free),
        cmocka_unit_test(momenta_are_kept),
        cmocka_unit_test(rough_steps_keep_the_weight),
        cmocka_unit_test(inverted_elements_recover),
        cmocka_unit_test(collapsed_bodies_survive),
        cmocka_unit_test(pins_hold),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(memory_is_counted),
        cmocka_unit_test(bad_input_is_named),
        cmocka_unit_test(bad_meshes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
