// SPDX-License-Identifier: MIT
// convex_solid.h: a convex B-rep with what finds its distance from another
#ifndef ABUT_REGION_CONVEX_SOLID_H
#define ABUT_REGION_CONVEX_SOLID_H

#include "region/model.h"

#include <abut/convex.h>

enum { ABUT_CONVEX_FEW = 64 }; ///< most corners, and most faces, of a solid with few corners

/// A plane: normal . p = offset. The solid is behind it.
typedef struct abut_convex_plane {
    abut_vec3 normal;
    double offset;
} abut_convex_plane;

/// An edge of the B-rep.
typedef struct abut_convex_solid_edge {
    int vertices[2]; ///< in the direction in which its first triangle runs through it
    int faces[2];
} abut_convex_solid_edge;

/// A convex solid in the frame of its mesh.
typedef struct abut_convex_solid {
    abut_context context;
    abut_mesh *mesh;    ///< the corners and faces of the B-rep
    abut_convex *shape; ///< of this mesh
    double slack;       ///< a length: the surface of the original mesh is this near to that of `shape`
    double reach;       ///< largest distance of a corner from the frame's origin
    /// Of a solid with few corners that has no other vertices; else NULL.
    abut_vec3 *corners;
    abut_convex_solid_edge *edges;
    abut_convex_plane *planes; ///< of the faces
    int corner_count, edge_count, face_count;
} abut_convex_solid;

/// Makes the solid of a model; it does not need the model. `solid` becomes NULL if the model is not convex, or has too
/// many corners or vertices for a quick check.
abut_status abut_convex_solid_create(const abut_context *context, const abut_region_model *model,
                                     abut_convex_solid **solid, abut_error *error);
void abut_convex_solid_destroy(abut_convex_solid *solid);

/// A length: the uncertainty of the distance of two solids, with B at `offset` in A's frame.
double abut_convex_unsure(const abut_convex_solid *const solids[2], abut_vec3 offset);

/// How far a point of the solid's frame is behind all planes of its faces; negative if it is outside. The solid has few
/// corners.
double abut_convex_depth(const abut_convex_solid *solid, abut_vec3 p);

/// Bounds of the signed distance of two solids.
typedef struct abut_convex_gap {
    double lower, upper; ///< negative if they overlap; infinite if unknown
    abut_vec3 normal;    ///< unit, from A to B, in A's frame: the supporting planes along it are `lower` apart
    int is_exact;        ///< the bounds differ by rounding only
} abut_convex_gap;

/// What is remembered of the distance of two solids for their next pose. All zero: nothing.
typedef struct abut_convex_recall {
    abut_convex_memory memory;
    abut_vec3 normal;    ///< the last one, in the frame of A or B
    abut_vec3 middle;    ///< of the last contact, in A's frame
    int32_t supports[2]; ///< vertices of the shapes along the normal
    int32_t is_of_b;     ///< the normal turns with B, since it is that of a face of B only
    int16_t is_known;
    int16_t is_touching; ///< the solids touched
} abut_convex_recall;

/// Two solids whose distance is wanted at several poses.
typedef struct abut_convex_watch {
    const abut_convex_solid *solids[2];
    void *scratch; ///< of abut_convex_watch_room() bytes
    abut_convex_recall recall;
} abut_convex_watch;

/// The scratch memory that a search needs, in bytes; 0 for solids with few corners.
size_t abut_convex_watch_room(const abut_convex_watch *watch);

/// Bounds the distance of solids[0] from solids[1] at `b_to_a` by what is remembered: the last plane between them, and
/// the last point in both. Far cheaper than the distance itself.
abut_convex_gap abut_convex_gap_guess(abut_convex_watch *watch, abut_pose b_to_a);

/// Finds the distance.
abut_convex_gap abut_convex_gap_find(abut_convex_watch *watch, abut_pose b_to_a);

#endif
