// SPDX-License-Identifier: MIT
// region_list.h: regions of many pairs of bodies, in arrays that grow and are kept
#ifndef ABUT_WORLD_REGION_LIST_H
#define ABUT_WORLD_REGION_LIST_H

#include "world/broad.h"

#include <abut/world.h>

/// So many items of each array.
typedef struct abut_region_counts {
    int regions, loops, cones, points, directions;
} abut_region_counts;

/// Regions, and what their ranges refer to.
typedef struct abut_region_list {
    abut_world_region *regions;
    abut_region_loop *loops;
    abut_region_cone *cones;
    abut_vec3 *points;
    abut_vec3 *directions;
    abut_region_counts counts, capacities;
} abut_region_list;

void abut_region_list_release(const abut_context *context, abut_region_list *list);

/// Adds the regions of two bodies. Returns 0 where memory ran out, and then nothing is added.
int abut_region_list_add_result(const abut_context *context, abut_region_list *list, const abut_result *result,
                                abut_body_pair bodies);

/// Adds a part of another list that refers to nothing outside of it. Returns 0 as above.
int abut_region_list_add_part(const abut_context *context, abut_region_list *list, const abut_region_list *from,
                              const abut_region_counts *begin, const abut_region_counts *count);

#endif
