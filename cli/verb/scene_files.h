// SPDX-License-Identifier: MIT
// scene_run.h: scenes of many bodies in `abut assess` and `abut cases`
#ifndef ABUT_CLI_SCENE_RUN_H
#define ABUT_CLI_SCENE_RUN_H

#include "shared/query_options.h"
#include "verb/assessment.h"

/// A scene with a shape of each mesh and the pairs of bodies to ask for.
typedef struct abut_cli_scene {
    abut_scene *item;
    abut_shape **shapes;
    abut_scene_pair *pairs;
    int pair_count;
} abut_cli_scene;

/// The option --refine, and --seconds as its limit, as parameters of scenes.
abut_cli_exit abut_cli_scene_params_of(const abut_cli_arguments *arguments, abut_scene_params *params);

/// Release with abut_cli_scene_release(), also after a failure.
abut_cli_exit abut_cli_scene_load(const char *name, const abut_scene_params *params, abut_cli_scene *scene);
void abut_cli_scene_release(abut_cli_scene *scene);

/// Asks for the contacts of all pairs, at rest or at a step of a simulation, and fills the row, whose method, case
/// and state are set. The first pair that is not answered makes a row without measures.
void abut_cli_scene_run(const abut_cli_query *query, const abut_cli_scene *scene, abut_workspace *workspace,
                        abut_cli_row *row);

/// Adds bodies, joints and numbers of a scene.
void abut_cli_scene_set(json_t *object, const abut_scene *scene);

/// Writes the meshes and a JSON file of a scene to a folder, and adds the names of the files.
abut_cli_exit abut_cli_scene_write(const abut_scene *scene, const char *folder, abut_cli_list *files);

#endif
