// SPDX-License-Identifier: MIT
// brep_chains.h: straight pieces of the chains of sharp mesh edges
#ifndef ABUT_MESH_BREP_CHAINS_H
#define ABUT_MESH_BREP_CHAINS_H

#include "mesh/brep.h"

/// Piece i is the straight line of mesh_edges[offsets[i]] .. [offsets[i + 1] - 1] from mesh vertex starts[i] to
/// ends[i].
typedef struct abut_brep_pieces {
    int *mesh_edges;
    int *offsets;
    int *starts, *ends;
    int count;
    int *piece_of; ///< for each mesh edge: its piece, or -1
} abut_brep_pieces;

/// Finds the pieces. `sharp_count` is the number of sharp mesh edges; the arrays have room for as many pieces.
abut_status abut_brep_find_pieces(const abut_brep_work *work, abut_brep_pieces *found, int sharp_count);

#endif
