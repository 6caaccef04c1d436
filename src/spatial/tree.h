// SPDX-License-Identifier: MIT
// tree.h: private parts of a box hierarchy
//
// A binary tree. A node holds the boxes of its two children, so a search sees both at once. Two nodes, one of each
// tree, form four pairs, which is the width of the vectors that test them. Each leaf has two elements; only the last
// leaf may have fewer. So the number of nodes below a range of elements is known before the range is split, and nodes
// are stored in depth-first order, left children first, whichever thread builds them.
//
// Besides its box, a child over triangles has a slab, the space between two parallel planes. A surface oblique to the
// axes fills its box but is thin along its mean normal. Slabs separate surfaces that are close and parallel.
//
// Boxes and slabs are float, in units that suit the elements: the origin is the center of their bounds, and a power of
// two scales the size to about 1. So meshes far from their origin lose no resolution, and very small or large meshes
// work too. Both are rounded outward. Queries add the rounding error of their own arithmetic.
#ifndef ABUT_SPATIAL_TREE_H
#define ABUT_SPATIAL_TREE_H

#include <abut/tree.h>
#include <stdint.h>

enum {
    ABUT_TREE_LEAF = 2,    ///< elements of a leaf; tree_cut.c relies on two
    ABUT_TREE_BLOCK = 256, ///< elements of a block, fitted at once: its corners (9 KB) stay in the nearest cache
    ABUT_TREE_FREE_LEVELS = 40, ///< ranges at deeper levels are cut in halves, which bounds the depth
    ABUT_TREE_LEVELS = 72,      ///< bound of the depth: 40 levels, 30 more to halve up to 2^30 elements, and leaves
    ABUT_TREE_LEAST_EXPONENT = -1000, ///< keeps 2^-exponent finite, with room for products
};

typedef struct abut_tree_node {
    float lower[3][2], upper[3][2];     ///< of both children; empty (lower > upper) if no element below is finite
    float normal[3][2];                 ///< unit normal of the slab; zero if there is no slab
    float slab_lower[2], slab_upper[2]; ///< bounds of normal . position
    int child[2];                       ///< a node, or ~(position in `order` of a leaf's first element)
} abut_tree_node;

struct abut_tree {
    abut_context context;
    abut_element_kind kind;
    const int *elements; ///< corners of each element
    int corner_count;    ///< of an element
    int element_count;
    const abut_vec3 *mesh_vertices;
    const abut_vec3 *start, *end; ///< vertices at the start and end of the motion; equal pointers: nothing moves
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

/// Builds a tree over triangles that are not those of a mesh; they may be degenerate. Both arrays must outlive it.
/// Returns ABUT_NO_MEMORY if memory ran out.
abut_status abut_tree_create_over(const abut_context *context, const abut_vec3 *vertices, const int *triangles,
                                  int triangle_count, abut_tree **tree);

/// abut_tree_ray() that sees only the triangles with a number other than 0 in `chosen`; NULL: all.
abut_tree_hit abut_tree_ray_among(const abut_tree *tree, abut_vec3 origin, abut_vec3 direction, double limit,
                                  const unsigned char *chosen);

/// Called with an element.
typedef void abut_element_function(void *user, int element);

/// Finds all elements whose boxes are within `reach` of a point in the mesh's frame.
void abut_tree_near(const abut_tree *tree, abut_vec3 point, double reach, abut_element_function *function,
                    void *user);

/// Chooses bounds, origin and exponent for the current vertices.
void abut_tree_choose_units(abut_tree *tree);

/// The box of an element in the frame of the mesh, at the start and end of its motion. Empty if a corner is not
/// finite.
abut_box abut_tree_element_box(const abut_tree *tree, int element);

/// Builds the nodes over all elements, with boxes and slabs, and fills `order`. Returns 0 if memory ran out.
int abut_tree_link(abut_tree *tree);

/// Fits all boxes and slabs to the current vertices and units.
void abut_tree_fit(abut_tree *tree);

/// First part of abut_tree_fit(): fits a node and all nodes below it. The range must have more than one leaf and at
/// most ABUT_TREE_BLOCK elements.
void abut_tree_fit_block(const abut_tree *tree, int node, abut_tree_range range);

/// Second part of abut_tree_fit(): fits all nodes above the blocks, which must be fitted already.
void abut_tree_fit_above(const abut_tree *tree);

/// Returns 1 if direction . x <= height for all corners x, at the start of their motion. The direction is a unit vector
/// and `slack` bounds the rounding error of such a product. `visits` is the number of nodes and leaves that it may
/// visit and is reduced by those it did; if it becomes 0, the result is 0 too and nothing is known.
int abut_tree_is_below(const abut_tree *tree, abut_vec3 direction, double height, double slack, int *visits);

/// abut_tree_distance() with a count of its work: pairs of nodes opened, pairs of triangles tried, and boxes visited by
/// proofs.
abut_tree_gap abut_tree_find_gap(const abut_tree *a, const abut_tree *b, abut_pose b_to_a, double limit,
                                 int64_t *work);

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

/// Where the range of a node's left child ends, if the node's range begins at `begin`. The right child's index exceeds
/// the node's by the number of leaves on the left.
static inline int abut_tree_middle(const abut_tree *tree, int node, int begin)
{
    int right = tree->nodes[node].child[1];
    return abut_tree_is_leaf(right) ? ~right : begin + (right - node) * ABUT_TREE_LEAF;
}

/// Gets the corners of an element at the start of its motion. Returns 0 if a corner, there or at the end, is not
/// finite.
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

/// The exponent e with 1/2 <= length / 2^e < 1, at least ABUT_TREE_LEAST_EXPONENT.
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
