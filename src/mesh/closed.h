// SPDX-License-Identifier: MIT
// closed.h: whether a mesh is the closed, oriented surface of a solid, and if not, what is wrong
#ifndef ABUT_MESH_CLOSED_H
#define ABUT_MESH_CLOSED_H

#include <abut/mesh.h>

/// ABUT_OK, or ABUT_UNSUPPORTED with the first edge that keeps the surface from being closed and oriented.
abut_status abut_mesh_check_closed(const abut_mesh *mesh, abut_error *error);

#endif
