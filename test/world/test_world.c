// SPDX-License-Identifier: MIT
// test_world.c: motions with answers on paper
#include "random.h"
#include "stage.h"

#include <stdlib.h>

/// After n steps of Moreau's stepper, v = v0 - g t and x = x0 + v0 t - g t^2 / 2 exactly, so the energy is constant.
/// Semi-implicit Euler falls g dt t / 2 further.
static void a_body_falls(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        abut_world_def def = falling();
        int stepper = i % 2;
        def.stepper = (abut_stepper)stepper;
        def.has_sweeps = i / 2;
        stage s = make_stage(NULL, &def, 0.5, 0.0);
        add_box(&s, abut_vec3_make(1, 2, 3), abut_vec3_make(0, 50, 0), abut_vec3_make(1, 2, 0), 0);
        abut_world_energy before = abut_world_get_energy(s.world);
        run(&s, 100);
        abut_body_state body = abut_world_get_body(s.world, 0);
        double late = def.has_sweeps || stepper == ABUT_STEPPER_MOREAU ? 0.0 : 0.5 * g * def.dt;
        CHECK_NEAR(body.center.y, 50.0 + 2.0 - 0.5 * g - late, 1e-12, "height after 1 s");
        CHECK_NEAR(body.center.x, 1.0, 1e-13, "way after 1 s");
        CHECK_NEAR(body.linear_velocity.y, 2.0 - g, 1e-12, "speed after 1 s");
        CHECK_NEAR(body.mass, 12000.0, 1e-8, "mass");
        abut_world_energy after = abut_world_get_energy(s.world);
        CHECK_NEAR((after.kinetic + after.potential) / (before.kinetic + before.potential),
                   1.0 - 12000.0 * g * late / (before.kinetic + before.potential), 1e-12, "energy");
        end_stage(&s);
    }
    CHECK_DONE();
}

/// A block of speed v slides v^2 / (2 mu g). The block stops within a step, not at its end. The error is less than the
/// way of the last step, mu g dt^2.
static void a_block_slides_and_stops(void **state)
{
    (void)state;
    abut_world_def def = falling();
    stage s = make_stage(NULL, &def, 0.4, 0.0);
    add_ground(&s);
    int block = add_box(&s, abut_vec3_make(1, 0.5, 1), abut_vec3_make(0, 0.25, 0), abut_vec3_make(2, 0, 0), 0);
    run(&s, 150);
    abut_body_state body = abut_world_get_body(s.world, block);
    CHECK_NEAR(body.center.x, 2.0 * 2.0 / (2.0 * 0.4 * g), 0.4 * g * def.dt * def.dt, "way");
    CHECK_NEAR(abut_norm(body.linear_velocity), 0.0, 1e-9, "speed");
    CHECK_NEAR(body.center.y, 0.25, 1e-9, "height");
    end_stage(&s);
    CHECK_DONE();
}

/// With gravity tilted by an angle, the block stays if the angle is below atan(mu). Above, it accelerates with g (sin
/// - mu cos).
static void a_block_sticks_below_the_friction_angle(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        double angle = atan(0.5) + (i == 0 ? -0.01 : 0.01);
        abut_world_def def = abut_world_def_default();
        def.gravity = abut_vec3_make(g * sin(angle), -g * cos(angle), 0.0);
        def.prox = precise(1e-12);
        stage s = make_stage(NULL, &def, 0.5, 0.0);
        add_ground(&s);
        int block = add_box(&s, abut_vec3_make(1, 0.5, 1), abut_vec3_make(0, 0.25, 0), abut_vec3_make(0, 0, 0), 0);
        run(&s, 100);
        double speed = i == 0 ? 0.0 : g * (sin(angle) - 0.5 * cos(angle));
        CHECK_NEAR(abut_world_get_body(s.world, block).linear_velocity.x, speed, i == 0 ? 1e-9 : 1e-4,
                   "speed after 1 s");
        end_stage(&s);
    }
    CHECK_DONE();
}

