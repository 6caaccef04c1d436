// SPDX-License-Identifier: MIT
// intersection.c: contacts of intersecting triangles, by the types of the features that meet
//
// For each pair of triangles that intersect or touch: each vertex of one within the edge planes of the other gives a
// contact with the normal of that face. Each pair of edges that are not parallel and whose closest points lie on both
// edges gives a contact with their cross product as normal.
//
// Source:  Erleben 2018, section 6 ("Intersection method"); reading=program in program_query.c.
// Differs: "sufficiently close" means within max(tolerance, envelope), or deeper if the triangles cross, that is, if
//          an edge of one runs clearly through the inside of the other. This holds for edges too. Edges are apart if
//          the midpoint of their closest points is in front of a face, as in the author's program; the text does not
//          say so. The depth of two edges is the signed distance of their closest points, so that the gap agrees with
//          the two positions; if the bodies touch in these edges, that is the paper's overlap. Of n and -n the one
//          with the smaller overlap of the two triangles is taken; if they are equal, the one that agrees with the
//          outward normals.
// Cost:    linear in the pairs of triangles whose boxes overlap; most of them end at the planes of the two triangles.
// Fails:   edges of neighbouring triangles give horizontal normals on flat ground (cases internal-edges, cliff-edges).
//          Once bodies overlap, faces of the moving body give wrong normals besides the right ones (sliding-spike,
//          sunk). Of bodies apart within the envelope, vertices beside a face or beyond the ends of an edge have no
//          contact.
#include "method/local.h"
#include "method/methods.h"
#include "method/program_query.h"
#include "prim/point_triangle.h"

/// The settings of a query, which are abut_local.user.
typedef struct settings {
    double reach;     ///< distance that counts as close
    double tolerance; ///< of places on edges and in edge planes
    double parallel;  ///< sine of the angle below which edges are parallel
    int skips_flat_edges;
} settings;

typedef struct triangle {
    int index;
    abut_vec3 corners[3]; ///< in A's frame
    abut_vec3 normal;     ///< unit, outward; zero if the triangle has no area
    abut_vec3 edges[3];   ///< from corner k to the next
    double lengths[3];    ///< of the edges
} triangle;

/// The heights of the corners of a triangle over the plane of another.
typedef struct heights {
    double of[3];
    double lowest, highest;
} heights;

/// Two triangles, one of A and one of B.
typedef struct triangle_pair {
    triangle a, b;
    heights a_over_b, b_over_a; ///< of a's corners over b's plane, and of b's over a's
    int crosses;                ///< an edge of one runs clearly through the inside of the other
} triangle_pair;

static triangle get_triangle(const abut_placed *side, int index)
{
    triangle t = {.index = index};
    abut_placed_triangle(side, index, t.corners);
    t.normal = abut_unit(abut_cross(abut_sub(t.corners[1], t.corners[0]), abut_sub(t.corners[2], t.corners[0])));
    return t;
}

static void add_edges(triangle *t)
{
    for (int k = 0; k < 3; ++k) {
        t->edges[k] = abut_sub(t->corners[(k + 1) % 3], t->corners[k]);
        t->lengths[k] = abut_norm(t->edges[k]);
    }
}

static heights find_heights(const triangle *points, const triangle *plane)
{
    heights h;
    for (int k = 0; k < 3; ++k) {
        h.of[k] = abut_dot(plane->normal, abut_sub(points->corners[k], plane->corners[0]));
    }
    h.lowest = fmin(fmin(h.of[0], h.of[1]), h.of[2]);
    h.highest = fmax(fmax(h.of[0], h.of[1]), h.of[2]);
    return h;
}

/// The point of a triangle nearest to a vertex, and its weights.
static abut_anchor face_anchor(const abut_placed *side, const triangle *t, abut_vec3 p, abut_vec3 *foot)
{
    double weights[3];
    (void)abut_point_triangle_distance_squared(p, t->corners, weights);
    *foot = abut_triangle_point(t->corners, weights);
    return abut_triangle_anchor(side, t->index, weights);
}

/// Whether a point is inside the three planes through the edges of a triangle, at right angles to it.
static int is_inside_edge_planes(const triangle *t, abut_vec3 p, double tolerance)
{
    for (int k = 0; k < 3; ++k) {
        double height =
            abut_dot(abut_cross(t->normal, t->edges[k]), abut_sub(p, t->corners[k])); // times the length
        if (height < -tolerance * t->lengths[k]) {
            return 0;
        }
    }
    return 1;
}

/// Whether an edge of one triangle runs through the inside of the other, on both sides further than the distance that
/// counts as close.
static int pierces(const triangle *edges, const triangle *face, const heights *over_face, double reach)
{
    if (!(over_face->lowest < -reach && over_face->highest > reach)) {
        return 0;
    }
    for (int k = 0; k < 3; ++k) {
        double start = over_face->of[k], end = over_face->of[(k + 1) % 3];
        if (fmin(start, end) < -reach && fmax(start, end) > reach &&
            is_inside_edge_planes(
                face, abut_lerp(edges->corners[k], edges->corners[(k + 1) % 3], start / (start - end)), -reach)) {
            return 1;
        }
    }
    return 0;
}

