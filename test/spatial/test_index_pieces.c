// SPDX-License-Identifier: MIT
// test_index_pieces.c: segments and polygons cut by a Brep-index, against the locations of their points
#include "check.h"
#include "effort.h"
#include "failing.h"
#include "random.h"
#include "spatial/index_solids.h"

enum { CAPACITY = 4096 };

// A point on a face must be within the tolerance of its plane. It may be further beside the face's edges if planes of
// the tree meet at a small angle. So the distance to the surface is checked for edges and vertices only.
static void check_point_piece(const indexed_solid *solid, abut_vec3 p, abut_location location)
{
    double tolerance = abut_brep_index_get_info(solid->index).tolerance;
    if (location.place == ABUT_PLACE_FACE) {
        const abut_brep_face *face = &abut_brep_get_elements(solid->brep).faces[location.entity];
        CHECK_NEAR(abut_dot(face->normal, p), face->offset, 1.01 * tolerance, solid->name);
    } else {
        CHECK(distance_to_surface(solid, p) <= 8.0 * tolerance, "%s: a point piece off the surface", solid->name);
    }
}

// Pieces must cover the segment in order, neighbours must differ, and every point away from their ends must have the
// location of its piece. A segment that crosses a face at a small angle is on it in one point, although more points
// are within the tolerance.
static void check_segment(const indexed_solid *solid, abut_vec3 a, abut_vec3 b, test_random *random)
{
    static abut_segment_piece items[CAPACITY];
    abut_segment_pieces found = {items, CAPACITY, 0, 0};
    CHECK_STATUS(abut_brep_index_segment(solid->index, a, b, &found), ABUT_OK, solid->name);
    double tolerance = abut_brep_index_get_info(solid->index).tolerance;
    double near = 8.0 * tolerance / abut_norm(abut_sub(b, a)), at = 0.0;
    CHECK(found.count > 0 && found.count == found.required, "%s: %d pieces", solid->name, found.count);
    for (int i = 0; i < found.count; ++i) {
        const abut_segment_piece *piece = &items[i];
        CHECK(piece->begin == at && piece->end >= at, "%s: piece %d from %g to %g", solid->name, i, piece->begin,
              piece->end);
        CHECK(piece->end > at || piece->location.entity >= 0, "%s: a point of nothing", solid->name);
        CHECK(i == 0 || !is_same_location(piece->location, items[i - 1].location), "%s: twins at %d", solid->name,
              i);
        CHECK(i == 0 || piece->location.entity >= 0 || items[i - 1].location.entity >= 0,
              "%s: from inside to outside without a surface at %.17g", solid->name, at);
        at = piece->end;
        for (int k = 0; k < 4 && piece->end - piece->begin > 3.0 * near; ++k) {
            double t = random_in(random, piece->begin + near, piece->end - near);
            abut_location expected = abut_brep_index_locate(solid->index, abut_lerp(a, b, t));
            int is_right =
                is_same_location(piece->location, expected) ||
                (piece->location.entity < 0 && distance_to_surface(solid, abut_lerp(a, b, t)) <= tolerance);
            CHECK(is_right, "%s: t = %.17g is at %d %d, its piece at %d %d", solid->name, t, (int)expected.place,
                  expected.entity, (int)piece->location.place, piece->location.entity);
        }
        if (piece->begin == piece->end) {
            check_point_piece(solid, abut_lerp(a, b, at), piece->location);
        }
    }
    CHECK(at == 1.0, "%s: pieces end at %g", solid->name, at);
}

static abut_vec3 random_point(const indexed_solid *solid, test_random *random)
{
    abut_box bounds = abut_mesh_get_elements(solid->mesh).bounds;
    abut_vec3 half = abut_scale(0.6, abut_sub(bounds.upper, bounds.lower)), r = random_vec3(random, 1.0);
    return abut_add(abut_box_center(bounds), abut_vec3_make(r.x * half.x, r.y * half.y, r.z * half.z));
}

