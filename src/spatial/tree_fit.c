// SPDX-License-Identifier: MIT
// tree_fit.c: fits the boxes and slabs of a tree
//
// A block is a subtree of at most a few hundred elements. In a block, everything is fitted to the corners themselves,
// which are read once. Blocks are independent of each other. Above them, a box is the union of two boxes, and a slab
// follows from two slabs and boxes. It is exact if the surface is flat, and somewhat thicker if it bends.
//
// A slab is along the mean normal of its triangles, whichever side of their planes they face. For any c,
// normal . x = c (n . x) + (normal - c n) . x. A slab with normal n bounds the first term and a box bounds the second.
// So both together bound x along any other normal, and tightly if the normals are close.
#include "spatial/tree.h"

#include "base/context.h"
#include "spatial/tree_corners.h"

#include <assert.h>
#include <float.h>

enum {
    BLOCK_LEAVES = ABUT_TREE_BLOCK / ABUT_TREE_LEAF,
    BLOCK_CORNERS = 3 * ABUT_TREE_BLOCK,
    GRAIN = 4096, // nodes that one thread takes at once: enough work to outweigh the scheduling
};

// A length in units of the tree: bounds the rounding error of normal . x in float for |x| < 2. 16 FLT_EPSILON cover
// the rounding of x, of the normal, and of the products and sums.
static const float SLAB_PAD = 2e-6f;

// Twice an area in units of the tree: a shorter normal gives no slab, since there is no area. The squares of shorter
// ones would be denormal floats.
static const float LEAST_NORMAL = 1e-18f;

// A length in units of the tree: added to boxes besides one ulp, so that no box has a denormal size.
static const float BOX_PAD = 0x1p-100f;

// The box and normal of a range: a leaf, or everything below a node.
typedef struct cover {
    abut_float4 lower, upper; // rounded outward; empty if no element is finite
    abut_float4 normal;       // sum of the normals of its triangles, each as long as twice the area
    abut_tree_range range;
} cover;

typedef struct block {
    const abut_tree *tree;
    double scale;
    abut_tree_range range;
    int corner_count; // of each element, including those at the end of its motion
    // The corners of all triangles in order, NaN for triangles that are not finite. One extra, so that writes of four
    // floats fit.
    float x[BLOCK_CORNERS + 1], y[BLOCK_CORNERS + 1], z[BLOCK_CORNERS + 1];
} block;

// Most elements of a block. Triangles that move have twice as many corners to store.
static int block_size(const abut_tree *tree)
{
    return tree->end != tree->start ? ABUT_TREE_BLOCK / 2 : ABUT_TREE_BLOCK;
}

static abut_tree_range range_of(const abut_tree *tree, int node)
{
    int first = node, last = node;
    while (!abut_tree_is_leaf(first)) {
        first = tree->nodes[first].child[0];
    }
    while (!abut_tree_is_leaf(last)) {
        last = tree->nodes[last].child[1];
    }
    abut_tree_range range = {~first, abut_tree_leaf_range(tree, last).end};
    return range;
}

static int count_of(const abut_tree *tree, int node)
{
    abut_tree_range range = range_of(tree, node);
    return range.end - range.begin;
}

// ---- blocks

static cover cover_nothing(void)
{
    cover nothing = {abut_float4_all(HUGE_VALF), abut_float4_all(-HUGE_VALF), abut_float4_all(0.0f), {0, 0}};
    return nothing;
}

// The sum of two normals, or their difference if they point to opposite sides: both sides of a thin plate have one
// slab.
static abut_float4 add_normals(abut_float4 a, abut_float4 b)
{
    float products[4];
    abut_float4_store(products, abut_float4_mul(a, b));
    return products[0] + products[1] + products[2] < 0.0f ? abut_float4_sub(a, b) : abut_float4_add(a, b);
}

static cover join_covers(const cover *a, const cover *b)
{
    cover joined = {abut_float4_min(a->lower, b->lower),
                    abut_float4_max(a->upper, b->upper),
                    add_normals(a->normal, b->normal),
                    {a->range.begin, b->range.end}};
    return joined;
}

// Stores the corners of a triangle from index `at` on. A fourth value is a copy, which the next triangle overwrites.
static void keep_corners(block *b, int at, const abut_float4 corners[3])
{
    const abut_float4 rows[4] = {corners[0], corners[1], corners[2], corners[2]};
    abut_float4 columns[3];
    abut_float4_transpose(rows, columns);
    abut_float4_store(b->x + at, columns[0]);
    abut_float4_store(b->y + at, columns[1]);
    abut_float4_store(b->z + at, columns[2]);
}

