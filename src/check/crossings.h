// SPDX-License-Identifier: MIT
// crossings.h: pairs of faces that intersect
#ifndef ABUT_CHECK_CROSSINGS_H
#define ABUT_CHECK_CROSSINGS_H

#include "check/junctions.h"

/// Reports the pairs of faces that intersect outside the vertices that they share, by their numbers in the
/// definition. Pairs at a T-junction are not reported; the T-junction is. The search ends early if it visits more
/// pairs of triangles than linear time allows.
abut_status abut_crossings_find(abut_check *check, const abut_surface *surface, const abut_mesh *mesh,
                                const abut_tree *tree, const abut_junctions *junctions, abut_error *error);

/// Exact test whether two triangles (three vertices each) have a common point outside the vertices and edges that
/// they share. Neither triangle may have collinear vertices.
int abut_triangles_cross(const abut_vec3 *vertices, const int a[3], const int b[3]);

#endif
