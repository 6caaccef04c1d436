// SPDX-License-Identifier: MIT
// draw_verb.c: abut draw A B | --case NAME | --scene NAME | RUN.h5
#include "shared/files.h"
#include "verb/picture.h"
#include "verb/setup_source.h"
#include "verb/verbs.h"

#include <stdlib.h>
#include <string.h>

/// What is drawn, and what it needs as long as the drawing exists.
typedef struct draw_request {
    abut_cli_picture picture;
    char *title;
    abut_vec3 up;             ///< unless --up says otherwise
    abut_cli_methods methods; ///< of cases and scenes
    abut_cli_query query;
    abut_cli_file_pairs files;
    int has_files;
    abut_case *item;
    abut_scene *known_scene;
    abut_setup *setup;
    abut_simulation *simulation;
    abut_recording *recording;
} draw_request;

static int ends_in(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length > tail && strcmp(text + length - tail, ending) == 0;
}

/// The last part of a path.
static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/// "cup.obj: 4 contacts by regions"
static char *found_text(const char *subject, int contacts, const char *method)
{
    return abut_cli_print("%s: %d contact%s by %s", subject, contacts, abut_cli_plural(contacts), method);
}

// ---------------------------------------------------------------------------------------------------------------
// Sources

static abut_cli_exit read_method(const abut_cli_arguments *arguments, draw_request *request)
{
    abut_cli_exit code = abut_cli_method_select(arguments, &request->methods);
    return code != ABUT_CLI_DONE ? code
                                 : abut_cli_query_of(arguments, &request->methods.items[0], 0, &request->query);
}

static abut_cli_exit load_files(const abut_cli_arguments *arguments, draw_request *request)
{
    request->has_files = 1;
    abut_cli_file_pairs *files = &request->files;
    abut_cli_exit code = abut_cli_file_pairs_find(arguments, files);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    abut_cli_file_pairs_note(files);
    // With --sweep two bodies are drawn where they touch; of more, each pair touches at another time.
    for (int i = 0; i < files->body_count; ++i) {
        abut_pose pose = files->body_count == 2 ? files->pairs[0].poses[i] : files->placements[i].pose;
        abut_cli_picture_add_body(&request->picture, files->bodies[i].mesh, pose, 0);
    }
    for (int i = 0; i < files->pair_count; ++i) {
        abut_cli_picture_add_result(&request->picture, &files->pairs[i].result);
    }
    char *names = files->body_count == 2 ? abut_cli_print("%s and %s", file_name(files->bodies[0].label),
                                                          file_name(files->bodies[1].label))
                                         : abut_cli_print("%d bodies", files->body_count);
    request->title = found_text(names, request->picture.contact_count, files->query.method->row->name);
    free(names);
    return ABUT_CLI_DONE;
}

static abut_cli_exit load_case(const abut_cli_arguments *arguments, const char *name, draw_request *request)
{
    abut_error error = {0};
    abut_state state = {.kind = ABUT_STATE_TOUCHING};
    const char *text = abut_cli_value_of(arguments, "state");
    abut_status status = text != NULL ? abut_state_parse(text, &state, &error) : ABUT_OK;
    if (status != ABUT_OK || state.kind == ABUT_STATE_STEP) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --state '%s': use touching, detection or sunk:L", text);
    }
    if (!abut_cli_is_case(name)) {
        const char *nearest = abut_cli_nearest_case(name);
        return nearest != NULL
                   ? abut_cli_fail(ABUT_CLI_BAD_INPUT, "unknown case '%s': do you mean %s?", name, nearest)
                   : abut_cli_fail(ABUT_CLI_BAD_INPUT, "unknown case '%s': see abut cases", name);
    }
    status = abut_case_create(NULL, name, NULL, &request->item, &error);
    if (status != ABUT_OK) {
        return abut_cli_fail_status(status, &error);
    }
    char *why = NULL;
    abut_cli_exit code = abut_cli_picture_add_case(&request->picture, request->item, state, &request->query, &why);
    if (code == ABUT_CLI_DONE && why != NULL) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "case %s, method %s: %s", name, request->query.method->row->name,
                             why);
    }
    free(why);
    request->title = abut_cli_print("%s, %s: contacts by %s", name, text != NULL ? text : "touching",
                                    request->query.method->row->name);
    return code;
}

