// SPDX-License-Identifier: MIT
// parts.h: growing arrays that a reader fills before it builds a mesh
#ifndef ABUT_IO_PARTS_H
#define ABUT_IO_PARTS_H

#include <abut/mesh.h>

typedef struct abut_ints {
    int *items;
    int count, capacity;
} abut_ints;

typedef struct abut_parts {
    abut_context context;
    abut_vec3 *vertices;
    int vertex_count, vertex_capacity;
    abut_ints points;
    abut_ints segments;     ///< two each
    abut_ints face_offsets; ///< as in abut_mesh_def; empty: all faces are triangles
    abut_ints face_vertices;
    abut_ints tets; ///< four each
    abut_precision precision;
} abut_parts;

void abut_parts_init(abut_parts *parts, const abut_context *context);
void abut_parts_release(abut_parts *parts);

/// Makes room for one more item. Returns ABUT_NO_MEMORY, or ABUT_LIMIT if the array already has INT_MAX items.
abut_status abut_ints_grow(const abut_context *context, abut_ints *array);
abut_status abut_parts_grow_vertices(abut_parts *parts);

static inline abut_status abut_ints_add(const abut_context *context, abut_ints *array, int value)
{
    if (array->count == array->capacity) {
        abut_status status = abut_ints_grow(context, array);
        if (status != ABUT_OK) {
            return status;
        }
    }
    array->items[array->count++] = value;
    return ABUT_OK;
}

static inline abut_status abut_parts_add_vertex(abut_parts *parts, abut_vec3 vertex)
{
    if (parts->vertex_count == parts->vertex_capacity) {
        abut_status status = abut_parts_grow_vertices(parts);
        if (status != ABUT_OK) {
            return status;
        }
    }
    parts->vertices[parts->vertex_count++] = vertex;
    return ABUT_OK;
}

/// Ends a face: its corners are those added to `face_vertices` since the last call.
abut_status abut_parts_end_face(abut_parts *parts);

/// A mesh definition that points to the arrays of the parts.
abut_mesh_def abut_parts_def(const abut_parts *parts);

/// Builds a mesh from the parts.
abut_status abut_parts_build(const abut_parts *parts, abut_mesh **mesh, abut_error *error);

#endif