// A point of the solid's grid, so that segments and polygons run along faces and edges and through vertices.
static abut_vec3 random_grid_point(const indexed_solid *solid, test_random *random)
{
    abut_vec3 p = random_point(solid, random);
    double step = abut_box_diagonal(abut_mesh_get_elements(solid->mesh).bounds) > 100.0 ? 512.0 : 0.5;
    return abut_vec3_make(step * round(p.x / step), step * round(p.y / step), step * round(p.z / step));
}

static void test_segments(void **state)
{
    (void)state;
    test_random random = {11};
    for (int which = 0; which < ALL_SOLIDS; ++which) {
        indexed_solid solid = make_indexed_solid(which, which % 2 ? ABUT_CUTS_BALANCED : ABUT_CUTS_FACE_PLANES);
        for (int i = 0; i < sample_count(300, 30000); ++i) {
            check_segment(&solid, random_point(&solid, &random), random_point(&solid, &random), &random);
            abut_vec3 a = random_grid_point(&solid, &random), b = random_grid_point(&solid, &random);
            if (which < EXACT_SOLIDS && abut_norm(abut_sub(a, b)) > 0.0) {
                check_segment(&solid, a, b, &random);
            }
        }
        free_indexed_solid(&solid);
    }
    CHECK_DONE();
}

// If the tolerance is not small compared to the faces, planes often cut a segment within the tolerance of a face. The
// face must be found from either side.
static void test_no_surface_is_missed(void **state)
{
    (void)state;
    test_random random = {13};
    for (int which = EXACT_SOLIDS + 1; which < ALL_SOLIDS; ++which) {
        indexed_solid solid = make_indexed_solid(which, ABUT_CUTS_BALANCED);
        abut_brep_index_destroy(solid.index);
        abut_brep_index_params params = abut_brep_index_params_default();
        params.tolerance = 1e-4;
        assert_int_equal(abut_brep_index_create(NULL, solid.brep, &params, &solid.index, NULL), ABUT_OK);
        for (int i = 0; i < sample_count(1000, 100000); ++i) {
            check_segment(&solid, random_point(&solid, &random), random_point(&solid, &random), &random);
        }
        free_indexed_solid(&solid);
    }
    CHECK_DONE();
}

// Through the center of the unit cube: outside, on a face, inside, on the opposite face, outside. Along an edge:
// outside, a vertex, the edge, a vertex, outside. Touching a vertex: outside, the vertex, outside. Also within a face,
// starting at its center.
static void test_segments_of_a_cube(void **state)
{
    (void)state;
    const struct {
        abut_vec3 a, b;
        int count;
        abut_place places[5];
        double ends[5];
    } cases[] = {
        {{-1, 0.5, 0.25},
         {2, 0.5, 0.25},
         5,
         {ABUT_PLACE_OUTSIDE, ABUT_PLACE_FACE, ABUT_PLACE_INSIDE, ABUT_PLACE_FACE, ABUT_PLACE_OUTSIDE},
         {1.0 / 3, 1.0 / 3, 2.0 / 3, 2.0 / 3, 1.0}},
        {{-1, 0, 0},
         {2, 0, 0},
         5,
         {ABUT_PLACE_OUTSIDE, ABUT_PLACE_VERTEX, ABUT_PLACE_EDGE, ABUT_PLACE_VERTEX, ABUT_PLACE_OUTSIDE},
         {1.0 / 3, 1.0 / 3, 2.0 / 3, 2.0 / 3, 1.0}},
        {{-1, 1, 0}, {1, -1, 0}, 3, {ABUT_PLACE_OUTSIDE, ABUT_PLACE_VERTEX, ABUT_PLACE_OUTSIDE}, {0.5, 0.5, 1.0}},
        {{0.5, 0.5, 1},
         {0.5, 2.5, 1},
         3,
         {ABUT_PLACE_FACE, ABUT_PLACE_EDGE, ABUT_PLACE_OUTSIDE},
         {0.25, 0.25, 1.0}},
        {{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, 1, {ABUT_PLACE_INSIDE}, {1.0}},
        {{0, 0, 0}, {1, 1, 1}, 3, {ABUT_PLACE_VERTEX, ABUT_PLACE_INSIDE, ABUT_PLACE_VERTEX}, {0.0, 1.0, 1.0}},
    };
    for (int cuts = ABUT_CUTS_BALANCED; cuts <= ABUT_CUTS_FACE_PLANES; ++cuts) {
        indexed_solid cube = make_indexed_solid(0, (abut_index_cuts)cuts);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
            abut_segment_piece items[8];
            abut_segment_pieces found = {items, 8, 0, 0};
            CHECK_STATUS(abut_brep_index_segment(cube.index, cases[i].a, cases[i].b, &found), ABUT_OK, "cube");
            CHECK_INT(found.count, cases[i].count, "pieces");
            for (int k = 0; k < found.count && k < cases[i].count; ++k) {
                CHECK_INT(items[k].location.place, cases[i].places[k], "place");
                CHECK_NEAR(items[k].end, cases[i].ends[k], 1e-15, "end");
            }
            abut_segment_pieces none = {NULL, 0, 0, 0};
            CHECK_STATUS(abut_brep_index_segment(cube.index, cases[i].a, cases[i].b, &none), ABUT_TRUNCATED,
                         "none");
            CHECK_INT(none.required, cases[i].count, "required");
        }
        free_indexed_solid(&cube);
    }
    CHECK_DONE();
}

