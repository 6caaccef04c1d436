// SPDX-License-Identifier: MIT
// prox.c: projected Gauss-Seidel on the proximal formulation of contact with Coulomb friction
//
// The contacts are visited in order. At a visit the relative velocity u at the contact gives the normal impulse
// max(0, l - r (u_n - s)). With the velocity that this changes, the friction becomes the point nearest to f - r u_f in
// the ball of radius mu times the new normal impulse. The bodies' velocities always match the impulses, so no matrix
// between contacts is needed.
//
// Source:  Erleben 2018, section 6 ("projected Gauss-Seidel method based on a proximal map formulation"), and his
//          program.
// Differs: one factor for all friction rows of a contact, otherwise a fixed point would not satisfy Coulomb's law;
//          friction uses the new normal impulse; the residual is a speed; a rejected sweep is undone, with its
//          velocities.
//          docs/solvers.md has the reasons.
// Cost:    linear in contacts and sweeps; scratch from the solver's arena.
//          ABUT_SWEEP_CONJUGATE is Silcowitz-Hansen, Niebe and Erleben 2010 ("a nonsmooth nonlinear conjugate
//          gradient method"), with sweeps forward and back: only the change of a symmetric sweep is a gradient.
// Fails:   slowly: high stacks and large ratios of masses need many sweeps.
#include "base/error.h"
#include "solve/disc.h"
#include "solve/hold.h"
#include "solve/solver.h"
#include "solve/system.h"

#include <float.h>
#include <string.h>

// The factors are not reduced below this share; from then on no sweep is rejected.
static const double least_share = 0.05;

// A group of contacts with infinite friction is settled if its residual is at most `settled_share` of its scale. Then
// a pressing or separating speed counts as nonzero above `press_residuals` or `parting_residuals` times the residual.
// From half of the iteration limit on, every 1 / LIMIT_PARTS of it, pressing contacts are also held in groups that are
// not settled, which would have no friction at all otherwise. A start is near the answer if it misses the law by at
// most `start_share` of the scale.
static const double settled_share = 1e-6, start_share = 1e-3, press_residuals = 10.0, parting_residuals = 1000.0;
enum { LIMIT_PARTS = 20 };

// Friction is (first tangent, second tangent, torsion / radius).
typedef struct contact_impulse {
    double normal;
    abut_vec3 friction;
} contact_impulse;

typedef struct contact_factors {
    double normal, friction;         ///< r
    double per_normal, per_friction; ///< 1 / r: from a change of impulse to a speed; 0 if r is 0
    abut_vec3 coupling;              ///< slip for a unit of normal impulse
} contact_factors;

// Of ABUT_FACTOR_BLOCKED.
typedef struct friction_block {
    abut_mat3 matrix; ///< slip for units of friction
    abut_disc_block disc;
} friction_block;

/// Impulses of all contacts, and the velocities that go with them.
typedef struct point {
    contact_impulse *impulses;
    abut_solve_velocity *velocities;
} point;

typedef struct prox {
    abut_system system;
    abut_prox_params params;
    contact_factors *factors;
    friction_block *blocks; ///< only for ABUT_FACTOR_BLOCKED, else NULL
    contact_impulse *impulses;
    abut_holds holds;
    point kept;         ///< after the last sweep that was kept
    point start;        ///< before the sweep; of ABUT_SWEEP_CONJUGATE, as the next one
    point way;          ///< from the start before the last to the last one
    double last_square; ///< squared norm of the change of the last sweep; 0: there is none
    double share;       ///< all factors are multiplied by it; each rejected sweep reduces it
} prox;

static abut_status take_memory(abut_arena *arena, prox *p, abut_error *error)
{
    size_t contacts = (size_t)p->system.contact_count, bodies = (size_t)p->system.body_count;
    int is_blocked = p->params.factor == ABUT_FACTOR_BLOCKED;
    p->factors = abut_arena_take(arena, contacts * sizeof *p->factors);
    p->impulses = abut_arena_take(arena, contacts * sizeof *p->impulses);
    int is_short = 0;
    point *const points[] = {&p->kept, &p->start, &p->way};
    for (int i = 0; i < (p->params.sweep == ABUT_SWEEP_CONJUGATE ? 3 : 1); ++i) {
        points[i]->impulses = abut_arena_take(arena, contacts * sizeof *points[i]->impulses);
        points[i]->velocities = abut_arena_take(arena, bodies * sizeof *points[i]->velocities);
        is_short |= points[i]->impulses == NULL || points[i]->velocities == NULL;
    }
    p->blocks = is_blocked ? abut_arena_take(arena, contacts * sizeof *p->blocks) : NULL;
    is_short |= abut_holds_begin(arena, &p->system, &p->holds) != ABUT_OK;
    if (is_short || p->factors == NULL || p->impulses == NULL || (is_blocked && p->blocks == NULL)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for %d contacts", p->system.contact_count);
    }
    return ABUT_OK;
}

