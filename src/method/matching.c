// SPDX-License-Identifier: MIT
// matching.c: which things of the last step are which of this one, by their places
//
// The things of the last step are sorted along a direction, seen from A and then from B, so that those within reach of
// a thing of this step are found by halving. All such pairs are sorted by distance, and taken while both are free.
#include "method/matching.h"

/// A direction that is not aligned with common grids; length just below 1.
static const abut_vec3 sweep = {0.61, 0.5379, 0.5816};

/// Normals further apart than 60 degrees belong to different things.
static const double least_cosine = 0.5;

typedef struct match_pair {
    double keys[9]; ///< distance, weight, places
    int then, now;
} match_pair;

typedef struct sweep_order {
    const abut_match_item *items;
    int frame;
} sweep_order;

static double place_of(const abut_match_item *item, int frame)
{
    return abut_dot(sweep, item->points[frame]);
}

static int compare_sweep(const void *user, int left, int right)
{
    const sweep_order *order = user;
    double x = place_of(&order->items[left], order->frame), y = place_of(&order->items[right], order->frame);
    return x < y ? -1 : x > y;
}

static int compare_pairs(const void *user, int left, int right)
{
    const match_pair *x = (const match_pair *)user + left, *y = (const match_pair *)user + right;
    for (int i = 0; i < 9; ++i) {
        if (x->keys[i] != y->keys[i]) {
            return x->keys[i] < y->keys[i] ? -1 : 1;
        }
    }
    return 0;
}

/// The first of the sorted things whose place is not below `place`.
static int first_from(const abut_match_item *items, const int *order, int count, int frame, double place)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (place_of(&items[order[middle]], frame) < place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void write_place(double keys[3], abut_vec3 p, double step)
{
    keys[0] = floor(p.x / step + 0.5);
    keys[1] = floor(p.y / step + 0.5);
    keys[2] = floor(p.z / step + 0.5);
}

static int is_alike(const abut_match_item *x, const abut_match_item *y)
{
    return x->group == y->group && (abut_norm_squared(x->normal) == 0.0 || abut_norm_squared(y->normal) == 0.0 ||
                                    abut_dot(x->normal, y->normal) > least_cosine);
}

/// Adds the pairs of one thing within its reach. Returns 0 if memory ran out.
static int add_pairs(abut_arena *arena, const abut_match_item *then, const int *order, int then_count,
                     const abut_match_item *now, int index, int frame, double step, abut_arena_list *pairs)
{
    const abut_match_item *item = &now[index];
    double place = place_of(item, frame);
    for (int i = first_from(then, order, then_count, frame, place - item->reach); i < then_count; ++i) {
        const abut_match_item *other = &then[order[i]];
        if (place_of(other, frame) > place + item->reach) {
            break;
        }
        double distance = abut_norm(abut_sub(other->points[frame], item->points[frame]));
        if (distance > item->reach || !is_alike(item, other)) {
            continue;
        }
        match_pair *pair = abut_arena_list_add(arena, pairs, 1, sizeof *pair);
        if (pair == NULL) {
            return 0;
        }
        pair->keys[0] = floor(distance / step + 0.5);
        pair->keys[1] = floor(-item->weight / (step * step) + 0.5);
        pair->keys[2] = floor(-other->weight / (step * step) + 0.5);
        write_place(&pair->keys[3], item->points[0], step);
        write_place(&pair->keys[6], other->points[0], step);
        pair->then = order[i];
        pair->now = index;
    }
    return 1;
}

int abut_match_near(abut_arena *arena, const abut_match_item *then, int then_count, const abut_match_item *now,
                    int now_count, double step, int *matches)
{
    abut_arena_list list = {0};
    unsigned char *is_taken = abut_arena_take(arena, (size_t)then_count + 1);
    if (is_taken == NULL) {
        return 0;
    }
    for (int frame = 0; frame < 2; ++frame) {
        sweep_order by_place = {then, frame};
        const int *order = abut_arena_order(arena, then_count, compare_sweep, &by_place);
        if (order == NULL) {
            return 0;
        }
        for (int i = 0; i < now_count; ++i) {
            if (!add_pairs(arena, then, order, then_count, now, i, frame, step, &list)) {
                return 0;
            }
        }
    }
    const match_pair *pairs = list.items;
    const int *order = abut_arena_order(arena, list.count, compare_pairs, pairs);
    if (order == NULL) {
        return 0;
    }
    for (int i = 0; i < then_count; ++i) {
        is_taken[i] = 0;
    }
    for (int i = 0; i < now_count; ++i) {
        matches[i] = -1;
    }
    for (int i = 0; i < list.count; ++i) {
        const match_pair *pair = &pairs[order[i]];
        if (matches[pair->now] < 0 && !is_taken[pair->then]) {
            matches[pair->now] = pair->then;
            is_taken[pair->then] = 1;
        }
    }
    return 1;
}
