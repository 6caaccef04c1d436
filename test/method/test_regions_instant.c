// SPDX-License-Identifier: MIT
// test_regions_instant.c: regions that once were wrong at an instant: refused, over-constrained, or exchanged
//
// Solids of unit cubes, turned in their meshes, so that coplanar faces are coplanar up to rounding only. What they share
// is counted on paper.
#include "../mesh/tessellate.h"
#include "local_scene.h"

enum { SIDE = 4 };

/// The mesh of unit cubes with these cells, scaled and then moved.
static abut_mesh *mesh_of_cells(const int (*cells)[3], int count, double scale, abut_pose pose)
{
    char filled[SIDE * SIDE * SIDE + 1];
    memset(filled, '.', sizeof filled);
    filled[sizeof filled - 1] = '\0';
    for (int i = 0; i < count; ++i) {
        filled[cells[i][0] + SIDE * (cells[i][1] + SIDE * cells[i][2])] = '#';
    }
    test_solid solid = solid_from_voxels(filled, SIDE, SIDE, SIDE);
    solid_move(&solid, scale, pose);
    abut_mesh *mesh = solid_mesh(&solid, ABUT_PRECISION_DOUBLE);
    solid_free(&solid);
    return mesh;
}

/// Rectangles in which two solids touch: a corner, two sides, and the normal from A to B.
typedef struct shared_rectangle {
    abut_vec3 corner, u, v, normal;
} shared_rectangle;

/// Checks that the contacts of two solids are the corners of the rectangles, and nothing else, in random rotations and
/// scales and in both orders.
static void check_rectangles(const int (*a)[3], int a_count, const int (*b)[3], int b_count,
                             const shared_rectangle *rectangles, int count, const char *label)
{
    test_random random = {41};
    for (int round = 0; round < 200; ++round) {
        double scale = pow(10.0, random_in(&random, -3.0, 3.0));
        abut_pose pose = abut_pose_make(abut_vec3_make(0, 0, 0), random_rotation(&random));
        int is_swapped = round % 2;
        abut_mesh *meshes[2] = {mesh_of_cells(a, a_count, scale, pose), mesh_of_cells(b, b_count, scale, pose)};
        local_scene s;
        local_begin(&s, NULL, "regions", NULL, meshes[is_swapped], meshes[1 - is_swapped]);
        local_find(&s);
        CHECK(s.result.contacts.count == 4 * count, "%s, round %d: %d contacts, expected %d", label, round,
              s.result.contacts.count, 4 * count);
        CHECK_INT((int)s.result.stats.arbitrary_normals, 0, label);
        for (int i = 0; i < 4 * count; ++i) {
            const shared_rectangle *r = &rectangles[i / 4];
            abut_vec3 p = abut_add_scaled(abut_add_scaled(r->corner, i & 1, r->u), i >> 1 & 1, r->v);
            abut_vec3 position = abut_pose_apply(pose, abut_scale(scale, p));
            abut_vec3 normal = abut_scale(is_swapped ? -1.0 : 1.0, abut_quat_rotate(pose.rotation, r->normal));
            int found = 0;
            for (int k = 0; k < s.result.contacts.count; ++k) {
                const abut_contact *c = &s.result.contacts.items[k];
                found += abut_norm(abut_sub(c->position, position)) < 1e-6 * scale &&
                         abut_norm(abut_sub(c->normal, normal)) < 1e-9;
            }
            CHECK(found == 1, "%s, round %d: corner %d is there %d times", label, round, i, found);
        }
        local_end(&s);
    }
}

// Four cubes and three. The vertex in the middle of them has coplanar faces of opposite normals, and what is between
// their planes is rounding: it must not count as solid, which would make every motion an overlap. They share a rectangle
// of two squares across x, a square across y and one across z.
static void opposite_coplanar_faces_are_not_solid(void **state)
{
    (void)state;
    static const int a[][3] = {{0, 0, 1}, {0, 0, 0}, {0, 1, 1}, {1, 1, 1}};
    static const int b[][3] = {{1, 0, 1}, {1, 0, 0}, {1, 1, 0}};
    const shared_rectangle rectangles[] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 2}, {1, 0, 0}},
                                           {{1, 1, 1}, {1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
                                           {{1, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}}};
    check_rectangles(a, 4, b, 3, rectangles, 3, "seven cubes");
    CHECK_DONE();
}

