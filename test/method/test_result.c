// SPDX-License-Identifier: MIT
// test_result.c: how answers reach the caller: views, copies, one call, and shapes that own their mesh
#include "shapes.h"

#include "failing.h"

#include <stdlib.h>

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

enum { CONTACTS = 8, POINTS = 4 };

static int query_count; ///< calls of the method below

static abut_contact contact_of(int vertex)
{
    abut_contact c = plain_contact(v3(vertex, 0, 0), v3(0, 1, 0), vertex);
    c.region = vertex % 2;
    return c;
}

/// Finds eight contacts, two regions of a loop of four points each, and an event.
static abut_status query_regions(const abut_query *query, abut_sink *sink)
{
    (void)query;
    ++query_count;
    for (int i = 0; i < 2; ++i) {
        const abut_vec3 square[POINTS] = {v3(i, 0, 0), v3(i, 0, 1), v3(i, 1, 1), v3(i, 1, 0)}, up = v3(0, 1, 0);
        abut_region region = {.kind = ABUT_REGION_POLYGON,
                              .feature_a = abut_feature_face(i),
                              .feature_b = abut_feature_face(0),
                              .loop_count = 1,
                              .normal_count = 1,
                              .cone_count = 1,
                              .measure = 1.0,
                              .id = (uint64_t)i + 1};
        abut_region_loop loop = {abut_sink_points(sink, square, POINTS), POINTS, 0};
        region.normal_begin = abut_sink_directions(sink, &up, 1);
        abut_region_cone cone = {region.normal_begin, 1};
        region.loop_begin = abut_sink_loop(sink, &loop);
        region.cone_begin = abut_sink_cone(sink, &cone);
        if (abut_sink_region(sink, &region) < 0) {
            return ABUT_NO_MEMORY;
        }
    }
    for (int i = CONTACTS - 1; i >= 0; --i) {
        abut_contact c = contact_of(i);
        (void)abut_sink_contact(sink, &c);
    }
    abut_event event = {.kind = ABUT_EVENT_BEGIN, .is_region = 1, .id = 1, .other_id = 1};
    (void)abut_sink_event(sink, &event);
    return ABUT_OK;
}

static const abut_method region_row = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "test-regions",
    .summary = "eight contacts in two regions",
    .source = "none",
    .needs = ABUT_NEEDS_TRIANGLES,
    .query = query_regions,
};

typedef struct fixture {
    abut_mesh *mesh;
    abut_shape *shape;
    abut_workspace *work;
    abut_pair pair;
    abut_result result;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->mesh = make_box(NULL, v3(0, 0, 0), v3(1, 1, 1));
    f->shape = make_shape(NULL, f->mesh, &region_row, NULL);
    assert_int_equal(abut_workspace_create(NULL, &f->work), ABUT_OK);
    f->pair = abut_pair_default(f->shape, f->shape);
    f->pair.a.key = 1; // the method's contacts are about this order
    f->pair.b.key = 2;
    f->result = abut_result_default();
    query_count = 0;
    CHECK_STATUS(abut_find_contacts(&f->pair, &region_row, NULL, f->work, &f->result), ABUT_OK, "query");
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    abut_workspace_destroy(f->work);
    abut_shape_destroy(f->shape);
    abut_mesh_destroy(f->mesh);
    free(f);
    return 0;
}

// One call of the method gives the whole answer, whatever its size; contacts are in feature order and name a region
// that is there.
static void one_query_gives_the_whole_answer(void **state)
{
    fixture *f = *state;
    CHECK_INT(query_count, 1, "calls of the method");
    CHECK_INT(f->result.contacts.count, CONTACTS, "contacts");
    CHECK_INT(f->result.regions.count, 2, "regions");
    CHECK_INT(f->result.points.count, 2 * POINTS, "points");
    CHECK_INT(f->result.events.count, 1, "events");
    for (int i = 0; i < f->result.contacts.count; ++i) {
        CHECK_INT(f->result.contacts.items[i].feature_a.index, i, "in feature order");
        CHECK_INT(f->result.contacts.items[i].region, i % 2, "region");
    }
    CHECK_DONE();
}

