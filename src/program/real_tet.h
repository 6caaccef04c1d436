// SPDX-License-Identifier: MIT
// real_tet.h: tetrahedra, their planes, whether two overlap, and reports of contacts
#ifndef ABUT_PROGRAM_REAL_TET_H
#define ABUT_PROGRAM_REAL_TET_H

#include "program/program.h"
#include "program/real_vector.h"

/// Corners of the faces, counter-clockwise from outside. The first corner matters: rounding differs between them.
static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
static const int edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/// A plane whose normal is not unit.
typedef struct plane {
    vec normal, point;
} plane;

typedef struct tet {
    vec corners[4];
    plane planes[4]; ///< of the faces
    unsigned surface, faces, edges;
} tet;

typedef struct tet_pair {
    tet first, second;
    real threshold;
    const abut_program_pair *source;
} tet_pair;

static int has_bit(unsigned set, int index)
{
    return (set >> index & 1u) != 0;
}

/// The cross product at the corner where it is longest; of equal ones, at the last.
static plane make_plane(vec p, vec q, vec r)
{
    const vec points[3] = {p, q, r};
    const vec normals[3] = {cross(sub(q, p), sub(r, p)), cross(sub(r, q), sub(p, q)), cross(sub(p, r), sub(q, r))};
    real squares[3];
    for (int k = 0; k < 3; ++k) {
        squares[k] = dot(normals[k], normals[k]);
    }
    int best = squares[1] >= squares[0] ? 1 : 0;
    best = squares[2] >= squares[best] ? 2 : best;
    return (plane){normals[best], points[best]};
}

static void make_planes(tet *t)
{
    for (int k = 0; k < 4; ++k) {
        t->planes[k] = make_plane(t->corners[faces[k][0]], t->corners[faces[k][1]], t->corners[faces[k][2]]);
    }
}

static tet make_tet(const abut_program_tet *source)
{
    tet t = {.surface = source->surface, .faces = source->faces, .edges = source->edges};
    for (int k = 0; k < 4; ++k) {
        abut_vec3 p = source->corners[k];
        t.corners[k] = (vec){(real)p.x, (real)p.y, (real)p.z};
    }
    make_planes(&t);
    return t;
}

static real height(const plane *p, vec q)
{
    return dot(p->normal, sub(q, p->point));
}

static int is_inside(const tet *t, vec q)
{
    return !(height(&t->planes[0], q) > 0) && !(height(&t->planes[1], q) > 0) && !(height(&t->planes[2], q) > 0) &&
           !(height(&t->planes[3], q) > 0);
}

/// Whether the ends of an edge are strictly on different sides.
static int crosses(vec a, vec b, const plane *p)
{
    real at_a = height(p, a), at_b = height(p, b);
    return !(at_a >= 0 && at_b >= 0) && !(at_a <= 0 && at_b <= 0);
}

static real crossing_place(vec a, vec b, const plane *p)
{
    real at_a = height(p, a), at_b = height(p, b);
    at_a = at_a < 0 ? -at_a : at_a;
    at_b = at_b < 0 ? -at_b : at_b;
    return at_a / (at_a + at_b);
}

static vec crossing_point(vec a, vec b, const plane *p)
{
    return add(a, scale(crossing_place(a, b, p), sub(b, a)));
}

/// Whether a point is within the planes through the edges of a face, at right angles to it.
static int is_over_face(const tet *t, int face, vec q)
{
    int is_over = 1;
    for (int m = 0; m < 3; ++m) {
        vec start = t->corners[faces[face][m]], end = t->corners[faces[face][(m + 1) % 3]];
        is_over = is_over && !(dot(cross(t->planes[face].normal, sub(end, start)), sub(q, start)) < 0);
    }
    return is_over;
}

typedef struct extent {
    real lower, upper;
} extent;