static abut_cli_exit load_scene(const abut_cli_arguments *arguments, const char *name, draw_request *request)
{
    abut_error error = {0};
    int step = 0, is_file = 0;
    abut_cli_exit code = abut_cli_count_of(arguments, "step", 0, &step);
    code = code != ABUT_CLI_DONE ? code : abut_cli_methods_check_motion(&request->methods);
    code = code != ABUT_CLI_DONE ? code
                                 : abut_cli_setup_load(name, abut_cli_value_of(arguments, "repair") != NULL,
                                                       &request->setup, &is_file);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    abut_status status = ABUT_OK;
    if (!is_file && abut_cli_is_one_of(abut_scene_names, name)) {
        status = abut_scene_create(NULL, name, NULL, &request->known_scene, &error);
    }
    abut_world_def def = abut_setup_world_def(request->setup);
    def.method = request->query.method->row;
    def.params = &request->query.params;
    status = status != ABUT_OK ? status
                               : abut_simulation_create(NULL, request->setup, &def, &request->simulation, &error);
    for (int i = 0; i < step && status == ABUT_OK; ++i) {
        status = abut_world_step(request->simulation->world, &error);
    }
    if (status == ABUT_OK && step == 0) {
        status = abut_world_detect(request->simulation->world, &error);
    }
    if (status != ABUT_OK) {
        return abut_cli_fail_file(name, status, &error);
    }
    abut_cli_picture_add_world(&request->picture, request->simulation->world, request->known_scene);
    request->up = abut_cli_picture_up(def.gravity);
    char *subject = step > 0 ? abut_cli_print("%s, step %d", name, step) : abut_cli_copy(name);
    request->title = found_text(subject, request->picture.contact_count, def.method->name);
    free(subject);
    return ABUT_CLI_DONE;
}

static abut_cli_exit load_recording(const abut_cli_arguments *arguments, const char *path, draw_request *request)
{
    if (abut_cli_value_of(arguments, "method") != NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --method: the contacts of %s are those of its recording",
                             path);
    }
    abut_error error = {0};
    abut_status status = abut_recording_read(NULL, path, &request->recording, &error);
    if (status != ABUT_OK) {
        return abut_cli_fail_file(path, status, &error);
    }
    const abut_recording *recording = request->recording;
    int step = recording->step_count;
    abut_cli_exit code = abut_cli_count_of(arguments, "step", 0, &step);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    if (step > recording->step_count) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --step %d: %s has %d step%s", step, path,
                             recording->step_count, abut_cli_plural(recording->step_count));
    }
    abut_cli_picture_add_recorded(&request->picture, recording, step);
    request->up = abut_cli_picture_up(recording->about.gravity);
    char *subject = abut_cli_print("%s, step %d", recording->about.scene, step);
    request->title = found_text(subject, request->picture.contact_count, recording->about.method);
    free(subject);
    return ABUT_CLI_DONE;
}

static abut_cli_exit load(const abut_cli_arguments *arguments, draw_request *request)
{
    const char *item = abut_cli_value_of(arguments, "case"), *scene = abut_cli_value_of(arguments, "scene");
    int operands = arguments->operand_count;
    if ((item != NULL) + (scene != NULL) + (operands > 0) != 1) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "abut draw needs one of these: two or more mesh files, a recording, --case, --scene");
    }
    if (abut_cli_value_of(arguments, "state") != NULL && item == NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --state needs --case");
    }
    int is_recording = operands == 1 && ends_in(arguments->operands[0], ".h5");
    if (abut_cli_value_of(arguments, "step") != NULL && scene == NULL && !is_recording) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --step needs a recording or --scene");
    }
    if (is_recording) {
        return load_recording(arguments, arguments->operands[0], request);
    }
    if (operands == 1) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "too few arguments: abut draw needs two mesh files, or a recording that ends in .h5");
    }
    if (operands > 1) {
        return load_files(arguments, request);
    }
    abut_cli_exit code = read_method(arguments, request);
    return code != ABUT_CLI_DONE ? code
           : item != NULL        ? load_case(arguments, item, request)
                                 : load_scene(arguments, scene, request);
}

static void release(draw_request *request)
{
    abut_cli_picture_release(&request->picture);
    free(request->title);
    if (request->has_files) {
        abut_cli_file_pairs_release(&request->files);
    }
    abut_simulation_destroy(request->simulation);
    abut_setup_destroy(request->setup);
    abut_scene_destroy(request->known_scene);
    abut_case_destroy(request->item);
    abut_recording_destroy(request->recording);
    abut_cli_query_release(&request->query);
    abut_cli_methods_release(&request->methods);
}

