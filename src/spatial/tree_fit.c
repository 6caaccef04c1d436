// SPDX-License-Identifier: MIT
// tree_fit.c: the boxes and slabs of a tree
//
// Below nodes of a few hundred elements, a block, everything is fitted to the corners themselves, which are read once; blocks are
// independent of each other. Above them, boxes are the union of two boxes, and slabs follow from two slabs and boxes:
// exactly where the surface is flat, and somewhat thicker where it bends.
//
// A slab is along the mean normal of its triangles. For any c, normal . x = c (n . x) + (normal - c n) . x: with a slab of n for
// the first part and a box for the second, this bounds x along any other normal; tightly where both are near.
#include "spatial/tree.h"

#include "base/context.h"
#include "math/float4.h"

#include <float.h>

enum {
    BLOCK = 256,  // elements of a block, at most
    CORNERS = 8,  // of an element, at most: a tetrahedron at start and end
    GRAIN = 4096, // nodes that one thread takes at once
};

// What rounding takes from normal . x in float, where |x| is below 2: 4 products and sums, and the rounding of x.
static const float SLAB_PAD = 2e-6f;

// Added to boxes besides one step of float, so that no box has a size that is too small for ordinary floats.
static const float BOX_PAD = 0x1p-100f;

typedef struct block {
    const abut_tree *tree;
    double scale;
    int begin, end;   // positions in the order of the tree
    int corner_count; // of each element, with those at the end of the way
    // one after the other, NaN where an element is not finite; four more, so that vectors can be read from any of them
    float x[BLOCK * CORNERS + 4], y[BLOCK * CORNERS + 4], z[BLOCK * CORNERS + 4];
    float normals[BLOCK][3]; // of triangles, as long as twice their area; zero where not finite
} block;

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

// Where the left child of a node ends: the right child is as many nodes behind as there are leaves on the left.
static int middle_of(const abut_tree *tree, int node, int begin)
{
    int right = tree->nodes[node].child[1];
    return abut_tree_is_leaf(right) ? ~right : begin + (right - node) * ABUT_TREE_LEAF;
}

// ---- blocks

static void set_normal(block *b, int element)
{
    int i = element * b->corner_count, j = i + 1, k = i + 2;
    float *n = b->normals[element];
    float ux = b->x[j] - b->x[i], uy = b->y[j] - b->y[i], uz = b->z[j] - b->z[i];
    float vx = b->x[k] - b->x[i], vy = b->y[k] - b->y[i], vz = b->z[k] - b->z[i];
    n[0] = uy * vz - uz * vy;
    n[1] = uz * vx - ux * vz;
    n[2] = ux * vy - uy * vx;
    if (isnan(n[0]) || isnan(n[1]) || isnan(n[2])) {
        n[0] = n[1] = n[2] = 0.0f;
    }
}

// Reads the corners of an element at one end of its way. Returns whether they are finite.
static int read_corners(block *b, const abut_vec3 *vertices, const int *corners, int at)
{
    const abut_tree *tree = b->tree;
    int is_finite = 1;
    for (int k = 0; k < tree->corner_count; ++k) {
        abut_vec3 p = vertices[corners[k]];
        is_finite &= abut_is_finite(p);
        b->x[at + k] = (float)(b->scale * (p.x - tree->origin.x));
        b->y[at + k] = (float)(b->scale * (p.y - tree->origin.y));
        b->z[at + k] = (float)(b->scale * (p.z - tree->origin.z));
    }
    return is_finite;
}

static void read_block(block *b)
{
    const abut_tree *tree = b->tree;
    int is_moving = tree->end != tree->start, is_surface = tree->kind == ABUT_ELEMENT_TRIANGLE;
    b->corner_count = tree->corner_count * (1 + is_moving);
    for (int i = b->begin; i < b->end; ++i) {
        const int *corners = tree->elements + (size_t)tree->order[i] * (size_t)tree->corner_count;
        int first = (i - b->begin) * b->corner_count;
        int is_finite = read_corners(b, tree->start, corners, first);
        if (is_moving) {
            is_finite &= read_corners(b, tree->end, corners, first + tree->corner_count);
        }
        for (int k = 0; k < b->corner_count && !is_finite; ++k) {
            b->x[first + k] = b->y[first + k] = b->z[first + k] = NAN;
        }
        if (is_surface) {
            set_normal(b, i - b->begin);
        }
    }
    for (int i = (b->end - b->begin) * b->corner_count, k = 0; k < 4; ++k) {
        b->x[i + k] = b->y[i + k] = b->z[i + k] = 0.0f;
    }
}