/// A block of width 0.5 and height 1 tips if gravity through its centre passes outside its base: above tan = 0.5.
static void a_block_tips_at_the_right_angle(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        double angle = atan(0.5) + (i == 0 ? -0.005 : 0.005);
        abut_world_def def = abut_world_def_default();
        def.gravity = abut_vec3_make(g * sin(angle), -g * cos(angle), 0.0);
        def.prox = precise(1e-12);
        stage s = make_stage(NULL, &def, 2.0, 0.0);
        add_ground(&s);
        int block = add_box(&s, abut_vec3_make(0.5, 1, 0.5), abut_vec3_make(0, 0.5, 0), abut_vec3_make(0, 0, 0), 0);
        run(&s, 50);
        double spin = abut_norm(abut_world_get_body(s.world, block).angular_velocity);
        CHECK(i == 0 ? spin < 1e-9 : spin > 1e-3, "angle %g: spin %g", angle, spin);
        end_stage(&s);
    }
    CHECK_DONE();
}

/// A stack of ten boxes stays where it is.
static void a_stack_rests(void **state)
{
    (void)state;
    abut_world_def def = falling();
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    add_ground(&s);
    for (int i = 0; i < 10; ++i) {
        add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(0, 0.5 + i, 0), abut_vec3_make(0, 0, 0), 0);
    }
    run(&s, 200);
    for (int i = 0; i < 10; ++i) {
        abut_body_state body = abut_world_get_body(s.world, i + 1);
        CHECK_NEAR(abut_norm(abut_sub(body.center, abut_vec3_make(0, 0.5 + i, 0))), 0.0, 1e-9, "place");
    }
    CHECK_INT(abut_world_get_report(s.world).contact_count, 40, "contacts");
    // The ground carries ten boxes of 2000 kg for one step.
    abut_world_report report = abut_world_get_report(s.world);
    double sum = 0.0;
    for (int i = 0; i < report.contact_count; ++i) {
        sum += report.contacts[i].body_a == 0 ? report.contacts[i].impulse.normal : 0.0;
    }
    CHECK_NEAR(sum, 20000.0 * g * def.dt, 1e-3, "impulse on the ground");
    end_stage(&s);
    CHECK_DONE();
}

/// A box at speed 1 meets a row of boxes that touch, with restitution 1. Newton's law reverses the relative speed at
/// the first contact, u2 - u1 = 1. The contacts that were at rest stay at rest. So two boxes exchange velocities. For
/// three, u1 = u2 - 1, u3 = u2 and u1 + u2 + u3 = 1 give -1/3, 2/3, 2/3.
static void boxes_collide(void **state)
{
    (void)state;
    for (int count = 2; count <= 3; ++count) {
        abut_world_def def = abut_world_def_default();
        def.dt = 1e-4;
        def.prox = precise(1e-14);
        stage s = make_stage(NULL, &def, 0.0, 1.0);
        for (int i = 0; i < count; ++i) {
            add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(i, 0, 0), abut_vec3_make(i == 0 ? 1.0 : 0.0, 0, 0),
                    0);
        }
        abut_world_momentum before = abut_world_get_momentum(s.world);
        run(&s, 1);
        const double expected[2][3] = {{0.0, 1.0, 0.0}, {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}};
        for (int i = 0; i < count; ++i) {
            CHECK_NEAR(abut_world_get_body(s.world, i).linear_velocity.x, expected[count - 2][i], 1e-10, "speed");
        }
        abut_world_momentum after = abut_world_get_momentum(s.world);
        CHECK_NEAR(abut_norm(abut_sub(after.linear, before.linear)) / abut_norm(before.linear), 0.0, 1e-14,
                   "momentum");
        end_stage(&s);
    }
    CHECK_DONE();
}

