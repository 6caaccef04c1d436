// SPDX-License-Identifier: MIT
// record.c: records a simulation for `abut simulate --out`
#include "verb/record.h"

#include "shared/files.h"
#include "shared/selection.h"

/// The name was checked before, so a failed write is not bad input.
static abut_cli_exit exit_of(const abut_cli_record *record, abut_status status, const abut_error *error)
{
    if (status == ABUT_OK) {
        return ABUT_CLI_DONE;
    }
    abut_cli_exit code = abut_cli_fail_file(record->path, status, error);
    return status == ABUT_IO ? ABUT_CLI_UNFINISHED : code;
}

abut_cli_exit abut_cli_record_of(const abut_cli_arguments *arguments, const char *input, abut_world_def *def,
                                 abut_cli_record *record)
{
    record->path = abut_cli_value_of(arguments, "out");
    if (record->path == NULL) {
        return abut_cli_value_of(arguments, "timings") == NULL
                   ? ABUT_CLI_DONE
                   : abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --timings needs --out");
    }
    static const char *const switches[] = {"off", "on", NULL};
    record->has_timings = 1;
    abut_cli_exit code = abut_cli_word_of(arguments, "timings", switches, &record->has_timings);
    if (record->has_timings) {
        record->clock = abut_step_clock_default();
        def->callbacks = abut_step_clock_callbacks(&record->clock);
    }
    code = code != ABUT_CLI_DONE ? code : abut_cli_check_writable(record->path);
    return code != ABUT_CLI_DONE ? code : abut_cli_check_different(input, record->path);
}

abut_cli_exit abut_cli_record_begin(abut_cli_record *record, const abut_setup *setup,
                                    const abut_simulation *simulation, int is_named)
{
    if (record->path == NULL) {
        return ABUT_CLI_DONE;
    }
    abut_error error = {0};
    abut_status status = ABUT_OK;
    if (is_named && abut_cli_is_case(setup->name)) {
        status = abut_case_create(NULL, setup->name, NULL, &record->known_case, &error);
    } else if (is_named && abut_cli_is_one_of(abut_scene_names, setup->name)) {
        status = abut_scene_create(NULL, setup->name, NULL, &record->known_scene, &error);
    }
    if (status != ABUT_OK) {
        return abut_cli_fail_status(status, &error);
    }
    abut_recorder_def recorder = abut_recorder_def_default();
    recorder.path = record->path;
    recorder.setup = setup;
    recorder.simulation = simulation;
    recorder.known_case = record->known_case;
    recorder.known_scene = record->known_scene;
    return exit_of(record, abut_recorder_create(NULL, &recorder, &record->recorder, &error), &error);
}

abut_cli_exit abut_cli_record_add(abut_cli_record *record)
{
    abut_error error = {0};
    const abut_recording_timing *timing = record->has_timings ? &record->clock.timing : NULL;
    return record->recorder == NULL ? ABUT_CLI_DONE
                                    : exit_of(record, abut_recorder_add(record->recorder, timing, &error), &error);
}

abut_cli_exit abut_cli_record_finish(abut_cli_record *record, abut_recording_end end, const char *reason)
{
    abut_error error = {0};
    return record->recorder == NULL
               ? ABUT_CLI_DONE
               : exit_of(record, abut_recorder_finish(record->recorder, end, reason, &error), &error);
}

void abut_cli_record_release(abut_cli_record *record)
{
    abut_recorder_destroy(record->recorder);
    abut_case_destroy(record->known_case);
    abut_scene_destroy(record->known_scene);
}
