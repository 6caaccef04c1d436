// SPDX-License-Identifier: MIT
// view_track.h: what the viewer shows: recordings, and answers of methods as recordings of one step
#ifndef ABUT_CLI_VIEW_TRACK_H
#define ABUT_CLI_VIEW_TRACK_H

#include "verb/file_pairs.h"

/// A recording, or the bodies and contacts of mesh files in the form of a recording with one step.
typedef struct abut_cli_track {
    char *label; ///< names the file or files
    abut_recording *recording;
    abut_cli_file_pairs *files; ///< has the meshes of `recording`; NULL: it was read from a file
    int *states;                ///< the states that are shown: 0 is the start, k the end of step k; ascending
    int state_count;
    int piece_states; ///< so many states make a piece, which a viewer loads at a time
} abut_cli_track;

/// Reads a recording. Shows every `every`th state and the last one. Release the track, also after a failure.
abut_cli_exit abut_cli_track_read(abut_cli_track *track, const char *path, int every);

/// Reads the mesh files of the operands and finds their contacts by a method, which must outlive the track.
abut_cli_exit abut_cli_track_find(abut_cli_track *track, const abut_cli_arguments *arguments,
                                  const abut_cli_method *method);

void abut_cli_track_release(abut_cli_track *track);

#endif
