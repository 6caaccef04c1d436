// SPDX-License-Identifier: MIT
// test_touch_index.c: box hierarchies and the Brep-index find the same touching pairs
//
// Two ways that share no geometry code. Touch looks at pairs of nearby triangles; the index sends every entity of A
// down a tree of planes of B. For solids that touch and do not overlap, both must list the same pairs of entities: in
// points where a vertex is on something or edges cross, in segments where an edge lies on something.
#include "check.h"
#include "effort.h"
#include "random.h"
#include "region/touch.h"
#include "spatial/index_solids.h"

#include <stdlib.h>

static int compare_locations(abut_location a, abut_location b)
{
    return a.place != b.place ? (int)a.place - (int)b.place : a.entity - b.entity;
}

static int compare_pairs(const void *x, const void *y)
{
    const abut_entity_pair *p = x, *q = y;
    int result = compare_locations(p->a, q->a);
    result = result != 0 ? result : compare_locations(p->b, q->b);
    return result != 0 ? result : q->dimension - p->dimension;
}

static abut_location location_of(abut_entity entity)
{
    static const abut_place places[] = {ABUT_PLACE_VERTEX, ABUT_PLACE_EDGE, ABUT_PLACE_FACE};
    abut_location location = {places[entity.kind], entity.index};
    return location;
}

// Sorts, and keeps each pair once, with its largest dimension.
static int make_unique(abut_entity_pair *pairs, int count)
{
    qsort(pairs, (size_t)count, sizeof *pairs, compare_pairs);
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        if (kept == 0 || compare_locations(pairs[i].a, pairs[kept - 1].a) != 0 ||
            compare_locations(pairs[i].b, pairs[kept - 1].b) != 0) {
            pairs[kept++] = pairs[i];
        }
    }
    return kept;
}

// What a search needs of two solids.
typedef struct touch_pair {
    abut_region_model *models[2];
    abut_tree *trees[2];
    abut_touch_side sides[2];
} touch_pair;

static touch_pair make_touch_pair(const indexed_solid *a, const indexed_solid *b, abut_pose b_to_a)
{
    touch_pair pair;
    const indexed_solid *solids[2] = {a, b};
    abut_pose poses[2] = {abut_pose_identity(), b_to_a};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(abut_region_model_create(NULL, solids[i]->mesh, solids[i]->brep, &pair.models[i], NULL),
                         ABUT_OK);
        assert_int_equal(abut_tree_create(NULL, solids[i]->mesh, ABUT_ELEMENT_TRIANGLE, &pair.trees[i], NULL),
                         ABUT_OK);
        pair.sides[i] = (abut_touch_side){pair.models[i], pair.trees[i], poses[i].rotation,
                                          abut_quat_matrix(poses[i].rotation), poses[i].position};
    }
    return pair;
}

static void free_touch_pair(touch_pair *pair)
{
    for (int i = 0; i < 2; ++i) {
        abut_tree_destroy(pair->trees[i]);
        abut_region_model_destroy(pair->models[i]);
    }
}

static int find_touch_pairs(const indexed_solid *a, const indexed_solid *b, abut_pose b_to_a, double tolerance,
                            abut_entity_pair **pairs)
{
    touch_pair pair = make_touch_pair(a, b, b_to_a);
    abut_touch_limits limits = {.tolerance = tolerance, .angle = 1e-6, .receding = HUGE_VAL};
    abut_context context = abut_context_default();
    abut_arena arena;
    abut_arena_init(&arena, &context);
    abut_touch touch = {.arena = NULL};
    assert_true(abut_touch_find(&arena, pair.sides, &limits, &touch));
    abut_entity_pair *found = malloc((size_t)(touch.node_count + touch.interval_count + 1) * sizeof *found);
    assert_non_null(found);
    int count = 0;
    for (int i = 0; i < touch.node_count; ++i) {
        found[count++] = (abut_entity_pair){location_of(touch.nodes[i].a), location_of(touch.nodes[i].b), 0};
    }
    for (int i = 0; i < touch.interval_count; ++i) {
        found[count++] =
            (abut_entity_pair){location_of(touch.intervals[i].a), location_of(touch.intervals[i].b), 1};
    }
    abut_arena_release(&arena);
    free_touch_pair(&pair);
    *pairs = found;
    return make_unique(found, count);
}

// The pairs that the index finds, without those of dimension 2, which touch does not list.
static int find_index_pairs(const indexed_solid *a, const indexed_solid *b, abut_pose b_to_a,
                            abut_entity_pair **pairs)
{
    abut_pose a_to_b = abut_pose_relative(b_to_a, abut_pose_identity());
    abut_entity_pairs found = {NULL, 0, 0, 0};
    (void)abut_brep_index_pairs(b->index, a->brep, a_to_b, &found);
    found.pairs = malloc((size_t)(found.required + 1) * sizeof *found.pairs);
    assert_non_null(found.pairs);
    found.capacity = found.required;
    assert_int_equal(abut_brep_index_pairs(b->index, a->brep, a_to_b, &found), ABUT_OK);
    int kept = 0;
    for (int i = 0; i < found.count; ++i) {
        if (found.pairs[i].dimension < 2) {
            found.pairs[kept++] = found.pairs[i];
        }
    }
    *pairs = found.pairs;
    return kept;
}

