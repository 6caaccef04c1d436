// SPDX-License-Identifier: MIT
// test_world_penalty.c: worlds in which penalty forces keep bodies apart
#include "../mesh/tessellate.h"
#include "failing.h"
#include "stage.h"

#include <stdlib.h>

enum { THREADS = 4 };

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

/// Stiffness 1e7 per area: for a cube of side 1, of 2000 kg, and steps of 0.01, dt^2 k / m is 1/2.
static abut_response_params stiff(abut_response_kind kind)
{
    abut_response_params params = abut_response_params_default();
    params.kind = kind;
    params.stiffness = 1e7;
    params.tolerance = 0.05;
    return params;
}

/// Adds a cube of side 1, with its triangles cut by more vertices.
static int add_cube(stage *s, abut_pose pose, abut_vec3 velocity, int vertex_count, uint64_t seed)
{
    test_random random = {seed};
    test_solid solid = solid_from_voxels("#", 1, 1, 1);
    solid_tessellate(&solid, &random, vertex_count, 4 * vertex_count);
    for (int i = 0; i < solid.vertex_count; ++i) {
        solid.vertices[i] = abut_sub(solid.vertices[i], v3(0.5, 0.5, 0.5));
    }
    s->meshes[s->count] =
        make_triangles(NULL, solid.vertices, solid.vertex_count, solid.triangles, solid.triangle_count);
    solid_free(&solid);
    s->shapes[s->count] = make_shape(NULL, s->meshes[s->count], abut_method_find("continuous"), NULL);
    abut_body_def def = abut_body_def_default();
    def.shape = s->shapes[s->count++];
    def.pose = pose;
    def.linear_velocity = velocity;
    def.material = 0;
    int index = -1;
    abut_error error;
    CHECK_STATUS(abut_world_add_body(s->world, &def, &index, &error), ABUT_OK, "add body");
    return index;
}

static double speed_of(const stage *s, int body)
{
    abut_body_state state = abut_world_get_body(s->world, body);
    return abut_norm(state.linear_velocity) + abut_norm(state.angular_velocity);
}

// A cube falls by 0.1 onto the ground. Under continuous forces it comes to rest: at each step it would fall by g
// dt^2, and the mean of the depth on that way carries it, so the depth is m g / k - g dt^2 / 2. Forces begin at the
// tolerance, so it rests that much higher, and nothing crosses. Under forces at the present places, which are undamped, it
// bounces on. The five meshes sink equally.
static void box_on_a_plane(void **state)
{
    (void)state;
    static const int fineness[5] = {0, 8, 30, 80, 200};
    for (int kind = ABUT_RESPONSE_CPF; kind <= ABUT_RESPONSE_DISCRETE_CCD; ++kind) {
        for (int i = 0; i < (kind == ABUT_RESPONSE_CPF ? 5 : 1); ++i) {
            abut_response_params params = stiff((abut_response_kind)kind);
            abut_world_def def = falling();
            def.response = &params;
            stage s = make_stage(NULL, &def, 0.8, 0.0);
            (void)add_ground(&s);
            int cube = add_cube(&s, abut_pose_make(v3(0.2, 0.6, 0.1), abut_quat_identity()), v3(0, 0, 0),
                                fineness[i], 3 + (uint64_t)i);
            run(&s, 300);
            double fastest = 0.0;
            for (int step = 0; step < 100; ++step) {
                run(&s, 1);
                fastest = fmax(fastest, speed_of(&s, cube));
            }
            double depth = 0.5 + params.tolerance - abut_world_get_body(s.world, cube).center.y;
            if (kind == ABUT_RESPONSE_CPF) {
                CHECK(fastest < 1e-6, "mesh %d: speed %g", i, fastest);
                CHECK_NEAR(depth, 2000.0 * g / 1e7 - 0.5 * g * 1e-4, 1e-5, "depth");
                abut_world_report report = abut_world_get_report(s.world);
                CHECK(report.tracked_count >= 4 && report.contact_count >= 4, "%d", report.tracked_count);
                CHECK_INT(report.without_side_count, 0, "sides");
            } else {
                CHECK(fastest > 0.5, "kind %d: speed %g", kind, fastest);
            }
            end_stage(&s);
        }
    }
    CHECK_DONE();
}

