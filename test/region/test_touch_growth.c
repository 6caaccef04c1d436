// SPDX-License-Identifier: MIT
// test_touch_growth.c: the work of a query follows the contact, not the triangles
//
// The work is counted: candidates are pairs of elements whose boxes are near, tests are those between corners, edges
// and triangles.
#include "check.h"
#include "failing.h"
#include "mesh/tessellate.h"
#include "random.h"
#include "shapes.h"
#include "spatial/index_solids.h"

#include <stdlib.h>

/// A query of two equal solids.
typedef struct stack {
    abut_mesh *mesh;
    abut_shape *shape;
    abut_workspace *workspace;
    abut_pair pair;
    abut_params params;
    abut_result result;
} stack;

/// The mesh becomes the stack's.
static stack make_stack(abut_mesh *mesh, abut_pose b_to_a)
{
    stack s = {.mesh = mesh, .params = abut_params_default(), .result = abut_result_default()};
    s.shape = make_shape(NULL, mesh, abut_method_find("regions"), &s.params);
    s.pair = abut_pair_default(s.shape, s.shape);
    s.pair.b.pose = b_to_a;
    assert_int_equal(abut_workspace_create(NULL, &s.workspace), ABUT_OK);
    return s;
}

static void ask(stack *s)
{
    abut_status status =
        abut_find_contacts(&s->pair, abut_method_find("regions"), &s->params, s->workspace, &s->result);
    CHECK(status == ABUT_OK, "%s", s->result.error.text);
}

static void free_stack(stack *s)
{
    abut_workspace_destroy(s->workspace);
    abut_shape_destroy(s->shape);
    abut_mesh_destroy(s->mesh);
}

/// A tessellation of a mesh with `count` more vertices, turned.
static abut_mesh *cut(const abut_mesh *from, int count, abut_quat turn, test_random *random)
{
    test_solid plain = solid_from_mesh(from);
    solid_tessellate(&plain, random, count, count);
    solid_move(&plain, 1.0, abut_pose_make(abut_vec3_make(0, 0, 0), turn));
    abut_mesh *mesh = solid_mesh(&plain, ABUT_PRECISION_DOUBLE);
    solid_free(&plain);
    return mesh;
}

/// A pose in a frame that is turned.
static abut_pose turn_pose(abut_pose pose, abut_quat turn)
{
    abut_quat rotation = abut_quat_multiply(abut_quat_multiply(turn, pose.rotation), abut_quat_conjugate(turn));
    return abut_pose_make(abut_quat_rotate(turn, pose.position), rotation);
}

/// The largest distance of a contact, with its normal, from the nearest of others. Ids follow from the numbers of
/// triangles, so the orders may differ.
static double compare_contacts(const abut_contact *contacts, int count, const abut_contact_view *others)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        double nearest = HUGE_VAL;
        for (int k = 0; k < others->count; ++k) {
            const abut_contact *c = &others->items[k];
            nearest = fmin(nearest, abut_norm(abut_sub(c->position, contacts[i].position)) +
                                        abut_norm(abut_sub(c->normal, contacts[i].normal)));
        }
        largest = fmax(largest, nearest);
    }
    return largest;
}

// A unit cube on another, shifted by (0.5, 0.25): they touch in a rectangle, with four corners. The more triangles the
// sides are cut into, the more levels a search has, but it looks at the same edges and faces. B rests, slides, parts or
// approaches, with receding faces culled or not.
static void cuts_cost_nothing(void **state)
{
    (void)state;
    enum { MOTIONS = 4 };
    test_random random = {81};
    const abut_vec3 velocities[MOTIONS] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0, 0, -1e-9}};
    const int cuts[] = {0, 100, 1000, 4000};
    abut_mesh *cube = make_box(NULL, abut_vec3_make(0, 0, 0), abut_vec3_make(1, 1, 1));
    abut_pose pose = abut_pose_make(abut_vec3_make(0.5, 0.25, 1.0), abut_quat_identity());
    for (int i = 0; i < 2; ++i) {
        abut_quat turn = i == 0 ? abut_quat_identity() : random_rotation(&random);
        abut_contact first[2 * MOTIONS][8];
        int counts[2 * MOTIONS];
        for (size_t k = 0; k < sizeof cuts / sizeof cuts[0]; ++k) {
            stack s = make_stack(cut(cube, cuts[k], turn, &random), turn_pose(pose, turn));
            s.pair.dt = 0.01;
            for (int v = 0; v < 2 * MOTIONS; ++v) {
                abut_option option = {"culling", (double)(v % 2)};
                s.params.options = &option;
                s.params.option_count = 1;
                s.pair.b.linear_velocity = abut_quat_rotate(turn, velocities[v / 2]);
                ask(&s);
                const abut_stats *stats = &s.result.stats;
                CHECK(stats->candidate_pairs <= 300 && stats->tested_pairs <= 300,
                      "%d cuts: %lld candidates, %lld tests", cuts[k], (long long)stats->candidate_pairs,
                      (long long)stats->tested_pairs);
                if (k == 0) {
                    counts[v] = s.result.contacts.count;
                    assert_true(counts[v] <= 8);
                    memcpy(first[v], s.result.contacts.items, (size_t)counts[v] * sizeof first[v][0]);
                }
                CHECK_INT(s.result.contacts.count, counts[v], "contacts");
                CHECK_NEAR(compare_contacts(first[v], counts[v], &s.result.contacts), 0.0, 1e-9, "contacts");
            }
            CHECK_INT(counts[0], 4, "corners of a rectangle");
            free_stack(&s);
        }
    }
    abut_mesh_destroy(cube);
    CHECK_DONE();
}

