// SPDX-License-Identifier: MIT
// index_pieces.h: convex pieces of entities, and cutting them by planes
#ifndef ABUT_SPATIAL_INDEX_PIECES_H
#define ABUT_SPATIAL_INDEX_PIECES_H

#include <abut/brep_index.h>

/// What a corner or a side of a piece is. It tells who speaks for the point where the piece touches a plane.
typedef enum abut_rim {
    ABUT_RIM_INNER,  ///< inside the entity: the joint of two pieces of it, so the entity itself
    ABUT_RIM_ENTITY, ///< a vertex or edge of the B-rep, which is a piece of its own
    ABUT_RIM_CUT     ///< on an earlier plane, which has dealt with it
} abut_rim;

typedef struct abut_corner {
    abut_vec3 position;
    abut_rim rim;      ///< of the corner
    abut_rim rim_next; ///< of the side from here to the next corner; of no meaning for points and segments
} abut_corner;

/// A point, segment or convex polygon: one, two or more corners.
typedef struct abut_piece {
    abut_location location; ///< the entity that it is a part of
    int begin, count;       ///< in the corners of its list
} abut_piece;

/// Grows at its end. All zero is an empty list.
typedef struct abut_piece_list {
    abut_piece *pieces;
    int count, capacity;
    abut_corner *corners;
    int corner_count, corner_capacity;
} abut_piece_list;

void abut_piece_list_free(const abut_context *context, abut_piece_list *list);

/// Appends a piece and gives its corners, to be filled; NULL if memory ran out.
abut_corner *abut_piece_list_add(const abut_context *context, abut_piece_list *list, abut_location location,
                                 int count);

/// Appends all pieces of another list.
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

/// What of a piece is above, on and below a plane goes to the lists parts[ABUT_ABOVE], [ABUT_ON], [ABUT_BELOW]. A
/// piece that only touches the plane leaves something on it where the touching part is an inner one. Returns 0 if
/// memory ran out.
int abut_piece_split(const abut_context *context, const abut_piece *piece, const abut_corner *corners,
                     const abut_index_plane *plane, double tolerance, abut_piece_list parts[3]);

#endif
