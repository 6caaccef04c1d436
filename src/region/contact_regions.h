// SPDX-License-Identifier: MIT
// contact_regions.h: the contact regions of two touching solids, reduced to those that are needed, with their normals
#ifndef ABUT_REGION_CONTACT_REGIONS_H
#define ABUT_REGION_CONTACT_REGIONS_H

#include "region/touch.h"

#include <abut/contact.h>

/// A closed chain of corners (nodes of the touch); one or two for points and segments.
typedef struct abut_outline {
    int begin, count; ///< in `corners`
    int is_hole;
} abut_outline;

/// A connected set of touching points with the same neighbourhood on both solids.
typedef struct abut_touch_region {
    abut_entity a, b;
    int dimension;
    int outline_begin, outline_count;
    double measure;
    abut_feasible feasible;
    abut_directions normals; ///< chosen, from A to B
    abut_rule rule;
} abut_touch_region;

typedef struct abut_region_set {
    abut_touch_region *regions;
    int region_count;
    abut_outline *outlines;
    int outline_count;
    int *corners;
    int corner_count;
    int64_t dropped;       ///< regions that others make needless
    int64_t ambiguous;     ///< regions with several equally right sets of normals
    int64_t open_outlines; ///< of parallel faces, that did not close: their edges stand for themselves
    int64_t capped;
    int overlaps; ///< near some node the solids do not only touch
} abut_region_set;

enum { ABUT_REMEMBERED_NORMALS = 8 };

/// The normals that were chosen for two entities before, in A's frame.
typedef struct abut_remembered_region {
    abut_entity a, b;
    abut_vec3 normals[ABUT_REMEMBERED_NORMALS];
    int32_t normal_count;
} abut_remembered_region;

/// What helps to choose normals where the solids leave several sets of them.
typedef struct abut_region_hints {
    abut_vec3 linear, angular; ///< velocity of B against A of a point p of A's frame: linear + angular x p
    double least_speed;        ///< below this, points count as resting
    const abut_remembered_region *remembered;
    int remembered_count;
    int is_spanning; ///< at most three normals a region, the most transversal ones
} abut_region_hints;

/// The regions that are needed to keep the solids apart. Returns 0 where memory ran out.
int abut_regions_find(const abut_touch *touch, const abut_region_hints *hints, abut_region_set *set);

#endif
