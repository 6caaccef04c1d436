// SPDX-License-Identifier: MIT
// test_rows.c: the method interface carries what the five papers need
//
// Three rows that find nothing by themselves but use every part of the interface that their paper would: a region method
// with memory (Bouma and Vanecek), a mixed-dimension method with derivatives (Merlhiot), and a continuous method
// on soft bodies (Tang). What they put in must come out, in both orders of the pair.
#include "shapes.h"

#include <stdlib.h>

typedef struct fixture {
    abut_mesh *mesh_a, *mesh_b;
    abut_workspace *work;
    abut_result result;
} fixture;

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->mesh_a = make_box(NULL, v3(0, 0, 0), v3(1, 1, 1));
    f->mesh_b = make_box(NULL, v3(0, 1, 0), v3(2, 2, 2));
    assert_int_equal(abut_workspace_create(NULL, &f->work), ABUT_OK);
    f->result = abut_result_default();
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    abut_workspace_destroy(f->work);
    abut_mesh_destroy(f->mesh_a);
    abut_mesh_destroy(f->mesh_b);
    free(f);
    return 0;
}

static abut_status find_all(fixture *f, const abut_pair *pair, const abut_method *method, const abut_params *params)
{
    return abut_find_contacts(pair, method, params, f->work, &f->result);
}

// ---- regions with memory -----------------------------------------------------------------------------------------

/// The state it keeps of a pair: how many queries were committed.
typedef struct region_state {
    int steps;
} region_state;

/// One square region between the faces with the lowest index, with a hole-free outline, one normal and one cone; its
/// measure tells how many steps the memory has seen.
static abut_status query_regions(const abut_query *query, abut_sink *sink)
{
    size_t size;
    const region_state *before = abut_query_memory(query, &size);
    int steps = before != NULL && size == sizeof *before ? before->steps : 0;
    const abut_vec3 corners[4] = {v3(0, 1, 0), v3(0, 1, 1), v3(1, 1, 1), v3(1, 1, 0)};
    const abut_vec3 up = v3(0, 1, 0);
    abut_region_loop loop = {.point_begin = abut_sink_points(sink, corners, 4), .point_count = 4};
    abut_region_cone cone = {.direction_begin = abut_sink_directions(sink, &up, 1), .direction_count = 1};
    abut_region region = {.kind = ABUT_REGION_POLYGON,
                          .feature_a = abut_feature_face(6),
                          .feature_b = abut_feature_face(4),
                          .loop_begin = abut_sink_loop(sink, &loop),
                          .loop_count = 1,
                          .normal_begin = cone.direction_begin,
                          .normal_count = 1,
                          .cone_begin = abut_sink_cone(sink, &cone),
                          .cone_count = 1,
                          .measure = steps,
                          .rule = steps > 0 ? ABUT_RULE_HISTORY : ABUT_RULE_GEOMETRY,
                          .id = 7};
    region.feature_a.is_merged = 1;
    region.feature_b.is_merged = 1;
    int index = abut_sink_region(sink, &region);
    abut_event event = {.kind = steps > 0 ? ABUT_EVENT_PERSIST : ABUT_EVENT_BEGIN, .is_region = 1, .id = 7};
    (void)abut_sink_event(sink, &event);
    for (int i = 0; i < 4; ++i) {
        abut_contact c = {.position_a = corners[i],
                          .position_b = corners[i],
                          .normal = up,
                          .feature_a = region.feature_a,
                          .feature_b = region.feature_b,
                          .normal_feature = region.feature_a,
                          .normal_side = ABUT_NORMAL_A,
                          .anchor_a = {.vertices = {-1, -1, -1, -1}},
                          .anchor_b = {.vertices = {-1, -1, -1, -1}},
                          .region = index};
        (void)abut_sink_contact(sink, &c);
    }
    region_state *next = abut_sink_memory(sink, sizeof *next);
    if (next != NULL) {
        next->steps = steps + 1;
    }
    return ABUT_OK;
}

