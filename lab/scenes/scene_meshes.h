// SPDX-License-Identifier: MIT
// scene_meshes.h: the bodies of scenes as surfaces with tetrahedra
#ifndef ABUT_LAB_SCENE_MESHES_H
#define ABUT_LAB_SCENE_MESHES_H

#include <abut/mesh.h>

enum {
    ABUT_SCENE_SLICES = 6, ///< of round bodies
    ABUT_SCENE_CUBOID_CORNERS = 8,
    ABUT_SCENE_MAX_VERTICES = 2 * ABUT_SCENE_SLICES + 2,
    ABUT_SCENE_MAX_TRIANGLES = 4 * ABUT_SCENE_SLICES
};

/// A closed surface and an apex that sees all of it. Each triangle without the apex makes a tetrahedron with it.
typedef struct abut_scene_solid {
    abut_vec3 vertices[ABUT_SCENE_MAX_VERTICES];
    int vertex_count;
    int surface_vertex_count; ///< these are first
    int triangles[3 * ABUT_SCENE_MAX_TRIANGLES];
    int triangle_count;
    int apex;
    int is_round;
} abut_scene_solid;

/// Eight corners: 0 to 3 around the side at z+, counter-clockwise seen from there, 4 to 7 behind them. The apex is an
/// extra vertex in the middle: with these diagonals of the sides, the corners alone have no tetrahedra.
abut_scene_solid abut_scene_cuboid(const abut_vec3 corners[ABUT_SCENE_CUBOID_CORNERS]);

/// Two rings of six vertices with a centre each; a side is cut from its lower left to its upper right corner. The
/// lower centre is the apex.
abut_scene_solid abut_scene_frustum(double lower_y, double lower_radius, double upper_y, double upper_radius);

typedef struct abut_scene_mesh_params {
    double scale;
    double outset;  ///< surface vertices are moved by it along their normals, before scaling
    double ratio;   ///< quality ratio of fine meshes by tetgen; 0: coarse meshes
    double seconds; ///< time limit for tetgen
} abut_scene_mesh_params;

abut_status abut_scene_mesh_create(const abut_context *context, const abut_scene_solid *solid,
                                   const abut_scene_mesh_params *params, abut_mesh **mesh, abut_error *error);

#endif
