// SPDX-License-Identifier: MIT
// test_index_intersect.c: the intersection set of two solids, against hand-made lists and a count of lattice cells
#include "check.h"
#include "effort.h"
#include "random.h"
#include "spatial/index_solids.h"

#include <stdlib.h>

enum { CAPACITY = 20000 };

static abut_entity_pairs find_pairs(const indexed_solid *a, const indexed_solid *b, abut_pose a_to_b)
{
    abut_entity_pairs found = {malloc(CAPACITY * sizeof(abut_entity_pair)), CAPACITY, 0, 0};
    assert_non_null(found.pairs);
    CHECK_STATUS(abut_brep_index_pairs(b->index, a->brep, a_to_b, &found), ABUT_OK, a->name);
    return found;
}

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

static void check_same_pairs(const char *name, const abut_entity_pairs *found, const abut_entity_pairs *expected)
{
    CHECK(found->count == expected->count, "%s: %d pairs, expected %d", name, found->count, expected->count);
    for (int i = 0; i < found->count && i < expected->count; ++i) {
        const abut_entity_pair *p = &found->pairs[i], *q = &expected->pairs[i];
        if (!CHECK(compare_pairs(p, q) == 0,
                   "%s: pair %d is %d %d and %d %d of dimension %d, expected %d %d, %d %d, %d", name, i,
                   (int)p->a.place, p->a.entity, (int)p->b.place, p->b.entity, p->dimension, (int)q->a.place,
                   q->a.entity, (int)q->b.place, q->b.entity, q->dimension)) {
            return;
        }
    }
}

// Counts the pairs with given kinds of entities and a given dimension.
static int count_pairs(const abut_entity_pairs *found, abut_place a, abut_place b, int dimension)
{
    int count = 0;
    for (int i = 0; i < found->count; ++i) {
        const abut_entity_pair *pair = &found->pairs[i];
        count += pair->a.place == a && pair->b.place == b && pair->dimension == dimension;
    }
    return count;
}

// Two unit cubes, one on the other.
// - Aligned: one pair of faces, four of edges, four of vertices.
// - Turned by 45 degrees: the octagon, its eight sides (an edge of one on a face of the other) and its eight corners
//   (edges that cross).
// - Shifted by half a side along x: the faces; in the common rectangle each cube has one edge on the other's face and
//   two collinear with the other's; four vertices are on edges of the other.
static void test_cube_on_cube(void **state)
{
    (void)state;
    const double eighth_turn = 0.7853981633974483;
    const abut_vec3 z = {0, 0, 1};
    const struct {
        const char *name;
        abut_pose pose;
        int total, face_face, edge_face, face_edge, edge_edge_1, edge_edge_0, vertex_vertex, vertex_edge,
            edge_vertex;
    } cases[] = {
        {"stack", {{0, 0, 1}, {1, 0, 0, 0}}, 9, 1, 0, 0, 4, 0, 4, 0, 0},
        {"turned", {{0.5, 0.5 - sqrt(0.5), 1}, abut_quat_from_axis(z, eighth_turn)}, 17, 1, 4, 4, 0, 8, 0, 0, 0},
        {"shifted", {{0.5, 0, 1}, {1, 0, 0, 0}}, 9, 1, 1, 1, 2, 0, 0, 2, 2},
        {"apart", {{0, 0, 1.001}, {1, 0, 0, 0}}, 0, 0, 0, 0, 0, 0, 0, 0, 0},
        {"edge on edge", {{1, 0, 1}, {1, 0, 0, 0}}, 3, 0, 0, 0, 1, 0, 2, 0, 0},
        {"corner to corner", {{1, 1, 1}, {1, 0, 0, 0}}, 1, 0, 0, 0, 0, 0, 1, 0, 0},
    };
    for (int cuts = ABUT_CUTS_BALANCED; cuts <= ABUT_CUTS_FACE_PLANES; ++cuts) {
        indexed_solid cube = make_indexed_solid(0, (abut_index_cuts)cuts);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
            abut_entity_pairs found = find_pairs(&cube, &cube, cases[i].pose);
            const char *name = cases[i].name;
            CHECK_INT(found.count, cases[i].total, name);
            CHECK_INT(count_pairs(&found, ABUT_PLACE_FACE, ABUT_PLACE_FACE, 2), cases[i].face_face, name);
            CHECK_INT(count_pairs(&found, ABUT_PLACE_EDGE, ABUT_PLACE_FACE, 1), cases[i].edge_face, name);
            CHECK_INT(count_pairs(&found, ABUT_PLACE_FACE, ABUT_PLACE_EDGE, 1), cases[i].face_edge, name);
            CHECK_INT(count_pairs(&found, ABUT_PLACE_EDGE, ABUT_PLACE_EDGE, 1), cases[i].edge_edge_1, name);
            CHECK_INT(count_pairs(&found, ABUT_PLACE_EDGE, ABUT_PLACE_EDGE, 0), cases[i].edge_edge_0, name);
            CHECK_INT(count_pairs(&found, ABUT_PLACE_VERTEX, ABUT_PLACE_VERTEX, 0), cases[i].vertex_vertex, name);
            CHECK_INT(count_pairs(&found, ABUT_PLACE_VERTEX, ABUT_PLACE_EDGE, 0), cases[i].vertex_edge, name);
            CHECK_INT(count_pairs(&found, ABUT_PLACE_EDGE, ABUT_PLACE_VERTEX, 0), cases[i].edge_vertex, name);
            free(found.pairs);
        }
        free_indexed_solid(&cube);
    }
    CHECK_DONE();
}

