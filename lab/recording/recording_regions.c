// SPDX-License-Identifier: MIT
// recording_regions.c: the regions of a step as rows of a recording's tables
#include "recording/recording_regions.h"

#include "common/lab_support.h"

#include <limits.h>
#include <string.h>

static int push(const abut_context *context, abut_region_rows *rows, int table, const void *items, int count)
{
    int index = table - ABUT_TABLE_REGIONS;
    size_t size = abut_recording_tables[table].row_size;
    int *used = &rows->counts[index], *capacity = &rows->capacities[index];
    if (count > INT_MAX / 2 - *used) {
        return 0;
    }
    if (*used + count > *capacity) {
        int grown = 2 * (*used + count);
        void *block = context->resize(context->user, rows->items[index], (size_t)grown * size);
        if (block == NULL) {
            return 0;
        }
        rows->items[index] = block;
        *capacity = grown;
    }
    if (count > 0) {
        memcpy((char *)rows->items[index] + (size_t)*used * size, items, (size_t)count * size);
        *used += count;
    }
    return 1;
}

static int push_loop(const abut_context *context, abut_region_rows *rows, const abut_world_regions *from,
                     const abut_region_loop *loop)
{
    abut_loop_row row = {loop->point_count, loop->is_hole};
    return push(context, rows, ABUT_TABLE_REGION_LOOPS, &row, 1) &&
           push(context, rows, ABUT_TABLE_REGION_POINTS, from->points + loop->point_begin, loop->point_count);
}

static int push_cone(const abut_context *context, abut_region_rows *rows, const abut_world_regions *from,
                     const abut_region_cone *cone)
{
    return push(context, rows, ABUT_TABLE_REGION_CONES, &cone->direction_count, 1) &&
           push(context, rows, ABUT_TABLE_REGION_DIRECTIONS, from->directions + cone->direction_begin,
                cone->direction_count);
}

int abut_region_rows_fill(const abut_context *context, abut_region_rows *rows, const abut_world_regions *regions)
{
    int has_room = 1;
    memset(rows->counts, 0, sizeof rows->counts);
    for (int i = 0; i < regions->count && has_room; ++i) {
        const abut_region *region = &regions->items[i].region;
        abut_region_row row = {regions->items[i].body_a, regions->items[i].body_b, *region};
        has_room = push(context, rows, ABUT_TABLE_REGIONS, &row, 1) &&
                   push(context, rows, ABUT_TABLE_REGION_NORMALS, regions->directions + region->normal_begin,
                        region->normal_count);
        for (int k = 0; k < region->loop_count && has_room; ++k) {
            has_room = push_loop(context, rows, regions, &regions->loops[region->loop_begin + k]);
        }
        for (int k = 0; k < region->cone_count && has_room; ++k) {
            has_room = push_cone(context, rows, regions, &regions->cones[region->cone_begin + k]);
        }
    }
    return has_room;
}

void abut_region_rows_release(const abut_context *context, abut_region_rows *rows)
{
    for (int i = 0; i < ABUT_REGION_TABLES; ++i) {
        abut_free(context, rows->items[i]);
    }
}
