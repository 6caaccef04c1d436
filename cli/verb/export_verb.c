// SPDX-License-Identifier: MIT
// export_verb.c: abut export RUN.h5
#include "verb/export.h"

#include "shared/files.h"
#include "shared/layout.h"
#include "verb/verbs.h"

#include <stdlib.h>

typedef abut_cli_exit export_function(const abut_recording *recording, const char *path, int every,
                                      abut_cli_list *files);

static const struct {
    const char *option;
    export_function *write;
} targets[] = {{"vtk", abut_cli_export_vtk}, {"csv", abut_cli_export_csv}, {"gltf", abut_cli_export_gltf}};
enum { TARGET_COUNT = sizeof targets / sizeof targets[0] };

abut_cli_exit abut_cli_export_text(const char *folder, const char *name, abut_cli_text *text, abut_cli_list *files)
{
    char *path = abut_cli_print("%s/%s", folder, name);
    abut_cli_exit code = abut_cli_write_printed(path, text);
    abut_cli_list_add(files, path);
    free(path);
    return code;
}

/// What is printed: the recording and the files that were written.
typedef struct export_summary {
    const abut_recording *recording;
    abut_cli_list files;
} export_summary;

static const char *end_text(const void *end)
{
    return abut_recording_end_text(*(const abut_recording_end *)end);
}

static const abut_cli_member recording_members[] = {
    {"scene", "scene", ABUT_CLI_CHARS_AT(abut_recording, about.scene)},
    {"method", "method", ABUT_CLI_CHARS_AT(abut_recording, about.method)},
    {"dt", "dt", ABUT_CLI_AT(abut_recording, about.dt)},
    {"end", "end", ABUT_CLI_TEXT_OF(abut_recording, about.end, end_text)},
    {"reason", NULL, ABUT_CLI_CHARS_AT(abut_recording, about.reason), .place = ABUT_CLI_JSON_ONLY},
    {"bodies", "bodies", ABUT_CLI_AT(abut_recording, body_count)},
    {"steps", "steps", ABUT_CLI_AT(abut_recording, step_count)},
    {"contacts", "contacts", ABUT_CLI_AT(abut_recording, contact_count)},
    {"regions", "regions", ABUT_CLI_AT(abut_recording, regions.count)},
    {"hash", "hash", ABUT_CLI_AT(abut_recording, hash)},
};
static const abut_cli_layout recording_layout = ABUT_CLI_LAYOUT(recording_members);

static const abut_cli_member summary_members[] = {
    {NULL, NULL, ABUT_CLI_PART_TO(export_summary, recording, recording_layout)},
    {"files", NULL, ABUT_CLI_JSON_OF(export_summary, files, abut_cli_json_list)},
    {"files", "files", ABUT_CLI_AT(export_summary, files.count), .place = ABUT_CLI_COLUMNS_ONLY},
};
static const abut_cli_layout summary_layout = ABUT_CLI_LAYOUT(summary_members);

static abut_cli_exit print_summary(const export_summary *summary, abut_cli_format format)
{
    abut_cli_report report = {&summary_layout, summary, {&summary_layout, summary, 1, sizeof *summary}, NULL};
    return abut_cli_report_print(&report, format);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    const char *path = arguments->operands[0];
    abut_recording *recording = NULL;
    export_summary summary = {0};
    abut_cli_format format;
    int every = 1;
    abut_cli_exit code = abut_cli_format_of(arguments, &format);
    code = code != ABUT_CLI_DONE ? code : abut_cli_count_of(arguments, "every", 1, &every);
    if (code == ABUT_CLI_DONE && abut_cli_value_of(arguments, "every") != NULL &&
        abut_cli_value_of(arguments, "vtk") == NULL && abut_cli_value_of(arguments, "gltf") == NULL) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --every needs --vtk or --gltf");
    }
    const char *gltf = abut_cli_value_of(arguments, "gltf");
    code = code == ABUT_CLI_DONE && gltf != NULL ? abut_cli_check_different(path, gltf) : code;
    if (code == ABUT_CLI_DONE) {
        abut_error error = {0};
        abut_status status = abut_recording_read(NULL, path, &recording, &error);
        code = status == ABUT_OK ? ABUT_CLI_DONE : abut_cli_fail_file(path, status, &error);
    }
    for (int i = 0; i < TARGET_COUNT && code == ABUT_CLI_DONE; ++i) {
        const char *target = abut_cli_value_of(arguments, targets[i].option);
        code = target != NULL ? targets[i].write(recording, target, every, &summary.files) : code;
    }
    summary.recording = recording;
    code = code != ABUT_CLI_DONE ? code : print_summary(&summary, format);
    abut_cli_list_release(&summary.files);
    abut_recording_destroy(recording);
    return code;
}

static const abut_cli_option options[] = {
    {"vtk", "DIR",
     "write DIR/run.pvd for ParaView, with the poses, contacts and regions of each step, and the bodies once; a "
     "DIR "
     "with files of a longer run is refused",
     0, 0},
    {"csv", "DIR", "write steps.csv, bodies.csv, contacts.csv, regions.csv and outlines.csv (of regions) to DIR", 0,
     0},
    {"gltf", "FILE", "write the meshes, their motion and the contacts; binary if the name ends in .glb", 0, 0},
    {"every", "N", "of --vtk and --gltf: only every Nth step, and the last one", 0, 0},
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_export_verb = {
    .name = "export",
    .summary = "Convert a recording to files for other programs.",
    .usage = "RUN.h5 [--vtk DIR] [--csv DIR] [--gltf FILE] [--every N]",
    .details = "Converts a recording of abut simulate --out, and prints a summary of it. The hash covers "
               "everything except\n"
               "the timings: equal simulations have equal hashes.\n",
    .example = "  abut export arch.h5 --vtk arch --gltf arch.glb\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 1,
    .operand_maximum = 1,
    .run = run,
};
