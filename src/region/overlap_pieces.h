// SPDX-License-Identifier: MIT
// overlap_pieces.h: the connected pieces in which the surfaces of two solids cross
#ifndef ABUT_REGION_OVERLAP_PIECES_H
#define ABUT_REGION_OVERLAP_PIECES_H

#include "region/touch.h"

/// A connected set of curves in which the surfaces cross.
typedef struct abut_overlap_piece {
    /// The vector area of A's surface within these curves, from A to B: moving B along it makes the overlap smaller
    /// the fastest.
    abut_vec3 area;
    abut_box box; ///< of the curves, in A's frame
} abut_overlap_piece;

typedef struct abut_overlap_pieces {
    abut_overlap_piece *items; ///< in the arena
    int count;
    abut_vec3 area; ///< of all pieces together
} abut_overlap_pieces;

/// The segment that two triangles have in common, in the direction normal_a x normal_b. Returns 0 if it is a point, or if
/// they are coplanar or apart.
int abut_crossing_segment(const abut_vec3 a[3], const abut_vec3 b[3], abut_vec3 ends[2]);

/// Finds the pieces of two placed sides. None: the surfaces do not cross, so the solids are apart or one is inside the
/// other. Returns 0 if memory ran out.
int abut_overlap_pieces_find(abut_arena *arena, const abut_touch_side sides[2], abut_overlap_pieces *pieces);

/// Whether the solids have no point in common: no two triangles do, exactly, and no part is inside the other solid.
int abut_sides_are_apart(const abut_touch_side sides[2]);

#endif
