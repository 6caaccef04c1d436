// SPDX-License-Identifier: MIT
// info.c: counts of boundary, non-manifold and misoriented edges, and area and volume of a mesh
#include "base/error.h"
#include "base/memory.h"
#include "mesh/mesh.h"
#include "mesh/sides.h"

// Whether the triangle runs along the edge from its lower to its upper vertex.
static int runs_upward(const abut_mesh *mesh, int triangle, int edge)
{
    int side = abut_side_at_edge(&mesh->topology, triangle, edge);
    return abut_side_start(&mesh->elements, side) == mesh->topology.edge_vertices[2 * (size_t)edge];
}

static void count_edge_kinds(abut_mesh *mesh)
{
    const abut_mesh_topology *topology = &mesh->topology;
    abut_mesh_info *info = &mesh->info;
    for (int i = 0; i < topology->edge_count; ++i) {
        int begin = topology->edge_triangle_offsets[i];
        int count = topology->edge_triangle_offsets[i + 1] - begin;
        const int *around = topology->edge_triangles + begin;
        info->boundary_edge_count += count == 1;
        info->non_manifold_edge_count += count > 2;
        info->misoriented_edge_count +=
            count == 2 && runs_upward(mesh, around[0], i) == runs_upward(mesh, around[1], i);
    }
}

// Walks around a vertex, leaving the first triangle through side `out`, and marks the corners on the way (a corner
// has the number of the side that begins there). Also crosses misoriented edges.
static void walk_fan(const abut_mesh *mesh, int vertex, int out, unsigned char *seen)
{
    const abut_mesh_topology *topology = &mesh->topology;
    for (;;) {
        int crossed = topology->triangle_edges[out], triangle = topology->triangle_neighbours[out];
        if (triangle < 0) {
            return;
        }
        int corner = abut_side_at_corner(&mesh->elements, triangle, vertex);
        if (seen[corner]) {
            return;
        }
        seen[corner] = 1;
        // leave through the side at the corner that we did not come through
        out = topology->triangle_edges[corner] == crossed ? abut_side_previous(corner) : corner;
    }
}

static void count_non_manifold_vertices(abut_mesh *mesh, unsigned char *seen)
{
    const abut_mesh_topology *topology = &mesh->topology;
    for (int vertex = 0; vertex < mesh->elements.vertex_count; ++vertex) {
        int fan_count = 0;
        int end = topology->vertex_triangle_offsets[vertex + 1];
        for (int i = topology->vertex_triangle_offsets[vertex]; i < end; ++i) {
            int corner = abut_side_at_corner(&mesh->elements, topology->vertex_triangles[i], vertex);
            if (!seen[corner]) {
                seen[corner] = 1;
                ++fan_count;
                walk_fan(mesh, vertex, corner, seen);
                walk_fan(mesh, vertex, abut_side_previous(corner), seen);
            }
        }
        mesh->info.non_manifold_vertex_count += fan_count > 1;
    }
}

// Computes area and volume relative to the centre of the box, so that a mesh far from the origin loses no digits.
static void measure(abut_mesh *mesh)
{
    const abut_mesh_elements *elements = &mesh->elements;
    abut_vec3 center = abut_box_center(elements->bounds);
    double area = 0.0, volume = 0.0;
    for (int i = 0; i < elements->triangle_count; ++i) {
        const int *corners = elements->triangles + 3 * (size_t)i;
        abut_vec3 a = abut_sub(elements->vertices[corners[0]], center);
        abut_vec3 b = abut_sub(elements->vertices[corners[1]], center);
        abut_vec3 c = abut_sub(elements->vertices[corners[2]], center);
        abut_vec3 normal = abut_cross(abut_sub(b, a), abut_sub(c, a));
        area += 0.5 * abut_norm(normal);
        volume += abut_dot(a, normal) / 6.0;
    }
    mesh->info.area = area;
    mesh->info.volume = mesh->info.is_closed && mesh->info.is_oriented ? volume : 0.0;
}

abut_status abut_mesh_make_info(abut_mesh *mesh, abut_error *error)
{
    abut_mesh_info *info = &mesh->info;
    unsigned char *seen = abut_allocate_zeroed(&mesh->context, (size_t)mesh->elements.triangle_count, 3);
    if (seen == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for the vertices of a mesh");
    }
    count_edge_kinds(mesh);
    count_non_manifold_vertices(mesh, seen);
    abut_free(&mesh->context, seen);
    info->is_closed =
        mesh->elements.triangle_count > 0 && info->boundary_edge_count == 0 && info->non_manifold_edge_count == 0;
    info->is_oriented = info->misoriented_edge_count == 0 && info->non_manifold_edge_count == 0;
    measure(mesh);
    return ABUT_OK;
}