/// Without gravity, boxes that fly into each other keep momentum and angular momentum, whatever the impulses.
/// Stabilisation is off: it moves bodies without changing their velocities, which changes the angular momentum about
/// the origin.
static void momentum_is_kept(void **state)
{
    (void)state;
    abut_world_def def = abut_world_def_default();
    def.dt = 1e-3;
    def.stabilisation.is_on = 0;
    stage s = make_stage(NULL, &def, 0.5, 0.5);
    test_random random = {5};
    for (int i = 0; i < 6; ++i) {
        abut_vec3 way = random_unit(&random);
        add_box(&s, abut_vec3_make(1, 0.7, 0.5), abut_scale(2.0, way), abut_scale(-3.0, way), 0);
    }
    abut_world_momentum before = abut_world_get_momentum(s.world);
    double scale = 6.0 * 700.0 * 3.0;
    int contacts = 0;
    for (int i = 0; i < 600; ++i) {
        run(&s, 1);
        contacts += abut_world_get_report(s.world).contact_count;
    }
    CHECK(contacts > 20, "only %d contacts", contacts);
    abut_world_momentum after = abut_world_get_momentum(s.world);
    CHECK_NEAR(abut_norm(abut_sub(after.linear, before.linear)) / scale, 0.0, 1e-12, "momentum");
    CHECK_NEAR(abut_norm(abut_sub(after.angular, before.angular)) / scale, 0.0, 1e-12, "angular momentum");
    end_stage(&s);
    CHECK_DONE();
}

/// A parallel loop that runs the ranges in reverse order, as if on four threads: the most unusual order that a caller
/// may choose.
static void backward_for(void *user, int count, int grain, abut_range_task *task, void *data)
{
    (void)user;
    int step = grain > 1 ? grain : 1;
    int ranges = count / step + (count % step != 0);
    for (int i = ranges - 1; i >= 0; --i) {
        task(data, i * step, count - i * step < step ? count : (i + 1) * step, i % 4);
    }
}

enum { PILE = 40, PILE_CONTACTS = 2048, PILE_POINTS = 4096 };

/// The results of a step, without padding, which may differ.
typedef struct outcome {
    abut_body_state bodies[PILE + 1];
    int pairs, contact_count, region_count, point_count, direction_count;
    struct {
        int bodies[2], region;
        abut_vec3 position, normal;
        double gap;
        uint64_t id;
        abut_solve_impulse impulse;
    } contacts[PILE_CONTACTS];
    struct {
        int bodies[2], kind, ranges[4];
        double measure;
    } regions[PILE_CONTACTS];
    abut_vec3 points[PILE_POINTS], directions[PILE_POINTS];
} outcome;

static void keep_outcome(const abut_world *world, outcome *kept)
{
    abut_world_report report = abut_world_get_report(world);
    const abut_world_regions *regions = &report.regions;
    assert_true(report.contact_count <= PILE_CONTACTS && regions->count <= PILE_CONTACTS &&
                regions->point_count <= PILE_POINTS && regions->direction_count <= PILE_POINTS);
    for (int i = 0; i <= PILE; ++i) {
        kept->bodies[i] = abut_world_get_body(world, i);
    }
    kept->pairs = report.pair_count;
    kept->contact_count = report.contact_count;
    for (int i = 0; i < report.contact_count; ++i) {
        const abut_world_contact *c = &report.contacts[i];
        kept->contacts[i].bodies[0] = c->body_a;
        kept->contacts[i].bodies[1] = c->body_b;
        kept->contacts[i].region = (int)c->contact.region;
        kept->contacts[i].position = c->contact.position;
        kept->contacts[i].normal = c->contact.normal;
        kept->contacts[i].gap = c->contact.gap;
        kept->contacts[i].id = c->contact.id;
        kept->contacts[i].impulse = c->impulse;
    }
    kept->region_count = regions->count;
    for (int i = 0; i < regions->count; ++i) {
        const abut_world_region *r = &regions->items[i];
        const int ranges[4] = {r->region.loop_begin, r->region.loop_count, r->region.normal_begin,
                               r->region.normal_count};
        kept->regions[i].bodies[0] = r->body_a;
        kept->regions[i].bodies[1] = r->body_b;
        kept->regions[i].kind = (int)r->region.kind;
        memcpy(kept->regions[i].ranges, ranges, sizeof ranges);
        kept->regions[i].measure = r->region.measure;
    }
    kept->point_count = regions->point_count;
    kept->direction_count = regions->direction_count;
    memcpy(kept->points, regions->points, (size_t)regions->point_count * sizeof *kept->points);
    memcpy(kept->directions, regions->directions, (size_t)regions->direction_count * sizeof *kept->directions);
}

