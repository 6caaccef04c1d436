// SPDX-License-Identifier: MIT
// test_locate.c: points in solids of unit cubes, where the place and the feature of each are known exactly
#include "check.h"
#include "effort.h"
#include "failing.h"
#include "mesh/tessellate.h"
#include "random.h"
#include "shapes.h"

#include <abut/abut.h>
#include <stdlib.h>

// ---------------------------------------------------------------------------------------------------------------
// The oracle. The eight octants around a point of the lattice of half-integers are each full or empty. If the full
// ones change along no axis, the point is inside or outside; along one axis: on a face; along two: on an edge in the
// direction of the third; along three: on a vertex.

typedef struct voxel_solid {
    const char *name, *filled; ///< x varies fastest, then y, then z
    int n[3];
} voxel_solid;

static const voxel_solid voxel_solids[] = {
    {"cube", "#", {1, 1, 1}},
    {"hole",
     "#####..#####"
     "#####..#####",
     {4, 3, 2}},
    {"two parts", "##.###.#", {4, 2, 1}},
    {"cavity", "#############.#############", {3, 3, 3}},
    {"stairs",
     "######"
     "##.##."
     "#..#..",
     {3, 2, 3}},
    {"table",
     "#.#...#.#"
     "#########",
     {3, 3, 2}},
};
enum { VOXEL_SOLIDS = sizeof voxel_solids / sizeof voxel_solids[0] };

/// A point of the lattice: coordinates times 2.
typedef struct grid_point {
    int at[3];
} grid_point;

static int is_filled(const voxel_solid *solid, const int cell[3])
{
    for (int k = 0; k < 3; ++k) {
        if (cell[k] < 0 || cell[k] >= solid->n[k]) {
            return 0;
        }
    }
    return solid->filled[cell[0] + solid->n[0] * (cell[1] + solid->n[1] * cell[2])] == '#';
}

/// Bit i is set if octant i is full; bit k of i says on which side along axis k it is.
static int octants(const voxel_solid *solid, grid_point p)
{
    int pattern = 0;
    for (int i = 0; i < 8; ++i) {
        int cell[3];
        for (int k = 0; k < 3; ++k) {
            int quarter = 2 * p.at[k] + ((i >> k & 1) != 0 ? 1 : -1); // coordinates times 4
            cell[k] = (quarter + 400) / 4 - 100;                      // rounded down
        }
        pattern |= is_filled(solid, cell) << i;
    }
    return pattern;
}

static int changes_along(int pattern, int axis)
{
    for (int i = 0; i < 8; ++i) {
        if ((pattern >> i & 1) != (pattern >> (i ^ 1 << axis) & 1)) {
            return 1;
        }
    }
    return 0;
}

static abut_place place_of(int pattern)
{
    static const abut_place places[] = {ABUT_PLACE_OUTSIDE, ABUT_PLACE_FACE, ABUT_PLACE_EDGE, ABUT_PLACE_VERTEX};
    int axes = changes_along(pattern, 0) + changes_along(pattern, 1) + changes_along(pattern, 2);
    return pattern == 0xff ? ABUT_PLACE_INSIDE : places[axes];
}

static grid_point step_along(grid_point p, int axis, int step)
{
    p.at[axis] += step;
    return p;
}

/// A coordinate of a mesh vertex on the lattice, times 2.
static int grid_at(const abut_mesh_elements *mesh, int vertex, int axis)
{
    const abut_vec3 *v = &mesh->vertices[vertex];
    return (int)(2.0 * (axis == 0 ? v->x : axis == 1 ? v->y : v->z));
}

static int vertex_at(const abut_mesh_elements *mesh, grid_point p)
{
    for (int i = 0; i < mesh->vertex_count; ++i) {
        if (grid_at(mesh, i, 0) == p.at[0] && grid_at(mesh, i, 1) == p.at[1] && grid_at(mesh, i, 2) == p.at[2]) {
            return i;
        }
    }
    return -1;
}

