// SPDX-License-Identifier: MIT
// convex_task.h: the state of a search for where two convex solids touch, which its steps share
//
// convex_touch.c collects what is near and runs the steps: convex_nodes.c finds the nodes; convex_polygon.c makes a
// region of them if they are the corners of two faces that lie on each other; else convex_intervals.c finds the
// segments between them.
#ifndef ABUT_REGION_CONVEX_TASK_H
#define ABUT_REGION_CONVEX_TASK_H

#include "region/convex_touch.h"

enum {
    ABUT_NEAR_VERTICES = 24, ///< of one solid; a slab seldom holds more than one face
    ABUT_NEAR_EDGES = 40,
    ABUT_NEAR_FACES = 40,
    ABUT_CONVEX_NODES = 64,
    ABUT_CONVEX_INTERVALS = 96
};

typedef struct abut_near_edge {
    int edge;
    abut_vec3 ends[2]; ///< in the direction of the triangle that owns it
    abut_box box;      ///< of its part in the slab
} abut_near_edge;

/// What of a solid is in its slab, in A's frame.
typedef struct abut_near_side {
    const abut_touch_side *placed;
    const abut_convex_solid *solid;
    int vertex_count, edge_count, face_count;
    int vertices[ABUT_NEAR_VERTICES]; ///< ascending
    abut_vec3 points[ABUT_NEAR_VERTICES];
    abut_near_edge edges[ABUT_NEAR_EDGES]; ///< ascending
    abut_box box;                          ///< of all that is in the slab
    int faces[ABUT_NEAR_FACES];
    abut_vec3 normals[ABUT_NEAR_FACES];
    double offsets[ABUT_NEAR_FACES];      ///< of their planes: normal . p
    double heights[ABUT_CONVEX_FEW];      ///< of all corners, along the normal
    signed char slots[ABUT_CONVEX_FEW];   ///< by corner: its index in `vertices`, or -1
    unsigned char known[ABUT_CONVEX_FEW]; ///< by face: whether it is in `faces`
} abut_near_side;

typedef struct abut_convex_task {
    const abut_touch_limits *limits;
    double squared;   ///< the square of the tolerance
    double inner;     ///< the square of the strict tolerance
    int is_clear;     ///< no distance is between the two tolerances: with both of them the nodes are the same
    abut_vec3 normal; ///< of the supporting planes
    double highest;   ///< the height of A's plane along the normal
    double lowest;    ///< that of B's plane
    double gap;       ///< between them
    double unsure;    ///< a length: the rounding of distances
    abut_near_side sides[2];
    abut_touch_node *nodes;
    int node_count;
    abut_touch_interval *intervals;
    int interval_count;
    int64_t tested_pairs;
    int is_full; ///< more touches than fits
} abut_convex_task;

/// A corner of the B-rep in A's frame.
static inline abut_vec3 abut_near_corner(const abut_near_side *side, int vertex)
{
    int slot = side->slots[vertex];
    return slot >= 0 ? side->points[slot] : abut_touch_place(side->placed, side->solid->corners[vertex]);
}

/// Finds the nodes.
void abut_convex_find_nodes(abut_convex_task *task);

/// Finds the intervals between the nodes.
void abut_convex_find_intervals(abut_convex_task *task);

/// Whether an entity is the face or on its border.
int abut_convex_is_on_face(const abut_region_model *model, abut_entity entity, int face);

/// Makes a region of the nodes if they are the corners of one polygon, in which a face of A lies on one of B, and
/// nothing else touches: then all intervals and points follow from the polygon. Returns 1 if it did, 0 if they are not
/// or if memory ran out.
int abut_convex_find_polygon(const abut_convex_task *task, abut_arena *arena, abut_region_set *set);

#endif