typedef struct polygon_check {
    const indexed_solid *solid;
    test_random *random;
    double area;
} polygon_check;

static double area_of(const abut_vec3 *corners, int count)
{
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 2; i < count; ++i) {
        sum = abut_add(sum, abut_cross(abut_sub(corners[i - 1], corners[0]), abut_sub(corners[i], corners[0])));
    }
    return 0.5 * abut_norm(sum);
}

// A random point that is well inside a piece, or in the middle of a segment.
static abut_vec3 sample_piece(const abut_index_piece *piece, test_random *random)
{
    double sum = 0.0;
    abut_vec3 p = {0.0, 0.0, 0.0};
    for (int i = 0; i < piece->corner_count; ++i) {
        double weight = random_in(random, 0.5, 1.0);
        sum += weight;
        p = abut_add_scaled(p, weight, piece->corners[i]);
    }
    return abut_scale(1.0 / sum, p);
}

static double width_of(const abut_index_piece *piece)
{
    double length = 0.0;
    for (int i = 0; i < piece->corner_count; ++i) {
        length += abut_norm(abut_sub(piece->corners[(i + 1) % piece->corner_count], piece->corners[i]));
    }
    return piece->dimension < 2 ? 0.5 * length : area_of(piece->corners, piece->corner_count) / length;
}

static int check_piece(void *user, const abut_index_piece *piece)
{
    polygon_check *check = user;
    double tolerance = abut_brep_index_get_info(check->solid->index).tolerance;
    check->area += piece->dimension == 2 ? area_of(piece->corners, piece->corner_count) : 0.0;
    CHECK(piece->dimension == 2 || piece->location.entity >= 0, "a line of nothing");
    if (piece->dimension == 0) {
        CHECK(distance_to_surface(check->solid, piece->corners[0]) <= 8.0 * tolerance, "a point off the surface");
    }
    for (int i = 0; i < 3 && piece->dimension > 0 && width_of(piece) > 100.0 * tolerance; ++i) {
        abut_vec3 p = sample_piece(piece, check->random);
        abut_location expected = abut_brep_index_locate(check->solid->index, p);
        CHECK(is_same_location(expected, piece->location), "%s: a point at %d %d is in a piece at %d %d",
              check->solid->name, (int)expected.place, expected.entity, (int)piece->location.place,
              piece->location.entity);
    }
    return 0;
}

// The areas of the pieces must sum to that of the polygon, and every point must have the location of its piece.
static void check_polygon(const indexed_solid *solid, const abut_vec3 *corners, int count, test_random *random)
{
    polygon_check check = {solid, random, 0.0};
    CHECK_STATUS(abut_brep_index_classify(solid->index, corners, count, check_piece, &check), ABUT_OK, solid->name);
    double area = area_of(corners, count), size = abut_box_diagonal(abut_mesh_get_elements(solid->mesh).bounds);
    CHECK_NEAR(check.area, area, 1e-7 * size * size, solid->name);
}

