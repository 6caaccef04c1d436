// SPDX-License-Identifier: MIT
// study_output.h: prints the result of a study: table, JSON document, curves
#ifndef ABUT_CLI_STUDY_OUTPUT_H
#define ABUT_CLI_STUDY_OUTPUT_H

#include "shared/output.h"

#include <abut-lab/study.h>

/// The whole result. It depends on the plan only, not on which process did which run, nor on timing.
json_t *abut_cli_study_document(const abut_study *study);

/// Prints the summary as table or CSV (a row per set of parameters, with statistics over the samples), or the
/// document.
void abut_cli_study_print(const abut_study *study, abut_cli_format format, FILE *out);

/// Prints all series as CSV: those of the runs and, with several samples, how they vary.
void abut_cli_study_curves(const abut_study *study, FILE *out);

#endif
