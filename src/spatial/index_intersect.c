// SPDX-License-Identifier: MIT
// index_intersect.c: the intersection set of two solids
//
// Every vertex, edge and triangle of A goes down the tree of B. Parts that arrive at a leaf with an entity are in the
// set. Entities are taken without their boundary: joints between triangles of a face belong to the face (inner rims),
// ends of edges do not belong to the edge.
//
// Source:  Bouma and Vanecek 1993, section 4.3, algorithm Intersect.
// Differs: adjacent pieces are not merged, so a pair may be reported in several pieces.
#include "spatial/brep_index.h"

#include "base/memory.h"
#include "base/sort.h"

typedef struct intersection {
    const abut_brep_index *index;
    abut_entity_pair_function *function;
    void *user;
    abut_location a;
    abut_index_positions positions;
    int is_out_of_memory, is_ended;
} intersection;

static int meet(void *user, abut_location location, const abut_corner *corners, int count)
{
    intersection *s = user;
    if (location.entity < 0) {
        return 0;
    }
    abut_index_piece piece;
    s->is_out_of_memory = !abut_index_make_piece(s->index, &s->positions, location, corners, count, &piece);
    if (s->is_out_of_memory) {
        return 1;
    }
    abut_entity_pair pair = {s->a, location, piece.dimension};
    s->is_ended = s->function(s->user, &pair, &piece);
    return s->is_ended;
}

abut_status abut_brep_index_intersect(const abut_brep_index *index_b, const abut_brep *brep_a, abut_pose a_to_b,
                                      abut_entity_pair_function *function, void *user)
{
    const abut_context *context = &index_b->context;
    intersection s = {.index = index_b, .function = function, .user = user};
    abut_piece_list entities = {0};
    abut_index_scratch scratch = {.way_capacity = 0};
    abut_status status =
        abut_index_add_entities(context, brep_a, a_to_b, index_b->center, &entities) ? ABUT_OK : ABUT_NO_MEMORY;
    for (int i = 0; i < entities.count && status == ABUT_OK && !s.is_ended; ++i) {
        const abut_piece *piece = &entities.pieces[i];
        s.a = piece->location;
        status = abut_index_send(index_b, &scratch, entities.corners + piece->begin, piece->count, meet, &s);
        status = s.is_out_of_memory ? ABUT_NO_MEMORY : status;
    }
    abut_index_scratch_free(context, &scratch);
    abut_piece_list_free(context, &entities);
    abut_free(context, s.positions.items);
    return status;
}

typedef struct pair_list {
    const abut_context *context;
    abut_entity_pair *items;
    int count, capacity;
    int is_out_of_memory;
} pair_list;

static int add_pair(void *user, const abut_entity_pair *pair, const abut_index_piece *piece)
{
    (void)piece;
    pair_list *list = user;
    if (!abut_grow(list->context, &list->items, &list->capacity, list->count + 1, sizeof *list->items)) {
        list->is_out_of_memory = 1;
        return 1;
    }
    list->items[list->count++] = *pair;
    return 0;
}

static int compare_numbers(int a, int b)
{
    return (a > b) - (a < b);
}

static int compare_entities(const abut_entity_pair *x, const abut_entity_pair *y)
{
    int result = compare_numbers((int)x->a.place, (int)y->a.place);
    result = result != 0 ? result : compare_numbers(x->a.entity, y->a.entity);
    result = result != 0 ? result : compare_numbers((int)x->b.place, (int)y->b.place);
    return result != 0 ? result : compare_numbers(x->b.entity, y->b.entity);
}

static int compare_pairs(const void *user, int a, int b)
{
    const abut_entity_pair *items = user;
    int result = compare_entities(&items[a], &items[b]);
    return result != 0 ? result : compare_numbers(items[b].dimension, items[a].dimension);
}

static void write_pairs(const pair_list *list, const int *order, abut_entity_pairs *out)
{
    for (int i = 0; i < list->count; ++i) {
        const abut_entity_pair *pair = &list->items[order[i]];
        if (i > 0 && compare_entities(&list->items[order[i - 1]], pair) == 0) {
            continue;
        }
        if (out->required < out->capacity) {
            out->pairs[out->count++] = *pair;
        }
        ++out->required;
    }
}

abut_status abut_brep_index_pairs(const abut_brep_index *index_b, const abut_brep *brep_a, abut_pose a_to_b,
                                  abut_entity_pairs *pairs)
{
    pairs->count = pairs->required = 0;
    pair_list list = {.context = &index_b->context};
    abut_status status = abut_brep_index_intersect(index_b, brep_a, a_to_b, add_pair, &list);
    int *order = abut_allocate(list.context, 2 * (size_t)list.count, sizeof *order);
    if (list.is_out_of_memory || order == NULL) {
        status = ABUT_NO_MEMORY;
    }
    if (status == ABUT_OK) {
        for (int i = 0; i < list.count; ++i) {
            order[i] = i;
        }
        abut_sort_indices(order, order + list.count, list.count, compare_pairs, list.items);
        write_pairs(&list, order, pairs);
        status = pairs->required <= pairs->capacity ? ABUT_OK : ABUT_TRUNCATED;
    }
    abut_free(list.context, order);
    abut_free(list.context, list.items);
    return status;
}
