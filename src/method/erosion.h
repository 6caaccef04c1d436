// SPDX-License-Identifier: MIT
// erosion.h: a mesh whose surface is moved inward, with the same triangles
#ifndef ABUT_METHOD_EROSION_H
#define ABUT_METHOD_EROSION_H

#include <abut/tree.h>

typedef enum abut_erosion_kind {
    ABUT_EROSION_MITRED = 0,        ///< every face recedes by epsilon
    ABUT_EROSION_VERTEX_NORMAL = 1, ///< every vertex moves by epsilon against its normal
    ABUT_EROSION_SCALE = 2,         ///< all vertices move to 0.99 of their distance from their mean
    ABUT_EROSION_PROGRAM = 3,       ///< convex hulls by vertex normals, others scaled
    ABUT_EROSION_NONE = 4           ///< vertices stay: the mesh is eroded already, by epsilon
} abut_erosion_kind;

typedef struct abut_erosion {
    double epsilon;
    int vertex_count;
    abut_vec3 *vertices; ///< of the mesh, moved; vertices of no triangle stay, unless everything is scaled
    double *recessions;  ///< by vertex: how far all its faces recede at least; at most epsilon
    double farthest;     ///< the longest move of a vertex, or the largest recession if that is more
    /// By how much `recessions` may overestimate: 0 if mitred, else epsilon.
    double overreach;
    int cap_count;   ///< vertices that moved less far than they should
    abut_tree *tree; ///< over the moved triangles or tetrahedra
} abut_erosion;

/// `tree_kind` is triangles or tetrahedra. Fails with ABUT_NO_MEMORY, and then leaves nothing behind.
abut_status abut_erosion_create(const abut_context *context, const abut_mesh *mesh, abut_erosion_kind kind,
                                double epsilon, abut_element_kind tree_kind, abut_erosion **erosion,
                                abut_error *error);
void abut_erosion_destroy(abut_erosion *erosion, const abut_context *context);

/// The moves of all vertices in a mitred erosion by epsilon, which is negative for moves outward. `cap_count` gets the
/// number of vertices that move less far than they should.
abut_status abut_mitred_moves(const abut_context *context, const abut_mesh *mesh, double epsilon, abut_vec3 *moves,
                              int *cap_count, abut_error *error);

size_t abut_erosion_bytes(const abut_erosion *erosion);

#endif
