// SPDX-License-Identifier: MIT
// recording_regions.h: the regions of a step as rows of a recording's tables
#ifndef ABUT_LAB_RECORDING_REGIONS_H
#define ABUT_LAB_RECORDING_REGIONS_H

#include "recording/recording_layout.h"

enum { ABUT_REGION_TABLES = ABUT_TABLE_REGION_DIRECTIONS - ABUT_TABLE_REGIONS + 1 };

/// Rows of the tables from ABUT_TABLE_REGIONS on, in arrays that grow and are kept.
typedef struct abut_region_rows {
    void *items[ABUT_REGION_TABLES];
    int counts[ABUT_REGION_TABLES], capacities[ABUT_REGION_TABLES];
} abut_region_rows;

/// Region after region, with what belongs to each in its order. Returns 0 where memory ran out.
int abut_region_rows_fill(const abut_context *context, abut_region_rows *rows, const abut_world_regions *regions);
void abut_region_rows_release(const abut_context *context, abut_region_rows *rows);

#endif
