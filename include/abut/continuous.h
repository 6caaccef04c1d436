// SPDX-License-Identifier: MIT
/// @file continuous.h
/// Continuous collision tests: when a moving vertex and triangle, or two moving edges, touch within a step.
///
/// Every vertex moves along its own path in the time 0 to 1: a straight line at constant speed (degree 1), or a parabola
/// at constant acceleration (degree 2). Features are closed sets and the interval is closed: touching counts, and so
/// does touching at time 0 or 1. No touch is ever missed. A pair that comes within some ulps of its size without
/// touching may be reported; such a touch is not marked as certain.
///
/// Degenerate input needs no special care: parallel edges, coplanar motion, vertices at rest, edges and triangles of
/// size zero, at all times or within the step. See docs/continuous.md.
#ifndef ABUT_CONTINUOUS_H
#define ABUT_CONTINUOUS_H

#include <abut/base.h>
#include <abut/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum abut_moving_kind {
    ABUT_VERTEX_FACE = 0, ///< vertex 0 and the triangle of vertices 1, 2, 3
    ABUT_EDGE_EDGE = 1    ///< the edge of vertices 0, 1 and the edge of vertices 2, 3
} abut_moving_kind;

/// Two features and the paths of their four vertices. Start from zero bytes.
typedef struct abut_moving_pair {
    abut_moving_kind kind;
    int is_curved; ///< 1: paths of degree 2, with `middle`
    abut_vec3 start[4], end[4];
    /// Used if `is_curved`: the path is (1-t)^2 start + 2 t (1-t) middle + t^2 end. A vertex with the constant
    /// acceleration a (in lengths per step squared) has middle = (start + end) / 2 - a / 4.
    abut_vec3 middle[4];
} abut_moving_pair;

/// Start from abut_impact_params_default().
typedef struct abut_impact_params {
    size_t struct_size;
    int is_first_only; ///< 1: stop at the first touch, which is faster; default 0
    double separation; ///< features this near count as touching; default 0
} abut_impact_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_impact_params_init(abut_impact_params *params, size_t size);
static inline abut_impact_params abut_impact_params_default(void)
{
    abut_impact_params params;
    abut_impact_params_init(&params, sizeof params);
    return params;
}

/// A time, or an interval of time, in which the features touch.
typedef struct abut_impact {
    double lower, upper; ///< the pair is apart just before `lower` and just after `upper`, unless these are 0 and 1
    double time;         ///< in between: where the features cross, or the begin of a contact that lasts
    /// The point of contact at that time. Vertex-face: weights[0] is 1, the others are the triangle's. Edge-edge: two
    /// for each edge.
    double weights[4];
    int is_certain; ///< proven: not a near miss
    /// Sign, before the touch, of n . (point of the first feature - point of the second) if it changes, else 0. For
    /// vertex-face, n = (v2 - v1) x (v3 - v1); for edge-edge, n = (v1 - v0) x (v3 - v2).
    int side;
} abut_impact;

enum { ABUT_IMPACT_CAPACITY = 8 };

/// All touches in the order of time. More than ABUT_IMPACT_CAPACITY are joined: the last one then lasts too long.
typedef struct abut_impacts {
    int count;
    int nodes; ///< time intervals that were looked at: the work
    abut_impact items[ABUT_IMPACT_CAPACITY];
} abut_impacts;

/// Finds all times at which the two features touch.
/// @return ABUT_OK; ABUT_BAD_DATA if a coordinate or the separation is not finite or beyond 1e100, or the separation is
///         negative; ABUT_BAD_ARGUMENT for a wrong `kind` or `struct_size`. After a failure there are no touches.
ABUT_API abut_status abut_find_impacts(const abut_moving_pair *pair, const abut_impact_params *params,
                                       abut_impacts *touches);

/// Many pairs of one kind on straight paths, as arrays of coordinates: start[i][k][j] is coordinate k of vertex i of pair j.
typedef struct abut_moving_batch {
    abut_moving_kind kind;
    int count;
    const double *start[4][3], *end[4][3];
} abut_moving_batch;

/// Finds the first touches of many pairs, on all threads of the context. `times` has room for one number for each pair: `lower`
/// of its first touch, as abut_find_impacts() gives it, or HUGE_VAL if there is none. The same numbers on any processor and
/// any number of threads.
/// @return ABUT_OK; ABUT_BAD_DATA if a coordinate or the separation is wrong, with the pair in error->element;
///         ABUT_BAD_ARGUMENT
ABUT_API abut_status abut_find_first_impacts(const abut_context *context, const abut_moving_batch *batch,
                                             const abut_impact_params *params, double *times, abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
