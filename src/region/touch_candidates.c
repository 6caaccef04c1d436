// SPDX-License-Identifier: MIT
// touch_candidates.c: corners of one solid near the other, edges that cross, and edges that run through a face
//
// There are three tests: a corner against a triangle, an edge against an edge, an edge against a triangle. They are
// run for pairs of triangles whose boxes are within the tolerance; for small meshes, for everything near the other
// solid. Each corner and edge is tested by the triangle that owns it, so each pair is tested once.
#include "region/touch_search.h"

#include "prim/compare.h"
#include "prim/point_segment.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"

enum { SMALL_MESH = 32 }; ///< most triangles, and most vertices
/// Squared sine of the angle between edges below which their distance is found by the slower, robust function.
static const double parallel_edges = 1e-6;

typedef struct placed_vertex {
    int vertex; ///< of the B-rep
    abut_vec3 point;
} placed_vertex;

/// A mesh edge that is part of an edge of the B-rep.
typedef struct placed_edge {
    int edge; ///< of the B-rep
    abut_vec3 ends[2];
    int is_corner[2]; ///< the end is a vertex of the B-rep
    int recedes;      ///< the triangle that owns it recedes
    abut_box box;
} placed_edge;

typedef struct placed_triangle {
    int index;
    abut_vec3 corners[3];
    unsigned sides[3]; ///< by corner: the sides of the common box that it is beyond, see sides_of()
    abut_vec3 normal;  ///< of its face
    abut_box box;
    int recedes; ///< from the other side, everywhere
} placed_triangle;

/// The smaller number. fmin() and fmax() handle NaN and cost a call each; here all numbers are finite.
static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

static inline abut_box box_of_two(abut_vec3 p, abut_vec3 q)
{
    abut_box box = {{lesser(p.x, q.x), lesser(p.y, q.y), lesser(p.z, q.z)},
                    {greater(p.x, q.x), greater(p.y, q.y), greater(p.z, q.z)}};
    return box;
}

static inline void extend(abut_box *box, abut_vec3 p)
{
    box->lower = abut_vec3_make(lesser(box->lower.x, p.x), lesser(box->lower.y, p.y), lesser(box->lower.z, p.z));
    box->upper = abut_vec3_make(greater(box->upper.x, p.x), greater(box->upper.y, p.y), greater(box->upper.z, p.z));
}

static inline int is_in_box(abut_vec3 p, const abut_box *box, double margin)
{
    return p.x >= box->lower.x - margin && p.x <= box->upper.x + margin && p.y >= box->lower.y - margin &&
           p.y <= box->upper.y + margin && p.z >= box->lower.z - margin && p.z <= box->upper.z + margin;
}

/// The sides of a box that a point is beyond, one bit for each. A triangle whose corners are all beyond one side is
/// outside the box.
static unsigned sides_of(abut_vec3 p, const abut_box *box)
{
    return (unsigned)(p.x < box->lower.x) | (unsigned)(p.x > box->upper.x) << 1 |
           (unsigned)(p.y < box->lower.y) << 2 | (unsigned)(p.y > box->upper.y) << 3 |
           (unsigned)(p.z < box->lower.z) << 4 | (unsigned)(p.z > box->upper.z) << 5;
}

/// Whether all of a triangle of A (`side` 0) or B recedes from the other solid. The velocity is linear in the point,
/// so the corners decide.
static int recedes(const abut_touch_search *s, int side, const placed_triangle *t)
{
    const abut_touch_limits *limits = s->limits;
    if (limits->receding == HUGE_VAL) {
        return 0;
    }
    for (int k = 0; k < 3; ++k) {
        abut_vec3 velocity = abut_add(limits->linear, abut_cross(limits->angular, t->corners[k]));
        double away = abut_dot(t->normal, velocity);
        if ((side == 0 ? away : -away) <= limits->receding) {
            return 0;
        }
    }
    return 1;
}

/// Fills in a triangle whose index, corners and sides are set. Returns 0 if it is outside the common box.
static int finish_triangle(const abut_touch_search *s, int side, placed_triangle *t)
{
    const abut_touch_side *own = &s->touch->sides[side];
    if ((t->sides[0] & t->sides[1] & t->sides[2]) != 0) {
        return 0;
    }
    t->box = box_of_two(t->corners[0], t->corners[1]);
    extend(&t->box, t->corners[2]);
    t->normal = abut_touch_normal(own, own->model->brep.triangle_faces[t->index]);
    t->recedes = recedes(s, side, t);
    return 1;
}

