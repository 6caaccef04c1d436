// SPDX-License-Identifier: MIT
// test_world_soft.c: worlds with soft bodies
#include "../soft/soft_bodies.h"
#include "stage.h"
#include "threaded.h"

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

static abut_soft_material cloth(void)
{
    abut_soft_material m = abut_soft_material_default();
    m.area_density = 0.3;
    m.stretch = 200.0;
    m.shear = 100.0;
    m.bend = 1e-3;
    m.mass_damping = 1.0;
    return m;
}

static abut_soft_material rubber(void)
{
    abut_soft_material m = abut_soft_material_default();
    m.density = 1000.0;
    m.young = 1e5;
    m.poisson = 0.3;
    m.shape_damping = 0.01;
    return m;
}

static int add_soft_by(stage *s, abut_mesh *mesh, const abut_soft_material *material, abut_pose pose,
                       abut_vec3 velocity, abut_soft_integrator integrator)
{
    abut_soft_params params = abut_soft_params_default();
    params.integrator = integrator;
    s->meshes[s->count] = mesh;
    s->shapes[s->count] = make_shape(NULL, mesh, abut_method_find("continuous"), NULL);
    abut_soft_body_def def = abut_soft_body_def_default();
    def.shape = s->shapes[s->count++];
    def.soft_material = material;
    def.pose = pose;
    def.linear_velocity = velocity;
    def.material = 0;
    def.params = &params;
    int index = -1;
    abut_error error = {.text = ""};
    CHECK_STATUS(abut_world_add_soft_body(s->world, &def, &index, &error), ABUT_OK, error.text);
    return index;
}

static int add_soft(stage *s, abut_mesh *mesh, const abut_soft_material *material, abut_pose pose,
                    abut_vec3 velocity)
{
    return add_soft_by(s, mesh, material, pose, velocity, ABUT_SOFT_IMPLICIT);
}

/// A square sheet of n x n cells in the plane y = 0, with its centre at the origin.
static abut_mesh *make_sheet(int n, double side)
{
    abut_vec3 *vertices = calloc((size_t)(n + 1) * (size_t)(n + 1), sizeof *vertices);
    int *faces = calloc(6 * (size_t)n * (size_t)n, sizeof *faces), count = 0;
    assert_true(vertices != NULL && faces != NULL);
    for (int i = 0; i < (n + 1) * (n + 1); ++i) {
        vertices[i] = v3(side * (i % (n + 1)) / n - 0.5 * side, 0.0, side * (int)(i / (n + 1)) / n - 0.5 * side);
    }
    for (int i = 0; i < n * n; ++i) {
        int a = i / n * (n + 1) + i % n, b = a + 1, c = a + n + 1, d = c + 1, is_odd = (i / n + i % n) % 2;
        const int halves[2][6] = {{a, c, d, a, d, b}, {a, c, b, b, c, d}};
        memcpy(faces + count, halves[is_odd], sizeof halves[0]);
        count += 6;
    }
    abut_mesh *mesh = make_triangles(NULL, vertices, (n + 1) * (n + 1), faces, 2 * n * n);
    free(vertices);
    free(faces);
    return mesh;
}

static abut_mesh *make_block(int cells, double side)
{
    const int n[3] = {cells, cells, cells};
    return make_bar(n, v3(side, side, side));
}

static double lowest(const stage *s, int body)
{
    abut_soft_state state = abut_soft_get_state(abut_world_body_soft(s->world, body));
    double y = HUGE_VAL;
    for (int i = 0; i < state.vertex_count; ++i) {
        y = fmin(y, state.positions[i].y);
    }
    return y;
}

