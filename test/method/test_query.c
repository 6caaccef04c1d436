// SPDX-License-Identifier: MIT
// test_query.c: the contract of abut_find_contacts, whatever the method
#include "failing.h"
#include "shapes.h"

#include "random.h"

#include <stdlib.h>

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

// ---- a method that returns what the test tells it ----------------------------------------------------------------

static abut_contact scripted[64];
static int scripted_count;

static abut_status query_scripted(const abut_query *query, abut_sink *sink)
{
    (void)query;
    for (int i = 0; i < scripted_count; ++i) {
        if (abut_sink_contact(sink, &scripted[i]) < 0) {
            return ABUT_NO_MEMORY;
        }
    }
    return ABUT_OK;
}

static const abut_method scripted_row = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "test-scripted",
    .summary = "what the test says",
    .source = "none",
    .needs = ABUT_NEEDS_TRIANGLES,
    .query = query_scripted,
};

typedef struct fixture {
    abut_mesh *mesh;
    abut_shape *a, *b;
    abut_workspace *work, *other_work;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->mesh = make_solid_box(NULL, v3(0, 0, 0), v3(1, 1, 1));
    f->a = make_shape(NULL, f->mesh, &scripted_row, NULL);
    f->b = make_shape(NULL, f->mesh, &scripted_row, NULL);
    assert_int_equal(abut_workspace_create(NULL, &f->work), ABUT_OK);
    assert_int_equal(abut_workspace_create(NULL, &f->other_work), ABUT_OK);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    abut_workspace_destroy(f->work);
    abut_workspace_destroy(f->other_work);
    abut_shape_destroy(f->a);
    abut_shape_destroy(f->b);
    abut_mesh_destroy(f->mesh);
    free(f);
    return 0;
}

// Contacts at the same place (within merge) with the same normal (within angle) are one; a different normal or a place
// further than merge keeps them apart. With the flag all stay. Raw and removed ones are counted.
static void filter_merges_equal_contacts_only(void **state)
{
    fixture *f = *state;
    const double merge = 1e-3, angle = 1e-3;
    abut_vec3 up = v3(0, 1, 0), tilted = v3(sin(2e-3), cos(2e-3), 0), barely = v3(sin(5e-4), cos(5e-4), 0);
    scripted[0] = plain_contact(v3(0.5, 0, 0), up, 0);
    scripted[1] = plain_contact(v3(0.5 + 0.9e-3, 0, 0), up, 1);  // merged with 0
    scripted[2] = plain_contact(v3(0.5 + 1.1e-3, 0, 0), up, 2);  // stays
    scripted[3] = plain_contact(v3(0.5, 0, 0), tilted, 3);       // stays
    scripted[4] = plain_contact(v3(0.5, 0, 0), barely, 4);       // merged with 0
    scripted[5] = plain_contact(v3(0.5, 0, 0), v3(0, -1, 0), 5); // stays: the opposite normal
    scripted[6] = plain_contact(v3(0.5, 0.9e-3, 0.9e-3), up, 6); // 1.27e-3 away: stays
    scripted_count = 7;
    abut_params params = abut_params_default();
    params.merge = abut_absolute(merge);
    params.angle = angle;
    abut_result result = abut_result_default();
    abut_pair pair = abut_pair_default(f->a, f->b);
    CHECK_STATUS(abut_find_contacts(&pair, &scripted_row, &params, f->work, &result), ABUT_OK, "query");
    CHECK_INT(result.contacts.count, 5, "kept");
    CHECK_INT(result.stats.raw_contacts, 7, "raw");
    CHECK_INT(result.stats.filtered_contacts, 2, "removed");
    const int kept[] = {0, 2, 3, 5, 6};
    for (int i = 0; i < result.contacts.count && i < 5; ++i) {
        CHECK_INT(result.contacts.items[i].feature_a.index, kept[i], "which");
    }
    params.flags = ABUT_PARAMS_KEEP_REDUNDANT;
    CHECK_STATUS(abut_find_contacts(&pair, &scripted_row, &params, f->work, &result), ABUT_OK, "query");
    CHECK_INT(result.contacts.count, 7, "all");
    // with merge zero only exactly equal ones go
    params.flags = 0;
    params.merge = abut_absolute(0.0);
    scripted[1] = scripted[0];
    scripted[1].feature_a = abut_feature_vertex(1);
    CHECK_STATUS(abut_find_contacts(&pair, &scripted_row, &params, f->work, &result), ABUT_OK, "query");
    CHECK_INT(result.contacts.count, 5, "0 and 1 are equal, 4 has the place and nearly the normal of 0");
    CHECK_DONE();
}

