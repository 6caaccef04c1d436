// SPDX-License-Identifier: MIT
// polygon.h: cutting polygons into triangles
#ifndef ABUT_MESH_POLYGON_H
#define ABUT_MESH_POLYGON_H

#include <abut/base.h>
#include <abut/math.h>

/// Polygons with more vertices are refused with ABUT_LIMIT: time grows faster than their number for contrived ones.
enum { ABUT_POLYGON_LIMIT = 10000 };

/// Empty if `lower` is above `upper`.
typedef struct abut_polygon_rectangle {
    abut_vec2 lower, upper;
} abut_polygon_rectangle;

/// Scratch memory for polygons, reused from one to the next.
typedef struct abut_polygon_cutter {
    abut_context context;
    abut_vec2 *points;             ///< the vertices in the plane
    abut_polygon_rectangle *nodes; ///< the tree of corners that may block an ear
    int leaf_count;
    int *next, *previous;
    int *blockers;                    ///< corners that do not turn left and may block an ear
    int *blocker_slot;                ///< where a corner is in `blockers`, or -1
    int *queue_next, *queue_previous; ///< corners to look at; -1: not in the queue
    int capacity;
} abut_polygon_cutter;

void abut_polygon_cutter_init(abut_polygon_cutter *cutter, const abut_context *context);
void abut_polygon_cutter_release(abut_polygon_cutter *cutter);

/// Cuts a polygon of `count` >= 3 different vertices into count - 2 triangles, which are written to `triangles`, three
/// vertices each. The polygon may be concave, have corners of 180 degrees and be slightly out of plane. Where it
/// crosses or touches itself or has no area, `is_regular` is 0 and the triangles are a fan about the first vertex.
abut_status abut_polygon_cut(abut_polygon_cutter *cutter, const abut_vec3 *vertices, const int *polygon, int count,
                             int *triangles, int *is_regular);

#endif
