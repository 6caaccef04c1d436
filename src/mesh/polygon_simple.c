// SPDX-License-Identifier: MIT
// polygon_simple.c: whether a polygon crosses or touches itself, by a sweep from left to right
//
// A sweep line moves over the polygon. The sides that it crosses are kept in a list from bottom to top. Two sides
// can meet only if they were neighbours in this list before, so only neighbours are compared (Shamos and Hoey 1976).
// Points are ordered by x, then y, as if the line were slightly tilted, so no side is vertical. All decisions are
// exact.
//
// The list is an array with binary search. Inserting moves the sides above; for at most ABUT_POLYGON_LIMIT sides
// that costs less than the arithmetic.
#include "mesh/polygon_simple.h"

#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEETS = -1 };

typedef struct sweep {
    const abut_vec2 *points;
    int count;
    int *active; // the sides on the sweep line, from bottom to top
    int active_count;
} sweep;

static int compare_points(const void *user, int i, int k)
{
    const abut_vec2 *points = user;
    abut_vec2 p = points[i], q = points[k];
    if (p.x != q.x) {
        return p.x < q.x ? -1 : 1;
    }
    return p.y < q.y ? -1 : p.y > q.y ? 1 : (i > k) - (i < k);
}

// Side i runs from point i to the next.
static int end_of_side(const sweep *s, int side)
{
    return side + 1 < s->count ? side + 1 : 0;
}

static int left_of(const sweep *s, int side)
{
    int end = end_of_side(s, side);
    return compare_points(s->points, side, end) < 0 ? side : end;
}

static int right_of(const sweep *s, int side)
{
    int end = end_of_side(s, side);
    return compare_points(s->points, side, end) < 0 ? end : side;
}

// Whether p, which must be on the line through a and b, is in the segment from a to b.
static int is_between(abut_vec2 a, abut_vec2 b, abut_vec2 p)
{
    return fmin(a.x, b.x) <= p.x && p.x <= fmax(a.x, b.x) && fmin(a.y, b.y) <= p.y && p.y <= fmax(a.y, b.y);
}

static int segments_meet(abut_vec2 a, abut_vec2 b, abut_vec2 c, abut_vec2 d)
{
    int c_side = abut_turn(a, b, c), d_side = abut_turn(a, b, d);
    int a_side = abut_turn(c, d, a), b_side = abut_turn(c, d, b);
    if (c_side * d_side < 0 && a_side * b_side < 0) {
        return 1;
    }
    return (c_side == 0 && is_between(a, b, c)) || (d_side == 0 && is_between(a, b, d)) ||
           (a_side == 0 && is_between(c, d, a)) || (b_side == 0 && is_between(c, d, b));
}

// Whether the sides at two places of the list meet. Sides that share a corner are not tested.
static int neighbours_meet(const sweep *s, int low, int high)
{
    if (low < 0 || high >= s->active_count) {
        return 0;
    }
    int i = s->active[low], k = s->active[high], step = abs(i - k);
    return step != 1 && step != s->count - 1 &&
           segments_meet(s->points[i], s->points[end_of_side(s, i)], s->points[k], s->points[end_of_side(s, k)]);
}

// 1 if `side`, which begins or ends at `corner`, is above side `other` of the list, -1 if below. If both begin or
// both end at the corner, compares their other ends.
static int height_over(const sweep *s, int side, int corner, int other)
{
    int left = left_of(s, other), right = right_of(s, other);
    int is_shared = left == corner || right == corner;
    int point = !is_shared ? corner : left == corner ? right_of(s, side) : left_of(s, side);
    return abut_turn(s->points[left], s->points[right], s->points[point]);
}

// The place in the list where a side is or belongs: the first whose side is not below it. MEETS if a side of the
// list goes through the corner.
static int find_place(const sweep *s, int side, int corner)
{
    int low = 0, high = s->active_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (s->active[middle] == side) {
            return middle;
        }
        int height = height_over(s, side, corner, s->active[middle]);
        if (height == 0) {
            return MEETS;
        }
        low = height > 0 ? middle + 1 : low;
        high = height > 0 ? high : middle;
    }
    return low;
}

// Returns 0 if sides meet.
static int remove_side(sweep *s, int side, int corner)
{
    int place = find_place(s, side, corner);
    // if the side is not found, the order is wrong: sides have crossed
    if (place == MEETS || place == s->active_count || s->active[place] != side) {
        return 0;
    }
    --s->active_count;
    memmove(s->active + place, s->active + place + 1, (size_t)(s->active_count - place) * sizeof *s->active);
    return !neighbours_meet(s, place - 1, place);
}

static int insert_side(sweep *s, int side, int corner)
{
    int place = find_place(s, side, corner);
    if (place == MEETS) {
        return 0;
    }
    memmove(s->active + place + 1, s->active + place, (size_t)(s->active_count - place) * sizeof *s->active);
    s->active[place] = side;
    ++s->active_count;
    return !neighbours_meet(s, place - 1, place) && !neighbours_meet(s, place, place + 1);
}

int abut_polygon_is_simple(const abut_vec2 *points, int count, abut_polygon_sweep_memory memory)
{
    sweep s = {points, count, memory.active, 0};
    for (int i = 0; i < count; ++i) {
        memory.order[i] = i;
    }
    abut_sort_indices(memory.order, memory.scratch, count, compare_points, points);
    for (int i = 0; i < count; ++i) {
        int corner = memory.order[i];
        abut_vec2 p = points[corner];
        if (i > 0 && points[memory.order[i - 1]].x == p.x && points[memory.order[i - 1]].y == p.y) {
            return 0;
        }
        const int sides[2] = {corner > 0 ? corner - 1 : count - 1, corner};
        for (int k = 0; k < 2; ++k) {
            if (right_of(&s, sides[k]) == corner && !remove_side(&s, sides[k], corner)) {
                return 0;
            }
        }
        for (int k = 0; k < 2; ++k) {
            if (left_of(&s, sides[k]) == corner && !insert_side(&s, sides[k], corner)) {
                return 0;
            }
        }
    }
    return 1;
}
