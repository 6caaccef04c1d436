// SPDX-License-Identifier: MIT
// feature.c: features of a mesh by kind and index
#include "base/error.h"

#include <abut/contact.h>

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
