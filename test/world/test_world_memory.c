// SPDX-License-Identifier: MIT
// test_world_memory.c: steps at rest allocate nothing, and a step that runs out of memory changes nothing
#include "check.h"
#include "failing.h"
#include "shapes.h"

enum { BOXES = 5 };

/// A stack of boxes on the ground, each rotated relative to the one below, all of one material.
typedef struct stack {
    abut_mesh *meshes[2];
    abut_shape *shapes[2];
    abut_world *world;
} stack;

/// A parallel loop that behaves like three threads, one after the other.
static void three_workers(void *user, int count, int grain, abut_range_task *task, void *data)
{
    (void)user;
    int step = grain > 1 ? grain : 1;
    for (int begin = 0, i = 0; begin < count; begin += step, ++i) {
        task(data, begin, count - begin < step ? count : begin + step, i % 3);
    }
}

static stack make_shapes(void)
{
    stack s = {.meshes = {make_box(NULL, abut_vec3_make(-5, -1, -5), abut_vec3_make(5, 0, 5)),
                          make_box(NULL, abut_vec3_make(-0.5, 0, -0.5), abut_vec3_make(0.5, 1, 0.5))}};
    abut_params params = abut_params_default();
    for (int i = 0; i < 2; ++i) {
        s.shapes[i] = make_shape(NULL, s.meshes[i], abut_method_find("regions"), &params);
    }
    return s;
}

static abut_status fill_world(stack *s, const abut_context *context, abut_solver_kind solver, abut_stepper stepper)
{
    abut_world_def def = abut_world_def_default();
    def.gravity = abut_vec3_make(0.0, -9.81, 0.0);
    def.solver = solver;
    def.stepper = stepper;
    const abut_option points = {"points", 0.0}; // the default, to be copied
    abut_params params = abut_params_default();
    params.options = &points;
    params.option_count = 1;
    def.params = &params;
    abut_material stone = abut_material_default();
    stone.friction = stepper == ABUT_STEPPER_EVENTS ? 0.0 : stone.friction;
    abut_status status = abut_world_create(context, &def, &s->world, NULL);
    if (status == ABUT_OK) {
        status = abut_world_add_material(s->world, &stone, NULL, NULL);
    }
    for (int i = 0; i <= BOXES && status == ABUT_OK; ++i) {
        abut_body_def body = abut_body_def_default();
        body.shape = s->shapes[i > 0];
        body.is_fixed = i == 0;
        body.material = 0;
        body.pose.position.y = i > 0 ? i - 1 : 0;
        body.pose.rotation = abut_quat_from_axis(abut_vec3_make(0, 1, 0), 0.2 * i);
        status = abut_world_add_body(s->world, &body, NULL, NULL);
    }
    if (status == ABUT_OK) {
        status = abut_world_set_method(s->world, 0, 0, def.method, &params, NULL);
    }
    return status;
}

static void release_shapes(stack *s)
{
    for (int i = 0; i < 2; ++i) {
        abut_shape_destroy(s->shapes[i]);
        abut_mesh_destroy(s->meshes[i]);
    }
}

/// After some steps all arrays are large enough, and steps make no more heap calls.
static void steps_at_rest_take_no_memory(void **state)
{
    (void)state;
    stack s = make_shapes();
    for (int i = 0; i < 3; ++i) { // two solvers, then events
        failing_heap heap = {0};
        abut_context context = failing_context(&heap);
        context.parallel_for = three_workers;
        context.worker_count = 3;
        assert_int_equal(fill_world(&s, &context, i == 1 ? ABUT_SOLVER_MCP : ABUT_SOLVER_PROX,
                                    i == 2 ? ABUT_STEPPER_EVENTS : ABUT_STEPPER_MOREAU),
                         ABUT_OK);
        abut_error error = {.text = ""};
        int calls = 0;
        for (int step = 0; step < 60; ++step) {
            CHECK_STATUS(abut_world_step(s.world, &error), ABUT_OK, error.text);
            calls = step < 20 ? heap.calls : calls;
        }
        CHECK_INT(abut_world_get_report(s.world).contact_count, 4 + 8 * (BOXES - 1), "contacts");
        CHECK(calls > 0, "the heap does not count");
        CHECK_INT(heap.calls, calls, "calls after 20 steps");
        abut_world_destroy(s.world);
        CHECK_INT(heap.live, 0, "blocks left over");
    }
    release_shapes(&s);
    CHECK_DONE();
}

/// Each allocation of a world and of two steps fails in turn. The status says so, a failed step leaves the bodies
/// where they were and can be repeated, and nothing leaks.
static void check_failures_of_memory(abut_stepper stepper)
{
    stack s = make_shapes();
    int steps_failed = 0, is_whole = 0;
    for (int at = 1; !is_whole; ++at) {
        failing_heap heap = {.fail_at = at};
        abut_context context = failing_context(&heap);
        context.parallel_for = three_workers;
        context.worker_count = 3;
        s.world = NULL;
        abut_status status = fill_world(&s, &context, ABUT_SOLVER_PROX, stepper);
        CHECK(status == ABUT_OK || (status == ABUT_NO_MEMORY && heap.calls >= at), "making failed at %d: %d", at,
              (int)status);
        for (int i = 0; i < 2 && status == ABUT_OK; ++i) {
            abut_body_state before = abut_world_get_body(s.world, BOXES);
            abut_error error = {.text = ""};
            status = abut_world_step(s.world, &error);
            if (status != ABUT_OK) {
                abut_body_state after = abut_world_get_body(s.world, BOXES);
                CHECK(status == ABUT_NO_MEMORY && error.text[0] != '\0', "step failed at %d: %d", at, (int)status);
                CHECK(memcmp(&before, &after, sizeof before) == 0, "a failed step moved a body");
                CHECK_STATUS(abut_world_step(s.world, &error), ABUT_OK, "the step again");
                ++steps_failed;
            }
        }
        is_whole = heap.calls < at;
        abut_world_destroy(s.world);
        CHECK_INT(heap.live, 0, "blocks left over");
    }
    CHECK(steps_failed > 10, "only %d steps failed", steps_failed);
    release_shapes(&s);
}

static void failures_of_memory_change_nothing(void **state)
{
    (void)state;
    check_failures_of_memory(ABUT_STEPPER_MOREAU);
    check_failures_of_memory(ABUT_STEPPER_EVENTS);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_at_rest_take_no_memory),
        cmocka_unit_test(failures_of_memory_change_nothing),
    };
    return cmocka_run_group_tests_name("world_memory", tests, NULL, NULL);
}
