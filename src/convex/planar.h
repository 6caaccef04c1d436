// SPDX-License-Identifier: MIT
// planar.h: points, segments and convex polygons in the contact plane, and their intersection
#ifndef ABUT_CONVEX_PLANAR_H
#define ABUT_CONVEX_PLANAR_H

#include <abut/math.h>

enum {
    /// Points of a set. Keeps frames below 16 KB: 10 KB for the hull in planar_close.c, 8 KB for the heights of two
    /// corners in planar.c. Vertices beyond the limit are left out, which `cap_count` reports.
    ABUT_PLANAR_POINTS = 512,
    ABUT_PLANAR_BEVELS = 2, ///< a polygon has at most two sharp corners, see abut_planar_is_sharp()
    ABUT_PLANAR_LINES = ABUT_PLANAR_POINTS + ABUT_PLANAR_BEVELS
};

/// A point, a segment or a convex polygon, counter-clockwise. `ids` belong to the caller. A polygon has lines: the
/// signed distance of a point p to the left of line i is normals[i] . p - offsets[i]. Line i passes through the side
/// from point i to the next. The lines after these are bevels through sharp corners; without them, points far beyond
/// a sharp tip would count as near. A point at most the tolerance to the right of every line is within 4 tolerances of
/// the polygon: at a corner of 30 degrees, the two sides, moved out by one tolerance, meet 1 / sin(15 degrees) = 3.9
/// tolerances outside.
typedef struct abut_planar {
    int ids[ABUT_PLANAR_POINTS];
    abut_vec2 *points;              ///< memory of the caller, with room for all points of the set
    abut_vec2 *normals;             ///< memory of the caller, with room for ABUT_PLANAR_BEVELS more
    double *offsets;                ///< memory of the caller, as many as normals
    int bevels[ABUT_PLANAR_BEVELS]; ///< the sharp corners
    int count, line_count;
} abut_planar;

/// Returns 1 if a corner is sharp, below 30 degrees, given the cosine between the normals of its sides. At 30 degrees
/// the normals are 150 degrees apart: cos 150 = -0.866. A convex polygon has at most two such corners, since all its
/// normals together turn by 360 degrees.
static inline int abut_planar_is_sharp(double cosine)
{
    return cosine < -0.8660254037844387;
}

/// Position of a point in a set as a weighted sum of corners: one at a corner, two on a side, three inside. Weights
/// after the first `count` are 0.
typedef struct abut_planar_place {
    int corners[3]; ///< indices in the set; on a side, the side's first corner comes first
    int count;
    double weights[3];
} abut_planar_place;

/// A point common to both sets. If the sets do not meet, `a` and `b` are their closest points.
typedef struct abut_planar_point {
    abut_vec2 a, b;
    abut_planar_place on_a, on_b;
} abut_planar_point;

/// Reduces the points to the corners of their convex hull, counter-clockwise, and computes the lines. One or two may
/// be left. Every point left out is inside the result or within the tolerance of it.
void abut_planar_close(abut_planar *set, double tolerance);

/// Finds the corners of the intersection, each within 4 tolerances of both sets. `points` must have room for the
/// corners of both sets together. If the intersection is empty, gives the closest points of the two sets, and
/// `is_repaired` is 1 if they are further apart than the tolerance. Returns the number of points.
int abut_planar_intersect(const abut_planar *a, const abut_planar *b, double tolerance, abut_planar_point *points,
                          int *is_repaired);

#endif