static const abut_method region_row = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "test-regions",
    .summary = "a region with memory",
    .source = "Bouma and Vanecek 1993",
    .taxonomy = {.locality = ABUT_GLOBAL, .is_exact = 1, .normals = ABUT_NORMAL_REGIONS, .is_ours = 1},
    .needs = ABUT_NEEDS_CLOSED | ABUT_NEEDS_BREP | ABUT_NEEDS_MEMORY | ABUT_NEEDS_VELOCITY,
    .query = query_regions,
};

// A query changes nothing until the commit: two queries without one see the same; after it, the next one.
static void memory_changes_at_commit_only(void **state)
{
    fixture *f = *state;
    abut_shape *a = make_shape(NULL, f->mesh_a, &region_row, NULL),
               *b = make_shape(NULL, f->mesh_b, &region_row, NULL);
    CHECK(abut_shape_brep(a) != NULL, "prepared");
    abut_memory *memory;
    assert_int_equal(abut_memory_create(NULL, &memory), ABUT_OK);
    abut_pair pair = abut_pair_default(a, b);
    pair.memory = memory;
    const int expected[] = {0, 0, 1, 1, 2};
    const int commits[] = {0, 1, 0, 1, 0};
    for (int i = 0; i < 5; ++i) {
        CHECK_STATUS(find_all(f, &pair, &region_row, NULL), ABUT_OK, "query");
        assert_int_equal(f->result.regions.count, 1);
        CHECK_NEAR(f->result.regions.items[0].measure, expected[i], 0.0, "steps seen");
        if (commits[i]) {
            abut_memory_commit(memory);
        }
    }
    abut_memory_clear(memory);
    CHECK_STATUS(find_all(f, &pair, &region_row, NULL), ABUT_OK, "query");
    CHECK_NEAR(f->result.regions.items[0].measure, 0.0, 0.0, "forgotten");
    abut_memory_destroy(memory);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    CHECK_DONE();
}

// Equal shapes without keys change their canonical order when they change places; a pair with a memory keeps the order of its
// first state, so that the state is never read with the sides exchanged. The shapes' places along x decide the order here.
static int first_is_left;

static abut_status query_order(const abut_query *query, abut_sink *sink)
{
    size_t size;
    const double *before = abut_query_memory(query, &size);
    double mark = query->pair->a.linear_velocity.x; // 1 for the caller's A, 2 for B
    first_is_left = before != NULL ? *before == mark : -1;
    double *next = abut_sink_memory(sink, sizeof *next);
    if (next != NULL) {
        *next = mark;
    }
    return query->pair->dt > 0.5 ? abut_sink_fail(sink, ABUT_LIMIT, "as asked") : ABUT_OK;
}

static void memory_keeps_the_order_of_the_pair(void **state)
{
    fixture *f = *state;
    abut_method row = region_row;
    row.name = "test-order";
    row.needs = 0;
    row.query = query_order;
    abut_shape *a = make_shape(NULL, f->mesh_a, &row, NULL), *b = make_shape(NULL, f->mesh_a, &row, NULL);
    abut_memory *memory = NULL;
    assert_int_equal(abut_memory_create(NULL, &memory), ABUT_OK);
    abut_pair pair = abut_pair_default(a, b);
    pair.memory = memory;
    pair.a.linear_velocity.x = 1.0;
    pair.b.linear_velocity.x = 2.0;
    const double places[] = {-5.0, 5.0, -5.0};
    for (int i = 0; i < 3; ++i) {
        pair.a.pose.position.x = places[i];
        CHECK_STATUS(abut_find_contacts(&pair, &row, NULL, f->work, &f->result), ABUT_OK, "query");
        CHECK_INT(first_is_left, i == 0 ? -1 : 1, "the first side is the same body");
        abut_memory_commit(memory);
    }
    // what a failed query wrote is not committed: the state before it stays
    pair.dt = 1.0;
    pair.a.linear_velocity.x = 7.0;
    pair.b.linear_velocity.x = 7.0;
    CHECK_STATUS(abut_find_contacts(&pair, &row, NULL, f->work, &f->result), ABUT_LIMIT, "fails");
    abut_memory_commit(memory);
    pair.dt = 0.0;
    pair.a.linear_velocity.x = 1.0;
    pair.b.linear_velocity.x = 2.0;
    CHECK_STATUS(abut_find_contacts(&pair, &row, NULL, f->work, &f->result), ABUT_OK, "query");
    CHECK_INT(first_is_left, 1, "the state before the failure");
    // another pair starts anew
    pair.b.key = 9;
    CHECK_STATUS(abut_find_contacts(&pair, &row, NULL, f->work, &f->result), ABUT_OK, "query");
    CHECK_INT(first_is_left, -1, "no state of another pair");
    abut_memory_destroy(memory);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    CHECK_DONE();
}

