// SPDX-License-Identifier: MIT
// setup_source.h: setups by name or from scene files
#ifndef ABUT_CLI_SETUP_SOURCE_H
#define ABUT_CLI_SETUP_SOURCE_H

#include "shared/options.h"

#include <abut-lab/simulation.h>

/// The setup of a name of the laboratory, or of a scene file: a name that ends in .json. A misspelt name is refused with
/// the most likely one. With `is_repaired`, the mesh files of a scene file are repaired; notes on stderr say
/// what was done.
abut_cli_exit abut_cli_setup_load(const char *name, int is_repaired, abut_setup **setup, int *is_file);

/// All names, separated by commas. Release with free().
char *abut_cli_setup_names(void);

#endif
