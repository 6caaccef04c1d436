// SPDX-License-Identifier: MIT
// crossings.h: pairs of faces that intersect
#ifndef ABUT_CHECK_CROSSINGS_H
#define ABUT_CHECK_CROSSINGS_H

#include "check/junctions.h"

/// Adds the pairs of faces that intersect beyond the vertices that they share, as numbers of the definition.
/// Triangles at a T-junction are left to it. A search that meets too many pairs of triangles for its time to be
/// linear ends early.
abut_status abut_crossings_find(abut_check *check, const abut_surface *surface, const abut_mesh *mesh,
                                const abut_tree *tree, const abut_junctions *junctions, abut_error *error);

/// Whether two triangles, three vertices each, have a common point beyond the vertices that they share. Exact. Neither
/// has its vertices on a line.
int abut_triangles_cross(const abut_vec3 *vertices, const int a[3], const int b[3]);

#endif
