// SPDX-License-Identifier: MIT
// arena_list.h: growing arrays and sorted orders in an arena
#ifndef ABUT_BASE_ARENA_LIST_H
#define ABUT_BASE_ARENA_LIST_H

#include "base/memory.h"
#include "base/sort.h"

/// A growing array of items of one type. Initialise it with zeros.
typedef struct abut_arena_list {
    void *items;
    int count, capacity;
} abut_arena_list;

/// Appends `count` uninitialised items. Returns the first of them, or NULL if out of memory or if the list would
/// exceed half of INT_MAX.
void *abut_arena_list_add(abut_arena *arena, abut_arena_list *list, int count, size_t item_size);

/// The indices 0 to count - 1, sorted by `compare`, which gets `items`. Returns NULL if out of memory.
int *abut_arena_order(abut_arena *arena, int count, abut_index_compare *compare, const void *items);

#endif
