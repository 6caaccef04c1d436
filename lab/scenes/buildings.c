// SPDX-License-Identifier: MIT
// buildings.c: the table of buildings; tower, dome, pantheon and colosseum: rings and arches of stones
//
// Equal stones share a mesh. The y axis is up, and the top of the ground is at 0. Sizes are those of the author's
// program, in metres (docs/cases.md).
#include "scenes/buildings.h"

#include "common/lab_support.h"
#include "scenes/masonry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ARCH_STONES = 7, PILLAR_STONES = 5, BALL_RINGS = 12, BALL_SLICES = 24 };

/// A prism along z with half widths at two heights.
static int add_trapezoid(abut_setup_builder *b, const char *name, double lower_y, double lower_half, double upper_y,
                         double upper_half, double depth)
{
    abut_vec3 corners[ABUT_SCENE_CUBOID_CORNERS];
    for (int i = 0; i < 2; ++i) {
        double z = i == 0 ? 0.5 * depth : -0.5 * depth;
        corners[4 * i + 0] = abut_vec3_make(-lower_half, lower_y, z);
        corners[4 * i + 1] = abut_vec3_make(lower_half, lower_y, z);
        corners[4 * i + 2] = abut_vec3_make(upper_half, upper_y, z);
        corners[4 * i + 3] = abut_vec3_make(-upper_half, upper_y, z);
    }
    return abut_masonry_solid(b, name, corners);
}

static abut_pose turned_about_y(abut_vec3 position, double angle)
{
    return abut_pose_make(position, abut_quat_from_axis(abut_vec3_make(0.0, 1.0, 0.0), angle));
}

/// A round wall of stones between two radii. Each layer is rotated by half a stone against the one below.
typedef struct ring_wall {
    double inner, outer; ///< radii of the stones' corners
    double bottom, height;
    int slices, layers;
    double first_turn; ///< of the lowest layer, in stones
} ring_wall;

static void add_ring_wall(abut_setup_builder *b, const char *name, const ring_wall *wall)
{
    double half = ABUT_LAB_PI / wall->slices, layer = wall->height / wall->layers;
    // made lying in the plane of the ring, lower side towards the middle, as deep as a layer is high; then turned
    // upright
    abut_vec3 corners[ABUT_SCENE_CUBOID_CORNERS];
    const double radii[2] = {wall->inner, wall->outer};
    for (int i = 0; i < ABUT_SCENE_CUBOID_CORNERS; ++i) {
        int is_outer = i % 4 >= 2, side = i % 4 == 0 || i % 4 == 3 ? -1 : 1;
        double r = radii[is_outer];
        // counter-clockwise seen from above (+y): x along the ring, z towards the middle
        corners[i] = abut_vec3_make(side * r * sin(half), i < 4 ? layer : 0.0, -r * cos(half));
    }
    int mesh = abut_masonry_solid(b, name, corners);
    for (int i = 0; i < wall->layers; ++i) {
        for (int k = 0; k < wall->slices; ++k) {
            double angle = 2.0 * half * (k + 0.5 * (i % 2) + wall->first_turn);
            abut_masonry_stone(b, name, i * wall->slices + k, mesh,
                               turned_about_y(abut_vec3_make(0.0, wall->bottom + i * layer, 0.0), angle));
        }
    }
}

/// A hemispherical shell of stones. The top, two rings of polar angle, is left open as an oculus.
static void add_dome(abut_setup_builder *b, double inner, double outer, double bottom, int slices, int rings)
{
    double half = ABUT_LAB_PI / slices, step = 0.5 * ABUT_LAB_PI / (rings + 1);
    for (int v = rings - 1; v >= 0; --v) { // from the ground up
        abut_vec3 corners[ABUT_SCENE_CUBOID_CORNERS];
        for (int i = 0; i < ABUT_SCENE_CUBOID_CORNERS; ++i) {
            int is_outer = i % 4 >= 2, side = i % 4 == 0 || i % 4 == 3 ? -1 : 1;
            double r = is_outer ? outer : inner, polar = (i < 4 ? v + 1 : v + 2) * step;
            corners[i] =
                abut_vec3_make(side * r * sin(polar) * sin(half), r * cos(polar), -r * sin(polar) * cos(half));
        }
        char name[ABUT_SETUP_NAME_ROOM];
        (void)snprintf(name, sizeof name, "dome-%d", rings - 1 - v);
        int mesh = abut_masonry_solid(b, name, corners);
        for (int k = 0; k < slices; ++k) {
            abut_masonry_stone(b, name, k, mesh, turned_about_y(abut_vec3_make(0.0, bottom, 0.0), 2.0 * half * k));
        }
    }
}

/// Two pillars and a semicircle of stones between two radii, in the x-y plane of its own frame.
static void add_arch(abut_setup_builder *b, const int meshes[2], double inner, double outer, double height,
                     abut_pose frame, int number)
{
    double layer = height / PILLAR_STONES, middle = 0.5 * (inner + outer);
    for (int i = 0; i < PILLAR_STONES; ++i) {
        for (int side = 0; side < 2; ++side) {
            abut_pose pose = frame;
            pose.position = abut_pose_apply(frame, abut_vec3_make(side == 0 ? -middle : middle, i * layer, 0.0));
            abut_masonry_stone(b, "pillar", (number * PILLAR_STONES + i) * 2 + side, meshes[0], pose);
        }
    }
    for (int k = 0; k < ARCH_STONES; ++k) {
        double angle = (k + 0.5) * ABUT_LAB_PI / ARCH_STONES;
        abut_pose local =
            abut_pose_make(abut_vec3_make(middle * cos(angle), height + middle * sin(angle), 0.0),
                           abut_quat_from_axis(abut_vec3_make(0.0, 0.0, 1.0), angle - 0.5 * ABUT_LAB_PI));
        abut_masonry_stone(b, "arch", number * ARCH_STONES + k, meshes[1], abut_pose_multiply(frame, local));
    }
}

