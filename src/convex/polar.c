// SPDX-License-Identifier: MIT
// polar.c: the nearest facet of the Minkowski difference, by walking from facet to facet
//
// Let d be the overlap of the best facet that is known. A facet with normal n and overlap h is the point X = n d / h of the
// difference's polar body, all X with p . X <= d for the vertices p of the difference: a convex polytope, whose edges join what
// are neighbours on the difference. A nearer facet is a corner of it with |X| > 1.
//
// The difference contains a ball about c of the radius r, c being from B's middle to A's and r the sum of the inner radii; so
// its polar body has r |X| + c . X <= d, and |X| <= 1 in all of the half space with axis . X <= (r - d) / |c|, where the axis is
// against c. Only what is beyond that plane can be nearer. The walk starts at the best corner and follows its edges, except
// those that have |X| <= 1 where they would meet the plane, if they came so far. For a facet that has room around the nearest point
// this is so for all its edges, and one facet is the proof.
//
// Why this is a proof: take a vertex p of a facet that was met. In the plane p . X = d, what is beyond the border is inside of a
// polygon of corners that were met and of ends of edges that were not followed, since the facets around p follow each
// other over sides that both end at p. All of these have |X| <= 1. The body that the vertices of all facets met allow has
// all its corners beyond the border in such planes, so that it is in the unit ball; and the polar body is inside of it.
//
// Source:  the separating axes of Yi and Drumwright 2016, in the order of the surface and not all of them.
// Cost:    mostly one to ten facets with three or four sides each; no allocation.
// Fails:   returns 0 for bodies that only touch, and where too many facets have nearly the same overlap.
#include "convex/polar.h"

enum { FACETS_HIGHEST = 64, BEGINS_HIGHEST = 64 };

// A side that two facets have: of an edge of one body with a vertex of the other.
typedef struct side {
    int body; ///< 0: the edge is of A, the vertex of B
    int edge, vertex;
} side;

// A facet: a face and a vertex, or two edges, as in abut_axis.
typedef struct facet {
    abut_vec3 normal;
    double overlap;
    abut_axis_kind kind;
    int a, b;
    side from; ///< over which the walk came
} facet;

typedef struct walk {
    const abut_convex_frame *frame;
    facet facets[FACETS_HIGHEST];
    int count;
    facet last; ///< from which the walk came to its first facet; its overlap is larger
    int begun;  ///< how often the walk began with a better facet
    int axis_count;
    double lowest; ///< overlap that is known
    double tie;
    abut_vec3 axis;  ///< from the middle of A's inner ball to that of B's
    double distance; ///< between the two
    double level;    ///< of the plane along the axis
    double limit;    ///< of squared lengths: what is longer may tie
} walk;

// How the neighbour over a side is reached: along the arc of its edge, in the region of its vertex.
typedef struct way {
    side over;
    int face;     ///< at the end of the arc
    int crossing; ///< the edge of the other body that the arc is on already, or -1
} way;

static int other_face(const abut_convex *shape, int edge, int face)
{
    return shape->edges[edge].faces[shape->edges[edge].faces[0] == face];
}

// Of the two faces at an edge, the one towards which the arc comes into the region of the vertex; `other` is the other end of its edge.
static int face_towards(const walk *w, const side *s, int other)
{
    const abut_convex *own = s->body == 0 ? w->frame->a : w->frame->b;
    const abut_convex *shape = s->body == 0 ? w->frame->b : w->frame->a;
    abut_vec3 along = abut_sub(shape->points[s->vertex], shape->points[other]);
    along = s->body == 0 ? abut_mat3_apply(w->frame->rotation, along) : abut_convex_to_b(w->frame, along);
    const int *faces = own->edges[s->edge].faces;
    abut_vec3 change = abut_sub(own->normals[faces[1]], own->normals[faces[0]]);
    return faces[abut_dot(along, change) < 0.0];
}

