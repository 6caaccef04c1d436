// SPDX-License-Identifier: MIT
// junctions.h: T-junctions: vertices on open edges of faces that do not use them
#ifndef ABUT_CHECK_JUNCTIONS_H
#define ABUT_CHECK_JUNCTIONS_H

#include "check/surface.h"

#include <abut/tree.h>

typedef struct abut_junction {
    int side;     ///< 3 t + k: from corner k of triangle t to the next
    int vertex;   ///< that lies on it
    double along; ///< where, from 0 to 1
} abut_junction;

typedef struct abut_junctions {
    abut_context context;
    abut_junction *items; ///< by side, then along, then vertex
    int count, capacity;
    int is_complete; ///< 0: the search met too many boxes that overlap, and was ended
} abut_junctions;

/// Finds vertices at open edges that are within the tolerance of another open edge. `tree` holds the triangles of
/// the mesh. Release also after a failure.
abut_status abut_junctions_find(abut_junctions *junctions, const abut_context *context, const abut_mesh *mesh,
                                const abut_tree *tree, double tolerance, abut_error *error);
void abut_junctions_release(abut_junctions *junctions);

/// Whether a vertex of triangle b lies on a side of triangle a, or the other way round.
int abut_junctions_join(const abut_junctions *junctions, const int *triangles, int a, int b);

/// Cuts the faces at the junctions of one of their sides; the others are found again in the mesh of the result.
/// `mesh` was built of the surface. Counts what was cut.
abut_status abut_junctions_split(const abut_junctions *junctions, const abut_mesh *mesh, abut_surface *surface,
                                 abut_error *error);

#endif
