// SPDX-License-Identifier: MIT
// seams.c: splitting edges at which more than two faces meet
//
// Around an edge, faces are sorted by angle. If they bound material and air in turn, each face is joined with the one on
// the other side of its material. If they do not, because a part is turned inside out, faces of the same part are joined,
// if each part has two. Corners of faces at a vertex that are joined across edges form fans; each fan but the first gets
// a copy of the vertex.
//
// Fails: if faces at an edge lie on each other, or an odd number meets there, the edge stays.
#include "check/seams.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FACES = 64 }; ///< at an edge; with more it stays

static const double least_angle = 1e-9; ///< in radians: faces that are nearer lie on each other

/// A triangle at an edge.
typedef struct wing {
    int triangle;
    int is_forward; ///< it has the edge from its lower to its higher vertex
    double angle;
} wing;

typedef struct seams {
    const abut_context *context;
    abut_mesh_elements elements;
    abut_mesh_topology topology;
    int *roots;              ///< of corners, which are joined to fans
    int *parts;              ///< of triangles that hang together across edges of two faces
    unsigned char *is_split; ///< for each vertex: it is at an edge that is split
    int split_count;
} seams;

static int find_root(int *roots, int i)
{
    while (roots[i] != i) {
        roots[i] = roots[roots[i]];
        i = roots[i];
    }
    return i;
}

static void join(int *roots, int a, int b)
{
    a = find_root(roots, a);
    b = find_root(roots, b);
    roots[a > b ? a : b] = a > b ? b : a;
}

static int corner_of(const seams *s, int triangle, int vertex)
{
    const int *t = s->elements.triangles + 3 * (size_t)triangle;
    return 3 * triangle + (t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2);
}

/// Joins two triangles at both ends of an edge.
static void join_across(seams *s, int edge, int a, int b)
{
    for (int k = 0; k < 2; ++k) {
        int vertex = s->topology.edge_vertices[2 * edge + k];
        join(s->roots, corner_of(s, a, vertex), corner_of(s, b, vertex));
    }
}

static int compare_wings(const void *a, const void *b)
{
    const wing *p = a, *q = b;
    return p->angle < q->angle ? -1 : p->angle > q->angle ? 1 : p->triangle - q->triangle;
}

/// Sorts the triangles at an edge around it. Returns 0 if two lie on each other.
static int sort_wings(const seams *s, int edge, wing *wings, int count)
{
    const abut_vec3 *v = s->elements.vertices;
    int from = s->topology.edge_vertices[2 * edge], to = s->topology.edge_vertices[2 * edge + 1];
    abut_vec3 along = abut_unit(abut_sub(v[to], v[from])), x = abut_any_perpendicular(along),
              y = abut_cross(along, x);
    for (int i = 0; i < count; ++i) {
        int triangle = s->topology.edge_triangles[s->topology.edge_triangle_offsets[edge] + i];
        const int *t = s->elements.triangles + 3 * (size_t)triangle;
        int at = corner_of(s, triangle, from) - 3 * triangle;
        int third = t[0] + t[1] + t[2] - from - to;
        abut_vec3 out = abut_sub(v[third], v[from]);
        wings[i] = (wing){triangle, t[(at + 1) % 3] == to, atan2(abut_dot(out, y), abut_dot(out, x))};
    }
    qsort(wings, (size_t)count, sizeof *wings, compare_wings);
    for (int i = 0; i < count; ++i) {
        double next = i + 1 < count ? wings[i + 1].angle : wings[0].angle + 6.283185307179586;
        if (!(next - wings[i].angle > least_angle)) {
            return 0;
        }
    }
    return 1;
}

/// The normal of a forward triangle is ahead of it, going around; so its material is behind it. Returns 0 if material and
/// air do not take turns.
static int join_material(seams *s, int edge, const wing *wings, int count)
{
    for (int i = 0; i < count; ++i) {
        if (wings[i].is_forward == wings[(i + 1) % count].is_forward) {
            return 0;
        }
    }
    for (int i = 0; i < count; ++i) {
        if (!wings[i].is_forward) {
            join_across(s, edge, wings[i].triangle, wings[(i + 1) % count].triangle);
        }
    }
    return 1;
}

/// Joins the two triangles of each part. Returns 0 if a part has another number, or its two are not neighbours.
static int join_parts(seams *s, int edge, const wing *wings, int count)
{
    int partners[MOST_FACES];
    for (int i = 0; i < count; ++i) {
        int next = (i + 1) % count, before = (i + count - 1) % count;
        int part = find_root(s->parts, wings[i].triangle);
        int is_next = find_root(s->parts, wings[next].triangle) == part;
        int is_before = find_root(s->parts, wings[before].triangle) == part;
        if (is_next == is_before) {
            return 0;
        }
        partners[i] = is_next ? next : before;
    }
    for (int i = 0; i < count; ++i) {
        join_across(s, edge, wings[i].triangle, wings[partners[i]].triangle);
    }
    return 1;
}

static void join_all(seams *s, int edge)
{
    int begin = s->topology.edge_triangle_offsets[edge], end = s->topology.edge_triangle_offsets[edge + 1];
    for (int i = begin + 1; i < end; ++i) {
        join_across(s, edge, s->topology.edge_triangles[begin], s->topology.edge_triangles[i]);
    }
}

