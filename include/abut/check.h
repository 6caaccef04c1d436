// SPDX-License-Identifier: MIT
/// @file check.h
/// The mesh doctor: finds faults of a mesh, says what they mean, and repairs them.
///
/// It takes any definition of a mesh, even one that abut_mesh_create() refuses; abut_soup_read() gives one. Elements
/// are named by their numbers in that definition. Takes O(n log n) time for n elements.
#ifndef ABUT_CHECK_H
#define ABUT_CHECK_H

#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of faults, and of notes. Released values never change.
typedef enum abut_finding_kind {
    ABUT_FINDING_NOT_FINITE = 0,     ///< vertices with NaN or infinite coordinates
    ABUT_FINDING_INDEX = 1,          ///< faces that name a vertex that does not exist
    ABUT_FINDING_BROKEN_POINT = 2,   ///< points that name a vertex that does not exist
    ABUT_FINDING_BROKEN_SEGMENT = 3, ///< segments that name a vertex that does not exist, or one vertex twice
    ABUT_FINDING_BROKEN_TET = 4,     ///< tetrahedra that name a vertex that does not exist, or one vertex twice
    ABUT_FINDING_LARGE_FACE = 5,     ///< faces with more than 10,000 vertices
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
    ABUT_FINDING_ONE_SIDED_PART = 17, ///< parts that cannot be oriented, such as a Moebius strip
    ABUT_FINDING_INSIDE_OUT_PART = 18,
    ABUT_FINDING_SELF_INTERSECTION = 19,
    ABUT_FINDING_T_JUNCTION = 20,
    ABUT_FINDING_UNEVEN_SIZE = 21,
    ABUT_FINDING_SEVERAL_PARTS = 22,
    ABUT_FINDING_NESTED_PART = 23,
    ABUT_FINDING_NO_ELEMENTS = 24 ///< nothing is left after welding and dropping
} abut_finding_kind;

/// The number of kinds of findings.
enum { ABUT_FINDING_KINDS = 25 };

/// What the elements of a finding are. The comments say which numbers name an element.
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
    ABUT_NAMED_PART = 9,      ///< its lowest face
    ABUT_NAMED_PART_PAIR = 10 ///< the lowest faces of the inner and the outer part
} abut_finding_element;

/// The element in words, for example "vertex" or "pair of faces". Never NULL.
ABUT_API const char *abut_finding_element_text(abut_finding_element element);
/// How many numbers name an element: 1, 2 or 3.
ABUT_API int abut_finding_element_size(abut_finding_element element);

/// What abut_repair() does about a kind of fault.
typedef enum abut_repair_effect {
    ABUT_REPAIR_NOTHING = 0, ///< it leaves them
    ABUT_REPAIR_SOME = 1,    ///< it removes those that come from another fault
    ABUT_REPAIR_ALL = 2      ///< it removes all
} abut_repair_effect;

/// The faults of one kind. Texts are static; `elements` belongs to the check.
typedef struct abut_finding {
    abut_finding_kind kind;
    const char *name; ///< lower case with hyphens
    int64_t count;
    int is_complete; ///< 0 if the search ended early, so that there may be more than `count`
    int is_note;     ///< worth knowing, but not a fault
    abut_finding_element element;
    const int *elements; ///< the first ones, abut_finding_element_size() numbers each
    int element_count;
    const char *meaning; ///< a sentence for people who make meshes
    abut_repair_effect effect;
    const char *repair; ///< what abut_repair() does about it
} abut_finding;

/// The verdict on a mesh.
typedef enum abut_verdict {
    ABUT_VERDICT_SOUND = 0,      ///< no fault; there may be notes
    ABUT_VERDICT_REPAIRABLE = 1, ///< abut_repair() removes every fault that was found
    ABUT_VERDICT_FAULTY = 2      ///< abut_repair() does not remove every fault
} abut_verdict;

/// The verdict in words, for example "sound". Never NULL.
ABUT_API const char *abut_verdict_text(abut_verdict verdict);

/// Settings. Start from abut_check_params_default().
typedef struct abut_check_params {
    size_t struct_size;
    /// Vertices within this distance of each other are the same, and vertices within it of an edge are on the edge. A
    /// negative value means 1e-6 of the diagonal, which is the default. A value below the resolution of the
    /// coordinates counts as 0: only equal vertices are the same.
    double tolerance;
    double sliver;     ///< triangles whose height is below this fraction of their longest edge are slivers; 0.01
    double uneven;     ///< faces this many times longer or shorter than the median are uneven; default 10
    int element_limit; ///< how many elements of each finding are named, at most a million; default 10
    /// Holes with at most 64 corners and at most this perimeter are filled. A negative value means a tenth of the diagonal,
    /// which is the default; 0: none are filled.
    double hole;
} abut_check_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_check_params_init(abut_check_params *params, size_t size);
/// The default settings.
static inline abut_check_params abut_check_params_default(void)
{
    abut_check_params params;
    abut_check_params_init(&params, sizeof params);
    return params;
}

