// SPDX-License-Identifier: MIT
// tet_growth.h: the scale to which two overlapping tetrahedra can grow about their centres before they meet
//
// A(scale) is A scaled about the mean of its corners, and g(scale) the distance of A(scale) and B(scale), which
// falls as the scale grows. The derivation of the iteration is in docs/methods/growth.md.
#ifndef ABUT_PRIM_TET_GROWTH_H
#define ABUT_PRIM_TET_GROWTH_H

#include "prim/tet_tet.h"

/// The two iterations.
typedef enum abut_growth_iteration {
    ABUT_GROWTH_RAY = 0,   ///< Erleben's Algorithm 2, with its slips mended: never reaches a scale of overlap
    ABUT_GROWTH_SCALES = 1 ///< that of the author's program, which may step too far
} abut_growth_iteration;

typedef struct abut_tet_growth {
    abut_vec3 separation; ///< from A's nearest point to B's, at the scale
    double scale;
    int steps;
    int is_slow;   ///< took the longer steps of a ray cast, as the printed ones are too short
    int is_capped; ///< stopped by the limit of steps, or before a scale of overlap
} abut_tet_growth;

/// The distance to stop at: one hundredth of the smaller diameter.
double abut_tet_growth_target(const abut_tet *a, const abut_tet *b, abut_growth_iteration iteration);

/// A tetrahedron scaled about the mean of its corners.
abut_tet abut_tet_scaled(const abut_tet *tet, double scale);

/// Where to begin, and how to go on.
typedef struct abut_tet_growth_params {
    const abut_tet_axis *axes; ///< of abut_tet_axes()
    int axis_count;
    double tolerance; ///< what is no further apart than this on all axes has to shrink first
    abut_growth_iteration iteration;
} abut_tet_growth_params;

/// Grows two tetrahedra to a distance of at most the target. Returns 0 if the centres are so near that a
/// thousandth of the size still overlaps, or the nearest points coincide.
int abut_tet_grow(const abut_tet *a, const abut_tet *b, const abut_tet_growth_params *params,
                  abut_tet_growth *growth);

#endif
