// SPDX-License-Identifier: MIT
// program_query.h: reading=program of the local methods: queries answered as the paper's program does
#ifndef ABUT_METHOD_PROGRAM_QUERY_H
#define ABUT_METHOD_PROGRAM_QUERY_H

#include "method/params.h"
#include "program/program.h"

#include <abut/tree.h>

/// The options that choose the reading: rows of a method's options. `text` says what the program does differently.
#define ABUT_READING_OPTION(text)                                                                                  \
    {                                                                                                              \
        .name = "reading", .help = "text: as the paper says; program: as the author's program does" text,          \
        .choices = abut_reading_choices, .is_of_query = 1                                                          \
    }
#define ABUT_PRECISION_OPTION                                                                                      \
    {                                                                                                              \
        .name = "precision",                                                                                       \
        .help = "of reading=program; single: with the program's rounding and filter, to reproduce its numbers",    \
        .choices = abut_precision_choices, .is_of_query = 1                                                        \
    }

/// What the program does for a method.
typedef struct abut_program_task {
    abut_program_test test;
    int is_surface_sat;           ///< of ABUT_PROGRAM_SAT: normals from surface features only
    int skips_flat_edges;         ///< edges between two triangles of one plane give no normal
    double threshold;             ///< of ABUT_PROGRAM_CLOSEST_POINTS
    const abut_vec3 *vertices[2]; ///< of A and B in their frames; NULL: those of the sides
    const abut_tree *trees[2];    ///< of tetrahedra; NULL: those of the sides
} abut_program_task;

/// Whether the query asks for reading=program. If so, answers it: `status` is the result. Also 1, with an error, if it
/// asks for precision=single in another reading.
int abut_program_answers(const abut_query *query, const abut_program_task *task, abut_sink *sink,
                         abut_status *status);

#endif
