// SPDX-License-Identifier: MIT
// system.h: a problem that was checked, in the form that both solvers work on
//
// The world is one more body, after the others, that nothing moves: no branch on it in the loops over contacts.
#ifndef ABUT_SOLVE_SYSTEM_H
#define ABUT_SOLVE_SYSTEM_H

#include "base/memory.h"

#include <abut/solve.h>

/// Two cache lines. The inverse inertia is symmetric to the last bit.
typedef struct abut_mover {
    abut_solve_velocity velocity;
    double inverse_mass;
    abut_mat3 inverse_inertia;
} abut_mover;

typedef struct abut_row {
    int a, b;                        ///< movers
    int is_smooth;                   ///< the contact has no friction
    abut_vec3 normal, first, second; ///< right-handed frame
    abut_vec3 arm_a, arm_b;          ///< zero for the world
    double target;                   ///< s of abut_solve_contact
    double friction, torsion_radius;
    abut_vec3 drift; ///< across the normal
} abut_row;

typedef struct abut_system {
    abut_mover *movers; ///< body_count + 1
    abut_row *rows;     ///< contact_count
    int body_count, contact_count;
} abut_system;

/// Reads a problem of the caller and checks it. ABUT_BAD_ARGUMENT or ABUT_BAD_DATA, with the body or contact in `error`.
abut_status abut_problem_read(const abut_context *context, const abut_solve_problem *in, abut_solve_problem *out,
                              abut_error *error);

/// A body of a problem that was checked.
abut_mover abut_problem_mover(const abut_solve_body *body);
/// Fills the rows from `begin` to `end` - 1, except a and b, from contacts of a problem that was checked. Row i is of
/// contact contacts[i], or of contact i if `contacts` is NULL.
void abut_problem_rows(const abut_solve_problem *problem, const int *contacts, int begin, int end, abut_row *rows);

/// Checks a problem and brings all of it into form, with memory of the arena.
/// ABUT_BAD_ARGUMENT, ABUT_BAD_DATA or ABUT_NO_MEMORY, with the body or contact in `error`.
abut_status abut_system_build(abut_arena *arena, const abut_solve_problem *problem, abut_system *system,
                              abut_error *error);

/// Velocity of B's point of contact relative to A's.
static inline abut_vec3 abut_row_velocity(const abut_row *row, const abut_mover *movers)
{
    const abut_solve_velocity *a = &movers[row->a].velocity, *b = &movers[row->b].velocity;
    abut_vec3 at_a = abut_add(a->linear, abut_cross(a->angular, row->arm_a));
    abut_vec3 at_b = abut_add(b->linear, abut_cross(b->angular, row->arm_b));
    return abut_sub(at_b, at_a);
}

/// That velocity without the slip that friction does not oppose.
static inline abut_vec3 abut_row_slip(const abut_row *row, const abut_mover *movers)
{
    return abut_sub(abut_row_velocity(row, movers), row->drift);
}

/// Rotation of B about the normal relative to A, as the speed of a point at the torsion radius.
static inline double abut_row_spin(const abut_row *row, const abut_mover *movers)
{
    abut_vec3 turning = abut_sub(movers[row->b].velocity.angular, movers[row->a].velocity.angular);
    return row->torsion_radius * abut_dot(row->normal, turning);
}

/// An impulse on B, and its opposite on A.
static inline void abut_row_push(const abut_row *row, abut_mover *movers, abut_vec3 impulse)
{
    abut_mover *a = &movers[row->a], *b = &movers[row->b];
    a->velocity.linear = abut_add_scaled(a->velocity.linear, -a->inverse_mass, impulse);
    b->velocity.linear = abut_add_scaled(b->velocity.linear, b->inverse_mass, impulse);
    abut_vec3 turn_a = abut_mat3_apply(a->inverse_inertia, abut_cross(row->arm_a, impulse));
    abut_vec3 turn_b = abut_mat3_apply(b->inverse_inertia, abut_cross(row->arm_b, impulse));
    a->velocity.angular = abut_sub(a->velocity.angular, turn_a);
    b->velocity.angular = abut_add(b->velocity.angular, turn_b);
}

/// A moment on B, and its opposite on A.
static inline void abut_row_twist(const abut_row *row, abut_mover *movers, abut_vec3 moment)
{
    abut_mover *a = &movers[row->a], *b = &movers[row->b];
    a->velocity.angular = abut_sub(a->velocity.angular, abut_mat3_apply(a->inverse_inertia, moment));
    b->velocity.angular = abut_add(b->velocity.angular, abut_mat3_apply(b->inverse_inertia, moment));
}

/// What an impulse and a moment on B, with their opposites on A, add to the velocity of B's point relative to A's,
/// and to the spin.
static inline abut_vec3 abut_row_response(const abut_row *row, const abut_mover *movers, abut_vec3 impulse,
                                          abut_vec3 moment, double *spin)
{
    const abut_mover *a = &movers[row->a], *b = &movers[row->b];
    abut_vec3 turn_a = abut_mat3_apply(a->inverse_inertia, abut_add(abut_cross(row->arm_a, impulse), moment));
    abut_vec3 turn_b = abut_mat3_apply(b->inverse_inertia, abut_add(abut_cross(row->arm_b, impulse), moment));
    *spin = row->torsion_radius * abut_dot(row->normal, abut_add(turn_a, turn_b));
    abut_vec3 turned = abut_add(abut_cross(turn_a, row->arm_a), abut_cross(turn_b, row->arm_b));
    return abut_add_scaled(turned, a->inverse_mass + b->inverse_mass, impulse);
}

/// Speed along the normal for a unit of impulse along it.
double abut_row_normal_response(const abut_row *row, const abut_mover *movers);

/// The largest speed that is missing at a contact: `scale` of abut_solve_result.
double abut_system_scale(const abut_system *system);

/// 0, and NaN for an infinite number or NaN. A sum of these tells whether all numbers were finite, without a branch
/// for each.
static inline double abut_zero_of(double x)
{
    return x - x;
}

/// The caller's result: copies the velocities of the movers.
void abut_system_velocities(const abut_system *system, abut_solve_velocity *velocities);

#endif
