// SPDX-License-Identifier: MIT
/// @file simulation.h
/// What a simulation starts from, and a world made of it: from a case, a scene or a JSON file (docs/scene-format.md).
#ifndef ABUT_LAB_SIMULATION_H
#define ABUT_LAB_SIMULATION_H

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ABUT_SETUP_NAME_ROOM = 64 };

typedef struct abut_setup_mesh {
    char name[ABUT_SETUP_NAME_ROOM];
    abut_mesh *mesh;
} abut_setup_mesh;

typedef struct abut_setup_material {
    char name[ABUT_SETUP_NAME_ROOM];
    abut_material law;
} abut_setup_material;

/// How two materials meet, where it is not what follows from each of them.
typedef struct abut_setup_pair {
    int a, b;
    double friction, restitution;
} abut_setup_pair;

typedef struct abut_setup_body {
    char name[ABUT_SETUP_NAME_ROOM];
    int mesh, material;
    int is_fixed;
    abut_pose pose;
    abut_vec3 linear_velocity, angular_velocity;
} abut_setup_body;

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
} abut_setup;

/// A case or scene by name, with the settings of Erleben 2018: stones of density 2000 with friction 0.5 on everything, gravity 9.82,
/// steps of 0.01, damping 0.01, 500 steps. ABUT_BAD_ARGUMENT with all names where there is none of that name.
ABUT_API abut_status abut_setup_create(const abut_context *context, const char *name, abut_setup **setup,
                                       abut_error *error);

/// A JSON file; meshes that it names are read from its folder. The message of a failure has the line, which is also in
/// `error->line`, and the path of what is wrong, for example "bodies[3].material".
ABUT_API abut_status abut_setup_read(const abut_context *context, const char *path, abut_setup **setup,
                                     abut_error *error);

/// A JSON text in memory. `folder` is where its meshes are, or NULL: it may name none.
ABUT_API abut_status abut_setup_parse(const abut_context *context, const char *text, size_t length,
                                      const char *folder, abut_setup **setup, abut_error *error);
ABUT_API void abut_setup_destroy(abut_setup *setup);

/// The definition of the setup's world, to be changed as wished before abut_simulation_create().
ABUT_API abut_world_def abut_setup_world_def(const abut_setup *setup);

/// A world with the shapes of its bodies.
typedef struct abut_simulation {
    abut_world *world;
    abut_shape **shapes; ///< of the setup's meshes; those of the bodies
    int shape_count;
    abut_context context;
} abut_simulation;

/// The setup must outlive the simulation. Failures name the body.
ABUT_API abut_status abut_simulation_create(const abut_context *context, const abut_setup *setup,
                                            const abut_world_def *def, abut_simulation **simulation,
                                            abut_error *error);
ABUT_API void abut_simulation_destroy(abut_simulation *simulation);

#ifdef __cplusplus
}
#endif
#endif
