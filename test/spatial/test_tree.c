// SPDX-License-Identifier: MIT
// test_tree.c: the shape of trees, all magnitudes, refitting, bad input and failing memory
#include "spatial/soup.h"

// Leaves have two elements, and a tree has one node less than leaves, but at least one if there are elements. Its
// depth is at least that of a tree cut in halves. A tree against itself has n^2 pairs, or n (n - 1) / 2 if each counts
// once.
static void small_trees(void **state)
{
    (void)state;
    test_random random = {35};
    for (int count = 0; count < 70; ++count) {
        soup s = make_soup(&random, ABUT_ELEMENT_POINT, count % 2 == 0 ? STYLE_RANDOM : STYLE_SAME, count);
        abut_mesh *mesh = make_mesh(&s);
        abut_tree *tree = make_tree(mesh, s.kind);
        abut_tree_info info = abut_tree_get_info(tree);
        int leaves = (count + 1) / 2, depth = count > 0 ? 2 : 0;
        while (count > 0 && 1 << (depth - 1) < leaves) {
            ++depth;
        }
        CHECK_INT(info.element_count, count, "elements");
        CHECK_INT(info.node_count, leaves > 2 ? leaves - 1 : leaves > 0, "nodes");
        CHECK(info.depth >= depth && info.depth <= leaves + 1, "depth %d of %d leaves", info.depth, leaves);
        CHECK_INT(abut_tree_nearest(tree, random_vec3(&random, 1.0), HUGE_VAL).element >= 0, count > 0, "nearest");
        CHECK_INT(abut_tree_ray(tree, s.vertices[0], s.vertices[1], HUGE_VAL).element, -1,
                  "rays see triangles only");
        int pairs = 0;
        (void)abut_tree_pairs(tree, tree, abut_pose_identity(), HUGE_VAL, count_pair, &pairs);
        CHECK_INT(pairs, count * count, "pairs");
        pairs = 0;
        (void)abut_tree_self_pairs(tree, HUGE_VAL, count_pair, &pairs);
        CHECK_INT(pairs, count * (count - 1) / 2, "self pairs");
        abut_tree_destroy(tree);
        abut_mesh_destroy(mesh);
    }
    abut_tree_destroy(NULL);
    CHECK_DONE();
}