// A column, and a clamp that holds two of its squares, with normal x. Between the squares the clamp's edge lies on the
// column's edge, where x or y would do. The velocity is linear along the edge, and x holds at both of its ends: it
// holds between them, and nothing more is needed. A motion along -y is free.
static void an_edge_between_two_polygons_follows_from_them(void **state)
{
    (void)state;
    static const int column[][3] = {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}};
    static const int clamp[][3] = {{1, 0, 0}, {1, 0, 2}, {1, 1, 0}, {1, 1, 1}, {1, 1, 2}};
    const shared_rectangle rectangles[] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}},
                                           {{1, 0, 2}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
    check_rectangles(column, 3, clamp, 5, rectangles, 2, "clamp");
    CHECK_DONE();
}

/// The middle of a region's outline.
static abut_vec3 middle_of(const abut_result *result, const abut_region *region)
{
    const abut_region_loop *loop = &result->loops.items[region->loop_begin];
    abut_vec3 sum = {0, 0, 0};
    for (int i = 0; i < loop->point_count; ++i) {
        sum = abut_add(sum, result->points.items[loop->point_begin + i]);
    }
    return abut_scale(1.0 / loop->point_count, sum);
}

// A bar lies across the two arms of an F: two faces, two squares. The bar moves by 0.1 along and across the arms and
// turns by 0.1, and the world is placed anew each time. Each arm keeps its id, with and without the ends of the
// arms in the squares, and for any numbering of the triangles.
static void polygons_of_the_same_faces_keep_their_ids(void **state)
{
    (void)state;
    static const int e_cells[][3] = {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {0, 0, 3}, {1, 0, 0},
                                     {1, 0, 2}, {2, 0, 0}, {2, 0, 2}, {3, 0, 0}, {3, 0, 2}};
    test_random random = {42};
    for (int numbering = 0; numbering < 4; ++numbering) {
        char filled[SIDE * SIDE * SIDE + 1];
        memset(filled, '.', sizeof filled);
        filled[sizeof filled - 1] = '\0';
        for (int i = 0; i < 10; ++i) {
            filled[e_cells[i][0] + SIDE * (e_cells[i][1] + SIDE * e_cells[i][2])] = '#';
        }
        test_solid solid = solid_from_voxels(filled, SIDE, SIDE, SIDE);
        if (numbering > 0) {
            solid_shuffle(&solid, &random);
        }
        abut_mesh *comb = solid_mesh(&solid, ABUT_PRECISION_DOUBLE);
        solid_free(&solid);
        local_scene s;
        local_begin(&s, NULL, "regions", NULL, comb, make_box(NULL, v3(-0.4, 0, -3), v3(0.4, 1, 3)));
        uint64_t ids[2] = {0, 0};
        for (int round = 0; round < 50; ++round) {
            abut_pose world = abut_pose_make(random_vec3(&random, 10.0), random_rotation(&random));
            double reach = round % 2 == 0 ? 3.55 : 2.5; // with the ends of the arms, or without
            abut_vec3 place = v3(reach + random_in(&random, -0.05, 0.05), 1.0, 1.5 + random_in(&random, -0.1, 0.1));
            abut_quat turn = abut_quat_from_axis(v3(0, 1, 0), random_in(&random, -0.05, 0.05));
            s.pair.a.pose = world;
            s.pair.b.pose = abut_pose_multiply(world, abut_pose_make(place, turn));
            local_find(&s);
            CHECK_INT(s.result.regions.count, 2, "one square for each arm");
            for (int i = 0; i < s.result.regions.count; ++i) {
                const abut_region *region = &s.result.regions.items[i];
                int arm = abut_pose_apply_inverse(world, middle_of(&s.result, region)).z > 1.5;
                CHECK(round == 0 || ids[arm] == region->id, "numbering %d, round %d: arm %d", numbering, round,
                      arm);
                ids[arm] = region->id;
            }
        }
        CHECK(ids[0] != ids[1], "ids differ");
        local_end(&s);
    }
    CHECK_DONE();
}

