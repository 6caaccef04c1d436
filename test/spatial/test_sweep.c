// SPDX-License-Identifier: MIT
// test_sweep.c: the time of the first touch beside closed forms and beside dense sampling with exact intersections
#include "effort.h"
#include "random.h"
#include "round_bodies.h"

#include <abut/sweep.h>
#include <abut/world.h>

typedef struct scene {
    abut_mesh *meshes[2];
    abut_tree *trees[2];
} scene;

static scene make_scene(abut_mesh *a, abut_mesh *b)
{
    scene s = {{a, b}, {make_tree(a), make_tree(b)}};
    return s;
}

static void drop_scene(scene *s)
{
    for (int i = 0; i < 2; ++i) {
        abut_tree_destroy(s->trees[i]);
        abut_mesh_destroy(s->meshes[i]);
    }
}

static abut_mesh *box(double x0, double y0, double z0, double x1, double y1, double z1)
{
    return make_box(NULL, abut_vec3_make(x0, y0, z0), abut_vec3_make(x1, y1, z1));
}

static abut_sweep_hit run(const abut_sweep_def *def)
{
    abut_sweep_hit hit;
    abut_error error;
    abut_status status = abut_sweep(def, &hit, &error);
    CHECK(status == ABUT_OK, "%s", status == ABUT_OK ? "" : error.text);
    return hit;
}

// A sweep in which B moves by `way` within the duration 1.
static abut_sweep_hit slide(const scene *s, abut_vec3 from, abut_vec3 way)
{
    abut_sweep_def def = abut_sweep_def_default(s->trees[0], s->trees[1]);
    def.motion_b.pose.position = from;
    def.motion_b.linear_velocity = way;
    return run(&def);
}

// The same motions, seen from a frame that is turned, scaled, far away and moving; A and B swapped.
static void in_other_frames(const abut_sweep_def *def, const abut_sweep_hit *expected, const char *label)
{
    test_random random = {5};
    for (int i = 0; i < 8; ++i) {
        abut_pose frame = {random_vec3(&random, 100.0), random_rotation(&random)};
        abut_vec3 drift = random_vec3(&random, 10.0);
        abut_motion moved[2] = {def->motion_a, def->motion_b};
        for (int k = 0; k < 2; ++k) {
            moved[k].pose = abut_pose_multiply(frame, moved[k].pose);
            moved[k].linear_velocity = abut_add(abut_quat_rotate(frame.rotation, moved[k].linear_velocity), drift);
            moved[k].angular_velocity = abut_quat_rotate(frame.rotation, moved[k].angular_velocity);
        }
        abut_sweep_def other = *def;
        int is_swapped = i % 2;
        other.a = is_swapped ? def->b : def->a;
        other.b = is_swapped ? def->a : def->b;
        other.motion_a = moved[is_swapped];
        other.motion_b = moved[!is_swapped];
        abut_sweep_hit hit = run(&other);
        CHECK(hit.is_hit == expected->is_hit && fabs(hit.time - expected->time) < 2e-9 * def->duration,
              "%s, frame %d: hit %d at %.17g instead of %d at %.17g", label, i, hit.is_hit, hit.time,
              expected->is_hit, expected->time);
    }
}

// A cube of side 1 falls by 3 from height 2 above a plate: it touches at 2/3. Beside the plate it falls on. Its face is
// level with the plate's side if it falls exactly along it: nothing is hit.
static void cube_falls(void **state)
{
    (void)state;
    scene s = make_scene(box(-5, -5, -1, 5, 5, 0), box(0, 0, 0, 1, 1, 1));
    const abut_vec3 down = {0.0, 0.0, -3.0};
    abut_sweep_hit hit = slide(&s, abut_vec3_make(0.25, 0.5, 2.0), down);
    CHECK(hit.is_hit && hit.time <= 2.0 / 3.0 && hit.time > 2.0 / 3.0 - 1e-12, "time %.17g", hit.time);
    CHECK(fabs(hit.normal.z - 1.0) < 1e-12 && fabs(hit.gap) < 1e-12, "normal z %g, gap %g", hit.normal.z, hit.gap);
    CHECK(fabs(hit.a.point.z) < 1e-12 && hit.b.vertex_count >= 1, "point z %g", hit.a.point.z);
    abut_sweep_def def = abut_sweep_def_default(s.trees[0], s.trees[1]);
    def.motion_b.pose.position = abut_vec3_make(0.25, 0.5, 2.0);
    def.motion_b.linear_velocity = down;
    in_other_frames(&def, &hit, "falling");
    CHECK(!slide(&s, abut_vec3_make(5.5, 0.5, 2.0), down).is_hit, "beside");
    CHECK(!slide(&s, abut_vec3_make(5.0, 0.5, 2.0), down).is_hit, "along the side");
    CHECK(slide(&s, abut_vec3_make(5.0 - 1e-3, 0.5, 2.0), down).is_hit, "a thousandth of the side");
    CHECK(!slide(&s, abut_vec3_make(0.25, 0.5, 2.0), abut_vec3_make(0.0, 0.0, -1.9)).is_hit, "too short");
    CHECK(slide(&s, abut_vec3_make(0.25, 0.5, 2.0), abut_vec3_make(0.0, 0.0, -2.0)).is_hit, "at the very end");
    drop_scene(&s);
    CHECK_DONE();
}

