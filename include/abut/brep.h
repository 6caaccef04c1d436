// SPDX-License-Identifier: MIT
/// @file brep.h
/// The boundary representation of a mesh: planar faces with loops, straight edges, corners.
///
/// Adjacent coplanar triangles become one face, collinear mesh edges between the same two faces become one edge, and
/// vertices inside faces or straight edges vanish. So every tessellation of a solid gives the same B-rep.
#ifndef ABUT_BREP_H
#define ABUT_BREP_H

#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A boundary representation.
typedef struct abut_brep abut_brep;

/// Settings. Start from abut_brep_params_default().
typedef struct abut_brep_params {
    size_t struct_size;
    /// Largest distance of a vertex from the plane of its face, relative to the diagonal of the mesh. 0 means 1e-9, or
    /// 1e-6 if the precision of the mesh is float. A value below the resolution of the coordinates is raised to it.
    double planarity;
} abut_brep_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_brep_params_init(abut_brep_params *params, size_t size);
/// The default settings.
static inline abut_brep_params abut_brep_params_default(void)
{
    abut_brep_params params;
    abut_brep_params_init(&params, sizeof params);
    return params;
}

/// How the surface bends at an edge.
typedef enum abut_edge_kind {
    ABUT_EDGE_FLAT = 0,        ///< inside a planar face
    ABUT_EDGE_CONVEX = 1,      ///< the dihedral angle inside the solid is below pi
    ABUT_EDGE_REFLEX = 2,      ///< the dihedral angle inside the solid is above pi
    ABUT_EDGE_BOUNDARY = 3,    ///< has one face only
    ABUT_EDGE_NON_MANIFOLD = 4 ///< has more than two triangles, or two that run through it in the same direction
} abut_edge_kind;

/// A planar face.
typedef struct abut_brep_face {
    abut_vec3 normal; ///< unit, outward
    double offset;    ///< the plane is normal . p = offset
    double area;
    int loop_begin, loop_count;         ///< the outer loop comes first, then the holes
    int triangle_begin, triangle_count; ///< in `face_triangles`, ascending
    int source_face;                    ///< its lowest face of the mesh
} abut_brep_face;

/// A closed chain of edges, counter-clockwise seen from outside for the outer loop, clockwise for a hole.
typedef struct abut_brep_loop {
    int face;
    int coedge_begin, coedge_count;
    int is_hole;
} abut_brep_loop;

/// An edge as a loop runs through it: from vertices[0] to vertices[1], or back if `is_reversed`.
typedef struct abut_brep_coedge {
    unsigned int edge : 31;
    unsigned int is_reversed : 1;
} abut_brep_coedge;

/// A straight edge.
typedef struct abut_brep_edge {
    int vertices[2]; ///< of the B-rep
    int faces[2];    ///< left and right of vertices[0] -> vertices[1] seen from outside; -1 if there is none
    double angle;    ///< dihedral angle inside the solid: below pi convex, above pi reflex; 0 at a boundary
    abut_edge_kind kind;
    int mesh_edge_begin, mesh_edge_count; ///< in `edge_mesh_edges`, from vertices[0] to vertices[1]
    int source_edge;                      ///< its lowest edge of the mesh
} abut_brep_edge;

/// A corner.
typedef struct abut_brep_vertex {
    int source_vertex; ///< of the mesh
    /// In `vertex_cycles`: its edges, counter-clockwise seen from outside. If the vertex is not manifold, fan by fan;
    /// a non-manifold edge is listed in every fan that ends at it.
    int cycle_begin, cycle_count;
} abut_brep_vertex;

/// The elements of a B-rep. The arrays belong to it.
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
    double tolerance;                ///< the planarity that was used, as an absolute length
    /// 1 if borders of faces could still be made shorter when the limit of 64 rounds was reached. The faces are planar
    /// within the tolerance all the same, but a border may bend where it should be straight.
    int has_unsettled_borders;
} abut_brep_elements;

/// Builds the B-rep of a mesh, which may have holes, open edges and several parts and must outlive the B-rep.
ABUT_API abut_status abut_brep_create(const abut_context *context, const abut_mesh *mesh,
                                      const abut_brep_params *params, abut_brep **brep, abut_error *error);
/// Frees a B-rep; NULL is allowed.
ABUT_API void abut_brep_destroy(abut_brep *brep);
/// The elements of a B-rep.
ABUT_API abut_brep_elements abut_brep_get_elements(const abut_brep *brep);

/// The kind of an edge of the mesh, and its dihedral angle unless `angle` is NULL.
ABUT_API abut_edge_kind abut_brep_mesh_edge_kind(const abut_brep *brep, int mesh_edge, double *angle);

#ifdef __cplusplus
}
#endif
#endif
