// SPDX-License-Identifier: MIT
// intersection.h: what both readings of method intersection share
#ifndef ABUT_METHOD_INTERSECTION_H
#define ABUT_METHOD_INTERSECTION_H

#include "method/local.h"

/// The settings of a query, which are abut_local.user.
typedef struct abut_intersection_settings {
    double reach;     ///< distance that counts as close
    double tolerance; ///< of places on edges and in edge planes
    double parallel;  ///< sine of the angle below which edges are parallel
    int skips_flat_edges;
} abut_intersection_settings;

/// reading=program, on pairs of tetrahedra.
abut_local_task abut_intersection_program(void);

#endif