static void fit_leaf_box(const block *b, abut_tree_node *node, int side, abut_tree_range range)
{
    const float *coordinates[3] = {b->x, b->y, b->z};
    int begin = (range.begin - b->begin) * b->corner_count, end = (range.end - b->begin) * b->corner_count;
    for (int k = 0; k < 3; ++k) {
        float lower = HUGE_VALF, upper = -HUGE_VALF;
        for (int i = begin; i < end; ++i) {
            float x = coordinates[k][i];
            lower = x < lower ? x : lower; // not where x is NaN
            upper = x > upper ? x : upper;
        }
        // outward by a step and more; an empty box stays empty
        node->lower[k][side] = lower < HUGE_VALF ? lower - (fabsf(lower) * 0x1p-23f + BOX_PAD) : HUGE_VALF;
        node->upper[k][side] = upper > -HUGE_VALF ? upper + (fabsf(upper) * 0x1p-23f + BOX_PAD) : -HUGE_VALF;
    }
}

static void join_boxes(const abut_tree_node *below, abut_tree_node *node, int side)
{
    for (int k = 0; k < 3; ++k) {
        const float *lower = below->lower[k], *upper = below->upper[k];
        node->lower[k][side] = lower[0] < lower[1] ? lower[0] : lower[1];
        node->upper[k][side] = upper[0] > upper[1] ? upper[0] : upper[1];
    }
}

static void clear_slab(abut_tree_node *node, int side)
{
    for (int k = 0; k < 3; ++k) {
        node->normal[k][side] = 0.0f;
    }
    node->slab_lower[side] = node->slab_upper[side] = 0.0f;
}

// The least and greatest normal . x of the corners begin <= i < end.
static void measure_slab(const block *b, const float n[3], int begin, int end, float *lower, float *upper)
{
    float low[4], high[4];
    abut_float4 nx = abut_float4_all(n[0]), ny = abut_float4_all(n[1]), nz = abut_float4_all(n[2]);
    abut_float4 least = abut_float4_all(HUGE_VALF), greatest = abut_float4_all(-HUGE_VALF);
    // The last four may overlap those before; where there are fewer, the others are left out below.
    for (int i = begin; i < end; i += 4) {
        int at = i + 4 <= end || end - begin < 4 ? i : end - 4;
        abut_float4 height = abut_float4_add(abut_float4_add(abut_float4_mul(nx, abut_float4_load(b->x + at)),
                                                             abut_float4_mul(ny, abut_float4_load(b->y + at))),
                                             abut_float4_mul(nz, abut_float4_load(b->z + at)));
        least = abut_float4_min(height, least); // not where the height is NaN
        greatest = abut_float4_max(height, greatest);
    }
    abut_float4_store(low, least);
    abut_float4_store(high, greatest);
    int count = end - begin < 4 ? end - begin : 4;
    *lower = low[0];
    *upper = high[0];
    for (int i = 1; i < count; ++i) {
        *lower = low[i] < *lower ? low[i] : *lower;
        *upper = high[i] > *upper ? high[i] : *upper;
    }
}

// The sum of the normals of a range. It is left where the range begins, so that a range of two such ranges adds up two numbers:
// ranges are asked for from the leaves up.
static void sum_normals(block *b, abut_tree_range range, int middle, float sum[3])
{
    float *first = b->normals[range.begin - b->begin];
    const float *second = b->normals[middle - b->begin];
    for (int k = 0; k < 3; ++k) {
        first[k] += middle > range.begin && middle < range.end ? second[k] : 0.0f;
        sum[k] = first[k];
    }
}

