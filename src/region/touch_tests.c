// SPDX-License-Identifier: MIT
// touch_tests.c: a corner against a triangle or wide face, an edge against an edge, an edge that runs through a surface
#include "region/touch_placed.h"

#include "prim/point_segment.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"

/// Squared sine of the angle between edges below which their distance is found by the slower, robust function.
static const double parallel_edges = 1e-6;
/// Of the tolerance: slack at the sides of triangles, so that no point on an inner edge of the face slips between two
/// of them.
static const double border_slack = 0.1;

static const int *vertices_of(const abut_touch_side *side, const abut_placed_triangle *t)
{
    return &side->model->elements.triangles[3 * (size_t)t->index];
}

int abut_placed_recedes(const abut_touch_search *s, int side, abut_vec3 normal, const abut_vec3 *points, int count)
{
    const abut_touch_limits *limits = s->limits;
    if (limits->receding == HUGE_VAL) {
        return 0;
    }
    for (int k = 0; k < count; ++k) {
        abut_vec3 velocity = abut_add(limits->linear, abut_cross(limits->angular, points[k]));
        double away = abut_dot(normal, velocity);
        if ((side == 0 ? away : -away) <= limits->receding) {
            return 0;
        }
    }
    return 1;
}

int abut_placed_finish(const abut_touch_search *s, int side, abut_placed_triangle *t)
{
    const abut_touch_side *own = &s->touch->sides[side];
    if ((t->sides[0] & t->sides[1] & t->sides[2]) != 0) {
        return 0;
    }
    t->box = abut_box_of_two(t->corners[0], t->corners[1]);
    abut_box_extend(&t->box, t->corners[2]);
    t->normal = abut_touch_normal(own, own->model->brep.triangle_faces[t->index]);
    // the velocity is linear in the point, so the corners decide
    t->recedes = abut_placed_recedes(s, side, t->normal, t->corners, 3);
    return 1;
}

/// For each edge of a triangle: how far a point is inside it, along the triangle's plane, times the edge's length; and
/// the square of that length.
static void find_insides(const abut_placed_triangle *t, abut_vec3 p, double insides[3], double squares[3])
{
    for (int k = 0; k < 3; ++k) {
        abut_vec3 edge = abut_sub(t->corners[k < 2 ? k + 1 : 0], t->corners[k]);
        insides[k] = abut_dot(abut_cross(t->normal, edge), abut_sub(p, t->corners[k]));
        squares[k] = abut_norm_squared(edge);
    }
}

/// Finds the corner of a triangle within the tolerance of a point, else the sharp edge. `is_near` tells which edges'
/// lines are near the point. Returns 0 if there is neither.
static int find_border(const abut_touch_search *s, const abut_touch_side *side, const abut_placed_triangle *t,
                       abut_vec3 p, const int is_near[3], abut_vertex_hit *hit)
{
    const abut_brep_elements *brep = &side->model->brep;
    const int *vertices = vertices_of(side, t);
    const int *edges = &side->model->topology.triangle_edges[3 * (size_t)t->index];
    int is_found = 0;
    hit->squared = s->squared;
    for (int k = 0; k < 3; ++k) {
        double squared = abut_norm_squared(abut_sub(t->corners[k], p));
        if (squared <= hit->squared && brep->mesh_vertex_vertices[vertices[k]] >= 0) {
            hit->other.kind = ABUT_ENTITY_VERTEX;
            hit->other.index = brep->mesh_vertex_vertices[vertices[k]];
            hit->squared = squared;
            hit->point = t->corners[k];
            is_found = 1;
        }
    }
    if (is_found) {
        return 1;
    }
    for (int k = 0; k < 3; ++k) {
        if (is_near[k] && brep->mesh_edge_edges[edges[k]] >= 0) {
            double weight;
            abut_vec3 from = t->corners[k], to = t->corners[(k + 1) % 3];
            double squared = abut_point_segment_distance_squared(p, from, to, &weight);
            if (squared <= hit->squared) {
                hit->other.kind = ABUT_ENTITY_EDGE;
                hit->other.index = brep->mesh_edge_edges[edges[k]];
                hit->squared = squared;
                hit->point = abut_lerp(from, to, weight);
                is_found = 1;
            }
        }
    }
    return is_found;
}

