// SPDX-License-Identifier: MIT
/// @file convex.h
/// Convex polyhedra: signed distance, direction, witness points and contact manifold, each with a proof.
///
/// Two bodies apart have a distance and closest points; two that overlap have a minimum translation: the shortest
/// motion of B that leaves them touching. Both are one number, the signed distance, and one direction from A to B.
/// Any number of threads may query the same shapes. A query takes at most 48 KB of stack. It makes no heap call,
/// except for features with many vertices if the pair has no `scratch`. See docs/methods/convex.md.
#ifndef ABUT_CONVEX_H
#define ABUT_CONVEX_H

#include <abut/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct abut_convex abut_convex;

/// Start from abut_convex_params_default().
typedef struct abut_convex_params {
    size_t struct_size;
    /// A mesh counts as convex if no vertex is further than this in front of a face, relative to its diagonal.
    /// 0: 1e-9 for meshes with double coordinates, 1e-6 with float coordinates.
    double tolerance;
    int takes_hull; ///< 1: the convex hull of the mesh's vertices; 0: the mesh must be convex
} abut_convex_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_convex_params_init(abut_convex_params *params, size_t size);
static inline abut_convex_params abut_convex_params_default(void)
{
    abut_convex_params params;
    abut_convex_params_init(&params, sizeof params);
    return params;
}

/// Makes a shape from a mesh. The mesh must outlive it. Returns ABUT_UNSUPPORTED if the mesh is not convex (the error
/// names the first vertex in front of a face) or if its size is not between ABUT_LEAST_SIZE and
/// ABUT_LARGEST_COORDINATE. Takes n log n for n vertices.
ABUT_API abut_status abut_convex_create(const abut_context *context, const abut_mesh *mesh,
                                        const abut_convex_params *params, abut_convex **convex, abut_error *error);
ABUT_API void abut_convex_destroy(abut_convex *convex);

typedef struct abut_convex_info {
    int vertex_count, edge_count, face_count; ///< after coplanar triangles are merged
    double deviation; ///< how far the mesh is from convex: the largest distance of a vertex in front of a face
    abut_vec3 inner_center; ///< of a ball inside the shape
    double inner_radius;
} abut_convex_info;

ABUT_API abut_convex_info abut_convex_get_info(const abut_convex *convex);

/// Position of a vertex, and its index in the mesh.
ABUT_API abut_vec3 abut_convex_vertex(const abut_convex *convex, int vertex, int *source);

/// The vertex furthest in a direction, in the mesh's frame. If several are equally far, any of them.
ABUT_API int abut_convex_support(const abut_convex *convex, abut_vec3 direction);

/// Two shapes in the world. Start from abut_convex_pair_default().
typedef struct abut_convex_pair {
    size_t struct_size;
    const abut_convex *a, *b;
    abut_pose pose_a, pose_b;
    abut_vec3 velocity; ///< of B relative to A; decides between directions that tie, unless it is zero
    double tolerance;   ///< vertices this near to the contact plane are on it; 0: 1e-9 of the smaller diagonal
    /// Memory that a query may use while it runs, aligned for double; NULL: none. Not shared between threads.
    /// Without it, a query calls the heap if the bodies have more than 48 vertices on the contact plane together.
    void *scratch;
    size_t scratch_size; ///< in bytes, see abut_convex_scratch_size()
} abut_convex_pair;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_convex_pair_init(const abut_convex *a, const abut_convex *b, abut_convex_pair *pair,
                                    size_t size);
static inline abut_convex_pair abut_convex_pair_default(const abut_convex *a, const abut_convex *b)
{
    abut_convex_pair pair;
    abut_convex_pair_init(a, b, &pair, sizeof pair);
    return pair;
}

/// The `scratch_size` with which no query of the two shapes calls the heap, at most 190 KB; 0 if none ever does.
ABUT_API size_t abut_convex_scratch_size(const abut_convex *a, const abut_convex *b);

/// How the answer was proven.
typedef enum abut_convex_proof {
    ABUT_PROOF_PLANE = 0, ///< apart: two parallel planes between the bodies are as far apart as the witness points
    ABUT_PROOF_FACET = 1, ///< overlapping, by one facet of the Minkowski difference: inner balls exclude the others
    ABUT_PROOF_CAP = 2,   ///< by some facets with normals in a cap; the inner balls exclude those outside
    ABUT_PROOF_FULL = 3   ///< by all facets
} abut_convex_proof;

/// A proof of the signed distance. Lower bound: neither body reaches beyond its support along the normal, so the
/// planes through both supports are `lower` apart. A motion shorter than `lower` cannot bring the bodies together; if
/// it is negative, a motion of -lower parts them. Upper bound: for bodies apart, the distance of the witness points;
/// for overlapping ones, that no other facet of the Minkowski difference is nearer (see abut_convex_proof).
typedef struct abut_convex_certificate {
    abut_convex_proof proof;
    double lower, upper;      ///< lower <= true distance <= upper, up to a few ulps of sizes and positions
    abut_vec3 cap_axis;       ///< of ABUT_PROOF_CAP: facets with axis . normal below cap_cosine are further away;
    double cap_cosine;        ///< world frame
    int support_a, support_b; ///< vertices on the two planes
} abut_convex_certificate;

