// SPDX-License-Identifier: MIT
/// @file recording.h
/// Recordings of simulations in HDF5 files (docs/recording.md): written step by step, read as hostile input.
///
/// HDF5 allocates with malloc, not through the context. No other thread may use the HDF5 library at the same time,
/// unless it was built thread-safe. Writing calls H5dont_atexit(): a host that uses HDF5 itself must close its own
/// files.
#ifndef ABUT_LAB_RECORDING_H
#define ABUT_LAB_RECORDING_H

#include <abut-lab/case.h>
#include <abut-lab/scene.h>
#include <abut-lab/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The layout of the file.
enum { ABUT_RECORDING_VERSION = 6, ABUT_RECORDING_REASON_ROOM = 256 };

/// How a run ended.
typedef enum abut_recording_end {
    ABUT_RECORDING_UNFINISHED = 0, ///< still running, or killed
    ABUT_RECORDING_DONE = 1,
    ABUT_RECORDING_INTERRUPTED = 2,
    ABUT_RECORDING_FAILED = 3 ///< a step failed: see `reason`
} abut_recording_end;

/// "unfinished", "done", "interrupted" or "failed"; NULL for other numbers.
ABUT_API const char *abut_recording_end_text(abut_recording_end end);

/// The settings of the recorded run, for people and tools that look at it. Not all parameters of the solvers are
/// here. Texts are zero-terminated.
typedef struct abut_recording_about {
    int32_t version;                    ///< ABUT_RECORDING_VERSION
    char library[ABUT_SETUP_NAME_ROOM]; ///< version of the library that wrote it
    char scene[ABUT_SETUP_NAME_ROOM];   ///< name of the setup
    char method[ABUT_SETUP_NAME_ROOM];  ///< contact method
    /// Parameters of the method that are not the defaults, such as "tolerance=0.5 reading=program", or "defaults". Cut
    /// if too long.
    char params[ABUT_RECORDING_REASON_ROOM];
    double dt;
    abut_vec3 gravity; ///< at the beginning
    abut_stepper stepper;
    abut_solver_kind solver;
    abut_sweep_rule sweep; ///< this and the next four are of the solver prox
    abut_factor_rule factor;
    int32_t iteration_limit;
    double absolute_tolerance, relative_tolerance;
    int32_t directions; ///< this and the next two are of the solver mcp
    int32_t pivot_limit;
    double mcp_tolerance;
    abut_gap_rule gap_rule;
    int32_t has_warm_start;
    abut_stabilisation stabilisation;
    double torsion_radius, linear_damping, angular_damping, speed_limit;
    abut_recording_end end;
    char reason[ABUT_RECORDING_REASON_ROOM]; ///< why a step failed, or ""
} abut_recording_about;

typedef struct abut_recording_material {
    char name[ABUT_SETUP_NAME_ROOM];
    double density, friction, restitution; ///< of the material on itself
} abut_recording_material;

/// Contact between two materials, if it differs from what the two materials imply.
typedef struct abut_recording_pair {
    int32_t a, b;
    double friction, restitution;
    char method[ABUT_SETUP_NAME_ROOM]; ///< contact method, or "": that of the world
} abut_recording_pair;

typedef struct abut_recording_body {
    char name[ABUT_SETUP_NAME_ROOM];
    int32_t mesh; ///< index in the recording's meshes
    int32_t material;
    int32_t is_fixed;
    int32_t is_soft; ///< its vertices move: see abut_recording_get_vertices()
    double mass;     ///< 0 for fixed bodies
} abut_recording_body;

/// A body after a step. The pose of a soft body is the identity: its vertices are in the world frame.
typedef struct abut_recording_state {
    abut_pose pose;            ///< of the mesh
    abut_vec3 linear_velocity; ///< of the centre of mass
    abut_vec3 angular_velocity;
} abut_recording_state;

typedef struct abut_recording_step {
    int64_t step; ///< from 1
    double time;
    int32_t contact_count, pair_count; ///< as in abut_world_report
    abut_solve_outcome outcome;
    int32_t iterations, matched;
    int32_t residual_count; ///< residuals of single iterations
    int32_t region_count;
    int32_t change_count;
    int32_t churn; ///< contacts that began or ended
    int32_t event_count;
    double stepped_time; ///< as in abut_world_report
    double residual, residual_scale;
    double kinetic_energy, potential_energy, elastic_energy;
    double quality; ///< % of the contacts of known truth that are right; NaN without such contacts
} abut_recording_step;

/// What is known of a contact's normal.
typedef enum abut_recording_truth {
    ABUT_TRUTH_UNKNOWN = -1,
    ABUT_TRUTH_WRONG = 0,
    ABUT_TRUTH_RIGHT = 1
} abut_recording_truth;

typedef struct abut_recording_contact {
    abut_world_contact item;
    abut_recording_truth truth;
} abut_recording_contact;

/// Seconds per phase of a step.
typedef struct abut_recording_timing {
    double move, broad, narrow, solve;
} abut_recording_timing;

