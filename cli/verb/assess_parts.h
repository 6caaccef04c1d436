// SPDX-License-Identifier: MIT
// assess_parts.h: what the modes of `abut assess` share: their options, subjects, states and methods
#ifndef ABUT_CLI_ASSESS_PARTS_H
#define ABUT_CLI_ASSESS_PARTS_H

#include "shared/query_options.h"

#include <abut-lab/assess.h>

/// Options of all modes.
#define ABUT_CLI_CASE_OPTION                                                                                       \
    {                                                                                                              \
        "case", "NAME", "fundamental (default), mixed, scenes, all or names; repeatable", 1, 0                     \
    }
#define ABUT_CLI_SIZE_OPTION                                                                                       \
    {                                                                                                              \
        "scene-size", "S", "size of the cases (default: their own; compared: the paper's)", 0, 0                   \
    }

/// Options of the modes that run methods. With ABUT_CLI_QUERY_OPTIONS.
#define ABUT_CLI_METHOD_OPTION                                                                                     \
    {                                                                                                              \
        "method", "NAME", "all (default), erleben, or names; repeatable; --plugin alone: only its method", 1, 0    \
    }
#define ABUT_CLI_REFINE_OPTION                                                                                     \
    {                                                                                                              \
        "refine", "RATIO", "fine meshes of scenes: tetgen's quality ratio, or paper: 1.015", 0, 0                  \
    }

/// Options of the modes that simulate.
#define ABUT_CLI_SETTINGS_OPTION(text)                                                                             \
    {                                                                                                              \
        "settings", "abut|paper", "solver settings of simulations: " text, 0, 0                                    \
    }

/// A case or scene, loaded.
typedef struct abut_cli_subject {
    const char *name;
    abut_case *own_case; ///< or NULL
    abut_scene *scene;   ///< or NULL
    abut_subject *item;
} abut_cli_subject;

/// The cases of the option --case, and the scenes after them.
typedef struct abut_cli_subjects {
    /// Set by the caller: cases have the paper's sizes, and the pillar is added to the fundamental ones, since the
    /// paper's tables have it.
    int is_compared;
    abut_cli_subject *items;
    int count, case_count;
} abut_cli_subjects;

/// Reads --case, --scene-size and --refine. Release with abut_cli_subjects_release(), also after a failure.
abut_cli_exit abut_cli_subjects_load(const abut_cli_arguments *arguments, abut_cli_subjects *subjects);
void abut_cli_subjects_release(abut_cli_subjects *subjects);

/// A state, and the text that names it in the output: as the user wrote it.
typedef struct abut_cli_state {
    abut_state value;
    char *text;
} abut_cli_state;

/// Different states.
typedef struct abut_cli_states {
    abut_cli_state *items;
    int count;
} abut_cli_states;

/// Adds a state unless it is there. `text` NULL: as abut_state_print() has it. Returns the state, whose text belongs
/// to the list.
abut_cli_state abut_cli_states_add(abut_cli_states *states, abut_state value, const char *text);
/// Reads --state and --step. Release with abut_cli_states_release(), also after a failure.
abut_cli_exit abut_cli_states_read(const abut_cli_arguments *arguments, abut_cli_states *states);
void abut_cli_states_release(abut_cli_states *states);

/// Reads --method and --plugin. Methods of plug-ins cannot simulate, so they are bad input with --step or --steps.
/// Release with abut_cli_methods_release(), also after a failure.
abut_cli_exit abut_cli_assessed_methods(const abut_cli_arguments *arguments, abut_cli_methods *methods);

/// Reads all options that are about one method, --settings among them. Release with
/// abut_cli_query_release(), also after a failure.
abut_cli_exit abut_cli_assessed_query(const abut_cli_arguments *arguments, const abut_cli_method *method,
                                      abut_cli_query *query);

enum { ABUT_CLI_READINGS = 3 };
/// By abut_paper_reading.
extern const char *const abut_cli_reading_names[ABUT_CLI_READINGS];

/// A reading of a method of the paper, and what else is chosen.
typedef struct abut_cli_paper_choice {
    abut_paper_reading reading;
    const char *variant; ///< a method option NAME=VALUE, or ""
    int is_eroded;       ///< as in abut_paper_options()
} abut_cli_paper_choice;

/// Reads the same options for a method of the paper. Adds the method options and the solver of the paper's numbers.
abut_cli_exit abut_cli_paper_query(const abut_cli_arguments *arguments, const abut_cli_method *method,
                                   const abut_cli_paper_choice *choice, abut_cli_query *query);

/// ABUT_CLI_BAD_INPUT if --compare is not paper, or a method option is one that the comparison sets itself.
abut_cli_exit abut_cli_comparison_check(const abut_cli_arguments *arguments);

/// The text of an abut_status that is a member of a row: for ABUT_CLI_TEXT_OF().
const char *abut_cli_status_member(const void *status);

/// If a row was not finished, says so on stderr and sets `code` to ABUT_CLI_UNFINISHED. `state` may be NULL.
void abut_cli_row_exit(const char *method, const char *case_name, const char *state, abut_status status,
                       const abut_error *error, abut_cli_exit *code);

/// The settings of a query for the laboratory, valid as long as the query.
abut_assess_params abut_cli_assess_params(const abut_cli_query *query);

#endif
