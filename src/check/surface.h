// SPDX-License-Identifier: MIT
// surface.h: the valid part of a mesh definition, and the steps that clean it
//
// Vertices keep their numbers from the definition, even if nothing uses them any more.
#ifndef ABUT_CHECK_SURFACE_H
#define ABUT_CHECK_SURFACE_H

#include "check/findings.h"
#include "io/parts.h"

typedef struct abut_surface {
    abut_parts parts; ///< lost vertices have the position of some other vertex
    /// For each face, the face of the definition that it is or is a piece of. Boundary faces of tetrahedra may
    /// follow.
    abut_ints face_sources;
    unsigned char *is_lost; ///< for each vertex: whether it is not finite or unused
    int *places;            ///< for each vertex: the vertex that it is welded to, or itself
    abut_box bounds;        ///< of the vertices that are not lost
    double tolerance;
    int exponent; ///< coordinates are those of the definition divided by 2^exponent
    abut_repair_counts counts;
} abut_surface;

/// Copies the valid elements. Reports the others to `check`, which may be NULL. Release the surface even after a
/// failure.
abut_status abut_surface_init(abut_surface *surface, const abut_context *context, const abut_mesh_def *def,
                              double tolerance, abut_check *check, abut_error *error);
void abut_surface_release(abut_surface *surface);

/// Computes `places`. First it welds equal vertices. Then it welds each vertex to the lowest kept vertex within the
/// tolerance; if there is none, the vertex is kept. So kept vertices are farther apart than the tolerance, and each
/// cell of the search grid contains only a few.
abut_status abut_surface_weld(abut_surface *surface, abut_check *check, abut_error *error);

/// Replaces vertices by their places, and drops elements that are then degenerate or duplicate. `changed` tells
/// whether anything changed.
abut_status abut_surface_drop(abut_surface *surface, abut_check *check, int *changed, abut_error *error);

abut_status abut_surface_build(const abut_surface *surface, abut_mesh **mesh, abut_error *error);

static inline int abut_surface_face_count(const abut_surface *surface)
{
    const abut_parts *parts = &surface->parts;
    return parts->face_offsets.count > 0 ? parts->face_offsets.count - 1 : parts->face_vertices.count / 3;
}

/// The index of the first corner of a face. The corners of face i end where those of face i + 1 begin.
static inline int abut_surface_face_begin(const abut_surface *surface, int face)
{
    const abut_ints *offsets = &surface->parts.face_offsets;
    return offsets->count > 0 ? offsets->items[face] : 3 * face;
}

/// Adds a face to `parts` and its source to `sources`. Offsets are used only from the first face on that is not a
/// triangle.
abut_status abut_surface_add_face(abut_parts *parts, abut_ints *sources, const int *corners, int count, int source);

abut_status abut_surface_fail(abut_error *error, abut_status status);

#endif