/// Layers of arches in a circle, each with a ring of stones on top.
static void add_colosseum(abut_setup_builder *b, int arches)
{
    enum { LAYERS = 3 };
    double inner = 10.0, outer = 13.0, reach = inner * sin(ABUT_LAB_PI / arches), depth = 0.8 * (outer - inner);
    double arch_inner = 0.6 * reach, ring = 0.4 * reach, half = 0.5 * ABUT_LAB_PI / ARCH_STONES;
    double middle = 0.5 * (arch_inner + reach), width = reach - arch_inner, pillar = reach / PILLAR_STONES;
    double top =
        reach +
        reach * cos(half); // of the flat keystone; the author's program has 2 reach, and the ring falls onto it
    const int meshes[2] = {add_trapezoid(b, "pillar", 0.0, 0.5 * width, pillar, 0.5 * width, depth),
                           add_trapezoid(b, "arch", arch_inner * cos(half) - middle, arch_inner * sin(half),
                                         reach * cos(half) - middle, reach * sin(half), depth)};
    for (int i = 0; i < LAYERS; ++i) {
        double bottom = i * (top + ring);
        for (int k = 0; k < arches; ++k) {
            double angle = 2.0 * ABUT_LAB_PI * k / arches, radius = 0.5 * (inner + outer);
            abut_vec3 at = abut_vec3_make(radius * cos(angle), bottom, -radius * sin(angle));
            add_arch(b, meshes, arch_inner, reach, reach, turned_about_y(at, angle + 0.5 * ABUT_LAB_PI),
                     i * arches + k);
        }
        char name[ABUT_SETUP_NAME_ROOM];
        (void)snprintf(name, sizeof name, "ring-%d", i);
        // stones of a ring span from the top of an arch to the next
        ring_wall wall = {inner, outer, bottom + top, ring, arches, 1, -0.25 * arches + 0.5};
        add_ring_wall(b, name, &wall);
    }
}

static void add_ball(abut_setup_builder *b, double radius, abut_vec3 center, abut_vec3 velocity)
{
    enum { COUNT = (BALL_RINGS - 1) * BALL_SLICES + 2 };
    abut_vec3 points[COUNT];
    int count = 0;
    points[count++] = abut_vec3_make(0.0, radius, 0.0);
    points[count++] = abut_vec3_make(0.0, -radius, 0.0);
    for (int i = 1; i < BALL_RINGS; ++i) {
        double polar = ABUT_LAB_PI * i / BALL_RINGS;
        for (int k = 0; k < BALL_SLICES; ++k) {
            double angle = 2.0 * ABUT_LAB_PI * k / BALL_SLICES;
            points[count++] = abut_vec3_make(radius * sin(polar) * cos(angle), radius * cos(polar),
                                             radius * sin(polar) * sin(angle));
        }
    }
    abut_setup_body body = {.mesh = abut_masonry_hull(b, "ball", points, count),
                            .material = ABUT_MASONRY_IRON,
                            .pose = abut_pose_make(center, abut_quat_identity()),
                            .linear_velocity = velocity,
                            .name = "ball"};
    (void)abut_setup_add_body(b, &body);
}

const char *const *abut_building_names(int *count)
{
    static const char *const names[] = {"tower", "dome", "pantheon", "colosseum", "shoot", "temple", "funnel"};
    *count = (int)(sizeof names / sizeof names[0]);
    return names;
}

void abut_building_add(abut_setup_builder *builder, const char *name)
{
    if (strcmp(name, "tower") == 0) {
        ring_wall wall = {2.5, 3.0, 0.0, 3.0, 12, 4, 0.0};
        abut_masonry_ground(builder, 10.0);
        add_ring_wall(builder, "stone", &wall);
    } else if (strcmp(name, "dome") == 0) {
        abut_masonry_ground(builder, 10.0);
        add_dome(builder, 2.5, 3.0, 0.0, 10, 8);
    } else if (strcmp(name, "pantheon") == 0) {
        ring_wall wall = {2.5, 3.0, 0.0, 2.0, 22, 11, 0.0};
        abut_masonry_ground(builder, 10.0);
        add_ring_wall(builder, "stone", &wall);
        add_dome(builder, 2.5, 3.0, 2.0, 11, 11);
    } else if (strcmp(name, "colosseum") == 0) {
        abut_masonry_ground(builder, 39.0);
        add_colosseum(builder, 12);
    } else if (strcmp(name, "temple") == 0) {
        abut_temple_add(builder);
    } else if (strcmp(name, "funnel") == 0) {
        abut_funnel_add(builder);
    } else {
        abut_masonry_ground(builder, 28.0);
        add_colosseum(builder, 14);
        add_ball(builder, 2.5, abut_vec3_make(30.0, 12.0, 0.0), abut_vec3_make(-20.0, 0.0, -1.0));
    }
}
