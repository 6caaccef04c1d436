// SPDX-License-Identifier: MIT
// vclip.h: closest features of disjoint shapes
#ifndef ABUT_CONVEX_VCLIP_H
#define ABUT_CONVEX_VCLIP_H

#include "convex/apart.h"

/// Walks from a pair of features to the closest pair, which replaces `a` and `b`: a vertex with a vertex, edge or
/// face, or two edges. Returns 0 if the bodies overlap, the walk reaches its step limit, or rounding hides the next
/// step.
/// @param edges ABUT_VCLIP_CROSSING ends the walk at nearly parallel edges too: which of their points are closest is
///              open, and a search without features chooses better ones
int abut_convex_vclip(const abut_convex_frame *frame, int edges, abut_convex_part *a, abut_convex_part *b,
                      abut_apart *result);

enum { ABUT_VCLIP_CROSSING = 0, ABUT_VCLIP_PARALLEL = 1 };

#endif
