// SPDX-License-Identifier: MIT
// brep_check.c: invariants of every B-rep, and geometric comparison of two
#include "mesh/brep_check.h"

#include "check.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static int *make_ints(int count, int value)
{
    int *items = malloc(((size_t)count + 1) * sizeof *items);
    assert_non_null(items);
    for (int i = 0; i < count; ++i) {
        items[i] = value;
    }
    return items;
}

static int coedge_end(const abut_brep_elements *b, int coedge, int is_start)
{
    const abut_brep_edge *edge = &b->edges[b->coedges[coedge].edge];
    return edge->vertices[b->coedges[coedge].is_reversed ? is_start : !is_start];
}

static void check_faces(const abut_mesh_elements *m, const abut_brep_elements *b, const char *label)
{
    int *seen = make_ints(m->triangle_count, 0);
    int loop = 0;
    for (int i = 0; i < b->face_count; ++i) {
        const abut_brep_face *face = &b->faces[i];
        CHECK_NEAR(abut_norm(face->normal), 1.0, 1e-14, label);
        CHECK_INT(face->loop_begin, loop, label);
        for (int k = 0; k < face->loop_count; ++k, ++loop) {
            CHECK(b->loops[loop].face == i && b->loops[loop].is_hole == (k > 0), "%s: loop %d", label, loop);
        }
        for (int k = 0; k < face->triangle_count; ++k) {
            int triangle = b->face_triangles[face->triangle_begin + k];
            CHECK(k == 0 || triangle > b->face_triangles[face->triangle_begin + k - 1], "%s: ascending", label);
            CHECK_INT(b->triangle_faces[triangle], i, label);
            ++seen[triangle];
        }
        int lowest = b->face_triangles[face->triangle_begin];
        CHECK_INT(face->source_face, m->triangle_faces[lowest], label);
        CHECK(i == 0 || lowest > b->face_triangles[b->faces[i - 1].triangle_begin], "%s: order of faces", label);
    }
    CHECK_INT(loop, b->loop_count, label);
    for (int i = 0; i < m->triangle_count; ++i) {
        CHECK_INT(seen[i], 1, label);
    }
    free(seen);
}

static void check_loops(const abut_brep_elements *b, const char *label)
{
    int *seen = make_ints(b->coedge_count, 0), *uses = make_ints(2 * b->edge_count, 0);
    for (int i = 0; i < b->loop_count; ++i) {
        const abut_brep_loop *loop = &b->loops[i];
        CHECK(loop->coedge_count > 0, "%s: empty loop %d", label, i);
        for (int k = 0; k < loop->coedge_count; ++k) {
            int coedge = loop->coedge_begin + k, next = loop->coedge_begin + (k + 1) % loop->coedge_count;
            int edge = b->coedges[coedge].edge;
            CHECK_INT(coedge_end(b, coedge, 0), coedge_end(b, next, 1), label);
            ++seen[coedge];
            ++uses[2 * edge + b->coedges[coedge].is_reversed];
            if (b->edges[edge].kind != ABUT_EDGE_NON_MANIFOLD) {
                CHECK_INT(b->edges[edge].faces[b->coedges[coedge].is_reversed], loop->face, label);
            }
        }
    }
    for (int i = 0; i < b->coedge_count; ++i) {
        CHECK_INT(seen[i], 1, label);
    }
    for (int i = 0; i < b->edge_count; ++i) {
        int used = uses[2 * i] + uses[2 * i + 1];
        switch (b->edges[i].kind) {
        case ABUT_EDGE_BOUNDARY: CHECK_INT(used, 1, label); break;
        case ABUT_EDGE_NON_MANIFOLD: CHECK(used >= 2 && uses[2 * i] * uses[2 * i + 1] != 1, "%s", label); break;
        default: CHECK(uses[2 * i] == 1 && uses[2 * i + 1] == 1, "%s: edge %d", label, i); break;
        }
    }
    free(uses);
    free(seen);
}

