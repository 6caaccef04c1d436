// SPDX-License-Identifier: MIT
// scene_files.c: scenes of many bodies: their options, JSON and files
#include "verb/scene_files.h"

#include "shared/files.h"
#include "shared/parse.h"

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
                             "option --refine '%s': must be paper or a quality ratio of at least 1", text);
    }
    return abut_cli_positive_of(arguments, "seconds", &params->refine_seconds);
}

// ---------------------------------------------------------------------------------------------------------------
// JSON

/// A body or a joint with its scene.
typedef struct body_row {
    const abut_scene *scene;
    const abut_scene_body *body;
} body_row;

typedef struct joint_row {
    const abut_scene *scene;
    const abut_scene_joint *joint;
} joint_row;

static const char *body_name(const void *row)
{
    return ((const body_row *)row)->body->name;
}

static char *surface_text(const void *row)
{
    const body_row *r = row;
    return abut_cli_print("%s-%d.obj", r->scene->name, r->body->mesh);
}

static char *tets_text(const void *row)
{
    const body_row *r = row;
    return abut_cli_print("%s-%d.node", r->scene->name, r->body->mesh);
}

static const abut_cli_member place_members[] = {
    {"pose", NULL, ABUT_CLI_AT(abut_scene_body, pose)},
    {"fixed", NULL, ABUT_CLI_FLAG_AT(abut_scene_body, is_fixed)},
};
static const abut_cli_layout place_layout = ABUT_CLI_LAYOUT(place_members);

static const abut_cli_member body_members[] = {
    {"name", NULL, ABUT_CLI_TEXT_BY(body_name)},
    {"surface", NULL, ABUT_CLI_NEW_TEXT_BY(surface_text)},
    {"tets", NULL, ABUT_CLI_NEW_TEXT_BY(tets_text)},
    {NULL, NULL, ABUT_CLI_PART_TO(body_row, body, place_layout)},
};
static const abut_cli_layout body_layout = ABUT_CLI_LAYOUT(body_members);

static const char *name_a(const void *row)
{
    const joint_row *r = row;
    return r->scene->bodies[r->joint->a].name;
}

static const char *name_b(const void *row)
{
    const joint_row *r = row;
    return r->scene->bodies[r->joint->b].name;
}

static const abut_cli_member contact_members[] = {
    {"normal", NULL, ABUT_CLI_AT(abut_scene_joint, normal)},
    {"area", NULL, ABUT_CLI_AT(abut_scene_joint, area)},
};
static const abut_cli_layout contact_layout = ABUT_CLI_LAYOUT(contact_members);

static const abut_cli_member joint_members[] = {
    {"a", NULL, ABUT_CLI_TEXT_BY(name_a)},
    {"b", NULL, ABUT_CLI_TEXT_BY(name_b)},
    {NULL, NULL, ABUT_CLI_PART_TO(joint_row, joint, contact_layout)},
};
static const abut_cli_layout joint_layout = ABUT_CLI_LAYOUT(joint_members);

static json_t *json_groups(const void *row)
{
    (void)row;
    return json_pack("[ss]", "scenes", "all");
}

static json_t *json_bodies(const void *row)
{
    const abut_scene *scene = row;
    json_t *array = json_array();
    for (int i = 0; i < scene->body_count; ++i) {
        json_array_append_new(array, abut_cli_json_of(&body_layout, &(body_row){scene, &scene->bodies[i]}));
    }
    return array;
}

static json_t *json_joints(const void *row)
{
    const abut_scene *scene = row;
    json_t *array = json_array();
    for (int i = 0; i < scene->joint_count; ++i) {
        json_array_append_new(array, abut_cli_json_of(&joint_layout, &(joint_row){scene, &scene->joints[i]}));
    }
    return array;
}

static const abut_cli_member scene_members[] = {
    {"name", NULL, ABUT_CLI_AT(abut_scene, name)},
    {"title", NULL, ABUT_CLI_AT(abut_scene, title)},
    {"groups", NULL, ABUT_CLI_JSON_BY(json_groups)},
    {"minimum", NULL, ABUT_CLI_AT(abut_scene, minimum)},
    {"feature_minimum", NULL, ABUT_CLI_AT(abut_scene, feature_minimum), .is_null_if_zero = 1},
    {"area", NULL, ABUT_CLI_AT(abut_scene, area)},
    {"bodies", NULL, ABUT_CLI_JSON_BY(json_bodies)},
    {"joints", NULL, ABUT_CLI_JSON_BY(json_joints)},
};
const abut_cli_layout abut_cli_scene_layout = ABUT_CLI_LAYOUT(scene_members);

// ---------------------------------------------------------------------------------------------------------------
// Files

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
    abut_cli_report_write(&(abut_cli_report){.document = &abut_cli_scene_layout, .data = scene}, ABUT_CLI_JSON,
                          text.stream);
    char *path = abut_cli_print("%s/%s.json", folder, scene->name);
    code = abut_cli_write_printed(path, &text);
    abut_cli_list_add(files, path);
    free(path);
    return code;
}
