// SPDX-License-Identifier: MIT
// scene_run.c: scenes of many bodies in `abut assess` and `abut cases`
#include "verb/scene_run.h"

#include "shared/files.h"
#include "shared/parse.h"
#include "verb/motion_run.h"

#include <stdlib.h>
#include <string.h>

abut_cli_exit abut_cli_scene_params_of(const abut_cli_arguments *arguments, abut_scene_params *params)
{
    *params = abut_scene_params_default();
    const char *text = abut_cli_value_of(arguments, "refine");
    if (text != NULL && strcmp(text, "paper") == 0) {
        params->refine_ratio = ABUT_SCENE_PAPER_RATIO;
    } else if (text != NULL &&
               (!abut_cli_parse_number(text, &params->refine_ratio) || params->refine_ratio < 1.0)) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "option --refine '%s': must be paper, or a quality ratio from 1 on", text);
    }
    return abut_cli_positive_of(arguments, "seconds", &params->refine_seconds);
}

abut_cli_exit abut_cli_scene_load(const char *name, const abut_scene_params *params, abut_cli_scene *scene)
{
    *scene = (abut_cli_scene){0};
    abut_error error = {0};
    abut_status status = abut_scene_create(NULL, name, params, &scene->item, &error);
    if (status == ABUT_OK) {
        int count = scene->item->mesh_count;
        scene->shapes = abut_cli_resize(NULL, (size_t)count, sizeof(abut_shape *));
        memset(scene->shapes, 0, (size_t)count * sizeof(abut_shape *));
        for (int i = 0; i < count && status == ABUT_OK; ++i) {
            abut_shape_def def = abut_shape_def_default();
            def.mesh = scene->item->meshes[i];
            status = abut_shape_create(NULL, &def, &scene->shapes[i], &error);
        }
        scene->pair_count = abut_scene_find_pairs(scene->item, NULL, 0);
        scene->pairs = abut_cli_resize(NULL, (size_t)scene->pair_count, sizeof *scene->pairs);
        (void)abut_scene_find_pairs(scene->item, scene->pairs, scene->pair_count);
    }
    return status == ABUT_OK
               ? ABUT_CLI_DONE
               : abut_cli_fail(abut_cli_exit_of(status), "scene %s: %s", name, abut_cli_message(status, &error));
}

void abut_cli_scene_release(abut_cli_scene *scene)
{
    for (int i = 0; scene->shapes != NULL && i < scene->item->mesh_count; ++i) {
        abut_shape_destroy(scene->shapes[i]);
    }
    free(scene->shapes);
    free(scene->pairs);
    abut_scene_destroy(scene->item);
    *scene = (abut_cli_scene){0};
}

// ---------------------------------------------------------------------------------------------------------------
// Rows

typedef struct collected {
    abut_scene_sample *items;
    int count;
    double raw, filtered;
} collected;

static void collect(const abut_cli_query *query, const abut_pair *pair, abut_scene_pair bodies,
                    const abut_result *result, collected *samples)
{
    int count = result->contacts.count;
    samples->items =
        abut_cli_resize(samples->items, (size_t)samples->count + (size_t)count, sizeof *samples->items);
    for (int i = 0; i < count; ++i) {
        abut_sample sample = abut_paper_sample(pair, &result->contacts.items[i], query->has_long_normals);
        samples->items[samples->count++] = (abut_scene_sample){bodies, sample.position, sample.normal};
    }
    samples->raw += (double)result->stats.raw_contacts;
    samples->filtered += (double)result->stats.filtered_contacts;
}

static void fail_row(abut_cli_row *row, abut_status status, char *message)
{
    row->status = status;
    row->message = message;
}

static void run_pairs(const abut_cli_query *query, const abut_cli_scene *scene, abut_workspace *workspace,
                      collected *samples, abut_cli_row *row)
{
    for (int i = 0; i < scene->pair_count && row->status == ABUT_OK; ++i) {
        abut_scene_pair bodies = scene->pairs[i];
        const abut_scene_body *a = &scene->item->bodies[bodies.a], *b = &scene->item->bodies[bodies.b];
        abut_result result = abut_result_default();
        abut_pair pair = abut_scene_get_pair(scene->item, bodies, scene->shapes[a->mesh], scene->shapes[b->mesh]);
        abut_status status =
            abut_cli_query_run(query, &pair, scene->shapes[a->mesh], scene->shapes[b->mesh], workspace, &result);
        if (status == ABUT_OK) {
            collect(query, &pair, bodies, &result, samples);
        } else {
            fail_row(row, status,
                     abut_cli_print("%s and %s: %s", a->name, b->name, abut_cli_message(status, &result.error)));
        }
    }
}

static abut_measures measures_of(const abut_scene_measures *from)
{
    return (abut_measures){.quality = from->quality,
                           .coverage = from->coverage,
                           .coverage_normals = from->coverage_normals,
                           .excess = from->excess,
                           .contacts = from->contacts};
}

static void measure(const abut_scene *scene, const abut_scene_sample *samples, int count, abut_cli_row *row)
{
    abut_error error = {0};
    abut_cli_scene_row *details = abut_cli_resize(NULL, 1, sizeof *details);
    *details = (abut_cli_scene_row){.feature_minimum = scene->feature_minimum};
    row->scene = details;
    abut_status status = abut_scene_measure(NULL, scene, samples, count, &details->measures, &error);
    if (status == ABUT_OK) {
        status = abut_scene_find_curves(NULL, scene, samples, count, &details->curves, &error);
    }
    if (status != ABUT_OK) {
        fail_row(row, status, abut_cli_copy(abut_cli_message(status, &error)));
        return;
    }
    int plateaus = abut_scene_find_plateaus(scene, &details->curves, details->plateaus, ABUT_CLI_MAX_PLATEAUS);
    details->plateau_count = plateaus < ABUT_CLI_MAX_PLATEAUS ? plateaus : ABUT_CLI_MAX_PLATEAUS;
    row->measures[ABUT_READING_VELOCITY] = row->measures[ABUT_READING_TABLE] = measures_of(&details->measures);
}

