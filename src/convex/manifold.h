// SPDX-License-Identifier: MIT
// manifold.h: the middle of a contact manifold, for witness points
#ifndef ABUT_CONVEX_MANIFOLD_H
#define ABUT_CONVEX_MANIFOLD_H

#include "convex/frame.h"

/// Points of A and B in A's frame, in the middle of what both have on the contact plane, which is these parts.
/// Returns ABUT_OK or ABUT_NO_MEMORY.
abut_status abut_convex_middle(const abut_convex_frame *frame, const abut_axis *axis, abut_convex_part part_a,
                               abut_convex_part part_b, abut_vec3 *point_a, abut_vec3 *point_b);

#endif
