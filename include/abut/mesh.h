// SPDX-License-Identifier: MIT
/// @file mesh.h
/// One mesh type for points, segments, triangles, polygons and tetrahedra over a shared vertex array.
///
/// A mesh is constant once created, and any number of threads may read it. The caller's numbering of vertices and
/// faces is kept; derived elements (triangles of polygons, edges) refer to the elements that they come from.
#ifndef ABUT_MESH_H
#define ABUT_MESH_H

#include <abut/base.h>
#include <abut/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A mesh.
typedef struct abut_mesh abut_mesh;

/// The precision of the source of the coordinates. It decides how exactly points can be expected to lie in a plane.
typedef enum abut_precision {
    ABUT_PRECISION_DOUBLE = 0, ///< full doubles
    ABUT_PRECISION_FLOAT = 1   ///< rounded to float, as in a binary STL file
} abut_precision;

/// The data of a mesh. abut_mesh_create() copies it. Counts may be zero. Start from abut_mesh_def_default().
typedef struct abut_mesh_def {
    size_t struct_size;
    const abut_vec3 *vertices;
    int vertex_count;
    const int *points; ///< one vertex each
    int point_count;
    const int *segments; ///< two vertices each
    int segment_count;
    /// Face i has the vertices face_vertices[face_offsets[i]] to face_vertices[face_offsets[i + 1] - 1]; so there are
    /// face_count + 1 offsets and the first is 0. NULL means that all faces are triangles.
    const int *face_offsets;
    const int *face_vertices; ///< counter-clockwise seen from outside
    int face_count;
    const int *tets; ///< four vertices each, in either orientation
    int tet_count;
    abut_precision precision;
} abut_mesh_def;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_mesh_def_init(abut_mesh_def *def, size_t size);
/// An empty definition, of double precision.
static inline abut_mesh_def abut_mesh_def_default(void)
{
    abut_mesh_def def;
    abut_mesh_def_init(&def, sizeof def);
    return def;
}

/// Checks the data, triangulates polygons and builds the adjacency. Takes O(n log n) time for n elements, except for
/// contrived polygons. If the mesh has tetrahedra and no faces, their boundary triangles become its faces. A face that
/// names a vertex twice is kept and counted, but gives no triangle.
/// @return ABUT_BAD_DATA for a coordinate that is not finite, an index out of range, or a segment or tetrahedron that
///         names a vertex twice (`error` names the element); ABUT_LIMIT for a polygon of more than 10,000 vertices
ABUT_API abut_status abut_mesh_create(const abut_context *context, const abut_mesh_def *def, abut_mesh **mesh,
                                      abut_error *error);
/// Frees a mesh; NULL is allowed.
ABUT_API void abut_mesh_destroy(abut_mesh *mesh);

/// Queries refuse meshes smaller than this, so that products of four lengths do not underflow. A mesh that is not used
/// in queries may have any size.
#define ABUT_LEAST_SIZE 1e-60

/// Queries refuse coordinates beyond this, so that products of four lengths do not overflow. A mesh that is not used
/// in queries may have any finite coordinates.
#define ABUT_LARGEST_COORDINATE 1e60

/// The elements of a mesh. The arrays belong to the mesh.
typedef struct abut_mesh_elements {
    const abut_vec3 *vertices;
    int vertex_count;
    const int *points;
    int point_count;
    const int *segments;
    int segment_count;
    const int *face_offsets; ///< as in abut_mesh_def; never NULL if there are faces
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

/// The elements of a mesh.
ABUT_API abut_mesh_elements abut_mesh_get_elements(const abut_mesh *mesh);

/// The definition that makes a copy of a mesh. Its arrays belong to the mesh.
static inline abut_mesh_def abut_mesh_get_def(const abut_mesh *mesh)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = elements.vertices;
    def.vertex_count = elements.vertex_count;
    def.points = elements.points;
    def.point_count = elements.point_count;
    def.segments = elements.segments;
    def.segment_count = elements.segment_count;
    def.face_offsets = elements.face_offsets;
    def.face_vertices = elements.face_vertices;
    def.face_count = elements.face_count;
    def.tets = elements.tets;
    def.tet_count = elements.tet_count;
    def.precision = elements.precision;
    return def;
}

