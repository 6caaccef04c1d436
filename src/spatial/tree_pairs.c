// SPDX-License-Identifier: MIT
// tree_pairs.c: pairs of elements, of two trees or of one, whose boxes overlap or that intersect
//
// The search opens two nodes together, which gives four pairs of boxes to test at once, or only one node if it is much
// larger. At a pair of leaves it tests the elements: their boxes in double precision or, if intersections are wanted,
// the triangles themselves.
#include "spatial/tree_place.h"

#include "prim/triangle_triangle.h"

#include <float.h>

typedef struct search search;

// Tests the elements of two leaves, which may be the same leaf in a self search. A result other than 0 ends the
// search.
typedef int leaf_test(search *s, int leaf_a, int leaf_b);

// The triangles of a leaf in A's frame.
typedef struct placed_leaf {
    int leaf; // as in a node; 0: none yet
    int count;
    int elements[ABUT_TREE_LEAF];
    abut_vec3 corners[ABUT_TREE_LEAF][3];
    abut_box boxes[ABUT_TREE_LEAF];
} placed_leaf;

struct search {
    const abut_tree *a, *b;
    int is_self; // 1: A is B, in place; report each pair once and no element with itself
    abut_tree_placement placement;
    float reach;          // largest gap of boxes, in common units
    double element_reach; // largest gap of elements' boxes, in common units
    leaf_test *test;
    abut_pair_function *function;
    void *user;
    double margin;              // in the caller's units
    placed_leaf leaf_a, leaf_b; // for intersections and self searches: the last leaves; pairs often share one
    // for intersections only:
    abut_mat3 rotation;
    abut_vec3 position;
};

// Returns the mask of the lanes whose boxes are within reach.
static int find_near(const abut_tree_placement *p, const abut_tree_lanes *lanes, float reach)
{
    abut_float4 limit = abut_float4_all(reach);
    int mask = lanes->mask;
    for (int i = 0; i < 3; ++i) {
        mask &= abut_float4_at_most(abut_tree_gap_along_a(p, lanes, i), limit);
    }
    if (!p->is_rigid || mask == 0) {
        return mask;
    }
    for (int i = 0; i < 3; ++i) {
        mask &= abut_float4_at_most(abut_tree_gap_along_b(p, lanes, i), limit);
    }
    return mask != 0 ? mask & abut_float4_at_most(abut_tree_gap_along_normals(p, lanes), limit) : 0;
}

// Pushes the pairs below on the stack, the first one on top. Returns the new size of the stack.
static int open_pair(const search *s, abut_tree_child_pair pair, abut_tree_child_pair *stack, int count)
{
    abut_tree_lanes lanes;
    abut_tree_child_pair first = abut_tree_open(s->a, s->b, &s->placement, pair, &lanes);
    if (s->is_self && pair.a == pair.b) {
        lanes.mask &= ~4; // lane 2 is lane 1 with A and B swapped
    }
    int near = find_near(&s->placement, &lanes, s->reach);
    for (int lane = 3; lane >= 0; --lane) {
        if (near >> lane & 1) {
            stack[count++] = (abut_tree_child_pair){first.a + (lane >> 1), first.b + (lane & 1)};
        }
    }
    return count;
}

static int run_search(search *s)
{
    abut_tree_child_pair stack[ABUT_TREE_PAIR_STACK];
    int count = 0, result = 0;
    stack[count++] = (abut_tree_child_pair){ABUT_TREE_ROOT, ABUT_TREE_ROOT};
    while (count > 0 && result == 0) {
        abut_tree_child_pair pair = stack[--count];
        int below_a = abut_tree_below(s->a, pair.a), below_b = abut_tree_below(s->b, pair.b);
        if (abut_tree_is_leaf(below_a) && abut_tree_is_leaf(below_b)) {
            result = s->test(s, below_a, below_b);
        } else {
            count = open_pair(s, pair, stack, count);
        }
    }
    return result;
}

