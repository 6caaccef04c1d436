// SPDX-License-Identifier: MIT
// prox_part.c: projected Gauss-Seidel on the proximal formulation of contact with Coulomb friction, on one part
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
#include "solve/prox.h"

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

// ---------------------------------------------------------------------------------------------------------------
// Building

typedef struct building {
    abut_prox_part *part;
    const abut_solve_problem *problem;
} building;

static void build_rows(void *data, int member, int member_count)
{
    const building *b = data;
    abut_prox_part *p = b->part;
    int begin = abut_team_share(p->system.contact_count, member, member_count);
    int end = abut_team_share(p->system.contact_count, member + 1, member_count);
    abut_problem_rows(b->problem, p->part->contacts, begin, end, p->system.rows);
    for (int i = begin; i < end; ++i) {
        p->system.rows[i].a = p->part->pairs[i].a;
        p->system.rows[i].b = p->part->pairs[i].b;
    }
}

static void build(abut_prox_part *p, const abut_solve_problem *problem)
{
    for (int i = 0; i < p->system.body_count; ++i) {
        p->system.movers[i] = abut_problem_mover(&problem->bodies[p->part->bodies[i]]);
    }
    const abut_mover world = {.inverse_mass = 0.0};
    p->system.movers[p->system.body_count] = world;
    building b = {p, problem};
    abut_team_call(p->team, build_rows, &b);
}

static void find_factors(void *data, int member, int member_count)
{
    abut_prox_part *p = data;
    int begin = abut_team_share(p->system.contact_count, member, member_count);
    int end = abut_team_share(p->system.contact_count, member + 1, member_count);
    abut_visit_factors_find(&p->system, p->params.factor, begin, end, p->factors, p->blocks);
}

int abut_prox_take_point(abut_arena *arena, const abut_prox_part *p, abut_prox_point *point)
{
    point->impulses = abut_wide_take(arena, p->impulse_numbers * sizeof *point->impulses);
    point->velocities = abut_wide_take(arena, p->velocity_numbers * sizeof *point->velocities);
    return point->impulses != NULL && point->velocities != NULL;
}

static int take_memory(abut_arena *arena, abut_prox_part *p)
{
    size_t contacts = (size_t)p->system.contact_count, bodies = (size_t)p->system.body_count;
    int is_blocked = p->params.factor == ABUT_FACTOR_BLOCKED;
    p->system.movers = abut_arena_take(arena, (bodies + 1) * sizeof *p->system.movers);
    p->system.rows = abut_arena_take(arena, contacts * sizeof *p->system.rows);
    p->factors = abut_arena_take(arena, contacts * sizeof *p->factors);
    p->impulses = abut_arena_take(arena, contacts * sizeof *p->impulses);
    p->blocks = is_blocked ? abut_arena_take(arena, contacts * sizeof *p->blocks) : NULL;
    int is_conjugate = p->params.sweep == ABUT_SWEEP_CONJUGATE;
    return p->system.movers != NULL && p->system.rows != NULL && p->factors != NULL && p->impulses != NULL &&
           (!is_blocked || p->blocks != NULL) && abut_prox_take_point(arena, p, &p->kept) &&
           (!is_conjugate ||
            (abut_prox_take_point(arena, p, &p->start) && abut_prox_take_point(arena, p, &p->earlier)));
}