// A failed query leaves no view of the answer before it.
static void a_failure_empties_the_result(void **state)
{
    fixture *f = *state;
    abut_pair bad = f->pair;
    bad.dt = -1.0;
    CHECK_STATUS(abut_find_contacts(&bad, &region_row, NULL, f->work, &f->result), ABUT_BAD_ARGUMENT, "query");
    CHECK(f->result.contacts.items == NULL && f->result.contacts.count == 0 && f->result.regions.count == 0,
          "nothing is left");
    CHECK_DONE();
}

// Copies into less room than needed: what fits is written, `required` has the whole number, and the status says so.
// The method is not asked again.
static void copies_without_room_are_truncated(void **state)
{
    fixture *f = *state;
    abut_contact contacts[CONTACTS];
    for (int capacity = 1; capacity <= CONTACTS; ++capacity) {
        abut_buffers buffers = abut_buffers_default();
        buffers.contacts.items = contacts;
        buffers.contacts.capacity = capacity;
        CHECK_STATUS(abut_result_copy(&f->result, &buffers), capacity < CONTACTS ? ABUT_TRUNCATED : ABUT_OK,
                     "copy");
        CHECK_INT(buffers.contacts.count, capacity, "written");
        CHECK_INT(buffers.contacts.required, CONTACTS, "required");
        for (int i = 0; i < capacity; ++i) {
            CHECK_INT(contacts[i].feature_a.index, i, "in feature order");
        }
    }
    abut_buffers nothing = abut_buffers_default();
    CHECK_STATUS(abut_result_copy(&f->result, &nothing), ABUT_OK, "nothing is wanted");
    CHECK_INT(nothing.contacts.required, CONTACTS, "what there is");
    CHECK_INT(query_count, 1, "calls of the method");
    CHECK_DONE();
}

/// Arrays with room for the whole answer of the method above.
typedef struct room {
    abut_contact contacts[CONTACTS];
    abut_region regions[2];
    abut_region_loop loops[2];
    abut_region_cone cones[2];
    abut_vec3 points[2 * POINTS], directions[2];
    abut_event events[1];
} room;

static abut_buffers buffers_of(room *r)
{
    abut_buffers b = abut_buffers_default();
    b.contacts = (abut_contact_array){.items = r->contacts, .capacity = CONTACTS};
    b.regions = (abut_region_array){.items = r->regions, .capacity = 2};
    b.loops = (abut_loop_array){.items = r->loops, .capacity = 2};
    b.cones = (abut_cone_array){.items = r->cones, .capacity = 2};
    b.points = (abut_vec3_array){.items = r->points, .capacity = 2 * POINTS};
    b.directions = (abut_vec3_array){.items = r->directions, .capacity = 2};
    b.events = (abut_event_array){.items = r->events, .capacity = 1};
    return b;
}

// A contact never names a region that was not delivered: -1 if no regions are wanted (and that is no truncation), -1
// with ABUT_TRUNCATED if one of the arrays that regions need is too small; then none of these arrays is written.
static void contacts_name_only_regions_that_came(void **state)
{
    fixture *f = *state;
    room r;
    abut_buffers all = buffers_of(&r);
    CHECK_STATUS(abut_result_copy(&f->result, &all), ABUT_OK, "all");
    CHECK(all.regions.count == 2 && all.events.count == 1 && r.contacts[5].region == 1, "all of it");
    CHECK(r.points[7].x == 1.0 && r.loops[1].point_begin == POINTS, "the second square");

    abut_buffers few = abut_buffers_default();
    few.contacts = (abut_contact_array){.items = r.contacts, .capacity = CONTACTS};
    CHECK_STATUS(abut_result_copy(&f->result, &few), ABUT_OK, "contacts only");
    CHECK_INT(few.regions.required, 2, "regions that are there");
    for (int i = 0; i < CONTACTS; ++i) {
        CHECK_INT(r.contacts[i].region, -1, "contacts only");
    }
    for (int array = 0; array < 5; ++array) {
        abut_buffers small = buffers_of(&r);
        int *capacities[] = {&small.regions.capacity, &small.loops.capacity, &small.cones.capacity,
                             &small.points.capacity, &small.directions.capacity};
        --*capacities[array];
        CHECK_STATUS(abut_result_copy(&f->result, &small), ABUT_TRUNCATED, "one item too few");
        CHECK_INT(small.regions.count + small.loops.count + small.cones.count + small.points.count +
                      small.directions.count,
                  0, "regions come whole or not at all");
        CHECK_INT(r.contacts[5].region, -1, "no region");
        CHECK_INT(small.contacts.count, CONTACTS, "contacts come anyway");
    }
    CHECK_DONE();
}

