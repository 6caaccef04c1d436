// SPDX-License-Identifier: MIT
// neighbourhood.c: normals at a place of a placed mesh, and which directions from it lead outside
#include "method/neighbourhood.h"

abut_vec3 abut_placed_normal(const abut_placed *side, int triangle)
{
    abut_vec3 c[3];
    abut_placed_triangle(side, triangle, c);
    return abut_unit(abut_cross(abut_sub(c[1], c[0]), abut_sub(c[2], c[0])));
}

abut_vec3 abut_placed_edge_normal(const abut_placed *side, int edge)
{
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = side->topology.edge_triangle_offsets[edge]; i < side->topology.edge_triangle_offsets[edge + 1];
         ++i) {
        sum = abut_add(sum, abut_placed_normal(side, side->topology.edge_triangles[i]));
    }
    return abut_unit(sum);
}

static double angle_at(const abut_vec3 corners[3], int k)
{
    abut_vec3 u = abut_sub(corners[(k + 1) % 3], corners[k]), v = abut_sub(corners[(k + 2) % 3], corners[k]);
    return atan2(abut_norm(abut_cross(u, v)), abut_dot(u, v));
}

abut_vec3 abut_placed_vertex_normal(const abut_placed *side, int vertex)
{
    abut_vec3 sum = {0.0, 0.0, 0.0};
    const int *offsets = side->topology.vertex_triangle_offsets;
    for (int i = offsets[vertex]; i < offsets[vertex + 1]; ++i) {
        int triangle = side->topology.vertex_triangles[i];
        abut_vec3 corners[3];
        abut_placed_triangle(side, triangle, corners);
        for (int k = 0; k < 3; ++k) {
            if (side->elements.triangles[3 * triangle + k] == vertex) {
                sum = abut_add_scaled(sum, angle_at(corners, k), abut_placed_normal(side, triangle));
            }
        }
    }
    return abut_unit(sum);
}

int abut_feature_at(const double weights[3], int *k)
{
    int zeros = 0, zero = 0, last = 0;
    for (int i = 0; i < 3; ++i) {
        zeros += weights[i] == 0.0;
        zero = weights[i] == 0.0 ? i : zero;
        last = weights[i] != 0.0 ? i : last;
    }
    *k = zeros == 1 ? (zero + 1) % 3 : last;
    return zeros;
}

abut_vec3 abut_placed_place_normal(const abut_placed *side, int triangle, const double weights[3])
{
    int k;
    switch (abut_feature_at(weights, &k)) {
    case 0: return abut_placed_normal(side, triangle);
    case 1: return abut_placed_edge_normal(side, side->topology.triangle_edges[3 * triangle + k]);
    default: return abut_placed_vertex_normal(side, side->elements.triangles[3 * triangle + k]);
    }
}

static int is_normal_of(const abut_placed *side, int triangle, abut_vec3 direction, double slack)
{
    abut_vec3 n = abut_placed_normal(side, triangle);
    return abut_dot(n, direction) > 0.0 && abut_norm(abut_cross(n, direction)) <= slack * abut_norm(direction);
}

int abut_placed_is_normal(const abut_placed *side, int triangle, const double weights[3], abut_vec3 direction,
                          double slack)
{
    int k, zeros = abut_feature_at(weights, &k), is_normal = zeros == 0;
    if (zeros == 1) {
        int edge = side->topology.triangle_edges[3 * triangle + k];
        const int *offsets = side->topology.edge_triangle_offsets;
        for (int i = offsets[edge]; i < offsets[edge + 1]; ++i) {
            is_normal |= is_normal_of(side, side->topology.edge_triangles[i], direction, slack);
        }
    } else if (zeros == 2) {
        int vertex = side->elements.triangles[3 * triangle + k];
        const int *offsets = side->topology.vertex_triangle_offsets;
        for (int i = offsets[vertex]; i < offsets[vertex + 1]; ++i) {
            is_normal |= is_normal_of(side, side->topology.vertex_triangles[i], direction, slack);
        }
    }
    return is_normal;
}

int abut_placed_is_over_edge(const abut_placed *side, int edge, abut_vec3 direction, double slack)
{
    const int *ends = &side->topology.edge_vertices[2 * edge];
    abut_vec3 start = abut_placed_vertex(side, ends[0]);
    abut_vec3 along = abut_unit(abut_sub(abut_placed_vertex(side, ends[1]), start));
    for (int i = side->topology.edge_triangle_offsets[edge]; i < side->topology.edge_triangle_offsets[edge + 1];
         ++i) {
        const int *corners = &side->elements.triangles[3 * side->topology.edge_triangles[i]];
        int third = corners[0] + corners[1] + corners[2] - ends[0] - ends[1];
        abut_vec3 across = abut_sub(abut_placed_vertex(side, third), start);
        across = abut_unit(abut_add_scaled(across, -abut_dot(across, along), along));
        if (abut_dot(across, direction) > slack) {
            return 0;
        }
    }
    return abut_dot(abut_placed_edge_normal(side, edge), direction) >= -slack;
}

int abut_placed_is_over_vertex(const abut_placed *side, int vertex, abut_vec3 direction, double slack)
{
    abut_vec3 start = abut_placed_vertex(side, vertex);
    const int *offsets = side->topology.vertex_edge_offsets;
    for (int i = offsets[vertex]; i < offsets[vertex + 1]; ++i) {
        const int *ends = &side->topology.edge_vertices[2 * side->topology.vertex_edges[i]];
        abut_vec3 along = abut_unit(abut_sub(abut_placed_vertex(side, ends[0] + ends[1] - vertex), start));
        if (abut_dot(along, direction) > slack) {
            return 0;
        }
    }
    return abut_dot(abut_placed_vertex_normal(side, vertex), direction) >= -slack;
}
