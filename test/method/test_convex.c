// SPDX-License-Identifier: MIT
// test_convex.c: the method convex through the interface of all methods
#include "failing.h"
#include "shapes.h"

#include <abut/convex.h>
#include <stdlib.h>

typedef struct fixture {
    failing_heap heap;
    abut_context context;
    abut_mesh *meshes[2];
    abut_shape *shapes[2];
    abut_workspace *work;
    abut_memory *memory;
    abut_result result;
} fixture;

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

static const abut_method *method(void)
{
    return abut_method_find("convex");
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->context = failing_context(&f->heap);
    for (int i = 0; i < 2; ++i) {
        f->meshes[i] = make_box(&f->context, v3(-1, -1, -1), v3(1, 1, 1));
        abut_shape_def def = abut_shape_def_default();
        def.mesh = f->meshes[i];
        def.dilation = 0.0;
        assert_int_equal(abut_shape_create(&f->context, &def, &f->shapes[i], NULL), ABUT_OK);
        assert_int_equal(abut_shape_prepare(f->shapes[i], method(), NULL, NULL), ABUT_OK);
    }
    assert_int_equal(abut_workspace_create(&f->context, &f->work), ABUT_OK);
    assert_int_equal(abut_memory_create(&f->context, &f->memory), ABUT_OK);
    f->result = abut_result_default();
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    abut_memory_destroy(f->memory);
    abut_workspace_destroy(f->work);
    for (int i = 0; i < 2; ++i) {
        abut_shape_destroy(f->shapes[i]);
        abut_mesh_destroy(f->meshes[i]);
    }
    int left = f->heap.live;
    free(f);
    return left;
}

static abut_status find_with(fixture *f, const abut_pair *pair, const abut_params *params)
{
    return abut_find_contacts(pair, method(), params, f->work, &f->result);
}

static abut_status find(fixture *f, const abut_pair *pair)
{
    return find_with(f, pair, NULL);
}

// A cube on a cube, 0.01 deep and moved by 0.5: four corners at the height 0.995, normal up, one region of 1.5 x 2.
static void stacked_cubes(void **state)
{
    fixture *f = *state;
    abut_pair pair = abut_pair_default(f->shapes[0], f->shapes[1]);
    pair.b.pose.position = v3(0.5, 0.0, 1.99);
    pair.b.linear_velocity = v3(0.0, 0.0, -3.0);
    CHECK_STATUS(find(f, &pair), ABUT_OK, "stacked");
    CHECK_INT(f->result.contacts.count, 4, "corners");
    for (int i = 0; i < f->result.contacts.count; ++i) {
        const abut_contact *c = &f->result.contacts.items[i];
        CHECK_NEAR(c->gap, -0.01, 1e-14, "gap");
        CHECK_NEAR(c->normal.z, 1.0, 1e-15, "normal");
        CHECK_NEAR(c->position.z, 0.995, 1e-14, "height");
        CHECK_NEAR(c->normal_speed, -3.0, 1e-14, "speed");
        CHECK_INT(c->rule, ABUT_RULE_GEOMETRY, "rule");
        CHECK(fabs(fabs(c->position.x - 0.25) - 0.75) < 1e-9 && fabs(fabs(c->position.y) - 1.0) < 1e-9, "corner %d",
              i);
    }
    CHECK_INT(f->result.regions.count, 1, "regions");
    CHECK_NEAR(f->result.regions.items[0].measure, 3.0, 1e-9, "area");
    // beyond the tolerance there is nothing
    pair.b.pose.position.z = 2.01;
    CHECK_STATUS(find(f, &pair), ABUT_OK, "apart");
    CHECK_INT(f->result.contacts.count, 0, "apart");
    CHECK_DONE();
}

