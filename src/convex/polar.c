// SPDX-License-Identifier: MIT
// polar.c: the nearest facet of the Minkowski difference, by walking from facet to facet
//
// Let d be the overlap of the best facet known. The polar body of the difference is the set of all X with p . X <= d
// for every vertex p of the difference. It is a convex polytope. Each facet of the difference, with normal n and
// overlap h, is a corner X = n d / h of it, and edges join the corners of neighbouring facets. A facet with a smaller
// overlap is a corner with |X| > 1.
//
// The difference contains a ball of radius r about c, where c points from B's center to A's center and r is the sum of
// the inner radii. So all X of the polar body satisfy r |X| + c . X <= d. With the unit vector axis = -c / |c|, this
// gives |X| <= 1 in the half-space axis . X <= (r - d) / |c|. Only corners beyond that plane can be nearer. The walk
// starts at the best corner and follows its edges. It skips an edge if, extended to the plane, it has |X| <= 1 there.
// If the point of the facet nearest to the origin is well inside the facet, this holds for all its edges, and one
// facet is the whole proof.
//
// Why this is a proof: take a vertex p of a visited facet and the plane p . X = d. The facets around p form a ring,
// each joined to the next by a side that ends at p. So the part of the polar body in this plane, beyond the border
// plane, is inside a polygon whose corners are visited facets and ends of skipped edges. All of these have |X| <= 1.
// Now relax the polar body to the constraints of the vertices of visited facets alone. Beyond the border plane, the
// corners of the relaxed body are in such planes, so the relaxed body, and the polar body inside it, are inside the
// unit ball.
//
// Source:  the separating axes of Yi and Drumwright 2016, tested from neighbour to neighbour, and not all of them.
// Cost:    mostly one to ten facets with three or four sides each; no allocation.
// Fails:   returns 0 for bodies that only touch, and if too many facets have nearly the same overlap.
#include "convex/polar.h"

enum {
    // Facets visited for one proof. The list is on the stack (5 KB) and searched linearly. Most proofs need ten at
    // most; if one needs more than 64, overlap.c uses its other search.
    FACETS_HIGHEST = 64,
    // Restarts, one for each better facet. Each lowers the overlap, so the walk ends anyway; the limit bounds the time
    // of a cold start far from the answer.
    BEGINS_HIGHEST = 64
};

// A side shared by two facets: an edge of one body and a vertex of the other.
typedef struct side {
    int body; ///< 0: the edge belongs to A and the vertex to B; 1: the reverse
    int edge, vertex;
} side;

// A facet: a face and a vertex, or two edges, as in abut_axis. The normal is not normalised, since only few facets
// need the square root.
typedef struct facet {
    abut_vec3 normal;
    double squared; ///< squared length of the normal, between 1/4 and 1
    double height;  ///< the overlap times the length of the normal
    abut_axis_kind kind;
    int a, b;
    side from; ///< the side that the walk came over
    int rose;  ///< 1: coming over that side, the polar body's edge led away from the plane
} facet;

typedef struct walk {
    const abut_convex_frame *frame;
    facet facets[FACETS_HIGHEST];
    int count;
    facet last; ///< the facet before the first one, with a larger overlap
    int begun;  ///< how often the walk started, counting restarts from better facets
    int axis_count;
    double lowest;  ///< the least overlap known, d
    double inverse; ///< 1 / lowest
    double tie;
    double level; ///< of the plane: between . X = level
    double limit; ///< bound of |X|^2; a longer X may be a nearer facet or tie
    int most;     ///< facets that the walk may visit
} walk;

// The path to the neighbour over a side: along the arc of the side's edge, in the region of its vertex.
typedef struct way {
    side over;
    int face;         ///< at the end of the arc
    int crossing;     ///< the edge of the other body whose arc the path starts on, or -1
    abut_vec3 corner; ///< an end of the side
    int rises;        ///< 1: the edge of the polar body leads away from the plane
} way;

// A corner of the polar body and the plane, in the frame of one body. All lengths are multiplied by a common scale.
typedef struct view {
    abut_vec3 corner, axis;
    double ahead; ///< corner . axis
    double level; ///< of the plane: axis . X = level
    double limit; ///< bound of |X|^2
    double sign;  ///< 1: edge directions point away from the corner; -1: towards it
} view;