static void check_edges(const abut_mesh_topology *t, const abut_brep *brep, const char *label)
{
    abut_brep_elements b = abut_brep_get_elements(brep);
    int *seen = make_ints(t->edge_count, 0);
    int begin = 0;
    for (int i = 0; i < b.edge_count; ++i) {
        const abut_brep_edge *edge = &b.edges[i];
        CHECK_INT(edge->mesh_edge_begin, begin, label);
        CHECK(edge->kind != ABUT_EDGE_FLAT, "%s: edge %d is flat", label, i);
        CHECK(edge->vertices[0] < edge->vertices[1], "%s: order of vertices", label);
        CHECK(i == 0 || edge->source_edge > b.edges[i - 1].source_edge, "%s: order of edges", label);
        int vertex = b.vertices[edge->vertices[0]].source_vertex, lowest = t->edge_count;
        for (int k = 0; k < edge->mesh_edge_count; ++k) {
            int mesh_edge = b.edge_mesh_edges[begin++];
            const int *ends = t->edge_vertices + 2 * mesh_edge;
            CHECK(ends[0] == vertex || ends[1] == vertex, "%s: chain of edge %d", label, i);
            vertex = ends[0] == vertex ? ends[1] : ends[0];
            lowest = mesh_edge < lowest ? mesh_edge : lowest;
            CHECK_INT(b.mesh_edge_edges[mesh_edge], i, label);
            double angle;
            CHECK_INT(abut_brep_mesh_edge_kind(brep, mesh_edge, &angle), edge->kind, label);
            CHECK(angle == edge->angle, "%s: angle", label);
            ++seen[mesh_edge];
        }
        CHECK_INT(vertex, b.vertices[edge->vertices[1]].source_vertex, label);
        CHECK_INT(edge->source_edge, lowest, label);
    }
    for (int i = 0; i < t->edge_count; ++i) {
        int count = t->edge_triangle_offsets[i + 1] - t->edge_triangle_offsets[i];
        int is_inside = count == 2 && b.triangle_faces[t->edge_triangles[t->edge_triangle_offsets[i]]] ==
                                          b.triangle_faces[t->edge_triangles[t->edge_triangle_offsets[i] + 1]];
        CHECK(seen[i] == (b.mesh_edge_edges[i] >= 0), "%s: mesh edge %d", label, i);
        CHECK(seen[i] || is_inside || count == 0, "%s: mesh edge %d bounds nothing", label, i);
        if (!seen[i] && count > 0) {
            double angle;
            CHECK_INT(abut_brep_mesh_edge_kind(brep, i, &angle), ABUT_EDGE_FLAT, label);
            CHECK_NEAR(angle, pi, 0.0, label);
        }
    }
    free(seen);
}

// How often an edge is in the cycle of each of its vertices: once inside a fan, else once for each of its triangles.
static int cycle_uses(const abut_mesh_topology *t, const abut_brep_edge *edge)
{
    if (edge->kind == ABUT_EDGE_CONVEX || edge->kind == ABUT_EDGE_REFLEX) {
        return 1;
    }
    return t->edge_triangle_offsets[edge->source_edge + 1] - t->edge_triangle_offsets[edge->source_edge];
}

static void check_vertices(const abut_mesh_elements *m, const abut_mesh_topology *t, const abut_brep_elements *b,
                           const char *label)
{
    int *uses = make_ints(2 * b->edge_count, 0);
    int begin = 0;
    for (int i = 0; i < b->vertex_count; ++i) {
        const abut_brep_vertex *vertex = &b->vertices[i];
        CHECK_INT(vertex->cycle_begin, begin, label);
        CHECK(vertex->cycle_count > 0, "%s: vertex %d has no edge", label, i);
        CHECK_INT(b->mesh_vertex_vertices[vertex->source_vertex], i, label);
        CHECK(i == 0 || vertex->source_vertex > b->vertices[i - 1].source_vertex, "%s: order of vertices", label);
        for (int k = 0; k < vertex->cycle_count; ++k) {
            int edge = b->vertex_cycles[begin++];
            int end = b->edges[edge].vertices[0] == i ? 0 : 1;
            CHECK_INT(b->edges[edge].vertices[end], i, label);
            ++uses[2 * edge + end];
        }
    }
    for (int i = 0; i < b->edge_count; ++i) {
        int expected = cycle_uses(t, &b->edges[i]);
        CHECK(uses[2 * i] == expected && uses[2 * i + 1] == expected, "%s: edge %d in cycles", label, i);
    }
    int count = 0;
    for (int i = 0; i < m->vertex_count; ++i) {
        count += b->mesh_vertex_vertices[i] >= 0;
    }
    CHECK_INT(count, b->vertex_count, label);
    free(uses);
}

static int take_failures(void)
{
    int failures = check_failures;
    check_failures = 0;
    return failures;
}

