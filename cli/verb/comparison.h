// SPDX-License-Identifier: MIT
// comparison.h: measures beside the numbers that the paper prints
#ifndef ABUT_CLI_COMPARISON_H
#define ABUT_CLI_COMPARISON_H

#include "verb/case_run.h"
#include "verb/scene_run.h"

/// What is compared, all of it loaded.
typedef struct abut_cli_compared {
    const abut_cli_arguments *arguments;
    const abut_cli_methods *methods;
    const abut_cli_list *case_names, *scene_names;
    const abut_cli_case *cases;   ///< as many as `case_names`
    const abut_cli_scene *scenes; ///< as many as `scene_names`
    const char *state;            ///< of all cases, or NULL: the one that each is compared in
} abut_cli_compared;

enum { ABUT_CLI_READINGS = 2 };
/// How a method is made: "text", as the paper's text has it, or "program", as the author's program does.
extern const char *const abut_cli_reading_names[ABUT_CLI_READINGS];

/// A method in a reading, with the options and the solver that the paper's numbers are for, and the option
/// `variant`, or "". Release with abut_cli_query_release(), also after a failure.
abut_cli_exit abut_cli_paper_query(const abut_cli_arguments *arguments, const abut_cli_method *method,
                                   const char *reading, const char *variant, abut_cli_query *query);

/// ABUT_CLI_BAD_INPUT where an option does not go with --compare.
abut_cli_exit abut_cli_comparison_check(const abut_cli_arguments *arguments);

/// Runs every method in both readings, with a row more for `skip-flat-edges`, and prints.
abut_cli_exit abut_cli_comparison_run(const abut_cli_compared *compared, abut_cli_format format);

#endif
