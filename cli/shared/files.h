// SPDX-License-Identifier: MIT
// files.h: writing mesh files, texts and folders
#ifndef ABUT_CLI_FILES_H
#define ABUT_CLI_FILES_H

#include "shared/options.h"

#include <abut/abut.h>

/// ABUT_CLI_BAD_INPUT where a file of this name cannot be made or written, or one of those that TetGen's formats have
/// beside it; with what to do. Only regular files are written, and links that lead to one.
abut_cli_exit abut_cli_check_writable(const char *path);

/// ABUT_CLI_BAD_INPUT where both names lead to the same file: it must not be lost while it is written.
abut_cli_exit abut_cli_check_different(const char *input, const char *output);

/// ABUT_CLI_BAD_INPUT where two options name the same file to write, be it there or not.
abut_cli_exit abut_cli_check_two(const char *first_option, const char *first, const char *second_option,
                                 const char *second);

/// Makes a folder and those above it, where they are not there.
abut_cli_exit abut_cli_make_folder(const char *path);

/// Says why a mesh is refused, NULL where it could not be read. Where `abut mesh check` has more to say, names it;
/// `advice` follows.
abut_cli_exit abut_cli_refuse_mesh(const char *path, const abut_mesh *mesh, abut_status status,
                                   const abut_error *error, const char *advice);

/// Writes a mesh file. A name that cannot be written is bad input; a disk that does not take it is not.
abut_cli_exit abut_cli_write_mesh(const abut_mesh *mesh, const char *path, abut_format format);

/// Writes a body with tetrahedra: BASE.obj with its surface, and BASE.node, BASE.ele, BASE.face; adds the four names to
/// `files`.
abut_cli_exit abut_cli_write_body(const abut_mesh *mesh, const char *base, abut_cli_list *files);

/// Writes a file of any bytes, with the same exit codes.
abut_cli_exit abut_cli_write_bytes(const char *path, const void *bytes, size_t size);

/// The same for a text.
abut_cli_exit abut_cli_write_text(const char *path, const char *text);

enum {
    ABUT_CLI_TRIANGLES = 1u << 0, ///< polygons cut into triangles
    ABUT_CLI_SURFACE = 1u << 1    ///< without points, segments and tetrahedra
};

/// The elements of a mesh, over all its vertices, as the flags say. The arrays belong to the mesh.
abut_mesh_def abut_cli_mesh_def(const abut_mesh *mesh, unsigned flags);

/// A copy of a mesh, over all its vertices, as the flags say.
abut_status abut_cli_reduce_mesh(const abut_mesh *mesh, unsigned flags, abut_mesh **reduced, abut_error *error);

#endif
