// SPDX-License-Identifier: MIT
// info.c: what kind of surface the triangles of a mesh form
#include "base/error.h"
#include "base/memory.h"
#include "mesh/mesh.h"

#include <string.h>

// Whether the triangle runs through the edge from its lower to its upper vertex.
static int runs_upward(const abut_mesh *mesh, int triangle, int edge)
{
    const int *edges = mesh->topology.triangle_edges + 3 * (size_t)triangle;
    int k = edges[0] == edge ? 0 : edges[1] == edge ? 1 : 2;
    return mesh->elements.triangles[3 * (size_t)triangle + (size_t)k] ==
           mesh->topology.edge_vertices[2 * (size_t)edge];
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

static int corner_of(const abut_mesh *mesh, int triangle, int vertex)
{
    const int *corners = mesh->elements.triangles + 3 * (size_t)triangle;
    return corners[0] == vertex ? 0 : corners[1] == vertex ? 1 : 2;
}

// Marks the corners at `vertex` that are reached from `triangle` by leaving it through edge `out`.
static void walk_fan(const abut_mesh *mesh, int vertex, int triangle, int out, unsigned char *seen)
{
    const abut_mesh_topology *topology = &mesh->topology;
    for (;;) {
        size_t left = 3 * (size_t)triangle + (size_t)out;
        int crossed = topology->triangle_edges[left];
        triangle = topology->triangle_neighbours[left];
        if (triangle < 0) {
            return;
        }
        int corner = corner_of(mesh, triangle, vertex);
        if (seen[3 * (size_t)triangle + (size_t)corner]) {
            return;
        }
        seen[3 * (size_t)triangle + (size_t)corner] = 1;
        // of the two edges at the corner, go on through the one that we did not come by
        out =
            topology->triangle_edges[3 * (size_t)triangle + (size_t)corner] == crossed ? (corner + 2) % 3 : corner;
    }
}

static void count_non_manifold_vertices(abut_mesh *mesh, unsigned char *seen)
{
    const abut_mesh_topology *topology = &mesh->topology;
    for (int vertex = 0; vertex < mesh->elements.vertex_count; ++vertex) {
        int fan_count = 0;
        for (int i = topology->vertex_triangle_offsets[vertex]; i < topology->vertex_triangle_offsets[vertex + 1];
             ++i) {
            int triangle = topology->vertex_triangles[i];
            int corner = corner_of(mesh, triangle, vertex);
            if (!seen[3 * (size_t)triangle + (size_t)corner]) {
                seen[3 * (size_t)triangle + (size_t)corner] = 1;
                ++fan_count;
                walk_fan(mesh, vertex, triangle, corner, seen);
                walk_fan(mesh, vertex, triangle, (corner + 2) % 3, seen);
            }
        }
        mesh->info.non_manifold_vertex_count += fan_count > 1;
    }
}

// Measured from the centre of the box, so that a mesh far from the origin loses no digits.
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
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for the vertices of a mesh");
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
