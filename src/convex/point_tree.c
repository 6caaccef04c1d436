// SPDX-License-Identifier: MIT
// point_tree.c: the highest of many points in a direction
//
// A binary tree of oriented boxes. The axes of a box are the principal axes of its points, so a patch of a smooth
// surface gets a flat box. Along a direction close to its normal, the top of such a box is above its points by no more
// than the patch is curved. A search therefore skips all but a few boxes near the highest point.
//
// Source:  Gottschalk, Lin and Manocha 1996 (boxes by principal axes). Ours: median split instead of mean, so that the
//          depth is bounded.
// Cost:    n log n to build. A search takes about log n for vertices of a surface, whatever their degrees and the
//          sizes of its faces, and at most n. It looks at all points that are level with the highest up to rounding.
#include "convex/point_tree.h"

#include "base/memory.h"
#include "math/eigen.h"

#include <float.h>

enum {
    LEAF_POINTS = 16, // points of a leaf at most; a leaf costs about as much as four boxes
    STACK_NODES = 64, // bound of the depth: ranges are halved, and there are fewer than 2^31 points
};

static abut_vec3 mean_of(const abut_point_tree *tree, int begin, int end)
{
    abut_vec3 first = tree->points[tree->order[begin]], sum = abut_vec3_make(0.0, 0.0, 0.0);
    for (int i = begin; i < end; ++i) {
        sum = abut_add(sum, abut_sub(tree->points[tree->order[i]], first));
    }
    return abut_add_scaled(first, 1.0 / (end - begin), sum);
}

static abut_mat3 principal_axes(const abut_point_tree *tree, int begin, int end, abut_vec3 mean)
{
    abut_mat3 m = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int i = begin; i < end; ++i) {
        abut_vec3 d = abut_sub(tree->points[tree->order[i]], mean);
        m.x = abut_add_scaled(m.x, d.x, d);
        m.y = abut_add_scaled(m.y, d.y, d);
        m.z = abut_add_scaled(m.z, d.z, d);
    }
    return abut_eigen_symmetric(m).vectors;
}

// Fits the box of a node. Returns the direction of its longest axis.
static abut_vec3 fit_box(const abut_point_tree *tree, abut_point_tree_node *node)
{
    abut_vec3 mean = mean_of(tree, node->begin, node->end);
    abut_mat3 axes = principal_axes(tree, node->begin, node->end, mean);
    abut_vec3 lower = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, upper = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = node->begin; i < node->end; ++i) {
        abut_vec3 d = abut_sub(tree->points[tree->order[i]], mean);
        abut_vec3 at = abut_mat3_apply_transposed(axes, d);
        lower = abut_min(lower, at);
        upper = abut_max(upper, at);
    }
    abut_vec3 half = abut_scale(0.5, abut_sub(upper, lower));
    node->center = abut_add(mean, abut_mat3_apply(axes, abut_scale(0.5, abut_add(lower, upper))));
    node->arms[0] = abut_scale(half.x, axes.x);
    node->arms[1] = abut_scale(half.y, axes.y);
    node->arms[2] = abut_scale(half.z, axes.z);
    return half.x >= half.y && half.x >= half.z ? axes.x : half.y >= half.z ? axes.y : axes.z;
}

// Returns 1 if point a comes before point b along an axis.
static int is_before(const abut_point_tree *tree, abut_vec3 axis, int a, int b)
{
    double x = abut_dot(tree->points[a], axis), y = abut_dot(tree->points[b], axis);
    return x < y || (x == y && a < b);
}

static void swap_ints(int *a, int *b)
{
    int kept = *a;
    *a = *b;
    *b = kept;
}

