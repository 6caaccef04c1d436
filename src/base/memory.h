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
/// A place in an arena.
typedef struct abut_arena_mark {
    const struct abut_arena_block *block;
    size_t used;
} abut_arena_mark;

static inline abut_arena_mark abut_arena_get_mark(const abut_arena *arena)
{
    abut_arena_mark mark = {arena->blocks, arena->used};
    return mark;
}

/// Takes back the pieces since the mark if they are in the same block; else it does nothing. So work that is repeated
/// needs its memory once, after a few rounds.
static inline void abut_arena_rewind(abut_arena *arena, abut_arena_mark mark)
{
    if (arena->blocks == mark.block) {
        arena->used = mark.used;
    }
}

/// Takes back all pieces and merges the blocks into one, so that the next round fits into it.
void abut_arena_reset(abut_arena *arena);
/// Frees the blocks.
void abut_arena_release(abut_arena *arena);

#endif