abut_status abut_prox_plan(abut_arena *arena, const abut_solve_problem *problem, const abut_part *part,
                           const abut_prox_params *params, abut_prox_engine engine, int segment_limit,
                           abut_prox_part *p)
{
    const abut_prox_part empty = {.part = part, .params = *params};
    *p = empty;
    p->system.contact_count = part->contact_count;
    p->system.body_count = part->body_count;
    p->is_wide = engine != ABUT_ENGINE_NARROW && !part->is_special && params->factor != ABUT_FACTOR_BLOCKED;
    p->code = engine == ABUT_ENGINE_FASTEST ? abut_wide_choose() : &abut_wide_plain;
    if (p->is_wide) {
        if (abut_wide_plan(arena, part->pairs, part->contact_count, part->moves, part->body_count + 1,
                           segment_limit, &p->wide) != ABUT_OK) {
            return ABUT_NO_MEMORY;
        }
        p->impulse_numbers = (size_t)p->wide.slot_count * sizeof(abut_wide_impulse) / sizeof(double);
        p->velocity_numbers = (size_t)p->wide.mover_count * ABUT_VELOCITY_NUMBERS;
        p->now.impulses = p->wide.impulses->of[0];
        p->now.velocities = p->wide.velocities;
    } else {
        p->impulse_numbers = (size_t)part->contact_count * sizeof(abut_visit_impulse) / sizeof(double);
        p->velocity_numbers = (size_t)part->body_count * sizeof(abut_solve_velocity) / sizeof(double);
        if (!abut_prox_take_point(arena, p, &p->now)) {
            return ABUT_NO_MEMORY;
        }
    }
    if (!take_memory(arena, p)) {
        return ABUT_NO_MEMORY;
    }
    if (!p->is_wide) {
        build(p, problem); // here, since the holds take memory
        return abut_holds_begin(arena, &p->system, &p->holds);
    }
    return ABUT_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Points

// Brings `now` up to date, from the visits.
static void read_now(abut_prox_part *p)
{
    if (!p->is_wide) {
        memcpy(p->now.impulses, p->impulses, p->impulse_numbers * sizeof *p->now.impulses);
        for (int i = 0; i < p->system.body_count; ++i) {
            memcpy(p->now.velocities + 6 * i, &p->system.movers[i].velocity, sizeof(abut_solve_velocity));
        }
    }
}

// Hands `now` to the visits.
static void write_now(abut_prox_part *p)
{
    if (!p->is_wide) {
        memcpy(p->impulses, p->now.impulses, p->impulse_numbers * sizeof *p->now.impulses);
        for (int i = 0; i < p->system.body_count; ++i) {
            memcpy(&p->system.movers[i].velocity, p->now.velocities + 6 * i, sizeof(abut_solve_velocity));
        }
    }
}

void abut_prox_copy_point(const abut_prox_part *p, const abut_prox_point *from, abut_prox_point *to)
{
    memcpy(to->impulses, from->impulses, p->impulse_numbers * sizeof *to->impulses);
    memcpy(to->velocities, from->velocities, p->velocity_numbers * sizeof *to->velocities);
}

void abut_prox_restart(abut_prox_part *p)
{
    abut_prox_copy_point(p, &p->now, &p->kept);
    abut_prox_copy_point(p, &p->now, &p->start);
    p->last_square = 0.0;
    p->least = HUGE_VAL;
}

double abut_prox_tolerance(const abut_prox_part *p)
{
    return fmax(p->params.absolute_tolerance, p->params.relative_tolerance * p->scale);
}

static void take_back(abut_prox_part *p)
{
    abut_prox_copy_point(p, &p->kept, &p->now);
    write_now(p);
    if (p->params.sweep == ABUT_SWEEP_CONJUGATE) {
        abut_prox_copy_point(p, &p->kept, &p->start);
    }
    p->last_square = 0.0;
}

/// A step along the way.
typedef struct advance_work {
    abut_prox_part *part;
    double ratio;
} advance_work;

static double squared_change(const abut_prox_part *p)
{
    return p->is_wide ? abut_wide_change(&p->wide, p->code)
                      : p->code->squared_change(p->now.impulses, p->start.impulses, p->impulse_numbers);
}

// Without the impulses of `now`: the sweep forward reads those of `start`.
static void advance_impulses(void *data, size_t first, size_t count)
{
    const advance_work *work = data;
    const abut_prox_part *p = work->part;
    p->code->advance(p->kept.impulses + first, work->ratio, p->start.impulses + first, p->earlier.impulses + first,
                     p->is_wide ? NULL : p->now.impulses + first, count);
}

static void advance_velocities(void *data, size_t first, size_t count)
{
    const advance_work *work = data;
    const abut_prox_part *p = work->part;
    p->code->advance(p->kept.velocities + first, work->ratio, p->start.velocities + first,
                     p->earlier.velocities + first, p->now.velocities + first, count);
}

static void advance_share(void *data, int member, int member_count)
{
    const advance_work *work = data;
    abut_wide_for_share(&work->part->wide, member, member_count, advance_impulses, advance_velocities, data);
}

// Keeps the point, and starts from another one, whose numbers mean nothing yet.
static void keep_point(abut_prox_part *p)
{
    abut_prox_point kept = p->now;
    p->now = p->kept;
    p->kept = kept;
    if (p->is_wide) {
        p->wide.impulses = (abut_wide_impulse *)p->now.impulses;
        p->wide.velocities = p->now.velocities;
    }
}

/// Takes a further step after a sweep, in a direction conjugate to those of earlier sweeps: nonlinear conjugate
/// gradients (Fletcher and Reeves), with the change of a sweep as the gradient. For this the sweep must be symmetric.
/// The direction is reset if sweeps change more than before. The step may leave the friction cones; the next sweep ends
/// in them.
static void extrapolate(abut_prox_part *p)
{
    double square = squared_change(p);
    int is_first = !(p->last_square > 0.0);
    double ratio = !is_first && square < p->last_square ? square / p->last_square : 0.0;
    p->last_square = square;
    if (is_first) {
        abut_prox_copy_point(p, &p->start, &p->earlier); // there is no way
    }
    keep_point(p);
    advance_work work = {p, ratio};
    if (p->is_wide) {
        abut_team_call(p->wide.segment_count > 1 ? p->team : NULL, advance_share, &work);
    } else {
        advance_impulses(&work, 0, p->impulse_numbers);
        advance_velocities(&work, 0, p->velocity_numbers);
    }
    abut_prox_point start = p->earlier;
    p->earlier = p->start;
    p->start = start;
    write_now(p);
}

// ---------------------------------------------------------------------------------------------------------------
// Starting

// Holds the contacts that start with friction, in groups whose start is near the answer. In other groups, for example
// of bodies that have just met, this would hold contacts that must separate: there friction starts at zero.
static void begin_holds(abut_prox_part *p)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    for (int i = 0; i < p->holds.contact_count; ++i) {
        const abut_visit_impulse *at = &p->impulses[i];
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
        abut_visit_impulse *at = &p->impulses[i];
        if (contact->hold != ABUT_HOLD_FREE || !(contact->friction > 0.0)) {
            continue;
        }
        if (contact->press > 0.0 && group->residual <= start_share * group->scale) {
            abut_holds_set(&p->holds, i, row, ABUT_HOLD_HELD);
        } else {
            abut_visit_push(row, p->system.movers, 0.0, abut_negate(at->friction));
            at->friction = zero;
        }
    }
}

