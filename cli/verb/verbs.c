// SPDX-License-Identifier: MIT
// verbs.c: the table of all verbs
#include "verb/verbs.h"

const abut_cli_verb *const abut_cli_verbs[] = {
    &abut_cli_methods_verb,
    &abut_cli_cases_verb,
    &abut_cli_mesh_info_verb,
    &abut_cli_mesh_check_verb,
    &abut_cli_mesh_convert_verb,
    &abut_cli_mesh_tetrahedralize_verb,
    &abut_cli_contacts_verb,
    &abut_cli_distance_verb,
    &abut_cli_locate_verb,
    &abut_cli_ccd_verb,
    &abut_cli_assess_verb,
    &abut_cli_simulate_verb,
    &abut_cli_export_verb,
    &abut_cli_draw_verb,
    &abut_cli_view_verb,
    &abut_cli_report_verb,
    &abut_cli_study_perturbation_verb,
    &abut_cli_study_refinement_verb,
    &abut_cli_study_timestep_verb,
    &abut_cli_study_spin_verb,
    &abut_cli_study_merge_verb,
#if defined(ABUT_CLI_BENCH)
    &abut_cli_bench_verb,
#endif
};
const int abut_cli_verb_count = sizeof abut_cli_verbs / sizeof abut_cli_verbs[0];

const char abut_cli_about[] = "contact points between meshes, and how good they are";

const char abut_cli_conventions[] =
    "Results go to stdout, messages to stderr. Exit code 0: done; 1: done, but a --require does not\n"
    "hold; 2: wrong usage or bad input; 3: not finished (out of memory, interrupted, a failed run).\n"
    "Pages such as docs/cases.md are in the source, and in share/doc/abut of an installation.\n";
