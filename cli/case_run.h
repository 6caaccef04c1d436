// SPDX-License-Identifier: MIT
// case_run.h: a method on a case of two bodies
#ifndef ABUT_CLI_CASE_RUN_H
#define ABUT_CLI_CASE_RUN_H

#include "assessment.h"
#include "query.h"

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
void abut_cli_case_measure(const abut_cli_case *loaded, abut_state state, const abut_sample *samples, int count,
                           abut_cli_row *row);

/// Asks for the contacts in a state; `samples`, to be released with free(), are as many as the result has contacts.
abut_status abut_cli_case_find(const abut_cli_query *query, const abut_cli_case *loaded, abut_state state,
                               abut_workspace *workspace, abut_result *result, abut_sample **samples);

/// Asks for the contacts in the state of the row, and fills it.
void abut_cli_case_run(const abut_cli_query *query, const abut_cli_case *loaded, abut_workspace *workspace,
                       abut_cli_row *row);

#endif
