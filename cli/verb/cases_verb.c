// SPDX-License-Identifier: MIT
// cases_verb.c: abut cases
#include "shared/files.h"
#include "shared/layout.h"
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
    const char *folder; ///< NULL: list only
    abut_case **items;
    int item_count;
    abut_scene **scene_items;
    int scene_count;
    abut_cli_list files; ///< that were written
} case_request;

// ---------------------------------------------------------------------------------------------------------------
// A case as JSON

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

/// A case in one of its states.
typedef struct state_row {
    const abut_case *item;
    const char *name;
    abut_vec3 displacement;
    abut_pose pose_a, pose_b;
} state_row;

// The command that computes the contacts of the state, if run in the folder of the files.
static char *command_text(const void *row)
{
    const state_row *state = row;
    const abut_case *item = state->item;
    abut_cli_text text;
    abut_cli_text_open(&text);
    (void)fprintf(text.stream, "abut contacts %s-a.node %s-b.node", item->name, item->name);
    print_side(text.stream, 'a', state->pose_a, item->a.linear_velocity);
    print_side(text.stream, 'b', state->pose_b, item->b.linear_velocity);
    (void)fprintf(text.stream, " --dt %.17g --format json", item->dt);
    return abut_cli_text_take(&text);
}

static const abut_cli_member state_members[] = {
    {"state", NULL, ABUT_CLI_AT(state_row, name)},
    {"displacement", NULL, ABUT_CLI_AT(state_row, displacement)},
    {"pose_a", NULL, ABUT_CLI_AT(state_row, pose_a)},
    {"pose_b", NULL, ABUT_CLI_AT(state_row, pose_b)},
    {"command", NULL, ABUT_CLI_NEW_TEXT_BY(command_text)},
};
static const abut_cli_layout state_layout = ABUT_CLI_LAYOUT(state_members);

static state_row state_of(const abut_case *item, abut_state state, const char *name)
{
    abut_vec3 displacement = abut_case_displacement(item, state);
    return (state_row){.item = item,
                       .name = name,
                       .displacement = displacement,
                       .pose_a = moved_pose(&item->a, displacement),
                       .pose_b = moved_pose(&item->b, displacement)};
}

static json_t *json_states(const void *row)
{
    const abut_case *item = row;
    // An example of a depth: S / 2500 is 0.01 for the spikes and wedges.
    abut_state sunk = {.kind = ABUT_STATE_SUNK, .depth = item->scene_size / 2500.0};
    char *sunk_name = abut_cli_print("sunk:%.17g", sunk.depth);
    const state_row states[] = {
        state_of(item, (abut_state){.kind = ABUT_STATE_TOUCHING}, "touching"),
        state_of(item, (abut_state){.kind = ABUT_STATE_DETECTION}, "detection"),
        state_of(item, sunk, sunk_name),
    };
    json_t *array = abut_cli_json_rows((abut_cli_rows){&state_layout, states, 3, sizeof states[0]});
    free(sunk_name);
    return array;
}

/// A body of a case and the names of its files.
typedef struct body_row {
    abut_case_body body;
    abut_vec3 angular_velocity;
    char *surface, *tets;
} body_row;

static const abut_cli_member body_members[] = {
    {"shape", NULL, ABUT_CLI_AT(body_row, body.shape)},
    {"surface", NULL, ABUT_CLI_AT(body_row, surface)},
    {"tets", NULL, ABUT_CLI_AT(body_row, tets)},
    {"pose", NULL, ABUT_CLI_AT(body_row, body.pose)},
    {"linear_velocity", NULL, ABUT_CLI_AT(body_row, body.linear_velocity)},
    {"angular_velocity", NULL, ABUT_CLI_AT(body_row, angular_velocity)},
    {"fixed", NULL, ABUT_CLI_FLAG_AT(body_row, body.is_fixed)},
};
static const abut_cli_layout body_layout = ABUT_CLI_LAYOUT(body_members);

static json_t *json_body(const abut_case *item, const abut_case_body *body, char letter)
{
    body_row row = {.body = *body,
                    .surface = abut_cli_print("%s-%c.obj", item->name, letter),
                    .tets = abut_cli_print("%s-%c.node", item->name, letter)};
    json_t *object = abut_cli_json_of(&body_layout, &row);
    free(row.surface);
    free(row.tets);
    return object;
}