// Far faster than its size, and through something thin: a cube that moves by 1000 of its sides meets a sheet.
static void nothing_is_passed(void **state)
{
    (void)state;
    const abut_vec3 corners[4] = {{-3, -3, 0}, {3, -3, 0}, {3, 3, 0}, {-3, 3, 0}};
    static const int triangles[6] = {0, 1, 2, 0, 2, 3};
    scene s = make_scene(make_triangles(NULL, corners, 4, triangles, 2), box(-0.5, -0.5, -0.5, 0.5, 0.5, 0.5));
    abut_sweep_hit hit = slide(&s, abut_vec3_make(0.1, 0.2, 500.0), abut_vec3_make(0.0, 0.0, -1000.0));
    CHECK(hit.is_hit && fabs(hit.time - 0.4995) < 1e-12, "time %.17g", hit.time);
    drop_scene(&s);
    // A sheet falls flat on a sheet, where no normal tells the sides apart.
    s = make_scene(make_triangles(NULL, corners, 4, triangles, 2), make_triangles(NULL, corners, 4, triangles, 2));
    hit = slide(&s, abut_vec3_make(0.1, 0.2, 1.0), abut_vec3_make(0.0, 0.0, -4.0));
    CHECK(hit.is_hit && fabs(hit.time - 0.25) < 1e-12, "flat: time %.17g", hit.time);
    drop_scene(&s);
    CHECK_DONE();
}

// A box on the floor of an L slides to its wall, 1 away; also if it has sunk a little, and if it starts at the wall.
static void box_slides_to_a_wall(void **state)
{
    (void)state;
    static const double sunk[3] = {0.0, 1e-8, -1e-8};
    scene s = make_scene(make_l(NULL, 1.0), box(0, 0, 0, 0.5, 0.5, 0.5));
    for (int i = 0; i < 3; ++i) {
        // along the floor y = 1, from x = 2 - 0.5 to the wall x = 1; the L's inner corner is at (1, 1)
        abut_vec3 from = {1.5, 1.0 - sunk[i], 0.25};
        abut_sweep_hit hit = slide(&s, from, abut_vec3_make(-2.0, 0.0, 0.0));
        CHECK(hit.is_hit && fabs(hit.time - 0.25) < 1e-12 && fabs(hit.normal.x - 1.0) < 1e-9,
              "sunk %g: hit %d at %.17g, normal x %g", sunk[i], hit.is_hit, hit.time, hit.normal.x);
        CHECK(!slide(&s, from, abut_vec3_make(1.0, 0.0, 0.0)).is_hit, "away, sunk %g", sunk[i]);
        CHECK(!slide(&s, from, abut_vec3_make(1.0, 1.0, 0.3)).is_hit, "up, sunk %g", sunk[i]);
        hit = slide(&s, from, abut_vec3_make(0.1, -1e-3, 0.0));
        CHECK(hit.is_hit && hit.time <= 1.1e-5, "down, sunk %g: hit %d at %g", sunk[i], hit.is_hit, hit.time);
    }
    abut_sweep_def def = abut_sweep_def_default(s.trees[0], s.trees[1]);
    def.motion_b.pose.position = abut_vec3_make(1.5, 1.0, 0.25);
    def.motion_b.linear_velocity = abut_vec3_make(-2.0, 0.0, 0.0);
    abut_sweep_hit hit = run(&def);
    in_other_frames(&def, &hit, "wall");
    drop_scene(&s);
    CHECK_DONE();
}

