// SPDX-License-Identifier: MIT
// size.h: the sizes and positions that contacts are found for
#ifndef ABUT_MESH_SIZE_H
#define ABUT_MESH_SIZE_H

#include <abut/mesh.h>

/// ABUT_UNSUPPORTED if a mesh is smaller or reaches further than contacts are found for; a mesh of one point has
/// no size.
abut_status abut_mesh_check_size(const abut_mesh *mesh, abut_error *error);

/// Whether a body may be there; what is not a number is nowhere.
static inline int abut_is_in_reach(abut_vec3 position)
{
    return (fabs(position.x) <= ABUT_LARGEST_COORDINATE) & (fabs(position.y) <= ABUT_LARGEST_COORDINATE) &
           (fabs(position.z) <= ABUT_LARGEST_COORDINATE);
}

#endif
