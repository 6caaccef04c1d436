// SPDX-License-Identifier: MIT
// polygon.h: cutting polygons into triangles
#ifndef ABUT_MESH_POLYGON_H
#define ABUT_MESH_POLYGON_H

#include <abut/base.h>
#include <abut/math.h>

/// Polygons with more vertices are rejected with ABUT_LIMIT, because the time can grow with the square of their
/// number.
enum { ABUT_POLYGON_LIMIT = 10000 };

/// An axis-aligned rectangle, empty if `lower` is above `upper`.
typedef struct abut_polygon_rectangle {
    abut_vec2 lower, upper;
} abut_polygon_rectangle;

/// Scratch memory, reused from polygon to polygon.
typedef struct abut_polygon_cutter {
    abut_context context;
    abut_vec2 *points;             ///< the projected vertices
    abut_polygon_rectangle *nodes; ///< tree of the corners that may block an ear
    int leaf_count;
    int *next, *previous;
    int *blockers;                    ///< corners that do not turn left and may block an ear
    int *blocker_slot;                ///< for each corner: its index in `blockers`, or -1
    int *queue_next, *queue_previous; ///< queue of the corners to test; -1: not in the queue
    int capacity;
} abut_polygon_cutter;

void abut_polygon_cutter_init(abut_polygon_cutter *cutter, const abut_context *context);
void abut_polygon_cutter_release(abut_polygon_cutter *cutter);

/// Cuts a polygon of `count` >= 3 different vertices into count - 2 triangles and writes three vertices for each to
/// `triangles`. The polygon may be concave, have corners of 180 degrees and be slightly out of plane. If it crosses
/// or touches itself or has no area, `is_regular` is 0 and the triangles are a fan about the first vertex.
abut_status abut_polygon_cut(abut_polygon_cutter *cutter, const abut_vec3 *vertices, const int *polygon, int count,
                             int *triangles, int *is_regular);

#endif
