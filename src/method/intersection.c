// SPDX-License-Identifier: MIT
// intersection.c: contacts of intersecting triangles, by the types of the features that meet
//
// Of every pair of triangles that intersect or touch, each vertex of one that lies within the other's edge planes gives a
// contact with that face's normal, and each pair of edges that is not parallel and whose closest points
// lie on both edges gives a contact with their cross product.
//
// Source:  Erleben 2018, section 6 ("Intersection method").
// Differs: "sufficiently close" is read as: within max(tolerance, envelope), or deeper where the triangles cross, that is,
//          an edge of one runs clearly through the inside of the other. The same goes for edges, and edges whose
//          closest points have their midpoint in front of a face are apart, as in the author's program; the text
//          does not say so. The depth of two edges is the signed distance of their closest points, so that the gap agrees
//          with the two positions; where the edges are what really touches, that is the paper's overlap. Of n and
//          -n the one with the smaller overlap of the two triangles is taken, and where they are equal, the one
//          that agrees with the outward normals.
// Cost:    linear in the pairs of triangles whose boxes overlap; no allocation.
// Fails:   edges of neighbouring triangles give horizontal normals on flat ground (cases internal-edges, cliff-edges);
//          once bodies overlap, faces of the moving body give normals beside the right ones (sliding-spike, sunk).
#include "method/methods.h"
#include "prim/point_triangle.h"
#include "prim/triangle_triangle.h"

typedef struct triangle {
    int index;
    abut_vec3 corners[3]; ///< in A's frame
    abut_vec3 normal;     ///< unit, outward; zero where the triangle has no area
} triangle;

/// A side in A's frame.
typedef struct placed_side {
    const abut_mesh *mesh;
    const int *triangles;
    const int *triangle_faces;
    const int *triangle_edges;
    const abut_vec3 *vertices;
    abut_mat3 rotation;
    abut_vec3 translation;
} placed_side;

typedef struct search {
    placed_side a, b;
    abut_mat3 a_to_world;
    abut_vec3 origin;
    double reach;     ///< what counts as close
    double tolerance; ///< on edge planes
    double parallel;  ///< sine of the angle below which edges are parallel
    abut_sink *sink;
    abut_stats *stats;
} search;

static placed_side place(const abut_side *side, abut_pose to_a)
{
    const abut_mesh *mesh = abut_side_mesh(side);
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    placed_side placed = {.mesh = mesh,
                          .triangles = elements.triangles,
                          .triangle_faces = elements.triangle_faces,
                          .triangle_edges = abut_mesh_get_topology(mesh).triangle_edges,
                          .vertices = abut_side_vertices(side),
                          .rotation = abut_quat_matrix(to_a.rotation),
                          .translation = to_a.position};
    return placed;
}

static triangle get_triangle(const placed_side *side, int index)
{
    triangle t = {.index = index};
    for (int k = 0; k < 3; ++k) {
        abut_vec3 v = side->vertices[side->triangles[3 * index + k]];
        t.corners[k] = abut_add(abut_mat3_apply(side->rotation, v), side->translation);
    }
    t.normal = abut_unit(abut_cross(abut_sub(t.corners[1], t.corners[0]), abut_sub(t.corners[2], t.corners[0])));
    return t;
}

static abut_vec3 to_world(const search *s, abut_vec3 p)
{
    return abut_add(abut_mat3_apply(s->a_to_world, p), s->origin);
}

/// Adds a contact given in A's frame.
static void add_contact(const search *s, abut_contact *c)
{
    c->position_a = to_world(s, c->position_a);
    c->position_b = to_world(s, c->position_b);
    c->normal = abut_unit(abut_mat3_apply(s->a_to_world, c->normal));
    c->region = -1;
    (void)abut_sink_contact(s->sink, c);
}

static abut_anchor vertex_anchor(int vertex)
{
    abut_anchor anchor = {{vertex, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}};
    return anchor;
}

static abut_anchor edge_anchor(const placed_side *side, const triangle *t, int edge, double weight)
{
    const int *corners = &side->triangles[3 * t->index];
    abut_anchor anchor = {{corners[edge], corners[(edge + 1) % 3], -1, -1}, {1.0 - weight, weight, 0.0, 0.0}};
    return anchor;
}

/// The point of a triangle nearest to a vertex, and its weights.
static abut_anchor face_anchor(const placed_side *side, const triangle *t, abut_vec3 p, abut_vec3 *foot)
{
    const int *corners = &side->triangles[3 * t->index];
    abut_anchor anchor = {{corners[0], corners[1], corners[2], -1}, {0.0, 0.0, 0.0, 0.0}};
    (void)abut_point_triangle_distance_squared(p, t->corners, anchor.weights);
    *foot = abut_triangle_point(t->corners, anchor.weights);
    return anchor;
}