/// A vertex, an edge or a face of a shape, numbered as in the shape.
typedef struct abut_convex_part {
    abut_feature_kind kind;
    int index;
} abut_convex_part;

enum { ABUT_CONVEX_DIRECTIONS = 16 };

/// The answer, in the world frame.
typedef struct abut_convex_result {
    double distance;            ///< signed: negative if the bodies overlap
    abut_vec3 normal;           ///< unit, from A to B
    abut_vec3 point_a, point_b; ///< witness points: distance = normal . (point_b - point_a)
    double plane_offset;        ///< the contact plane, halfway: normal . x = plane_offset
    /// The features of highest dimension on the contact plane, in the mesh. Kind none for an edge or face of the hull
    /// that the mesh does not have.
    abut_feature feature_a, feature_b;
    abut_convex_part part_a, part_b; ///< these features in the shapes
    abut_rule rule;                  ///< what decided between directions that tie
    /// If the bodies overlap: all normals whose depths are equal up to rounding, `normal` first. With more than one,
    /// the normal is not determined by the geometry.
    abut_vec3 directions[ABUT_CONVEX_DIRECTIONS];
    int direction_count;
    int has_more_directions;
    abut_convex_certificate certificate;
    int axis_count;      ///< facets of the Minkowski difference that were evaluated
    int iteration_count; ///< of the search for closest points
    /// How often a search fell back on a slower one: the walk over features did not end, the closest points proved
    /// nothing, or all facets had to be searched.
    int fallback_count;
} abut_convex_result;

/// What a query learns for the next one of the same pair. Plain data; all zero is a memory that knows nothing.
typedef struct abut_convex_memory {
    int32_t state[8];
    abut_vec3 normal; ///< world frame
} abut_convex_memory;

/// Finds the signed distance. `before` is what an earlier query of this pair wrote to `after`; both may be NULL.
/// Returns ABUT_BAD_ARGUMENT if a pose is not finite or a coordinate is above ABUT_LARGEST_COORDINATE, and
/// ABUT_NO_MEMORY if the pair's `scratch` is too small and the heap has no memory.
ABUT_API abut_status abut_convex_distance(const abut_convex_pair *pair, const abut_convex_memory *before,
                                          abut_convex_memory *after, abut_convex_result *result);

/// Of a shape with more vertices than this on the contact plane, so many are used.
enum { ABUT_CONVEX_PLANE_VERTICES = 512 };

/// A point of the contact manifold.
typedef struct abut_convex_point {
    abut_vec3 position_a, position_b; ///< on the touching features, moved together by the distance along the normal
    abut_feature feature_a, feature_b;
    abut_anchor anchor_a, anchor_b; ///< up to three vertices of the mesh
} abut_convex_point;

/// The caller owns the points: `count` of `required` are written. With a `capacity` of 0, `points` may be NULL.
typedef struct abut_convex_manifold {
    /// Vertices up to this far behind the contact plane count as on it; 0: none. If it is the overlap of the bodies,
    /// the manifold has all corners that are within the other body, each with its own gap.
    double depth;
    abut_convex_point *points;
    int capacity, count, required;
    int dimension;    ///< 0 point, 1 segment, 2 polygon (counter-clockwise about the normal)
    double measure;   ///< 0, length or area
    int repair_count; ///< 1 if the features do not meet in the plane (the closest points are given instead), or if a
                      ///< corner had no room, which no known pair needs
    int cap_count;    ///< bodies with more than ABUT_CONVEX_PLANE_VERTICES on the plane
} abut_convex_manifold;

/// Finds the contact manifold: moves the bodies together along the normal and intersects what both have on the contact
/// plane. `result` must be that of abut_convex_distance() for the same pair. Vertices within the pair's tolerance of
/// the segment or polygon of the others may be left out; the points are within 4 tolerances of both bodies' polygons.
/// Returns ABUT_TRUNCATED if `capacity` is too small, ABUT_BAD_ARGUMENT if the result is of other shapes, and
/// ABUT_NO_MEMORY as abut_convex_distance().
ABUT_API abut_status abut_convex_find_manifold(const abut_convex_pair *pair, const abut_convex_result *result,
                                               abut_convex_manifold *manifold);

/// abut_convex_distance() and abut_convex_find_manifold() in one call, which takes less time than both. If the distance
/// fails, returns its status and an empty manifold.
ABUT_API abut_status abut_convex_contact(const abut_convex_pair *pair, const abut_convex_memory *before,
                                         abut_convex_memory *after, abut_convex_result *result,
                                         abut_convex_manifold *manifold);

#ifdef __cplusplus
}
#endif
#endif
