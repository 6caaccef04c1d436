// SPDX-License-Identifier: MIT
// tree_distance.c: the nearest triangles of two placed trees
//
// Pairs of boxes wait in a heap and are visited from near to far. A pair is skipped if it is not nearer than the best
// pair so far. The heap has a fixed size. If it is full, the search goes through everything below the nearest pair,
// depth first, before it continues with the others.
//
// Projecting a point from one mesh to the other and back gives a pair to start from, which is often the nearest already.
// Most of the time would go into the proof that no other is nearer: where surfaces are parallel, many pairs of boxes
// are as near. Two planes through the nearest points, at right angles to the line between them, are a shorter proof: if
// all of A is behind one plane and all of B behind the other, nothing is nearer. That holds for convex bodies and for
// others that meet from outside. Otherwise a corner in front of a plane is found soon, and the search goes on. The gap
// along the direction of the best pair is also a lower bound for pairs of boxes.
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
    double rounding;     // of a distance, in the caller's units
    double least_squared;
    abut_tree_gap best;
    abut_vec3 direction;    // unit, from the best point of A to that of B; zero if there is none
    float in_a[3], in_b[3]; // this direction in the axes of A and B, not longer than 1
    int has_proof;          // planes show that the best is the nearest
    int is_new;             // no proof was tried for the best yet
    int next_proof;         // openings before another try for the same pair
    int opened_count;
    int64_t work; // see abut_tree_find_gap()
} search;

typedef struct visit {
    abut_tree_child_pair pair;
    float squared; // lower bound of the squared distance, in common units
    float rank;    // the pair with the lowest rank is visited first
} visit;

enum {
    HEAP_CAPACITY = 512,   // pairs: 8 KB of stack
    OPENED_MOST = 1 << 26, // openings beyond do not count, so that no number overflows
    PROOF_VISITS = 128,    // that a proof may take at least: some descents in each tree
    START_ROUNDS = 16,     // each takes less time than opening ten pairs and brings the pair nearer, or is the last
    PROOF_SHARE =
        64, // visits for each opened pair: a few times as long as opening it and trying the triangles below
};

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

// Squared sine of the angle between two edges above which their cross product is a better direction than the nearest
// points: it loses half of the digits at most.
static const double SINE_SQUARED = 1e-16;

// Margins: 16 DBL_EPSILON for the rounding of a computed distance, `slack` for that of the corners, `float_slack` for
// that of the boxes, and 8 FLT_EPSILON for that of the squares in float.
static void set_reach(search *s, double distance)
{
    s->reach = distance * (1.0 + 16.0 * DBL_EPSILON) + s->rounding;
    float reach = nextafterf((float)(s->placement.scale * s->reach), HUGE_VALF) + s->placement.float_slack;
    s->reach_squared = reach * reach * (1.0f + 8.0f * FLT_EPSILON);
}

static abut_float4 square_of_positive(abut_float4 gap)
{
    abut_float4 outside = abut_float4_max(gap, abut_float4_all(0.0f));
    return abut_float4_mul(outside, outside);
}