/// Forty boxes in eight leaning towers slide and fall, once in order on one worker and once in reverse order on four.
/// Bodies, contacts, impulses and regions are the same bytes after each of 60 steps. There are more pairs than a
/// worker takes at a time; otherwise the test would prove nothing.
static void threads_do_not_matter(void **state)
{
    (void)state;
    enum { HEIGHT = 5 };
    stage stages[2];
    outcome *outcomes = calloc(2, sizeof *outcomes);
    assert_non_null(outcomes);
    for (int round = 0; round < 2; ++round) {
        abut_context context = abut_context_default();
        if (round == 1) {
            context.parallel_for = backward_for;
            context.worker_count = 4;
        }
        abut_world_def def = falling();
        stages[round] = make_stage(&context, &def, 0.5, 0.0);
        add_ground(&stages[round]);
        for (int i = 0; i < PILE; ++i) {
            int level = i % HEIGHT, tower = i / HEIGHT;
            add_box(
                &stages[round], abut_vec3_make(1, 1, 1),
                abut_vec3_make(0.3 * (level % 3) + 1.7 * (tower % 4), 0.5 + level, 0.1 * level + 2.0 * (tower / 4)),
                abut_vec3_make(0.03 * level, 0, 0), 0);
        }
    }
    int fewest = PILE_CONTACTS;
    for (int step = 0; step < 60; ++step) {
        for (int round = 0; round < 2; ++round) {
            run(&stages[round], 1);
            keep_outcome(stages[round].world, &outcomes[round]);
        }
        fewest = outcomes[0].pairs < fewest ? outcomes[0].pairs : fewest;
        CHECK(memcmp(&outcomes[0], &outcomes[1], sizeof *outcomes) == 0, "the bytes differ at step %d", step + 1);
    }
    CHECK(fewest > 32, "only %d pairs", fewest);
    CHECK(outcomes[0].contact_count > 100 && outcomes[0].region_count > 32, "%d contacts in %d regions",
          outcomes[0].contact_count, outcomes[0].region_count);
    end_stage(&stages[0]);
    end_stage(&stages[1]);
    free(outcomes);
    CHECK_DONE();
}

/// Boxes on the ground, each with a second box on top that is shifted by half a box. Each lower box has a polygon of
/// area 1, each upper box one of area 1/2, with the normal up, four corners in its plane, and contacts that name it.
/// The result does not depend on the number of workers.
static void regions_are_told(void **state)
{
    (void)state;
    enum { TOWERS = 7 };
    for (int round = 0; round < 2; ++round) {
        abut_context context = abut_context_default();
        if (round == 1) {
            context.parallel_for = backward_for;
            context.worker_count = 4;
        }
        abut_world_def def = falling();
        stage s = make_stage(&context, &def, 0.5, 0.0);
        add_ground(&s);
        for (int i = 0; i < 2 * TOWERS; ++i) {
            abut_vec3 center = abut_vec3_make(0.5 * (i % 2), 0.5 + i % 2, 2.0 * (i / 2));
            add_box(&s, abut_vec3_make(1, 1, 1), center, abut_vec3_make(0, 0, 0), 0);
        }
        run(&s, 3);
        abut_world_report report = abut_world_get_report(s.world);
        const abut_world_regions *regions = &report.regions;
        CHECK_INT(regions->count, 2 * TOWERS, "regions");
        CHECK_INT(regions->point_count, 8 * TOWERS, "points");
        for (int i = 0; i < regions->count; ++i) {
            const abut_world_region *r = &regions->items[i];
            // Regions with the ground, body 0, come first, then those of each tower's lower box.
            int is_upper = i >= TOWERS, tower = is_upper ? i - TOWERS : i;
            CHECK_INT(r->body_a, is_upper ? 2 * tower + 1 : 0, "body_a");
            CHECK_INT(r->body_b, 2 * tower + 1 + is_upper, "body_b");
            CHECK_INT(r->region.kind, ABUT_REGION_POLYGON, "kind");
            CHECK_NEAR(r->region.measure, is_upper ? 0.5 : 1.0, 1e-6, "area");
            CHECK_INT(r->region.loop_count, 1, "loops");
            CHECK_INT(r->region.normal_count, 1, "normals");
            CHECK_NEAR(regions->directions[r->region.normal_begin].y, 1.0, 1e-9, "normal");
            const abut_region_loop *loop = &regions->loops[r->region.loop_begin];
            CHECK_INT(loop->point_count, 4, "corners");
            for (int k = 0; k < loop->point_count; ++k) {
                abut_vec3 point = regions->points[loop->point_begin + k];
                CHECK_NEAR(point.y, is_upper, 1e-6, "height");
                CHECK_NEAR(fabs(point.z - 2.0 * tower), 0.5, 1e-6, "place");
            }
        }
        CHECK_INT(report.contact_count, 8 * TOWERS, "contacts");
        for (int i = 0; i < report.contact_count; ++i) {
            const abut_world_contact *c = &report.contacts[i];
            int is_named = c->contact.region >= 0 && c->contact.region < regions->count;
            CHECK(is_named && regions->items[c->contact.region].body_a == c->body_a &&
                      regions->items[c->contact.region].body_b == c->body_b,
                  "contact %d is of region %d", i, (int)c->contact.region);
        }
        end_stage(&s);
    }
    CHECK_DONE();
}

