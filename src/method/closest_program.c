// SPDX-License-Identifier: MIT
// closest_program.c: method closest-points as the author's program has it, on pairs of tetrahedra
//
// It differs from the text: positions stay on the eroded bodies, and four bugs are kept because results depend on
// them. (a) The normal of two edges is the cross product of A's edge and the vector from its start to the end of B's.
// (b) B's edge counts as covered if the vertices of another edge of B are used: the one with the number of A's edge.
// (c) Of A, edge number 0 is marked as used, whichever edge it was. (d) Whether edge k of B is used is read from the
// mark of vertex k. Edges 4 and 5 have no such vertex: the program reads undefined memory, here they count as not
// used. A distance of exactly 0 is no contact. "A" is the first body here. If abut_local_first_is_b(), that is B of
// the query, and contacts are swapped at the end.
//
// With the program's own erosions every feature counts as eroded by epsilon, as in the program. A mitred erosion may
// be cut short; then a feature counts with what it receded. Vertices and edges that are too far apart on the original
// bodies are no contacts.
#include "method/closest_points.h"
#include "method/finish.h"
#include "prim/point_triangle.h"
#include "prim/tet_tet.h"

static const double parallel_limit = 1.19e-6; ///< ten times the epsilon of float, as in the program

typedef struct eroded_tet {
    const abut_placed *side, *original;
    const double *recessions; ///< by vertex of the mesh
    int tet;
    abut_vec3 corners[4];
    abut_vec3 normals[4]; ///< unit; zero if the face has no area
    int is_surface_face[4];
    int is_surface_vertex[4];
    int is_surface_edge[6];
    int is_used[4];
    int is_edge_used[6];
} eroded_tet;

/// A contact to be added; the normal points from A to B.
typedef struct finding {
    abut_vec3 position, normal;
    double gap;
    abut_feature feature_a, feature_b;
    abut_normal_side normal_side;
} finding;

/// An eroded tetrahedron of A or B of the query.
static eroded_tet get_tet(const abut_local *local, int is_b, int tet)
{
    const abut_closest *closest = local->user;
    const abut_placed *side = &closest->eroded[is_b];
    eroded_tet t = {.side = side,
                    .original = is_b ? &local->b : &local->a,
                    .recessions = closest->erosions[is_b]->recessions,
                    .tet = tet};
    abut_placed_tet(side, tet, t.corners);
    for (int k = 0; k < 4; ++k) {
        const int *c = abut_tet_faces[k];
        t.normals[k] = abut_unit(
            abut_cross(abut_sub(t.corners[c[1]], t.corners[c[0]]), abut_sub(t.corners[c[2]], t.corners[c[0]])));
        t.is_surface_face[k] = side->topology.tet_triangles[4 * tet + k] >= 0;
        for (int i = 0; t.is_surface_face[k] && i < 3; ++i) {
            t.is_surface_vertex[c[i]] = 1;
        }
    }
    for (int e = 0; e < 6; ++e) {
        for (int k = 0; k < 4; ++k) {
            t.is_surface_edge[e] |= t.is_surface_face[k] && k != abut_tet_edges[e][0] && k != abut_tet_edges[e][1];
        }
    }
    return t;
}

