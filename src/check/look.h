// SPDX-License-Identifier: MIT
// look.h: the parts of a check that examine a mesh
#ifndef ABUT_CHECK_LOOK_H
#define ABUT_CHECK_LOOK_H

#include "check/shells.h"
#include "check/surface.h"

/// Reports open and non-manifold edges, and non-manifold vertices.
void abut_look_at_edges(abut_check *check, const abut_mesh *mesh);

/// Reports parts that share no vertex. `sources` is, for each face of the mesh, its face in the definition.
abut_status abut_look_at_parts(abut_check *check, const abut_mesh *mesh, const int *sources, abut_error *error);

/// Reports slivers, irregular polygons and faces of uneven size.
abut_status abut_look_at_faces(abut_check *check, const abut_mesh *mesh, const int *sources,
                               const abut_check_params *params, abut_error *error);

/// Reports flipped faces, and one-sided, inside-out and nested parts.
void abut_look_at_shells(abut_check *check, const abut_mesh *mesh, const int *sources, const abut_shells *shells);

#endif
