// SPDX-License-Identifier: MIT
// test_region_model.c: local solids at vertices, the half-spaces that hold them, memory and failed allocations
#include "failing.h"
#include "random.h"
#include "region/model.h"
#include "shapes.h"

enum { RIM = 96 };

static abut_brep *make_brep(const abut_mesh *mesh)
{
    abut_brep *brep = NULL;
    abut_error error;
    assert_int_equal(abut_brep_create(NULL, mesh, NULL, &brep, &error), ABUT_OK);
    return brep;
}

// The vertex of the B-rep at a point.
static int vertex_at(const abut_region_model *model, abut_vec3 p)
{
    for (int i = 0; i < model->brep.vertex_count; ++i) {
        if (abut_norm(abut_sub(abut_region_vertex(model, i), p)) < 1e-12) {
            return i;
        }
    }
    fail();
    return -1;
}

// The lower cone of an hourglass: turned about the axis, and as wide as this at the rim. The upper one has 0 and 1.
typedef struct lower_cone {
    double turn, radius;
} lower_cone;

// Narrower and turned, so that no face of one cone is in the plane of a face of the other.
static const lower_cone other_planes = {0.3, 0.7};
// With an even number of corners, each face is in the plane of a face of the other cone, with the opposite normal.
static const lower_cone same_planes = {0.0, 1.0};

// Two cones over regular polygons of `count` corners with their tips in one vertex at the origin, one up and one down.
static abut_mesh *make_hourglass(int count, lower_cone lower)
{
    abut_vec3 vertices[2 * RIM + 3];
    int triangles[12 * RIM], used = 0;
    vertices[0] = abut_vec3_make(0.0, 0.0, 0.0);
    for (int side = 0; side < 2; ++side) {
        int first = 1 + side * (count + 1), middle = first + count;
        double height = side == 0 ? 1.0 : -1.0, radius = side == 0 ? 1.0 : lower.radius;
        vertices[middle] = abut_vec3_make(0.0, 0.0, height);
        for (int i = 0; i < count; ++i) {
            double angle = 6.283185307179586 * i / count + (side == 0 ? 0.0 : lower.turn);
            vertices[first + i] = abut_vec3_make(radius * cos(angle), radius * sin(angle), height);
            int here = first + i, next = first + (i + 1) % count;
            int from = side == 0 ? next : here, to = side == 0 ? here : next;
            const int added[6] = {0, from, to, middle, to, from};
            memcpy(triangles + used, added, sizeof added);
            used += 6;
        }
    }
    return make_triangles(NULL, vertices, 2 * count + 3, triangles, used / 3);
}

static abut_local_solid solid_at(const abut_region_model *model, abut_vec3 p, abut_arena *arena)
{
    abut_entity entity = {ABUT_ENTITY_VERTEX, vertex_at(model, p)};
    abut_local_solid solid;
    assert_true(abut_region_local_solid(model, entity, abut_mat3_identity(), arena, &solid));
    return solid;
}

// How far beyond a cone of make_hourglass(4) a unit vector is: the upper one is |x| + |y| <= z, the lower one the same
// with |z| times its radius, in axes that are turned.
static double beyond(abut_vec3 w, lower_cone lower)
{
    double turn = w.z > 0.0 ? 0.0 : lower.turn, radius = w.z > 0.0 ? 1.0 : lower.radius;
    double x = cos(turn) * w.x + sin(turn) * w.y, y = cos(turn) * w.y - sin(turn) * w.x;
    return fabs(x) + fabs(y) - radius * fabs(w.z);
}

// At the tip of cones of 4 corners the solid is the two cones: the rays of the pieces are in them, within rounding, no
// piece has rays of both, and each cone has its four edges.
static void check_tip(lower_cone lower)
{
    abut_mesh *mesh = make_hourglass(4, lower);
    abut_brep *brep = make_brep(mesh);
    abut_region_model *model = NULL;
    assert_int_equal(abut_region_model_create(NULL, mesh, brep, &model, NULL), ABUT_OK);
    abut_context context = abut_context_default();
    abut_arena arena;
    abut_arena_init(&arena, &context);
    abut_local_solid solid = solid_at(model, abut_vec3_make(0.0, 0.0, 0.0), &arena);
    CHECK(solid.count >= 2, "%d pieces", solid.count);
    CHECK_INT(solid.is_coarse, 0, "exact");
    int has_up = 0, has_down = 0;
    for (int i = 0; i < solid.count; ++i) {
        int up = 0, down = 0;
        for (int k = 0; k < solid.pieces[i].rays.count; ++k) {
            abut_vec3 ray = solid.pieces[i].rays.items[k];
            CHECK(beyond(ray, lower) <= 1e-9, "ray (%g, %g, %g)", ray.x, ray.y, ray.z);
            up += ray.z > 0.0;
            down += ray.z < 0.0;
        }
        CHECK((up == 0) != (down == 0), "piece %d: %d rays up, %d down", i, up, down);
        has_up |= up >= 4;
        has_down |= down >= 4;
    }
    CHECK(has_up && has_down, "a cone on each side");
    abut_arena_release(&arena);
    abut_region_model_destroy(model);
    abut_brep_destroy(brep);
    abut_mesh_destroy(mesh);
}

