// SPDX-License-Identifier: MIT
// convex_touch.h: where two convex solids touch
#ifndef ABUT_REGION_CONVEX_TOUCH_H
#define ABUT_REGION_CONVEX_TOUCH_H

#include "region/convex_solid.h"
#include "region/touch.h"

enum { ABUT_CONVEX_TOUCH_FOUND = 1, ABUT_CONVEX_TOUCH_NO_MEMORY = 0, ABUT_CONVEX_TOUCH_REFUSED = -1 };

/// Does what abut_touch_find() does, with the same result, for solids with few corners. `normal` is a unit vector in
/// A's frame along which the solids overlap by less than half the tolerance. Refuses, with `touch` as it was, if it is
/// not, or if too much is near: then abut_touch_find() is needed.
int abut_convex_touch_find(abut_arena *arena, const abut_touch_side sides[2],
                           const abut_convex_solid *const solids[2], const abut_touch_limits *limits,
                           abut_vec3 normal, abut_touch *touch);

#endif
