// SPDX-License-Identifier: MIT
// arena_list.c: growing arrays and sorted orders in an arena
#include "base/arena_list.h"

#include <limits.h>
#include <string.h>

void *abut_arena_list_add(abut_arena *arena, abut_arena_list *list, int count, size_t item_size)
{
    if (count > INT_MAX / 2 - list->count) {
        return NULL;
    }
    int needed = list->count + count;
    if (list->items == NULL || needed > list->capacity) {
        // An arena takes nothing back before its reset. With doubling, the abandoned copies together are no larger
        // than the current one.
        int capacity = 2 * needed > 16 ? 2 * needed : 16;
        char *items = abut_arena_take(arena, (size_t)capacity * item_size);
        if (items == NULL) {
            return NULL;
        }
        if (list->count > 0) {
            memcpy(items, list->items, (size_t)list->count * item_size);
        }
        list->items = items;
        list->capacity = capacity;
    }
    void *first = (char *)list->items + (size_t)list->count * item_size;
    list->count = needed;
    return first;
}

int *abut_arena_order(abut_arena *arena, int count, abut_index_compare *compare, const void *items)
{
    int *order = abut_arena_take(arena, 2 * ((size_t)count + 1) * sizeof *order);
    if (order == NULL) {
        return NULL;
    }
    for (int i = 0; i < count; ++i) {
        order[i] = i;
    }
    abut_sort_indices(order, order + count, count, compare, items);
    return order;
}