// Adds an element to the cover of its leaf. `i` is its position in the order of the tree.
static inline void read_element(block *b, int corner_count, int is_surface, int i, cover *leaf)
{
    const abut_tree *tree = b->tree;
    abut_float4 corners[ABUT_TREE_CORNERS];
    if (!abut_tree_place_corners(tree, corner_count, b->scale, tree->order[i], corners)) {
        for (int k = 0; k < corner_count; ++k) {
            corners[k] = abut_float4_all(NAN);
        }
    } else if (is_surface) {
        leaf->normal = add_normals(leaf->normal, abut_float4_cross(abut_float4_sub(corners[1], corners[0]),
                                                                   abut_float4_sub(corners[2], corners[0])));
    }
    for (int k = 0; k < corner_count; ++k) {
        leaf->lower = abut_float4_min(corners[k], leaf->lower); // a NaN corner changes nothing
        leaf->upper = abut_float4_max(corners[k], leaf->upper);
    }
    for (int k = 0; k < corner_count && is_surface; k += 3) {
        keep_corners(b, (i - b->range.begin) * corner_count + k, corners + k);
    }
}

// Rounds a box outward by at least one ulp. An empty box stays empty.
static void round_outward(cover *c)
{
    if ((abut_float4_at_most(c->lower, c->upper) & 1) != 0) {
        abut_float4 step = abut_float4_all(0x1p-23f), pad = abut_float4_all(BOX_PAD);
        c->lower =
            abut_float4_sub(c->lower, abut_float4_add(abut_float4_mul(abut_float4_abs(c->lower), step), pad));
        c->upper =
            abut_float4_add(c->upper, abut_float4_add(abut_float4_mul(abut_float4_abs(c->upper), step), pad));
    }
}

static inline void read_elements(block *b, int corner_count, int is_surface, cover *leaf)
{
    for (int begin = b->range.begin; begin < b->range.end; begin += ABUT_TREE_LEAF, ++leaf) {
        cover read = cover_nothing();
        read.range = abut_tree_leaf_range(b->tree, ~begin);
        for (int i = read.range.begin; i < read.range.end; ++i) {
            read_element(b, corner_count, is_surface, i, &read);
        }
        round_outward(&read);
        *leaf = read;
    }
}

// Reads all elements of a range, which must begin with a leaf. `leaves` receives the covers of its leaves.
static void read_leaves(block *b, const abut_tree *tree, abut_tree_range range, cover *leaves)
{
    b->tree = tree;
    b->range = range;
    b->scale = ldexp(1.0, -tree->exponent);
    b->corner_count = abut_tree_count_corners(tree);
    if (tree->kind == ABUT_ELEMENT_TRIANGLE && abut_tree_has_still_triangles(tree)) {
        read_elements(b, 3, 1, leaves);
    } else {
        read_elements(b, b->corner_count, tree->kind == ABUT_ELEMENT_TRIANGLE, leaves);
    }
}

static void clear_slab(abut_tree_node *node, int side)
{
    for (int k = 0; k < 3; ++k) {
        node->normal[k][side] = 0.0f;
    }
    node->slab_lower[side] = node->slab_upper[side] = 0.0f;
}

typedef struct heights {
    abut_float4 least, greatest;
} heights;

// Adds the heights of four corners along a normal.
static inline heights add_heights(heights h, const block *b, const abut_float4 normal[3], int at)
{
    abut_float4 height = abut_float4_add(abut_float4_add(abut_float4_mul(normal[0], abut_float4_load(b->x + at)),
                                                         abut_float4_mul(normal[1], abut_float4_load(b->y + at))),
                                         abut_float4_mul(normal[2], abut_float4_load(b->z + at)));
    h.least = abut_float4_min(height, h.least); // a NaN height changes nothing
    h.greatest = abut_float4_max(height, h.greatest);
    return h;
}

// Fits the slab of a child, whose normal is set, to the corners of its triangles.
static inline void measure_slab(const block *b, abut_tree_range range, abut_tree_node *node, int side)
{
    int begin = (range.begin - b->range.begin) * b->corner_count,
        end = (range.end - b->range.begin) * b->corner_count;
    const abut_float4 normal[3] = {abut_float4_all(node->normal[0][side]), abut_float4_all(node->normal[1][side]),
                                   abut_float4_all(node->normal[2][side])};
    heights h = {abut_float4_all(HUGE_VALF), abut_float4_all(-HUGE_VALF)};
    // The last four corners may overlap those before them. A single triangle has a copy of its last corner behind it.
    int last = end - begin < 4 ? begin : end - 4;
    for (int i = begin; i < last; i += 4) {
        h = add_heights(h, b, normal, i);
    }
    h = add_heights(h, b, normal, last);
    node->slab_lower[side] = abut_float4_least(h.least) - SLAB_PAD;
    node->slab_upper[side] = abut_float4_greatest(h.greatest) + SLAB_PAD;
}

