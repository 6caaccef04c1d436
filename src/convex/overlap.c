// SPDX-License-Identifier: MIT
// overlap.c: the facet of the Minkowski difference that is nearest to the origin
//
// The overlap in a direction n is what A reaches along n plus what B reaches against it. The least overlap of all directions is
// at the normal of a facet of the Minkowski difference A - B. On the sphere of directions, faces are points, edges are arcs
// and vertices are regions; the facets are the points of A's map, those of B's (turned around), and the crossings of an
// arc of one with an arc of the other. The search walks along arcs of A through the regions of B, so that it meets every
// crossing, in time proportional to what it meets.
//
// Most of the sphere needs no search. A and B contain balls; their difference contains a ball about c with the sum r of the
// radii, so the overlap in direction n is at least c . n + r. Only a cap of directions, where this is less than
// the least overlap known, can hold a nearer facet. For round bodies that overlap a little, it has a few facets of thousands.
//
// A facet excludes its neighbours too. If the foot of the origin is in it, with a disc of radius s around that is all in the
// facet, then the overlap at an angle t from its normal is at least d cos t + s sin t, where d is the overlap of the facet:
// no less than d up to an angle T with tan(T / 2) = s / d. Where this cone and the balls cover the sphere, one facet is the
// proof; else arcs that are all in the cone are skipped.
//
// Source:  Yi and Drumwright 2016, algorithms 1 and 2, which try all pairs of edges with all vertices each.
// Differs: only pairs whose arcs cross, only in the cap; supports by climbing from the last.
// Cost:    linear in edges and crossings within the cap; no allocation.
#include "convex/overlap.h"

#include <float.h>

enum { CAP_POINTS = 64 };

// Below this sine of their angle, edges are parallel: the direction of their cross product is rounding. A facet of such
// edges is no nearer than its neighbours by more than the sine times the length.
static const double SINE_LOWEST = 1e-15;
// Directions closer than this are one: 1 - cos(1e-6).
static const double SAME_DIRECTION = 5e-13;

// ---------------------------------------------------------------------------------------------------------------
// What one facet excludes

double abut_convex_room(const abut_convex *shape, int face, abut_vec3 point)
{
    double room = HUGE_VAL;
    for (int i = shape->face_begin[face]; i < shape->face_begin[face + 1]; ++i) {
        double height = abut_dot(shape->sides[i], abut_sub(point, shape->points[shape->face_points[i]]));
        room = height < room ? height : room;
    }
    return room;
}

// The same in the parallelogram of two edges, for the origin's foot: the point where the two lines are nearest.
static double room_in_edges(const abut_convex_frame *frame, const abut_axis *axis)
{
    abut_vec3 u = abut_convex_edge_a(frame, axis->feature_a), v = abut_convex_edge_b(frame, axis->feature_b);
    abut_vec3 p = frame->a->points[frame->a->edges[axis->feature_a].points[0]];
    abut_vec3 q = abut_convex_from_b(frame, frame->b->edges[axis->feature_b].points[0]);
    abut_vec3 n = abut_cross(u, v), w = abut_sub(q, p);
    double squared = abut_norm_squared(n);
    double x = abut_dot(abut_cross(w, v), n) / squared, y = abut_dot(abut_cross(w, u), n) / squared;
    double along_u = fmin(x, 1.0 - x) / abut_norm(v), along_v = fmin(y, 1.0 - y) / abut_norm(u);
    return fmin(along_u, along_v) * sqrt(squared);
}

// The part of the sphere that a facet excludes: directions with normal . d >= cosine.
typedef struct cone {
    abut_vec3 normal;
    double cosine; ///< 2: nothing
} cone;

// Directions this much nearer to the border of a cone, in radians, are left out, so that what ties is never excluded.
static const double CONE_MARGIN = 1e-4;

static cone cone_of(const abut_convex_frame *frame, const abut_axis *axis, double room)
{
    cone result = {axis->normal, 2.0};
    double overlap = axis->overlap;
    if (overlap >= 0.0 && room * CONE_MARGIN > abut_convex_rounding(frame)) {
        result.cosine = (overlap * overlap - room * room) / (overlap * overlap + room * room) + CONE_MARGIN;
    }
    return result;
}

