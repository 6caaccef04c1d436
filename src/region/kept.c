// SPDX-License-Identifier: MIT
// kept.c: an analysis as one block of bytes, and back
//
// After the head come regions, the nodes at their corners in the order of the corners, directions, cones and outlines.
// Items with doubles come first, so no padding is needed.
#include "region/kept.h"

#include <string.h>

typedef struct kept_cone {
    int32_t begin, count; ///< in the directions
} kept_cone;

_Static_assert(sizeof(abut_kept) % 8 == 0 && sizeof(abut_kept_region) % 8 == 0 && sizeof(abut_touch_node) % 8 == 0,
               "arrays follow each other without gaps");

/// Where the arrays of a block begin.
typedef struct kept_arrays {
    size_t regions, nodes, directions, cones, outlines, end;
} kept_arrays;

static kept_arrays arrays_of(const abut_kept *head)
{
    kept_arrays at = {.regions = sizeof *head};
    at.nodes = at.regions + (size_t)head->region_count * sizeof(abut_kept_region);
    at.directions = at.nodes + (size_t)head->corner_count * sizeof(abut_touch_node);
    at.cones = at.directions + (size_t)head->direction_count * sizeof(abut_vec3);
    at.outlines = at.cones + (size_t)head->cone_count * sizeof(kept_cone);
    at.end = at.outlines + (size_t)head->outline_count * sizeof(abut_outline);
    return at;
}

size_t abut_kept_measure(const abut_region_set *set, abut_kept *head)
{
    head->region_count = set->region_count;
    head->outline_count = set->outline_count;
    head->corner_count = set->corner_count;
    head->cone_count = head->direction_count = 0;
    for (int i = 0; i < set->region_count; ++i) {
        const abut_touch_region *region = &set->regions[i];
        head->direction_count += region->normals.count;
        head->cone_count += region->feasible.cone_count;
        for (int k = 0; k < region->feasible.cone_count; ++k) {
            head->direction_count += region->feasible.cones[k].count;
        }
    }
    return arrays_of(head).end;
}

/// Appends directions; returns the index of the first.
static int add_directions(abut_vec3 *to, int *count, abut_directions from)
{
    int begin = *count;
    for (int i = 0; i < from.count; ++i) {
        to[(*count)++] = from.items[i];
    }
    return begin;
}

void abut_kept_write(void *block, const abut_kept *head, const abut_touch *touch, const abut_region_set *set)
{
    kept_arrays at = arrays_of(head);
    char *bytes = block;
    abut_kept_region *regions = (abut_kept_region *)(bytes + at.regions);
    abut_touch_node *nodes = (abut_touch_node *)(bytes + at.nodes);
    abut_vec3 *directions = (abut_vec3 *)(bytes + at.directions);
    kept_cone *cones = (kept_cone *)(bytes + at.cones);
    abut_outline *outlines = (abut_outline *)(bytes + at.outlines);
    int direction_count = 0, cone_count = 0;
    memcpy(block, head, sizeof *head);
    for (int i = 0; i < head->region_count; ++i) {
        const abut_touch_region *from = &set->regions[i];
        abut_kept_region region = {.a = from->a,
                                   .b = from->b,
                                   .measure = from->measure,
                                   .of_b = from->of_b,
                                   .ordinal = from->ordinal,
                                   .dimension = from->dimension,
                                   .outline_begin = from->outline_begin,
                                   .outline_count = from->outline_count,
                                   .normal_begin = add_directions(directions, &direction_count, from->normals),
                                   .normal_count = from->normals.count,
                                   .cone_begin = cone_count,
                                   .cone_count = from->feasible.cone_count,
                                   .rule = from->rule};
        for (int k = 0; k < from->feasible.cone_count; ++k) {
            cones[cone_count].begin = add_directions(directions, &direction_count, from->feasible.cones[k]);
            cones[cone_count++].count = from->feasible.cones[k].count;
        }
        regions[i] = region;
    }
    for (int i = 0; i < head->corner_count; ++i) {
        nodes[i] = touch->nodes[set->corners[i]];
    }
    for (int i = 0; i < head->outline_count; ++i) {
        outlines[i] = set->outlines[i];
    }
}

