// SPDX-License-Identifier: MIT
// region_list.h: the regions of many pairs of bodies, in arrays that grow and are reused
#ifndef ABUT_WORLD_REGION_LIST_H
#define ABUT_WORLD_REGION_LIST_H

#include "world/broad.h"

#include <abut/world.h>

/// Counts of the items of each array.
typedef struct abut_region_counts {
    int regions, loops, cones, points, directions;
} abut_region_counts;

/// Regions and the arrays that their ranges refer to.
typedef struct abut_region_list {
    abut_world_region *regions;
    abut_region_loop *loops;
    abut_region_cone *cones;
    abut_vec3 *points;
    abut_vec3 *directions;
    abut_region_counts counts, capacities;
} abut_region_list;

/// The list as reports show it.
static inline abut_world_regions abut_region_list_view(const abut_region_list *list)
{
    abut_world_regions view = {.items = list->regions,
                               .count = list->counts.regions,
                               .loops = list->loops,
                               .loop_count = list->counts.loops,
                               .cones = list->cones,
                               .cone_count = list->counts.cones,
                               .points = list->points,
                               .point_count = list->counts.points,
                               .directions = list->directions,
                               .direction_count = list->counts.directions};
    return view;
}

void abut_region_list_release(const abut_context *context, abut_region_list *list);

/// Adds the regions of two bodies. Returns 0 if memory ran out; nothing is added then.
int abut_region_list_add_result(const abut_context *context, abut_region_list *list, const abut_result *result,
                                abut_body_pair bodies);

/// Adds counts. Returns 0 if one would be too large.
int abut_region_counts_add(abut_region_counts *sum, const abut_region_counts *added);

/// Gives a list these counts; what is in it means nothing. Returns 0 if memory ran out.
int abut_region_list_resize(const abut_context *context, abut_region_list *list, const abut_region_counts *counts);

/// Copies a part of another list to `at`; its ranges must refer to the part only. Threads may copy to different places.
void abut_region_list_copy_part(abut_region_list *list, const abut_region_counts *at, const abut_region_list *from,
                                const abut_region_counts *begin, const abut_region_counts *count);

#endif
