// SPDX-License-Identifier: MIT
// vclip.h: closest features of shapes that are apart
#ifndef ABUT_CONVEX_VCLIP_H
#define ABUT_CONVEX_VCLIP_H

#include "convex/apart.h"

/// Walks from a pair of features to the closest ones: `a` and `b` become a vertex with a vertex, an edge or a face,
/// or two edges. Returns 0 if the walk meets an overlap, does not end, or rounding hides where to go.
int abut_convex_vclip(const abut_convex_frame *frame, abut_convex_part *a, abut_convex_part *b, abut_apart *result);

#endif
