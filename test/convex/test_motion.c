// SPDX-License-Identifier: MIT
// test_motion.c: the signed distance along motions: memory, continuity, and the paper's conditions on normals and
// points
#include "pairs.h"

// A random walk of a pair: small steps, kept close to a given distance.
typedef struct walk {
    test_convex a, b;
    abut_convex_pair pair;
    test_random random;
} walk;

static walk begin_walk(uint64_t seed, int count)
{
    walk w = {.random = {seed}};
    w.a = count == 8 ? make_convex_box(1.0, 0.8, 0.6) : make_convex_ball(&w.random, count, abut_vec3_make(1, 1, 1));
    w.b =
        count == 8 ? make_convex_box(0.5, 1.0, 0.7) : make_convex_ball(&w.random, count, abut_vec3_make(1, 0.8, 1));
    w.pair = abut_convex_pair_default(w.a.convex, w.b.convex);
    w.pair.pose_b.position = abut_vec3_make(1.8, 0.3, 0.2);
    return w;
}

static void end_walk(walk *w)
{
    release_convex(&w->a);
    release_convex(&w->b);
}

static void step_walk(walk *w, double size, double wanted)
{
    abut_pose *b = &w->pair.pose_b;
    abut_convex_result r;
    assert_int_equal(abut_convex_distance(&w->pair, NULL, NULL, &r), ABUT_OK);
    b->position = abut_add_scaled(b->position, size, random_unit(&w->random));
    b->position = abut_add_scaled(b->position, r.distance < wanted ? 0.5 * size : -0.5 * size, r.normal);
    b->rotation =
        abut_quat_unit(abut_quat_multiply(abut_quat_from_axis(random_unit(&w->random), size), b->rotation));
}

// With and without memory, the distance is the same on long walks: apart, overlapping, and from one to the other.
static void memory_changes_nothing(void **state)
{
    (void)state;
    const int counts[] = {8, 20, 200, 1000};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; ++k) {
        walk w = begin_walk(77 + k, counts[k]);
        abut_convex_memory memory = {{0}, {0.0, 0.0, 0.0}};
        int by_memory = 0, fallbacks = 0, steps = 6000;
        for (int i = 0; i < steps; ++i) {
            step_walk(&w, 2e-3, 0.1 * sin(i * 0.005));
            abut_convex_result warm, cold;
            CHECK_STATUS(abut_convex_distance(&w.pair, &memory, &memory, &warm), ABUT_OK, "warm");
            CHECK_STATUS(abut_convex_distance(&w.pair, NULL, NULL, &cold), ABUT_OK, "cold");
            CHECK(fabs(warm.distance - cold.distance) <= 1e-14, "step %d: %.17g with memory, %.17g without", i,
                  warm.distance, cold.distance);
            CHECK(warm.certificate.upper - warm.certificate.lower <= 1e-13, "step %d: not proven", i);
            by_memory += warm.axis_count <= 1;
            fallbacks += warm.fallback_count + cold.fallback_count;
        }
        CHECK(by_memory > steps / 2, "%d of %d steps by memory", by_memory, steps);
        CHECK(fallbacks < steps / 100, "%d fallbacks in %d steps", fallbacks, steps);
        end_walk(&w);
    }
    CHECK_DONE();
}

// A memory of another pair, or random bytes, changes no distance and causes no access out of bounds.
static void foreign_memory_is_harmless(void **state)
{
    (void)state;
    walk w = begin_walk(5, 20);
    abut_convex_result cold;
    for (int i = 0; i < 20000; ++i) {
        if (i % 1000 == 0) { // apart, and overlapping more and more
            w.pair.pose_b.position.x = 1.8 - i * 5e-5;
            CHECK_STATUS(abut_convex_distance(&w.pair, NULL, NULL, &cold), ABUT_OK, "cold");
        }
        abut_convex_memory memory;
        memory.state[0] = 1 + random_below(&w.random, 2);
        for (int k = 1; k < 8; ++k) {
            memory.state[k] = random_below(&w.random, 40) - 5;
        }
        memory.normal = random_unit(&w.random);
        abut_convex_result warm;
        CHECK_STATUS(abut_convex_distance(&w.pair, &memory, NULL, &warm), ABUT_OK, "any memory");
        CHECK_NEAR(warm.distance, cold.distance, 1e-14, "any memory");
    }
    end_walk(&w);
    CHECK_DONE();
}

// Separation of the bodies along a direction, over all vertices.
static double gap_along(const abut_convex_pair *pair, abut_vec3 n)
{
    double highest = -HUGE_VAL, lowest = HUGE_VAL;
    for (int i = 0; i < abut_convex_get_info(pair->a).vertex_count; ++i) {
        highest = fmax(highest, abut_dot(n, abut_pose_apply(pair->pose_a, abut_convex_vertex(pair->a, i, NULL))));
    }
    for (int i = 0; i < abut_convex_get_info(pair->b).vertex_count; ++i) {
        lowest = fmin(lowest, abut_dot(n, abut_pose_apply(pair->pose_b, abut_convex_vertex(pair->b, i, NULL))));
    }
    return lowest - highest;
}