int brep_check_valid(const abut_mesh *mesh, const abut_brep *brep, const char *label)
{
    abut_mesh_elements m = abut_mesh_get_elements(mesh);
    abut_mesh_topology t = abut_mesh_get_topology(mesh);
    abut_brep_elements b = abut_brep_get_elements(brep);
    check_faces(&m, &b, label);
    check_loops(&b, label);
    check_edges(&t, brep, label);
    check_vertices(&m, &t, &b, label);
    return take_failures();
}

// Two B-reps and the map from the second to the first.
typedef struct comparison {
    abut_mesh_elements mesh_a, mesh_b;
    abut_brep_elements a, b;
    int *vertices, *edges; // for each vertex and edge of B: that of A
    int *is_turned;        // for each edge of B: whether it runs against that of A
    brep_tolerance tolerance;
    const char *label;
} comparison;

static int is_equal(abut_vec3 p, abut_vec3 q)
{
    return p.x == q.x && p.y == q.y && p.z == q.z;
}

static int match_vertices(const comparison *c)
{
    for (int i = 0; i < c->b.vertex_count; ++i) {
        abut_vec3 p = c->mesh_b.vertices[c->b.vertices[i].source_vertex];
        for (int k = 0; k < c->a.vertex_count; ++k) {
            if (is_equal(p, c->mesh_a.vertices[c->a.vertices[k].source_vertex])) {
                c->vertices[i] = k;
            }
        }
        if (!CHECK(c->vertices[i] >= 0, "%s: vertex %d (%g %g %g) is not one of the solid", c->label, i, p.x, p.y,
                   p.z)) {
            return 0;
        }
    }
    return CHECK(c->a.vertex_count == c->b.vertex_count, "%s: %d vertices, expected %d", c->label,
                 c->b.vertex_count, c->a.vertex_count);
}

static int match_edges(const comparison *c)
{
    for (int i = 0; i < c->b.edge_count; ++i) {
        const abut_brep_edge *edge = &c->b.edges[i];
        int v0 = c->vertices[edge->vertices[0]], v1 = c->vertices[edge->vertices[1]];
        for (int k = 0; k < c->a.edge_count; ++k) {
            const int *ends = c->a.edges[k].vertices;
            if ((ends[0] == v0 && ends[1] == v1) || (ends[0] == v1 && ends[1] == v0)) {
                c->edges[i] = k;
                c->is_turned[i] = ends[0] != v0;
            }
        }
        if (!CHECK(c->edges[i] >= 0, "%s: edge %d is not one of the solid", c->label, i)) {
            return 0;
        }
        CHECK_INT(edge->kind, c->a.edges[c->edges[i]].kind, c->label);
        CHECK_NEAR(edge->angle, c->a.edges[c->edges[i]].angle, c->tolerance.angle, c->label);
    }
    return CHECK(c->a.edge_count == c->b.edge_count, "%s: %d edges, expected %d", c->label, c->b.edge_count,
                 c->a.edge_count);
}

static int is_same_cycle(const int *a, const int *b, int count)
{
    for (int shift = 0; shift < count; ++shift) {
        int same = 0;
        while (same < count && a[same] == b[(same + shift) % count]) {
            ++same;
        }
        if (same == count) {
            return 1;
        }
    }
    return count == 0;
}

static int is_same_loop(const comparison *c, const abut_brep_loop *loop_a, const abut_brep_loop *loop_b)
{
    int count = loop_a->coedge_count;
    if (count != loop_b->coedge_count) {
        return 0;
    }
    int *a = make_ints(count, 0), *b = make_ints(count, 0);
    for (int i = 0; i < count; ++i) {
        abut_brep_coedge coedge_a = c->a.coedges[loop_a->coedge_begin + i];
        abut_brep_coedge coedge_b = c->b.coedges[loop_b->coedge_begin + i];
        a[i] = 2 * coedge_a.edge + coedge_a.is_reversed;
        b[i] = 2 * c->edges[coedge_b.edge] + (coedge_b.is_reversed ^ c->is_turned[coedge_b.edge]);
    }
    int is_same = is_same_cycle(a, b, count);
    free(b);
    free(a);
    return is_same;
}

static int has_same_loops(const comparison *c, const abut_brep_face *a, const abut_brep_face *b)
{
    if (a->loop_count != b->loop_count ||
        (a->loop_count > 0 && !is_same_loop(c, &c->a.loops[a->loop_begin], &c->b.loops[b->loop_begin]))) {
        return 0;
    }
    for (int i = 1; i < a->loop_count; ++i) {
        int found = 0;
        for (int k = 1; k < b->loop_count; ++k) {
            found += is_same_loop(c, &c->a.loops[a->loop_begin + i], &c->b.loops[b->loop_begin + k]);
        }
        if (found != 1) {
            return 0;
        }
    }
    return 1;
}

