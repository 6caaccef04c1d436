// SPDX-License-Identifier: MIT
// index_queries.c: sends points, segments and polygons down a Brep-index
//
// A piece on a plane goes to the region on that plane. If it reaches a free leaf there, it is off the boundary, but an
// entity beside the plane may still be within the tolerance. So the search returns to the last plane. A piece that is
// on the plane as a whole continues above or below, by its mean height. A part where a piece crosses the plane
// continues both above and below. Each plane on the way takes one dimension from the region, so at most three are
// waiting.
#include "spatial/brep_index.h"

#include "base/memory.h"

#include <string.h>

enum { MOST_WAITING = 3 }; // planes: one for each dimension of space

// Position of a piece in the tree: a child, and the nodes whose planes the piece is on.
typedef struct abut_index_way {
    int child;
    int count;
    int nodes[MOST_WAITING];
} abut_index_way;

// After a free leaf: returns to the last node whose plane the piece is on, and continues above or below it.
static void go_beside(const abut_brep_index *index, abut_index_way *way, int which)
{
    way->child = index->nodes[way->nodes[--way->count]].children[which];
}

static void go_on(const abut_brep_index *index, abut_index_way *way)
{
    const int *children = index->nodes[way->child].children;
    if (children[ABUT_ON] != children[ABUT_ABOVE]) {
        way->nodes[way->count++] = way->child;
    }
    way->child = children[ABUT_ON];
}

// Follows a piece down the tree until it reaches a leaf or a plane that cuts it.
static void follow(const abut_brep_index *index, const abut_corner *corners, int count, abut_index_way *way)
{
    double tolerance = index->info.tolerance;
    while (way->child >= 0) {
        const abut_index_node *node = &index->nodes[way->child];
        double lowest = HUGE_VAL, highest = -HUGE_VAL;
        for (int i = 0; i < count; ++i) {
            double height = abut_index_height(&node->plane, corners[i].position);
            lowest = height < lowest ? height : lowest;
            highest = height > highest ? height : highest;
        }
        if (lowest > tolerance) {
            way->child = node->children[ABUT_ABOVE];
        } else if (highest < -tolerance) {
            way->child = node->children[ABUT_BELOW];
        } else if (lowest >= -tolerance && highest <= tolerance) {
            go_on(index, way);
        } else {
            return;
        }
    }
}

static double mean_height(const abut_brep_index *index, int node, const abut_corner *corners, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += abut_index_height(&index->nodes[node].plane, corners[i].position);
    }
    return sum / count;
}

// Continues above or below the last plane that a piece is on, by its mean height.
static void go_by_height(const abut_brep_index *index, const abut_corner *corners, int count, abut_index_way *way)
{
    double height = mean_height(index, way->nodes[way->count - 1], corners, count);
    go_beside(index, way, height >= 0.0 ? ABUT_ABOVE : ABUT_BELOW);
}

static int is_free(const abut_index_way *way)
{
    return way->child < 0 && ~way->child == ABUT_LEAF_FREE;
}

abut_location abut_brep_index_locate(const abut_brep_index *index, abut_vec3 point)
{
    if (!abut_is_finite(point)) {
        return abut_leaf_location(ABUT_LEAF_OUTSIDE);
    }
    abut_corner corner = {abut_sub(point, index->center), ABUT_RIM_INNER, ABUT_RIM_INNER};
    abut_index_way way = {.child = index->root};
    follow(index, &corner, 1, &way);
    while (is_free(&way)) {
        go_by_height(index, &corner, 1, &way);
        follow(index, &corner, 1, &way);
    }
    return abut_leaf_location(~way.child);
}

void abut_index_scratch_free(const abut_context *context, abut_index_scratch *scratch)
{
    abut_piece_list_free(context, &scratch->waiting);
    abut_piece_list_free(context, &scratch->piece);
    for (int k = 0; k < 3; ++k) {
        abut_piece_list_free(context, &scratch->parts[k]);
    }
    abut_free(context, scratch->ways);
    scratch->ways = NULL;
}

// Adds pieces to the waiting list, all at the same position in the tree.
static int add_waiting(const abut_context *context, abut_index_scratch *s, const abut_piece_list *list,
                       const abut_index_way *way)
{
    int first = s->waiting.count;
    if (!abut_grow(context, &s->ways, &s->way_capacity, first + list->count, sizeof *s->ways) ||
        !abut_piece_list_join(context, &s->waiting, list)) {
        return 0;
    }
    for (int i = first; i < s->waiting.count; ++i) {
        s->ways[i] = *way;
    }
    return 1;
}