// A step of B by d changes the signed distance by at most |d|. For disjoint bodies, the vector between the closest
// points changes by at most |d| too. For overlapping bodies the normal may jump, but only if the old direction is
// still within 2 |d| of the best.
static int check_step(const abut_convex_pair *pair, const abut_convex_result *last, const abut_convex_result *r,
                      double moved, int step)
{
    CHECK(fabs(r->distance - last->distance) <= moved + 1e-14, "step %d: %g for a motion of %g", step,
          fabs(r->distance - last->distance), moved);
    if (r->distance > 0.0 && last->distance > 0.0) {
        abut_vec3 way = abut_scale(r->distance, r->normal), before = abut_scale(last->distance, last->normal);
        CHECK(abut_norm(abut_sub(way, before)) <= moved + 1e-13, "step %d: the way turned by %g for %g", step,
              abut_norm(abut_sub(way, before)), moved);
        return 0;
    }
    double lost = r->distance - gap_along(pair, last->normal);
    CHECK(lost >= -1e-13 && lost <= 2.0 * moved + 1e-13, "step %d: the old direction is worse by %g, moved by %g",
          step, lost, moved);
    return abut_dot(r->normal, last->normal) < cos(0.05);
}

static void distance_is_lipschitz(void **state)
{
    (void)state;
    const int counts[] = {12, 30, 100};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; ++k) {
        walk w = begin_walk(9 + k, counts[k]);
        abut_vec3 last_position = w.pair.pose_b.position;
        abut_convex_result last, r;
        CHECK_STATUS(abut_convex_distance(&w.pair, NULL, NULL, &last), ABUT_OK, "start");
        int jumps = 0;
        for (int i = 0; i < 3000; ++i) {
            abut_vec3 step = abut_scale(2e-2, random_unit(&w.random));
            step = abut_add_scaled(step, last.distance < 0.3 * sin(i * 0.01) ? 1e-2 : -1e-2, last.normal);
            w.pair.pose_b.position = abut_add(w.pair.pose_b.position, step);
            CHECK_STATUS(abut_convex_distance(&w.pair, NULL, NULL, &r), ABUT_OK, "walk");
            double moved = abut_norm(abut_sub(w.pair.pose_b.position, last_position));
            jumps += check_step(&w.pair, &last, &r, moved, i);
            last = r;
            last_position = w.pair.pose_b.position;
        }
        CHECK(jumps > 0, "%d vertices: no jump", counts[k]);
        end_walk(&w);
    }
    CHECK_DONE();
}

// The paper's first necessary condition: a small motion of B along the normal increases the distance by as much.
static void normal_parts_the_bodies(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        walk w = begin_walk(seed, seed % 2 == 0 ? 8 : 25);
        w.pair.pose_b.position = random_vec3(&w.random, 1.5);
        w.pair.pose_b.rotation = random_rotation(&w.random);
        abut_convex_result before, after;
        CHECK_STATUS(abut_convex_distance(&w.pair, NULL, NULL, &before), ABUT_OK, "before");
        w.pair.pose_b.position = abut_add_scaled(w.pair.pose_b.position, 1e-4, before.normal);
        CHECK_STATUS(abut_convex_distance(&w.pair, NULL, NULL, &after), ABUT_OK, "after");
        CHECK_NEAR(after.distance - before.distance, 1e-4, 1e-13, "gain");
        end_walk(&w);
    }
    CHECK_DONE();
}

static abut_vec3 random_velocity(test_random *random)
{
    return random_vec3(random, 1.0);
}

