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
                             "option --refine '%s': must be paper, or a quality ratio from 1 on", text);
    }
    return abut_cli_positive_of(arguments, "seconds", &params->refine_seconds);
}

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