// Lower bounds of the squared distances of the lanes. Removes lanes with an empty box.
static abut_float4 find_squares(const search *s, abut_tree_lanes *lanes)
{
    const abut_tree_placement *p = &s->placement;
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
    abut_float4 along_best = square_of_positive(abut_tree_gap_along(p, lanes, s->in_a, s->in_b));
    return abut_float4_max(abut_float4_max(along_a, along_b), abut_float4_max(along_normals, along_best));
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
    abut_float4 found = find_squares(s, &lanes);
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

// The gap between two triangles along a direction, a lower bound of their distance. Negative if they overlap along it.
static double gap_along(const abut_vec3 a[3], const abut_vec3 b[3], abut_vec3 direction)
{
    double a0 = abut_dot(direction, a[0]), a1 = abut_dot(direction, a[1]), a2 = abut_dot(direction, a[2]);
    double b0 = abut_dot(direction, b[0]), b1 = abut_dot(direction, b[1]), b2 = abut_dot(direction, b[2]);
    double high = a0 > a1 ? a0 : a1, low = b0 < b1 ? b0 : b1;
    return (low < b2 ? low : b2) - (high > a2 ? high : a2);
}

// Sets the direction in which the bodies are separated. The points of a small gap determine it badly; the edges of the
// two triangles that are at right angles to it, as far as that can be told, determine it better.
static void set_direction(search *s, const abut_vec3 a[3], const abut_vec3 b[3])
{
    abut_vec3 way = abut_sub(s->best.point_b, s->best.point_a), edges[6], normal = {0.0, 0.0, 0.0};
    double length = abut_norm(way), largest = 0.0;
    int count = 0;
    if (!(length > 0.0)) {
        return;
    }
    way = abut_scale(1.0 / length, way);
    for (int i = 0; i < 6; ++i) {
        const abut_vec3 *t = i < 3 ? a : b;
        abut_vec3 edge = abut_unit(abut_sub(t[(i + 1) % 3], t[i % 3]));
        if (fabs(abut_dot(edge, way)) * length <= s->rounding) {
            edges[count++] = edge;
        }
    }
    for (int i = 0; i < count; ++i) {
        for (int k = i + 1; k < count; ++k) {
            abut_vec3 n = abut_cross(edges[i], edges[k]);
            if (abut_norm_squared(n) > largest) {
                largest = abut_norm_squared(n);
                normal = n;
            }
        }
    }
    if (largest > SINE_SQUARED) {
        normal = abut_scale(1.0 / sqrt(largest), normal);
        way = abut_dot(normal, way) < 0.0 ? abut_negate(normal) : normal;
    } else if (count > 0) {
        way = abut_unit(abut_add_scaled(way, -abut_dot(way, edges[0]), edges[0]));
    }
    s->direction = way;
    abut_vec3 in_a = abut_scale(1.0 - 4.0 * FLT_EPSILON, way), in_b = abut_mat3_apply_transposed(s->rotation, in_a);
    s->in_a[0] = (float)in_a.x, s->in_a[1] = (float)in_a.y, s->in_a[2] = (float)in_a.z;
    s->in_b[0] = (float)in_b.x, s->in_b[1] = (float)in_b.y, s->in_b[2] = (float)in_b.z;
}

// Returns 1 if triangle t is at least as far from the plane of `flat`, on one side of it, as the best pair is apart.
static int is_far_from_plane(const search *s, const abut_vec3 flat[3], const abut_vec3 t[3])
{
    abut_vec3 normal = abut_cross(abut_sub(flat[1], flat[0]), abut_sub(flat[2], flat[0]));
    double h0 = abut_dot(normal, abut_sub(t[0], flat[0])), h1 = abut_dot(normal, abut_sub(t[1], flat[0]));
    double h2 = abut_dot(normal, abut_sub(t[2], flat[0])), least = fabs(h0);
    least = fabs(h1) < least ? fabs(h1) : least;
    least = fabs(h2) < least ? fabs(h2) : least;
    int is_beside = (h0 > 0.0) == (h1 > 0.0) && (h0 > 0.0) == (h2 > 0.0);
    return is_beside && least * least >= s->least_squared * abut_norm_squared(normal);
}

// Returns 1 if a lower bound shows that two triangles are not nearer than the best pair.
static int are_far(const search *s, const abut_vec3 a[3], const abut_vec3 b[3])
{
    return box_squared(a, b) > s->reach * s->reach || gap_along(a, b, s->direction) >= s->best.distance ||
           is_far_from_plane(s, a, b) || is_far_from_plane(s, b, a);
}

static void try_elements(search *s, int element_a, int element_b)
{
    abut_vec3 a[4], b[4], points[2];
    if (!abut_tree_get_corners(s->a, element_a, a) || !abut_tree_get_corners(s->b, element_b, b)) {
        return;
    }
    for (int i = 0; i < 3; ++i) {
        b[i] = abut_add(abut_mat3_apply(s->rotation, b[i]), s->position);
    }
    if (are_far(s, a, b)) {
        return;
    }
    ++s->work;
    double squared = abut_triangle_triangle_distance_squared(a, b, &points[0], &points[1]);
    double distance = sqrt(squared);
    if (squared < s->least_squared && distance <= s->limit) {
        s->least_squared = squared;
        s->best = (abut_tree_gap){element_a, element_b, distance, points[0], points[1]};
        s->is_new = 1;
        s->next_proof = 0;
        set_reach(s, distance);
        set_direction(s, a, b);
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
        s->opened_count += s->opened_count < OPENED_MOST;
        ++s->work;
        return open_pair(s, next.pair, below);
    }
    try_leaves(s, below_a, below_b);
    return 0;
}

// Tries to prove that the best pair is the nearest, by two planes. The visits that a try may take grow with the work
// that the search has done, so the two together take at most a few times as long as the faster one alone.
static void try_proof(search *s)
{
    if (!s->is_new || s->opened_count < s->next_proof || !s->placement.is_rigid) {
        return;
    }
    int most = PROOF_VISITS + PROOF_SHARE * s->opened_count, visits = most;
    abut_vec3 u = s->direction, v = abut_negate(abut_mat3_apply_transposed(s->rotation, u));
    double height_a = abut_dot(u, s->best.point_a), height_b = abut_dot(u, abut_sub(s->position, s->best.point_b));
    // The error of a height is that of three products and of the direction, an eighth of `rounding`.
    double error = 0.125 * s->rounding;
    s->has_proof = abut_tree_is_below(s->a, u, height_a + error, s->rounding, &visits) &&
                   abut_tree_is_below(s->b, v, height_b + error, s->rounding, &visits);
    s->work += most - visits;
    s->is_new = visits <= 0; // not decided: try again
    s->next_proof = visits <= 0 ? 2 * s->opened_count : 0;
}

// Returns 1 if the best pair is known to be the nearest. Meshes that intersect do so whichever pair shows it.
static int is_over(search *s)
{
    if (s->best.element_a >= 0 && s->best.distance > 0.0) {
        try_proof(s);
    }
    return s->has_proof || !(s->best.distance > 0.0);
}

// Searches everything below a pair, depth first.
static void search_below(search *s, visit first)
{
    visit stack[ABUT_TREE_PAIR_STACK];
    int count = 0;
    stack[count++] = first;
    while (count > 0 && !is_over(s)) {
        --count;
        count += visit_pair(s, stack[count], stack + count);
    }
}

static void search_all(search *s)
{
    heap h;
    h.count = 0;
    push_visit(&h, (visit){{ABUT_TREE_ROOT, ABUT_TREE_ROOT}, 0.0f, 0.0f});
    while (h.count > 0 && !is_over(s)) {
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

// Finds a pair to start from: nearest points of A and B in turn, beginning with the middle of B.
static void find_start(search *s)
{
    abut_vec3 middle = abut_box_center(s->b->bounds);
    abut_vec3 point = abut_add(abut_mat3_apply(s->rotation, middle), s->position);
    double limit = HUGE_VAL;
    for (int round = 0; round < START_ROUNDS && s->best.distance > 0.0; ++round) {
        abut_tree_hit on_a = abut_tree_nearest(s->a, point, limit);
        abut_vec3 own = abut_mat3_apply_transposed(s->rotation, abut_sub(on_a.point, s->position));
        abut_tree_hit on_b = on_a.element < 0 ? on_a : abut_tree_nearest(s->b, own, fmin(limit, s->limit));
        if (on_b.element < 0) {
            return;
        }
        double before = s->best.distance;
        try_elements(s, on_a.element, on_b.element);
        if (!(s->best.distance < before)) {
            return;
        }
        limit = s->best.distance;
        point = s->best.point_b;
    }
}

abut_tree_gap abut_tree_find_gap(const abut_tree *a, const abut_tree *b, abut_pose b_to_a, double limit,
                                 int64_t *work)
{
    *work = 0;
    search s = {.a = a, .b = b, .limit = limit, .least_squared = HUGE_VAL};
    s.best = (abut_tree_gap){-1, -1, HUGE_VAL, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (a->kind != ABUT_ELEMENT_TRIANGLE || b->kind != ABUT_ELEMENT_TRIANGLE || a->element_count == 0 ||
        b->element_count == 0 || !(limit >= 0.0) || !abut_tree_place(a, b, b_to_a, limit, &s.placement)) {
        return s.best;
    }
    s.rotation = abut_quat_matrix(b_to_a.rotation);
    s.position = b_to_a.position;
    s.rounding = s.placement.slack / s.placement.scale;
    set_reach(&s, limit);
    if (s.placement.is_rigid) {
        find_start(&s);
    }
    search_all(&s);
    *work = s.work;
    return s.best;
}

abut_tree_gap abut_tree_distance(const abut_tree *a, const abut_tree *b, abut_pose b_to_a, double limit)
{
    int64_t work;
    return abut_tree_find_gap(a, b, b_to_a, limit, &work);
}
