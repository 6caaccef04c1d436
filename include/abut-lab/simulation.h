// SPDX-License-Identifier: MIT
/// @file simulation.h
/// What a simulation starts from, and a world made of it: from a case, a scene or a JSON file (docs/scene-format.md).
#ifndef ABUT_LAB_SIMULATION_H
#define ABUT_LAB_SIMULATION_H

#include <abut-lab/case.h>
#include <abut-lab/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ABUT_SETUP_NAME_ROOM = 64 };

typedef struct abut_setup_mesh {
    char name[ABUT_SETUP_NAME_ROOM];
    abut_mesh *mesh;
    int line; ///< of the JSON text; 0: none
} abut_setup_mesh;

typedef struct abut_setup_material {
    char name[ABUT_SETUP_NAME_ROOM];
    double density, friction, restitution; ///< as in abut_material
} abut_setup_material;

/// How two materials meet, where it is not what follows from each of them.
typedef struct abut_setup_pair {
    int a, b;
    double friction, restitution; ///< NaN: what follows from the two materials
    const abut_method *method;    ///< of contacts, with its default parameters; NULL: the world's
} abut_setup_pair;

typedef struct abut_setup_body {
    char name[ABUT_SETUP_NAME_ROOM];
    int mesh, material;
    int is_fixed;
    abut_pose pose;
    abut_vec3 linear_velocity, angular_velocity;
    double mass; ///< of the whole body; 0: by the density of its material
    int line;    ///< of the JSON text; 0: none
} abut_setup_body;

/// Made by the functions below; what is in it may be changed.
typedef struct abut_setup {
    char name[ABUT_SETUP_NAME_ROOM];
    abut_setup_mesh *meshes; ///< bodies may share one
    int mesh_count;
    abut_setup_material *materials;
    int material_count;
    abut_setup_pair *pairs;
    int pair_count;
    abut_setup_body *bodies;
    int body_count;
    abut_vec3 gravity;
    double dt;
    int steps; ///< how many to do, unless the caller says otherwise
    double linear_damping, angular_damping;
    abut_stabilisation stabilisation; ///< off, but on for JSON scenes and the funnel
    abut_gap_rule gap_rule;           ///< ABUT_GAP_NONE, but ABUT_GAP_POSITIVE for JSON scenes
} abut_setup;

/// Names of the scenes that are to simulate only: nothing is known of their right contacts.
ABUT_API const char *const *abut_building_names(int *count);

/// The names that abut_setup_create() takes, one after the other: cases, scenes, buildings, bodies that spin; NULL
/// behind the last.
ABUT_API const char *abut_setup_name(int index);

/// A case, scene, building or body that spins by name. All but the last, whose settings spinning.h tells, with the
/// settings of Erleben 2018: stones of density 2000 with friction 0.5 on everything, gravity 9.82, steps of 0.01,
/// damping 0.01, 500 steps. ABUT_BAD_ARGUMENT where there is none of that name.
ABUT_API abut_status abut_setup_create(const abut_context *context, const char *name, abut_setup **setup,
                                       abut_error *error);

/// The same for a case or scene that the caller made, of any size and mesh. It need not outlive the call.
ABUT_API abut_status abut_setup_create_case(const abut_context *context, const abut_case *fundamental,
                                            abut_setup **setup, abut_error *error);
ABUT_API abut_status abut_setup_create_scene(const abut_context *context, const abut_scene *scene,
                                             abut_setup **setup, abut_error *error);

/// A JSON file; meshes that it names are read from its folder. The message of a failure has the line, which is also in
/// `error->line`, and the path of what is wrong, for example "bodies[3].material".
ABUT_API abut_status abut_setup_read(const abut_context *context, const char *path, abut_setup **setup,
                                     abut_error *error);

/// A JSON text in memory. `folder` is where its meshes are, or NULL: it may name none.
ABUT_API abut_status abut_setup_parse(const abut_context *context, const char *text, size_t length,
                                      const char *folder, abut_setup **setup, abut_error *error);
ABUT_API void abut_setup_destroy(abut_setup *setup);

/// The same friction between everything, whatever materials and pairs say.
ABUT_API void abut_setup_set_friction(abut_setup *setup, double friction);

/// Writes the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_setup_world_def_init(const abut_setup *setup, abut_world_def *def, size_t size);
/// The definition of the setup's world, to be changed as wished before abut_simulation_create().
static inline abut_world_def abut_setup_world_def(const abut_setup *setup)
{
    abut_world_def def;
    abut_setup_world_def_init(setup, &def, sizeof def);
    return def;
}