/// The lowest mesh edge on the straight edge through p: the octants stay the same as far as it goes.
static abut_feature edge_at(const voxel_solid *solid, const abut_mesh *mesh, grid_point p, int axis)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_mesh_topology topology = abut_mesh_get_topology(mesh);
    int pattern = octants(solid, p), count = 0;
    grid_point ends[2] = {p, p};
    for (int i = 0; i < 2; ++i) {
        while (octants(solid, ends[i]) == pattern) {
            ends[i] = step_along(ends[i], axis, i == 0 ? -1 : 1);
        }
    }
    abut_feature lowest = {.kind = ABUT_FEATURE_NONE, .index = -1, .vertices = {-1, -1}};
    for (int e = topology.edge_count - 1; e >= 0; --e) {
        int is_part = 1;
        for (int i = 0; i < 2; ++i) {
            for (int k = 0; k < 3; ++k) {
                int at = grid_at(&elements, topology.edge_vertices[2 * e + i], k);
                is_part = is_part && at >= ends[0].at[k] && at <= ends[1].at[k];
            }
        }
        if (is_part) {
            lowest = abut_feature_edge(mesh, e);
            ++count;
        }
    }
    lowest.is_merged = count > 1;
    return lowest;
}

/// Marks the unit squares that are one face with the square around p, which is in the middle of it. Squares are
/// connected if the middle of their common side is on a face.
static void flood(const voxel_solid *solid, grid_point p, int axis, unsigned char *marks)
{
    const int *n = solid->n;
    size_t index = (size_t)(p.at[0] + (2 * n[0] + 1) * (p.at[1] + (2 * n[1] + 1) * p.at[2]));
    if (marks[index] != 0) {
        return;
    }
    marks[index] = 1;
    for (int k = 0; k < 3; ++k) {
        for (int side = -1; side <= 1 && k != axis; side += 2) {
            if (place_of(octants(solid, step_along(p, k, side))) == ABUT_PLACE_FACE) {
                flood(solid, step_along(p, k, 2 * side), axis, marks);
            }
        }
    }
}

/// The lowest mesh face on the planar face at p. All squares that touch p and are on the plane are part of it.
static abut_feature face_at(const voxel_solid *solid, const abut_mesh *mesh, grid_point p, int axis)
{
    const int *n = solid->n;
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    unsigned char *marks = calloc((size_t)((2 * n[0] + 1) * (2 * n[1] + 1) * (2 * n[2] + 1)), 1);
    assert_non_null(marks);
    grid_point middle = p;
    for (int k = 0; k < 3; ++k) {
        middle.at[k] += k != axis && middle.at[k] % 2 == 0;
    }
    flood(solid, middle, axis, marks);
    int lowest = -1, count = 0;
    for (int t = elements.triangle_count - 1; t >= 0; --t) {
        int sum[3] = {0, 0, 0};
        for (int i = 0; i < 9; ++i) {
            sum[i % 3] += grid_at(&elements, elements.triangles[3 * t + i / 3], i % 3);
        }
        // The middle of its longest side, that of its square: two corners of three are on either side of it.
        int at[3];
        for (int k = 0; k < 3; ++k) {
            at[k] = sum[k] % 6 == 0 ? sum[k] / 3 : sum[k] / 6 * 2 + 1;
        }
        if (marks[at[0] + (2 * n[0] + 1) * (at[1] + (2 * n[1] + 1) * at[2])] != 0) {
            lowest = elements.triangle_faces[t];
            ++count;
        }
    }
    free(marks);
    abut_feature feature = abut_feature_face(lowest);
    feature.is_merged = count > 1;
    return feature;
}

static abut_located expected_at(const voxel_solid *solid, const abut_mesh *mesh, grid_point p)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    int pattern = octants(solid, p), axis = 0;
    abut_located located = {place_of(pattern), {.kind = ABUT_FEATURE_NONE, .index = -1, .vertices = {-1, -1}}};
    if (located.place == ABUT_PLACE_VERTEX) {
        located.feature = abut_feature_vertex(vertex_at(&elements, p));
    } else if (located.place == ABUT_PLACE_EDGE) {
        while (changes_along(pattern, axis)) {
            ++axis;
        }
        located.feature = edge_at(solid, mesh, p, axis);
    } else if (located.place == ABUT_PLACE_FACE) {
        while (!changes_along(pattern, axis)) {
            ++axis;
        }
        located.feature = face_at(solid, mesh, p, axis);
    }
    return located;
}

