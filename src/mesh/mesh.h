// SPDX-License-Identifier: MIT
// mesh.h: internals of a mesh, and the steps that build it
#ifndef ABUT_MESH_MESH_H
#define ABUT_MESH_MESH_H

#include <abut/mesh.h>

/// The public arrays are the `blocks`; all are freed together.
struct abut_mesh {
    abut_context context;
    abut_mesh_elements elements;
    abut_mesh_topology topology;
    abut_mesh_info info;
    void *blocks[32];
    int block_count;
};

/// Checks counts, pointers and precision. Reads no array.
abut_status abut_mesh_def_check(const abut_mesh_def *def, abut_error *error);

/// An uninitialised array that is freed with the mesh. Returns NULL if out of memory.
void *abut_mesh_own(abut_mesh *mesh, size_t count, size_t item_size);

/// Frees the array that was allocated last.
void abut_mesh_disown_last(abut_mesh *mesh);

/// Cuts the faces into triangles. Counts degenerate faces, which give none, and irregular ones, which are cut as
/// fans.
abut_status abut_mesh_make_triangles(abut_mesh *mesh, abut_error *error);

/// Swaps two corners of the tetrahedra with negative orientation.
void abut_mesh_orient_tets(const abut_vec3 *vertices, int *tets, int tet_count);

/// Finds the neighbours of tetrahedra. If the mesh has no faces, the boundary faces of the tetrahedra become its
/// faces and triangles.
abut_status abut_mesh_make_tet_topology(abut_mesh *mesh, abut_error *error);

/// Finds the edges, the adjacency of the surface, and the connected parts.
abut_status abut_mesh_make_topology(abut_mesh *mesh, abut_error *error);

/// Counts the edges and vertices of each kind, and computes area and volume.
abut_status abut_mesh_make_info(abut_mesh *mesh, abut_error *error);

/// Turns counts into offsets in place. On entry, counts[i + 1] is the count of item i and counts[0] is 0. On return,
/// counts[i] is the offset of item i and counts[count] is the sum.
static inline void abut_offsets_from_counts(int *counts, int count)
{
    for (int i = 0; i < count; ++i) {
        counts[i + 1] += counts[i];
    }
}

/// Restores offsets that were advanced while their lists were filled.
static inline void abut_offsets_rewind(int *offsets, int count)
{
    for (int i = count; i > 0; --i) {
        offsets[i] = offsets[i - 1];
    }
    offsets[0] = 0;
}

#endif
