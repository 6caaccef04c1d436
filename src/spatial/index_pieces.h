// SPDX-License-Identifier: MIT
// index_pieces.h: convex pieces of entities, and cuts of them by planes
#ifndef ABUT_SPATIAL_INDEX_PIECES_H
#define ABUT_SPATIAL_INDEX_PIECES_H

#include <abut/brep_index.h>

/// Kind of a corner or side of a piece. If the piece touches a plane there, the kind tells which piece represents the
/// touching point on the plane.
typedef enum abut_rim {
    ABUT_RIM_INNER,  ///< inside the entity, a joint of two of its pieces: this piece represents it
    ABUT_RIM_ENTITY, ///< a vertex or edge of the B-rep, which is a piece of its own and represents it
    ABUT_RIM_CUT     ///< on an earlier plane: a piece of that plane represents it
} abut_rim;

typedef struct abut_corner {
    abut_vec3 position;
    abut_rim rim;      ///< of the corner
    abut_rim rim_next; ///< of the side from here to the next corner; unused for points and segments
} abut_corner;

/// A point, segment or convex polygon: one, two or more corners.
typedef struct abut_piece {
    abut_location location; ///< the entity that it is a part of
    int begin, count;       ///< range in the corners of its list
} abut_piece;

/// A list of pieces. All zero is an empty list.
typedef struct abut_piece_list {
    abut_piece *pieces;
    int count, capacity;
    abut_corner *corners;
    int corner_count, corner_capacity;
} abut_piece_list;

void abut_piece_list_free(const abut_context *context, abut_piece_list *list);

/// Appends a piece. Returns its corners for the caller to fill, or NULL if memory ran out.
abut_corner *abut_piece_list_add(const abut_context *context, abut_piece_list *list, abut_location location,
                                 int count);

/// Appends all pieces of another list. Returns 0 if memory ran out.
int abut_piece_list_join(const abut_context *context, abut_piece_list *list, const abut_piece_list *added);

enum { ABUT_ABOVE, ABUT_ON, ABUT_BELOW };

typedef struct abut_index_plane {
    abut_vec3 normal;
    double offset;
} abut_index_plane;

static inline double abut_index_height(const abut_index_plane *plane, abut_vec3 p)
{
    return abut_dot(plane->normal, p) - plane->offset;
}

static inline int abut_piece_dimension(const abut_piece *piece)
{
    return piece->count > 2 ? 2 : piece->count - 1;
}

/// Splits a piece by a plane and appends its parts above, on and below to parts[ABUT_ABOVE], [ABUT_ON], [ABUT_BELOW].
/// A piece that only touches the plane leaves a part on it only if the touching corner or side is inner. Returns 0 if
/// memory ran out.
int abut_piece_split(const abut_context *context, const abut_piece *piece, const abut_corner *corners,
                     const abut_index_plane *plane, double tolerance, abut_piece_list parts[3]);

#endif
