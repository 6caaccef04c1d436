// SPDX-License-Identifier: MIT
// polar.h: the nearest facet of the Minkowski difference, by walking from facet to facet
#ifndef ABUT_CONVEX_POLAR_H
#define ABUT_CONVEX_POLAR_H

#include "convex/overlap.h"

/// From a facet to the nearest one, with all that tie and the proof; `result` must be empty. Returns 0 if there
/// is no proof, and leaves it so.
int abut_polar_overlap(const abut_convex_frame *frame, const abut_axis *first, int until, abut_overlap *result);

#endif
