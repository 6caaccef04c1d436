// SPDX-License-Identifier: MIT
// vclip.c: closest features of two convex shapes, by walking from neighbour to neighbour
//
// A pair of features (vertices, edges, faces) has closest points. Take the planes through these points, orthogonal to
// the segment between them. If each body is entirely behind its plane, the points are the closest of the bodies. A
// climb from each feature checks this, mostly by one look at its neighbours, and proves the answer. If the check
// fails, one point is outside the Voronoi region of the other feature (the region closer to that feature than to its
// neighbours). The violated Voronoi plane names the neighbour to continue with. For a pair that moved a little since
// the last query, the first check mostly succeeds.
//
// Source:  Mirtich 1998 (V-Clip), which Yi and Drumwright 2016 (section IV-B) use for disjoint bodies.
// Differs: the walk ends by the proof, not by the Voronoi planes, so rounding at their borders cannot end it early.
// Cost:    one step per change of a feature; no allocation.
// Fails:   returns 0 for bodies that overlap, if rounding hides the next step, and after STEPS_HIGHEST steps.
#include "convex/vclip.h"

// Steps. A warm start mostly needs one. The limit stops walks that rounding sends in a circle; the
// caller then uses GJK, so the value only trades time in such cases against longer walks over large shapes.
enum { STEPS_HIGHEST = 64 };

typedef enum outcome { WALK_GOES_ON, WALK_HAS_POINTS, WALK_IS_STUCK } outcome;

// The pair of features and their closest points. Index 0 is A's, 1 is B's.
typedef struct walk {
    const abut_convex_frame *frame;
    const abut_convex *shapes[2];
    abut_convex_part parts[2];
    abut_vec3 points[2]; ///< in A's frame
    abut_vec3 normal;    ///< from A to B
    double distance;
    int takes_parallel; ///< 1: finds points of nearly parallel edges too
} walk;

// ---------------------------------------------------------------------------------------------------------------
// Frames

static abut_vec3 place(const walk *w, int body, int point)
{
    return body == 0 ? w->frame->a->points[point] : abut_convex_from_b(w->frame, point);
}

static abut_vec3 to_body(const walk *w, int body, abut_vec3 p)
{
    return body == 0 ? p : abut_convex_to_b(w->frame, abut_sub(p, w->frame->offset));
}

static abut_vec3 turn_to_body(const walk *w, int body, abut_vec3 v)
{
    return body == 0 ? v : abut_convex_to_b(w->frame, v);
}

static abut_vec3 turn_from_body(const walk *w, int body, abut_vec3 v)
{
    return body == 0 ? v : abut_mat3_apply(w->frame->rotation, v);
}

static void set_part(walk *w, int body, abut_feature_kind kind, int index)
{
    w->parts[body] = (abut_convex_part){kind, index};
}

// ---------------------------------------------------------------------------------------------------------------
// Closest points of two features. If a closest point is at the end of an edge, that vertex replaces the edge.

static outcome between_vertices(walk *w)
{
    w->points[0] = place(w, 0, w->parts[0].index);
    w->points[1] = place(w, 1, w->parts[1].index);
    abut_vec3 way = abut_sub(w->points[1], w->points[0]);
    w->distance = abut_norm(way);
    w->normal = abut_scale(1.0 / w->distance, way);
    return WALK_HAS_POINTS;
}

static outcome between_vertex_and_edge(walk *w, int edge_body)
{
    int vertex_body = 1 - edge_body;
    const int *ends = w->shapes[edge_body]->edges[w->parts[edge_body].index].points;
    abut_vec3 from = place(w, edge_body, ends[0]), along = abut_sub(place(w, edge_body, ends[1]), from);
    abut_vec3 vertex = place(w, vertex_body, w->parts[vertex_body].index);
    double squared = abut_norm_squared(along), t = abut_dot(abut_sub(vertex, from), along);
    if (t <= 0.0 || t >= squared) {
        set_part(w, edge_body, ABUT_FEATURE_VERTEX, ends[t > 0.0]);
        return between_vertices(w);
    }
    abut_vec3 foot = abut_add_scaled(from, t / squared, along);
    w->points[edge_body] = foot;
    w->points[vertex_body] = vertex;
    abut_vec3 way = abut_sub(w->points[1], w->points[0]);
    // The segment is orthogonal to the edge: remove the component along it, which is rounding error.
    way = abut_add_scaled(way, -abut_dot(way, along) / squared, along);
    w->distance = abut_norm(way);
    w->normal = abut_scale(1.0 / w->distance, way);
    return WALK_HAS_POINTS;
}