// Whether the factors of a part are found in lanes. Those of `factors` mean nothing then.
static int has_wide_factors(const abut_prox_part *p)
{
    return p->is_wide && p->params.factor == ABUT_FACTOR_LOCAL;
}

static void load_batches(void *data, int member, int member_count)
{
    abut_prox_part *p = data;
    int begin = abut_team_share(p->wide.batch_count, member, member_count);
    int end = abut_team_share(p->wide.batch_count, member + 1, member_count);
    if (has_wide_factors(p)) {
        abut_wide_load(&p->wide, &p->system, NULL, p->impulses, begin, end);
        p->code->find_factors(&p->wide, begin, end);
    } else {
        abut_wide_load(&p->wide, &p->system, p->factors, p->impulses, begin, end);
    }
}

// Reads the impulses of the start; zero where they would move nothing.
static void read_start(void *data, int member, int member_count)
{
    abut_prox_part *p = data;
    const abut_solve_impulse *start = p->params.start;
    int end = abut_team_share(p->system.contact_count, member + 1, member_count);
    for (int i = abut_team_share(p->system.contact_count, member, member_count); i < end; ++i) {
        const abut_row *row = &p->system.rows[i];
        const abut_visit_impulse none = {.normal = 0.0};
        p->impulses[i] = none;
        if (start != NULL && (has_wide_factors(p) || p->factors[i].per_normal > 0.0)) {
            const abut_solve_impulse *from = &start[p->part->contacts[i]];
            double twist = row->torsion_radius > 0.0 ? from->torsion / row->torsion_radius : 0.0;
            p->impulses[i].normal = from->normal;
            p->impulses[i].friction = abut_visit_slip(row, from->tangent, twist);
        }
    }
}

