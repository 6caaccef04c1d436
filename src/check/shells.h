// SPDX-License-Identifier: MIT
// shells.h: edge-connected shells of a surface, their orientation, and their nesting
#ifndef ABUT_CHECK_SHELLS_H
#define ABUT_CHECK_SHELLS_H

#include <abut/tree.h>

/// The direction of the rays of abut_shells_nest(). An arbitrary direction, unlikely to be parallel to an edge or
/// face.
static const abut_vec3 abut_shell_ray = {0.8660867, 0.4312547, 0.2527131};

/// The height of a point in the direction of the rays.
static inline double abut_shell_height(abut_vec3 v)
{
    return abut_dot(abut_shell_ray, v);
}

typedef struct abut_shell {
    int first; ///< its lowest triangle
    int triangle_count;
    int turned_count; ///< triangles with the opposite orientation to the rest, at most half
    int is_closed;    ///< every edge has two triangles
    int is_orientable;
    double volume;    ///< signed, after reversing the turned triangles; only for closed and orientable shells
    abut_vec3 summit; ///< its highest vertex along the rays
    abut_vec3 slope;  ///< from there to the middle of a triangle at it
    abut_box bounds;
    int parent; ///< the innermost shell around it, or -1
    int depth;  ///< how many shells are around it
} abut_shell;

typedef struct abut_shells {
    abut_context context;
    abut_shell *shells; ///< by their lowest triangle
    int count;
    int *triangle_shells;     ///< for each triangle
    unsigned char *is_turned; ///< for each triangle: whether its orientation is opposite to the rest of its shell
} abut_shells;

/// May return ABUT_NO_MEMORY. Release the shells even then.
abut_status abut_shells_find(abut_shells *shells, const abut_context *context, const abut_mesh *mesh);
void abut_shells_release(abut_shells *shells);

/// Finds parents and depths of the closed and orientable shells. `tree` contains the triangles of the mesh.
abut_status abut_shells_nest(abut_shells *shells, const abut_mesh *mesh, const abut_tree *tree, abut_error *error);

/// Whether the normals of a closed and orientable shell point into the material. A shell inside an odd number of
/// others is the wall of a cavity, so its volume must be negative.
static inline int abut_shell_is_inside_out(const abut_shell *shell)
{
    return shell->is_closed && shell->is_orientable &&
           (shell->depth % 2 == 0 ? shell->volume < 0.0 : shell->volume > 0.0);
}

#endif
