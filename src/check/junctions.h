// SPDX-License-Identifier: MIT
// junctions.h: T-junctions: vertices on open edges of faces that do not use them
#ifndef ABUT_CHECK_JUNCTIONS_H
#define ABUT_CHECK_JUNCTIONS_H

#include "check/surface.h"

#include <abut/tree.h>

typedef struct abut_junction {
    int side;     ///< 3 t + k: from corner k of triangle t to the next
    int vertex;   ///< the vertex that lies on the side
    double along; ///< its position on the side, from 0 to 1
} abut_junction;

typedef struct abut_junctions {
    abut_context context;
    abut_junction *items; ///< sorted by side, then `along`, then vertex
    int count, capacity;
    int is_complete; ///< 0: the search ended early because too many boxes overlap
} abut_junctions;

/// Finds vertices at open edges that are within the tolerance of another open edge. `tree` contains the triangles of
/// the mesh. Release the junctions even after a failure.
abut_status abut_junctions_find(abut_junctions *junctions, const abut_context *context, const abut_mesh *mesh,
                                const abut_tree *tree, double tolerance, abut_error *error);
void abut_junctions_release(abut_junctions *junctions);

/// Whether a vertex of triangle b lies on a side of triangle a, or the other way round.
int abut_junctions_join(const abut_junctions *junctions, const int *triangles, int a, int b);

/// Cuts each face at the junctions of one of its sides and counts the cuts. The caller repeats the search for the
/// others. `mesh` must have been built from the surface.
abut_status abut_junctions_split(const abut_junctions *junctions, const abut_mesh *mesh, abut_surface *surface,
                                 abut_error *error);

#endif