// The filter equals brute force on random clouds, also if everything is in a plane and if merge is large.
static void filter_equals_brute_force(void **state)
{
    fixture *f = *state;
    test_random random = {11};
    abut_result result = abut_result_default();
    abut_pair pair = abut_pair_default(f->a, f->b);
    for (int round = 0; round < 300; ++round) {
        scripted_count = 64;
        double extent = round % 3 == 0 ? 1e-2 : 1.0;
        for (int i = 0; i < 64; ++i) {
            abut_vec3 p = random_vec3(&random, extent);
            p.x = round % 2 == 0 ? 0.25 : p.x;
            scripted[i] = plain_contact(p, random_below(&random, 2) ? v3(0, 1, 0) : v3(0, 0, 1), i % 8);
            scripted[i].feature_b = abut_feature_vertex(i / 8);
            scripted[i].normal_feature = abut_feature_vertex(i / 8);
        }
        abut_params params = abut_params_default();
        params.merge = abut_absolute(extent * random_in(&random, 0.0, 0.5));
        CHECK_STATUS(abut_find_contacts(&pair, &scripted_row, &params, f->work, &result), ABUT_OK, "query");
        abut_result raw = abut_result_default();
        params.flags = ABUT_PARAMS_KEEP_REDUNDANT;
        CHECK_STATUS(abut_find_contacts(&pair, &scripted_row, &params, f->other_work, &raw), ABUT_OK, "query");
        const abut_contact *all = raw.contacts.items;
        assert_int_equal(raw.contacts.count, 64);
        int kept[64], count = 0;
        for (int i = 0; i < 64; ++i) {
            int is_same = 0;
            for (int k = 0; k < count; ++k) {
                const abut_contact *c = &all[kept[k]];
                is_same |= abut_norm(abut_sub(c->position, all[i].position)) <= params.merge.value &&
                           abut_dot(c->normal, all[i].normal) > 0.5;
            }
            if (!is_same) {
                kept[count++] = i;
            }
        }
        CHECK_INT(result.contacts.count, count, "as many");
        for (int i = 0; i < count && i < result.contacts.count; ++i) {
            CHECK(abut_norm(abut_sub(result.contacts.items[i].position, all[kept[i]].position)) == 0.0,
                  "round %d item %d", round, i);
        }
    }
    CHECK_DONE();
}

// Everything a method could get wrong is found before the caller sees it, and the contact is named.
static void faulty_methods_are_caught(void **state)
{
    fixture *f = *state;
    abut_result result = abut_result_default();
    abut_pair pair = abut_pair_default(f->a, f->b);
    for (int fault = 0; fault < 17; ++fault) {
        scripted[0] = plain_contact(v3(0, 0, 0), v3(0, 1, 0), 0);
        scripted[1] = plain_contact(v3(1, 0, 0), v3(0, 1, 0), 1);
        scripted_count = 2;
        abut_contact *c = &scripted[1];
        switch (fault) {
        case 0: c->normal = v3(0, 1.1, 0); break;
        case 1: c->normal = v3(NAN, 0, 0); break;
        case 2: c->position_a.x = INFINITY; break;
        case 3: c->position_b.z = NAN; break;
        case 4: c->feature_a.index = 8; break;
        case 5: c->feature_b.kind = (abut_feature_kind)9; break;
        case 6: c->normal_feature.index = -1; break;
        case 7: c->anchor_a.weights[0] = 0.5; break;
        case 8: c->anchor_b.vertices[2] = 8; break;
        case 9: c->time = 1.5; break;
        case 10: c->region = 0; break;
        case 11: c->flags = 0xf0; break;
        case 12: c->anchor_a.weights[3] = NAN; break;
        case 13: c->normal_side = ABUT_NORMAL_BOTH; break;
        case 14:
            c->feature_a = abut_feature_edge(f->mesh, 3);
            c->feature_a.vertices[1] = -7;
            break;
        case 15:
            c->position_a.y = -1e308;
            c->position_b.y = 1e308;
            break;
        default: c->rule = (abut_rule)7; break;
        }
        CHECK_STATUS(abut_find_contacts(&pair, &scripted_row, NULL, f->work, &result), ABUT_METHOD_FAULT, "fault");
        CHECK_INT(result.error.element, 1, "named");
        CHECK_INT(result.contacts.count, 0, "nothing delivered");
    }
    CHECK_DONE();
}

