// SPDX-License-Identifier: MIT
// penalty_scenes.h: scenes with penalty forces
#ifndef ABUT_LAB_PENALTY_SCENES_H
#define ABUT_LAB_PENALTY_SCENES_H

#include "scenes/setup.h"

/// Fills a setup. The name must be one of abut_penalty_scene_names().
void abut_penalty_scene_add(abut_setup_builder *builder, const char *name);

/// Parts of these scenes. Adds a closed surface of rows and columns of vertices, of which columns close, and rows as well
/// if it `is_ring`. Else its first and last rows are points. Returns the mesh.
int abut_penalty_grid(abut_setup_builder *builder, const char *name, int rows, int columns, int is_ring,
                      abut_vec3 (*place)(double row, double column));
void abut_penalty_body(abut_setup_builder *builder, const char *name, const abut_setup_body *like);
/// Sets the parameters of the forces.
abut_response_params *abut_penalty_forces(abut_setup_builder *builder, double stiffness, double tolerance);

void abut_add_pin_rings(abut_setup_builder *builder);
void abut_add_octopus(abut_setup_builder *builder);
void abut_add_tori_on_cloth(abut_setup_builder *builder);
void abut_add_dragons(abut_setup_builder *builder);

#endif
