// SPDX-License-Identifier: MIT
// test_world_lmd.c: bodies at rest with method quasi-lmd: one query and one complementarity problem a step
//
// Every scene starts at rest, in contact. From step 200 on, the kinetic energy is below 1e-10 m g L, where L is the size
// of the body, and all gaps of contacts are within 1e-3 of the envelope.
#include "check.h"
#include "effort.h"
#include "random.h"
#include "shapes.h"

static const double gravity = 9.81, dilation = 0.002, envelope = 0.02;
static const double pi = 3.14159265358979323846;

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

static abut_quat turn; ///< of the scene with its gravity: nothing knows which way is up

/// Sets the turn of the i-th copy of a scene. Returns 0 after the last one.
static int begin_turn(int i)
{
    test_random random = {(uint64_t)(100 + i)};
    turn = i == 0 ? abut_quat_identity() : random_rotation(&random);
    return i < sample_count(3, 30);
}

typedef struct rest_scene {
    abut_world *world;
    abut_shape *shapes[3];
    int count;
} rest_scene;

static rest_scene begin_scene(abut_stepper stepper, abut_gap_rule gap_rule)
{
    rest_scene s = {0};
    abut_error error;
    abut_world_def def = abut_world_def_default();
    def.gap_rule = gap_rule;
    abut_params params = abut_params_default();
    params.envelope = abut_absolute(envelope);
    def.gravity = abut_quat_rotate(turn, v3(0, 0, -gravity));
    def.method = abut_method_find("quasi-lmd");
    def.params = &params;
    def.stepper = stepper;
    assert_int_equal(abut_world_create(NULL, &def, &s.world, &error), ABUT_OK);
    abut_material material = abut_material_default();
    material.density = 1000.0;
    material.friction = 0.5;
    assert_int_equal(abut_world_add_material(s.world, &material, NULL, &error), ABUT_OK);
    return s;
}

static rest_scene begin_rest(void)
{
    return begin_scene(ABUT_STEPPER_SEMI_IMPLICIT, abut_world_def_default().gap_rule);
}

/// Adds a body that the scene owns.
static void add(rest_scene *s, abut_shape *shape, abut_pose pose, int is_fixed)
{
    abut_body_def def = abut_body_def_default();
    abut_error error;
    def.shape = s->shapes[s->count++] = shape;
    def.pose = abut_pose_make(abut_quat_rotate(turn, pose.position), abut_quat_multiply(turn, pose.rotation));
    def.is_fixed = is_fixed;
    def.material = 0;
    abut_status status = abut_world_add_body(s->world, &def, NULL, &error);
    CHECK(status == ABUT_OK, "add body: %s", error.text);
}

/// A solid with an inset, or a shell without; takes the mesh.
static abut_shape *make_body(abut_mesh *mesh, int is_solid)
{
    abut_shape_def def = abut_shape_def_default();
    abut_shape *shape = NULL;
    def.owned_mesh = mesh;
    def.dilation = dilation;
    def.offset = is_solid ? -dilation : 0.0;
    assert_int_equal(abut_shape_create(NULL, &def, &shape, NULL), ABUT_OK);
    return shape;
}

static abut_shape *make_block(abut_vec3 half)
{
    return make_body(make_box(NULL, abut_negate(half), half), 1);
}

static abut_pose at(double x, double y, double z)
{
    return abut_pose_make(v3(x, y, z), abut_quat_identity());
}

static void end_scene(rest_scene *s)
{
    abut_world_destroy(s->world);
    for (int i = 0; i < s->count; ++i) {
        abut_shape_destroy(s->shapes[i]);
    }
}

/// Contacts that touch: gaps up to 1e-3 of the envelope.
static int count_touching(const abut_world_report *report)
{
    int count = 0;
    for (int k = 0; k < report->contact_count; ++k) {
        count += fabs(report->contacts[k].contact.gap) <= 1e-3 * envelope;
    }
    return count;
}