// Follows the arc of a side from a facet to the next: a crossing with an arc of the other body, or the face at its end.
static int find_neighbour(const walk *w, const facet *f, const way *s, facet *next)
{
    const abut_convex_frame *frame = w->frame;
    const abut_convex *own = s->over.body == 0 ? frame->a : frame->b;
    const abut_convex *other = s->over.body == 0 ? frame->b : frame->a;
    abut_vec3 n0 = f->normal, n1 = own->normals[s->face];
    abut_vec3 last = s->over.body == 0 ? n1 : abut_negate(abut_mat3_apply(frame->rotation, n1));
    // directions as the other body sees them, outward
    abut_vec3 m0 = s->over.body == 0 ? abut_negate(abut_convex_to_b(frame, n0)) : n0;
    abut_vec3 m1 = s->over.body == 0 ? abut_negate(abut_convex_to_b(frame, n1)) : last;
    int crossing = -1;
    double least = 2.0, of = 1.0; // how far along the arc, as a fraction
    for (int i = other->link_begin[s->over.vertex]; i < other->link_begin[s->over.vertex + 1]; ++i) {
        abut_vec3 along = abut_sub(other->points[other->links[i].point], other->points[s->over.vertex]);
        double h0 = abut_dot(along, m0), h1 = abut_dot(along, m1);
        double before = h0 < 0.0 ? -h0 : 0.0, all = before + h1;
        // no branches: which edge is crossed cannot be foreseen
        int is_first = (h1 > 0.0) & (other->links[i].edge != s->crossing) & (before * of < least * all);
        crossing = is_first ? other->links[i].edge : crossing;
        least = is_first ? before : least;
        of = is_first ? all : of;
    }
    if (crossing < 0) {
        next->kind = s->over.body == 0 ? ABUT_AXIS_FACE_A : ABUT_AXIS_FACE_B;
        next->a = s->over.body == 0 ? s->face : s->over.vertex;
        next->b = s->over.body == 0 ? s->over.vertex : s->face;
        next->normal = last;
    } else {
        next->kind = ABUT_AXIS_EDGES;
        next->a = s->over.body == 0 ? s->over.edge : crossing;
        next->b = s->over.body == 0 ? crossing : s->over.edge;
        abut_vec3 u = abut_convex_edge_a(frame, next->a), v = abut_convex_edge_b(frame, next->b);
        if (!abut_axis_of_edges(u, v, abut_add_scaled(abut_scale(of - least, n0), least, last), &next->normal)) {
            return 0;
        }
    }
    // a corner that both have: an end of the edge with the vertex
    int end = own->edges[s->over.edge].points[0];
    abut_vec3 a = frame->a->points[s->over.body == 0 ? end : s->over.vertex];
    abut_vec3 b = abut_convex_from_b(frame, s->over.body == 0 ? s->over.vertex : end);
    next->overlap = abut_dot(next->normal, abut_sub(a, b));
    next->from = s->over;
    return 1;
}

static int is_met(const walk *w, const facet *f)
{
    for (int i = 0; i < w->count; ++i) {
        if (w->facets[i].kind == f->kind && w->facets[i].a == f->a && w->facets[i].b == f->b) {
            return 1;
        }
    }
    return 0;
}

// A corner of the polar body and the plane, as one of the bodies sees them.
typedef struct view {
    abut_vec3 corner, axis;
    double drop; ///< from the corner to the plane, negative
} view;

// Whether the edge of the polar body that leaves a corner over a side of its facet is no longer than 1 where it meets the plane. The
// side is from p to q, counter-clockwise about the normal; the edge is at right angles to both.
static int is_short(const walk *w, const view *v, abut_vec3 p, abut_vec3 q)
{
    abut_vec3 along = abut_cross(q, p);
    double down = abut_dot(v->axis, along);
    // the place is corner + drop / down along
    abut_vec3 place = abut_add_scaled(abut_scale(down, v->corner), v->drop, along);
    return (down < 0.0) & (abut_norm_squared(place) <= w->limit * down * down);
}