/// Write the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_setup_paper_def_init(const abut_setup *setup, abut_world_def *def, size_t size);
ABUT_API void abut_paper_prox_params_init(abut_prox_params *params, size_t size);
/// The definition with the settings of Erleben 2018, section 6, and of its program: Gauss-Seidel sweeps, 1000 of them in
/// every step whatever the residual is, from impulses of zero. Writes the solver's parameters to `prox`, to which the
/// definition then points.
static inline abut_world_def abut_setup_paper_def(const abut_setup *setup, abut_prox_params *prox)
{
    abut_world_def def;
    abut_setup_paper_def_init(setup, &def, sizeof def);
    abut_paper_prox_params_init(prox, sizeof *prox);
    def.prox = prox;
    return def;
}

/// A world with the shapes of its bodies.
typedef struct abut_simulation {
    abut_world *world;
    abut_shape **shapes; ///< of the setup's meshes; those of the bodies
    int shape_count;
} abut_simulation;

/// The setup must outlive the simulation. Failures name the mesh or body and, where it was read from JSON, its line
/// and path.
ABUT_API abut_status abut_simulation_create(const abut_context *context, const abut_setup *setup,
                                            const abut_world_def *def, abut_simulation **simulation,
                                            abut_error *error);
ABUT_API void abut_simulation_destroy(abut_simulation *simulation);

/// The contacts that a simulation was last computed with.
typedef struct abut_detection {
    abut_world_report report;   ///< its arrays belong to the world, and are valid until that is used again
    abut_scene_sample *samples; ///< what is measured of each of the report's contacts, ordered by bodies
} abut_detection;

/// Steps on until the `step`-th detection, counted from 1 at the beginning of the simulation, was made, and its
/// step done. Where a step fails, `error` says why, and the detection is empty. Release with
/// abut_detection_release(), also then.
/// @return ABUT_OK, what the step answered, ABUT_BAD_ARGUMENT where the simulation is past that step, or ABUT_NO_MEMORY
ABUT_API abut_status abut_simulation_detect(abut_simulation *simulation, int step, abut_detection *detection,
                                            abut_error *error);
ABUT_API void abut_detection_release(const abut_simulation *simulation, abut_detection *detection);

/// A body that fell: its centre of mass is lower, along gravity, by more than half the height that it had at the
/// beginning.
typedef struct abut_fall {
    int body;       ///< the one that fell furthest in heights of its own, or -1: none fell
    double heights; ///< how far
} abut_fall;

/// Where gravity is zero, nothing falls.
ABUT_API abut_fall abut_simulation_find_fall(const abut_simulation *simulation, const abut_setup *setup);

/// How a structure fares on the contacts of a method.
typedef enum abut_outcome {
    ABUT_OUTCOME_STANDS = 0,
    ABUT_OUTCOME_COLLAPSED = 1, ///< a body fell
    /// Without friction and with gravity tilted by 5 degrees it stays, where exact contacts let it slide.
    ABUT_OUTCOME_TOO_STABLE = 2,
    ABUT_OUTCOME_FAILED = 3 ///< a step of the method failed, before anything had fallen
} abut_outcome;

/// "stands", "collapsed", "too stable" or "failed".
ABUT_API const char *abut_outcome_text(abut_outcome outcome);

typedef struct abut_outcome_report {
    abut_outcome outcome;
    int steps;         ///< done, of the run with friction
    int *counts;       ///< contacts of each of them
    int64_t fallbacks; ///< pairs of bodies, in all of them, that the second method answered
    abut_fall fall;
    double slide,
        exact_slide;  ///< of the tilted runs: the largest way of a body, and that on `regions`; NaN where not run
    abut_error error; ///< of the step that failed
} abut_outcome_report;

/// Runs the setup for `steps` with the method and all else of `def`; then, where it stands, two tilted runs without
/// friction: with the method and with `regions`. Gravity is tilted by 5 degrees to a side between two axes at right
/// angles to it, so that what is free along either slides. To slide is to go at least a tenth of the way of a body
/// that nothing holds, g sin 5 t^2 / 2, for a centre of mass in any direction: to tip over or fall counts, too.
/// Release with abut_outcome_release(), also after a failure.
/// @return ABUT_OK with any outcome, or why the simulation cannot be made
ABUT_API abut_status abut_find_outcome(const abut_context *context, const abut_setup *setup,
                                       const abut_world_def *def, int steps, abut_outcome_report *report,
                                       abut_error *error);
ABUT_API void abut_outcome_release(const abut_context *context, abut_outcome_report *report);

#ifdef __cplusplus
}
#endif
#endif
