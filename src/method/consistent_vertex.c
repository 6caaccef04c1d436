// SPDX-License-Identifier: MIT
// consistent_vertex.c: vertices inside tetrahedra, with the normal of the face through which their edges enter
//
// A vertex of one body in a tetrahedron of the other gives a contact at the vertex, with the normal of the surface
// face of that tetrahedron that the edges at the vertex cross nearest to it.
//
// Source:  Erleben 2018, section 6 ("Consistent vertex"), after Heidelberger et al. 2004.
// Differs: the edges are those of the surface at the vertex. An edge crosses a face if it ends in front of it by more
//          than the tolerance and meets the triangle within max(tolerance, envelope). An edge that starts on the face
//          or in front of it crosses at its start, so that bodies that touch have contacts. Faces that are crossed
//          equally near, within the tolerance, all give a contact.
// Cost:    linear in the pairs of tetrahedra at the surfaces whose boxes overlap, and in the edges at vertices inside.
// Fails:   edges that cross without a vertex inside are missed. A vertex so deep that its edges leave the tetrahedron
//          through an inner face has no contact.
#include "method/methods.h"
#include "method/program_query.h"
#include "method/tet_vertices.h"
#include "prim/point_triangle.h"

/// The distance from the vertex at which its edge to `end` crosses a face; HUGE_VAL if it does not.
static double distance_of_crossing(const abut_tet_vertex *found, int face, abut_vec3 end)
{
    const abut_query *query = found->local->query;
    double start_height = found->heights[face], end_height = abut_tet_vertex_height(found, face, end);
    if (!(end_height > fmax(start_height, 0.0) + query->tolerance)) {
        return HUGE_VAL;
    }
    double t = start_height < 0.0 ? start_height / (start_height - end_height) : 0.0;
    abut_vec3 crossing = abut_lerp(found->position, end, t), triangle[3];
    double reach = fmax(query->tolerance, query->envelope), weights[3];
    for (int k = 0; k < 3; ++k) {
        triangle[k] = found->corners[(face + 1 + k) % 4];
    }
    if (!(abut_point_triangle_distance_squared(crossing, triangle, weights) <= reach * reach)) {
        return HUGE_VAL;
    }
    return abut_norm(abut_sub(crossing, found->position));
}

static void add_nearest_crossing(const abut_tet_vertex *found, abut_local_output *output)
{
    const abut_mesh_topology *topology = &found->guest->topology;
    double distances[4] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    int end = topology->vertex_edge_offsets[found->vertex + 1];
    for (int i = topology->vertex_edge_offsets[found->vertex]; i < end; ++i) {
        const int *ends = &topology->edge_vertices[2 * topology->vertex_edges[i]];
        abut_vec3 other = abut_placed_vertex(found->guest, ends[ends[0] == found->vertex]);
        for (int k = 0; k < 4; ++k) {
            if (abut_tet_vertex_triangle(found, k) >= 0) {
                distances[k] = fmin(distances[k], distance_of_crossing(found, k, other));
            }
        }
    }
    abut_tet_vertex_nearest(found, distances, output);
}

static abut_status query_consistent_vertex(const abut_query *query, abut_sink *sink)
{
    abut_tet_vertices task = {.reach = fmax(query->tolerance, query->envelope), .function = add_nearest_crossing};
    abut_program_task program = {.test = ABUT_PROGRAM_CONSISTENT_VERTEX};
    abut_status status;
    return abut_program_answers(query, &program, sink, &status) ? status
                                                                : abut_tet_vertices_run(query, &task, sink);
}

static const abut_option_info options[] = {
    ABUT_READING_OPTION(": a contact per edge, from the planes of surface faces, without tolerance"),
    ABUT_PRECISION_OPTION,
};

const abut_method abut_method_consistent_vertex = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "consistent-vertex",
    .summary = "vertices inside tetrahedra, with the normal of the face through which their edges enter",
    .source = "Erleben 2018, section 6; Heidelberger et al. 2004",
    .taxonomy = {.locality = ABUT_LOCAL,
                 .is_exact = 0,
                 .is_continuous = 0,
                 .representation = ABUT_VOLUME_BASED,
                 .normals = ABUT_NORMAL_VOLUME_POINTS,
                 .traits = {0, 0, 2, 2}},
    .needs = ABUT_NEEDS_TRIANGLES | ABUT_NEEDS_TETS | ABUT_NEEDS_TET_TREE,
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .prepare = abut_tet_vertices_prepare,
    .release = abut_tet_vertices_release,
    .query = query_consistent_vertex,
};
