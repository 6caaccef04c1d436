// SPDX-License-Identifier: MIT
// convex_names.c: the mesh features that the edges and faces of a convex shape are named by
#include "base/memory.h"
#include "convex/convex.h"

static abut_feature no_feature(void)
{
    abut_feature feature = {.kind = ABUT_FEATURE_NONE, .index = -1, .vertices = {-1, -1}};
    return feature;
}

// The feature of a mesh edge; kind none if `edge` is -1.
static abut_feature name_edge(const abut_mesh *mesh, int edge, int is_merged)
{
    if (edge < 0) {
        return no_feature();
    }
    abut_mesh_topology topology = abut_mesh_get_topology(mesh);
    abut_feature feature = {.kind = ABUT_FEATURE_EDGE,
                            .index = edge,
                            .vertices = {topology.edge_vertices[2 * edge], topology.edge_vertices[2 * edge + 1]},
                            .is_merged = is_merged};
    return feature;
}

static abut_feature name_face(int face, int is_merged)
{
    abut_feature feature = {.kind = ABUT_FEATURE_FACE, .index = face, .vertices = {-1, -1}, .is_merged = is_merged};
    return feature;
}

void abut_convex_name_own(abut_convex *shape, const abut_brep_elements *brep, const abut_mesh *mesh,
                          const int *rank)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    for (int e = 0; e < brep->edge_count; ++e) {
        const abut_brep_edge *edge = &brep->edges[e];
        shape->edge_features[rank[e]] = name_edge(mesh, edge->source_edge, edge->mesh_edge_count > 1);
    }
    for (int f = 0; f < shape->face_count; ++f) {
        const abut_brep_face *face = &brep->faces[f];
        int is_merged = 0;
        for (int i = 0; i < face->triangle_count; ++i) {
            int triangle = brep->face_triangles[face->triangle_begin + i];
            is_merged |= elements.triangle_faces[triangle] != face->source_face;
        }
        shape->face_features[f] = name_face(face->source_face, is_merged);
    }
}

// Number of mesh triangles at a corner of a face.
static int count_triangles(const abut_convex *shape, const abut_mesh_topology *topology, int corner)
{
    int vertex = shape->point_sources[shape->face_points[corner]];
    return topology->vertex_triangle_offsets[vertex + 1] - topology->vertex_triangle_offsets[vertex];
}

// Finds the two corners of a face with the most mesh triangles.
static void find_busiest(const abut_convex *shape, const abut_mesh_topology *topology, int face, int busiest[2])
{
    int counts[2] = {-1, -1};
    for (int i = shape->face_begin[face]; i < shape->face_begin[face + 1]; ++i) {
        int count = count_triangles(shape, topology, i);
        if (count > counts[0]) {
            busiest[1] = busiest[0], counts[1] = counts[0];
            busiest[0] = i, counts[0] = count;
        } else if (count > counts[1]) {
            busiest[1] = i, counts[1] = count;
        }
    }
}

// Returns the lowest-numbered mesh face that has a triangle whose corners are all corners of the hull face `face`, or
// -1. `marks` holds `face` at the mesh vertices that are its corners. `count` exceeds 1 if several mesh faces qualify.
// A triangle has three corners, so it is found without looking at the two corners that have the most triangles. That
// makes the sum over all faces linear in the mesh: join the corners of each face to its busiest one, which gives a
// planar graph; the lesser counts at the ends of its edges sum to at most three times the sum over all vertices
// (Chiba and Nishizeki 1985).
static int find_face(abut_convex *shape, const abut_mesh *mesh, const int *marks, int face, int *count)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_mesh_topology topology = abut_mesh_get_topology(mesh);
    int found = -1, busiest[2] = {-1, -1};
    find_busiest(shape, &topology, face, busiest);
    *count = 0;
    for (int i = shape->face_begin[face]; i < shape->face_begin[face + 1]; ++i) {
        if (i == busiest[0] || i == busiest[1]) {
            continue;
        }
        int vertex = shape->point_sources[shape->face_points[i]];
        shape->work += count_triangles(shape, &topology, i);
        for (int k = topology.vertex_triangle_offsets[vertex]; k < topology.vertex_triangle_offsets[vertex + 1];
             ++k) {
            int triangle = topology.vertex_triangles[k], source = elements.triangle_faces[triangle];
            const int *corners = &elements.triangles[3 * triangle];
            if (marks[corners[0]] == face && marks[corners[1]] == face && marks[corners[2]] == face &&
                source != found) {
                ++*count;
                found = found < 0 || source < found ? source : found;
            }
        }
    }
    return found;
}

abut_status abut_convex_name_by_vertices(abut_convex *shape, const abut_mesh *mesh)
{
    int vertex_count = abut_mesh_get_elements(mesh).vertex_count;
    int *marks = abut_allocate(&shape->context, (size_t)vertex_count, sizeof *marks);
    if (marks == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < vertex_count; ++i) {
        marks[i] = -1;
    }
    for (int i = 0; i < shape->edge_count; ++i) {
        const int *points = shape->edges[i].points;
        int edge = abut_mesh_find_edge(mesh, shape->point_sources[points[0]], shape->point_sources[points[1]]);
        shape->edge_features[i] = name_edge(mesh, edge, 0);
    }
    for (int f = 0; f < shape->face_count; ++f) {
        for (int i = shape->face_begin[f]; i < shape->face_begin[f + 1]; ++i) {
            marks[shape->point_sources[shape->face_points[i]]] = f;
        }
        int count, face = find_face(shape, mesh, marks, f, &count);
        shape->face_features[f] = face < 0 ? no_feature() : name_face(face, count > 1);
    }
    abut_free(&shape->context, marks);
    return ABUT_OK;
}