// Condition (6): if no contact point approaches, n . (v_B - v_A) >= 0, the distance does not decrease. B moves by a
// translation and a rotation, for a time so short that the second-order term, at most (w r)^2 t, is below the limit.
static void parting_points_part_the_bodies(void **state)
{
    (void)state;
    int tested = 0;
    const double time = 1e-7;
    for (uint64_t seed = 0; seed < 600; ++seed) {
        walk w = begin_walk(seed, seed % 3 == 0 ? 25 : 8);
        abut_convex_result r;
        if (seed % 3 == 1) { // flat on a face
            w.pair.pose_b.position = abut_vec3_make(random_in(&w.random, -1, 1), random_in(&w.random, -1, 1), 1.3);
        } else {
            w.pair.pose_b.rotation = random_rotation(&w.random);
            CHECK_STATUS(abut_convex_distance(&w.pair, NULL, NULL, &r), ABUT_OK, "first");
            w.pair.pose_b.position = abut_add_scaled(w.pair.pose_b.position, -r.distance, r.normal);
        }
        CHECK_STATUS(abut_convex_distance(&w.pair, NULL, NULL, &r), ABUT_OK, "kissing");
        abut_convex_point points[32];
        abut_convex_manifold m = {.points = points, .capacity = 32};
        CHECK_STATUS(abut_convex_find_manifold(&w.pair, &r, &m), ABUT_OK, "manifold");
        for (int i = 0; i < 20; ++i) {
            abut_vec3 v = random_velocity(&w.random), spin = random_velocity(&w.random);
            double least = HUGE_VAL;
            for (int k = 0; k < m.count; ++k) {
                abut_vec3 arm = abut_sub(points[k].position_b, w.pair.pose_b.position);
                least = fmin(least, abut_dot(r.normal, abut_add(v, abut_cross(spin, arm))));
            }
            v = abut_add_scaled(v, -least, r.normal); // now the slowest point has speed 0
            abut_convex_pair moved = w.pair;
            moved.pose_b.position = abut_add_scaled(moved.pose_b.position, time, v);
            double rate = abut_norm(spin);
            abut_quat turn = abut_quat_from_axis(abut_scale(1.0 / rate, spin), rate * time);
            moved.pose_b.rotation = abut_quat_unit(abut_quat_multiply(turn, moved.pose_b.rotation));
            abut_convex_result next;
            CHECK_STATUS(abut_convex_distance(&moved, NULL, NULL, &next), ABUT_OK, "moved");
            CHECK(next.distance >= r.distance - 20.0 * time * time - 1e-14, "seed %d: %g lost", (int)seed,
                  r.distance - next.distance);
            ++tested;
        }
        end_walk(&w);
    }
    CHECK_INT(tested, 12000, "motions");
    CHECK_DONE();
}

// Figure 2: a small box over the edge of a large one. All contacts share one normal, so moving along it by the depth
// separates the boxes. A different normal for each contact would lock them.
static void boxes_do_not_interlock(void **state)
{
    (void)state;
    test_convex large = make_convex_box(2.0, 1.0, 1.0), small = make_convex_box(0.3, 0.3, 0.3);
    for (int i = 0; i <= 40; ++i) {
        abut_convex_pair pair = abut_convex_pair_default(large.convex, small.convex);
        // slides from inside the top face over its edge, 0.1 deep; from x = 2.2 on, the shortest way out is sideways
        pair.pose_b.position = abut_vec3_make(1.5 + 0.02 * i, 1.2, 0.0);
        abut_convex_result r;
        CHECK_STATUS(abut_convex_distance(&pair, NULL, NULL, &r), ABUT_OK, "sliding");
        abut_convex_point points[16];
        abut_convex_manifold m = {.points = points, .capacity = 16};
        CHECK_STATUS(abut_convex_find_manifold(&pair, &r, &m), ABUT_OK, "manifold");
        CHECK(m.count == 4 && m.repair_count == 0, "step %d: %d points", i, m.count);
        CHECK_NEAR(r.distance, -fmin(0.1, 0.8 - 0.02 * i), 1e-14, "depth");
        pair.pose_b.position = abut_add_scaled(pair.pose_b.position, -r.distance, r.normal);
        CHECK_STATUS(abut_convex_distance(&pair, NULL, NULL, &r), ABUT_OK, "moved");
        CHECK_NEAR(r.distance, 0.0, 1e-14, "parted");
    }
    release_convex(&large);
    release_convex(&small);
    CHECK_DONE();
}

// Figure 3: a ball in the top of a long box, far from its middle: the normal is that of the face, not the line of
// centres.
static void long_box_gives_the_face_normal(void **state)
{
    (void)state;
    test_random random = {3};
    test_convex box = make_convex_box(20.0, 1.0, 1.0);
    test_convex ball = make_convex_ball(&random, 200, abut_vec3_make(0.5, 0.5, 0.5));
    abut_convex_pair pair = abut_convex_pair_default(box.convex, ball.convex);
    pair.pose_b.position = abut_vec3_make(17.0, 1.4, 0.0);
    abut_convex_result r;
    CHECK_STATUS(abut_convex_distance(&pair, NULL, NULL, &r), ABUT_OK, "ball");
    CHECK_NEAR(r.normal.y, 1.0, 1e-15, "normal");
    CHECK(r.distance < -0.05 && r.distance > -0.11, "distance %g", r.distance);
    release_convex(&box);
    release_convex(&ball);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_changes_nothing),         cmocka_unit_test(foreign_memory_is_harmless),
        cmocka_unit_test(distance_is_lipschitz),          cmocka_unit_test(normal_parts_the_bodies),
        cmocka_unit_test(parting_points_part_the_bodies), cmocka_unit_test(boxes_do_not_interlock),
        cmocka_unit_test(long_box_gives_the_face_normal),
    };
    return cmocka_run_group_tests_name("convex motion", tests, NULL, NULL);
}
