// SPDX-License-Identifier: MIT
/// @file check.h
/// The mesh doctor: what is wrong with a mesh, what that means, and repairs.
///
/// It takes any definition of a mesh, also one that abut_mesh_create() refuses: see abut_soup_read(). Elements are
/// named by their numbers in that definition. Time is linear (times log) in its size.
#ifndef ABUT_CHECK_H
#define ABUT_CHECK_H

#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What can be wrong. Released values never change.
typedef enum abut_finding_kind {
    ABUT_FINDING_NOT_FINITE = 0,     ///< vertices with NaN or infinite coordinates
    ABUT_FINDING_INDEX = 1,          ///< faces that name a vertex that is not there
    ABUT_FINDING_BROKEN_POINT = 2,   ///< the same for points
    ABUT_FINDING_BROKEN_SEGMENT = 3, ///< the same for segments, or one vertex twice
    ABUT_FINDING_BROKEN_TET = 4,     ///< the same for tetrahedra
    ABUT_FINDING_LARGE_FACE = 5,     ///< faces with more vertices than a mesh takes
    ABUT_FINDING_DUPLICATE_VERTEX = 6,
    ABUT_FINDING_NEAR_VERTEX = 7, ///< vertices within the tolerance of another
    ABUT_FINDING_UNUSED_VERTEX = 8,
    ABUT_FINDING_DEGENERATE_FACE = 9,
    ABUT_FINDING_DUPLICATE_FACE = 10,
    ABUT_FINDING_SLIVER = 11,
    ABUT_FINDING_IRREGULAR_FACE = 12, ///< polygons that cross themselves or have no area
    ABUT_FINDING_OPEN_EDGE = 13,
    ABUT_FINDING_NON_MANIFOLD_EDGE = 14,
    ABUT_FINDING_NON_MANIFOLD_VERTEX = 15,
    ABUT_FINDING_FLIPPED_FACE = 16,
    ABUT_FINDING_ONE_SIDED_PART = 17, ///< cannot be oriented, as a Moebius strip
    ABUT_FINDING_INSIDE_OUT_PART = 18,
    ABUT_FINDING_SELF_INTERSECTION = 19,
    ABUT_FINDING_T_JUNCTION = 20,
    ABUT_FINDING_UNEVEN_SIZE = 21,
    ABUT_FINDING_SEVERAL_PARTS = 22,
    ABUT_FINDING_NESTED_PART = 23,
    ABUT_FINDING_NO_ELEMENTS = 24 ///< nothing is left after welding and dropping
} abut_finding_kind;

enum { ABUT_FINDING_KINDS = 25 };

/// What the elements of a finding are, and how many numbers name each.
typedef enum abut_finding_element {
    ABUT_NAMED_VERTEX = 0,
    ABUT_NAMED_VERTEX_PAIR = 1,    ///< a vertex, and the lower one that it repeats
    ABUT_NAMED_EDGE = 2,           ///< its two vertices
    ABUT_NAMED_VERTEX_ON_EDGE = 3, ///< a vertex, and the two vertices of an edge
    ABUT_NAMED_FACE = 4,
    ABUT_NAMED_FACE_PAIR = 5,
    ABUT_NAMED_POINT = 6,
    ABUT_NAMED_SEGMENT = 7,
    ABUT_NAMED_TET = 8,
    ABUT_NAMED_PART = 9,      ///< the lowest face of the part
    ABUT_NAMED_PART_PAIR = 10 ///< the lowest faces of the inner and the outer part
} abut_finding_element;

/// For example "vertex" or "pair of faces". Never NULL.
ABUT_API const char *abut_finding_element_text(abut_finding_element element);
/// How many numbers name an element: 1, 2 or 3.
ABUT_API int abut_finding_element_size(abut_finding_element element);

typedef enum abut_repair_effect {
    ABUT_REPAIR_NOTHING = 0, ///< abut_repair() leaves it
    ABUT_REPAIR_SOME = 1,    ///< removes those that come from another fault
    ABUT_REPAIR_ALL = 2      ///< none is left
} abut_repair_effect;

/// One kind of fault. Texts are static; `elements` belongs to the check.
typedef struct abut_finding {
    abut_finding_kind kind;
    const char *name; ///< lower case with hyphens
    int64_t count;
    int is_complete; ///< 0: the search was ended early, there may be more than `count`
    int is_note;     ///< worth knowing, but no fault
    abut_finding_element element;
    const int *elements; ///< the first few, each of abut_finding_element_size() numbers
    int element_count;
    const char *meaning; ///< a sentence for people who make meshes
    abut_repair_effect effect;
    const char *repair; ///< what abut_repair() does about it
} abut_finding;

