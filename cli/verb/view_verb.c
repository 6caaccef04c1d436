// SPDX-License-Identifier: MIT
// view_verb.c: abut view RUN.h5 ... | A B ...
#include "shared/files.h"
#include "verb/picture.h"
#include "verb/verbs.h"
#include "verb/view_page.h"
#include "verb/view_server.h"
#include "verb/viewer_page.h"

#include <stdlib.h>
#include <string.h>

/// As many tracks can be told apart side by side.
enum { TRACK_LIMIT = 8 };

typedef struct view_request {
    abut_cli_view view;
    abut_cli_methods methods; ///< of mesh files
    int every;
} view_request;

static int is_recording(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".h5") == 0;
}

static abut_cli_exit make_tracks(view_request *request, int count)
{
    if (count > TRACK_LIMIT) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "abut view shows at most %d recordings or methods side by side",
                             TRACK_LIMIT);
    }
    request->view.tracks = abut_cli_resize(NULL, (size_t)count, sizeof *request->view.tracks);
    return ABUT_CLI_DONE;
}

static abut_cli_exit load_recordings(const abut_cli_arguments *arguments, view_request *request)
{
    for (int i = 0; i < arguments->value_count; ++i) {
        const char *name = arguments->values[i].option->name;
        if (strcmp(name, "out") != 0 && strcmp(name, "every") != 0 && strcmp(name, "no-open") != 0 &&
            strcmp(name, "up") != 0) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "option --%s is for mesh files: the contacts of %s are those of its recording",
                                 name, arguments->operands[0]);
        }
    }
    abut_cli_exit code = make_tracks(request, arguments->operand_count);
    for (int i = 0; i < arguments->operand_count && code == ABUT_CLI_DONE; ++i) {
        code = abut_cli_track_read(&request->view.tracks[request->view.track_count++], arguments->operands[i],
                                   request->every);
    }
    if (code == ABUT_CLI_DONE) {
        request->view.up = abut_cli_picture_up(request->view.tracks[0].recording->about.gravity);
    }
    return code;
}

static abut_cli_exit load_files(const abut_cli_arguments *arguments, view_request *request)
{
    if (abut_cli_value_of(arguments, "every") != NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --every needs a recording");
    }
    abut_cli_exit code = abut_cli_methods_select(arguments, ABUT_CLI_DEFAULT_METHOD, &request->methods);
    code = code != ABUT_CLI_DONE ? code : abut_cli_query_check_options(arguments, &request->methods);
    code = code != ABUT_CLI_DONE ? code : make_tracks(request, request->methods.count);
    for (int i = 0; i < request->methods.count && code == ABUT_CLI_DONE; ++i) {
        code = abut_cli_track_find(&request->view.tracks[request->view.track_count++], arguments,
                                   &request->methods.items[i]);
    }
    return code;
}

static abut_cli_exit load(const abut_cli_arguments *arguments, view_request *request)
{
    int recordings = 0;
    for (int i = 0; i < arguments->operand_count; ++i) {
        recordings += is_recording(arguments->operands[i]);
    }
    if (recordings > 0 && recordings < arguments->operand_count) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "abut view takes recordings or mesh files, not both");
    }
    if (recordings == 0 && arguments->operand_count < 2) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "too few arguments: abut view needs two mesh files, or a recording that ends in .h5");
    }
    return recordings > 0 ? load_recordings(arguments, request) : load_files(arguments, request);
}

static abut_cli_exit write_page(const view_request *request, const char *path)
{
    abut_cli_exit code = abut_cli_view_check_size(&request->view, request->every);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    abut_cli_text text;
    abut_cli_text_open(&text);
    abut_cli_view_print_whole(&request->view, text.stream);
    return abut_cli_write_printed(path, &text);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    if (abut_viewer_script_size == 0) {
        return abut_cli_fail(
            ABUT_CLI_BAD_INPUT,
            "this abut was built without the viewer: install Node.js 18 or newer with npm (Debian: "
            "nodejs, npm) and build again, or run make viewer; abut draw and abut report need neither");
    }
    view_request request = {.view.up = {0.0, 1.0, 0.0}, .every = 1};
    const char *path = abut_cli_value_of(arguments, "out");
    abut_cli_exit code = abut_cli_count_of(arguments, "every", 1, &request.every);
    code = code == ABUT_CLI_DONE && path != NULL ? abut_cli_check_ending(path, "html") : code;
    code = code == ABUT_CLI_DONE && path != NULL ? abut_cli_check_writable(path) : code;
    for (int i = 0; i < arguments->operand_count && code == ABUT_CLI_DONE && path != NULL; ++i) {
        code = abut_cli_check_different(arguments->operands[i], path);
    }
    code = code != ABUT_CLI_DONE ? code : load(arguments, &request);
    code = code != ABUT_CLI_DONE ? code : abut_cli_picture_read_up(arguments, &request.view.up);
    if (code == ABUT_CLI_DONE) {
        code = path != NULL ? write_page(&request, path)
                            : abut_cli_view_serve(&request.view, abut_cli_value_of(arguments, "no-open") == NULL);
    }
    for (int i = 0; i < request.view.track_count; ++i) {
        abut_cli_track_release(&request.view.tracks[i]);
    }
    free(request.view.tracks);
    abut_cli_methods_release(&request.methods);
    return code;
}

static const abut_cli_option options[] = {
    {"out", "PAGE.html", "write one page with all data instead, which opens from disk; at most 100 MB", 0, 0},
    {"every", "N", "of recordings: only every Nth step, and the last one", 0, 0},
    {"up", "AXIS", "what is up in the picture: x, y or z (default: by gravity, else y)", 0, 0},
    {"no-open", NULL, "do not open the browser, only print the address", 0, 0},
    {"method", "NAME,...", "contact methods, shown side by side (default: " ABUT_CLI_DEFAULT_METHOD ")", 1, 0},
    ABUT_CLI_FILE_PLACE_OPTIONS,
};

const abut_cli_verb abut_cli_view_verb = {
    .name = "view",
    .summary = "Look at bodies and contacts in three dimensions, in the browser.",
    .usage = "RUN.h5 [RUN2.h5 ...] | A B [C ...] [options]",
    .details =
        "Serves a viewer to the browser of this machine until Ctrl-C, and prints its address: recordings over\n"
        "time, or the contacts of mesh files by several methods, side by side. The address has a random\n"
        "token, without which the server answers nothing. docs/viewer.md tells what the viewer can do.\n",
    .example = "  abut view arch.h5\n"
               "  abut view table.obj cup.obj --method regions,opposing --out cup.html\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 1,
    .operand_maximum = -1,
    .run = run,
};
