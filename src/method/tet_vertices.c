// SPDX-License-Identifier: MIT
// tet_vertices.c: vertices of one mesh in tetrahedra of another
#include "method/tet_vertices.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "method/shape.h"
#include "prim/point_tet.h"
#include "prim/tet_tet.h"

#include <abut/predicates.h>

/// What the function of a pair sees.
typedef struct search {
    const abut_tet_vertices *task;
    const int *owners[2]; ///< of A and B: by vertex, the tetrahedron that owns it, or -1
} search;

abut_status abut_tet_vertices_prepare(const abut_shape *shape, const abut_params *params,
                                      const abut_context *context, void **data, abut_error *error)
{
    (void)params;
    const abut_mesh *mesh = abut_shape_mesh(shape);
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    const int *triangles = abut_mesh_get_topology(mesh).tet_triangles;
    int *owners = abut_allocate(context, (size_t)elements.vertex_count, sizeof *owners);
    if (owners == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory to prepare a mesh of %d vertices",
                         elements.vertex_count);
    }
    for (int i = 0; i < elements.vertex_count; ++i) {
        owners[i] = -1;
    }
    for (int tet = 0; tet < elements.tet_count; ++tet) {
        const int *faces = &triangles[4 * tet];
        if (faces[0] < 0 && faces[1] < 0 && faces[2] < 0 && faces[3] < 0) {
            continue; // inner tetrahedra are not among the pairs
        }
        for (int k = 0; k < 4; ++k) {
            int *owner = &owners[elements.tets[4 * tet + k]];
            *owner = *owner < 0 ? tet : *owner;
        }
    }
    *data = owners;
    return ABUT_OK;
}

void abut_tet_vertices_release(void *data, const abut_context *context)
{
    abut_free(context, data);
}

double abut_tet_vertex_height(const abut_tet_vertex *found, int face, abut_vec3 point)
{
    return abut_dot(found->normals[face], abut_sub(point, found->corners[abut_tet_faces[face][0]]));
}

/// Sets the four normals of the host's tetrahedron. Returns 0 if it has no volume, which is decided exactly, or no
/// normal.
static int find_normals(abut_tet_vertex *found)
{
    const int *tet = &found->host->elements.tets[4 * found->host_tet];
    const abut_vec3 *vertices = found->host->vertices;
    int sign = 0;
    (void)abut_orient3d(vertices[tet[0]], vertices[tet[1]], vertices[tet[2]], vertices[tet[3]], &sign);
    int has_normals = sign != 0;
    for (int k = 0; k < 4; ++k) {
        const int *face = abut_tet_faces[k];
        abut_vec3 origin = found->corners[face[0]];
        abut_vec3 normal = abut_unit(
            abut_cross(abut_sub(found->corners[face[1]], origin), abut_sub(found->corners[face[2]], origin)));
        found->normals[k] = sign < 0 ? abut_negate(normal) : normal;
        has_normals = has_normals && abut_norm_squared(normal) > 0.0;
    }
    return has_normals;
}

static int is_inside(const abut_tet_vertex *found, const abut_tet_vertices *task)
{
    double highest = -HUGE_VAL;
    for (int k = 0; k < 4; ++k) {
        highest = fmax(highest, found->heights[k]);
    }
    if (highest <= 0.0) {
        return 1;
    }
    double weights[4]; // at a sharp corner a point near all planes may be far from the tetrahedron
    return highest <= task->reach &&
           abut_point_tet_distance_squared(found->position, found->corners, weights) <= task->reach * task->reach;
}

static int owns_vertex(const int *owners, const abut_placed *side, int tet, int vertex)
{
    const int *offsets = &side->topology.vertex_triangle_offsets[vertex];
    return owners[vertex] == tet && offsets[1] > offsets[0];
}

static int is_in_box(abut_vec3 p, abut_box box, double margin)
{
    abut_vec3 beyond = abut_max(abut_sub(box.lower, p), abut_sub(p, box.upper));
    return abut_max_component(beyond) <= margin;
}

/// Sets the heights of the vertex. Returns 0 if it is far from the box of the tetrahedron, or if the tetrahedron is
/// flat. `has_normals` is 0 at first, then 1, or -1 if the tetrahedron is flat.
static int find_heights(abut_tet_vertex *found, abut_box box, double margin, int *has_normals, abut_stats *stats)
{
    found->position = abut_placed_vertex(found->guest, found->vertex);
    if (!is_in_box(found->position, box, margin)) {
        return 0;
    }
    if (*has_normals == 0) {
        *has_normals = find_normals(found) ? 1 : -1;
        stats->degenerate_elements += *has_normals < 0;
    }
    for (int k = 0; k < 4; ++k) {
        found->heights[k] = abut_tet_vertex_height(found, k, found->position);
    }
    return *has_normals > 0;
}

