// SPDX-License-Identifier: MIT
// scene.h: small problems for the solvers, and a check of answers that shares no code with the solvers
#ifndef ABUT_TEST_SOLVE_SCENE_H
#define ABUT_TEST_SOLVE_SCENE_H

#include "check.h"
#include "random.h"

#include <abut/solve.h>

enum { SCENE_BODIES = 60, SCENE_CONTACTS = 200 };

/// Bodies and contacts with room for the answer.
typedef struct scene {
    abut_solve_body bodies[SCENE_BODIES];
    abut_vec3 centers[SCENE_BODIES];
    abut_solve_contact contacts[SCENE_CONTACTS];
    int body_count, contact_count;
    abut_solve_velocity velocities[SCENE_BODIES];
    abut_solve_impulse impulses[SCENE_CONTACTS];
    abut_gap_rule gap_rule;
    double dt;
} scene;

/// An empty scene with the time step 0.01.
scene scene_make(void);

/// Adds a box of mass 1 / inverse_mass, or a platform if that is 0. Returns its index.
int scene_add_box(scene *s, abut_vec3 center, abut_vec3 size, double inverse_mass);

/// Adds a contact at a point. Its arms follow from the centres. Returns its index.
int scene_add_contact(scene *s, int a, int b, abut_vec3 normal, abut_vec3 point);

/// Adds four contacts at the corners of a horizontal rectangle, with normals up. Returns the index of the first.
int scene_add_base(scene *s, int below, int above, abut_vec3 center, double size_x, double size_y);

/// Adds a velocity to all bodies that can move.
void scene_push(scene *s, abut_vec3 velocity);

void scene_set_friction(scene *s, double friction);

abut_solve_problem scene_problem(const scene *s);

/// The two solvers. They write the answer to the scene.
abut_solve_result scene_prox(scene *s, abut_solver *solver, const abut_prox_params *params);
abut_solve_result scene_mcp(scene *s, abut_solver *solver, const abut_mcp_params *params);

/// By how much the scene's answer violates Coulomb's law, as speeds; computed from the impulses alone.
typedef struct scene_errors {
    double velocity;        ///< difference between the answer's velocities and those that its impulses give
    double normal;          ///< |min(u_n - s, impulse / effective mass)|
    double cone;            ///< friction beyond mu times the normal impulse
    double dissipation;     ///< what friction could dissipate in addition, divided by the normal impulse
    double smallest_normal; ///< the least normal impulse
} scene_errors;

scene_errors scene_find_errors(const scene *s);

/// Checks that no error exceeds the tolerance.
int scene_is_solved(const scene *s, double tolerance);

/// The largest difference between the velocities of two answers.
double scene_difference(const scene *a, const scene *b);

/// Two or three bodies of random mass that touch each other and the world at random points, with friction up to
/// `friction`. With `is_planar`, all motion and the first tangents are in the x-z plane.
scene scene_random(test_random *random, double friction, int is_planar);

#endif