// ---------------------------------------------------------------------------------------------------------------
// Writing

typedef struct abut_recorder abut_recorder;

/// Start from abut_recorder_def_default(). The objects it points to must outlive the recorder.
typedef struct abut_recorder_def {
    size_t struct_size;
    const char *path; ///< a file of this name is replaced
    const abut_setup *setup;
    const abut_simulation *simulation; ///< of the setup, before its first step
    const abut_case *known_case;       ///< the setup's case, for the truth of contacts, or NULL
    const abut_scene *known_scene;     ///< the setup's scene, for the truth of contacts, or NULL
    int piece_rows;                    ///< rows by which the file's arrays grow, from 1; default 256
} abut_recorder_def;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_recorder_def_init(abut_recorder_def *def, size_t size);
static inline abut_recorder_def abut_recorder_def_default(void)
{
    abut_recorder_def def;
    abut_recorder_def_init(&def, sizeof def);
    return def;
}

/// Creates the file, with meshes, bodies and their first states. A file that another recorder is writing is left
/// alone.
/// @return ABUT_OK, ABUT_BAD_ARGUMENT, ABUT_NO_MEMORY, or ABUT_IO if the file cannot be created, is being written by
/// another recorder, or is not a regular file
ABUT_API abut_status abut_recorder_create(const abut_context *context, const abut_recorder_def *def,
                                          abut_recorder **recorder, abut_error *error);

/// Adds the step that the world has just done. `timing` may be NULL, but then for all steps. The file on disk is
/// updated every 16 steps.
ABUT_API abut_status abut_recorder_add(abut_recorder *recorder, const abut_recording_timing *timing,
                                       abut_error *error);

/// Writes how the run ended, and closes the file. `reason` may be NULL.
ABUT_API abut_status abut_recorder_finish(abut_recorder *recorder, abut_recording_end end, const char *reason,
                                          abut_error *error);

/// Without abut_recorder_finish() the file says "unfinished". `recorder` may be NULL.
ABUT_API void abut_recorder_destroy(abut_recorder *recorder);

/// Measures the time of the phases of steps. Start from abut_step_clock_default().
typedef struct abut_step_clock {
    abut_recording_timing timing; ///< of the last step
    abut_phase phase;
    double begin; ///< of the phase, in seconds
} abut_step_clock;

ABUT_API abut_step_clock abut_step_clock_default(void);
/// Callbacks for abut_world_def; the clock must outlive the world.
ABUT_API abut_world_callbacks abut_step_clock_callbacks(abut_step_clock *clock);

// ---------------------------------------------------------------------------------------------------------------
// Reading

typedef struct abut_recording {
    abut_recording_about about;
    abut_setup_mesh *meshes;
    int mesh_count;
    abut_recording_material *materials;
    int material_count;
    abut_world_change *changes; ///< of contacts and regions, of all steps
    int *change_begins;         ///< those of step i, from 0, begin here; one entry more than there are steps
    abut_world_event *events;   ///< of all steps; only ABUT_STEPPER_EVENTS has any
    int *event_begins;          ///< as change_begins
    abut_recording_pair *pairs;
    int pair_count;
    abut_recording_body *bodies;
    int body_count;
    abut_recording_step *steps;
    int step_count;
    abut_recording_state *states; ///< of all bodies at the beginning, then after each step
    abut_vec3 *soft_vertices;     ///< of all soft bodies at the beginning, then after each step
    int soft_vertex_count;        ///< of all soft bodies at one time
    int *soft_begins;             ///< the first vertex of each body among these, or -1: it is rigid
    abut_recording_contact *contacts;
    int contact_count;
    int *contact_begins;        ///< the first contact of each step; step_count + 1 entries
    abut_world_regions regions; ///< of all steps; the `region` of a contact counts from the first of its step
    int *region_begins;         ///< the first region of each step; step_count + 1 entries
    double *residuals;          ///< of the iterations of all steps
    int residual_count;
    abut_recording_timing *timings; ///< of each step, or NULL
    uint64_t hash;                  ///< of everything except the timings
} abut_recording;

/// Reads and checks a whole file. HDF5 runs in a child process that cannot open other files and has time and memory
/// limits, so that a malicious file does no harm. Soft and external links, external and virtual storage, and filters
/// are refused.
/// @return ABUT_OK; ABUT_IO if there is no such file; ABUT_BAD_DATA if an array is wrong (`error` names it), or HDF5
/// crashed or took too long; ABUT_LIMIT if it was interrupted or no child could be started; ABUT_NO_MEMORY
ABUT_API abut_status abut_recording_read(const abut_context *context, const char *path, abut_recording **recording,
                                         abut_error *error);
ABUT_API void abut_recording_destroy(abut_recording *recording);

/// The vertices of a soft body in the world frame, at the beginning (frame 0) or after step `frame`, in the order of its
/// mesh; NULL if the body is rigid.
ABUT_API const abut_vec3 *abut_recording_get_vertices(const abut_recording *recording, int frame, int body);

#ifdef __cplusplus
}
#endif
#endif
