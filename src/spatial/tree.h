// SPDX-License-Identifier: MIT
// tree.h: the inside of a box hierarchy
//
// A binary tree with one element in each leaf, split in halves, so that its depth is the logarithm of the count and a search
// needs a small fixed stack. Nodes are stored in the order of a walk: the left child follows its parent.
//
// Boxes are float, in units that suit the elements: the origin is the middle of all of them, and the size is scaled to
// about 1 by a power of two. So meshes far from their origin lose no resolution, and none is too small or too large.
// Boxes are rounded outward. Queries add what their own arithmetic in double may lose.
#ifndef ABUT_SPATIAL_TREE_H
#define ABUT_SPATIAL_TREE_H

#include <abut/tree.h>

enum {
    ABUT_TREE_LEVELS = 32,           ///< depth of the largest tree, at most
    ABUT_TREE_LEAST_EXPONENT = -1000 ///< below this, 2^-exponent would overflow
};

typedef struct abut_tree_node {
    float lower[3], upper[3]; ///< empty (lower > upper) where no element has finite coordinates
    int link;                 ///< inner node: the right child; leaf: ~element
} abut_tree_node;

struct abut_tree {
    abut_context context;
    abut_element_kind kind;
    const int *elements; ///< corners of each element
    int corner_count;    ///< of an element
    int element_count;
    const abut_vec3 *mesh_vertices;
    const abut_vec3 *start, *end; ///< the vertices that the boxes are fitted to; the same where nothing moves
    abut_tree_node *nodes;
    int node_count;
    int depth;
    abut_box bounds;  ///< of all elements with finite coordinates
    abut_vec3 origin; ///< box = (position - origin) / 2^exponent
    int exponent;
};

/// Chooses origin and exponent by the current vertices.
void abut_tree_choose_units(abut_tree *tree);

/// The box of an element in the units of the tree.
void abut_tree_element_box(const abut_tree *tree, int element, float lower[3], float upper[3]);

/// Links the nodes over all elements; boxes are set by abut_tree_fit(). Returns 0 where memory ran out.
int abut_tree_link(abut_tree *tree);

/// Sets all boxes by the current vertices and units.
void abut_tree_fit(abut_tree *tree);

static inline int abut_tree_is_leaf(const abut_tree_node *node)
{
    return node->link < 0;
}

/// The exponent that brings a length below 1 and to at least 1/2; the least for 0.
static inline int abut_tree_exponent_of(double length)
{
    int exponent = ABUT_TREE_LEAST_EXPONENT;
    if (length > 0.0) {
        (void)frexp(length, &exponent);
    }
    return exponent > ABUT_TREE_LEAST_EXPONENT ? exponent : ABUT_TREE_LEAST_EXPONENT;
}

static inline int abut_tree_exponent_of_vec3(abut_vec3 v)
{
    return abut_tree_exponent_of(abut_max_component(abut_abs(v)));
}

static inline int abut_tree_max_int(int a, int b)
{
    return a > b ? a : b;
}

/// |x| + |y| + |z|
static inline double abut_tree_sum_abs(abut_vec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

#endif
