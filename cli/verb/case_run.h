// SPDX-License-Identifier: MIT
// case_run.h: a method on a case of two bodies
#ifndef ABUT_CLI_CASE_RUN_H
#define ABUT_CLI_CASE_RUN_H

#include "shared/query_options.h"
#include "verb/assessment.h"

/// A case with a shape of each body.
typedef struct abut_cli_case {
    abut_case *item;
    abut_shape *a, *b;
} abut_cli_case;

/// Release with abut_cli_case_release(), also after a failure.
abut_cli_exit abut_cli_case_load(const char *name, const abut_case_params *params, abut_cli_case *loaded);
void abut_cli_case_release(abut_cli_case *loaded);

/// What a row says of its case, whatever the method finds.
void abut_cli_case_name(const abut_cli_case *loaded, abut_cli_row *row);

/// Fills the measures of a row.
void abut_cli_case_measure(const abut_cli_case *loaded, abut_case_poses poses, const abut_sample *samples,
                           int count, abut_cli_row *row);

/// The contacts of a case as they are scored, and where its bodies are.
typedef struct abut_cli_found {
    abut_sample *samples;
    int count;
    abut_case_poses poses;
    double raw, filtered, fallbacks; ///< as in a row
    abut_error error;
} abut_cli_found;

/// Asks for the contacts in a state, which may be that of a simulation. Release `found->samples` with free(), also
/// after a failure.
abut_status abut_cli_case_find(const abut_cli_query *query, const abut_cli_case *loaded, const char *state,
                               abut_workspace *workspace, abut_cli_found *found);

/// Asks for the contacts in the state of the row, and fills it.
void abut_cli_case_run(const abut_cli_query *query, const abut_cli_case *loaded, abut_workspace *workspace,
                       abut_cli_row *row);

#endif
