// SPDX-License-Identifier: MIT
// repairs.h: reading mesh files with a repair
#ifndef ABUT_CLI_REPAIRS_H
#define ABUT_CLI_REPAIRS_H

#include "shared/output.h"

#include <abut/abut.h>

/// Reads a mesh file, also one that is refused otherwise, and repairs it. Notes on stderr say what was done, and which
/// faults are left. `tolerance`: vertices within it are welded; negative: the default.
abut_status abut_cli_read_repaired(const char *path, double tolerance, abut_mesh **mesh, abut_error *error);

/// A note on stderr that says what a repair did to a mesh.
void abut_cli_tell_repairs(const char *name, const abut_repair_counts *counts);

/// Whether a repair makes a solid of the mesh in the file: closed, with outward normals.
int abut_cli_repair_helps(const char *path);

#endif