// The bottom edge of a cube crosses the edge of a slab, at the origin. Its bottom is the plane y = s x + t z, with slopes
// so small that what is within the tolerance reaches far: up to the corner of the slab at x = l, which is within it if
// s l is. On paper they touch at the origin, with a normal within 1e-2 of y; all gaps are between zero and the
// tolerance. They do not overlap, so no wider tolerance may be taken, in which the corner would be on the cube's edge.
static void nearly_parallel_faces_do_not_overlap(void **state)
{
    (void)state;
    static const double slopes[] = {2.4e-5, 1e-4, 1e-6, 1e-3};
    test_random random = {55};
    for (int i = 0; i < 300; ++i) {
        double s = slopes[i % 4], length = pow(10.0, random_in(&random, -4.5, -1.0)),
               scale = i % 3 == 2 ? 1e-3 : 1.0;
        abut_vec3 up = abut_unit(v3(-s, 1.0, -random_in(&random, 0.002, 0.008)));
        double angle = random_in(&random, 0.4, 1.2);
        abut_vec3 along = v3(cos(angle), 0.0, sin(angle));
        along = abut_unit(abut_add_scaled(along, -abut_dot(along, up), up));
        const abut_vec3 across = abut_cross(up, along);
        abut_vec3 corners[8];
        for (int k = 0; k < 8; ++k) {
            abut_vec3 corner = abut_scale(k & 1 ? 0.5 : 0.0, across);
            corner = abut_add_scaled(corner, k & 2 ? 0.5 : 0.0, up);
            corners[k] = abut_scale(scale, abut_add_scaled(corner, k & 4 ? 0.3 : -0.2, along));
        }
        static const int triangles[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                          2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
        abut_mesh *slab = make_box(NULL, v3(-3.0 * scale, -scale, 0), v3(length * scale, 0, 3.0 * scale));
        abut_mesh *meshes[2] = {slab, make_triangles(NULL, corners, 8, triangles, 12)};
        local_scene scene;
        local_begin(&scene, NULL, "regions", NULL, meshes[i % 2], meshes[1 - i % 2]);
        abut_pose world = abut_pose_make(random_vec3(&random, scale), random_rotation(&random));
        scene.pair.a.pose = scene.pair.b.pose = world;
        local_find(&scene);
        int is_crossing_there = 0;
        for (int k = 0; k < scene.result.contacts.count; ++k) {
            const abut_contact *c = &scene.result.contacts.items[k];
            abut_vec3 normal = abut_quat_rotate(abut_quat_conjugate(world.rotation), c->normal);
            double height = i % 2 == 0 ? normal.y : -normal.y;
            CHECK(height > 1.0 - 1e-4 && c->gap > -1e-12 * scale && c->gap < 1e-6 * scale,
                  "round %d, slope %g, corner at %g: normal y %g, gap %g", i, s, length, height, c->gap);
            is_crossing_there |= abut_norm(abut_sub(c->position, world.position)) < 1e-6 * scale;
        }
        CHECK(is_crossing_there, "round %d, slope %g, corner at %g: %d contacts", i, s, length,
              scene.result.contacts.count);
        local_end(&scene);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opposite_coplanar_faces_are_not_solid),
        cmocka_unit_test(an_edge_between_two_polygons_follows_from_them),
        cmocka_unit_test(polygons_of_the_same_faces_keep_their_ids),
        cmocka_unit_test(nearly_parallel_faces_do_not_overlap),
    };
    return cmocka_run_group_tests_name("regions at an instant", tests, NULL, NULL);
}
