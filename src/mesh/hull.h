// SPDX-License-Identifier: MIT
// hull.h: what the two files of the convex hull share
#ifndef ABUT_MESH_HULL_H
#define ABUT_MESH_HULL_H

#include <abut/base.h>
#include <abut/math.h>
#include <libqhull_r/qhull_ra.h>

/// Triangles of a hull: for each, three indices into qhull's points, counter-clockwise from outside.
typedef struct abut_hull_triangles {
    int *corners;
    int count;
} abut_hull_triangles;

/// Turns qhull's facets of `point_count` points into polygons, drops vertices that are not corners, and cuts the
/// polygons into triangles. Returns ABUT_BAD_DATA if the facets do not form polygons. The caller frees `corners`.
abut_status abut_hull_cut(const abut_context *context, qhT *qhull, int point_count, abut_hull_triangles *triangles);

#endif
