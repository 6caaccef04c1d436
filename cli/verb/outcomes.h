// SPDX-License-Identifier: MIT
// outcomes.h: whole simulations: how many contacts they have over time, and how structures fare
#ifndef ABUT_CLI_OUTCOMES_H
#define ABUT_CLI_OUTCOMES_H

#include "verb/case_run.h"
#include "verb/scene_run.h"

/// What is asked for, all of it loaded.
typedef struct abut_cli_outcomes {
    const abut_cli_arguments *arguments;
    const abut_cli_methods *methods;
    const abut_cli_list *case_names, *scene_names;
    const abut_cli_case *cases;   ///< as many as `case_names`
    const abut_cli_scene *scenes; ///< as many as `scene_names`
    int steps;
    int is_compared;         ///< both readings of each method, beside the paper's numbers
    const char *counts_path; ///< for the numbers of contacts of all steps as CSV, or NULL
} abut_cli_outcomes;

/// Simulates every method on every case and scene, on all threads, and prints.
abut_cli_exit abut_cli_outcomes_run(const abut_cli_outcomes *asked, abut_cli_format format);

#endif