// Regions with all their ranges come out in both orders; swapped, features change sides and directions turn.
static void regions_come_out_whole(void **state)
{
    fixture *f = *state;
    abut_shape *a = make_shape(NULL, f->mesh_a, &region_row, NULL),
               *b = make_shape(NULL, f->mesh_b, &region_row, NULL);
    abut_pair pair = abut_pair_default(a, b), swapped = abut_pair_default(b, a);
    CHECK_STATUS(find_all(f, &pair, &region_row, NULL), ABUT_OK, "query");
    assert_int_equal(f->result.regions.count, 1);
    CHECK_INT(f->result.points.count, 4, "points");
    CHECK_INT(f->result.contacts.count, 4, "contacts");
    CHECK_INT(f->result.events.count, 1, "events");
    abut_region first = f->result.regions.items[0];
    double up = f->result.directions.items[first.normal_begin].y;
    uint64_t id = f->result.contacts.items[0].id;
    CHECK_STATUS(find_all(f, &swapped, &region_row, NULL), ABUT_OK, "swapped");
    CHECK_INT(f->result.regions.items[0].feature_a.index, first.feature_b.index, "sides");
    CHECK_NEAR(f->result.directions.items[first.normal_begin].y, -up, 0.0, "direction");
    CHECK(f->result.contacts.items[0].id == id, "the id does not depend on the order");
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    CHECK_DONE();
}

// ---- derivatives -------------------------------------------------------------------------------------------------

static const char *const sign_choices[] = {"plus", "minus", NULL};
static const abut_option_info derivative_options[] = {
    {.name = "theta", .help = "an angle", .value = 30.0, .lower = 0.0, .upper = 90.0},
    {.name = "sign", .help = "a choice", .choices = sign_choices, .value = 0.0},
};

/// What it prepares of a shape: the number of its vertices times the option theta.
static abut_status prepare_derivative(const abut_shape *shape, const abut_params *params,
                                      const abut_context *context, void **data, abut_error *error)
{
    (void)params;
    (void)error;
    double *made = context->resize(context->user, NULL, sizeof *made);
    if (made == NULL) {
        return ABUT_NO_MEMORY;
    }
    *made = abut_mesh_get_elements(abut_shape_mesh(shape)).vertex_count;
    *data = made;
    return ABUT_OK;
}

static void release_derivative(void *data, const abut_context *context)
{
    (void)context->resize(context->user, data, 0);
}

