// SPDX-License-Identifier: MIT
// tree_corners.h: the corners of an element in units of the tree
#ifndef ABUT_SPATIAL_TREE_CORNERS_H
#define ABUT_SPATIAL_TREE_CORNERS_H

#include "math/float4.h"
#include "spatial/tree.h"

enum { ABUT_TREE_CORNERS = 8 }; ///< most corners of an element: a tetrahedron at the start and end of its motion

/// Number of corners of an element, including those at the end of its motion.
static inline int abut_tree_count_corners(const abut_tree *tree)
{
    return tree->corner_count * (1 + (tree->end != tree->start));
}

/// Returns 1 if all elements are triangles at rest. They get their own code, so that loops over three corners unroll.
static inline int abut_tree_has_still_triangles(const abut_tree *tree)
{
    return abut_tree_count_corners(tree) == 3;
}

/// Gets the corners of an element in units of the tree, those at the start of its motion first. `count` must be
/// abut_tree_count_corners(), and `scale` 2^-exponent. Returns 0 if a corner is not finite.
static inline int abut_tree_place_corners(const abut_tree *tree, int count, double scale, int element,
                                          abut_float4 corners[ABUT_TREE_CORNERS])
{
    int start_count = count == 3 ? 3 : tree->corner_count;
    const int *vertices = tree->elements + (size_t)element * (size_t)start_count;
    abut_float4 sum = abut_float4_all(0.0f);
    for (int i = 0; i < start_count; ++i) {
        corners[i] = abut_float4_place(&tree->start[vertices[i]], &tree->origin, scale);
        sum = abut_float4_add(sum, corners[i]);
    }
    for (int i = start_count; i < count; ++i) {
        corners[i] = abut_float4_place(&tree->end[vertices[i - start_count]], &tree->origin, scale);
        sum = abut_float4_add(sum, corners[i]);
    }
    // Finite elements are within 1 of the origin up to rounding. An infinite or NaN corner makes the sum infinite or
    // NaN.
    return abut_float4_at_most(abut_float4_abs(sum), abut_float4_all(2.0f * ABUT_TREE_CORNERS)) == 15;
}

#endif
