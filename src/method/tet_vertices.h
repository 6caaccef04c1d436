// SPDX-License-Identifier: MIT
// tet_vertices.h: vertices of one mesh in tetrahedra of another, for vertex-only and consistent-vertex
//
// A vertex belongs to several tetrahedra of its own mesh. One of them owns it, so each vertex is tested against each
// tetrahedron of the other mesh once.
#ifndef ABUT_METHOD_TET_VERTICES_H
#define ABUT_METHOD_TET_VERTICES_H

#include "method/local.h"

/// A vertex of the guest in a tetrahedron of the host, both in A's frame. The face opposite corner k has number k.
typedef struct abut_tet_vertex {
    const abut_local *local;
    const abut_placed *host, *guest;
    int host_is_b;
    int host_tet;
    abut_vec3 corners[4]; ///< of the host's tetrahedron
    abut_vec3 normals[4]; ///< of its faces: unit, outward
    int vertex;           ///< of the guest's mesh
    abut_vec3 position;   ///< of the vertex
    double heights[4];    ///< of the vertex over the planes of the faces
} abut_tet_vertex;

/// Adds the contacts of a vertex, at most one per face.
typedef void abut_tet_vertex_function(const abut_tet_vertex *found, abut_local_output *output);

/// Which vertices count, and what "in a tetrahedron" means.
typedef struct abut_tet_vertices {
    double reach; ///< this near to a tetrahedron counts as in it
    abut_tet_vertex_function *function;
} abut_tet_vertices;

/// `prepare` and `release` of a method: the tetrahedron that owns each vertex.
abut_status abut_tet_vertices_prepare(const abut_shape *shape, const abut_params *params,
                                      const abut_context *context, void **data, abut_error *error);
void abut_tet_vertices_release(void *data, const abut_context *context);

/// Finds B's vertices in A and A's in B, and calls the function for each.
abut_status abut_tet_vertices_run(const abut_query *query, const abut_tet_vertices *task, abut_sink *sink);

/// The surface triangle of a face of the host's tetrahedron, or -1.
static inline int abut_tet_vertex_triangle(const abut_tet_vertex *found, int face)
{
    return found->host->topology.tet_triangles[4 * found->host_tet + face];
}

/// The height of a point over the plane of a face of the host's tetrahedron.
double abut_tet_vertex_height(const abut_tet_vertex *found, int face, abut_vec3 point);

/// Adds a contact for each surface face whose distance is within the tolerance of the least. HUGE_VAL leaves a face
/// out.
void abut_tet_vertex_nearest(const abut_tet_vertex *found, const double distances[4], abut_local_output *output);

#endif