// A velocity and a spin in the form of friction.
static abut_vec3 slip_of(const abut_row *row, abut_vec3 velocity, double spin)
{
    return abut_vec3_make(abut_dot(row->first, velocity), abut_dot(row->second, velocity), spin);
}

// Slip for units of friction.
static abut_mat3 friction_matrix(const abut_row *row, const abut_mover *movers)
{
    const abut_vec3 none = {0.0, 0.0, 0.0};
    abut_mat3 matrix;
    double spin;
    abut_vec3 velocity = abut_row_response(row, movers, row->first, none, &spin);
    matrix.x = slip_of(row, velocity, spin);
    velocity = abut_row_response(row, movers, row->second, none, &spin);
    matrix.y = slip_of(row, velocity, spin);
    velocity = abut_row_response(row, movers, none, abut_scale(row->torsion_radius, row->normal), &spin);
    matrix.z = slip_of(row, velocity, spin);
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

static void set_factors(contact_factors *factors, double per_normal, double per_friction)
{
    factors->per_normal = per_normal;
    factors->per_friction = per_friction;
    factors->normal = per_normal > 0.0 ? 1.0 / per_normal : 0.0;
    factors->friction = per_friction > 0.0 ? 1.0 / per_friction : 0.0;
}

static void find_factors(prox *p)
{
    const abut_vec3 none = {0.0, 0.0, 0.0};
    double largest = 0.0;
    for (int i = 0; i < p->system.contact_count; ++i) {
        const abut_row *row = &p->system.rows[i];
        contact_factors *factors = &p->factors[i];
        double spin;
        abut_vec3 velocity = abut_row_response(row, p->system.movers, row->normal, none, &spin);
        abut_mat3 matrix = friction_matrix(row, p->system.movers);
        factors->coupling = slip_of(row, velocity, spin);
        set_factors(factors, abut_dot(row->normal, velocity), friction_response(row, matrix));
        largest = fmax(largest, fmax(factors->per_normal, factors->per_friction));
        if (p->blocks != NULL) {
            p->blocks[i].matrix = matrix;
            p->blocks[i].disc = abut_disc_block_make(matrix);
        }
    }
    if (p->params.factor == ABUT_FACTOR_GLOBAL) {
        for (int i = 0; i < p->system.contact_count; ++i) {
            int can_move = p->factors[i].per_normal > 0.0; // else it keeps its impulse of zero
            set_factors(&p->factors[i], can_move ? largest : 0.0, can_move ? largest : 0.0);
        }
    }
}

static void push(const abut_row *row, abut_mover *movers, double normal, abut_vec3 friction)
{
    abut_vec3 impulse = abut_add_scaled(abut_scale(normal, row->normal), friction.x, row->first);
    impulse = abut_add_scaled(impulse, friction.y, row->second);
    abut_row_push(row, movers, impulse);
    if (row->torsion_radius > 0.0) {
        abut_row_twist(row, movers, abut_scale(row->torsion_radius * friction.z, row->normal));
    }
}

// Holds the contacts that start with friction, in groups whose start is near the answer. In other groups, for example
// of bodies that have just met, this would hold contacts that must separate: there friction starts at zero.
static void begin_holds(prox *p)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    for (int i = 0; i < p->holds.contact_count; ++i) {
        const contact_impulse *at = &p->impulses[i];
        abut_hold_contact *contact = &p->holds.contacts[i];
        abut_holds_see(&p->holds, i, &p->system.rows[i], p->system.movers, at->normal, abut_norm(at->friction));
        int is_held = contact->hold == ABUT_HOLD_FREE && contact->friction > 0.0;
        double miss = fmax(fabs(fmin(contact->parting, contact->press)), is_held ? contact->slip : 0.0);
        double *residual = &p->holds.groups[contact->group].residual;
        *residual = fmax(*residual, miss);
    }
    for (int i = 0; i < p->holds.contact_count; ++i) {
        const abut_hold_contact *contact = &p->holds.contacts[i];
        const abut_hold_group *group = &p->holds.groups[contact->group];
        abut_row *row = &p->system.rows[i];
        contact_impulse *at = &p->impulses[i];
        if (contact->hold != ABUT_HOLD_FREE || !(contact->friction > 0.0)) {
            continue;
        }
        if (contact->press > 0.0 && group->residual <= start_share * group->scale) {
            abut_holds_set(&p->holds, i, row, ABUT_HOLD_HELD);
        } else {
            push(row, p->system.movers, 0.0, abut_negate(at->friction));
            at->friction = zero;
        }
    }
}