/// Whether a point is inside the three planes through the edges of a triangle, at right angles to it.
static int is_inside_edge_planes(const triangle *t, abut_vec3 p, double tolerance)
{
    for (int k = 0; k < 3; ++k) {
        abut_vec3 edge = abut_sub(t->corners[(k + 1) % 3], t->corners[k]);
        abut_vec3 inward = abut_unit(abut_cross(t->normal, edge));
        if (abut_dot(inward, abut_sub(p, t->corners[k])) < -tolerance) {
            return 0;
        }
    }
    return 1;
}

/// Whether an edge of one triangle runs through the inside of the other, further than what counts as close on both sides.
static int pierces(const triangle *edges, const triangle *face, double reach)
{
    for (int k = 0; k < 3; ++k) {
        abut_vec3 from = edges->corners[k], to = edges->corners[(k + 1) % 3];
        double start = abut_dot(face->normal, abut_sub(from, face->corners[0]));
        double end = abut_dot(face->normal, abut_sub(to, face->corners[0]));
        if (fmin(start, end) < -reach && fmax(start, end) > reach &&
            is_inside_edge_planes(face, abut_lerp(from, to, start / (start - end)), -reach)) {
            return 1;
        }
    }
    return 0;
}

/// (V, F): vertices of one triangle against the face of the other. `face_is_b` tells which side the face is on.
static void vertices_against_face(const search *s, const triangle *points, const triangle *face, int face_is_b,
                                  int crosses)
{
    if (abut_norm_squared(face->normal) == 0.0) {
        return;
    }
    const placed_side *point_side = face_is_b ? &s->a : &s->b;
    const placed_side *face_side = face_is_b ? &s->b : &s->a;
    for (int k = 0; k < 3; ++k) {
        abut_vec3 p = points->corners[k];
        double distance = abut_dot(face->normal, abut_sub(p, face->corners[0]));
        if (distance > s->reach || (distance < -s->reach && !crosses) ||
            !is_inside_edge_planes(face, p, s->tolerance)) {
            continue;
        }
        int vertex = point_side->triangles[3 * points->index + k];
        abut_vec3 foot;
        abut_anchor on_face = face_anchor(face_side, face, p, &foot);
        abut_feature face_feature = abut_feature_face(face_side->triangle_faces[face->index]);
        abut_contact c = {.normal_feature = face_feature};
        c.position_a = face_is_b ? p : foot;
        c.position_b = face_is_b ? foot : p;
        c.normal = face_is_b ? abut_negate(face->normal) : face->normal;
        c.normal_side = face_is_b ? ABUT_NORMAL_B : ABUT_NORMAL_A;
        c.feature_a = face_is_b ? abut_feature_vertex(vertex) : face_feature;
        c.feature_b = face_is_b ? face_feature : abut_feature_vertex(vertex);
        c.anchor_a = face_is_b ? vertex_anchor(vertex) : on_face;
        c.anchor_b = face_is_b ? on_face : vertex_anchor(vertex);
        add_contact(s, &c);
    }
}

typedef struct interval {
    double lower, upper;
} interval;

static interval project(const triangle *t, abut_vec3 axis, abut_vec3 origin)
{
    double x = abut_dot(axis, abut_sub(t->corners[0], origin));
    double y = abut_dot(axis, abut_sub(t->corners[1], origin));
    double z = abut_dot(axis, abut_sub(t->corners[2], origin));
    interval range = {fmin(fmin(x, y), z), fmax(fmax(x, y), z)};
    return range;
}

/// Which of n and -n points from A to B: +1 or -1; 0 where nothing tells.
static int direction_of_axis(const search *s, const triangle *a, const triangle *b, abut_vec3 n, interval on_a,
                             interval on_b)
{
    double forward = on_a.upper - on_b.lower; // overlap if n points from A to B
    double backward = on_b.upper - on_a.lower;
    if (fabs(forward - backward) > s->tolerance) {
        return forward < backward ? 1 : -1;
    }
    double opposing = abut_dot(n, abut_sub(a->normal, b->normal));
    if (fabs(opposing) > s->parallel) {
        return opposing > 0.0 ? 1 : -1;
    }
    return 0;
}

static int is_in_front(const triangle *t, abut_vec3 p, double reach)
{
    return abut_dot(t->normal, abut_sub(p, t->corners[0])) > reach;
}

