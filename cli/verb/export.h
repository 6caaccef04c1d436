// SPDX-License-Identifier: MIT
// export.h: files of other programs, made of a recording
#ifndef ABUT_CLI_EXPORT_H
#define ABUT_CLI_EXPORT_H

#include "shared/output.h"

#include <abut-lab/recording.h>

/// Each writes its files and adds their names. `k` below counts states: 0 is the beginning, k the end of step k.

/// FOLDER/run.pvd, and FOLDER/bodies-K.vtp, contacts-K.vtp and regions-K.vtp for each k.
abut_cli_exit abut_cli_export_vtk(const abut_recording *recording, const char *folder, abut_cli_list *files);
/// FOLDER/steps.csv, bodies.csv, contacts.csv, regions.csv, outlines.csv.
abut_cli_exit abut_cli_export_csv(const abut_recording *recording, const char *folder, abut_cli_list *files);
/// A file of meshes and one animation: with the buffer inside as text, or binary where its name ends in .glb.
abut_cli_exit abut_cli_export_gltf(const abut_recording *recording, const char *path, abut_cli_list *files);

/// For these: writes the text that was printed to FOLDER/NAME and releases it; adds the name.
abut_cli_exit abut_cli_export_text(const char *folder, const char *name, abut_cli_text *text, abut_cli_list *files);

#endif
