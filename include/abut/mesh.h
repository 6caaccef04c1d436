// SPDX-License-Identifier: MIT
/// @file mesh.h
/// One mesh type for points, segments, triangles, polygons and tetrahedra over a shared vertex array.
///
/// A mesh is constant once created, and may be read by any number of threads. The caller's numbering of
/// vertices and faces is kept; everything derived (triangles of polygons, edges) says where it comes from.
#ifndef ABUT_MESH_H
#define ABUT_MESH_H

#include <abut/base.h>
#include <abut/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct abut_mesh abut_mesh;

/// How the coordinates were stored where they came from; it sets what "planar" can mean.
typedef enum abut_precision {
    ABUT_PRECISION_DOUBLE = 0,
    ABUT_PRECISION_FLOAT = 1 ///< rounded to float, as in a binary STL file
} abut_precision;

/// What to make a mesh of; everything is copied. Counts may be zero. Start from abut_mesh_def_default().
typedef struct abut_mesh_def {
    size_t struct_size;
    const abut_vec3 *vertices;
    int vertex_count;
    const int *points; ///< a vertex each
    int point_count;
    const int *segments; ///< two vertices each
    int segment_count;
    const int *face_offsets;  ///< face i has face_vertices[face_offsets[i]] .. [face_offsets[i + 1] - 1];
                              ///< face_count + 1 entries, the first 0; NULL: all faces are triangles
    const int *face_vertices; ///< counter-clockwise seen from outside
    int face_count;
    const int *tets; ///< four vertices each, either orientation
    int tet_count;
    abut_precision precision;
} abut_mesh_def;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_mesh_def_init(abut_mesh_def *def, size_t size);
static inline abut_mesh_def abut_mesh_def_default(void)
{
    abut_mesh_def def;
    abut_mesh_def_init(&def, sizeof def);
    return def;
}

/// Checks the data, triangulates polygons and builds the adjacency, in time linear (times log) in the size for all but
/// contrived polygons.
/// NaN or infinite coordinates and indices out of range are ABUT_BAD_DATA, with the element in `error`.
/// Faces that name a vertex twice are kept as faces and counted, but give no triangle; segments and tetrahedra that do
/// are ABUT_BAD_DATA. A polygon of more than 10,000 vertices is ABUT_LIMIT.
/// A mesh with tetrahedra and no faces gets the boundary triangles of its tetrahedra as faces.
ABUT_API abut_status abut_mesh_create(const abut_context *context, const abut_mesh_def *def, abut_mesh **mesh,
                                      abut_error *error);
ABUT_API void abut_mesh_destroy(abut_mesh *mesh);

/// Contacts, distances and poses are for meshes of this size at least, and for coordinates up to this: products of
/// four lengths are far from overflow and underflow there. A mesh itself may have any finite coordinates.
#define ABUT_LEAST_SIZE 1e-60
#define ABUT_LARGEST_COORDINATE 1e60

/// The elements of a mesh. The arrays belong to the mesh.
typedef struct abut_mesh_elements {
    const abut_vec3 *vertices;
    int vertex_count;
    const int *points;
    int point_count;
    const int *segments;
    int segment_count;
    const int *face_offsets; ///< never NULL where there are faces
    const int *face_vertices;
    int face_count;
    const int *triangles;      ///< three vertices each: the faces, with polygons cut into triangles
    const int *triangle_faces; ///< the face that each triangle is part of, ascending
    int triangle_count;
    const int *tets; ///< four vertices each, oriented so that orient3d(t[0], t[1], t[2], t[3]) is +1 or 0
    int tet_count;
    abut_box bounds; ///< of all vertices
    abut_precision precision;
} abut_mesh_elements;

ABUT_API abut_mesh_elements abut_mesh_get_elements(const abut_mesh *mesh);

