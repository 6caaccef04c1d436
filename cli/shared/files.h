// SPDX-License-Identifier: MIT
// files.h: writing mesh files, texts and folders
#ifndef ABUT_CLI_FILES_H
#define ABUT_CLI_FILES_H

#include "shared/output.h"

#include <abut/abut.h>

/// Fails with ABUT_CLI_BAD_INPUT if the file cannot be created or overwritten; for TetGen, also the files beside it.
/// Only regular files can be overwritten, and symbolic links to them.
abut_cli_exit abut_cli_check_writable(const char *path);

/// Fails with ABUT_CLI_BAD_INPUT if both names are the same file: the input must not be overwritten.
abut_cli_exit abut_cli_check_different(const char *input, const char *output);

/// Fails with ABUT_CLI_BAD_INPUT if two options name the same output file, which may not exist yet.
abut_cli_exit abut_cli_check_two(const char *first_option, const char *first, const char *second_option,
                                 const char *second);

/// Fails with ABUT_CLI_BAD_INPUT if the name of an output file ends in something else than the format that is written, for
/// example x.png for "svg". A name without an ending is fine.
abut_cli_exit abut_cli_check_ending(const char *path, const char *format);

/// Creates a folder and its parents, as needed.
abut_cli_exit abut_cli_make_folder(const char *path);

/// Reads a mesh file, or makes the facets of a primitive that is given by name, as sphere:1. Prints a note if the facets
/// differ from it.
abut_status abut_cli_read_mesh(const char *path, abut_mesh **mesh, abut_error *error);

/// Prints why a mesh is refused. `mesh` is NULL if the file could not be read. Recommends `abut mesh convert
/// --repair` if the mesh is inside out, else `abut mesh check` if that finds something; `advice` follows.
abut_cli_exit abut_cli_refuse_mesh(const char *path, const abut_mesh *mesh, abut_status status,
                                   const abut_error *error, const char *advice);

/// Writes a mesh file. Fails with ABUT_CLI_BAD_INPUT if the name is bad, with ABUT_CLI_UNFINISHED if writing fails.
abut_cli_exit abut_cli_write_mesh(const abut_mesh *mesh, const char *path, abut_format format);

/// Writes a body with tetrahedra: its surface as BASE.obj, and BASE.node, BASE.ele, BASE.face. Adds the four names to
/// `files`.
abut_cli_exit abut_cli_write_body(const abut_mesh *mesh, const char *base, abut_cli_list *files);

/// Writes a file. Exit codes as for abut_cli_write_mesh().
abut_cli_exit abut_cli_write_bytes(const char *path, const void *bytes, size_t size);

/// Writes a text file. The second function writes what was printed, and releases it.
abut_cli_exit abut_cli_write_text(const char *path, const char *text);
abut_cli_exit abut_cli_write_printed(const char *path, abut_cli_text *text);

enum {
    ABUT_CLI_TRIANGLES = 1u << 0, ///< polygons cut into triangles
    ABUT_CLI_SURFACE = 1u << 1    ///< without points, segments and tetrahedra
};

/// All vertices of a mesh and the elements that the flags leave. The arrays belong to the mesh.
abut_mesh_def abut_cli_mesh_def(const abut_mesh *mesh, unsigned flags);

/// A copy of a mesh with all vertices and the elements that the flags leave.
abut_status abut_cli_reduce_mesh(const abut_mesh *mesh, unsigned flags, abut_mesh **reduced, abut_error *error);

#endif