// ---------------------------------------------------------------------------------------------------------------
// The comparison

static abut_locate_def make_def(const abut_mesh *mesh, const abut_vec3 *points, int count)
{
    abut_locate_def def = abut_locate_def_default();
    def.mesh = mesh;
    def.points = points;
    def.point_count = count;
    return def;
}

static int is_equal(abut_located a, abut_located b)
{
    return a.place == b.place && memcmp(&a.feature, &b.feature, sizeof a.feature) == 0;
}

/// All points of the lattice in and around a solid, in a mesh of it that is `placed`. `plain` is the same mesh where
/// the lattice is.
static void check_lattice(const voxel_solid *solid, const abut_mesh *plain, const abut_mesh *placed, double scale,
                          abut_pose pose)
{
    const int *n = solid->n;
    int count = (2 * n[0] + 3) * (2 * n[1] + 3) * (2 * n[2] + 3), found[5] = {0};
    abut_vec3 *points = malloc((size_t)count * sizeof *points);
    grid_point *grid = malloc((size_t)count * sizeof *grid);
    abut_located *located = malloc((size_t)count * sizeof *located);
    assert_true(points != NULL && grid != NULL && located != NULL);
    for (int i = 0; i < count; ++i) {
        int x = i % (2 * n[0] + 3) - 1, rest = i / (2 * n[0] + 3);
        grid[i] = (grid_point){{x, rest % (2 * n[1] + 3) - 1, rest / (2 * n[1] + 3) - 1}};
        abut_vec3 p = {0.5 * grid[i].at[0], 0.5 * grid[i].at[1], 0.5 * grid[i].at[2]};
        points[i] = abut_pose_apply(pose, abut_scale(scale, p));
    }
    abut_locate_def def = make_def(placed, points, count);
    abut_error error = {.text = ""};
    CHECK_STATUS(abut_locate(NULL, &def, located, &error), ABUT_OK, error.text);
    for (int i = 0; i < count; ++i) {
        abut_located expected = expected_at(solid, plain, grid[i]);
        CHECK(is_equal(located[i], expected), "%s: (%g %g %g) is at %d, %d %d, expected %d, %d %d", solid->name,
              0.5 * grid[i].at[0], 0.5 * grid[i].at[1], 0.5 * grid[i].at[2], (int)located[i].place,
              (int)located[i].feature.kind, (int)located[i].feature.index, (int)expected.place,
              (int)expected.feature.kind, (int)expected.feature.index);
        ++found[expected.place];
    }
    CHECK(found[ABUT_PLACE_OUTSIDE] > 0 && found[ABUT_PLACE_INSIDE] > 0 && found[ABUT_PLACE_VERTEX] > 0 &&
              found[ABUT_PLACE_EDGE] > 0 && found[ABUT_PLACE_FACE] > 0,
          "%s: the lattice has points of every kind", solid->name);
    free(points);
    free(grid);
    free(located);
}

// Solids with a hole, a cavity, two parts and steps, their triangles in random order, so that the lowest face or
// edge of a merged one may be anywhere; where they are, and turned, at scales from 1e-3 to 1e3, up to 1e4 sizes
// away. Every half-integer point has one right answer. Turned points are off by rounding, which the tolerance
// covers.
static void test_lattices(void **state)
{
    (void)state;
    test_random random = {15};
    for (int i = 0; i < sample_count(10 * VOXEL_SOLIDS, 1000 * VOXEL_SOLIDS); ++i) {
        const voxel_solid *solid = &voxel_solids[i % VOXEL_SOLIDS];
        test_solid plain = solid_from_voxels(solid->filled, solid->n[0], solid->n[1], solid->n[2]);
        solid_shuffle(&plain, &random);
        test_solid moved = solid_copy(&plain);
        double scale = i < VOXEL_SOLIDS ? 1.0 : pow(10.0, random_in(&random, -3.0, 3.0));
        abut_pose pose = abut_pose_identity();
        if (i >= VOXEL_SOLIDS) {
            double far = scale * pow(10.0, random_in(&random, 0.0, 4.0));
            pose = abut_pose_make(random_vec3(&random, far), random_rotation(&random));
            solid_move(&moved, scale, pose);
        }
        abut_mesh *plain_mesh = solid_mesh(&plain, ABUT_PRECISION_DOUBLE);
        abut_mesh *moved_mesh = solid_mesh(&moved, ABUT_PRECISION_DOUBLE);
        check_lattice(solid, plain_mesh, moved_mesh, scale, pose);
        abut_mesh_destroy(plain_mesh);
        abut_mesh_destroy(moved_mesh);
        solid_free(&plain);
        solid_free(&moved);
    }
    CHECK_DONE();
}

