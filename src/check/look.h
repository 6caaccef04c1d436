// SPDX-License-Identifier: MIT
// look.h: the parts of a check that look at a mesh
#ifndef ABUT_CHECK_LOOK_H
#define ABUT_CHECK_LOOK_H

#include "check/shells.h"
#include "check/surface.h"

/// Open and non-manifold edges, non-manifold vertices.
void abut_look_at_edges(abut_check *check, const abut_mesh *mesh);

/// Parts that share no vertex. `sources` gives the face of the definition for each face of the mesh.
abut_status abut_look_at_parts(abut_check *check, const abut_mesh *mesh, const int *sources, abut_error *error);

/// Slivers, irregular polygons, uneven size.
abut_status abut_look_at_faces(abut_check *check, const abut_mesh *mesh, const int *sources,
                               const abut_check_params *params, abut_error *error);

/// Flipped faces, one-sided, inside-out and nested parts.
void abut_look_at_shells(abut_check *check, const abut_mesh *mesh, const int *sources, const abut_shells *shells);

#endif
