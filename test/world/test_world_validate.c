// SPDX-License-Identifier: MIT
// test_world_validate.c: abut_world_validate() reports bodies that overlap, and contacts that are ambiguous
#include "failing.h"
#include "stage.h"
#include "world/broad.h"

static const abut_vec3 zero = {0, 0, 0};

// ---------------------------------------------------------------------------------------------------------------
// Counts the broad phases: the linker sends calls of abut_broad_find() to the first function (CMakeLists.txt)

static int broad_count;

abut_status __wrap_abut_broad_find(abut_broad *broad, const abut_box *boxes, const unsigned char *is_passive,
                                   int count);
abut_status __real_abut_broad_find(abut_broad *broad, const abut_box *boxes, const unsigned char *is_passive,
                                   int count);

abut_status __wrap_abut_broad_find(abut_broad *broad, const abut_box *boxes, const unsigned char *is_passive,
                                   int count)
{
    ++broad_count;
    return __real_abut_broad_find(broad, boxes, is_passive, count);
}

// ---------------------------------------------------------------------------------------------------------------
// Findings

enum { FINDINGS = 16 };

typedef struct findings {
    abut_world_finding_kind kinds[FINDINGS];
    int pairs[FINDINGS][2];
    char texts[FINDINGS][256];
    int count;
    int limit; ///< stop after this many; 0: never
} findings;

static int keep_finding(void *user, const abut_world_finding *finding)
{
    findings *f = user;
    assert_true(f->count < FINDINGS);
    f->kinds[f->count] = finding->kind;
    f->pairs[f->count][0] = finding->body_a;
    f->pairs[f->count][1] = finding->body_b;
    (void)snprintf(f->texts[f->count], sizeof f->texts[0], "%s", finding->text);
    ++f->count;
    return f->count == f->limit;
}

static findings validate(const abut_world *world)
{
    findings found = {.count = 0};
    abut_error error = {.text = ""};
    CHECK_STATUS(abut_world_validate(world, keep_finding, &found, &error), ABUT_OK, error.text);
    return found;
}

static int add_wall(stage *s, const char *name, abut_vec3 size, abut_vec3 center)
{
    abut_body_def def = abut_body_def_default();
    def.name = name;
    def.material = 0;
    def.is_fixed = 1;
    def.pose.position = center;
    return add_box_body(s, size, def);
}

/// A bin, open at the top and on two sides: a floor whose top is at 0, and two walls. All three overlap each other
/// where they meet.
static stage make_bin(const abut_context *context, const abut_world_def *def)
{
    stage s = make_stage(context, def, 0.5, 0.0);
    (void)add_wall(&s, "floor", abut_vec3_make(10, 1, 10), abut_vec3_make(0, -0.5, 0));
    (void)add_wall(&s, "left", abut_vec3_make(1, 6, 10), abut_vec3_make(-4.5, 2, 0));
    (void)add_wall(&s, "back", abut_vec3_make(10, 6, 1), abut_vec3_make(0, 2, -4.5));
    return s;
}

// ---------------------------------------------------------------------------------------------------------------
// Steps

/// A cube at rest on the floor of the bin stays there. It has four contacts, all with the floor.
static void overlapping_walls_step(void **state)
{
    (void)state;
    abut_world_def def = falling();
    stage s = make_bin(NULL, &def);
    int cube = add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(0, 0.5, 0), zero, 0);
    run(&s, 20);
    abut_world_report report = abut_world_get_report(s.world);
    CHECK_INT(report.contact_count, 4, "contacts");
    for (int i = 0; i < report.contact_count; ++i) {
        CHECK(report.contacts[i].body_a == 0 && report.contacts[i].body_b == cube, "contact %d of %d and %d", i,
              report.contacts[i].body_a, report.contacts[i].body_b);
    }
    CHECK_NEAR(abut_world_get_body(s.world, cube).center.y, 0.5, 1e-9, "height");
    end_stage(&s);
    CHECK_DONE();
}

