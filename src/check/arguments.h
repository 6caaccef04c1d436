// SPDX-License-Identifier: MIT
// arguments.h: reading the arguments of checks and repairs
#ifndef ABUT_CHECK_ARGUMENTS_H
#define ABUT_CHECK_ARGUMENTS_H

#include <abut/check.h>

/// Copies and checks the definition and the parameters. Missing fields get their defaults. `params` may be NULL.
abut_status abut_check_read_arguments(const abut_mesh_def *def, const abut_check_params *params,
                                      abut_mesh_def *read_def, abut_check_params *read_params, abut_error *error);

#endif
