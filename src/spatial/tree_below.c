// SPDX-License-Identifier: MIT
// tree_below.c: whether all elements of a tree are on one side of a plane
//
// Visits boxes from high to low, so that an element in front of the plane is found soon. Boxes behind the plane are
// skipped. Elements that are level with the plane up to the rounding of boxes are all looked at: if a child is as thin
// along the direction as that rounding, no box below it can tell more, and its elements are looked at one after the
// other, without its nodes.
#include "spatial/tree.h"

// The extent of direction . x over a child, in units of the tree; rounded outward as boxes are.
typedef struct extent {
    double bottom, top;
} extent;

// A node or leaf, with the positions of its elements in the order of the tree.
typedef struct child {
    int node;
    int is_thin;
    abut_tree_range range;
} child;

// A length in units of the tree: a child this thin is flat and level as far as floats can tell. Its slab has a pad of
// 2e-6 on both sides (tree_fit.c); the rest is for the rounding of its normal and the box.
static const double THIN = 8e-6;

// Elements that are looked at in the time of one visit to a node.
enum { ELEMENTS_A_VISIT = 4 };

// With n the normal of the slab and c = direction . n, direction . x = c (n . x) + (direction - c n) . x: the slab
// bounds the first term, the box the second.
static extent child_extent(const abut_tree_node *node, int side, const double direction[3])
{
    double along = 0.0;
    extent box = {0.0, 0.0}, both = {0.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        along += direction[i] * (double)node->normal[i][side];
    }
    for (int i = 0; i < 3; ++i) {
        double lower = (double)node->lower[i][side], upper = (double)node->upper[i][side], d = direction[i];
        double r = d - along * (double)node->normal[i][side];
        box.bottom += d > 0.0 ? d * lower : d * upper;
        box.top += d > 0.0 ? d * upper : d * lower;
        both.bottom += r > 0.0 ? r * lower : r * upper;
        both.top += r > 0.0 ? r * upper : r * lower;
    }
    if (along == 0.0) {
        return box;
    }
    both.bottom += along * (double)(along > 0.0 ? node->slab_lower[side] : node->slab_upper[side]);
    both.top += along * (double)(along > 0.0 ? node->slab_upper[side] : node->slab_lower[side]);
    return (extent){box.bottom > both.bottom ? box.bottom : both.bottom, box.top < both.top ? box.top : both.top};
}

// Elements that are not finite do not count.
static int is_above(const abut_tree *tree, int element, abut_vec3 direction, double height)
{
    abut_vec3 corners[4];
    double top = -HUGE_VAL;
    for (int k = 0; k < tree->corner_count; ++k) {
        double h = abut_dot(direction,
                            tree->start[tree->elements[(size_t)element * (size_t)tree->corner_count + (size_t)k]]);
        top = h > top ? h : top;
    }
    return top > height && abut_tree_get_corners(tree, element, corners);
}

// Returns 1 if all elements of a range are below the plane.
static int range_is_below(const abut_tree *tree, abut_tree_range range, abut_vec3 direction, double height)
{
    int i = range.begin;
    while (i < range.end && !is_above(tree, tree->order[i], direction, height)) {
        ++i;
    }
    return i == range.end;
}

// Adds the children of a node that reach above the limit, the highest last. Returns their number.
static int open_node(const abut_tree *tree, child at, const double direction[3], double limit, child below[2])
{
    const abut_tree_node *node = &tree->nodes[at.node];
    int middle = abut_tree_middle(tree, at.node, at.range.begin), count = 0;
    const abut_tree_range ranges[2] = {{at.range.begin, middle}, {middle, at.range.end}};
    // not a number if a box is empty
    const extent extents[2] = {child_extent(node, 0, direction), child_extent(node, 1, direction)};
    int highest = !(extents[0].top >= extents[1].top);
    for (int i = 0; i < 2; ++i) {
        int side = i == 0 ? !highest : highest;
        if (extents[side].top > limit) {
            int is_thin = extents[side].top - extents[side].bottom <= THIN;
            below[count++] = (child){node->child[side], is_thin, ranges[side]};
        }
    }
    return count;
}

int abut_tree_is_below(const abut_tree *tree, abut_vec3 direction, double height, double slack, int *visits)
{
    const double unit = ldexp(1.0, -tree->exponent), d[3] = {direction.x, direction.y, direction.z};
    double limit = unit * (height - abut_dot(direction, tree->origin) - slack);
    child stack[ABUT_TREE_LEVELS + 2];
    int count = 0;
    stack[count++] = (child){0, 0, {0, tree->element_count}};
    while (count > 0) {
        child at = stack[--count];
        int is_range = at.is_thin || abut_tree_is_leaf(at.node);
        *visits -= 1 + (is_range ? (at.range.end - at.range.begin) / ELEMENTS_A_VISIT : 0);
        if (*visits <= 0) {
            return 0;
        }
        if (!is_range) {
            count += open_node(tree, at, d, limit, stack + count);
        } else if (!range_is_below(tree, at.range, direction, height)) {
            return 0;
        }
    }
    return 1;
}