// Prepares a search. Returns 0 if there is nothing to find.
static int start_search(search *s, abut_pose b_to_a, double margin)
{
    if (s->a->element_count == 0 || s->b->element_count == 0 || isnan(margin) ||
        !abut_tree_place(s->a, s->b, b_to_a, margin, &s->placement)) {
        return 0;
    }
    s->margin = margin;
    s->element_reach = s->placement.scale * margin + s->placement.slack;
    s->reach = nextafterf((float)(s->placement.scale * margin), HUGE_VALF) + s->placement.float_slack;
    s->rotation = abut_quat_matrix(b_to_a.rotation);
    s->position = b_to_a.position;
    return 1;
}

// ---- pairs of boxes

// Returns 1 if two boxes are within a margin of each other along every axis. Comparisons with NaN are false, so empty
// boxes meet nothing.
static int boxes_are_near(const abut_box *a, const abut_box *b, double margin)
{
    return a->lower.x - b->upper.x <= margin && b->lower.x - a->upper.x <= margin &&
           a->lower.y - b->upper.y <= margin && b->lower.y - a->upper.y <= margin &&
           a->lower.z - b->upper.z <= margin && b->lower.z - a->upper.z <= margin;
}

// Tests the boxes of two elements in double precision.
static int is_near(const search *s, int element_a, int element_b)
{
    const abut_tree_placement *p = &s->placement;
    abut_box box_a = abut_tree_element_box(s->a, element_a), box_b = abut_tree_element_box(s->b, element_b);
    abut_vec3 lower_a = abut_scale(p->scale, abut_sub(box_a.lower, s->a->origin));
    abut_vec3 upper_a = abut_scale(p->scale, abut_sub(box_a.upper, s->a->origin));
    abut_vec3 lower_b = abut_scale(p->scale, abut_sub(box_b.lower, s->b->origin));
    abut_vec3 upper_b = abut_scale(p->scale, abut_sub(box_b.upper, s->b->origin));
    abut_vec3 center_a = abut_scale(0.5, abut_add(lower_a, upper_a)), half_a = abut_sub(upper_a, center_a);
    abut_vec3 center_b = abut_scale(0.5, abut_add(lower_b, upper_b)), half_b = abut_sub(upper_b, center_b);
    const double centers[3] = {center_a.x, center_a.y, center_a.z}, halves[3] = {half_a.x, half_a.y, half_a.z};
    for (int i = 0; i < 3; ++i) {
        const double *r = p->rotation[i];
        double center = r[0] * center_b.x + r[1] * center_b.y + r[2] * center_b.z + p->offset[i];
        double half = fabs(r[0]) * half_b.x + fabs(r[1]) * half_b.y + fabs(r[2]) * half_b.z;
        if (!(fabs(centers[i] - center) <= halves[i] + half + s->element_reach)) {
            return 0;
        }
    }
    return 1;
}

static int test_boxes(search *s, int leaf_a, int leaf_b)
{
    abut_tree_range range_a = abut_tree_leaf_range(s->a, leaf_a), range_b = abut_tree_leaf_range(s->b, leaf_b);
    int result = 0;
    for (int i = range_a.begin; i < range_a.end && result == 0; ++i) {
        for (int k = range_b.begin; k < range_b.end && result == 0; ++k) {
            if (is_near(s, s->a->order[i], s->b->order[k])) {
                result = s->function(s->user, s->a->order[i], s->b->order[k]);
            }
        }
    }
    return result;
}

// The boxes of the elements of a leaf, of the tree of a self search.
static void box_leaf(const search *s, int leaf, placed_leaf *placed)
{
    abut_tree_range range = abut_tree_leaf_range(s->a, leaf);
    placed->leaf = leaf;
    placed->count = range.end - range.begin;
    for (int i = range.begin; i < range.end; ++i) {
        placed->elements[i - range.begin] = s->a->order[i];
        placed->boxes[i - range.begin] = abut_tree_element_box(s->a, s->a->order[i]);
    }
}

