// SPDX-License-Identifier: MIT
// assembly_parts.h: the shapes of the assembly, and the frame that they are described in
#ifndef ABUT_LAB_ASSEMBLY_PARTS_H
#define ABUT_LAB_ASSEMBLY_PARTS_H

#include "assembly/assembly_surface.h"

#include <abut-lab/assembly.h>

/// The name of a shape; 0 is the linkage.
extern const char *const abut_assembly_names[ABUT_ASSEMBLY_SHAPES];

/// Adds all parts of a shape.
void abut_assembly_add_shape(abut_surface_builder *builder, int shape, int seed);

/// Where the linkage ends: the turn about the axis of the gap at which the pegs meet the holes.
extern const double abut_assembly_last_turn;

/// A vector turned about the axis of the gap, which is y: x towards z.
abut_vec3 abut_assembly_turn(abut_vec3 v, double angle);

/// A number from 0 to 1 that the seed decides.
double abut_assembly_chance(int seed, int index);

#endif