static double clamp(double x)
{
    return x > 0.0 ? x < 1.0 ? x : 1.0 : 0.0;
}

// Points of nearly parallel edges. Rounding moves them along the edges, but hardly changes their distance: it is found
// between the points, and the normal is made orthogonal to one of the edges. `s` is a place on A's edge, from 0 to 1.
static outcome between_parallel(walk *w, const abut_vec3 from[2], const abut_vec3 along[2], double s)
{
    double uu = abut_norm_squared(along[0]), vv = abut_norm_squared(along[1]);
    double t = abut_dot(abut_sub(abut_add_scaled(from[0], s, along[0]), from[1]), along[1]);
    if (t <= 0.0 || t >= vv) {
        set_part(w, 1, ABUT_FEATURE_VERTEX, w->shapes[1]->edges[w->parts[1].index].points[t > 0.0]);
        return between_vertex_and_edge(w, 0);
    }
    w->points[1] = abut_add_scaled(from[1], t / vv, along[1]);
    s = abut_dot(abut_sub(w->points[1], from[0]), along[0]);
    if (s <= 0.0 || s >= uu) {
        set_part(w, 0, ABUT_FEATURE_VERTEX, w->shapes[0]->edges[w->parts[0].index].points[s > 0.0]);
        return between_vertex_and_edge(w, 1);
    }
    w->points[0] = abut_add_scaled(from[0], s / uu, along[0]);
    abut_vec3 way = abut_sub(w->points[1], w->points[0]);
    way = abut_add_scaled(way, -abut_dot(way, along[0]) / uu, along[0]);
    w->distance = abut_norm(way);
    w->normal = abut_scale(1.0 / w->distance, way);
    return WALK_HAS_POINTS;
}

static outcome between_edges(walk *w)
{
    const int *ends_a = w->shapes[0]->edges[w->parts[0].index].points;
    const int *ends_b = w->shapes[1]->edges[w->parts[1].index].points;
    abut_vec3 p = place(w, 0, ends_a[0]), u = abut_sub(place(w, 0, ends_a[1]), p);
    abut_vec3 q = place(w, 1, ends_b[0]), v = abut_sub(place(w, 1, ends_b[1]), q);
    abut_vec3 way = abut_sub(q, p), n = abut_cross(u, v);
    double squared = abut_norm_squared(n), uu = abut_norm_squared(u), vv = abut_norm_squared(v);
    double s = abut_dot(abut_cross(way, v), n), t = abut_dot(abut_cross(way, u), n);
    if (squared <= 1e-20 * uu * vv) {
        // Parallel: the sine of the angle is below 1e-10. Rounding would move the closest points along the edges by
        // about DBL_EPSILON / 1e-10 = 2e-6 of the coordinates.
        const abut_vec3 from[2] = {p, q}, along[2] = {u, v};
        return w->takes_parallel ? between_parallel(w, from, along, squared > 0.0 ? clamp(s / squared) : 0.0)
                                 : WALK_IS_STUCK;
    }
    if (s > 0.0 && s < squared && t > 0.0 && t < squared) {
        w->points[0] = abut_add_scaled(p, s / squared, u);
        w->points[1] = abut_add_scaled(q, t / squared, v);
        if (!abut_axis_of_edges(u, v, abut_sub(w->points[1], w->points[0]), &w->normal)) {
            return WALK_IS_STUCK;
        }
        w->distance = abut_dot(w->normal, way);
        return WALK_HAS_POINTS;
    }
    // The lines are closest beyond an end of an edge. Clamp to A's edge, find the nearest point of B's edge, and
    // replace the edge that ends there by its vertex.
    s = clamp(s / squared);
    t = abut_dot(abut_sub(abut_add_scaled(p, s, u), q), v);
    if (t <= 0.0 || t >= vv) {
        int end = t > 0.0;
        set_part(w, 1, ABUT_FEATURE_VERTEX, ends_b[end]);
        return between_vertex_and_edge(w, 0);
    }
    set_part(w, 0, ABUT_FEATURE_VERTEX, ends_a[s > 0.5]);
    return between_vertex_and_edge(w, 1);
}

