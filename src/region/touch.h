// SPDX-License-Identifier: MIT
// touch.h: where the entities of two placed B-reps touch: points, and segments between them
#ifndef ABUT_REGION_TOUCH_H
#define ABUT_REGION_TOUCH_H

#include "region/model.h"

#include <abut/tree.h>

/// A side of the pair, placed in A's frame.
typedef struct abut_touch_side {
    const abut_region_model *model;
    const abut_tree *tree; ///< of the triangles, in the mesh's frame
    abut_quat turn;        ///< from the mesh's frame to A's
    abut_mat3 rotation;    ///< `turn` as a matrix
    abut_vec3 translation; ///< from the mesh's frame to A's
} abut_touch_side;

/// A point where an entity of A meets one of B: vertex with vertex, edge or face, or edge across edge.
typedef struct abut_touch_node {
    abut_entity a, b;
    abut_vec3 point_a, point_b; ///< on the two entities
    int triangle;               ///< if one of the entities is a face: its triangle at the point; else -1
} abut_touch_node;

/// A segment where an edge lies on a face or on another edge, between two nodes.
typedef struct abut_touch_interval {
    abut_entity a, b; ///< edge and face, face and edge, or edge and edge
    int nodes[2];     ///< in the direction of A's edge, or of B's if A's entity is a face
} abut_touch_interval;

/// All that touches. Arrays are in the arena of the search.
typedef struct abut_touch {
    abut_touch_side sides[2];
    double tolerance, angle;
    abut_arena *arena;
    void *small_parts; ///< about 38 KB for two small meshes, which the next search with this struct uses again
    abut_touch_node *nodes;
    int node_count;
    abut_touch_interval *intervals;
    int interval_count;
    int overlaps;            ///< the solids overlap by more than the tolerance
    int64_t candidate_pairs; ///< pairs of elements, or of an element and a wide face, that may touch
    int64_t tested_pairs;    ///< pairs of a corner and a triangle, or of two edges, whose boxes meet
} abut_touch;

/// What counts as touching.
typedef struct abut_touch_limits {
    double tolerance, angle;
    abut_vec3 linear, angular; ///< velocity of B relative to A at a point p of A's frame: linear + angular x p
    double receding;           ///< faces that recede from the other side faster than this everywhere are left out
                               ///< (equations 11 to 13 of Bouma and Vanecek 1993); HUGE_VAL: none
} abut_touch_limits;

/// Finds all nodes and intervals of two sides. `touch` is all zero, or has the result of an earlier search with the
/// same arena, which is overwritten. Returns 0 if memory ran out.
int abut_touch_find(abut_arena *arena, const abut_touch_side sides[2], const abut_touch_limits *limits,
                    abut_touch *touch);

/// A point of a side's mesh in A's frame.
static inline abut_vec3 abut_touch_place(const abut_touch_side *side, abut_vec3 p)
{
    return abut_add(abut_mat3_apply(side->rotation, p), side->translation);
}

/// Whether a point of A's frame is inside a side: by the first triangle that a ray meets, for two of three rays.
int abut_touch_is_inside(const abut_touch_side *side, abut_vec3 p);

/// The normal of a face in A's frame.
static inline abut_vec3 abut_touch_normal(const abut_touch_side *side, int face)
{
    return abut_mat3_apply(side->rotation, side->model->brep.faces[face].normal);
}

/// The place of a point along a direction that is not aligned with common grids. Near points have near places.
static inline double abut_touch_sweep(abut_vec3 p)
{
    return abut_dot(abut_vec3_make(0.61, 0.5379, 0.5816), p); // length just below 1
}

/// Compares two of an array of nodes by the places of their points on A, then by index.
int abut_touch_compare_sweep(const void *nodes, int a, int b);

/// An end of an edge of a side, in A's frame.
static inline abut_vec3 abut_touch_edge_end(const abut_touch_side *side, int edge, int end)
{
    return abut_touch_place(side, abut_region_vertex(side->model, side->model->brep.edges[edge].vertices[end]));
}

#endif
