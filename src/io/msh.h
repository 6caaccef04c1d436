// SPDX-License-Identifier: MIT
// msh.h: what the readers of the sections of a Gmsh file share
#ifndef ABUT_IO_MSH_H
#define ABUT_IO_MSH_H

#include "io/parts.h"
#include "io/values.h"

/// A Gmsh file being read.
typedef struct abut_msh {
    abut_values values;
    int is_new;               ///< version 4.1, not 2.2
    abut_value_type tag_type; ///< of node and element numbers and of counts in binary data of version 4.1
    abut_parts *parts;
    int64_t *tags; ///< the number of each node; they need not follow each other
    int tag_count, tag_capacity;
    int *order;                   ///< the nodes by number, if their numbers are not consecutive; otherwise NULL
    int has_format, has_elements; ///< these sections were there
} abut_msh;

/// Reads a count or number that is a word of text in version 2.2, and of `tag_type` in binary data of version 4.1.
abut_status abut_msh_count(abut_msh *msh, const char *what, int64_t *value);
/// Reads an integer of four bytes, or a word of the line.
abut_status abut_msh_integer(abut_msh *msh, const char *what, int64_t *value);
/// Reads the number of a node or element: of four bytes in version 2.2, of `tag_type` in 4.1, or a word of the line.
abut_status abut_msh_tag(abut_msh *msh, const char *what, int64_t *value);
/// The bytes that such a number takes at least.
size_t abut_msh_tag_size(const abut_msh *msh);

/// Moves to the next line of text that has words; an error at the end of the file.
abut_status abut_msh_begin_line(abut_msh *msh, const char *section);

/// An error if `count` is negative, or if so many items of at least these sizes cannot follow.
abut_status abut_msh_check_promise(const abut_msh *msh, int64_t count, const char *what, size_t text_size,
                                   size_t binary_size);

/// Each reads what is between $Nodes and $EndNodes, or $Elements and $EndElements.
abut_status abut_msh_read_nodes(abut_msh *msh);
abut_status abut_msh_read_elements(abut_msh *msh);

/// The vertex of the node with this number, or -1.
int abut_msh_find_node(const abut_msh *msh, int64_t tag);

#endif