// If the vertex is not over the face, the walk continues with the side that it is furthest beyond.
static outcome between_vertex_and_face(walk *w, int face_body)
{
    const abut_convex *shape = w->shapes[face_body];
    int vertex_body = 1 - face_body, face = w->parts[face_body].index, lowest_side = -1;
    abut_vec3 vertex = place(w, vertex_body, w->parts[vertex_body].index), local = to_body(w, face_body, vertex);
    double lowest = 0.0;
    for (int i = shape->face_begin[face]; i < shape->face_begin[face + 1]; ++i) {
        double height = abut_dot(shape->sides[i], abut_sub(local, shape->points[shape->face_points[i]]));
        if (height < lowest) {
            lowest = height;
            lowest_side = i;
        }
    }
    if (lowest_side >= 0) {
        set_part(w, face_body, ABUT_FEATURE_EDGE, shape->face_edges[lowest_side]);
        return WALK_GOES_ON;
    }
    abut_vec3 point = shape->points[shape->face_points[shape->face_begin[face]]];
    w->distance = abut_dot(shape->normals[face], abut_sub(local, point));
    abut_vec3 normal = turn_from_body(w, face_body, shape->normals[face]);
    w->points[vertex_body] = vertex;
    w->points[face_body] = abut_add_scaled(vertex, -w->distance, normal);
    w->normal = face_body == 0 ? normal : abut_negate(normal);
    return WALK_HAS_POINTS;
}

// Clips the edge to the part over the face. Its nearest point is the lower end of that part: an end of the edge, which
// replaces the edge, or a point over a side, which replaces the face.
static outcome between_edge_and_face(walk *w, int face_body)
{
    const abut_convex *shape = w->shapes[face_body];
    int edge_body = 1 - face_body, face = w->parts[face_body].index;
    const int *ends = w->shapes[edge_body]->edges[w->parts[edge_body].index].points;
    abut_vec3 from = to_body(w, face_body, place(w, edge_body, ends[0]));
    abut_vec3 to = to_body(w, face_body, place(w, edge_body, ends[1]));
    double begin = 0.0, end = 1.0;
    int begin_side = -1, end_side = -1;
    for (int i = shape->face_begin[face]; i < shape->face_begin[face + 1]; ++i) {
        abut_vec3 point = shape->points[shape->face_points[i]];
        double h0 = abut_dot(shape->sides[i], abut_sub(from, point));
        double h1 = abut_dot(shape->sides[i], abut_sub(to, point));
        if (h0 < 0.0 && (h1 <= 0.0 || h0 / (h0 - h1) > begin)) {
            begin = h1 <= 0.0 ? 2.0 : h0 / (h0 - h1);
            begin_side = i;
        } else if (h0 >= 0.0 && h1 < 0.0 && h0 / (h0 - h1) < end) {
            end = h0 / (h0 - h1);
            end_side = i;
        }
    }
    abut_vec3 point = shape->points[shape->face_points[shape->face_begin[face]]];
    double g0 = abut_dot(shape->normals[face], abut_sub(from, point));
    double g1 = abut_dot(shape->normals[face], abut_sub(to, point));
    int goes_to_end = begin <= end && g1 < g0;
    double t = goes_to_end ? end : begin;
    int side = goes_to_end ? end_side : begin_side;
    if (t <= 1.0 && g0 + t * (g1 - g0) <= 0.0) {
        return WALK_IS_STUCK; // the edge reaches the face's plane: the bodies overlap or touch
    }
    if (side >= 0) {
        set_part(w, face_body, ABUT_FEATURE_EDGE, shape->face_edges[side]);
    } else {
        set_part(w, edge_body, ABUT_FEATURE_VERTEX, ends[goes_to_end]);
    }
    return WALK_GOES_ON;
}

static outcome find_points(walk *w)
{
    abut_feature_kind a = w->parts[0].kind, b = w->parts[1].kind;
    if (a == ABUT_FEATURE_VERTEX) {
        return b == ABUT_FEATURE_VERTEX ? between_vertices(w)
               : b == ABUT_FEATURE_EDGE ? between_vertex_and_edge(w, 1)
                                        : between_vertex_and_face(w, 1);
    }
    if (a == ABUT_FEATURE_EDGE) {
        return b == ABUT_FEATURE_VERTEX ? between_vertex_and_edge(w, 0)
               : b == ABUT_FEATURE_EDGE ? between_edges(w)
                                        : between_edge_and_face(w, 1);
    }
    return b == ABUT_FEATURE_VERTEX ? between_vertex_and_face(w, 0)
           : b == ABUT_FEATURE_EDGE ? between_edge_and_face(w, 0)
                                    : WALK_IS_STUCK;
}

// ---------------------------------------------------------------------------------------------------------------
// Voronoi planes

