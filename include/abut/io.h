// SPDX-License-Identifier: MIT
/// @file io.h
/// Mesh files: Wavefront OBJ, STL, PLY, OFF, Gmsh (.msh), TetGen (.node with .ele, .face, .edge), Medit (.mesh),
/// glTF (.gltf, .glb); VTU is write-only, Medit and glTF read-only.
#ifndef ABUT_IO_H
#define ABUT_IO_H

#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// File formats. Released values never change.
typedef enum abut_format {
    ABUT_FORMAT_AUTO = 0, ///< by the ending of the file name
    ABUT_FORMAT_OBJ = 1,
    ABUT_FORMAT_STL = 2, ///< read: text or binary by content; written: binary
    ABUT_FORMAT_STL_TEXT = 3,
    ABUT_FORMAT_TETGEN = 4, ///< NAME.node and, if they exist, NAME.ele, NAME.face, NAME.edge
    ABUT_FORMAT_PLY = 5,    ///< read: text or binary by content; written: binary, little-endian
    ABUT_FORMAT_PLY_TEXT = 6,
    ABUT_FORMAT_OFF = 7,
    ABUT_FORMAT_MSH = 8,    ///< Gmsh; read: versions 2.2 and 4.1, text or binary; written: version 2.2, text
    ABUT_FORMAT_VTU = 9,    ///< written only, for ParaView
    ABUT_FORMAT_MEDIT = 10, ///< read only: Medit's .mesh, text
    ABUT_FORMAT_GLTF = 11   ///< read only: glTF 2.0, .gltf or .glb by content
} abut_format;

/// Reads a mesh file. The content is not trusted: an error names the file, the line and what is wrong. Corners of STL
/// triangles, and vertices of a glTF node, with equal coordinates become one vertex. Boundary triangles of tetrahedra in TetGen, Gmsh and Medit files are
/// turned outward. A file of a known but unsupported format (STEP, IGES, ...) is refused with advice.
ABUT_API abut_status abut_mesh_read(const abut_context *context, const char *path, abut_format format,
                                    abut_mesh **mesh, abut_error *error);

/// A file in memory. `name` appears in error messages, and its ending tells the format.
typedef struct abut_buffer {
    const void *data;
    size_t size;
    const char *name;
} abut_buffer;

/// Reads a mesh from a file in memory, as abut_mesh_read() does. Of TetGen files only the .node file can be read so.
ABUT_API abut_status abut_mesh_parse(const abut_context *context, const abut_buffer *file, abut_format format,
                                     abut_mesh **mesh, abut_error *error);

/// The unchecked content of a mesh file: coordinates may be NaN or infinite, indices out of range, faces may have
/// fewer than three vertices. abut_check_create() and abut_repair() take it.
typedef struct abut_soup abut_soup;

/// Reads a mesh file as abut_mesh_read() does, but refuses only what cannot be parsed.
ABUT_API abut_status abut_soup_read(const abut_context *context, const char *path, abut_format format,
                                    abut_soup **soup, abut_error *error);
/// Reads a soup from a file in memory, as abut_soup_read() does.
ABUT_API abut_status abut_soup_parse(const abut_context *context, const abut_buffer *file, abut_format format,
                                     abut_soup **soup, abut_error *error);
/// Frees a soup; NULL is allowed.
ABUT_API void abut_soup_destroy(abut_soup *soup);

/// Writes the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_soup_def_init(const abut_soup *soup, abut_mesh_def *def, size_t size);
/// The definition of a mesh with the content of the soup. The arrays belong to the soup.
static inline abut_mesh_def abut_soup_get_def(const abut_soup *soup)
{
    abut_mesh_def def;
    abut_soup_def_init(soup, &def, sizeof def);
    return def;
}

/// Writes a mesh file. Numbers read back exactly, except that binary STL rounds to float.
/// @return ABUT_UNSUPPORTED if the format cannot hold all elements of the mesh; nothing is written then
ABUT_API abut_status abut_mesh_write(const abut_mesh *mesh, const char *path, abut_format format,
                                     abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
