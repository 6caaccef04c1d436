// SPDX-License-Identifier: MIT
// planar.h: points, segments and convex polygons in the contact plane, and their intersection
#ifndef ABUT_CONVEX_PLANAR_H
#define ABUT_CONVEX_PLANAR_H

#include <abut/math.h>

enum {
    ABUT_PLANAR_POINTS = 512,
    ABUT_PLANAR_BEVELS = 2,
    ABUT_PLANAR_LINES = ABUT_PLANAR_POINTS + ABUT_PLANAR_BEVELS
};

/// A point, a segment or a convex polygon, counter-clockwise; `ids` are the caller's. A polygon has lines: a point p
/// is normals[i] . p - offsets[i] to the left of line i. Line i goes through the side from point i to the next. The
/// lines after these, the bevels, go through sharp corners, whose sides alone would let points far beyond the tip
/// count as near. A point at most the tolerance to the right of all lines is within 4 tolerances of the polygon: at a
/// corner of 30 degrees or more, two sides meet 1 / sin(15 degrees) = 3.9 tolerances outside.
typedef struct abut_planar {
    int ids[ABUT_PLANAR_POINTS];
    abut_vec2 *points;              ///< the caller's, as all arrays: room for all points of the set,
    abut_vec2 *normals;             ///< and ABUT_PLANAR_BEVELS more
    double *offsets;                ///< as many as normals
    int bevels[ABUT_PLANAR_BEVELS]; ///< corners
    int count, line_count;
} abut_planar;

/// Whether a corner is sharp, from the cosine between the normals of its sides: below 30 degrees. A polygon has at
/// most two of them.
static inline int abut_planar_is_sharp(double cosine)
{
    return cosine < -0.8660254037844387;
}

/// Where a point is in a set: at a corner, on a side, or inside. Three corners with weights that give the point;
/// those after the first `count` have no weight.
typedef struct abut_planar_place {
    int corners[3]; ///< indices in the set; of a side, its own first
    int count;
    double weights[3];
} abut_planar_place;

/// A point that both sets have; the two differ if the sets do not meet.
typedef struct abut_planar_point {
    abut_vec2 a, b;
    abut_planar_place on_a, on_b;
} abut_planar_point;

/// Reduces the points to corners of their convex hull, one, two, or more in order, and finds the lines. All points
/// that are left out are inside or within the tolerance of what is left.
void abut_planar_close(abut_planar *set, double tolerance);

/// The corners of the intersection, within 4 tolerances of both sets; `points` has room for as many as both sets
/// have corners. If there are none, gives the closest points of the two sets, and `is_repaired` is 1 if they are
/// further apart than the tolerance. It is 1 as well if a corner had no room. Returns the number of points.
int abut_planar_intersect(const abut_planar *a, const abut_planar *b, double tolerance, abut_planar_point *points,
                          int *is_repaired);

#endif
