// SPDX-License-Identifier: MIT
// bench_boxes.c: time of method regions for each pair of boxes in motion
//
// Scenes: 100 stacks of 10 boxes at rest; the same without friction, each box sliding against those above and below
// it; and a pile of 300 boxes of two sizes that fall on each other. The first steps are not measured: the stacks settle,
// the pile forms. A row has the time in which a step finds all contacts, divided by the pairs of bodies whose boxes
// touch. The hash covers all contacts of the last step.
#include "bench_boxes.h"
#include "torus.h"

#include <abut-lab/recording.h>
#include <string.h>

enum { STEPS = 16, STACKS = 100, LEVELS = 10, PILE = 300 };

typedef struct box_scene {
    abut_world *world;
    abut_shape *shapes[3]; ///< the ground and two boxes
    int material;
    abut_step_clock clock;
    uint64_t seed;
} box_scene;

/// Uniform from 0 to 1 (xorshift64).
static double any(box_scene *s)
{
    s->seed ^= s->seed << 13;
    s->seed ^= s->seed >> 7;
    s->seed ^= s->seed << 17;
    return (double)(s->seed >> 11) * 0x1p-53;
}

static int make_shape(abut_vec3 half, abut_shape **shape)
{
    static const int triangles[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    abut_vec3 vertices[8];
    for (int i = 0; i < 8; ++i) {
        vertices[i] = abut_vec3_make(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    }
    abut_mesh_def def = bench_triangle_def(vertices, 8, triangles, 12);
    abut_shape_def shape_def = abut_shape_def_default();
    abut_error error;
    if (abut_mesh_create(NULL, &def, &shape_def.owned_mesh, &error) != ABUT_OK) {
        return bench_fail("%s", error.text);
    }
    if (abut_shape_create(NULL, &shape_def, shape, &error) != ABUT_OK) {
        abut_mesh_destroy(shape_def.owned_mesh);
        return bench_fail("%s", error.text);
    }
    return 1;
}

static int add_body(box_scene *s, int shape, abut_pose pose, abut_vec3 velocity)
{
    abut_body_def def = abut_body_def_default();
    abut_error error;
    def.shape = s->shapes[shape];
    def.pose = pose;
    def.linear_velocity = velocity;
    def.is_fixed = shape == 0;
    def.material = s->material;
    return abut_world_add_body(s->world, &def, NULL, &error) == ABUT_OK || bench_fail("%s", error.text);
}

static const abut_vec3 still = {0.0, 0.0, 0.0};

/// An empty world with a ground.
static int begin(box_scene *s, double friction)
{
    abut_context context = bench_context(0);
    abut_world_def def = abut_world_def_default();
    def.has_sweeps = 0; // one detection and one solve a step
    abut_prox_params prox = abut_prox_params_default();
    abut_material material = abut_material_default();
    abut_error error;
    memset(s, 0, sizeof *s);
    material.friction = friction;
    s->seed = 88172645463325252u;
    s->clock = abut_step_clock_default();
    prox.iteration_limit = 50;
    def.gravity = abut_vec3_make(0.0, -9.81, 0.0);
    def.dt = 1.0 / 60.0;
    def.prox = &prox;
    def.method = abut_method_find("regions");
    def.callbacks = abut_step_clock_callbacks(&s->clock);
    if (!make_shape(abut_vec3_make(30.0, 0.5, 30.0), &s->shapes[0]) ||
        !make_shape(abut_vec3_make(0.5, 0.5, 0.5), &s->shapes[1]) ||
        !make_shape(abut_vec3_make(0.3, 0.6, 0.4), &s->shapes[2])) {
        return 0;
    }
    if (abut_world_create(&context, &def, &s->world, &error) != ABUT_OK ||
        abut_world_add_material(s->world, &material, &s->material, &error) != ABUT_OK) {
        return bench_fail("%s", error.text);
    }
    return add_body(s, 0, abut_pose_make(abut_vec3_make(0.0, -0.5, 0.0), abut_quat_identity()), still);
}

static void end(box_scene *s)
{
    abut_world_destroy(s->world);
    for (int i = 0; i < 3; ++i) {
        abut_shape_destroy(s->shapes[i]);
    }
}

/// Stacks whose boxes move sideways at a speed, every other one the other way.
static int add_stacks(box_scene *s, double speed)
{
    int done = 1;
    for (int i = 0; done && i < STACKS * LEVELS; ++i) {
        int stack = i / LEVELS;
        abut_vec3 position = abut_vec3_make(2.0 * (stack % 10) - 10.0, 0.5 + i % LEVELS, 2.0 * (stack / 10) - 10.0);
        done = add_body(s, 1, abut_pose_make(position, abut_quat_identity()),
                        abut_vec3_make(i % 2 == 0 ? -speed : speed, 0.0, 0.0));
    }
    return done;
}

/// Layers of 4 x 4 boxes in any orientation.
static int add_pile(box_scene *s)
{
    int done = 1;
    for (int i = 0; done && i < PILE; ++i) {
        double x = 1.6 * (i % 4) - 2.4 + 0.3 * any(s), y = 1.0 + 1.6 * (i / 16), z = 1.6 * (i / 4 % 4) - 2.4;
        abut_vec3 axis = abut_vec3_make(any(s) - 0.5, any(s) - 0.5, any(s) + 0.1);
        abut_quat turn = abut_quat_from_axis(abut_unit(axis), 3.0 * any(s));
        done = add_body(s, 1 + i % 2, abut_pose_make(abut_vec3_make(x, y, z), turn), still);
    }
    return done;
}

/// Does the first steps, then measures STEPS more.
static int measure(bench_report *report, box_scene *s, const char *name, int first)
{
    double times[STEPS], pairs = 0.0, contacts = 0.0;
    bench_row row = {.scene = name, .subject = "regions, a pair of a step", .threads = 1, .calls = 1};
    abut_error error;
    for (int i = -first; i < STEPS; ++i) {
        if (abut_world_step(s->world, &error) != ABUT_OK) {
            return bench_fail("%s", error.text);
        }
        abut_world_report step = abut_world_get_report(s->world);
        if (i >= 0) {
            times[i] = s->clock.timing.narrow / (step.pair_count > 0 ? step.pair_count : 1);
            pairs += (double)step.pair_count / STEPS;
            contacts += (double)step.contact_count / STEPS;
        }
    }
    abut_world_report last = abut_world_get_report(s->world);
    for (int i = 0; i < last.contact_count; ++i) {
        row.hash = bench_hash(row.hash, last.contacts[i].contact.id);
    }
    bench_add_value(&row, "pairs", pairs);
    bench_add_value(&row, "contacts", contacts);
    return bench_add(report, &row, times, STEPS);
}

int bench_boxes(bench_report *report, const bench_options *options)
{
    static const char *const names[] = {"1,000 boxes in stacks", "the same, sliding", "pile of 300 boxes"};
    const double friction = 0.5, speed = 0.05; // over the 56 steps a box moves by a tenth of its width
    int done = 1;
    for (int i = 0; i < 3 && done; ++i) {
        box_scene s;
        if (bench_wants(options, names[i], NULL)) {
            done = begin(&s, i == 1 ? 0.0 : friction) && (i == 2 ? add_pile(&s) : add_stacks(&s, i * speed)) &&
                   measure(report, &s, names[i], i == 2 ? 120 : 40);
            end(&s);
        }
    }
    return done;
}