static void push_movers(abut_prox_part *p)
{
    for (int i = 0; p->params.start != NULL && i < p->system.contact_count; ++i) {
        if (!has_wide_factors(p) || abut_wide_responds(&p->wide, i)) {
            abut_visit_push(&p->system.rows[i], p->system.movers, p->impulses[i].normal, p->impulses[i].friction);
        }
    }
}

// Puts the start on the movers.
static void begin(abut_prox_part *p)
{
    abut_team_call(p->team, read_start, p);
    if (p->is_wide) {
        abut_team_call(p->team, load_batches, p);
    }
    push_movers(p);
    begin_holds(p);
    if (p->is_wide) {
        abut_wide_load_velocities(&p->wide, &p->system);
    }
    read_now(p);
}

/// New targets of contacts without friction.
typedef struct retargeting {
    abut_prox_part *part;
    const double *targets; ///< of the problem
} retargeting;

static void retarget_rows(void *data, int member, int member_count)
{
    const retargeting *r = data;
    const abut_prox_part *p = r->part;
    int end = abut_team_share(p->system.contact_count, member + 1, member_count);
    for (int i = abut_team_share(p->system.contact_count, member, member_count); i < end; ++i) {
        abut_row *row = &p->system.rows[i];
        row->target = r->targets[p->part->contacts[i]];
        row->friction = 0.0;
        row->is_smooth = 1;
    }
}

static void retarget_batches(void *data, int member, int member_count)
{
    abut_prox_part *p = data;
    abut_wide_retarget(&p->wide, &p->system, p->impulses,
                       abut_team_share(p->wide.batch_count, member, member_count),
                       abut_team_share(p->wide.batch_count, member + 1, member_count));
}

// The bodies as they are in the problem, without impulses.
static void retarget(abut_prox_part *p, const abut_solve_problem *problem, const double *targets)
{
    for (int i = 0; i < p->system.body_count; ++i) {
        p->system.movers[i].velocity = problem->bodies[p->part->bodies[i]].velocity;
    }
    memset(p->impulses, 0, (size_t)p->system.contact_count * sizeof *p->impulses);
    const abut_holds none = {.contacts = NULL};
    p->holds = none; // they are for friction
    retargeting r = {p, targets};
    abut_team_call(p->team, retarget_rows, &r);
}

// Puts the start on the movers again.
static void begin_again(abut_prox_part *p)
{
    abut_team_call(p->team, read_start, p);
    push_movers(p);
    if (p->is_wide) {
        abut_wide_load_velocities(&p->wide, &p->system);
        abut_team_call(p->team, retarget_batches, p);
    }
    read_now(p);
}

// ---------------------------------------------------------------------------------------------------------------
// Iterations

// Visits all contacts, one at a time. Where contacts of infinite friction are held, each group has its own residual.
static double narrow_sweep(abut_prox_part *p)
{
    int count = p->system.contact_count, end = p->params.sweep == ABUT_SWEEP_CONJUGATE ? 2 * count : count;
    double largest = 0.0;
    for (int i = 0; i < p->holds.group_count; ++i) {
        p->holds.groups[i].residual = 0.0;
    }
    for (int visits = 0; visits < end; ++visits) {
        int i = visits < count ? visits : 2 * count - 1 - visits;
        const abut_visit_block *block = p->blocks != NULL ? &p->blocks[i] : NULL;
        double squared =
            abut_visit(&p->system.rows[i], &p->factors[i], block, p->system.movers, &p->impulses[i], p->share);
        squared = squared < HUGE_VAL ? squared : HUGE_VAL; // of NaN
        largest = fmax(largest, squared);
        if (p->holds.contacts != NULL) {
            abut_hold_group *group = &p->holds.groups[p->holds.contacts[i].group];
            group->residual = fmax(group->residual, sqrt(squared) / p->share);
        }
    }
    return largest;
}

