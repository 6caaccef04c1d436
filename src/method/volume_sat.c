// SPDX-License-Identifier: MIT
// volume_sat.c: contacts along the axis of least overlap of two tetrahedra
//
// Of the 44 axes that can separate two tetrahedra (8 faces, 36 pairs of edges), the one with the least overlap is the
// normal. The corners of the intersection, projected to the plane through their mean, are the contacts.
//
// Source:  Erleben 2018, section 6 ("Volume-SAT").
// Differs: the text does not say what "precedence" of faces over edges means; here an edge axis must be better by more
//          than the tolerance. Gaps up to max(tolerance, envelope) count as touching. reading=program:
//          depth and plane come from the extreme points, and faces win exact ties only.
// Cost:    linear in the pairs of tetrahedra whose boxes overlap; no allocation.
// Fails:   inner faces and edges of the mesh give axes too: the "morning star" of section 7.4 (cliff-edges,
//          internal-edges).
#include "method/methods.h"
#include "method/program_query.h"
#include "method/sat.h"

static void look_at_pair(const abut_local *local, int element_a, int element_b, abut_local_output *output)
{
    const abut_sat_features features[2] = {abut_sat_all_features(), abut_sat_all_features()};
    abut_tet_pair pair;
    if (abut_tet_pair_begin(local, element_a, element_b, output, &pair)) {
        abut_sat_contacts(&pair, features, output);
    }
}

static abut_status query_volume_sat(const abut_query *query, abut_sink *sink)
{
    abut_program_task program = {.test = ABUT_PROGRAM_SAT};
    abut_status status;
    return abut_program_answers(query, &program, sink, &status)
               ? status
               : abut_tet_pairs_run(query, NULL, look_at_pair, sink);
}

static const abut_option_info options[] = {ABUT_READING_OPTION(""), ABUT_PRECISION_OPTION};

const abut_method abut_method_volume_sat = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "volume-sat",
    .summary = "axis of least overlap of two tetrahedra, at the corners of their intersection",
    .source = "Erleben 2018, section 6",
    .taxonomy = {.locality = ABUT_LOCAL,
                 .is_exact = 1,
                 .is_continuous = 0,
                 .representation = ABUT_VOLUME_BASED,
                 .normals = ABUT_NORMAL_FEATURE_TYPES,
                 .traits = {2, 2, 2, 2}},
    .needs = ABUT_NEEDS_TETS | ABUT_NEEDS_TET_TREE,
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .query = query_volume_sat,
};
