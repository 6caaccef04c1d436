// SPDX-License-Identifier: MIT
// merge_lmds.c: quasi-LMDs of one place and direction become one
//
// From short to long, each one is compared with those that stay. A hashed grid, with cells as wide as the widest radius,
// finds the near ones.
#include "method/merge_lmds.h"

#include "base/hash.h"
#include "base/sort.h"

#include <string.h>

typedef struct cell_grid {
    double width;
    int *heads, *next;
    uint64_t mask;
} cell_grid;

typedef struct sort_user {
    const abut_lmd *items;
    double step;
} sort_user;

static int compare(const void *user, int left, int right)
{
    const sort_user *s = user;
    const abut_lmd *a = &s->items[left], *b = &s->items[right];
    double first = floor(a->distance / s->step + 0.5), second = floor(b->distance / s->step + 0.5);
    if (first != second) {
        return first < second ? -1 : 1;
    }
    if (a->simplex_a != b->simplex_a) {
        return a->simplex_a < b->simplex_a ? -1 : 1;
    }
    return a->simplex_b < b->simplex_b ? -1 : a->simplex_b > b->simplex_b;
}

static int64_t cell_of(double x, double width)
{
    return (int64_t)fmin(fmax(floor(x / width), -0x1p60), 0x1p60);
}

static uint64_t hash_cell(int64_t x, int64_t y, int64_t z)
{
    return abut_hash_mix(abut_hash_mix(abut_hash_mix(ABUT_HASH_START, (uint64_t)x), (uint64_t)y), (uint64_t)z);
}

/// Whether the longer one, `b`, is the same as `a`.
static int is_same(const abut_lmd *a, const abut_lmd *b, const abut_lmd_merging *m)
{
    double radius = fmax(m->sine * fmax(a->distance, b->distance), m->merge);
    abut_vec3 p = abut_scale(1.0 / a->distance, abut_sub(a->point_b, a->point_a));
    abut_vec3 q = abut_scale(1.0 / b->distance, abut_sub(b->point_b, b->point_a));
    return abut_norm_squared(abut_sub(a->point_a, b->point_a)) <= radius * radius &&
           abut_norm_squared(abut_sub(a->point_b, b->point_b)) <= radius * radius &&
           abut_norm_squared(abut_sub(p, q)) <= m->chord * m->chord;
}

static int has_same(const cell_grid *grid, const abut_lmd *items, const abut_lmd *lmd, const abut_lmd_merging *m)
{
    int64_t x = cell_of(lmd->point_a.x, grid->width), y = cell_of(lmd->point_a.y, grid->width);
    int64_t z = cell_of(lmd->point_a.z, grid->width);
    for (int k = 0; k < 27; ++k) {
        uint64_t hash = hash_cell(x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1);
        for (int i = grid->heads[hash & grid->mask]; i >= 0; i = grid->next[i]) {
            if (is_same(&items[i], lmd, m)) {
                return 1;
            }
        }
    }
    return 0;
}

int *abut_merge_lmds(const abut_lmd_view *view, const abut_lmd_merging *merging, abut_sink *sink, int *count)
{
    size_t total = (size_t)view->count, size = 16;
    double longest = 0.0;
    for (int i = 0; i < view->count; ++i) {
        longest = fmax(longest, view->items[i].distance);
    }
    while (size < 2 * total) {
        size *= 2;
    }
    cell_grid grid = {.width = fmax(fmax(merging->sine * longest, merging->merge), 0x1p-500), .mask = size - 1};
    grid.heads = abut_sink_scratch(sink, size * sizeof(int));
    grid.next = abut_sink_scratch(sink, total * sizeof(int));
    int *order = abut_sink_scratch(sink, (2 * total + 1) * sizeof(int));
    if (grid.heads == NULL || grid.next == NULL || order == NULL) {
        return NULL;
    }
    memset(grid.heads, 0xff, size * sizeof(int));
    for (int i = 0; i < view->count; ++i) {
        order[i] = i;
    }
    sort_user user = {view->items, merging->step};
    abut_sort_indices(order, order + total, view->count, compare, &user);
    int kept = 0;
    for (int i = 0; i < view->count; ++i) {
        const abut_lmd *lmd = &view->items[order[i]];
        if (!has_same(&grid, view->items, lmd, merging)) {
            uint64_t hash = hash_cell(cell_of(lmd->point_a.x, grid.width), cell_of(lmd->point_a.y, grid.width),
                                      cell_of(lmd->point_a.z, grid.width));
            grid.next[order[i]] = grid.heads[hash & grid.mask];
            grid.heads[hash & grid.mask] = order[i];
            order[kept++] = order[i];
        }
    }
    *count = kept;
    return order;
}