/// Adds the ground as a sheet of two triangles, seen from above or from below.
static void add_sheet(stage *s, double size, int is_turned)
{
    const abut_vec3 corners[4] = {{-size, 0, -size}, {size, 0, -size}, {size, 0, size}, {-size, 0, size}};
    const int triangles[2][6] = {{0, 1, 2, 0, 2, 3}, {0, 2, 1, 0, 3, 2}};
    s->meshes[s->count] = make_triangles(NULL, corners, 4, triangles[is_turned], 2);
    s->shapes[s->count] = make_shape(NULL, s->meshes[s->count], abut_method_find("continuous"), NULL);
    abut_body_def def = abut_body_def_default();
    def.shape = s->shapes[s->count++];
    def.is_fixed = 1;
    def.material = 0;
    abut_error error;
    CHECK_STATUS(abut_world_add_body(s->world, &def, NULL, &error), ABUT_OK, "add sheet");
}

// Cubes of side 0.01 to 30 that fall in any position, and spin, end at rest on a face, on a solid ground and on both
// sides of an open sheet, whichever body is the first. No contact is without a side.
static void lands_in_any_position(void **state)
{
    (void)state;
    test_random random = {23};
    static const double sizes[3] = {1.0, 0.01, 30.0};
    for (int trial = 0; trial < 8; ++trial) {
        double size = sizes[trial % 3], mass = 2000.0 * size * size * size;
        abut_response_params params = abut_response_params_default();
        abut_world_def def = falling();
        def.dt = 0.01 * sqrt(size);
        params.stiffness = 0.4 * mass / (def.dt * def.dt * size * size);
        def.response = &params;
        stage s = make_stage(NULL, &def, 0.5, 0.0);
        int is_first = trial % 2;
        abut_body_def cube = abut_body_def_default();
        cube.pose = abut_pose_make(v3(0.3 * size, 1.2 * size, -0.2 * size), random_rotation(&random));
        cube.angular_velocity = abut_scale(1.0 / sqrt(size), random_vec3(&random, 1.0));
        cube.material = 0;
        int index = is_first ? add_box_body(&s, v3(size, size, size), cube) : -1;
        if (trial < 4) {
            add_sheet(&s, 20.0 * size, trial / 2);
        } else {
            (void)add_box(&s, v3(40.0 * size, 2.0 * size, 40.0 * size), v3(0, -size, 0), v3(0, 0, 0), 1);
        }
        index = is_first ? index : add_box_body(&s, v3(size, size, size), cube);
        int without_side = 0;
        for (int step = 0; step < 1200; ++step) {
            run(&s, 1);
            without_side += abut_world_get_report(s.world).without_side_count;
        }
        abut_body_state end = abut_world_get_body(s.world, index);
        double speed = abut_norm(end.linear_velocity) + size * abut_norm(end.angular_velocity);
        CHECK_INT(without_side, 0, "sides");
        CHECK_NEAR(end.center.y / size, 0.5 - g * def.dt * def.dt / size * (1.0 / 0.4 - 0.5), 1e-3, "height");
        CHECK(speed < 1e-4 * sqrt(g * size), "trial %d: speed %g", trial, speed);
        end_stage(&s);
    }
    CHECK_DONE();
}

// Figure 4: a thin plate flies through a thin wall within one step. Forces at the present places do nothing. Forces
// along the path slow it down, and so does no step that ends before the wall.
static void through_a_wall(void **state)
{
    (void)state;
    for (int kind = ABUT_RESPONSE_CPF; kind <= ABUT_RESPONSE_DISCRETE_CCD; ++kind) {
        abut_response_params params = stiff((abut_response_kind)kind);
        params.tolerance = 1e-3;
        abut_world_def def = abut_world_def_default();
        def.response = &params;
        stage s = make_stage(NULL, &def, 0.0, 0.0);
        (void)add_box(&s, v3(0.02, 4, 4), v3(0, 0, 0), v3(0, 0, 0), 1);
        int plate = add_box(&s, v3(0.02, 1, 1), v3(-1.5, 0, 0), v3(100, 0, 0), 0);
        run(&s, 1);
        CHECK_NEAR(abut_world_get_body(s.world, plate).linear_velocity.x, 100.0, 0.0, "before the wall");
        run(&s, 1);
        double speed = abut_world_get_body(s.world, plate).linear_velocity.x;
        CHECK(kind == ABUT_RESPONSE_CPF ? speed < 0.0 : speed == 100.0, "kind %d: %g", kind, speed);
        end_stage(&s);
    }
    CHECK_DONE();
}

