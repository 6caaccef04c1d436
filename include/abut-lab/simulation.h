// SPDX-License-Identifier: MIT
/// @file simulation.h
/// Setups, from which simulations start, and the worlds made of them. A setup comes from a case, a scene or a JSON
/// file (docs/scene-format.md).
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
    /// Of a primitive: the mesh that a ball of this radius sweeps, which worlds with method `quasi-lmd` use instead of
    /// `mesh`, its facets. Else NULL.
    abut_mesh *core;
    double radius;
    int is_repaired; ///< a file that was repaired when it was read
    abut_repair_counts repairs;
} abut_setup_mesh;

typedef struct abut_setup_material {
    char name[ABUT_SETUP_NAME_ROOM];
    double density, friction, restitution; ///< as in abut_material
} abut_setup_material;

/// Contact between two materials, if it differs from what the two materials imply.
typedef struct abut_setup_pair {
    int a, b;
    double friction, restitution; ///< NaN: from the two materials
    const abut_method *method;    ///< contact method, with its default parameters; NULL: the world's
} abut_setup_pair;

typedef struct abut_setup_body {
    char name[ABUT_SETUP_NAME_ROOM];
    int mesh, material;
    int is_fixed;
    abut_pose pose;
    abut_vec3 linear_velocity, angular_velocity;
    double mass; ///< of the whole body; 0: from the density of its material
    int line;    ///< of the JSON text; 0: none
    int soft;    ///< of a soft body: 1 + its index in the setup's soft parts; 0: rigid
} abut_setup_body;

/// What a soft body has beside a rigid one. Bodies may share one.
typedef struct abut_setup_soft {
    char name[ABUT_SETUP_NAME_ROOM];
    abut_soft_material *material; ///< belongs to the setup, and so do the pins
    abut_soft_integrator integrator;
    double accuracy; ///< this and the next two of implicit steps, as in abut_soft_params; 0: the defaults
    int newton_limit, iteration_limit;
    int has_self_contact;
    int *pins;
    int pin_count;
} abut_setup_soft;

/// Made by the functions below. Its values may be changed.
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
    int steps; ///< default number of steps
    double linear_damping, angular_damping;
    abut_stabilisation stabilisation; ///< on for JSON scenes and the funnel, otherwise off
    abut_gap_rule gap_rule;           ///< ABUT_GAP_POSITIVE for JSON scenes, otherwise ABUT_GAP_NONE
    int has_sleep;                    ///< 1 for JSON scenes, unless they say otherwise, else 0
    abut_stepper stepper;
    int has_sweeps; ///< 1 for JSON scenes, unless they say otherwise, and for the motions bullets, bounce and cradle; else 0
    abut_impact_rule impact_rule;
    abut_response_params
        *response;    ///< of penalty forces; NULL: the solver keeps bodies apart. Belongs to the setup
    double viscosity; ///< with penalty forces, as in abut_world_def
    abut_setup_soft *softs;
    int soft_count;
    abut_response_params *soft_response; ///< as in abut_world_def; belongs to the setup
} abut_setup;

/// Names of scenes that can be simulated but not scored: their correct contacts are not known.
ABUT_API const char *const *abut_building_names(int *count);

/// Names of scenes without friction that go from event to event (ABUT_STEPPER_EVENTS), or show what happens in a step.
ABUT_API const char *const *abut_motion_names(int *count);

/// Names of scenes of bodies that are not convex, and of dominoes, with friction.
ABUT_API const char *const *abut_concave_scene_names(int *count);

/// Names of scenes in which penalty forces keep bodies apart.
ABUT_API const char *const *abut_penalty_scene_names(int *count);

/// The names that abut_setup_create() takes: cases, scenes, buildings, motions, concave scenes, scenes with penalty
/// forces and spinning bodies. NULL after the last one.
ABUT_API const char *abut_setup_name(int index);

/// Makes the setup of a name. spinning.h has the settings of spinning bodies. The
/// others have those of Erleben 2018: density 2000, friction 0.5, gravity 9.82, 500 steps of 0.01 s, damping 0.01.
/// @return ABUT_OK, ABUT_BAD_ARGUMENT if the name is unknown, or ABUT_NO_MEMORY
ABUT_API abut_status abut_setup_create(const abut_context *context, const char *name, abut_setup **setup,
                                       abut_error *error);

/// Makes the setup of the caller's case or scene, of any size and mesh. It need not outlive the call.
ABUT_API abut_status abut_setup_create_case(const abut_context *context, const abut_case *item, abut_setup **setup,
                                            abut_error *error);
ABUT_API abut_status abut_setup_create_scene(const abut_context *context, const abut_scene *scene,
                                             abut_setup **setup, abut_error *error);

