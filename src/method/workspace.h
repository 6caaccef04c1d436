// SPDX-License-Identifier: MIT
// workspace.h: the sink, which collects a method's output before it is finished, and the workspace that owns it
#ifndef ABUT_METHOD_WORKSPACE_H
#define ABUT_METHOD_WORKSPACE_H

#include "base/memory.h"

#include <abut/contact.h>

/// A growing array of one kind of item; capacity is kept between queries.
typedef struct abut_list {
    void *items;
    int capacity, count;
} abut_list;

/// A contact on its way to the caller.
typedef struct abut_draft {
    abut_contact contact;
    int derivative; ///< index in abut_sink.derivatives, or -1
} abut_draft;

struct abut_sink {
    abut_context context;
    abut_arena arena;
    const abut_query *query;
    abut_list drafts;      ///< abut_draft
    abut_list derivatives; ///< abut_derivative
    abut_list regions;
    abut_list loops;
    abut_list cones;
    abut_list points;
    abut_list directions;
    abut_list events;
    abut_stats stats;
    abut_error error;
    int is_out_of_memory;
    int own_filtered;          ///< redundant contacts that the method itself removed; -1: the library removes them
    struct abut_lmd_set *lmds; ///< of method quasi-lmd; NULL until it is used
    const char *chosen;        ///< the method that `auto` chose; NULL: the method of the query
    char reason[160];          ///< why
    int has_bad_index;         ///< the method named a contact that does not exist, or gave a negative count
};

struct abut_workspace {
    abut_sink sink;
};

/// Empties the sink for a query; keeps its memory.
void abut_sink_begin(abut_sink *sink, const abut_query *query);

#endif
