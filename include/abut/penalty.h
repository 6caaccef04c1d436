// SPDX-License-Identifier: MIT
/// @file penalty.h
/// Penalty impulses of moving features, integrated along their paths.
///
/// A pair of features (<abut/continuous.h>) penetrates from the time at which one crosses the other until it comes
/// back. The depth is the distance of the planes or lines of the features along their normal. The penalty force,
/// stiffness times depth along the normal, is integrated over these penetration intervals: a step that passes through
/// a triangle and out of it again has an impulse, although the features are apart at both ends.
///
/// Open meshes have no inside. The side of a pair is that on which the first feature was just before the crossing. A
/// pair that still penetrates at the end of the step is tracked: the caller keeps its side and weights, and passes
/// them with the next step. See docs/penalty.md.
#ifndef ABUT_PENALTY_H
#define ABUT_PENALTY_H

#include <abut/continuous.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum abut_penalty_rule {
    /// The force along the paths, integrated to about 1e-13.
    ABUT_PENALTY_EXACT = 0,
    /// The force along the paths, with one constant for the length of the normal in each interval: a polynomial of
    /// degree 6 (11 for curved paths). Equal to the exact one if the features keep their shape and angle.
    ABUT_PENALTY_INTERVAL = 1,
    /// As the last, with one constant for the whole step: the paper's closed form.
    ABUT_PENALTY_STEP = 2,
    /// The force at the end of the step, for the whole step ("discrete-ccd").
    ABUT_PENALTY_END = 3
} abut_penalty_rule;

/// Start from abut_penalty_params_default().
typedef struct abut_penalty_params {
    size_t struct_size;
    abut_penalty_rule rule; ///< default ABUT_PENALTY_EXACT
    double dt;              ///< length of the step; default 1
    double stiffness;       ///< force per depth; default 1
    /// The force begins at this distance, with the depth separation - distance; default 0: where the features cross. Only for
    /// abut_find_penalty(); the other functions refuse it.
    double separation;
} abut_penalty_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_penalty_params_init(abut_penalty_params *params, size_t size);
static inline abut_penalty_params abut_penalty_params_default(void)
{
    abut_penalty_params params;
    abut_penalty_params_init(&params, sizeof params);
    return params;
}

/// What is kept of a pair between steps. All zero: no history.
typedef struct abut_penalty_track {
    int side; ///< sign of n . (first - second) outside, as abut_impact.side; 0: the pair neither penetrates nor touches
    double weights[4]; ///< of the material points that met, as abut_impact.weights
} abut_penalty_track;

/// A penetration interval.
typedef struct abut_penalty_interval {
    double begin, end;
    int side;
    double weights[4];
    abut_vec3 impulse; ///< on the first feature
} abut_penalty_interval;

enum { ABUT_PENALTY_CAPACITY = 4 };

typedef struct abut_penalty {
    int interval_count;
    abut_penalty_interval intervals[ABUT_PENALTY_CAPACITY];
    abut_vec3 impulses[4]; ///< on the vertices, by their weights; their sum is 0 up to rounding
    abut_vec3 total;       ///< on the first feature; the second gets the opposite
    /// Sum of the moments of the impulses on the vertices, at the middle of each interval: the points that met part
    /// by more than the normal if they slide, and a force between them then has a moment.
    abut_vec3 angular_defect;
    /// The features touch at time 0, and the pair has no history: nothing tells on which side the first one was, so
    /// that touch gives no force.
    int is_without_side;
    abut_penalty_track track; ///< for the next step, if the pair penetrates or touches at the end of this one
    double end_depth;         ///< 0: the pair does not penetrate at the end
} abut_penalty;

/// Finds the penetration intervals of a pair and their impulses. If `track` is NULL, the pair has no history. A
/// tracked pair whose depth is zero or less at the start is outside, but its side is known if it touches there.
/// A pair on curved paths may have more than ABUT_PENALTY_CAPACITY intervals: later ones are left out.
/// @return ABUT_OK; ABUT_BAD_DATA as abut_find_impacts(), also if stiffness, dt or separation is negative or above 1e100;
///         ABUT_BAD_ARGUMENT for a wrong kind, rule or `struct_size`. After a failure there is no impulse.
ABUT_API abut_status abut_find_penalty(const abut_moving_pair *pair, const abut_penalty_track *track,
                                       const abut_penalty_params *params, abut_penalty *penalty);

/// The baseline without paths ("discrete"): features nearer than `tolerance` at the end of the step repel each other
/// with stiffness (tolerance - distance), for the whole step. The one interval is from 1 to 1, with the weights of
/// the nearest points. Features that intersect have no direction and no impulse. Straight paths, the parameters and
/// the statuses are as for abut_find_penalty(), but a separation is ABUT_BAD_ARGUMENT: `tolerance` is it.
ABUT_API abut_status abut_find_discrete_penalty(const abut_moving_pair *pair, double tolerance,
                                                const abut_penalty_params *params, abut_penalty *penalty);

enum { ABUT_PENALTY_DEGREE = 4 };

/// The impulse on the first feature over a known interval, on Bezier curves of any degree up to ABUT_PENALTY_DEGREE: the point
/// with the weights B(i, degree)(t) of `points[4 * i + k]` is where vertex k is. The closed forms are integrals of
/// polynomials of degree 5 degree + 1.
/// @return ABUT_OK; ABUT_BAD_DATA if a coordinate is not finite or beyond 1e100, the interval is not in [0, 1], or stiffness
///         or dt is not finite or negative; ABUT_BAD_ARGUMENT for a wrong kind, degree, rule or `struct_size`, or a
///         separation: the side, which it needs, is not known here
ABUT_API abut_status abut_find_path_impulse(abut_moving_kind kind, int degree, const abut_vec3 *points,
                                            double begin, double end, const abut_penalty_params *params,
                                            abut_vec3 *impulse);

/// Many pairs of one kind on straight paths, with one interval of time each, as arrays. Start from zero bytes.
typedef struct abut_impulse_batch {
    abut_moving_batch pairs;
    const double *begin, *end; ///< of the interval of each pair, 0 <= begin <= end <= 1
    double *impulses[3];       ///< x, y and z of the impulse on the first feature of each pair
} abut_impulse_batch;

/// Finds the impulses of many pairs, by ABUT_PENALTY_INTERVAL whatever the rule of the parameters is, on all threads of
/// the context. The same numbers on any processor and any number of threads.
/// @return ABUT_OK; ABUT_BAD_DATA if an interval or a coordinate is wrong, with the pair in error->element;
///         ABUT_BAD_ARGUMENT, also for a separation
ABUT_API abut_status abut_find_impulses(const abut_context *context, const abut_impulse_batch *batch,
                                        const abut_penalty_params *params, abut_error *error);

/// The friction of an impulse: opposite to the sliding velocity of the first feature relative to the second,
/// orthogonal to the impulse, of the size coulomb |impulse| + viscous |sliding| dt, but at most `limit`: the impulse
/// that stops the sliding.
ABUT_API abut_vec3 abut_penalty_friction(abut_vec3 impulse, abut_vec3 velocity, double coulomb, double viscous_dt,
                                         double limit);

#ifdef __cplusplus
}
#endif
#endif
