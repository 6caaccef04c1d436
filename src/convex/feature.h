// SPDX-License-Identifier: MIT
// feature.h: the feature of a shape that lies on a supporting plane
#ifndef ABUT_CONVEX_FEATURE_H
#define ABUT_CONVEX_FEATURE_H

#include "convex/convex.h"

/// Finds the feature of highest dimension (vertex, edge or face) on the supporting plane in a direction. `top` is the
/// highest vertex; all vertices of the feature are at most `tolerance` lower.
static inline abut_convex_part abut_convex_top(const abut_convex *shape, abut_vec3 direction, int top,
                                               double tolerance)
{
    double lowest = abut_dot(shape->points[top], direction) - tolerance;
    abut_convex_part part = {ABUT_FEATURE_VERTEX, top};
    for (int i = shape->link_begin[top]; i < shape->link_begin[top + 1]; ++i) {
        abut_convex_link link = shape->links[i];
        if (abut_dot(shape->points[link.point], direction) < lowest) {
            continue;
        }
        if (part.kind == ABUT_FEATURE_VERTEX) {
            part = (abut_convex_part){ABUT_FEATURE_EDGE, link.edge};
        }
        // only the face to the left of the edge leaving `top`; the right one is the left face of another edge
        int face = shape->edges[link.edge].faces[shape->edges[link.edge].points[0] != top];
        int k = shape->face_begin[face];
        while (k < shape->face_begin[face + 1] &&
               abut_dot(shape->points[shape->face_points[k]], direction) >= lowest) {
            ++k;
        }
        if (k == shape->face_begin[face + 1]) {
            return (abut_convex_part){ABUT_FEATURE_FACE, face};
        }
    }
    return part;
}

/// The feature's name in the mesh.
static inline abut_feature abut_convex_name(const abut_convex *shape, abut_convex_part part)
{
    if (part.kind == ABUT_FEATURE_FACE) {
        return shape->face_features[part.index];
    }
    if (part.kind == ABUT_FEATURE_EDGE) {
        return shape->edge_features[part.index];
    }
    abut_feature vertex = {
        .kind = ABUT_FEATURE_VERTEX, .index = shape->point_sources[part.index], .vertices = {-1, -1}};
    return vertex;
}

#endif
