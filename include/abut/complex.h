// SPDX-License-Identifier: MIT
/// @file complex.h
/// Simplicial complexes of mixed dimension, and the quasi-LMDs between two of them (Merlhiot 2007).
///
/// A complex is a set of vertices, edges and triangles, with solids known by their boundary. Each simplex has a class
/// that tells which local minima of a distance can lie inside it. A quasi-LMD is such a minimum, or what would be one
/// after a small turn.
#ifndef ABUT_COMPLEX_H
#define ABUT_COMPLEX_H

#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A complex with its sphere-cone hierarchy. Constant once created; any number of threads may read it.
typedef struct abut_complex abut_complex;

/// Defines a complex. Start from abut_complex_def_default().
typedef struct abut_complex_def {
    size_t struct_size;
    const abut_mesh *mesh;
    const abut_vec3 *vertices; ///< positions to use instead of those of the mesh, as many; or NULL
    /// One number for each part of the mesh (abut_mesh_topology.vertex_parts): 1 takes its surface as a shell even if it
    /// is closed; or NULL.
    const unsigned char *part_is_shell;
    int is_plain; ///< 1: a hierarchy without class bits, cut by position only (for comparisons); default 0
} abut_complex_def;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_complex_def_init(abut_complex_def *def, size_t size);
static inline abut_complex_def abut_complex_def_default(void)
{
    abut_complex_def def;
    abut_complex_def_init(&def, sizeof def);
    return def;
}

/// Builds a complex from a mesh. Tetrahedra give a solid by their boundary; a closed, oriented part of the surface is
/// the boundary of a solid; other surfaces are shells; segments and points are kept. Edges of no length are collapsed
/// and flat triangles are flipped away, so that closed surfaces stay closed.
/// @return ABUT_OK; ABUT_BAD_DATA for a position that is not finite; ABUT_UNSUPPORTED for a mesh without elements or
///         outside of ABUT_LEAST_SIZE and ABUT_LARGEST_COORDINATE; ABUT_LIMIT for more than 2^30 simplices;
///         ABUT_BAD_ARGUMENT or ABUT_NO_MEMORY
ABUT_API abut_status abut_complex_create(const abut_context *context, const abut_complex_def *def,
                                         abut_complex **complex, abut_error *error);
ABUT_API void abut_complex_destroy(abut_complex *complex);

/// What a complex consists of. Class 0 to 7 as in the paper's Table 1: 0 corner, 1 vertex of a straight edge, 2 convex
/// edge, 3 reentrant corner of a flat face, 4 vertex inside a flat face, 5 edge inside a flat face, 6 triangle, 7 where
/// no distance can have a minimum.
typedef struct abut_complex_info {
    int vertex_count;   ///< used vertices
    int edge_count;     ///< edges of triangles, and segments
    int triangle_count; ///< of the boundary of solids, and of shells
    int class_counts[8];
    int solid_triangle_count; ///< triangles with a solid behind them
    int solid_part_count;     ///< connected parts of the surface that bound a solid
    int shell_part_count;     ///< connected parts of the surface that do not
    int inside_out_count;     ///< of these: closed, but with normals that point inward
    int collapsed_count;      ///< edges of no length that were collapsed
    int flipped_count;        ///< flat triangles that were flipped away
    int dropped_count;        ///< flat or double triangles that were left out
    int64_t bytes;            ///< memory of the complex and its hierarchy
} abut_complex_info;

ABUT_API abut_complex_info abut_complex_get_info(const abut_complex *complex);

/// The class of a vertex, numbered as in the mesh. 7 for vertices that are not used.
ABUT_API int abut_complex_vertex_class(const abut_complex *complex, int vertex);
/// The class of the edge between two vertices, or -1 if there is no such edge.
ABUT_API int abut_complex_edge_class(const abut_complex *complex, int vertex_a, int vertex_b);

