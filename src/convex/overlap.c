// SPDX-License-Identifier: MIT
// overlap.c: the facet of the Minkowski difference nearest to the origin
//
// The overlap in a direction n is the support height of A along n plus that of B against n. Over all directions, it is
// least at the normal of a facet of the Minkowski difference A - B. Zonotopes with few generators have so few facets
// that zonotope.c tries all of them. For other shapes, polar.c walks from facet to facet to the nearest one and proves
// it. If that proves nothing, mostly because the bodies only touch, the sweep in this file does.
//
// On the sphere of directions (Gauss map), faces are points, edges are arcs and vertices are regions. The facets are
// the points of A's map, the points of B's negated map, and the crossings of an arc of A with an arc of B. The sweep
// walks along arcs of A through the regions of B, so it meets every crossing, in time proportional to the regions it
// passes.
//
// Most of the sphere needs no sweep. A and B contain balls, so A - B contains a ball. If c is its center and r its
// radius, the sum of both radii, the overlap in direction n is at least c . n + r. A nearer facet must have a normal
// for which this bound is below the least overlap known: these normals form a cap. For round bodies that overlap a
// little, the cap holds a few of thousands of facets.
//
// Source:  Yi and Drumwright 2016, algorithms 1 and 2, which test all pairs of edges against all vertices.
// Differs: tests only pairs whose arcs cross, only in the cap; finds supports by climbing from the last one.
// Cost:    linear in edges and crossings within the cap; no allocation.
#include "convex/overlap.h"
#include "convex/polar.h"

#include <float.h>
#include <limits.h>

// Vertices whose arcs a cap search may visit. Their list is on the stack and searched linearly, which is quick for a
// few. If a cap has more, the sweep covers the whole sphere: slower, but the sweep is itself a rare fallback.
enum { CAP_POINTS = 64 };

// 1 - cosine of the angle, no unit: directions closer than 1e-6 radians count as one, 1 - cos(1e-6) = 5e-13. They
// differ by rounding of nearly coplanar facets and would only fill the list of ties.
static const double SAME_DIRECTION = 5e-13;

// ---------------------------------------------------------------------------------------------------------------
// Facets

double abut_convex_room(const abut_convex *shape, int face, abut_vec3 point)
{
    double room = HUGE_VAL;
    for (int i = shape->face_begin[face]; i < shape->face_begin[face + 1]; ++i) {
        double height = abut_dot(shape->sides[i], abut_sub(point, shape->points[shape->face_points[i]]));
        room = height < room ? height : room;
    }
    return room;
}

abut_vec3 abut_axis_straighten(const abut_vec3 *edge_a, const abut_vec3 *edge_b, const abut_vec3 *normal)
{
    double squared_a = abut_norm_squared(*edge_a), squared_b = abut_norm_squared(*edge_b);
    abut_vec3 n = abut_add_scaled(*normal, -abut_dot(*normal, *edge_a) / squared_a, *edge_a);
    n = abut_add_scaled(n, -abut_dot(n, *edge_b) / squared_b, *edge_b);
    n = abut_add_scaled(n, -abut_dot(n, *edge_a) / squared_a, *edge_a);
    return abut_unit(n);
}

static void keep_ties(abut_overlap *r, double tie)
{
    int kept = 0;
    for (int i = 0; i < r->tie_count; ++i) {
        if (r->ties[i].overlap <= r->lowest + tie) {
            r->ties[kept++] = r->ties[i];
        }
    }
    r->tie_count = kept;
}

