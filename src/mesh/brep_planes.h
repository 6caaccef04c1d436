// SPDX-License-Identifier: MIT
// brep_planes.h: planes through triangles, and which triangles are in them
#ifndef ABUT_MESH_BREP_PLANES_H
#define ABUT_MESH_BREP_PLANES_H

#include "mesh/brep.h"

typedef struct abut_brep_plane {
    abut_vec3 normal, origin;
    double area; ///< of the triangles that it was made of
} abut_brep_plane;

/// Twice the area of a triangle over its longest side.
double abut_brep_altitude(const abut_brep_work *work, int triangle);

/// The plane through the centre of the triangles, along the sum of their area vectors. A triangle without area gets
/// some plane that contains it.
abut_brep_plane abut_brep_fit_plane(const abut_brep_work *work, const int *triangles, int count);

/// The largest distance of a corner of the triangle from the plane, or -1 if the triangle is not part of it: beyond
/// the tolerance or, unless it is too narrow to have a direction, turned away.
double abut_brep_fit_distance(const abut_brep_work *work, const abut_brep_plane *plane, int triangle);

/// Assigns triangles to faces whose planes and seeds are known, each to the plane that it fits best of those that reach
/// it over neighbours. Triangles that none reaches are left with ABUT_BREP_UNASSIGNED.
abut_status abut_brep_share_out(abut_brep_work *work, const abut_brep_plane *planes, const int *seeds,
                                int face_count);

enum { ABUT_BREP_UNASSIGNED = -1 };

#endif