// Compares distances at the corners, because the offset of a plane far from the origin is inaccurate.
static void compare_planes(const comparison *c, const abut_brep_face *a, const abut_brep_face *b)
{
    CHECK(abut_norm(abut_sub(a->normal, b->normal)) <= c->tolerance.angle, "%s: normals differ by %g", c->label,
          abut_norm(abut_sub(a->normal, b->normal)));
    CHECK_NEAR(b->area, a->area, c->tolerance.area * fabs(a->area), c->label);
    for (int i = 0; i < b->loop_count; ++i) {
        const abut_brep_loop *loop = &c->b.loops[b->loop_begin + i];
        for (int k = 0; k < loop->coedge_count; ++k) {
            int vertex = c->b.vertices[coedge_end(&c->b, loop->coedge_begin + k, 1)].source_vertex;
            abut_vec3 p = c->mesh_b.vertices[vertex];
            CHECK_NEAR(abut_dot(a->normal, p), a->offset, c->tolerance.length, c->label);
            CHECK_NEAR(abut_dot(b->normal, p), b->offset, c->tolerance.length, c->label);
        }
    }
}

static void match_faces(const comparison *c)
{
    CHECK_INT(c->b.face_count, c->a.face_count, c->label);
    int *is_used = make_ints(c->a.face_count, 0);
    for (int i = 0; i < c->b.face_count; ++i) {
        int found = -1;
        for (int k = 0; k < c->a.face_count && found < 0; ++k) {
            if (!is_used[k] && has_same_loops(c, &c->a.faces[k], &c->b.faces[i])) {
                found = k;
            }
        }
        if (CHECK(found >= 0, "%s: face %d is not one of the solid", c->label, i)) {
            is_used[found] = 1;
            compare_planes(c, &c->a.faces[found], &c->b.faces[i]);
        }
    }
    free(is_used);
}

static int compare_ints(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

// If a vertex has several fans, their order depends on the numbering, so only the sets of edges are compared.
static void match_cycles(const comparison *c, int one_fan_each)
{
    for (int i = 0; i < c->b.vertex_count; ++i) {
        const abut_brep_vertex *b = &c->b.vertices[i], *a = &c->a.vertices[c->vertices[i]];
        if (!CHECK(a->cycle_count == b->cycle_count, "%s: vertex %d has %d edges, expected %d", c->label, i,
                   b->cycle_count, a->cycle_count)) {
            continue;
        }
        int *edges_a = make_ints(a->cycle_count, 0), *edges_b = make_ints(b->cycle_count, 0);
        for (int k = 0; k < a->cycle_count; ++k) {
            edges_a[k] = c->a.vertex_cycles[a->cycle_begin + k];
            edges_b[k] = c->edges[c->b.vertex_cycles[b->cycle_begin + k]];
        }
        if (!one_fan_each) {
            qsort(edges_a, (size_t)a->cycle_count, sizeof *edges_a, compare_ints);
            qsort(edges_b, (size_t)a->cycle_count, sizeof *edges_b, compare_ints);
        }
        CHECK(is_same_cycle(edges_a, edges_b, a->cycle_count), "%s: cycle of vertex %d", c->label, i);
        free(edges_b);
        free(edges_a);
    }
}

int brep_check_same(const abut_mesh *mesh_a, const abut_brep *brep_a, const abut_mesh *mesh_b,
                    const abut_brep *brep_b, brep_tolerance tolerance, const char *label)
{
    abut_mesh_info info = abut_mesh_get_info(mesh_a);
    comparison c = {.mesh_a = abut_mesh_get_elements(mesh_a),
                    .mesh_b = abut_mesh_get_elements(mesh_b),
                    .a = abut_brep_get_elements(brep_a),
                    .b = abut_brep_get_elements(brep_b),
                    .tolerance = tolerance,
                    .label = label};
    c.vertices = make_ints(c.b.vertex_count, -1);
    c.edges = make_ints(c.b.edge_count, -1);
    c.is_turned = make_ints(c.b.edge_count, 0);
    if (match_vertices(&c) && match_edges(&c)) {
        match_faces(&c);
        match_cycles(&c, info.non_manifold_vertex_count == 0);
    }
    free(c.is_turned);
    free(c.edges);
    free(c.vertices);
    return take_failures();
}
