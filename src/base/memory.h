// SPDX-License-Identifier: MIT
// memory.h: growing arrays, and an arena (plain allocation is in <abut/support.h>)
#ifndef ABUT_BASE_MEMORY_H
#define ABUT_BASE_MEMORY_H

#include <abut/support.h>

/// Makes room for `needed` items in an array of any type, growing it by half or more. `array` is the address of the
/// pointer to its items. Returns 0 if memory ran out; the array is then unchanged.
int abut_grow(const abut_context *context, void *array, int *capacity, int needed, size_t item_size);

/// Scratch memory that is given out piece by piece and taken back all at once. After a few rounds of the same
/// work it is one block, and no heap call is made.
typedef struct abut_arena {
    abut_context context;
    struct abut_arena_block *blocks; ///< the newest first
    size_t used;                     ///< of the newest block
    size_t total;                    ///< of all blocks since the last reset
} abut_arena;

void abut_arena_init(abut_arena *arena, const abut_context *context);
/// Aligned for any type, uninitialised; NULL if memory ran out.
void *abut_arena_take(abut_arena *arena, size_t size);
void abut_arena_reset(abut_arena *arena);
void abut_arena_release(abut_arena *arena);

#endif