static void test_polygons(void **state)
{
    (void)state;
    test_random random = {12};
    for (int which = 0; which < ALL_SOLIDS; ++which) {
        indexed_solid solid = make_indexed_solid(which, which % 2 ? ABUT_CUTS_FACE_PLANES : ABUT_CUTS_BALANCED);
        for (int i = 0; i < sample_count(100, 10000); ++i) {
            abut_vec3 corners[4];
            for (int k = 0; k < 3; ++k) {
                corners[k] = random_point(&solid, &random);
            }
            check_polygon(&solid, corners, 3, &random);
            // a parallelogram on the grid
            for (int k = 0; k < 3; ++k) {
                corners[k] = random_grid_point(&solid, &random);
            }
            corners[3] = abut_sub(abut_add(corners[0], corners[2]), corners[1]);
            if (which < EXACT_SOLIDS && area_of(corners, 4) > 0.0) {
                check_polygon(&solid, corners, 4, &random);
            }
        }
        free_indexed_solid(&solid);
    }
    CHECK_DONE();
}

static int stop_at_once(void *user, const abut_index_piece *piece)
{
    (void)piece;
    ++*(int *)user;
    return 1;
}

static void test_bad_arguments(void **state)
{
    (void)state;
    indexed_solid cube = make_indexed_solid(0, ABUT_CUTS_BALANCED);
    abut_vec3 corners[3] = {{-1, 0.5, 0.5}, {2, 0.5, 0.5}, {2, 3, NAN}};
    int calls = 0;
    CHECK_STATUS(abut_brep_index_classify(cube.index, corners, 0, stop_at_once, &calls), ABUT_BAD_ARGUMENT, "none");
    CHECK_STATUS(abut_brep_index_classify(cube.index, corners, 3, stop_at_once, &calls), ABUT_BAD_DATA, "NaN");
    abut_segment_pieces none = {NULL, 0, 0, 0};
    CHECK_STATUS(abut_brep_index_segment(cube.index, corners[0], corners[2], &none), ABUT_BAD_DATA, "NaN");
    CHECK_INT(calls, 0, "nothing is told");
    CHECK_STATUS(abut_brep_index_classify(cube.index, corners, 2, stop_at_once, &calls), ABUT_OK, "stop");
    CHECK_INT(calls, 1, "the caller ends the work");
    free_indexed_solid(&cube);
    CHECK_DONE();
}

// Each allocation fails in turn: the call must return ABUT_NO_MEMORY and leak nothing. With enough memory it succeeds.
static void test_failing_memory(void **state)
{
    (void)state;
    failing_heap heap = {0, 0, 0};
    abut_context context = failing_context(&heap);
    indexed_solid solid = make_indexed_solid(2, ABUT_CUTS_BALANCED);
    abut_brep_index *index = NULL;
    assert_int_equal(abut_brep_index_create(&context, solid.brep, NULL, &index, NULL), ABUT_OK);
    int live = heap.live;
    abut_segment_piece items[64];
    for (int fail_at = 1;; ++fail_at) {
        heap.calls = 0;
        heap.fail_at = fail_at;
        abut_segment_pieces found = {items, 64, 0, 0};
        abut_status segment =
            abut_brep_index_segment(index, abut_vec3_make(-1, -1, -1), abut_vec3_make(5, 4, 3), &found);
        abut_entity_pairs pairs = {NULL, 0, 0, 0};
        abut_status meeting = abut_brep_index_pairs(index, solid.brep, abut_pose_identity(), &pairs);
        CHECK_INT(heap.live, live, "live blocks");
        if (heap.calls < fail_at) {
            CHECK_STATUS(segment, ABUT_OK, "segment");
            CHECK_STATUS(meeting, ABUT_TRUNCATED, "pairs");
            break;
        }
        CHECK(segment == ABUT_NO_MEMORY || meeting == ABUT_NO_MEMORY, "allocation %d: %d %d", fail_at, (int)segment,
              (int)meeting);
    }
    abut_brep_index_destroy(index);
    CHECK_INT(heap.live, 0, "all is given back");
    free_indexed_solid(&solid);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_segments_of_a_cube),
        cmocka_unit_test(test_no_surface_is_missed),
        cmocka_unit_test(test_polygons),
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