/// Finds what part of a triangle is within the tolerance of a point: a corner or sharp edge, else the face. Returns 0
/// if none is. Away from the border the height over the plane is enough.
static int find_hit(const abut_touch_search *s, const abut_touch_side *side, const abut_placed_triangle *t,
                    abut_vec3 p, abut_vertex_hit *hit)
{
    double height = abut_dot(t->normal, abut_sub(p, t->corners[0]));
    if (fabs(height) > s->touch->tolerance) {
        return 0;
    }
    double insides[3], squares[3];
    int is_near[3], is_inside = 1;
    find_insides(t, p, insides, squares);
    for (int k = 0; k < 3; ++k) {
        is_near[k] = insides[k] * insides[k] <= 4.0 * s->squared * squares[k];
        if (!is_near[k] && insides[k] < 0.0) {
            return 0;
        }
        is_inside &= insides[k] > 0.0;
    }
    hit->triangle = t->index;
    if ((is_near[0] || is_near[1] || is_near[2]) && find_border(s, side, t, p, is_near, hit)) {
        return 1;
    }
    hit->other.kind = ABUT_ENTITY_FACE;
    hit->other.index = side->model->brep.triangle_faces[t->index];
    hit->squared = height * height;
    hit->point = abut_add_scaled(p, -height, t->normal);
    if (!is_inside) {
        double weights[3];
        hit->squared = abut_point_triangle_distance_squared(p, t->corners, weights);
        hit->point = abut_triangle_point(t->corners, weights);
    }
    return hit->squared <= s->squared;
}

/// Adds a hit if a corner of `side` touches a triangle of the other one. Returns 0 if it does not.
static int try_hit(abut_touch_search *s, int side, const abut_placed_vertex *v, const abut_placed_triangle *t)
{
    abut_vertex_hit hit;
    ++s->touch->tested_pairs;
    if (!find_hit(s, &s->touch->sides[1 - side], t, v->point, &hit)) {
        return 0;
    }
    abut_vertex_hit *added = abut_search_add(s, &s->vertex_hits[side], sizeof *added);
    if (added != NULL) {
        hit.vertex = v->vertex;
        *added = hit;
    }
    return 1;
}

static void add_loose(abut_touch_search *s, int side, const abut_placed_vertex *v)
{
    int *added = abut_search_add(s, &s->loose[side], sizeof *added);
    if (added != NULL) {
        *added = v->vertex;
    }
}

/// Whether receding faces are left out. Then an edge may run through them unseen, so all corners in the boxes of other
/// faces are suspected to be inside, also those that are far from these faces.
static int has_culling(const abut_touch_search *s)
{
    return s->limits->receding != HUGE_VAL;
}

/// Whether a point is at most twice the tolerance below a triangle and beyond its sides.
static int is_just_below(const abut_touch_search *s, const abut_placed_triangle *t, abut_vec3 p)
{
    double height = abut_dot(t->normal, abut_sub(p, t->corners[0])), insides[3], squares[3];
    if (height >= 0.0 || height < -2.0 * s->touch->tolerance) {
        return 0;
    }
    find_insides(t, p, insides, squares);
    for (int k = 0; k < 3; ++k) {
        if (insides[k] < 0.0 && insides[k] * insides[k] > 4.0 * s->squared * squares[k]) {
            return 0;
        }
    }
    return 1;
}

void abut_test_vertex(abut_touch_search *s, int side, const abut_placed_vertex *v, const abut_placed_triangle *t)
{
    if (!try_hit(s, side, v, t) && (has_culling(s) || is_just_below(s, t, v->point))) {
        add_loose(s, side, v);
    }
}

