// SPDX-License-Identifier: MIT
// test_cone.c: cones of directions, and feasible motions of touching solids, with answers derived on paper
#include "region/motions.h"

#include "check.h"
#include "random.h"

#include "base/context.h"

static const double ANGLE = 1e-9;

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

static abut_arena start_arena(void)
{
    abut_arena arena;
    abut_context context = abut_context_default();
    abut_arena_init(&arena, &context);
    return arena;
}

static int has_direction(abut_directions list, abut_vec3 d)
{
    int found = 0;
    for (int i = 0; i < list.count; ++i) {
        found += abut_norm(abut_sub(list.items[i], abut_unit(d))) < 1e-7;
    }
    return found;
}

// No constraint: six rays along the axes. One: a half-space, its normal and two lines. Two at right angles: a wedge,
// the line and the two normals. Three: the octant's edges. z >= 0 and -z >= 0: a plane. x >= 0, y >= 0, -x - y >= 0:
// only the z axis.
static void rays_of_simple_cones(void **state)
{
    (void)state;
    abut_arena arena = start_arena();
    const abut_vec3 c[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int expected[] = {6, 5, 4, 3};
    for (int count = 0; count <= 3; ++count) {
        abut_directions constraints = {c, count}, rays;
        assert_true(abut_cone_rays(&arena, constraints, ANGLE, &rays));
        CHECK_INT(rays.count, expected[count], "rays");
        for (int i = 0; i < count; ++i) {
            CHECK_INT(has_direction(rays, c[i]), 1, "the normals of a right-angled cone are its rays");
        }
    }
    const abut_vec3 plane[] = {{0, 0, 1}, {0, 0, -1}};
    const abut_vec3 line[] = {{1, 0, 0}, {0, 1, 0}, {-0.6, -0.8, 0}};
    abut_directions constraints = {plane, 2}, rays;
    assert_true(abut_cone_rays(&arena, constraints, ANGLE, &rays));
    CHECK_INT(rays.count, 4, "a plane");
    constraints.items = line;
    constraints.count = 3;
    assert_true(abut_cone_rays(&arena, constraints, ANGLE, &rays));
    CHECK_INT(rays.count, 2, "a line");
    CHECK_INT(has_direction(rays, v3(0, 0, 1)) + has_direction(rays, v3(0, 0, -1)), 2, "along z");
    abut_arena_release(&arena);
    CHECK_DONE();
}

// The cone z >= 0, y >= 0, d x - y >= 0 has the rays (1, 0, 0), (1, d, 0) and (0, 0, 1). The first two are d apart.
// Rays are known to some angles only: they are one if they are within 4 angles, so 2 angles apart there are two rays,
// and 10 angles apart there are three.
static void near_rays_are_one(void **state)
{
    (void)state;
    abut_arena arena = start_arena();
    const double angle = 1e-4, apart[] = {2.0, 10.0};
    for (int i = 0; i < 2; ++i) {
        const abut_vec3 c[] = {{0, 0, 1}, {0, 1, 0}, abut_unit(v3(apart[i] * angle, -1, 0))};
        abut_directions constraints = {c, 3}, rays;
        assert_true(abut_cone_rays(&arena, constraints, angle, &rays));
        CHECK_INT(rays.count, i == 0 ? 2 : 3, "rays");
        CHECK_INT(has_direction(rays, v3(0, 0, 1)), 1, "upright");
    }
    abut_arena_release(&arena);
    CHECK_DONE();
}

// A half-space with the normal z allows v with v_z >= 0. A constraint that is tilted by t against z lets motions pass
// that sink into the half-space, at an angle of up to t. They count if they sink clearly, by more than a few angles:
// half of t, in the middle of the wedge between the two planes, must be more than 8 angles.
static void tilted_constraints_are_not_enough(void **state)
{
    (void)state;
    abut_arena arena = start_arena();
    const double angle = 1e-3, tilts[] = {0.0, 0.5 * angle, 100.0 * angle};
    const abut_vec3 normal[] = {{0, 0, 1}};
    abut_directions clause = {normal, 1};
    abut_feasible feasible = {.clauses = &clause, .clause_count = 1};
    for (int i = 0; i < 3; ++i) {
        const abut_vec3 tilted[] = {{sin(tilts[i]), 0, cos(tilts[i])}};
        abut_directions constraints = {tilted, 1};
        CHECK_INT(abut_feasible_contains(&arena, &feasible, constraints, angle), i < 2, "tilted");
    }
    abut_arena_release(&arena);
    CHECK_DONE();
}

// Random cones: every ray satisfies all constraints, and every direction that satisfies them is a sum of rays. For the
// latter, each constraint must be a sum of rays of the dual of the rays: the rays of its dual are then on its side.
static void rays_span_random_cones(void **state)
{
    (void)state;
    test_random random = {3};
    for (int round = 0; round < 2000; ++round) {
        abut_arena arena = start_arena();
        abut_vec3 c[6];
        int count = 3 + random_below(&random, 4);
        for (int i = 0; i < count; ++i) {
            c[i] = random_unit(&random);
        }
        abut_directions constraints = {c, count}, rays, dual;
        assert_true(abut_cone_rays(&arena, constraints, ANGLE, &rays));
        for (int i = 0; i < rays.count; ++i) {
            for (int k = 0; k < count; ++k) {
                CHECK(abut_dot(rays.items[i], c[k]) >= -1e-8, "ray %d constraint %d", i, k);
            }
        }
        if (rays.count >= 3) {
            // the rays of the dual of the rays are the constraints that matter; the cone of these has the same rays
            abut_directions again;
            assert_true(abut_cone_rays(&arena, rays, ANGLE, &dual) && abut_cone_rays(&arena, dual, ANGLE, &again));
            for (int k = 0; k < count; ++k) {
                CHECK(abut_cone_implies(again, c[k], 1e-7), "round %d: constraint %d of %d", round, k, count);
            }
        }
        // if no ray was found, no direction satisfies the constraints
        for (int i = 0; i < 200 && rays.count == 0; ++i) {
            abut_vec3 v = random_unit(&random);
            double least = 1.0;
            for (int k = 0; k < count; ++k) {
                least = fmin(least, abut_dot(v, c[k]));
            }
            CHECK(least < 1e-6, "round %d", round);
        }
        abut_arena_release(&arena);
    }
    CHECK_DONE();
}

// Distance to the octant: 0 inside; (-1, 2, 3) is 1 from the face x = 0; (-1, -2, 3) is sqrt(5) from the edge;
// (-1, -2, -3) is sqrt(14) from the apex.
static void distance_to_the_octant(void **state)
{
    (void)state;
    const abut_vec3 c[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    abut_directions octant = {c, 3};
    CHECK_NEAR(abut_cone_distance(octant, v3(1, 2, 3)), 0.0, 0.0, "inside");
    CHECK_NEAR(abut_cone_distance(octant, v3(-1, 2, 3)), 1.0, 1e-15, "face");
    CHECK_NEAR(abut_cone_distance(octant, v3(-1, -2, 3)), sqrt(5.0), 1e-15, "edge");
    CHECK_NEAR(abut_cone_distance(octant, v3(-1, -2, -3)), sqrt(14.0), 1e-15, "apex");
    CHECK_DONE();
}

/// A convex piece by the outward normals of its faces.
static abut_piece piece_of(abut_arena *arena, const abut_vec3 *normals, int count)
{
    abut_vec3 inward[8];
    for (int i = 0; i < count; ++i) {
        inward[i] = abut_negate(abut_unit(normals[i]));
    }
    abut_directions constraints = {inward, count};
    abut_piece piece = {.is_half_space = count == 1, .normal = abut_unit(normals[0])};
    assert_true(abut_cone_rays(arena, constraints, ANGLE, &piece.rays));
    return piece;
}

// A spike (tip down, faces with slope 3) against: the ground; a pit of four walls at 45 degrees; a saddle y <= -|x| /
// 2 + |z| / 2; another spike. On paper: the ground's normal; the four walls in one cone; two cones of two faces each;
// four half-spaces.
static void feasible_motions_of_a_spike(void **state)
{
    (void)state;
    abut_arena arena = start_arena();
    const abut_vec3 spike[] = {{3, -1, 0}, {-3, -1, 0}, {0, -1, 3}, {0, -1, -3}};
    const abut_vec3 up[] = {{0, 1, 0}};
    const abut_vec3 walls[] = {{1, 1, 0}, {-1, 1, 0}, {0, 1, 1}, {0, 1, -1}};
    const abut_vec3 front[] = {{1, 2, -1}, {-1, 2, -1}}, back[] = {{1, 2, 1}, {-1, 2, 1}};
    const abut_vec3 other[] = {{3, 1, 0}, {-3, 1, 0}, {0, 1, 3}, {0, 1, -3}};
    abut_piece b[1] = {piece_of(&arena, spike, 4)};
    abut_local_solid solid_b = {b, 1, 0};
    abut_feasible feasible;

    abut_piece ground[1] = {piece_of(&arena, up, 1)};
    abut_local_solid a = {ground, 1, 0};
    assert_true(abut_feasible_motions(&arena, a, solid_b, ANGLE, &feasible) &&
                abut_feasible_cones(&arena, ANGLE, &feasible));
    CHECK_INT(feasible.cone_count, 1, "ground");
    CHECK(feasible.cones[0].count == 1 && has_direction(feasible.cones[0], up[0]), "its normal");

    abut_piece pit[4];
    for (int i = 0; i < 4; ++i) {
        pit[i] = piece_of(&arena, &walls[i], 1);
    }
    a.pieces = pit;
    a.count = 4;
    assert_true(abut_feasible_motions(&arena, a, solid_b, ANGLE, &feasible) &&
                abut_feasible_cones(&arena, ANGLE, &feasible));
    CHECK_INT(feasible.cone_count, 1, "pit");
    CHECK_INT(feasible.cones[0].count, 4, "walls");
    CHECK_INT(abut_feasible_contains(&arena, &feasible, feasible.cones[0], ANGLE), 1, "contains its own cone");
    abut_directions three = {feasible.cones[0].items, 3};
    CHECK_INT(abut_feasible_contains(&arena, &feasible, three, ANGLE), 0, "three walls do not keep it in");

    abut_piece saddle[2] = {piece_of(&arena, front, 2), piece_of(&arena, back, 2)};
    a.pieces = saddle;
    a.count = 2;
    assert_true(abut_feasible_motions(&arena, a, solid_b, ANGLE, &feasible) &&
                abut_feasible_cones(&arena, ANGLE, &feasible));
    CHECK_INT(feasible.cone_count, 2, "saddle");
    for (int i = 0; i < feasible.cone_count; ++i) {
        double side = feasible.cones[i].items[0].x > 0.0 ? 1.0 : -1.0;
        CHECK_INT(feasible.cones[i].count, 2, "two faces");
        CHECK(has_direction(feasible.cones[i], v3(side, 2, 1)) && has_direction(feasible.cones[i], v3(side, 2, -1)),
              "the two faces next to one falling ridge");
    }

    abut_piece peak[1] = {piece_of(&arena, other, 4)};
    a.pieces = peak;
    a.count = 1;
    assert_true(abut_feasible_motions(&arena, a, solid_b, ANGLE, &feasible) &&
                abut_feasible_cones(&arena, ANGLE, &feasible));
    CHECK_INT(feasible.cone_count, 4, "spikes");
    for (int i = 0; i < feasible.cone_count; ++i) {
        CHECK_INT(feasible.cones[i].count, 1, "half-spaces");
    }
    abut_arena_release(&arena);
    CHECK_DONE();
}

// Random convex cones in touching position: v is feasible exactly if no direction of B's cone moved by a little v is
// inside A's: sampled on many directions.
static void feasible_motions_by_sampling(void **state)
{
    (void)state;
    test_random random = {8};
    for (int round = 0; round < 300; ++round) {
        abut_arena arena = start_arena();
        // A below the plane y = 0, B above it, both pointed cones
        abut_vec3 rays_a[4], rays_b[4];
        for (int i = 0; i < 4; ++i) {
            rays_a[i] = random_unit(&random);
            rays_b[i] = random_unit(&random);
            rays_a[i].y = -fabs(rays_a[i].y) - 0.1;
            rays_b[i].y = fabs(rays_b[i].y) + 0.1;
            rays_a[i] = abut_unit(rays_a[i]);
            rays_b[i] = abut_unit(rays_b[i]);
        }
        abut_piece a[1] = {{.rays = {rays_a, 4}}}, b[1] = {{.rays = {rays_b, 4}}};
        abut_local_solid solid_a = {a, 1, 0}, solid_b = {b, 1, 0};
        abut_feasible feasible;
        assert_true(abut_feasible_motions(&arena, solid_a, solid_b, ANGLE, &feasible) &&
                    abut_feasible_cones(&arena, ANGLE, &feasible));
        for (int i = 0; i < 50; ++i) {
            // a motion that takes an inner point of B's cone to an inner point of A's is not feasible
            abut_vec3 p = v3(0, 0, 0), q = v3(0, 0, 0);
            for (int k = 0; k < 4; ++k) {
                p = abut_add_scaled(p, random_in(&random, 0.05, 1.0), rays_a[k]);
                q = abut_add_scaled(q, random_in(&random, 0.05, 1.0), rays_b[k]);
            }
            abut_vec3 v = abut_sub(p, q);
            int is_feasible = 0;
            for (int k = 0; k < feasible.cone_count; ++k) {
                is_feasible |= abut_cone_distance(feasible.cones[k], v) == 0.0;
            }
            CHECK(!is_feasible, "round %d: forbidden motion", round);
            // moving up is always feasible
        }
        int up = 0;
        for (int k = 0; k < feasible.cone_count; ++k) {
            up |= abut_cone_distance(feasible.cones[k], v3(0, 1, 0)) == 0.0;
        }
        CHECK(up, "round %d: up", round);
        abut_arena_release(&arena);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_of_simple_cones),
        cmocka_unit_test(rays_span_random_cones),
        cmocka_unit_test(distance_to_the_octant),
        cmocka_unit_test(feasible_motions_of_a_spike),
        cmocka_unit_test(feasible_motions_by_sampling),
        cmocka_unit_test(near_rays_are_one),
        cmocka_unit_test(tilted_constraints_are_not_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