/// The bytes that abut_complex_save() writes.
ABUT_API size_t abut_complex_saved_size(const abut_complex *complex);
/// Writes a complex with its hierarchy, to be kept in a file: building one takes longer than reading it.
ABUT_API void abut_complex_save(const abut_complex *complex, void *buffer);
/// Makes a complex of what abut_complex_save() wrote with the same version of the library, on a machine with the same
/// byte order. All of it is checked.
/// @return ABUT_OK, ABUT_BAD_DATA or ABUT_NO_MEMORY
ABUT_API abut_status abut_complex_load(const abut_context *context, const void *buffer, size_t size,
                                       abut_complex **complex, abut_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Quasi-LMDs

/// A pair of points, one of each complex, at which the distance has a local minimum, or would have one after a turn by
/// less than theta.
typedef struct abut_lmd {
    abut_vec3 point_a, point_b;   ///< in A's frame
    double distance;              ///< of the two, above 0
    int32_t simplex_a, simplex_b; ///< what supports them: see abut_complex_get_simplex()
} abut_lmd;

/// A simplex of a complex.
typedef struct abut_simplex {
    int corner_count;    ///< 1 to 3
    int32_t vertices[3]; ///< of the mesh; unused ones are -1
    int simplex_class;   ///< 0 to 7
    int32_t face;  ///< of a triangle: the face of the mesh that it comes from, or ~t for tetrahedron t; else -1
    int32_t patch; ///< inside a flat face (classes 4, 5 and 6): the lowest face of the flat patch; else -1
} abut_simplex;

ABUT_API abut_simplex abut_complex_get_simplex(const abut_complex *complex, int simplex);

/// What to look for. Start from abut_lmd_def_default().
typedef struct abut_lmd_def {
    size_t struct_size;
    const abut_complex *a, *b;
    abut_pose b_to_a;  ///< default: the identity
    double reach;      ///< the longest distance; default 0
    double theta;      ///< in radians, 0 to 1.5; default 2 degrees
    int is_exhaustive; ///< 1: test every pair of simplices, without the hierarchy (for checks); default 0
    /// 1: A and B are one complex, in place: each pair of simplices once, and none that have a common vertex; default 0.
    int is_self;
} abut_lmd_def;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_lmd_def_init(abut_lmd_def *def, size_t size);
static inline abut_lmd_def abut_lmd_def_default(void)
{
    abut_lmd_def def;
    abut_lmd_def_init(&def, sizeof def);
    return def;
}

/// The effort of a search.
typedef struct abut_lmd_stats {
    int64_t node_pairs;     ///< tests of a node against the children of another one, up to eight at once
    int64_t leaf_pairs;     ///< pairs of simplices that were tested
    int64_t touching_pairs; ///< pairs of simplices without a distance: they have no direction and are left out
} abut_lmd_stats;

/// The memory of searches, which holds the last answer. One per thread; a search uses the threads of its context.
typedef struct abut_lmd_set abut_lmd_set;
ABUT_API abut_status abut_lmd_set_create(const abut_context *context, abut_lmd_set **set);
ABUT_API void abut_lmd_set_destroy(abut_lmd_set *set);

/// Finds all quasi-LMDs of two complexes up to a distance. Points on the border of several simplices come once for each
/// of them. The same input gives the same bytes at any number of threads.
/// @return ABUT_OK; ABUT_BAD_ARGUMENT or ABUT_NO_MEMORY, and then the set is empty
ABUT_API abut_status abut_find_lmds(const abut_lmd_def *def, abut_lmd_set *set, abut_error *error);

/// The answer of the last search, valid until the next one.
typedef struct abut_lmd_view {
    const abut_lmd *items;
    int count;
    abut_lmd_stats stats;
} abut_lmd_view;
ABUT_API abut_lmd_view abut_lmd_set_get(const abut_lmd_set *set);

#ifdef __cplusplus
}
#endif
#endif
