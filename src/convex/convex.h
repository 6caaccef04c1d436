// SPDX-License-Identifier: MIT
// convex.h: a convex polyhedron with the tables that searches need
#ifndef ABUT_CONVEX_CONVEX_H
#define ABUT_CONVEX_CONVEX_H

#include "convex/point_tree.h"
#include "convex/zonotope.h"

#include <abut/brep.h>
#include <abut/convex.h>

/// A neighbour of a point, and the edge to it.
typedef struct abut_convex_link {
    int point, edge;
} abut_convex_link;

typedef struct abut_convex_edge {
    int points[2];
    int faces[2];   ///< left and right of the edge from the first to the second point, seen from outside
    double cosine;  ///< of the angle between the normals of the two faces
    double squared; ///< squared length
} abut_convex_edge;

struct abut_convex {
    abut_context context;
    abut_vec3 *points;
    int point_count;
    int *link_begin; ///< start of each point's range in `links`; one entry more than points
    abut_convex_link *links;
    abut_convex_edge *edges; ///< neighbours on the surface are near each other in this array
    int edge_count;
    abut_vec3 *normals; ///< of faces, unit, outward
    int *face_begin;    ///< start of each face's range in `face_points`; one entry more than faces
    int *face_points;   ///< counter-clockwise seen from outside
    int *face_edges;    ///< per entry of `face_points`: the edge to the next point
    abut_vec3
        *sides; ///< per entry of `face_points`: unit normal of the side to the next point, in the face, inward
    double *inverse_lengths; ///< per entry of `face_points`: one over the length of the side
    abut_vec3 *middles;      ///< of faces: the mean of the corners
    double *inverse_insets;  ///< per entry of `face_points`: one over the distance of the middle from the side
    /// Per face: the least distance of a corner from the line through its two neighbours; 0 if any corner is sharp.
    double *corners;
    double *drops; ///< per face: how far all other vertices are below its plane
    /// Per face: the support along the normal. A vertex of the face, unless the face is so thin that its normal is
    /// inaccurate.
    int *tops;
    int face_count;
    int *starts;   ///< a vertex to start a climb from, for each cell of a cube of directions
    int grid;      ///< cells along each side of the cube
    double reach;  ///< largest distance of a point from the frame's origin
    double length; ///< diagonal of the bounding box
    /// A length: neighbours whose heights differ by no more need abut_convex_peak_closely(). Negative: never needed.
    double unsure;
    abut_vec3 center;
    double inner_radius; ///< radius of a ball about `center` that is inside the shape
    double deviation;    ///< see abut_convex_info
    int *point_sources;  ///< vertices of the mesh
    abut_feature *edge_features;
    abut_feature *face_features;
    abut_zonotope zonotope;
    int64_t work; ///< boxes, points and triangles that its creation looked at, for tests of growth
};

/// Returns the position of a point in a list, or -1.
static inline int abut_convex_find_point(const int *points, int count, int point)
{
    for (int i = 0; i < count; ++i) {
        if (points[i] == point) {
            return i;
        }
    }
    return -1;
}

static inline int abut_convex_is_end(const abut_convex *shape, int edge, int point)
{
    return shape->edges[edge].points[0] == point || shape->edges[edge].points[1] == point;
}

/// A slower abut_convex_peak() for the case that a neighbour of `start` is as high as `start` up to rounding. It
/// compares the rise along each edge instead of the heights, which is more accurate.
int abut_convex_peak_closely(const abut_convex *shape, abut_vec3 direction, int start, int level, double *height,
                             double *gap);

/// Climbs along edges from `start` to the highest point in a direction, which must be a unit vector. `height` is the
/// point's dot product with the direction; all its neighbours are at least `gap` lower. `level` is an edge known to be
/// at right angles to the direction, or -1: the climb and the gap ignore it.
static inline int abut_convex_peak(const abut_convex *shape, abut_vec3 direction, int start, int level,
                                   double *height, double *gap)
{
    const abut_vec3 *points = shape->points;
    int best = start;
    double best_height = abut_dot(points[start], direction), second = 0.0;
    for (int from = -1; from != best;) {
        from = best;
        second = -HUGE_VAL;
        const abut_convex_link *link = &shape->links[shape->link_begin[from]];
        const abut_convex_link *end = &shape->links[shape->link_begin[from + 1]];
        for (; link != end; ++link) {
            double h = link->edge != level ? abut_dot(points[link->point], direction) : -HUGE_VAL;
            second = h > second ? h : second;
            if (h > best_height) {
                best_height = h;
                best = link->point;
            }
        }
    }
    *height = best_height;
    *gap = best_height - second;
    if (*gap <= shape->unsure) {
        return abut_convex_peak_closely(shape, direction, best, level, height, gap);
    }
    return best;
}

/// Height of `to` above `from` in a direction, or 0 if it is below its rounding error: 2 DBL_EPSILON of the summed
/// magnitudes of the three products, for the rounding of the differences, products and sums.
static inline double abut_convex_rise(abut_vec3 from, abut_vec3 to, abut_vec3 direction)
{
    abut_vec3 way = abut_sub(to, from);
    double x = way.x * direction.x, y = way.y * direction.y, z = way.z * direction.z, rise = x + y + z;
    return fabs(rise) > 0x1p-51 * (fabs(x) + fabs(y) + fabs(z)) ? rise : 0.0;
}

static inline int abut_convex_climb(const abut_convex *shape, abut_vec3 direction, int start, double *height)
{
    double gap;
    return abut_convex_peak(shape, direction, start, -1, height, &gap);
}

/// A vertex to start a climb from if no nearby support is known.
int abut_convex_start(const abut_convex *shape, abut_vec3 direction);

/// Fills `starts` by searches in a tree of the shape's points.
abut_status abut_convex_make_starts(abut_convex *shape, abut_point_tree *tree);

/// Fills points, edges, faces, links, `starts`, `reach`, `deviation` and features from a closed mesh. `original` is
/// the mesh whose elements name the features. `sources` maps vertices of `mesh` to those of `original`, or is NULL if
/// both are the same mesh.
abut_status abut_convex_build(abut_convex *shape, const abut_mesh *mesh, const abut_mesh *original,
                              const int *sources, abut_error *error);

/// Fills the features of a shape that was made from `mesh` itself; `rank` gives the shape's edge for each edge of the
/// B-rep.
void abut_convex_name_own(abut_convex *shape, const abut_brep_elements *brep, const abut_mesh *mesh,
                          const int *rank);

/// Fills the features of a shape that was made from the hull of `mesh`: those with the same vertices.
abut_status abut_convex_name_by_vertices(abut_convex *shape, const abut_mesh *mesh);

/// Detects zonotopes with at most ABUT_ZONOTOPE_GENERATORS generators. Needs the complete shape.
void abut_convex_find_zonotope(abut_convex *shape);

void abut_convex_clear(abut_convex *shape);

#endif
