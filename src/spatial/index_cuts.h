// SPDX-License-Identifier: MIT
// index_cuts.h: choosing the plane that cuts a region of a Brep-index
#ifndef ABUT_SPATIAL_INDEX_CUTS_H
#define ABUT_SPATIAL_INDEX_CUTS_H

#include "spatial/index_pieces.h"

/// A convex part of space, of a plane or of a line, with the pieces of entities in it.
typedef struct abut_index_region {
    int dimension;
    abut_vec3 direction; ///< of the plane's normal or of the line; of no meaning in space
    const abut_piece *pieces;
    int count;
    const abut_corner *corners; ///< of all pieces
} abut_index_region;

typedef struct abut_index_cut {
    abut_index_plane plane;
    int chosen;          ///< the piece that the plane was put through and is on it whatever rounding says; -1: none
    abut_vec3 direction; ///< of the region on the plane
} abut_index_cut;

/// How to choose; the planes of the faces are relative to the same centre as the corners.
typedef struct abut_index_cut_rules {
    abut_index_cuts cuts;
    double tolerance;
    const abut_index_plane *face_planes;
} abut_index_cut_rules;

/// A region of dimension 3 has a polygon, one of dimension 2 a segment or a point, one of dimension 1 a point.
abut_index_cut abut_index_choose_cut(const abut_index_cut_rules *rules, const abut_index_region *region);

#endif