// Puts the start on the movers.
static abut_status begin(prox *p, abut_error *error)
{
    const abut_solve_impulse *start = p->params.start;
    memset(p->impulses, 0, (size_t)p->system.contact_count * sizeof *p->impulses);
    for (int i = 0; start != NULL && i < p->system.contact_count; ++i) {
        const abut_row *row = &p->system.rows[i];
        if (!isfinite(start[i].normal) || !abut_is_finite(start[i].tangent) || !isfinite(start[i].torsion)) {
            return abut_fail_element(error, ABUT_BAD_DATA, i, "contact %d: its starting impulse is not finite", i);
        }
        if (p->factors[i].per_normal > 0.0) {
            double twist = row->torsion_radius > 0.0 ? start[i].torsion / row->torsion_radius : 0.0;
            p->impulses[i].normal = start[i].normal;
            p->impulses[i].friction = slip_of(row, start[i].tangent, twist);
            push(row, p->system.movers, p->impulses[i].normal, p->impulses[i].friction);
        }
    }
    begin_holds(p);
    return ABUT_OK;
}

static void keep(prox *p, point *at)
{
    memcpy(at->impulses, p->impulses, (size_t)p->system.contact_count * sizeof *p->impulses);
    abut_system_velocities(&p->system, at->velocities);
}

static void take_back(prox *p)
{
    memcpy(p->impulses, p->kept.impulses, (size_t)p->system.contact_count * sizeof *p->impulses);
    for (int i = 0; i < p->system.body_count; ++i) {
        p->system.movers[i].velocity = p->kept.velocities[i];
    }
    p->last_square = 0.0;
}

static inline abut_vec3 new_friction(const contact_factors *factors, const friction_block *block,
                                     abut_vec3 friction, abut_vec3 slip, double radius, double share)
{
    if (block == NULL) {
        return abut_disc_project(abut_add_scaled(friction, -share * factors->friction, slip), radius);
    }
    abut_vec3 without = abut_sub(slip, abut_mat3_apply(block->matrix, friction));
    abut_vec3 best = abut_disc_solve(&block->disc, without, radius);
    return abut_disc_project(abut_lerp(friction, best, share), radius);
}

// Puts one contact right. Returns the square of the speed by which it was wrong.
static inline double visit(const abut_row *row, const contact_factors *factors, const friction_block *block,
                           abut_mover *movers, contact_impulse *at, double share)
{
    abut_vec3 velocity = abut_row_velocity(row, movers);
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
        abut_vec3 slip = abut_add_scaled(slip_of(row, velocity, spin), change, factors->coupling);
        double radius = row->friction < HUGE_VAL ? row->friction * normal : HUGE_VAL;
        abut_vec3 friction = new_friction(factors, block, at->friction, slip, radius, share);
        slide = abut_sub(friction, at->friction);
        at->friction = friction;
        double slide_squared = factors->per_friction * factors->per_friction * abut_norm_squared(slide);
        // the form of the comparison lets NaN through
        squared = slide_squared <= squared ? squared : slide_squared;
    }
    at->normal = normal;
    push(row, movers, change, slide);
    return squared;
}

// Visits contacts, in order and then back. Returns the largest squared speed by which one missed its condition;
// infinite if a number was not finite.
static double visit_range(prox *p, int begin, int end)
{
    double largest = 0.0;
    int is_finite = 1, count = p->system.contact_count;
    for (int visits = begin; visits < end; ++visits) {
        int i = visits < count ? visits : 2 * count - 1 - visits;
        const friction_block *block = p->blocks != NULL ? &p->blocks[i] : NULL;
        double squared =
            visit(&p->system.rows[i], &p->factors[i], block, p->system.movers, &p->impulses[i], p->share);
        if (!(squared <= largest)) {
            largest = squared;
            is_finite = is_finite && squared < HUGE_VAL;
        }
    }
    return is_finite ? largest : HUGE_VAL;
}

