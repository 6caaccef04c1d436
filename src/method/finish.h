// SPDX-License-Identifier: MIT
// finish.h: from a method's drafts to the answer
#ifndef ABUT_METHOD_FINISH_H
#define ABUT_METHOD_FINISH_H

#include "method/workspace.h"

/// Fills in what the library computes for each contact: midpoint, gap, speed.
void abut_sink_complete(abut_sink *sink);

/// Checks what a method put into the sink: finite numbers, unit normals, features and ranges that exist.
abut_status abut_sink_check(abut_sink *sink);

/// Sorts by features, removes redundant contacts, gives ids and points `result` to all of it, with A and B exchanged
/// if `is_swapped`. ABUT_OK or ABUT_NO_MEMORY.
abut_status abut_sink_finish(abut_sink *sink, int is_swapped, abut_result *result);

/// The contact with A and B exchanged.
abut_contact abut_contact_turned(abut_contact c);

#endif