// Regions need five arrays. With one of them alone there is nothing to copy, and that is said.
static void regions_need_five_arrays(void **state)
{
    fixture *f = *state;
    room r;
    abut_buffers points = abut_buffers_default(), regions = buffers_of(&r);
    points.points = (abut_vec3_array){.items = r.points, .capacity = 2 * POINTS};
    CHECK_STATUS(abut_result_copy(&f->result, &points), ABUT_TRUNCATED, "points alone");
    CHECK_INT(points.points.count, 0, "points alone");
    regions.loops = (abut_loop_array){0};
    CHECK_STATUS(abut_result_copy(&f->result, &regions), ABUT_TRUNCATED, "no loops");
    CHECK_INT(regions.regions.count, 0, "no loops");
    CHECK_DONE();
}

static int read_count; ///< how many queries the memory had seen before the last one

/// Counts the queries of a pair in its memory.
static abut_status query_counting(const abut_query *query, abut_sink *sink)
{
    size_t size;
    const int *before = abut_query_memory(query, &size);
    int *next = abut_sink_memory(sink, sizeof *next);
    read_count = before != NULL ? *before : 0;
    if (next != NULL) {
        *next = read_count + 1;
    }
    return ABUT_OK;
}

// A memory belongs to the pair, not to the order in which the caller names it: with A and B swapped it is still there.
// A query that cannot be answered, whatever the reason, leaves nothing to commit.
static void a_memory_survives_swapping_and_failures(void **state)
{
    fixture *f = *state;
    abut_method counting = region_row;
    counting.name = "test-counting";
    counting.query = query_counting;
    abut_shape *shape = make_shape(NULL, f->mesh, &counting, NULL);
    abut_memory *memory = NULL;
    assert_int_equal(abut_memory_create(NULL, &memory), ABUT_OK);
    abut_pair pair = abut_pair_default(shape, shape);
    pair.a.key = 1;
    pair.b.key = 2;
    pair.memory = memory;
    for (int i = 0; i < 4; ++i) {
        CHECK_STATUS(abut_find_contacts(&pair, &counting, NULL, f->work, &f->result), ABUT_OK, "query");
        CHECK_INT(read_count, i, "queries before");
        abut_memory_commit(memory);
        abut_side a = pair.a;
        pair.a = pair.b;
        pair.b = a;
    }
    abut_result unfit = abut_result_default();
    unfit.struct_size = 8;
    abut_pair bad = pair;
    bad.dt = -1.0;
    for (int i = 0; i < 2; ++i) {
        CHECK_STATUS(abut_find_contacts(&pair, &counting, NULL, f->work, &f->result), ABUT_OK, "not committed");
        CHECK_STATUS(
            abut_find_contacts(i == 0 ? &bad : &pair, &counting, NULL, f->work, i == 0 ? &f->result : &unfit),
            ABUT_BAD_ARGUMENT, "failure");
        abut_memory_commit(memory);
        CHECK_STATUS(abut_find_contacts(&pair, &counting, NULL, f->work, &f->result), ABUT_OK, "query");
        CHECK_INT(read_count, 4, "nothing was committed");
    }
    abut_memory_destroy(memory);
    abut_shape_destroy(shape);
    CHECK_DONE();
}

