// SPDX-License-Identifier: MIT
// ply_header.h: the header of a PLY file
#ifndef ABUT_IO_PLY_HEADER_H
#define ABUT_IO_PLY_HEADER_H

#include "io/values.h"

/// What a property means for a mesh.
typedef enum abut_ply_role {
    ABUT_PLY_SKIPPED,
    ABUT_PLY_X,
    ABUT_PLY_Y,
    ABUT_PLY_Z,
    ABUT_PLY_CORNERS,
    ABUT_PLY_STRIP, ///< corners of triangle strips; -1 begins a new strip
    ABUT_PLY_START,
    ABUT_PLY_END
} abut_ply_role;

typedef struct abut_ply_property {
    abut_value_type type;       ///< of the value, or of each value of a list
    abut_value_type count_type; ///< of the length of a list
    int is_list;
    abut_ply_role role;
} abut_ply_property;

typedef enum abut_ply_kind {
    ABUT_PLY_OTHER,
    ABUT_PLY_VERTEX,
    ABUT_PLY_FACE,
    ABUT_PLY_EDGE,
    ABUT_PLY_STRIPS
} abut_ply_kind;

typedef struct abut_ply_element {
    abut_word name;
    abut_ply_kind kind;
    int64_t line;  ///< of its declaration
    int64_t count; ///< as declared; the file may have fewer
    int first, property_count;
} abut_ply_element;

typedef struct abut_ply_header {
    abut_context context;
    abut_ply_element *elements;
    int element_count, element_capacity;
    abut_ply_property *properties; ///< of all elements, in order
    int property_count, property_capacity;
    int64_t vertex_count; ///< as declared
} abut_ply_header;

/// Reads the header. Afterwards `values` is at the first value and knows how values are stored. Release the header
/// even after a failure.
abut_status abut_ply_header_read(abut_ply_header *header, abut_values *values);
void abut_ply_header_release(abut_ply_header *header);

#endif