/// The adjacency of a mesh. The arrays belong to the mesh. An array of offsets has one entry more than there are
/// elements; the entries of element i begin at offset i and end before offset i + 1.
typedef struct abut_mesh_topology {
    int edge_count;
    const int *edge_vertices; ///< two each, lower index first; edges are sorted by them
    const int *edge_triangle_offsets;
    const int *edge_triangles; ///< triangles at each edge, ascending
    const int *triangle_edges; ///< three each: edge k joins corners k and (k + 1) % 3
    const int
        *triangle_neighbours; ///< three each: across edge k; ABUT_BOUNDARY or ABUT_NON_MANIFOLD if there is none
    const int *vertex_triangle_offsets;
    const int *vertex_triangles;
    const int *vertex_edge_offsets;
    const int *vertex_edges;
    const int *segment_edges; ///< the edge of each segment
    const int
        *tet_neighbours;      ///< four each: across the face opposite corner k; or ABUT_BOUNDARY, ABUT_NON_MANIFOLD
    const int *tet_triangles; ///< four each: the surface triangle opposite corner k, or -1
    const int *triangle_tets; ///< the tetrahedron behind each triangle, or -1
    const int *vertex_parts;  ///< connected part (by shared vertices) of each vertex; -1 for unused vertices
    int part_count;           ///< parts are numbered by their lowest vertex
} abut_mesh_topology;

/// Entries of neighbour arrays for sides without a unique neighbour.
enum {
    ABUT_BOUNDARY = -1,    ///< no neighbour
    ABUT_NON_MANIFOLD = -2 ///< more than one
};

/// The adjacency of a mesh.
ABUT_API abut_mesh_topology abut_mesh_get_topology(const abut_mesh *mesh);

/// What kind of surface the triangles form.
typedef struct abut_mesh_info {
    int boundary_edge_count;       ///< edges with one triangle
    int non_manifold_edge_count;   ///< edges with more than two
    int non_manifold_vertex_count; ///< vertices whose triangles form more than one fan
    int misoriented_edge_count;    ///< edges that both triangles run through in the same direction
    int degenerate_face_count;     ///< faces that name a vertex twice or have fewer than three vertices
    int irregular_polygon_count;   ///< polygons that cross themselves or have no area; triangulated as a fan
    int unused_vertex_count;
    int is_closed;   ///< there are triangles, and each of their edges has exactly two
    int is_oriented; ///< no misoriented and no non-manifold edges
    double volume;   ///< of closed and oriented meshes; positive if normals point outward
    double area;
} abut_mesh_info;

/// Counts of what keeps the surface from being closed and manifold, its volume and its area.
ABUT_API abut_mesh_info abut_mesh_get_info(const abut_mesh *mesh);

/// A hash of all vertices and elements.
ABUT_API uint64_t abut_mesh_hash(const abut_mesh *mesh);

/// The edge between two vertices, or -1 if there is none.
ABUT_API int abut_mesh_find_edge(const abut_mesh *mesh, int vertex_a, int vertex_b);

/// Mass properties of a solid of density 1. For other densities multiply mass, inertia and moments.
typedef struct abut_mass {
    double mass; ///< the volume
    abut_vec3 center;
    abut_mat3 inertia;           ///< about the centre, in the mesh's axes
    abut_vec3 principal_moments; ///< ascending
    abut_quat principal_axes;    ///< turns the coordinate axes into the principal axes
} abut_mass;

/// Mass properties by exact integrals over the polyhedron.
/// @return ABUT_UNSUPPORTED if the mesh is not closed and oriented, or if half its size is not from 1e-50 to 1e50;
///         ABUT_BAD_DATA if its volume is not positive
ABUT_API abut_status abut_mesh_mass(const abut_mesh *mesh, abut_mass *mass, abut_error *error);

/// The convex hull of points, as a mesh of outward triangles. Its vertex i is points[sources[i]]; sources ascend.
/// `sources` has room for `count` entries, or is NULL. Points on a face or an edge of the hull, up to rounding, are
/// not vertices. Qhull, which finds the hull, uses malloc() instead of the context while it runs.
/// @return ABUT_BAD_DATA if the points lie in a plane up to rounding
ABUT_API abut_status abut_hull_create(const abut_context *context, const abut_vec3 *points, int count,
                                      abut_mesh **hull, int *sources, abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
