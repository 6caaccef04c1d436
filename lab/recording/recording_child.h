// SPDX-License-Identifier: MIT
// recording_child.h: reads the arrays of a recording with HDF5 in a child process
#ifndef ABUT_LAB_RECORDING_CHILD_H
#define ABUT_LAB_RECORDING_CHILD_H

#include "recording/recording_layout.h"

/// What the child sent: the rows of all tables, one table after the other. The values are not checked yet.
typedef struct abut_recording_bytes {
    char *bytes;
    int64_t rows[ABUT_TABLE_COUNT];
} abut_recording_bytes;

/// Reads the file in a child process. Release `bytes` with abut_free(), also after a failure.
abut_status abut_recording_fetch(const abut_context *context, const char *path, abut_recording_bytes *out,
                                 abut_error *error);

#endif