/// Checks that the work of stacked solids of sizes 32, 128, 512, ... grows at most as n log n.
typedef struct growth {
    double candidates, tests; ///< of size 32, divided by n log n
} growth;

static void check_growth(growth *g, const char *name, int n, const abut_stats *stats)
{
    double unit = n * log2(n), candidates = (double)stats->candidate_pairs / unit;
    double tests = (double)stats->tested_pairs / unit;
    if (n == 32) {
        *g = (growth){candidates, tests};
    }
    CHECK(candidates <= 1.5 * g->candidates && tests <= 1.5 * g->tests,
          "%s of %d: %g candidates and %g tests by n log n; for 32: %g and %g", name, n, candidates, tests,
          g->candidates, g->tests);
}

/// A gear as make_gear() makes it, with its caps cut into fans about their middles: long triangles whose boxes overlap.
/// The edges of the caps are cut into `parts`.
static abut_mesh *make_fan_gear(int teeth, int parts, abut_quat turn)
{
    int n = 2 * teeth * parts, middle = 2 * n;
    abut_vec3 *vertices = malloc((size_t)(2 * n + 2) * sizeof *vertices);
    int *triangles = malloc((size_t)n * 12 * sizeof *triangles);
    assert_true(vertices != NULL && triangles != NULL);
    for (int i = 0; i < 2 * n + 2; ++i) {
        double height = i < middle ? i / n : i - middle, share = (double)(i % parts) / parts;
        abut_vec3 ends[2];
        for (int k = 0; k < 2; ++k) {
            int corner = i % n / parts + k;
            double angle = 6.283185307179586 * corner / (2 * teeth), radius = corner % 2 ? 0.8 : 1.0;
            ends[k] = abut_vec3_make(radius * cos(angle), radius * sin(angle), height);
        }
        abut_vec3 p = i < middle ? abut_lerp(ends[0], ends[1], share) : abut_vec3_make(0, 0, height);
        vertices[i] = abut_quat_rotate(turn, p);
    }
    for (int i = 0; i < n; ++i) {
        int k = (i + 1) % n;
        const int around[12] = {k, i, middle, n + i, n + k, middle + 1, i, k, n + k, i, n + k, n + i};
        memcpy(triangles + 12 * (size_t)i, around, sizeof around);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 2 * n + 2;
    def.face_vertices = triangles;
    def.face_count = 4 * n;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    free(triangles);
    free(vertices);
    return mesh;
}

// A gear of n pointed teeth on another, turned by part of a tooth: the outlines cross twice at each tooth, and the
// polygon has its crossings and the corners between teeth of both as corners, 4 n. The caps are polygons, or fans; then
// the mesh is oblique to its axes; then the edges of the caps are cut in two.
static void gears_cost_by_their_teeth(void **state)
{
    (void)state;
    test_random random = {82};
    growth growths[4];
    for (int n = 32; n <= 512; n *= 4) {
        abut_quat turn = abut_quat_from_axis(abut_vec3_make(0, 0, 1), 0.3 * 6.283185307179586 / n);
        abut_pose pose = abut_pose_make(abut_vec3_make(0, 0, 1), turn);
        for (int kind = 0; kind < 4; ++kind) {
            abut_quat tilt = kind >= 2 ? random_rotation(&random) : abut_quat_identity();
            abut_mesh *mesh = NULL;
            if (kind == 0) {
                indexed_solid gear = make_gear(n, ABUT_CUTS_BALANCED);
                mesh = cut(gear.mesh, 0, tilt, &random);
                free_indexed_solid(&gear);
            } else {
                mesh = make_fan_gear(n, kind == 3 ? 2 : 1, tilt);
            }
            stack s = make_stack(mesh, turn_pose(pose, tilt));
            ask(&s);
            CHECK_INT(s.result.contacts.count, 4 * n, "contacts of gears");
            check_growth(&growths[kind], "gears", n, &s.result.stats);
            free_stack(&s);
        }
    }
    CHECK_DONE();
}

// A prism of n sides on an equal one: their caps are one polygon of n corners, each of them a corner of both.
static void prisms_cost_by_their_sides(void **state)
{
    (void)state;
    growth g = {0.0, 0.0};
    for (int n = 32; n <= 512; n *= 4) {
        test_solid prism = solid_prism(n);
        stack s = make_stack(solid_mesh(&prism, ABUT_PRECISION_DOUBLE),
                             abut_pose_make(abut_vec3_make(0, 0, 1), abut_quat_identity()));
        solid_free(&prism);
        ask(&s);
        CHECK_INT(s.result.contacts.count, n, "contacts of prisms");
        check_growth(&g, "prisms", n, &s.result.stats);
        free_stack(&s);
    }
    CHECK_DONE();
}

// Faces of many triangles at the ends of the range of sizes.
static void any_size_has_the_same_contacts(void **state)
{
    (void)state;
    test_random random = {83};
    abut_mesh *cube = make_box(NULL, abut_vec3_make(0, 0, 0), abut_vec3_make(1, 1, 1));
    const double sizes[] = {1e-50, 1.0, 1e50};
    for (int i = 0; i < 3; ++i) {
        test_solid plain = solid_from_mesh(cube);
        solid_tessellate(&plain, &random, 200, 200);
        solid_move(&plain, sizes[i], abut_pose_identity());
        abut_vec3 shift = abut_scale(sizes[i], abut_vec3_make(0.5, 0.25, 1.0));
        stack s =
            make_stack(solid_mesh(&plain, ABUT_PRECISION_DOUBLE), abut_pose_make(shift, abut_quat_identity()));
        solid_free(&plain);
        ask(&s);
        CHECK_INT(s.result.contacts.count, 4, "contacts of cubes");
        free_stack(&s);
    }
    abut_mesh_destroy(cube);
    CHECK_DONE();
}

// With faces of many triangles, a repeated query makes no heap call.
static void repeated_queries_make_no_heap_calls(void **state)
{
    (void)state;
    const abut_method *method = abut_method_find("regions");
    failing_heap heap = {0};
    abut_context context = failing_context(&heap);
    abut_mesh *mesh = make_fan_gear(20, 1, abut_quat_identity());
    abut_shape *shape = make_shape(&context, mesh, method, NULL);
    abut_workspace *work = NULL;
    assert_int_equal(abut_workspace_create(&context, &work), ABUT_OK);
    abut_pair pair = abut_pair_default(shape, shape);
    pair.b.pose = abut_pose_make(abut_vec3_make(0, 0, 1), abut_quat_from_axis(abut_vec3_make(0, 0, 1), 0.1));
    abut_result result = abut_result_default();
    for (int i = 0; i < 5; ++i) {
        heap.calls = i == 2 ? 0 : heap.calls;
        CHECK_STATUS(abut_find_contacts(&pair, method, NULL, work, &result), ABUT_OK, "query");
    }
    CHECK_INT(heap.calls, 0, "heap calls");
    abut_workspace_destroy(work);
    abut_shape_destroy(shape);
    CHECK_INT(heap.live, 0, "no leak");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// Each allocation fails once: ABUT_NO_MEMORY, or the 80 contacts if an arena only failed to join its blocks; never a
// crash or a leak.
static void every_failed_allocation_is_reported(void **state)
{
    (void)state;
    const abut_method *method = abut_method_find("regions");
    abut_mesh *mesh = make_fan_gear(20, 1, abut_quat_identity());
    int completed = 0, reported = 0, joined = 0;
    for (int fail_at = 1; fail_at < 5000 && !completed; ++fail_at) {
        failing_heap heap = {.fail_at = fail_at};
        abut_context context = failing_context(&heap);
        abut_shape_def def = abut_shape_def_default();
        def.mesh = mesh;
        abut_shape *shape = NULL;
        abut_workspace *work = NULL;
        abut_result result = abut_result_default();
        abut_status status = abut_shape_create(&context, &def, &shape, NULL);
        status = status == ABUT_OK ? abut_shape_prepare(shape, method, NULL, NULL) : status;
        status = status == ABUT_OK ? abut_workspace_create(&context, &work) : status;
        if (status == ABUT_OK) {
            abut_pair pair = abut_pair_default(shape, shape);
            pair.b.pose =
                abut_pose_make(abut_vec3_make(0, 0, 1), abut_quat_from_axis(abut_vec3_make(0, 0, 1), 0.1));
            status = abut_find_contacts(&pair, method, NULL, work, &result);
        }
        completed = heap.calls < fail_at;
        reported += status == ABUT_NO_MEMORY;
        joined += status == ABUT_OK;
        CHECK(status == ABUT_NO_MEMORY || (status == ABUT_OK && result.contacts.count == 80), "call %d: %s",
              fail_at, abut_status_text(status));
        abut_workspace_destroy(work);
        abut_shape_destroy(shape);
        CHECK_INT(heap.live, 0, "no leak");
    }
    CHECK(completed && reported > 50 && joined < 5, "%d failures reported, %d not", reported, joined);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cuts_cost_nothing),
                                       cmocka_unit_test(gears_cost_by_their_teeth),
                                       cmocka_unit_test(prisms_cost_by_their_sides),
                                       cmocka_unit_test(any_size_has_the_same_contacts),
                                       cmocka_unit_test(repeated_queries_make_no_heap_calls),
                                       cmocka_unit_test(every_failed_allocation_is_reported)};
    return cmocka_run_group_tests_name("touch_growth", tests, NULL, NULL);
}
