// SPDX-License-Identifier: MIT
// simulate_output.h: prints a simulation
#ifndef ABUT_CLI_SIMULATE_OUTPUT_H
#define ABUT_CLI_SIMULATE_OUTPUT_H

#include "shared/output.h"

#include <abut-lab/lab.h>

/// What is printed of a step.
typedef struct abut_cli_step {
    int64_t step;
    double time;
    int contact_count, pair_count, iterations;
    abut_solve_outcome outcome;
    double residual;
    abut_world_energy energy;
    double moved; ///< the largest distance of a body, or of a vertex of a soft one, from its start
    int churn;    ///< contacts that began or ended
    int event_count;
    double stepped_time;
    int cut_count, impact_count, held_count;
    double lost_time;
    double force;           ///< on the watched bodies, or the sum of the normal forces between all bodies
    abut_vec3 force_vector; ///< on the watched bodies
    double deepest;         ///< overlap of a contact
    double contact_step;    ///< as in abut_world_report, and so are the next three; infinite without penalty forces
    int tracked_count, unsettled_count, inverted_count;
} abut_cli_step;

/// A simulation that has ended.
typedef struct abut_cli_simulated {
    const abut_setup *setup;
    const abut_world_def *def;
    const abut_world *world;
    const abut_cli_step *steps;
    int step_count;
    const abut_world_event *events; ///< of all steps
    int event_count;
    const char *end; ///< "done", "interrupted" or "failed"
} abut_cli_simulated;

abut_cli_exit abut_cli_simulated_print(const abut_cli_simulated *simulated, abut_cli_format format);

#endif
