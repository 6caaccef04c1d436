// SPDX-License-Identifier: MIT
// holes.h: filling small holes of a surface
#ifndef ABUT_CHECK_HOLES_H
#define ABUT_CHECK_HOLES_H

#include "check/surface.h"

/// Fills the holes of a connected surface if all of its borders are small, so that it becomes closed: a border must have
/// at most ABUT_HOLE_CORNERS corners and a perimeter of at most `perimeter`. Counts holes and faces.
abut_status abut_holes_fill(abut_surface *surface, double perimeter, abut_error *error);

/// Whether that would fill all holes of a mesh, which are there.
abut_status abut_holes_are_small(const abut_context *context, const abut_mesh *mesh, double perimeter,
                                 int *are_small);

/// The longest perimeter of a small hole, in the coordinates of the surface, for `hole` of abut_check_params.
double abut_holes_perimeter(const abut_surface *surface, double hole);

enum { ABUT_HOLE_CORNERS = 64 };

#endif
