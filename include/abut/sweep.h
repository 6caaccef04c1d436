// SPDX-License-Identifier: MIT
/// @file sweep.h
/// The first time at which two moving meshes touch.
#ifndef ABUT_SWEEP_H
#define ABUT_SWEEP_H

#include <abut/tree.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A rigid motion, as worlds move bodies: the center moves along a straight line, and the body turns about it at a
/// constant rate.
typedef struct abut_motion {
    abut_pose pose;             ///< at time 0
    abut_vec3 center;           ///< in the body's frame; does not matter if nothing turns
    abut_vec3 linear_velocity;  ///< of the center
    abut_vec3 angular_velocity; ///< in the world frame
} abut_motion;

/// Where the motion puts the body at a time.
ABUT_API abut_pose abut_motion_pose(const abut_motion *motion, double time);

/// Two triangle meshes and their motions. Start from abut_sweep_def_default().
typedef struct abut_sweep_def {
    size_t struct_size;
    const abut_tree *a, *b; ///< over triangles
    abut_motion motion_a, motion_b;
    double duration; ///< default 1
    /// What counts as touching, a length; default -1: 1e-6 of the smaller bounding diagonal. Surfaces that overlap by up
    /// to this much and do not get further into each other are slid along.
    double tolerance;
    double time_tolerance; ///< relative to the duration; default 1e-9
    /// Surfaces that touch at the start may get into each other by up to this length, at most the tolerance, before it
    /// counts as a touch; default 0: a touch at time 0. With more, a body that stands on a corner and turns about it is
    /// stopped where the next corner touches.
    double sink;
} abut_sweep_def;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_sweep_def_init(const abut_tree *a, const abut_tree *b, abut_sweep_def *def, size_t size);
static inline abut_sweep_def abut_sweep_def_default(const abut_tree *a, const abut_tree *b)
{
    abut_sweep_def def;
    abut_sweep_def_init(a, b, &def, sizeof def);
    return def;
}

/// Where one of the two touches.
typedef struct abut_sweep_side {
    int element;      ///< the triangle
    int vertices[3];  ///< of the mesh: those that span the vertex, edge or triangle that touches; the rest are -1
    int vertex_count; ///< 1, 2 or 3
    abut_vec3 point;  ///< world frame
} abut_sweep_side;

typedef struct abut_sweep_hit {
    int is_hit;           ///< 0: they do not touch within the duration, and what follows means nothing
    double time;          ///< of the first touch, never later; 0 if they touch at the start and get closer
    double gap;           ///< along the normal, at that time; negative: they overlap at the start
    abut_vec3 normal;     ///< from A to B; the two triangles are apart along it, or overlap the least
    abut_sweep_side a, b; ///< of several triangles that touch at the same time, one pair
    long long triangle_pairs, node_pairs; ///< the work: pairs that were looked at
} abut_sweep_hit;

/// Finds the first time at which two moving meshes touch. It is never late: up to `time`, the surfaces do not overlap by
/// more than the tolerance. For meshes that are apart, `time` is that of the touch, or before it: the bound of the time
/// that is left is then below the time tolerance. Meshes that touch at the start may slide along each other, also from
/// one face to the next; what they run into then is found. Only surfaces count: a mesh inside another does not touch it.
/// Two parallel sheets that are level up to rounding may pass in either direction, since neither has an inside.
/// The result is the same for the same input. With A and B swapped the time differs by rounding only.
/// @return ABUT_OK; ABUT_BAD_ARGUMENT if a tree is not over triangles, if a duration or tolerance is wrong or
///         `struct_size` is; ABUT_BAD_DATA if a motion is not finite; ABUT_LIMIT if a body turns by more than 1e4 radians
ABUT_API abut_status abut_sweep(const abut_sweep_def *def, abut_sweep_hit *hit, abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
