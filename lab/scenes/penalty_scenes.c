// SPDX-License-Identifier: MIT
// penalty_scenes.c: scenes with penalty forces
//
// Source:  Tang, Manocha, Otaduy, Tong 2012: the chain of their Figure 1(a) and the stick of Figure 9. Number of triangles, time
//          step, tolerance and stiffness of the chain are theirs, the tolerance in the unit in which gravity is 9.81
//          (docs/methods/continuous.md). Shapes, sizes and masses are ours: the paper has none.
#include "scenes/penalty_scenes.h"

#include "common/lab_support.h"
#include "scenes/masonry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int abut_penalty_grid(abut_setup_builder *b, const char *name, int rows, int columns, int is_ring,
                      abut_vec3 (*place)(double row, double column))
{
    int vertex_count = is_ring ? rows * columns : (rows - 1) * columns + 2, count = 0;
    size_t triangle_room = 2 * (size_t)rows * (size_t)columns;
    abut_vec3 *vertices = abut_allocate(&b->context, (size_t)vertex_count, sizeof *vertices);
    int *corners = abut_allocate(&b->context, 3 * triangle_room, sizeof *corners);
    abut_mesh *mesh = NULL;
    if (b->status == ABUT_OK && (vertices == NULL || corners == NULL)) {
        b->status = abut_fail(b->error, ABUT_NO_MEMORY, "out of memory for mesh %s", name);
    }
    for (int i = 0; b->status == ABUT_OK && i < rows; ++i) {
        for (int k = 0; k < columns; ++k) {
            // a ball: row 0 is the first point, rows 1 to rows - 1 are circles, the last point follows
            int next = (k + 1) % columns, up = (i + 1) % rows;
            int a = is_ring ? i * columns + k : i == 0 ? 0 : (i - 1) * columns + k + 1;
            int c = is_ring ? i * columns + next : i == 0 ? 0 : (i - 1) * columns + next + 1;
            int d = is_ring ? up * columns + k : i == rows - 1 ? vertex_count - 1 : i * columns + k + 1;
            int e = is_ring ? up * columns + next : i == rows - 1 ? vertex_count - 1 : i * columns + next + 1;
            vertices[a] = place((double)i / rows, i == 0 && !is_ring ? 0.0 : (double)k / columns);
            const int halves[2][3] = {{a, c, e}, {a, e, d}};
            for (int h = 0; h < 2; ++h) {
                const int *t = halves[h];
                if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) {
                    memcpy(corners + 3 * count++, t, sizeof halves[h]);
                }
            }
        }
    }
    if (b->status == ABUT_OK) {
        if (!is_ring) {
            vertices[vertex_count - 1] = place(1.0, 0.0);
        }
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = vertex_count;
        def.face_vertices = corners;
        def.face_count = count;
        b->status = abut_mesh_create(&b->context, &def, &mesh, b->error);
    }
    abut_free(&b->context, vertices);
    abut_free(&b->context, corners);
    return b->status == ABUT_OK ? abut_setup_add_mesh(b, name, mesh) : -1;
}

void abut_penalty_body(abut_setup_builder *b, const char *name, const abut_setup_body *like)
{
    abut_setup_body body = *like;
    (void)snprintf(body.name, sizeof body.name, "%s", name);
    (void)abut_setup_add_body(b, &body);
}

abut_response_params *abut_penalty_forces(abut_setup_builder *b, double stiffness, double tolerance)
{
    abut_setup *s = b->setup;
    s->response = b->status == ABUT_OK ? abut_allocate(&b->context, 1, sizeof *s->response) : NULL;
    if (s->response == NULL) {
        b->status =
            b->status != ABUT_OK ? b->status : abut_fail(b->error, ABUT_NO_MEMORY, "out of memory for a setup");
        return NULL;
    }
    *s->response = abut_response_params_default();
    s->response->weights = ABUT_WEIGHTS_PAIR;
    s->response->stiffness = stiffness;
    s->response->tolerance = tolerance;
    return s->response;
}

// ---------------------------------------------------------------------------------------------------------------
// The chain

enum { LINKS = 7, LINK_ROWS = 42, LINK_COLUMNS = 24 };
static const double LINK_RADIUS = 5.0, WIRE_RADIUS = 1.25;

/// A torus about the z axis.
static abut_vec3 place_on_link(double row, double column)
{
    double along = 2.0 * ABUT_LAB_PI * row, around = 2.0 * ABUT_LAB_PI * column;
    double r = LINK_RADIUS + WIRE_RADIUS * cos(around);
    return abut_vec3_make(r * cos(along), r * sin(along), -WIRE_RADIUS * sin(around));
}

