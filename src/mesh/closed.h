// SPDX-License-Identifier: MIT
// closed.h: whether a mesh is the closed, oriented surface of a solid, and why not
#ifndef ABUT_MESH_CLOSED_H
#define ABUT_MESH_CLOSED_H

#include <abut/mesh.h>

/// ABUT_OK, or ABUT_UNSUPPORTED with an error that names the first open, non-manifold or misoriented edge.
abut_status abut_mesh_check_closed(const abut_mesh *mesh, abut_error *error);

#endif