// Wrong arguments: a status and words, no crash.
static void wrong_arguments_are_refused(void **state)
{
    fixture *f = *state;
    scripted_count = 0;
    abut_result result = abut_result_default();
    for (int fault = 0; fault < 16; ++fault) {
        abut_pair pair = abut_pair_default(f->a, f->b);
        abut_params params = abut_params_default();
        abut_pose end = abut_pose_identity();
        abut_option option = {"nothing", 1.0};
        switch (fault) {
        case 0: pair.a.shape = NULL; break;
        case 1: pair.b.pose.position.x = NAN; break;
        case 2: pair.b.pose.rotation.w = 2.0; break;
        case 3: pair.a.pose.rotation = abut_quat_make(0, 0, 0, 0); break;
        case 4: pair.a.linear_velocity.y = INFINITY; break;
        case 5: pair.b.angular_velocity.z = NAN; break;
        case 6: pair.dt = -1.0; break;
        case 7: pair.struct_size = 0; break;
        case 8: params.tolerance = abut_absolute(-1.0); break;
        case 9: params.merge = abut_relative(NAN); break;
        case 10: params.angle = 2.0; break;
        case 11: params.struct_size = sizeof params + 8; break;
        case 12:
            end.position.x = NAN;
            pair.a.end_pose = &end;
            break;
        case 13: pair.b.pose.position.z = -1e160; break;
        case 14:
            end.position.y = 2e60;
            pair.a.end_pose = &end;
            break;
        default:
            params.options = &option;
            params.option_count = 1;
            break;
        }
        abut_status status = abut_find_contacts(&pair, &scripted_row, &params, f->work, &result);
        CHECK_STATUS(status, ABUT_BAD_ARGUMENT, "refused");
        CHECK(result.error.text[0] != '\0', "in words, fault %d", fault);
    }
    CHECK_DONE();
}

// Speed of a contact: B rises at 2 and turns at 3 about z through its origin at x = 1; at x = 3 its point rises at 2 +
// 3 * 2. The same motion given as an end pose gives the same speed to first order in dt.
static void normal_speed_follows_from_the_motion(void **state)
{
    fixture *f = *state;
    scripted[0] = plain_contact(v3(3, 0, 0), v3(0, 1, 0), 0);
    scripted_count = 1;
    abut_result result = abut_result_default();
    abut_pair pair = abut_pair_default(f->a, f->b);
    pair.a.key = 1; // keeps A first: the scripted contact is about this order
    pair.b.key = 2;
    pair.dt = 1e-7;
    pair.b.pose.position = v3(1, 0, 0);
    pair.b.linear_velocity = v3(0, 2, 0);
    pair.b.angular_velocity = v3(0, 0, 3);
    CHECK_STATUS(abut_find_contacts(&pair, &scripted_row, NULL, f->work, &result), ABUT_OK, "query");
    CHECK_NEAR(result.contacts.items[0].normal_speed, 8.0, 1e-12, "velocity");
    abut_pose end = abut_pose_make(v3(1, 2e-7, 0), abut_quat_from_axis(v3(0, 0, 1), 3e-7));
    pair.b.linear_velocity = pair.b.angular_velocity = v3(9, 9, 9);
    pair.b.end_pose = &end;
    CHECK_STATUS(abut_find_contacts(&pair, &scripted_row, NULL, f->work, &result), ABUT_OK, "query");
    CHECK_NEAR(result.contacts.items[0].normal_speed, 8.0, 1e-6, "end pose");
    CHECK_DONE();
}

// ---- the library's own methods ------------------------------------------------------------------------------------

/// A box on top of another, turned about the vertical: every method can answer that.
static void touching_pair(const abut_shape *a, const abut_shape *b, abut_pair *pair)
{
    *pair = abut_pair_default(a, b);
    pair->b.pose = abut_pose_make(v3(0.4, 1.0, 0.1), abut_quat_from_axis(v3(0, 1, 0), 0.6));
    pair->b.linear_velocity = v3(0, -1, 0);
}

