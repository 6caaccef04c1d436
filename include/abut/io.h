// SPDX-License-Identifier: MIT
/// @file io.h
/// Mesh files: Wavefront OBJ, STL, PLY, OFF, Gmsh (.msh), TetGen (.node with .ele, .face, .edge); VTU is written.
#ifndef ABUT_IO_H
#define ABUT_IO_H

#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum abut_format {
    ABUT_FORMAT_AUTO = 0, ///< by the file's name
    ABUT_FORMAT_OBJ = 1,
    ABUT_FORMAT_STL = 2, ///< read: text or binary by content; written: binary
    ABUT_FORMAT_STL_TEXT = 3,
    ABUT_FORMAT_TETGEN = 4, ///< NAME.node and, where they are there, NAME.ele, NAME.face, NAME.edge
    ABUT_FORMAT_PLY = 5,    ///< read: text or binary by content; written: binary, little-endian
    ABUT_FORMAT_PLY_TEXT = 6,
    ABUT_FORMAT_OFF = 7,
    ABUT_FORMAT_MSH = 8, ///< Gmsh; read: versions 2.2 and 4.1, text or binary; written: version 2.2, text
    ABUT_FORMAT_VTU = 9  ///< written only, for ParaView
} abut_format;

/// Reads a mesh file. All content is taken as hostile: errors name the file, the line and what is wrong.
/// The corners of STL triangles are welded where all three coordinates are the same. Triangles of TetGen and Gmsh
/// files that look at the only tetrahedron beside them are turned outward. A file of a known but unsupported format
/// (STEP, IGES) is refused with what to do instead.
ABUT_API abut_status abut_mesh_read(const abut_context *context, const char *path, abut_format format,
                                    abut_mesh **mesh, abut_error *error);

/// A file in memory; `name` appears in messages.
typedef struct abut_buffer {
    const void *data;
    size_t size;
    const char *name;
} abut_buffer;

/// The same for a file in memory, of a given format. For ABUT_FORMAT_TETGEN it is the .node file.
ABUT_API abut_status abut_mesh_parse(const abut_context *context, const abut_buffer *file, abut_format format,
                                     abut_mesh **mesh, abut_error *error);

/// What a file says, before it is checked: coordinates may be NaN or infinite, indices out of range, faces without
/// three vertices. For abut_check_create() and abut_repair(), which answer on any file that can be parsed.
typedef struct abut_soup abut_soup;

/// Reads a mesh file as abut_mesh_read() does, but refuses only what cannot be understood.
ABUT_API abut_status abut_soup_read(const abut_context *context, const char *path, abut_format format,
                                    abut_soup **soup, abut_error *error);
/// The same for a file in memory.
ABUT_API abut_status abut_soup_parse(const abut_context *context, const abut_buffer *file, abut_format format,
                                     abut_soup **soup, abut_error *error);
ABUT_API void abut_soup_destroy(abut_soup *soup);

/// Writes the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_soup_def_init(const abut_soup *soup, abut_mesh_def *def, size_t size);
/// The arrays belong to the soup.
static inline abut_mesh_def abut_soup_get_def(const abut_soup *soup)
{
    abut_mesh_def def;
    abut_soup_def_init(soup, &def, sizeof def);
    return def;
}

/// Writes a mesh file; numbers read back exactly (binary STL: as floats).
/// What the format cannot hold is refused with ABUT_UNSUPPORTED, not dropped.
ABUT_API abut_status abut_mesh_write(const abut_mesh *mesh, const char *path, abut_format format,
                                     abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
