// SPDX-License-Identifier: MIT
// motion_run.h: cases and scenes that move on the contacts of a method
#ifndef ABUT_CLI_MOTION_RUN_H
#define ABUT_CLI_MOTION_RUN_H

#include "shared/query_options.h"

/// A state "step:K" is the K-th detection of a simulation. Gives K, or 0 for other states.
int abut_cli_step_of(const char *state);

/// Adds the states of the option --step, each once.
abut_cli_exit abut_cli_steps_read(const abut_cli_arguments *arguments, abut_cli_list *states);

/// ABUT_CLI_BAD_INPUT where a method is that of a plug-in, which cannot simulate.
abut_cli_exit abut_cli_methods_check_motion(const abut_cli_methods *methods);

/// The options --settings and --fallback; what is not given stays as it is.
abut_cli_exit abut_cli_motion_options(const abut_cli_arguments *arguments, abut_cli_query *query);

/// The option --fallback: the method for bodies too deep in each other, convex ones too.
abut_cli_exit abut_cli_fallback_of(const abut_cli_arguments *arguments, abut_cli_fallback *fallback);
/// The world stays as it is where the option was not given.
void abut_cli_fallback_apply(const abut_cli_fallback *fallback, abut_world_def *def);

/// The setup's world with the method and the settings of a query, which must outlive the definition. `prox` is memory
/// for the solver's parameters, to which the definition may point.
abut_world_def abut_cli_world_def(const abut_cli_query *query, const abut_setup *setup, abut_prox_params *prox);

/// A simulation that has come to a detection.
typedef struct abut_cli_motion {
    abut_simulation *simulation;
    abut_detection detection; ///< with normals as the query scores them
} abut_cli_motion;

/// Simulates to a detection. Release with abut_cli_motion_release(), also after a failure.
abut_status abut_cli_motion_run(const abut_cli_query *query, const abut_setup *setup, int step,
                                abut_cli_motion *motion, abut_error *error);
void abut_cli_motion_release(abut_cli_motion *motion);

#endif