/// (E, E): edge i of A's triangle against edge k of B's.
static void edge_against_edge(const search *s, const triangle *a, int i, const triangle *b, int k, int crosses)
{
    abut_vec3 p = a->corners[i], q = b->corners[k];
    abut_vec3 u = abut_sub(a->corners[(i + 1) % 3], p), v = abut_sub(b->corners[(k + 1) % 3], q);
    double length_u = abut_norm(u), length_v = abut_norm(v);
    abut_vec3 cross = abut_cross(u, v);
    double sine = abut_norm(cross);
    if (!(sine > s->parallel * length_u * length_v)) {
        return;
    }
    abut_vec3 n = abut_scale(1.0 / sine, cross);
    interval on_a = project(a, n, p), on_b = project(b, n, p);
    if (on_a.upper < on_b.lower - s->reach || on_b.upper < on_a.lower - s->reach) {
        return;
    }
    // closest points p + x u and q + y v of the two lines: (q - p) + y v - x u is along n
    abut_vec3 w = abut_sub(q, p);
    double x = abut_dot(abut_cross(w, v), n) / sine;
    double y = abut_dot(abut_cross(w, u), n) / sine;
    double slack_x = s->tolerance / length_u, slack_y = s->tolerance / length_v;
    if (x < -slack_x || x > 1.0 + slack_x || y < -slack_y || y > 1.0 + slack_y) {
        return;
    }
    x = fmin(fmax(x, 0.0), 1.0);
    y = fmin(fmax(y, 0.0), 1.0);
    int direction = direction_of_axis(s, a, b, n, on_a, on_b);
    abut_contact c = {.position_a = abut_add_scaled(p, x, u), .position_b = abut_add_scaled(q, y, v)};
    c.normal = direction < 0 ? abut_negate(n) : n;
    double gap = abut_dot(c.normal, abut_sub(c.position_b, c.position_a));
    abut_vec3 middle = abut_lerp(c.position_a, c.position_b, 0.5);
    if (gap > s->reach || (gap < -s->reach && !crosses) || is_in_front(a, middle, s->reach) ||
        is_in_front(b, middle, s->reach)) {
        return;
    }
    if (direction == 0) {
        c.rule = ABUT_RULE_NONE;
        c.flags = ABUT_CONTACT_ARBITRARY_SIGN;
        ++s->stats->arbitrary_normals;
    }
    c.normal_side = ABUT_NORMAL_BOTH;
    c.feature_a = abut_feature_edge(s->a.mesh, s->a.triangle_edges[3 * a->index + i]);
    c.feature_b = abut_feature_edge(s->b.mesh, s->b.triangle_edges[3 * b->index + k]);
    c.anchor_a = edge_anchor(&s->a, a, i, x);
    c.anchor_b = edge_anchor(&s->b, b, k, y);
    add_contact(s, &c);
}

static int test_pair(void *user, int element_a, int element_b)
{
    const search *s = user;
    ++s->stats->candidate_pairs;
    triangle a = get_triangle(&s->a, element_a), b = get_triangle(&s->b, element_b);
    abut_vec3 point_a, point_b;
    double squared = abut_triangle_triangle_distance_squared(a.corners, b.corners, &point_a, &point_b);
    if (!(squared <= s->reach * s->reach)) {
        return 0;
    }
    ++s->stats->tested_pairs;
    int degenerate = (abut_norm_squared(a.normal) == 0.0) + (abut_norm_squared(b.normal) == 0.0);
    s->stats->degenerate_elements += degenerate;
    int crosses = squared == 0.0 && (pierces(&a, &b, s->reach) || pierces(&b, &a, s->reach));
    vertices_against_face(s, &a, &b, 1, crosses);
    vertices_against_face(s, &b, &a, 0, crosses);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            edge_against_edge(s, &a, i, &b, k, crosses);
        }
    }
    return 0;
}

static abut_status query_intersection(const abut_query *query, abut_sink *sink)
{
    const abut_pair *pair = query->pair;
    if (query->is_self) {
        return abut_sink_fail(sink, ABUT_UNSUPPORTED, "method intersection does not find self-contact");
    }
    const abut_shape *shapes[2] = {pair->a.shape, pair->b.shape};
    for (int i = 0; i < 2; ++i) {
        if (abut_shape_dilation(shapes[i]) != 0.0 || abut_shape_offset(shapes[i]) != 0.0) {
            return abut_sink_fail(sink, ABUT_UNSUPPORTED, "method intersection knows neither dilation nor offset");
        }
    }
    search s = {.a = place(&pair->a, abut_pose_identity()),
                .b = place(&pair->b, query->b_to_a),
                .a_to_world = abut_quat_matrix(pair->a.pose.rotation),
                .origin = pair->a.pose.position,
                .reach = fmax(query->tolerance, query->envelope),
                .tolerance = query->tolerance,
                .parallel = sin(query->angle),
                .sink = sink,
                .stats = abut_sink_stats(sink)};
    (void)abut_tree_pairs(abut_side_tree(&pair->a, ABUT_ELEMENT_TRIANGLE),
                          abut_side_tree(&pair->b, ABUT_ELEMENT_TRIANGLE), query->b_to_a, s.reach, test_pair, &s);
    return ABUT_OK;
}

const abut_method abut_method_intersection = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "intersection",
    .summary = "feature types of intersecting triangles: vertex on face, edge across edge",
    .source = "Erleben 2018, section 6",
    .taxonomy = {.locality = ABUT_LOCAL,
                 .is_exact = 1,
                 .is_continuous = 0,
                 .representation = ABUT_SURFACE_BASED,
                 .normals = ABUT_NORMAL_FEATURE_TYPES,
                 .traits = {2, 2, 2, 2}},
    .needs = ABUT_NEEDS_TRIANGLES | ABUT_NEEDS_TRIANGLE_TREE,
    .query = query_intersection,
};
