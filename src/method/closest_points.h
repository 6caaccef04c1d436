// SPDX-License-Identifier: MIT
// closest_points.h: what the variants of method closest-points share
#ifndef ABUT_METHOD_CLOSEST_POINTS_H
#define ABUT_METHOD_CLOSEST_POINTS_H

#include "method/erosion.h"
#include "method/local.h"

/// The settings of a query, which is abut_local.user. Arrays have A first.
typedef struct abut_closest {
    abut_placed eroded[2];
    const abut_erosion *erosions[2];
    double threshold; ///< distance of eroded features in contact: the sum of both epsilons
    double reach;     ///< added to the threshold
    double most_gap;  ///< largest gap of original features in contact
    double farthest;  ///< largest distance of eroded features that can be in contact
    double tolerance; ///< of heights
    double zero;      ///< smaller distances have no direction
    double slack;     ///< sine of the angle within which directions are equal
    int is_deep;      ///< option penetration
} abut_closest;

/// Pairs of triangles share features. Each feature is tested with the lowest of its triangles only: if the feature is
/// near another triangle, the pair of that triangle and its lowest one is among the pairs.
static inline int abut_triangle_owns_edge(const abut_placed *side, int triangle, int k)
{
    int edge = side->topology.triangle_edges[3 * triangle + k];
    return side->topology.edge_triangles[side->topology.edge_triangle_offsets[edge]] == triangle;
}

static inline int abut_triangle_owns_vertex(const abut_placed *side, int triangle, int k)
{
    int vertex = side->elements.triangles[3 * triangle + k];
    return side->topology.vertex_triangles[side->topology.vertex_triangle_offsets[vertex]] == triangle;
}

/// Add the contacts of two triangles: as the paper's text says, and with nearest=yes.
void abut_closest_by_text(const abut_local *local, int triangle_a, int triangle_b, abut_local_output *output);
void abut_closest_by_nearest(const abut_local *local, int triangle_a, int triangle_b, abut_local_output *output);

enum { ABUT_CLOSEST_LIMIT = 6 + 9 + 2 * 9 }; ///< most contacts of a pair of triangles

#endif
