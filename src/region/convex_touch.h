// SPDX-License-Identifier: MIT
// convex_touch.h: where two convex solids touch
#ifndef ABUT_REGION_CONVEX_TOUCH_H
#define ABUT_REGION_CONVEX_TOUCH_H

#include "region/contact_regions.h"
#include "region/convex_solid.h"

/// Two convex solids that may touch.
typedef struct abut_convex_meeting {
    const abut_touch_side *sides;           ///< two, in A's frame
    const abut_convex_solid *const *solids; ///< two
    abut_vec3 normal;                       ///< a unit vector in A's frame along which they overlap the least
    const abut_touch_limits *limits;
    /// Smaller limits, or NULL: if the solids touch in a polygon, whether they do not overlap with these either.
    const abut_touch_limits *strict;
    int polygons_only; ///< nothing but polygons is of use: if there can be none, no nodes are looked for
} abut_convex_meeting;

typedef enum abut_convex_outcome {
    ABUT_CONVEX_FOUND = 0,      ///< the touch is filled in; it has no regions yet
    ABUT_CONVEX_POLYGON,        ///< the solids touch in one polygon: the set is filled in, the touch has nodes only
    ABUT_CONVEX_STRICT_POLYGON, ///< they do so with the strict limits as well
    ABUT_CONVEX_REFUSED,        ///< abut_touch_find() is needed: nothing changed
    ABUT_CONVEX_NO_MEMORY
} abut_convex_outcome;

/// Does what abut_touch_find() does, with the same result, for solids with few corners; and what abut_regions_find()
/// does, if they touch in one polygon. Refuses if the solids overlap along the normal by many times the tolerance, or if
/// too much is near.
abut_convex_outcome abut_convex_touch_find(abut_arena *arena, const abut_convex_meeting *meeting, abut_touch *touch,
                                           abut_region_set *set);

/// Whether a face of each solid is at right angles to the normal, so that the two may touch in a polygon.
int abut_convex_faces_meet(const abut_convex_meeting *meeting);

#endif
