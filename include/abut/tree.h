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

/// Builds a tree over all elements of one kind. The mesh must outlive it. If the mesh has no such elements, the tree
/// is empty and queries find nothing.
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
    int node_count; ///< inner nodes, of two children each; leaves have up to two elements
    int depth;      ///< levels, including that of the leaves
    size_t bytes;
    abut_box bounds;
} abut_tree_info;

ABUT_API abut_tree_info abut_tree_get_info(const abut_tree *tree);

/// Called with an element of each tree. A result other than 0 ends the search.
typedef int abut_pair_function(void *user, int element_a, int element_b);

/// Finds all pairs of elements whose boxes overlap after B's boxes are placed and grown by `margin`. These include
/// every pair of elements within `margin` of each other. The order of the calls depends only on the trees and the
/// pose. Returns the result of the last call.
ABUT_API int abut_tree_pairs(const abut_tree *a, const abut_tree *b, abut_pose b_to_a, double margin,
                             abut_pair_function *function, void *user);

/// abut_tree_pairs() for pairs of different elements of one tree: each pair once, the lower index first. Neighbours
/// are included, since their boxes touch.
ABUT_API int abut_tree_self_pairs(const abut_tree *tree, double margin, abut_pair_function *function, void *user);

/// Finds all pairs of triangles with a common point, decided exactly for the corners as abut_pose_apply() places them.
/// With an `envelope` above 0, finds all pairs within that distance. A tree that was refitted with `end` is taken at
/// `start`. Triangles only. Order and result are as for abut_tree_pairs().
ABUT_API int abut_tree_intersections(const abut_tree *a, const abut_tree *b, abut_pose b_to_a, double envelope,
                                     abut_pair_function *function, void *user);

/// The nearest elements of two trees.
typedef struct abut_tree_gap {
    int element_a, element_b;   ///< -1: nothing within the limit
    double distance;            ///< 0 if they intersect
    abut_vec3 point_a, point_b; ///< nearest points, both in A's frame; a common point if they intersect
} abut_tree_gap;

/// Finds the least distance of two placed triangle meshes, up to `limit`. Only surfaces count: a mesh inside another is
/// as far from it as their surfaces are. Lengths must be between 1e-70 and 1e70.
///
/// Several pairs may be equally near, up to rounding (some ulps of the coordinates), or intersect. Any of them may be
/// returned. The same input gives the same pair, on any number of threads; another version of the library may give
/// another one. With A and B swapped and the inverse pose, the distance is the same up to rounding, and the pair may be
/// another one.
ABUT_API abut_tree_gap abut_tree_distance(const abut_tree *a, const abut_tree *b, abut_pose b_to_a, double limit);

typedef struct abut_tree_hit {
    int element;     ///< -1: nothing found
    double distance; ///< nearest: distance to the point; ray: parameter along the direction
    abut_vec3 point; ///< on the element
} abut_tree_hit;

/// Finds the element nearest to a point in the mesh's frame, up to `limit`; of equally near ones the lowest index.
/// Tetrahedra are solid: a point inside has distance 0.
ABUT_API abut_tree_hit abut_tree_nearest(const abut_tree *tree, abut_vec3 point, double limit);

/// Finds the first triangle that the ray origin + t direction, 0 <= t <= limit, hits from either side; of equally near
/// ones the lowest index. A ray through a shared edge or vertex never slips between triangles. Triangles only.
ABUT_API abut_tree_hit abut_tree_ray(const abut_tree *tree, abut_vec3 origin, abut_vec3 direction, double limit);

#ifdef __cplusplus
}
#endif
#endif