/// A bad scene is refused with a message that names the bad value, and nothing is added.
static void bad_scenes_are_refused(void **state)
{
    (void)state;
    abut_error error;
    abut_world_def def = falling();
    def.dt = 0.0;
    abut_world *none = NULL;
    CHECK_STATUS(abut_world_create(NULL, &def, &none, &error), ABUT_BAD_ARGUMENT, "dt 0");
    CHECK_STATUS(abut_world_create(NULL, NULL, &none, &error), ABUT_BAD_ARGUMENT, "no definition");
    def.dt = 0.01;
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    add_ground(&s);
    const abut_vec3 rest = abut_vec3_make(0, 0, 0);
    CHECK_STATUS(abut_world_add_body(s.world, NULL, NULL, &error), ABUT_BAD_ARGUMENT, "no definition");
    CHECK_STATUS(abut_world_add_material(s.world, NULL, NULL, &error), ABUT_BAD_ARGUMENT, "no material");
    CHECK_STATUS(abut_world_set_method(s.world, 0, 0, NULL, NULL, &error), ABUT_BAD_ARGUMENT, "no method");
    CHECK_STATUS(abut_world_set_method(s.world, 0, 0, def.method, NULL, &error), ABUT_OK, "parameters as usual");
    CHECK_STATUS(abut_world_set_body(s.world, 99, abut_pose_identity(), rest, rest, &error), ABUT_BAD_ARGUMENT,
                 "body 99");
    CHECK(strstr(error.text, "99") != NULL, "text: %s", error.text);
    abut_body_def body = abut_body_def_default();
    body.name = "stone";
    body.material = 0;
    CHECK_STATUS(abut_world_add_body(s.world, &body, NULL, &error), ABUT_BAD_ARGUMENT, "no shape");
    body.shape = s.shapes[0];
    body.material = 3;
    CHECK_STATUS(abut_world_add_body(s.world, &body, NULL, &error), ABUT_BAD_ARGUMENT, "material");
    CHECK(strstr(error.text, "stone") != NULL && strstr(error.text, "3") != NULL, "text: %s", error.text);
    body.material = 0;
    abut_mass mass = {.mass = 0.0};
    body.mass = &mass;
    CHECK_STATUS(abut_world_add_body(s.world, &body, NULL, &error), ABUT_BAD_DATA, "mass 0");
    // negative about two axes, although the determinant is positive; not symmetric; no moment about one axis; NaN
    const abut_mat3 inertias[] = {{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}},
                                  {{1, 0.9, 0}, {0, 1, 0}, {0, 0, 1}},
                                  {{1, 0, 0}, {0, 0, 0}, {0, 0, 1}},
                                  {{1, 0, 0}, {0, NAN, 0}, {0, 0, 1}}};
    for (size_t i = 0; i < sizeof inertias / sizeof inertias[0]; ++i) {
        mass = (abut_mass){.mass = 1.0, .inertia = inertias[i]};
        CHECK_STATUS(abut_world_add_body(s.world, &body, NULL, &error), ABUT_BAD_DATA, "inertia");
        CHECK(strstr(error.text, "stone") != NULL && strstr(error.text, "inertia") != NULL, "text: %s", error.text);
    }
    body.mass = NULL;
    body.pose.position.x = NAN;
    CHECK_STATUS(abut_world_add_body(s.world, &body, NULL, &error), ABUT_BAD_DATA, "NaN");
    CHECK_INT(abut_world_body_count(s.world), 1, "bodies");
    end_stage(&s);
    CHECK_DONE();
}

