// SPDX-License-Identifier: MIT
// scene_files.h: scenes of many bodies: their options, JSON and files
#ifndef ABUT_CLI_SCENE_FILES_H
#define ABUT_CLI_SCENE_FILES_H

#include "shared/layout.h"

#include <abut-lab/scene.h>

/// The option --refine, and --seconds as its limit, as parameters of scenes.
abut_cli_exit abut_cli_scene_params_of(const abut_cli_arguments *arguments, abut_scene_params *params);

/// The JSON of an abut_scene: bodies, joints and numbers.
extern const abut_cli_layout abut_cli_scene_layout;

/// Writes the meshes and a JSON file of a scene to a folder, and adds the names of the files.
abut_cli_exit abut_cli_scene_write(const abut_scene *scene, const char *folder, abut_cli_list *files);

#endif
