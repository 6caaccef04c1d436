// SPDX-License-Identifier: MIT
// closed.c: whether a mesh is the closed, oriented surface of a solid
#include "mesh/closed.h"

#include "base/error.h"

// Whether a triangle runs along an edge from its first vertex to its second.
static int runs_along(const int *corners, const int *edge)
{
    for (int i = 0; i < 3; ++i) {
        if (corners[i] == edge[0] && corners[(i + 1) % 3] == edge[1]) {
            return 1;
        }
    }
    return 0;
}

static abut_status check_edge(const abut_mesh_elements *elements, const abut_mesh_topology *t, int edge,
                              abut_error *error)
{
    const int *v = t->edge_vertices + 2 * edge;
    const int *triangles = t->edge_triangles + t->edge_triangle_offsets[edge];
    int count = t->edge_triangle_offsets[edge + 1] - t->edge_triangle_offsets[edge];
    if (count == 1) {
        return abut_fail_element(error, ABUT_UNSUPPORTED, edge,
                                 "the mesh is open: edge %d between vertices %d and %d has only one triangle", edge,
                                 v[0], v[1]);
    }
    if (count > 2) {
        return abut_fail_element(error, ABUT_UNSUPPORTED, edge,
                                 "edge %d between vertices %d and %d has %d triangles; it must have two", edge,
                                 v[0], v[1], count);
    }
    if (count == 2 && runs_along(elements->triangles + 3 * triangles[0], v) ==
                          runs_along(elements->triangles + 3 * triangles[1], v)) {
        return abut_fail_element(error, ABUT_UNSUPPORTED, edge,
                                 "triangles %d and %d face opposite sides: both run along the edge between "
                                 "vertices %d and %d in the same direction",
                                 triangles[0], triangles[1], v[0], v[1]);
    }
    return ABUT_OK;
}

abut_status abut_mesh_check_closed(const abut_mesh *mesh, abut_error *error)
{
    abut_mesh_info info = abut_mesh_get_info(mesh);
    if (info.is_closed && info.is_oriented) {
        return ABUT_OK;
    }
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_mesh_topology topology = abut_mesh_get_topology(mesh);
    if (elements.triangle_count == 0) {
        return abut_fail(error, ABUT_UNSUPPORTED, "the mesh has no faces, so it bounds no solid");
    }
    abut_status status = ABUT_OK;
    for (int i = 0; status == ABUT_OK && i < topology.edge_count; ++i) {
        status = check_edge(&elements, &topology, i, error);
    }
    return status != ABUT_OK ? status : abut_fail(error, ABUT_UNSUPPORTED, "the mesh is not closed and oriented");
}
