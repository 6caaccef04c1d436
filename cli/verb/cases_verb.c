// SPDX-License-Identifier: MIT
// cases_verb.c: abut cases
#include "shared/files.h"
#include "shared/selection.h"
#include "verb/scene_files.h"
#include "verb/verbs.h"

#include <stdlib.h>
#include <string.h>

typedef struct case_request {
    abut_cli_format format;
    abut_cli_list names;
    abut_cli_list cases, scenes;
    abut_case_params params;
    abut_scene_params scene_params;
    const char *folder; ///< or NULL: only list
} case_request;

static abut_pose moved_pose(const abut_case_body *body, abut_vec3 displacement)
{
    abut_pose pose = body->pose;
    if (!body->is_fixed) {
        pose.position = abut_add(pose.position, displacement);
    }
    return pose;
}

static void print_numbers(FILE *out, const char *option, const double *values, int count)
{
    (void)fprintf(out, " %s \"", option);
    for (int i = 0; i < count; ++i) {
        (void)fprintf(out, "%s%.17g", i > 0 ? " " : "", values[i] + 0.0);
    }
    (void)fputs("\"", out);
}

static void print_side(FILE *out, char letter, abut_pose pose, abut_vec3 v)
{
    char option[16];
    double placed[] = {pose.position.x, pose.position.y, pose.position.z, pose.rotation.w,
                       pose.rotation.x, pose.rotation.y, pose.rotation.z};
    double moving[] = {v.x, v.y, v.z, 0.0, 0.0, 0.0};
    (void)snprintf(option, sizeof option, "--pose-%c", letter);
    print_numbers(out, option, placed, 7);
    (void)snprintf(option, sizeof option, "--velocity-%c", letter);
    print_numbers(out, option, moving, 6);
}

// The command that gives the contacts of a state, in the folder of the files.
static char *contacts_command(const abut_case *item, abut_vec3 displacement)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    (void)fprintf(text.stream, "abut contacts %s-a.node %s-b.node", item->name, item->name);
    print_side(text.stream, 'a', moved_pose(&item->a, displacement), item->a.linear_velocity);
    print_side(text.stream, 'b', moved_pose(&item->b, displacement), item->b.linear_velocity);
    (void)fprintf(text.stream, " --dt %.17g --format json", item->dt);
    return abut_cli_text_take(&text);
}

static json_t *json_state(const abut_case *item, abut_state state, const char *name)
{
    abut_vec3 displacement = abut_case_displacement(item, state);
    char *command = contacts_command(item, displacement);
    json_t *object = json_object();
    json_object_set_new(object, "state", json_string(name));
    json_object_set_new(object, "displacement", abut_cli_json_vec3(displacement));
    json_object_set_new(object, "pose_a", abut_cli_json_pose(moved_pose(&item->a, displacement)));
    json_object_set_new(object, "pose_b", abut_cli_json_pose(moved_pose(&item->b, displacement)));
    json_object_set_new(object, "command", json_string(command));
    free(command);
    return object;
}

static json_t *json_states(const abut_case *item)
{
    // One depth of many, as an example: 1/2500 of S is 0.01 for the spikes and wedges.
    abut_state sunk = {.kind = ABUT_STATE_SUNK, .depth = item->scene_size / 2500.0};
    char *name = abut_cli_print("sunk:%.17g", sunk.depth);
    json_t *array = json_array();
    json_array_append_new(array, json_state(item, (abut_state){.kind = ABUT_STATE_TOUCHING}, "touching"));
    json_array_append_new(array, json_state(item, (abut_state){.kind = ABUT_STATE_DETECTION}, "detection"));
    json_array_append_new(array, json_state(item, sunk, name));
    free(name);
    return array;
}

