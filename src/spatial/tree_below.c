// SPDX-License-Identifier: MIT
// tree_below.c: whether all elements of a tree are on one side of a plane
//
// Visits boxes from high to low, so that an element in front of the plane is found soon. Boxes behind the plane are
// skipped. Elements that are level with the plane up to the rounding of boxes are all looked at.
#include "spatial/tree.h"

// Upper bound of direction . x over a child, in units of the tree. With n the normal of the slab and c = direction . n,
// direction . x = c (n . x) + (direction - c n) . x: the slab bounds the first term, the box the second.
static double child_top(const abut_tree_node *node, int side, const double direction[3])
{
    double along = 0.0, box = 0.0, rest = 0.0;
    for (int i = 0; i < 3; ++i) {
        along += direction[i] * (double)node->normal[i][side];
    }
    for (int i = 0; i < 3; ++i) {
        double lower = (double)node->lower[i][side], upper = (double)node->upper[i][side], d = direction[i];
        double r = d - along * (double)node->normal[i][side];
        box += d > 0.0 ? d * upper : d * lower;
        rest += r > 0.0 ? r * upper : r * lower;
    }
    double slab = (double)(along > 0.0 ? node->slab_upper[side] : node->slab_lower[side]);
    double both = along != 0.0 ? along * slab + rest : box;
    return box < both ? box : both;
}

static int leaf_is_below(const abut_tree *tree, int leaf, abut_vec3 direction, double height)
{
    abut_tree_range range = abut_tree_leaf_range(tree, leaf);
    for (int i = range.begin; i < range.end; ++i) {
        abut_vec3 corners[4];
        if (!abut_tree_get_corners(tree, tree->order[i], corners)) {
            continue;
        }
        for (int k = 0; k < tree->corner_count; ++k) {
            if (abut_dot(direction, corners[k]) > height) {
                return 0;
            }
        }
    }
    return 1;
}

int abut_tree_is_below(const abut_tree *tree, abut_vec3 direction, double height, double slack, int *visits)
{
    const double unit = ldexp(1.0, -tree->exponent), d[3] = {direction.x, direction.y, direction.z};
    double limit = unit * (height - abut_dot(direction, tree->origin) - slack);
    int stack[ABUT_TREE_LEVELS + 2], count = 0;
    stack[count++] = 0;
    while (count > 0) {
        int child = stack[--count];
        if (--*visits <= 0) {
            return 0;
        }
        if (abut_tree_is_leaf(child)) {
            if (!leaf_is_below(tree, child, direction, height)) {
                return 0;
            }
            continue;
        }
        const abut_tree_node *node = &tree->nodes[child];
        const double tops[2] = {child_top(node, 0, d), child_top(node, 1, d)}; // NaN or -inf if a box is empty
        int highest = !(tops[0] >= tops[1]);
        if (tops[!highest] > limit) {
            stack[count++] = node->child[!highest];
        }
        if (tops[highest] > limit) {
            stack[count++] = node->child[highest];
        }
    }
    return 1;
}