// Visits all contacts. Returns the residual; infinite if a number is not finite.
static double sweep(abut_prox_part *p)
{
    double squared;
    if (p->is_wide) {
        int is_symmetric = p->params.sweep == ABUT_SWEEP_CONJUGATE;
        p->wide.start = is_symmetric ? (const abut_wide_impulse *)(const void *)p->start.impulses : NULL;
        squared = abut_wide_sweep(&p->wide, p->code, p->share, p->team);
    } else {
        squared = narrow_sweep(p);
        read_now(p);
        // a velocity that is not finite does not always show: a contact without friction takes NaN for parting
        squared = p->code->zero_of(p->now.velocities, p->velocity_numbers) == 0.0 ? squared : HUGE_VAL;
    }
    return sqrt(squared) / p->share;
}

// Updates what counts as nonzero in each group, and what the holds know of each contact. Returns whether anything
// counts.
static int see_sweep(abut_prox_part *p, double tolerance, int sweeps)
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
        const abut_visit_impulse *at = &p->impulses[i];
        abut_holds_see(&p->holds, i, &p->system.rows[i], p->system.movers, at->normal, abut_norm(at->friction));
    }
    return has_any;
}

// Whether other contacts are held after this sweep, so that the solver must go on.
static int has_new_holds(abut_prox_part *p, double tolerance, int sweeps)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    if (p->holds.contacts == NULL || !see_sweep(p, tolerance, sweeps) ||
        !abut_holds_update(&p->holds, p->system.rows)) {
        return 0;
    }
    for (int i = 0; i < p->system.contact_count; ++i) {
        if (p->holds.contacts[i].hold == ABUT_HOLD_LET_GO) {
            abut_visit_push(&p->system.rows[i], p->system.movers, 0.0, abut_negate(p->impulses[i].friction));
            p->impulses[i].friction = zero;
        }
    }
    read_now(p);
    abut_prox_copy_point(p, &p->now, &p->kept);
    if (p->params.sweep == ABUT_SWEEP_CONJUGATE) {
        abut_prox_copy_point(p, &p->now, &p->start);
    }
    p->last_square = 0.0;
    return 1;
}

