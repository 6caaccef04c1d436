// SPDX-License-Identifier: MIT
// test_world_landing.c: bodies fall, land in any pose and come to rest, with the default settings of a world
//
// In one step a body falls by much more than the tolerance of `regions`. Only speculative contacts can prevent that
// a landing begins with an overlap.
#include "stage.h"

#include "effort.h"
#include "random.h"

enum { DROPS = 12, STEPS = 1000, LAST_STEPS = 20 };

/// Adds a body of a mesh, which the stage takes over.
static void add_mesh_body(stage *s, abut_mesh *mesh, abut_vec3 position, abut_quat rotation, abut_vec3 velocity)
{
    abut_params params = abut_params_default();
    s->meshes[s->count] = mesh;
    s->shapes[s->count] = make_shape(NULL, mesh, abut_method_find("regions"), &params);
    abut_body_def body = abut_body_def_default();
    body.shape = s->shapes[s->count];
    body.pose = abut_pose_make(position, rotation);
    body.linear_velocity = velocity;
    body.material = 0;
    abut_error error;
    assert_int_equal(abut_world_add_body(s->world, &body, NULL, &error), ABUT_OK);
    ++s->count;
}

/// Drops a body from a height with a given rotation. Returns the height at which its centre of mass comes to rest.
static double drop(abut_mesh *mesh, abut_quat rotation, const abut_world_def *def, int i)
{
    stage s = make_stage(NULL, def, 0.5, 0.0);
    add_ground(&s);
    add_mesh_body(&s, mesh, abut_vec3_make(0.0, 4.0, 0.0), rotation, abut_vec3_make(0.0, 0.0, 0.0));
    double before = abut_world_get_energy(s.world).potential, most = 0.0;
    for (int step = 0; step < STEPS; ++step) {
        run(&s, 1);
        abut_world_energy energy = abut_world_get_energy(s.world);
        most = fmax(most, energy.kinetic + energy.potential);
    }
    double height = abut_world_get_body(s.world, 1).center.y, rest = abut_world_get_energy(s.world).kinetic;
    CHECK(most <= 1.01 * before, "drop %d: energy %g from %g", i, most, before);
    CHECK(rest <= 1e-9 * before, "drop %d: kinetic energy %g at the end", i, rest);
    end_stage(&s);
    return height;
}

static double nearest(const double *heights, int count, double height)
{
    double best = heights[0];
    for (int i = 1; i < count; ++i) {
        best = fabs(heights[i] - height) < fabs(best - height) ? heights[i] : best;
    }
    return best;
}

static const abut_vec3 box_half = {0.5, 0.4, 0.3};

/// Drops boxes in random poses, with steps of three lengths.
static void drop_boxes(abut_gap_rule gap_rule, uint64_t seed)
{
    const double heights[3] = {0.5, 0.4, 0.3}, steps[3] = {0.01, 0.02, 0.005};
    test_random random = {seed};
    for (int i = 0; i < DROPS; ++i) {
        abut_world_def def = falling();
        def.gap_rule = gap_rule;
        def.dt = steps[i % 3];
        double height = drop(make_box(NULL, abut_negate(box_half), box_half), random_rotation(&random), &def, i);
        CHECK_NEAR(height, nearest(heights, 3, height), 1e-4, "height of a box");
    }
}

// A box of 1 x 0.8 x 0.6 rests on one of its faces: its centre is at half of one of its three sides.
static void boxes_come_to_rest_on_a_face(void **state)
{
    (void)state;
    drop_boxes(ABUT_GAP_POSITIVE, 20181);
    CHECK_DONE();
}

// Without speculative contacts a landing begins with an overlap of up to a step's motion, 0.17. All corners inside the
// ground must have contacts: with the one that touched first alone, the box would tip from corner to corner for ever.
static void boxes_that_land_with_an_overlap_come_to_rest(void **state)
{
    (void)state;
    drop_boxes(ABUT_GAP_NONE, 777);
    CHECK_DONE();
}

