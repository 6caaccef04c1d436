// SPDX-License-Identifier: MIT
// region_list.c: the regions of many pairs of bodies; their ranges are shifted when they are copied
#include "world/region_list.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>

/// The arrays that regions to be added refer to.
typedef struct region_parts {
    const abut_region_loop *loops;
    const abut_region_cone *cones;
    const abut_vec3 *points, *directions;
} region_parts;

void abut_region_list_release(const abut_context *context, abut_region_list *list)
{
    abut_free(context, list->regions);
    abut_free(context, list->loops);
    abut_free(context, list->cones);
    abut_free(context, list->points);
    abut_free(context, list->directions);
}

static int grow(const abut_context *context, void *array, int *capacity, int count, int added, size_t item_size)
{
    return added <= INT_MAX - count && abut_grow(context, array, capacity, count + added, item_size);
}

static int make_room(const abut_context *context, abut_region_list *list, const abut_region_counts *n)
{
    const abut_region_counts *at = &list->counts;
    abut_region_counts *room = &list->capacities;
    return grow(context, &list->regions, &room->regions, at->regions, n->regions, sizeof *list->regions) &&
           grow(context, &list->loops, &room->loops, at->loops, n->loops, sizeof *list->loops) &&
           grow(context, &list->cones, &room->cones, at->cones, n->cones, sizeof *list->cones) &&
           grow(context, &list->points, &room->points, at->points, n->points, sizeof *list->points) &&
           grow(context, &list->directions, &room->directions, at->directions, n->directions,
                sizeof *list->directions);
}

static void copy_vectors(abut_vec3 *to, const abut_vec3 *from, int count)
{
    if (count > 0) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
}

/// Copies regions and the arrays that they refer to, after there is room. `begin` are the offsets of the arrays in the
/// source, and `at` those in the list.
static void copy_parts(abut_region_list *list, const abut_region_counts *at, const region_parts *from,
                       const abut_region_counts *begin, const abut_region_counts *count)
{
    for (int i = 0; i < count->loops; ++i) {
        list->loops[at->loops + i] = from->loops[i];
        list->loops[at->loops + i].point_begin += at->points - begin->points;
    }
    for (int i = 0; i < count->cones; ++i) {
        list->cones[at->cones + i] = from->cones[i];
        list->cones[at->cones + i].direction_begin += at->directions - begin->directions;
    }
    copy_vectors(list->points + at->points, from->points, count->points);
    copy_vectors(list->directions + at->directions, from->directions, count->directions);
    for (int i = 0; i < count->regions; ++i) {
        abut_region *region = &list->regions[at->regions + i].region;
        region->loop_begin += at->loops - begin->loops;
        region->cone_begin += at->cones - begin->cones;
        region->normal_begin += at->directions - begin->directions;
    }
}

int abut_region_list_add_result(const abut_context *context, abut_region_list *list, const abut_result *result,
                                abut_body_pair bodies)
{
    const abut_region_counts begin = {0}, at = list->counts;
    const abut_region_counts count = {result->regions.count, result->loops.count, result->cones.count,
                                      result->points.count, result->directions.count};
    const region_parts parts = {result->loops.items, result->cones.items, result->points.items,
                                result->directions.items};
    if (!make_room(context, list, &count)) {
        return 0;
    }
    for (int i = 0; i < count.regions; ++i) {
        abut_world_region region = {bodies.a, bodies.b, result->regions.items[i]};
        list->regions[at.regions + i] = region;
    }
    copy_parts(list, &at, &parts, &begin, &count);
    return abut_region_counts_add(&list->counts, &count); // it is: there was room
}

static int add_count(int *sum, int added)
{
    if (added > INT_MAX - *sum) {
        return 0;
    }
    *sum += added;
    return 1;
}

int abut_region_counts_add(abut_region_counts *sum, const abut_region_counts *added)
{
    return add_count(&sum->regions, added->regions) && add_count(&sum->loops, added->loops) &&
           add_count(&sum->cones, added->cones) && add_count(&sum->points, added->points) &&
           add_count(&sum->directions, added->directions);
}

int abut_region_list_resize(const abut_context *context, abut_region_list *list, const abut_region_counts *counts)
{
    list->counts = (abut_region_counts){0};
    if (!make_room(context, list, counts)) {
        return 0;
    }
    list->counts = *counts;
    return 1;
}

void abut_region_list_copy_part(abut_region_list *list, const abut_region_counts *at, const abut_region_list *from,
                                const abut_region_counts *begin, const abut_region_counts *count)
{
    if (count->regions == 0) {
        return;
    }
    const region_parts parts = {from->loops + begin->loops, from->cones + begin->cones,
                                from->points + begin->points, from->directions + begin->directions};
    memcpy(list->regions + at->regions, from->regions + begin->regions,
           (size_t)count->regions * sizeof *list->regions);
    copy_parts(list, at, &parts, begin, count);
}