static void look_at_edge(seams *s, int edge)
{
    int count = s->topology.edge_triangle_offsets[edge + 1] - s->topology.edge_triangle_offsets[edge];
    wing wings[MOST_FACES];
    if (count < 4 || count % 2 != 0 || count > MOST_FACES || !sort_wings(s, edge, wings, count) ||
        (!join_material(s, edge, wings, count) && !join_parts(s, edge, wings, count))) {
        join_all(s, edge);
        return;
    }
    ++s->split_count;
    s->is_split[s->topology.edge_vertices[2 * edge]] = s->is_split[s->topology.edge_vertices[2 * edge + 1]] = 1;
}

/// Finds the fans. At a vertex without an edge that is split, all corners are one fan.
static void find_fans(seams *s)
{
    for (int i = 0; i < 3 * s->elements.triangle_count; ++i) {
        s->roots[i] = i;
        s->parts[i / 3] = i / 3;
    }
    for (int i = 0; i < s->topology.edge_count; ++i) {
        const int *t = &s->topology.edge_triangles[s->topology.edge_triangle_offsets[i]];
        if (s->topology.edge_triangle_offsets[i + 1] - s->topology.edge_triangle_offsets[i] == 2) {
            join(s->parts, t[0], t[1]);
        }
    }
    for (int i = 0; i < s->topology.edge_count; ++i) {
        look_at_edge(s, i);
    }
    for (int i = 0; i < s->elements.vertex_count; ++i) {
        int begin = s->topology.vertex_triangle_offsets[i], end = s->topology.vertex_triangle_offsets[i + 1];
        const int *triangles = s->topology.vertex_triangles, *faces = s->elements.triangle_faces;
        for (int k = begin + 1; k < end; ++k) {
            if (!s->is_split[i] ||
                faces[triangles[k]] == faces[triangles[k - 1]]) { // a polygon has one vertex there
                join(s->roots, corner_of(s, triangles[k - 1], i), corner_of(s, triangles[k], i));
            }
        }
    }
}

/// Gives every fan but the first of its vertex a copy of the vertex, and names it in the faces. `names` has room for the
/// fans.
static abut_status copy_vertices(seams *s, abut_surface *surface, int *names, abut_ints *sources)
{
    abut_status status = ABUT_OK;
    for (int i = 0; i < s->elements.vertex_count && status == ABUT_OK; ++i) {
        int begin = s->topology.vertex_triangle_offsets[i], end = s->topology.vertex_triangle_offsets[i + 1];
        for (int k = begin; k < end && s->is_split[i] && status == ABUT_OK; ++k) {
            int corner = corner_of(s, s->topology.vertex_triangles[k], i);
            if (find_root(s->roots, corner) != corner) {
                continue; // a fan is named by its lowest corner
            }
            int is_first = find_root(s->roots, corner_of(s, s->topology.vertex_triangles[begin], i)) == corner;
            names[corner] = is_first ? i : surface->parts.vertex_count;
            if (!is_first) {
                status = abut_parts_add_vertex(&surface->parts, surface->parts.vertices[i]);
                status = status == ABUT_OK ? abut_ints_add(s->context, sources, i) : status;
            }
        }
    }
    for (int i = 0; i < 3 * s->elements.triangle_count && status == ABUT_OK; ++i) {
        int vertex = s->elements.triangles[i], face = s->elements.triangle_faces[i / 3];
        if (!s->is_split[vertex]) {
            continue;
        }
        int first = abut_surface_face_begin(surface, face), last = abut_surface_face_begin(surface, face + 1);
        for (int k = first; k < last; ++k) {
            int *name = &surface->parts.face_vertices.items[k];
            *name = *name == vertex ? names[find_root(s->roots, i)] : *name;
        }
    }
    return status;
}

abut_status abut_seams_split(abut_surface *surface, abut_ints *sources, abut_error *error)
{
    const abut_context *context = &surface->parts.context;
    abut_mesh *mesh = NULL;
    abut_status status = abut_surface_build(surface, &mesh, error);
    if (status != ABUT_OK || abut_mesh_get_info(mesh).non_manifold_edge_count == 0) {
        abut_mesh_destroy(mesh);
        return status;
    }
    seams s = {
        .context = context, .elements = abut_mesh_get_elements(mesh), .topology = abut_mesh_get_topology(mesh)};
    size_t corners = 3 * (size_t)s.elements.triangle_count;
    s.roots = abut_allocate(context, corners, sizeof *s.roots);
    s.parts = abut_allocate(context, corners / 3, sizeof *s.parts);
    s.is_split = abut_allocate_zeroed(context, (size_t)s.elements.vertex_count, 1);
    int *names = abut_allocate(context, corners, sizeof *names);
    if (s.roots == NULL || s.parts == NULL || s.is_split == NULL || names == NULL) {
        status = abut_surface_fail(error, ABUT_NO_MEMORY);
    } else {
        find_fans(&s);
        status = copy_vertices(&s, surface, names, sources);
        surface->counts.edges_split = s.split_count;
        status = status == ABUT_OK ? status : abut_surface_fail(error, status);
    }
    abut_free(context, s.roots);
    abut_free(context, s.parts);
    abut_free(context, s.is_split);
    abut_free(context, names);
    abut_mesh_destroy(mesh);
    return status;
}