/// Two contacts added in the reverse of feature order, each with a derivative that names it; the gap of the second depends on
/// A's translation along y by -1 and on B's by +1, as for a plane contact.
static abut_status query_derivative(const abut_query *query, abut_sink *sink)
{
    double theta = abut_query_option(query, "theta");
    const double *data = abut_query_data(query, query->pair->a.shape);
    for (int vertex = 1; vertex >= 0; --vertex) {
        abut_contact c = {.position_a = v3(vertex, 1, 0),
                          .position_b = v3(vertex, 1 + theta, 0),
                          .normal = v3(0, 1, 0),
                          .feature_a = abut_feature_vertex(vertex),
                          .feature_b = abut_feature_edge(abut_side_mesh(&query->pair->b), 0),
                          .normal_side = ABUT_NORMAL_BOTH,
                          .anchor_a = {.vertices = {vertex, -1, -1, -1}, .weights = {1.0}},
                          .anchor_b = {.vertices = {0, 1, -1, -1}, .weights = {0.25, 0.75}},
                          .region = -1};
        int index = abut_sink_contact(sink, &c);
        abut_derivative d = {.is_smooth = vertex};
        d.gap[1] = -1.0;
        d.gap[7] = 1.0;
        d.normal[0][3] = *data;
        (void)abut_sink_derivative(sink, index, &d);
    }
    abut_sink_stats(sink)->fallbacks += 1;
    return ABUT_OK;
}

static const abut_method derivative_row = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "test-derivatives",
    .summary = "contacts with derivatives",
    .source = "Merlhiot 2007",
    .taxonomy = {.locality = ABUT_SEMI_LOCAL, .is_exact = 1, .normals = ABUT_NORMAL_CLOSEST_POINTS, .is_ours = 1},
    .needs = ABUT_NEEDS_TRIANGLE_TREE | ABUT_NEEDS_SEGMENT_TREE | ABUT_NEEDS_POINT_TREE,
    .options = derivative_options,
    .option_count = 2,
    .prepare = prepare_derivative,
    .release = release_derivative,
    .query = query_derivative,
};

// Derivatives follow their contacts through the sort; swapped, the blocks of A and B change places and the normal's turn.
static void derivatives_follow_their_contacts(void **state)
{
    fixture *f = *state;
    abut_params params = abut_params_default();
    params.flags = ABUT_PARAMS_DERIVATIVES;
    abut_shape *a = make_shape(NULL, f->mesh_a, &derivative_row, &params);
    abut_shape *b = make_shape(NULL, f->mesh_b, &derivative_row, &params);
    abut_pair pairs[2] = {abut_pair_default(a, b), abut_pair_default(b, a)};
    for (int order = 0; order < 2; ++order) {
        CHECK_STATUS(find_all(f, &pairs[order], &derivative_row, &params), ABUT_OK, "query");
        assert_int_equal(f->result.contacts.count, 2);
        assert_int_equal(f->result.derivatives.count, 2);
        int a_first = f->result.contacts.items[0].feature_a.kind == ABUT_FEATURE_VERTEX;
        for (int i = 0; i < 2; ++i) {
            const abut_contact *c = &f->result.contacts.items[i];
            const abut_derivative *d = &f->result.derivatives.items[i];
            int vertex = a_first ? c->feature_a.index : c->feature_b.index;
            CHECK_INT(vertex, i, "sorted by features");
            CHECK_INT(d->is_smooth, vertex, "its own derivative");
            CHECK_NEAR(d->gap[a_first ? 1 : 7], -1.0, 0.0, "block of the vertex's side");
            CHECK_NEAR(fabs(d->normal[0][a_first ? 3 : 9]), 8.0, 0.0, "prepared data");
            CHECK_NEAR(c->gap, 30.0, 0.0, "default option");
        }
        CHECK_INT(f->result.stats.fallbacks, 1, "counted");
    }
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    CHECK_DONE();
}