/// Whether the tetrahedra overlap along the four diagonals of a cube in A's frame: these are the pairs that the
/// program's hierarchy finds.
static int bounds_overlap(const eroded_tet *a, const eroded_tet *b)
{
    static const abut_vec3 diagonals[4] = {{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};
    for (int i = 0; i < 4; ++i) {
        abut_vec3 diagonal = abut_mat3_apply(a->side->rotation, diagonals[i]);
        double lower[2] = {HUGE_VAL, HUGE_VAL}, upper[2] = {-HUGE_VAL, -HUGE_VAL};
        for (int k = 0; k < 8; ++k) {
            double x = abut_dot(diagonal, k < 4 ? a->corners[k] : b->corners[k - 4]);
            lower[k / 4] = fmin(lower[k / 4], x);
            upper[k / 4] = fmax(upper[k / 4], x);
        }
        if (upper[0] < lower[1] || upper[1] < lower[0]) {
            return 0;
        }
    }
    return 1;
}

static abut_feature vertex_feature(const eroded_tet *t, int k)
{
    return abut_feature_vertex(t->side->elements.tets[4 * t->tet + k]);
}

static abut_feature face_feature(const eroded_tet *t, int k)
{
    return abut_feature_face(t->side->elements.triangle_faces[t->side->topology.tet_triangles[4 * t->tet + k]]);
}

/// Edges of surface triangles are edges of the mesh.
static abut_feature edge_feature(const eroded_tet *t, int e)
{
    const int *vertices = &t->side->elements.tets[4 * t->tet];
    int edge = abut_mesh_find_edge(t->side->mesh, vertices[abut_tet_edges[e][0]], vertices[abut_tet_edges[e][1]]);
    return abut_feature_edge(t->side->mesh, edge);
}

static void add(const finding *f, abut_local_output *output)
{
    abut_anchor none = {{-1, -1, -1, -1}, {0.0, 0.0, 0.0, 0.0}};
    abut_contact c = {.position_a = abut_add_scaled(f->position, -0.5 * f->gap, f->normal),
                      .position_b = abut_add_scaled(f->position, 0.5 * f->gap, f->normal),
                      .normal = f->normal,
                      .feature_a = f->feature_a,
                      .feature_b = f->feature_b,
                      .normal_feature = {.kind = ABUT_FEATURE_NONE, .index = -1, .vertices = {-1, -1}},
                      .normal_side = f->normal_side,
                      .anchor_a = none,
                      .anchor_b = none};
    if (f->normal_side != ABUT_NORMAL_BOTH) {
        c.normal_feature = f->normal_side == ABUT_NORMAL_A ? f->feature_a : f->feature_b;
    }
    abut_local_contact(output, &c);
}

/// Adds the contact of a feature of one tetrahedron and a face of the other, with the outward normal of that face.
static void add_at_face(finding *f, abut_feature feature, abut_feature face, abut_vec3 normal, int face_is_b,
                        abut_local_output *output)
{
    f->normal = face_is_b ? abut_negate(normal) : normal;
    f->normal_side = face_is_b ? ABUT_NORMAL_B : ABUT_NORMAL_A;
    f->feature_a = face_is_b ? feature : face;
    f->feature_b = face_is_b ? face : feature;
    add(f, output);
}

static int is_inside_edge_planes(const eroded_tet *t, int face, abut_vec3 p)
{
    const int *c = abut_tet_faces[face];
    for (int i = 0; i < 3; ++i) {
        abut_vec3 from = t->corners[c[i]], along = abut_sub(t->corners[c[(i + 1) % 3]], from);
        if (!(abut_dot(abut_cross(t->normals[face], along), abut_sub(p, from)) >= 0.0)) {
            return 0;
        }
    }
    return abut_norm_squared(t->normals[face]) > 0.0;
}

static double height_over(const eroded_tet *t, int face, abut_vec3 p)
{
    return abut_dot(t->normals[face], abut_sub(p, t->corners[abut_tet_faces[face][0]]));
}

static double recession_at(const eroded_tet *t, int k)
{
    return t->recessions[t->side->elements.tets[4 * t->tet + k]];
}

static double face_recession(const eroded_tet *t, int face, abut_vec3 p)
{
    abut_vec3 corners[3];
    double weights[3], sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        corners[i] = t->corners[abut_tet_faces[face][i]];
    }
    (void)abut_point_triangle_distance_squared(p, corners, weights);
    for (int i = 0; i < 3; ++i) {
        sum += weights[i] * recession_at(t, abut_tet_faces[face][i]);
    }
    return sum;
}

static abut_vec3 original_corner(const eroded_tet *t, int k)
{
    return abut_placed_vertex(t->original, t->side->elements.tets[4 * t->tet + k]);
}

/// The height of an original corner over the original face, along the normal of the eroded face.
static double original_height(const eroded_tet *points, int k, const eroded_tet *faces, int face)
{
    abut_vec3 foot = original_corner(faces, abut_tet_faces[face][0]);
    return abut_dot(faces->normals[face], abut_sub(original_corner(points, k), foot));
}

static void vertices_over_faces(const abut_closest *c, eroded_tet *points, const eroded_tet *faces, int face_is_b,
                                abut_local_output *output)
{
    for (int i = 0; i < 16; ++i) {
        int k = i / 4, face = i % 4;
        abut_vec3 p = points->corners[k];
        double height = height_over(faces, face, p);
        double gap = height - recession_at(points, k) - face_recession(faces, face, p);
        if (points->is_surface_vertex[k] && faces->is_surface_face[face] && height > 0.0 && gap <= c->reach &&
            is_inside_edge_planes(faces, face, p) && original_height(points, k, faces, face) <= c->most_gap) {
            points->is_used[k] = 1;
            finding f = {.position = abut_add_scaled(p, -0.5 * height, faces->normals[face]), .gap = gap};
            add_at_face(&f, vertex_feature(points, k), face_feature(faces, face), faces->normals[face], face_is_b,
                        output);
        }
    }
}

/// The sum of how far the places on two edges recede.
static double edges_recession(const eroded_tet *a, int i, double x, const eroded_tet *b, int k, double y)
{
    return (1.0 - x) * recession_at(a, abut_tet_edges[i][0]) + x * recession_at(a, abut_tet_edges[i][1]) +
           (1.0 - y) * recession_at(b, abut_tet_edges[k][0]) + y * recession_at(b, abut_tet_edges[k][1]);
}

static abut_vec3 original_edge_point(const eroded_tet *t, int e, double x)
{
    return abut_lerp(original_corner(t, abut_tet_edges[e][0]), original_corner(t, abut_tet_edges[e][1]), x);
}

