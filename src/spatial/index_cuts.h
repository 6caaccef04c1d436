// SPDX-License-Identifier: MIT
// index_cuts.h: chooses the plane that cuts a region of a Brep-index
#ifndef ABUT_SPATIAL_INDEX_CUTS_H
#define ABUT_SPATIAL_INDEX_CUTS_H

#include "spatial/index_pieces.h"

/// A convex part of space, of a plane or of a line, and the pieces of entities inside it.
typedef struct abut_index_region {
    int dimension;
    abut_vec3 direction; ///< the plane's normal or the line's direction; unused in space
    const abut_piece *pieces;
    int count;
    const abut_corner *corners; ///< of all pieces
} abut_index_region;

typedef struct abut_index_cut {
    abut_index_plane plane;
    int chosen;          ///< the piece that defined the plane and so counts as on it despite rounding; -1: none
    abut_vec3 direction; ///< direction of the region on the plane, see abut_index_region
} abut_index_cut;

/// Rules of the choice. Face planes are relative to the same center as the corners.
typedef struct abut_index_cut_rules {
    abut_index_cuts cuts;
    double tolerance;
    const abut_index_plane *face_planes;
} abut_index_cut_rules;

/// Chooses a cut. A region of dimension 3 must hold a polygon, of dimension 2 a segment or point, of dimension 1 a
/// point.
abut_index_cut abut_index_choose_cut(const abut_index_cut_rules *rules, const abut_index_region *region);

#endif