// X = normal / scale with scale = height / lowest, so the normal itself is the scaled corner.
static inline view view_of(const walk *w, const facet *f, abut_vec3 normal, abut_vec3 axis, double sign)
{
    double scale = f->height * w->inverse;
    return (view){normal, axis, abut_dot(axis, normal), w->level * scale, w->limit * scale * scale, sign};
}

// The point where the line of an edge of the polar body meets the plane. Both members are linear in the direction of
// the edge.
typedef struct fall {
    double down;     ///< component of the direction along the axis
    abut_vec3 place; ///< the point, multiplied by `down`
} fall;

static inline fall fall_of(const view *v, abut_vec3 along)
{
    double down = abut_dot(v->axis, along);
    // the point is corner + (level - ahead) / down * along
    return (fall){down, abut_add_scaled(abut_scale(down, v->corner), v->level - v->ahead, along)};
}

static inline int is_rising(const view *v, const fall *f)
{
    return !(v->sign * f->down < 0.0);
}

// Returns 1 if the walk must follow the edge: it leads away from the plane, or |X| may exceed 1 where it meets it.
static inline int is_long(const view *v, const fall *f)
{
    return is_rising(v, f) | !(abut_norm_squared(f->place) <= v->limit * (f->down * f->down));
}

static int other_face(const abut_convex *shape, int edge, int face)
{
    return shape->edges[edge].faces[shape->edges[edge].faces[0] == face];
}

