// SPDX-License-Identifier: MIT
// intersection_program.c: method intersection as the author's program has it
//
// For each pair of tetrahedra, the pairs of their surface faces that have a common point are tested: first vertices of
// one face at or behind the other and within its edge planes, however deep; then the nine pairs of edges, whose axis
// is checked against the two tetrahedra. An axis along which they are apart or just touch ends the pair of tetrahedra;
// what was found before stays. Only the midpoint of two edges has a tolerance.
//
// Source:  the program that goes with Erleben 2018, as described in docs/methods/intersection.md.
// Differs: the program's normals and depths of vertices on faces are scaled by twice the area of the face; ours are
//          normalised. The depth of two edges is the distance of their closest points, which does not depend on the
//          pair of tetrahedra, instead of the overlap of the two tetrahedra. Each vertex with a face, and each two
//          edges with a normal, are reported once per pair of tetrahedra. abut_local_first_is_b() tells which body is
//          the first, whose faces come first.
// Cost:    linear in the pairs of tetrahedra whose boxes overlap.
// Fails:   as the text does, and bodies that touch without overlap have no contact of edges.
#include "method/finish.h"
#include "method/intersection.h"
#include "prim/tet_tet.h"
#include "prim/triangle_triangle.h"

/// The edge between two corners.
static const int edge_numbers[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};

typedef struct solid {
    const abut_placed *side;
    int tet;
    abut_vec3 corners[4]; ///< in A's frame
    abut_vec3 normals[4]; ///< of the faces: unit, or zero if flat
} solid;

/// Two tetrahedra, and the contacts that they have reported. Contacts are made as if the first were A's.
typedef struct solid_pair {
    const abut_local *local;
    solid first, second;
    int is_swapped; ///< the first is B's
    abut_local_output *output;
    uint32_t reported_vertices[2]; ///< by side of the face: bit 4 * vertex + face
    uint64_t reported_edges;       ///< bit 6 * edge of the first + edge of the second
} solid_pair;

static void report(solid_pair *pair, abut_contact c)
{
    c = pair->is_swapped ? abut_contact_turned(c) : c;
    abut_local_contact(pair->output, &c);
}

static solid get_solid(const abut_placed *side, int tet)
{
    solid s = {.side = side, .tet = tet};
    abut_placed_tet(side, tet, s.corners);
    for (int k = 0; k < 4; ++k) {
        abut_vec3 origin = s.corners[abut_tet_faces[k][0]];
        s.normals[k] = abut_unit(abut_cross(abut_sub(s.corners[abut_tet_faces[k][1]], origin),
                                            abut_sub(s.corners[abut_tet_faces[k][2]], origin)));
    }
    return s;
}

static int is_surface_face(const solid *s, int face)
{
    return s->side->topology.tet_triangles[4 * s->tet + face] >= 0;
}

static double height_over_face(const solid *s, int face, abut_vec3 p)
{
    return abut_dot(s->normals[face], abut_sub(p, s->corners[abut_tet_faces[face][0]]));
}

static int is_inside_edge_planes(const solid *s, int face, abut_vec3 p)
{
    for (int m = 0; m < 3; ++m) {
        abut_vec3 start = s->corners[abut_tet_faces[face][m]];
        abut_vec3 edge = abut_sub(s->corners[abut_tet_faces[face][(m + 1) % 3]], start);
        if (abut_dot(abut_cross(s->normals[face], edge), abut_sub(p, start)) < 0.0) {
            return 0;
        }
    }
    return 1;
}