// A box falls at 8 with a step of 0.02; its lowest corner starts at a height of 0.1. In the middle of the step, where
// contacts are found, it is at 0.02 and would reach -0.06 at the end of the step. A speculative contact lets it move on
// by at most 0.02 in a whole step, 0.01 in the half that is left, so that it ends at 0.01 or above, less what the
// rotation of at most 0.1 radians in half a step bends its way: 0.7 x 0.1^2 / 2. The query looks ahead by 0.32, half
// the size of the box, at which `regions` cannot tell near from far corners.
static void fast_bodies_do_not_pass_the_surface(void **state)
{
    (void)state;
    test_random random = {20183};
    int found = 0;
    for (int i = 0; i < 50; ++i) {
        abut_world_def def = falling();
        def.dt = 0.02;
        def.has_sweeps = 0;
        stage s = make_stage(NULL, &def, 0.5, 0.0);
        add_ground(&s);
        abut_pose pose = {.rotation = random_rotation(&random)};
        abut_vec3 lowest = box_half;
        for (int k = 0; k < 8; ++k) {
            abut_vec3 corner = {k & 1 ? 0.5 : -0.5, k & 2 ? 0.4 : -0.4, k & 4 ? 0.3 : -0.3};
            lowest = abut_pose_apply(pose, corner).y < abut_pose_apply(pose, lowest).y ? corner : lowest;
        }
        pose.position.y = 0.1 - abut_pose_apply(pose, lowest).y;
        add_mesh_body(&s, make_box(NULL, abut_negate(box_half), box_half), pose.position, pose.rotation,
                      abut_vec3_make(0.0, -8.0, 0.0));
        run(&s, 1);
        double height = abut_pose_apply(abut_world_get_body(s.world, 1).pose, lowest).y;
        CHECK(height >= 0.01 - 0.0035, "pose %d: the lowest corner is at %g", i, height);
        found += abut_world_get_report(s.world).contact_count > 0;
        end_stage(&s);
    }
    CHECK_INT(found, 50, "poses with a contact");
    CHECK_DONE();
}

// The centre of mass of the L is at (5/6, 5/6, 1/2). It rests on one of the faces of its hull: flat, at 1/2; on a leg,
// at 5/6; on the end of a leg, at 2 - 5/6; or on the ends of both, in the plane x + y = 3, at (3 - 5/3) / sqrt(2).
static void bodies_that_are_not_convex_come_to_rest(void **state)
{
    (void)state;
    const double heights[4] = {0.5, 5.0 / 6.0, 7.0 / 6.0, 4.0 / 3.0 / sqrt(2.0)};
    test_random random = {20182};
    for (int i = 0; i < DROPS; ++i) {
        abut_world_def def = falling();
        double height = drop(make_l(NULL, 1.0), random_rotation(&random), &def, i);
        CHECK_NEAR(height, nearest(heights, 4, height), 1e-4, "height of an L");
    }
    CHECK_DONE();
}

