// SPDX-License-Identifier: MIT
// verbs.h: all verbs of the command, one or more per file
#ifndef ABUT_CLI_VERBS_H
#define ABUT_CLI_VERBS_H

#include "shared/options.h"

extern const abut_cli_verb abut_cli_methods_verb;
extern const abut_cli_verb abut_cli_cases_verb;
extern const abut_cli_verb abut_cli_mesh_info_verb;
extern const abut_cli_verb abut_cli_mesh_check_verb;
extern const abut_cli_verb abut_cli_mesh_convert_verb;
extern const abut_cli_verb abut_cli_mesh_tetrahedralize_verb;
extern const abut_cli_verb abut_cli_contacts_verb;
extern const abut_cli_verb abut_cli_distance_verb;
extern const abut_cli_verb abut_cli_locate_verb;
extern const abut_cli_verb abut_cli_ccd_verb;
extern const abut_cli_verb abut_cli_assess_verb;
extern const abut_cli_verb abut_cli_simulate_verb;
extern const abut_cli_verb abut_cli_export_verb;
extern const abut_cli_verb abut_cli_draw_verb;
extern const abut_cli_verb abut_cli_view_verb;
extern const abut_cli_verb abut_cli_report_verb;
extern const abut_cli_verb abut_cli_study_perturbation_verb;
extern const abut_cli_verb abut_cli_study_refinement_verb;
extern const abut_cli_verb abut_cli_study_timestep_verb;
extern const abut_cli_verb abut_cli_study_spin_verb;
extern const abut_cli_verb abut_cli_study_merge_verb;
extern const abut_cli_verb abut_cli_bench_verb;

/// All of them, in the order of `abut --help`.
extern const abut_cli_verb *const abut_cli_verbs[];
extern const int abut_cli_verb_count;

extern const char abut_cli_about[];       ///< what the command does, in a few words
extern const char abut_cli_conventions[]; ///< what holds for all verbs: streams and exit codes

#endif