// A soft cube of side 1 and 1000 kg falls on the ground and comes to rest on it. Its depth is m g / k for a stiffness k
// per area, minus half of what it would fall in a step, as that of a rigid cube; and the ground carries m g dt in a step.
static void cube_sinks_as_stiffness_says(void **state)
{
    (void)state;
    abut_response_params params = abut_response_params_default();
    params.stiffness = 1e6;
    abut_world_def def = falling();
    def.response = &params;
    stage s = make_stage(NULL, &def, 0.0, 0.0);
    (void)add_ground(&s);
    abut_soft_material m = rubber();
    m.mass_damping = 10.0;
    int cube =
        add_soft(&s, make_block(2, 1.0), &m, abut_pose_make(v3(0.1, 0.02, 0.2), abut_quat_identity()), v3(0, 0, 0));
    run(&s, 500);
    // without friction it may go on sliding and turning
    CHECK(fabs(abut_world_get_body(s.world, cube).linear_velocity.y) < 1e-6, "it rests");
    abut_world_report report = abut_world_get_report(s.world);
    abut_vec3 impulse = {0, 0, 0};
    for (int i = 0; i < report.contact_count; ++i) {
        impulse = abut_add_scaled(impulse, report.contacts[i].impulse.normal, report.contacts[i].contact.normal);
    }
    // damping brakes the predicted fall, and what the contacts give, alike: at rest it has no part
    CHECK_NEAR(impulse.y, 1000.0 * g * def.dt, 2e-3, "carried");
    CHECK(lowest(&s, cube) < -0.5 * 1000.0 * g / 1e6 && lowest(&s, cube) > -2.0 * 1000.0 * g / 1e6, "depth %g",
          -lowest(&s, cube));
    CHECK(report.contact_step > def.dt && report.contact_step < 1.0, "%g", report.contact_step);
    CHECK_INT(report.inverted_count, 0, "inverted");
    end_stage(&s);
    CHECK_DONE();
}

// With a stiffness per mass, cubes of all densities move alike if they are elastic in proportion, and the longest stable
// step is that of one over a time squared, whatever the masses are.
static void all_densities_move_alike(void **state)
{
    (void)state;
    abut_response_params params = abut_response_params_default();
    params.weights = ABUT_WEIGHTS_MASS;
    params.stiffness = 2000.0;
    params.tolerance = 0.01;
    abut_vec3 centers[2];
    for (int i = 0; i < 2; ++i) {
        abut_world_def def = falling();
        def.response = &params;
        stage s = make_stage(NULL, &def, 0.3, 0.0);
        (void)add_ground(&s);
        abut_soft_material m = rubber();
        m.mass_damping = 5.0;
        m.density *= i == 0 ? 1.0 : 0x1p-12;
        m.young *= i == 0 ? 1.0 : 0x1p-12;
        int cube = add_soft(&s, make_block(2, 1.0), &m, abut_pose_make(v3(0.1, 0.02, 0.2), abut_quat_identity()),
                            v3(0, 0, 0));
        run(&s, 100);
        centers[i] = abut_world_get_body(s.world, cube).center;
        abut_world_report report = abut_world_get_report(s.world);
        CHECK(report.contact_count > 0, "it lies on the ground");
        CHECK_NEAR(report.contact_step, sqrt(2.0 / params.stiffness), 1e-12, "longest step");
        end_stage(&s);
    }
    CHECK(abut_norm(abut_sub(centers[0], centers[1])) < 1e-9, "%g", abut_norm(abut_sub(centers[0], centers[1])));
    CHECK_DONE();
}