static json_t *json_body_a(const void *row)
{
    const abut_case *item = row;
    return json_body(item, &item->a, 'a');
}

static json_t *json_body_b(const void *row)
{
    const abut_case *item = row;
    return json_body(item, &item->b, 'b');
}

static const abut_cli_member truth_members[] = {
    {"position", NULL, ABUT_CLI_AT(abut_truth, position)},
    {"normal", NULL, ABUT_CLI_AT(abut_truth, normal)},
};
static const abut_cli_layout truth_layout = ABUT_CLI_LAYOUT(truth_members);

static abut_cli_rows truth_rows(const abut_case *item, abut_reading reading)
{
    return (abut_cli_rows){&truth_layout, item->truth[reading], item->truth_count[reading],
                           sizeof *item->truth[reading]};
}

static abut_cli_rows velocity_rows(const void *row)
{
    return truth_rows(row, ABUT_READING_VELOCITY);
}

static abut_cli_rows table_rows(const void *row)
{
    return truth_rows(row, ABUT_READING_TABLE);
}

static const abut_cli_member reading_members[] = {
    {"velocity", NULL, ABUT_CLI_ROWS_BY(velocity_rows)},
    {"table", NULL, ABUT_CLI_ROWS_BY(table_rows)},
};
static const abut_cli_layout reading_layout = ABUT_CLI_LAYOUT(reading_members);

static json_t *json_groups(const void *row)
{
    const abut_case *item = row;
    int is_mixed = abut_cli_is_one_of(abut_mixed_case_names, item->name);
    return json_pack("[ss]", is_mixed ? "mixed" : "fundamental", "all");
}

static const abut_cli_member case_members[] = {
    {"name", NULL, ABUT_CLI_AT(abut_case, name)},
    {"title", NULL, ABUT_CLI_AT(abut_case, title)},
    {"groups", NULL, ABUT_CLI_JSON_BY(json_groups)},
    {"scene_size", NULL, ABUT_CLI_AT(abut_case, scene_size)},
    {"size", NULL, ABUT_CLI_AT(abut_case, size)},
    {"dt", NULL, ABUT_CLI_AT(abut_case, dt)},
    {"minimum", NULL, ABUT_CLI_AT(abut_case, minimum), .is_null_if_zero = 1},
    {"a", NULL, ABUT_CLI_JSON_BY(json_body_a)},
    {"b", NULL, ABUT_CLI_JSON_BY(json_body_b)},
    {"truth", NULL, ABUT_CLI_OBJECT_OF(reading_layout)},
    {"sink", NULL, ABUT_CLI_AT(abut_case, sink)},
    {"states", NULL, ABUT_CLI_JSON_BY(json_states)},
};
static const abut_cli_layout case_layout = ABUT_CLI_LAYOUT(case_members);

// ---------------------------------------------------------------------------------------------------------------
// Files

static abut_cli_exit write_body(case_request *request, const abut_case *item, char letter)
{
    char *base = abut_cli_print("%s/%s-%c", request->folder, item->name, letter);
    abut_cli_exit code = abut_cli_write_body(letter == 'a' ? item->a.mesh : item->b.mesh, base, &request->files);
    free(base);
    return code;
}

static abut_cli_exit write_case(case_request *request, const abut_case *item)
{
    abut_cli_exit code = write_body(request, item, 'a');
    code = code != ABUT_CLI_DONE ? code : write_body(request, item, 'b');
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    abut_cli_text text;
    abut_cli_text_open(&text);
    abut_cli_report report = {.document = &case_layout, .data = item};
    abut_cli_report_write(&report, ABUT_CLI_JSON, text.stream);
    char *path = abut_cli_print("%s/%s.json", request->folder, item->name);
    code = abut_cli_write_printed(path, &text);
    abut_cli_list_add(&request->files, path);
    free(path);
    return code;
}

// ---------------------------------------------------------------------------------------------------------------
// Lists

/// A line of the table: a case, or a scene, which has neither shapes nor sizes.
typedef struct case_row {
    const char *name, *title;
    const char *fixed; ///< the body that is fixed, or ""
    int minimum;
    const abut_case *item; ///< NULL: a scene
} case_row;

static const abut_cli_member shape_members[] = {
    {"a", "A", ABUT_CLI_AT(abut_case, a.shape)},
    {"b", "B", ABUT_CLI_AT(abut_case, b.shape)},
};
static const abut_cli_layout shape_layout = ABUT_CLI_LAYOUT(shape_members);