static void keep_residual(abut_prox_history *history, int iteration, double residual)
{
    if (iteration < history->capacity) {
        history->of[iteration] = fmax(history->of[iteration], residual);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// All iterations

// Whether a sweep with this residual is undone. Steps of Newton's method may raise the residual for a while.
static int is_rejected(const abut_prox_part *p, double residual)
{
    return p->newton.steps == 0 && residual > p->params.growth * p->least && p->params.reduction < 1.0 &&
           p->share > least_share;
}

// One iteration. Returns whether the part is done.
static int iterate_once(abut_prox_part *p, abut_prox_history *history)
{
    int is_conjugate = p->params.sweep == ABUT_SWEEP_CONJUGATE;
    if (p->newton.is_due) {
        abut_prox_newton_step(p);
    }
    double residual = sweep(p);
    int i = p->iterations++;
    keep_residual(history, i, residual);
    if (!(residual < HUGE_VAL)) {
        if (p->newton.steps > 0) {
            abut_prox_newton_undo(p);
            return 0;
        }
        take_back(p);
        p->outcome = ABUT_SOLVE_DIVERGED;
        return 1;
    }
    if (is_rejected(p, residual)) {
        take_back(p);
        p->share *= p->params.reduction;
        ++p->rejections;
        return 0;
    }
    p->residual = residual;
    p->scale = p->scale > 0.0 ? p->scale : residual;
    p->least = fmin(p->least, residual);
    double tolerance = abut_prox_tolerance(p);
    if (has_new_holds(p, tolerance, p->iterations)) {
        p->least = HUGE_VAL;
        return 0;
    }
    if (residual <= tolerance) {
        double miss = abut_holds_miss(&p->holds);
        p->residual = fmax(residual, miss);
        p->outcome = miss > 0.0 ? ABUT_SOLVE_INACCURATE : ABUT_SOLVE_CONVERGED;
        return 1;
    }
    if (abut_prox_newton_judge(p)) {
        return 0;
    }
    if (!is_conjugate) {
        abut_prox_copy_point(p, &p->now, &p->kept);
    } else if (p->iterations < p->params.iteration_limit) {
        extrapolate(p);
        abut_prox_newton_watch(p);
    }
    return 0;
}

static void store_impulses(void *data, int member, int member_count)
{
    abut_prox_part *p = data;
    abut_wide_store(&p->wide, p->impulses, abut_team_share(p->system.contact_count, member, member_count),
                    abut_team_share(p->system.contact_count, member + 1, member_count));
}

static void finish(abut_prox_part *p, abut_prox_history *history)
{
    if (p->outcome == ABUT_SOLVE_ITERATIONS && p->newton.steps > 0 && p->residual > p->newton.base_residual) {
        abut_prox_newton_undo(p);
    }
    if (p->is_wide) {
        abut_wide_store_velocities(&p->wide, &p->system);
        abut_team_call(p->team, store_impulses, p);
    }
    if (p->iterations < history->capacity) {
        history->last[p->iterations] = fmax(history->last[p->iterations], p->residual);
    }
}

int abut_prox_resume(abut_prox_part *p, abut_prox_history *history)
{
    int is_done = 0;
    while (!is_done && p->iterations < p->params.iteration_limit) {
        if (p->newton.is_due && !p->newton.is_planned) {
            return 0;
        }
        is_done = iterate_once(p, history);
    }
    finish(p, history);
    return 1;
}

// All iterations, after the start was put on the movers.
static int iterate(abut_prox_part *p, abut_prox_history *history)
{
    abut_prox_copy_point(p, &p->now, &p->kept);
    if (p->params.sweep == ABUT_SWEEP_CONJUGATE) {
        abut_prox_copy_point(p, &p->now, &p->start);
    }
    p->last_square = 0.0;
    p->share = 1.0;
    p->least = HUGE_VAL;
    p->residual = 0.0;
    p->iterations = p->rejections = 0;
    p->outcome = ABUT_SOLVE_ITERATIONS;
    abut_prox_newton_begin(p);
    return abut_prox_resume(p, history);
}

int abut_prox_solve(abut_prox_part *p, const abut_solve_problem *problem, abut_prox_history *history)
{
    if (p->is_wide) {
        build(p, problem);
    }
    if (!has_wide_factors(p)) {
        abut_team_call(p->team, find_factors, p);
    }
    if (p->params.factor == ABUT_FACTOR_GLOBAL) {
        abut_visit_factors_unify(&p->system, p->factors);
    }
    p->scale = abut_system_scale(&p->system);
    begin(p);
    return iterate(p, history);
}

int abut_prox_solve_again(abut_prox_part *p, const abut_solve_problem *problem, const double *targets,
                          abut_prox_history *history)
{
    retarget(p, problem, targets);
    p->scale = abut_system_scale(&p->system);
    if (p->scale == 0.0) { // nothing has to move
        p->outcome = ABUT_SOLVE_CONVERGED;
        p->residual = 0.0;
        p->iterations = p->rejections = p->newton.taken = 0;
        return 1;
    }
    begin_again(p);
    return iterate(p, history);
}

/// Where the impulses of a part go.
typedef struct delivery {
    const abut_prox_part *part;
    abut_solve_impulse *impulses;
} delivery;

static void deliver_impulses(void *data, int member, int member_count)
{
    const delivery *d = data;
    const abut_prox_part *p = d->part;
    int end = abut_team_share(p->system.contact_count, member + 1, member_count);
    for (int i = abut_team_share(p->system.contact_count, member, member_count); i < end; ++i) {
        const abut_row *row = &p->system.rows[i];
        abut_vec3 friction = p->impulses[i].friction;
        abut_solve_impulse *out = &d->impulses[p->part->contacts[i]];
        out->normal = p->impulses[i].normal;
        out->tangent = abut_add(abut_scale(friction.x, row->first), abut_scale(friction.y, row->second));
        out->torsion = row->torsion_radius * friction.z;
    }
}

void abut_prox_deliver(abut_prox_part *p, abut_solve_result *result)
{
    for (int i = 0; result->velocities != NULL && i < p->system.body_count; ++i) {
        if (p->part->moves[i]) {
            result->velocities[p->part->bodies[i]] = p->system.movers[i].velocity;
        }
    }
    if (result->impulses != NULL) {
        delivery d = {p, result->impulses};
        abut_team_call(p->team, deliver_impulses, &d);
    }
}