static_assert(sizeof(float[3][2]) == 6 * sizeof(float), "x and y of both sides are next to each other");

// Stores x, y and z of both sides.
static void store_sides(float rows[3][2], abut_float4 xy, abut_float4 z)
{
    abut_float4_store(&rows[0][0], xy);
    abut_float4_store_two(rows[2], z);
}

// Fits boxes and slabs of a node to the covers of its children.
static void fit_node(const block *b, const cover *left, const cover *right, abut_tree_node *node)
{
    store_sides(node->lower, abut_float4_mix_low(left->lower, right->lower),
                abut_float4_mix_high(left->lower, right->lower));
    store_sides(node->upper, abut_float4_mix_low(left->upper, right->upper),
                abut_float4_mix_high(left->upper, right->upper));
    abut_float4 xy = abut_float4_mix_low(left->normal, right->normal);
    abut_float4 z = abut_float4_mix_high(left->normal, right->normal);
    abut_float4 xx_yy = abut_float4_mul(xy, xy), zz = abut_float4_mul(z, z);
    abut_float4 length = abut_float4_sqrt(
        abut_float4_add(abut_float4_add(xx_yy, abut_float4_swap_halves(xx_yy)), abut_float4_mix_halves(zz, zz)));
    abut_float4 scale = abut_float4_div(abut_float4_all(1.0f), length);
    store_sides(node->normal, abut_float4_mul(xy, scale), abut_float4_mul(z, scale));
    int is_flat = abut_float4_at_most(length, abut_float4_all(LEAST_NORMAL));
    const cover *sides[2] = {left, right};
    for (int side = 0; side < 2; ++side) {
        if ((is_flat >> side & 1) != 0) {
            clear_slab(node, side);
        } else {
            measure_slab(b, sides[side]->range, node, side);
        }
    }
}

// Fits a node and all nodes below it. Not inlined: its arrays and the block together would exceed the frame limit.
__attribute__((noinline)) static void fit_nodes(block *b, const abut_tree *tree, int root, abut_tree_range range)
{
    cover leaves[BLOCK_LEAVES];
    cover
        waiting[ABUT_TREE_LEVELS]; // of nodes whose parents are not fitted yet; a left child follows the right one
    int count = 0;
    read_leaves(b, tree, range, leaves);
    // Children are stored after their parents, so backwards means children first.
    for (int i = abut_tree_count_nodes(range.end - range.begin) - 1; i >= 0; --i) {
        abut_tree_node *node = &tree->nodes[root + i];
        const cover *sides[2];
        for (int side = 0; side < 2; ++side) {
            int child = node->child[side];
            sides[side] =
                abut_tree_is_leaf(child) ? &leaves[(~child - range.begin) / ABUT_TREE_LEAF] : &waiting[--count];
        }
        fit_node(b, sides[0], sides[1], node);
        waiting[count++] = join_covers(sides[0], sides[1]);
    }
}

void abut_tree_fit_block(const abut_tree *tree, int root, abut_tree_range range)
{
    block b;
    fit_nodes(&b, tree, root, range);
}

static void fit_blocks(void *data, int begin, int end, int worker)
{
    const abut_tree *tree = data;
    (void)worker;
    for (int i = begin; i < end;) {
        int count = count_of(tree, i);
        if (count <= block_size(tree)) { // the thread that has the parent node fits this block
            i += abut_tree_count_nodes(count);
            continue;
        }
        for (int side = 0; side < 2; ++side) {
            int child = tree->nodes[i].child[side];
            abut_tree_range range = abut_tree_is_leaf(child) ? (abut_tree_range){0, 0} : range_of(tree, child);
            if (!abut_tree_is_leaf(child) && range.end - range.begin <= block_size(tree)) {
                abut_tree_fit_block(tree, child, range);
            }
        }
        ++i;
    }
}

// ---- above the blocks

// Fits a node that has only a leaf on its left.
static void fit_leaf(const abut_tree *tree, int leaf, abut_tree_node *node)
{
    block b;
    cover left, nothing = cover_nothing();
    read_leaves(&b, tree, abut_tree_leaf_range(tree, leaf), &left);
    fit_node(&b, &left, &nothing, node);
}

// Fits a leaf whose sibling is too large for a block.
static void fit_single_leaf(const abut_tree *tree, abut_tree_node *node, int side)
{
    abut_tree_node fitted;
    fit_leaf(tree, node->child[side], &fitted);
    for (int k = 0; k < 3; ++k) {
        node->lower[k][side] = fitted.lower[k][0];
        node->upper[k][side] = fitted.upper[k][0];
        node->normal[k][side] = fitted.normal[k][0];
    }
    node->slab_lower[side] = fitted.slab_lower[0];
    node->slab_upper[side] = fitted.slab_upper[0];
}

