// SPDX-License-Identifier: MIT
// memory.c: typed allocation through a context, growing arrays, and an arena
#include "base/memory.h"

#include <limits.h>
#include <stdalign.h>
#include <string.h>

void *abut_allocate(const abut_context *context, size_t count, size_t item_size)
{
    size_t items = count > 0 ? count : 1;
    if (items > (size_t)PTRDIFF_MAX / item_size) {
        return NULL;
    }
    return context->resize(context->user, NULL, items * item_size);
}

void *abut_allocate_zeroed(const abut_context *context, size_t count, size_t item_size)
{
    void *block = abut_allocate(context, count, item_size);
    if (block != NULL) {
        memset(block, 0, (count > 0 ? count : 1) * item_size);
    }
    return block;
}

void abut_free(const abut_context *context, void *block)
{
    if (block != NULL) {
        (void)context->resize(context->user, block, 0);
    }
}

int abut_grow(const abut_context *context, void *array, int *capacity, int needed, size_t item_size)
{
    if (needed <= *capacity) {
        return 1;
    }
    int half_more = *capacity > INT_MAX / 3 * 2 ? INT_MAX : *capacity + *capacity / 2;
    int grown = needed > half_more ? needed : half_more;
    if (grown < 16) {
        grown = 16;
    }
    if ((size_t)grown > (size_t)PTRDIFF_MAX / item_size) {
        return 0;
    }
    void *items;
    memcpy(&items, array, sizeof items); // `array` may point to a pointer of any type
    items = context->resize(context->user, items, (size_t)grown * item_size);
    if (items == NULL) {
        return 0;
    }
    memcpy(array, &items, sizeof items);
    *capacity = grown;
    return 1;
}

typedef struct abut_arena_block {
    struct abut_arena_block *next;
    size_t size;
    max_align_t data[];
} abut_arena_block;

void abut_arena_init(abut_arena *arena, const abut_context *context)
{
    memset(arena, 0, sizeof *arena);
    arena->context = *context;
}

static abut_arena_block *add_block(abut_arena *arena, size_t size)
{
    abut_arena_block *block = arena->context.resize(arena->context.user, NULL, sizeof *block + size);
    if (block != NULL) {
        block->next = arena->blocks;
        block->size = size;
        arena->blocks = block;
        arena->used = 0;
        arena->total += size;
    }
    return block;
}

void *abut_arena_take(abut_arena *arena, size_t size)
{
    const size_t alignment = alignof(max_align_t);
    if (size > (size_t)PTRDIFF_MAX / 2) {
        return NULL;
    }
    size = (size + alignment - 1) / alignment * alignment;
    abut_arena_block *block = arena->blocks;
    if (block == NULL || block->size - arena->used < size) {
        size_t grown = arena->total > 4096 ? arena->total : 4096;
        block = add_block(arena, grown > size ? grown : size);
        if (block == NULL) {
            return NULL;
        }
    }
    void *piece = (char *)block->data + arena->used;
    arena->used += size;
    return piece;
}

static void free_blocks(abut_arena *arena)
{
    while (arena->blocks != NULL) {
        abut_arena_block *next = arena->blocks->next;
        abut_free(&arena->context, arena->blocks);
        arena->blocks = next;
    }
    arena->used = 0;
    arena->total = 0;
}

void abut_arena_reset(abut_arena *arena)
{
    arena->used = 0;
    if (arena->blocks != NULL && arena->blocks->next != NULL) {
        // Replace the blocks by one as large as all of them. If that allocation fails, abut_arena_take() tries
        // again.
        size_t total = arena->total;
        free_blocks(arena);
        (void)add_block(arena, total);
    }
}

void abut_arena_release(abut_arena *arena)
{
    free_blocks(arena);
}
