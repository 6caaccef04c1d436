// SPDX-License-Identifier: MIT
// convex.h: a convex polyhedron with what searches need
#ifndef ABUT_CONVEX_CONVEX_H
#define ABUT_CONVEX_CONVEX_H

#include "convex/zonotope.h"

#include <abut/convex.h>

/// From a point to a neighbour along an edge.
typedef struct abut_convex_link {
    int point, edge;
} abut_convex_link;

typedef struct abut_convex_edge {
    int points[2];
    int faces[2];   ///< left and right of the way from the first to the second point, seen from outside
    double cosine;  ///< between the normals of the two
    double squared; ///< length
} abut_convex_edge;

struct abut_convex {
    abut_context context;
    abut_vec3 *points;
    int point_count;
    int *link_begin; ///< of each point in `links`, one entry more than points
    abut_convex_link *links;
    abut_convex_edge *edges; ///< neighbours on the surface are near each other in this array
    int edge_count;
    abut_vec3 *normals; ///< of faces, unit, outward
    int *face_begin;    ///< of each face in `face_points`, one entry more than faces
    int *face_points;   ///< counter-clockwise seen from outside
    int *face_edges;    ///< of each entry of `face_points`: the edge to the next point
    abut_vec3 *sides; ///< of each entry of `face_points`: unit, in the face, inward from the side to the next point
    double *inverse_lengths; ///< of each entry of `face_points`: one over the length of the side
    /// Of faces: the least distance of a corner from the line through the two next to it; 0 if one is sharp.
    double *corners;
    double *drops; ///< of faces: how far below the plane all vertices are that have an edge to it
    /// Of faces: the support along the normal; a vertex of the face, but where the face is so thin that the normal
    /// is not known well.
    int *tops;
    int face_count;
    int *starts;   ///< a vertex to start from for each cell of a cube of directions
    int grid;      ///< cells along each side of the cube
    double reach;  ///< largest distance of a point from the frame's origin
    double length; ///< of the bounding diagonal
    /// Heights of neighbours that differ by no more are not told apart; negative if that does not matter.
    double unsure;
    abut_vec3 center;
    double inner_radius; ///< of a ball about `center` that is inside
    double deviation;
    int *point_sources; ///< vertices of the mesh
    abut_feature *edge_features;
    abut_feature *face_features;
    abut_zonotope zonotope;
};

/// Where a point is in a list, or -1.
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

/// abut_convex_peak() for a direction in which some neighbour of `start` is so nearly as high that rounded heights do
/// not tell which is higher: compares the rise along each edge instead.
int abut_convex_peak_closely(const abut_convex *shape, abut_vec3 direction, int start, int level, double *height,
                             double *gap);

/// The highest point in a direction, a unit vector, found by climbing from `start`. `height` is its dot product with
/// the direction; all its neighbours are lower by at least `gap`. `level` is an edge known to be at right angles to
/// the direction, whose other end does not count in the gap, or -1.
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

/// How far the other end of an edge is above a point in a direction, or 0 if rounding does not tell.
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

/// Where to start a climb in a direction that nothing is known of.
int abut_convex_start(const abut_convex *shape, abut_vec3 direction);

/// Fills `starts`; points and links must be there.
abut_status abut_convex_make_starts(abut_convex *shape);

/// Fills everything but `starts` from a closed mesh without holes. `original` is the mesh that features are named
/// in, and `sources` the vertices of it, or NULL if both are the same.
abut_status abut_convex_build(abut_convex *shape, const abut_mesh *mesh, const abut_mesh *original,
                              const int *sources, abut_error *error);

/// Finds out whether the shape is a zonotope of few generators; everything else must be there.
void abut_convex_find_zonotope(abut_convex *shape);

void abut_convex_clear(abut_convex *shape);

#endif