// Over the seam of flush plates, which may be 1e-8 higher or lower up to the tolerance of 1e-6: not hit. A step of 1e-3 is.
static void seams_are_passed(void **state)
{
    (void)state;
    static const double steps[5] = {0.0, 1e-8, -1e-8, 1e-3, -1e-3};
    for (int i = 0; i < 5; ++i) {
        scene s = make_scene(box(1, -2, -1, 9, 2, steps[i]), box(-0.5, -0.5, 0, 0.5, 0.5, 1));
        abut_sweep_hit hit = slide(&s, abut_vec3_make(-1.0, 0.0, 0.0), abut_vec3_make(6.0, 0.0, 0.0));
        int is_step = steps[i] > 1e-6;
        CHECK(hit.is_hit == is_step && (!is_step || fabs(hit.time - 0.25) < 1e-12), "step %g: hit %d at %g",
              steps[i], hit.is_hit, hit.time);
        drop_scene(&s);
    }
    CHECK_DONE();
}

// A cube of side 2 turns at rate w about the y axis, its center at height h above a plate. Its lowest edge is at height h -
// sqrt(2) sin(pi / 4 + w t), so it touches at w t = asin(h / sqrt(2)) - pi / 4.
static void cube_turns(void **state)
{
    (void)state;
    scene s = make_scene(box(-5, -5, -1, 5, 5, 0), box(-1, -1, -1, 1, 1, 1));
    for (int i = 0; i < 10; ++i) {
        double height = 1.02 + 0.04 * i, rate = i % 2 ? 0.7 : 20.0;
        double expected = (asin(height / sqrt(2.0)) - 0.7853981633974483) / rate;
        abut_sweep_def def = abut_sweep_def_default(s.trees[0], s.trees[1]);
        def.motion_b.pose.position = abut_vec3_make(0.3, 0.0, height);
        def.motion_b.angular_velocity = abut_vec3_make(0.0, rate, 0.0);
        if (i >= 5) { // the frame of the mesh is not at the center
            def.motion_b.center = abut_vec3_make(0.0, 0.0, 0.0);
        }
        abut_sweep_hit hit = run(&def);
        if (height < sqrt(2.0)) {
            CHECK(hit.is_hit && hit.time <= expected + 1e-14 && hit.time > expected - 1e-8,
                  "height %g: hit %d at %.17g instead of %.17g", height, hit.is_hit, hit.time, expected);
            in_other_frames(&def, &hit, "turning");
        } else {
            CHECK(!hit.is_hit, "height %g: hit at %g", height, hit.time);
        }
    }
    // On the plate, turning about the normal: it slides.
    abut_sweep_def def = abut_sweep_def_default(s.trees[0], s.trees[1]);
    def.motion_b.pose.position = abut_vec3_make(0.3, 0.0, 1.0);
    def.motion_b.angular_velocity = abut_vec3_make(0.0, 0.0, 7.0);
    CHECK(!run(&def).is_hit, "spinning on the plate");
    // Tipping about its lower edge at x = 1.3: the center moves on a straight line, so the edge does not stay.
    def.motion_b.angular_velocity = abut_vec3_make(0.0, 0.01, 0.0);
    def.motion_b.linear_velocity = abut_vec3_make(0.01, 0.0, 0.01);
    CHECK(!run(&def).is_hit, "tipping");
    drop_scene(&s);
    CHECK_DONE();
}

// Whether the two are disjoint at a time.
static int are_disjoint(const abut_sweep_def *def, double time)
{
    abut_pose a = abut_motion_pose(&def->motion_a, time), b = abut_motion_pose(&def->motion_b, time);
    return abut_tree_distance(def->a, def->b, abut_pose_relative(a, b), HUGE_VAL).distance > 0.0;
}