static double area_sum(const abut_index_piece *piece)
{
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 2; i < piece->corner_count; ++i) {
        sum = abut_add(sum, abut_cross(abut_sub(piece->corners[i - 1], piece->corners[0]),
                                       abut_sub(piece->corners[i], piece->corners[0])));
    }
    return 0.5 * abut_norm(sum);
}

static int add_area(void *user, const abut_entity_pair *pair, const abut_index_piece *piece)
{
    *(double *)user += pair->dimension == 2 ? area_sum(piece) : 0.0;
    return 0;
}

// The octagon common to two unit squares turned by 45 degrees has the area 2 sqrt(2) - 2.
static void test_area_of_the_octagon(void **state)
{
    (void)state;
    indexed_solid cube = make_indexed_solid(0, ABUT_CUTS_BALANCED);
    abut_pose pose = {{0.5, 0.5 - sqrt(0.5), 1}, abut_quat_from_axis(abut_vec3_make(0, 0, 1), 0.7853981633974483)};
    double area = 0.0;
    CHECK_STATUS(abut_brep_index_intersect(cube.index, cube.brep, pose, add_area, &area), ABUT_OK, "octagon");
    CHECK_NEAR(area, 2.0 * sqrt(2.0) - 2.0, 1e-12, "octagon");
    free_indexed_solid(&cube);
    CHECK_DONE();
}

// Solids of unit cubes on one lattice. Every open cell of the lattice (point, side, square) is either inside one
// entity of a solid or off its surface, and its center tells which. So counting cell by cell gives the exact pairs and
// dimensions.
static abut_entity_pairs count_cells(const indexed_solid *a, const indexed_solid *b, abut_vec3 shift)
{
    abut_entity_pairs all = {malloc(CAPACITY * sizeof(abut_entity_pair)), CAPACITY, 0, 0};
    assert_non_null(all.pairs);
    abut_box box = abut_mesh_get_elements(b->mesh).bounds;
    for (double x = box.lower.x; x <= box.upper.x; x += 0.5) {
        for (double y = box.lower.y; y <= box.upper.y; y += 0.5) {
            for (double z = box.lower.z; z <= box.upper.z; z += 0.5) {
                abut_vec3 p = abut_vec3_make(x, y, z);
                abut_location in_a = locate_exactly(a, abut_sub(p, shift)), in_b = locate_exactly(b, p);
                if (in_a.entity >= 0 && in_b.entity >= 0) {
                    assert_true(all.count < CAPACITY);
                    int dimension = (x != floor(x)) + (y != floor(y)) + (z != floor(z));
                    all.pairs[all.count++] = (abut_entity_pair){in_a, in_b, dimension};
                }
            }
        }
    }
    qsort(all.pairs, (size_t)all.count, sizeof *all.pairs, compare_pairs);
    int count = 0;
    for (int i = 0; i < all.count; ++i) {
        if (count == 0 || compare_locations(all.pairs[i].a, all.pairs[count - 1].a) != 0 ||
            compare_locations(all.pairs[i].b, all.pairs[count - 1].b) != 0) {
            all.pairs[count++] = all.pairs[i];
        }
    }
    all.count = count;
    return all;
}

