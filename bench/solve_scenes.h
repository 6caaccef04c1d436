// SPDX-License-Identifier: MIT
// solve_scenes.h: problems for the solvers: a wall, stacks, and a pile of boxes
#ifndef ABUT_BENCH_SOLVE_SCENES_H
#define ABUT_BENCH_SOLVE_SCENES_H

#include <abut/solve.h>

/// A problem and where its bodies are. `contacts` has room for `contact_capacity`.
typedef struct solve_scene {
    const char *name;
    abut_solve_body *bodies;
    abut_vec3 *centers;
    int body_count, body_capacity;
    abut_solve_contact *contacts;
    int contact_count, contact_capacity;
} solve_scene;

// After one step of gravity, from rest. Friction is 0.5. They return 0 on failure, after a line on stderr. Release the
// scene in both cases.

/// Rows of bricks of 2 x 1 x 1, each shifted by half a brick; 4 contacts per touching pair, also at the sides.
int solve_scene_wall(solve_scene *scene, const char *name, int rows, int bricks);
/// Separate stacks of such bricks, with 4 contacts per pair.
int solve_scene_stacks(solve_scene *scene, const char *name, int stacks, int height);
/// Cubes in random rotation that fell on each other in a bin: a simulation of that many steps with `convex`.
int solve_scene_pile(solve_scene *scene, const char *name, int count, int steps);
void solve_scene_release(solve_scene *scene);

abut_solve_problem solve_scene_problem(const solve_scene *scene);

/// The largest speed by which a contact misses its law: |min(u_n, A_nn f_n)|, and |f_t - (f_t - u_t / A_tt projected to
/// the disc of radius mu f_n)| A_tt, where A_nn and A_tt are the speeds along the normal and across it (the larger one)
/// for a unit of impulse. The same measure for every solver: it needs only velocities and impulses.
double solve_scene_residual(const solve_scene *scene, const abut_solve_velocity *velocities,
                            const abut_solve_impulse *impulses);

#endif
