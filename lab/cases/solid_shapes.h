// SPDX-License-Identifier: MIT
// solid_shapes.h: generated solids, most of them not convex
#ifndef ABUT_LAB_SOLID_SHAPES_H
#define ABUT_LAB_SOLID_SHAPES_H

#include <abut/abut.h>

/// The names of all shapes.
const char *const *abut_solid_shape_names(int *count);

/// Makes a shape of about unit size by its index.
abut_status abut_solid_shape_create(const abut_context *context, int index, abut_mesh **mesh, abut_error *error);

#endif
