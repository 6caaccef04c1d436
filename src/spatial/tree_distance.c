// SPDX-License-Identifier: MIT
// tree_distance.c: the nearest triangles of two placed trees
//
// Pairs of boxes wait in a heap and are visited from near to far. A pair is skipped only if it is further apart than
// the best pair so far by more than rounding can explain. So the answer, including ties, is the same as by brute
// force. The heap has a fixed size. If it is full, the search goes through everything below the nearest pair, depth
// first, before it continues with the others.
#include "spatial/tree_place.h"

#include "prim/triangle_triangle.h"

#include <float.h>

typedef struct search {
    const abut_tree *a, *b;
    abut_tree_placement placement;
    abut_mat3 rotation;
    abut_vec3 position;
    double limit;        // the caller's
    double reach;        // pairs further apart cannot be as near as the best; in the caller's units
    float reach_squared; // bound for boxes, in common units
    double least_squared;
    abut_tree_gap best;
} search;

typedef struct visit {
    abut_tree_child_pair pair;
    float squared; // lower bound of the squared distance, in common units
    float rank;    // the pair with the lowest rank is visited first
} visit;

enum { HEAP_CAPACITY = 512 }; // pairs: 8 KB of stack

typedef struct heap {
    visit visits[HEAP_CAPACITY]; // the rank of each is at least that of its parent, (i - 1) / 2
    int count;
} heap;

static void push_visit(heap *h, visit v)
{
    int at = h->count++;
    for (; at > 0 && h->visits[(at - 1) / 2].rank > v.rank; at = (at - 1) / 2) {
        h->visits[at] = h->visits[(at - 1) / 2];
    }
    h->visits[at] = v;
}

static visit pop_visit(heap *h)
{
    visit first = h->visits[0], last = h->visits[--h->count];
    int at = 0;
    for (;;) {
        int below = 2 * at + 1;
        below += below + 1 < h->count && h->visits[below + 1].rank < h->visits[below].rank;
        if (below >= h->count || !(h->visits[below].rank < last.rank)) {
            break;
        }
        h->visits[at] = h->visits[below];
        at = below;
    }
    h->visits[at] = last;
    return first;
}

// Margins: 16 DBL_EPSILON for the rounding of a computed distance, `slack` for that of the corners, `float_slack` for
// that of the boxes, and 8 FLT_EPSILON for that of the squares in float.
static void set_reach(search *s, double distance)
{
    double rounded = s->placement.slack / s->placement.scale;
    s->reach = distance * (1.0 + 16.0 * DBL_EPSILON) + rounded;
    float reach = nextafterf((float)(s->placement.scale * s->reach), HUGE_VALF) + s->placement.float_slack;
    s->reach_squared = reach * reach * (1.0f + 8.0f * FLT_EPSILON);
}

static abut_float4 square_of_positive(abut_float4 gap)
{
    abut_float4 outside = abut_float4_max(gap, abut_float4_all(0.0f));
    return abut_float4_mul(outside, outside);
}

// Lower bounds of the squared distances of the lanes. Removes lanes with an empty box.
static abut_float4 find_squares(const abut_tree_placement *p, abut_tree_lanes *lanes)
{
    abut_float4 gap = abut_tree_gap_along_a(p, lanes, 0), along_a = square_of_positive(gap);
    lanes->mask &= abut_float4_at_most(gap, abut_float4_all(HUGE_VALF)); // false if the gap is NaN
    for (int i = 1; i < 3; ++i) {
        along_a = abut_float4_add(along_a, square_of_positive(abut_tree_gap_along_a(p, lanes, i)));
    }
    if (!p->is_rigid) {
        return along_a;
    }
    abut_float4 along_b = abut_float4_all(0.0f);
    for (int i = 0; i < 3; ++i) {
        along_b = abut_float4_add(along_b, square_of_positive(abut_tree_gap_along_b(p, lanes, i)));
    }
    abut_float4 along_normals = square_of_positive(abut_tree_gap_along_normals(p, lanes));
    return abut_float4_max(abut_float4_max(along_a, along_b), along_normals);
}

// Ranks of the lanes: the lower bound of the squared distance, plus 2^-14 of that between the centers. The second term
// is small, so it decides only between pairs whose bounds are nearly equal, for example 0 for boxes that overlap.
static abut_float4 find_ranks(const abut_tree_lanes *lanes, abut_float4 squares)
{
    abut_float4 sum = abut_float4_all(0.0f);
    for (int i = 0; i < 3; ++i) {
        abut_float4 between = abut_float4_sub(lanes->center_b[i], lanes->center_a[i]);
        sum = abut_float4_add(sum, abut_float4_mul(between, between));
    }
    return abut_float4_add(squares, abut_float4_mul(abut_float4_all(0x1p-14f), sum));
}