// Cloth falls on a fixed box and stays on it; a rigid box falls on the cloth. The stiffness is the world's choice, and
// rigid bodies have contacts of `regions`.
static void cloth_on_a_box(void **state)
{
    (void)state;
    abut_world_def def = falling();
    def.method = abut_method_find("regions");
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    (void)add_ground(&s);
    (void)add_box(&s, v3(1, 1, 1), v3(0, 0.5, 0), v3(0, 0, 0), 1);
    abut_soft_material m = cloth();
    int sheet = add_soft(&s, make_sheet(12, 1.8), &m, abut_pose_make(v3(0.03, 1.05, 0.02), abut_quat_identity()),
                         v3(0, 0, 0));
    int brick = add_box(&s, v3(2, 0.5, 0.5), v3(3, 0.25, 0), v3(0, 0, 0), 0);
    run(&s, 400);
    abut_soft_state at = abut_soft_get_state(abut_world_body_soft(s.world, sheet));
    int middle = 6 * 13 + 6;
    CHECK(fabs(at.positions[middle].y - 1.0) < 0.01, "middle at %g", at.positions[middle].y);
    CHECK(at.positions[0].y < 0.9, "a corner hangs down: %g", at.positions[0].y);
    CHECK(lowest(&s, sheet) > -0.01, "above the ground: %g", lowest(&s, sheet));
    abut_body_state rest = abut_world_get_body(s.world, brick);
    CHECK_NEAR(rest.center.y, 0.25, 1e-6, "the rigid brick rests on the ground");
    abut_world_report report = abut_world_get_report(s.world);
    int soft_contacts = 0, rigid_contacts = 0;
    for (int i = 0; i < report.contact_count; ++i) {
        const abut_world_contact *c = &report.contacts[i];
        int is_soft = c->body_a == sheet || c->body_b == sheet;
        soft_contacts += is_soft;
        rigid_contacts += !is_soft;
        CHECK(i == 0 || c->body_a > c[-1].body_a || (c->body_a == c[-1].body_a && c->body_b >= c[-1].body_b),
              "order");
    }
    CHECK(soft_contacts > 10 && rigid_contacts >= 4, "%d %d", soft_contacts, rigid_contacts);
    CHECK(!abut_world_body_is_fixed(s.world, sheet) && abut_world_body_soft(s.world, brick) == NULL, "kinds");
    end_stage(&s);
    CHECK_DONE();
}

// Two soft cubes, and a soft and a rigid one, collide without gravity: momentum is kept to rounding in every step, the
// angular one up to what the contacts say, and energy does not grow.
static void collisions_keep_momentum(void **state)
{
    (void)state;
    for (int is_rigid = 0; is_rigid < 2; ++is_rigid) {
        abut_response_params params = abut_response_params_default();
        params.stiffness = 1e5;
        abut_world_def def = abut_world_def_default();
        def.response = &params;
        def.dt = 0.002;
        stage s = make_stage(NULL, &def, 0.3, 0.0);
        abut_soft_material m = rubber();
        (void)add_soft_by(&s, make_block(2, 1.0), &m, abut_pose_identity(), v3(1.0, 0.1, 0.0), ABUT_SOFT_EXPLICIT);
        if (is_rigid) {
            (void)add_box(&s, v3(1, 1, 1), v3(1.6, 0.3, 0.4), v3(-1.0, 0, 0), 0);
        } else {
            (void)add_soft_by(&s, make_block(2, 1.0), &m, abut_pose_make(v3(1.1, 0.3, 0.2), abut_quat_identity()),
                              v3(-1.0, 0.0, 0.0), ABUT_SOFT_EXPLICIT);
        }
        abut_world_momentum before = abut_world_get_momentum(s.world);
        abut_world_energy at = abut_world_get_energy(s.world);
        double start = at.kinetic + at.elastic, highest = start;
        int touches = 0;
        for (int step = 0; step < 300; ++step) {
            run(&s, 1);
            abut_world_energy now = abut_world_get_energy(s.world);
            highest = fmax(highest, now.kinetic + now.elastic);
            touches += abut_world_get_report(s.world).contact_count > 0;
        }
        abut_world_momentum after = abut_world_get_momentum(s.world);
        CHECK(abut_norm(abut_sub(after.linear, before.linear)) < 1e-9 * 1000.0, "linear momentum");
        CHECK(touches > 10, "they touch: %d", touches);
        CHECK(highest <= start * (1.0 + 1e-3), "energy %g of %g", highest, start);
        at = abut_world_get_energy(s.world);
        CHECK(at.kinetic < start, "some of it was lost: %g", at.kinetic);
        end_stage(&s);
    }
    CHECK_DONE();
}

