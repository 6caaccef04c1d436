// SPDX-License-Identifier: MIT
// real_points.h: volume-sat, surface-sat and opposing: a normal for the pair, contacts at the corners of the intersection
#ifndef ABUT_PROGRAM_REAL_POINTS_H
#define ABUT_PROGRAM_REAL_POINTS_H

#include "program/real_tet.h"

enum { POINT_LIMIT = 8 + 2 * 24, AXIS_LIMIT = 8 + 36 };

typedef struct point {
    vec position;
    abut_program_part first, second;
} point;

typedef struct point_list {
    point items[POINT_LIMIT];
    int count;
} point_list;

static void add_point(point_list *list, vec position, abut_program_part first, abut_program_part second)
{
    list->items[list->count++] = (point){position, first, second};
}

/// Where an edge of one crosses a plane of the other, if that is inside the other.
static void add_crossing(point_list *list, const tet *of_edge, int edge, const tet *of_plane, int face,
                         int edge_is_second)
{
    vec a = of_edge->corners[edges[edge][0]], b = of_edge->corners[edges[edge][1]];
    if (!crosses(a, b, &of_plane->planes[face])) {
        return;
    }
    vec q = crossing_point(a, b, &of_plane->planes[face]);
    if (is_inside(of_plane, q)) {
        abut_program_part on_edge = part(ABUT_PROGRAM_EDGE, edge), on_face = part(ABUT_PROGRAM_FACE, face);
        add_point(list, q, edge_is_second ? on_face : on_edge, edge_is_second ? on_edge : on_face);
    }
}

/// The corners of the intersection of the two, some of them several times.
static void find_points(const tet *a, const tet *b, point_list *list)
{
    list->count = 0;
    for (int k = 0; k < 4; ++k) {
        if (is_inside(a, b->corners[k])) {
            add_point(list, b->corners[k], part(ABUT_PROGRAM_TET, 0), part(ABUT_PROGRAM_CORNER, k));
        }
        if (is_inside(b, a->corners[k])) {
            add_point(list, a->corners[k], part(ABUT_PROGRAM_CORNER, k), part(ABUT_PROGRAM_TET, 0));
        }
    }
    for (int e = 0; e < 6; ++e) {
        for (int k = 0; k < 4; ++k) {
            add_crossing(list, b, e, a, k, 1);
            add_crossing(list, a, e, b, k, 0);
        }
    }
}

/// The extent of the points along a direction.
static extent points_extent(const point_list *list, vec direction)
{
    extent e = {(real)HUGE_VAL, -(real)HUGE_VAL};
    for (int i = 0; i < list->count; ++i) {
        real d = dot(list->items[i].position, direction);
        e.lower = least(e.lower, d);
        e.upper = most(e.upper, d);
    }
    return e;
}

/// Moves the points to the plane in the middle of their extent and reports those that are not near an earlier one.
static void report_points(const tet_pair *pair, finding *f)
{
    point_list list;
    find_points(&pair->first, &pair->second, &list);
    extent e = points_extent(&list, f->normal);
    f->depth = e.lower - e.upper;
    vec middle = scale((real)0.5, scale(e.upper + e.lower, f->normal));
    for (int i = 0; i < list.count; ++i) {
        point *p = &list.items[i];
        p->position = sub(p->position, scale(dot(f->normal, sub(p->position, middle)), f->normal));
        int k = 0;
        while (k < i && !(distance_of_components(list.items[k].position, p->position) < tiny)) {
            ++k;
        }
        if (k == i) {
            f->position = p->position;
            f->first = p->first;
            f->second = p->second;
            report(pair, f);
        }
    }
}

/// A direction in which the overlap is measured.
typedef struct axis {
    vec direction;
    abut_program_part source;
    abut_program_side side;
} axis;

/// Faces of both in turn, then edges with edges, as far as they are allowed.
static int list_axes(const tet *a, const tet *b, axis axes[AXIS_LIMIT])
{
    int count = 0;
    for (int k = 0; k < 8; ++k) {
        const tet *t = k % 2 == 0 ? a : b;
        if (has_bit(t->faces, k / 2)) {
            axes[count++] = (axis){unit(t->planes[k / 2].normal), part(ABUT_PROGRAM_FACE, k / 2),
                                   k % 2 == 0 ? ABUT_PROGRAM_FIRST : ABUT_PROGRAM_SECOND};
        }
    }
    for (int i = 0; i < 36; ++i) {
        int e = i / 6, m = i % 6;
        if (has_bit(a->edges, e) && has_bit(b->edges, m)) {
            vec direction = cross(sub(a->corners[edges[e][1]], a->corners[edges[e][0]]),
                                  sub(b->corners[edges[m][1]], b->corners[edges[m][0]]));
            real length = norm(direction);
            if (length > tiny) {
                axes[count++] = (axis){divide(direction, length), part(ABUT_PROGRAM_EDGE, e), ABUT_PROGRAM_BOTH};
            }
        }
    }
    return count;
}

/// The axis of least overlap, from the one that begins first to the other. Returns 0 if they are apart.
static int least_overlap(const tet *a, const tet *b, finding *f)
{
    axis axes[AXIS_LIMIT];
    int count = list_axes(a, b, axes), is_found = 0;
    real best = -(real)HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        extent of_a = project(a->corners, 4, -1, axes[i].direction),
               of_b = project(b->corners, 4, -1, axes[i].direction);
        if (is_apart(of_a, of_b)) {
            return 0;
        }
        for (int is_backward = 0; is_backward < 2; ++is_backward) {
            extent one = is_backward ? of_b : of_a, other = is_backward ? of_a : of_b;
            real overlap = other.lower - one.upper;
            if (one.lower <= other.lower && other.lower <= one.upper && overlap > best) {
                best = overlap;
                f->normal = is_backward ? negate(axes[i].direction) : axes[i].direction;
                f->source = axes[i].source;
                f->side = axes[i].side;
                is_found = 1;
            }
        }
    }
    return is_found && best <= 0;
}

static void test_sat(const tet_pair *pair)
{
    finding f = {.depth = 0};
    if (overlaps(&pair->first, &pair->second) && least_overlap(&pair->first, &pair->second, &f)) {
        report_points(pair, &f);
    }
}

/// The normal of the first body's face of the two surface faces whose normals oppose most. The pair is refused only if
/// the opposite corners of both are behind.
static void test_opposing(const tet_pair *pair)
{
    const tet *a = &pair->first, *b = &pair->second;
    if (!overlaps(a, b)) {
        return;
    }
    finding f = {.side = ABUT_PROGRAM_FIRST};
    real best = 0;
    for (int i = 0; i < 16; ++i) {
        int k = i / 4, m = i % 4;
        if (!has_bit(a->surface, k) || !has_bit(b->surface, m)) {
            continue;
        }
        vec of_a = unit(a->planes[k].normal);
        real cosine = dot(of_a, unit(b->planes[m].normal));
        int is_behind = height(&a->planes[k], b->corners[m]) < 0 && height(&b->planes[m], a->corners[k]) < 0;
        if (cosine < best && !is_behind) {
            best = cosine;
            f.normal = of_a;
            f.source = part(ABUT_PROGRAM_FACE, k);
        }
    }
    if (best < 0) {
        report_points(pair, &f);
    }
}

#endif