/// Runs 300 steps. `least` and `most` are the numbers of contacts that may carry. All contacts that touch in the first step
/// touch in the last hundred. Returns the most that were found.
static int check_rest(rest_scene *s, int least, int most, const char *label)
{
    abut_body_state start = abut_world_get_body(s->world, 1);
    const abut_mesh *mesh = abut_shape_mesh(s->shapes[1]);
    double size = abut_box_diagonal(abut_mesh_get_elements(mesh).bounds) + 2.0 * abut_shape_dilation(s->shapes[1]);
    double limit = 1e-10 * start.mass * gravity * size, largest = 0.0, worst_gap = 0.0;
    int fewest = 1000000, highest = 0, found = 0, touching = 0;
    for (int i = 0; i < 300; ++i) {
        abut_error error;
        abut_status status = abut_world_step(s->world, &error);
        CHECK(status == ABUT_OK, "%s, step %d: %s", label, i, error.text);
        if (status != ABUT_OK) {
            break;
        }
        abut_world_report report = abut_world_get_report(s->world);
        int active = 0;
        touching = i == 0 ? count_touching(&report) : touching;
        CHECK(i < 200 || count_touching(&report) == touching, "%s, step %d: %d contacts touch, not %d", label, i,
              count_touching(&report), touching);
        for (int k = 0; k < report.contact_count; ++k) {
            if (report.contacts[k].impulse.normal > 1e-6 * start.mass * gravity * 0.01) { // it carries
                ++active;
                worst_gap = i >= 200 ? fmax(worst_gap, fabs(report.contacts[k].contact.gap)) : worst_gap;
            }
            found = report.contact_count > found ? report.contact_count : found;
        }
        fewest = active < fewest ? active : fewest;
        highest = active > highest ? active : highest;
        largest = i >= 200 ? fmax(largest, abut_world_get_energy(s->world).kinetic) : largest;
    }
    CHECK(largest < limit, "%s: kinetic energy %g, more than %g", label, largest, limit);
    CHECK(touching >= least, "%s: %d contacts touch", label, touching);
    CHECK(worst_gap <= 1e-3 * envelope, "%s: a gap of %g", label, worst_gap);
    CHECK(fewest >= least && highest <= most, "%s: %d to %d contacts, not %d to %d", label, fewest, highest, least,
          most);
    end_scene(s);
    return found;
}