/// Who is next to whom. The arrays belong to the mesh. Offsets have one entry more than what they index.
typedef struct abut_mesh_topology {
    int edge_count;
    const int *edge_vertices; ///< two each, lower index first; edges are sorted by them
    const int *edge_triangle_offsets;
    const int *edge_triangles;      ///< triangles at each edge, ascending
    const int *triangle_edges;      ///< three each: edge k joins corners k and (k + 1) % 3
    const int *triangle_neighbours; ///< three each: across edge k; ABUT_BOUNDARY or ABUT_NON_MANIFOLD if none
    const int *vertex_triangle_offsets;
    const int *vertex_triangles;
    const int *vertex_edge_offsets;
    const int *vertex_edges;
    const int *segment_edges;  ///< the edge of each segment
    const int *tet_neighbours; ///< four each: across the face opposite corner k; ABUT_BOUNDARY, ABUT_NON_MANIFOLD
    const int *tet_triangles;  ///< four each: the surface triangle opposite corner k, or -1
    const int *triangle_tets;  ///< the tetrahedron behind each triangle, or -1
    const int *vertex_parts;   ///< connected part of each vertex, by shared vertices; -1 for unused vertices
    int part_count;            ///< parts are numbered by their lowest vertex
} abut_mesh_topology;

enum { ABUT_BOUNDARY = -1, ABUT_NON_MANIFOLD = -2 };

ABUT_API abut_mesh_topology abut_mesh_get_topology(const abut_mesh *mesh);

/// What kind of surface the triangles form.
typedef struct abut_mesh_info {
    int boundary_edge_count;       ///< edges with one triangle
    int non_manifold_edge_count;   ///< edges with more than two
    int non_manifold_vertex_count; ///< vertices whose triangles form more than one fan
    int misoriented_edge_count;    ///< edges whose two triangles run through them in the same direction
    int degenerate_face_count;     ///< faces that name a vertex twice, or have no three different vertices
    int irregular_polygon_count;   ///< polygons that cross themselves or have no area; cut as a fan
    int unused_vertex_count;
    int is_closed;   ///< there are triangles, and every edge of a triangle has exactly two
    int is_oriented; ///< no misoriented and no non-manifold edges
    double volume;   ///< signed, of closed and oriented meshes; positive where normals point outward
    double area;
} abut_mesh_info;

ABUT_API abut_mesh_info abut_mesh_get_info(const abut_mesh *mesh);

/// A number made of all vertices and elements; equal meshes have equal numbers.
ABUT_API uint64_t abut_mesh_hash(const abut_mesh *mesh);

/// Finds the edge between two vertices, or returns -1.
ABUT_API int abut_mesh_find_edge(const abut_mesh *mesh, int vertex_a, int vertex_b);

/// Mass properties of a solid of density one. Scale mass and inertia for other densities.
typedef struct abut_mass {
    double mass; ///< the volume
    abut_vec3 center;
    abut_mat3 inertia;           ///< about the centre, in the mesh's axes
    abut_vec3 principal_moments; ///< ascending
    abut_quat principal_axes;    ///< turns the coordinate axes into the principal axes
} abut_mass;

/// Exact integrals over the polyhedron. ABUT_UNSUPPORTED where the mesh is not closed and oriented, or its half size is
/// outside 1e-50 to 1e50; ABUT_BAD_DATA where it has no positive volume.
ABUT_API abut_status abut_mesh_mass(const abut_mesh *mesh, abut_mass *mass, abut_error *error);

/// The convex hull of points, as a mesh of outward triangles. Its vertex i is points[sources[i]], sources ascending;
/// `sources` has room for `count` entries or is NULL. Points that rounding cannot tell from a face or an edge of
/// the hull are not among its vertices. ABUT_BAD_DATA where the points are in a plane, or rounding hides where they
/// are. While it runs, qhull, which finds the hull, takes memory from malloc and not from the context.
ABUT_API abut_status abut_hull_create(const abut_context *context, const abut_vec3 *points, int count,
                                      abut_mesh **hull, int *sources, abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
