// SPDX-License-Identifier: MIT
// tet_points.c: the corners of the common part of two tetrahedra
//
// The common part is convex. Its corners are corners of one tetrahedron inside the other, and points where edges of
// one enter or leave the other. The part of an edge inside a convex body is connected, so its first and last points
// are enough. Bodies that only touch need a tolerance against rounding:
//   - features within `reach` count as touching;
//   - an edge that lies in the plane of a face does not cross that face;
//   - edges that pass each other within `reach` meet at the midpoint between them.
// So touching faces give the corners of their common polygon, and bodies within `reach` give at least one point.
#include "prim/point_tet.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"
#include "prim/tet_tet.h"

typedef struct collection {
    const abut_tet *tets[2];
    double heights[2][4][4]; ///< [side][corner][face]: of the corner over the face of the other tetrahedron
    const abut_tet_meeting *meeting;
    abut_meeting_point *points;
    int count;
} collection;

/// The first and the last point found along an edge.
typedef struct piece {
    double from, to; ///< parameters on the edge
    abut_meeting_point first, last;
} piece;

static void add_point(collection *c, const abut_meeting_point *point)
{
    double limit = c->meeting->tolerance * c->meeting->tolerance;
    for (int i = 0; i < c->count; ++i) {
        if (abut_norm_squared(abut_sub(c->points[i].position, point->position)) <= limit) {
            return;
        }
    }
    c->points[c->count++] = *point;
}

/// The largest signed distance of a point from the planes of the three other faces.
static double height_beside(const abut_tet *tet, int face, abut_vec3 p)
{
    double highest = -HUGE_VAL;
    for (int k = 0; k < 4; ++k) {
        double height = k != face ? abut_tet_height(tet, k, p) : highest;
        highest = height > highest ? height : highest;
    }
    return highest;
}

int abut_tet_is_on_face(const abut_tet *tet, int face, abut_vec3 p, double reach)
{
    if (height_beside(tet, face, p) > reach) {
        return 0;
    }
    const int *corners = abut_tet_faces[face];
    const abut_vec3 triangle[3] = {tet->corners[corners[0]], tet->corners[corners[1]], tet->corners[corners[2]]};
    double weights[3];
    return abut_point_triangle_distance_squared(p, triangle, weights) <= reach * reach;
}

/// Whether a corner is in the other tetrahedron or within reach of it.
static int is_in_solid(const collection *c, int side, int corner)
{
    double highest = -HUGE_VAL, reach = c->meeting->reach, weights[4];
    for (int k = 0; k < 4; ++k) {
        double height = c->heights[side][corner][k];
        highest = height > highest ? height : highest;
    }
    return highest <= 0.0 || (highest <= reach && abut_point_tet_distance_squared(c->tets[side]->corners[corner],
                                                                                  c->tets[1 - side]->corners,
                                                                                  weights) <= reach * reach);
}

static void add_corners(collection *c, int side)
{
    for (int corner = 0; corner < 4; ++corner) {
        abut_vec3 p = c->tets[side]->corners[corner];
        if (!is_in_solid(c, side, corner)) {
            continue;
        }
        abut_meeting_point point = {
            .position = p, .side = side, .corner = corner, .edge = -1, .other_face = -1, .other_edge = -1};
        add_point(c, &point);
    }
}

static void add_to_piece(piece *found, double at, const abut_meeting_point *point)
{
    if (at < found->from) {
        found->from = at;
        found->first = *point;
    }
    if (at > found->to) {
        found->to = at;
        found->last = *point;
    }
}

/// Adds the points where an edge crosses faces of the other tetrahedron.
static void cross_faces(const collection *c, int side, int edge, piece *found)
{
    const abut_tet *other = c->tets[1 - side];
    double reach = c->meeting->reach;
    abut_vec3 from = c->tets[side]->corners[abut_tet_edges[edge][0]];
    abut_vec3 to = c->tets[side]->corners[abut_tet_edges[edge][1]];
    for (int face = 0; face < 4; ++face) {
        double start = c->heights[side][abut_tet_edges[edge][0]][face];
        double end = c->heights[side][abut_tet_edges[edge][1]][face];
        int lies_in_plane = fabs(start) <= reach && fabs(end) <= reach;
        if (lies_in_plane || !((start < 0.0) != (end < 0.0))) {
            continue;
        }
        double at = start / (start - end);
        abut_vec3 p = abut_lerp(from, to, at);
        // The point is behind the other faces, so it is on this one, even if rounding puts it off the plane.
        if (height_beside(other, face, p) <= 0.0 || abut_tet_is_on_face(other, face, p, reach)) {
            abut_meeting_point point = {
                .position = p, .side = side, .corner = -1, .edge = edge, .other_face = face, .other_edge = -1};
            add_to_piece(found, at, &point);
        }
    }
}

/// Adds the points where an edge of A touches edges of B.
static void pass_edges(const collection *c, int edge, piece *found)
{
    const abut_vec3 *a = c->tets[0]->corners, *b = c->tets[1]->corners;
    const int *e = abut_tet_edges[edge];
    abut_vec3 u = abut_sub(a[e[1]], a[e[0]]);
    double reach = c->meeting->reach;
    for (int k = 0; k < 6; ++k) {
        const int *f = abut_tet_edges[k];
        abut_vec3 v = abut_sub(b[f[1]], b[f[0]]), cross = abut_cross(u, v);
        double squared = abut_norm_squared(cross);
        double between = abut_dot(cross, abut_sub(b[f[0]], a[e[0]])); // the distance of the lines times |cross|
        double least = c->meeting->parallel * c->meeting->parallel * abut_norm_squared(u) * abut_norm_squared(v);
        double s, t;
        // 1.0001: the distance of the lines only rejects quickly, so it must not reject because of rounding
        if (squared > least && between * between <= 1.0001 * reach * reach * squared &&
            abut_segment_segment_inner_distance_squared(a[e[0]], a[e[1]], b[f[0]], b[f[1]], &s, &t) <=
                reach * reach) {
            abut_vec3 middle = abut_lerp(abut_lerp(a[e[0]], a[e[1]], s), abut_lerp(b[f[0]], b[f[1]], t), 0.5);
            abut_meeting_point point = {
                .position = middle, .side = 0, .corner = -1, .edge = edge, .other_face = -1, .other_edge = k};
            add_to_piece(found, s, &point);
        }
    }
}

static void add_edges(collection *c, int side)
{
    for (int edge = 0; edge < 6; ++edge) {
        piece found = {.from = HUGE_VAL, .to = -HUGE_VAL};
        cross_faces(c, side, edge, &found);
        if (side == 0) {
            pass_edges(c, edge, &found);
        }
        if (found.from <= found.to) {
            add_point(c, &found.first);
            add_point(c, &found.last);
        }
    }
}

int abut_tet_points(const abut_tet *a, const abut_tet *b, const abut_tet_meeting *meeting,
                    abut_meeting_point points[ABUT_TET_POINT_LIMIT])
{
    collection c = {.tets = {a, b}, .meeting = meeting, .points = points};
    for (int i = 0; i < 16; ++i) {
        c.heights[0][i / 4][i % 4] = abut_tet_height(b, i % 4, a->corners[i / 4]);
        c.heights[1][i / 4][i % 4] = abut_tet_height(a, i % 4, b->corners[i / 4]);
    }
    add_corners(&c, 0);
    add_corners(&c, 1);
    add_edges(&c, 0);
    add_edges(&c, 1);
    return c.count;
}
