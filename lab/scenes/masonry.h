// SPDX-License-Identifier: MIT
// masonry.h: what buildings are made of: stones of material 0 on a ground whose top is at the height 0
#ifndef ABUT_LAB_MASONRY_H
#define ABUT_LAB_MASONRY_H

#include "scenes/scene_meshes.h"
#include "scenes/setup.h"

enum { ABUT_MASONRY_STONE = 0, ABUT_MASONRY_IRON = 1 };

/// A box about the origin with tetrahedra; NULL after a failure.
abut_mesh *abut_masonry_make_box(abut_setup_builder *builder, abut_vec3 size);

/// Each adds a mesh and returns its index, or -1 after a failure.
int abut_masonry_box(abut_setup_builder *builder, const char *name, abut_vec3 size);
int abut_masonry_solid(abut_setup_builder *builder, const char *name,
                       const abut_vec3 corners[ABUT_SCENE_CUBOID_CORNERS]);
/// The hull of points.
int abut_masonry_hull(abut_setup_builder *builder, const char *name, const abut_vec3 *points, int count);

/// Adds a free body named NAME-NUMBER.
void abut_masonry_stone(abut_setup_builder *builder, const char *name, int number, int mesh, abut_pose pose);
/// A fixed square, 1 thick.
void abut_masonry_ground(abut_setup_builder *builder, double width);

/// The pose of a body that is not rotated.
abut_pose abut_masonry_at(double x, double y, double z);

#endif