static void run_at_rest(const abut_cli_query *query, const abut_cli_scene *scene, abut_workspace *workspace,
                        abut_cli_row *row)
{
    collected samples = {0};
    run_pairs(query, scene, workspace, &samples, row);
    if (row->status == ABUT_OK) {
        measure(scene->item, samples.items, samples.count, row);
    }
    if (row->status == ABUT_OK && !query->method->is_plugin) {
        row->raw_contacts = samples.raw;
        row->filtered_contacts = samples.filtered;
    }
    free(samples.items);
}

static void run_in_motion(const abut_cli_query *query, const abut_cli_scene *scene, int step, abut_cli_row *row)
{
    abut_error error = {0};
    abut_setup *setup = NULL;
    abut_cli_motion motion = {0};
    abut_status status = abut_setup_create_scene(NULL, scene->item, &setup, &error);
    if (status == ABUT_OK) {
        status = abut_cli_motion_run(query, setup, step, &motion, &error);
    }
    if (status == ABUT_OK) {
        const abut_world_report *report = &motion.detection.report;
        row->raw_contacts = (double)report->stats.raw_contacts;
        row->filtered_contacts = (double)report->stats.filtered_contacts;
        row->fallbacks = report->fallback_count;
        measure(scene->item, motion.detection.samples, report->contact_count, row);
    } else {
        fail_row(row, status, abut_cli_copy(abut_cli_message(status, &error)));
    }
    abut_cli_motion_release(&motion);
    abut_setup_destroy(setup);
}

void abut_cli_scene_run(const abut_cli_query *query, const abut_cli_scene *scene, abut_workspace *workspace,
                        abut_cli_row *row)
{
    row->minimum = scene->item->minimum;
    int step = abut_cli_step_of(row->state);
    if (step > 0) {
        run_in_motion(query, scene, step, row);
    } else if (strcmp(row->state, "touching") == 0) {
        run_at_rest(query, scene, workspace, row);
    } else {
        fail_row(row, ABUT_UNSUPPORTED,
                 abut_cli_copy("a scene is at rest: it has the state touching, and steps of a simulation"));
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Files

static void set_file(json_t *body, const char *key, const abut_scene *scene, int mesh, const char *extension)
{
    char *name = abut_cli_print("%s-%d.%s", scene->name, mesh, extension);
    json_object_set_new(body, key, json_string(name));
    free(name);
}

void abut_cli_scene_set(json_t *object, const abut_scene *scene)
{
    json_t *bodies = json_array(), *joints = json_array();
    for (int i = 0; i < scene->body_count; ++i) {
        const abut_scene_body *body = &scene->bodies[i];
        json_t *item = json_object();
        json_object_set_new(item, "name", json_string(body->name));
        set_file(item, "surface", scene, body->mesh, "obj");
        set_file(item, "tets", scene, body->mesh, "node");
        json_object_set_new(item, "pose", abut_cli_json_pose(body->pose));
        json_object_set_new(item, "fixed", json_boolean(body->is_fixed));
        json_array_append_new(bodies, item);
    }
    for (int i = 0; i < scene->joint_count; ++i) {
        const abut_scene_joint *joint = &scene->joints[i];
        json_t *item = json_object();
        json_object_set_new(item, "a", json_string(scene->bodies[joint->a].name));
        json_object_set_new(item, "b", json_string(scene->bodies[joint->b].name));
        json_object_set_new(item, "normal", abut_cli_json_vec3(joint->normal));
        json_object_set_new(item, "area", abut_cli_json_number(joint->area));
        json_array_append_new(joints, item);
    }
    json_object_set_new(object, "name", json_string(scene->name));
    json_object_set_new(object, "title", json_string(scene->title));
    json_object_set_new(object, "groups", json_pack("[ss]", "scenes", "all"));
    json_object_set_new(object, "minimum", json_integer(scene->minimum));
    json_object_set_new(object, "feature_minimum",
                        scene->feature_minimum > 0 ? json_integer(scene->feature_minimum) : json_null());
    json_object_set_new(object, "area", abut_cli_json_number(scene->area));
    json_object_set_new(object, "bodies", bodies);
    json_object_set_new(object, "joints", joints);
}

abut_cli_exit abut_cli_scene_write(const abut_scene *scene, const char *folder, abut_cli_list *files)
{
    abut_cli_exit code = ABUT_CLI_DONE;
    for (int i = 0; i < scene->mesh_count && code == ABUT_CLI_DONE; ++i) {
        char *base = abut_cli_print("%s/%s-%d", folder, scene->name, i);
        code = abut_cli_write_body(scene->meshes[i], base, files);
        free(base);
    }
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    abut_cli_text text;
    abut_cli_text_open(&text);
    json_t *document = abut_cli_json_document();
    abut_cli_scene_set(document, scene);
    abut_cli_json_print(document, text.stream);
    char *content = abut_cli_text_take(&text);
    char *path = abut_cli_print("%s/%s.json", folder, scene->name);
    code = abut_cli_write_text(path, content);
    abut_cli_list_add(files, path);
    free(content);
    free(path);
    return code;
}