// Two triangles a unit apart in z, scaled by 2^s: nearest, ray and pairs give the same from 1e-300 to 1e300.
static void any_magnitude(void **state)
{
    (void)state;
    static const int exponents[] = {-997, -500, 0, 500, 1020};
    for (int i = 0; i < 5; ++i) {
        double unit = ldexp(1.0, exponents[i]);
        soup s = {.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
                  .vertex_count = 6,
                  .corners = {0, 1, 2, 3, 4, 5},
                  .element_count = 2,
                  .kind = ABUT_ELEMENT_TRIANGLE};
        move_soup(&s, unit, abut_vec3_make(0.0, 0.0, 0.0));
        abut_mesh *mesh = make_mesh(&s);
        abut_tree *tree = make_tree(mesh, s.kind);
        abut_vec3 p = abut_scale(unit, abut_vec3_make(0.25, 0.25, 0.75));
        abut_tree_hit hit = abut_tree_nearest(tree, p, HUGE_VAL);
        CHECK_INT(hit.element, 1, "nearest");
        CHECK_NEAR(hit.distance / unit, 0.25, 1e-15, "nearest");
        hit = abut_tree_nearest(tree, p, 0.2 * unit);
        CHECK_INT(hit.element, -1, "nearest within a limit");
        hit = abut_tree_ray(tree, p, abut_vec3_make(0.0, 0.0, -1e-3), HUGE_VAL);
        CHECK_INT(hit.element, 0, "ray");
        CHECK(exponents[i] == 1020 || fabs(hit.distance / unit - 750.0) < 1e-10, "ray %g", hit.distance / unit);
        int pairs = 0;
        (void)abut_tree_pairs(tree, tree, abut_pose_identity(), 0.5 * unit, count_pair, &pairs);
        CHECK_INT(pairs, 2, "pairs");
        (void)abut_tree_pairs(tree, tree, abut_pose_identity(), unit, count_pair, &pairs);
        CHECK_INT(pairs, 6, "pairs within a unit");
        // queries with coordinates much larger or smaller than those of the mesh
        hit = abut_tree_nearest(tree, abut_vec3_make(1e300, 0.0, 0.0), HUGE_VAL);
        CHECK(hit.element == 0 || hit.element == 1, "nearest from afar");
        CHECK_NEAR(hit.distance, 1e300, exponents[i] == 1020 ? 1e308 : 1e285, "nearest from afar");
        (void)abut_tree_ray(tree, abut_vec3_make(1e300, 1.0, -1e300), abut_vec3_make(1e-300, 1e300, 1.0), HUGE_VAL);
        abut_tree_destroy(tree);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// Trees of sizes 1e-300 and 1e300, one inside the other: the small one meets the large triangle that it lies on.
static void unequal_trees(void **state)
{
    (void)state;
    soup small = {.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .vertex_count = 3, .corners = {0, 1, 2}};
    small.element_count = 1;
    small.kind = ABUT_ELEMENT_TRIANGLE;
    soup large = small;
    move_soup(&small, 1e-300, abut_vec3_make(0.0, 0.0, 0.0));
    move_soup(&large, 1e300, abut_vec3_make(0.0, 0.0, 0.0));
    abut_mesh *mesh_a = make_mesh(&small), *mesh_b = make_mesh(&large);
    abut_tree *a = make_tree(mesh_a, small.kind), *b = make_tree(mesh_b, large.kind);
    int pairs = 0;
    (void)abut_tree_pairs(a, b, abut_pose_identity(), 0.0, count_pair, &pairs);
    (void)abut_tree_pairs(b, a, abut_pose_identity(), 0.0, count_pair, &pairs);
    CHECK_INT(pairs, 2, "both ways");
    abut_tree_destroy(a);
    abut_tree_destroy(b);
    abut_mesh_destroy(mesh_a);
    abut_mesh_destroy(mesh_b);
    CHECK_DONE();
}

static void refit_equals_rebuild(void **state)
{
    (void)state;
    test_random random = {36};
    static pair_table fitted, rebuilt;
    for (int i = 0; i < 20; ++i) {
        soup s = make_soup(&random, ABUT_ELEMENT_TRIANGLE, i % 2 == 0 ? STYLE_RANDOM : STYLE_UNEQUAL, 100);
        soup moved = make_soup(&random, ABUT_ELEMENT_TRIANGLE, STYLE_RANDOM, 100);
        move_soup(&moved, 10.0, abut_vec3_make(50.0, 0.0, -1e4));
        memcpy(moved.corners, s.corners, sizeof s.corners);
        abut_mesh *mesh = make_mesh(&s), *moved_mesh = make_mesh(&moved);
        abut_tree *tree = make_tree(mesh, s.kind), *moved_tree = make_tree(moved_mesh, s.kind);
        abut_tree_refit(tree, moved.vertices, NULL);
        for (int k = 0; k < 50; ++k) {
            abut_vec3 p = abut_add(random_vec3(&random, 20.0), abut_vec3_make(50.0, 0.0, -1e4));
            abut_vec3 d = random_unit(&random);
            abut_tree_hit x = abut_tree_nearest(tree, p, HUGE_VAL), y = abut_tree_nearest(moved_tree, p, HUGE_VAL);
            CHECK(x.element == y.element && x.distance == y.distance, "nearest %d %d", x.element, y.element);
            x = abut_tree_ray(tree, p, d, HUGE_VAL);
            y = abut_tree_ray(moved_tree, p, d, HUGE_VAL);
            CHECK(x.element == y.element && x.distance == y.distance, "ray %d %d", x.element, y.element);
        }
        abut_pose pose = {random_vec3(&random, 1.0), random_rotation(&random)};
        memset(&fitted, 0, sizeof fitted);
        memset(&rebuilt, 0, sizeof rebuilt);
        (void)abut_tree_pairs(tree, tree, pose, 0.1, note_pair, &fitted);
        (void)abut_tree_pairs(moved_tree, moved_tree, pose, 0.1, note_pair, &rebuilt);
        CHECK(memcmp(fitted.seen, rebuilt.seen, sizeof fitted.seen) == 0, "pairs %d %d", fitted.count,
              rebuilt.count);
        // back to the mesh's own vertices
        abut_tree_refit(tree, NULL, NULL);
        abut_vec3 p = random_vec3(&random, 1.0);
        CHECK(abut_tree_nearest(tree, p, HUGE_VAL).distance == brute_nearest(&s, p, HUGE_VAL).distance, "back");
        abut_tree_destroy(tree);
        abut_tree_destroy(moved_tree);
        abut_mesh_destroy(mesh);
        abut_mesh_destroy(moved_mesh);
    }
    CHECK_DONE();
}

// A triangle that moves from z = 0 to z = 10 meets one at z = 5. Nearest and ray see it at its start. Elements with
// NaN vertices are in no answer.
static void refit_over_a_step_and_with_nan(void **state)
{
    (void)state;
    soup s = {.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {9, 9, 0}, {9, 8, 0}, {8, 9, 0}},
              .vertex_count = 6,
              .corners = {0, 1, 2, 3, 4, 5},
              .element_count = 2,
              .kind = ABUT_ELEMENT_TRIANGLE};
    soup still = s;
    move_soup(&still, 1.0, abut_vec3_make(0.0, 0.0, 5.0));
    soup end = s;
    move_soup(&end, 1.0, abut_vec3_make(0.0, 0.0, 10.0));
    abut_mesh *mesh = make_mesh(&s), *still_mesh = make_mesh(&still);
    abut_tree *tree = make_tree(mesh, s.kind), *still_tree = make_tree(still_mesh, s.kind);
    int pairs = 0;
    (void)abut_tree_pairs(tree, still_tree, abut_pose_identity(), 0.0, count_pair, &pairs);
    CHECK_INT(pairs, 0, "at the start");
    abut_tree_refit(tree, s.vertices, end.vertices);
    (void)abut_tree_pairs(tree, still_tree, abut_pose_identity(), 0.0, count_pair, &pairs);
    CHECK_INT(pairs, 2, "on the way");
    CHECK_NEAR(abut_tree_nearest(tree, abut_vec3_make(0.0, 0.0, 7.0), HUGE_VAL).distance, 7.0, 0.0, "nearest");
    end.vertices[1].y = NAN;
    abut_tree_refit(tree, end.vertices, NULL);
    CHECK_INT(abut_tree_nearest(tree, abut_vec3_make(0.0, 0.0, 10.0), HUGE_VAL).element, 1, "NaN is not nearest");
    CHECK_INT(abut_tree_ray(tree, abut_vec3_make(0.0, 0.0, 7.0), abut_vec3_make(0.0, 0.0, 1.0), HUGE_VAL).element,
              -1, "NaN is not hit");
    pairs = 0;
    (void)abut_tree_pairs(tree, tree, abut_pose_identity(), HUGE_VAL, count_pair, &pairs);
    CHECK_INT(pairs, 1, "NaN has no pairs");
    end.vertices[4].x = HUGE_VAL;
    abut_tree_refit(tree, end.vertices, NULL);
    CHECK_INT(abut_tree_nearest(tree, abut_vec3_make(0.0, 0.0, 10.0), HUGE_VAL).element, -1, "nothing is left");
    abut_tree_destroy(tree);
    abut_tree_destroy(still_tree);
    abut_mesh_destroy(mesh);
    abut_mesh_destroy(still_mesh);
    CHECK_DONE();
}

static void queries_take_hostile_input(void **state)
{
    (void)state;
    test_random random = {37};
    soup s = make_soup(&random, ABUT_ELEMENT_TRIANGLE, STYLE_RANDOM, 50);
    abut_mesh *mesh = make_mesh(&s);
    abut_tree *tree = make_tree(mesh, s.kind);
    abut_vec3 zero = {0.0, 0.0, 0.0}, up = {0.0, 0.0, 1.0};
    static const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 9; ++i) {
        abut_vec3 v = zero;
        *(i / 3 == 0 ? &v.x : i / 3 == 1 ? &v.y : &v.z) = bad[i % 3];
        CHECK_INT(abut_tree_nearest(tree, v, HUGE_VAL).element, -1, "nearest");
        CHECK_INT(abut_tree_ray(tree, v, up, HUGE_VAL).element, -1, "origin");
        CHECK_INT(abut_tree_ray(tree, zero, v, HUGE_VAL).element, -1, "direction");
    }
    CHECK_INT(abut_tree_ray(tree, zero, zero, HUGE_VAL).element, -1, "no direction");
    CHECK_INT(abut_tree_nearest(tree, zero, NAN).element, -1, "limit NaN");
    CHECK_INT(abut_tree_nearest(tree, zero, -1.0).element, -1, "limit negative");
    CHECK_INT(abut_tree_ray(tree, zero, up, NAN).element, -1, "limit NaN");
    abut_tree_destroy(tree);
    abut_tree *none = NULL;
    abut_error error;
    CHECK_STATUS(abut_tree_create(NULL, mesh, (abut_element_kind)7, &none, &error), ABUT_BAD_ARGUMENT, "kind");
    CHECK_STATUS(abut_tree_create(NULL, NULL, ABUT_ELEMENT_POINT, &none, &error), ABUT_BAD_ARGUMENT, "mesh");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// An allocator that fails at a given call and counts live blocks.
typedef struct failing_memory {
    int calls, fails_at, held;
} failing_memory;

static void *failing_resize(void *user, void *block, size_t size)
{
    failing_memory *memory = user;
    if (size > 0 && ++memory->calls == memory->fails_at) {
        return NULL;
    }
    memory->held += (block == NULL && size > 0) - (block != NULL && size == 0);
    return abut_context_default().resize(NULL, block, size);
}

// Each failing allocation gives ABUT_NO_MEMORY and leaks nothing. Queries and refits do not allocate.
static void allocation_failures(void **state)
{
    (void)state;
    test_random random = {38};
    soup s = make_soup(&random, ABUT_ELEMENT_TRIANGLE, STYLE_RANDOM, 50);
    abut_mesh *mesh = make_mesh(&s);
    for (int i = 1; i < 20; ++i) {
        failing_memory memory = {0, i, 0};
        abut_context context = abut_context_default();
        context.resize = failing_resize;
        context.user = &memory;
        abut_tree *tree = NULL;
        abut_error error;
        abut_status status = abut_tree_create(&context, mesh, s.kind, &tree, &error);
        if (status == ABUT_OK) {
            CHECK(i > 1, "there are allocations");
            int calls = memory.calls, pairs = 0;
            abut_tree_refit(tree, s.vertices, NULL);
            (void)abut_tree_pairs(tree, tree, abut_pose_identity(), 0.1, count_pair, &pairs);
            (void)abut_tree_nearest(tree, s.vertices[0], 1.0);
            (void)abut_tree_ray(tree, s.vertices[0], s.vertices[1], 1.0);
            CHECK_INT(memory.calls, calls, "queries allocate nothing");
            abut_tree_destroy(tree);
        } else {
            CHECK_STATUS(status, ABUT_NO_MEMORY, "failing");
            CHECK(tree == NULL, "no tree");
        }
        CHECK_INT(memory.held, 0, "no leak");
    }
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_trees),
        cmocka_unit_test(any_magnitude),
        cmocka_unit_test(unequal_trees),
        cmocka_unit_test(refit_equals_rebuild),
        cmocka_unit_test(refit_over_a_step_and_with_nan),
        cmocka_unit_test(queries_take_hostile_input),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