// Begins anew with a facet that is the best that is known.
static int begin(walk *w, const facet *f)
{
    const abut_convex_frame *frame = w->frame;
    w->facets[0] = *f;
    w->count = 1;
    ++w->begun;
    w->lowest = f->overlap;
    w->level = (frame->balls - f->overlap) / w->distance - 1e-12;
    w->limit = 1.0 - 0x1p-30 - 4.0 * w->tie / f->overlap;
    // touching: lengths are overlaps divided by overlaps
    return f->overlap > 0x1p-40 * frame->scale && w->distance > 0.0;
}

typedef enum outcome { WALK_GOES_ON, WALK_BEGINS_ANEW, WALK_ENDS } outcome;

static int is_same_side(const side *s, const side *t)
{
    return s->edge == t->edge && s->vertex == t->vertex && s->body == t->body;
}

// Takes in the neighbour of a facet over a side. The facet that the walk came from is known.
static outcome follow(walk *w, int from, const way *s)
{
    const facet *f = &w->facets[from];
    facet next;
    if (is_same_side(&s->over, &f->from)) {
        if (from > 0) {
            return WALK_GOES_ON;
        }
        next = w->last;
    } else if (find_neighbour(w, f, s, &next)) {
        ++w->axis_count;
    } else {
        return WALK_ENDS;
    }
    if (is_met(w, &next)) {
        return WALK_GOES_ON;
    }
    if (next.overlap < w->lowest) {
        w->last = *f;
        w->last.from = s->over;
        return begin(w, &next) ? WALK_BEGINS_ANEW : WALK_ENDS;
    }
    if (w->count == FACETS_HIGHEST) {
        return WALK_ENDS;
    }
    w->facets[w->count++] = next;
    return WALK_GOES_ON;
}

// All sides of a face with a vertex, in the frame of the face.
static outcome expand_face(walk *w, int from)
{
    const abut_convex_frame *frame = w->frame;
    const facet *f = &w->facets[from];
    int is_b = f->kind == ABUT_AXIS_FACE_B, face = is_b ? f->b : f->a;
    const abut_convex *shape = is_b ? frame->b : frame->a;
    abut_vec3 vertex = is_b ? abut_convex_to_b(frame, abut_sub(frame->a->points[f->a], frame->offset))
                            : abut_convex_from_b(frame, f->b);
    double scale = w->lowest / f->overlap;
    view v = {abut_scale(is_b ? -scale : scale, shape->normals[face]),
              is_b ? abut_convex_to_b(frame, w->axis) : w->axis, 0.0};
    v.drop = w->level - abut_dot(v.axis, v.corner);
    int first = shape->face_begin[face], end = shape->face_begin[face + 1];
    abut_vec3 p = abut_sub(shape->points[shape->face_points[first]], vertex);
    for (int i = first; i < end; ++i) {
        abut_vec3 q = abut_sub(shape->points[shape->face_points[i + 1 < end ? i + 1 : first]], vertex);
        // Points of B count with a minus, which does not matter in a product of two, and are seen from inside.
        if (!(is_b ? is_short(w, &v, q, p) : is_short(w, &v, p, q))) {
            way s = {{is_b, shape->face_edges[i], is_b ? f->a : f->b}, -1, -1};
            s.face = other_face(shape, s.over.edge, face);
            outcome next = follow(w, from, &s);
            if (next != WALK_GOES_ON) {
                return next;
            }
        }
        p = q;
    }
    return WALK_GOES_ON;
}

