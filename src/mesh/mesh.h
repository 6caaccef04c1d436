// SPDX-License-Identifier: MIT
// mesh.h: the inside of a mesh, and the steps that make it
#ifndef ABUT_MESH_MESH_H
#define ABUT_MESH_MESH_H

#include <abut/mesh.h>

/// The public arrays are pieces of `blocks`, which are freed together.
struct abut_mesh {
    abut_context context;
    abut_mesh_elements elements;
    abut_mesh_topology topology;
    abut_mesh_info info;
    void *blocks[32];
    int block_count;
};

/// Whether counts, pointers and precision make sense, before any array is read.
abut_status abut_mesh_def_check(const abut_mesh_def *def, abut_error *error);

/// An uninitialised array that lives as long as the mesh; NULL if memory ran out.
void *abut_mesh_own(abut_mesh *mesh, size_t count, size_t item_size);

/// Frees the newest array of the mesh.
void abut_mesh_disown_last(abut_mesh *mesh);

/// Cuts the faces into triangles, and counts the faces that give none or are cut as a fan.
abut_status abut_mesh_make_triangles(abut_mesh *mesh, abut_error *error);

/// Swaps two corners of the tetrahedra with negative orientation.
void abut_mesh_orient_tets(const abut_vec3 *vertices, int *tets, int tet_count);

/// Neighbours of tetrahedra. Where there are no faces, the faces at their boundary become the faces and the triangles
/// of the mesh.
abut_status abut_mesh_make_tet_topology(abut_mesh *mesh, abut_error *error);

/// Edges, and what is next to what on the surface.
abut_status abut_mesh_make_topology(abut_mesh *mesh, abut_error *error);

/// Counts of the edges and vertices of each kind, area and volume.
abut_status abut_mesh_make_info(abut_mesh *mesh, abut_error *error);

/// Turns counts, one entry for each of `count` items and one to spare, into offsets: the first is 0, the last the sum.
/// The counts of item i are expected at i + 1.
static inline void abut_offsets_from_counts(int *counts, int count)
{
    for (int i = 0; i < count; ++i) {
        counts[i + 1] += counts[i];
    }
}

/// Moves offsets that were advanced by filling their lists back to the beginnings of the lists.
static inline void abut_offsets_rewind(int *offsets, int count)
{
    for (int i = count; i > 0; --i) {
        offsets[i] = offsets[i - 1];
    }
    offsets[0] = 0;
}

#endif