static abut_mesh *make_prism(int sides, double radius, double height)
{
    abut_vec3 vertices[128];
    int offsets[67], faces[384], count = 0;
    for (int i = 0; i < 2 * sides; ++i) {
        double angle = 2.0 * pi * (i % sides) / sides;
        vertices[i] = v3(radius * cos(angle), radius * sin(angle), i < sides ? -0.5 * height : 0.5 * height);
    }
    offsets[0] = 0;
    for (int i = 0; i < sides; ++i) {
        faces[count++] = sides - 1 - i;
    }
    offsets[1] = count;
    for (int i = 0; i < sides; ++i) {
        faces[count++] = sides + i;
    }
    offsets[2] = count;
    for (int i = 0; i < sides; ++i) {
        const int quad[4] = {i, (i + 1) % sides, sides + (i + 1) % sides, sides + i};
        memcpy(faces + count, quad, sizeof quad);
        count += 4;
        offsets[3 + i] = count;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 2 * sides;
    def.face_offsets = offsets;
    def.face_vertices = faces;
    def.face_count = sides + 2;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

// A cube on a plate has four contacts, a prism of 64 sides 64.
static void flat_bodies(void **state)
{
    (void)state;
    for (int i = 0; begin_turn(i); ++i) {
        rest_scene s = begin_rest();
        add(&s, make_block(v3(5, 5, 0.5)), at(0, 0, -0.5), 1);
        add(&s, make_block(v3(0.5, 0.5, 0.5)), at(0.1, 0.2, 0.5), 0);
        CHECK_INT(check_rest(&s, 3, 4, "cube"), 4, "cube");
        s = begin_rest();
        add(&s, make_block(v3(5, 5, 0.5)), at(0, 0, -0.5), 1);
        add(&s, make_body(make_prism(64, 0.5, 0.6), 1), at(0.1, 0.2, 0.3), 0);
        CHECK_INT(check_rest(&s, 3, 64, "prism"), 64, "prism");
    }
    CHECK_DONE();
}

/// A block with a square hole of half width 0.5 from its top at 1 down to its bottom at 0.
static abut_mesh *make_block_with_hole(void)
{
    abut_vec3 vertices[16];
    const int rings[4][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {8, 9, 11, 10}, {12, 13, 15, 14}};
    const double halves[4] = {1.0, 1.0, 0.5, 0.5}, heights[4] = {-1.0, 1.0, 1.0, 0.0};
    int faces[4 * 14], count = 0;
    for (int i = 0; i < 16; ++i) {
        double h = halves[i / 4];
        vertices[i] = v3(i & 1 ? h : -h, i & 2 ? h : -h, heights[i / 4]);
    }
    for (int k = 0; k < 3; ++k) { // outer sides, top, inner sides
        for (int i = 0; i < 4; ++i) {
            int a = rings[k][i], b = rings[k][(i + 1) % 4], c = rings[k + 1][(i + 1) % 4], d = rings[k + 1][i];
            const int quad[4] = {a, b, c, d};
            memcpy(faces + count, quad, sizeof quad);
            count += 4;
        }
    }
    const int ends[8] = {2, 3, 1, 0, 12, 13, 15, 14};
    memcpy(faces + count, ends, sizeof ends);
    count += 8;
    int offsets[15];
    for (int i = 0; i < 15; ++i) {
        offsets[i] = 4 * i;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 16;
    def.face_offsets = offsets;
    def.face_vertices = faces;
    def.face_count = count / 4;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

// A square peg on the bottom of a square hole, with 0.01 of play on every side: its four lower corners on the bottom, and
// contacts with the walls that do not carry.
static void peg_in_hole(void **state)
{
    (void)state;
    for (int i = 0; begin_turn(i); ++i) {
        rest_scene s = begin_rest();
        add(&s, make_body(make_block_with_hole(), 1), at(0, 0, 0), 1);
        add(&s, make_block(v3(0.49, 0.49, 0.8)), at(0.001, 0.002, 0.8), 0);
        CHECK(check_rest(&s, 3, 4, "peg") >= 12, "bottom and walls");
    }
    CHECK_DONE();
}

// A ball in a cone of 12 sides: one contact with each, all at the same height. The side faces have slope 1 along their
// middle: the ball of radius R touches them if its centre is sqrt(2) R above the tip, measured on the inscribed cone.
static void ball_in_a_cone(void **state)
{
    (void)state;
    enum { SIDES = 12 };
    abut_vec3 vertices[SIDES + 1];
    int triangles[3 * SIDES];
    double outer = 1.0 / cos(pi / SIDES);
    for (int i = 0; i < SIDES; ++i) {
        vertices[i] = v3(outer * cos(2 * pi * i / SIDES), outer * sin(2 * pi * i / SIDES), 1.0);
        triangles[3 * i] = SIDES;
        triangles[3 * i + 1] = i;
        triangles[3 * i + 2] = (i + 1) % SIDES;
    }
    vertices[SIDES] = v3(0, 0, 0);
    for (int i = 0; begin_turn(i); ++i) {
        abut_shape *ball = NULL;
        assert_int_equal(abut_shape_sphere(NULL, 0.4, &ball, NULL), ABUT_OK);
        rest_scene s = begin_rest();
        add(&s, make_body(make_triangles(NULL, vertices, SIDES + 1, triangles, SIDES), 0), at(0, 0, 0), 1);
        add(&s, ball, at(0, 0, sqrt(2.0) * (0.4 + dilation)), 0);
        CHECK_INT(check_rest(&s, 3, SIDES, "ball"), SIDES, "ball");
    }
    CHECK_DONE();
}

// A beam across the rims of a trough, which is a shell: two edges of the beam cross two rims.
static void beam_across_rims(void **state)
{
    (void)state;
    const abut_vec3 vertices[8] = {{-1, -1, 1}, {-1, 1, 1}, {-1, -1, 0}, {-1, 1, 0},
                                   {1, -1, 0},  {1, 1, 0},  {1, -1, 1},  {1, 1, 1}};
    const int triangles[18] = {0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3, 4, 6, 7, 4, 7, 5};
    for (int i = 0; begin_turn(i); ++i) {
        rest_scene s = begin_rest();
        add(&s, make_body(make_triangles(NULL, vertices, 8, triangles, 6), 0), at(0, 0, 0), 1);
        add(&s, make_block(v3(1.5, 0.1, 0.05)), at(0.1, 0.2, 1.05 + dilation), 0);
        CHECK_INT(check_rest(&s, 3, 4, "beam"), 4, "beam");
    }
    CHECK_DONE();
}

// A bent cable lies on a box, over its border: contacts at its end, at its bend, and where it crosses the border.
static void cable_on_a_box(void **state)
{
    (void)state;
    const abut_vec3 points[4] = {{-0.8, 0, 0}, {0, 0, 0}, {0.5, 0.5, 0}, {0.5, 1.3, 0}};
    for (int i = 0; begin_turn(i); ++i) {
        abut_shape *cable = NULL;
        assert_int_equal(abut_shape_rope(NULL, points, 4, 0.05, &cable, NULL), ABUT_OK);
        rest_scene s = begin_rest();
        add(&s, make_block(v3(1, 1, 0.5)), at(0, 0, -0.5), 1);
        add(&s, cable, at(0, 0, 0.05), 0);
        CHECK(check_rest(&s, 3, 5, "cable") >= 4, "cable");
    }
    CHECK_DONE();
}

// A cube that falls by many times its dilation in a step, in any pose, and without speculative contacts: in the step in
// which it arrives it would be far inside the plate. It is held before its base complex meets that of the plate, has
// contacts in the next step, and never sinks deeper than the dilations together. Two cubes that fall together stay apart
// too: the lower one does not run into the plate, nor the upper one into the lower.
static void fast_landing(void **state)
{
    (void)state;
    test_random random = {31};
    int held = 0;
    turn = abut_quat_identity();
    for (int i = 0; i < sample_count(16, 400); ++i) {
        rest_scene s = begin_scene(i % 2 ? ABUT_STEPPER_MOREAU : ABUT_STEPPER_SEMI_IMPLICIT, ABUT_GAP_NONE);
        double speed = random_in(&random, 1.0, 40.0), lowest = 1.0;
        add(&s, make_block(v3(5, 5, 0.5)), at(0, 0, -0.5), 1);
        for (int k = 0; k < 2; ++k) {
            abut_pose pose = {v3(0.05 * k, 0, 1.2 + 0.95 * k), random_rotation(&random)};
            add(&s, make_block(v3(0.25, 0.25, 0.25)), pose, 0);
            abut_error error;
            CHECK_STATUS(
                abut_world_set_body(s.world, k + 1, pose, v3(0, 0, -speed), random_vec3(&random, 2.0), &error),
                ABUT_OK, "body");
        }
        for (int step = 0; step < 60; ++step) {
            abut_error error;
            abut_status status = abut_world_step(s.world, &error);
            CHECK(status == ABUT_OK, "landing %d, step %d: %s", i, step, error.text);
            if (status != ABUT_OK) {
                break;
            }
            abut_world_report report = abut_world_get_report(s.world);
            held += report.held_count;
            CHECK((report.held_count > 0) == (report.lost_time > 0.0), "landing %d: time of %d", i,
                  report.held_count);
            for (int k = 0; k < report.contact_count; ++k) {
                lowest = fmin(lowest, report.contacts[k].contact.gap);
            }
        }
        CHECK(lowest > -2.0 * dilation && lowest < envelope, "landing %d: lowest gap %g", i, lowest);
        end_scene(&s);
    }
    CHECK(held > 0, "%d bodies were held", held);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_bodies),      cmocka_unit_test(peg_in_hole),    cmocka_unit_test(ball_in_a_cone),
        cmocka_unit_test(beam_across_rims), cmocka_unit_test(cable_on_a_box), cmocka_unit_test(fast_landing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
