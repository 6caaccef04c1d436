// SPDX-License-Identifier: MIT
// filter.c: removing redundant contacts: same position, same normal and same time
//
// A hashed grid holds the contacts. Its cells are several merging distances wide: a contact's duplicates are in few
// cells, mostly one to three, and few different contacts share a cell. The first of several duplicates stays. The
// drafts are in feature order, so the choice does not depend on the order in which the method found them.
//
// Source:  Erleben 2018, section 8.1 ("post filtering").
// Cost:    linear in the number of contacts, as long as few different ones share a cell.
#include "method/filter.h"

#include "base/hash.h"

#include <string.h>

enum {
    FEW = 16,      ///< contacts; up to here comparing all pairs is faster than a table
    CELL_WIDTH = 8 ///< in merging distances
};

// Times of one touch, found with different features, differ by rounding.
static const double SAME_TIME = 1e-9;

/// The limits within which two contacts are the same.
typedef struct sameness {
    double merge;
    double squared_merge, squared_chord; ///< of positions and normals
} sameness;

typedef struct cell {
    int64_t x, y, z;
} cell;

/// A chained hash table of the kept drafts: `heads` by hash, `next` and `cells` by place in `order`.
typedef struct cell_table {
    const int *order;
    int *heads;
    int *next;
    cell *cells;
    uint64_t mask;
} cell_table;

/// Clamped to a range far from overflow. Contacts beyond it share cells, which costs time but does not change the result.
static int64_t clamped_cell(double offset, double width)
{
    const double limit = 0x1p60;
    double index = floor(offset / width);
    return index > limit ? (int64_t)limit : index < -limit ? -(int64_t)limit : (int64_t)index;
}

static cell cell_of(abut_vec3 position, abut_vec3 origin, double width)
{
    abut_vec3 d = abut_sub(position, origin);
    cell c = {clamped_cell(d.x, width), clamped_cell(d.y, width), clamped_cell(d.z, width)};
    return c;
}

static uint64_t hash_cell(cell c)
{
    return abut_hash_mix(abut_hash_mix(abut_hash_mix(ABUT_HASH_START, (uint64_t)c.x), (uint64_t)c.y),
                         (uint64_t)c.z);
}

static sameness make_sameness(double merge, double angle)
{
    double chord = 2.0 * sin(0.5 * angle); // |a - b| of unit vectors
    sameness same = {merge, merge * merge, chord * chord};
    return same;
}

static int is_same(const abut_contact *a, const abut_contact *b, const sameness *same)
{
    return fabs(a->time - b->time) <= SAME_TIME &&
           abut_norm_squared(abut_sub(a->position, b->position)) <= same->squared_merge &&
           abut_norm_squared(abut_sub(a->normal, b->normal)) <= same->squared_chord;
}

static int cell_has_same(const cell_table *table, const abut_draft *drafts, const abut_draft *draft, cell c,
                         const sameness *same)
{
    for (int i = table->heads[hash_cell(c) & table->mask]; i >= 0; i = table->next[i]) {
        if (memcmp(&table->cells[i], &c, sizeof c) == 0 &&
            is_same(&drafts[table->order[i]].contact, &draft->contact, same)) {
            return 1;
        }
    }
    return 0;
}

/// Searches the cells within 1.5 merging distances (half of one for rounding): at most eight.
static int has_same(const cell_table *table, const abut_draft *drafts, const abut_draft *draft, abut_vec3 origin,
                    double width, const sameness *same)
{
    double r = 1.5 * same->merge;
    cell lower = cell_of(abut_sub(draft->contact.position, abut_vec3_make(r, r, r)), origin, width);
    cell upper = cell_of(abut_add(draft->contact.position, abut_vec3_make(r, r, r)), origin, width);
    cell c;
    for (c.x = lower.x; c.x <= upper.x; ++c.x) {
        for (c.y = lower.y; c.y <= upper.y; ++c.y) {
            for (c.z = lower.z; c.z <= upper.z; ++c.z) {
                if (cell_has_same(table, drafts, draft, c, same)) {
                    return 1;
                }
            }
        }
    }
    return 0;
}

/// Compares all pairs. Returns how many are kept.
static int filter_few(const abut_draft *drafts, int *order, int count, const sameness *same)
{
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        int k = 0;
        while (k < kept && !is_same(&drafts[order[k]].contact, &drafts[order[i]].contact, same)) {
            ++k;
        }
        if (k == kept) {
            order[kept++] = order[i];
        }
    }
    return kept;
}

/// Returns how many are kept, or -1 if memory ran out.
static int filter_many(abut_arena *arena, const abut_draft *drafts, int *order, int count, const sameness *same)
{
    uint64_t size = 16;
    while (size < 2 * (uint64_t)count) {
        size *= 2;
    }
    cell_table table = {.order = order, .mask = size - 1};
    table.heads = abut_arena_take(arena, size * sizeof *table.heads);
    table.next = abut_arena_take(arena, (size_t)count * sizeof *table.next);
    table.cells = abut_arena_take(arena, (size_t)count * sizeof *table.cells);
    if (table.heads == NULL || table.next == NULL || table.cells == NULL) {
        return -1;
    }
    memset(table.heads, 0xff, size * sizeof *table.heads);
    abut_vec3 origin = drafts[order[0]].contact.position;
    // for merge 0 any small width will do; a width of 1e-300 would overflow the division
    double width = fmax(CELL_WIDTH * same->merge, 0x1p-500);
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        const abut_draft *draft = &drafts[order[i]];
        if (has_same(&table, drafts, draft, origin, width, same)) {
            continue;
        }
        cell c = cell_of(draft->contact.position, origin, width);
        order[kept] = order[i];
        table.cells[kept] = c;
        uint64_t slot = hash_cell(c) & table.mask;
        table.next[kept] = table.heads[slot];
        table.heads[slot] = kept;
        ++kept;
    }
    return kept;
}

int abut_filter_redundant(abut_sink *sink, int *order, int *count)
{
    sameness same = make_sameness(sink->query->merge, sink->query->angle);
    int kept = *count <= FEW ? filter_few(sink->drafts.items, order, *count, &same)
                             : filter_many(&sink->arena, sink->drafts.items, order, *count, &same);
    if (kept < 0) {
        return 0;
    }
    sink->stats.filtered_contacts = *count - kept;
    *count = kept;
    return 1;
}