// Two equal cubes in one place can be separated along six directions, all by 2. Without velocity and memory nothing
// decides: every contact says so, and all are counted.
static void equal_directions_are_counted(void **state)
{
    fixture *f = *state;
    abut_pair pair = abut_pair_default(f->shapes[0], f->shapes[1]);
    CHECK_STATUS(find(f, &pair), ABUT_OK, "one place");
    CHECK_INT(f->result.contacts.count, 4, "corners of a face");
    CHECK_INT((int)f->result.stats.arbitrary_normals, f->result.contacts.count, "counted");
    for (int i = 0; i < f->result.contacts.count; ++i) {
        CHECK_INT(f->result.contacts.items[i].rule, ABUT_RULE_NONE, "rule");
        CHECK_NEAR(f->result.contacts.items[i].gap, -2.0, 1e-12, "gap");
    }
    CHECK_INT(f->result.regions.items[0].cone_count, 6, "directions");
    CHECK_DONE();
}

// A cube on a cube, turned by 0.01 about y: along x, its lower corners are 0.02 sin apart in height, the deeper pair
// 0.05 deep. Kissing cubes have the deeper edge in common; of what is within the other, all four corners are contacts
// with their own gaps.
static void overlap_has_all_corners(void **state)
{
    fixture *f = *state;
    static const abut_option overlap = {"manifold", 1.0};
    abut_params params = abut_params_default();
    abut_pair pair = abut_pair_default(f->shapes[0], f->shapes[1]);
    double sine = sin(0.01), cosine = cos(0.01);
    pair.b.pose.rotation = abut_quat_from_axis(v3(0.0, 1.0, 0.0), 0.01);
    pair.b.pose.position = v3(0.0, 0.0, 1.0 - 0.05 + sine + cosine); // the lowest corner is at x = 1
    CHECK_STATUS(find(f, &pair), ABUT_OK, "kissing");
    CHECK_INT(f->result.contacts.count, 2, "kissing");
    params.options = &overlap;
    params.option_count = 1;
    CHECK_STATUS(find_with(f, &pair, &params), ABUT_OK, "overlap");
    CHECK_INT(f->result.contacts.count, 4, "corners");
    for (int i = 0; i < f->result.contacts.count; ++i) {
        const abut_contact *c = &f->result.contacts.items[i];
        double x = c->position.x > 0.0 ? cosine - sine : -cosine - sine; // of B's corners; the first are beyond A's
        x = fmin(1.0, fmax(-1.0, x));
        double lowest = -0.05 + (cosine - sine - x) * sine / cosine;
        CHECK_NEAR(c->gap, lowest, 1e-3, "gap of a corner");
        CHECK_NEAR(c->normal.z, 1.0, 1e-15, "normal");
    }
    CHECK_DONE();
}