// The four sides of two edges: each edge with both ends of the other.
static outcome expand_edges(walk *w, int from)
{
    const abut_convex_frame *frame = w->frame;
    const facet *f = &w->facets[from];
    const int *ends_a = frame->a->edges[f->a].points, *ends_b = frame->b->edges[f->b].points;
    abut_vec3 a[2] = {frame->a->points[ends_a[0]], frame->a->points[ends_a[1]]};
    abut_vec3 b[2] = {abut_convex_from_b(frame, ends_b[0]), abut_convex_from_b(frame, ends_b[1])};
    // around the parallelogram: ends of A's edge 0 1 1 0, of B's 0 0 1 1; sides 0 and 2 are along A's
    abut_vec3 corners[5] = {abut_sub(a[0], b[0]), abut_sub(a[1], b[0]), abut_sub(a[1], b[1]), abut_sub(a[0], b[1])};
    corners[4] = corners[0];
    static const int fixed_ends[4] = {0, 1, 1, 0};
    abut_vec3 around = abut_cross(abut_sub(corners[1], corners[0]), abut_sub(corners[2], corners[1]));
    int is_reversed = abut_dot(around, f->normal) < 0.0;
    view v = {abut_scale(w->lowest / f->overlap, f->normal), w->axis, 0.0};
    v.drop = w->level - abut_dot(v.axis, v.corner);
    int are_long[4], is_any_long = 0;
    for (int i = 0; i < 4; ++i) {
        are_long[i] = !(is_reversed ? is_short(w, &v, corners[i + 1], corners[i])
                                    : is_short(w, &v, corners[i], corners[i + 1]));
        is_any_long |= are_long[i];
    }
    for (int i = 0; i < 4 && is_any_long; ++i) {
        if (!are_long[i]) {
            continue;
        }
        const int *ends = i % 2 == 0 ? ends_b : ends_a;
        int end = fixed_ends[i];
        way s = {{i % 2, i % 2 == 0 ? f->a : f->b, ends[end]}, -1, i % 2 == 0 ? f->b : f->a};
        s.face = face_towards(w, &s.over, ends[1 - end]);
        outcome next = follow(w, from, &s);
        if (next != WALK_GOES_ON) {
            return next;
        }
    }
    return WALK_GOES_ON;
}

static abut_axis axis_of(const walk *w, const facet *f)
{
    const abut_convex *a = w->frame->a, *b = w->frame->b;
    abut_axis axis = {.normal = f->normal, .kind = f->kind, .feature_a = f->a, .feature_b = f->b};
    axis.a = f->kind == ABUT_AXIS_EDGES ? a->edges[f->a].points[0] : f->a; // of faces the measure knows one
    axis.b = f->kind == ABUT_AXIS_EDGES ? b->edges[f->b].points[0] : f->b;
    abut_axis_measure_facet(w->frame, &axis);
    return axis;
}

// All facets that tie; `first` is the one that the walk began with, if it still does.
static void report(const walk *w, const abut_axis *first, abut_overlap *result)
{
    for (int i = 0; i < w->count; ++i) {
        if (i == 0 && first != NULL) {
            abut_overlap_add(result, first, w->tie);
        } else if (w->facets[i].overlap <= w->lowest + 2.0 * w->tie) {
            abut_axis axis = axis_of(w, &w->facets[i]);
            abut_overlap_add(result, &axis, w->tie);
        }
    }
    result->axis_count += w->axis_count;
    result->proof = w->count == 1 ? ABUT_PROOF_FACET : ABUT_PROOF_CAP;
    result->cap_axis = w->axis;
    result->cap_cosine = w->level;
}

int abut_polar_overlap(const abut_convex_frame *frame, const abut_axis *first, int until, abut_overlap *result)
{
    walk w;
    w.frame = frame;
    w.tie = abut_convex_rounding(frame);
    w.axis_count = 1;
    w.begun = 0;
    w.distance = abut_norm(frame->between);
    w.axis = abut_scale(1.0 / w.distance, frame->between);
    facet start = {first->normal, first->overlap, first->kind, first->feature_a, first->feature_b, {0, -1, -1}};
    outcome last = begin(&w, &start) ? WALK_GOES_ON : WALK_ENDS;
    for (int i = 0; i < w.count && last != WALK_ENDS; ++i) {
        last = w.facets[i].kind == ABUT_AXIS_EDGES ? expand_edges(&w, i) : expand_face(&w, i);
        if (last == WALK_BEGINS_ANEW) {
            i = -1;
            last = w.begun > BEGINS_HIGHEST ? WALK_ENDS : last;
        }
    }
    if (last != WALK_ENDS || (until == ABUT_OVERLAP_UNTIL_APART && w.lowest < 0.0)) {
        report(&w, w.begun == 1 ? first : NULL, result);
        return 1;
    }
    return 0;
}
