// SPDX-License-Identifier: MIT
// planar.h: points, segments and convex polygons in the contact plane, and their intersection
#ifndef ABUT_CONVEX_PLANAR_H
#define ABUT_CONVEX_PLANAR_H

#include <abut/math.h>

enum { ABUT_PLANAR_POINTS = 512 };

/// A point, a segment or a convex polygon, counter-clockwise; `ids` are the caller's. A point p is normals[i] . p -
/// offsets[i] to the left of the side of a polygon from point i to the next. Points and segments have no normals
/// and offsets.
typedef struct abut_planar {
    abut_vec2 points[ABUT_PLANAR_POINTS];
    int ids[ABUT_PLANAR_POINTS];
    abut_vec2 normals[ABUT_PLANAR_POINTS];
    double offsets[ABUT_PLANAR_POINTS];
    int count;
} abut_planar;

/// Where a point is in a set: at a corner, on a side, or inside. Three corners with weights that give the point;
/// those after the first `count` have no weight.
typedef struct abut_planar_place {
    int corners[3]; ///< indices in the set; of a side, its own first
    int count;
    double weights[3];
} abut_planar_place;

/// A point that both sets have; the two differ where the sets do not meet.
typedef struct abut_planar_point {
    abut_vec2 a, b;
    abut_planar_place on_a, on_b;
} abut_planar_point;

/// Leaves the corners of the convex hull: one, two, or more in order; and finds its sides. Points within
/// `tolerance` of a side are no corners.
void abut_planar_close(abut_planar *set, double tolerance);

/// The corners of the intersection; `points` has room for 2 ABUT_PLANAR_POINTS. Sets that are further apart than the
/// tolerance give their closest points, and `is_repaired` is 1. Returns the number of points.
int abut_planar_intersect(const abut_planar *a, const abut_planar *b, double tolerance, abut_planar_point *points,
                          int *is_repaired);

#endif
