// SPDX-License-Identifier: MIT
// split.c: halves long edges until none is left
//
// Each round halves every edge that is too long, and cuts each triangle into two, three or four at the midpoints of
// its sides. Neighbours share the midpoints, so the surface stays connected. A cut never makes an edge longer than
// the sides of its triangle, and new edges shrink with them. So the number of rounds is about the logarithm of the
// longest edge over the limit.
#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "check/surface.h"
#include "mesh/sides.h"

#include <string.h>

typedef struct splitter {
    abut_parts parts;  // the new mesh
    abut_ints sources; // for each new face: its face in the original mesh
    int *middles;      // for each edge of the old mesh: the vertex at its midpoint, or -1
    abut_mesh_elements elements;
    abut_mesh_topology topology;
} splitter;

static const double piece_limit = 1e8; // about 10 GB of mesh; more is most likely a mistake in the length

static double length_squared(const abut_mesh_elements *elements, int a, int b)
{
    return abut_norm_squared(abut_sub(elements->vertices[a], elements->vertices[b]));
}

// Estimates from below how many triangles and segments the result will have, from areas and longest sides. Fails if
// there are too many.
static abut_status check_size(const abut_mesh *mesh, double length, abut_error *error)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    double count = 0.0;
    for (int i = 0; i < elements.triangle_count; ++i) {
        const int *t = elements.triangles + 3 * (size_t)i;
        const abut_vec3 *v = elements.vertices;
        double longest = fmax(length_squared(&elements, t[0], t[1]),
                              fmax(length_squared(&elements, t[1], t[2]), length_squared(&elements, t[2], t[0])));
        double area = abut_norm(abut_cross(abut_sub(v[t[1]], v[t[0]]), abut_sub(v[t[2]], v[t[0]])));
        count += fmax(1.0, sqrt(longest) / length + area / (length * length));
    }
    for (int i = 0; i < elements.segment_count; ++i) {
        const int *ends = elements.segments + 2 * (size_t)i;
        count += fmax(1.0, sqrt(length_squared(&elements, ends[0], ends[1])) / length);
    }
    if (!(count <= piece_limit)) {
        return abut_fail(
            error, ABUT_LIMIT,
            "edges of at most %g need about %.2g triangles and segments; the limit is %.0g: allow longer edges",
            length, count, piece_limit);
    }
    return ABUT_OK;
}

// If an edge is only a few ulps long, its midpoint is rounded to one of its ends, or close to it.
static int is_between(abut_vec3 middle, abut_vec3 a, abut_vec3 b, double length)
{
    return abut_norm(abut_sub(middle, a)) < 0.75 * length && abut_norm(abut_sub(middle, b)) < 0.75 * length;
}

// Adds a midpoint to every long edge, and counts these edges. Returns 0 if out of memory.
static int halve_edges(splitter *s, double length, int *split_count)
{
    *split_count = 0;
    for (int i = 0; i < s->topology.edge_count; ++i) {
        const int *ends = s->topology.edge_vertices + 2 * (size_t)i;
        abut_vec3 a = s->elements.vertices[ends[0]], b = s->elements.vertices[ends[1]];
        abut_vec3 middle = abut_lerp(a, b, 0.5);
        double edge = abut_norm(abut_sub(b, a));
        s->middles[i] = -1;
        if (edge > length && is_between(middle, a, b, edge)) {
            s->middles[i] = s->parts.vertex_count;
            ++*split_count;
            if (abut_parts_add_vertex(&s->parts, middle) != ABUT_OK) {
                return 0;
            }
        }
    }
    return 1;
}

static abut_status add_triangle(splitter *s, int a, int b, int c, int source)
{
    const int corners[3] = {a, b, c};
    return abut_surface_add_face(&s->parts, &s->sources, corners, 3, source);
}

// Cuts the quadrangle a, b, c, d along its shorter diagonal, or along a c if both are equal.
static abut_status add_quadrangle(splitter *s, const int q[4], int source)
{
    const abut_vec3 *v = s->parts.vertices;
    double ac = abut_norm_squared(abut_sub(v[q[0]], v[q[2]])), bd = abut_norm_squared(abut_sub(v[q[1]], v[q[3]]));
    int k = ac <= bd ? 0 : 1;
    abut_status status = add_triangle(s, q[k], q[k + 1], q[k + 2], source);
    return status == ABUT_OK ? add_triangle(s, q[k], q[k + 2], q[(k + 3) % 4], source) : status;
}

static abut_status cut_triangle(splitter *s, int triangle, int source)
{
    const int *t = s->elements.triangles + 3 * (size_t)triangle;
    int middles[3], count = 0, last_whole = 0, last_cut = 0;
    for (int k = 0; k < 3; ++k) {
        middles[k] = s->middles[s->topology.triangle_edges[3 * (size_t)triangle + (size_t)k]];
        count += middles[k] >= 0;
        last_cut = middles[k] >= 0 ? k : last_cut;
        last_whole = middles[k] >= 0 ? last_whole : k;
    }
    if (count == 0) {
        return add_triangle(s, t[0], t[1], t[2], source);
    }
    abut_status status;
    if (count == 1) {
        int k = last_cut;
        status = add_triangle(s, t[k], middles[k], t[(k + 2) % 3], source);
        return status == ABUT_OK ? add_triangle(s, middles[k], t[(k + 1) % 3], t[(k + 2) % 3], source) : status;
    }
    if (count == 2) {
        // a b is the side that is not cut; c is opposite
        int k = last_whole, a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
        int bc = middles[(k + 1) % 3], ca = middles[(k + 2) % 3];
        const int rest[4] = {a, b, bc, ca};
        status = add_triangle(s, bc, c, ca, source);
        return status == ABUT_OK ? add_quadrangle(s, rest, source) : status;
    }
    status = add_triangle(s, middles[0], middles[1], middles[2], source);
    for (int k = 0; k < 3 && status == ABUT_OK; ++k) {
        status = add_triangle(s, t[k], middles[k], middles[(k + 2) % 3], source);
    }
    return status;
}