// Adds the parts of the current piece to the waiting list, each at its child of the node that cut it.
static int add_parts(const abut_brep_index *index, abut_index_scratch *s, const abut_index_way *from)
{
    const int *children = index->nodes[from->child].children;
    for (int which = ABUT_ABOVE; which <= ABUT_BELOW; ++which) {
        abut_index_way way = *from;
        if (which == ABUT_ON) {
            if (children[ABUT_ON] == children[ABUT_ABOVE]) {
                continue; // no part of the B-rep is on this plane
            }
            go_on(index, &way);
        } else {
            way.child = children[which];
        }
        if (!add_waiting(&index->context, s, &s->parts[which], &way)) {
            return 0;
        }
    }
    return 1;
}

// Moves the last waiting piece to `piece`.
static int take_last(const abut_context *context, abut_index_scratch *s)
{
    const abut_piece *last = &s->waiting.pieces[s->waiting.count - 1];
    s->piece.count = s->piece.corner_count = 0;
    abut_corner *corners = abut_piece_list_add(context, &s->piece, last->location, last->count);
    if (corners == NULL) {
        return 0;
    }
    memcpy(corners, s->waiting.corners + last->begin, (size_t)last->count * sizeof *corners);
    s->waiting.corner_count -= last->count;
    --s->waiting.count;
    return 1;
}

// Follows the current piece to a leaf that is not free, or to a node that cuts it. Returns 0 if memory ran out.
static int settle(const abut_brep_index *index, abut_index_scratch *s, abut_index_way *way, int whole_dimension)
{
    int count = s->piece.corner_count, is_whole = abut_piece_dimension(&s->piece.pieces[0]) == whole_dimension;
    for (;;) {
        follow(index, s->piece.corners, count, way);
        if (!is_free(way)) {
            return 1;
        }
        if (is_whole) {
            go_by_height(index, s->piece.corners, count, way);
            continue;
        }
        abut_index_way below = *way;
        go_beside(index, &below, ABUT_BELOW);
        if (!add_waiting(&index->context, s, &s->piece, &below)) {
            return 0;
        }
        go_beside(index, way, ABUT_ABOVE);
    }
}

// Cuts the current piece by the plane of a node.
static int part_piece(const abut_brep_index *index, abut_index_scratch *s, const abut_index_way *way)
{
    for (int k = 0; k < 3; ++k) {
        s->parts[k].count = s->parts[k].corner_count = 0;
    }
    return abut_piece_split(&index->context, &s->piece.pieces[0], s->piece.corners, &index->nodes[way->child].plane,
                            index->info.tolerance, s->parts) &&
           add_parts(index, s, way);
}

abut_status abut_index_send(const abut_brep_index *index, abut_index_scratch *scratch, const abut_corner *corners,
                            int count, abut_index_part_function *function, void *user)
{
    const abut_context *context = &index->context;
    scratch->waiting.count = scratch->waiting.corner_count = 0;
    abut_location nowhere = {ABUT_PLACE_OUTSIDE, -1};
    abut_corner *whole = abut_piece_list_add(context, &scratch->waiting, nowhere, count);
    if (whole == NULL || !abut_grow(context, &scratch->ways, &scratch->way_capacity, 1, sizeof *scratch->ways)) {
        return ABUT_NO_MEMORY;
    }
    memcpy(whole, corners, (size_t)count * sizeof *whole);
    scratch->ways[0] = (abut_index_way){.child = index->root};
    int dimension = abut_piece_dimension(&scratch->waiting.pieces[0]);
    while (scratch->waiting.count > 0) {
        abut_index_way way = scratch->ways[scratch->waiting.count - 1];
        if (!take_last(context, scratch) || !settle(index, scratch, &way, dimension)) {
            return ABUT_NO_MEMORY;
        }
        if (way.child >= 0) {
            if (!part_piece(index, scratch, &way)) {
                return ABUT_NO_MEMORY;
            }
            continue;
        }
        const abut_piece *piece = &scratch->piece.pieces[0];
        abut_location location = abut_leaf_location(~way.child);
        int is_told = location.entity >= 0 || abut_piece_dimension(piece) == dimension;
        if (is_told && function(user, location, scratch->piece.corners, piece->count) != 0) {
            return ABUT_OK;
        }
    }
    return ABUT_OK;
}

int abut_index_make_piece(const abut_brep_index *index, abut_index_positions *positions, abut_location location,
                          const abut_corner *corners, int count, abut_index_piece *piece)
{
    if (!abut_grow(&index->context, &positions->items, &positions->capacity, count, sizeof *positions->items)) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        positions->items[i] = abut_add(corners[i].position, index->center);
    }
    *piece = (abut_index_piece){location, count > 2 ? 2 : count - 1, positions->items, count};
    return 1;
}
