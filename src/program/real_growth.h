// SPDX-License-Identifier: MIT
// real_growth.h: growth: the separation of two tetrahedra that are shrunk, then grown again
#ifndef ABUT_PROGRAM_REAL_GROWTH_H
#define ABUT_PROGRAM_REAL_GROWTH_H

#include "program/real_points.h"

/// The closest points of two tetrahedra that are apart.
typedef struct closest {
    vec a, b;
    real distance;
} closest;

static void keep_closest(closest *c, vec a, vec b, real distance)
{
    if (distance < c->distance) {
        *c = (closest){a, b, distance};
    }
}

/// A corner of one and an edge of the other.
static void try_corner_and_edge(closest *c, vec corner, vec start, vec end, int edge_is_second)
{
    vec along = sub(end, start);
    real t = dot(sub(corner, start), along) / dot(along, along);
    if (t > 0 && t < 1) {
        vec q = add(start, scale(t, along));
        vec a = edge_is_second ? corner : q, b = edge_is_second ? q : corner;
        keep_closest(c, a, b, norm(sub(a, b)));
    }
}

/// Places on two edges, measured from their starts. Returns 0 if these are not inside both, or the edges are parallel.
static int closest_inside_edges(vec start_a, vec end_a, vec start_b, vec end_b, vec *on_a, vec *on_b)
{
    vec along_a = unit(sub(end_a, start_a)), along_b = unit(sub(end_b, start_b)), r = sub(start_b, start_a);
    real k = dot(along_a, along_b), q1 = dot(along_a, r), q2 = -dot(along_b, r), w = 1 - k * k;
    if ((w < 0 ? -w : w) < tiny) {
        return 0;
    }
    real t = (q1 + k * q2) / w, s = (q2 + k * q1) / w;
    *on_a = add(start_a, scale(t, along_a));
    *on_b = add(start_b, scale(s, along_b));
    return t > 0 && s > 0 && t < norm(sub(end_a, start_a)) && s < norm(sub(end_b, start_b));
}

static vec foot_on_plane(const plane *p, vec q)
{
    return sub(q, divide(scale(dot(p->normal, sub(q, p->point)), p->normal), dot(p->normal, p->normal)));
}

static void try_corner_and_face(closest *c, vec corner, const tet *host, int face, int face_is_second)
{
    const plane *p = &host->planes[face];
    if (!is_over_face(host, face, corner)) {
        return;
    }
    real distance = dot(sub(corner, p->point), p->normal) / norm(p->normal);
    if (!(distance < 0)) {
        vec foot = foot_on_plane(p, corner);
        keep_closest(c, face_is_second ? corner : foot, face_is_second ? foot : corner, distance);
    }
}

/// All pairs of features, in the program's order: of equal distances the first counts.
static closest find_closest(const tet *a, const tet *b)
{
    closest c = {.distance = (real)HUGE_VAL};
    for (int i = 0; i < 16; ++i) {
        vec p = a->corners[i / 4], q = b->corners[i % 4];
        keep_closest(&c, p, q, norm(sub(p, q)));
    }
    for (int i = 0; i < 48; ++i) {
        int corner = i / 12, edge = i % 6, is_second = i / 6 % 2 == 0;
        const tet *t = is_second ? b : a;
        try_corner_and_edge(&c, is_second ? a->corners[corner] : b->corners[corner], t->corners[edges[edge][0]],
                            t->corners[edges[edge][1]], is_second);
    }
    for (int i = 0; i < 36; ++i) {
        int e = i / 6, m = i % 6;
        vec p, q;
        if (closest_inside_edges(a->corners[edges[e][0]], a->corners[edges[e][1]], b->corners[edges[m][0]],
                                 b->corners[edges[m][1]], &p, &q)) {
            keep_closest(&c, p, q, norm(sub(p, q)));
        }
    }
    for (int i = 0; i < 32; ++i) {
        int corner = i / 8, face = i % 4, is_second = i / 4 % 2 == 0;
        try_corner_and_face(&c, is_second ? a->corners[corner] : b->corners[corner], is_second ? b : a, face,
                            is_second);
    }
    return c;
}

static vec center_of(const tet *t)
{
    return divide(add(add(add(t->corners[0], t->corners[1]), t->corners[2]), t->corners[3]), 4);
}

static real diameter_of(const tet *t)
{
    vec center = center_of(t);
    real squared = 0;
    for (int k = 0; k < 4; ++k) {
        vec d = sub(t->corners[k], center);
        squared = most(squared, dot(d, d));
    }
    return 2 * REAL_SQRT(squared);
}

static tet scaled(const tet *t, real factor)
{
    tet s = *t;
    vec center = center_of(t);
    for (int k = 0; k < 4; ++k) {
        s.corners[k] = add(scale(factor, sub(t->corners[k], center)), center);
    }
    make_planes(&s);
    return s;
}

