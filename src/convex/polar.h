// SPDX-License-Identifier: MIT
// polar.h: the nearest facet of the Minkowski difference, by walking from facet to facet
#ifndef ABUT_CONVEX_POLAR_H
#define ABUT_CONVEX_POLAR_H

#include "convex/overlap.h"

/// Walks from the facet `first` to the nearest one and reports it, all facets that tie with it, and the proof.
/// Visits `most` facets at most. `result` must be empty. Returns 0, with `result` unchanged, if nothing was proved.
int abut_polar_overlap(const abut_convex_frame *frame, const abut_axis *first, int most, int until,
                       abut_overlap *result);

#endif