/// Whether the triangle is the first of those at a vertex.
static int is_first_at_vertex(const abut_placed *side, const triangle *t, int vertex)
{
    return side->topology.vertex_triangles[side->topology.vertex_triangle_offsets[vertex]] == t->index;
}

/// (V, F): vertices of one triangle against the face of the other. `face_is_b` tells which side the face is on.
static void vertices_against_face(const abut_local *local, const triangle_pair *pair, int face_is_b,
                                  abut_local_output *output)
{
    const settings *s = local->user;
    const triangle *points = face_is_b ? &pair->a : &pair->b, *face = face_is_b ? &pair->b : &pair->a;
    const heights *over_face = face_is_b ? &pair->a_over_b : &pair->b_over_a;
    const abut_placed *point_side = face_is_b ? &local->a : &local->b;
    const abut_placed *face_side = face_is_b ? &local->b : &local->a;
    if (abut_norm_squared(face->normal) == 0.0) {
        return;
    }
    for (int k = 0; k < 3; ++k) {
        abut_vec3 p = points->corners[k];
        int vertex = point_side->elements.triangles[3 * points->index + k];
        int is_near = fabs(over_face->of[k]) <= s->reach;
        // all triangles at a vertex give the same contact with the face
        if (is_near ? !is_first_at_vertex(point_side, points, vertex) : over_face->of[k] > 0.0 || !pair->crosses) {
            continue;
        }
        if (!is_inside_edge_planes(face, p, s->tolerance)) {
            continue;
        }
        abut_vec3 foot;
        abut_anchor on_face = face_anchor(face_side, face, p, &foot);
        // at a sharp corner a point within the tolerance of both edge planes may be far away
        if (!pair->crosses && abut_norm_squared(abut_sub(foot, p)) > s->reach * s->reach) {
            continue;
        }
        abut_contact c = {.normal_feature = abut_feature_face(face_side->elements.triangle_faces[face->index])};
        c.position_a = face_is_b ? p : foot;
        c.position_b = face_is_b ? foot : p;
        c.normal = face_is_b ? abut_negate(face->normal) : face->normal;
        c.normal_side = face_is_b ? ABUT_NORMAL_B : ABUT_NORMAL_A;
        c.feature_a = face_is_b ? abut_feature_vertex(vertex) : c.normal_feature;
        c.feature_b = face_is_b ? c.normal_feature : abut_feature_vertex(vertex);
        c.anchor_a = face_is_b ? abut_vertex_anchor(vertex) : on_face;
        c.anchor_b = face_is_b ? on_face : abut_vertex_anchor(vertex);
        abut_local_contact(output, &c);
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

/// Which of n and -n points from A to B: +1 or -1, or 0 if nothing decides.
static int direction_of_axis(const settings *s, const triangle_pair *pair, abut_vec3 n, interval on_a,
                             interval on_b)
{
    double forward = on_a.upper - on_b.lower; // overlap if n points from A to B
    double backward = on_b.upper - on_a.lower;
    if (fabs(forward - backward) > s->tolerance) {
        return forward < backward ? 1 : -1;
    }
    double opposing = abut_dot(n, abut_sub(pair->a.normal, pair->b.normal));
    if (fabs(opposing) > s->parallel) {
        return opposing > 0.0 ? 1 : -1;
    }
    return 0;
}

static int is_in_front(const triangle *t, abut_vec3 p, double reach)
{
    return abut_dot(t->normal, abut_sub(p, t->corners[0])) > reach;
}

/// Whether place x along an edge is in 0..1 within the tolerance; clamps it.
static int is_on_edge(double *x, double length, double tolerance)
{
    double along = *x;
    *x = fmin(fmax(along, 0.0), 1.0);
    return fabs(along - *x) * length <= tolerance;
}

/// (E, E): edge i of A's triangle against edge k of B's.
static void edge_against_edge(const abut_local *local, const triangle_pair *pair, int i, int k,
                              abut_local_output *output)
{
    const settings *s = local->user;
    const triangle *a = &pair->a, *b = &pair->b;
    abut_vec3 p = a->corners[i], q = b->corners[k], u = a->edges[i], v = b->edges[k];
    abut_vec3 cross = abut_cross(u, v), w = abut_sub(q, p);
    double sine = abut_norm(cross);
    if (!(sine > s->parallel * a->lengths[i] * b->lengths[k])) {
        return;
    }
    // closest points p + x u and q + y v of the two lines: (q - p) + y v - x u is along the cross product
    abut_vec3 n = abut_scale(1.0 / sine, cross);
    double x = abut_dot(abut_cross(w, v), n) / sine;
    double y = abut_dot(abut_cross(w, u), n) / sine;
    if (!is_on_edge(&x, a->lengths[i], s->tolerance) || !is_on_edge(&y, b->lengths[k], s->tolerance)) {
        return;
    }
    interval on_a = project(a, n, p), on_b = project(b, n, p);
    if (on_a.upper < on_b.lower - s->reach || on_b.upper < on_a.lower - s->reach) {
        return;
    }
    int direction = direction_of_axis(s, pair, n, on_a, on_b);
    abut_contact c = {.position_a = abut_add_scaled(p, x, u), .position_b = abut_add_scaled(q, y, v)};
    abut_vec3 apart = abut_sub(c.position_b, c.position_a);
    c.normal = direction < 0 ? abut_negate(n) : n;
    abut_vec3 middle = abut_lerp(c.position_a, c.position_b, 0.5);
    if (abut_dot(c.normal, apart) > s->reach ||
        (!pair->crosses && abut_norm_squared(apart) > s->reach * s->reach) || is_in_front(a, middle, s->reach) ||
        is_in_front(b, middle, s->reach)) {
        return;
    }
    int edge_a = local->a.topology.triangle_edges[3 * a->index + i];
    int edge_b = local->b.topology.triangle_edges[3 * b->index + k];
    if (s->skips_flat_edges && (abut_placed_edge_is_flat(&local->a, edge_a, local->query->angle) ||
                                abut_placed_edge_is_flat(&local->b, edge_b, local->query->angle))) {
        return;
    }
    if (direction == 0) {
        c.rule = ABUT_RULE_NONE;
        c.flags = ABUT_CONTACT_ARBITRARY_SIGN;
        ++output->stats.arbitrary_normals;
    }
    c.normal_side = ABUT_NORMAL_BOTH;
    c.feature_a = abut_feature_edge(local->a.mesh, edge_a);
    c.feature_b = abut_feature_edge(local->b.mesh, edge_b);
    c.anchor_a = abut_edge_anchor(&local->a, a->index, i, x);
    c.anchor_b = abut_edge_anchor(&local->b, b->index, k, y);
    abut_local_contact(output, &c);
}

static void test_triangles(const abut_local *local, int element_a, int element_b, abut_local_output *output)
{
    const settings *s = local->user;
    triangle_pair pair = {.a = get_triangle(&local->a, element_a), .b = get_triangle(&local->b, element_b)};
    // apart if all of one is on one side of the other's plane; a triangle without area has no plane
    pair.a_over_b = find_heights(&pair.a, &pair.b);
    pair.b_over_a = find_heights(&pair.b, &pair.a);
    if (pair.a_over_b.lowest > s->reach || pair.a_over_b.highest < -s->reach || pair.b_over_a.lowest > s->reach ||
        pair.b_over_a.highest < -s->reach) {
        return;
    }
    ++output->stats.tested_pairs;
    output->stats.degenerate_elements +=
        (abut_norm_squared(pair.a.normal) == 0.0) + (abut_norm_squared(pair.b.normal) == 0.0);
    add_edges(&pair.a);
    add_edges(&pair.b);
    pair.crosses =
        pierces(&pair.a, &pair.b, &pair.a_over_b, s->reach) || pierces(&pair.b, &pair.a, &pair.b_over_a, s->reach);
    vertices_against_face(local, &pair, 1, output);
    vertices_against_face(local, &pair, 0, output);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            edge_against_edge(local, &pair, i, k, output);
        }
    }
}