// Two cubes collide askew in free space: their momentum stays, and so does the angular one up to the defect. They
// separate.
static void momentum(void **state)
{
    (void)state;
    test_random random = {9};
    for (int i = 0; i < 6; ++i) {
        abut_response_params params = stiff(ABUT_RESPONSE_CPF);
        abut_world_def def = abut_world_def_default();
        def.response = &params;
        stage s = make_stage(NULL, &def, i % 2 == 0 ? 0.8 : 0.0, 0.0);
        abut_pose first = abut_pose_make(v3(-0.9, 0.1, 0.0), random_rotation(&random));
        abut_pose second = abut_pose_make(v3(0.9, 0.0, 0.2), random_rotation(&random));
        (void)add_cube(&s, first, v3(2, 0, 0), 10, 1);
        (void)add_cube(&s, second, v3(-3, 0, 0), 20, 2);
        double contacts = 0;
        for (int step = 0; step < 100; ++step) {
            run(&s, 1);
            contacts += abut_world_get_report(s.world).contact_count;
            abut_body_state a = abut_world_get_body(s.world, 0), b = abut_world_get_body(s.world, 1);
            abut_vec3 sum = abut_add(abut_scale(a.mass, a.linear_velocity), abut_scale(b.mass, b.linear_velocity));
            CHECK_NEAR(abut_norm(abut_sub(sum, v3(-2000, 0, 0))), 0.0, 1e-7, "momentum");
        }
        abut_body_state a = abut_world_get_body(s.world, 0), b = abut_world_get_body(s.world, 1);
        abut_vec3 apart = abut_sub(b.center, a.center);
        CHECK(contacts > 0 && abut_dot(apart, abut_sub(b.linear_velocity, a.linear_velocity)) > 0.0, "%g contacts",
              contacts);
        end_stage(&s);
    }
    CHECK_DONE();
}

// A cube with friction 0.5 slides on the ground at 2 m/s and stops after v^2 / (2 mu g) = 0.408 m; without friction it
// goes on at the same speed; with viscosity c per contact it slows down.
static void friction(void **state)
{
    (void)state;
    static const double coefficients[3] = {0.5, 0.0, 0.0}, viscosities[3] = {0.0, 0.0, 1000.0};
    for (int i = 0; i < 3; ++i) {
        abut_response_params params = stiff(ABUT_RESPONSE_CPF);
        abut_world_def def = falling();
        def.response = &params;
        def.viscosity = viscosities[i];
        stage s = make_stage(NULL, &def, coefficients[i], 0.0);
        (void)add_ground(&s);
        int cube = add_box(&s, v3(1, 1, 1), v3(0, 0.501, 0), v3(0, 0, 0), 0);
        run(&s, 200);
        abut_body_state at = abut_world_get_body(s.world, cube);
        abut_error error;
        CHECK_STATUS(abut_world_set_body(s.world, cube, at.pose, v3(2, 0, 0), v3(0, 0, 0), &error), ABUT_OK,
                     "push");
        run(&s, 100);
        abut_body_state then = abut_world_get_body(s.world, cube);
        double way = then.center.x - at.center.x, speed = then.linear_velocity.x;
        if (i == 0) {
            CHECK_NEAR(way, 4.0 / (2.0 * 0.5 * g), 0.03, "way");
            CHECK(fabs(speed) < 1e-3, "%g", speed);
        } else if (i == 1) {
            CHECK_NEAR(way, 2.0, 1e-2, "way");
        } else {
            CHECK(speed > 0.01 && speed < 1.5, "%g", speed);
        }
        end_stage(&s);
    }
    CHECK_DONE();
}