static void surfaces_that_meet_in_a_point(void **state)
{
    (void)state;
    check_tip(other_planes);
    CHECK_DONE();
}

// Rounding leaves slivers between the two planes of a pair of faces, which are neither inside nor outside.
static void surfaces_that_meet_in_a_point_with_common_planes(void **state)
{
    (void)state;
    check_tip(same_planes);
    CHECK_DONE();
}

// With 30 faces on each side the tip has more than the 24 that are taken apart, and no one point sees all: the solid is
// said to be coarse. With 10 on each side, 20 in all, it is not, and no other vertex is.
static void too_many_faces_are_coarse(void **state)
{
    (void)state;
    for (int is_fine = 0; is_fine < 2; ++is_fine) {
        abut_mesh *mesh = make_hourglass(is_fine ? 30 : 10, other_planes);
        abut_brep *brep = make_brep(mesh);
        abut_region_model *model = NULL;
        assert_int_equal(abut_region_model_create(NULL, mesh, brep, &model, NULL), ABUT_OK);
        abut_context context = abut_context_default();
        abut_arena arena;
        abut_arena_init(&arena, &context);
        CHECK_INT(solid_at(model, abut_vec3_make(0, 0, 0), &arena).is_coarse, is_fine, "tip");
        CHECK_INT(solid_at(model, abut_vec3_make(1, 0, 1), &arena).is_coarse, 0, "rim");
        abut_arena_release(&arena);
        abut_region_model_destroy(model);
        abut_brep_destroy(brep);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

/// A solid of two tips, at the origin and far above it, over a rim whose corners go up and down around the tip's level
/// and in and out: at the origin it has convex and reflex edges.
static abut_mesh *make_star(test_random *random, int count)
{
    abut_vec3 vertices[RIM + 2];
    int triangles[6 * RIM];
    double lowest = random_in(random, -0.5, 0.2);
    for (int i = 0; i < count; ++i) {
        double angle = 6.283185307179586 * (i + random_in(random, -0.3, 0.3)) / count;
        double radius = random_in(random, 0.6, 1.4);
        vertices[i] = abut_vec3_make(radius * cos(angle), radius * sin(angle), random_in(random, lowest, 0.9));
        const int pair[6] = {i, (i + 1) % count, count, (i + 1) % count, i, count + 1};
        memcpy(triangles + 6 * i, pair, sizeof pair);
    }
    vertices[count] = abut_vec3_make(0.0, 0.0, 3.0);
    vertices[count + 1] = abut_vec3_make(0.0, 0.0, 0.0);
    return make_triangles(NULL, vertices, count + 2, triangles, 2 * count);
}

/// Of all rays of the pieces of a solid, the smallest product with n.
static double least_of_rays(abut_local_solid solid, abut_vec3 n)
{
    double least = 1.0;
    for (int i = 0; i < solid.count; ++i) {
        for (int k = 0; k < solid.pieces[i].rays.count; ++k) {
            least = fmin(least, abut_dot(n, solid.pieces[i].rays.items[k]));
        }
    }
    return least;
}

// A solid is on one side of a plane exactly if all rays of all of its pieces are. Faces, edges and vertices of random
// solids, with the normals of their faces and random ones.
static void solids_beyond_planes(void **state)
{
    (void)state;
    test_random random = {31};
    int counts[3][2] = {{0}}, tips[2] = {0};
    abut_context context = abut_context_default();
    abut_arena arena;
    abut_arena_init(&arena, &context);
    for (int round = 0; round < 300; ++round) {
        abut_mesh *mesh = make_star(&random, 3 + round % 9);
        abut_brep *brep = make_brep(mesh);
        abut_region_model *model = NULL;
        assert_int_equal(abut_region_model_create(NULL, mesh, brep, &model, NULL), ABUT_OK);
        int tip = vertex_at(model, abut_vec3_make(0.0, 0.0, 0.0));
        const int entities[3] = {model->brep.vertex_count, model->brep.edge_count, model->brep.face_count};
        for (int i = 0; i < 200; ++i) {
            int kind = i % 3;
            abut_entity entity = {(abut_entity_kind)kind, i < 100 ? random_below(&random, entities[kind]) : tip};
            entity.kind = i < 100 ? entity.kind : ABUT_ENTITY_VERTEX;
            abut_vec3 n = i % 2 == 0 ? abut_negate(model->brep.faces[random_below(&random, entities[2])].normal)
                                     : random_unit(&random);
            n = i >= 150 ? abut_unit(abut_add(abut_scale(0.4, n), abut_vec3_make(0.0, 0.0, 1.0))) : n;
            abut_local_solid solid;
            assert_true(abut_region_local_solid(model, entity, abut_mat3_identity(), &arena, &solid));
            double least = least_of_rays(solid, n);
            int is_beyond = abut_region_is_beyond(model, entity, n, 1e-6);
            CHECK((least > -2e-6 && least < -0.5e-6) || is_beyond == (least >= -1e-6),
                  "round %d: entity %d of kind %d, least %g", round, entity.index, (int)entity.kind, least);
            ++counts[entity.kind][is_beyond];
            tips[is_beyond] += i >= 100;
        }
        abut_arena_reset(&arena);
        abut_region_model_destroy(model);
        abut_brep_destroy(brep);
        abut_mesh_destroy(mesh);
    }
    for (int kind = 0; kind < 3; ++kind) {
        CHECK(counts[kind][0] > 100 && counts[kind][1] > 100, "kind %d: %d, %d", kind, counts[kind][0],
              counts[kind][1]);
    }
    CHECK(tips[0] > 1000 && tips[1] > 100, "tips: %d, %d", tips[0], tips[1]);
    abut_arena_release(&arena);
    CHECK_DONE();
}

// Vertices with convex and reflex edges have many pieces, whose rays need several blocks of memory. Whichever
// allocation fails, there is no solid, or it has all of its pieces. Nothing stays behind.
static void solids_without_memory(void **state)
{
    (void)state;
    test_random random = {8};
    int failures = 0;
    for (int count = 12; count <= RIM; count *= 8) {
        abut_mesh *mesh = make_star(&random, count);
        abut_brep *brep = make_brep(mesh);
        for (int k = 1, is_over = 0; !is_over; ++k) {
            failing_heap heap = {.fail_at = k};
            abut_context context = failing_context(&heap);
            abut_region_model *model = NULL;
            abut_status status = abut_region_model_create(&context, mesh, brep, &model, NULL);
            CHECK((status == ABUT_OK) == (model != NULL), "allocation %d", k);
            failures += status == ABUT_NO_MEMORY;
            abut_region_model_destroy(model);
            CHECK_INT(heap.live, 0, "blocks");
            is_over = heap.calls < k;
        }
        abut_region_model *model = NULL;
        assert_int_equal(abut_region_model_create(NULL, mesh, brep, &model, NULL), ABUT_OK);
        abut_entity entity = {ABUT_ENTITY_VERTEX, vertex_at(model, abut_vec3_make(0.0, 0.0, 0.0))};
        int pieces = -1;
        for (int k = 0, is_over = 0; !is_over; ++k) {
            failing_heap heap = {.fail_at = k};
            abut_context context = failing_context(&heap);
            abut_arena arena;
            abut_arena_init(&arena, &context);
            abut_local_solid solid;
            int is_done = abut_region_local_solid(model, entity, abut_mat3_identity(), &arena, &solid);
            pieces = k == 0 ? solid.count : pieces;
            CHECK(!is_done || solid.count == pieces, "allocation %d: %d pieces of %d", k, solid.count, pieces);
            failures += !is_done;
            is_over = k > 0 && heap.calls < k;
            abut_arena_release(&arena);
            CHECK_INT(heap.live, 0, "blocks");
        }
        CHECK(pieces > 2, "%d pieces", pieces);
        abut_region_model_destroy(model);
        abut_brep_destroy(brep);
        abut_mesh_destroy(mesh);
    }
    CHECK(failures > 10, "%d failures", failures);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surfaces_that_meet_in_a_point),
        cmocka_unit_test(surfaces_that_meet_in_a_point_with_common_planes),
        cmocka_unit_test(too_many_faces_are_coarse),
        cmocka_unit_test(solids_beyond_planes),
        cmocka_unit_test(solids_without_memory),
    };
    return cmocka_run_group_tests_name("region models", tests, NULL, NULL);
}
