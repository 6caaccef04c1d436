// SPDX-License-Identifier: MIT
// compare.h: exact comparisons of points and boxes
#ifndef ABUT_PRIM_COMPARE_H
#define ABUT_PRIM_COMPARE_H

#include <abut/math.h>

/// A total order of points: by x, then y, then z.
static inline int abut_vec3_is_before(abut_vec3 a, abut_vec3 b)
{
    if (a.x != b.x) {
        return a.x < b.x;
    }
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

/// Whether two boxes are within `margin` of each other along every axis.
static inline int abut_boxes_are_near(abut_box a, abut_box b, double margin)
{
    return a.lower.x <= b.upper.x + margin && b.lower.x <= a.upper.x + margin && a.lower.y <= b.upper.y + margin &&
           b.lower.y <= a.upper.y + margin && a.lower.z <= b.upper.z + margin && b.lower.z <= a.upper.z + margin;
}

/// Whether two boxes have a common point; touching counts.
static inline int abut_boxes_overlap(abut_box a, abut_box b)
{
    return abut_boxes_are_near(a, b, 0.0);
}

/// The bounding box of the points.
static inline abut_box abut_box_of(const abut_vec3 *points, int count)
{
    abut_box box = abut_box_empty();
    for (int i = 0; i < count; ++i) {
        box = abut_box_add(box, points[i]);
    }
    return box;
}

#endif