// Whether a cone has all of a cap: the angle between the axes and that of the cap together are no more than the cone's.
static int cone_has_cap(cone c, abut_vec3 axis, double cosine)
{
    double tilt = abut_dot(c.normal, axis);
    if (cosine <= -1.0 || c.cosine > 1.0 || cosine + tilt <= 0.0) {
        return 0; // the cap is everything, or the two angles are more than a half turn
    }
    if (cosine >= 1.0) {
        return 1;
    }
    double sines = (1.0 - cosine * cosine) * fmax(0.0, 1.0 - tilt * tilt);
    return c.cosine <= cosine * tilt - sqrt(sines) - 1e-12;
}

// The room around the foot of the origin in the facet of an axis, whose supports are up to date; negative outside.
static double room_of(const abut_convex_frame *frame, const abut_axis *axis)
{
    if (axis->kind == ABUT_AXIS_EDGES) {
        return room_in_edges(frame, axis);
    }
    if (axis->kind == ABUT_AXIS_FACE_A) {
        abut_vec3 foot = abut_add_scaled(abut_convex_from_b(frame, axis->b), axis->overlap, axis->normal);
        return abut_convex_room(frame->a, axis->feature_a, foot);
    }
    abut_vec3 foot = abut_add_scaled(frame->a->points[axis->a], -axis->overlap, axis->normal);
    return abut_convex_room(frame->b, axis->feature_b,
                            abut_mat3_apply_transposed(frame->rotation, abut_sub(foot, frame->offset)));
}

// ---------------------------------------------------------------------------------------------------------------
// Search

typedef struct search {
    const abut_convex_frame *frame;
    abut_overlap *result;
    double bound; ///< an overlap that is reached in some direction
    double tie;
    int until;
    double distance;  ///< between the middles of the inner balls
    abut_vec3 axis;   ///< of the cap
    abut_vec3 axis_b; ///< of the cap of B's normals, in B's frame
    double cosine;    ///< of the cap's angle, or -1: everything
    cone covered;     ///< what the best facet excludes
    int is_new;       ///< the best facet changed since
    int a, b;         ///< where the next climb starts
    int done;         ///< how many vertices of A, the one at the cap's axis, have had all their arcs walked
} search;

int abut_axis_of_edges(abut_vec3 edge_a, abut_vec3 edge_b, abut_vec3 like, abut_vec3 *normal)
{
    abut_vec3 n = abut_cross(edge_a, edge_b);
    double squared_a = abut_norm_squared(edge_a), squared_b = abut_norm_squared(edge_b);
    double squared = abut_norm_squared(n), squares = squared_a * squared_b;
    if (!(squared > SINE_LOWEST * SINE_LOWEST * squares)) {
        return 0;
    }
    n = abut_scale((abut_dot(n, like) < 0.0 ? -1.0 : 1.0) / sqrt(squared), n);
    if (squared < 1e-6 * squares) {
        // What is left of the edges in the cross product is rounding, made large by the division.
        n = abut_add_scaled(n, -abut_dot(n, edge_a) / squared_a, edge_a);
        n = abut_add_scaled(n, -abut_dot(n, edge_b) / squared_b, edge_b);
        n = abut_add_scaled(n, -abut_dot(n, edge_a) / squared_a, edge_a);
        n = abut_unit(n);
    }
    *normal = n;
    return 1;
}

