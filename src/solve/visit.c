// SPDX-License-Identifier: MIT
// visit.c: one visit of Gauss-Seidel to one contact
#include "solve/visit.h"

// Slip for units of friction.
static abut_mat3 friction_matrix(const abut_row *row, const abut_mover *movers)
{
    const abut_vec3 none = {0.0, 0.0, 0.0};
    abut_mat3 matrix;
    double spin;
    abut_vec3 velocity = abut_row_response(row, movers, row->first, none, &spin);
    matrix.x = abut_visit_slip(row, velocity, spin);
    velocity = abut_row_response(row, movers, row->second, none, &spin);
    matrix.y = abut_visit_slip(row, velocity, spin);
    if (row->torsion_radius > 0.0) {
        velocity = abut_row_response(row, movers, none, abut_scale(row->torsion_radius, row->normal), &spin);
        matrix.z = abut_visit_slip(row, velocity, spin);
    } else {
        matrix.z = none;
    }
    return matrix;
}

// The largest eigenvalue of the friction of a contact: a factor above twice its inverse makes friction swing up.
static double friction_response(const abut_row *row, abut_mat3 matrix)
{
    if (row->torsion_radius > 0.0) {
        return abut_disc_block_make(matrix).values.z;
    }
    double mean = 0.5 * (matrix.x.x + matrix.y.y), half = 0.5 * (matrix.x.x - matrix.y.y);
    return mean + sqrt(half * half + matrix.y.x * matrix.y.x);
}

static void set_factors(abut_visit_factors *factors, double per_normal, double per_friction)
{
    factors->per_normal = per_normal;
    factors->per_friction = per_friction;
    factors->normal = per_normal > 0.0 ? 1.0 / per_normal : 0.0;
    factors->friction = per_friction > 0.0 ? 1.0 / per_friction : 0.0;
}

void abut_visit_factors_find(const abut_system *system, abut_factor_rule rule, int begin, int end,
                             abut_visit_factors *factors, abut_visit_block *blocks)
{
    const abut_vec3 none = {0.0, 0.0, 0.0};
    for (int i = begin; i < end; ++i) {
        const abut_row *row = &system->rows[i];
        double spin;
        abut_vec3 velocity = abut_row_response(row, system->movers, row->normal, none, &spin);
        factors[i].coupling = abut_visit_slip(row, velocity, spin);
        if (row->is_smooth && rule == ABUT_FACTOR_LOCAL) {
            set_factors(&factors[i], abut_dot(row->normal, velocity), 0.0);
            continue;
        }
        abut_mat3 matrix = friction_matrix(row, system->movers);
        set_factors(&factors[i], abut_dot(row->normal, velocity), friction_response(row, matrix));
        if (blocks != NULL) {
            blocks[i].matrix = matrix;
            blocks[i].disc = abut_disc_block_make(matrix);
        }
    }
}

void abut_visit_factors_unify(const abut_system *system, abut_visit_factors *factors)
{
    double largest = 0.0;
    for (int i = 0; i < system->contact_count; ++i) {
        largest = fmax(largest, fmax(factors[i].per_normal, factors[i].per_friction));
    }
    for (int i = 0; i < system->contact_count; ++i) {
        int can_move = factors[i].per_normal > 0.0; // else it keeps its impulse of zero
        set_factors(&factors[i], can_move ? largest : 0.0, can_move ? largest : 0.0);
    }
}

void abut_visit_push(const abut_row *row, abut_mover *movers, double normal, abut_vec3 friction)
{
    abut_vec3 impulse = abut_add_scaled(abut_scale(normal, row->normal), friction.x, row->first);
    impulse = abut_add_scaled(impulse, friction.y, row->second);
    abut_row_push(row, movers, impulse);
    if (row->torsion_radius > 0.0) {
        abut_row_twist(row, movers, abut_scale(row->torsion_radius * friction.z, row->normal));
    }
}

static inline abut_vec3 new_friction(const abut_visit_factors *factors, const abut_visit_block *block,
                                     abut_vec3 friction, abut_vec3 slip, double radius, double share)
{
    if (block == NULL) {
        return abut_disc_project(abut_add_scaled(friction, -share * factors->friction, slip), radius);
    }
    abut_vec3 without = abut_sub(slip, abut_mat3_apply(block->matrix, friction));
    abut_vec3 best = abut_disc_solve(&block->disc, without, radius);
    return abut_disc_project(abut_lerp(friction, best, share), radius);
}

double abut_visit(const abut_row *row, const abut_visit_factors *factors, const abut_visit_block *block,
                  abut_mover *movers, abut_visit_impulse *at, double share)
{
    abut_vec3 velocity = abut_row_slip(row, movers);
    double wanted = at->normal - share * factors->normal * (abut_dot(row->normal, velocity) - row->target);
    double normal = wanted > 0.0 ? wanted : 0.0;
    if (normal == 0.0 && at->normal == 0.0 && abut_norm_squared(at->friction) == 0.0) {
        return 0.0; // open, and stays open
    }
    double change = normal - at->normal;
    double residual = factors->per_normal * change;
    double squared = residual * residual;
    abut_vec3 slide = {0.0, 0.0, 0.0};
    if (row->friction > 0.0 && factors->friction > 0.0) {
        double spin = row->torsion_radius > 0.0 ? abut_row_spin(row, movers) : 0.0;
        abut_vec3 slip = abut_add_scaled(abut_visit_slip(row, velocity, spin), change, factors->coupling);
        double radius = row->friction < HUGE_VAL ? row->friction * normal : HUGE_VAL;
        abut_vec3 friction = new_friction(factors, block, at->friction, slip, radius, share);
        slide = abut_sub(friction, at->friction);
        at->friction = friction;
        double slide_squared = factors->per_friction * factors->per_friction * abut_norm_squared(slide);
        // the form of the comparison lets NaN through
        squared = slide_squared <= squared ? squared : slide_squared;
    }
    at->normal = normal;
    abut_visit_push(row, movers, change, slide);
    return squared;
}