// A and B swapped give the same contacts to the last bit, with sides exchanged and normals turned; for different
// shapes, for equal shapes, and for every method.
static void swapping_sides_turns_the_result(void **state)
{
    fixture *f = *state;
    int method_count;
    const abut_method *const *methods = abut_methods(&method_count);
    abut_mesh *other = make_solid_box(NULL, v3(-0.2, 0, 0), v3(0.9, 1.3, 1));
    for (int m = 0; m < method_count; ++m) {
        abut_shape *a = make_shape(NULL, f->mesh, methods[m], NULL);
        abut_shape *shapes[2] = {make_shape(NULL, other, methods[m], NULL),
                                 make_shape(NULL, f->mesh, methods[m], NULL)};
        for (int k = 0; k < 2; ++k) {
            abut_pair pair, swapped;
            touching_pair(a, shapes[k], &pair);
            swapped = pair;
            swapped.a = pair.b;
            swapped.b = pair.a;
            abut_result results[2] = {abut_result_default(), abut_result_default()};
            CHECK_STATUS(abut_find_contacts(&pair, methods[m], NULL, f->work, &results[0]), ABUT_OK,
                         methods[m]->name);
            CHECK_STATUS(abut_find_contacts(&swapped, methods[m], NULL, f->other_work, &results[1]), ABUT_OK,
                         "swapped");
            CHECK(results[0].contacts.count > 0, "%s finds something", methods[m]->name);
            assert_int_equal(results[0].contacts.count, results[1].contacts.count);
            const abut_contact *one = results[0].contacts.items, *two = results[1].contacts.items;
            for (int i = 0; i < results[0].contacts.count; ++i) {
                CHECK(memcmp(&one[i].position_a, &two[i].position_b, sizeof(abut_vec3)) == 0, "position %d", i);
                CHECK(memcmp(&one[i].position, &two[i].position, sizeof(abut_vec3)) == 0, "midpoint %d", i);
                CHECK(one[i].normal.x == -two[i].normal.x && one[i].normal.y == -two[i].normal.y &&
                          one[i].normal.z == -two[i].normal.z,
                      "normal %d", i);
                CHECK(memcmp(&one[i].feature_a, &two[i].feature_b, sizeof(abut_feature)) == 0, "feature %d", i);
                CHECK(one[i].id == two[i].id, "id %d", i);
                CHECK(one[i].gap == two[i].gap && one[i].normal_speed == two[i].normal_speed, "gap and speed %d",
                      i);
            }
        }
        abut_shape_destroy(a);
        abut_shape_destroy(shapes[0]);
        abut_shape_destroy(shapes[1]);
    }
    abut_mesh_destroy(other);
    CHECK_DONE();
}

// A repeated query makes no heap call.
static void repeated_queries_make_no_heap_calls(void **state)
{
    fixture *f = *state;
    int method_count;
    const abut_method *const *methods = abut_methods(&method_count);
    for (int m = 0; m < method_count; ++m) {
        failing_heap heap = {0};
        abut_context context = failing_context(&heap);
        abut_shape *a = make_shape(&context, f->mesh, methods[m], NULL);
        abut_workspace *work;
        assert_int_equal(abut_workspace_create(&context, &work), ABUT_OK);
        abut_pair pair;
        touching_pair(a, a, &pair);
        abut_result result = abut_result_default();
        for (int i = 0; i < 5; ++i) {
            if (i == 2) {
                heap.calls = 0;
            }
            CHECK_STATUS(abut_find_contacts(&pair, methods[m], NULL, work, &result), ABUT_OK, methods[m]->name);
        }
        CHECK_INT(heap.calls, 0, methods[m]->name);
        abut_workspace_destroy(work);
        abut_shape_destroy(a);
        CHECK_INT(heap.live, 0, "no leak");
    }
    CHECK_DONE();
}

// Each allocation fails once: always ABUT_NO_MEMORY, never a crash or a leak.
static void every_failed_allocation_is_reported(void **state)
{
    fixture *f = *state;
    int method_count;
    const abut_method *const *methods = abut_methods(&method_count);
    for (int m = 0; m < method_count; ++m) {
        int completed = 0;
        for (int fail_at = 1; fail_at < 1000 && !completed; ++fail_at) {
            failing_heap heap = {.fail_at = fail_at};
            abut_context context = failing_context(&heap);
            abut_shape_def def = abut_shape_def_default();
            def.mesh = f->mesh;
            abut_shape *shape = NULL;
            abut_workspace *work = NULL;
            abut_error error;
            abut_result result = abut_result_default();
            abut_status status = abut_shape_create(&context, &def, &shape, &error);
            if (status == ABUT_OK) {
                status = abut_shape_prepare(shape, methods[m], NULL, &error);
            }
            if (status == ABUT_OK) {
                status = abut_workspace_create(&context, &work);
            }
            if (status == ABUT_OK) {
                abut_pair pair;
                touching_pair(shape, shape, &pair);
                status = abut_find_contacts(&pair, methods[m], NULL, work, &result);
            }
            completed = heap.calls < fail_at;
            CHECK(status == (completed ? ABUT_OK : ABUT_NO_MEMORY), "%s, call %d: %s", methods[m]->name, fail_at,
                  abut_status_text(status));
            abut_workspace_destroy(work);
            abut_shape_destroy(shape);
            CHECK_INT(heap.live, 0, "no leak");
        }
        CHECK(completed, "ends");
    }
    CHECK_DONE();
}

