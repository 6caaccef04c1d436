// SPDX-License-Identifier: MIT
// motion_scenes.h: scenes without friction for the stepper that goes from event to event
#ifndef ABUT_LAB_MOTION_SCENES_H
#define ABUT_LAB_MOTION_SCENES_H

#include "scenes/setup.h"

/// Fills a setup. The name must be one of abut_motion_names().
void abut_motion_add(abut_setup_builder *builder, const char *name);

#endif