static int check_pair(const indexed_solid *a, const indexed_solid *b, abut_pose b_to_a)
{
    abut_entity_pair *by_touch, *by_index;
    double tolerance = abut_brep_index_get_info(b->index).tolerance;
    int touch_count = find_touch_pairs(a, b, b_to_a, tolerance, &by_touch);
    int index_count = find_index_pairs(a, b, b_to_a, &by_index);
    CHECK(touch_count == index_count, "%s and %s: %d pairs, by the index %d", a->name, b->name, touch_count,
          index_count);
    for (int i = 0; i < touch_count && i < index_count; ++i) {
        const abut_entity_pair *p = &by_touch[i], *q = &by_index[i];
        if (!CHECK(compare_pairs(p, q) == 0,
                   "%s and %s: %d %d and %d %d of dimension %d, by the index %d %d and %d %d of %d", a->name,
                   b->name, (int)p->a.place, p->a.entity, (int)p->b.place, p->b.entity, p->dimension,
                   (int)q->a.place, q->a.entity, (int)q->b.place, q->b.entity, q->dimension)) {
            break;
        }
    }
    free(by_index);
    free(by_touch);
    return index_count;
}

static void test_voxel_solids(void **state)
{
    (void)state;
    test_random random = {41};
    int rounds = sample_count(60, 2000), touching = 0;
    for (int i = 0; i < rounds; ++i) {
        indexed_solid a = i % 3 == 0 ? make_voxel_blob(3, ABUT_CUTS_BALANCED, &random)
                                     : make_indexed_solid(random_below(&random, VOXEL_SOLIDS), ABUT_CUTS_BALANCED);
        indexed_solid b = make_indexed_solid(random_below(&random, VOXEL_SOLIDS), ABUT_CUTS_FACE_PLANES);
        for (int k = 0; k < 20; ++k) {
            abut_vec3 shift = {random_below(&random, 9) - 4, random_below(&random, 9) - 4,
                               random_below(&random, 7) - 3};
            if (!has_common_cube(&a, &b, shift)) {
                touching += check_pair(&a, &b, abut_pose_make(shift, abut_quat_identity())) > 0;
            }
        }
        free_indexed_solid(&b);
        free_indexed_solid(&a);
    }
    CHECK(touching > rounds, "only %d pairs touch", touching);
    CHECK_DONE();
}

// A gear of `teeth` pointed teeth lies on another that is turned by part of a tooth: outlines cross in many points.
static void test_gears(void **state)
{
    (void)state;
    const int teeth[] = {3, 10, 100, 1000, 4999};
    size_t count_of_gears = is_long_test() ? 5 : 4; // the last has 10,000 faces
    for (size_t i = 0; i < count_of_gears; ++i) {
        indexed_solid gear = make_gear(teeth[i], ABUT_CUTS_BALANCED);
        abut_quat turn = abut_quat_from_axis(abut_vec3_make(0, 0, 1), 0.3 * 6.283185307179586 / teeth[i]);
        int count = check_pair(&gear, &gear, abut_pose_make(abut_vec3_make(0, 0, 1), turn));
        // every side of a tooth crosses one side of the other gear: as many crossings as sides, and pieces between
        CHECK(count >= 4 * teeth[i], "%d pairs", count);
        free_indexed_solid(&gear);
    }
    CHECK_DONE();
}

// Solids that overlap are moved back in about 25 searches with one arena. A search places all corners and edges of
// small meshes in arrays of over 30 KB. With the same arrays for all searches, the others add only hits and nodes: 24
// searches together take less than the first one.
static void test_searches_share_memory(void **state)
{
    (void)state;
    indexed_solid solid = make_indexed_solid(0, ABUT_CUTS_BALANCED);
    touch_pair pair =
        make_touch_pair(&solid, &solid, abut_pose_make(abut_vec3_make(0.5, 0.5, 0.5), abut_quat_identity()));
    abut_touch_limits limits = {.tolerance = 1e-6, .angle = 1e-6, .receding = HUGE_VAL};
    abut_context context = abut_context_default();
    abut_arena arena;
    abut_arena_init(&arena, &context);
    abut_touch touch = {.arena = NULL};
    size_t first = 0;
    for (int i = 0; i < 25; ++i) {
        assert_true(abut_touch_find(&arena, pair.sides, &limits, &touch));
        CHECK_INT(touch.overlaps, 1, "overlap");
        first = i == 0 ? arena.total : first;
    }
    CHECK(first > 30000 && arena.total <= 2 * first, "%zu bytes, then %zu", first, arena.total);
    abut_arena_release(&arena);
    free_touch_pair(&pair);
    free_indexed_solid(&solid);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_voxel_solids), cmocka_unit_test(test_gears),
                                       cmocka_unit_test(test_searches_share_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
