// SPDX-License-Identifier: MIT
// bricks.h: walls and stacks of bricks, for the solver of parts
#ifndef ABUT_TEST_SOLVE_BRICKS_H
#define ABUT_TEST_SOLVE_BRICKS_H

#include "check.h"
#include "solve/prox.h"

#include <abut/solve.h>

enum { BRICKS_BODIES = 1700, BRICKS_CONTACTS = 20000 };

// Bricks of 2 x 1 x 1 and mass 1.
typedef struct bricks {
    abut_solve_body bodies[BRICKS_BODIES];
    abut_vec3 centers[BRICKS_BODIES];
    abut_solve_contact contacts[BRICKS_CONTACTS];
    int body_count, contact_count;
    abut_solve_impulse impulses[BRICKS_CONTACTS];
    abut_solve_velocity velocities[BRICKS_BODIES];
} bricks;

/// Without any brick. Free it.
bricks *bricks_make(void);
/// Adds a brick that falls at 0.1, or stands if its inverse mass is 0. Returns its number.
int bricks_add(bricks *b, double x, double y, double inverse_mass);
/// A wall on the world.
void bricks_add_wall(bricks *b, int rows, int columns, double left);
/// A stack on a brick, or on the world.
void bricks_add_stack(bricks *b, int ground, int height, double left);

/// Writes impulses and velocities to `b`.
abut_solve_result bricks_solve(bricks *b, const abut_context *context, const abut_prox_params *params,
                               abut_prox_engine engine);

/// Whether two answers are the same, to the last bit.
int bricks_are_same(const bricks *a, const bricks *b);

#endif