static json_t *json_body(const abut_case *item, const abut_case_body *body, char letter)
{
    json_t *object = json_object();
    char *surface = abut_cli_print("%s-%c.obj", item->name, letter);
    char *volume = abut_cli_print("%s-%c.node", item->name, letter);
    json_object_set_new(object, "shape", json_string(body->shape));
    json_object_set_new(object, "surface", json_string(surface));
    json_object_set_new(object, "tets", json_string(volume));
    json_object_set_new(object, "pose", abut_cli_json_pose(body->pose));
    json_object_set_new(object, "linear_velocity", abut_cli_json_vec3(body->linear_velocity));
    json_object_set_new(object, "angular_velocity", abut_cli_json_vec3(abut_vec3_make(0.0, 0.0, 0.0)));
    json_object_set_new(object, "fixed", json_boolean(body->is_fixed));
    free(surface);
    free(volume);
    return object;
}

static json_t *json_truth(const abut_case *item, abut_reading reading)
{
    json_t *array = json_array();
    for (int i = 0; i < item->truth_count[reading]; ++i) {
        json_t *truth = json_object();
        json_object_set_new(truth, "position", abut_cli_json_vec3(item->truth[reading][i].position));
        json_object_set_new(truth, "normal", abut_cli_json_vec3(item->truth[reading][i].normal));
        json_array_append_new(array, truth);
    }
    return array;
}

static int is_mixed(const abut_case *item)
{
    int count;
    const char *const *names = abut_mixed_case_names(&count);
    for (int i = 0; i < count; ++i) {
        if (strcmp(names[i], item->name) == 0) {
            return 1;
        }
    }
    return 0;
}

static void set_case(json_t *object, const abut_case *item)
{
    json_t *truth = json_object();
    json_object_set_new(truth, "velocity", json_truth(item, ABUT_READING_VELOCITY));
    json_object_set_new(truth, "table", json_truth(item, ABUT_READING_TABLE));
    json_object_set_new(object, "name", json_string(item->name));
    json_object_set_new(object, "title", json_string(item->title));
    json_object_set_new(object, "groups", json_pack("[ss]", is_mixed(item) ? "mixed" : "fundamental", "all"));
    json_object_set_new(object, "scene_size", abut_cli_json_number(item->scene_size));
    json_object_set_new(object, "size", abut_cli_json_number(item->size));
    json_object_set_new(object, "dt", abut_cli_json_number(item->dt));
    json_object_set_new(object, "minimum", item->minimum > 0 ? json_integer(item->minimum) : json_null());
    json_object_set_new(object, "a", json_body(item, &item->a, 'a'));
    json_object_set_new(object, "b", json_body(item, &item->b, 'b'));
    json_object_set_new(object, "truth", truth);
    json_object_set_new(object, "sink", abut_cli_json_vec3(item->sink));
    json_object_set_new(object, "states", json_states(item));
}

// ---------------------------------------------------------------------------------------------------------------
// Files

static abut_cli_exit write_body(const case_request *request, const abut_case *item, char letter,
                                abut_cli_list *files)
{
    char *base = abut_cli_print("%s/%s-%c", request->folder, item->name, letter);
    abut_cli_exit code = abut_cli_write_body(letter == 'a' ? item->a.mesh : item->b.mesh, base, files);
    free(base);
    return code;
}

static abut_cli_exit write_case(const case_request *request, const abut_case *item, abut_cli_list *files)
{
    abut_cli_exit code = write_body(request, item, 'a', files);
    code = code != ABUT_CLI_DONE ? code : write_body(request, item, 'b', files);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    abut_cli_text text;
    abut_cli_text_open(&text);
    json_t *document = abut_cli_json_document();
    set_case(document, item);
    abut_cli_json_print(document, text.stream);
    char *content = abut_cli_text_take(&text);
    char *path = abut_cli_print("%s/%s.json", request->folder, item->name);
    code = abut_cli_write_text(path, content);
    abut_cli_list_add(files, path);
    free(content);
    free(path);
    return code;
}

// ---------------------------------------------------------------------------------------------------------------
// Lists