/// A chain hangs from a fixed link, swings down from the side, and hits a box.
static void add_chain(abut_setup_builder *b)
{
    const double reach = 0.4, pitch = 2.0 * (LINK_RADIUS - WIRE_RADIUS) - 1.1 * reach, tilt = 0.5, mass = 6.0;
    const abut_vec3 along = {sin(tilt), -cos(tilt), 0.0};
    const abut_quat lean = abut_quat_from_axis(abut_vec3_make(0.0, 0.0, 1.0), tilt);
    const abut_quat turn = abut_quat_from_axis(abut_vec3_make(0.0, 1.0, 0.0), 0.5 * ABUT_LAB_PI);
    int link = abut_penalty_grid(b, "link", LINK_ROWS, LINK_COLUMNS, 1, place_on_link);
    for (int i = 0; i < LINKS; ++i) {
        char name[24];
        (void)snprintf(name, sizeof name, "link-%d", i);
        abut_quat rotation = i % 2 == 0 ? lean : abut_quat_multiply(lean, turn);
        abut_setup_body body = {.mesh = link,
                                .pose = abut_pose_make(abut_scale(i * pitch, along), rotation),
                                .is_fixed = i == 0,
                                .mass = i == 0 ? 0.0 : mass};
        abut_penalty_body(b, name, &body);
    }
    abut_setup_body box = {.mesh = abut_masonry_box(b, "box", abut_vec3_make(15.0, 30.0, 30.0)),
                           .pose = abut_masonry_at(-13.0, -45.0, 0.0),
                           .is_fixed = 1};
    abut_penalty_body(b, "box", &box);
    b->setup->dt = 0.02;
    b->setup->steps = 500;
    (void)abut_penalty_forces(b, 10.0, reach);
}

// ---------------------------------------------------------------------------------------------------------------
// Ball and stick

static const double BALL_RADIUS = 0.2;

static abut_vec3 place_on_ball(double row, double column)
{
    double down = ABUT_LAB_PI * row, around = 2.0 * ABUT_LAB_PI * column;
    return abut_scale(BALL_RADIUS, abut_vec3_make(sin(down) * cos(around), cos(down), sin(down) * sin(around)));
}

/// A stick swings around its end and hits a ball from below, in the third step. At the end of that step, at the time
/// 0.45, it has turned by more than 90 degrees since and is beside the ball, as in Figure 9.
static void add_ball_and_stick(abut_setup_builder *b)
{
    const double dt = 0.15, turn = 115.0 / 180.0 * ABUT_LAB_PI, end = 45.0 / 180.0 * ABUT_LAB_PI, half = 0.03;
    const abut_vec3 corners[ABUT_SCENE_CUBOID_CORNERS] = {
        {0.05, -half, half},  {1.05, -half, half},  {1.05, half, half},  {0.05, half, half},
        {0.05, -half, -half}, {1.05, -half, -half}, {1.05, half, -half}, {0.05, half, -half}};
    const abut_vec3 axis = {0.0, 0.0, 1.0};
    abut_setup_body stick = {
        .mesh = abut_masonry_solid(b, "stick", corners),
        .pose = abut_pose_make(abut_vec3_make(0.0, 0.0, 0.0), abut_quat_from_axis(axis, end - 3.0 * turn)),
        .angular_velocity = abut_scale(turn / dt, axis),
        .is_fixed = 1};
    abut_penalty_body(b, "stick", &stick);
    abut_setup_body ball = {.mesh = abut_penalty_grid(b, "ball", 38, 40, 0, place_on_ball),
                            .pose = abut_masonry_at(0.397, -0.006, 0.013),
                            .mass = 1.0};
    abut_penalty_body(b, "ball", &ball);
    b->setup->gravity = abut_vec3_make(0.0, 0.0, 0.0);
    b->setup->dt = dt;
    b->setup->steps = 5;
    (void)abut_penalty_forces(b, 0.3, 0.1);
}

static const char *const names[] = {"chain", "ball-and-stick", "pin-rings", "octopus", "tori-on-cloth", "dragons"};
enum { SCENES = sizeof names / sizeof names[0] };
static void (*const builders[SCENES])(abut_setup_builder *builder) = {
    add_chain, add_ball_and_stick, abut_add_pin_rings, abut_add_octopus, abut_add_tori_on_cloth, abut_add_dragons};

const char *const *abut_penalty_scene_names(int *count)
{
    *count = SCENES;
    return names;
}

void abut_penalty_scene_add(abut_setup_builder *builder, const char *name)
{
    for (int i = 0; i < SCENES && builder->status == ABUT_OK; ++i) {
        if (strcmp(names[i], name) == 0) {
            abut_material material = abut_material_default();
            material.friction = 0.8;
            builder->setup->gravity = abut_vec3_make(0.0, -9.81, 0.0);
            builder->setup->viscosity = 0.005;
            (void)abut_setup_add_material(builder, "paper", &material);
            builders[i](builder);
        }
    }
}