// Overlaps beyond the cap are larger than the least one known, and than all that tie with it.
static void fit_cap(search *s)
{
    double cosine = (s->frame->balls - s->bound - s->tie) / s->distance - 1e-12;
    s->cosine = s->distance > 0.0 && cosine > -1.0 ? cosine : -1.0;
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

static void add_axis(search *s, const abut_axis *axis)
{
    s->is_new = s->is_new || axis->overlap < s->result->lowest;
    abut_overlap_add(s->result, axis, s->tie);
    if (axis->overlap < s->bound) {
        s->bound = axis->overlap;
        fit_cap(s);
    }
}

// Finds the cone of the best facet; returns whether it is all that is needed.
static int cover(search *s)
{
    const abut_overlap *r = s->result;
    if (s->is_new) {
        s->is_new = 0;
        const abut_axis *best = &r->ties[0];
        for (int i = 1; i < r->tie_count; ++i) {
            best = r->ties[i].overlap < best->overlap ? &r->ties[i] : best;
        }
        s->result->room = room_of(s->frame, best);
        s->covered = cone_of(s->frame, best, s->result->room);
    }
    return r->tie_count == 1 && cone_has_cap(s->covered, s->axis, s->cosine);
}

static int is_covered(const search *s, abut_vec3 direction)
{
    return abut_dot(s->covered.normal, direction) >= s->covered.cosine;
}

// Whether the arc of an edge comes into the cap about `axis`.
static int arc_meets_cap(const abut_convex *shape, int edge, abut_vec3 axis, double cosine)
{
    const abut_convex_edge *e = &shape->edges[edge];
    abut_vec3 n0 = shape->normals[e->faces[0]], n1 = shape->normals[e->faces[1]];
    double x0 = abut_dot(axis, n0), x1 = abut_dot(axis, n1);
    if (cosine <= 0.0 || x0 >= cosine || x1 >= cosine) {
        return 1;
    }
    // The arc's inside is nearest where it goes towards the axis from both ends; there the sine is the axis along the edge.
    if (x1 - e->cosine * x0 <= 0.0 || x0 - e->cosine * x1 <= 0.0) {
        return 0;
    }
    abut_vec3 u = abut_sub(shape->points[e->points[1]], shape->points[e->points[0]]);
    double along = abut_dot(axis, u);
    return along * along <= (1.0 - cosine * cosine) * abut_norm_squared(u);
}

// The cone is convex up to a right angle.
static int is_arc_covered(const search *s, int edge)
{
    const abut_convex *a = s->frame->a;
    const int *faces = a->edges[edge].faces;
    double cosine = s->covered.cosine > 0.0 ? s->covered.cosine : 0.0;
    return abut_dot(s->covered.normal, a->normals[faces[0]]) >= cosine &&
           abut_dot(s->covered.normal, a->normals[faces[1]]) >= cosine;
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
    int point = a->face_points[a->face_begin[face]];
    double overlap = abut_dot(n, abut_sub(a->points[point], s->frame->offset)) + height_b;
    if (is_wanted(s, overlap)) {
        abut_axis axis = {n, overlap, ABUT_AXIS_FACE_A, face, b, point, b};
        add_axis(s, &axis);
    }
}

static void try_face_b(search *s, int face)
{
    const abut_convex *b = s->frame->b;
    abut_vec3 n = abut_negate(abut_mat3_apply(s->frame->rotation, b->normals[face]));
    double height;
    s->a = abut_convex_climb(s->frame->a, n, s->a, &height);
    int point = b->face_points[b->face_begin[face]];
    double overlap = height + abut_dot(b->normals[face], b->points[point]) - abut_dot(n, s->frame->offset);
    if (is_wanted(s, overlap)) {
        abut_axis axis = {n, overlap, ABUT_AXIS_FACE_B, s->a, face, s->a, point};
        add_axis(s, &axis);
    }
}

// The crossing of the arcs of an edge of A and one of B that starts at point b, near the direction `like`.
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
    // Features give less than the overlap in their direction, or the same; most are not worth a square root.
    ++s->result->axis_count;
    if (product > 0.0 && (limit < 0.0 || product * product > limit * limit * squared * (1.0 + 1e-9))) {
        return;
    }
    abut_axis axis = {.kind = ABUT_AXIS_EDGES, .feature_a = edge_a, .feature_b = edge_b, .a = a, .b = b};
    if (abut_axis_of_edges(u, v, like, &axis.normal)) {
        abut_axis_measure(frame, &axis);
        add_axis(s, &axis);
    }
}

// Walks along the arc of an edge of A, from the normal of its first face to that of its second, through regions of B.
static void walk_arc(search *s, int edge)
{
    const abut_convex *a = s->frame->a, *b = s->frame->b;
    const int *faces = a->edges[edge].faces;
    abut_vec3 n0 = a->normals[faces[0]], n1 = a->normals[faces[1]];
    abut_vec3 m0 = abut_negate(abut_convex_to_b(s->frame, n0)), m1 = abut_negate(abut_convex_to_b(s->frame, n1));
    double height0, height1;
    int at = abut_convex_climb(b, m0, s->b, &height0);
    try_face_a(s, faces[0], at, height0);
    height1 = abut_dot(m1, b->points[at]);
    // Every step goes up at the end of the arc, so that no vertex comes twice.
    for (;;) {
        const abut_convex_link *next = NULL;
        double next_t = 1.0, next0 = 0.0, next1 = height1;
        for (int i = b->link_begin[at]; i < b->link_begin[at + 1]; ++i) {
            abut_vec3 p = b->points[b->links[i].point];
            double h1 = abut_dot(m1, p);
            if (h1 > height1) {
                double h0 = abut_dot(m0, p);
                double t = h0 < height0 ? (height0 - h0) / ((height0 - h0) + (h1 - height1)) : 0.0;
                if (next == NULL || t < next_t || (t == next_t && h1 > next1)) {
                    next = &b->links[i];
                    next_t = t, next0 = h0, next1 = h1;
                }
            }
        }
        if (next == NULL) {
            break;
        }
        try_edges(s, edge, next->edge, at, abut_lerp(n0, n1, next_t));
        at = next->point;
        height0 = next0;
        height1 = next1;
    }
    try_face_a(s, faces[1], at, height1);
    s->b = at;
}