void abut_overlap_add(abut_overlap *r, const abut_axis *axis, double tie)
{
    if (axis->overlap > r->lowest + tie) {
        return;
    }
    if (axis->overlap < r->lowest) {
        r->has_more = r->has_more && axis->overlap > r->lowest - tie;
        r->lowest = axis->overlap;
        keep_ties(r, tie);
    }
    for (int i = 0; i < r->tie_count; ++i) {
        if (abut_dot(r->ties[i].normal, axis->normal) > 1.0 - SAME_DIRECTION) {
            if (axis->overlap < r->ties[i].overlap) {
                r->ties[i] = *axis;
            }
            return;
        }
    }
    if (r->tie_count < ABUT_CONVEX_DIRECTIONS) {
        r->ties[r->tie_count++] = *axis;
    } else {
        r->has_more = 1;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Sweep

typedef struct search {
    const abut_convex_frame *frame;
    abut_overlap *result;
    double bound; ///< the least overlap known, of a facet or of another direction
    double tie;
    int until;
    double distance;  ///< between the centers of the inner balls
    abut_vec3 axis;   ///< of the cap
    abut_vec3 axis_b; ///< of the cap of B's normals, in B's frame
    double cosine;    ///< of the cap's angle; -1: the whole sphere
    int a, b;         ///< vertices where the next climbs start
} search;

// Fits the cap: all directions outside have overlaps larger than the least one known and all that tie with it. `tie`
// covers the rounding of the lengths, 1e-12 that of cosines between unit vectors, with a wide margin.
static void fit_cap(search *s)
{
    double cosine = (s->frame->balls - s->bound - s->tie) / s->distance - 1e-12;
    s->cosine = s->distance > 0.0 && cosine > -1.0 ? cosine : -1.0;
}

static void add_axis(search *s, const abut_axis *axis)
{
    abut_overlap_add(s->result, axis, s->tie);
    if (axis->overlap < s->bound) {
        s->bound = axis->overlap;
        fit_cap(s);
    }
}

// Returns 1 if the arc of an edge meets the cap about `axis`.
static int arc_meets_cap(const abut_convex *shape, int edge, abut_vec3 axis, double cosine)
{
    const abut_convex_edge *e = &shape->edges[edge];
    abut_vec3 n0 = shape->normals[e->faces[0]], n1 = shape->normals[e->faces[1]];
    double x0 = abut_dot(axis, n0), x1 = abut_dot(axis, n1);
    if (cosine <= 0.0 || x0 >= cosine || x1 >= cosine) {
        return 1;
    }
    // An inner point of the arc is nearest to the axis only if the arc approaches the axis from both ends. The sine of
    // its angle to the axis is then the component of the axis along the edge.
    if (x1 - e->cosine * x0 <= 0.0 || x0 - e->cosine * x1 <= 0.0) {
        return 0;
    }
    abut_vec3 u = abut_sub(shape->points[e->points[1]], shape->points[e->points[0]]);
    double along = abut_dot(axis, u);
    return along * along <= (1.0 - cosine * cosine) * e->squared;
}

static int is_wanted(const search *s, double overlap)
{
    ++s->result->axis_count;
    return overlap <= s->result->lowest + s->tie;
}

static int is_over(const search *s)
{
    return s->until == ABUT_OVERLAP_UNTIL_APART && s->result->lowest < 0.0;
}

static void try_face_a(search *s, int face, int b, double height_b)
{
    const abut_convex *a = s->frame->a;
    abut_vec3 n = a->normals[face];
    int point = a->tops[face];
    double overlap = abut_dot(n, abut_sub(a->points[point], s->frame->offset)) + height_b;
    if (is_wanted(s, overlap)) {
        abut_axis axis = {n, overlap, ABUT_AXIS_FACE_A, face, b, point, b, 0.0, 0.0};
        add_axis(s, &axis);
    }
}

static void try_face_b(search *s, int face)
{
    const abut_convex *b = s->frame->b;
    abut_vec3 n = abut_negate(abut_mat3_apply(s->frame->rotation, b->normals[face]));
    double height;
    s->a = abut_convex_climb(s->frame->a, n, s->a, &height);
    int point = b->tops[face];
    double overlap = height + abut_dot(b->normals[face], b->points[point]) - abut_dot(n, s->frame->offset);
    if (is_wanted(s, overlap)) {
        abut_axis axis = {n, overlap, ABUT_AXIS_FACE_B, s->a, face, s->a, point, 0.0, 0.0};
        add_axis(s, &axis);
    }
}

// Tries the crossing of the arcs of an edge of A and an edge of B that starts at point b, near the direction `like`.
static void try_edges(search *s, int edge_a, int edge_b, int b, abut_vec3 like)
{
    const abut_convex_frame *frame = s->frame;
    int a = frame->a->edges[edge_a].points[0];
    abut_vec3 u = abut_convex_edge_a(frame, edge_a), v = abut_convex_edge_b(frame, edge_b);
    abut_vec3 n = abut_cross(u, v);
    double squared = abut_norm_squared(n);
    double product = abut_dot(n, abut_sub(frame->a->points[a], abut_convex_from_b(frame, b)));
    product = abut_dot(n, like) < 0.0 ? -product : product;
    double limit = s->result->lowest + s->tie;
    // The features' own overlap is a lower bound of the overlap in their direction. Comparing squares saves the square
    // root for most pairs; 1e-9 is far above rounding, so no pair is dropped by mistake.
    ++s->result->axis_count;
    if (product > 0.0 && (limit < 0.0 || product * product > limit * limit * squared * (1.0 + 1e-9))) {
        return;
    }
    abut_axis axis = {.kind = ABUT_AXIS_EDGES, .feature_a = edge_a, .feature_b = edge_b, .a = a, .b = b};
    if (abut_axis_of_edges(u, v, like, &axis.normal)) {
        abut_axis_measure_facet(frame, &axis);
        add_axis(s, &axis);
    }
}

// Walks along the arc of an edge of A through the regions of B, from the normal of its first face to that of its
// second.
static void walk_arc(search *s, int edge)
{
    const abut_convex *a = s->frame->a, *b = s->frame->b;
    const int *faces = a->edges[edge].faces;
    abut_vec3 n0 = a->normals[faces[0]], n1 = a->normals[faces[1]];
    abut_vec3 m0 = abut_negate(abut_convex_to_b(s->frame, n0)), m1 = abut_negate(abut_convex_to_b(s->frame, n1));
    double height;
    int at = abut_convex_climb(b, m0, s->b, &height);
    try_face_a(s, faces[0], at, height);
    // Each step goes up in the direction at the arc's end by more than rounding, so no vertex is visited twice.
    for (;;) {
        const abut_convex_link *next = NULL;
        double next_t = 1.0, highest = 0.0;
        for (int i = b->link_begin[at]; i < b->link_begin[at + 1]; ++i) {
            abut_vec3 point = b->points[b->links[i].point];
            double rise = abut_convex_rise(b->points[at], point, m1);
            if (rise > 0.0) {
                double drop = -abut_convex_rise(b->points[at], point, m0);
                double t = drop > 0.0 ? drop / (drop + rise) : 0.0;
                if (next == NULL || t < next_t || (t == next_t && rise > highest)) {
                    next = &b->links[i];
                    next_t = t, highest = rise;
                }
            }
        }
        if (next == NULL) {
            break;
        }
        try_edges(s, edge, next->edge, at, abut_lerp(n0, n1, next_t));
        at = next->point;
    }
    try_face_a(s, faces[1], at, abut_dot(m1, b->points[at]));
    s->b = at;
}

// The face of B to the left of an edge that leaves a point.
static int left_of(const search *s, int point, int edge)
{
    const abut_convex_edge *e = &s->frame->b->edges[edge];
    return e->faces[e->points[0] != point];
}

static int is_left_in_cap(const search *s, int point, int edge)
{
    return abut_dot(s->axis_b, s->frame->b->normals[left_of(s, point, edge)]) >= s->cosine;
}

// Returns 1 if `point` is the first corner of the face, so that each face is tried once.
static int is_first_left(const search *s, int point, int edge)
{
    const abut_convex *b = s->frame->b;
    return b->face_points[b->face_begin[left_of(s, point, edge)]] == point;
}

// Walks all arcs of A in the cap, or tries all faces of B in it. Floods vertices, starting at the one whose region
// holds the cap's axis. Returns 0 if there are more than CAP_POINTS.
static int flood_cap(search *s, int is_b, int start)
{
    const abut_convex *shape = is_b ? s->frame->b : s->frame->a;
    abut_vec3 axis = is_b ? s->axis_b : s->axis;
    int points[CAP_POINTS], count = 1;
    points[0] = start;
    for (int i = 0; i < count && !is_over(s); ++i) {
        for (int k = shape->link_begin[points[i]]; k < shape->link_begin[points[i] + 1]; ++k) {
            abut_convex_link link = shape->links[k];
            if (!arc_meets_cap(shape, link.edge, axis, s->cosine)) {
                continue;
            }
            int found = abut_convex_find_point(points, count, link.point);
            if (found < 0) {
                if (count == CAP_POINTS) {
                    return 0;
                }
                points[count++] = link.point;
            }
            if (is_b) {
                if (is_first_left(s, points[i], link.edge) && is_left_in_cap(s, points[i], link.edge)) {
                    try_face_b(s, left_of(s, points[i], link.edge));
                }
            } else if (found < 0 || found >= i) {
                walk_arc(s, link.edge); // once per edge: not from its other end as well
            }
        }
    }
    return 1;
}

static void sweep_all(search *s)
{
    for (int i = 0; i < s->frame->a->edge_count && !is_over(s); ++i) {
        walk_arc(s, i);
    }
    for (int i = 0; i < s->frame->b->face_count && !is_over(s); ++i) {
        try_face_b(s, i);
    }
}

// Measures a possible facet, climbing from the supports of a nearby axis.
static void try_near(search *s, const abut_axis *from, abut_axis_kind kind, int a, int b, abut_vec3 normal)
{
    abut_axis axis = {.normal = normal, .kind = kind, .feature_a = a, .feature_b = b, .a = from->a, .b = from->b};
    ++s->result->axis_count;
    abut_axis_measure_facet(s->frame, &axis);
    if (kind == ABUT_AXIS_EDGES &&
        (!abut_convex_is_end(s->frame->a, a, axis.a) || !abut_convex_is_end(s->frame->b, b, axis.b))) {
        return; // no facet
    }
    axis.feature_a = kind == ABUT_AXIS_FACE_B ? axis.a : a;
    axis.feature_b = kind == ABUT_AXIS_FACE_A ? axis.b : b;
    add_axis(s, &axis);
}

// Tries all faces at the supports of an axis, and all pairs of edges there.
static void try_around(search *s, const abut_axis *from)
{
    const abut_convex *a = s->frame->a, *b = s->frame->b;
    for (int i = a->link_begin[from->a]; i < a->link_begin[from->a + 1]; ++i) {
        const abut_convex_edge *edge = &a->edges[a->links[i].edge];
        int face = edge->faces[edge->points[0] != from->a];
        try_near(s, from, ABUT_AXIS_FACE_A, face, from->b, a->normals[face]);
    }
    for (int k = b->link_begin[from->b]; k < b->link_begin[from->b + 1]; ++k) {
        int face = left_of(s, from->b, b->links[k].edge);
        try_near(s, from, ABUT_AXIS_FACE_B, from->a, face,
                 abut_negate(abut_mat3_apply(s->frame->rotation, b->normals[face])));
    }
    for (int i = a->link_begin[from->a]; i < a->link_begin[from->a + 1]; ++i) {
        abut_vec3 u = abut_convex_edge_a(s->frame, a->links[i].edge), normal;
        for (int k = b->link_begin[from->b]; k < b->link_begin[from->b + 1]; ++k) {
            abut_vec3 v = abut_convex_edge_b(s->frame, b->links[k].edge);
            if (abut_axis_of_edges(u, v, from->normal, &normal)) {
                try_near(s, from, ABUT_AXIS_EDGES, a->links[i].edge, b->links[k].edge, normal);
            }
        }
    }
}

// If arcs nearly coincide, rounding decides which one the sweep crosses first, and it may miss a facet next to one
// that is almost as near. This searches around the facets that tie until none there is nearer. It cannot go too low:
// every measured overlap is that of a real direction.
static void descend(search *s)
{
    for (int i = 0; i < s->result->tie_count && !is_over(s); ++i) {
        double before = s->result->lowest;
        abut_axis axis = s->result->ties[i];
        try_around(s, &axis);
        i = s->result->lowest < before - s->tie ? -1 : i; // found a nearer one: start again
    }
}

static void sweep(const abut_convex_frame *frame, const abut_axis *first, int until, abut_overlap *result)
{
    search s = {.frame = frame,
                .result = result,
                .bound = first->overlap,
                .tie = abut_convex_rounding(frame),
                .until = until,
                .distance = abut_norm(frame->between)};
    s.axis = s.distance > 0.0 ? abut_scale(1.0 / s.distance, frame->between) : first->normal;
    s.axis_b = abut_negate(abut_convex_to_b(frame, s.axis));
    fit_cap(&s);
    double height;
    int a = abut_convex_climb(frame->a, s.axis, first->a, &height);
    int b = abut_convex_climb(frame->b, s.axis_b, first->b, &height);
    s.a = a;
    s.b = b;
    result->proof = ABUT_PROOF_CAP;
    if (!(s.cosine > 0.0 && flood_cap(&s, 0, a) && flood_cap(&s, 1, b)) && !is_over(&s)) {
        result->proof = ABUT_PROOF_FULL;
        sweep_all(&s);
    }
    descend(&s);
    result->bound = result->lowest;
    result->cap_axis = s.axis;
    result->cap_cosine = s.cosine;
}

// ---------------------------------------------------------------------------------------------------------------
// All

// Of A's faces at the support, takes the one whose normal is closest to the direction, with its overlap.
static abut_axis facet_near(const abut_convex_frame *frame, const abut_axis *first)
{
    const abut_convex *a = frame->a;
    double highest = -HUGE_VAL;
    abut_axis axis = *first;
    axis.kind = ABUT_AXIS_FACE_A;
    for (int i = a->link_begin[first->a]; i < a->link_begin[first->a + 1]; ++i) {
        const abut_convex_edge *edge = &a->edges[a->links[i].edge];
        int face = edge->faces[edge->points[0] != first->a];
        double along = abut_dot(first->normal, a->normals[face]);
        if (along > highest) {
            highest = along;
            axis.feature_a = face;
        }
    }
    axis.normal = a->normals[axis.feature_a];
    abut_axis_measure_facet(frame, &axis);
    axis.feature_b = axis.b;
    return axis;
}

void abut_convex_overlap(const abut_convex_frame *frame, const abut_axis *first, int is_facet, int until,
                         abut_overlap *result)
{
    result->tie_count = 0;
    result->has_more = 0;
    result->lowest = HUGE_VAL;
    result->axis_count = 0;
    result->is_fallback = 0;
    int is_simple = abut_convex_is_simple(frame);
    if (is_facet || !is_simple) {
        abut_axis near;
        if (!is_facet) {
            near = facet_near(frame, first);
        }
        // all facets of two zonotopes take less time than a walk over more than one
        if (abut_polar_overlap(frame, is_facet ? first : &near, is_simple ? 1 : INT_MAX, until, result)) {
            return;
        }
    }
    if (is_simple) {
        abut_zonotope_overlap(frame, until, result);
    } else {
        result->is_fallback = 1;
        sweep(frame, first, until, result);
    }
}

// Of the two faces at an edge, returns the one whose normal is closer to a direction.
static int nearer_face(const abut_convex *shape, int edge, abut_vec3 direction)
{
    const int *faces = shape->edges[edge].faces;
    abut_vec3 change = abut_sub(shape->normals[faces[1]], shape->normals[faces[0]]);
    return faces[abut_dot(direction, change) > 0.0];
}

int abut_convex_update_facet(const abut_convex_frame *frame, abut_axis *axis)
{
    if (axis->kind == ABUT_AXIS_EDGES) {
        if (!abut_axis_of_edges(abut_convex_edge_a(frame, axis->feature_a),
                                abut_convex_edge_b(frame, axis->feature_b), axis->normal, &axis->normal)) {
            return 0;
        }
        abut_axis_measure_facet(frame, axis);
        // if the arcs no longer cross, one ends before it reaches the other: take the face at that end
        if (!abut_convex_is_end(frame->a, axis->feature_a, axis->a)) {
            axis->kind = ABUT_AXIS_FACE_A;
            axis->feature_a = nearer_face(frame->a, axis->feature_a, axis->normal);
        } else if (!abut_convex_is_end(frame->b, axis->feature_b, axis->b)) {
            axis->kind = ABUT_AXIS_FACE_B;
            axis->feature_b =
                nearer_face(frame->b, axis->feature_b, abut_negate(abut_convex_to_b(frame, axis->normal)));
        } else {
            return 1;
        }
    }
    if (axis->kind == ABUT_AXIS_FACE_A) {
        axis->normal = frame->a->normals[axis->feature_a];
        abut_axis_measure_facet(frame, axis);
        axis->feature_b = axis->b;
    } else {
        axis->normal = abut_negate(abut_mat3_apply(frame->rotation, frame->b->normals[axis->feature_b]));
        abut_axis_measure_facet(frame, axis);
        axis->feature_a = axis->a;
    }
    return 1;
}
