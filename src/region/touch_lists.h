// SPDX-License-Identifier: MIT
// touch_lists.h: what the two steps of finding what touches share
#ifndef ABUT_REGION_TOUCH_LISTS_H
#define ABUT_REGION_TOUCH_LISTS_H

#include "base/sort.h"
#include "region/touch.h"

/// A growing array in an arena.
typedef struct abut_touch_list {
    void *items;
    int count, capacity;
} abut_touch_list;

/// Room for one more item, uninitialised; NULL where memory ran out.
void *abut_touch_add(abut_arena *arena, abut_touch_list *list, size_t item_size);

/// The order of some items; NULL where memory ran out, which the touch then knows.
int *abut_touch_order(abut_touch *touch, int count, abut_index_compare *compare, const void *items);

/// Adds the intervals of a side's edges; those of edges that run together are found from A.
void abut_touch_find_intervals(abut_touch *touch, int side, abut_touch_list *intervals);

#endif