static abut_status cut_segments(splitter *s)
{
    const abut_context *context = &s->parts.context;
    abut_status status = ABUT_OK;
    for (int i = 0; i < s->elements.segment_count && status == ABUT_OK; ++i) {
        const int *ends = s->elements.segments + 2 * (size_t)i;
        int middle = s->middles[s->topology.segment_edges[i]];
        const int pieces[4] = {ends[0], middle >= 0 ? middle : ends[1], middle, ends[1]};
        for (int k = 0; k < (middle >= 0 ? 4 : 2) && status == ABUT_OK; ++k) {
            status = abut_ints_add(context, &s->parts.segments, pieces[k]);
        }
    }
    return status;
}

static abut_status copy_rest(splitter *s)
{
    abut_status status = ABUT_OK;
    for (int i = 0; i < s->elements.vertex_count && status == ABUT_OK; ++i) {
        status = abut_parts_add_vertex(&s->parts, s->elements.vertices[i]);
    }
    for (int i = 0; i < s->elements.point_count && status == ABUT_OK; ++i) {
        status = abut_ints_add(&s->parts.context, &s->parts.points, s->elements.points[i]);
    }
    return status;
}

// One round: replaces the mesh and the face sources of `remade`. `mesh` is the result of the last round or, in the
// first round, the original mesh.
static abut_status split_once(const abut_context *context, abut_remade *remade, const abut_mesh *mesh,
                              double length, int *split_count, abut_error *error)
{
    splitter s;
    memset(&s, 0, sizeof s);
    abut_parts_init(&s.parts, context);
    s.elements = abut_mesh_get_elements(mesh);
    s.topology = abut_mesh_get_topology(mesh);
    s.parts.precision = s.elements.precision;
    s.middles = abut_allocate(context, (size_t)s.topology.edge_count, sizeof(int));
    abut_status status = s.middles != NULL ? copy_rest(&s) : ABUT_NO_MEMORY;
    if (status == ABUT_OK && !halve_edges(&s, length, split_count)) {
        status = ABUT_NO_MEMORY;
    }
    for (int i = 0; i < s.elements.triangle_count && status == ABUT_OK; ++i) {
        int face = s.elements.triangle_faces[i];
        status = cut_triangle(&s, i, remade->face_sources != NULL ? remade->face_sources[face] : face);
    }
    if (status == ABUT_OK) {
        status = cut_segments(&s);
    }
    abut_mesh *made = NULL;
    status = status == ABUT_OK ? abut_parts_build(&s.parts, &made, error) : abut_surface_fail(error, status);
    if (status == ABUT_OK) {
        abut_mesh_destroy(remade->mesh);
        abut_free(context, remade->face_sources);
        remade->mesh = made;
        remade->face_sources = s.sources.items;
        s.sources.items = NULL;
    }
    abut_free(context, s.middles);
    abut_free(context, s.sources.items);
    abut_parts_release(&s.parts);
    return status;
}

static abut_status name_vertices(const abut_context *context, abut_remade *remade, int old_count, abut_error *error)
{
    int count = abut_mesh_get_elements(remade->mesh).vertex_count;
    remade->vertex_sources = abut_allocate(context, (size_t)count, sizeof(int));
    if (remade->vertex_sources == NULL) {
        return abut_surface_fail(error, ABUT_NO_MEMORY);
    }
    for (int i = 0; i < count; ++i) {
        remade->vertex_sources[i] = i < old_count ? i : -1;
    }
    return ABUT_OK;
}

abut_status abut_split_long_edges(const abut_context *context, const abut_mesh *mesh, double length,
                                  abut_remade *remade, abut_error *error)
{
    if (mesh == NULL || remade == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "split: `mesh` or `remade` is NULL");
    }
    memset(remade, 0, sizeof *remade);
    abut_context kept = abut_context_or_default(context);
    if (!(length > 0.0) || !isfinite(length)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "split: the greatest length of an edge must be finite and positive");
    }
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    if (elements.tet_count > 0) {
        return abut_fail(error, ABUT_UNSUPPORTED,
                         "long edges can be split on surfaces only, but this mesh has %d tetrahedra",
                         elements.tet_count);
    }
    abut_status status = check_size(mesh, length, error);
    int split_count = 1;
    while (status == ABUT_OK && split_count > 0) {
        const abut_mesh *last = remade->mesh != NULL ? remade->mesh : mesh;
        status = split_once(&kept, remade, last, length, &split_count, error);
    }
    if (status == ABUT_OK) {
        status = name_vertices(&kept, remade, elements.vertex_count, error);
    }
    if (status != ABUT_OK) {
        abut_remade_release(context, remade);
    }
    return status;
}
