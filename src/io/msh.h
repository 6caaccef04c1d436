// SPDX-License-Identifier: MIT
// msh.h: shared by the readers of the sections of a Gmsh file
#ifndef ABUT_IO_MSH_H
#define ABUT_IO_MSH_H

#include "io/parts.h"
#include "io/values.h"

/// A Gmsh file being read.
typedef struct abut_msh {
    abut_values values;
    int is_new;               ///< 1: version 4.1, 0: version 2.2
    abut_value_type tag_type; ///< of node and element numbers, and in version 4.1 of counts, in binary data
    abut_parts *parts;
    int64_t *tags; ///< for each node: its number in the file; numbers need not be consecutive
    int tag_count, tag_capacity;
    int *order;                   ///< the nodes sorted by number; NULL if the numbers are consecutive
    int has_format, has_elements; ///< whether these sections were read
} abut_msh;

/// Reads a count: in version 2.2 always a word of text, in version 4.1 a value of `tag_type`.
abut_status abut_msh_count(abut_msh *msh, const char *what, int64_t *value);
/// Reads an integer: four bytes in binary data, a word of the line in text.
abut_status abut_msh_integer(abut_msh *msh, const char *what, int64_t *value);
/// Reads the number of a node or element: a value of `tag_type` in binary data, a word of the line in text.
abut_status abut_msh_tag(abut_msh *msh, const char *what, int64_t *value);
/// The size in bytes of such a number in binary data.
size_t abut_msh_tag_size(const abut_msh *msh);

/// Moves to the next line of text that has words. Fails at the end of the file.
abut_status abut_msh_begin_line(abut_msh *msh, const char *section);

/// Fails if `count` is negative, or if the rest of the file is too short for `count` items of at least these sizes.
abut_status abut_msh_check_promise(const abut_msh *msh, int64_t count, const char *what, size_t text_size,
                                   size_t binary_size);

/// Read the content between $Nodes and $EndNodes, and between $Elements and $EndElements.
abut_status abut_msh_read_nodes(abut_msh *msh);
abut_status abut_msh_read_elements(abut_msh *msh);

/// The vertex of the node with this number, or -1.
int abut_msh_find_node(const abut_msh *msh, int64_t tag);

#endif