const abut_kept_region *abut_kept_regions(const abut_kept *block)
{
    return (const abut_kept_region *)((const char *)block + arrays_of(block).regions);
}

const abut_touch_node *abut_kept_corners(const abut_kept *block, const abut_kept_region *region, int *count)
{
    kept_arrays at = arrays_of(block);
    const abut_outline *outlines = (const abut_outline *)((const char *)block + at.outlines);
    const abut_outline *first = &outlines[region->outline_begin], *last = first + region->outline_count - 1;
    *count = last->begin + last->count - first->begin;
    return (const abut_touch_node *)((const char *)block + at.nodes) + first->begin;
}

abut_directions abut_kept_normals(const abut_kept *block, const abut_kept_region *region)
{
    const abut_vec3 *directions = (const abut_vec3 *)((const char *)block + arrays_of(block).directions);
    abut_directions normals = {directions + region->normal_begin, region->normal_count};
    return normals;
}

int abut_kept_read(abut_arena *arena, const abut_kept *block, abut_touch *touch, abut_region_set *set)
{
    kept_arrays at = arrays_of(block);
    const char *bytes = (const char *)block;
    const abut_kept_region *regions = (const abut_kept_region *)(bytes + at.regions);
    const abut_vec3 *directions = (const abut_vec3 *)(bytes + at.directions);
    const kept_cone *cones = (const kept_cone *)(bytes + at.cones);
    size_t node_bytes = (size_t)block->corner_count * sizeof(abut_touch_node);
    size_t outline_bytes = (size_t)block->outline_count * sizeof(abut_outline);
    abut_touch_node *nodes = abut_arena_take(arena, node_bytes);
    abut_outline *outlines = abut_arena_take(arena, outline_bytes);
    abut_directions *cone_lists = abut_arena_take(arena, (size_t)block->cone_count * sizeof *cone_lists);
    abut_touch_region *made = abut_arena_take(arena, (size_t)block->region_count * sizeof *made);
    int *corners = abut_arena_take(arena, (size_t)block->corner_count * sizeof *corners);
    if (nodes == NULL || outlines == NULL || cone_lists == NULL || made == NULL || corners == NULL) {
        return 0;
    }
    memcpy(nodes, bytes + at.nodes, node_bytes);
    memcpy(outlines, bytes + at.outlines, outline_bytes);
    for (int i = 0; i < block->corner_count; ++i) {
        corners[i] = i;
    }
    for (int i = 0; i < block->cone_count; ++i) {
        cone_lists[i] = (abut_directions){directions + cones[i].begin, cones[i].count};
    }
    for (int i = 0; i < block->region_count; ++i) {
        const abut_kept_region *from = &regions[i];
        made[i] = (abut_touch_region){.a = from->a,
                                      .b = from->b,
                                      .dimension = from->dimension,
                                      .outline_begin = from->outline_begin,
                                      .outline_count = from->outline_count,
                                      .measure = from->measure,
                                      .of_b = from->of_b,
                                      .ordinal = from->ordinal,
                                      .normals = {directions + from->normal_begin, from->normal_count},
                                      .rule = from->rule};
        made[i].feasible.cones = cone_lists + from->cone_begin;
        made[i].feasible.cone_count = from->cone_count;
    }
    *touch = (abut_touch){.tolerance = block->reach,
                          .angle = block->angle,
                          .arena = arena,
                          .nodes = nodes,
                          .node_count = block->corner_count};
    *set = (abut_region_set){.regions = made,
                             .region_count = block->region_count,
                             .outlines = outlines,
                             .outline_count = block->outline_count,
                             .corners = corners,
                             .corner_count = block->corner_count};
    return 1;
}
