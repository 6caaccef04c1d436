// SPDX-License-Identifier: MIT
// manifold.h: witness points in the middle of a contact manifold
#ifndef ABUT_CONVEX_MANIFOLD_H
#define ABUT_CONVEX_MANIFOLD_H

#include "convex/frame.h"

/// Finds witness points in A's frame: the mean of the corners where `part_a` and `part_b`, seen along the normal,
/// intersect. Returns ABUT_OK or ABUT_NO_MEMORY.
abut_status abut_convex_middle(const abut_convex_frame *frame, const abut_axis *axis, abut_convex_part part_a,
                               abut_convex_part part_b, abut_vec3 *point_a, abut_vec3 *point_b);

#endif