// A capacity that is negative, or that has no memory, is refused, and nothing is written. So is a struct of another
// size.
static void room_that_is_not_there_is_refused(void **state)
{
    fixture *f = *state;
    abut_result older = f->result;
    abut_buffers smaller = abut_buffers_default();
    older.struct_size -= 8;
    CHECK_STATUS(abut_result_copy(&older, &smaller), ABUT_BAD_ARGUMENT, "another result");
    smaller.struct_size -= 8;
    CHECK_STATUS(abut_result_copy(&f->result, &smaller), ABUT_BAD_ARGUMENT, "other buffers");
    for (int array = 0; array < 8; ++array) {
        for (int capacity = -1; capacity <= 1; capacity += 2) {
            abut_buffers b = abut_buffers_default();
            int *capacities[] = {&b.contacts.capacity,   &b.derivatives.capacity, &b.regions.capacity,
                                 &b.loops.capacity,      &b.cones.capacity,       &b.points.capacity,
                                 &b.directions.capacity, &b.events.capacity};
            *capacities[array] = capacity;
            CHECK_STATUS(abut_result_copy(&f->result, &b), ABUT_BAD_ARGUMENT, "room");
            CHECK_INT(b.contacts.required, 0, "untouched");
        }
    }
    CHECK_DONE();
}

// Contacts from elsewhere become the answer of a workspace, without their regions.
static void contacts_from_elsewhere_are_put(void **state)
{
    fixture *f = *state;
    abut_contact contacts[2] = {contact_of(3), contact_of(1)};
    abut_result result = abut_result_default();
    CHECK_STATUS(abut_workspace_put(f->work, contacts, 2, &result), ABUT_OK, "put");
    CHECK_INT(result.contacts.count, 2, "count");
    CHECK(result.contacts.items != contacts && result.contacts.items[0].feature_a.index == 3, "a copy, in order");
    CHECK_INT(result.contacts.items[0].region, -1, "its region stayed elsewhere");
    CHECK_STATUS(abut_workspace_put(f->work, NULL, 0, &result), ABUT_OK, "nothing");
    CHECK_INT(result.contacts.count, 0, "nothing");
    CHECK_DONE();
}

// One call for two meshes: a unit cube on a unit cube, moved by (0.5, 1, 0), touches it in a rectangle of 0.5 x 1, with four
// corners and the normal +y. The answer does not need the meshes any more.
static void one_call_for_two_meshes(void **state)
{
    (void)state;
    abut_mesh *a = make_box(NULL, v3(0, 0, 0), v3(1, 1, 1)), *b = make_box(NULL, v3(0, 0, 0), v3(1, 1, 1));
    abut_mesh_pair pair = abut_mesh_pair_default(a, b);
    pair.pose_b.position = v3(0.5, 1, 0);
    abut_answer *answer = NULL;
    abut_error error;
    assert_int_equal(abut_find_mesh_contacts(NULL, &pair, &answer, &error), ABUT_OK);
    abut_mesh_destroy(a);
    abut_mesh_destroy(b);
    const abut_result *result = abut_answer_result(answer);
    CHECK_INT(result->contacts.count, 4, "corners");
    CHECK_INT(result->regions.count, 1, "regions");
    for (int i = 0; i < result->contacts.count; ++i) {
        const abut_contact *c = &result->contacts.items[i];
        CHECK_NEAR(c->normal.y, 1.0, 1e-12, "normal");
        CHECK_NEAR(c->gap, 0.0, 1e-12, "gap");
        CHECK_NEAR(fabs(c->position.x - 0.75), 0.25, 1e-12, "x is 0.5 or 1");
        CHECK_INT(c->region, 0, "region");
    }
    abut_answer_destroy(answer);
    abut_answer_destroy(NULL);
    CHECK_DONE();
}