/// A check of a mesh, with its findings.
typedef struct abut_check abut_check;

/// Looks for all kinds of faults.
/// - Unused vertices are reported as such and otherwise ignored.
/// - Duplicate vertices, open and non-manifold edges, non-manifold vertices and parts are those of the definition as
///   given. Flipped faces, nested and inside-out parts, T-junctions and self-intersections are those that remain after
///   welding duplicate vertices and dropping degenerate and duplicate faces, as abut_repair() does.
/// - Two faces intersect if they have a common point that is not on the vertices and edges that they share. Contact of
///   faces at a T-junction is not reported as an intersection.
/// @return ABUT_BAD_DATA only if the face offsets do not ascend from 0; other faults of the data are findings
ABUT_API abut_status abut_check_create(const abut_context *context, const abut_mesh_def *def,
                                       const abut_check_params *params, abut_check **check, abut_error *error);
/// Frees a check; NULL is allowed.
ABUT_API void abut_check_destroy(abut_check *check);

/// The result of a check.
typedef struct abut_check_report {
    const abut_finding *findings; ///< with a count above 0 or an incomplete search, in the order of their kinds
    int finding_count;
    abut_verdict verdict;
    double tolerance; ///< the one that was used, as an absolute length
    abut_box bounds;  ///< of the used vertices with finite coordinates
} abut_check_report;

/// The result of a check. The arrays belong to the check.
ABUT_API abut_check_report abut_check_get_report(const abut_check *check);

/// What abut_repair() did.
typedef struct abut_repair_counts {
    int vertices_welded;
    int vertices_dropped; ///< unused, or not finite
    int faces_dropped;    ///< broken, degenerate or duplicate
    int elements_dropped; ///< points, segments, tetrahedra
    int junctions_split;
    int faces_turned; ///< their orientation was reversed
    int holes_filled;
    int faces_added;    ///< to fill them
    int edges_split;    ///< with four or more faces
    int vertices_added; ///< copies of vertices at these edges
} abut_repair_counts;

/// A mesh made from another one, and where its elements come from. Free it with abut_remade_release().
typedef struct abut_remade {
    abut_mesh *mesh; ///< to keep it, set this to NULL before the release
    int *
        vertex_sources; ///< the old vertex that each vertex is or is a copy of (of several welded ones the lowest);
                        ///< -1 for a new one
    int *face_sources;  ///< the old face that each face is or is a piece of; -1 for a boundary face of tetrahedra
                        ///< and for one that fills a hole
    abut_repair_counts counts;
} abut_remade;

/// Repairs a mesh:
/// - welds vertices within the tolerance;
/// - drops elements that are broken, degenerate, duplicate or unused;
/// - cuts faces at T-junctions;
/// - turns faces so that each part has one orientation: closed parts outward, or inward if they lie inside an odd
///   number of others (cavities); open parts keep the orientation of most of their faces;
/// - fills the holes of a part if all of them are small, so that it becomes closed. A part with a larger border stays
///   open, small holes included: they may be meant;
/// - splits edges at which an even number of faces meets, four or more: solids that touch in an edge become separate, with
///   vertices of their own. A check finds these as duplicates, and a further repair welds and splits them again.
///
/// Only welded vertices move. If the mesh has tetrahedra, faces are neither cut nor turned, and holes are not filled.
ABUT_API abut_status abut_repair(const abut_context *context, const abut_mesh_def *def,
                                 const abut_check_params *params, abut_remade *remade, abut_error *error);

/// Halves edges until none is longer than `length` (or cannot be halved in doubles). All triangles at an edge are cut
/// with it, so that the mesh stays conforming. Polygons are triangulated first. Old vertices keep their numbers, new
/// ones follow.
/// @return ABUT_UNSUPPORTED for meshes with tetrahedra; ABUT_LIMIT if more than 100 million triangles and segments
///         would be needed
ABUT_API abut_status abut_split_long_edges(const abut_context *context, const abut_mesh *mesh, double length,
                                           abut_remade *remade, abut_error *error);

/// Frees what abut_repair() or abut_split_long_edges() made with the same context. `remade` may be NULL.
ABUT_API void abut_remade_release(const abut_context *context, abut_remade *remade);

#ifdef __cplusplus
}
#endif
#endif