typedef enum abut_verdict {
    ABUT_VERDICT_SOUND = 0,      ///< no fault; there may be notes
    ABUT_VERDICT_REPAIRABLE = 1, ///< abut_repair() removes every fault that was found
    ABUT_VERDICT_FAULTY = 2      ///< something will be left
} abut_verdict;

/// For example "sound". Never NULL.
ABUT_API const char *abut_verdict_text(abut_verdict verdict);

typedef struct abut_check_params {
    size_t struct_size;
    /// Vertices this near are the same, and this near to an edge are on it; negative: 1e-6 of the diagonal. Below
    /// what doubles resolve it is 0, and equal vertices are the same.
    double tolerance;
    double sliver;     ///< triangles with a height below this part of their longest edge are slivers; default 0.01
    double uneven;     ///< faces this many times longer or shorter than the middle one are uneven; default 10
    int element_limit; ///< elements of each finding that are named, at most a million; default 10
} abut_check_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_check_params_init(abut_check_params *params, size_t size);
static inline abut_check_params abut_check_params_default(void)
{
    abut_check_params params;
    abut_check_params_init(&params, sizeof params);
    return params;
}

typedef struct abut_check abut_check;

/// Looks for everything. Vertices that nothing uses are named as such, and play no part in anything else. Duplicate
/// vertices, open and non-manifold edges and vertices, and parts are those of the definition as it is; flipped
/// faces, parts inside out or nested, T-junctions and self-intersections are those that are there after duplicate
/// vertices are welded and degenerate and duplicate faces dropped, as abut_repair() does. Two faces intersect where
/// they have a common point beyond the vertices that they share; faces at a T-junction are not said to intersect
/// there. `params` NULL: defaults. Faults of the data are findings; ABUT_BAD_DATA is returned only for offsets that
/// do not ascend from 0.
ABUT_API abut_status abut_check_create(const abut_context *context, const abut_mesh_def *def,
                                       const abut_check_params *params, abut_check **check, abut_error *error);
ABUT_API void abut_check_destroy(abut_check *check);

typedef struct abut_check_report {
    const abut_finding *findings; ///< those with a count or ended early, in the order of their kinds
    int finding_count;
    abut_verdict verdict;
    double tolerance; ///< that was used
    abut_box bounds;  ///< of the finite vertices that are used
} abut_check_report;

/// The arrays belong to the check.
ABUT_API abut_check_report abut_check_get_report(const abut_check *check);

/// What abut_repair() did.
typedef struct abut_repair_counts {
    int vertices_welded;
    int vertices_dropped; ///< unused, or not finite
    int faces_dropped;    ///< broken, degenerate or duplicate
    int elements_dropped; ///< points, segments, tetrahedra
    int junctions_split;
    int faces_turned;
} abut_repair_counts;

/// A mesh made of another, and where its elements come from. Release with abut_remade_release().
typedef struct abut_remade {
    abut_mesh *mesh;     ///< the caller may take it: set it to NULL before the release
    int *vertex_sources; ///< for each vertex the old one, the first of those welded; -1 for a new vertex
    /// For each face the old one that it is, or is a piece of; -1 for a boundary face of tetrahedra.
    int *face_sources;
    abut_repair_counts counts;
} abut_remade;

/// Welds vertices within the tolerance, drops what is broken, degenerate, duplicate or unused, cuts faces at
/// T-junctions, and turns faces: within each part all the same way, and closed parts outward, or inward where they
/// lie inside an odd number of others and so bound a cavity. Surfaces that are not closed keep the side that most
/// of their faces have. Nothing is moved but welded vertices, and no hole is filled. With tetrahedra, faces are
/// neither cut nor turned.
ABUT_API abut_status abut_repair(const abut_context *context, const abut_mesh_def *def,
                                 const abut_check_params *params, abut_remade *remade, abut_error *error);

/// Halves edges longer than `length` until none is left (but those as short as the spacing of doubles); triangles
/// are cut to match, so that neighbours stay neighbours. Polygons are cut into triangles first. Old vertices keep
/// their numbers, new ones follow. ABUT_UNSUPPORTED for meshes with tetrahedra, ABUT_LIMIT where more than 100
/// million triangles and segments would be needed.
ABUT_API abut_status abut_split_long_edges(const abut_context *context, const abut_mesh *mesh, double length,
                                           abut_remade *remade, abut_error *error);

/// Frees what abut_repair() or abut_split_long_edges() made with the same context.
ABUT_API void abut_remade_release(const abut_context *context, abut_remade *remade);

#ifdef __cplusplus
}
#endif
#endif