/// Two boxes hover 0.05 above the ground. One has another material, whose method on the ground has an envelope of 0.1:
/// this box has four contacts, the other none. A shape that such a method does not support is refused, and the message
/// names the body.
static void materials_choose_methods(void **state)
{
    (void)state;
    abut_world_def def = abut_world_def_default();
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    abut_material other = abut_material_default();
    abut_params far = abut_params_default();
    far.envelope = abut_absolute(0.1);
    abut_error error;
    int glass = -1;
    add_ground(&s);
    add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(-3.0, 0.55, 0.0), abut_vec3_make(0, 0, 0), 0);
    assert_int_equal(abut_world_add_material(s.world, &other, &glass, &error), ABUT_OK);
    CHECK_STATUS(abut_world_set_method(s.world, 2, 0, abut_method_find("convex"), &far, &error), ABUT_BAD_ARGUMENT,
                 "no material");
    CHECK_STATUS(abut_world_set_method(s.world, glass, 0, abut_method_find("convex"), &far, &error), ABUT_OK,
                 "method of glass");
    CHECK_STATUS(abut_world_set_pair(s.world, 0, glass, 0.25, 0.0, &error), ABUT_OK, "friction of glass");
    abut_body_def body = abut_body_def_default();
    body.shape = s.shapes[1];
    body.material = glass;
    body.pose.position = abut_vec3_make(3.0, 0.55, 0.0);
    CHECK_STATUS(abut_world_add_body(s.world, &body, NULL, &error), ABUT_OK, "the box of glass");
    CHECK_STATUS(abut_world_detect(s.world, &error), ABUT_OK, "detect");
    abut_world_report report = abut_world_get_report(s.world);
    CHECK_INT(report.contact_count, 4, "contacts");
    for (int i = 0; i < report.contact_count; ++i) {
        CHECK_INT(report.contacts[i].body_b, 2, "body");
        CHECK_NEAR(report.contacts[i].contact.gap, 0.05, 1e-14, "gap");
        CHECK_NEAR(report.contacts[i].friction, 0.25, 0.0, "friction");
    }
    // a tetrahedron whose base is pushed in
    static const abut_vec3 vertices[] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.1, 0.2}};
    static const int triangles[][3] = {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {1, 0, 4}, {2, 1, 4}, {0, 2, 4}};
    abut_mesh_def mesh_def = abut_mesh_def_default();
    mesh_def.vertices = vertices;
    mesh_def.vertex_count = 5;
    mesh_def.face_vertices = &triangles[0][0];
    mesh_def.face_count = 6;
    abut_mesh *hollow = NULL;
    assert_int_equal(abut_mesh_create(NULL, &mesh_def, &hollow, &error), ABUT_OK);
    abut_shape_def shape_def = abut_shape_def_default();
    shape_def.mesh = hollow;
    abut_shape *shape = NULL;
    assert_int_equal(abut_shape_create(NULL, &shape_def, &shape, &error), ABUT_OK);
    body.shape = shape;
    body.name = "bowl";
    CHECK_STATUS(abut_world_add_body(s.world, &body, NULL, &error), ABUT_UNSUPPORTED, "a body that is not convex");
    CHECK(strstr(error.text, "bowl") != NULL, "text: %s", error.text);
    abut_shape_destroy(shape);
    abut_mesh_destroy(hollow);
    end_stage(&s);
    CHECK_DONE();
}