// Follows the arc of a side to the next facet: the first crossing with an arc of the other body, or the face at the
// end of the arc.
static inline void find_neighbour(const walk *w, const facet *f, const way *s, facet *next)
{
    const abut_convex_frame *frame = w->frame;
    int body = s->over.body;
    const abut_convex *own = body == 0 ? frame->a : frame->b;
    const abut_convex *other = body == 0 ? frame->b : frame->a;
    abut_vec3 n0 = f->normal, n1 = own->normals[s->face];
    abut_vec3 last = body == 0 ? n1 : abut_negate(abut_mat3_apply(frame->rotation, n1));
    // directions in the other body's frame; for B they are opposite to its outward directions
    abut_vec3 m0 = body == 0 ? abut_convex_to_b(frame, n0) : n0;
    abut_vec3 m1 = body == 0 ? abut_convex_to_b(frame, n1) : last;
    abut_vec3 vertex = other->points[s->over.vertex];
    int crossing = -1;
    double least = 2.0, of = 1.0; // how far along the arc, as a fraction
    for (int i = other->link_begin[s->over.vertex]; i < other->link_begin[s->over.vertex + 1]; ++i) {
        if (other->links[i].edge == s->crossing) {
            continue;
        }
        abut_vec3 point = other->points[other->links[i].point];
        abut_vec3 along = body == 0 ? abut_sub(vertex, point) : abut_sub(point, vertex);
        double drop = -abut_dot(along, m0), h1 = abut_dot(along, m1);
        double before = drop > 0.0 ? drop : 0.0, all = before + h1;
        // no branches: the CPU cannot predict which edge is crossed
        int is_first = (h1 > 0.0) & (before * of < least * all);
        crossing = is_first ? other->links[i].edge : crossing;
        least = is_first ? before : least;
        of = is_first ? all : of;
    }
    next->from = s->over;
    if (crossing < 0) {
        next->kind = body == 0 ? ABUT_AXIS_FACE_A : ABUT_AXIS_FACE_B;
        next->a = body == 0 ? s->face : s->over.vertex;
        next->b = body == 0 ? s->over.vertex : s->face;
        next->normal = last;
        next->squared = 1.0;
        next->height = abut_dot(last, s->corner);
        return;
    }
    next->kind = ABUT_AXIS_EDGES;
    next->a = body == 0 ? s->over.edge : crossing;
    next->b = body == 0 ? crossing : s->over.edge;
    // On the arc, so orthogonal to its edge. The fraction makes it orthogonal to the crossed edge as well.
    double part = least / of;
    next->normal = abut_add_scaled(abut_scale(1.0 - part, n0), part, last);
    next->squared = abut_norm_squared(next->normal);
    if (next->squared < 0.25) { // a long arc, whose chord passes near the origin
        next->normal = abut_unit(next->normal);
        next->squared = 1.0;
    }
    next->height = abut_dot(next->normal, s->corner);
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

// Starts the walk at the best facet known, whose normal must be a unit vector. Returns 0 if the bodies only touch or
// their centers coincide: then the walk cannot prove anything.
//
// Margins: 1e-12 of the coordinates covers the rounding of the inner balls and the overlap. The limit is below 1 by
// 2^-30, for rounding of squared lengths, and by 4 ties relative to the overlap, so that facets that tie are visited
// too. An overlap below 2^-40 of the coordinates counts as touching: there, a tie (2^-47 of the coordinates) is 1/128
// of the overlap or more, and ratios of overlaps mean little.
static int begin(walk *w, const facet *f)
{
    const abut_convex_frame *frame = w->frame;
    w->facets[0] = *f;
    w->count = 1;
    ++w->begun;
    w->lowest = f->height;
    w->inverse = 1.0 / f->height;
    w->level = frame->balls - f->height - 1e-12 * frame->scale;
    w->limit = 1.0 - 0x1p-30 - 4.0 * w->tie * w->inverse;
    return f->height > 0x1p-40 * frame->scale && abut_norm_squared(frame->between) > 0.0;
}

typedef enum outcome { WALK_GOES_ON, WALK_BEGINS_ANEW, WALK_ENDS } outcome;

static int is_same_side(const side *s, const side *t)
{
    return s->edge == t->edge && s->vertex == t->vertex && s->body == t->body;
}

// Returns 1 if the overlap of a facet is below the positive value `overlap`, without a square root.
static int is_below(const facet *f, double overlap)
{
    return !(f->height > 0.0 && f->height * f->height >= overlap * overlap * f->squared);
}

// For two edges, computes the unit normal and the height again, as exactly as possible. Returns 0 if the edges are
// parallel.
static int make_exact(const walk *w, facet *f)
{
    const abut_convex_frame *frame = w->frame;
    if (f->kind == ABUT_AXIS_EDGES) {
        abut_vec3 u = abut_convex_edge_a(frame, f->a), v = abut_convex_edge_b(frame, f->b);
        if (!abut_axis_of_edges(u, v, f->normal, &f->normal)) {
            return 0;
        }
        abut_vec3 a = frame->a->points[frame->a->edges[f->a].points[0]];
        f->squared = 1.0;
        f->height = abut_dot(f->normal, abut_sub(a, abut_convex_from_b(frame, frame->b->edges[f->b].points[0])));
    }
    return 1;
}

// Visits the neighbour of a facet over a side, and restarts the walk if it is better. After a restart, the neighbour
// of the first facet over the side that the walk came from is known: `last`.
static outcome follow(walk *w, int from, const way *s)
{
    if (w->count == w->most) {
        return WALK_ENDS;
    }
    const facet *f = &w->facets[from];
    facet *next = &w->facets[w->count];
    if (is_same_side(&s->over, &f->from)) {
        *next = w->last;
    } else {
        find_neighbour(w, f, s, next);
        ++w->axis_count;
    }
    next->rose = s->rises;
    if (is_met(w, next)) {
        return WALK_GOES_ON;
    }
    if (is_below(next, w->lowest)) {
        if (!make_exact(w, next)) {
            return WALK_ENDS;
        }
        if (next->height < w->lowest) {
            w->last = *f;
            w->last.from = s->over;
            return begin(w, next) ? WALK_BEGINS_ANEW : WALK_ENDS;
        }
    }
    ++w->count;
    return WALK_GOES_ON;
}

// Visits the neighbours over all sides of a face and a vertex, in the frame of the face.
static outcome expand_face(walk *w, int from)
{
    const abut_convex_frame *frame = w->frame;
    const facet *f = &w->facets[from];
    int is_b = f->kind == ABUT_AXIS_FACE_B, face = is_b ? f->b : f->a;
    const abut_convex *shape = is_b ? frame->b : frame->a;
    abut_vec3 vertex = is_b ? abut_convex_to_b(frame, abut_sub(frame->a->points[f->a], frame->offset))
                            : abut_convex_from_b(frame, f->b);
    // Points of B count negative in A - B. In products of two points the signs cancel, but the order of the sides is
    // reversed, hence sign -1.
    view v = is_b ? view_of(w, f, abut_negate(shape->normals[face]), abut_convex_to_b(frame, frame->between), -1.0)
                  : view_of(w, f, shape->normals[face], frame->between, 1.0);
    int first = shape->face_begin[face], end = shape->face_begin[face + 1];
    abut_vec3 p = abut_sub(shape->points[shape->face_points[first]], vertex);
    for (int i = first; i < end; ++i) {
        abut_vec3 q = abut_sub(shape->points[shape->face_points[i + 1 < end ? i + 1 : first]], vertex);
        // The side goes from p to q, counter-clockwise about the normal. The edge of the polar body is orthogonal to
        // both points.
        side over = {is_b, shape->face_edges[i], is_b ? f->a : f->b};
        fall along = fall_of(&v, abut_cross(q, p));
        int rises = is_rising(&v, &along), is_back = is_same_side(&over, &f->from);
        if (is_back && rises == f->rose) {
            return WALK_ENDS; // see expand_edges()
        }
        if (is_long(&v, &along) && !(from > 0 && is_back)) {
            way s = {over, other_face(shape, over.edge, face), -1,
                     is_b ? abut_negate(abut_mat3_apply(frame->rotation, p)) : p, rises};
            outcome next = follow(w, from, &s);
            if (next != WALK_GOES_ON) {
                return next;
            }
        }
        p = q;
    }
    return WALK_GOES_ON;
}

// Visits the neighbours over the four sides of two edges: each edge with both ends of the other.
static outcome expand_edges(walk *w, int from)
{
    const abut_convex_frame *frame = w->frame;
    const facet *f = &w->facets[from];
    const abut_convex_edge *edge_a = &frame->a->edges[f->a], *edge_b = &frame->b->edges[f->b];
    abut_vec3 u = abut_convex_edge_a(frame, f->a), v = abut_convex_edge_b(frame, f->b);
    abut_vec3 corner = abut_sub(frame->a->points[edge_a->points[0]], abut_convex_from_b(frame, edge_b->points[0]));
    double product = abut_dot(abut_cross(u, v), f->normal);
    if (product * product <=
        ABUT_AXIS_SINE_LOWEST * ABUT_AXIS_SINE_LOWEST * f->squared * edge_a->squared * edge_b->squared) {
        return WALK_ENDS; // parallel: the orientation of the parallelogram is lost to rounding
    }
    double around = product / f->squared; // u x v = around * normal
    view y = view_of(w, f, f->normal, frame->between, around > 0.0 ? -1.0 : 1.0);
    // The corners of the parallelogram, in order, use ends 0 1 1 0 of A's edge and 0 0 1 1 of B's; sides 0 and 2 are
    // along A's edge. The edge of the polar body for a side is orthogonal to both ends of the side. The directions are
    // u x corner, v x corner, and u x v minus each of them.
    fall a = fall_of(&y, abut_cross(u, corner)), b = fall_of(&y, abut_cross(v, corner));
    fall all = {around * y.ahead, abut_scale(around * y.level, y.corner)};
    fall rest_a = {all.down - a.down, abut_sub(all.place, a.place)};
    fall rest_b = {all.down - b.down, abut_sub(all.place, b.place)};
    int are_long = is_long(&y, &a) | is_long(&y, &rest_b) << 1 | is_long(&y, &rest_a) << 2 | is_long(&y, &b) << 3;
    int rise =
        is_rising(&y, &a) | is_rising(&y, &rest_b) << 1 | is_rising(&y, &rest_a) << 2 | is_rising(&y, &b) << 3;
    if (f->from.edge >= 0) {
        int is_first = f->from.vertex == (f->from.body == 0 ? edge_b : edge_a)->points[0];
        int back = f->from.body == 0 ? (is_first ? 0 : 2) : (is_first ? 3 : 1);
        // The walk came along the same edge of the polar body in the other direction, so if it rose then, it must fall
        // now. If not, rounding gave the wrong neighbour, for example between faces that are parallel up to a few
        // ulps.
        if ((rise >> back & 1) == f->rose) {
            return WALK_ENDS;
        }
        if (from > 0) {
            are_long &= ~(1 << back);
        }
    }
    for (int i = 0; are_long != 0; ++i, are_long >>= 1, rise >>= 1) {
        if ((are_long & 1) == 0) {
            continue;
        }
        int is_b = i % 2, end = i == 1 || i == 2;
        // An edge's arc goes from the normal of its left face to that of its right face, along edge x normal. This
        // picks the face at which the arc enters the region of the vertex.
        way s = {{is_b, is_b ? f->b : f->a, (is_b ? edge_a : edge_b)->points[end]},
                 (is_b ? edge_b : edge_a)->faces[(around > 0.0) == end],
                 is_b ? f->a : f->b,
                 i == 1   ? abut_add(corner, u)
                 : i == 2 ? abut_sub(corner, v)
                          : corner,
                 rise & 1};
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
    // for a face, abut_axis_measure_facet() replaces the index by the face's support
    axis.a = f->kind == ABUT_AXIS_EDGES ? a->edges[f->a].points[0] : f->a;
    axis.b = f->kind == ABUT_AXIS_EDGES ? b->edges[f->b].points[0] : f->b;
    abut_axis_measure_facet(w->frame, &axis);
    return axis;
}

// Reports all facets that tie. `first` is the axis of the best facet if the walk never restarted, else NULL. Returns 0
// if the overlap measured at the supports is larger than the walk assumed. This happens for nearly parallel edges,
// whose normal is inaccurate.
static int report(walk *w, const abut_axis *first, abut_overlap *result)
{
    abut_axis best = first != NULL ? *first : axis_of(w, &w->facets[0]);
    if (best.overlap > w->lowest + w->tie) {
        return 0;
    }
    abut_overlap_add(result, &best, w->tie);
    for (int i = 1; i < w->count; ++i) {
        facet *f = &w->facets[i];
        if (is_below(f, w->lowest + 2.0 * w->tie) && make_exact(w, f)) {
            abut_axis axis = axis_of(w, f);
            abut_overlap_add(result, &axis, w->tie);
        }
    }
    double inverse = 1.0 / abut_norm(w->frame->between);
    result->bound = w->lowest;
    result->axis_count += w->axis_count;
    result->proof = w->count == 1 ? ABUT_PROOF_FACET : ABUT_PROOF_CAP;
    result->cap_axis = abut_scale(inverse, w->frame->between);
    result->cap_cosine = w->level * inverse;
    return 1;
}

// Reports the best facet alone if it separates the bodies: no further proof is needed.
static int report_apart(const walk *w, const abut_axis *first, abut_overlap *result)
{
    abut_axis axis = first != NULL ? *first : axis_of(w, &w->facets[0]);
    if (!(axis.overlap < 0.0)) {
        return 0;
    }
    abut_overlap_add(result, &axis, w->tie);
    result->axis_count += w->axis_count;
    return 1;
}

int abut_polar_overlap(const abut_convex_frame *frame, const abut_axis *first, int most, int until,
                       abut_overlap *result)
{
    walk w;
    w.frame = frame;
    w.tie = abut_convex_rounding(frame);
    w.axis_count = 1;
    w.begun = 0;
    w.most = most < FACETS_HIGHEST ? most : FACETS_HIGHEST;
    facet start = {first->normal, 1.0, first->overlap, first->kind, first->feature_a, first->feature_b,
                   {0, -1, -1},   0};
    outcome last = begin(&w, &start) ? WALK_GOES_ON : WALK_ENDS;
    for (int i = 0; i < w.count && last != WALK_ENDS; ++i) {
        last = w.facets[i].kind == ABUT_AXIS_EDGES ? expand_edges(&w, i) : expand_face(&w, i);
        if (last == WALK_BEGINS_ANEW) {
            i = -1;
            last = w.begun > BEGINS_HIGHEST ? WALK_ENDS : last;
        }
    }
    const abut_axis *best = w.begun == 1 ? first : NULL;
    if (last != WALK_ENDS) {
        return report(&w, best, result);
    }
    return until == ABUT_OVERLAP_UNTIL_APART && w.lowest < 0.0 && report_apart(&w, best, result);
}