static void join_boxes(const abut_tree_node *below, abut_tree_node *node, int side)
{
    for (int k = 0; k < 3; ++k) {
        const float *lower = below->lower[k], *upper = below->upper[k];
        node->lower[k][side] = lower[0] < lower[1] ? lower[0] : lower[1];
        node->upper[k][side] = upper[0] > upper[1] ? upper[0] : upper[1];
    }
}

// Computes the slab of a child from the slabs and boxes of its own two children.
static void join_slabs(const abut_tree_node *below, abut_tree_node *node, int side)
{
    double n[3], lower = HUGE_VAL, upper = -HUGE_VAL, cosine = 0.0;
    for (int k = 0; k < 3; ++k) {
        cosine += (double)below->normal[k][0] * (double)below->normal[k][1];
    }
    for (int k = 0; k < 3; ++k) {
        n[k] = (double)below->normal[k][0] + (cosine < 0.0 ? -1.0 : 1.0) * (double)below->normal[k][1];
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0.5)) { // no slabs below
        clear_slab(node, side);
        return;
    }
    for (int k = 0; k < 3; ++k) {
        node->normal[k][side] = (float)(n[k] / length);
        n[k] = (double)node->normal[k][side];
    }
    for (int i = 0; i < 2; ++i) {
        if (!(below->lower[0][i] <= below->upper[0][i])) {
            continue;
        }
        double c = 0.0;
        for (int k = 0; k < 3; ++k) {
            c += n[k] * (double)below->normal[k][i];
        }
        double middle = 0.5 * c * ((double)below->slab_upper[i] + (double)below->slab_lower[i]);
        double half = 0.5 * fabs(c) * ((double)below->slab_upper[i] - (double)below->slab_lower[i]);
        for (int k = 0; k < 3; ++k) {
            double rest = n[k] - c * (double)below->normal[k][i];
            middle += 0.5 * rest * ((double)below->upper[k][i] + (double)below->lower[k][i]);
            half += 0.5 * fabs(rest) * ((double)below->upper[k][i] - (double)below->lower[k][i]);
        }
        lower = fmin(lower, middle - half);
        upper = fmax(upper, middle + half);
    }
    node->slab_lower[side] = (float)lower - SLAB_PAD;
    node->slab_upper[side] = (float)upper + SLAB_PAD;
}

typedef struct node_range {
    int node, is_done;
    abut_tree_range range;
} node_range;

// Pushes a node and its children: the children are visited first, then the node again with is_done 1.
static int push_below(const abut_tree *tree, node_range at, node_range *stack, int count)
{
    const int *child = tree->nodes[at.node].child;
    int middle = abut_tree_middle(tree, at.node, at.range.begin);
    stack[count++] = (node_range){at.node, 1, at.range};
    if (!abut_tree_is_leaf(child[1])) {
        stack[count++] = (node_range){child[1], 0, {middle, at.range.end}};
    }
    if (!abut_tree_is_leaf(child[0])) {
        stack[count++] = (node_range){child[0], 0, {at.range.begin, middle}};
    }
    return count;
}

void abut_tree_fit_above(const abut_tree *tree)
{
    node_range stack[3 * ABUT_TREE_LEVELS];
    int count = 0;
    stack[count++] = (node_range){0, 0, {0, tree->element_count}};
    while (count > 0) {
        node_range at = stack[--count];
        if (at.range.end - at.range.begin <= block_size(tree)) {
            continue;
        }
        if (!at.is_done) {
            count = push_below(tree, at, stack, count);
            continue;
        }
        abut_tree_node *node = &tree->nodes[at.node];
        for (int side = 0; side < 2; ++side) {
            if (abut_tree_is_leaf(node->child[side])) {
                fit_single_leaf(tree, node, side);
            } else {
                join_boxes(&tree->nodes[node->child[side]], node, side);
                join_slabs(&tree->nodes[node->child[side]], node, side);
            }
        }
    }
}

void abut_tree_fit(abut_tree *tree)
{
    abut_tree_range all = {0, tree->element_count};
    if (all.end <= ABUT_TREE_LEAF) {
        if (all.end > 0) {
            fit_leaf(tree, tree->nodes[0].child[0], &tree->nodes[0]);
        }
        return;
    }
    if (all.end <= block_size(tree)) {
        abut_tree_fit_block(tree, 0, all);
        return;
    }
    abut_parallel_for(&tree->context, tree->node_count, GRAIN, fit_blocks, tree);
    abut_tree_fit_above(tree);
}