// ---------------------------------------------------------------------------------------------------------------
// The picture

static abut_cli_exit read_view(const abut_cli_arguments *arguments, abut_drawing_def *def)
{
    static const char *const views[] = {"iso", "x", "y", "z", "contact", NULL};
    int view = (int)def->view;
    abut_cli_exit code = abut_cli_word_of(arguments, "view", views, &view);
    code = code != ABUT_CLI_DONE ? code : abut_cli_picture_read_up(arguments, &def->up);
    code = code != ABUT_CLI_DONE ? code : abut_cli_range_of(arguments, "width", 100.0, 10000.0, &def->width);
    def->view = (abut_view_kind)view;
    return code;
}

static abut_cli_exit print_drawing(const abut_drawing_def *def, const char *path)
{
    abut_error error = {0};
    abut_drawing *drawing = NULL;
    abut_status status = abut_drawing_create(NULL, def, &drawing, &error);
    if (status != ABUT_OK) {
        return abut_cli_fail_status(status, &error);
    }
    abut_cli_text text;
    abut_cli_text_open(&text);
    (void)abut_drawing_print(drawing, text.stream); // a stream in memory
    abut_drawing_destroy(drawing);
    return path != NULL ? abut_cli_write_printed(path, &text) : abut_cli_text_finish(&text);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    draw_request request = {.up = {0.0, 1.0, 0.0}};
    const char *path = abut_cli_value_of(arguments, "out");
    abut_drawing_def view = abut_drawing_def_default();
    abut_cli_exit code = read_view(arguments, &view);
    code = code == ABUT_CLI_DONE && path != NULL ? abut_cli_check_ending(path, "svg") : code;
    code = code == ABUT_CLI_DONE && path != NULL ? abut_cli_check_writable(path) : code;
    for (int i = 0; i < arguments->operand_count && code == ABUT_CLI_DONE && path != NULL; ++i) {
        code = abut_cli_check_different(arguments->operands[i], path);
    }
    code = code != ABUT_CLI_DONE ? code : load(arguments, &request);
    if (code == ABUT_CLI_DONE) {
        abut_drawing_def def = abut_cli_picture_def(&request.picture);
        def.view = view.view;
        def.up = abut_cli_value_of(arguments, "up") != NULL ? view.up : request.up;
        def.width = view.width;
        const char *title = abut_cli_value_of(arguments, "title");
        def.title = title != NULL ? title : request.title;
        code = print_drawing(&def, path);
    }
    release(&request);
    return code;
}

static const abut_cli_option options[] = {
    {"case", "NAME", "draw a case, see abut cases, with right, wrong and missed contacts", 0, 0},
    {"state", "STATE", "of the case: touching (default), detection or sunk:L", 0, 0},
    {"scene", "NAME", "draw a scene of abut simulate, or SCENE.json", 0, 0},
    {"step", "N", "of the scene or recording (default: the start of a scene, the end of a recording)", 0, 0},
    {"view", "VIEW", "iso (default), x, y, z, or contact: across the normals, close up", 0, 0},
    {"up", "AXIS", "what is up in the picture: x, y or z (default: by gravity, else y)", 0, 0},
    {"width", "PIXELS", "the longer side of the drawing (default 640)", 0, 0},
    {"title", "TEXT", "above the drawing; \"\": none (default: what is shown)", 0, 0},
    {"out", "PICTURE.svg", "write to a file (default: stdout)", 0, 0},
    ABUT_CLI_FILE_PAIR_OPTIONS,
};

const abut_cli_verb abut_cli_draw_verb = {
    .name = "draw",
    .summary = "Draw bodies and their contacts as an SVG picture.",
    .usage = "A B [C ...] | RUN.h5 | --case NAME | --scene NAME [options]",
    .details =
        "Draws edges, hidden ones dashed, with contacts as dots, their normals as arrows and regions filled.\n"
        "Where the correct contacts are known, wrong ones are crosses and missed ones empty circles. Beyond\n"
        "4,000 triangles only sharp edges and silhouettes are drawn, beyond 100,000 silhouettes.\n",
    .example = "  abut draw table.obj cup.obj --view contact --out cup.svg\n"
               "  abut draw --case spike-in-hole --method opposing --out hole.svg\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 0,
    .operand_maximum = -1,
    .run = run,
};
