// SPDX-License-Identifier: MIT
/// @file states.h
/// States of the fundamental cases that another program computed: a folder with the meshes of both bodies where that
/// program asked for contacts.
///
/// The folder has a file states.csv, which begins with the line "case,method,detection,contacts" and has a line for each
/// state, and for each state the TetGen files CASE/METHOD-a.node, .ele (the first body) and CASE/METHOD-b.node, .ele,
/// with vertices in world coordinates. Contacts that the program found may be there too (CASE/METHOD.csv); they are not
/// read.
#ifndef ABUT_LAB_STATES_H
#define ABUT_LAB_STATES_H

#include <abut-lab/case.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A line of states.csv.
typedef struct abut_states_row {
    const char *case_name; ///< of a fundamental case
    const char *method;    ///< that moved the bodies, and is to be measured there
    int detection;         ///< how often the program had asked for contacts, this time included
    int contacts;          ///< that the program found
} abut_states_row;

typedef struct abut_states {
    const abut_states_row *rows;
    int count;
} abut_states;

/// Reads states.csv of a folder. The content is not trusted: an error names the file and the line.
ABUT_API abut_status abut_states_read(const abut_context *context, const char *folder, abut_states **states,
                                      abut_error *error);
/// Reads the text of a states.csv. `name` appears in error messages. abut_states_load() finds no meshes then.
ABUT_API abut_status abut_states_parse(const abut_context *context, const char *text, size_t length,
                                       const char *name, abut_states **states, abut_error *error);
ABUT_API void abut_states_destroy(abut_states *states);

/// NULL if there is no such state.
ABUT_API const abut_states_row *abut_states_find(const abut_states *states, const char *case_name,
                                                 const char *method);

/// Makes the case of a row with the meshes of the folder, which are where they are: both poses are identities, and the
/// state is `touching`. Release with abut_case_destroy().
ABUT_API abut_status abut_states_load(const abut_states *states, const abut_states_row *row, abut_case **item,
                                      abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
