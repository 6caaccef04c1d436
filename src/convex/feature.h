// SPDX-License-Identifier: MIT
// feature.h: what of a shape is on a plane that bounds it
#ifndef ABUT_CONVEX_FEATURE_H
#define ABUT_CONVEX_FEATURE_H

#include "convex/convex.h"

/// The vertex, edge or face of highest dimension whose vertices are all within `tolerance` of the highest, which is `top`,
/// in a direction; its kind and its index in the shape.
static inline abut_feature_kind abut_convex_top(const abut_convex *shape, abut_vec3 direction, int top,
                                                double tolerance, int *index)
{
    double lowest = abut_dot(shape->points[top], direction) - tolerance;
    abut_feature_kind kind = ABUT_FEATURE_VERTEX;
    *index = top;
    for (int i = shape->link_begin[top]; i < shape->link_begin[top + 1]; ++i) {
        abut_convex_link link = shape->links[i];
        if (abut_dot(shape->points[link.point], direction) < lowest) {
            continue;
        }
        if (kind == ABUT_FEATURE_VERTEX) {
            kind = ABUT_FEATURE_EDGE;
            *index = link.edge;
        }
        // the face to the left of the edge that leaves `top`; the other one comes with its own edge
        int face = shape->edges[link.edge].faces[shape->edges[link.edge].points[0] != top];
        int k = shape->face_begin[face];
        while (k < shape->face_begin[face + 1] &&
               abut_dot(shape->points[shape->face_points[k]], direction) >= lowest) {
            ++k;
        }
        if (k == shape->face_begin[face + 1]) {
            *index = face;
            return ABUT_FEATURE_FACE;
        }
    }
    return kind;
}

/// The feature's name in the mesh.
static inline abut_feature abut_convex_name(const abut_convex *shape, abut_feature_kind kind, int index)
{
    if (kind == ABUT_FEATURE_FACE) {
        return shape->face_features[index];
    }
    if (kind == ABUT_FEATURE_EDGE) {
        return shape->edge_features[index];
    }
    abut_feature vertex = {.kind = ABUT_FEATURE_VERTEX, .index = shape->point_sources[index], .vertices = {-1, -1}};
    return vertex;
}

#endif
