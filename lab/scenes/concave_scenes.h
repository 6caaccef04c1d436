// SPDX-License-Identifier: MIT
// concave_scenes.h: scenes of bodies that are not convex
#ifndef ABUT_LAB_CONCAVE_SCENES_H
#define ABUT_LAB_CONCAVE_SCENES_H

#include "scenes/setup.h"

/// Fills a setup. The name must be one of abut_concave_scene_names().
void abut_concave_scene_add(abut_setup_builder *builder, const char *name);

#endif
