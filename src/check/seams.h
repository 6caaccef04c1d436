// SPDX-License-Identifier: MIT
// seams.h: splitting edges at which more than two faces meet
#ifndef ABUT_CHECK_SEAMS_H
#define ABUT_CHECK_SEAMS_H

#include "check/surface.h"

/// Splits the edges at which an even number of faces meets, more than two: solids that touch in an edge become separate
/// there. Their vertices are doubled; the new ones follow the others, and `sources` gets the vertex that each is a copy
/// of. Counts the edges.
abut_status abut_seams_split(abut_surface *surface, abut_ints *sources, abut_error *error);

#endif