// Quickselect: reorders order[begin .. end) so that the points before position `middle` are the first along the axis.
// No two points compare equal, so both inner loops stop at the pivot.
static void split(const abut_point_tree *tree, int begin, int end, int middle, abut_vec3 axis)
{
    int *order = tree->order;
    while (begin < end) {
        int pivot = order[begin + (end - begin) / 2], left = begin, right = end - 1;
        while (left <= right) {
            for (; is_before(tree, axis, order[left], pivot); ++left) {
            }
            for (; is_before(tree, axis, pivot, order[right]); --right) {
            }
            if (left <= right) {
                swap_ints(&order[left++], &order[right--]);
            }
        }
        if (middle > right && middle < left) {
            return;
        }
        begin = middle >= left ? left : begin;
        end = middle <= right ? right + 1 : end;
    }
}

// Makes a node over a range of `order`, and all nodes below it. Returns its number.
static int make_node(abut_point_tree *tree, int begin, int end)
{
    int made = tree->node_count++;
    abut_point_tree_node *node = &tree->nodes[made];
    node->begin = begin;
    node->end = end;
    node->right = -1;
    abut_vec3 axis = fit_box(tree, node);
    if (end - begin > LEAF_POINTS) {
        int middle = begin + (end - begin) / 2;
        split(tree, begin, end, middle, axis);
        (void)make_node(tree, begin, middle);
        node->right = make_node(tree, middle, end);
    }
    return made;
}

abut_status abut_point_tree_create(const abut_context *context, const abut_vec3 *points, int count, double reach,
                                   abut_point_tree *tree)
{
    // A range is cut only if it has more than LEAF_POINTS points, so a leaf has at least LEAF_POINTS / 2.
    size_t leaves = 2 * (size_t)count / LEAF_POINTS + 1;
    *tree = (abut_point_tree){.points = points};
    tree->nodes = abut_allocate(context, 2 * leaves, sizeof *tree->nodes);
    tree->order = abut_allocate(context, (size_t)count, sizeof *tree->order);
    if (tree->nodes == NULL || tree->order == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < count; ++i) {
        tree->order[i] = i;
    }
    (void)make_node(tree, 0, count);
    // Center, arms and the height of a point sum about twenty products, each with an error of DBL_EPSILON / 2 of the
    // reach; the arms are shorter than twice the reach.
    tree->slack = 32.0 * DBL_EPSILON * reach;
    return ABUT_OK;
}

void abut_point_tree_destroy(const abut_context *context, abut_point_tree *tree)
{
    abut_free(context, tree->nodes);
    abut_free(context, tree->order);
    tree->nodes = NULL;
    tree->order = NULL;
}

// No point of the node is higher than this.
static double top_of(const abut_point_tree *tree, const abut_point_tree_node *node, abut_vec3 direction)
{
    return abut_dot(node->center, direction) + fabs(abut_dot(node->arms[0], direction)) +
           fabs(abut_dot(node->arms[1], direction)) + fabs(abut_dot(node->arms[2], direction)) + tree->slack;
}

typedef struct visit {
    int node;
    double top;
} visit;

int abut_point_tree_highest(abut_point_tree *tree, abut_vec3 direction, int start, const int *marks, int skipped)
{
    visit stack[STACK_NODES];
    int count = 0, best = start;
    double height = abut_dot(tree->points[start], direction);
    stack[count++] = (visit){0, HUGE_VAL};
    while (count > 0) {
        visit next = stack[--count];
        if (!(next.top > height)) {
            continue;
        }
        const abut_point_tree_node *node = &tree->nodes[next.node];
        if (node->right >= 0) {
            visit left = {next.node + 1, top_of(tree, node + 1, direction)};
            visit right = {node->right, top_of(tree, &tree->nodes[node->right], direction)};
            int is_left_first = left.top >= right.top;
            stack[count++] = is_left_first ? right : left;
            stack[count++] = is_left_first ? left : right;
            tree->visit_count += 2;
            continue;
        }
        tree->visit_count += node->end - node->begin;
        for (int i = node->begin; i < node->end; ++i) {
            int point = tree->order[i];
            double h = abut_dot(tree->points[point], direction);
            if (h > height && (marks == NULL || marks[point] != skipped)) {
                height = h;
                best = point;
            }
        }
    }
    return best;
}