// Visits all contacts. Returns the residual. Where contacts of infinite friction are held, each group has its own too.
static double sweep(prox *p)
{
    int count = p->system.contact_count, end = p->params.sweep == ABUT_SWEEP_CONJUGATE ? 2 * count : count;
    if (p->holds.contacts == NULL) {
        return sqrt(visit_range(p, 0, end)) / p->share;
    }
    for (int i = 0; i < p->holds.group_count; ++i) {
        p->holds.groups[i].residual = 0.0;
    }
    double largest = 0.0;
    for (int visits = 0; visits < end; ++visits) {
        int i = visits < count ? visits : 2 * count - 1 - visits;
        abut_hold_group *group = &p->holds.groups[p->holds.contacts[i].group];
        group->residual = fmax(group->residual, sqrt(visit_range(p, visits, visits + 1)) / p->share);
        largest = fmax(largest, group->residual);
    }
    return largest;
}

/// Takes a further step after a sweep, in a direction conjugate to those of earlier sweeps: nonlinear conjugate
/// gradients (Fletcher and Reeves), with the change of a sweep as the gradient. For this the sweep must be symmetric.
/// The direction is reset if sweeps change more than before.
static void extrapolate(prox *p)
{
    double square = 0.0;
    for (int i = 0; i < p->system.contact_count; ++i) {
        const contact_impulse *from = &p->start.impulses[i], *to = &p->impulses[i];
        square += (to->normal - from->normal) * (to->normal - from->normal) +
                  abut_norm_squared(abut_sub(to->friction, from->friction));
    }
    double ratio = square < p->last_square ? square / p->last_square : 0.0;
    int is_new = !(p->last_square > 0.0);
    p->last_square = square;
    for (int i = 0; i < p->system.contact_count; ++i) {
        const contact_impulse *from = &p->start.impulses[i];
        contact_impulse *to = &p->impulses[i], *way = &p->way.impulses[i];
        if (!is_new) {
            to->normal += ratio * way->normal;
            to->friction = abut_add_scaled(to->friction, ratio, way->friction);
        }
        way->normal = to->normal - from->normal;
        way->friction = abut_sub(to->friction, from->friction);
    }
    for (int i = 0; i < p->system.body_count; ++i) {
        const abut_solve_velocity *from = &p->start.velocities[i];
        abut_solve_velocity *to = &p->system.movers[i].velocity, *way = &p->way.velocities[i];
        if (!is_new) {
            to->linear = abut_add_scaled(to->linear, ratio, way->linear);
            to->angular = abut_add_scaled(to->angular, ratio, way->angular);
        }
        way->linear = abut_sub(to->linear, from->linear);
        way->angular = abut_sub(to->angular, from->angular);
    }
}

// A velocity that is not finite does not always show in a residual: a contact without friction takes NaN for parting.
static int velocities_are_finite(const prox *p)
{
    double zero = 0.0;
    for (int i = 0; i < p->system.body_count; ++i) {
        const abut_solve_velocity *v = &p->system.movers[i].velocity;
        zero += abut_zero_of(v->linear.x) + abut_zero_of(v->linear.y) + abut_zero_of(v->linear.z);
        zero += abut_zero_of(v->angular.x) + abut_zero_of(v->angular.y) + abut_zero_of(v->angular.z);
    }
    return zero == 0.0;
}

// Updates what counts as nonzero in each group, and what the holds know of each contact. Returns whether anything
// counts.
static int see_sweep(prox *p, double tolerance, int sweeps)
{
    int limit = p->params.iteration_limit, part = limit < LIMIT_PARTS ? 1 : limit / LIMIT_PARTS;
    int is_late = sweeps >= limit / 2 && sweeps % part == 0, has_any = 0;
    for (int i = 0; i < p->holds.group_count; ++i) {
        abut_hold_group *group = &p->holds.groups[i];
        double least = fmax(p->params.relative_tolerance, DBL_EPSILON) * group->scale;
        double residual = fmax(group->residual, fmax(p->params.absolute_tolerance, least));
        int is_settled = group->residual <= fmax(tolerance, settled_share * group->scale);
        group->least_press = is_settled ? press_residuals * residual : is_late ? 0.0 : HUGE_VAL;
        group->least_parting = is_settled ? parting_residuals * residual : HUGE_VAL;
        has_any |= group->least_press < HUGE_VAL;
    }
    for (int i = 0; has_any && i < p->system.contact_count; ++i) {
        const contact_impulse *at = &p->impulses[i];
        abut_holds_see(&p->holds, i, &p->system.rows[i], p->system.movers, at->normal, abut_norm(at->friction));
    }
    return has_any;
}