static int find_point(const int *points, int count, int point)
{
    for (int i = 0; i < count; ++i) {
        if (points[i] == point) {
            return i;
        }
    }
    return -1;
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

// Whether the face comes first at this point, so that every face is tried once.
static int is_first_left(const search *s, int point, int edge)
{
    const abut_convex *b = s->frame->b;
    return b->face_points[b->face_begin[left_of(s, point, edge)]] == point;
}

static void try_face_left_of(search *s, int point, int edge)
{
    const abut_convex *b = s->frame->b;
    int face = left_of(s, point, edge);
    if (!is_covered(s, abut_negate(abut_mat3_apply(s->frame->rotation, b->normals[face])))) {
        try_face_b(s, face);
    }
}

// What is around the region that has the cap's axis: first the faces, which are cheap and most often have the answer, then
// the arcs. Returns whether a facet is proven to be the nearest.
static int search_near(search *s)
{
    const abut_convex *a = s->frame->a, *b = s->frame->b;
    int point_a = s->a, point_b = s->b;
    for (int i = a->link_begin[point_a]; i < a->link_begin[point_a + 1]; ++i) {
        const abut_convex_edge *edge = &a->edges[a->links[i].edge];
        int face = edge->faces[edge->points[0] != point_a];
        if (abut_dot(s->axis, a->normals[face]) < s->cosine || is_covered(s, a->normals[face])) {
            continue;
        }
        double height;
        s->b = abut_convex_climb(b, abut_negate(abut_convex_to_b(s->frame, a->normals[face])), s->b, &height);
        try_face_a(s, face, s->b, height);
    }
    for (int i = b->link_begin[point_b]; i < b->link_begin[point_b + 1]; ++i) {
        if (is_left_in_cap(s, point_b, b->links[i].edge)) {
            try_face_left_of(s, point_b, b->links[i].edge);
        }
    }
    if (is_over(s) || cover(s)) {
        return !is_over(s);
    }
    for (int i = a->link_begin[point_a]; i < a->link_begin[point_a + 1]; ++i) {
        if (arc_meets_cap(a, a->links[i].edge, s->axis, s->cosine) && !is_arc_covered(s, a->links[i].edge)) {
            walk_arc(s, a->links[i].edge);
        }
    }
    return !is_over(s) && cover(s);
}

// Walks all arcs of A, or tries all faces of B, in the cap, by flooding vertices from one whose region has the axis.
// Returns 0 where there are too many.
static int flood_cap(search *s, int is_b, int start)
{
    const abut_convex *shape = is_b ? s->frame->b : s->frame->a;
    abut_vec3 axis = is_b ? s->axis_b : s->axis;
    int points[CAP_POINTS], count = 1;
    points[0] = start;
    for (int i = 0; i < count; ++i) {
        for (int k = shape->link_begin[points[i]]; k < shape->link_begin[points[i] + 1]; ++k) {
            abut_convex_link link = shape->links[k];
            if (!arc_meets_cap(shape, link.edge, axis, s->cosine)) {
                continue;
            }
            int found = find_point(points, count, link.point);
            if (found < 0) {
                if (count == CAP_POINTS) {
                    return 0;
                }
                points[count++] = link.point;
            }
            if (is_b) {
                if (is_first_left(s, points[i], link.edge) && is_left_in_cap(s, points[i], link.edge)) {
                    try_face_left_of(s, points[i], link.edge);
                }
            } else if (i >= s->done && (found < 0 || found >= i) && !is_arc_covered(s, link.edge)) {
                walk_arc(s, link.edge); // not again around the start, nor from the other end
            }
        }
        if (is_over(s) || cover(s)) {
            return 1;
        }
    }
    return 1;
}

static void search_all(search *s)
{
    const abut_convex *a = s->frame->a, *b = s->frame->b;
    for (int i = 0; i < a->edge_count && !is_over(s); ++i) {
        if (!is_arc_covered(s, i)) {
            walk_arc(s, i);
            (void)cover(s);
        }
    }
    for (int i = 0; i < b->face_count && !is_over(s); ++i) {
        if (!is_covered(s, abut_negate(abut_mat3_apply(s->frame->rotation, b->normals[i])))) {
            try_face_b(s, i);
        }
    }
}

static void run(search *s)
{
    int a = s->a, b = s->b;
    if (s->result->tie_count == 0) {
        if (search_near(s)) {
            s->result->proof = ABUT_PROOF_FACET;
            return;
        }
        s->done = 1;
    }
    if (is_over(s)) {
        return;
    }
    if (s->cosine > 0.0 && flood_cap(s, 0, a) && (is_over(s) || flood_cap(s, 1, b))) {
        s->result->proof = ABUT_PROOF_CAP;
    } else {
        s->result->proof = ABUT_PROOF_FULL;
        search_all(s);
    }
}

void abut_convex_overlap(const abut_convex_frame *frame, const abut_axis *first, int is_facet, int until,
                         abut_overlap *result)
{
    if (abut_convex_is_simple(frame)) {
        abut_zonotope_overlap(frame, until, result);
        return;
    }
    result->tie_count = 0;
    result->has_more = 0;
    result->lowest = HUGE_VAL;
    result->axis_count = 0;
    result->proof = ABUT_PROOF_FULL;
    search s = {.frame = frame,
                .result = result,
                .bound = first->overlap,
                .tie = abut_convex_rounding(frame),
                .until = until,
                .distance = abut_norm(frame->between),
                .covered = {.normal = first->normal, .cosine = 2.0}};
    s.axis = s.distance > 0.0 ? abut_scale(1.0 / s.distance, frame->between) : first->normal;
    fit_cap(&s);
    double height;
    s.a = abut_convex_climb(frame->a, s.axis, first->a, &height);
    s.axis_b = abut_negate(abut_convex_to_b(frame, s.axis));
    s.b = abut_convex_climb(frame->b, s.axis_b, first->b, &height);
    if (is_facet) {
        add_axis(&s, first);
        (void)cover(&s);
    }
    run(&s);
    result->cap_axis = s.axis;
    result->cap_cosine = s.cosine;
}

static int is_end(const abut_convex *shape, int edge, int point)
{
    return shape->edges[edge].points[0] == point || shape->edges[edge].points[1] == point;
}

abut_facet_state abut_convex_check_facet(const abut_convex_frame *frame, abut_axis *axis, double *room)
{
    switch (axis->kind) {
    case ABUT_AXIS_FACE_A: axis->normal = frame->a->normals[axis->feature_a]; break;
    case ABUT_AXIS_FACE_B:
        axis->normal = abut_negate(abut_mat3_apply(frame->rotation, frame->b->normals[axis->feature_b]));
        break;
    default:
        if (!abut_axis_of_edges(abut_convex_edge_a(frame, axis->feature_a),
                                abut_convex_edge_b(frame, axis->feature_b), axis->normal, &axis->normal)) {
            return ABUT_FACET_NONE;
        }
    }
    abut_axis_measure(frame, axis);
    *room = -1.0;
    int is_facet = 1;
    if (axis->kind == ABUT_AXIS_FACE_A) {
        axis->feature_b = axis->b;
    } else if (axis->kind == ABUT_AXIS_FACE_B) {
        axis->feature_a = axis->a;
    } else {
        is_facet = is_end(frame->a, axis->feature_a, axis->a) && is_end(frame->b, axis->feature_b, axis->b);
    }
    double distance = abut_norm(frame->between);
    if (!is_facet) {
        return ABUT_FACET_NONE;
    }
    if (axis->overlap < 0.0 || !(distance > 0.0)) {
        return ABUT_FACET_OPEN;
    }
    *room = room_of(frame, axis);
    double cosine = (frame->balls - axis->overlap - abut_convex_rounding(frame)) / distance - 1e-12;
    int is_nearest = cone_has_cap(cone_of(frame, axis, *room), abut_scale(1.0 / distance, frame->between), cosine);
    return is_nearest ? ABUT_FACET_NEAREST : ABUT_FACET_OPEN;
}
