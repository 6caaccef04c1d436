// SPDX-License-Identifier: MIT
// box_manifold.h: the contact manifold of two boxes
#ifndef ABUT_CONVEX_BOX_MANIFOLD_H
#define ABUT_CONVEX_BOX_MANIFOLD_H

#include "convex/frame.h"

/// Finds the manifold of two boxes that touch with two faces, with a vertex and a face, or with two edges, if no other
/// vertices are within the tolerance plus `depth` of the contact plane. `manifold` has its counts at 0. Returns 0 if the
/// general path must tell.
int abut_box_manifold(const abut_convex_frame *frame, const abut_convex_result *result, double depth,
                      abut_convex_manifold *manifold);

#endif