static const abut_cli_column case_columns[] = {{"name", "case", ABUT_CLI_WORDS},
                                               {"title", "title", ABUT_CLI_WORDS},
                                               {"a", "A", ABUT_CLI_WORDS},
                                               {"b", "B", ABUT_CLI_WORDS},
                                               {"fixed", "fixed", ABUT_CLI_WORDS},
                                               {"scene_size", "S", ABUT_CLI_NUMBER},
                                               {"size", "size", ABUT_CLI_NUMBER},
                                               {"minimum", "minimum", ABUT_CLI_NUMBER},
                                               {"truth_velocity", "truth", ABUT_CLI_NUMBER},
                                               {"truth_table", NULL, ABUT_CLI_NUMBER}};

static const abut_cli_column file_columns[] = {{"file", "file", ABUT_CLI_WORDS}};

static void add_case(abut_cli_table *table, const abut_case *item)
{
    abut_cli_add_text(table, item->name);
    abut_cli_add_text(table, item->title);
    abut_cli_add_text(table, item->a.shape);
    abut_cli_add_text(table, item->b.shape);
    abut_cli_add_text(table, item->a.is_fixed ? "a" : item->b.is_fixed ? "b" : "");
    abut_cli_add_number(table, item->scene_size);
    abut_cli_add_number(table, item->size);
    abut_cli_add_number(table, item->minimum > 0 ? item->minimum : (double)NAN);
    abut_cli_add_number(table, item->truth_count[ABUT_READING_VELOCITY]);
    abut_cli_add_number(table, item->truth_count[ABUT_READING_TABLE]);
}

static void add_scene(abut_cli_table *table, const abut_scene *scene)
{
    abut_cli_add_text(table, scene->name);
    abut_cli_add_text(table, scene->title);
    abut_cli_add_text(table, "");
    abut_cli_add_text(table, "");
    abut_cli_add_text(table, scene->bodies[0].name);
    abut_cli_add_number(table, (double)NAN);
    abut_cli_add_number(table, (double)NAN);
    abut_cli_add_number(table, scene->minimum);
    abut_cli_add_number(table, (double)NAN);
    abut_cli_add_number(table, (double)NAN);
}

static abut_cli_exit print_list(const case_request *request, json_t *array, json_t *scenes,
                                const abut_cli_table *table)
{
    abut_cli_text text;
    abut_cli_text_open(&text);
    if (request->format == ABUT_CLI_JSON) {
        json_t *document = abut_cli_json_document();
        json_object_set(document, request->folder != NULL ? "files" : "cases", array);
        if (request->folder == NULL) {
            json_object_set(document, "scenes", scenes);
        }
        abut_cli_json_print(document, text.stream);
    } else if (request->format == ABUT_CLI_CSV) {
        abut_cli_csv_print(table, text.stream);
    } else {
        abut_cli_table_print(table, 0, abut_cli_row_count(table), text.stream);
        if (request->folder == NULL) {
            (void)fputs(
                "\nS: scene size of the construction; size: the smaller bounding diagonal; minimum: least\n"
                "number of contacts that is enough; truth: expected contacts. Scenes have many bodies and no S.\n"
                "Groups: fundamental, mixed, scenes, all.\n",
                text.stream);
        }
    }
    return abut_cli_text_finish(&text);
}

// Lists a scene, or writes its files.
static abut_cli_exit run_scene(const case_request *request, const char *name, json_t *array, abut_cli_table *table,
                               abut_cli_list *files)
{
    abut_scene *scene = NULL;
    abut_error error = {0};
    abut_status status = abut_scene_create(NULL, name, &request->scene_params, &scene, &error);
    abut_cli_exit code = ABUT_CLI_DONE;
    if (status != ABUT_OK) {
        code = abut_cli_fail_file(name, status, &error);
    } else if (request->folder != NULL) {
        code = abut_cli_scene_write(scene, request->folder, files);
    } else {
        json_t *object = json_object();
        abut_cli_scene_set(object, scene);
        json_array_append_new(array, object);
        add_scene(table, scene);
    }
    abut_scene_destroy(scene);
    return code;
}