// Random motions of tori, balls and drums: nothing intersects at any of many times before the hit, and shortly after it
// something does, unless they only graze each other.
static void beside_dense_sampling(void **state)
{
    (void)state;
    test_random random = {99};
    int hits = 0, grazes = 0, count = sample_count(150, 20000);
    for (int i = 0; i < count; ++i) {
        double scale = pow(10.0, i % 3 * 3 - 3), spin = i % 4 == 0 ? 0.0 : i % 4 == 1 ? 0.3 : 6.0;
        scene s = make_scene(make_body((body)(i % BODIES), 5, scale), make_body((body)(i / 3 % BODIES), 4, scale));
        abut_sweep_def def = abut_sweep_def_default(s.trees[0], s.trees[1]);
        abut_vec3 from = abut_scale(random_in(&random, 2.8, 6.0), random_unit(&random));
        abut_vec3 way = abut_add_scaled(random_vec3(&random, 2.0), -1.2, from);
        def.motion_a.pose.rotation = random_rotation(&random);
        def.motion_b.pose = (abut_pose){abut_scale(scale, from), random_rotation(&random)};
        def.motion_b.linear_velocity = abut_scale(scale, way);
        def.motion_a.center = random_vec3(&random, 0.5 * scale);
        def.motion_b.center = random_vec3(&random, 0.5 * scale);
        def.motion_a.angular_velocity = random_vec3(&random, spin);
        def.motion_b.angular_velocity = random_vec3(&random, spin);
        abut_sweep_hit hit = run(&def);
        double end = hit.is_hit ? hit.time : 1.0;
        for (int k = 0; k <= 200; ++k) {
            double time = end * k / 200.0;
            CHECK(are_disjoint(&def, time) || (k == 200 && hit.is_hit), "round %d: late, %g meets at %g", i, end,
                  time);
        }
        if (hit.is_hit) {
            ++hits;
            grazes += are_disjoint(&def, hit.time + 1e-6);
        }
        drop_scene(&s);
    }
    CHECK(hits > count / 2 && grazes <= hits / 50, "%d hits, %d of which graze", hits, grazes);
    CHECK_DONE();
}

// A cube of side 2, tilted by a small angle, stands on its lower edge at x = 1 and turns about it, so that the edge at x =
// -1 comes down. The center moves on a straight line, so the first edge sinks a little. Without `sink` that is told at
// once; with it, the cube is stopped where the second edge touches. On paper, with the center at distance sqrt(2) from
// both edges: heights z(t) = z0 + v t - sqrt(2) sin(pi / 4 +- (tilt - w t)).
static void body_turns_about_what_it_stands_on(void **state)
{
    (void)state;
    scene s = make_scene(box(-5, -5, -1, 5, 5, 0), box(-1, -1, -1, 1, 1, 1));
    const double tilt = 1e-4, rate = 2.0, quarter = 0.7853981633974483;
    double angle = quarter + tilt; // of the first edge, from the center
    abut_sweep_def def = abut_sweep_def_default(s.trees[0], s.trees[1]);
    def.duration = 1e-3;
    def.motion_b.pose.rotation = abut_quat_from_axis(abut_vec3_make(0, 1, 0), tilt);
    def.motion_b.pose.position = abut_vec3_make(0.0, 0.0, sqrt(2.0) * sin(angle));
    def.motion_b.angular_velocity = abut_vec3_make(0.0, -rate, 0.0);
    // the velocity of the center if the first edge, at (cos, -sin) from it, stands still
    def.motion_b.linear_velocity = abut_scale(rate * sqrt(2.0), abut_vec3_make(-sin(angle), 0.0, -cos(angle)));
    abut_sweep_hit hit = run(&def);
    CHECK(hit.is_hit && hit.time == 0.0, "without sink: hit %d at %g", hit.is_hit, hit.time);
    def.sink = def.tolerance = 1e-6;
    hit = run(&def);
    double early = 0.0, late = def.duration;
    for (int i = 0; i < 60; ++i) {
        double t = 0.5 * (early + late);
        double height = def.motion_b.pose.position.z + def.motion_b.linear_velocity.z * t -
                        sqrt(2.0) * sin(quarter - (tilt - rate * t));
        *(height > 0.0 ? &early : &late) = t;
    }
    CHECK(hit.is_hit && hit.time <= late + 1e-6 && hit.time > early - 1e-6,
          "with sink: hit %d at %.12g instead of %.12g", hit.is_hit, hit.time, early);
    in_other_frames(&def, &hit, "standing");
    drop_scene(&s);
    CHECK_DONE();
}

