// SPDX-License-Identifier: MIT
// brep.h: the inside of a B-rep, and the steps that make it
#ifndef ABUT_MESH_BREP_H
#define ABUT_MESH_BREP_H

#include "mesh/sides.h"

#include <abut/brep.h>

/// The public arrays are pieces of `blocks`, which are freed together.
struct abut_brep {
    abut_context context;
    const abut_mesh *mesh;
    abut_brep_elements elements;
    void *blocks[16];
    int block_count;
};

/// What the steps share while a B-rep is made.
typedef struct abut_brep_work {
    abut_context context;
    abut_mesh_elements mesh;
    abut_mesh_topology topology;
    abut_brep *brep;
    double tolerance;
    int *triangle_faces;     ///< the face of each triangle
    unsigned char *is_sharp; ///< of each mesh edge: whether it is part of an edge of the B-rep
    unsigned char
        *is_backward;      ///< of each sharp mesh edge: whether its edge runs through it from upper to lower vertex
    abut_brep_face *faces; ///< the same arrays as in `brep->elements`, to be filled
    abut_brep_edge *edges;
    abut_brep_vertex *vertices;
    int *mesh_edge_edges;
    int *mesh_vertex_vertices;
} abut_brep_work;

/// Triangles narrower than this many tolerances have no normal, edges shorter than that no direction worth a test.
static const double abut_brep_blur = 4.0;

/// An uninitialised array that lives as long as the B-rep; NULL if memory ran out.
void *abut_brep_own(abut_brep *brep, size_t count, size_t item_size);

/// Grows planar faces, and numbers them by their lowest triangle.
abut_status abut_brep_make_faces(abut_brep_work *work);

/// Finds the mesh edges that bound faces, joins those in line to edges, and numbers these by their lowest mesh edge.
abut_status abut_brep_make_edges(abut_brep_work *work);

/// Follows the boundaries of the faces.
abut_status abut_brep_make_loops(abut_brep_work *work);

/// Collects the edges about each vertex.
abut_status abut_brep_make_cycles(abut_brep_work *work);

/// The next side on the boundary of a face after `side`, which is on the boundary of that face too: by turning about
/// the end of `side` inside the face, so that a boundary that comes to a vertex several times goes on rightly.
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
