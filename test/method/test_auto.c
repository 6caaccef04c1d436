// SPDX-License-Identifier: MIT
// test_auto.c: which method `auto` chooses, the side of open surfaces that overlap, and what a memory keeps
#include "../complex/complexes.h"
#include "failing.h"

#include <string.h>

typedef struct bodies {
    abut_mesh *meshes[2];
    abut_shape *shapes[2];
    abut_workspace *work;
    abut_memory *memory;
    abut_params params;
    abut_pair pair;
    abut_result result;
} bodies;

/// Takes the meshes.
static bodies begin(const abut_context *context, abut_mesh *a, abut_mesh *b)
{
    bodies s = {.meshes = {a, b}, .params = abut_params_default(), .result = abut_result_default()};
    for (int i = 0; i < 2; ++i) {
        abut_shape_def def = abut_shape_def_default();
        abut_error error;
        def.mesh = s.meshes[i];
        assert_int_equal(abut_shape_create(context, &def, &s.shapes[i], &error), ABUT_OK);
        CHECK_STATUS(abut_shape_prepare(s.shapes[i], abut_method_find("auto"), NULL, &error), ABUT_OK, "prepare");
    }
    assert_int_equal(abut_workspace_create(context, &s.work), ABUT_OK);
    assert_int_equal(abut_memory_create(context, &s.memory), ABUT_OK);
    s.pair = abut_pair_default(s.shapes[0], s.shapes[1]);
    s.pair.a.key = 1;
    s.pair.b.key = 2;
    return s;
}

static void end(bodies *s)
{
    abut_memory_destroy(s->memory);
    abut_workspace_destroy(s->work);
    for (int i = 0; i < 2; ++i) {
        abut_shape_destroy(s->shapes[i]);
        abut_mesh_destroy(s->meshes[i]);
    }
}

static void find(bodies *s)
{
    abut_status status = abut_find_contacts(&s->pair, abut_method_find("auto"), &s->params, s->work, &s->result);
    CHECK(status == ABUT_OK, "query: %s", s->result.error.text);
}

static abut_mesh *make_cube(double half)
{
    return make_box(NULL, v3(-half, -half, -half), v3(half, half, half));
}

/// The sheet of make_sheet(4), with its middle at the origin and normals along +z.
static abut_mesh *make_floor(void)
{
    abut_mesh *sheet = make_sheet(4);
    abut_mesh *moved = make_moved(sheet, abut_pose_make(v3(-2, -2, 0), abut_quat_identity()), 1.0);
    abut_mesh_destroy(sheet);
    return moved;
}

static void check_answer(const bodies *s, const char *method, const char *reason, int count, const char *label)
{
    CHECK(s->result.method != NULL && strcmp(s->result.method, method) == 0, "%s: by %s", label,
          s->result.method != NULL ? s->result.method : "nothing");
    CHECK(s->result.reason != NULL && strstr(s->result.reason, reason) != NULL, "%s: '%s'", label,
          s->result.reason != NULL ? s->result.reason : "");
    CHECK_INT(s->result.contacts.count, count, label);
}

// A cube on a cube touches in a square: regions. Sunk by a tenth: convex, with its four corners. An L is not convex, on
// the cube or in it. A sheet is not closed. Far away nothing touches, and that is no overlap.
static void choices_follow_from_the_meshes(void **state)
{
    (void)state;
    bodies s = begin(NULL, make_cube(0.5), make_cube(0.5));
    s.pair.b.pose.position = v3(0, 0, 1.0);
    find(&s);
    check_answer(&s, "regions", "convex", 4, "cube on cube");
    s.pair.b.pose.position.z = 0.9;
    find(&s);
    check_answer(&s, "convex", "overlap", 4, "cube in cube");
    CHECK_NEAR(s.result.contacts.items[0].gap, -0.1, 1e-12, "depth");
    s.pair.b.pose.position.z = 3.0;
    find(&s);
    check_answer(&s, "regions", "convex", 0, "apart");
    end(&s);
    s = begin(NULL, make_l(NULL, 1.0), make_cube(0.5));
    s.pair.b.pose.position = v3(0.5, 2.5, 0.5);
    find(&s);
    check_answer(&s, "regions", "closed solids", 4, "cube on an L");
    s.pair.b.pose.position.y = 2.4;
    find(&s);
    check_answer(&s, "regions", "closed solids", 4, "cube in an L");
    end(&s);
    s = begin(NULL, make_floor(), make_cube(0.5));
    s.pair.b.pose.position = v3(0.1, 0.2, 0.5);
    find(&s);
    check_answer(&s, "quasi-lmd", "not a closed solid", 4, "cube on a sheet");
    end(&s);
    CHECK_DONE();
}

