// SPDX-License-Identifier: MIT
// study_text.h: lines of results that are not in their study yet
#ifndef ABUT_LAB_STUDY_TEXT_H
#define ABUT_LAB_STUDY_TEXT_H

#include <abut-lab/study.h>

/// Prints a result as the line of a run.
abut_status abut_study_print_as(const abut_study *study, int run, const abut_study_result *result, char **text,
                                abut_error *error);

/// Makes a result a failure with this reason. Control and non-ASCII characters become '?'.
void abut_study_fail_result(abut_study_result *result, const char *reason);

#endif