static void vertices_against_face(solid_pair *pair, int point_face, int face, int face_is_second)
{
    const solid *points = face_is_second ? &pair->first : &pair->second,
                *faces = face_is_second ? &pair->second : &pair->first;
    abut_vec3 normal = faces->normals[face];
    if (abut_norm_squared(normal) == 0.0) {
        ++pair->output->stats.degenerate_elements;
        return;
    }
    for (int m = 0; m < 3; ++m) {
        int corner = abut_tet_faces[point_face][m];
        abut_vec3 p = points->corners[corner];
        double height = height_over_face(faces, face, p);
        uint32_t bit = (uint32_t)1 << (4 * corner + face);
        if (height > 0.0 || (pair->reported_vertices[face_is_second] & bit) != 0 ||
            !is_inside_edge_planes(faces, face, p)) {
            continue;
        }
        pair->reported_vertices[face_is_second] |= bit;
        int vertex = points->side->elements.tets[4 * points->tet + corner];
        int triangle = faces->side->topology.tet_triangles[4 * faces->tet + face];
        abut_vec3 foot = abut_add_scaled(p, -height, normal);
        abut_anchor on_face = abut_tet_anchor(faces->side, faces->tet, faces->corners, foot);
        abut_contact c = {.normal_feature = abut_feature_face(faces->side->elements.triangle_faces[triangle])};
        c.position_a = face_is_second ? p : foot;
        c.position_b = face_is_second ? foot : p;
        c.normal = face_is_second ? abut_negate(normal) : normal;
        c.normal_side = face_is_second ? ABUT_NORMAL_B : ABUT_NORMAL_A;
        c.feature_a = face_is_second ? abut_feature_vertex(vertex) : c.normal_feature;
        c.feature_b = face_is_second ? c.normal_feature : abut_feature_vertex(vertex);
        c.anchor_a = face_is_second ? abut_vertex_anchor(vertex) : on_face;
        c.anchor_b = face_is_second ? on_face : abut_vertex_anchor(vertex);
        report(pair, c);
    }
}

typedef struct interval {
    double lower, upper;
} interval;

static interval project(const solid *s, abut_vec3 axis, abut_vec3 origin)
{
    interval range = {HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < 4; ++k) {
        double x = abut_dot(axis, abut_sub(s->corners[k], origin));
        range.lower = fmin(range.lower, x);
        range.upper = fmax(range.upper, x);
    }
    return range;
}

/// Edge from corner `from` to corner `to` of a tetrahedron.
typedef struct line {
    int from, to;
    abut_vec3 start, along;
    double length;
} line;

static line get_line(const solid *s, int face, int m)
{
    line l = {.from = abut_tet_faces[face][m], .to = abut_tet_faces[face][(m + 1) % 3]};
    l.start = s->corners[l.from];
    l.along = abut_sub(s->corners[l.to], l.start);
    l.length = abut_norm(l.along);
    return l;
}

static abut_anchor line_anchor(const solid *s, const line *l, double x)
{
    const int *vertices = &s->side->elements.tets[4 * s->tet];
    abut_anchor anchor = {{vertices[l->from], vertices[l->to], -1, -1}, {1.0 - x, x, 0.0, 0.0}};
    return anchor;
}

static int mesh_edge(const solid *s, const line *l)
{
    const int *vertices = &s->side->elements.tets[4 * s->tet];
    return abut_mesh_find_edge(s->side->mesh, vertices[l->from], vertices[l->to]);
}

/// Reports two edges with a normal; the depth is the distance of their closest points.
static void add_edges(solid_pair *pair, const line *a, double x, const line *b, double y, abut_vec3 normal)
{
    abut_vec3 on_a = abut_add_scaled(a->start, x, a->along), on_b = abut_add_scaled(b->start, y, b->along);
    int is_facing = abut_dot(normal, abut_sub(on_b, on_a)) <= 0.0;
    abut_contact c = {.normal = normal, .normal_side = ABUT_NORMAL_BOTH};
    c.position_a = is_facing ? on_a : on_b;
    c.position_b = is_facing ? on_b : on_a;
    c.feature_a = abut_feature_edge(pair->first.side->mesh, mesh_edge(&pair->first, a));
    c.feature_b = abut_feature_edge(pair->second.side->mesh, mesh_edge(&pair->second, b));
    c.anchor_a = line_anchor(&pair->first, a, x);
    c.anchor_b = line_anchor(&pair->second, b, y);
    report(pair, c);
}