static const int *vertices_of(const abut_touch_side *side, const placed_triangle *t)
{
    return &side->model->elements.triangles[3 * (size_t)t->index];
}

static const int *edges_of(const abut_touch_side *side, const placed_triangle *t)
{
    return &side->model->topology.triangle_edges[3 * (size_t)t->index];
}

/// The corners in the common box that a triangle owns; returns how many, at most 3.
static int owned_vertices(const abut_touch_search *s, int side, const placed_triangle *t, placed_vertex *found)
{
    const abut_region_model *model = s->touch->sides[side].model;
    const int *vertices = vertices_of(&s->touch->sides[side], t);
    unsigned owned = model->owned[t->index];
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        if ((owned >> k & 1u) != 0 && t->sides[k] == 0) {
            found[count].vertex = model->brep.mesh_vertex_vertices[vertices[k]];
            found[count++].point = t->corners[k];
        }
    }
    return count;
}

/// The edges that a triangle owns and that may reach the common box; returns how many, at most 3.
static int owned_edges(const abut_touch_search *s, int side, const placed_triangle *t, placed_edge *found)
{
    const abut_region_model *model = s->touch->sides[side].model;
    const int *vertices = vertices_of(&s->touch->sides[side], t), *edges = edges_of(&s->touch->sides[side], t);
    unsigned owned = model->owned[t->index];
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        int next = k < 2 ? k + 1 : 0;
        if ((owned >> (3 + k) & 1u) != 0 && (t->sides[k] & t->sides[next]) == 0) {
            placed_edge *e = &found[count++];
            e->box = box_of_two(t->corners[k], t->corners[next]);
            e->edge = model->brep.mesh_edge_edges[edges[k]];
            e->ends[0] = t->corners[k];
            e->ends[1] = t->corners[next];
            e->is_corner[0] = model->brep.mesh_vertex_vertices[vertices[k]] >= 0;
            e->is_corner[1] = model->brep.mesh_vertex_vertices[vertices[next]] >= 0;
            e->recedes = t->recedes;
        }
    }
    return count;
}

/// For each edge of a triangle: how far a point is inside it, along the triangle's plane, times the edge's length; and
/// the square of that length.
static void find_insides(const placed_triangle *t, abut_vec3 p, double insides[3], double squares[3])
{
    for (int k = 0; k < 3; ++k) {
        abut_vec3 edge = abut_sub(t->corners[k < 2 ? k + 1 : 0], t->corners[k]);
        insides[k] = abut_dot(abut_cross(t->normal, edge), abut_sub(p, t->corners[k]));
        squares[k] = abut_norm_squared(edge);
    }
}

