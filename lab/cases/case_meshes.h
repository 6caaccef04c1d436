// SPDX-License-Identifier: MIT
// case_meshes.h: meshes of the bodies of the fundamental cases at their true size
#ifndef ABUT_LAB_CASE_MESHES_H
#define ABUT_LAB_CASE_MESHES_H

#include <abut/mesh.h>

/// The shape of that name (see case_shapes.c), times `scale` per axis, with triangles and tetrahedra.
abut_status abut_case_mesh_create(const abut_context *context, const char *shape, abut_vec3 scale, abut_mesh **mesh,
                                  abut_error *error);

#endif
