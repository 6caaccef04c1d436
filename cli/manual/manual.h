// SPDX-License-Identifier: MIT
// manual.h: what the build makes from the verbs' tables
#ifndef ABUT_CLI_MANUAL_H
#define ABUT_CLI_MANUAL_H

#include "verb/verbs.h"

#include <stdio.h>

/// The page abut(1) in the macros of man(7). `date` stands in its footer.
void abut_manual_print_page(const char *date, FILE *out);

/// A script that completes verbs, options and values in bash.
void abut_manual_print_completion(FILE *out);

#endif
