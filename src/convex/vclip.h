// SPDX-License-Identifier: MIT
// vclip.h: closest features of disjoint shapes
#ifndef ABUT_CONVEX_VCLIP_H
#define ABUT_CONVEX_VCLIP_H

#include "convex/apart.h"

/// Walks from a pair of features to the closest pair, which replaces `a` and `b`: a vertex with a vertex, edge or
/// face, or two edges. Returns 0 if the bodies overlap, the walk reaches its step limit, or rounding hides the next
/// step.
int abut_convex_vclip(const abut_convex_frame *frame, abut_convex_part *a, abut_convex_part *b, abut_apart *result);

#endif
