// SPDX-License-Identifier: MIT
// recording_regions.h: the regions of a step as rows of a recording's tables
#ifndef ABUT_LAB_RECORDING_REGIONS_H
#define ABUT_LAB_RECORDING_REGIONS_H

#include "recording/recording_layout.h"

enum { ABUT_REGION_TABLES = ABUT_TABLE_REGION_DIRECTIONS - ABUT_TABLE_REGIONS + 1 };

/// Rows of the tables from ABUT_TABLE_REGIONS on. The arrays grow and are reused.
typedef struct abut_region_rows {
    void *items[ABUT_REGION_TABLES];
    int counts[ABUT_REGION_TABLES], capacities[ABUT_REGION_TABLES];
} abut_region_rows;

/// Fills the rows, region by region. Returns 0 if there is no memory.
int abut_region_rows_fill(const abut_context *context, abut_region_rows *rows, const abut_world_regions *regions);
void abut_region_rows_release(const abut_context *context, abut_region_rows *rows);

#endif
