// SPDX-License-Identifier: MIT
// closest_points.h: what both readings of method closest-points share
#ifndef ABUT_METHOD_CLOSEST_POINTS_H
#define ABUT_METHOD_CLOSEST_POINTS_H

#include "method/erosion.h"
#include "method/local.h"

/// The settings of a query, which is abut_local.user. Arrays have A first.
typedef struct abut_closest {
    abut_placed eroded[2];
    const abut_erosion *erosions[2];
    double threshold; ///< distance of eroded features in contact: the sum of both epsilons
    double reach;     ///< added to the threshold
    double most_gap;  ///< largest gap of original features in contact
    double farthest;  ///< largest distance of eroded features that can be in contact
    double tolerance; ///< of heights
    double zero;      ///< smaller distances have no direction
    double slack;     ///< sine of the angle within which directions are equal
    int is_deep;      ///< option penetration
} abut_closest;

/// Adds the contacts of two tetrahedra as the author's program does.
void abut_closest_by_program(const abut_local *local, int tet_a, int tet_b, abut_local_output *output);

enum { ABUT_CLOSEST_PROGRAM_LIMIT = 2 * 16 + 36 + 2 * 24 }; ///< most contacts of a pair of tetrahedra

#endif