/// Along an axis, of `count` of the points; `skipped` (or -1) is left out.
static extent project(const vec *points, int count, int skipped, vec axis)
{
    extent e = {(real)HUGE_VAL, -(real)HUGE_VAL};
    for (int k = 0; k < count; ++k) {
        if (k != skipped) {
            real d = dot(axis, points[k]);
            e.lower = least(e.lower, d);
            e.upper = most(e.upper, d);
        }
    }
    return e;
}

static int is_apart(extent a, extent b)
{
    return a.upper < b.lower || a.lower > b.upper;
}

/// A plane with a unit normal and its offset from the origin: another rounding than that of `plane`.
typedef struct offset_plane {
    vec normal;
    real offset;
} offset_plane;

static offset_plane make_offset_plane(vec p, vec q, vec r)
{
    vec normal = unit(cross(sub(q, p), sub(r, p)));
    return (offset_plane){unit(normal), dot(p, normal)}; // made unit twice, as the program does
}

static real offset_height(const offset_plane *p, vec q)
{
    return dot(p->normal, q) - p->offset;
}

/// Whether all of a tetrahedron is in front of a face of another.
static int is_in_front(const tet *t, const tet *of)
{
    for (int k = 0; k < 4; ++k) {
        offset_plane p =
            make_offset_plane(of->corners[faces[k][0]], of->corners[faces[k][1]], of->corners[faces[k][2]]);
        int count = 0;
        for (int i = 0; i < 4; ++i) {
            count += offset_height(&p, t->corners[i]) > 0;
        }
        if (count == 4) {
            return 1;
        }
    }
    return 0;
}

/// The separating axis test. Of the two ends of an edge, which are equally far along an axis of it, one is left out.
static int overlaps(const tet *a, const tet *b)
{
    static const int left_out[6] = {0, 0, 0, 2, 3, 3};
    if (is_in_front(b, a) || is_in_front(a, b)) {
        return 0;
    }
    for (int i = 0; i < 6; ++i) {
        vec along_a = sub(a->corners[edges[i][1]], a->corners[edges[i][0]]);
        for (int k = 0; k < 6; ++k) {
            vec axis = cross(along_a, sub(b->corners[edges[k][1]], b->corners[edges[k][0]]));
            int skipped = k < 3 && k > i ? edges[k][1] : left_out[k];
            if (is_apart(project(a->corners, 4, left_out[i], axis), project(b->corners, 4, skipped, axis))) {
                return 0;
            }
        }
    }
    return 1;
}

/// Whether the bounds of two tetrahedra along the four diagonals of a cube overlap: the pairs that the program's
/// hierarchy finds.
static int bounds_overlap(const tet *a, const tet *b)
{
    static const vec diagonals[4] = {{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};
    for (int i = 0; i < 4; ++i) {
        vec axis = unit(diagonals[i]);
        if (is_apart(project(a->corners, 4, -1, axis), project(b->corners, 4, -1, axis))) {
            return 0;
        }
    }
    return 1;
}

/// A contact, and where it comes from.
typedef struct finding {
    vec position, normal;
    real depth;
    abut_program_part first, second, source;
    abut_program_side side;
} finding;

static abut_program_part part(abut_program_part_kind kind, int index)
{
    return (abut_program_part){kind, index};
}

static void report(const tet_pair *pair, const finding *f)
{
    abut_program_contact c = {.position = {f->position.x, f->position.y, f->position.z},
                              .normal = {f->normal.x, f->normal.y, f->normal.z},
                              .depth = f->depth,
                              .first = f->first,
                              .second = f->second,
                              .side = f->side,
                              .source = f->source};
    pair->source->report(pair->source->user, &c);
}

/// Reports a part of one tetrahedron at a face of the other, which gives the normal.
static void report_at_face(const tet_pair *pair, abut_program_part other, int face, int face_is_second, finding *f)
{
    f->source = part(ABUT_PROGRAM_FACE, face);
    f->side = face_is_second ? ABUT_PROGRAM_SECOND : ABUT_PROGRAM_FIRST;
    f->first = face_is_second ? other : f->source;
    f->second = face_is_second ? f->source : other;
    report(pair, f);
}

#endif