/// A box that spins at 10 on its face stops in one step if it cannot slip, with either solver. A box of ice on the
/// same ground goes on spinning, because its friction of 0 makes that of the pair 0.
static void a_spinning_box_stops(void **state)
{
    (void)state;
    for (int solver = 0; solver < 2; ++solver) {
        for (int is_ice = 0; is_ice < 2; ++is_ice) {
            abut_world_def def = falling();
            def.solver = (abut_solver_kind)solver;
            stage s = make_stage(NULL, &def, HUGE_VAL, 0.0);
            abut_material ice = abut_material_default();
            ice.friction = 0.0;
            abut_error error;
            CHECK_STATUS(abut_world_add_material(s.world, &ice, NULL, &error), ABUT_OK, "ice");
            add_ground(&s);
            int box = add_spinning_box(&s, 10.0, is_ice);
            run(&s, 1);
            double expected = is_ice ? 10.0 : 0.0;
            CHECK_NEAR(abut_world_get_body(s.world, box).angular_velocity.y, expected, 1e-9, "spin");
            end_stage(&s);
        }
    }
    CHECK_DONE();
}

/// A cube of side 1 spins at 10 on its four corners, at the distance d = 1 / sqrt 2 from the axis, with friction 0.5.
/// A step reduces the spin by mu g dt d / (I / m), with I / m = 1/6. With a torsion radius r, d becomes sqrt(d^2 +
/// r^2): slip and rotation share one ball, and the impulse is along (d, r) times the spin.
static void torsion_adds_to_friction(void **state)
{
    (void)state;
    const double d = sqrt(0.5), radii[] = {0.0, 0.5};
    for (int i = 0; i < 2; ++i) {
        abut_world_def def = falling();
        def.torsion_radius = radii[i];
        stage s = make_stage(NULL, &def, 0.5, 0.0);
        add_ground(&s);
        int box = add_spinning_box(&s, 10.0, 0);
        run(&s, 1);
        double loss = 0.5 * g * def.dt * sqrt(d * d + radii[i] * radii[i]) * 6.0;
        CHECK_NEAR(abut_world_get_body(s.world, box).angular_velocity.y, 10.0 - loss, 1e-9, "spin");
        end_stage(&s);
    }
    CHECK_DONE();
}

/// A box is sunk into the ground by 0.1. A step moves it out by its share of what exceeds the slop, or as far as the
/// speed limit allows, and leaves it at rest; up to that share of a millionth of the box's size, which counts as
/// touching. A box pressed from above and below cannot be moved out of both: it stays
/// where it is, and nothing gets any speed.
static void overlap_is_taken_out(void **state)
{
    (void)state;
    const struct {
        double slop, share, limit, rise;
    } rows[] = {
        {0.0, 0.5, HUGE_VAL, 0.05}, {0.02, 0.5, HUGE_VAL, 0.04}, {0.0, 1.0, HUGE_VAL, 0.1}, {0.0, 1.0, 2.0, 0.02}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        abut_world_def def = abut_world_def_default();
        def.method = abut_method_find("convex");
        def.has_sweeps = 0; // which would take it out in small moves
        def.stabilisation = (abut_stabilisation){1, rows[i].slop, rows[i].share, rows[i].limit};
        stage s = make_stage(NULL, &def, 0.5, 0.0);
        add_ground(&s);
        int box = add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(0, 0.4, 0), abut_vec3_make(0, 0, 0), 0);
        run(&s, 1);
        abut_body_state after = abut_world_get_body(s.world, box);
        CHECK_NEAR(after.center.y, 0.4 + rows[i].rise, rows[i].share * 1e-6 * sqrt(3.0), "rise");
        CHECK_NEAR(abut_norm(after.linear_velocity) + abut_norm(after.angular_velocity), 0.0, 0.0, "speed");
        end_stage(&s);
    }
    abut_world_def def = abut_world_def_default();
    def.method = abut_method_find("convex");
    def.stabilisation.is_on = 1;
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    add_ground(&s);
    (void)add_box(&s, abut_vec3_make(40.0, 2.0, 40.0), abut_vec3_make(0.0, 1.8, 0.0), abut_vec3_make(0, 0, 0), 1);
    int box = add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(0, 0.4, 0), abut_vec3_make(0, 0, 0), 0);
    run(&s, 20);
    abut_body_state after = abut_world_get_body(s.world, box);
    CHECK_NEAR(after.center.y, 0.4, 1e-6, "wedged");
    CHECK_NEAR(abut_norm(after.linear_velocity), 0.0, 1e-9, "speed of the wedged box");
    end_stage(&s);
    CHECK_DONE();
}