/// Whether two edges run along each other: within the tolerance wherever they are side by side.
static int run_together(const abut_touch_search *s, const abut_vec3 a[2], const abut_vec3 b[2])
{
    int near = 0;
    for (int i = 0; i < 4; ++i) {
        double weight;
        const abut_vec3 *own = i < 2 ? a : b, *other = i < 2 ? b : a;
        abut_vec3 p = own[i % 2];
        double squared = abut_point_segment_distance_squared(p, other[0], other[1], &weight);
        if (weight > 0.0 && weight < 1.0 && squared > s->squared) {
            return 0;
        }
        near += squared <= s->squared;
    }
    return near >= 2;
}

/// Clamps a place along an edge to 0..1. Returns 0 if it was further than the tolerance beyond an end.
static int clamp_place(double *x, double length_squared, double tolerance_squared)
{
    double beyond = *x < 0.0 ? -*x : *x > 1.0 ? *x - 1.0 : 0.0;
    *x = *x < 0.0 ? 0.0 : *x > 1.0 ? 1.0 : *x;
    return beyond * beyond * length_squared <= tolerance_squared;
}

/// The points at which two edges are nearest to each other. Returns 0 if they are further apart than the tolerance, or
/// within it only beyond an end, where the corner is tested instead.
static int find_crossing(const abut_touch_search *s, const abut_placed_edge *a, const abut_placed_edge *b,
                         abut_vec3 points[2], double *squared)
{
    abut_vec3 u = abut_sub(a->ends[1], a->ends[0]), v = abut_sub(b->ends[1], b->ends[0]);
    abut_vec3 offset = abut_sub(b->ends[0], a->ends[0]), n = abut_cross(u, v);
    double uu = abut_norm_squared(u), vv = abut_norm_squared(v), nn = abut_norm_squared(n), x, y;
    if (nn > parallel_edges * uu * vv) {
        double distance = abut_dot(offset, n);
        if (distance * distance > s->squared * nn) {
            return 0;
        }
        x = abut_dot(abut_cross(offset, v), n) / nn;
        y = abut_dot(abut_cross(offset, u), n) / nn;
        if (!clamp_place(&x, uu, s->squared) || !clamp_place(&y, vv, s->squared)) {
            return 0;
        }
    } else {
        (void)abut_segment_segment_distance_squared(a->ends[0], a->ends[1], b->ends[0], b->ends[1], &x, &y);
    }
    points[0] = abut_add_scaled(a->ends[0], x, u);
    points[1] = abut_add_scaled(b->ends[0], y, v);
    *squared = abut_norm_squared(abut_sub(points[1], points[0]));
    return *squared <= s->squared;
}

void abut_test_edges(abut_touch_search *s, const abut_placed_edge *a, const abut_placed_edge *b)
{
    abut_vec3 points[2], ends[2][2];
    double squared;
    ++s->touch->tested_pairs;
    if (!find_crossing(s, a, b, points, &squared)) {
        return;
    }
    // crossings within the tolerance of a corner are left to the test of that corner; first the ends of these mesh
    // edges, which are mostly the corners
    for (int end = 0; end < 2; ++end) {
        if ((a->is_corner[end] && abut_norm_squared(abut_sub(a->ends[end], points[1])) <= s->squared) ||
            (b->is_corner[end] && abut_norm_squared(abut_sub(b->ends[end], points[0])) <= s->squared)) {
            return;
        }
    }
    for (int side = 0; side < 2; ++side) {
        for (int end = 0; end < 2; ++end) {
            ends[side][end] = abut_touch_edge_end(&s->touch->sides[side], side == 0 ? a->edge : b->edge, end);
            if (abut_norm_squared(abut_sub(ends[side][end], points[1 - side])) <= s->squared) {
                return;
            }
        }
    }
    abut_edge_hit *hit = run_together(s, ends[0], ends[1]) ? NULL : abut_search_add(s, &s->edge_hits, sizeof *hit);
    if (hit != NULL) {
        hit->edges[0] = a->edge;
        hit->edges[1] = b->edge;
        hit->squared = squared;
        hit->points[0] = points[0];
        hit->points[1] = points[1];
    }
}