/// Finds the corner of a triangle within the tolerance of a point, else the sharp edge. `is_near` tells which edges'
/// lines are near the point. Returns 0 if there is neither.
static int find_border(const abut_touch_search *s, const abut_touch_side *side, const placed_triangle *t,
                       abut_vec3 p, const int is_near[3], abut_vertex_hit *hit)
{
    const abut_brep_elements *brep = &side->model->brep;
    const int *vertices = vertices_of(side, t), *edges = edges_of(side, t);
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
static int find_hit(const abut_touch_search *s, const abut_touch_side *side, const placed_triangle *t, abut_vec3 p,
                    abut_vertex_hit *hit)
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

/// A corner of `side` against a triangle of the other one.
static void test_vertex(abut_touch_search *s, int side, const placed_vertex *v, const placed_triangle *t)
{
    if (t->recedes || !is_in_box(v->point, &t->box, 2.0 * s->touch->tolerance)) {
        return;
    }
    ++s->touch->tested_pairs;
    abut_vertex_hit hit;
    if (find_hit(s, &s->touch->sides[1 - side], t, v->point, &hit)) {
        abut_vertex_hit *added = abut_search_add(s, &s->vertex_hits[side], sizeof *added);
        if (added != NULL) {
            hit.vertex = v->vertex;
            *added = hit;
        }
    } else {
        int *added = abut_search_add(s, &s->loose[side], sizeof *added);
        if (added != NULL) {
            *added = v->vertex;
        }
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
static int find_crossing(const abut_touch_search *s, const placed_edge *a, const placed_edge *b,
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

static void test_edges(abut_touch_search *s, const placed_edge *a, const placed_edge *b)
{
    abut_vec3 points[2], ends[2][2];
    double squared;
    if ((a->recedes && b->recedes) || !abut_boxes_are_near(a->box, b->box, s->touch->tolerance)) {
        return;
    }
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

/// Whether a point of a face is within the tolerance of its border. Triangles may be narrower than the tolerance, so
/// the border need not belong to the triangle that the point is in.
static int is_at_border(const abut_touch_search *s, const abut_touch_side *side, int face, abut_vec3 p)
{
    const abut_brep_elements *brep = &side->model->brep;
    const abut_brep_face *f = &brep->faces[face];
    for (int i = f->loop_begin; i < f->loop_begin + f->loop_count; ++i) {
        for (int k = 0; k < brep->loops[i].coedge_count; ++k) {
            int edge = brep->coedges[brep->loops[i].coedge_begin + k].edge;
            double weight;
            if (abut_point_segment_distance_squared(p, abut_touch_edge_end(side, edge, 0),
                                                    abut_touch_edge_end(side, edge, 1), &weight) <= s->squared) {
                return 1;
            }
        }
    }
    return 0;
}

/// Whether a sharp edge of `side` runs through a triangle of the other side, further than the tolerance on both sides
/// of its plane and away from the border of its face: then the solids overlap. The whole edge of the B-rep is tested,
/// since its mesh edges may end in the plane of the triangle.
static int pierces(const abut_touch_search *s, int side, const placed_edge *e, const placed_triangle *t)
{
    const abut_touch_side *own = &s->touch->sides[side], *other = &s->touch->sides[1 - side];
    double tolerance = s->touch->tolerance;
    if (!abut_boxes_are_near(e->box, t->box, tolerance) || (e->recedes && t->recedes)) {
        return 0;
    }
    abut_vec3 ends[2] = {e->ends[0], e->ends[1]};
    if (!e->is_corner[0] || !e->is_corner[1]) {
        ends[0] = abut_touch_edge_end(own, e->edge, 0);
        ends[1] = abut_touch_edge_end(own, e->edge, 1);
    }
    double from = abut_dot(t->normal, abut_sub(ends[0], t->corners[0]));
    double to = abut_dot(t->normal, abut_sub(ends[1], t->corners[0]));
    if (lesser(from, to) >= -tolerance || greater(from, to) <= tolerance) {
        return 0;
    }
    abut_vec3 p = abut_lerp(ends[0], ends[1], from / (from - to));
    double insides[3], squares[3];
    find_insides(t, p, insides, squares);
    for (int k = 0; k < 3; ++k) {
        // a tenth of the tolerance of slack, so that no point on an inner edge of the face slips between two triangles
        if (insides[k] <= -0.1 * tolerance * sqrt(squares[k])) {
            return 0;
        }
    }
    return !is_at_border(s, other, other->model->brep.triangle_faces[t->index], p);
}

/// The two triangles of the current pair. They are kept, since many pairs share a triangle with the pair before.
typedef struct pair_search {
    abut_touch_search *search;
    placed_triangle triangles[2];
    int is_near[2];
    placed_vertex vertices[2][3];
    placed_edge edges[2][3];
    int vertex_count[2], edge_count[2];
} pair_search;

static void place_triangle(pair_search *pair, int side, int index)
{
    placed_triangle *t = &pair->triangles[side];
    if (t->index == index) {
        return;
    }
    const abut_touch_side *own = &pair->search->touch->sides[side];
    t->index = index;
    for (int k = 0; k < 3; ++k) {
        t->corners[k] = abut_touch_place(own, own->model->elements.vertices[vertices_of(own, t)[k]]);
        t->sides[k] = sides_of(t->corners[k], &pair->search->common);
    }
    pair->is_near[side] = finish_triangle(pair->search, side, t);
    pair->vertex_count[side] = pair->edge_count[side] = 0;
    if (pair->is_near[side] && own->model->owned[index] != 0) {
        pair->vertex_count[side] = owned_vertices(pair->search, side, t, pair->vertices[side]);
        pair->edge_count[side] = owned_edges(pair->search, side, t, pair->edges[side]);
    }
}

/// Whether a triangle comes within `reach` of the plane of another.
static int reaches_plane(const placed_triangle *t, const placed_triangle *of, double reach)
{
    double lower = HUGE_VAL, upper = -HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        double height = abut_dot(of->normal, abut_sub(t->corners[k], of->corners[0]));
        lower = lesser(lower, height);
        upper = greater(upper, height);
    }
    return lower <= reach && upper >= -reach;
}

static int test_pair(void *user, int element_a, int element_b)
{
    pair_search *pair = user;
    abut_touch_search *s = pair->search;
    ++s->touch->candidate_pairs;
    place_triangle(pair, 0, element_a);
    place_triangle(pair, 1, element_b);
    const placed_triangle *a = &pair->triangles[0], *b = &pair->triangles[1];
    double reach = 2.0 * s->touch->tolerance;
    if (!pair->is_near[0] || !pair->is_near[1] || !reaches_plane(a, b, reach) || !reaches_plane(b, a, reach)) {
        return 0;
    }
    for (int side = 0; side < 2; ++side) {
        const placed_triangle *other = &pair->triangles[1 - side];
        for (int i = 0; i < pair->vertex_count[side]; ++i) {
            test_vertex(s, side, &pair->vertices[side][i], other);
        }
        for (int i = 0; i < pair->edge_count[side] && s->can_overlap && !s->touch->overlaps; ++i) {
            s->touch->overlaps = pierces(s, side, &pair->edges[side][i], other);
        }
    }
    for (int i = 0; i < pair->edge_count[0]; ++i) {
        for (int k = 0; k < pair->edge_count[1]; ++k) {
            test_edges(s, &pair->edges[0][i], &pair->edges[1][k]);
        }
    }
    return s->touch->overlaps || s->is_out_of_memory;
}

/// All of a small mesh that is near the other one.
typedef struct near_parts {
    placed_triangle triangles[SMALL_MESH];
    placed_vertex vertices[SMALL_MESH];
    placed_edge edges[3 * SMALL_MESH];
    int triangle_count, vertex_count, edge_count;
} near_parts;

static void collect(const abut_touch_search *s, int side, near_parts *near)
{
    const abut_touch_side *own = &s->touch->sides[side];
    abut_vec3 places[SMALL_MESH];
    unsigned sides[SMALL_MESH];
    near->triangle_count = near->vertex_count = near->edge_count = 0;
    for (int i = 0; i < own->model->elements.vertex_count; ++i) {
        places[i] = abut_touch_place(own, own->model->elements.vertices[i]);
        sides[i] = sides_of(places[i], &s->common);
    }
    for (int i = 0; i < own->model->elements.triangle_count; ++i) {
        placed_triangle *t = &near->triangles[near->triangle_count];
        t->index = i;
        for (int k = 0; k < 3; ++k) {
            int vertex = vertices_of(own, t)[k];
            t->corners[k] = places[vertex];
            t->sides[k] = sides[vertex];
        }
        if (finish_triangle(s, side, t)) {
            near->vertex_count += owned_vertices(s, side, t, near->vertices + near->vertex_count);
            near->edge_count += owned_edges(s, side, t, near->edges + near->edge_count);
            ++near->triangle_count;
        }
    }
}

/// Tests everything near the other side: for small meshes this is faster than two trees.
static void test_all(abut_touch_search *s)
{
    if (s->touch->small_parts == NULL) {
        s->touch->small_parts = abut_arena_take(s->touch->arena, 2 * sizeof(near_parts));
    }
    near_parts *near = s->touch->small_parts;
    if (near == NULL) {
        s->is_out_of_memory = 1;
        return;
    }
    collect(s, 0, &near[0]);
    collect(s, 1, &near[1]);
    s->touch->candidate_pairs += (int64_t)near[0].triangle_count * near[1].triangle_count;
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < near[1 - side].triangle_count; ++k) {
            const placed_triangle *t = &near[1 - side].triangles[k];
            for (int i = 0; i < near[side].vertex_count; ++i) {
                test_vertex(s, side, &near[side].vertices[i], t);
            }
            for (int i = 0; i < near[side].edge_count && s->can_overlap && !s->touch->overlaps; ++i) {
                s->touch->overlaps = pierces(s, side, &near[side].edges[i], t);
            }
        }
    }
    for (int i = 0; i < near[0].edge_count; ++i) {
        for (int k = 0; k < near[1].edge_count; ++k) {
            test_edges(s, &near[0].edges[i], &near[1].edges[k]);
        }
    }
}

static int is_small(const abut_touch_side *side)
{
    return side->model->elements.triangle_count <= SMALL_MESH && side->model->elements.vertex_count <= SMALL_MESH;
}

void abut_search_candidates(abut_touch_search *s)
{
    const abut_touch_side *sides = s->touch->sides;
    if (is_small(&sides[0]) && is_small(&sides[1])) {
        test_all(s);
        return;
    }
    pair_search pair = {.search = s, .triangles = {{.index = -1}, {.index = -1}}};
    abut_pose b_to_a = abut_pose_make(sides[1].translation, sides[1].turn);
    (void)abut_tree_pairs(sides[0].tree, sides[1].tree, b_to_a, s->touch->tolerance, test_pair, &pair);
}
