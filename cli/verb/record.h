// SPDX-License-Identifier: MIT
// record.h: the recording of `abut simulate --out`
#ifndef ABUT_CLI_RECORD_H
#define ABUT_CLI_RECORD_H

#include "shared/options.h"

#include <abut-lab/recording.h>

/// A file that a simulation goes to; without a path nothing is done.
typedef struct abut_cli_record {
    const char *path;
    int has_timings;
    abut_step_clock clock; ///< of timings
    abut_case *known_case;
    abut_scene *known_scene;
    abut_recorder *recorder;
} abut_cli_record;

/// The options --out and --timings; `input` is the file or name of the scene, which must be another file. For
/// timings the world's definition gets a clock.
abut_cli_exit abut_cli_record_of(const abut_cli_arguments *arguments, const char *input, abut_world_def *def,
                                 abut_cli_record *record);

/// Makes the file of a simulation that has done no step. `is_named`: the setup is a case or scene of the
/// laboratory, whose right contacts are known.
abut_cli_exit abut_cli_record_begin(abut_cli_record *record, const abut_setup *setup,
                                    const abut_simulation *simulation, int is_named);
abut_cli_exit abut_cli_record_add(abut_cli_record *record);
abut_cli_exit abut_cli_record_finish(abut_cli_record *record, abut_recording_end end, const char *reason);
void abut_cli_record_release(abut_cli_record *record);

#endif