/// Reads a JSON file. Mesh files are read from its folder. An error message has the line, also in `error->line`, and
/// the path of the wrong value, for example "bodies[3].material".
ABUT_API abut_status abut_setup_read(const abut_context *context, const char *path, abut_setup **setup,
                                     abut_error *error);

/// abut_setup_read(), with all mesh files repaired as if they had "repair": true, unless they say otherwise.
ABUT_API abut_status abut_setup_read_repaired(const abut_context *context, const char *path, abut_setup **setup,
                                              abut_error *error);

/// Reads JSON text from memory. `folder` has its mesh files; NULL: the text may not name mesh files.
ABUT_API abut_status abut_setup_parse(const abut_context *context, const char *text, size_t length,
                                      const char *folder, abut_setup **setup, abut_error *error);
ABUT_API void abut_setup_destroy(abut_setup *setup);

/// Sets the friction of all materials and pairs.
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
/// The definition with the solver settings of Erleben 2018, section 6, and of the author's program: 1000 Gauss-Seidel
/// sweeps in every step, whatever the residual is, without warm start. Writes the solver's parameters to `prox`, to which
/// the definition then points.
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

/// The setup must outlive the simulation. Error messages name the mesh or body and, if it was read from JSON, its line
/// and path.
ABUT_API abut_status abut_simulation_create(const abut_context *context, const abut_setup *setup,
                                            const abut_world_def *def, abut_simulation **simulation,
                                            abut_error *error);
ABUT_API void abut_simulation_destroy(abut_simulation *simulation);

/// The contacts of a simulation's last step.
typedef struct abut_detection {
    abut_world_report report; ///< its arrays belong to the world and are valid until the world is used again
    abut_sample *samples;     ///< the scored part of each of the report's contacts, ordered by bodies
} abut_detection;

/// Runs the simulation to the end of step `step`, counted from 1, and returns the contacts of that step. If a step
/// fails, the detection is empty. Release with abut_detection_release(), also after a failure.
/// @return ABUT_OK, the status of the step that failed, ABUT_BAD_ARGUMENT if the simulation is past that step, or
/// ABUT_NO_MEMORY
ABUT_API abut_status abut_simulation_run_to(abut_simulation *simulation, int step, abut_detection *detection,
                                            abut_error *error);
ABUT_API void abut_detection_release(const abut_simulation *simulation, abut_detection *detection);

/// The body that fell furthest. A body fell if its centre of mass sank by more than half its initial height, along
/// gravity.
typedef struct abut_fall {
    int body;       ///< -1: none fell
    double heights; ///< how far, in heights of the body
} abut_fall;

/// Nothing falls if gravity is zero.
ABUT_API abut_fall abut_simulation_find_fall(const abut_simulation *simulation, const abut_setup *setup);

/// What becomes of a structure on the contacts of a method.
typedef enum abut_outcome {
    ABUT_OUTCOME_STANDS = 0,
    ABUT_OUTCOME_COLLAPSED = 1, ///< a body fell
    /// Without friction and with gravity tilted by 5 degrees it stays in place, although exact contacts let it slide.
    ABUT_OUTCOME_TOO_STABLE = 2,
    ABUT_OUTCOME_FAILED = 3 ///< a step of the method failed, before anything had fallen
} abut_outcome;

/// "stands", "collapsed", "too stable" or "failed".
ABUT_API const char *abut_outcome_text(abut_outcome outcome);

typedef struct abut_outcome_report {
    abut_outcome outcome;
    int steps;   ///< done, of the run with friction
    int *counts; ///< contacts of each of them
    abut_fall fall;
    double slide,
        exact_slide;  ///< largest displacement in the tilted runs: of the method, and of `regions`; NaN: not run
    abut_error error; ///< of the step that failed
} abut_outcome_report;

/// Runs the setup for `steps` steps with `def`. If it stands, runs it twice more without friction and with tilted
/// gravity: with the method and with `regions`. Gravity is tilted by 5 degrees towards the bisector of two axes at
/// right angles to it, so that a body that is free along either axis slides. A body slides if its centre of mass
/// moves, in any direction, at least a tenth as far as a free body, which moves by g sin 5 t^2 / 2; tipping over or
/// falling counts too. Release with abut_outcome_release(), also after a failure.
/// @return ABUT_OK with any outcome, why the simulation cannot be made, or ABUT_NO_MEMORY, also of a step
ABUT_API abut_status abut_find_outcome(const abut_context *context, const abut_setup *setup,
                                       const abut_world_def *def, int steps, abut_outcome_report *report,
                                       abut_error *error);
ABUT_API void abut_outcome_release(const abut_context *context, abut_outcome_report *report);

#ifdef __cplusplus
}
#endif
#endif