/// Returns 0 if the tetrahedra are apart or just touch along the axis of the edges.
static int edge_against_edge(solid_pair *pair, int face_a, int i, int face_b, int k)
{
    const abut_intersection_settings *s = pair->local->user;
    line a = get_line(&pair->first, face_a, i), b = get_line(&pair->second, face_b, k);
    abut_vec3 cross = abut_cross(a.along, b.along), w = abut_sub(b.start, a.start);
    double sine = abut_norm(cross);
    if (!(sine > s->parallel * a.length * b.length)) {
        return 1;
    }
    abut_vec3 n = abut_scale(1.0 / sine, cross);
    interval on_a = project(&pair->first, n, a.start), on_b = project(&pair->second, n, a.start);
    if (on_a.upper <= on_b.lower || on_b.upper <= on_a.lower) {
        return 0;
    }
    double x = abut_dot(abut_cross(w, b.along), n) / sine, y = abut_dot(abut_cross(w, a.along), n) / sine;
    double slack_x = s->tolerance / a.length, slack_y = s->tolerance / b.length;
    abut_vec3 middle = abut_lerp(abut_add_scaled(a.start, x, a.along), abut_add_scaled(b.start, y, b.along), 0.5);
    uint64_t bit = (uint64_t)1 << (6 * edge_numbers[a.from][a.to] + edge_numbers[b.from][b.to]);
    if (!(x > slack_x && x < 1.0 - slack_x && y > slack_y && y < 1.0 - slack_y) ||
        height_over_face(&pair->first, face_a, middle) > s->tolerance ||
        height_over_face(&pair->second, face_b, middle) > s->tolerance || (pair->reported_edges & bit) != 0 ||
        (s->skips_flat_edges &&
         (abut_placed_edge_is_flat(pair->first.side, mesh_edge(&pair->first, &a), pair->local->query->angle) ||
          abut_placed_edge_is_flat(pair->second.side, mesh_edge(&pair->second, &b), pair->local->query->angle)))) {
        return 1;
    }
    pair->reported_edges |= bit;
    if (on_a.lower <= on_b.lower) {
        add_edges(pair, &a, x, &b, y, n);
    }
    if (on_b.lower <= on_a.lower) {
        add_edges(pair, &a, x, &b, y, abut_negate(n));
    }
    return 1;
}

/// Returns 0 to end the pair of tetrahedra.
static int test_faces(solid_pair *pair, int face_a, int face_b)
{
    abut_vec3 a[3], b[3];
    for (int m = 0; m < 3; ++m) {
        a[m] = pair->first.corners[abut_tet_faces[face_a][m]];
        b[m] = pair->second.corners[abut_tet_faces[face_b][m]];
    }
    if (!abut_triangles_intersect(a, b)) {
        return 1;
    }
    vertices_against_face(pair, face_a, face_b, 1);
    vertices_against_face(pair, face_b, face_a, 0);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            if (!edge_against_edge(pair, face_a, i, face_b, k)) {
                return 0;
            }
        }
    }
    return 1;
}

static void test_solids(const abut_local *local, int tet_a, int tet_b, abut_local_output *output)
{
    solid a = get_solid(&local->a, tet_a), b = get_solid(&local->b, tet_b);
    int is_swapped = abut_local_first_is_b(local);
    solid_pair pair = {.local = local,
                       .first = is_swapped ? b : a,
                       .second = is_swapped ? a : b,
                       .is_swapped = is_swapped,
                       .output = output};
    ++output->stats.tested_pairs;
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 4; ++k) {
            if (is_surface_face(&pair.first, i) && is_surface_face(&pair.second, k) && !test_faces(&pair, i, k)) {
                return;
            }
        }
    }
}

abut_local_task abut_intersection_program(void)
{
    abut_local_task task = {.kind_a = ABUT_ELEMENT_TET,
                            .kind_b = ABUT_ELEMENT_TET,
                            .is_surface_only = 1,
                            .contact_limit = 2 * 4 * 4 + 2 * 36, // vertices with faces, and edges with both signs
                            .function = test_solids};
    return task;
}