static void check_lattice_pair(const indexed_solid *a, const indexed_solid *b, test_random *random)
{
    abut_box box_a = abut_mesh_get_elements(a->mesh).bounds, box_b = abut_mesh_get_elements(b->mesh).bounds;
    abut_vec3 shift = abut_sub(box_b.lower, box_a.upper),
              room = abut_add(abut_sub(box_a.upper, box_a.lower), abut_sub(box_b.upper, box_b.lower));
    shift.x += random_below(random, (int)room.x + 1);
    shift.y += random_below(random, (int)room.y + 1);
    shift.z += random_below(random, (int)room.z + 1);
    abut_entity_pairs expected = count_cells(a, b, shift);
    abut_entity_pairs found = find_pairs(a, b, abut_pose_make(shift, abut_quat_identity()));
    check_same_pairs(a->name, &found, &expected);
    free(found.pairs);
    free(expected.pairs);
}

static void test_lattice_solids(void **state)
{
    (void)state;
    test_random random = {21};
    for (int i = 0; i < VOXEL_SOLIDS; ++i) {
        for (int k = 0; k < VOXEL_SOLIDS; ++k) {
            indexed_solid a = make_indexed_solid(i, ABUT_CUTS_FACE_PLANES);
            indexed_solid b = make_indexed_solid(k, (i + k) % 2 ? ABUT_CUTS_BALANCED : ABUT_CUTS_FACE_PLANES);
            for (int round = 0; round < sample_count(2, 40); ++round) {
                check_lattice_pair(&a, &b, &random);
            }
            free_indexed_solid(&b);
            free_indexed_solid(&a);
        }
    }
    for (int i = 0; i < sample_count(6, 120); ++i) {
        indexed_solid a = make_voxel_blob(3, ABUT_CUTS_BALANCED, &random);
        indexed_solid b = make_voxel_blob(4, i % 2 ? ABUT_CUTS_BALANCED : ABUT_CUTS_FACE_PLANES, &random);
        check_lattice_pair(&a, &b, &random);
        free_indexed_solid(&b);
        free_indexed_solid(&a);
    }
    CHECK_DONE();
}

// A in the index of B must give the same pairs as B in the index of A, for solids that intersect at random.
static void check_swap(const indexed_solid *a, const indexed_solid *b, abut_pose a_to_b)
{
    abut_pose b_to_a = abut_pose_relative(a_to_b, abut_pose_identity());
    abut_entity_pairs found = find_pairs(a, b, a_to_b), swapped = find_pairs(b, a, b_to_a);
    for (int i = 0; i < swapped.count; ++i) {
        abut_location kept = swapped.pairs[i].a;
        swapped.pairs[i].a = swapped.pairs[i].b;
        swapped.pairs[i].b = kept;
    }
    qsort(swapped.pairs, (size_t)swapped.count, sizeof *swapped.pairs, compare_pairs);
    check_same_pairs(b->name, &found, &swapped);
    free(swapped.pairs);
    free(found.pairs);
}

static void test_swapped(void **state)
{
    (void)state;
    test_random random = {22};
    for (int i = 0; i < sample_count(60, 1200); ++i) {
        indexed_solid a = make_indexed_solid(random_below(&random, VOXEL_SOLIDS), ABUT_CUTS_BALANCED);
        indexed_solid b = make_indexed_solid(random_below(&random, VOXEL_SOLIDS), ABUT_CUTS_FACE_PLANES);
        abut_vec3 shift = random_vec3(&random, 2.0);
        check_swap(&a, &b, abut_pose_make(shift, random_rotation(&random)));
        // turned about z only, at an integer height: faces lie on faces
        shift.z = floor(shift.z);
        check_swap(
            &a, &b,
            abut_pose_make(shift, abut_quat_from_axis(abut_vec3_make(0, 0, 1), random_in(&random, 0.0, 6.0))));
        free_indexed_solid(&b);
        free_indexed_solid(&a);
    }
    for (int i = 0; i < sample_count(4, 80); ++i) {
        indexed_solid a = make_indexed_solid(EXACT_SOLIDS + 1 + random_below(&random, 3), ABUT_CUTS_BALANCED);
        indexed_solid b = make_indexed_solid(EXACT_SOLIDS + 1 + random_below(&random, 3), ABUT_CUTS_BALANCED);
        check_swap(&a, &b, abut_pose_make(random_vec3(&random, 0.7), random_rotation(&random)));
        free_indexed_solid(&b);
        free_indexed_solid(&a);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cube_on_cube),
        cmocka_unit_test(test_area_of_the_octagon),
        cmocka_unit_test(test_lattice_solids),
        cmocka_unit_test(test_swapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