// Cloth is bent to a U, above itself. The lower half is pinned, and the upper one falls: it comes to rest on the lower one.
// Without self-contact it passes.
static void folded_cloth_holds_itself(void **state)
{
    (void)state;
    for (int has_self = 0; has_self < 2; ++has_self) {
        abut_world_def def = falling();
        stage s = make_stage(NULL, &def, 0.5, 0.0);
        abut_soft_material m = cloth();
        m.mass_damping = 4.0;
        enum { PINS = 12 * 17 }; // the lower half, and half of the bend
        int pins[PINS];
        for (int i = 0; i < PINS; ++i) {
            pins[i] = i;
        }
        s.meshes[s.count] = make_sheet(16, 1.6);
        s.shapes[s.count] = make_shape(NULL, s.meshes[s.count], abut_method_find("continuous"), NULL);
        abut_soft_body_def sheet = abut_soft_body_def_default();
        sheet.shape = s.shapes[s.count++];
        sheet.soft_material = &m;
        sheet.material = 0;
        sheet.has_self_contact = has_self;
        sheet.pins = pins;
        sheet.pin_count = PINS;
        int body = -1;
        abut_error error;
        CHECK_STATUS(abut_world_add_soft_body(s.world, &sheet, &body, &error), ABUT_OK, error.text);
        abut_soft *soft = abut_world_body_soft(s.world, body);
        for (int i = 0; i < 17 * 17; ++i) { // rows 0 to 9 below, 13 to 16 above, a half circle between
            int row = i / 17;
            double x = 0.1 * (i % 17), along = 0.1 * row, r = 0.4 / PI, a = (along - 0.9) / r;
            abut_vec3 p = row <= 9    ? v3(x, 0.01, along)
                          : row >= 13 ? v3(x + 0.013, 0.01 + 2.0 * r, 2.2 - along)
                                      : v3(x, 0.01 + r - r * cos(a), 0.9 + r * sin(a));
            CHECK_STATUS(abut_soft_set_vertex(soft, i, p, v3(0, 0, 0)), ABUT_OK, "place");
        }
        run(&s, 300);
        abut_soft_state at = abut_soft_get_state(soft);
        int passed = 0;
        for (int column = 2; column < 15; ++column) { // of the last row
            passed += at.positions[16 * 17 + column].y < at.positions[0].y - 0.02;
        }
        CHECK(has_self ? passed == 0 : passed > 0, "self-contact %d: %d passed", has_self, passed);
        abut_world_report report = abut_world_get_report(s.world);
        int own = 0;
        for (int i = 0; i < report.contact_count; ++i) {
            own += report.contacts[i].body_a == body && report.contacts[i].body_b == body;
        }
        CHECK(has_self ? own > 0 : own == 0, "%d contacts of its own", own);
        end_stage(&s);
    }
    CHECK_DONE();
}

/// Runs a soft cube and cloth on a rigid box with a number of threads, and gives all positions.
static int run_threads(int threads, abut_vec3 *out)
{
    test_loops loops = {.thread_count = threads};
    abut_context context = test_loop_context(threads == 1 ? test_serial_for : test_threaded_for, &loops);
    abut_world_def def = falling();
    stage s = make_stage(&context, &def, 0.5, 0.0);
    (void)add_ground(&s);
    abut_soft_material m = cloth(), r = rubber();
    (void)add_soft(&s, make_sheet(10, 1.5), &m, abut_pose_make(v3(0, 0.3, 0), abut_quat_identity()), v3(0, 0, 0));
    (void)add_soft(&s, make_block(2, 0.5), &r, abut_pose_make(v3(-0.2, 0.35, -0.2), abut_quat_identity()),
                   v3(0, 0, 0));
    (void)add_box(&s, v3(0.3, 0.3, 0.3), v3(0.1, 1.2, 0.1), v3(0, 0, 0), 0);
    run(&s, 60);
    int count = 0;
    for (int i = 0; i < abut_world_body_count(s.world); ++i) {
        const abut_soft *soft = abut_world_body_soft(s.world, i);
        if (soft == NULL) {
            out[count++] = abut_world_get_body(s.world, i).center;
            continue;
        }
        abut_soft_state state = abut_soft_get_state(soft);
        memcpy(out + count, state.positions, (size_t)state.vertex_count * sizeof *out);
        count += state.vertex_count;
    }
    end_stage(&s);
    return count;
}