// Options: parsed by name, checked, and part of what a shape is prepared for.
static void options_are_checked_and_prepared_for(void **state)
{
    fixture *f = *state;
    abut_option options[2];
    abut_error error;
    CHECK_STATUS(abut_option_parse(&derivative_row, "theta=45", &options[0], &error), ABUT_OK, "number");
    CHECK_STATUS(abut_option_parse(&derivative_row, "sign=minus", &options[1], &error), ABUT_OK, "choice");
    CHECK_NEAR(options[1].value, 1.0, 0.0, "index of the choice");
    const char *const wrong[] = {"theta",     "=3",    "theta=",     "theta=x", "theta=91",
                                 "theta=nan", "sign=", "sign=Minus", "size=3",  "theta =3"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        CHECK_STATUS(abut_option_parse(&derivative_row, wrong[i], &options[0], &error), ABUT_BAD_ARGUMENT,
                     wrong[i]);
    }
    CHECK_STATUS(abut_option_parse(&derivative_row, "theta=45", &options[0], &error), ABUT_OK, "again");
    abut_params params = abut_params_default(), plain = abut_params_default();
    params.options = options;
    params.option_count = 2;
    abut_shape *a = make_shape(NULL, f->mesh_a, &derivative_row, &params);
    abut_shape *b = make_shape(NULL, f->mesh_b, &derivative_row, &params);
    abut_pair pair = abut_pair_default(a, b);
    CHECK_STATUS(find_all(f, &pair, &derivative_row, &plain), ABUT_UNPREPARED, "other options");
    CHECK(strstr(f->result.error.text, "prepare") != NULL, "says what to do: %s", f->result.error.text);
    CHECK_STATUS(find_all(f, &pair, &derivative_row, &params), ABUT_OK, "these options");
    CHECK_NEAR(f->result.contacts.items[0].gap, 45.0, 0.0, "value used");
    CHECK_STATUS(abut_shape_prepare(a, &derivative_row, &plain, &error), ABUT_OK, "both");
    CHECK_STATUS(abut_shape_prepare(b, &derivative_row, &plain, &error), ABUT_OK, "both");
    CHECK_STATUS(find_all(f, &pair, &derivative_row, &plain), ABUT_OK, "then both work");
    CHECK_NEAR(f->result.contacts.items[0].gap, 30.0, 0.0, "default");
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    CHECK_DONE();
}

// ---- continuous, on soft bodies ----------------------------------------------------------------------------------

/// The first pair of triangles of the two swept trees, at half the step, with anchors on the moved vertices.
static int take_first(void *user, int element_a, int element_b)
{
    int *pair = user;
    pair[0] = element_a;
    pair[1] = element_b;
    return 1;
}

static abut_status query_soft(const abut_query *query, abut_sink *sink)
{
    int found[2];
    if (!abut_tree_pairs(abut_side_tree(&query->pair->a, ABUT_ELEMENT_TRIANGLE),
                         abut_side_tree(&query->pair->b, ABUT_ELEMENT_TRIANGLE), query->b_to_a, query->tolerance,
                         take_first, found)) {
        return ABUT_OK;
    }
    const int *triangle_a = &abut_mesh_get_elements(abut_side_mesh(&query->pair->a)).triangles[3 * found[0]];
    int vertex_b = abut_mesh_get_elements(abut_side_mesh(&query->pair->b)).triangles[3 * found[1]];
    abut_contact c = {
        .position_a = abut_side_vertices(&query->pair->a)[triangle_a[0]],
        .position_b = abut_side_vertices(&query->pair->b)[vertex_b],
        .normal = v3(0, 1, 0),
        .time = 0.5,
        .feature_a = abut_feature_face(found[0]),
        .feature_b = abut_feature_vertex(vertex_b),
        .anchor_a = {.vertices = {triangle_a[0], triangle_a[1], triangle_a[2], -1}, .weights = {1.0, 0.0, 0.0}},
        .anchor_b = {.vertices = {vertex_b, -1, -1, -1}, .weights = {1.0}},
        .region = -1};
    (void)abut_sink_contact(sink, &c);
    return ABUT_OK;
}

static const abut_method soft_row = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "test-soft",
    .summary = "continuous, on soft bodies",
    .source = "Tang 2012",
    .taxonomy = {.locality = ABUT_LOCAL, .is_exact = 1, .is_continuous = 1, .representation = ABUT_TEMPORAL},
    .needs = ABUT_NEEDS_TRIANGLES | ABUT_NEEDS_TRIANGLE_TREE,
    .query = query_soft,
};