// Gets the pairs below that may be near enough, up to four, from far to near. Returns their number.
static int open_pair(const search *s, abut_tree_child_pair pair, visit below[4])
{
    abut_tree_lanes lanes;
    abut_tree_child_pair first = abut_tree_open(s->a, s->b, &s->placement, pair, &lanes);
    float squares[4], ranks[4];
    int count = 0;
    abut_float4 found = find_squares(&s->placement, &lanes);
    abut_float4_store(squares, found);
    abut_float4_store(ranks, find_ranks(&lanes, found));
    for (int lane = 0; lane < 4; ++lane) {
        if (!(lanes.mask >> lane & 1) || !(squares[lane] <= s->reach_squared)) {
            continue;
        }
        int at = count++;
        for (; at > 0 && below[at - 1].rank < ranks[lane]; --at) {
            below[at] = below[at - 1];
        }
        below[at] = (visit){{first.a + (lane >> 1), first.b + (lane & 1)}, squares[lane], ranks[lane]};
    }
    return count;
}

// Lower bound of the squared distance of two triangles: that of their boxes.
static double box_squared(const abut_vec3 a[3], const abut_vec3 b[3])
{
    abut_vec3 lower_a = abut_min(abut_min(a[0], a[1]), a[2]), upper_a = abut_max(abut_max(a[0], a[1]), a[2]);
    abut_vec3 lower_b = abut_min(abut_min(b[0], b[1]), b[2]), upper_b = abut_max(abut_max(b[0], b[1]), b[2]);
    abut_vec3 zero = {0.0, 0.0, 0.0};
    return abut_norm_squared(abut_max(abut_max(abut_sub(lower_a, upper_b), abut_sub(lower_b, upper_a)), zero));
}

static int is_before(const abut_tree_gap *best, int a, int b)
{
    return a < best->element_a || (a == best->element_a && b < best->element_b);
}

static void try_elements(search *s, int element_a, int element_b)
{
    abut_vec3 a[4], b[4], point_a, point_b;
    if (!abut_tree_get_corners(s->a, element_a, a) || !abut_tree_get_corners(s->b, element_b, b)) {
        return;
    }
    for (int i = 0; i < 3; ++i) {
        b[i] = abut_add(abut_mat3_apply(s->rotation, b[i]), s->position);
    }
    if (box_squared(a, b) > s->reach * s->reach) {
        return;
    }
    double squared = abut_triangle_triangle_distance_squared(a, b, &point_a, &point_b), distance = sqrt(squared);
    if (distance <= s->limit && (squared < s->least_squared ||
                                 (squared == s->least_squared && is_before(&s->best, element_a, element_b)))) {
        s->least_squared = squared;
        s->best = (abut_tree_gap){element_a, element_b, distance, point_a, point_b};
        set_reach(s, distance);
    }
}

static void try_leaves(search *s, int leaf_a, int leaf_b)
{
    abut_tree_range range_a = abut_tree_leaf_range(s->a, leaf_a), range_b = abut_tree_leaf_range(s->b, leaf_b);
    for (int i = range_a.begin; i < range_a.end; ++i) {
        for (int k = range_b.begin; k < range_b.end; ++k) {
            try_elements(s, s->a->order[i], s->b->order[k]);
        }
    }
}

// Tries a pair of leaves, or gets the pairs below another pair. Skips it if it is too far. Returns the number of pairs
// in `below`.
static int visit_pair(search *s, visit next, visit below[4])
{
    if (!(next.squared <= s->reach_squared)) {
        return 0;
    }
    int below_a = abut_tree_below(s->a, next.pair.a), below_b = abut_tree_below(s->b, next.pair.b);
    if (!abut_tree_is_leaf(below_a) || !abut_tree_is_leaf(below_b)) {
        return open_pair(s, next.pair, below);
    }
    try_leaves(s, below_a, below_b);
    return 0;
}

// Searches everything below a pair, depth first. The search ends as soon as the distance is 0: the meshes intersect,
// whichever pair shows it.
static void search_below(search *s, visit first)
{
    visit stack[ABUT_TREE_PAIR_STACK];
    int count = 0;
    stack[count++] = first;
    while (count > 0 && s->best.distance > 0.0) {
        --count;
        count += visit_pair(s, stack[count], stack + count);
    }
}

static void search_all(search *s)
{
    heap h;
    h.count = 0;
    push_visit(&h, (visit){{ABUT_TREE_ROOT, ABUT_TREE_ROOT}, 0.0f, 0.0f});
    while (h.count > 0 && s->best.distance > 0.0) {
        visit next = pop_visit(&h), below[4];
        if (h.count + 4 > HEAP_CAPACITY) {
            search_below(s, next);
            continue;
        }
        int count = visit_pair(s, next, below);
        for (int i = 0; i < count; ++i) {
            push_visit(&h, below[i]);
        }
    }
}

abut_tree_gap abut_tree_distance(const abut_tree *a, const abut_tree *b, abut_pose b_to_a, double limit)
{
    search s = {.a = a, .b = b, .limit = limit, .least_squared = HUGE_VAL};
    s.best = (abut_tree_gap){-1, -1, HUGE_VAL, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (a->kind != ABUT_ELEMENT_TRIANGLE || b->kind != ABUT_ELEMENT_TRIANGLE || a->element_count == 0 ||
        b->element_count == 0 || !(limit >= 0.0) || !abut_tree_place(a, b, b_to_a, limit, &s.placement)) {
        return s.best;
    }
    s.rotation = abut_quat_matrix(b_to_a.rotation);
    s.position = b_to_a.position;
    set_reach(&s, limit);
    search_all(&s);
    return s.best;
}