static void fit_slab(block *b, abut_tree_node *node, int side, abut_tree_range range, int middle)
{
    float sum[3], lower, upper;
    if (range.begin == range.end) {
        clear_slab(node, side);
        return;
    }
    sum_normals(b, range, middle, sum);
    float length = sqrtf(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    if (!(length > 1e-18f)) { // no area, or normals that cancel; smaller squares are no ordinary floats
        clear_slab(node, side);
        return;
    }
    float scale = 1.0f / length;
    for (int k = 0; k < 3; ++k) {
        sum[k] *= scale;
        node->normal[k][side] = sum[k];
    }
    measure_slab(b, sum, (range.begin - b->begin) * b->corner_count, (range.end - b->begin) * b->corner_count,
                 &lower, &upper);
    node->slab_lower[side] = lower - SLAB_PAD;
    node->slab_upper[side] = upper + SLAB_PAD;
}

static void fit_side(block *b, abut_tree_node *node, int side, abut_tree_range range)
{
    int child = node->child[side], middle = range.begin + 1; // of a leaf
    if (abut_tree_is_leaf(child)) {
        fit_leaf_box(b, node, side, range);
    } else {
        join_boxes(&b->tree->nodes[child], node, side);
        middle = middle_of(b->tree, child, range.begin);
    }
    if (b->tree->kind == ABUT_ELEMENT_TRIANGLE) {
        fit_slab(b, node, side, range, middle);
    } else {
        clear_slab(node, side);
    }
}

static void start_block(block *b, const abut_tree *tree, abut_tree_range range)
{
    b->tree = tree;
    b->begin = range.begin;
    b->end = range.end;
    b->scale = ldexp(1.0, -tree->exponent);
    read_block(b);
}

typedef struct node_range {
    int node, is_done;
    abut_tree_range range;
} node_range;

// Calls of a walk: first with the children still to come, then with them done.
static int push_below(const abut_tree *tree, node_range at, node_range *stack, int count)
{
    const int *child = tree->nodes[at.node].child;
    int middle = middle_of(tree, at.node, at.range.begin);
    stack[count++] = (node_range){at.node, 1, at.range};
    if (!abut_tree_is_leaf(child[1])) {
        stack[count++] = (node_range){child[1], 0, {middle, at.range.end}};
    }
    if (!abut_tree_is_leaf(child[0])) {
        stack[count++] = (node_range){child[0], 0, {at.range.begin, middle}};
    }
    return count;
}

static void fit_block(const abut_tree *tree, int root)
{
    abut_tree_range range = range_of(tree, root);
    block b;
    start_block(&b, tree, range);
    node_range stack[3 * ABUT_TREE_LEVELS];
    int count = 0;
    stack[count++] = (node_range){root, 0, range};
    while (count > 0) {
        node_range at = stack[--count];
        if (!at.is_done) {
            count = push_below(tree, at, stack, count);
            continue;
        }
        abut_tree_node *node = &tree->nodes[at.node];
        int middle = middle_of(tree, at.node, at.range.begin);
        fit_side(&b, node, 0, (abut_tree_range){at.range.begin, middle});
        fit_side(&b, node, 1, (abut_tree_range){middle, at.range.end});
    }
}

// A node above the blocks: those of its children that are blocks or leaves.
static void fit_below(const abut_tree *tree, int i)
{
    abut_tree_node *node = &tree->nodes[i];
    for (int side = 0; side < 2; ++side) {
        int child = node->child[side];
        if (abut_tree_is_leaf(child)) {
            abut_tree_range range = abut_tree_leaf_range(tree, child);
            block b;
            start_block(&b, tree, range);
            fit_side(&b, node, side, range);
        } else if (count_of(tree, child) <= BLOCK) {
            fit_block(tree, child);
        }
    }
}

static void fit_blocks(void *data, int begin, int end, int worker)
{
    const abut_tree *tree = data;
    (void)worker;
    for (int i = begin; i < end;) {
        int count = count_of(tree, i);
        if (count <= BLOCK) { // done by whoever has the node above
            i += abut_tree_count_nodes(count);
            continue;
        }
        fit_below(tree, i++);
    }
}

// ---- above the blocks

// The slab of a child from those of its own two children.
static void join_slabs(const abut_tree_node *below, abut_tree_node *node, int side)
{
    double n[3], lower = HUGE_VAL, upper = -HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        n[k] = (double)below->normal[k][0] + (double)below->normal[k][1];
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0.5)) { // no slab, or normals that point to opposite sides
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

static void fit_above(abut_tree *tree)
{
    node_range stack[3 * ABUT_TREE_LEVELS];
    int count = 0;
    stack[count++] = (node_range){0, 0, {0, tree->element_count}};
    while (count > 0) {
        node_range at = stack[--count];
        if (at.range.end - at.range.begin <= BLOCK) {
            continue;
        }
        if (!at.is_done) {
            count = push_below(tree, at, stack, count);
            continue;
        }
        abut_tree_node *node = &tree->nodes[at.node];
        for (int side = 0; side < 2; ++side) {
            if (!abut_tree_is_leaf(node->child[side])) {
                join_boxes(&tree->nodes[node->child[side]], node, side);
                join_slabs(&tree->nodes[node->child[side]], node, side);
            }
        }
    }
}

void abut_tree_fit(abut_tree *tree)
{
    if (tree->element_count == 0) {
        return;
    }
    if (tree->element_count <= BLOCK) {
        fit_block(tree, 0);
        return;
    }
    abut_parallel_for(&tree->context, tree->node_count, GRAIN, fit_blocks, tree);
    fit_above(tree);
}