static abut_cli_exit run_request(const case_request *request)
{
    abut_cli_exit code = request->folder != NULL ? abut_cli_make_folder(request->folder) : ABUT_CLI_DONE;
    abut_cli_list files = {0};
    abut_cli_table table;
    abut_cli_table_open(&table, request->folder != NULL ? file_columns : case_columns,
                        request->folder != NULL ? 1 : (int)(sizeof case_columns / sizeof case_columns[0]));
    json_t *array = json_array(), *scenes = json_array();
    for (int i = 0; i < request->cases.count && code == ABUT_CLI_DONE; ++i) {
        abut_case *item = NULL;
        abut_error error = {0};
        abut_status status = abut_case_create(NULL, request->cases.items[i], &request->params, &item, &error);
        if (status != ABUT_OK) {
            code = abut_cli_fail_file(request->cases.items[i], status, &error);
        } else if (request->folder != NULL) {
            code = write_case(request, item, &files);
        } else {
            json_t *object = json_object();
            set_case(object, item);
            json_array_append_new(array, object);
            add_case(&table, item);
        }
        abut_case_destroy(item);
    }
    for (int i = 0; i < request->scenes.count && code == ABUT_CLI_DONE; ++i) {
        code = run_scene(request, request->scenes.items[i], scenes, &table, &files);
    }
    for (int i = 0; i < files.count; ++i) {
        abut_cli_add_text(&table, files.items[i]);
        json_array_append_new(array, abut_cli_json_text(files.items[i]));
    }
    code = code != ABUT_CLI_DONE ? code : print_list(request, array, scenes, &table);
    json_decref(array);
    json_decref(scenes);
    abut_cli_table_release(&table);
    abut_cli_list_release(&files);
    return code;
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    case_request request = {.params = abut_case_params_default(), .folder = abut_cli_value_of(arguments, "out")};
    for (int i = 0; i < arguments->operand_count; ++i) {
        abut_cli_list_add(&request.names, arguments->operands[i]);
    }
    abut_cli_exit code = abut_cli_format_of(arguments, &request.format);
    code = code != ABUT_CLI_DONE ? code : abut_cli_positive_of(arguments, "scene-size", &request.params.scene_size);
    code = code != ABUT_CLI_DONE ? code : abut_cli_scene_params_of(arguments, &request.scene_params);
    if (code == ABUT_CLI_DONE && request.folder != NULL && request.names.count == 0) {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "option --out: name a case, or all of them: abut cases all --out %s", request.folder);
    }
    if (code == ABUT_CLI_DONE && request.folder != NULL && request.folder[0] == '\0') {
        code = abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --out '': name a folder; . is the current one");
    }
    if (request.names.count == 0) {
        abut_cli_list_add(&request.names, "all");
    }
    code = code != ABUT_CLI_DONE ? code : abut_cli_cases_select(&request.names, &request.cases, &request.scenes);
    code = code != ABUT_CLI_DONE ? code : run_request(&request);
    abut_cli_list_release(&request.names);
    abut_cli_list_release(&request.cases);
    abut_cli_list_release(&request.scenes);
    return code;
}

static const abut_cli_option options[] = {
    {"out", "DIR", "write the meshes and a JSON file of each named case to this folder", 0, 0},
    {"scene-size", "S", "size of the cases (default: 25, 8 for cliff edges, 20 for internal edges)", 0, 0},
    {"refine", "RATIO", "give scenes fine meshes by tetgen: its quality ratio, or paper (1.015)", 0, 0},
    {"seconds", "N", "time limit of tetgen for each mesh (default 60)", 0, 0},
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_cases_verb = {
    .name = "cases",
    .summary = "List or write the cases and scenes whose correct contacts are known.",
    .usage = "[NAME|GROUP ...] [options]",
    .details =
        "JSON has poses, velocities, truth and the commands that compute the contacts. --out writes NAME-a.obj,\n"
        "NAME-b.obj, the same with tetrahedra as TetGen files, and NAME.json; for a scene (pillar, wall, ...) its\n"
        "meshes, NAME-0.obj, NAME-0.node and so on, and NAME.json with all bodies.\n",
    .example = "  abut cases spikes --out spikes\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 0,
    .operand_maximum = -1,
    .run = run,
};
