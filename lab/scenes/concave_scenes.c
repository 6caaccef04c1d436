// SPDX-License-Identifier: MIT
// concave_scenes.c: scenes of bodies that are not convex, and of rows of convex ones
//
// They have the settings of scene files: friction, speculative contacts, stabilisation, sweeps and sleep. The y axis is
// up. Sizes are in metres.
#include "scenes/concave_scenes.h"

#include "cases/solid_shapes.h"
#include "common/lab_support.h"
#include "scenes/masonry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const abut_vec3 nothing = {0.0, 0.0, 0.0};

/// A shape of solid_shapes.h.
static int add_shape(abut_setup_builder *b, const char *name)
{
    int count, index = 0;
    const char *const *names = abut_solid_shape_names(&count);
    while (index < count && strcmp(names[index], name) != 0) {
        ++index;
    }
    abut_mesh *mesh = NULL;
    if (b->status == ABUT_OK) {
        b->status = abut_solid_shape_create(&b->context, index, &mesh, b->error);
    }
    return b->status == ABUT_OK ? abut_setup_add_mesh(b, name, mesh) : -1;
}

static void add_free(abut_setup_builder *b, const char *name, int number, int mesh, abut_pose pose,
                     abut_vec3 velocity)
{
    abut_setup_body body = {.mesh = mesh, .pose = pose, .linear_velocity = velocity};
    (void)snprintf(body.name, sizeof body.name, "%s-%d", name, number);
    (void)abut_setup_add_body(b, &body);
}

static void add_fixed(abut_setup_builder *b, const char *name, int mesh, abut_pose pose)
{
    abut_setup_body body = {.mesh = mesh, .pose = pose, .is_fixed = 1};
    (void)snprintf(body.name, sizeof body.name, "%s", name);
    (void)abut_setup_add_body(b, &body);
}

static void add_block(abut_setup_builder *b, const char *name, abut_vec3 size, abut_vec3 center)
{
    add_fixed(b, name, abut_masonry_box(b, name, size), abut_masonry_at(center.x, center.y, center.z));
}

/// Some rotation, another for every number.
static abut_quat turn_of(int number)
{
    static const double shares[3] = {0.7548776662466927, 0.5698402909980532, 0.8191725133961645};
    double at[3];
    for (int i = 0; i < 3; ++i) {
        at[i] = (number + 1) * shares[i] - floor((number + 1) * shares[i]);
    }
    abut_vec3 axis = abut_vec3_make(at[0] - 0.5, at[1] - 0.5, at[2] - 0.3);
    return abut_quat_from_axis(abut_unit(axis), 2.0 * ABUT_LAB_PI * at[0]);
}

/// A hundred U, L, stars and jacks fall into a bin.
static void add_pour(abut_setup_builder *b)
{
    enum { BODIES = 100, ACROSS = 5 };
    static const char *const names[] = {"u", "l", "star", "jack"};
    int meshes[4];
    add_block(b, "ground", abut_vec3_make(10.0, 1.0, 10.0), abut_vec3_make(0.0, -0.5, 0.0));
    add_block(b, "left", abut_vec3_make(0.5, 8.0, 9.0), abut_vec3_make(-4.25, 4.0, 0.0));
    add_block(b, "right", abut_vec3_make(0.5, 8.0, 9.0), abut_vec3_make(4.25, 4.0, 0.0));
    add_block(b, "front", abut_vec3_make(8.0, 8.0, 0.5), abut_vec3_make(0.0, 4.0, 4.25));
    add_block(b, "back", abut_vec3_make(8.0, 8.0, 0.5), abut_vec3_make(0.0, 4.0, -4.25));
    for (int i = 0; i < 4; ++i) {
        meshes[i] = add_shape(b, names[i]);
    }
    for (int i = 0; i < BODIES; ++i) {
        int layer = i / (ACROSS * ACROSS), at = i % (ACROSS * ACROSS);
        double x = 1.55 * (at % ACROSS - 2) + 0.05 * (layer % 2), z = 1.55 * (at / ACROSS - 2) - 0.05 * (layer % 3);
        abut_pose pose = abut_pose_make(abut_vec3_make(x, 1.0 + 1.6 * layer, z), turn_of(i));
        add_free(b, names[i % 4], i, meshes[i % 4], pose, nothing);
    }
}