/// Tests the vertices of a tetrahedron of the guest against one of the host.
static void look_for_vertices(const abut_local *local, int host_is_b, int host_tet, int guest_tet,
                              abut_local_output *output)
{
    const search *s = local->user;
    abut_tet_vertex found = {.local = local,
                             .host = host_is_b ? &local->b : &local->a,
                             .guest = host_is_b ? &local->a : &local->b,
                             .host_is_b = host_is_b,
                             .host_tet = host_tet};
    const int *vertices = &found.guest->elements.tets[4 * guest_tet];
    const int *owners = s->owners[!host_is_b];
    abut_box box = abut_box_empty();
    int is_placed = 0, has_normals = 0;
    for (int i = 0; i < 4; ++i) {
        if (!owns_vertex(owners, found.guest, guest_tet, vertices[i])) {
            continue;
        }
        if (!is_placed) {
            is_placed = 1;
            abut_placed_tet(found.host, host_tet, found.corners);
            for (int k = 0; k < 4; ++k) {
                box = abut_box_add(box, found.corners[k]);
            }
        }
        found.vertex = vertices[i];
        if (find_heights(&found, box, s->task->reach, &has_normals, &output->stats) && is_inside(&found, s->task)) {
            s->task->function(&found, output);
        }
    }
}

static void look_at_pair(const abut_local *local, int tet_a, int tet_b, abut_local_output *output)
{
    ++output->stats.tested_pairs;
    look_for_vertices(local, 0, tet_a, tet_b, output);
    look_for_vertices(local, 1, tet_b, tet_a, output);
}

abut_status abut_tet_vertices_run(const abut_query *query, const abut_tet_vertices *task, abut_sink *sink)
{
    search s = {.task = task,
                .owners = {abut_query_data(query, abut_side_shape(&query->pair->a)),
                           abut_query_data(query, abut_side_shape(&query->pair->b))}};
    abut_local local;
    abut_status status = abut_local_begin(&local, query, &s, sink);
    if (status != ABUT_OK) {
        return status;
    }
    abut_local_task pairs = {.kind_a = ABUT_ELEMENT_TET,
                             .kind_b = ABUT_ELEMENT_TET,
                             .margin = task->reach,
                             .is_surface_only = 1,
                             .contact_limit = 2 * 4 * 4, // vertices with faces
                             .function = look_at_pair};
    return abut_local_run(&local, &pairs, sink);
}

/// Adds a contact of the vertex and its foot on the plane of a surface face. `is_arbitrary`: other faces are as good.
static void add_contact(const abut_tet_vertex *found, int face, int is_arbitrary, abut_local_output *output)
{
    const abut_placed *host = found->host;
    abut_vec3 normal = found->normals[face];
    abut_vec3 foot = abut_add_scaled(found->position, -found->heights[face], normal);
    abut_anchor on_plane = abut_tet_anchor(host, found->host_tet, found->corners, foot);
    abut_anchor at_vertex = abut_vertex_anchor(found->vertex);
    abut_feature vertex = abut_feature_vertex(found->vertex);
    int host_face = host->elements.triangle_faces[abut_tet_vertex_triangle(found, face)];
    abut_contact c = {.normal_feature = abut_feature_face(host_face)};
    c.position_a = found->host_is_b ? found->position : foot;
    c.position_b = found->host_is_b ? foot : found->position;
    c.normal = found->host_is_b ? abut_negate(normal) : normal;
    c.normal_side = found->host_is_b ? ABUT_NORMAL_B : ABUT_NORMAL_A;
    c.feature_a = found->host_is_b ? vertex : c.normal_feature;
    c.feature_b = found->host_is_b ? c.normal_feature : vertex;
    c.anchor_a = found->host_is_b ? at_vertex : on_plane;
    c.anchor_b = found->host_is_b ? on_plane : at_vertex;
    if (is_arbitrary) {
        c.rule = ABUT_RULE_NONE;
        ++output->stats.arbitrary_normals;
    }
    abut_local_contact(output, &c);
}

void abut_tet_vertex_nearest(const abut_tet_vertex *found, const double distances[4], abut_local_output *output)
{
    double least = fmin(fmin(distances[0], distances[1]), fmin(distances[2], distances[3]));
    double limit = least + found->local->query->tolerance;
    int count = 0;
    for (int k = 0; k < 4; ++k) {
        count += distances[k] < HUGE_VAL && distances[k] <= limit;
    }
    for (int k = 0; k < 4; ++k) {
        if (distances[k] < HUGE_VAL && distances[k] <= limit) {
            add_contact(found, k, count > 1, output);
        }
    }
}
