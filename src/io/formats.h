// SPDX-License-Identifier: MIT
// formats.h: the readers and writers of all formats
#ifndef ABUT_IO_FORMATS_H
#define ABUT_IO_FORMATS_H

#include "io/file.h"
#include "io/parts.h"

/// Each reader adds the content of the file to `parts`. Messages go to the file's error.
abut_status abut_obj_read(const abut_file *file, abut_parts *parts);
abut_status abut_stl_read(const abut_file *file, abut_parts *parts);
abut_status abut_ply_read(const abut_file *file, abut_parts *parts);
abut_status abut_off_read(const abut_file *file, abut_parts *parts);
abut_status abut_msh_read(const abut_file *file, abut_parts *parts);
abut_status abut_medit_read(const abut_file *file, abut_parts *parts);
abut_status abut_gltf_read(const abut_file *file, abut_parts *parts);

/// Readers of TetGen files; the nodes must be read first. `base` is the number of the first node, 0 or 1.
abut_status abut_node_read(const abut_file *file, abut_parts *parts, int *base);
abut_status abut_ele_read(const abut_file *file, abut_parts *parts, int base);
abut_status abut_face_read(const abut_file *file, abut_parts *parts, int base);
abut_status abut_edge_read(const abut_file *file, abut_parts *parts, int base);

/// Reverses the boundary triangles of `parts` that face their tetrahedron, as those of TetGen do. `mesh` must have
/// been built from `parts`. Returns how many were reversed.
int abut_turn_faces_outward(const abut_mesh *mesh, abut_parts *parts);

/// Rejects a file whose name or content shows an unsupported format. The message says what to do.
abut_status abut_refuse_foreign_name(const abut_file *file);
abut_status abut_refuse_foreign_content(const abut_file *file);

/// Each writer rejects meshes that its format cannot hold.
abut_status abut_obj_write(const abut_mesh_elements *elements, const char *path, abut_error *error);
abut_status abut_stl_write(const abut_mesh_elements *elements, const char *path, abut_error *error);
abut_status abut_stl_write_text(const abut_mesh_elements *elements, const char *path, abut_error *error);
abut_status abut_ply_write(const abut_mesh_elements *elements, const char *path, abut_error *error);
abut_status abut_ply_write_text(const abut_mesh_elements *elements, const char *path, abut_error *error);
abut_status abut_off_write(const abut_mesh_elements *elements, const char *path, abut_error *error);
abut_status abut_msh_write(const abut_mesh_elements *elements, const char *path, abut_error *error);
abut_status abut_vtu_write(const abut_mesh_elements *elements, const char *path, abut_error *error);

/// Writes TetGen files. Their names are the first `stem_length` bytes of the path, followed by each extension.
abut_status abut_tetgen_write(const abut_context *context, const abut_mesh_elements *elements, const char *path,
                              size_t stem_length, abut_error *error);

typedef void abut_content_writer(FILE *stream, const abut_mesh_elements *elements);
/// Writes a file through an abut_output; `write` provides the content.
abut_status abut_write_content(const abut_mesh_elements *elements, const char *path, abut_content_writer *write,
                               abut_error *error);

/// Prints three numbers, separated by spaces, so that they read back exactly.
void abut_write_vec3(FILE *stream, abut_vec3 v);

#endif
