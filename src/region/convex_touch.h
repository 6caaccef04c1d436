// SPDX-License-Identifier: MIT
// convex_touch.h: where two convex solids touch
#ifndef ABUT_REGION_CONVEX_TOUCH_H
#define ABUT_REGION_CONVEX_TOUCH_H

#include "region/contact_regions.h"
#include "region/convex_solid.h"

typedef enum abut_convex_outcome {
    ABUT_CONVEX_FOUND = 0, ///< the touch is filled in; it has no regions yet
    ABUT_CONVEX_POLYGON,   ///< the solids touch in one polygon: the set is filled in, the touch has nodes only
    ABUT_CONVEX_REFUSED,   ///< abut_touch_find() is needed: nothing changed
    ABUT_CONVEX_NO_MEMORY
} abut_convex_outcome;

/// Does what abut_touch_find() does, with the same result, for solids with few corners; and what abut_regions_find()
/// does, if they touch in one polygon. `normal` is a unit vector in A's frame along which the solids overlap by less
/// than half the tolerance. Refuses if it is not, or if too much is near.
abut_convex_outcome abut_convex_touch_find(abut_arena *arena, const abut_touch_side sides[2],
                                           const abut_convex_solid *const solids[2],
                                           const abut_touch_limits *limits, abut_vec3 normal, abut_touch *touch,
                                           abut_region_set *set);

#endif
