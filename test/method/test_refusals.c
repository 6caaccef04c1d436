// SPDX-License-Identifier: MIT
// test_refusals.c: what methods refuse, and soft bodies with elements of every kind
#include "local_scene.h"
#include "method/shape.h"

// reading=program of the methods on tetrahedra needs them: two boxes of triangles alone are refused, by status and not
// by an empty answer. reading=text takes them.
static void program_needs_tetrahedra(void **state)
{
    (void)state;
    for (int is_program = 0; is_program < 2; ++is_program) {
        local_scene s;
        local_begin(&s, NULL, "intersection", is_program ? "reading=program" : "reading=text",
                    make_box(NULL, v3(0, 0, 0), v3(1, 1, 1)), make_box(NULL, v3(0.2, 0.9, 0.2), v3(0.7, 2, 0.7)));
        abut_status status = abut_find_contacts(&s.pair, s.method, &s.params, s.workspace, &s.result);
        if (is_program) {
            CHECK_STATUS(status, ABUT_UNSUPPORTED, "program");
            CHECK(strstr(s.result.error.text, "tetrahedra") != NULL, "'%s'", s.result.error.text);
        } else {
            CHECK(status == ABUT_OK || status == ABUT_TRUNCATED, "text: %s", s.result.error.text);
        }
        local_end(&s);
    }
    CHECK_DONE();
}

// An allocation of a query fails, whichever it is: the answer is ABUT_NO_MEMORY, not the contacts that were found so far.
// One worker, so that the order of the allocations is always the same.
static void queries_without_memory_say_so(void **state)
{
    (void)state;
    int count = 0, failures = 0;
    const abut_method *const *methods = abut_methods(&count);
    for (int i = 0; i < count; ++i) {
        const int large[3] = {3, 1, 3}, small[3] = {1, 1, 1};
        failing_heap heap = {0};
        abut_context context = failing_context(&heap);
        context.worker_count = 1;
        local_scene s;
        local_begin(&s, &context, methods[i]->name, NULL, make_tet_block(&context, large, 0.0, 1, 1.0),
                    make_tet_block(&context, small, 0.0, 1, 1.0));
        s.pair.b.pose.position = v3(0.8, 0.999, 1.3);
        for (int k = 1, is_over = 0; !is_over; ++k) {
            abut_workspace_destroy(s.workspace); // a new one has no memory from the last query
            assert_int_equal(abut_workspace_create(&context, &s.workspace), ABUT_OK);
            heap.fail_at = heap.calls + k;
            abut_status status = abut_find_contacts(&s.pair, s.method, &s.params, s.workspace, &s.result);
            is_over = heap.calls < heap.fail_at;
            heap.fail_at = 0;
            CHECK((status == ABUT_NO_MEMORY) == !is_over, "%s, allocation %d: %s", methods[i]->name, k,
                  abut_status_text(status));
            failures += !is_over;
        }
        local_end(&s);
        CHECK_INT(heap.live, 0, methods[i]->name);
    }
    CHECK(failures > 2 * count, "%d failures", failures);
    CHECK_DONE();
}