// Whether other contacts are held after this sweep, so that the solver must go on.
static int has_new_holds(prox *p, double tolerance, int sweeps)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    if (p->holds.contacts == NULL || !see_sweep(p, tolerance, sweeps) ||
        !abut_holds_update(&p->holds, p->system.rows)) {
        return 0;
    }
    for (int i = 0; i < p->system.contact_count; ++i) {
        if (p->holds.contacts[i].hold == ABUT_HOLD_LET_GO) {
            push(&p->system.rows[i], p->system.movers, 0.0, abut_negate(p->impulses[i].friction));
            p->impulses[i].friction = zero;
        }
    }
    keep(p, &p->kept);
    p->last_square = 0.0;
    return 1;
}

static void iterate(prox *p, abut_solve_result *result)
{
    double least = HUGE_VAL;
    int is_conjugate = p->params.sweep == ABUT_SWEEP_CONJUGATE;
    keep(p, &p->kept);
    for (int i = 0; i < p->params.iteration_limit; ++i) {
        if (is_conjugate) {
            keep(p, &p->start);
        }
        double residual = sweep(p);
        result->iterations = i + 1;
        if (result->history != NULL && i < result->history_capacity) {
            result->history[i] = residual;
            result->history_count = i + 1;
        }
        if (!(residual < HUGE_VAL) || !velocities_are_finite(p)) {
            take_back(p);
            result->outcome = ABUT_SOLVE_DIVERGED;
            return;
        }
        if (residual > p->params.growth * least && p->params.reduction < 1.0 && p->share > least_share) {
            take_back(p);
            p->share *= p->params.reduction;
            ++result->rejections;
            continue;
        }
        keep(p, &p->kept);
        result->residual = residual;
        result->scale = result->scale > 0.0 ? result->scale : residual;
        least = fmin(least, residual);
        double tolerance = fmax(p->params.absolute_tolerance, p->params.relative_tolerance * result->scale);
        if (has_new_holds(p, tolerance, i + 1)) {
            least = HUGE_VAL;
            continue;
        }
        if (residual <= tolerance) {
            double miss = abut_holds_miss(&p->holds);
            result->residual = fmax(residual, miss);
            result->outcome = miss > 0.0 ? ABUT_SOLVE_INACCURATE : ABUT_SOLVE_CONVERGED;
            return;
        }
        if (is_conjugate && i + 1 < p->params.iteration_limit) {
            extrapolate(p); // may leave the friction cones; the next sweep ends in them
        }
    }
    result->outcome = ABUT_SOLVE_ITERATIONS;
}

static void deliver(const prox *p, abut_solve_result *result)
{
    if (result->velocities != NULL) {
        abut_system_velocities(&p->system, result->velocities);
    }
    for (int i = 0; result->impulses != NULL && i < p->system.contact_count; ++i) {
        const abut_row *row = &p->system.rows[i];
        abut_vec3 friction = p->impulses[i].friction;
        abut_solve_impulse *out = &result->impulses[i];
        out->normal = p->impulses[i].normal;
        out->tangent = abut_add(abut_scale(friction.x, row->first), abut_scale(friction.y, row->second));
        out->torsion = row->torsion_radius * friction.z;
    }
}

abut_status abut_solve_prox(abut_solver *solver, const abut_solve_problem *problem, const abut_prox_params *params,
                            abut_solve_result *result, abut_error *error)
{
    ABUT_ASSERT(solver != NULL);
    abut_arena *arena = &solver->arena;
    abut_arena_reset(arena);
    prox p = {.share = 1.0};
    abut_status status = abut_prox_params_read(params, &p.params, error);
    if (status == ABUT_OK) {
        status = abut_solve_result_check(result, error);
    }
    if (status == ABUT_OK) {
        status = abut_system_build(arena, problem, &p.system, error);
    }
    if (status == ABUT_OK) {
        status = take_memory(arena, &p, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    find_factors(&p);
    double scale = abut_system_scale(&p.system);
    status = begin(&p, error);
    if (status != ABUT_OK) {
        return status;
    }
    result->iterations = 0;
    result->history_count = 0;
    result->rejections = 0;
    result->residual = 0.0;
    result->scale = scale;
    iterate(&p, result);
    deliver(&p, result);
    return ABUT_OK;
}
