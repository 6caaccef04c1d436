// SPDX-License-Identifier: MIT
// size.h: the sizes and positions that queries support
#ifndef ABUT_MESH_SIZE_H
#define ABUT_MESH_SIZE_H

#include <abut/mesh.h>

/// ABUT_UNSUPPORTED if a mesh is smaller than ABUT_LEAST_SIZE or has a coordinate above ABUT_LARGEST_COORDINATE. A
/// mesh that is a single point is not too small.
abut_status abut_mesh_check_size(const abut_mesh *mesh, abut_error *error);

/// Whether queries support this position. NaN is not supported.
static inline int abut_is_in_reach(abut_vec3 position)
{
    return (fabs(position.x) <= ABUT_LARGEST_COORDINATE) & (fabs(position.y) <= ABUT_LARGEST_COORDINATE) &
           (fabs(position.z) <= ABUT_LARGEST_COORDINATE);
}

#endif
