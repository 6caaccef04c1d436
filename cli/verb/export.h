// SPDX-License-Identifier: MIT
// export.h: converts a recording to files for other programs
#ifndef ABUT_CLI_EXPORT_H
#define ABUT_CLI_EXPORT_H

#include "shared/output.h"

#include <abut-lab/recording.h>

/// These functions write files and add their names to `files`. State 0 is the start, state k the end of step k.

/// With `every` N only each Nth state and the last one are written.

/// Whether state k is written.
static inline int abut_cli_export_has(const abut_recording *recording, int k, int every)
{
    return k % every == 0 || k == recording->step_count;
}

/// FOLDER/bodies.vtp, run.pvd, move.py, and poses-K.vtp, contacts-K.vtp and regions-K.vtp for each state K.
abut_cli_exit abut_cli_export_vtk(const abut_recording *recording, const char *folder, int every,
                                  abut_cli_list *files);
/// FOLDER/steps.csv, bodies.csv, contacts.csv, regions.csv, outlines.csv. Has all states.
abut_cli_exit abut_cli_export_csv(const abut_recording *recording, const char *folder, int every,
                                  abut_cli_list *files);
/// One file with the meshes, contacts and an animation; binary if the name ends in .glb.
abut_cli_exit abut_cli_export_gltf(const abut_recording *recording, const char *path, int every,
                                   abut_cli_list *files);

/// Writes the text to FOLDER/NAME, releases it, and adds the name. Used by the functions above.
abut_cli_exit abut_cli_export_text(const char *folder, const char *name, abut_cli_text *text, abut_cli_list *files);

#endif
