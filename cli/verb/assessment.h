// SPDX-License-Identifier: MIT
// assessment.h: rows of measures, the conditions on them, and how they are printed
#ifndef ABUT_CLI_ASSESSMENT_H
#define ABUT_CLI_ASSESSMENT_H

#include "shared/output.h"
#include "verb/requirement.h"

#include <abut-lab/assess.h>

/// One method on one case or scene in one state. The texts belong to others.
typedef struct abut_cli_row {
    const char *case_name;
    const char *method;
    const char *state;
    abut_assess_row score;
} abut_cli_row;

/// A --require as given and read.
typedef struct abut_cli_condition {
    const char *text;
    abut_cli_requirement requirement;
    int is_used;  ///< it is about some row, or about a case that should have one
    int failures; ///< rows that do not meet it
} abut_cli_condition;

/// Rows ordered by method, state and case.
typedef struct abut_cli_assessment {
    abut_cli_row *rows;
    int count;
    abut_cli_condition *conditions;
    int condition_count;
    int shows_readings; ///< the table also shows the measures of the other reading
} abut_cli_assessment;

/// Reads --require and --readings. Release with abut_cli_assessment_release(), also after a failure.
abut_cli_exit abut_cli_assessment_open(const abut_cli_arguments *arguments, abut_cli_assessment *assessment);
void abut_cli_assessment_release(abut_cli_assessment *assessment);

/// Adds a row with these names and no score. The address is valid until the next call.
abut_cli_row *abut_cli_assessment_add(abut_cli_assessment *assessment, const char *case_name, const char *method,
                                      const char *state);

/// ABUT_CLI_BAD_INPUT if a condition is about none of the rows: a misspelt name must not make it hold. To be called when
/// all rows are added; they need no scores yet.
abut_cli_exit abut_cli_assessment_match(abut_cli_assessment *assessment);

abut_cli_exit abut_cli_assessment_print(const abut_cli_assessment *assessment, abut_cli_format format);

/// Checks the conditions, with a line on stderr for each row that does not meet one, writes the file of --curves, and
/// prints the rows. Returns the exit code of the command.
abut_cli_exit abut_cli_assessment_finish(abut_cli_assessment *assessment, const abut_cli_arguments *arguments,
                                         abut_cli_format format);

#endif
