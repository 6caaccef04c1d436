// SPDX-License-Identifier: MIT
// visit.h: one visit of Gauss-Seidel to one contact
#ifndef ABUT_SOLVE_VISIT_H
#define ABUT_SOLVE_VISIT_H

#include "solve/disc.h"
#include "solve/system.h"

/// Friction is (first tangent, second tangent, torsion / radius).
typedef struct abut_visit_impulse {
    double normal;
    abut_vec3 friction;
} abut_visit_impulse;

typedef struct abut_visit_factors {
    double normal, friction;         ///< r
    double per_normal, per_friction; ///< 1 / r: from a change of impulse to a speed; 0 if r is 0
    abut_vec3 coupling;              ///< slip for a unit of normal impulse
} abut_visit_factors;

/// Of ABUT_FACTOR_BLOCKED.
typedef struct abut_visit_block {
    abut_mat3 matrix; ///< slip for units of friction
    abut_disc_block disc;
} abut_visit_block;

/// Finds the factors of the contacts from `begin` to `end` - 1; and the blocks, unless NULL. With ABUT_FACTOR_LOCAL,
/// contacts without friction have no factor for it.
void abut_visit_factors_find(const abut_system *system, abut_factor_rule rule, int begin, int end,
                             abut_visit_factors *factors, abut_visit_block *blocks);
/// Of ABUT_FACTOR_GLOBAL: gives all contacts the same factor.
void abut_visit_factors_unify(const abut_system *system, abut_visit_factors *factors);

/// A velocity and a spin in the form of friction.
static inline abut_vec3 abut_visit_slip(const abut_row *row, abut_vec3 velocity, double spin)
{
    return abut_vec3_make(abut_dot(row->first, velocity), abut_dot(row->second, velocity), spin);
}

/// Puts an impulse on the movers.
void abut_visit_push(const abut_row *row, abut_mover *movers, double normal, abut_vec3 friction);

/// Corrects one contact, with all factors multiplied by `share`. `block` may be NULL. Returns the square of the speed by
/// which it missed its condition.
double abut_visit(const abut_row *row, const abut_visit_factors *factors, const abut_visit_block *block,
                  abut_mover *movers, abut_visit_impulse *at, double share);

#endif
