// SPDX-License-Identifier: MIT
// feature.c: features of a mesh by kind and index, and those behind the parts of a B-rep
#include "base/error.h"
#include "method/brep_feature.h"

static abut_feature make_feature(abut_feature_kind kind, int index)
{
    abut_feature feature = {.kind = kind, .index = index, .vertices = {-1, -1}};
    return feature;
}

abut_feature abut_feature_vertex(int vertex)
{
    return make_feature(ABUT_FEATURE_VERTEX, vertex);
}

abut_feature abut_feature_edge(const abut_mesh *mesh, int edge)
{
    abut_feature feature = make_feature(ABUT_FEATURE_EDGE, edge);
    abut_mesh_topology topology = abut_mesh_get_topology(mesh);
    ABUT_ASSERT(edge >= 0 && edge < topology.edge_count);
    feature.vertices[0] = topology.edge_vertices[2 * edge];
    feature.vertices[1] = topology.edge_vertices[2 * edge + 1];
    return feature;
}

abut_feature abut_feature_face(int face)
{
    return make_feature(ABUT_FEATURE_FACE, face);
}

abut_feature abut_feature_tet(int tet)
{
    return make_feature(ABUT_FEATURE_TET, tet);
}

abut_feature abut_brep_feature(const int *edge_vertices, const int *triangle_faces, const abut_brep_elements *brep,
                               abut_location location)
{
    abut_feature feature = make_feature(ABUT_FEATURE_NONE, -1);
    if (location.place == ABUT_PLACE_VERTEX) {
        feature = make_feature(ABUT_FEATURE_VERTEX, brep->vertices[location.entity].source_vertex);
    } else if (location.place == ABUT_PLACE_EDGE) {
        const abut_brep_edge *edge = &brep->edges[location.entity];
        feature = make_feature(ABUT_FEATURE_EDGE, edge->source_edge);
        feature.vertices[0] = edge_vertices[2 * (size_t)edge->source_edge];
        feature.vertices[1] = edge_vertices[2 * (size_t)edge->source_edge + 1];
        feature.is_merged = edge->mesh_edge_count > 1;
    } else if (location.place == ABUT_PLACE_FACE) {
        const abut_brep_face *face = &brep->faces[location.entity];
        feature = make_feature(ABUT_FEATURE_FACE, face->source_face);
        int last = brep->face_triangles[face->triangle_begin + face->triangle_count - 1];
        feature.is_merged = triangle_faces[last] != face->source_face;
    }
    return feature;
}