/// A platform of width 2 moves at 1 from x = -2 to -3.9 and so 0.9 into the left wall, whose inner face is at x = -4.
/// It is moved by abut_world_set_body() before each step, which makes one broad phase. A cube of side 0.5 rides on it
/// until the wall stops it at x = -3.75.
static void a_platform_moves_into_a_wall(void **state)
{
    (void)state;
    abut_world_def def = falling();
    def.has_sweeps = 0; // for the count of broad phases
    stage s = make_bin(NULL, &def);
    const abut_vec3 velocity = {-1, 0, 0};
    int platform = add_box(&s, abut_vec3_make(2, 0.5, 2), abut_vec3_make(-2, 0.75, 0), velocity, 1);
    int cube = add_box(&s, abut_vec3_make(0.5, 0.5, 0.5), abut_vec3_make(-2, 1.25, 0), velocity, 0);
    for (int i = 0; i < 190; ++i) {
        abut_error error;
        abut_pose pose = abut_pose_identity();
        pose.position = abut_vec3_make(-2.0 - 0.01 * i, 0.75, 0.0);
        CHECK_STATUS(abut_world_set_body(s.world, platform, pose, velocity, zero, &error), ABUT_OK, "platform");
        broad_count = 0;
        run(&s, 1);
        CHECK_INT(broad_count, 1, "broad phases");
    }
    findings found = validate(s.world);
    CHECK_INT(found.count, 4, "three pairs of the bin, and the platform in the wall");
    CHECK(found.pairs[3][0] == 1 && found.pairs[3][1] == platform, "the wall and the platform");
    CHECK_NEAR(abut_world_get_body(s.world, cube).center.x, -3.75, 1e-9, "place of the cube");
    CHECK_NEAR(abut_world_get_body(s.world, cube).linear_velocity.x, 0.0, 1e-9, "speed of the cube");
    end_stage(&s);
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Validation

/// Each two of the three parts of the bin overlap, and these pairs are reported in ascending order. A fixed cube that
/// touches the floor is not reported. A free cube that overlaps the floor is, after them. The search ends when the caller
/// stops it.
static void findings_name_both_bodies(void **state)
{
    (void)state;
    abut_world_def def = abut_world_def_default();
    stage s = make_bin(NULL, &def);
    (void)add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(2, 0.5, 2), zero, 1);
    (void)add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(0, 0.2, 0), zero, 0);
    findings found = validate(s.world);
    static const int pairs[4][2] = {{0, 1}, {0, 2}, {1, 2}, {0, 4}};
    static const char *const names[5] = {"floor", "left", "back", "", "body 4"};
    CHECK_INT(found.count, 4, "findings");
    for (int i = 0; i < 4 && i < found.count; ++i) {
        CHECK_INT(found.kinds[i], i < 3 ? ABUT_WORLD_FIXED_OVERLAP : ABUT_WORLD_OVERLAP, "kind");
        CHECK_INT(found.pairs[i][0], pairs[i][0], "body_a");
        CHECK_INT(found.pairs[i][1], pairs[i][1], "body_b");
        CHECK(strstr(found.texts[i], names[pairs[i][0]]) != NULL &&
                  strstr(found.texts[i], names[pairs[i][1]]) != NULL,
              "text: %s", found.texts[i]);
    }
    findings first = {.limit = 1};
    abut_error error;
    CHECK_STATUS(abut_world_validate(s.world, keep_finding, &first, &error), ABUT_OK, "stopped");
    CHECK_INT(first.count, 1, "findings until the caller stops");
    end_stage(&s);
    CHECK_DONE();
}

/// A free cube touches a fixed one edge on edge, where x and y are equally correct, or corner on corner. A velocity
/// against one of them decides for the other. A cube on a face has one normal.
static void ambiguous_contacts_are_named(void **state)
{
    (void)state;
    const struct {
        abut_vec3 velocity;
        abut_vec3 place;
        int count;
    } rows[] = {{{0, 0, 0}, {1, 1, 0}, 1},   // edge on edge, at rest
                {{-1, 0, 0}, {1, 1, 0}, 0},  // it moves over the edge: y
                {{0, -1, 0}, {1, 1, 0}, 0},  // or along the side: x
                {{0, 0, 0}, {0.5, 1, 0}, 0}, // on the face
                {{0, 0, 0}, {1, 1, 1}, 1}};  // corner on corner
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        abut_world_def def = abut_world_def_default();
        stage s = make_stage(NULL, &def, 0.5, 0.0);
        (void)add_wall(&s, "base", abut_vec3_make(1, 1, 1), zero);
        (void)add_box(&s, abut_vec3_make(1, 1, 1), rows[i].place, rows[i].velocity, 0);
        findings found = validate(s.world);
        CHECK(found.count == rows[i].count, "row %d: %d findings", (int)i, found.count);
        if (found.count == 1) {
            CHECK_INT(found.kinds[0], ABUT_WORLD_AMBIGUOUS_CONTACT, "kind");
            CHECK(strstr(found.texts[0], "base") != NULL && strstr(found.texts[0], "body 1") != NULL, "%s",
                  found.texts[0]);
        }
        end_stage(&s);
    }
    CHECK_DONE();
}

