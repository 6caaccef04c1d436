// SPDX-License-Identifier: MIT
// real_intersection.h: intersection: vertices on faces and edges across edges, where surface faces meet
#ifndef ABUT_PROGRAM_REAL_INTERSECTION_H
#define ABUT_PROGRAM_REAL_INTERSECTION_H

#include "program/real_tet.h"

/// Whether all three points are strictly on one side of the plane through a triangle.
static int is_beside(const vec points[3], const vec triangle[3])
{
    offset_plane p = make_offset_plane(triangle[0], triangle[1], triangle[2]);
    int above = 0, below = 0;
    for (int k = 0; k < 3; ++k) {
        real h = offset_height(&p, points[k]);
        above += h > 0;
        below += h < 0;
    }
    return above == 3 || below == 3;
}

/// Edges 01, 02, 12 of both; one end of each edge is left out of the extents.
static int triangles_meet(const vec a[3], const vec b[3])
{
    static const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    if (is_beside(b, a) || is_beside(a, b)) {
        return 0;
    }
    for (int i = 0; i < 9; ++i) {
        int e = i / 3, m = i % 3;
        vec direction = cross(sub(a[pairs[e][1]], a[pairs[e][0]]), sub(b[pairs[m][1]], b[pairs[m][0]]));
        int skipped = pairs[m][m > e];
        if (is_apart(project(a, 3, pairs[e][0], direction), project(b, 3, skipped, direction))) {
            return 0;
        }
    }
    return 1;
}

/// Corners of a face of one at or behind a face of the other, however deep. Normal and depth are scaled by twice the
/// area of the face.
static void report_corners(const tet_pair *pair, const tet *points, int of_points, const tet *host, int face,
                           int host_is_second)
{
    for (int m = 0; m < 3; ++m) {
        int corner = faces[of_points][m];
        vec q = points->corners[corner], normal = host->planes[face].normal;
        real depth = height(&host->planes[face], q);
        if (!(depth > 0) && is_over_face(host, face, q)) {
            finding f = {.position = q, .normal = host_is_second ? negate(normal) : normal, .depth = depth};
            report_at_face(pair, part(ABUT_PROGRAM_CORNER, corner), face, host_is_second, &f);
        }
    }
}

/// Edge m of a face.
typedef struct face_edge {
    vec start, end, along; ///< along: unit
    int number;            ///< of the edge in the tetrahedron
} face_edge;

static face_edge get_face_edge(const tet *t, int face, int m)
{
    static const int numbers[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};
    int from = faces[face][m], to = faces[face][(m + 1) % 3];
    face_edge e = {t->corners[from], t->corners[to], {0, 0, 0}, numbers[from][to]};
    e.along = unit(sub(e.end, e.start));
    return e;
}

/// Closest points of two lines, clearly inside both edges. Returns 0 if they are not.
static int closest_on_edges(const face_edge *a, const face_edge *b, vec *middle)
{
    vec r = sub(b->start, a->start);
    real k = dot(a->along, b->along), q1 = dot(a->along, r), q2 = -dot(b->along, r), w = 1 - k * k, s = 0, t = 0;
    if ((w < 0 ? -w : w) > tiny) {
        s = (q1 + k * q2) / w;
        t = (q2 + k * q1) / w;
    }
    vec on_a = add(a->start, scale(s, a->along)), on_b = add(b->start, scale(t, b->along));
    *middle = scale((real)0.5, add(on_a, on_b));
    return !(dot(a->along, sub(on_a, a->end)) >= -tiny) && !(dot(negate(a->along), sub(on_a, a->start)) >= -tiny) &&
           !(dot(b->along, sub(on_b, b->end)) >= -tiny) && !(dot(negate(b->along), sub(on_b, b->start)) >= -tiny);
}

/// Returns 0 if the tetrahedra are apart or just touch along the axis of the edges, which ends the whole pair.
static int test_edges(const tet_pair *pair, int face_a, int i, int face_b, int k)
{
    const tet *a = &pair->first, *b = &pair->second;
    const plane *plane_a = &a->planes[face_a], *plane_b = &b->planes[face_b];
    face_edge of_a = get_face_edge(a, face_a, i), of_b = get_face_edge(b, face_b, k);
    vec direction = cross(of_a.along, of_b.along), middle;
    if (norm(direction) < tiny) {
        return 1;
    }
    direction = unit(direction);
    extent on_a = project(a->corners, 4, -1, direction), on_b = project(b->corners, 4, -1, direction);
    if (on_a.upper <= on_b.lower || on_b.upper <= on_a.lower) {
        return 0;
    }
    if (!closest_on_edges(&of_a, &of_b, &middle) || height(plane_a, middle) > tiny * norm(plane_a->normal) ||
        height(plane_b, middle) > tiny * norm(plane_b->normal) || !has_bit(a->edges, of_a.number) ||
        !has_bit(b->edges, of_b.number)) {
        return 1;
    }
    finding f = {.position = middle,
                 .first = part(ABUT_PROGRAM_EDGE, of_a.number),
                 .second = part(ABUT_PROGRAM_EDGE, of_b.number),
                 .source = part(ABUT_PROGRAM_EDGE, of_a.number),
                 .side = ABUT_PROGRAM_BOTH};
    if (on_a.lower <= on_b.lower && on_b.lower <= on_a.upper) {
        f.normal = direction;
        f.depth = on_b.lower - on_a.upper;
        report(pair, &f);
    }
    if (on_b.lower <= on_a.lower && on_a.lower <= on_b.upper) {
        f.normal = negate(direction);
        f.depth = on_a.lower - on_b.upper;
        report(pair, &f);
    }
    return 1;
}

static void test_intersection(const tet_pair *pair)
{
    const tet *a = &pair->first, *b = &pair->second;
    for (int i = 0; i < 16; ++i) {
        int face_a = i / 4, face_b = i % 4;
        if (!has_bit(a->surface, face_a) || !has_bit(b->surface, face_b)) {
            continue;
        }
        vec corners_a[3], corners_b[3];
        for (int m = 0; m < 3; ++m) {
            corners_a[m] = a->corners[faces[face_a][m]];
            corners_b[m] = b->corners[faces[face_b][m]];
        }
        if (!triangles_meet(corners_a, corners_b)) {
            continue;
        }
        report_corners(pair, a, face_a, b, face_b, 1);
        report_corners(pair, b, face_b, a, face_a, 0);
        for (int k = 0; k < 9; ++k) {
            if (!test_edges(pair, face_a, k / 3, face_b, k % 3)) {
                return;
            }
        }
    }
}

#endif