static int heap_of_cubes(const abut_context *context, abut_body_state *states, int count)
{
    abut_response_params params = stiff(ABUT_RESPONSE_CPF);
    abut_world_def def = falling();
    def.response = &params;
    stage s = make_stage(context, &def, 0.5, 0.0);
    (void)add_ground(&s);
    test_random random = {17};
    for (int i = 0; i < count; ++i) {
        abut_pose pose = abut_pose_make(v3(0.3 * (i % 3), 0.9 + 1.3 * i, 0.2 * (i % 2)), random_rotation(&random));
        (void)add_cube(&s, pose, v3(0, 0, 0), 10, (uint64_t)i + 1);
    }
    run(&s, 80);
    int contacts = abut_world_get_report(s.world).contact_count;
    for (int i = 0; i < count; ++i) {
        states[i] = abut_world_get_body(s.world, i + 1);
    }
    end_stage(&s);
    return contacts;
}

// The same bytes on one thread and on four.
static void threads(void **state)
{
    (void)state;
    enum { CUBES = 5 };
    abut_body_state one[CUBES], many[CUBES];
    memset(one, 0, sizeof one);
    memset(many, 0, sizeof many);
    abut_context context = abut_context_default();
    context.worker_count = 1;
    int contacts = heap_of_cubes(&context, one, CUBES);
    context.worker_count = THREADS;
    CHECK_INT(heap_of_cubes(&context, many, CUBES), contacts, "contacts");
    CHECK(contacts > 0 && memcmp(one, many, sizeof one) == 0, "%d contacts", contacts);
    CHECK_DONE();
}

// A step that fails leaves the world as it was: steps in which every allocation fails once lead to the same end as
// steps in which none fails. At rest there are no heap calls.
static void failures(void **state)
{
    (void)state;
    abut_body_state ends[2];
    memset(ends, 0, sizeof ends);
    for (int has_failures = 0; has_failures < 2; ++has_failures) {
        failing_heap heap = {0};
        abut_context context = failing_context(&heap);
        context.worker_count = 1;
        abut_response_params params = stiff(ABUT_RESPONSE_CPF);
        abut_world_def def = falling();
        def.response = &params;
        stage s = make_stage(&context, &def, 0.5, 0.0);
        (void)add_ground(&s);
        int cube = add_cube(&s, abut_pose_make(v3(0, 0.6, 0), abut_quat_identity()), v3(0, 0, 0), 20, 4);
        int failed = 0;
        for (int step = 0; step < 60; ++step) {
            for (int at = 1; has_failures && at < 200; ++at) {
                heap.calls = 0;
                heap.fail_at = at;
                abut_error error;
                abut_status status = abut_world_step(s.world, &error);
                if (status == ABUT_OK) {
                    break;
                }
                CHECK_STATUS(status, ABUT_NO_MEMORY, "fails");
                ++failed;
            }
            heap.fail_at = 0;
            if (!has_failures) {
                run(&s, 1);
            }
        }
        ends[has_failures] = abut_world_get_body(s.world, cube);
        CHECK(!has_failures || failed > 10, "%d failures", failed);
        int calls = heap.calls;
        run(&s, 20);
        CHECK_INT(heap.calls, calls, "heap calls at rest");
        end_stage(&s);
        CHECK_INT(heap.live, 0, "leaks");
    }
    CHECK(memcmp(&ends[0], &ends[1], sizeof ends[0]) == 0, "%.17g and %.17g", ends[0].center.y, ends[1].center.y);
    abut_response_params params = stiff(ABUT_RESPONSE_CPF);
    params.stiffness = -1.0;
    abut_world_def def = falling();
    def.response = &params;
    abut_world *world = NULL;
    abut_error error;
    CHECK_STATUS(abut_world_create(NULL, &def, &world, &error), ABUT_BAD_ARGUMENT, "stiffness");
    CHECK(strstr(error.text, "response") != NULL, "%s", error.text);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_on_a_plane), cmocka_unit_test(lands_in_any_position),
        cmocka_unit_test(through_a_wall), cmocka_unit_test(momentum),
        cmocka_unit_test(friction),       cmocka_unit_test(threads),
        cmocka_unit_test(failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
