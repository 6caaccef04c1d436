// SPDX-License-Identifier: MIT
// view_mesh.c: a mesh for the viewer: vertices about their centre, triangles, edges with the sharp ones first
#include "verb/view_mesh.h"

#include <stdlib.h>

/// The surface bends by more than 30 degrees at a sharp edge, as in drawings.
static const double SHARP_COSINE = 0.8660254037844387;

static abut_vec3 normal_of(const abut_mesh_elements *e, int triangle)
{
    const int *t = e->triangles + 3 * (size_t)triangle;
    return abut_unit(
        abut_cross(abut_sub(e->vertices[t[1]], e->vertices[t[0]]), abut_sub(e->vertices[t[2]], e->vertices[t[0]])));
}

typedef enum edge_class { EDGE_INNER, EDGE_FINE, EDGE_SHARP } edge_class;

/// Inner edges cut a polygon into triangles.
static edge_class class_of(const abut_mesh_elements *e, const abut_mesh_topology *topology, int edge)
{
    const int *at = topology->edge_triangles + topology->edge_triangle_offsets[edge];
    int count = topology->edge_triangle_offsets[edge + 1] - topology->edge_triangle_offsets[edge];
    if (count == 2 && e->triangle_faces[at[0]] == e->triangle_faces[at[1]]) {
        return EDGE_INNER;
    }
    return count == 2 && abut_dot(normal_of(e, at[0]), normal_of(e, at[1])) > SHARP_COSINE ? EDGE_FINE : EDGE_SHARP;
}

abut_vec3 abut_cli_view_centre(const abut_mesh *mesh)
{
    abut_box box = abut_mesh_get_elements(mesh).bounds;
    return abut_scale(0.5, abut_add(box.lower, box.upper));
}

/// Edges of tetrahedra inside a solid are not drawn.
static int is_drawn(const abut_mesh_elements *e, const abut_mesh_topology *topology, int edge)
{
    return e->tet_count == 0 || topology->edge_triangle_offsets[edge + 1] > topology->edge_triangle_offsets[edge];
}

static int put_edges(const abut_mesh_elements *e, const abut_mesh_topology *topology, edge_class class,
                     abut_cli_bytes *bytes)
{
    int count = 0;
    for (int i = 0; i < topology->edge_count; ++i) {
        if (is_drawn(e, topology, i) && class_of(e, topology, i) == class) {
            abut_cli_put_int(bytes, topology->edge_vertices[2 * (size_t)i]);
            abut_cli_put_int(bytes, topology->edge_vertices[2 * (size_t)i + 1]);
            ++count;
        }
    }
    return count;
}

void abut_cli_view_put_mesh(const abut_mesh *mesh, abut_cli_bytes *bytes)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_mesh_topology topology = abut_mesh_get_topology(mesh);
    abut_vec3 centre = abut_cli_view_centre(mesh);
    abut_cli_bytes edges = {0};
    int sharp = put_edges(&e, &topology, EDGE_SHARP, &edges);
    int fine = put_edges(&e, &topology, EDGE_FINE, &edges);
    const int counts[] = {e.vertex_count, e.triangle_count, sharp, fine, e.point_count, 0};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        abut_cli_put_int(bytes, counts[i]);
    }
    abut_cli_put_vec3(bytes, centre);
    for (int i = 0; i < e.vertex_count; ++i) {
        abut_vec3 v = abut_sub(e.vertices[i], centre);
        abut_cli_put_float(bytes, v.x);
        abut_cli_put_float(bytes, v.y);
        abut_cli_put_float(bytes, v.z);
    }
    for (int i = 0; i < 3 * e.triangle_count; ++i) {
        abut_cli_put_int(bytes, e.triangles[i]);
    }
    for (int i = 0; i < e.triangle_count; ++i) {
        abut_cli_put_int(bytes, e.triangle_faces[i]);
    }
    if (edges.size > 0) {
        memcpy(abut_cli_bytes_room(bytes, edges.size), edges.data, edges.size);
    }
    for (int i = 0; i < e.point_count; ++i) {
        abut_cli_put_int(bytes, e.points[i]);
    }
    free(edges.data);
}