// The largest gap of two boxes along the 15 axes of the separating axis theorem; negative if they overlap.
static double box_gap(const abut_vec3 half[2], const abut_pose poses[2])
{
    abut_mat3 m[2] = {abut_quat_matrix(poses[0].rotation), abut_quat_matrix(poses[1].rotation)};
    const abut_vec3 of[2][3] = {{m[0].x, m[0].y, m[0].z}, {m[1].x, m[1].y, m[1].z}};
    abut_vec3 between = abut_sub(poses[1].position, poses[0].position);
    double largest = -HUGE_VAL;
    for (int i = 0; i < 15; ++i) {
        abut_vec3 axis = i < 3   ? of[0][i]
                         : i < 6 ? of[1][i - 3]
                                 : abut_cross(of[0][(i - 6) / 3], of[1][(i - 6) % 3]);
        double length = abut_norm(axis), gap = fabs(abut_dot(axis, between));
        for (int k = 0; k < 2; ++k) {
            gap -= half[k].x * fabs(abut_dot(axis, of[k][0])) + half[k].y * fabs(abut_dot(axis, of[k][1])) +
                   half[k].z * fabs(abut_dot(axis, of[k][2]));
        }
        largest = length > 1e-9 ? fmax(largest, gap / length) : largest;
    }
    return largest;
}

// How deep a box is in an L: in its floor or in its wall, both boxes.
static double depth_in_l(abut_vec3 half, const abut_sweep_def *def, double time)
{
    const abut_vec3 halves[2] = {{1.0, 0.5, 0.5}, {0.5, 1.0, 0.5}};
    const abut_vec3 middles[2] = {{1.0, 0.5, 0.5}, {0.5, 1.0, 0.5}};
    abut_pose a = abut_motion_pose(&def->motion_a, time), b = abut_motion_pose(&def->motion_b, time);
    double deepest = 0.0;
    for (int i = 0; i < 2; ++i) {
        const abut_pose poses[2] = {abut_pose_make(abut_pose_apply(a, middles[i]), a.rotation), b};
        deepest = fmax(deepest, -box_gap((const abut_vec3[2]){halves[i], half}, poses));
    }
    return deepest;
}

// Boxes lie on the floor of an L and slide, some while they turn about its normal, some pressed down or lifted; the L moves
// and turns, too, and the box with it. Up to the time that is told they are never deeper in the L than the tolerance, by
// an oracle that knows boxes only; just after it they are, unless they only graze the wall.
static void what_touches_at_the_start_is_never_late(void **state)
{
    (void)state;
    test_random random = {7};
    int hits = 0, grazes = 0, slides = 0, count = sample_count(200, 20000);
    for (int i = 0; i < count; ++i) {
        abut_vec3 half = {random_in(&random, 0.05, 0.3), random_in(&random, 0.05, 0.3),
                          random_in(&random, 0.05, 0.3)};
        scene s = make_scene(make_l(NULL, 1.0), box(-half.x, -half.y, -half.z, half.x, half.y, half.z));
        abut_sweep_def def = abut_sweep_def_default(s.trees[0], s.trees[1]);
        def.tolerance = 1e-6;
        double spin = i % 3 == 1 ? random_in(&random, -3.0, 3.0) : 0.0;
        double down = i % 5 == 4 ? random_in(&random, -0.5, 0.5) : 0.0;
        abut_vec3 place = {random_in(&random, 1.5, 1.7), 1.0 + half.y, random_in(&random, 0.3, 0.7)};
        abut_vec3 velocity = {random_in(&random, -1.5, 0.5), down, random_in(&random, -0.3, 0.3)};
        abut_pose frame = {random_vec3(&random, 3.0), random_rotation(&random)};
        abut_vec3 drift = random_vec3(&random, 2.0), axis = {0.0, spin, 0.0};
        def.motion_a.pose = frame;
        def.motion_a.linear_velocity = drift;
        def.motion_b.pose = abut_pose_multiply(
            frame,
            abut_pose_make(place, abut_quat_from_axis(abut_vec3_make(0, 1, 0), random_in(&random, -0.1, 0.1))));
        def.motion_b.linear_velocity = abut_add(drift, abut_quat_rotate(frame.rotation, velocity));
        def.motion_b.angular_velocity = abut_quat_rotate(frame.rotation, axis);
        abut_sweep_hit hit = run(&def);
        double end = hit.is_hit ? hit.time : 1.0;
        for (int k = 0; k <= 100; ++k) {
            double depth = depth_in_l(half, &def, end * k / 100.0);
            CHECK(depth <= 1.01e-6, "round %d: late, at %g of %g it is %g deep", i, end * k / 100.0, end, depth);
        }
        hits += hit.is_hit;
        slides += !hit.is_hit;
        grazes += hit.is_hit && !(depth_in_l(half, &def, end + 1e-3) > 1e-6);
        drop_scene(&s);
    }
    CHECK(hits > count / 4 && slides > count / 8 && grazes <= hits / 20, "%d hits, %d slides, %d graze", hits,
          slides, grazes);
    CHECK_DONE();
}