static const abut_cli_member size_members[] = {
    {"scene_size", "S", ABUT_CLI_AT(abut_case, scene_size)},
    {"size", "size", ABUT_CLI_AT(abut_case, size)},
};
static const abut_cli_layout size_layout = ABUT_CLI_LAYOUT(size_members);

static const abut_cli_member expected_members[] = {
    {"truth_velocity", "truth", ABUT_CLI_AT(abut_case, truth_count[ABUT_READING_VELOCITY])},
    {"truth_table", NULL, ABUT_CLI_AT(abut_case, truth_count[ABUT_READING_TABLE])},
};
static const abut_cli_layout expected_layout = ABUT_CLI_LAYOUT(expected_members);

static const abut_cli_member row_members[] = {
    {"name", "case", ABUT_CLI_AT(case_row, name)},
    {"title", "title", ABUT_CLI_AT(case_row, title)},
    {NULL, NULL, ABUT_CLI_PART_TO(case_row, item, shape_layout)},
    {"fixed", "fixed", ABUT_CLI_AT(case_row, fixed)},
    {NULL, NULL, ABUT_CLI_PART_TO(case_row, item, size_layout)},
    {"minimum", "minimum", ABUT_CLI_AT(case_row, minimum), .is_null_if_zero = 1},
    {NULL, NULL, ABUT_CLI_PART_TO(case_row, item, expected_layout)},
};
static const abut_cli_layout row_layout = ABUT_CLI_LAYOUT(row_members);

static json_t *json_cases(const void *row)
{
    const case_request *request = row;
    json_t *array = json_array();
    for (int i = 0; i < request->item_count; ++i) {
        json_array_append_new(array, abut_cli_json_of(&case_layout, request->items[i]));
    }
    return array;
}

static json_t *json_scenes(const void *row)
{
    const case_request *request = row;
    json_t *array = json_array();
    for (int i = 0; i < request->scene_count; ++i) {
        json_array_append_new(array, abut_cli_json_of(&abut_cli_scene_layout, request->scene_items[i]));
    }
    return array;
}

static const abut_cli_member list_members[] = {
    {"cases", NULL, ABUT_CLI_JSON_BY(json_cases)},
    {"scenes", NULL, ABUT_CLI_JSON_BY(json_scenes)},
};
static const abut_cli_layout list_layout = ABUT_CLI_LAYOUT(list_members);

static void write_list(const void *data, const abut_cli_table *table, FILE *out)
{
    (void)data;
    abut_cli_table_print(table, 0, abut_cli_row_count(table), out);
    (void)fputs("\nS: scene size of the construction; size: the smaller bounding diagonal; minimum: least\n"
                "number of contacts that is enough; truth: expected contacts. Scenes have many bodies and no S.\n"
                "Groups: fundamental, mixed, scenes, all.\n",
                out);
}

static abut_cli_exit print_list(const case_request *request)
{
    int count = 0;
    case_row *rows =
        abut_cli_resize(NULL, (size_t)request->item_count + (size_t)request->scene_count, sizeof *rows);
    for (int i = 0; i < request->item_count; ++i) {
        const abut_case *item = request->items[i];
        const char *fixed = item->a.is_fixed ? "a" : item->b.is_fixed ? "b" : "";
        rows[count++] = (case_row){item->name, item->title, fixed, item->minimum, item};
    }
    for (int i = 0; i < request->scene_count; ++i) {
        const abut_scene *scene = request->scene_items[i];
        rows[count++] = (case_row){scene->name, scene->title, scene->bodies[0].name, scene->minimum, NULL};
    }
    abut_cli_report report = {&list_layout, request, {&row_layout, rows, count, sizeof *rows}, write_list};
    abut_cli_exit code = abut_cli_report_print(&report, request->format);
    free(rows);
    return code;
}

static const char *file_name(const void *row)
{
    return *(char *const *)row;
}

static const abut_cli_member file_members[] = {{"file", "file", ABUT_CLI_TEXT_BY(file_name)}};
static const abut_cli_layout file_layout = ABUT_CLI_LAYOUT(file_members);

static const abut_cli_member files_members[] = {
    {"files", NULL, ABUT_CLI_JSON_OF(case_request, files, abut_cli_json_list)}};
static const abut_cli_layout files_layout = ABUT_CLI_LAYOUT(files_members);

