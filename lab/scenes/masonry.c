// SPDX-License-Identifier: MIT
// masonry.c: stones and the ground
#include "scenes/masonry.h"

#include <stdio.h>

static abut_mesh *make_solid(abut_setup_builder *b, const abut_vec3 corners[ABUT_SCENE_CUBOID_CORNERS])
{
    abut_scene_solid solid = abut_scene_cuboid(corners);
    abut_scene_mesh_params params = {.scale = 1.0};
    abut_mesh *mesh = NULL;
    if (b->status == ABUT_OK) {
        b->status = abut_scene_mesh_create(&b->context, &solid, &params, &mesh, b->error);
    }
    return mesh;
}

abut_mesh *abut_masonry_make_box(abut_setup_builder *b, abut_vec3 size)
{
    abut_vec3 corners[ABUT_SCENE_CUBOID_CORNERS], half = abut_scale(0.5, size);
    for (int i = 0; i < ABUT_SCENE_CUBOID_CORNERS; ++i) {
        // counter-clockwise from (-, -) at +z, then at -z
        double x = i % 4 == 1 || i % 4 == 2 ? half.x : -half.x, y = i % 4 >= 2 ? half.y : -half.y;
        corners[i] = abut_vec3_make(x, y, i < 4 ? half.z : -half.z);
    }
    return make_solid(b, corners);
}

/// Adds a mesh, unless making it failed.
static int add_mesh(abut_setup_builder *b, const char *name, abut_mesh *mesh)
{
    return b->status == ABUT_OK ? abut_setup_add_mesh(b, name, mesh) : -1;
}

int abut_masonry_box(abut_setup_builder *b, const char *name, abut_vec3 size)
{
    return add_mesh(b, name, abut_masonry_make_box(b, size));
}

int abut_masonry_solid(abut_setup_builder *b, const char *name, const abut_vec3 corners[ABUT_SCENE_CUBOID_CORNERS])
{
    return add_mesh(b, name, make_solid(b, corners));
}

int abut_masonry_hull(abut_setup_builder *b, const char *name, const abut_vec3 *points, int count)
{
    abut_mesh *mesh = NULL;
    if (b->status == ABUT_OK) {
        b->status = abut_hull_create(&b->context, points, count, &mesh, NULL, b->error);
    }
    return add_mesh(b, name, mesh);
}

void abut_masonry_stone(abut_setup_builder *b, const char *name, int number, int mesh, abut_pose pose)
{
    abut_setup_body body = {.mesh = mesh, .material = ABUT_MASONRY_STONE, .pose = pose};
    (void)snprintf(body.name, sizeof body.name, "%.40s-%d", name, number);
    (void)abut_setup_add_body(b, &body);
}

void abut_masonry_ground(abut_setup_builder *b, double width)
{
    abut_setup_body body = {.mesh = abut_masonry_box(b, "ground", abut_vec3_make(width, 1.0, width)),
                            .material = ABUT_MASONRY_STONE,
                            .pose = abut_masonry_at(0.0, -0.5, 0.0),
                            .is_fixed = 1,
                            .name = "ground"};
    (void)abut_setup_add_body(b, &body);
}

abut_pose abut_masonry_at(double x, double y, double z)
{
    return abut_pose_make(abut_vec3_make(x, y, z), abut_quat_identity());
}
