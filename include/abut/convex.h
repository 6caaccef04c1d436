// SPDX-License-Identifier: MIT
/// @file convex.h
/// Convex polyhedra: signed distance, direction, witness points and contact manifold, each with a proof.
///
/// Two bodies apart have a distance and closest points; two that overlap have a minimum translation: the shortest
/// motion of B that leaves them touching. Both are one number, the signed distance, and one direction from A to B.
/// Any number of threads may query the same shapes. A query takes at most 48 KB of stack. It makes no heap call, except
/// for features with many vertices if the pair has no `scratch`. See docs/methods/convex.md.
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
    /// How far a vertex may be in front of a face of a mesh that counts as convex, relative to its diagonal.
    /// 0: 1e-9 for double sources, 1e-6 for float ones.
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

/// Makes a shape of a mesh, which must outlive it. ABUT_UNSUPPORTED, with the first vertex that is in front of a face,
/// where the mesh is not convex, or where its size is not between ABUT_LEAST_SIZE and ABUT_LARGEST_COORDINATE;
/// ABUT_LIMIT where it has too much to check (faces times vertices above 4e9).
ABUT_API abut_status abut_convex_create(const abut_context *context, const abut_mesh *mesh,
                                        const abut_convex_params *params, abut_convex **convex, abut_error *error);
ABUT_API void abut_convex_destroy(abut_convex *convex);

typedef struct abut_convex_info {
    int vertex_count, edge_count, face_count; ///< after coplanar triangles are merged
    double deviation; ///< how far the mesh is from convex: the largest distance of a vertex in front of a face
    abut_vec3 inner_center; ///< a ball that is inside of the shape
    double inner_radius;
} abut_convex_info;

ABUT_API abut_convex_info abut_convex_get_info(const abut_convex *convex);

/// Position of a vertex, and its index in the mesh.
ABUT_API abut_vec3 abut_convex_vertex(const abut_convex *convex, int vertex, int *source);

/// The vertex that is furthest in a direction, all in the mesh's frame. The lowest of several is not promised.
ABUT_API int abut_convex_support(const abut_convex *convex, abut_vec3 direction);

/// Two shapes in the world. Start from abut_convex_pair_default().
typedef struct abut_convex_pair {
    size_t struct_size;
    const abut_convex *a, *b;
    abut_pose pose_a, pose_b;
    abut_vec3 velocity; ///< of B relative to A; decides between directions that tie; zero: does not
    double tolerance;   ///< vertices this near to the contact plane are on it; 0: 1e-9 of the smaller diagonal
    /// Memory that a query may use while it runs, aligned for doubles; NULL: none. Use each by one thread at a time.
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

/// A proof of the signed distance D. Lower bound: no body reaches beyond its support in the direction of the
/// normal, so the planes through both supports are `lower` apart, and no motion shorter than that brings the bodies
/// together or, where it is negative, none longer is needed to part them. Upper bound: the distance of the witness
/// points, or, where the bodies overlap, that all other facets of the Minkowski difference are no nearer: see the
/// kinds of proof.
typedef struct abut_convex_certificate {
    abut_convex_proof proof;
    /// The true signed distance is between them, each but for some units in the last place of sizes and poses.
    double lower, upper;
    abut_vec3 cap_axis;       ///< of ABUT_PROOF_CAP: facets with axis . normal below cap_cosine are further away;
    double cap_cosine;        ///< world frame
    int support_a, support_b; ///< vertices on the two planes
} abut_convex_certificate;

/// A vertex, an edge or a face of a shape, in the shape's own numbers.
typedef struct abut_convex_part {
    abut_feature_kind kind;
    int index;
} abut_convex_part;

enum { ABUT_CONVEX_DIRECTIONS = 16 };

/// The answer, in the world frame.
typedef struct abut_convex_result {
    double distance;            ///< signed: negative where the bodies overlap
    abut_vec3 normal;           ///< unit, from A to B
    abut_vec3 point_a, point_b; ///< witness points: distance = normal . (point_b - point_a)
    double plane_offset;        ///< the contact plane, halfway: normal . x = plane_offset
    /// Of highest dimension at the contact plane, in the mesh; kind none where the hull has what the mesh has not.
    abut_feature feature_a, feature_b;
    abut_convex_part part_a, part_b; ///< the same in the shapes
    abut_rule rule;                  ///< what decided between directions that tie
    /// Overlapping: all normals whose depths rounding cannot tell apart, `normal` the first; more than one: it is
    /// indeterminate.
    abut_vec3 directions[ABUT_CONVEX_DIRECTIONS];
    int direction_count;
    int has_more_directions;
    abut_convex_certificate certificate;
    int axis_count;      ///< facets of the Minkowski difference that were evaluated
    int iteration_count; ///< of the search for closest points
    /// Times a walk to the closest features did not end, closest points proved nothing, or a search that should be
    /// local had to go over all facets.
    int fallback_count;
} abut_convex_result;

/// What a query learns for the next one of the same pair. Plain data; all zero is a memory that knows nothing.
typedef struct abut_convex_memory {
    int32_t state[8];
    abut_vec3 normal; ///< world frame
} abut_convex_memory;

/// The signed distance. `before` may be NULL, or what an earlier query of this pair wrote to `after`, which may be
/// NULL too. ABUT_BAD_ARGUMENT where a pose is not finite, or a position has a coordinate above
/// ABUT_LARGEST_COORDINATE.
ABUT_API abut_status abut_convex_distance(const abut_convex_pair *pair, const abut_convex_memory *before,
                                          abut_convex_memory *after, abut_convex_result *result);

/// A point of the contact manifold.
typedef struct abut_convex_point {
    abut_vec3 position_a, position_b; ///< on the touching features, moved together by the distance along the normal
    abut_feature feature_a, feature_b;
    abut_anchor anchor_a, anchor_b; ///< up to three vertices of the mesh
} abut_convex_point;

/// The caller owns the memory: `count` of `required` points are written. A `capacity` of 0 or less is no room, and
/// `points` may then be NULL.
typedef struct abut_convex_manifold {
    /// Vertices up to this far behind the contact plane belong to it too; 0 or less: none. With the overlap of the
    /// bodies, all corners that are within the other body come out, each with a gap of its own between its positions.
    double depth;
    abut_convex_point *points;
    int capacity, count, required;
    int dimension;    ///< 0 point, 1 segment, 2 polygon (counter-clockwise about the normal)
    double measure;   ///< 0, length or area
    int repair_count; ///< times the paper's repairs were needed: the features did not meet in the plane
    int cap_count;    ///< times a feature had more than 512 vertices, and the others were left out
} abut_convex_manifold;

/// The vertices of the intersection of what both bodies have on the contact plane, after moving them together.
/// `result` is that of abut_convex_distance() for the same pair; ABUT_BAD_ARGUMENT where it is of other shapes.
/// ABUT_TRUNCATED where `capacity` is too small. Vertices that are left out, since others say the same, are within the
/// pair's tolerance of the polygon or segment of those that are taken; the contact points are within 4 tolerances of
/// both bodies' polygons.
ABUT_API abut_status abut_convex_find_manifold(const abut_convex_pair *pair, const abut_convex_result *result,
                                               abut_convex_manifold *manifold);

#ifdef __cplusplus
}
#endif
#endif
