// SPDX-License-Identifier: MIT
// outlines.h: the polygons in which faces of two solids lie on each other
#ifndef ABUT_REGION_OUTLINES_H
#define ABUT_REGION_OUTLINES_H

#include "region/contact_regions.h"

/// By node: the place that nodes within the tolerance of each other share, which is the lowest of their numbers. NULL
/// if memory ran out.
int *abut_outline_places(const abut_touch *touch);

/// Where the polygons touch segments and points.
typedef struct abut_face_contacts {
    int *interval_regions; ///< four for each interval: the polygons that it bounds, or -1
    int *place_regions;    ///< pairs of a place and a polygon that touches it
    int place_region_count;
} abut_face_contacts;

/// Adds the polygons to the set. Returns 0 if memory ran out.
int abut_outlines_find(const abut_touch *touch, const int *places, abut_region_set *set,
                       abut_face_contacts *contacts);

#endif