static abut_cli_exit write_files(case_request *request)
{
    abut_cli_exit code = abut_cli_make_folder(request->folder);
    for (int i = 0; i < request->item_count && code == ABUT_CLI_DONE; ++i) {
        code = write_case(request, request->items[i]);
    }
    for (int i = 0; i < request->scene_count && code == ABUT_CLI_DONE; ++i) {
        code = abut_cli_scene_write(request->scene_items[i], request->folder, &request->files);
    }
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    const abut_cli_list *files = &request->files;
    abut_cli_report report = {
        &files_layout, request, {&file_layout, files->items, files->count, sizeof *files->items}, NULL};
    return abut_cli_report_print(&report, request->format);
}

static abut_cli_exit load_items(case_request *request)
{
    request->items = abut_cli_resize(NULL, (size_t)request->cases.count, sizeof *request->items);
    request->scene_items = abut_cli_resize(NULL, (size_t)request->scenes.count, sizeof *request->scene_items);
    abut_error error = {0};
    for (int i = 0; i < request->cases.count; ++i) {
        const char *name = request->cases.items[i];
        abut_status status = abut_case_create(NULL, name, &request->params, &request->items[i], &error);
        if (status != ABUT_OK) {
            return abut_cli_fail_file(name, status, &error);
        }
        ++request->item_count;
    }
    for (int i = 0; i < request->scenes.count; ++i) {
        const char *name = request->scenes.items[i];
        abut_status status =
            abut_scene_create(NULL, name, &request->scene_params, &request->scene_items[i], &error);
        if (status != ABUT_OK) {
            return abut_cli_fail_file(name, status, &error);
        }
        ++request->scene_count;
    }
    return ABUT_CLI_DONE;
}

static void release_request(case_request *request)
{
    for (int i = 0; i < request->item_count; ++i) {
        abut_case_destroy(request->items[i]);
    }
    for (int i = 0; i < request->scene_count; ++i) {
        abut_scene_destroy(request->scene_items[i]);
    }
    free(request->items);
    free(request->scene_items);
    abut_cli_list_release(&request->files);
    abut_cli_list_release(&request->names);
    abut_cli_list_release(&request->cases);
    abut_cli_list_release(&request->scenes);
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
        code =
            abut_cli_fail(ABUT_CLI_BAD_INPUT,
                          "option --out: name the cases to write, or all: abut cases all --out %s", request.folder);
    }
    if (code == ABUT_CLI_DONE && request.folder != NULL && request.folder[0] == '\0') {
        code =
            abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --out '': give the name of a folder; . is the current one");
    }
    if (request.names.count == 0) {
        abut_cli_list_add(&request.names, "all");
    }
    code = code != ABUT_CLI_DONE ? code : abut_cli_cases_select(&request.names, &request.cases, &request.scenes);
    code = code != ABUT_CLI_DONE ? code : abut_cli_cases_check_options(arguments, &request.cases, &request.scenes);
    code = code != ABUT_CLI_DONE ? code : load_items(&request);
    if (code == ABUT_CLI_DONE) {
        code = request.folder != NULL ? write_files(&request) : print_list(&request);
    }
    release_request(&request);
    return code;
}

static const abut_cli_option options[] = {
    {"out", "DIR", "write the meshes and a JSON file of each case to this folder", 0, 0},
    {"scene-size", "S", "size of the cases (default: 25, 8 for cliff edges, 20 for internal edges)", 0, 0},
    {"refine", "RATIO", "refine the meshes of scenes with tetgen: its quality ratio, or paper (1.015)", 0, 0},
    {"seconds", "N", "time limit for tetgen, per mesh (default 60)", 0, 0},
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_cases_verb = {
    .name = "cases",
    .summary = "List or write the cases and scenes whose correct contacts are known.",
    .usage = "[NAME|GROUP ...] [options]",
    .details =
        "JSON has poses, velocities, expected contacts and the commands that compute the contacts. --out writes\n"
        "NAME-a.obj and NAME-b.obj, the same bodies with tetrahedra as TetGen files, and NAME.json. For a scene\n"
        "(pillar, wall, ...) it writes the meshes NAME-0.obj, NAME-0.node and so on, and NAME.json with all "
        "bodies.\n",
    .example = "  abut cases spikes --out spikes\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 0,
    .operand_maximum = -1,
    .run = run,
};
