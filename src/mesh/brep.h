// SPDX-License-Identifier: MIT
// brep.h: internals of a B-rep, and the steps that build it
#ifndef ABUT_MESH_BREP_H
#define ABUT_MESH_BREP_H

#include "mesh/sides.h"

#include <abut/brep.h>

/// The public arrays are the `blocks`; all are freed together.
struct abut_brep {
    abut_context context;
    const abut_mesh *mesh;
    abut_brep_elements elements;
    void *blocks[16];
    int block_count;
};

/// Data that the steps share while they build a B-rep.
typedef struct abut_brep_work {
    abut_context context;
    abut_mesh_elements mesh;
    abut_mesh_topology topology;
    abut_brep *brep;
    double tolerance;
    int *triangle_faces;     ///< the face of each triangle
    unsigned char *is_sharp; ///< for each mesh edge: whether it is part of an edge of the B-rep
    unsigned char
        *is_backward;      ///< for each sharp mesh edge: whether its B-rep edge runs from upper to lower vertex
    abut_brep_face *faces; ///< this and the following arrays are those of `brep->elements`, writable
    abut_brep_edge *edges;
    abut_brep_vertex *vertices;
    int *mesh_edge_edges;
    int *mesh_vertex_vertices;
} abut_brep_work;

/// Corners may be off by one tolerance each. So a triangle narrower than this many tolerances has no reliable
/// normal, and an edge shorter than that has no reliable direction.
static const double abut_brep_blur = 4.0;

/// An uninitialised array that is freed with the B-rep. Returns NULL if out of memory.
void *abut_brep_own(abut_brep *brep, size_t count, size_t item_size);

/// Finds planar faces, and numbers them by their lowest triangle.
abut_status abut_brep_make_faces(abut_brep_work *work);

/// Finds the mesh edges that bound faces, joins collinear ones to edges, and numbers these by their lowest mesh
/// edge.
abut_status abut_brep_make_edges(abut_brep_work *work);

/// Follows the boundaries of the faces.
abut_status abut_brep_make_loops(abut_brep_work *work);

/// Collects the edges around each vertex.
abut_status abut_brep_make_cycles(abut_brep_work *work);

/// The side that follows `side` on the boundary of its face. `side` must be on that boundary. Turns around the end
/// of `side` inside the face, so it is right even if the boundary visits a vertex several times.
static inline int abut_brep_next_side(const abut_brep_work *work, int side)
{
    int next = abut_side_next(side);
    while (!work->is_sharp[work->topology.triangle_edges[next]]) {
        next = abut_side_next(abut_side_twin(&work->mesh, &work->topology, next));
    }
    return next;
}

/// The triangles at a mesh edge.
static inline const int *abut_brep_around(const abut_brep_work *work, int mesh_edge, int *count)
{
    int begin = work->topology.edge_triangle_offsets[mesh_edge];
    *count = work->topology.edge_triangle_offsets[mesh_edge + 1] - begin;
    return work->topology.edge_triangles + begin;
}

/// The end of a mesh edge that is not `vertex`.
static inline int abut_brep_other_end(const abut_brep_work *work, int mesh_edge, int vertex)
{
    const int *ends = work->topology.edge_vertices + 2 * (size_t)mesh_edge;
    return ends[0] == vertex ? ends[1] : ends[0];
}

#endif
