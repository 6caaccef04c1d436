// SPDX-License-Identifier: MIT
/// @file case.h
/// Pairs of bodies whose right contacts are known: the ten fundamental cases of Erleben 2018, Table 4, and ours of
/// mixed curvature, whose truth is known in part.
#ifndef ABUT_LAB_CASE_H
#define ABUT_LAB_CASE_H

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An expected contact: a point and a normal that both must be met.
typedef struct abut_truth {
    abut_vec3 position; ///< where the bodies touch, in the state `touching`
    abut_vec3 normal;   ///< unit, from A to B
} abut_truth;

/// Which of the two readings of Table 4 (docs/cases.md). They differ in the three two-point cases only.
typedef enum abut_reading {
    ABUT_READING_VELOCITY = 0, ///< the normal that the given velocity implies; the headline
    ABUT_READING_TABLE = 1     ///< the entry without a dagger, which the paper's Table 8 seems to be scored against
} abut_reading;

typedef struct abut_case_body {
    const char *shape; ///< name of its mesh, for example "spike"
    abut_mesh *mesh;   ///< triangles and tetrahedra
    abut_pose pose;    ///< touching
    abut_vec3 linear_velocity;
    int is_fixed;
} abut_case_body;

typedef struct abut_case {
    const char *name;  ///< as in the command, for example "spike-in-hole"
    const char *title; ///< as in the paper
    abut_case_body a, b;
    double dt;                  ///< time step that goes with the velocities
    double scene_size;          ///< S of the case's construction
    double size;                ///< the smaller bounding diagonal
    abut_vec3 sink;             ///< unit direction in which the moving body sinks in the states `sunk`
    const abut_truth *truth[2]; ///< by reading
    int truth_count[2];         ///< 0: no truth is known
    int minimum;                ///< least number of contacts that is enough; 0: not known
} abut_case;

/// Start from abut_case_params_default().
typedef struct abut_case_params {
    size_t struct_size;
    double scene_size; ///< S; 0: 25 for the spike, wedge and saddle cases, 8 for cliff edges, 20 for internal edges
} abut_case_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_case_params_init(abut_case_params *params, size_t size);
static inline abut_case_params abut_case_params_default(void)
{
    abut_case_params params;
    abut_case_params_init(&params, sizeof params);
    return params;
}

/// Names of the fundamental cases, in the order of the paper's Table 4.
ABUT_API const char *const *abut_case_names(int *count);
/// Names of the cases of mixed curvature.
ABUT_API const char *const *abut_mixed_case_names(int *count);

ABUT_API abut_status abut_case_create(const abut_context *context, const char *name, const abut_case_params *params,
                                      abut_case **out, abut_error *error);
ABUT_API void abut_case_destroy(abut_case *fundamental);

typedef enum abut_state_kind {
    ABUT_STATE_TOUCHING = 0,  ///< exactly as constructed
    ABUT_STATE_DETECTION = 1, ///< the moving body moved by half a time step, as at the first detection
    ABUT_STATE_SUNK = 2       ///< the moving body moved by `depth` along the case's `sink`
} abut_state_kind;

typedef struct abut_state {
    abut_state_kind kind;
    double depth;
} abut_state;

/// Reads "touching", "detection" or "sunk:L".
ABUT_API abut_status abut_state_parse(const char *text, abut_state *state, abut_error *error);

/// How far the moving body is moved in a state.
ABUT_API abut_vec3 abut_case_displacement(const abut_case *fundamental, abut_state state);

/// Where the bodies of a case are.
typedef struct abut_case_poses {
    abut_pose a, b;
} abut_case_poses;

/// Where they are in a state.
ABUT_API abut_case_poses abut_case_place(const abut_case *fundamental, abut_state state);

/// Writes the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_case_pair_init(const abut_case *fundamental, abut_state state, const abut_shape *a,
                                  const abut_shape *b, abut_pair *pair, size_t size);
/// The pair in a state, of two shapes of the case's meshes.
static inline abut_pair abut_case_pair(const abut_case *fundamental, abut_state state, const abut_shape *a,
                                       const abut_shape *b)
{
    abut_pair pair;
    abut_case_pair_init(fundamental, state, a, b, &pair, sizeof pair);
    return pair;
}

#ifdef __cplusplus
}
#endif
#endif