// What cannot be asked ends with a status and words, each failed allocation with ABUT_NO_MEMORY, and nothing is left.
static void one_call_fails_cleanly(void **state)
{
    fixture *f = *state;
    abut_answer *answer = NULL;
    abut_error error = {0};
    abut_mesh_pair pair = abut_mesh_pair_default(f->mesh, NULL);
    CHECK_STATUS(abut_find_mesh_contacts(NULL, &pair, &answer, &error), ABUT_BAD_ARGUMENT, "no mesh");
    CHECK(answer == NULL && strstr(error.text, "mesh B") != NULL, "%s", error.text);
    pair = abut_mesh_pair_default(f->mesh, f->mesh);
    pair.pose_b.position.x = NAN;
    CHECK_STATUS(abut_find_mesh_contacts(NULL, &pair, &answer, &error), ABUT_BAD_ARGUMENT, "NaN");
    CHECK(answer == NULL && error.text[0] != '\0', "%s", error.text);
    pair = abut_mesh_pair_default(f->mesh, f->mesh);
    pair.method = abut_method_find("regoins");
    CHECK_STATUS(abut_find_mesh_contacts(NULL, &pair, &answer, &error), ABUT_BAD_ARGUMENT, "no such method");
    CHECK(strstr(error.text, "method") != NULL, "%s", error.text);
    CHECK_STATUS(abut_shape_prepare(f->shape, NULL, NULL, &error), ABUT_BAD_ARGUMENT, "prepare");
    CHECK_STATUS(abut_find_contacts(&f->pair, NULL, NULL, f->work, &f->result), ABUT_BAD_ARGUMENT, "query");
    pair = abut_mesh_pair_default(f->mesh, f->mesh);
    pair.struct_size = 3;
    CHECK_STATUS(abut_find_mesh_contacts(NULL, &pair, &answer, &error), ABUT_BAD_ARGUMENT, "size");
    pair = abut_mesh_pair_default(f->mesh, f->mesh);
    pair.method = abut_method_find("intersection");
    int is_done = 0;
    for (int fail_at = 1; !is_done && fail_at < 1000; ++fail_at) {
        failing_heap heap = {.fail_at = fail_at};
        abut_context context = failing_context(&heap);
        abut_status status = abut_find_mesh_contacts(&context, &pair, &answer, &error);
        is_done = heap.calls < fail_at;
        CHECK_STATUS(status, is_done ? ABUT_OK : ABUT_NO_MEMORY, "out of memory");
        abut_answer_destroy(answer);
        CHECK_INT(heap.live, 0, "nothing left");
    }
    CHECK(is_done, "ends");
    CHECK_DONE();
}

// A shape destroys the mesh that it owns and no other; if the shape cannot be made, the mesh stays the caller's.
static void a_shape_can_own_its_mesh(void **state)
{
    (void)state;
    failing_heap heap = {0};
    abut_context context = failing_context(&heap);
    abut_shape_def def = abut_shape_def_default();
    abut_shape *shape = NULL;
    abut_error error;
    def.owned_mesh = make_box(&context, v3(0, 0, 0), v3(1, 1, 1));
    CHECK_STATUS(abut_shape_create(&context, &def, &shape, &error), ABUT_OK, "shape");
    CHECK(abut_shape_mesh(shape) == def.owned_mesh, "its mesh");
    abut_shape_destroy(shape);
    CHECK_INT(heap.live, 0, "the mesh is gone too");
    abut_mesh *mesh = make_box(&context, v3(0, 0, 0), v3(1, 1, 1));
    def.mesh = def.owned_mesh = mesh;
    CHECK_STATUS(abut_shape_create(&context, &def, &shape, &error), ABUT_BAD_ARGUMENT, "two meshes");
    def.mesh = NULL;
    def.dilation = -1.0;
    CHECK_STATUS(abut_shape_create(&context, &def, &shape, &error), ABUT_BAD_ARGUMENT, "dilation");
    def.dilation = 1.1 * ABUT_LARGEST_COORDINATE;
    CHECK_STATUS(abut_shape_create(&context, &def, &shape, &error), ABUT_UNSUPPORTED, "a dilation that overflows");
    CHECK_INT(abut_mesh_get_elements(mesh).vertex_count, 8, "the mesh is there");
    abut_mesh_destroy(mesh);
    CHECK_INT(heap.live, 0, "nothing left");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_query_gives_the_whole_answer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_failure_empties_the_result, set_up, tear_down),
        cmocka_unit_test_setup_teardown(copies_without_room_are_truncated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(contacts_name_only_regions_that_came, set_up, tear_down),
        cmocka_unit_test_setup_teardown(regions_need_five_arrays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_memory_survives_swapping_and_failures, set_up, tear_down),
        cmocka_unit_test_setup_teardown(room_that_is_not_there_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(contacts_from_elsewhere_are_put, set_up, tear_down),
        cmocka_unit_test(one_call_for_two_meshes),
        cmocka_unit_test_setup_teardown(one_call_fails_cleanly, set_up, tear_down),
        cmocka_unit_test(a_shape_can_own_its_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