/// Shrinks both until they are apart, then grows them while that brings them closer. Returns 0 if they do not get
/// apart; the program would not end then.
static int separate(const tet *a, const tet *b, vec *separation)
{
    real factor = (real)0.9, vanishing = REAL_EPSILON;
    tet small_a = scaled(a, factor), small_b = scaled(b, factor);
    for (factor *= (real)0.9; overlaps(&small_a, &small_b); factor *= (real)0.9) {
        if (factor < vanishing) {
            return 0;
        }
        small_a = scaled(a, factor);
        small_b = scaled(b, factor);
    }
    closest c = find_closest(&small_a, &small_b);
    real target = 2 * least(c.distance, (real)0.01 * least(diameter_of(a), diameter_of(b)));
    vec between = sub(center_of(b), center_of(a));
    real squared = dot(between, between);
    for (int round = 0; c.distance > target && round < 20; ++round) {
        real larger = 1 - dot(sub(c.b, c.a), between) / squared;
        if (factor >= larger) {
            break;
        }
        factor = larger;
        small_a = scaled(a, factor);
        small_b = scaled(b, factor);
        c = find_closest(&small_a, &small_b);
    }
    *separation = unit(sub(c.b, c.a));
    return 1;
}

/// A feature that a direction is a normal of: its number of corners, and the normal to use.
typedef struct gauss_feature {
    int corner_count;
    vec normal;
    abut_program_part part;
} gauss_feature;

/// An edge on the Gauss map: its corners, and the faces to the left and right of it.
static const int gauss_edges[6][4] = {{1, 2, 0, 3}, {2, 3, 0, 1}, {1, 3, 2, 0},
                                      {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 1, 2, 3}};
static const int gauss_edge_numbers[6] = {3, 5, 4, 1, 2, 0};

static int is_normal_of_edge(const tet *t, const vec normals[4], const int edge[4], vec n, real cosine)
{
    vec d = sub(t->corners[edge[1]], t->corners[edge[0]]), l = normals[edge[2]], r = normals[edge[3]];
    vec across = sub(n, divide(scale(dot(n, d), d), dot(d, d)));
    if (dot(across, across) < tiny || dot(n, unit(across)) < cosine) {
        return 0;
    }
    if (dot(d, cross(l, r)) > 0) {
        return dot(d, cross(n, r)) >= 0 && dot(d, cross(l, n)) >= 0;
    }
    return !(dot(d, cross(r, n)) > 0 && dot(d, cross(n, l)) > 0);
}

static int is_normal_of_corner(const tet *t, const vec normals[4], int corner, vec n)
{
    for (int m = 0; m < 6; ++m) {
        const int *edge = gauss_edges[m];
        int is_turned = edge[1] == corner;
        if (edge[0] != corner && !is_turned) {
            continue;
        }
        vec d = sub(t->corners[edge[!is_turned]], t->corners[edge[is_turned]]);
        vec l = normals[edge[is_turned ? 3 : 2]], r = normals[edge[is_turned ? 2 : 3]];
        vec wall = dot(d, cross(l, r)) > 0 ? cross(r, l) : cross(l, r);
        if (!(dot(n, wall) > 0)) {
            return 0;
        }
    }
    return 1;
}

/// A face within 4 degrees, else an edge whose normals contain the direction within 4 degrees, else a corner.
static gauss_feature find_feature(const tet *t, vec n)
{
    static const int corners[4][3] = {{1, 2, 3}, {2, 0, 3}, {0, 1, 3}, {0, 2, 1}};
    real cosine = REAL_COS(4 * (real)0.017453292519943295769);
    vec normals[4];
    for (int k = 0; k < 4; ++k) {
        vec p = t->corners[corners[k][0]];
        normals[k] = unit(cross(sub(t->corners[corners[k][1]], p), sub(t->corners[corners[k][2]], p)));
    }
    for (int k = 0; k < 4; ++k) {
        if (dot(n, normals[k]) >= cosine) {
            return (gauss_feature){3, normals[k], part(ABUT_PROGRAM_FACE, k)};
        }
    }
    for (int k = 0; k < 6; ++k) {
        if (is_normal_of_edge(t, normals, gauss_edges[k], n, cosine)) {
            return (gauss_feature){2, n, part(ABUT_PROGRAM_EDGE, gauss_edge_numbers[k])};
        }
    }
    for (int k = 0; k < 4; ++k) {
        if (is_normal_of_corner(t, normals, k, n)) {
            return (gauss_feature){1, n, part(ABUT_PROGRAM_CORNER, k)};
        }
    }
    return (gauss_feature){0, {0, 0, 0}, part(ABUT_PROGRAM_TET, 0)};
}

/// Reports the corners of the intersection, not moved to a plane.
static void report_unmoved_points(const tet_pair *pair, finding *f)
{
    point_list list;
    find_points(&pair->first, &pair->second, &list);
    extent e = points_extent(&list, f->normal);
    f->depth = e.lower - e.upper;
    int kept = 0; // the first items of the list
    for (int i = 0; i < list.count; ++i) {
        point p = list.items[i];
        int k = 0;
        while (k < kept && !(distance_of_components(list.items[k].position, p.position) < tiny)) {
            ++k;
        }
        if (k == kept) {
            list.items[kept++] = p;
            f->position = p.position;
            f->first = p.first;
            f->second = p.second;
            report(pair, f);
        }
    }
}

static void test_growth(const tet_pair *pair)
{
    vec separation;
    if (!overlaps(&pair->first, &pair->second) || !separate(&pair->first, &pair->second, &separation)) {
        return;
    }
    gauss_feature a = find_feature(&pair->first, separation);
    gauss_feature b = find_feature(&pair->second, negate(separation));
    int is_of_a = a.corner_count >= b.corner_count;
    finding f = {.normal = is_of_a ? a.normal : negate(b.normal),
                 .side = is_of_a ? ABUT_PROGRAM_FIRST : ABUT_PROGRAM_SECOND,
                 .source = is_of_a ? a.part : b.part};
    report_unmoved_points(pair, &f);
}

#endif