// Sizes whose products overflow or underflow are refused with the range, not answered wrongly.
static void extreme_sizes_are_refused(void **state)
{
    (void)state;
    const double sizes[] = {1e-300, 1e-70, 1e-50, 1e50, 1e70, 1e150};
    for (int i = 0; i < 6; ++i) {
        abut_mesh *mesh = make_box(NULL, v3(0, 0, 0), v3(sizes[i], sizes[i], sizes[i]));
        abut_shape_def def = abut_shape_def_default();
        def.mesh = mesh;
        abut_shape *shape = NULL;
        abut_error error;
        abut_status status = abut_shape_create(NULL, &def, &shape, &error);
        CHECK_STATUS(status, i == 2 || i == 3 ? ABUT_OK : ABUT_UNSUPPORTED, "size");
        abut_shape_destroy(shape);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// A shape that was not prepared is a status, not a build.
static void unprepared_is_a_status(void **state)
{
    fixture *f = *state;
    const abut_method *method = abut_method_find("intersection");
    assert_non_null(method);
    abut_result result = abut_result_default();
    abut_pair pair = abut_pair_default(f->a, f->b);
    CHECK_STATUS(abut_find_contacts(&pair, method, NULL, f->work, &result), ABUT_UNPREPARED, "unprepared");
    CHECK(abut_method_find("no-such-method") == NULL && abut_method_find(NULL) == NULL, "unknown name");
    CHECK_DONE();
}

// What a method needs of the mesh is checked, with the reason.
static void unfit_meshes_are_refused_with_a_reason(void **state)
{
    (void)state;
    static const abut_vec3 vertices[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const int point = 0, corners[3] = {0, 1, 2};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3;
    def.points = &point;
    def.point_count = 1;
    abut_mesh *points = NULL, *open = NULL;
    abut_error error;
    assert_int_equal(abut_mesh_create(NULL, &def, &points, &error), ABUT_OK);
    def.face_vertices = corners;
    def.face_count = 1;
    assert_int_equal(abut_mesh_create(NULL, &def, &open, &error), ABUT_OK);
    abut_method closed_row = scripted_row, tet_row = scripted_row;
    closed_row.needs = ABUT_NEEDS_CLOSED;
    tet_row.needs = ABUT_NEEDS_TETS;
    const struct {
        const abut_mesh *mesh;
        const abut_method *method;
        const char *word;
    } refused[] = {
        {points, &scripted_row, "triangles"}, {open, &closed_row, "closed"}, {open, &tet_row, "tetrahedra"}};
    for (int i = 0; i < 3; ++i) {
        abut_shape_def shape_def = abut_shape_def_default();
        shape_def.mesh = refused[i].mesh;
        abut_shape *shape = NULL;
        assert_int_equal(abut_shape_create(NULL, &shape_def, &shape, &error), ABUT_OK);
        CHECK_STATUS(abut_shape_prepare(shape, refused[i].method, NULL, &error), ABUT_UNSUPPORTED, refused[i].word);
        CHECK(strstr(error.text, refused[i].word) != NULL, "%s", error.text);
        abut_shape_destroy(shape);
    }
    abut_mesh_destroy(points);
    abut_mesh_destroy(open);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(filter_merges_equal_contacts_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(filter_equals_brute_force, set_up, tear_down),
        cmocka_unit_test_setup_teardown(faulty_methods_are_caught, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_arguments_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(normal_speed_follows_from_the_motion, set_up, tear_down),
        cmocka_unit_test_setup_teardown(swapping_sides_turns_the_result, set_up, tear_down),
        cmocka_unit_test_setup_teardown(repeated_queries_make_no_heap_calls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_failed_allocation_is_reported, set_up, tear_down),
        cmocka_unit_test(extreme_sizes_are_refused),
        cmocka_unit_test_setup_teardown(unprepared_is_a_status, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unfit_meshes_are_refused_with_a_reason, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
