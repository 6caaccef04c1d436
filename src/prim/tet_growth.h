// SPDX-License-Identifier: MIT
// tet_growth.h: the largest scale, about their centres, at which two overlapping tetrahedra are still apart
//
// A(scale) is A scaled about the mean of its corners. The distance of A(scale) and B(scale) falls as the scale
// grows. docs/methods/growth.md derives the iteration.
#ifndef ABUT_PRIM_TET_GROWTH_H
#define ABUT_PRIM_TET_GROWTH_H

#include "prim/tet_tet.h"

typedef struct abut_tet_growth {
    abut_vec3 separation; ///< from A's nearest point to B's, at this scale
    double scale;
    int steps;
    int is_slow;   ///< the steps of the paper were too short, so the last ones were longer (see cast_ray())
    int is_capped; ///< stopped at the limit of steps
} abut_tet_growth;

/// The distance at which to stop: one hundredth of the smaller diameter (the paper gives no number).
double abut_tet_growth_target(const abut_tet *a, const abut_tet *b);

/// A tetrahedron scaled about the mean of its corners.
abut_tet abut_tet_scaled(const abut_tet *tet, double scale);

/// Settings of abut_tet_grow().
typedef struct abut_tet_growth_params {
    const abut_tet_axis *axes; ///< from abut_tet_axes()
    int axis_count;
    double tolerance; ///< shrink first, until an axis separates A and B by more than this
} abut_tet_growth_params;

/// Shrinks two tetrahedra until they are apart, then grows them until their distance is at most the target. Returns
/// 0 if the centres are so close that A and B overlap even at a thousandth of their size, or if the nearest points
/// coincide.
int abut_tet_grow(const abut_tet *a, const abut_tet *b, const abut_tet_growth_params *params,
                  abut_tet_growth *growth);

#endif
