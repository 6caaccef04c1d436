// SPDX-License-Identifier: MIT
// comparison.h: measures beside the numbers that the paper prints
#ifndef ABUT_CLI_COMPARISON_H
#define ABUT_CLI_COMPARISON_H

#include "case_run.h"
#include "scenes.h"

/// What is compared, all of it loaded.
typedef struct abut_cli_compared {
    const abut_cli_arguments *arguments;
    const abut_cli_methods *methods;
    const abut_cli_list *case_names, *scene_names;
    const abut_cli_case *cases;   ///< as many as `case_names`
    const abut_cli_scene *scenes; ///< as many as `scene_names`
    const char *state;            ///< of all cases, or NULL: the one that each is compared in
} abut_cli_compared;

/// ABUT_CLI_BAD_INPUT where an option does not go with --compare.
abut_cli_exit abut_cli_comparison_check(const abut_cli_arguments *arguments);

/// Runs every method in both readings, with a row more for `skip-flat-edges`, and prints.
abut_cli_exit abut_cli_comparison_run(const abut_cli_compared *compared, abut_cli_format format);

#endif