// Moves from a vertex to the edge that points most towards a direction. Returns 0 if none does.
static int leave_vertex(walk *w, int body, abut_vec3 towards)
{
    const abut_convex *shape = w->shapes[body];
    int vertex = w->parts[body].index, best = -1;
    double highest = 0.0;
    for (int i = shape->link_begin[vertex]; i < shape->link_begin[vertex + 1]; ++i) {
        abut_vec3 along = abut_sub(shape->points[shape->links[i].point], shape->points[vertex]);
        double rise = abut_dot(towards, along);
        if (rise > 0.0 && rise * rise > highest * abut_norm_squared(along)) {
            highest = rise * rise / abut_norm_squared(along);
            best = shape->links[i].edge;
        }
    }
    if (best >= 0) {
        set_part(w, body, ABUT_FEATURE_EDGE, best);
    }
    return best >= 0;
}

// Moves from an edge to the face that a direction leans over. Returns 0 if the direction is between the face normals.
static int leave_edge(walk *w, int body, abut_vec3 towards)
{
    const abut_convex *shape = w->shapes[body];
    const abut_convex_edge *edge = &shape->edges[w->parts[body].index];
    abut_vec3 along = abut_sub(shape->points[edge->points[1]], shape->points[edge->points[0]]);
    for (int k = 0; k < 2; ++k) {
        // positive: over the left face, negative: over the right face
        double over = abut_dot(abut_cross(shape->normals[edge->faces[k]], along), towards);
        if (k == 0 ? over > 0.0 : over < 0.0) {
            set_part(w, body, ABUT_FEATURE_FACE, edge->faces[k]);
            return 1;
        }
    }
    return 0;
}

static int leave(walk *w)
{
    for (int body = 0; body < 2; ++body) {
        abut_vec3 towards = turn_to_body(w, body, body == 0 ? w->normal : abut_negate(w->normal));
        if ((w->parts[body].kind == ABUT_FEATURE_VERTEX && leave_vertex(w, body, towards)) ||
            (w->parts[body].kind == ABUT_FEATURE_EDGE && leave_edge(w, body, towards))) {
            return 1;
        }
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Walk

// A vertex of a vertex or edge. For a face it returns the face's index, which abut_axis_measure() does not use.
static int vertex_of(const walk *w, int body)
{
    int index = w->parts[body].index;
    return w->parts[body].kind == ABUT_FEATURE_EDGE ? w->shapes[body]->edges[index].points[0] : index;
}

static int edge_of(const walk *w, int body)
{
    return w->parts[body].kind == ABUT_FEATURE_EDGE ? w->parts[body].index : -1;
}

// Measures the distance between the planes through the supports.
static void measure(const walk *w, abut_axis *axis)
{
    axis->normal = w->normal;
    axis->kind = w->parts[0].kind == ABUT_FEATURE_FACE   ? ABUT_AXIS_FACE_A
                 : w->parts[1].kind == ABUT_FEATURE_FACE ? ABUT_AXIS_FACE_B
                                                         : ABUT_AXIS_EDGES;
    axis->feature_a = w->parts[0].index;
    axis->feature_b = w->parts[1].index;
    axis->a = vertex_of(w, 0);
    axis->b = vertex_of(w, 1);
    abut_axis_measure(w->frame, axis, edge_of(w, 0), edge_of(w, 1));
}

int abut_convex_vclip(const abut_convex_frame *frame, int edges, abut_convex_part *a, abut_convex_part *b,
                      abut_apart *result)
{
    // A length: 4 DBL_EPSILON of the coordinates, the rounding error of a difference of two points. A shorter distance
    // has no reliable direction. Closest points that exceed the distance of the planes by no more are proved.
    const double nothing = 0x1p-50 * frame->scale;
    walk w;
    w.frame = frame;
    w.takes_parallel = edges == ABUT_VCLIP_PARALLEL;
    w.shapes[0] = frame->a;
    w.shapes[1] = frame->b;
    w.parts[0] = *a;
    w.parts[1] = *b;
    for (int steps = 1; steps <= STEPS_HIGHEST; ++steps) {
        outcome found = find_points(&w);
        if (found == WALK_GOES_ON) {
            continue;
        }
        if (found == WALK_IS_STUCK || !(w.distance > nothing)) {
            return 0;
        }
        measure(&w, &result->axis);
        if (w.distance + result->axis.overlap <= nothing) {
            *a = w.parts[0];
            *b = w.parts[1];
            result->distance = w.distance;
            result->point_a = w.points[0];
            result->point_b = w.points[1];
            result->iteration_count = steps;
            return 1;
        }
        if (!leave(&w)) {
            return 0;
        }
    }
    return 0;
}
