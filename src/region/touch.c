// SPDX-License-Identifier: MIT
// touch.c: where the entities of two placed B-reps touch: points, and segments between them
#include "region/touch.h"

#include "region/touch_search.h"

#include <string.h>

void *abut_search_add(abut_touch_search *s, abut_arena_list *list, size_t item_size)
{
    void *added = abut_arena_list_add(s->touch->arena, list, 1, item_size);
    s->is_out_of_memory |= added == NULL;
    return added;
}

int *abut_search_order(abut_touch_search *s, int count, abut_index_compare *compare, const void *items)
{
    int *order = abut_arena_order(s->touch->arena, count, compare, items);
    s->is_out_of_memory |= order == NULL;
    return order;
}

int abut_touch_compare_sweep(const void *nodes, int a, int b)
{
    const abut_touch_node *items = nodes;
    double x = abut_touch_sweep(items[a].point_a), y = abut_touch_sweep(items[b].point_a);
    return x < y ? -1 : x > y ? 1 : a - b;
}

/// The box of all vertices of a side in A's frame.
static abut_box box_of_side(const abut_touch_side *side)
{
    abut_box local = side->model->elements.bounds;
    abut_vec3 half = abut_scale(0.5, abut_sub(local.upper, local.lower));
    abut_vec3 middle = abut_touch_place(side, abut_box_center(local));
    abut_mat3 r = {abut_abs(side->rotation.x), abut_abs(side->rotation.y), abut_abs(side->rotation.z)};
    abut_vec3 extent = abut_mat3_apply(r, half);
    abut_box box = {abut_sub(middle, extent), abut_add(middle, extent)};
    return box;
}

int abut_touch_find(abut_arena *arena, const abut_touch_side sides[2], const abut_touch_limits *limits,
                    abut_touch *touch)
{
    double tolerance = limits->tolerance;
    void *small_parts = touch->small_parts;
    memset(touch, 0, sizeof *touch);
    touch->small_parts = small_parts;
    touch->sides[0] = sides[0];
    touch->sides[1] = sides[1];
    touch->tolerance = tolerance;
    touch->angle = limits->angle;
    touch->arena = arena;
    abut_touch_search s = {.touch = touch, .limits = limits, .squared = tolerance * tolerance};
    abut_box boxes[2] = {box_of_side(&sides[0]), box_of_side(&sides[1])};
    // the margin is far above the rounding of the boxes
    abut_vec3 margin = abut_vec3_make(2.0 * tolerance, 2.0 * tolerance, 2.0 * tolerance);
    s.common.lower = abut_sub(abut_max(boxes[0].lower, boxes[1].lower), margin);
    s.common.upper = abut_add(abut_min(boxes[0].upper, boxes[1].upper), margin);
    if (s.common.lower.x > s.common.upper.x || s.common.lower.y > s.common.upper.y ||
        s.common.lower.z > s.common.upper.z) {
        return 1;
    }
    abut_vec3 depth = abut_sub(abut_sub(s.common.upper, s.common.lower), abut_scale(2.0, margin));
    // half the tolerance leaves room for rounding: the boxes must not exclude an overlap that corners show
    double least = 0.5 * tolerance;
    s.can_overlap = depth.x > least && depth.y > least && depth.z > least;
    abut_search_candidates(&s);
    if (!touch->overlaps && !s.is_out_of_memory) {
        abut_search_nodes(&s);
    }
    if (!touch->overlaps && !s.is_out_of_memory) {
        abut_search_intervals(&s);
    }
    return !s.is_out_of_memory;
}
