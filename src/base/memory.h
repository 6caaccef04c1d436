// SPDX-License-Identifier: MIT
// memory.h: an arena (allocation and growing arrays are in <abut/support.h>)
#ifndef ABUT_BASE_MEMORY_H
#define ABUT_BASE_MEMORY_H

#include <abut/support.h>

/// Scratch memory: taken piece by piece, freed all at once. Once the same work has been done a few times, the arena
/// is a single block and makes no more heap calls.
typedef struct abut_arena {
    abut_context context;
    struct abut_arena_block *blocks; ///< newest first
    size_t used;                     ///< bytes taken from the newest block
    size_t total;                    ///< bytes in all blocks
} abut_arena;

void abut_arena_init(abut_arena *arena, const abut_context *context);
/// Takes `size` uninitialised bytes, aligned for any type. Returns NULL if out of memory.
void *abut_arena_take(abut_arena *arena, size_t size);
/// Takes back all pieces and merges the blocks into one, so that the next round fits into it.
void abut_arena_reset(abut_arena *arena);
/// Frees the blocks.
void abut_arena_release(abut_arena *arena);

#endif
