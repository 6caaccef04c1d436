// SPDX-License-Identifier: MIT
// assessment.h: rows of measures, and how they are printed
#ifndef ABUT_CLI_ASSESSMENT_H
#define ABUT_CLI_ASSESSMENT_H

#include "shared/output.h"
#include "verb/requirement.h"

#include <abut-lab/scene.h>

enum { ABUT_CLI_MAX_PLATEAUS = 8 };

/// What is measured of scenes alone.
typedef struct abut_cli_scene_row {
    abut_scene_measures measures;
    abut_scene_curves curves;
    abut_scene_plateau plateaus[ABUT_CLI_MAX_PLATEAUS];
    int plateau_count;
    int feature_minimum; ///< 0: the paper has none
} abut_cli_scene_row;

/// One method on one case in one state. The texts belong to others, except `message`.
typedef struct abut_cli_row {
    const char *case_name;
    const char *method;
    const char *state;
    int minimum;                            ///< 0: the case has no truth, and the row no score
    int has_two_readings;                   ///< the readings expect different contacts
    abut_status status;                     ///< ABUT_OK: there are measures
    char *message;                          ///< why there are none, or NULL
    abut_measures measures[2];              ///< by reading
    double raw_contacts, filtered_contacts; ///< NaN where they are not known
    double fallbacks;          ///< pairs of bodies that the second method answered; NaN outside simulations
    abut_cli_scene_row *scene; ///< or NULL; belongs to the row
} abut_cli_row;

/// A --require as given and read, and how many rows do not meet it.
typedef struct abut_cli_condition {
    const char *text;
    abut_cli_requirement requirement;
    int failures;
} abut_cli_condition;

/// Rows ordered by method, state and case.
typedef struct abut_cli_assessment {
    abut_cli_row *rows;
    int count;
    abut_cli_condition *conditions;
    int condition_count;
    int shows_readings; ///< the table shows the measures of the other reading too
} abut_cli_assessment;

/// Adds an empty row.
abut_cli_row *abut_cli_assessment_add(abut_cli_assessment *assessment);

abut_cli_exit abut_cli_assessment_print(const abut_cli_assessment *assessment, abut_cli_format format);

/// The sorted curves of all scenes as CSV; release with free().
char *abut_cli_assessment_curves(const abut_cli_assessment *assessment);

/// Releases what belongs to a row.
void abut_cli_row_release(abut_cli_row *row);

/// Counts rows that do not meet their conditions, with a line on stderr for each.
void abut_cli_assessment_check(abut_cli_assessment *assessment);

void abut_cli_assessment_release(abut_cli_assessment *assessment);

#endif