/// A prism over a U, 0.75 wide.
static abut_mesh *make_u(void)
{
    static const double outline[8][2] = {{-0.375, 0},   {0.375, 0},     {0.375, 0.6},  {0.225, 0.6},
                                         {0.225, 0.15}, {-0.225, 0.15}, {-0.225, 0.6}, {-0.375, 0.6}};
    abut_vec3 vertices[16];
    int indices[48], offsets[11] = {0, 8, 16}, count = 16;
    for (int i = 0; i < 8; ++i) {
        vertices[i] = abut_vec3_make(outline[i][0], outline[i][1], -0.15);
        vertices[8 + i] = abut_vec3_make(outline[i][0], outline[i][1], 0.15);
        indices[i] = 7 - i;
        indices[8 + i] = 8 + i;
    }
    for (int i = 0; i < 8; ++i) {
        int next = (i + 1) % 8;
        const int side[4] = {i, next, 8 + next, 8 + i};
        memcpy(&indices[count], side, sizeof side);
        count += 4;
        offsets[3 + i] = count;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 16;
    def.face_vertices = indices;
    def.face_offsets = offsets;
    def.face_count = 10;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

/// A U that hits the ground at up to 40 m/s gets deep into it within a step. It is pushed out without a jump: its energy
/// never exceeds that of the start, and it moves by at most its speed times the step and a little.
static void fast_bodies_that_are_not_convex_do_not_jump(void **state)
{
    (void)state;
    const double speeds[] = {2.0, 12.0, 40.0};
    test_random random = {23};
    for (int i = 0; i < 6; ++i) {
        abut_world_def def = falling();
        def.dt = 0.01;
        stage s = make_stage(NULL, &def, 0.5, 0.0);
        add_ground(&s);
        add_mesh_body(&s, make_u(), abut_vec3_make(0.0, 1.2, 0.0), random_rotation(&random),
                      abut_vec3_make(0.0, -speeds[i % 3], 0.0));
        abut_world_energy start = abut_world_get_energy(s.world);
        abut_vec3 before = abut_world_get_body(s.world, 1).center;
        for (int step = 0; step < 150; ++step) {
            run(&s, 1);
            abut_world_energy energy = abut_world_get_energy(s.world);
            abut_vec3 center = abut_world_get_body(s.world, 1).center;
            CHECK(energy.kinetic + energy.potential <= 1.001 * (start.kinetic + start.potential),
                  "drop %d, step %d: energy %g from %g", i, step, energy.kinetic + energy.potential,
                  start.kinetic + start.potential);
            CHECK(abut_norm(abut_sub(center, before)) <= 1.1 * (speeds[i % 3] + 5.0) * def.dt + 0.01,
                  "drop %d, step %d: moved by %g", i, step, abut_norm(abut_sub(center, before)));
            before = center;
        }
        CHECK(before.y > 0.0, "drop %d: at %g", i, before.y);
        end_stage(&s);
    }
    CHECK_DONE();
}

/// How far the lowest corner of a body is below the ground.
static double sinking_of(const stage *s, int body)
{
    abut_pose pose = abut_world_get_body(s->world, body).pose;
    abut_mesh_elements mesh = abut_mesh_get_elements(abut_shape_mesh(abut_world_body_shape(s->world, body)));
    double lowest = HUGE_VAL;
    for (int i = 0; i < mesh.vertex_count; ++i) {
        lowest = fmin(lowest, abut_pose_apply(pose, mesh.vertices[i]).y);
    }
    return -lowest;
}

/// What happens while a body lands.
typedef struct landing {
    double sinking; ///< the deepest corner, of the size of the body
    double gain;    ///< of energy in a step, of m g L
    double excess;  ///< of the energy above that of the start, of m g L
    int held;
} landing;

/// Throws a body down at a speed, with its lowest corner nine tenths of a step's way above the ground.
static landing land(abut_mesh *mesh, abut_quat rotation, double speed, int steps)
{
    abut_world_def def = falling();
    def.dt = 0.01;
    def.has_sweeps = 1;
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    add_ground(&s);
    add_mesh_body(&s, mesh, abut_vec3_make(0.0, 0.0, 0.0), rotation, abut_vec3_make(0.0, -speed, 0.0));
    abut_pose pose = abut_pose_make(abut_vec3_make(0.0, sinking_of(&s, 1) + 0.9 * speed * def.dt, 0.0), rotation);
    abut_error error;
    CHECK_STATUS(
        abut_world_set_body(s.world, 1, pose, abut_vec3_make(0.0, -speed, 0.0), abut_vec3_make(0, 0, 0), &error),
        ABUT_OK, error.text);
    double size = abut_box_diagonal(abut_mesh_get_elements(mesh).bounds);
    double unit = abut_world_get_body(s.world, 1).mass * g * size;
    landing found = {.sinking = -HUGE_VAL, .gain = -HUGE_VAL, .excess = -HUGE_VAL};
    abut_world_energy energy = abut_world_get_energy(s.world);
    double start = energy.kinetic + energy.potential, before = start;
    for (int step = 0; step < steps; ++step) {
        run(&s, 1);
        abut_world_report report = abut_world_get_report(s.world);
        energy = abut_world_get_energy(s.world);
        double now = energy.kinetic + energy.potential;
        found.gain = fmax(found.gain, (now - before) / unit);
        found.excess = fmax(found.excess, (now - start) / unit);
        found.sinking = fmax(found.sinking, sinking_of(&s, 1) / size);
        found.held += report.held_count;
        before = now;
    }
    end_stage(&s);
    return found;
}

// A body that lands at any speed, in any pose, sinks into the ground by no more than counts as touching, 1e-6 of its size.
// No body is held, and its energy never exceeds that of the start. A body that turns about a corner
// gains or loses energy by the square of its rotation in a step, since the contact is found once in the step: w r dt of
// lifting against m g dt is (w dt)^2 r / 2 of m g, below 1e-4 L at the 3 radians a second of falling over.
static void bodies_land_without_sinking(void **state)
{
    (void)state;
    const double speeds[] = {2.0, 10.0, 20.0, 40.0};
    double deepest = 0.0, most = 0.0;
    for (int k = 0; k < 8; ++k) {
        test_random random = {99};
        int is_u = k >= 4;
        for (int i = 0; i < sample_count(8, 100); ++i) {
            abut_quat rotation = random_rotation(&random);
            landing l = land(is_u ? make_u() : make_box(NULL, abut_negate(box_half), box_half), rotation,
                             speeds[k % 4], 150);
            const char *name = is_u ? "U" : "box";
            CHECK(l.sinking <= 1e-6, "%s at %g, pose %d: sinks by %g", name, speeds[k % 4], i, l.sinking);
            CHECK(l.excess <= 0.0, "%s at %g, pose %d: exceeds its energy by %g m g L", name, speeds[k % 4], i,
                  l.excess);
            CHECK(l.gain <= 1e-4, "%s at %g, pose %d: gains %g m g L", name, speeds[k % 4], i, l.gain);
            CHECK_INT(l.held, 0, "held bodies");
            deepest = fmax(deepest, l.sinking);
            most = fmax(most, l.gain);
        }
    }
    print_message("deepest %g of the size, largest gain in a step %g m g L\n", deepest, most);
    CHECK_DONE();
}

/// A bar with one end in the ground, by this much, whose other end swings down and meets the ground in the first step.
/// Returns how deep that end gets.
static double swing_down(double depth, double restitution, double speed)
{
    const double length = 4.0, gap = 0.5 * speed * 0.01 * length;
    abut_world_def def = falling();
    def.dt = 0.01;
    def.has_sweeps = 1;
    stage s = make_stage(NULL, &def, 0.5, restitution);
    add_ground(&s);
    abut_body_def body = abut_body_def_default();
    body.pose.rotation = abut_quat_from_axis(abut_vec3_make(0.0, 0.0, 1.0), asin((gap + depth) / length));
    abut_vec3 corner = {-0.5 * length, -0.1, 0.0};
    abut_vec3 arm = abut_mat3_apply(abut_quat_matrix(body.pose.rotation), corner);
    body.pose.position = abut_sub(abut_vec3_make(0.0, -depth, 0.0), arm);
    body.angular_velocity = abut_vec3_make(0.0, 0.0, -speed);
    body.linear_velocity = abut_cross(body.angular_velocity, abut_negate(arm));
    body.material = 0;
    int bar = add_box_body(&s, abut_vec3_make(length, 0.2, 1.0), body);
    double deepest = 0.0;
    for (int i = 0; i < 20; ++i) {
        run(&s, 1);
        abut_pose pose = abut_world_get_body(s.world, bar).pose;
        deepest = fmax(deepest, -abut_pose_apply(pose, abut_vec3_make(0.5 * length, -0.1, 0.5)).y);
    }
    end_stage(&s);
    return deepest;
}

/// A sweep does not find where bodies meet that overlap elsewhere: the contacts that it would have stopped at are solved.
static void bodies_that_overlap_elsewhere_do_not_sink(void **state)
{
    (void)state;
    const double depths[] = {1e-4, 1e-3, 1e-2}, speeds[] = {1.0, 5.0, 20.0};
    for (int i = 0; i < 18; ++i) {
        double depth = depths[i % 3], speed = speeds[i / 3 % 3], restitution = i < 9 ? 0.5 : 0.0;
        double deepest = swing_down(depth, restitution, speed);
        CHECK(deepest <= 0.5 * depth, "depth %g, restitution %g, speed %g: sinks by %g", depth, restitution, speed,
              deepest);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_land_without_sinking),
        cmocka_unit_test(bodies_that_overlap_elsewhere_do_not_sink),
        cmocka_unit_test(boxes_come_to_rest_on_a_face),
        cmocka_unit_test(boxes_that_land_with_an_overlap_come_to_rest),
        cmocka_unit_test(fast_bodies_do_not_pass_the_surface),
        cmocka_unit_test(bodies_that_are_not_convex_come_to_rest),
        cmocka_unit_test(fast_bodies_that_are_not_convex_do_not_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
