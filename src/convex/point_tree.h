// SPDX-License-Identifier: MIT
// point_tree.h: the highest of many points in a direction; the points need not be in convex position
#ifndef ABUT_CONVEX_POINT_TREE_H
#define ABUT_CONVEX_POINT_TREE_H

#include <abut/base.h>
#include <abut/math.h>
#include <stdint.h>

typedef struct abut_point_tree_node {
    abut_vec3 center;
    abut_vec3 arms[3]; ///< half axes of the oriented box, at right angles to each other
    int begin, end;    ///< its points in `order`
    int right;         ///< the second child; the first follows the node; -1: a leaf
} abut_point_tree_node;

typedef struct abut_point_tree {
    const abut_vec3 *points;
    abut_point_tree_node *nodes; ///< the first is the root
    int *order;                  ///< the points, leaf by leaf
    int node_count;
    double slack;        ///< a length: rounding error of a box's height
    int64_t visit_count; ///< boxes and points that all searches looked at together, for tests of growth
} abut_point_tree;

/// Builds a tree over at least one point; `reach` is the largest distance of a point from the origin. Destroy it even
/// if this returns ABUT_NO_MEMORY.
abut_status abut_point_tree_create(const abut_context *context, const abut_vec3 *points, int count, double reach,
                                   abut_point_tree *tree);
void abut_point_tree_destroy(const abut_context *context, abut_point_tree *tree);

/// Returns the point with the largest dot product with `direction`, among all whose entry in `marks` is not `skipped`
/// (`marks` may be NULL: all points). `start` must be one of them. It is returned unless another point is higher.
int abut_point_tree_highest(abut_point_tree *tree, abut_vec3 direction, int start, const int *marks, int skipped);

#endif
