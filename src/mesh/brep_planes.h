// SPDX-License-Identifier: MIT
// brep_planes.h: planes of triangles, and which triangles lie in a plane
#ifndef ABUT_MESH_BREP_PLANES_H
#define ABUT_MESH_BREP_PLANES_H

#include "mesh/brep.h"

typedef struct abut_brep_plane {
    abut_vec3 normal, origin;
    double area; ///< of the triangles that it was fitted to
} abut_brep_plane;

/// The smallest altitude of a triangle: twice its area divided by its longest side.
double abut_brep_altitude(const abut_brep_work *work, int triangle);

/// The plane through the centroid of the triangles, perpendicular to the sum of their area vectors. If that sum is
/// zero, any plane that contains the first triangle's longest side.
abut_brep_plane abut_brep_fit_plane(const abut_brep_work *work, const int *triangles, int count);

/// The largest distance of a corner of the triangle from the plane. -1 if the triangle does not lie in the plane: if
/// a corner is beyond the tolerance, or if the triangle faces away and is wide enough to have a normal.
double abut_brep_fit_distance(const abut_brep_work *work, const abut_brep_plane *plane, int triangle);

/// A triangle that may join a face.
typedef struct abut_brep_candidate {
    double distance; ///< from the plane
    int triangle, face;
} abut_brep_candidate;

/// A binary heap with the closest candidate on top.
typedef struct abut_brep_heap {
    abut_brep_candidate *items;
    int count, capacity;
} abut_brep_heap;

/// Triangles, and the planes and seeds of the faces that they are assigned to.
typedef struct abut_brep_part {
    const int *triangles; ///< ascending
    int triangle_count;
    const abut_brep_plane *planes;
    const int *seeds;
    int face_count;
} abut_brep_part;

/// Assigns triangles to faces. Faces grow from their seeds over neighbours, and each triangle goes to the plane that
/// fits it best. Triangles that no face reaches stay ABUT_BREP_UNASSIGNED, as all others are. The heap is empty before
/// and after; the caller frees its items.
abut_status abut_brep_share_out(abut_brep_work *work, const abut_brep_part *part, abut_brep_heap *heap);

enum { ABUT_BREP_UNASSIGNED = -1 };

#endif
