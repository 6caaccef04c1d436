// SPDX-License-Identifier: MIT
// export_verb.c: abut export RUN.h5
#include "verb/export.h"

#include "shared/contact_json.h"
#include "shared/files.h"
#include "verb/verbs.h"

#include <stdlib.h>

typedef abut_cli_exit export_function(const abut_recording *recording, const char *path, abut_cli_list *files);

static const struct {
    const char *option;
    export_function *write;
} targets[] = {{"vtk", abut_cli_export_vtk}, {"csv", abut_cli_export_csv}, {"gltf", abut_cli_export_gltf}};
enum { TARGET_COUNT = sizeof targets / sizeof targets[0] };

abut_cli_exit abut_cli_export_text(const char *folder, const char *name, abut_cli_text *text, abut_cli_list *files)
{
    char *path = abut_cli_print("%s/%s", folder, name), *content = abut_cli_text_take(text);
    abut_cli_exit code = abut_cli_write_bytes(path, content, text->size);
    abut_cli_list_add(files, path);
    free(content);
    free(path);
    return code;
}

static void hash_print(const abut_recording *recording, char text[ABUT_CLI_ID_SIZE])
{
    abut_cli_id_print(recording->hash, text);
}

static json_t *json_of(const abut_recording *recording, const abut_cli_list *files)
{
    char hash[ABUT_CLI_ID_SIZE];
    hash_print(recording, hash);
    json_t *document = abut_cli_json_document(), *names = json_array();
    for (int i = 0; i < files->count; ++i) {
        json_array_append_new(names, abut_cli_json_text(files->items[i]));
    }
    json_object_set_new(document, "scene", abut_cli_json_text(recording->about.scene));
    json_object_set_new(document, "method", abut_cli_json_text(recording->about.method));
    json_object_set_new(document, "dt", abut_cli_json_number(recording->about.dt));
    json_object_set_new(document, "end", json_string(abut_recording_end_text(recording->about.end)));
    json_object_set_new(document, "reason", abut_cli_json_text(recording->about.reason));
    json_object_set_new(document, "bodies", json_integer(recording->body_count));
    json_object_set_new(document, "steps", json_integer(recording->step_count));
    json_object_set_new(document, "contacts", json_integer(recording->contact_count));
    json_object_set_new(document, "regions", json_integer(recording->regions.count));
    json_object_set_new(document, "hash", json_string(hash));
    json_object_set_new(document, "files", names);
    return document;
}

static const abut_cli_column columns[] = {
    {"scene", "scene", ABUT_CLI_WORDS},
    {"method", "method", ABUT_CLI_WORDS},
    {"dt", "dt", ABUT_CLI_NUMBER},
    {"end", "end", ABUT_CLI_WORDS},
    {"bodies", "bodies", ABUT_CLI_NUMBER},
    {"steps", "steps", ABUT_CLI_NUMBER},
    {"contacts", "contacts", ABUT_CLI_NUMBER},
    {"regions", "regions", ABUT_CLI_NUMBER},
    {"hash", "hash", ABUT_CLI_WORDS},
    {"files", "files", ABUT_CLI_NUMBER},
};

static abut_cli_exit print_summary(const abut_recording *recording, const abut_cli_list *files,
                                   abut_cli_format format)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    if (format == ABUT_CLI_JSON) {
        abut_cli_json_print(json_of(recording, files), text.stream);
        return abut_cli_text_finish(&text);
    }
    char hash[ABUT_CLI_ID_SIZE];
    hash_print(recording, hash);
    abut_cli_table table;
    abut_cli_table_open(&table, columns, (int)(sizeof columns / sizeof columns[0]));
    abut_cli_add_text(&table, recording->about.scene);
    abut_cli_add_text(&table, recording->about.method);
    abut_cli_add_number(&table, recording->about.dt);
    abut_cli_add_text(&table, abut_recording_end_text(recording->about.end));
    abut_cli_add_number(&table, recording->body_count);
    abut_cli_add_number(&table, recording->step_count);
    abut_cli_add_number(&table, recording->contact_count);
    abut_cli_add_number(&table, recording->regions.count);
    abut_cli_add_text(&table, hash);
    abut_cli_add_number(&table, files->count);
    if (format == ABUT_CLI_CSV) {
        abut_cli_csv_print(&table, text.stream);
    } else {
        abut_cli_table_print(&table, 0, abut_cli_row_count(&table), text.stream);
    }
    abut_cli_table_release(&table);
    return abut_cli_text_finish(&text);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    const char *path = arguments->operands[0];
    abut_recording *recording = NULL;
    abut_cli_list files = {0};
    abut_cli_format format;
    abut_cli_exit code = abut_cli_format_of(arguments, &format);
    const char *gltf = abut_cli_value_of(arguments, "gltf");
    code = code == ABUT_CLI_DONE && gltf != NULL ? abut_cli_check_different(path, gltf) : code;
    if (code == ABUT_CLI_DONE) {
        abut_error error = {0};
        abut_status status = abut_recording_read(NULL, path, &recording, &error);
        code = status == ABUT_OK ? ABUT_CLI_DONE : abut_cli_fail_file(path, status, &error);
    }
    for (int i = 0; i < TARGET_COUNT && code == ABUT_CLI_DONE; ++i) {
        const char *target = abut_cli_value_of(arguments, targets[i].option);
        code = target != NULL ? targets[i].write(recording, target, &files) : code;
    }
    code = code != ABUT_CLI_DONE ? code : print_summary(recording, &files, format);
    abut_cli_list_release(&files);
    abut_recording_destroy(recording);
    return code;
}

static const abut_cli_option options[] = {
    {"vtk", "DIR",
     "write DIR/run.pvd for ParaView, and the bodies, contacts and regions of each step beside it; a DIR with "
     "files "
     "of a longer run is refused",
     0, 0},
    {"csv", "DIR", "write steps.csv, bodies.csv, contacts.csv, regions.csv and outlines.csv (of regions) to DIR", 0,
     0},
    {"gltf", "FILE", "write the meshes and their motion; a name that ends in .glb gives a binary file", 0, 0},
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_export_verb = {
    .name = "export",
    .summary = "Convert a recording to files for other programs.",
    .usage = "RUN.h5 [--vtk DIR] [--csv DIR] [--gltf FILE]",
    .details =
        "Converts what abut simulate --out recorded, and prints a summary of the recording with a hash of all but\n"
        "its timings: the same simulation has the same hash.\n",
    .example = "  abut export arch.h5 --vtk arch --gltf arch.glb\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 1,
    .operand_maximum = 1,
    .run = run,
};