/// Two fixed bodies: a cube of side 2 about the origin or an L of three unit cubes, and a cube of side 1. They overlap
/// by a lot or by 0.05, one is inside the other, they touch (in the corner of the L with two faces), or they are
/// apart. The answer does not depend on the world's method.
static void overlap_is_found_with_any_method(void **state)
{
    (void)state;
    static const char *const methods[] = {"regions", "intersection", "closest-points", "convex", "implicit-field"};
    const struct {
        int is_l;
        abut_vec3 center;
        int count;
    } rows[] = {{0, {1.2, 0.1, 0.05}, 1}, {0, {0, 0, 0}, 1},      {0, {1.45, 0, 0}, 1},
                {0, {1.5, 0, 0}, 0},      {0, {1.6, 0, 0}, 0},    {1, {0.5, 0.5, 0.5}, 1},
                {1, {1.4, 1.5, 0.5}, 1},  {1, {1.5, 1.5, 0.5}, 0}};
    abut_mesh *meshes[3] = {make_box(NULL, abut_vec3_make(-1, -1, -1), abut_vec3_make(1, 1, 1)), make_l(NULL, 1.0),
                            make_box(NULL, abut_vec3_make(-0.5, -0.5, -0.5), abut_vec3_make(0.5, 0.5, 0.5))};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; ++i) {
        for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
            if (rows[k].is_l && strcmp(methods[i], "convex") == 0) {
                continue; // an L is not convex
            }
            abut_world_def def = abut_world_def_default();
            def.method = abut_method_find(methods[i]);
            stage s = make_stage(NULL, &def, 0.5, 0.0);
            abut_error error = {.text = ""};
            abut_shape *shapes[2];
            abut_params params = abut_params_default();
            for (int b = 0; b < 2; ++b) {
                shapes[b] = make_shape(NULL, meshes[b == 0 ? rows[k].is_l : 2], def.method, &params);
                abut_body_def body = abut_body_def_default();
                body.shape = shapes[b];
                body.is_fixed = 1;
                body.material = 0;
                body.pose.position = b == 0 ? zero : rows[k].center;
                CHECK_STATUS(abut_world_add_body(s.world, &body, NULL, &error), ABUT_OK, error.text);
            }
            int count = validate(s.world).count;
            CHECK(count == rows[k].count, "%s, row %d: %d findings", methods[i], (int)k, count);
            CHECK_STATUS(abut_world_step(s.world, &error), ABUT_OK, error.text);
            end_stage(&s);
            abut_shape_destroy(shapes[0]);
            abut_shape_destroy(shapes[1]);
        }
    }
    for (int i = 0; i < 3; ++i) {
        abut_mesh_destroy(meshes[i]);
    }
    CHECK_DONE();
}

