// SPDX-License-Identifier: MIT
// surface_sat.c: contacts along the axis of least overlap of two tetrahedra, from features of the surface only
//
// Like volume-sat, but only faces and edges on the surface of the mesh give an axis.
//
// Source:  Erleben 2018, section 6 ("Surface-SAT"); skip-flat-edges is the remedy that section 7.4 suggests but does
//          not explore.
// Differs: like volume-sat. An edge is on the surface if it belongs to a surface triangle, also one of another
//          tetrahedron; reading=program needs a surface face of the same tetrahedron. An edge is flat if its two
//          triangles have parallel normals (parameter angle); this needs no B-rep, so it works for open meshes and
//          soft bodies too.
// Cost:    like volume-sat, and a search for each edge, logarithmic in the number of edges of the mesh.
// Fails:   tetrahedra that touch in a point have other axes besides the right one: cliff-edges, internal-edges
//          (section 7.4).
#include "method/methods.h"
#include "method/program_query.h"
#include "method/sat.h"

static abut_sat_features surface_features(const abut_tet_element *element, int skips_flat_edges, double angle)
{
    abut_sat_features features = {.faces = element->surface_faces};
    for (int edge = 0; edge < 6; ++edge) {
        int surface_edge = abut_tet_surface_edge(element, edge);
        if (surface_edge >= 0 &&
            !(skips_flat_edges && abut_placed_edge_is_flat(element->side, surface_edge, angle))) {
            features.edges |= 1u << edge;
        }
    }
    return features;
}

static void look_at_pair(const abut_local *local, int element_a, int element_b, abut_local_output *output)
{
    const int *skips_flat_edges = local->user;
    abut_tet_pair pair;
    if (abut_tet_pair_begin(local, element_a, element_b, output, &pair)) {
        const abut_sat_features features[2] = {
            surface_features(&pair.first, *skips_flat_edges, local->query->angle),
            surface_features(&pair.second, *skips_flat_edges, local->query->angle)};
        abut_sat_contacts(&pair, features, output);
    }
}

static abut_status query_surface_sat(const abut_query *query, abut_sink *sink)
{
    int skips_flat_edges = abut_query_option(query, "skip-flat-edges") != 0.0;
    abut_program_task program = {
        .test = ABUT_PROGRAM_SAT, .is_surface_sat = 1, .skips_flat_edges = skips_flat_edges};
    abut_status status;
    return abut_program_answers(query, &program, sink, &status)
               ? status
               : abut_tet_pairs_run(query, &skips_flat_edges, look_at_pair, sink);
}

static const abut_option_info options[] = {
    ABUT_READING_OPTION(""),
    ABUT_PRECISION_OPTION,
    {.name = "skip-flat-edges",
     .help = "yes: edges between two triangles of one plane give no axis",
     .choices = abut_no_yes_choices,
     .is_of_query = 1},
};

const abut_method abut_method_surface_sat = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "surface-sat",
    .summary = "axis of least overlap of two tetrahedra, from features of the surface only",
    .source = "Erleben 2018, section 6",
    .taxonomy = {.locality = ABUT_LOCAL,
                 .is_exact = 1,
                 .is_continuous = 0,
                 .representation = ABUT_SURFACE_BASED,
                 .normals = ABUT_NORMAL_FEATURE_TYPES,
                 .traits = {2, 2, 2, 2}},
    .needs = ABUT_NEEDS_TETS | ABUT_NEEDS_TET_TREE,
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .query = query_surface_sat,
};
