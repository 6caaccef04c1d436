// SPDX-License-Identifier: MIT
// buildings.h: structures of stones for simulations, beside those with known contacts
#ifndef ABUT_LAB_BUILDINGS_H
#define ABUT_LAB_BUILDINGS_H

#include "scenes/setup.h"

/// Adds ground and stones of a building to a setup that has the materials "stone" (0) and "iron" (1). The name must
/// be one of abut_building_names().
void abut_building_add(abut_setup_builder *builder, const char *name);

/// Those that have files of their own.
void abut_temple_add(abut_setup_builder *builder);
void abut_funnel_add(abut_setup_builder *builder);

#endif
