// SPDX-License-Identifier: MIT
// polygon_simple.h: whether a polygon in the plane crosses or touches itself
#ifndef ABUT_MESH_POLYGON_SIMPLE_H
#define ABUT_MESH_POLYGON_SIMPLE_H

#include <abut/predicates.h>

/// 1 if c is left of the line from a to b, -1 if right, 0 if on it. Also 0 if the coordinates are out of range for
/// the exact test; such polygons count as irregular.
static inline int abut_turn(abut_vec2 a, abut_vec2 b, abut_vec2 c)
{
    int sign;
    (void)abut_orient2d(a, b, c, &sign);
    return sign;
}

/// Scratch memory for abut_polygon_is_simple(): three arrays of `count` items each.
typedef struct abut_polygon_sweep_memory {
    int *order, *scratch, *active;
} abut_polygon_sweep_memory;

/// Whether a polygon of `count` >= 4 points is simple: no two sides have a common point except the corner between
/// them.
int abut_polygon_is_simple(const abut_vec2 *points, int count, abut_polygon_sweep_memory memory);

#endif
