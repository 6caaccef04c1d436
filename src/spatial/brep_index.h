// SPDX-License-Identifier: MIT
// brep_index.h: private parts of a Brep-index
#ifndef ABUT_SPATIAL_BREP_INDEX_H
#define ABUT_SPATIAL_BREP_INDEX_H

#include "spatial/index_pieces.h"

/// A node. A child is the index of a node, or ~code of a leaf.
typedef struct abut_index_node {
    abut_index_plane plane;
    int children[3]; ///< above, on, below; "on" equals "above" if no part of the B-rep is on the plane
    int dimension;   ///< of the region that the plane cuts
} abut_index_node;

/// Codes of leaves. A free leaf is a part of a plane or line that is off the boundary. The regions of space next to it
/// tell whether it is inside or outside.
enum { ABUT_LEAF_OUTSIDE, ABUT_LEAF_INSIDE, ABUT_LEAF_FREE, ABUT_LEAF_ENTITY };

/// Coordinates are relative to `center`, so a solid far from the origin loses no digits.
struct abut_brep_index {
    abut_context context;
    abut_index_node *nodes;
    int root;
    abut_vec3 center;
    abut_brep_index_info info;
};

static inline int abut_leaf_code(abut_location location)
{
    return ABUT_LEAF_ENTITY + 3 * location.entity + (int)(location.place - ABUT_PLACE_VERTEX);
}

/// Location of a leaf that is not free.
static inline abut_location abut_leaf_location(int code)
{
    if (code < ABUT_LEAF_ENTITY) {
        abut_location off = {code == ABUT_LEAF_INSIDE ? ABUT_PLACE_INSIDE : ABUT_PLACE_OUTSIDE, -1};
        return off;
    }
    int entry = code - ABUT_LEAF_ENTITY;
    abut_location on = {(abut_place)((int)ABUT_PLACE_VERTEX + entry % 3), entry / 3};
    return on;
}

/// Appends the vertices, edges and triangles of a B-rep to a list, moved by `pose` and then by -`center`. Returns 0 if
/// memory ran out.
int abut_index_add_entities(const abut_context *context, const abut_brep *brep, abut_pose pose, abut_vec3 center,
                            abut_piece_list *list);

/// The tolerance of a build: pieces this close to a plane count as on it.
double abut_index_least_tolerance(const abut_brep *brep);

/// Cuts space until every region is a leaf. Fills nodes, root and info. `entities` must hold at least one polygon; the
/// build consumes its pieces.
abut_status abut_index_build(abut_brep_index *index, const abut_brep_index_params *params, const abut_brep *brep,
                             abut_piece_list *entities);

/// Receives a part of a piece and its location. A result other than 0 ends the work.
typedef int abut_index_part_function(void *user, abut_location location, const abut_corner *corners, int count);

/// Scratch memory of abut_index_send(), kept between calls. All zero to begin with.
typedef struct abut_index_scratch {
    abut_piece_list waiting;
    abut_piece_list piece;
    abut_piece_list parts[3];
    struct abut_index_way *ways; ///< position of each waiting piece in the tree
    int way_capacity;
} abut_index_scratch;

void abut_index_scratch_free(const abut_context *context, abut_index_scratch *scratch);

/// Corners in the caller's coordinates, in memory kept between calls. All zero to begin with.
typedef struct abut_index_positions {
    abut_vec3 *items;
    int capacity;
} abut_index_positions;

/// Moves a piece to the frame of the B-rep. Returns 0 if memory ran out.
int abut_index_make_piece(const abut_brep_index *index, abut_index_positions *positions, abut_location location,
                          const abut_corner *corners, int count, abut_index_piece *piece);

/// Sends a piece, relative to the index's center, down the tree. Parts inside or outside the solid are reported only
/// if they have the dimension of the whole piece.
abut_status abut_index_send(const abut_brep_index *index, abut_index_scratch *scratch, const abut_corner *corners,
                            int count, abut_index_part_function *function, void *user);

#endif