// Two soft boxes 10 apart at the start; the upper one ends 9.5 lower: only trees that hold the whole way find a pair.
// The speed of the contact is that of the anchors: -9.5 / dt along y.
static void swept_trees_find_pairs_that_meet_later(void **state)
{
    fixture *f = *state;
    abut_shape *a = make_shape(NULL, f->mesh_a, &soft_row, NULL), *b = make_shape(NULL, f->mesh_b, &soft_row, NULL);
    abut_instance *soft_a, *soft_b;
    abut_error error;
    assert_int_equal(abut_instance_create(NULL, a, &soft_a, &error), ABUT_OK);
    assert_int_equal(abut_instance_create(NULL, b, &soft_b, &error), ABUT_OK);
    abut_vec3 start[8], end[8];
    for (int i = 0; i < 8; ++i) {
        start[i] = abut_add(abut_mesh_get_elements(f->mesh_b).vertices[i], v3(0, 10, 0));
        end[i] = abut_add(start[i], v3(0, -9.5, 0));
    }
    abut_pair pair = abut_pair_default(NULL, NULL);
    pair.a.instance = soft_a;
    pair.b.instance = soft_b;
    pair.dt = 0.5;
    CHECK_STATUS(abut_instance_move(soft_b, start, NULL, &error), ABUT_OK, "still");
    CHECK_STATUS(find_all(f, &pair, &soft_row, NULL), ABUT_OK, "query");
    CHECK_INT(f->result.contacts.count, 0, "apart");
    end[3].y = NAN;
    CHECK_STATUS(abut_instance_move(soft_b, start, end, &error), ABUT_BAD_DATA, "NaN");
    CHECK_INT(error.element, 3, "names the vertex");
    end[3].y = 1.1 * ABUT_LARGEST_COORDINATE;
    CHECK_STATUS(abut_instance_move(soft_b, start, end, &error), ABUT_BAD_DATA, "beyond all contacts");
    end[3].y = start[3].y - 9.5;
    CHECK_STATUS(abut_instance_move(soft_b, start, end, &error), ABUT_OK, "falling");
    // 0.5 above the lower box at the end: the envelope of the sweep meets it only with a margin of that size
    abut_params params = abut_params_default();
    params.tolerance = abut_absolute(0.6);
    CHECK_STATUS(find_all(f, &pair, &soft_row, &params), ABUT_OK, "query");
    assert_int_equal(f->result.contacts.count, 1);
    const abut_contact *c = &f->result.contacts.items[0];
    CHECK_NEAR(c->time, 0.5, 0.0, "time");
    CHECK_NEAR(c->normal_speed * c->normal.y, -19.0, 1e-12, "speed of the anchors");
    abut_instance_destroy(soft_a);
    abut_instance_destroy(soft_b);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    CHECK_DONE();
}

// A soft body made before its shape was prepared has no trees: a status that says what to do.
static void soft_bodies_made_too_early_are_refused(void **state)
{
    fixture *f = *state;
    abut_shape_def def = abut_shape_def_default();
    def.mesh = f->mesh_a;
    abut_shape *a = NULL;
    abut_instance *soft = NULL;
    assert_int_equal(abut_shape_create(NULL, &def, &a, NULL), ABUT_OK);
    assert_int_equal(abut_instance_create(NULL, a, &soft, NULL), ABUT_OK);
    assert_int_equal(abut_shape_prepare(a, &soft_row, NULL, NULL), ABUT_OK);
    abut_pair pair = abut_pair_default(a, a);
    pair.b.instance = soft;
    CHECK_STATUS(abut_find_contacts(&pair, &soft_row, NULL, f->work, &f->result), ABUT_UNPREPARED, "too early");
    CHECK(strstr(f->result.error.text, "soft body of side B") != NULL, "%s", f->result.error.text);
    CHECK(abut_instance_tree(soft, (abut_element_kind)77) == NULL &&
              abut_shape_tree(a, (abut_element_kind)77) == NULL,
          "no such kind");
    abut_instance_destroy(soft);
    abut_shape_destroy(a);
    CHECK_DONE();
}

