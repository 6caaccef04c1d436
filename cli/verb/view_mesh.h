// SPDX-License-Identifier: MIT
// view_mesh.h: a mesh for the viewer: vertices about their centre, triangles, edges with the sharp ones first
#ifndef ABUT_CLI_VIEW_MESH_H
#define ABUT_CLI_VIEW_MESH_H

#include "verb/view_data.h"

/// Appends a mesh. Vertices have single precision, and are relative to the centre, so that they stay exact enough far
/// from the origin.
void abut_cli_view_put_mesh(const abut_mesh *mesh, abut_cli_bytes *bytes);

/// The middle of the mesh's box.
abut_vec3 abut_cli_view_centre(const abut_mesh *mesh);

#endif
