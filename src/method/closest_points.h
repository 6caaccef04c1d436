// SPDX-License-Identifier: MIT
// closest_points.h: what the two readings of the method closest-points share
#ifndef ABUT_METHOD_CLOSEST_POINTS_H
#define ABUT_METHOD_CLOSEST_POINTS_H

#include "method/erosion.h"
#include "method/local.h"

/// A query for all its pairs: abut_local.user. Arrays have A first.
typedef struct abut_closest {
    abut_placed eroded[2];
    const abut_erosion *erosions[2];
    double threshold; ///< of distances of eroded features: both epsilons
    double reach;     ///< what is added to it
    double most_gap;  ///< of original features in contact
    double farthest;  ///< distance of eroded features that can be in contact
    double tolerance; ///< on heights
    double zero;      ///< distances below have no direction
    double slack;     ///< sine of the angle within which directions are equal
    int is_deep;      ///< option penetration
} abut_closest;

/// Adds the contacts of two tetrahedra as the author's program does.
void abut_closest_by_program(const abut_local *local, int tet_a, int tet_b, abut_local_output *output);

enum { ABUT_CLOSEST_PROGRAM_LIMIT = 2 * 16 + 36 + 2 * 24 }; ///< contacts of a pair of tetrahedra

#endif
