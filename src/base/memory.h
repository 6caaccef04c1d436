// SPDX-License-Identifier: MIT
// memory.h: an arena (allocation and growing arrays are in <abut/support.h>)
#ifndef ABUT_BASE_MEMORY_H
#define ABUT_BASE_MEMORY_H

#include <abut/support.h>

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