static int is_at_edge(const abut_touch_search *s, const abut_touch_side *side, int edge, abut_vec3 p)
{
    double weight;
    return abut_point_segment_distance_squared(p, abut_touch_edge_end(side, edge, 0),
                                               abut_touch_edge_end(side, edge, 1), &weight) <= s->squared;
}

/// Whether a point of a face is within the tolerance of its border. Triangles may be narrower than the tolerance, so
/// the border need not belong to the triangle that the point is in.
static int is_at_border(const abut_touch_search *s, const abut_touch_side *side, int face, abut_vec3 p)
{
    const abut_brep_elements *brep = &side->model->brep;
    const abut_brep_face *f = &brep->faces[face];
    for (int i = f->loop_begin; i < f->loop_begin + f->loop_count; ++i) {
        for (int k = 0; k < brep->loops[i].coedge_count; ++k) {
            if (is_at_edge(s, side, brep->coedges[brep->loops[i].coedge_begin + k].edge, p)) {
                return 1;
            }
        }
    }
    return 0;
}

/// Where a whole edge of `side` crosses a plane, if its ends are further than the tolerance on both sides of it.
/// Returns 0 if they are not.
static int crosses_plane(const abut_touch_search *s, int side, const abut_placed_edge *e, abut_vec3 normal,
                         abut_vec3 point, abut_vec3 *p)
{
    const abut_touch_side *own = &s->touch->sides[side];
    double tolerance = s->touch->tolerance;
    abut_vec3 ends[2] = {e->ends[0], e->ends[1]};
    if (!e->is_corner[0] || !e->is_corner[1]) {
        ends[0] = abut_touch_edge_end(own, e->edge, 0);
        ends[1] = abut_touch_edge_end(own, e->edge, 1);
    }
    double from = abut_dot(normal, abut_sub(ends[0], point)), to = abut_dot(normal, abut_sub(ends[1], point));
    if (abut_lesser(from, to) >= -tolerance || abut_greater(from, to) <= tolerance) {
        return 0;
    }
    *p = abut_lerp(ends[0], ends[1], from / (from - to));
    return 1;
}

/// Whether a point of its plane is in a triangle, or beyond one of its sides by no more than the slack. The distance from
/// the side itself counts, not from its line: at a narrow corner the lines of both sides run on within the slack of each
/// other, up to points that are far from the triangle.
static int is_in_triangle(const abut_touch_search *s, const abut_placed_triangle *t, abut_vec3 p)
{
    double insides[3], squares[3], slack = border_slack * s->touch->tolerance;
    int is_inside = 1, is_near = 0;
    find_insides(t, p, insides, squares);
    for (int k = 0; k < 3; ++k) {
        if (insides[k] < 0.0) {
            double along =
                abut_dot(abut_sub(t->corners[k < 2 ? k + 1 : 0], t->corners[k]), abut_sub(p, t->corners[k]));
            double over = along < 0.0 ? along : abut_greater(along - squares[k], 0.0);
            is_inside = 0;
            is_near |= insides[k] * insides[k] + over * over <= slack * slack * squares[k];
        }
    }
    return is_inside || is_near;
}

int abut_test_piercing(const abut_touch_search *s, int side, const abut_placed_edge *e,
                       const abut_placed_triangle *t)
{
    const abut_touch_side *other = &s->touch->sides[1 - side];
    abut_vec3 p;
    if (!abut_boxes_are_near(e->box, t->box, s->touch->tolerance) || (e->recedes && t->recedes) ||
        !crosses_plane(s, side, e, t->normal, t->corners[0], &p)) {
        return 0;
    }
    return is_in_triangle(s, t, p) && !is_at_border(s, other, other->model->brep.triangle_faces[t->index], p);
}

// ---- wide faces