// A cube of side 2 inside one of side 10, 3 deep, near each of its six faces: the four corners of the face that leaves
// last, each 3 deep. The other four corners are inside as well, but on the far side. Seen along the normal, they are at
// the same places up to rounding, so the pair is turned in many ways.
static void overlap_has_no_corner_of_the_far_side(void **state)
{
    fixture *f = *state;
    static const abut_option overlap = {"manifold", 1.0};
    abut_params params = abut_params_default();
    params.options = &overlap;
    params.option_count = 1;
    abut_mesh *mesh = make_box(&f->context, v3(-5, -5, -5), v3(5, 5, 5));
    abut_shape_def def = abut_shape_def_default();
    def.mesh = mesh;
    abut_shape *large = NULL;
    CHECK_STATUS(abut_shape_create(&f->context, &def, &large, NULL), ABUT_OK, "large");
    CHECK_STATUS(abut_shape_prepare(large, method(), NULL, NULL), ABUT_OK, "large");
    for (int i = 0; i < 240; ++i) {
        double sign = i % 2 == 0 ? 1.0 : -1.0;
        int axis = i / 2 % 3;
        abut_quat turn = abut_quat_from_axis(abut_unit(v3(1.0, i % 5, i % 7)), 0.1 * (i / 6));
        abut_vec3 out = abut_quat_rotate(turn, v3(sign * (axis == 0), sign * (axis == 1), sign * (axis == 2)));
        abut_pair pair = abut_pair_default(f->shapes[0], large);
        pair.a.pose.rotation = pair.b.pose.rotation = turn;
        pair.a.pose.position = abut_scale(3.0, out);
        CHECK_STATUS(find_with(f, &pair, &params), ABUT_OK, "inside");
        CHECK_INT(f->result.contacts.count, 4, "corners of a face");
        for (int k = 0; k < f->result.contacts.count; ++k) {
            const abut_contact *c = &f->result.contacts.items[k];
            CHECK_NEAR(abut_dot(c->normal, out), -1.0, 1e-12, "the way out");
            CHECK_NEAR(c->gap, -3.0, 1e-12, "depth");
            CHECK_NEAR(abut_dot(c->position_a, out), 2.0, 1e-12, "near side");
        }
    }
    abut_shape_destroy(large);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// Balls of 0.02 and 0.03 around cubes that are 0.04 apart: 0.01 deep.
static void dilation_is_a_ball(void **state)
{
    fixture *f = *state;
    abut_shape *round[2];
    for (int i = 0; i < 2; ++i) {
        abut_shape_def def = abut_shape_def_default();
        def.mesh = f->meshes[i];
        def.dilation = i == 0 ? 0.02 : 0.03;
        assert_int_equal(abut_shape_create(&f->context, &def, &round[i], NULL), ABUT_OK);
        assert_int_equal(abut_shape_prepare(round[i], method(), NULL, NULL), ABUT_OK);
    }
    abut_pair pair = abut_pair_default(round[0], round[1]);
    pair.b.pose.position = v3(0.0, 0.0, 2.04);
    CHECK_STATUS(find(f, &pair), ABUT_OK, "round");
    CHECK_INT(f->result.contacts.count, 4, "corners");
    for (int i = 0; i < f->result.contacts.count; ++i) {
        CHECK_NEAR(f->result.contacts.items[i].gap, -0.01, 1e-14, "gap");
        CHECK_NEAR(f->result.contacts.items[i].position_a.z, 1.02, 1e-14, "on A");
    }
    abut_shape_destroy(round[0]);
    abut_shape_destroy(round[1]);
    CHECK_DONE();
}

// With a memory that is committed, the contacts along a motion are those of cold queries, and after some queries none
// takes memory from the heap.
static void memory_and_heap(void **state)
{
    fixture *f = *state;
    int calls = 0;
    for (int i = 0; i < 400; ++i) {
        abut_pair pair = abut_pair_default(f->shapes[0], f->shapes[1]);
        pair.b.pose.position = v3(0.3 * sin(0.02 * i), 0.2, 1.98 + 0.03 * sin(0.05 * i));
        pair.b.pose.rotation = abut_quat_from_axis(v3(0.6, 0.0, 0.8), 0.001 * i);
        CHECK_STATUS(find(f, &pair), ABUT_OK, "cold");
        int count = f->result.contacts.count;
        double gap = count > 0 ? f->result.contacts.items[0].gap : 0.0;
        pair.memory = f->memory;
        CHECK_STATUS(find(f, &pair), ABUT_OK, "warm");
        CHECK_INT(f->result.contacts.count, count, "contacts");
        CHECK(count == 0 || fabs(f->result.contacts.items[0].gap - gap) < 1e-13, "step %d", i);
        abut_memory_commit(f->memory);
        if (i == 200) {
            calls = f->heap.calls;
        }
    }
    CHECK_INT(f->heap.calls, calls, "heap calls in the second half");
    CHECK_DONE();
}

enum { SIDES = 20 };

// An upright prism of height 1 on a regular polygon of radius 1.
static abut_shape *make_prism(fixture *f, abut_mesh **mesh)
{
    abut_vec3 vertices[2 * SIDES];
    int corners[6 * SIDES], offsets[SIDES + 3];
    for (int i = 0; i < SIDES; ++i) {
        double angle = 6.283185307179586 * i / SIDES;
        int next = (i + 1) % SIDES;
        vertices[i] = v3(cos(angle), sin(angle), 0.0);
        vertices[SIDES + i] = v3(cos(angle), sin(angle), 1.0);
        corners[SIDES - 1 - i] = i;
        corners[SIDES + i] = SIDES + i;
        const int side[4] = {i, next, SIDES + next, SIDES + i};
        memcpy(corners + 2 * SIDES + 4 * i, side, sizeof side);
        offsets[2 + i] = 2 * SIDES + 4 * i;
    }
    offsets[0] = 0;
    offsets[1] = SIDES;
    offsets[SIDES + 2] = 6 * SIDES;
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 2 * SIDES;
    def.face_offsets = offsets;
    def.face_vertices = corners;
    def.face_count = SIDES + 2;
    assert_int_equal(abut_mesh_create(&f->context, &def, mesh, NULL), ABUT_OK);
    abut_shape_def shape_def = abut_shape_def_default();
    shape_def.mesh = *mesh;
    abut_shape *shape;
    assert_int_equal(abut_shape_create(&f->context, &shape_def, &shape, NULL), ABUT_OK);
    assert_int_equal(abut_shape_prepare(shape, method(), NULL, NULL), ABUT_OK);
    return shape;
}

// A prism of n sides on its like, turned by half a side: each side crosses two of the other. The corners are the 2n
// crossings, as many as both polygons have together. They are a regular polygon about the circle in both, of radius
// r = cos(pi / n), with the area 2n r^2 tan(pi / 2n). A workspace that has had this query needs no more memory for it.
static void as_many_contacts_as_corners(void **state)
{
    fixture *f = *state;
    abut_mesh *mesh;
    abut_shape *prism = make_prism(f, &mesh);
    const double half = 3.141592653589793 / SIDES, r = cos(half);
    abut_pair pair = abut_pair_default(prism, prism);
    pair.b.pose.position = v3(0.0, 0.0, 1.0);
    pair.b.pose.rotation = abut_quat_from_axis(v3(0.0, 0.0, 1.0), half);
    int calls = 0;
    for (int i = 0; i < 3; ++i) {
        CHECK_STATUS(find(f, &pair), ABUT_OK, "query");
        CHECK_INT(f->result.contacts.count, 2 * SIDES, "corners");
        assert_int_equal(f->result.regions.count, 1);
        CHECK_NEAR(f->result.regions.items[0].measure, 2.0 * SIDES * r * r * tan(0.5 * half), 1e-9, "area");
        CHECK_INT((int)(f->result.stats.repairs + f->result.stats.caps), 0, "repairs and caps");
        calls = i == 1 ? f->heap.calls : calls;
    }
    CHECK_INT(f->heap.calls, calls, "heap calls of the last query");
    abut_shape_destroy(prism);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A cube with a corner pushed in: refused, with the option that takes its hull.
static void refusal_names_the_option(void **state)
{
    fixture *f = *state;
    abut_mesh_elements elements = abut_mesh_get_elements(f->meshes[0]);
    abut_vec3 vertices[8];
    memcpy(vertices, elements.vertices, sizeof vertices);
    vertices[0] = v3(0.5, 0.5, 0.5);
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.face_offsets = elements.face_offsets;
    def.face_vertices = elements.face_vertices;
    def.face_count = elements.face_count;
    abut_mesh *mesh;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    abut_shape_def shape_def = abut_shape_def_default();
    shape_def.mesh = mesh;
    abut_shape *shape;
    assert_int_equal(abut_shape_create(NULL, &shape_def, &shape, NULL), ABUT_OK);
    abut_error error;
    CHECK_STATUS(abut_shape_prepare(shape, method(), NULL, &error), ABUT_UNSUPPORTED, "dented");
    CHECK(strstr(error.text, "not convex") != NULL && strstr(error.text, "geometry=hull") != NULL, "%s",
          error.text);
    abut_params params = abut_params_default();
    abut_option option;
    CHECK_STATUS(abut_option_parse(method(), "geometry=hull", &option, &error), ABUT_OK, "option");
    params.options = &option;
    params.option_count = 1;
    CHECK_STATUS(abut_shape_prepare(shape, method(), &params, &error), ABUT_OK, "hull");
    abut_shape_destroy(shape);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(stacked_cubes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(equal_directions_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(overlap_has_all_corners, set_up, tear_down),
        cmocka_unit_test_setup_teardown(overlap_has_no_corner_of_the_far_side, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dilation_is_a_ball, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_and_heap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(as_many_contacts_as_corners, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refusal_names_the_option, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("method convex", tests, NULL, NULL);
}