static abut_status query_intersection(const abut_query *query, abut_sink *sink)
{
    settings s = {.reach = fmax(query->tolerance, query->envelope),
                  .tolerance = query->tolerance,
                  .parallel = sin(query->angle),
                  .skips_flat_edges = abut_query_option(query, "skip-flat-edges") != 0.0};
    abut_program_task program = {.test = ABUT_PROGRAM_INTERSECTION, .skips_flat_edges = s.skips_flat_edges};
    abut_local local;
    abut_status status;
    if (abut_program_answers(query, &program, sink, &status)) {
        return status;
    }
    status = abut_local_begin(&local, query, &s, sink);
    if (status != ABUT_OK) {
        return status;
    }
    abut_local_task task = {.kind_a = ABUT_ELEMENT_TRIANGLE,
                            .kind_b = ABUT_ELEMENT_TRIANGLE,
                            .margin = s.reach,
                            .contact_limit = 15, // 6 vertices and 9 pairs of edges
                            .function = test_triangles};
    return abut_local_run(&local, &task, sink);
}

static const abut_option_info options[] = {
    ABUT_READING_OPTION(", which needs tetrahedra"),
    ABUT_PRECISION_OPTION,
    {.name = "skip-flat-edges",
     .help = "yes: edges between two triangles of one plane give no edge contact",
     .choices = abut_no_yes_choices,
     .is_of_query = 1},
};

const abut_method abut_method_intersection = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "intersection",
    .summary = "features that meet where triangles intersect: vertex on face, edge across edge",
    .source = "Erleben 2018, section 6",
    .taxonomy = {.locality = ABUT_LOCAL,
                 .is_exact = 1,
                 .is_continuous = 0,
                 .representation = ABUT_SURFACE_BASED,
                 .normals = ABUT_NORMAL_FEATURE_TYPES,
                 .traits = {2, 2, 2, 2}},
    // only reading=program uses the tree of tetrahedra, which is empty for surface meshes
    .needs = ABUT_NEEDS_TRIANGLES | ABUT_NEEDS_TRIANGLE_TREE | ABUT_NEEDS_TET_TREE,
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .query = query_intersection,
};
