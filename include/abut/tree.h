// SPDX-License-Identifier: MIT
/// @file tree.h
/// A box hierarchy over the triangles, tetrahedra, segments or points of a mesh.
#ifndef ABUT_TREE_H
#define ABUT_TREE_H

#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct abut_tree abut_tree;

typedef enum abut_element_kind {
    ABUT_ELEMENT_POINT = 0,
    ABUT_ELEMENT_SEGMENT = 1,
    ABUT_ELEMENT_TRIANGLE = 2,
    ABUT_ELEMENT_TET = 3
} abut_element_kind;

/// Builds the hierarchy over all elements of one kind; the mesh must outlive it. A mesh without such
/// elements gives an empty tree, whose queries find nothing.
ABUT_API abut_status abut_tree_create(const abut_context *context, const abut_mesh *mesh, abut_element_kind kind,
                                      abut_tree **tree, abut_error *error);
ABUT_API void abut_tree_destroy(abut_tree *tree);

/// Fits the boxes to moved vertices (as many as the mesh has), without rebuilding. With `end`, the boxes hold the
/// whole way from `start` to `end`; nearest and ray see `start`. Both must stay valid while the tree is used;
/// `start` NULL goes back to the vertices of the mesh.
ABUT_API void abut_tree_refit(abut_tree *tree, const abut_vec3 *start, const abut_vec3 *end);

typedef struct abut_tree_info {
    abut_element_kind kind;
    int element_count;
    int node_count; ///< of two children each; a leaf of up to two elements is no node
    int depth;      ///< levels, with that of the leaves
    size_t bytes;
    abut_box bounds;
} abut_tree_info;

ABUT_API abut_tree_info abut_tree_get_info(const abut_tree *tree);

/// Gets an element of each tree; a result other than 0 ends the search.
typedef int abut_pair_function(void *user, int element_a, int element_b);

/// All pairs of elements whose boxes, placed and with B's boxes grown by `margin`, overlap. The set contains every
/// pair of elements that are within `margin` of each other. The order of the calls is fixed by the two trees and poses.
/// Returns what the last call returned.
ABUT_API int abut_tree_pairs(const abut_tree *a, const abut_tree *b, abut_pose b_to_a, double margin,
                             abut_pair_function *function, void *user);

/// The same for the pairs of different elements of one tree, each pair once, the lower index first. Neighbours,
/// whose boxes touch, are among them.
ABUT_API int abut_tree_self_pairs(const abut_tree *tree, double margin, abut_pair_function *function, void *user);

/// All pairs of triangles that have a common point, decided exactly for the corners as abut_pose_apply() places
/// them; with an `envelope` above 0, all that are within that distance. Trees that were fitted to a way are at its
/// start. Triangles only. Order and result as above.
ABUT_API int abut_tree_intersections(const abut_tree *a, const abut_tree *b, abut_pose b_to_a, double envelope,
                                     abut_pair_function *function, void *user);

/// The nearest elements of two trees.
typedef struct abut_tree_gap {
    int element_a, element_b;   ///< -1: nothing within the limit
    double distance;            ///< 0 where they intersect
    abut_vec3 point_a, point_b; ///< nearest points, both in A's frame; a common point where they intersect
} abut_tree_gap;

/// The least distance of two placed meshes of triangles, within `limit`; of equally near pairs the one with the
/// lowest index in A, then in B, and of intersecting pairs any. Surfaces only: a mesh inside another is as far as
/// their surfaces. Lengths from 1e-70 to 1e70.
ABUT_API abut_tree_gap abut_tree_distance(const abut_tree *a, const abut_tree *b, abut_pose b_to_a, double limit);

typedef struct abut_tree_hit {
    int element;     ///< -1: nothing found
    double distance; ///< nearest: distance to the point; ray: parameter along the direction
    abut_vec3 point; ///< on the element
} abut_tree_hit;

/// The element nearest to a point of the mesh's frame, within `limit`; of equally near ones the lowest index.
/// Tetrahedra are solid: the distance of a point inside is 0.
ABUT_API abut_tree_hit abut_tree_nearest(const abut_tree *tree, abut_vec3 point, double limit);

/// The first triangle that the ray origin + t direction, 0 <= t <= limit, meets, from either side; of equally near
/// ones the lowest index. A ray through a shared edge or vertex never slips between triangles. Triangles only.
ABUT_API abut_tree_hit abut_tree_ray(const abut_tree *tree, abut_vec3 origin, abut_vec3 direction, double limit);

#ifdef __cplusplus
}
#endif
#endif