// A world moves free bodies as a sweep does: the center straight, and a cube, whose moments of inertia are equal, turns at
// a constant rate.
static void bodies_move_as_in_a_world(void **state)
{
    (void)state;
    test_random random = {12};
    abut_mesh *mesh = box(1.0, 2.0, 3.0, 2.0, 3.0, 4.0);
    abut_shape *shape = make_shape(NULL, mesh, abut_method_find("regions"), NULL);
    for (int i = 0; i < 20; ++i) {
        abut_world_def def = abut_world_def_default();
        abut_body_def cube = abut_body_def_default();
        abut_world *world = NULL;
        abut_error error;
        def.gravity = abut_vec3_make(0, 0, 0);
        def.dt = 0.05;
        def.stepper = ABUT_STEPPER_SEMI_IMPLICIT;
        assert_int_equal(abut_world_create(NULL, &def, &world, &error), ABUT_OK);
        abut_material material = abut_material_default();
        assert_int_equal(abut_world_add_material(world, &material, NULL, &error), ABUT_OK);
        cube.shape = shape;
        cube.material = 0;
        cube.pose = abut_pose_make(random_vec3(&random, 5.0), random_rotation(&random));
        cube.linear_velocity = random_vec3(&random, 10.0);
        cube.angular_velocity = random_vec3(&random, 10.0);
        int index = -1;
        assert_int_equal(abut_world_add_body(world, &cube, &index, &error), ABUT_OK);
        abut_motion motion = {cube.pose, {1.5, 2.5, 3.5}, cube.linear_velocity, cube.angular_velocity};
        for (int k = 1; k <= 5; ++k) {
            assert_int_equal(abut_world_step(world, &error), ABUT_OK);
            abut_pose there = abut_motion_pose(&motion, k * def.dt), pose = abut_world_get_body(world, index).pose;
            for (int corner = 0; corner < 8; ++corner) {
                abut_vec3 p = {1.0 + (corner & 1), 2.0 + (corner >> 1 & 1), 3.0 + (corner >> 2)};
                double miss = abut_norm(abut_sub(abut_pose_apply(there, p), abut_pose_apply(pose, p)));
                CHECK(miss < 1e-12, "round %d, step %d: corner %d is %g off", i, k, corner, miss);
            }
        }
        abut_world_destroy(world);
    }
    abut_shape_destroy(shape);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// Two boxes on each other that turn together about a corner of the lower one, as a leaning tower does, slide: over a short
// time their centers go straight, and they part or sink by a second-order length only. If the upper one turns faster, it
// runs into the lower one.
static void bodies_that_turn_together_slide(void **state)
{
    (void)state;
    scene s = make_scene(box(-1, -1, -1, 1, 1, 1), box(-1, -1, -1, 1, 1, 1));
    for (int i = 0; i < 2; ++i) {
        const abut_vec3 spin = {0.0, 0.02, 0.0}, pivot = {1.0, 0.0, 0.0};
        abut_sweep_def def = abut_sweep_def_default(s.trees[0], s.trees[1]);
        def.duration = 0.01;
        def.motion_a.pose.position = abut_vec3_make(0.0, 0.0, 1.0);
        def.motion_b.pose.position = abut_vec3_make(0.0, 0.1, 3.0);
        def.motion_a.angular_velocity = spin;
        def.motion_b.angular_velocity = abut_scale(i == 0 ? 1.0 : 2.0, spin);
        def.motion_a.linear_velocity = abut_cross(spin, abut_sub(def.motion_a.pose.position, pivot));
        def.motion_b.linear_velocity = abut_cross(spin, abut_sub(def.motion_b.pose.position, pivot));
        abut_sweep_hit hit = run(&def);
        CHECK(hit.is_hit == i && (i == 0 || hit.time <= 2e-4), "faster %d: hit %d at %g", i, hit.is_hit, hit.time);
    }
    drop_scene(&s);
    CHECK_DONE();
}

// Faces cut 100 times finer: the work for bodies that meet at a point grows with the depth of the trees, and for the
// faces of drums that slide on each other at most with the number of triangles there.
static void work_follows_the_contact(void **state)
{
    (void)state;
    long long work[2][2];
    for (int fine = 0; fine < 2; ++fine) {
        for (int is_sliding = 0; is_sliding < 2; ++is_sliding) {
            body which = is_sliding ? BODY_DRUM : BODY_BALL;
            scene s = make_scene(make_body(which, fine ? 100 : 10, 1.0), make_body(which, fine ? 100 : 10, 1.0));
            abut_vec3 from = is_sliding ? abut_vec3_make(0.1, 0.0, 1.0) : abut_vec3_make(0.3, 0.2, 4.0);
            abut_vec3 way = is_sliding ? abut_vec3_make(0.5, 0.3, 0.0) : abut_vec3_make(0.0, 0.0, -3.0);
            abut_sweep_hit hit = slide(&s, from, way);
            CHECK(hit.is_hit == !is_sliding, "fine %d, sliding %d: hit %d", fine, is_sliding, hit.is_hit);
            work[fine][is_sliding] = hit.triangle_pairs + hit.node_pairs;
            drop_scene(&s);
        }
    }
    CHECK(work[1][0] < 8 * work[0][0], "a point: %lld, then %lld", work[0][0], work[1][0]);
    CHECK(work[1][1] < 8 * work[0][1], "sliding: %lld, then %lld", work[0][1], work[1][1]);
    CHECK_DONE();
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    scene s = make_scene(box(0, 0, 0, 1, 1, 1), box(0, 0, 0, 1, 1, 1));
    abut_tree *points = NULL;
    assert_int_equal(abut_tree_create(NULL, s.meshes[0], ABUT_ELEMENT_POINT, &points, NULL), ABUT_OK);
    const abut_sweep_def good = abut_sweep_def_default(s.trees[0], s.trees[1]);
    abut_sweep_def bad[9];
    for (int i = 0; i < 9; ++i) {
        bad[i] = good;
    }
    bad[0].struct_size = 3;
    bad[1].a = NULL;
    bad[2].b = points;
    bad[3].duration = -1.0;
    bad[4].tolerance = (double)NAN;
    bad[5].time_tolerance = 2.0;
    bad[6].motion_a.pose.rotation.w = 2.0;
    bad[7].motion_b.linear_velocity.y = HUGE_VAL;
    bad[8].motion_b.angular_velocity.y = 1e9;
    static const abut_status expected[9] = {ABUT_BAD_ARGUMENT, ABUT_BAD_ARGUMENT, ABUT_BAD_ARGUMENT,
                                            ABUT_BAD_ARGUMENT, ABUT_BAD_ARGUMENT, ABUT_BAD_ARGUMENT,
                                            ABUT_BAD_DATA,     ABUT_BAD_DATA,     ABUT_LIMIT};
    for (int i = 0; i < 9; ++i) {
        abut_sweep_hit hit;
        abut_error error;
        CHECK(abut_sweep(&bad[i], &hit, &error) == expected[i] && error.text[0] != '\0', "case %d: %s", i,
              error.text);
    }
    abut_sweep_hit hit = slide(&s, abut_vec3_make(0.3, 0.2, 0.1), abut_vec3_make(1.0, 0.0, 0.0));
    CHECK(hit.is_hit && hit.time == 0.0 && hit.gap < 0.0, "boxes in each other: hit %d, gap %g", hit.is_hit,
          hit.gap);
    abut_tree_destroy(points);
    drop_scene(&s);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_falls),
        cmocka_unit_test(nothing_is_passed),
        cmocka_unit_test(box_slides_to_a_wall),
        cmocka_unit_test(seams_are_passed),
        cmocka_unit_test(cube_turns),
        cmocka_unit_test(beside_dense_sampling),
        cmocka_unit_test(body_turns_about_what_it_stands_on),
        cmocka_unit_test(what_touches_at_the_start_is_never_late),
        cmocka_unit_test(bodies_that_turn_together_slide),
        cmocka_unit_test(bodies_move_as_in_a_world),
        cmocka_unit_test(work_follows_the_contact),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
