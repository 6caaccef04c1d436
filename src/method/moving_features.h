// SPDX-License-Identifier: MIT
// moving_features.h: the pairs of features of two moving bodies that may touch within a step
//
// Every vertex moves along a straight line from its place at the start of the step to its place at the end. Pairs of
// triangles whose swept boxes overlap are found with the trees. Each pair of features (a vertex and a triangle, or
// two edges) is visited once, from the two triangles that own the features: every vertex and every edge has one
// owner.
#ifndef ABUT_METHOD_MOVING_FEATURES_H
#define ABUT_METHOD_MOVING_FEATURES_H

#include <abut/contact.h>
#include <abut/continuous.h>

/// What a triangle owns: bit k its corner k, bit 3 + k its edge k.
typedef struct abut_feature_owners {
    uint8_t *bits;
    int is_closed; ///< the mesh is the closed, oriented surface of a solid
} abut_feature_owners;

/// Finds the owners of a shape's features. ABUT_OK, ABUT_NO_MEMORY, or ABUT_UNSUPPORTED for a shape with dilation or
/// offset.
abut_status abut_feature_owners_create(const abut_shape *shape, const abut_context *context,
                                       abut_feature_owners **owners, abut_error *error);
void abut_feature_owners_destroy(abut_feature_owners *owners, const abut_context *context);

/// A body and its motion.
typedef struct abut_moving_side {
    const abut_mesh *mesh;
    const abut_tree *tree; ///< of its triangles
    abut_mesh_elements elements;
    abut_mesh_topology topology;
    const abut_vec3 *start, *end; ///< in the frames of the poses
    abut_pose poses[2];
    abut_mat3 rotations[2];
    int is_unmoved[2]; ///< the pose at the start or end is the identity
    int is_soft;
    int is_closed;
    const uint8_t *owned;
} abut_moving_side;

/// Two bodies in a step.
typedef struct abut_moving_bodies {
    abut_moving_side sides[2];
    int is_self; ///< both are the same soft body
    abut_pose b_to_a;
} abut_moving_bodies;

/// Places the bodies of a checked pair. `owners` are those of the two shapes.
abut_moving_bodies abut_moving_bodies_make(const abut_pair *pair, int is_self,
                                           const abut_feature_owners *const owners[2]);

/// Where a vertex is at the start (end = 0) or the end (1) of the step.
abut_vec3 abut_moving_vertex(const abut_moving_side *side, int vertex, int end);

/// A pair of features and the paths of their vertices.
typedef struct abut_feature_pair {
    abut_moving_pair moving;
    int vertices[4];
    int elements[2]; ///< of the first and the second feature of `moving`: vertex and triangle, or two edges
    int is_flipped;  ///< the first feature is B's; for edges never
} abut_feature_pair;

/// The first or second feature of a pair, which is an element of this side.
abut_feature abut_moving_feature(const abut_moving_side *side, abut_moving_kind kind, int second, int element);

/// Called with a pair of features. A result other than 0 ends the search.
typedef int abut_feature_pair_function(void *user, const abut_feature_pair *pair);

/// Visits all pairs of features that may come within `tolerance` in the step. Features of one body that share a
/// vertex are left out. `candidates` counts pairs of triangles. Returns the result of the last call.
int abut_moving_features_visit(const abut_moving_bodies *bodies, double tolerance,
                               abut_feature_pair_function *function, void *user, int64_t *candidates);

#endif
