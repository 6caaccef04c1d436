// SPDX-License-Identifier: MIT
/// @file brep_index.h
/// The Brep-index: a tree of cut planes that says where points, segments and convex polygons are in a solid.
///
/// Every inner node has a plane and three children: what is above the plane, on it, and below it. A leaf is a piece
/// of space, of a plane, of a line, or a point, that is inside, outside or on one vertex, edge or face of the B-rep.
/// "On" a plane means within the index's tolerance. A point on the boundary, up to rounding, is always found on it. A
/// point found on a face is within the tolerance of its plane and at most a few tolerances outside its edges; if
/// planes meet at a flat angle, the tolerance divided by the sine of that angle. See docs/brep-index.md.
#ifndef ABUT_BREP_INDEX_H
#define ABUT_BREP_INDEX_H

#include <abut/brep.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct abut_brep_index abut_brep_index;

typedef enum abut_index_cuts {
    ABUT_CUTS_BALANCED = 0,   ///< axis-parallel cuts in halves while many faces are left, then face planes
    ABUT_CUTS_FACE_PLANES = 1 ///< planes of faces only: small for convex solids, but as deep as it has faces
} abut_index_cuts;

typedef struct abut_brep_index_params {
    size_t struct_size;
    /// Points this near to a plane are on it, as a length. 0: four times the B-rep's own, which is also the least; the
    /// most is a hundredth of the solid's diagonal.
    double tolerance;
    abut_index_cuts cuts;
    int max_nodes;      ///< limit of inner nodes; 0: 1000, and 32 for each vertex, edge and face
    int64_t max_splits; ///< limit of the work, in pieces sorted by planes; 0: 1e9, about a minute
} abut_brep_index_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_brep_index_params_init(abut_brep_index_params *params, size_t size);
static inline abut_brep_index_params abut_brep_index_params_default(void)
{
    abut_brep_index_params params;
    abut_brep_index_params_init(&params, sizeof params);
    return params;
}

/// Builds the index. It does not need the B-rep afterwards. Returns ABUT_UNSUPPORTED if the mesh is not closed and
/// oriented, ABUT_BAD_DATA if it has no positive volume, and ABUT_LIMIT if a limit of `params` is exceeded, since face
/// planes cut other faces into too many pieces; the message says which limit and what to do.
ABUT_API abut_status abut_brep_index_create(const abut_context *context, const abut_brep *brep,
                                            const abut_brep_index_params *params, abut_brep_index **index,
                                            abut_error *error);
ABUT_API void abut_brep_index_destroy(abut_brep_index *index);

typedef struct abut_brep_index_info {
    int node_count;     ///< inner nodes: cuts
    int leaf_counts[4]; ///< leaves by dimension: points, pieces of lines, of planes, of space
    int depth;          ///< cuts above the deepest leaf
    double mean_depth;  ///< over all leaves
    size_t bytes;
    double tolerance; ///< the one in use
} abut_brep_index_info;

ABUT_API abut_brep_index_info abut_brep_index_get_info(const abut_brep_index *index);

typedef enum abut_place {
    ABUT_PLACE_OUTSIDE = 0,
    ABUT_PLACE_INSIDE = 1,
    ABUT_PLACE_VERTEX = 2, ///< on a vertex of the B-rep
    ABUT_PLACE_EDGE = 3,   ///< on an edge, away from its ends
    ABUT_PLACE_FACE = 4    ///< on a face, away from its edges
} abut_place;

typedef struct abut_location {
    abut_place place;
    int entity; ///< the vertex, edge or face; -1 inside and outside
} abut_location;

/// Where a point is. A point that is not finite is outside.
ABUT_API abut_location abut_brep_index_locate(const abut_brep_index *index, abut_vec3 point);

/// A convex piece of what was classified: a point, a segment, or a polygon with its corners in order.
typedef struct abut_index_piece {
    abut_location location;
    int dimension; ///< 0, 1, 2
    const abut_vec3 *corners;
    int corner_count;
} abut_index_piece;

/// Called with a piece, whose corners are valid during the call. A result other than 0 ends the work.
typedef int abut_index_piece_function(void *user, const abut_index_piece *piece);

/// Cuts a point (one corner), a segment (two) or a convex planar polygon (more, in order) into pieces that are
/// inside, outside or on an entity. Pieces inside and outside have the dimension of the whole. Pieces on entities have
/// any: a segment may meet a face in a point. A piece may come as several adjacent ones, in no particular order.
/// Returns ABUT_BAD_ARGUMENT if there are no corners, ABUT_BAD_DATA if one is not finite, or ABUT_NO_MEMORY.
ABUT_API abut_status abut_brep_index_classify(const abut_brep_index *index, const abut_vec3 *corners,
                                              int corner_count, abut_index_piece_function *function, void *user);

/// A part of a segment from a to b: the points a + t (b - a), begin <= t <= end. A single point has begin = end.
typedef struct abut_segment_piece {
    double begin, end;
    abut_location location;
} abut_segment_piece;

/// The caller owns the array. `required` counts every piece, even if `capacity` is too small.
typedef struct abut_segment_pieces {
    abut_segment_piece *pieces;
    int capacity;
    int count;
    int required;
} abut_segment_pieces;

/// Finds the pieces of a segment in order, with neighbours of the same location joined. Together they cover
/// 0 <= t <= 1. Returns ABUT_TRUNCATED if the array is too small, else as abut_brep_index_classify().
ABUT_API abut_status abut_brep_index_segment(const abut_brep_index *index, abut_vec3 a, abut_vec3 b,
                                             abut_segment_pieces *pieces);

/// An entity (vertex, edge or face) of A and one of B that meet. Entities do not include their boundary: an edge has
/// no ends, a face no edges.
typedef struct abut_entity_pair {
    abut_location a; ///< ABUT_PLACE_VERTEX, _EDGE or _FACE
    abut_location b;
    int dimension; ///< of what they have in common
} abut_entity_pair;

/// Called with what two entities have in common, in the frame of the index. A pair may come in several adjacent
/// pieces. A result other than 0 ends the work.
typedef int abut_entity_pair_function(void *user, const abut_entity_pair *pair, const abut_index_piece *piece);

/// Finds the intersection set of a solid A and the solid B of the index: all that an entity of A and one of B have in
/// common, within the tolerance of the index.
ABUT_API abut_status abut_brep_index_intersect(const abut_brep_index *index_b, const abut_brep *brep_a,
                                               abut_pose a_to_b, abut_entity_pair_function *function, void *user);

/// The caller owns the array. `required` counts every pair, even if `capacity` is too small.
typedef struct abut_entity_pairs {
    abut_entity_pair *pairs;
    int capacity;
    int count;
    int required;
} abut_entity_pairs;

/// Finds the pairs of the intersection set, each once and with the largest dimension of its pieces, sorted by place
/// and entity of A, then of B. Returns ABUT_TRUNCATED if the array is too small.
ABUT_API abut_status abut_brep_index_pairs(const abut_brep_index *index_b, const abut_brep *brep_a,
                                           abut_pose a_to_b, abut_entity_pairs *pairs);

#ifdef __cplusplus
}
#endif
#endif
