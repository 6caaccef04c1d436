// SPDX-License-Identifier: MIT
// sides.h: walking over the sides of triangles (half-edges)
//
// Side 3 t + k of triangle t runs from its corner k to the next corner. The twin of a side belongs to the other
// triangle at the same edge and runs the other way. A side has a twin only if exactly two triangles share the edge
// and have consistent orientation.
#ifndef ABUT_MESH_SIDES_H
#define ABUT_MESH_SIDES_H

#include <abut/mesh.h>

enum { ABUT_NO_SIDE = -1 };

/// The side of the same triangle that begins where this one ends.
static inline int abut_side_next(int side)
{
    return side % 3 == 2 ? side - 2 : side + 1;
}

/// The side of the same triangle that ends where this one begins.
static inline int abut_side_previous(int side)
{
    return side % 3 == 0 ? side + 2 : side - 1;
}

static inline int abut_side_start(const abut_mesh_elements *elements, int side)
{
    return elements->triangles[side];
}

static inline int abut_side_end(const abut_mesh_elements *elements, int side)
{
    return elements->triangles[abut_side_next(side)];
}

/// The side of a triangle that lies on one of its edges.
static inline int abut_side_at_edge(const abut_mesh_topology *topology, int triangle, int edge)
{
    const int *edges = topology->triangle_edges + 3 * (size_t)triangle;
    return 3 * triangle + (edges[0] == edge ? 0 : edges[1] == edge ? 1 : 2);
}

/// The side of a triangle that begins at one of its corners.
static inline int abut_side_at_corner(const abut_mesh_elements *elements, int triangle, int vertex)
{
    const int *corners = elements->triangles + 3 * (size_t)triangle;
    return 3 * triangle + (corners[0] == vertex ? 0 : corners[1] == vertex ? 1 : 2);
}

/// The twin of a side, or ABUT_NO_SIDE at boundary, non-manifold and misoriented edges.
static inline int abut_side_twin(const abut_mesh_elements *elements, const abut_mesh_topology *topology, int side)
{
    int neighbour = topology->triangle_neighbours[side];
    if (neighbour < 0) {
        return ABUT_NO_SIDE;
    }
    int twin = abut_side_at_edge(topology, neighbour, topology->triangle_edges[side]);
    return elements->triangles[twin] == elements->triangles[side] ? ABUT_NO_SIDE : twin;
}

#endif
