// SPDX-License-Identifier: MIT
// intersection.h: what the two readings of the intersection method share
#ifndef ABUT_METHOD_INTERSECTION_H
#define ABUT_METHOD_INTERSECTION_H

#include "method/local.h"

/// `user` of the pairs' functions.
typedef struct abut_intersection_settings {
    double reach;     ///< what counts as close
    double tolerance; ///< on edges and edge planes
    double parallel;  ///< sine of the angle below which edges are parallel
    int skips_flat_edges;
} abut_intersection_settings;

/// The reading of the author's program: pairs of tetrahedra.
abut_local_task abut_intersection_program(void);

#endif