// A polygon of the file is one face: nothing is merged. The L has its profile as faces 0 (z = 0) and 1 (z = 1).
static void test_polygons_are_not_merged(void **state)
{
    (void)state;
    abut_mesh *mesh = make_l(NULL, 1.0);
    const abut_vec3 points[] = {
        {0.5, 0.5, 1.0}, {1.5, 0.5, 1.0}, {0.5, 0.0, 1.0}, {1.0, 1.0, 0.5}, {1.5, 1.5, 0.5}};
    abut_located located[5];
    abut_locate_def def = make_def(mesh, points, 5);
    assert_int_equal(abut_locate(NULL, &def, located, NULL), ABUT_OK);
    CHECK(is_equal(located[0], located[1]), "one face");
    CHECK_INT(located[0].feature.kind, ABUT_FEATURE_FACE, "face");
    CHECK_INT(located[0].feature.is_merged, 0, "face");
    CHECK_INT(located[2].feature.kind, ABUT_FEATURE_EDGE, "edge");
    CHECK_INT(located[2].feature.is_merged, 0, "edge");
    CHECK_INT(located[3].place, ABUT_PLACE_EDGE, "the reflex edge");
    CHECK_INT(located[4].place, ABUT_PLACE_OUTSIDE, "in the notch");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A box that overhangs another, turned on it: the contacts of method `regions` are at corners of one over a face of
// the other, and where edges cross. Each is on the features that the contact names, in both meshes.
static void test_names_are_those_of_regions(void **state)
{
    (void)state;
    test_random random = {16};
    for (int i = 0; i < sample_count(20, 1000); ++i) {
        test_solid block = solid_from_voxels("########", 4, 2, 1);
        solid_tessellate(&block, &random, 20, 20);
        solid_shuffle(&block, &random);
        abut_mesh *meshes[2] = {solid_mesh(&block, ABUT_PRECISION_DOUBLE),
                                make_box(NULL, abut_vec3_make(-1, -1, 0), abut_vec3_make(1, 1, 1))};
        abut_mesh_pair pair = abut_mesh_pair_default(meshes[0], meshes[1]);
        pair.pose_b = abut_pose_make(abut_vec3_make(random_in(&random, 0, 4), random_in(&random, 0, 2), 1.0),
                                     abut_quat_from_axis(abut_vec3_make(0, 0, 1), random_in(&random, 0.1, 1.4)));
        abut_answer *answer = NULL;
        abut_error error = {.text = ""};
        CHECK_STATUS(abut_find_mesh_contacts(NULL, &pair, &answer, &error), ABUT_OK, error.text);
        const abut_result *result = abut_answer_result(answer);
        CHECK(result->contacts.count >= 3, "%d contacts", result->contacts.count);
        for (int j = 0; j < result->contacts.count; ++j) {
            const abut_contact *c = &result->contacts.items[j];
            const abut_vec3 points[2] = {c->position_a, abut_pose_apply_inverse(pair.pose_b, c->position_b)};
            const abut_feature *features[2] = {&c->feature_a, &c->feature_b};
            for (int side = 0; side < 2; ++side) {
                abut_located located;
                abut_locate_def def = make_def(meshes[side], &points[side], 1);
                assert_int_equal(abut_locate(NULL, &def, &located, NULL), ABUT_OK);
                CHECK(memcmp(&located.feature, features[side], sizeof located.feature) == 0,
                      "side %d: kind %d %d, expected %d %d", side, (int)located.feature.kind,
                      (int)located.feature.index, (int)features[side]->kind, (int)features[side]->index);
            }
        }
        abut_answer_destroy(answer);
        abut_mesh_destroy(meshes[0]);
        abut_mesh_destroy(meshes[1]);
        solid_free(&block);
    }
    CHECK_DONE();
}

// 0.01 above the top of a unit cube is outside, and on the top with a tolerance of 0.015. Points that are not finite
// are outside.
static void test_tolerance_and_strange_points(void **state)
{
    (void)state;
    abut_mesh *mesh = make_box(NULL, abut_vec3_make(0, 0, 0), abut_vec3_make(1, 1, 1));
    const abut_vec3 points[] = {{0.5, 0.3, 1.01}, {NAN, 0.5, 0.5}, {0.5, INFINITY, 0.5}, {1e300, -1e300, 0.5}};
    abut_located located[4];
    abut_locate_def def = make_def(mesh, points, 4);
    assert_int_equal(abut_locate(NULL, &def, located, NULL), ABUT_OK);
    for (int i = 0; i < 4; ++i) {
        CHECK_INT(located[i].place, ABUT_PLACE_OUTSIDE, "outside");
    }
    def.tolerance = 0.015;
    assert_int_equal(abut_locate(NULL, &def, located, NULL), ABUT_OK);
    CHECK_INT(located[0].place, ABUT_PLACE_FACE, "within the tolerance");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A failure writes nothing. No points are no failure.
static void test_refusals(void **state)
{
    (void)state;
    static const abut_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int outward[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    abut_mesh *open = make_triangles(NULL, corners, 4, outward, 3),
              *solid = make_triangles(NULL, corners, 4, outward, 4);
    abut_locate_def good = make_def(solid, corners, 1), defs[5];
    for (int i = 0; i < 5; ++i) {
        defs[i] = good;
    }
    defs[0].mesh = open;
    defs[1].mesh = NULL;
    defs[2].points = NULL;
    defs[3].point_count = -1;
    defs[4].tolerance = NAN;
    const char *words[] = {"3 open", "mesh", "points", "point_count", "tolerance"};
    const abut_located before = {ABUT_PLACE_FACE, {.kind = ABUT_FEATURE_TET, .index = 7}};
    for (int i = 0; i < 5; ++i) {
        abut_located located = before;
        abut_error error = {.text = ""};
        abut_status expected = i == 0 ? ABUT_UNSUPPORTED : ABUT_BAD_ARGUMENT;
        CHECK_STATUS(abut_locate(NULL, &defs[i], &located, &error), expected, words[i]);
        CHECK(strstr(error.text, words[i]) != NULL, "%s: %s", words[i], error.text);
        CHECK(is_equal(located, before), "%s: something was written", words[i]);
    }
    CHECK_STATUS(abut_locate(NULL, &good, NULL, NULL), ABUT_BAD_ARGUMENT, "no room");
    good.point_count = 0;
    good.points = NULL;
    CHECK_STATUS(abut_locate(NULL, &good, NULL, NULL), ABUT_OK, "no points");
    abut_mesh_destroy(open);
    abut_mesh_destroy(solid);
    CHECK_DONE();
}

static void test_memory_failures(void **state)
{
    (void)state;
    const abut_vec3 point = {0, 0, 0};
    abut_mesh *mesh = make_box(NULL, abut_vec3_make(0, 0, 0), abut_vec3_make(1, 1, 1));
    abut_locate_def def = make_def(mesh, &point, 1);
    abut_status status = ABUT_NO_MEMORY;
    int fail_at = 0;
    while (status == ABUT_NO_MEMORY && fail_at < 10000) {
        failing_heap heap = {.fail_at = ++fail_at};
        abut_context context = failing_context(&heap);
        abut_located located;
        status = abut_locate(&context, &def, &located, NULL);
        CHECK_INT(heap.live, 0, "blocks that were not freed");
    }
    CHECK_STATUS(status, ABUT_OK, "with all the memory it needs");
    CHECK(fail_at > 10, "%d allocations", fail_at);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lattices),
        cmocka_unit_test(test_polygons_are_not_merged),
        cmocka_unit_test(test_names_are_those_of_regions),
        cmocka_unit_test(test_tolerance_and_strange_points),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_memory_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