/// The shapes of the world are prepared for closest-points only. After the validation, which uses `convex`, a query
/// with `convex` still answers that they are not prepared. The report of the last step is unchanged, and all memory
/// has been released.
static void validation_changes_nothing(void **state)
{
    (void)state;
    failing_heap heap = {0};
    abut_context context = failing_context(&heap);
    abut_world_def def = abut_world_def_default();
    def.method = abut_method_find("closest-points");
    abut_world *world = NULL;
    abut_material stone = abut_material_default();
    abut_error error;
    assert_int_equal(abut_world_create(&context, &def, &world, &error), ABUT_OK);
    assert_int_equal(abut_world_add_material(world, &stone, NULL, &error), ABUT_OK);
    abut_mesh *mesh = make_box(NULL, abut_vec3_make(-1, -1, -1), abut_vec3_make(1, 1, 1));
    abut_params params = abut_params_default();
    abut_shape *shape = make_shape(NULL, mesh, def.method, &params);
    for (int i = 0; i < 2; ++i) {
        abut_body_def body = abut_body_def_default();
        body.shape = shape;
        body.material = 0;
        body.is_fixed = 1;
        body.pose.position.x = i;
        assert_int_equal(abut_world_add_body(world, &body, NULL, &error), ABUT_OK);
    }
    assert_int_equal(abut_world_step(world, &error), ABUT_OK);
    abut_world_report before = abut_world_get_report(world);
    int live = heap.live;
    CHECK_INT(validate(world).count, 1, "findings");
    CHECK_INT(heap.live, live, "blocks");
    abut_world_report after = abut_world_get_report(world);
    CHECK(memcmp(&before, &after, sizeof before) == 0, "the report changed");
    abut_pair pair = abut_pair_default(shape, shape);
    abut_workspace *workspace = NULL;
    assert_int_equal(abut_workspace_create(NULL, &workspace), ABUT_OK);
    abut_result result = abut_result_default();
    CHECK_STATUS(abut_find_contacts(&pair, abut_method_find("convex"), NULL, workspace, &result), ABUT_UNPREPARED,
                 "convex");
    abut_workspace_destroy(workspace);
    abut_world_destroy(world);
    abut_shape_destroy(shape);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

/// Each allocation of a validation fails in turn. It returns ABUT_NO_MEMORY or finds everything without that memory,
/// and nothing leaks.
static void a_validation_without_memory_fails(void **state)
{
    (void)state;
    failing_heap heap = {0};
    abut_context context = failing_context(&heap);
    abut_world_def def = abut_world_def_default();
    stage s = make_bin(&context, &def);
    int live = heap.live, failures = 0, is_whole = 0;
    for (int at = 1; !is_whole; ++at) {
        heap.calls = 0;
        heap.fail_at = at;
        findings found = {.count = 0};
        abut_error error = {.text = ""};
        abut_status status = abut_world_validate(s.world, keep_finding, &found, &error);
        is_whole = heap.calls < at;
        CHECK(status == ABUT_OK ? found.count == 3 : status == ABUT_NO_MEMORY && error.text[0] != '\0',
              "allocation %d: status %d, %d findings", at, (int)status, found.count);
        CHECK_INT(heap.live, live, "blocks");
        failures += status == ABUT_NO_MEMORY;
    }
    CHECK(failures > 10, "only %d failures", failures);
    heap.fail_at = 0;
    end_stage(&s);
    CHECK_DONE();
}

/// A sheet has no inside: a box that is sunk into it by a hair, or by half, is not a finding.
static void open_meshes_are_not_compared(void **state)
{
    (void)state;
    static const abut_vec3 vertices[4] = {{-3, 0, -3}, {3, 0, -3}, {3, 0, 3}, {-3, 0, 3}};
    static const int corners[6] = {0, 2, 1, 0, 3, 2};
    abut_mesh_def mesh_def = abut_mesh_def_default();
    mesh_def.vertices = vertices;
    mesh_def.vertex_count = 4;
    mesh_def.face_vertices = corners;
    mesh_def.face_count = 2;
    abut_shape_def shape_def = abut_shape_def_default();
    abut_shape *sheet = NULL;
    assert_int_equal(abut_mesh_create(NULL, &mesh_def, &shape_def.owned_mesh, NULL), ABUT_OK);
    assert_int_equal(abut_shape_create(NULL, &shape_def, &sheet, NULL), ABUT_OK);
    abut_world_def def = abut_world_def_default();
    def.method = abut_method_find("intersection");
    for (int i = 0; i < 2; ++i) {
        stage s = make_stage(NULL, &def, 0.5, 0.0);
        abut_body_def body = abut_body_def_default();
        body.shape = sheet;
        body.material = 0;
        body.is_fixed = 1;
        abut_error error;
        CHECK_STATUS(abut_world_add_body(s.world, &body, NULL, &error), ABUT_OK, "sheet");
        (void)add_wall(&s, "box", abut_vec3_make(2, 1, 2), abut_vec3_make(0, i == 0 ? 0.5 - 1e-5 : 0.0, 0));
        CHECK_INT(validate(s.world).count, 0, i == 0 ? "by a hair" : "by half");
        end_stage(&s);
    }
    abut_shape_destroy(sheet);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlapping_walls_step),
        cmocka_unit_test(a_platform_moves_into_a_wall),
        cmocka_unit_test(findings_name_both_bodies),
        cmocka_unit_test(ambiguous_contacts_are_named),
        cmocka_unit_test(overlap_is_found_with_any_method),
        cmocka_unit_test(validation_changes_nothing),
        cmocka_unit_test(a_validation_without_memory_fails),
        cmocka_unit_test(open_meshes_are_not_compared),
    };
    return cmocka_run_group_tests_name("world_validate", tests, NULL, NULL);
}
