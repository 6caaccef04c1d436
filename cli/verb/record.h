// SPDX-License-Identifier: MIT
// record.h: records a simulation for `abut simulate --out`
#ifndef ABUT_CLI_RECORD_H
#define ABUT_CLI_RECORD_H

#include "shared/options.h"

#include <abut-lab/recording.h>

/// The recording of a simulation. Without a path, all functions do nothing.
typedef struct abut_cli_record {
    const char *path;
    int has_timings;
    abut_step_clock clock; ///< measures the phases of a step
    abut_case *known_case;
    abut_scene *known_scene;
    abut_recorder *recorder;
} abut_cli_record;

/// Reads the options --out and --timings. `input` is the file or name of the scene; it must not be the output file.
/// With timings, adds a clock to the world's definition.
abut_cli_exit abut_cli_record_of(const abut_cli_arguments *arguments, const char *input, abut_world_def *def,
                                 abut_cli_record *record);

/// Creates the file, before the first step. `is_named`: the setup is a case or scene of the laboratory, whose correct
/// contacts are known.
abut_cli_exit abut_cli_record_begin(abut_cli_record *record, const abut_setup *setup,
                                    const abut_simulation *simulation, int is_named);
abut_cli_exit abut_cli_record_add(abut_cli_record *record);
abut_cli_exit abut_cli_record_finish(abut_cli_record *record, abut_recording_end end, const char *reason);
void abut_cli_record_release(abut_cli_record *record);

#endif
