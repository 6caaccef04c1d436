// SPDX-License-Identifier: MIT
// surface.h: the part of a definition that makes sense, and the steps that clean it
//
// Vertices keep the numbers of the definition all along, even if nothing uses them any more.
#ifndef ABUT_CHECK_SURFACE_H
#define ABUT_CHECK_SURFACE_H

#include "check/findings.h"
#include "io/parts.h"

typedef struct abut_surface {
    abut_parts parts; ///< vertices that are lost are somewhere among the others
    /// The face of the definition that each face is, or is a piece of; boundary faces that a mesh of tetrahedra
    /// gets may follow.
    abut_ints face_sources;
    unsigned char *is_lost; ///< for each vertex: not finite, or used by nothing
    int *places;            ///< for each vertex the one that it is welded to, or itself
    abut_box bounds;        ///< of the vertices that are not lost
    double tolerance;
    int exponent; ///< coordinates are those of the definition over 2^exponent
    abut_repair_counts counts;
} abut_surface;

/// Copies what makes sense. What does not goes to `check`, which may be NULL. Release the surface also after a failure.
abut_status abut_surface_init(abut_surface *surface, const abut_context *context, const abut_mesh_def *def,
                              double tolerance, abut_check *check, abut_error *error);
void abut_surface_release(abut_surface *surface);

/// Finds `places`: equal vertices first, then each vertex goes to the lowest kept one within the tolerance, or is kept.
/// So kept vertices are farther apart than the tolerance, and a cell of their grid holds few of them.
abut_status abut_surface_weld(abut_surface *surface, abut_check *check, abut_error *error);

/// Names vertices by their places and drops what is then degenerate or there twice. `changed` says whether there
/// was any.
abut_status abut_surface_drop(abut_surface *surface, abut_check *check, int *changed, abut_error *error);

abut_status abut_surface_build(const abut_surface *surface, abut_mesh **mesh, abut_error *error);

static inline int abut_surface_face_count(const abut_surface *surface)
{
    const abut_parts *parts = &surface->parts;
    return parts->face_offsets.count > 0 ? parts->face_offsets.count - 1 : parts->face_vertices.count / 3;
}

/// Where the corners of a face begin; those of face i end where those of i + 1 begin.
static inline int abut_surface_face_begin(const abut_surface *surface, int face)
{
    const abut_ints *offsets = &surface->parts.face_offsets;
    return offsets->count > 0 ? offsets->items[face] : 3 * face;
}

/// Adds a face to `parts` and its source to `sources`. Offsets are written only once a face is no triangle.
abut_status abut_surface_add_face(abut_parts *parts, abut_ints *sources, const int *corners, int count, int source);

abut_status abut_surface_fail(abut_error *error, abut_status status);

#endif