static void edge_over_edge(const abut_closest *c, eroded_tet *a, int i, const eroded_tet *b, int k,
                           abut_local_output *output)
{
    abut_vec3 p = a->corners[abut_tet_edges[i][0]], q = b->corners[abut_tet_edges[k][0]];
    abut_vec3 u = abut_sub(a->corners[abut_tet_edges[i][1]], p), v = abut_sub(b->corners[abut_tet_edges[k][1]], q);
    double length_u = abut_norm(u), length_v = abut_norm(v), cosine = abut_dot(abut_unit(u), abut_unit(v));
    if (fabs(1.0 - cosine * cosine) < parallel_limit) {
        return;
    }
    abut_vec3 w = abut_sub(q, p), cross = abut_cross(u, v);
    double squared = abut_norm_squared(cross);
    double x = abut_dot(abut_cross(w, v), cross) / squared, y = abut_dot(abut_cross(w, u), cross) / squared;
    if (!(x > 0.0 && x < 1.0 && y > 0.0 && y < 1.0 && length_u > 0.0 && length_v > 0.0)) {
        return;
    }
    abut_vec3 on_a = abut_add_scaled(p, x, u), on_b = abut_add_scaled(q, y, v), way = abut_sub(on_b, on_a);
    double distance = abut_norm(way), gap = distance - edges_recession(a, i, x, b, k, y);
    abut_vec3 original_way = abut_sub(original_edge_point(b, k, y), original_edge_point(a, i, x));
    if (!(distance > 0.0 && gap <= c->reach && abut_dot(abut_unit(way), original_way) <= c->most_gap)) {
        return;
    }
    abut_vec3 n = abut_unit(abut_cross(u, abut_sub(b->corners[abut_tet_edges[k][1]], p))); // bug (a)
    a->is_edge_used[0] = 1; // bug (c): the program takes the integer part of a cosine as the number
    if (abut_norm_squared(n) == 0.0) {
        ++output->stats.degenerate_elements;
        return;
    }
    finding f = {.position = abut_lerp(on_a, on_b, 0.5),
                 .normal = abut_dot(n, way) < 0.0 ? abut_negate(n) : n,
                 .gap = gap,
                 .feature_a = edge_feature(a, i),
                 .feature_b = edge_feature(b, k),
                 .normal_side = ABUT_NORMAL_BOTH};
    add(&f, output);
}

static void edges_over_edges(const abut_closest *c, eroded_tet *a, const eroded_tet *b, abut_local_output *output)
{
    for (int i = 0; i < 6; ++i) {
        int is_covered = a->is_used[abut_tet_edges[i][0]] && a->is_used[abut_tet_edges[i][1]];
        for (int k = 0; k < 6; ++k) {
            int seems_covered = b->is_used[abut_tet_edges[i][0]] && b->is_used[abut_tet_edges[i][1]]; // bug (b)
            if (a->is_surface_edge[i] && b->is_surface_edge[k] && !is_covered && !seems_covered) {
                edge_over_edge(c, a, i, b, k, output);
            }
        }
    }
}

/// Adds contacts of surface edges that run through surface faces; edges marked in `is_used` are left out.
static void edges_through_faces(const eroded_tet *edges, const int is_used[6], const eroded_tet *faces,
                                int face_is_b, abut_local_output *output)
{
    for (int i = 0; i < 24; ++i) {
        int e = i / 4, face = i % 4;
        if (!edges->is_surface_edge[e] || is_used[e] || !faces->is_surface_face[face]) {
            continue;
        }
        abut_vec3 from = edges->corners[abut_tet_edges[e][0]], to = edges->corners[abut_tet_edges[e][1]];
        double start = height_over(faces, face, from), end = height_over(faces, face, to);
        if (!(fmin(start, end) < 0.0 && fmax(start, end) > 0.0)) {
            continue;
        }
        finding f = {.position = abut_lerp(from, to, start / (start - end)), .gap = fmin(start, end)};
        if (is_inside_edge_planes(faces, face, f.position)) {
            add_at_face(&f, edge_feature(edges, e), face_feature(faces, face), faces->normals[face], face_is_b,
                        output);
        }
    }
}

void abut_closest_by_program(const abut_local *local, int tet_a, int tet_b, abut_local_output *output)
{
    const abut_closest *c = local->user;
    int is_swapped = abut_local_first_is_b(local), begin = output->count;
    eroded_tet a = get_tet(local, is_swapped, is_swapped ? tet_b : tet_a);
    eroded_tet b = get_tet(local, !is_swapped, is_swapped ? tet_a : tet_b);
    if (!bounds_overlap(&a, &b)) {
        return;
    }
    ++output->stats.tested_pairs;
    vertices_over_faces(c, &a, &b, 1, output);
    vertices_over_faces(c, &b, &a, 0, output);
    edges_over_edges(c, &a, &b, output);
    const int marks_of_b[6] = {b.is_used[0], b.is_used[1], b.is_used[2], b.is_used[3], 0, 0}; // bug (d)
    edges_through_faces(&a, a.is_edge_used, &b, 1, output);
    edges_through_faces(&b, marks_of_b, &a, 0, output);
    for (int i = begin; i < output->count && is_swapped; ++i) {
        output->contacts[i] = abut_contact_turned(output->contacts[i]);
    }
}
