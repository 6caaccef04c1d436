// SPDX-License-Identifier: MIT
// overlap_shapes.h: the generated solids of the overlap placements
#ifndef ABUT_LAB_OVERLAP_SHAPES_H
#define ABUT_LAB_OVERLAP_SHAPES_H

#include <abut/abut.h>

/// The names of all shapes.
const char *const *abut_overlap_shape_names(int *count);

/// Makes a shape of about unit size by its index.
abut_status abut_overlap_shape_create(const abut_context *context, int index, abut_mesh **mesh, abut_error *error);

#endif