/// A triangle of a wide face.
static abut_placed_triangle place_wide(const abut_touch_search *s, int side, const abut_placed_face *f,
                                       int triangle)
{
    const abut_touch_side *own = &s->touch->sides[side];
    abut_placed_triangle t = {.index = triangle, .normal = f->normal};
    for (int k = 0; k < 3; ++k) {
        t.corners[k] = abut_touch_place(own, own->model->elements.vertices[vertices_of(own, &t)[k]]);
    }
    t.recedes = abut_placed_recedes(s, side, t.normal, t.corners, 3);
    return t;
}

/// A search for the triangles of a wide face near a point of A's frame.
static abut_wide_search begin_search(const abut_touch_search *s, int side, const abut_placed_face *f, abut_vec3 p,
                                     double reach)
{
    const abut_touch_side *own = &s->touch->sides[side];
    abut_vec3 local = abut_mat3_apply_transposed(own->rotation, abut_sub(p, own->translation));
    return abut_wide_search_begin(f->wide, &own->model->elements, local, reach);
}

void abut_test_vertex_face(abut_touch_search *s, int side, const abut_placed_vertex *v, const abut_placed_face *f)
{
    double reach = 2.0 * s->touch->tolerance, height = abut_dot(f->normal, abut_sub(v->point, f->point));
    if (!abut_box_has(&f->box, v->point, reach)) {
        return;
    }
    // triangles may be off the plane by the tolerance of the B-rep
    if (fabs(height) > reach + 2.0 * s->touch->sides[1 - side].model->brep.tolerance) {
        if (has_culling(s)) {
            add_loose(s, side, v);
        }
        return;
    }
    abut_wide_search search = begin_search(s, 1 - side, f, v->point, reach);
    int triangle, is_near = 0, touches = 0;
    while ((triangle = abut_wide_search_next(&search)) >= 0) {
        abut_placed_triangle t = place_wide(s, 1 - side, f, triangle);
        if (!t.recedes) {
            is_near = 1;
            touches |= try_hit(s, side, v, &t);
        }
    }
    // a corner above the face is outside the solid near it
    if (!touches && (has_culling(s) || (is_near && height < 0.0))) {
        add_loose(s, side, v);
    }
}

/// Whether a point of a wide face is within the tolerance of its border. All triangles within the tolerance are
/// searched: they may be narrower than that.
static int is_at_wide_border(const abut_touch_search *s, int side, const abut_placed_face *f, abut_vec3 p)
{
    const abut_touch_side *own = &s->touch->sides[side];
    abut_wide_search search = begin_search(s, side, f, p, s->touch->tolerance);
    int triangle;
    while ((triangle = abut_wide_search_next(&search)) >= 0) {
        for (int k = 0; k < 3; ++k) {
            int mesh_edge = own->model->topology.triangle_edges[3 * (size_t)triangle + (size_t)k];
            int edge = own->model->brep.mesh_edge_edges[mesh_edge];
            if (edge >= 0 && is_at_edge(s, own, edge, p)) {
                return 1;
            }
        }
    }
    return 0;
}

int abut_test_piercing_face(abut_touch_search *s, int side, const abut_placed_edge *e, const abut_placed_face *f)
{
    abut_vec3 p;
    ++s->touch->tested_pairs;
    if (!abut_boxes_are_near(e->box, f->box, s->touch->tolerance) ||
        !crosses_plane(s, side, e, f->normal, f->point, &p)) {
        return 0;
    }
    abut_wide_search search = begin_search(s, 1 - side, f, p, border_slack * s->touch->tolerance);
    int triangle, is_through = 0;
    while (!is_through && (triangle = abut_wide_search_next(&search)) >= 0) {
        abut_placed_triangle t = place_wide(s, 1 - side, f, triangle);
        is_through = !(e->recedes && t.recedes) && is_in_triangle(s, &t, p);
    }
    return is_through && !is_at_wide_border(s, 1 - side, f, p);
}
