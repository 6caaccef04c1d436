// SPDX-License-Identifier: MIT
// tree.h: private parts of a box hierarchy
//
// A binary tree. A node holds the boxes of its two children, so that a search sees both at once; two nodes, one of
// each tree, are four pairs, which is as wide as the vectors that test them. Leaves have two elements, of all
// leaves only the last may have fewer: so the number of nodes below a range of elements is known before it is
// split, and nodes are stored in the order of a walk, left children first, whoever makes them.
//
// Besides its box a child over triangles has a slab, the room between two planes: a surface that lies oblique to
// the axes fills its box, but is thin along its mean normal. Slabs keep surfaces apart that are near and parallel.
//
// Boxes and slabs are float, in units that suit the elements: the origin is the middle of all of them, and the size
// is scaled to about 1 by a power of two. So meshes far from their origin lose no resolution, and none is too small
// or too large. Both are rounded outward. Queries add what their own arithmetic may lose.
#ifndef ABUT_SPATIAL_TREE_H
#define ABUT_SPATIAL_TREE_H

#include <abut/tree.h>

enum {
    ABUT_TREE_LEAF = 2,               ///< elements of a leaf
    ABUT_TREE_BLOCK = 256,            ///< elements of a block, which is fitted at once, at most
    ABUT_TREE_FREE_LEVELS = 40,       ///< below these, ranges are cut in halves, which bounds the depth
    ABUT_TREE_LEVELS = 72,            ///< depth of any tree, at most
    ABUT_TREE_LEAST_EXPONENT = -1000, ///< below this, 2^-exponent would overflow
};

typedef struct abut_tree_node {
    float lower[3][2], upper[3][2];     ///< of both children; empty (lower > upper) where nothing below is finite
    float normal[3][2];                 ///< unit, of the slab; zero where there is no slab
    float slab_lower[2], slab_upper[2]; ///< normal . position, within
    int child[2];                       ///< a node, or ~ the first position of a leaf in `order`
} abut_tree_node;

struct abut_tree {
    abut_context context;
    abut_element_kind kind;
    const int *elements; ///< corners of each element
    int corner_count;    ///< of an element
    int element_count;
    const abut_vec3 *mesh_vertices;
    const abut_vec3 *start, *end; ///< the vertices that the boxes are fitted to; the same where nothing moves
    abut_tree_node *nodes;        ///< the first is the root
    int node_count;
    int *order; ///< the elements, leaf by leaf
    int depth;
    abut_box bounds;  ///< of all elements with finite coordinates
    abut_vec3 origin; ///< box = (position - origin) / 2^exponent
    int exponent;
};

/// The elements of a leaf: positions in `order`.
typedef struct abut_tree_range {
    int begin, end;
} abut_tree_range;

/// Chooses origin and exponent by the current vertices.
void abut_tree_choose_units(abut_tree *tree);

/// The box of an element in the frame of the mesh, over its whole way; empty if something is not finite.
abut_box abut_tree_element_box(const abut_tree *tree, int element);

/// Links the nodes over all elements, fills `order` and sets boxes and slabs. Returns 0 if memory ran out.
int abut_tree_link(abut_tree *tree);

/// Sets all boxes and slabs by the current vertices and units.
void abut_tree_fit(abut_tree *tree);

/// The parts of abut_tree_fit(): a node and all below it, over more than one leaf and at most ABUT_TREE_BLOCK
/// elements.
void abut_tree_fit_block(const abut_tree *tree, int node, abut_tree_range range);

/// And all nodes over more elements, when those of at most so many are done.
void abut_tree_fit_above(const abut_tree *tree);

/// Nodes of a tree over `count` elements.
static inline int abut_tree_count_nodes(int count)
{
    int leaves = count / ABUT_TREE_LEAF + (count % ABUT_TREE_LEAF != 0);
    return leaves > 2 ? leaves - 1 : leaves > 0;
}

static inline int abut_tree_is_leaf(int child)
{
    return child < 0;
}

static inline abut_tree_range abut_tree_leaf_range(const abut_tree *tree, int child)
{
    int begin = ~child, rest = tree->element_count - begin;
    abut_tree_range range = {begin, begin + (rest < ABUT_TREE_LEAF ? rest : ABUT_TREE_LEAF)};
    return range;
}

/// The corners of an element where its way starts. Returns 0 if one of them, there or at the end, is not finite.
static inline int abut_tree_get_corners(const abut_tree *tree, int element, abut_vec3 corners[4])
{
    const int *vertices = tree->elements + (size_t)element * (size_t)tree->corner_count;
    int is_finite = 1;
    for (int i = 0; i < tree->corner_count; ++i) {
        corners[i] = tree->start[vertices[i]];
        is_finite &= abut_is_finite(corners[i]);
    }
    for (int i = 0; i < tree->corner_count && tree->end != tree->start; ++i) {
        is_finite &= abut_is_finite(tree->end[vertices[i]]);
    }
    return is_finite;
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
