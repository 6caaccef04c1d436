// SPDX-License-Identifier: MIT
// arguments.h: reading the arguments that checks and repairs share
#ifndef ABUT_CHECK_ARGUMENTS_H
#define ABUT_CHECK_ARGUMENTS_H

#include <abut/check.h>

/// Copies definition and parameters, which may be NULL, with defaults for what they lack, and looks whether they
/// make sense.
abut_status abut_check_read_arguments(const abut_mesh_def *def, const abut_check_params *params,
                                      abut_mesh_def *read_def, abut_check_params *read_params, abut_error *error);

#endif