// A soft body that cannot be made is NULL, whatever the pointer was before, and leaves no memory behind.
static void failed_soft_bodies_are_null(void **state)
{
    (void)state;
    abut_mesh *mesh = make_box(NULL, v3(0, 0, 0), v3(1, 1, 1));
    abut_params params = abut_params_default();
    abut_shape *shape = make_shape(NULL, mesh, abut_method_find("intersection"), &params);
    for (int k = 1, is_over = 0; !is_over; ++k) {
        failing_heap heap = {.fail_at = k};
        abut_context context = failing_context(&heap);
        abut_instance *soft = (abut_instance *)&heap;
        abut_status status = abut_instance_create(&context, shape, &soft, NULL);
        is_over = heap.calls < k;
        CHECK_STATUS(status, is_over ? ABUT_OK : ABUT_NO_MEMORY, "soft body");
        CHECK((soft == NULL) == !is_over, "allocation %d", k);
        abut_instance_destroy(is_over ? soft : NULL);
        CHECK_INT(heap.live, 0, "blocks");
    }
    abut_shape_destroy(shape);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// `convex` finds out that an L is not convex from its B-rep. It builds this once: asked again, the shape gives the same
// answer without a single allocation, and still counts as not prepared. Other methods are not concerned.
static void refusals_are_remembered(void **state)
{
    (void)state;
    failing_heap heap = {0};
    abut_context context = failing_context(&heap);
    abut_mesh *mesh = make_l(NULL, 1.0);
    abut_shape_def def = abut_shape_def_default();
    def.mesh = mesh;
    abut_shape *shape = NULL;
    assert_int_equal(abut_shape_create(&context, &def, &shape, NULL), ABUT_OK);
    const abut_method *convex = abut_method_find("convex");
    abut_params params = abut_params_default();
    abut_error first = {.text = ""}, second = {.text = ""};
    CHECK_STATUS(abut_shape_prepare(shape, convex, &params, &first), ABUT_UNSUPPORTED, "first");
    int calls = heap.calls;
    CHECK(calls > 10, "%d allocations", calls);
    CHECK_STATUS(abut_shape_prepare(shape, convex, &params, &second), ABUT_UNSUPPORTED, "second");
    CHECK_STATUS(abut_shape_prepare(shape, convex, NULL, NULL), ABUT_UNSUPPORTED, "third");
    CHECK_INT(heap.calls, calls, "allocations");
    CHECK(first.text[0] != '\0' && strcmp(first.text, second.text) == 0, "'%s', then '%s'", first.text,
          second.text);
    CHECK(second.status == first.status && second.element == first.element, "error");
    CHECK(!abut_shape_is_prepared(shape, convex, &params), "prepared");
    CHECK_STATUS(abut_shape_prepare(shape, abut_method_find("regions"), &params, &first), ABUT_OK, "regions");
    abut_shape_destroy(shape);
    abut_mesh_destroy(mesh);
    CHECK_INT(heap.live, 0, "blocks");
    CHECK_DONE();
}

// No memory is no refusal: whichever allocation fails, the next call prepares the shape.
static void memory_may_come_back(void **state)
{
    (void)state;
    abut_mesh *mesh = make_box(NULL, v3(0, 0, 0), v3(1, 1, 1));
    abut_shape_def def = abut_shape_def_default();
    def.mesh = mesh;
    for (int k = 1, is_over = 0; !is_over; ++k) {
        failing_heap heap = {0};
        abut_context context = failing_context(&heap);
        abut_shape *shape = NULL;
        assert_int_equal(abut_shape_create(&context, &def, &shape, NULL), ABUT_OK);
        heap.fail_at = heap.calls + k;
        abut_status status = abut_shape_prepare(shape, abut_method_find("convex"), NULL, NULL);
        is_over = heap.calls < heap.fail_at;
        heap.fail_at = 0;
        CHECK_STATUS(status, is_over ? ABUT_OK : ABUT_NO_MEMORY, "first");
        CHECK_STATUS(abut_shape_prepare(shape, abut_method_find("convex"), NULL, NULL), ABUT_OK, "second");
        abut_shape_destroy(shape);
        CHECK_INT(heap.live, 0, "blocks");
    }
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A result that is used again says nothing of the query before: its counters and its error are cleared.
static void cleared_results_are_empty(void **state)
{
    (void)state;
    abut_result result = abut_result_default();
    result.stats.tested_pairs = 3;
    result.stats.fallbacks = 1;
    result.error.status = ABUT_BAD_DATA;
    result.error.element = 7;
    result.contacts.count = 5;
    abut_result_clear(&result);
    abut_result empty = abut_result_default();
    CHECK(memcmp(&result.stats, &empty.stats, sizeof empty.stats) == 0, "stats");
    CHECK_STATUS(result.error.status, ABUT_OK, "error");
    CHECK_INT(result.error.element, -1, "element");
    CHECK_INT(result.contacts.count, 0, "contacts");
    CHECK_DONE();
}

// An option that a method does not know: the message names it and all that there are.
static void unknown_options_are_told_the_known_ones(void **state)
{
    (void)state;
    int told = 0;
    int count = 0;
    const abut_method *const *methods = abut_methods(&count);
    for (int i = 0; i < count; ++i) {
        const abut_method *method = methods[i];
        abut_option option;
        abut_error error = {.text = ""};
        CHECK_STATUS(abut_option_parse(method, "nonsense=1", &option, &error), ABUT_BAD_ARGUMENT, method->name);
        CHECK(strstr(error.text, "nonsense") != NULL, "%s: '%s'", method->name, error.text);
        for (int k = 0; k < method->option_count; ++k) {
            CHECK(strstr(error.text, method->options[k].name) != NULL, "%s, option %s: '%s'", method->name,
                  method->options[k].name, error.text);
            ++told;
        }
    }
    CHECK(told > 10, "%d options", told);
    CHECK_DONE();
}

static abut_status find_nothing(const abut_query *query, abut_sink *sink)
{
    (void)query, (void)sink;
    return ABUT_OK;
}

static const abut_method all_trees = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "test-trees",
    .summary = "has a tree of every kind",
    .source = "none",
    .needs = ABUT_NEEDS_POINT_TREE | ABUT_NEEDS_SEGMENT_TREE | ABUT_NEEDS_TRIANGLE_TREE | ABUT_NEEDS_TET_TREE,
    .query = find_nothing,
};

// A mesh with an element of every kind: a point (vertex 0), a segment (1, 2), a triangle (3, 4, 5) and a tetrahedron
// (6 to 9), all within 1 of the origin. Its soft body moves by 10 along x: every
// element is found at its first vertex as it is now, and nothing is left within 5 of the origin.
static void trees_of_every_kind_move(void **state)
{
    (void)state;
    const abut_vec3 vertices[10] = {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0},
                                    {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    const int points[1] = {0}, segments[2] = {1, 2}, faces[3] = {3, 4, 5}, tets[4] = {9, 6, 7, 8};
    const int first[4] = {0, 1, 3, 6};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices, def.vertex_count = 10;
    def.points = points, def.point_count = 1;
    def.segments = segments, def.segment_count = 1;
    def.face_vertices = faces, def.face_count = 1;
    def.tets = tets, def.tet_count = 1;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    abut_params params = abut_params_default();
    abut_shape *shape = make_shape(NULL, mesh, &all_trees, &params);
    abut_instance *soft = NULL;
    assert_int_equal(abut_instance_create(NULL, shape, &soft, NULL), ABUT_OK);
    abut_vec3 moved[10];
    for (int i = 0; i < 10; ++i) {
        moved[i] = abut_add(vertices[i], v3(10, 0, 0));
    }
    assert_int_equal(abut_instance_move(soft, moved, NULL, NULL), ABUT_OK);
    for (int kind = 0; kind < 4; ++kind) {
        const abut_tree *tree = abut_instance_tree(soft, (abut_element_kind)kind);
        assert_non_null(tree);
        CHECK(abut_tree_nearest(tree, moved[first[kind]], 1.0).element >= 0, "kind %d is not where it moved", kind);
        CHECK(abut_tree_nearest(tree, v3(0, 0, 0), 5.0).element < 0, "kind %d is where it was", kind);
    }
    abut_instance_destroy(soft);
    abut_shape_destroy(shape);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(program_needs_tetrahedra),
        cmocka_unit_test(queries_without_memory_say_so),
        cmocka_unit_test(failed_soft_bodies_are_null),
        cmocka_unit_test(refusals_are_remembered),
        cmocka_unit_test(memory_may_come_back),
        cmocka_unit_test(cleared_results_are_empty),
        cmocka_unit_test(unknown_options_are_told_the_known_ones),
        cmocka_unit_test(trees_of_every_kind_move),
    };
    return cmocka_run_group_tests_name("refusals", tests, NULL, NULL);
}
