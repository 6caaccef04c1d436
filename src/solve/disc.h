// SPDX-License-Identifier: MIT
// disc.h: friction of one contact for a given normal impulse
//
// Friction is a point f = (first tangent, second tangent, torsion / radius) in a ball about zero. It may do no
// better than oppose the slip A f + c as much as the ball allows.
#ifndef ABUT_SOLVE_DISC_H
#define ABUT_SOLVE_DISC_H

#include <abut/math.h>

/// The matrix A of a contact's friction by eigenvalues, made of abut_disc_block_make().
typedef struct abut_disc_block {
    abut_vec3 values;  ///< none below 1e-12 of the largest
    abut_mat3 vectors; ///< columns
} abut_disc_block;

/// `matrix` is symmetric and positive semidefinite.
abut_disc_block abut_disc_block_make(abut_mat3 matrix);

/// The nearest point of the ball.
static inline abut_vec3 abut_disc_project(abut_vec3 f, double radius)
{
    double squared = abut_norm_squared(f);
    return squared > radius * radius ? abut_scale(radius / sqrt(squared), f) : f;
}

/// The f in the ball with the least f.A f / 2 + c.f: A f + c is zero, or f is on the sphere and A f + c points
/// against it.
abut_vec3 abut_disc_solve(const abut_disc_block *block, abut_vec3 c, double radius);

#endif
