// SPDX-License-Identifier: MIT
// study_output.h: what came out of a study: a table, a document, curves
#ifndef ABUT_CLI_STUDY_OUTPUT_H
#define ABUT_CLI_STUDY_OUTPUT_H

#include "shared/output.h"

#include <abut-lab/study.h>

/// The whole result. It depends on the plan alone: neither on who did which run nor on how long it took.
json_t *abut_cli_study_document(const abut_study *study);

/// The summary as a table or CSV, or the document: a row for each set of parameters, with statistics over the samples.
void abut_cli_study_print(const abut_study *study, abut_cli_format format, FILE *out);

/// All series as CSV: those of the runs and, where there are several samples, how they spread.
void abut_cli_study_curves(const abut_study *study, FILE *out);

#endif
