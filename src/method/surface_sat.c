// SPDX-License-Identifier: MIT
// surface_sat.c: contacts along the axis of least overlap of two tetrahedra, of axes of the true surface alone
//
// As volume-sat, but only faces and edges on the surface of the mesh give an axis.
//
// Source:  Erleben 2018, section 6 ("Surface-SAT"); skip-flat-edges is the remedy that section 7.4 names and did
//          not explore.
// Differs: as volume-sat. An edge is on the surface where a surface triangle has it, be it of another tetrahedron;
//          reading=program asks for a surface face of the same tetrahedron. Flat is an edge between two triangles
//          with parallel normals (parameter angle): that holds for open meshes and soft bodies as well, where there
//          is no B-rep.
// Cost:    as volume-sat, and a search for each edge: logarithmic in the number of edges of the mesh.
// Fails:   tetrahedra that touch in a point have axes beside the right one: cliff-edges, internal-edges (section 7.4).
#include "method/methods.h"
#include "method/sat.h"

typedef struct surface_options {
    abut_reading reading;
    int skips_flat_edges;
} surface_options;

static abut_sat_features surface_features(const abut_tet_element *element, const surface_options *options,
                                          double angle)
{
    abut_sat_features features = {.faces = element->surface_faces};
    for (int edge = 0; edge < 6; ++edge) {
        const int *faces = abut_tet_edges[5 - edge];
        int surface_edge = abut_tet_surface_edge(element, edge);
        int is_on_surface = options->reading == ABUT_READING_TEXT
                                ? surface_edge >= 0
                                : (element->surface_faces & (1u << faces[0] | 1u << faces[1])) != 0;
        if (is_on_surface && !(options->skips_flat_edges && surface_edge >= 0 &&
                               abut_placed_edge_is_flat(element->side, surface_edge, angle))) {
            features.edges |= 1u << edge;
        }
    }
    return features;
}

static void look_at_pair(const abut_local *local, int element_a, int element_b, abut_local_output *output)
{
    const surface_options *options = local->user;
    abut_tet_pair pair;
    if (abut_tet_pair_begin(local, element_a, element_b, output, &pair)) {
        const abut_sat_features features[2] = {surface_features(&pair.first, options, local->query->angle),
                                               surface_features(&pair.second, options, local->query->angle)};
        abut_sat_contacts(&pair, features, options->reading, output);
    }
}

static abut_status query_surface_sat(const abut_query *query, abut_sink *sink)
{
    surface_options options = {.reading = (abut_reading)abut_query_option(query, "reading"),
                               .skips_flat_edges = abut_query_option(query, "skip-flat-edges") != 0.0};
    return abut_tet_pairs_run(query, &options, look_at_pair, sink);
}

static const abut_option_info options[] = {
    ABUT_READING_OPTION,
    {.name = "skip-flat-edges",
     .help = "yes: edges between two triangles of one plane give no axis",
     .choices = abut_no_yes_choices,
     .is_of_query = 1},
};

const abut_method abut_method_surface_sat = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "surface-sat",
    .summary = "the axis of least overlap of two tetrahedra, from features of the surface only",
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
