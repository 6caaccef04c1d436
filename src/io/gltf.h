// SPDX-License-Identifier: MIT
// gltf.h: the bytes and numbers of a glTF file
#ifndef ABUT_IO_GLTF_H
#define ABUT_IO_GLTF_H

#include "io/json.h"
#include "io/parts.h"

/// The values of a list of the document, such as "nodes".
typedef struct abut_gltf_list {
    int *values;
    int count;
} abut_gltf_list;

/// Bytes of a buffer.
typedef struct abut_gltf_bytes {
    const unsigned char *start;
    size_t size;
    void *owned; ///< to be freed, or NULL
} abut_gltf_bytes;

/// A file while it is read.
typedef struct abut_gltf {
    const abut_file *file;
    abut_json json;
    abut_gltf_list nodes, meshes, accessors, views, buffers;
    abut_gltf_bytes binary;  ///< the binary part of a .glb file
    abut_gltf_bytes *loaded; ///< the buffers
} abut_gltf;

/// Numbers of an accessor.
typedef struct abut_gltf_numbers {
    const unsigned char *start;
    size_t stride;
    int count;
    int type; ///< 5121, 5123, 5125: unsigned integers of 1, 2, 4 bytes; 5126: floats
} abut_gltf_numbers;

/// Lists the values of the document, and loads the buffers: binary part, data in the text, or files beside it.
abut_status abut_gltf_load_buffers(abut_gltf *gltf);
void abut_gltf_release(abut_gltf *gltf);

/// The value of a list with this index, or -1.
int abut_gltf_at(const abut_gltf_list *list, int index);

/// The numbers of an accessor, `components` each. Checks that all of them are in the buffer.
abut_status abut_gltf_find_numbers(const abut_gltf *gltf, int accessor, const char *shape, int components,
                                   abut_gltf_numbers *numbers);

/// A vertex; an index.
abut_vec3 abut_gltf_vec3(const abut_gltf_numbers *numbers, int index);
uint32_t abut_gltf_integer(const abut_gltf_numbers *numbers, int index);

#endif
