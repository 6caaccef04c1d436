// SPDX-License-Identifier: MIT
/// @file response.h
/// Penalty impulses between two moving meshes, over many steps.
///
/// A tracker belongs to two bodies. In each step it finds the pairs of features (<abut/continuous.h>) that penetrate
/// on the paths of their vertices, and the impulse of each (<abut/penalty.h>). It remembers pairs that penetrate at
/// the end of the step, with the side from which they came, until their depth is zero. Meshes may be open, rigid or
/// soft, and a soft body may touch itself. See docs/response.md.
///
///     abut_tracker_step(tracker, &pair, &params, &response, &error);  // impulses along the predicted paths
///     ...                                                            // change the velocities, move the bodies
///     abut_tracker_follow(tracker, &moved, &params, &error);          // if the bodies moved otherwise than predicted
///     abut_tracker_commit(tracker);                                   // the step is done
#ifndef ABUT_RESPONSE_H
#define ABUT_RESPONSE_H

#include <abut/contact.h>
#include <abut/penalty.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum abut_response_kind {
    ABUT_RESPONSE_CPF = 0, ///< the force along the paths: continuous penalty forces
    /// The force at the end of the paths, between features nearer than the tolerance that face each other. Nothing is
    /// tracked.
    ABUT_RESPONSE_DISCRETE = 1,
    ABUT_RESPONSE_DISCRETE_CCD = 2 ///< the force at the end of the paths, of the pairs that are tracked
} abut_response_kind;

/// How pairs of features share the stiffness.
typedef enum abut_pair_weights {
    /// By the area of contact around them, see docs/response.md: `stiffness` is a force per depth and area. Bodies
    /// sink in equally, however fine their meshes are.
    ABUT_WEIGHTS_AREA = 0,
    ABUT_WEIGHTS_PAIR = 1, ///< every pair has the whole `stiffness`, a force per depth, as in the paper
    /// In a world: every pair has `stiffness` times the mass that it moves, m / (1/m_a + 1/m_b) with the shares of its
    /// vertices or bodies. `stiffness` is then one over a time squared, and a step is stable for all masses if n dt^2
    /// `stiffness` is below 2 with n pairs at a vertex. A tracker alone knows no masses: it gives what ABUT_WEIGHTS_PAIR
    /// gives, to be multiplied by the mass.
    ABUT_WEIGHTS_MASS = 2
} abut_pair_weights;

/// Start from abut_response_params_default().
typedef struct abut_response_params {
    size_t struct_size;
    abut_response_kind kind;
    abut_pair_weights weights;
    abut_penalty_rule rule; ///< of ABUT_RESPONSE_CPF; default ABUT_PENALTY_EXACT; not ABUT_PENALTY_END
    double stiffness;       ///< default 1
    /// The distance at which forces begin, with the depth tolerance - distance; default 0: where features cross. Choose it
    /// below the thickness of thin parts.
    double tolerance;
    /// 1, the default: at the start of each step, a tracked pair whose features no longer face each other goes on to
    /// the neighbouring features, and ends if there are none: a vertex that slides beyond the rim of a table is free.
    /// 0: pairs keep their features, as in the paper.
    int has_sliding;
} abut_response_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_response_params_init(abut_response_params *params, size_t size);
static inline abut_response_params abut_response_params_default(void)
{
    abut_response_params params;
    abut_response_params_init(&params, sizeof params);
    return params;
}

/// A penetration interval of a pair of features, and its impulse.
typedef struct abut_response_pair {
    abut_moving_kind kind;
    int is_flipped;  ///< the first feature (vertex 0, or vertices 0 and 1) is B's and the second A's
    int vertices[4]; ///< of the two meshes, in the order of abut_moving_pair
    abut_feature feature_a, feature_b;
    double weights[4];          ///< vertex i gets weights[i] times the impulse on its body
    double begin, end;          ///< of the interval, in parts of the step
    double share;               ///< of the stiffness: an area, or 1
    abut_vec3 impulse;          ///< on B; A gets the opposite
    abut_vec3 point_a, point_b; ///< where the weights put it, at the start of the step
    /// The features touch at the start of the step and have no history: no force, since nothing tells the side.
    int is_without_side;
} abut_response_pair;

typedef struct abut_response {
    const abut_response_pair *pairs; ///< tracked ones first; valid until the tracker is used again
    int count;
    abut_vec3 impulse;        ///< on B: the sum
    abut_vec3 angular_defect; ///< sum of the moments, see abut_penalty
    int tracked_count;        ///< pairs that penetrate or touch at the end of the step
    int without_side_count;   ///< pairs that are flagged
    int gone_count;           ///< tracked pairs whose features the meshes no longer have
    int moved_count;          ///< tracked pairs that slid on to other features
    int left_count;           ///< tracked pairs that slid off
    int64_t candidate_pairs;  ///< of triangles whose swept boxes overlap
    int64_t tested_pairs;     ///< of features
} abut_response;

typedef struct abut_tracker abut_tracker;

ABUT_API abut_status abut_tracker_create(const abut_context *context, abut_tracker **tracker, abut_error *error);
/// Frees a tracker; NULL is allowed.
ABUT_API void abut_tracker_destroy(abut_tracker *tracker);

/// Finds the impulses of a step of length pair->dt, in which the bodies move from their poses to their end poses, or
/// soft bodies from start to end. The two shapes must be prepared for method `continuous`. A and B must keep their
/// places from step to step; `pair->memory` is not used.
/// @return ABUT_OK; ABUT_BAD_ARGUMENT; ABUT_BAD_DATA if the motion is not finite or too large, with the vertex of the
/// body
///         in `error`; ABUT_UNPREPARED; ABUT_NO_MEMORY. After a failure `response` is empty.
ABUT_API abut_status abut_tracker_step(abut_tracker *tracker, const abut_pair *pair,
                                       const abut_response_params *params, abut_response *response,
                                       abut_error *error);
/// Tracks the pairs along the paths that the bodies took, without impulses. Call it if these are not those that
/// abut_tracker_step() was given. Statuses are as there.
ABUT_API abut_status abut_tracker_follow(abut_tracker *tracker, const abut_pair *pair,
                                         const abut_response_params *params, abut_error *error);
/// The next step begins with what the last call of abut_tracker_step() or abut_tracker_follow() tracked. Without
/// this, with what it began with.
ABUT_API void abut_tracker_commit(abut_tracker *tracker);
/// Forgets all pairs: for bodies that were put elsewhere, or got another mesh.
ABUT_API void abut_tracker_clear(abut_tracker *tracker);
/// How many pairs the next step begins with.
ABUT_API int abut_tracker_count(const abut_tracker *tracker);

#ifdef __cplusplus
}
#endif
#endif
