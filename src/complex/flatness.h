// SPDX-License-Identifier: MIT
// flatness.h: whether flat patches and straight edges of a complex are as a whole
#ifndef ABUT_COMPLEX_FLATNESS_H
#define ABUT_COMPLEX_FLATNESS_H

#include "complex/complex.h"

/// Marks, by simplex, the vertices and edges of flat patches that are not on a plane, vertices that are flat though the
/// edges at them are not, and the vertices of class 1 of edges that are not on a line. `patch_roots` are the patches as
/// joined triangles. Returns 0 if memory ran out.
int abut_complex_mark_curved(const abut_complex *complex, int *patch_roots, unsigned char *strict);

/// The two edges at a vertex that are nearest to a straight line. Returns 0 if no two are more than a right angle apart.
int abut_complex_straight_edges(const abut_complex *complex, int vertex, int pair[2]);

#endif
