// SPDX-License-Identifier: MIT
// vertex_only.c: vertices inside tetrahedra, with the normal of the nearest surface face
//
// A vertex of one body in a tetrahedron of the other gives a contact at the vertex, with the normal of the surface
// face of that tetrahedron whose plane is nearest. A tetrahedron without a surface face gives none.
//
// Source:  Erleben 2018, section 6 ("Vertex only").
// Differs: only vertices of the surface count.
//          "In" means within max(tolerance, envelope) of the tetrahedron, so that bodies that touch have contacts.
//          Faces that are equally near, within the tolerance, all give a contact. The distance to a face is that to
//          its plane.
// Cost:    linear in the pairs of tetrahedra at the surfaces whose boxes overlap.
// Fails:   edges that cross without a vertex inside are missed. A vertex near a side face gets the normal of that face
//          (cliff-edges). In coarse meshes the only surface face of a tetrahedron may be on the far side.
#include "method/methods.h"
#include "method/program_query.h"
#include "method/tet_vertices.h"

static void add_nearest_face(const abut_tet_vertex *found, abut_local_output *output)
{
    double distances[4];
    for (int k = 0; k < 4; ++k) {
        distances[k] = abut_tet_vertex_triangle(found, k) >= 0 ? -found->heights[k] : HUGE_VAL;
    }
    abut_tet_vertex_nearest(found, distances, output);
}

static abut_status query_vertex_only(const abut_query *query, abut_sink *sink)
{
    abut_tet_vertices task = {.reach = fmax(query->tolerance, query->envelope), .function = add_nearest_face};
    abut_program_task program = {.test = ABUT_PROGRAM_VERTEX_ONLY};
    abut_status status;
    return abut_program_answers(query, &program, sink, &status) ? status
                                                                : abut_tet_vertices_run(query, &task, sink);
}

static const abut_option_info options[] = {
    ABUT_READING_OPTION(": the farthest surface face instead of the nearest, without tolerance"),
    ABUT_PRECISION_OPTION,
};

const abut_method abut_method_vertex_only = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "vertex-only",
    .summary = "vertices inside tetrahedra, with the normal of the nearest surface face",
    .source = "Erleben 2018, section 6",
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
    .query = query_vertex_only,
};