// The same in one tree: both elements are in place, so that boxes can be compared as they are, and each is found once for
// all pairs of a leaf that follow each other.
static int test_self_boxes(search *s, int leaf_a, int leaf_b)
{
    if (s->leaf_a.leaf != leaf_a) {
        box_leaf(s, leaf_a, &s->leaf_a);
    }
    int is_same = leaf_a == leaf_b, result = 0;
    if (!is_same && s->leaf_b.leaf != leaf_b) {
        box_leaf(s, leaf_b, &s->leaf_b);
    }
    const placed_leaf *other = is_same ? &s->leaf_a : &s->leaf_b;
    for (int i = 0; i < s->leaf_a.count && result == 0; ++i) {
        for (int k = is_same ? i + 1 : 0; k < other->count && result == 0; ++k) {
            if (boxes_are_near(&s->leaf_a.boxes[i], &other->boxes[k], s->margin)) {
                int a = s->leaf_a.elements[i], b = other->elements[k];
                result = s->function(s->user, a < b ? a : b, a < b ? b : a);
            }
        }
    }
    return result;
}

int abut_tree_pairs(const abut_tree *a, const abut_tree *b, abut_pose b_to_a, double margin,
                    abut_pair_function *function, void *user)
{
    search s = {.a = a, .b = b, .test = test_boxes, .function = function, .user = user};
    return start_search(&s, b_to_a, margin) ? run_search(&s) : 0;
}

int abut_tree_self_pairs(const abut_tree *tree, double margin, abut_pair_function *function, void *user)
{
    search s = {.a = tree, .b = tree, .is_self = 1, .test = test_self_boxes, .function = function, .user = user};
    return start_search(&s, abut_pose_identity(), margin) ? run_search(&s) : 0;
}

// ---- pairs that intersect

// Moves the triangles of a leaf to A's frame. Leaves out triangles that are not finite.
static void place_leaf(const search *s, const abut_tree *tree, int leaf, int is_b, placed_leaf *placed)
{
    abut_tree_range range = abut_tree_leaf_range(tree, leaf);
    placed->leaf = leaf;
    placed->count = 0;
    for (int i = range.begin; i < range.end; ++i) {
        abut_vec3 corners[4], *t = placed->corners[placed->count];
        if (!abut_tree_get_corners(tree, tree->order[i], corners)) {
            continue;
        }
        for (int k = 0; k < 3; ++k) {
            t[k] = is_b ? abut_add(abut_mat3_apply(s->rotation, corners[k]), s->position) : corners[k];
        }
        abut_box box = {abut_min(abut_min(t[0], t[1]), t[2]), abut_max(abut_max(t[0], t[1]), t[2])};
        placed->boxes[placed->count] = box;
        placed->elements[placed->count++] = tree->order[i];
    }
}

static int are_triangles_near(const search *s, const abut_vec3 a[3], const abut_vec3 b[3])
{
    abut_vec3 point_a, point_b;
    if (!(s->margin > 0.0)) {
        return abut_triangles_intersect(a, b);
    }
    return abut_triangle_triangle_distance_squared(a, b, &point_a, &point_b) <= s->margin * s->margin;
}

static int test_triangles(search *s, int leaf_a, int leaf_b)
{
    if (s->leaf_a.leaf != leaf_a) {
        place_leaf(s, s->a, leaf_a, 0, &s->leaf_a);
    }
    if (s->leaf_b.leaf != leaf_b) {
        place_leaf(s, s->b, leaf_b, 1, &s->leaf_b);
    }
    const placed_leaf *a = &s->leaf_a, *b = &s->leaf_b;
    int result = 0;
    for (int i = 0; i < a->count && result == 0; ++i) {
        for (int k = 0; k < b->count && result == 0; ++k) {
            if (boxes_are_near(&a->boxes[i], &b->boxes[k], s->margin * (1.0 + 4.0 * DBL_EPSILON)) &&
                are_triangles_near(s, a->corners[i], b->corners[k])) {
                result = s->function(s->user, a->elements[i], b->elements[k]);
            }
        }
    }
    return result;
}

int abut_tree_intersections(const abut_tree *a, const abut_tree *b, abut_pose b_to_a, double envelope,
                            abut_pair_function *function, void *user)
{
    search s = {.a = a, .b = b, .test = test_triangles, .function = function, .user = user};
    int is_known = a->kind == ABUT_ELEMENT_TRIANGLE && b->kind == ABUT_ELEMENT_TRIANGLE && envelope >= 0.0;
    return is_known && start_search(&s, b_to_a, envelope) ? run_search(&s) : 0;
}