// An octahedron with corners at (+-1, 0, 0), (0, +-1, 0), (0, 0, +-1) is sunk into a cube by 1.2, so that its four corners
// in the middle are inside by 0.2, and its tip is inside by 1.2. The tip is not on the outline of the others, seen from
// above, but it must be among the contacts: it alone tells the depth.
static void the_deepest_corner_is_a_contact(void **state)
{
    (void)state;
    const abut_vec3 corners[6] = {v3(1, 0, 0), v3(-1, 0, 0), v3(0, 1, 0), v3(0, -1, 0), v3(0, 0, 1), v3(0, 0, -1)};
    static const int faces[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    bodies s = begin(NULL, make_cube(4.0), make_triangles(NULL, corners, 6, faces, 8));
    s.pair.b.pose.position = v3(0.1, 0.2, 3.8);
    find(&s);
    check_answer(&s, "convex", "overlap", 5, "octahedron");
    double least = 0.0;
    for (int i = 0; i < s.result.contacts.count; ++i) {
        least = fmin(least, s.result.contacts.items[i].gap);
    }
    CHECK_NEAR(least, -1.2, 1e-12, "depth");
    end(&s);
    CHECK_DONE();
}

/// All contacts are on the sheet, with the normal, the gap and the rule.
static void check_sheet(const bodies *s, abut_vec3 normal, double gap, abut_rule rule, double size,
                        const char *label)
{
    CHECK_INT(s->result.contacts.count, 4, label);
    for (int i = 0; i < s->result.contacts.count; ++i) {
        const abut_contact *c = &s->result.contacts.items[i];
        CHECK(abut_norm(abut_sub(c->normal, normal)) < 1e-9, "%s: normal %g %g %g", label, c->normal.x, c->normal.y,
              c->normal.z);
        CHECK_NEAR(c->gap, gap, 1e-9 * size, label);
        CHECK_INT(c->rule, rule, label);
    }
}

// A cube of side 1 is sunk into a sheet with normals along +z by d. Nothing else is known, so it must leave along +z, by
// d, at any depth, also if most of it is below. If it moves along +z by more than it is deep in a step, it came from
// below: then the way out is along -z, by 1 - d. So it is, without a motion, if its last contacts were below. This holds
// in any position, at any scale, and with A and B exchanged.
static void open_surfaces_that_overlap_have_a_side(void **state)
{
    (void)state;
    const double depths[] = {1e-3, 0.05, 0.5, 0.8}, scales[] = {1e-3, 1.0, 1e3};
    test_random random = {1907};
    for (int i = 0; i < 12; ++i) {
        double scale = scales[i % 3], d = depths[i / 3];
        abut_pose world = abut_pose_make(random_vec3(&random, 100.0 * scale), random_rotation(&random));
        abut_mesh *sheet = make_floor(), *cube = make_cube(0.5);
        bodies s = begin(NULL, make_moved(sheet, abut_pose_identity(), scale),
                         make_moved(cube, abut_pose_identity(), scale));
        abut_mesh_destroy(sheet);
        abut_mesh_destroy(cube);
        abut_vec3 up = abut_quat_rotate(world.rotation, v3(0, 0, 1));
        s.pair.a.pose = world;
        s.pair.b.pose = world;
        s.pair.b.pose.position = abut_pose_apply(world, abut_scale(scale, v3(0.1, 0.2, 0.5 - d)));
        find(&s);
        check_sheet(&s, up, -d * scale, ABUT_RULE_ORIENTATION, 100 * scale, "at rest");
        CHECK(strstr(s.result.reason, "normals") != NULL, "'%s'", s.result.reason);

        abut_side a = s.pair.a;
        s.pair.a = s.pair.b;
        s.pair.b = a;
        find(&s);
        check_sheet(&s, abut_negate(up), -d * scale, ABUT_RULE_ORIENTATION, 100 * scale, "exchanged");
        s.pair.b = s.pair.a;
        s.pair.a = a;

        s.pair.dt = 0.01;
        s.pair.b.linear_velocity = abut_scale(110.0 * scale, up);
        find(&s);
        check_sheet(&s, abut_negate(up), -(1.0 - d) * scale, ABUT_RULE_VELOCITY, 100 * scale, "from below");

        s.pair.memory = s.memory;
        s.pair.dt = 0.0;
        s.pair.b.pose.position = abut_pose_apply(world, abut_scale(scale, v3(0.1, 0.2, -0.5)));
        find(&s);
        abut_memory_commit(s.memory);
        s.pair.b.pose.position = abut_pose_apply(world, abut_scale(scale, v3(0.1, 0.2, 0.5 - d)));
        find(&s);
        check_sheet(&s, abut_negate(up), -(1.0 - d) * scale, ABUT_RULE_HISTORY, 100 * scale, "was below");
        end(&s);
    }
    CHECK_DONE();
}

// The tip of a pyramid without a base is as near to a sheet as rounding touches it, but the triangles have no common point.
// It is a contact with the sheet's normal: a way along the sheet does not part them.
static void tips_touch_sheets(void **state)
{
    (void)state;
    const abut_vec3 corners[4] = {v3(0, 0, 0), v3(-0.3, -0.3, 1), v3(0.4, -0.3, 1), v3(0, 0.5, 1)};
    static const int faces[9] = {0, 2, 1, 0, 3, 2, 0, 1, 3};
    test_random random = {611};
    const abut_vec3 axes[] = {v3(1, 0, 0), v3(0, 1, 0)};
    for (int i = 0; i < 48; ++i) { // the sheet is parallel to axes, so that it is not left along them
        abut_quat turn = abut_quat_from_axis(axes[i % 2], 0.5 * 3.14159265358979323846 * (i / 2 % 4));
        abut_pose world = abut_pose_make(random_vec3(&random, 1.0), turn);
        abut_vec3 up = abut_quat_rotate(world.rotation, v3(0, 0, 1));
        abut_mesh *floor = make_floor();
        bodies s = begin(NULL, make_moved(floor, world, 1.0), make_triangles(NULL, corners, 4, faces, 3));
        abut_mesh_destroy(floor);
        s.pair.b.pose = world;
        s.pair.b.pose.position = abut_pose_apply(world, v3(0.123, 0.456, 2e-14));
        find(&s);
        CHECK(s.result.contacts.count > 0, "%d: no contact: %s", i, s.result.error.text);
        for (int k = 0; k < s.result.contacts.count; ++k) {
            const abut_contact *c = &s.result.contacts.items[k];
            CHECK(abut_dot(c->normal, up) > 1.0 - 1e-9 && fabs(c->gap) < 1e-9, "%d: normal %g %g %g, gap %g", i,
                  c->normal.x, c->normal.y, c->normal.z, c->gap);
        }
        end(&s);
    }
    CHECK_DONE();
}

// A sheet that stands on its border, sunk into a cube by 0.1: it crosses the face in a line without area, so the normals
// along the line decide. The way out is 0.1 along the normal of the cube's face. Two sheets that cross like an X have no
// side from areas either; some way out is found, and its length is at most that of the sheets.
static void sheets_that_cut_have_a_way_out(void **state)
{
    (void)state;
    bodies s = begin(NULL, make_cube(3.0), make_floor());
    s.pair.b.pose = abut_pose_make(v3(0.1, 0.2, 4.9), abut_quat_from_axis(v3(1, 0, 0), 1.5707963267948966));
    find(&s);
    CHECK(s.result.contacts.count >= 2, "%d contacts", s.result.contacts.count);
    for (int i = 0; i < s.result.contacts.count; ++i) {
        CHECK_NEAR(s.result.contacts.items[i].normal.z, 1.0, 1e-9, "normal");
        CHECK_NEAR(s.result.contacts.items[i].gap, -0.1, 2e-3, "gap"); // up to the inset of the cube
    }
    end(&s);
    s = begin(NULL, make_floor(), make_floor());
    s.pair.b.pose = abut_pose_make(v3(0.1, 0.2, 0.0), abut_quat_from_axis(v3(1, 0, 0), 1.0));
    find(&s);
    CHECK(s.result.contacts.count > 0, "%d contacts", s.result.contacts.count);
    for (int i = 0; i < s.result.contacts.count; ++i) {
        CHECK(s.result.contacts.items[i].gap > -4.0 && s.result.contacts.items[i].gap <= 1e-6, "gap %g",
              s.result.contacts.items[i].gap);
    }
    end(&s);
    CHECK_DONE();
}

// An L over another one, 0.2 above: with an envelope of 0.5, larger than what tells near from far faces of an L of size
// 3, quasi-lmd finds the gaps. It stays when the gap is so small that regions could answer, until they touch: then
// regions answers, and stays while the L is lifted by less than the envelope.
static void solids_change_their_method_at_the_touch(void **state)
{
    (void)state;
    bodies s = begin(NULL, make_l(NULL, 1.0), make_l(NULL, 1.0));
    const struct {
        double gap, envelope;
        const char *method;
    } steps[] = {
        {0.2, 0.5, "quasi-lmd"}, {0.01, 0.02, "quasi-lmd"}, {0.0, 0.5, "regions"}, {0.01, 0.02, "regions"}};
    s.pair.memory = s.memory;
    for (int i = 0; i < 4; ++i) {
        s.pair.b.pose.position = v3(0.1, 0.2, 1.0 + steps[i].gap);
        s.params.envelope = abut_absolute(steps[i].envelope);
        find(&s);
        abut_memory_commit(s.memory);
        CHECK(strcmp(s.result.method, steps[i].method) == 0, "step %d by %s", i, s.result.method);
        CHECK(s.result.contacts.count >= 4, "step %d: %d contacts", i, s.result.contacts.count);
    }
    abut_memory_clear(s.memory);
    s.pair.b.pose.position.z = 1.2;
    s.params.envelope = abut_absolute(0.5);
    const abut_option touching = {"gaps", 1.0};
    s.params.options = &touching;
    s.params.option_count = 1;
    abut_status status = abut_find_contacts(&s.pair, abut_method_find("auto"), &s.params, s.work, &s.result);
    CHECK(status == ABUT_UNSUPPORTED || strcmp(s.result.method, "regions") == 0, "gaps=touching: %s",
          abut_status_text(status));
    end(&s);
    CHECK_DONE();
}

// A cube of side 1 in the middle of one of side 3: the least way out is 2 along an axis, twice the smaller one's side. At the
// side of the larger one, 0.1 deep, the way is short, and the result does not speak of it. Swapped, B goes the other way.
static void a_long_way_out_is_told(void **state)
{
    (void)state;
    const char *const methods[3] = {"auto", "regions", "convex"};
    for (int i = 0; i < 6; ++i) {
        abut_vec3 l = {-0.5, -0.5, -0.5}, u = {0.5, 0.5, 0.5};
        abut_mesh *small = make_box(NULL, l, u), *large = make_box(NULL, abut_scale(3.0, l), abut_scale(3.0, u));
        bodies s = i % 2 == 0 ? begin(NULL, large, small) : begin(NULL, small, large);
        abut_side *mover = i % 2 == 0 ? &s.pair.b : &s.pair.a;
        mover->pose.position = v3(0.0, 0.0, 0.25);
        CHECK_STATUS(abut_find_contacts(&s.pair, abut_method_find(methods[i / 2]), &s.params, s.work, &s.result),
                     ABUT_OK, methods[i / 2]);
        CHECK_INT(s.result.has_long_way_out, 1, methods[i / 2]);
        CHECK_NEAR(abut_norm(s.result.way_out), 1.75, 1e-6, methods[i / 2]);
        CHECK_NEAR(s.result.way_out.z, i % 2 == 0 ? 1.75 : -1.75, 1e-6, methods[i / 2]);
        mover->pose.position = v3(0.0, 0.0, 1.9);
        CHECK_STATUS(abut_find_contacts(&s.pair, abut_method_find(methods[i / 2]), &s.params, s.work, &s.result),
                     ABUT_OK, methods[i / 2]);
        CHECK_INT(s.result.has_long_way_out, 0, "near the side");
        CHECK_NEAR(abut_norm(s.result.way_out), 0.0, 0.0, "near the side");
        end(&s);
    }
    CHECK_DONE();
}

// A ball of radius 1 is a point with a dilation: its size is 2, not 0. It touches, or has sunk into a block by a part of
// its radius; only the deepest one has a long way out.
static void the_way_out_of_a_ball_is_measured_by_its_radius(void **state)
{
    (void)state;
    const double depths[4] = {0.0, 1e-9, 0.4, 0.6};
    for (int i = 0; i < 4; ++i) {
        const abut_vec3 origin = {0.0, 0.0, 0.0};
        const int point = 0;
        abut_mesh_def def = abut_mesh_def_default();
        abut_mesh *mesh = NULL, *block = make_box(NULL, v3(-2, -2, -4), v3(2, 2, 0));
        def.vertices = &origin;
        def.vertex_count = 1;
        def.points = &point;
        def.point_count = 1;
        assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
        abut_shape *shapes[2] = {NULL, NULL};
        abut_shape_def defs[2] = {abut_shape_def_default(), abut_shape_def_default()};
        defs[0].mesh = block;
        defs[1].mesh = mesh;
        defs[1].dilation = 1.0;
        for (int k = 0; k < 2; ++k) {
            assert_int_equal(abut_shape_create(NULL, &defs[k], &shapes[k], NULL), ABUT_OK);
            CHECK_STATUS(abut_shape_prepare(shapes[k], abut_method_find("auto"), NULL, NULL), ABUT_OK, "prepare");
        }
        abut_workspace *work = NULL;
        assert_int_equal(abut_workspace_create(NULL, &work), ABUT_OK);
        abut_pair pair = abut_pair_default(shapes[0], shapes[1]);
        pair.a.key = 1;
        pair.b.key = 2;
        pair.b.pose.position.z = 1.0 - depths[i];
        abut_result result = abut_result_default();
        CHECK_STATUS(abut_find_contacts(&pair, abut_method_find("auto"), NULL, work, &result), ABUT_OK, "ball");
        CHECK_INT(result.has_long_way_out, i == 3, "ball");
        abut_workspace_destroy(work);
        for (int k = 0; k < 2; ++k) {
            abut_shape_destroy(shapes[k]);
        }
        abut_mesh_destroy(mesh);
        abut_mesh_destroy(block);
    }
    CHECK_DONE();
}

static void memory_is_enough_or_told(void **state)
{
    (void)state;
    failing_heap heap = {0};
    abut_context context = failing_context(&heap);
    context.worker_count = 1;
    bodies s = begin(&context, make_floor(), make_cube(0.5));
    s.pair.b.pose.position = v3(0.1, 0.2, 0.3);
    for (int i = 0; i < 3; ++i) {
        find(&s);
    }
    int calls = heap.calls;
    find(&s);
    CHECK_INT(heap.calls, calls, "heap calls of a repeated query");
    CHECK(s.result.stats.data_bytes > 0, "memory is told");
    end(&s);
    CHECK_INT(heap.live, 0, "leak");
    for (int at = 1, is_done = 0; !is_done; ++at) {
        failing_heap failing = {.fail_at = at};
        abut_context few = failing_context(&failing);
        few.worker_count = 1;
        abut_mesh *mesh = make_cube(0.5);
        abut_shape_def def = abut_shape_def_default();
        def.mesh = mesh;
        abut_shape *shape = NULL;
        abut_status status = abut_shape_create(&few, &def, &shape, NULL);
        if (status == ABUT_OK) {
            status = abut_shape_prepare(shape, abut_method_find("auto"), NULL, NULL);
        }
        is_done = failing.calls < at;
        CHECK_STATUS(status, is_done ? ABUT_OK : ABUT_NO_MEMORY, "allocation");
        abut_shape_destroy(shape);
        abut_mesh_destroy(mesh);
        CHECK_INT(failing.live, 0, "leak after a failure");
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_follow_from_the_meshes),
        cmocka_unit_test(the_deepest_corner_is_a_contact),
        cmocka_unit_test(open_surfaces_that_overlap_have_a_side),
        cmocka_unit_test(tips_touch_sheets),
        cmocka_unit_test(sheets_that_cut_have_a_way_out),
        cmocka_unit_test(solids_change_their_method_at_the_touch),
        cmocka_unit_test(a_long_way_out_is_told),
        cmocka_unit_test(the_way_out_of_a_ball_is_measured_by_its_radius),
        cmocka_unit_test(memory_is_enough_or_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