static abut_status query_bad_derivative(const abut_query *query, abut_sink *sink)
{
    (void)query;
    abut_derivative d = {0};
    CHECK_INT(abut_sink_derivative(sink, 3, &d), -1, "there is no contact 3");
    return ABUT_OK;
}

static abut_status query_huge_memory(const abut_query *query, abut_sink *sink)
{
    (void)query;
    CHECK(abut_sink_memory(sink, SIZE_MAX) == NULL && abut_sink_memory(sink, SIZE_MAX / 4 * 3) == NULL, "no room");
    return ABUT_OK;
}

// Half as much again as three quarters of all addresses is less than what was asked for.
static void huge_memories_are_refused(void **state)
{
    fixture *f = *state;
    abut_method row = region_row;
    row.query = query_huge_memory;
    abut_shape *a = make_shape(NULL, f->mesh_a, &row, NULL);
    abut_pair pair = abut_pair_default(a, a);
    assert_int_equal(abut_memory_create(NULL, &pair.memory), ABUT_OK);
    CHECK_STATUS(abut_find_contacts(&pair, &row, NULL, f->work, &f->result), ABUT_NO_MEMORY, "memory");
    abut_memory_destroy(pair.memory);
    abut_shape_destroy(a);
    CHECK_DONE();
}

// A point has no size, but a place, which has a limit.
static void points_far_away_are_refused(void **state)
{
    (void)state;
    const int point = 0;
    for (int i = 0; i < 2; ++i) {
        const abut_vec3 position = v3(0.0, (i == 0 ? 1.0 : -1.1) * ABUT_LARGEST_COORDINATE, 0.0);
        abut_mesh_def mesh_def = abut_mesh_def_default();
        mesh_def.vertices = &position;
        mesh_def.vertex_count = 1;
        mesh_def.points = &point;
        mesh_def.point_count = 1;
        abut_mesh *mesh;
        assert_int_equal(abut_mesh_create(NULL, &mesh_def, &mesh, NULL), ABUT_OK);
        abut_shape_def def = abut_shape_def_default();
        def.mesh = mesh;
        abut_shape *shape;
        CHECK_STATUS(abut_shape_create(NULL, &def, &shape, NULL), i == 0 ? ABUT_OK : ABUT_UNSUPPORTED, "shape");
        abut_shape_destroy(shape);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

static abut_status query_bad_count(const abut_query *query, abut_sink *sink)
{
    (void)query;
    abut_vec3 point = v3(0, 0, 0);
    CHECK_INT(abut_sink_points(sink, &point, -1), -1, "less than nothing");
    return ABUT_OK;
}

static void derivatives_of_nothing_are_a_fault(void **state)
{
    fixture *f = *state;
    abut_status (*const queries[])(const abut_query *, abut_sink *) = {query_bad_derivative, query_bad_count};
    for (int i = 0; i < 2; ++i) {
        abut_method row = derivative_row;
        row.query = queries[i];
        abut_shape *a = make_shape(NULL, f->mesh_a, &row, NULL);
        abut_pair pair = abut_pair_default(a, a);
        CHECK_STATUS(abut_find_contacts(&pair, &row, NULL, f->work, &f->result), ABUT_METHOD_FAULT, "fault");
        abut_shape_destroy(a);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(memory_changes_at_commit_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_keeps_the_order_of_the_pair, set_up, tear_down),
        cmocka_unit_test_setup_teardown(regions_come_out_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(soft_bodies_made_too_early_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(huge_memories_are_refused, set_up, tear_down),
        cmocka_unit_test(points_far_away_are_refused),
        cmocka_unit_test_setup_teardown(derivatives_of_nothing_are_a_fault, set_up, tear_down),
        cmocka_unit_test_setup_teardown(derivatives_follow_their_contacts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(options_are_checked_and_prepared_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(swept_trees_find_pairs_that_meet_later, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
