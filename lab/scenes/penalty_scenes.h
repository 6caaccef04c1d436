// SPDX-License-Identifier: MIT
// penalty_scenes.h: scenes with penalty forces
#ifndef ABUT_LAB_PENALTY_SCENES_H
#define ABUT_LAB_PENALTY_SCENES_H

#include "scenes/setup.h"

/// Fills a setup. The name must be one of abut_penalty_scene_names().
void abut_penalty_scene_add(abut_setup_builder *builder, const char *name);

#endif