/// Eight links hang from a fixed one, and swing down from the side.
static void add_links(abut_setup_builder *b)
{
    enum { LINKS = 9 };
    const double pitch = 0.63, tilt = 1.0; // taut at 0.64
    const abut_vec3 along = {sin(tilt), -cos(tilt), 0.0};
    const abut_quat lean = abut_quat_from_axis(abut_vec3_make(0.0, 0.0, 1.0), tilt - 0.5 * ABUT_LAB_PI);
    const abut_quat turn = abut_quat_from_axis(abut_vec3_make(1.0, 0.0, 0.0), 0.5 * ABUT_LAB_PI);
    int mesh = add_shape(b, "link");
    for (int i = 0; i < LINKS; ++i) {
        abut_quat rotation = i % 2 == 0 ? lean : abut_quat_multiply(lean, turn);
        abut_pose pose = abut_pose_make(abut_scale(i * pitch, along), rotation);
        if (i == 0) {
            add_fixed(b, "hook", mesh, pose);
        } else {
            add_free(b, "link", i, mesh, pose, nothing);
        }
    }
}

/// A bolt hangs in a fixed nut by its thread.
static void add_bolt(abut_setup_builder *b)
{
    const abut_quat upright = abut_quat_from_axis(abut_vec3_make(1.0, 0.0, 0.0), -0.5 * ABUT_LAB_PI);
    add_fixed(b, "nut", add_shape(b, "nut"), abut_pose_make(nothing, upright));
    add_free(b, "bolt", 0, add_shape(b, "bolt"), abut_pose_make(nothing, upright), nothing);
}

/// Twenty dominoes in a row; the first leans over.
static void add_dominoes(abut_setup_builder *b)
{
    enum { DOMINOES = 20 };
    const double thick = 0.1, height = 1.0, pitch = 0.4, lean = 0.15;
    int mesh = abut_masonry_box(b, "domino", abut_vec3_make(thick, height, 0.5));
    add_block(b, "ground", abut_vec3_make(14.0, 1.0, 4.0), abut_vec3_make(4.0, -0.5, 0.0));
    for (int i = 0; i < DOMINOES; ++i) {
        abut_pose pose = abut_masonry_at(pitch * i, 0.5 * height, 0.0);
        if (i == 0) { // about its lower edge towards the others
            abut_vec3 edge = {0.5 * thick, 0.0, 0.0}, center = {-0.5 * thick, 0.5 * height, 0.0};
            pose.rotation = abut_quat_from_axis(abut_vec3_make(0.0, 0.0, 1.0), -lean);
            pose.position = abut_add(edge, abut_mat3_apply(abut_quat_matrix(pose.rotation), center));
        }
        add_free(b, "domino", i, mesh, pose, nothing);
    }
}

/// U fall on the ground at 2 to 40 m/s, three of each speed.
static void add_landings(abut_setup_builder *b)
{
    static const double speeds[] = {2.0, 5.0, 10.0, 20.0, 40.0};
    enum { SPEEDS = sizeof speeds / sizeof speeds[0] };
    int mesh = add_shape(b, "u");
    add_block(b, "ground", abut_vec3_make(40.0, 1.0, 40.0), abut_vec3_make(0.0, -0.5, 0.0));
    for (int i = 0; i < 3 * SPEEDS; ++i) {
        abut_pose pose = abut_masonry_at(6.0 * (i % SPEEDS - 2), 1.0, 6.0 * (i / SPEEDS - 1));
        pose.rotation = turn_of(i);
        add_free(b, "u", i, mesh, pose, abut_vec3_make(0.0, -speeds[i % SPEEDS], 0.0));
    }
}

static const char *const scene_names[] = {"pour", "links", "bolt", "dominoes", "landings"};
enum { SCENES = sizeof scene_names / sizeof scene_names[0] };
static void (*const builders[SCENES])(abut_setup_builder *builder) = {add_pour, add_links, add_bolt, add_dominoes,
                                                                      add_landings};

const char *const *abut_concave_scene_names(int *count)
{
    *count = SCENES;
    return scene_names;
}

void abut_concave_scene_add(abut_setup_builder *builder, const char *name)
{
    for (int i = 0; i < SCENES && builder->status == ABUT_OK; ++i) {
        if (strcmp(scene_names[i], name) == 0) {
            abut_material rough = abut_material_default();
            abut_setup *setup = builder->setup;
            rough.friction = 0.5;
            setup->gravity = abut_vec3_make(0.0, -9.81, 0.0);
            setup->stabilisation = abut_world_def_default().stabilisation;
            setup->gap_rule = ABUT_GAP_POSITIVE;
            setup->has_sleep = setup->has_sweeps = 1;
            setup->steps = 1000;
            (void)abut_setup_add_material(builder, "rough", &rough);
            builders[i](builder);
        }
    }
}
