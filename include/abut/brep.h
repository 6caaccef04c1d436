// SPDX-License-Identifier: MIT
/// @file brep.h
/// The boundary representation of a mesh: planar faces with loops, straight edges, corners.
///
/// Coplanar adjacent triangles are one face, collinear mesh edges between the same two faces are one edge, and
/// vertices inside faces or inside straight edges vanish: any tessellation of a solid gives the same B-rep.
#ifndef ABUT_BREP_H
#define ABUT_BREP_H

#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct abut_brep abut_brep;

typedef struct abut_brep_params {
    size_t struct_size;
    /// Largest distance of a vertex from the plane of its face, relative to the diagonal of the mesh.
    /// 0: 1e-9 for double sources, 1e-6 for float ones. Never less than the resolution of the coordinates.
    double planarity;
} abut_brep_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_brep_params_init(abut_brep_params *params, size_t size);
static inline abut_brep_params abut_brep_params_default(void)
{
    abut_brep_params params;
    abut_brep_params_init(&params, sizeof params);
    return params;
}

typedef enum abut_edge_kind {
    ABUT_EDGE_FLAT = 0,        ///< inside a planar face
    ABUT_EDGE_CONVEX = 1,      ///< the solid's angle is below pi
    ABUT_EDGE_REFLEX = 2,      ///< the solid's angle is above pi
    ABUT_EDGE_BOUNDARY = 3,    ///< one face only
    ABUT_EDGE_NON_MANIFOLD = 4 ///< more than two triangles, or two that run the same way
} abut_edge_kind;

typedef struct abut_brep_face {
    abut_vec3 normal; ///< unit, outward
    double offset;    ///< the plane is normal . p = offset
    double area;
    int loop_begin, loop_count;         ///< the outer loop comes first, then the holes
    int triangle_begin, triangle_count; ///< in `face_triangles`, ascending
    int source_face;                    ///< the lowest face of the mesh in it
} abut_brep_face;

/// A closed chain of edges, counter-clockwise seen from outside for the outer loop, clockwise for a hole.
typedef struct abut_brep_loop {
    int face;
    int coedge_begin, coedge_count;
    int is_hole;
} abut_brep_loop;

/// An edge as a loop runs through it: from vertices[0] to vertices[1], or back if `is_reversed`.
typedef struct abut_brep_coedge {
    int edge;
    int is_reversed;
} abut_brep_coedge;

typedef struct abut_brep_edge {
    int vertices[2]; ///< of the B-rep
    int faces[2];    ///< left and right of vertices[0] -> vertices[1] seen from outside; -1 where there is none
    abut_edge_kind kind;
    double angle; ///< the solid's dihedral angle in radians: below pi convex, above pi reflex; 0 at a boundary
    int mesh_edge_begin, mesh_edge_count; ///< in `edge_mesh_edges`, from vertices[0] to vertices[1]
    int source_edge;                      ///< the lowest edge of the mesh in it
} abut_brep_edge;

typedef struct abut_brep_vertex {
    int source_vertex;            ///< of the mesh
    int cycle_begin, cycle_count; ///< in `vertex_cycles`: its edges, counter-clockwise seen from outside,
                                  ///< fan by fan where the vertex is not manifold; an edge that is not manifold
                                  ///< is in every fan that ends at it
} abut_brep_vertex;

/// The arrays belong to the B-rep.
typedef struct abut_brep_elements {
    const abut_brep_face *faces;
    int face_count;
    const abut_brep_loop *loops;
    int loop_count;
    const abut_brep_coedge *coedges;
    int coedge_count;
    const abut_brep_edge *edges;
    int edge_count;
    const abut_brep_vertex *vertices;
    int vertex_count;
    const int *face_triangles;
    const int *edge_mesh_edges;
    const int *vertex_cycles;
    const int *triangle_faces;       ///< the B-rep face of each triangle of the mesh
    const int *mesh_edge_edges;      ///< the B-rep edge of each edge of the mesh, or -1 inside a face
    const int *mesh_vertex_vertices; ///< the B-rep vertex of each vertex of the mesh, or -1
    double tolerance;                ///< the distance that counted as planar, as a length
} abut_brep_elements;

/// Builds the B-rep. The mesh may have holes, open edges and several parts; it must outlive the B-rep.
ABUT_API abut_status abut_brep_create(const abut_context *context, const abut_mesh *mesh,
                                      const abut_brep_params *params, abut_brep **brep, abut_error *error);
ABUT_API void abut_brep_destroy(abut_brep *brep);
ABUT_API abut_brep_elements abut_brep_get_elements(const abut_brep *brep);

/// Kind of an edge of the mesh, and its dihedral angle where `angle` is not NULL.
ABUT_API abut_edge_kind abut_brep_mesh_edge_kind(const abut_brep *brep, int mesh_edge, double *angle);

#ifdef __cplusplus
}
#endif
#endif