static void same_bytes_at_any_thread_count(void **state)
{
    (void)state;
    enum { ROOM = 1000 };
    abut_vec3 one[ROOM], other[ROOM];
    int count = run_threads(1, one);
    static const int threads[] = {2, 3, 5};
    for (int i = 0; i < 3; ++i) {
        CHECK_INT(run_threads(threads[i], other), count, "count");
        CHECK(memcmp(one, other, (size_t)count * sizeof *one) == 0, "%d threads", threads[i]);
    }
    CHECK_DONE();
}

// Definitions that are wrong, and steps that fail: the world is as before.
static void refuses_what_is_wrong(void **state)
{
    (void)state;
    abut_world_def def = falling();
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    abut_soft_material m = cloth();
    s.meshes[0] = make_sheet(4, 1.0);
    s.shapes[0] = make_shape(NULL, s.meshes[0], abut_method_find("continuous"), NULL);
    s.count = 1;
    abut_soft_body_def good = abut_soft_body_def_default(), bad;
    good.name = "flag";
    good.shape = s.shapes[0];
    good.soft_material = &m;
    good.material = 0;
    abut_error error;
    bad = good;
    bad.shape = NULL;
    CHECK_STATUS(abut_world_add_soft_body(s.world, &bad, NULL, &error), ABUT_BAD_ARGUMENT, "no shape");
    bad = good;
    bad.material = 7;
    CHECK_STATUS(abut_world_add_soft_body(s.world, &bad, NULL, &error), ABUT_BAD_ARGUMENT, "material");
    bad = good;
    bad.pose.rotation.w = 2.0;
    CHECK_STATUS(abut_world_add_soft_body(s.world, &bad, NULL, &error), ABUT_BAD_DATA, "pose");
    abut_soft_material weak = m;
    weak.stretch = -1.0;
    bad = good;
    bad.soft_material = &weak;
    CHECK_STATUS(abut_world_add_soft_body(s.world, &bad, NULL, &error), ABUT_BAD_DATA, "stretch");
    CHECK(strstr(error.text, "flag") != NULL, "names the body: %s", error.text);
    CHECK_INT(abut_world_body_count(s.world), 0, "nothing was added");
    int flag = -1;
    CHECK_STATUS(abut_world_add_soft_body(s.world, &good, &flag, &error), ABUT_OK, "good");
    CHECK_STATUS(abut_world_push_vertex(s.world, flag, 99, v3(1, 0, 0)), ABUT_BAD_ARGUMENT, "vertex");
    run(&s, 3);
    abut_body_state before = abut_world_get_body(s.world, flag);
    CHECK_STATUS(abut_world_push_vertex(s.world, flag, 3, v3(NAN, 0, 0)), ABUT_OK, "push");
    CHECK_STATUS(abut_world_step(s.world, &error), ABUT_BAD_DATA, "a push that is not finite");
    abut_body_state after = abut_world_get_body(s.world, flag);
    CHECK(memcmp(&before, &after, sizeof before) == 0, "as before");
    run(&s, 1);
    // it falls by g dt^2 (1 + 2 + 3 + 4), less what damping takes
    CHECK(abut_world_get_body(s.world, flag).center.y < -9e-3, "falls");
    CHECK_STATUS(abut_world_set_body(s.world, flag, abut_pose_identity(), v3(0, 0, 0), v3(0, 0, 0), &error),
                 ABUT_OK, "placed");
    CHECK_NEAR(abut_world_get_body(s.world, flag).center.y, 0.0, 1e-15, "at the origin again");
    end_stage(&s);
    def.stepper = ABUT_STEPPER_EVENTS;
    s = make_stage(NULL, &def, 0.0, 0.0);
    (void)add_soft(&s, make_sheet(2, 1.0), &m, abut_pose_identity(), v3(0, 0, 0));
    CHECK_STATUS(abut_world_step(s.world, &error), ABUT_UNSUPPORTED, "events");
    end_stage(&s);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cube_sinks_as_stiffness_says),
                                       cmocka_unit_test(all_densities_move_alike),
                                       cmocka_unit_test(cloth_on_a_box),
                                       cmocka_unit_test(collisions_keep_momentum),
                                       cmocka_unit_test(folded_cloth_holds_itself),
                                       cmocka_unit_test(same_bytes_at_any_thread_count),
                                       cmocka_unit_test(refuses_what_is_wrong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