// A unit cube is sunk into the ground, without gravity. Its size is sqrt(3). Stabilisation leaves overlaps of up to a
// millionth of that alone: nothing moves, and there is nothing to solve. It halves larger ones until they are below
// that, with an accuracy of half of it: of 8e-6 at most 4.9e-6, 3.3e-6, 2.5e-6 and so on are left, never less than 0,
// and after ten steps it has stopped.
static void touching_bodies_are_left_alone(void **state)
{
    (void)state;
    const double touching = 1e-6 * sqrt(3.0), sunk[] = {1e-11, 1.7e-6, 8e-6};
    for (size_t i = 0; i < sizeof sunk / sizeof sunk[0]; ++i) {
        abut_world_def def = abut_world_def_default();
        stage s = make_stage(NULL, &def, 0.5, 0.0);
        add_ground(&s);
        abut_vec3 center = {0.0, 0.5 - sunk[i], 0.0};
        int box = add_box(&s, abut_vec3_make(1, 1, 1), center, abut_vec3_make(0, 0, 0), 0);
        run(&s, 1);
        int first = abut_world_get_report(s.world).stabilisation_iterations;
        run(&s, 10);
        double left = 0.5 - abut_world_get_body(s.world, box).center.y;
        CHECK((first > 0) == (sunk[i] > touching), "sunk by %g: %d iterations", sunk[i], first);
        CHECK_INT(abut_world_get_report(s.world).stabilisation_iterations, 0, "iterations after ten steps");
        CHECK(left > 0.0 && left <= touching, "sunk by %g: %g is left", sunk[i], left);
        CHECK(first > 0 || fabs(left - sunk[i]) <= 1e-15, "sunk by %g: %g is left", sunk[i], left);
        end_stage(&s);
    }
    CHECK_DONE();
}

/// A push makes a body faster than the limit: the step fails with a message that names step and body, and the world is
/// as before.
static void divergence_is_told(void **state)
{
    (void)state;
    abut_world_def def = falling();
    def.speed_limit = 100.0;
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(0, 0, 0), abut_vec3_make(0, 0, 0), 0);
    run(&s, 3);
    abut_body_state before = abut_world_get_body(s.world, 0);
    abut_world_push(s.world, 0, abut_vec3_make(1e9, 0, 0), before.center, abut_vec3_make(0, 0, 0));
    abut_error error;
    CHECK_STATUS(abut_world_step(s.world, &error), ABUT_LIMIT, "too fast");
    CHECK(strstr(error.text, "step 4") != NULL && strstr(error.text, "body 0") != NULL, "text: %s", error.text);
    abut_body_state after = abut_world_get_body(s.world, 0);
    CHECK(memcmp(&before, &after, sizeof before) == 0, "the body moved");
    CHECK_INT(abut_world_get_report(s.world).step, 3, "step");
    end_stage(&s);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_falls),
        cmocka_unit_test(a_block_slides_and_stops),
        cmocka_unit_test(a_block_sticks_below_the_friction_angle),
        cmocka_unit_test(a_block_tips_at_the_right_angle),
        cmocka_unit_test(a_stack_rests),
        cmocka_unit_test(boxes_collide),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(regions_are_told),
        cmocka_unit_test(bad_scenes_are_refused),
        cmocka_unit_test(materials_choose_methods),
        cmocka_unit_test(a_spinning_box_stops),
        cmocka_unit_test(torsion_adds_to_friction),
        cmocka_unit_test(overlap_is_taken_out),
        cmocka_unit_test(touching_bodies_are_left_alone),
        cmocka_unit_test(divergence_is_told),
    };
    return cmocka_run_group_tests_name("world", tests, NULL, NULL);
}
