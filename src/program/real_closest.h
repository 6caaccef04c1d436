// SPDX-License-Identifier: MIT
// real_closest.h: closest-points: features of two eroded tetrahedra within the threshold
//
// Errors of the program that change results are kept. (a) The normal of two edges is the cross product of the first's
// edge and the vector from its start to the end of the second's. (b) The second's edge counts as covered if the corners
// of another edge of it are used: the one with the number of the first's edge. (c) Of the first, edge 0 is marked as
// used, whichever edge it was. (d) Whether edge k of the second is on the surface and used is read from the marks of
// corner k. Edges 4 and 5 have no such corner: the program reads beyond an array of four bits. Its standard library, as
// built, has zeros there, so these edges are not tested.
#ifndef ABUT_PROGRAM_REAL_CLOSEST_H
#define ABUT_PROGRAM_REAL_CLOSEST_H

#include "program/real_growth.h"

/// What has been used of a tetrahedron, one bit per corner or edge, and what is on the surface.
typedef struct marks {
    unsigned used_corners, used_edges;
    unsigned surface_corners, surface_edges;
} marks;

static marks make_marks(const tet *t)
{
    marks m = {0};
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < 3 && has_bit(t->surface, k); ++i) {
            m.surface_corners |= 1u << faces[k][i];
        }
    }
    for (int e = 0; e < 6; ++e) {
        for (int k = 0; k < 4; ++k) {
            int is_at_edge = k != edges[e][0] && k != edges[e][1];
            m.surface_edges |= (unsigned)(is_at_edge && has_bit(t->surface, k)) << e;
        }
    }
    return m;
}

/// Corners of one above faces of the other.
static void report_corners_over_faces(const tet_pair *pair, const tet *points, marks *m, const tet *host,
                                      int host_is_second)
{
    for (int i = 0; i < 16; ++i) {
        int corner = i / 4, face = i % 4;
        vec q = points->corners[corner];
        const plane *p = &host->planes[face];
        real distance = dot(sub(q, p->point), p->normal) / norm(p->normal);
        if (!has_bit(m->surface_corners, corner) || !has_bit(host->surface, face) || !is_over_face(host, face, q) ||
            distance > pair->threshold || distance <= 0) {
            continue;
        }
        vec normal = unit(p->normal);
        finding f = {.position = scale((real)0.5, add(q, foot_on_plane(p, q))),
                     .normal = host_is_second ? negate(normal) : normal,
                     .depth = pair->threshold - distance};
        report_at_face(pair, part(ABUT_PROGRAM_CORNER, corner), face, host_is_second, &f);
        m->used_corners |= 1u << corner;
    }
}

static int is_covered(const marks *m, int edge)
{
    return has_bit(m->used_corners, edges[edge][0]) && has_bit(m->used_corners, edges[edge][1]);
}

static void report_edges(const tet_pair *pair, int e, marks *of_a, int k, marks *of_b)
{
    const tet *a = &pair->first, *b = &pair->second;
    vec start = a->corners[edges[e][0]], end = a->corners[edges[e][1]], other_end = b->corners[edges[k][1]];
    vec on_a, on_b;
    if (!closest_inside_edges(start, end, b->corners[edges[k][0]], other_end, &on_a, &on_b)) {
        return;
    }
    real distance = norm(sub(on_a, on_b));
    if (distance > pair->threshold || distance == 0) {
        return;
    }
    vec normal = unit(cross(sub(end, start), sub(other_end, start))); // error (a)
    finding f = {.position = scale((real)0.5, add(on_a, on_b)),
                 .normal = dot(on_a, normal) > dot(on_b, normal) ? negate(normal) : normal,
                 .depth = pair->threshold - distance,
                 .first = part(ABUT_PROGRAM_EDGE, e),
                 .second = part(ABUT_PROGRAM_EDGE, k),
                 .source = part(ABUT_PROGRAM_EDGE, e),
                 .side = ABUT_PROGRAM_BOTH};
    report(pair, &f);
    of_a->used_edges |= 1u; // error (c): the integer part of a cosine is taken as the number
    of_b->used_edges |= 1u << k;
}

/// Edges of one through faces of the other. `skipped` has edges that are left out from the start; an edge that has
/// crossed one face may cross others.
static void report_edges_through_faces(const tet_pair *pair, const tet *of_edges, unsigned tested, const tet *host,
                                       int host_is_second)
{
    for (int i = 0; i < 24; ++i) {
        int e = i / 4, face = i % 4;
        const plane *p = &host->planes[face];
        vec from = of_edges->corners[edges[e][0]], to = of_edges->corners[edges[e][1]];
        if (!has_bit(tested, e) || !has_bit(host->surface, face) || !crosses(from, to, p)) {
            continue;
        }
        finding f = {.position = crossing_point(from, to, p)};
        if (is_over_face(host, face, f.position)) {
            vec normal = divide(p->normal, norm(p->normal));
            f.normal = host_is_second ? negate(normal) : normal;
            f.depth = least(dot(sub(from, p->point), p->normal) / norm(p->normal),
                            dot(sub(to, p->point), p->normal) / norm(p->normal));
            report_at_face(pair, part(ABUT_PROGRAM_EDGE, e), face, host_is_second, &f);
        }
    }
}

static void test_closest_points(const tet_pair *pair)
{
    const tet *a = &pair->first, *b = &pair->second;
    marks of_a = make_marks(a), of_b = make_marks(b);
    report_corners_over_faces(pair, a, &of_a, b, 1);
    report_corners_over_faces(pair, b, &of_b, a, 0);
    for (int e = 0; e < 6; ++e) {
        if (has_bit(of_a.used_edges, e) || !has_bit(of_a.surface_edges, e) || is_covered(&of_a, e)) {
            continue;
        }
        for (int k = 0; k < 6; ++k) {
            int seems_covered = is_covered(&of_b, e); // error (b)
            if (!has_bit(of_b.used_edges, k) && has_bit(of_b.surface_edges, k) && !seems_covered) {
                report_edges(pair, e, &of_a, k, &of_b);
            }
        }
    }
    report_edges_through_faces(pair, a, of_a.surface_edges & ~of_a.used_edges, b, 1);
    report_edges_through_faces(pair, b, of_b.surface_corners & ~of_b.used_corners, a, 0); // error (d)
}

#endif
