// SPDX-License-Identifier: MIT
/// @file case.h
/// Pairs of bodies whose correct contacts are known: the ten fundamental cases of Erleben 2018, Table 4, and our cases
/// of mixed curvature, whose correct contacts are known in part.
#ifndef ABUT_LAB_CASE_H
#define ABUT_LAB_CASE_H

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An expected contact. A contact meets it if both position and normal match.
typedef struct abut_truth {
    abut_vec3 position; ///< where the bodies touch, in the state `touching`
    abut_vec3 normal;   ///< unit, from A to B
} abut_truth;

/// The two readings of Table 4 (docs/cases.md). They differ in the three two-point cases only.
typedef enum abut_reading {
    ABUT_READING_VELOCITY = 0, ///< the normal of the face that the body moves into; the default
    ABUT_READING_TABLE = 1     ///< the entry without a dagger, which the paper's Table 8 fits better
} abut_reading;

typedef struct abut_case_body {
    const char *shape; ///< name of its mesh, for example "spike"
    abut_mesh *mesh;   ///< triangles and tetrahedra
    abut_pose pose;    ///< in the state `touching`
    abut_vec3 linear_velocity;
    int is_fixed;
} abut_case_body;

typedef struct abut_case {
    const char *name;  ///< as in the command, for example "spike-in-hole"
    const char *title; ///< as in the paper
    abut_case_body a, b;
    double dt;                  ///< time step
    double scene_size;          ///< S, which all bodies scale with, except the blocks with a hole or crack
    double size;                ///< the smaller bounding diagonal
    abut_vec3 sink;             ///< unit; the moving body moves along it in the states `sunk`
    const abut_truth *truth[2]; ///< by reading
    int truth_count[2];         ///< 0: the correct contacts are not known
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
ABUT_API void abut_case_destroy(abut_case *item);

typedef enum abut_state_kind {
    ABUT_STATE_TOUCHING = 0,  ///< exactly as constructed
    ABUT_STATE_DETECTION = 1, ///< the moving body has moved for half a time step, as at the paper's first detection
    ABUT_STATE_SUNK = 2,      ///< the moving body has moved by `depth` along the case's `sink`
    ABUT_STATE_STEP = 3       ///< detection number `step` of a simulation, which abut_assess() runs
} abut_state_kind;

/// Where the bodies are when a method is asked for contacts.
typedef struct abut_state {
    abut_state_kind kind;
    double depth; ///< of ABUT_STATE_SUNK
    int step;     ///< of ABUT_STATE_STEP, from 1
} abut_state;

/// Reads "touching", "detection", "sunk:L" or "step:K". `state` stays as it is if the text is something else.
ABUT_API abut_status abut_state_parse(const char *text, abut_state *state, abut_error *error);

enum { ABUT_STATE_TEXT_ROOM = 40 };

/// Writes the text that abut_state_parse() reads, with the fewest digits that give the same number.
ABUT_API void abut_state_print(abut_state state, char text[ABUT_STATE_TEXT_ROOM]);

ABUT_API int abut_state_equals(abut_state a, abut_state b);

/// How far the moving body has moved in a state. Zero for steps of a simulation, which have no fixed place.
ABUT_API abut_vec3 abut_case_displacement(const abut_case *item, abut_state state);

/// Where the bodies of a case are.
typedef struct abut_case_poses {
    abut_pose a, b;
} abut_case_poses;

/// Where the bodies are in a state: the moving one has moved by abut_case_displacement().
ABUT_API abut_case_poses abut_case_place(const abut_case *item, abut_state state);

/// Writes the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_case_pair_init(const abut_case *item, abut_state state, const abut_shape *a, const abut_shape *b,
                                  abut_pair *pair, size_t size);
/// The pair in a state, for two shapes of the case's meshes.
static inline abut_pair abut_case_pair(const abut_case *item, abut_state state, const abut_shape *a,
                                       const abut_shape *b)
{
    abut_pair pair;
    abut_case_pair_init(item, state, a, b, &pair, sizeof pair);
    return pair;
}

#ifdef __cplusplus
}
#endif
#endif
