// SPDX-License-Identifier: MIT
// shape.h: shapes and soft bodies as queries see them
#ifndef ABUT_METHOD_SHAPE_H
#define ABUT_METHOD_SHAPE_H

#include <abut/contact.h>

enum { ABUT_ELEMENT_KINDS = 4 };

/// The shape of a side, soft or rigid.
const abut_shape *abut_side_shape(const abut_side *side);

/// Length of the diagonal of a side's bounds, dilation and offset included.
double abut_side_diagonal(const abut_side *side);

/// A hash of mesh, dilation and offset: equal for equal shapes.
uint64_t abut_shape_hash(const abut_shape *shape);

/// Whether abut_shape_prepare() succeeded for this method with options of the same values.
int abut_shape_is_prepared(const abut_shape *shape, const abut_method *method, const abut_params *params);

/// What the method's `prepare` built for these options, or NULL.
const void *abut_shape_find_data(const abut_shape *shape, const abut_method *method, const abut_params *params);

#endif
