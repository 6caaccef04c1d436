// SPDX-License-Identifier: MIT
// mcp.c: the mixed complementarity problem of Stewart and Trinkle, by Lemke's method
//
// The velocities are eliminated, which leaves a linear complementarity problem in the normal impulses f_N, the
// friction f_D along the edges of a pyramid, and a slip speed l for each contact:
//
//     w_N = N v - s            with f_N,     v = v_free + M^-1 (N^T f_N + D^T f_D)
//     w_D = D v + E l          with f_D
//     w_l = mu f_N - E^T f_D   with l
//
// A contact of infinite friction that is held (hold.h) has no l: w_D >= 0 for an edge and its opposite is D v = 0. If
// holding contacts ends without an answer, friction is large instead of infinite: then the problem always has one.
//
// Source:  Stewart and Trinkle 1996; equation 1 of Yi and Drumwright 2016.
// Differs: l >= 0, and E has a column for each contact (docs/solvers.md); impulses and speeds are scaled so that
//          the diagonal of N is 1.
// Cost:    the cube of the unknowns, of which a contact has 2 + directions.
// Fails:   if no impulses meet all conditions, for example for a body wedged between two walls that must both separate
//          from it.
#include "base/error.h"
#include "solve/hold.h"
#include "solve/lemke.h"
#include "solve/solver.h"
#include "solve/system.h"

#include <string.h>

// The corners of a face have more equations than the body has velocities. If they are not exactly in one plane, friction
// of any size between them may lift the body. Then held contacts give way a little: by a share of the speed that their
// impulse alone would make.
static const double most_friction = 1e5; // as a speed, relative to those that have to change: more is rounding
static const double held_compliance = 1e-6;
static const double large_friction = 1e4; // in place of infinite friction
enum { LARGE_ROUNDS = 4 };

// A contact's unknowns, from `first` on: the normal impulse; with friction, those along the directions; and, if it can
// slip, the slip speed.
typedef struct contact_unknowns {
    int first;
    int count;     ///< 0 if neither body can move
    int impulses;  ///< how many of them are impulses: 0, 1 or 1 + directions
    double weight; ///< the unknowns are speeds times `weight` and impulses over `weight`; not used if count is 0
} contact_unknowns;

typedef struct mcp {
    abut_system system;
    abut_mcp_params params;
    contact_unknowns *unknowns;
    abut_holds holds;
    abut_mover *changes; ///< movers with other velocities: those that one impulse makes, or those of the answer
    double *matrix, *vector;
    double
        compliance; ///< added to the diagonal of impulses; also what counts as zero, if it is more than the tolerance
    abut_lcp lcp;
    abut_lcp_answer answer;
} mcp;

// Numbers the unknowns.
static abut_status count_unknowns(mcp *m, abut_error *error)
{
    int64_t count = 0;
    for (int i = 0; i < m->system.contact_count; ++i) {
        const abut_row *row = &m->system.rows[i];
        contact_unknowns *u = &m->unknowns[i];
        if (row->torsion_radius > 0.0) {
            return abut_fail_element(error, ABUT_UNSUPPORTED, i,
                                     "contact %d has a torsion_radius, which only abut_solve_prox() takes", i);
        }
        double response = abut_row_normal_response(row, m->system.movers);
        int can_move = !(response <= 0.0);
        u->first = (int)count;
        u->weight = response < HUGE_VAL ? 1.0 / sqrt(response) : NAN; // which is_finite() finds
        int can_slip = row->friction < HUGE_VAL;
        int has_friction = can_move && row->friction > 0.0;
        int64_t impulses = has_friction ? 1 + (int64_t)m->params.directions : can_move;
        int64_t needed = has_friction && can_slip ? impulses + 1 : impulses;
        count += needed;
        if (count > ABUT_LCP_VARIABLES) {
            return abut_fail_element(error, ABUT_LIMIT, i, "contact %d: there are more than %d unknowns up to here",
                                     i, ABUT_LCP_VARIABLES);
        }
        u->count = (int)needed;
        u->impulses = (int)impulses;
    }
    m->lcp.count = (int)count;
    return ABUT_OK;
}

static abut_status take_memory(abut_arena *arena, mcp *m, abut_error *error)
{
    size_t n = (size_t)m->lcp.count;
    m->matrix = abut_arena_take(arena, n * n * sizeof *m->matrix);
    m->vector = abut_arena_take(arena, n * sizeof *m->vector);
    m->answer.z = abut_arena_take(arena, n * sizeof *m->answer.z);
    if (m->matrix == NULL || m->vector == NULL || m->answer.z == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for %d unknowns", m->lcp.count);
    }
    return ABUT_OK;
}

// The normal for unknown 0 of a contact, an edge of the pyramid for 1 to `directions`. The second half of the edges
// is the first one turned round, to the last bit.
static abut_vec3 direction(const abut_row *row, int unknown, int directions)
{
    const double pi = 3.14159265358979323846;
    if (unknown == 0) {
        return row->normal;
    }
    int half = directions / 2, edge = (unknown - 1) % half;
    double angle = pi * edge / half;
    abut_vec3 d = abut_add(abut_scale(cos(angle), row->first), abut_scale(sin(angle), row->second));
    return unknown - 1 < half ? d : abut_negate(d);
}

// One column of the matrix: the speeds at all contacts for a unit of impulse k of contact i.
static void fill_column(mcp *m, int i, int k)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    const abut_row *row = &m->system.rows[i];
    const contact_unknowns *u = &m->unknowns[i];
    size_t n = (size_t)m->lcp.count, column = (size_t)(u->first + k);
    abut_row_push(row, m->changes, abut_scale(u->weight, direction(row, k, m->params.directions)));
    for (int j = 0; j < m->system.contact_count; ++j) {
        const abut_row *other = &m->system.rows[j];
        const contact_unknowns *v = &m->unknowns[j];
        int is_near = other->a == row->a || other->a == row->b || other->b == row->a || other->b == row->b;
        if (!is_near) {
            continue;
        }
        abut_vec3 velocity = abut_scale(v->weight, abut_row_velocity(other, m->changes));
        for (int l = 0; l < v->impulses; ++l) {
            m->matrix[(size_t)(v->first + l) * n + column] =
                abut_dot(direction(other, l, m->params.directions), velocity);
        }
    }
    const abut_solve_velocity rest = {zero, zero};
    m->changes[row->a].velocity = rest;
    m->changes[row->b].velocity = rest;
}

static void fill(mcp *m)
{
    const abut_solve_velocity rest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    size_t n = (size_t)m->lcp.count;
    memset(m->matrix, 0, n * n * sizeof *m->matrix);
    memset(m->vector, 0, n * sizeof *m->vector);
    for (int i = 0; i <= m->system.body_count; ++i) {
        m->changes[i] = m->system.movers[i];
        m->changes[i].velocity = rest;
    }
    for (int i = 0; i < m->system.contact_count; ++i) {
        const abut_row *row = &m->system.rows[i];
        const contact_unknowns *u = &m->unknowns[i];
        abut_vec3 velocity = abut_row_slip(row, m->system.movers);
        size_t first = (size_t)u->first, last = first + (size_t)u->count - 1;
        for (int k = 0; k < u->impulses; ++k) {
            double speed = abut_dot(direction(row, k, m->params.directions), velocity);
            m->vector[u->first + k] = u->weight * (k == 0 ? speed - row->target : speed);
            fill_column(m, i, k);
            m->matrix[(first + (size_t)k) * n + first + (size_t)k] += m->compliance;
        }
        if (u->count > u->impulses) {
            m->matrix[last * n + first] = row->friction;
            for (size_t k = first + 1; k < last; ++k) {
                m->matrix[k * n + last] = 1.0;
                m->matrix[last * n + k] = -1.0;
            }
        }
    }
    m->lcp.matrix = m->matrix;
    m->lcp.vector = m->vector;
}

// Whether all numbers of the problem stayed in the range of double.
static int is_finite(const mcp *m)
{
    size_t n = (size_t)m->lcp.count;
    double zero = 0.0;
    for (size_t i = 0; i < n * n; ++i) {
        zero += abut_zero_of(m->matrix[i]);
    }
    for (size_t i = 0; i < n; ++i) {
        zero += abut_zero_of(m->vector[i]);
    }
    return zero == 0.0;
}

// w_k of the answer
static double complement(const mcp *m, int k)
{
    size_t n = (size_t)m->lcp.count;
    double w = m->vector[k];
    for (size_t j = 0; j < n; ++j) {
        w += m->matrix[(size_t)k * n + j] * m->answer.z[j];
    }
    return w;
}

// The largest |min(z, w)| as a speed.
static double residual_speed(const mcp *m)
{
    double largest = 0.0;
    for (int i = 0; i < m->system.contact_count; ++i) {
        const contact_unknowns *u = &m->unknowns[i];
        for (int k = u->first; k < u->first + u->count; ++k) {
            largest = fmax(largest, fabs(fmin(complement(m, k), m->answer.z[k])) / u->weight);
        }
    }
    return largest;
}

// Of the answer.
static abut_solve_impulse impulse_of(const mcp *m, int i)
{
    const contact_unknowns *u = &m->unknowns[i];
    abut_solve_impulse impulse = {.normal = 0.0};
    for (int k = 0; k < u->impulses; ++k) {
        double z = m->answer.z[u->first + k];
        double size = z > 0.0 ? u->weight * z : 0.0; // the weight may be NaN
        if (k == 0) {
            impulse.normal = size;
        } else {
            abut_vec3 edge = direction(&m->system.rows[i], k, m->params.directions);
            impulse.tangent = abut_add_scaled(impulse.tangent, size, edge);
        }
    }
    return impulse;
}

static void push_all(const mcp *m, abut_mover *movers)
{
    for (int i = 0; i < m->system.contact_count; ++i) {
        const abut_row *row = &m->system.rows[i];
        abut_solve_impulse impulse = impulse_of(m, i);
        abut_row_push(row, movers, abut_add_scaled(impulse.tangent, impulse.normal, row->normal));
    }
}

// Takes note of the answer. What counts as more than zero is the tolerance.
static void see_answer(mcp *m)
{
    for (int i = 0; i <= m->system.body_count; ++i) {
        m->changes[i] = m->system.movers[i];
    }
    push_all(m, m->changes);
    for (int i = 0; i < m->system.contact_count; ++i) {
        abut_solve_impulse impulse = impulse_of(m, i);
        abut_holds_see(&m->holds, i, &m->system.rows[i], m->changes, impulse.normal, abut_norm(impulse.tangent));
    }
    for (int i = 0; i < m->holds.group_count; ++i) {
        abut_hold_group *group = &m->holds.groups[i];
        group->least_press = fmax(m->params.tolerance, 10.0 * m->compliance) * group->scale;
        group->least_parting = group->least_press;
    }
}

// Writes the impulses and puts them on the movers.
static void deliver(mcp *m, abut_solve_result *result)
{
    for (int i = 0; result->impulses != NULL && i < m->system.contact_count; ++i) {
        result->impulses[i] = impulse_of(m, i);
    }
    push_all(m, m->system.movers);
    if (result->velocities != NULL) {
        abut_system_velocities(&m->system, result->velocities);
    }
}

static abut_status build(abut_arena *arena, const abut_solve_problem *problem, mcp *m, abut_error *error)
{
    abut_status status = abut_system_build(arena, problem, &m->system, error);
    if (status != ABUT_OK) {
        return status;
    }
    size_t bytes = (size_t)m->system.contact_count * sizeof *m->unknowns;
    m->unknowns = abut_arena_take(arena, bytes);
    m->changes = abut_arena_take(arena, ((size_t)m->system.body_count + 1) * sizeof *m->changes);
    if (m->unknowns == NULL || m->changes == NULL || abut_holds_begin(arena, &m->system, &m->holds) != ABUT_OK) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for %d contacts", m->system.contact_count);
    }
    memset(m->unknowns, 0, bytes);
    return ABUT_OK;
}

// Fills and solves the problem of the present unknowns.
static abut_status solve_once(abut_arena *arena, mcp *m)
{
    abut_lcp_params params = abut_lcp_params_default();
    params.iteration_limit = m->params.iteration_limit;
    params.tolerance = fmax(m->params.tolerance, m->compliance);
    fill(m);
    if (is_finite(m)) {
        return abut_lemke(arena, &m->lcp, &params, &m->answer);
    }
    memset(m->answer.z, 0, (size_t)m->lcp.count * sizeof *m->answer.z);
    m->answer.outcome = ABUT_SOLVE_DIVERGED;
    m->answer.iterations = 0;
    return ABUT_OK;
}

// Solves the problem of the present friction; `pivots` counts.
static abut_status solve_round(abut_arena *arena, mcp *m, int *pivots, abut_error *error)
{
    abut_arena_reset(arena);
    abut_status status = count_unknowns(m, error);
    status = status == ABUT_OK ? take_memory(arena, m, error) : status;
    if (status == ABUT_OK && solve_once(arena, m) != ABUT_OK) {
        status = abut_fail(error, ABUT_NO_MEMORY, "no memory for %d unknowns", m->lcp.count);
    }
    *pivots += status == ABUT_OK ? m->answer.iterations : 0;
    return status;
}

// Where contacts cannot be held: infinite friction becomes large friction, and smaller if rounding spoils the answer.
static abut_status solve_large(abut_arena *arena, mcp *m, int *pivots, abut_error *error)
{
    abut_status status = ABUT_OK;
    double friction = large_friction;
    for (int round = 0; round < LARGE_ROUNDS && status == ABUT_OK; ++round) {
        for (int i = 0; i < m->holds.contact_count; ++i) {
            int is_infinite = m->holds.contacts[i].hold != ABUT_HOLD_NEVER;
            m->system.rows[i].friction = is_infinite ? friction : m->system.rows[i].friction;
        }
        status = solve_round(arena, m, pivots, error);
        if (m->answer.outcome == ABUT_SOLVE_CONVERGED) {
            break;
        }
        friction *= 0.1;
        m->compliance *= 10.0;
    }
    const abut_holds none = {.contacts = NULL};
    m->holds = none;
    return status;
}

// Whether contacts are held, none of them misses the law, and friction is of the size of the speeds.
static int is_held_well(const mcp *m)
{
    if (m->answer.outcome != ABUT_SOLVE_CONVERGED || abut_holds_miss(&m->holds) > 0.0) {
        return 0;
    }
    for (int i = 0; i < m->holds.contact_count; ++i) {
        const abut_hold_contact *contact = &m->holds.contacts[i];
        if (contact->friction > most_friction * m->holds.groups[contact->group].scale) {
            return 0;
        }
    }
    return 1;
}

// Solves again as long as contacts of infinite friction are to be held or let go.
static abut_status solve_holds(abut_arena *arena, mcp *m, int *pivots, abut_error *error)
{
    for (int i = 0; i < m->holds.contact_count; ++i) {
        if (m->holds.contacts[i].hold != ABUT_HOLD_NEVER) {
            abut_holds_set(&m->holds, i, &m->system.rows[i], ABUT_HOLD_FREE);
        }
    }
    abut_status status = ABUT_OK;
    for (int has_changed = 1; has_changed && status == ABUT_OK;) {
        status = solve_round(arena, m, pivots, error);
        has_changed = 0;
        if (status == ABUT_OK && m->answer.outcome == ABUT_SOLVE_CONVERGED) {
            see_answer(m);
            has_changed = abut_holds_update(&m->holds, m->system.rows);
        }
    }
    return status;
}

// Holds contacts of infinite friction exactly; if that has no answer, so that they give way a little; and if that has
// none, friction is large.
static abut_status solve(abut_arena *arena, mcp *m, abut_error *error)
{
    int pivots = 0;
    m->compliance = 0.0;
    abut_status status =
        m->holds.contacts != NULL ? solve_holds(arena, m, &pivots, error) : solve_round(arena, m, &pivots, error);
    if (status == ABUT_OK && m->holds.contacts != NULL && !is_held_well(m)) {
        m->compliance = held_compliance;
        status = solve_holds(arena, m, &pivots, error);
        if (status == ABUT_OK && !is_held_well(m)) {
            status = solve_large(arena, m, &pivots, error);
        }
    }
    m->answer.iterations = pivots;
    return status;
}

abut_status abut_solve_mcp(abut_solver *solver, const abut_solve_problem *problem, const abut_mcp_params *params,
                           abut_solve_result *result, abut_error *error)
{
    ABUT_ASSERT(solver != NULL);
    abut_solver_reset(solver);
    mcp m;
    abut_status status = abut_mcp_params_read(params, &m.params, error);
    if (status == ABUT_OK) {
        status = abut_solve_result_check(result, error);
    }
    if (status == ABUT_OK) {
        status = build(&solver->arena, problem, &m, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    double scale = abut_system_scale(&m.system);
    status = solve(&solver->round, &m, error);
    if (status != ABUT_OK) {
        return status;
    }
    deliver(&m, result);
    double miss = m.answer.outcome == ABUT_SOLVE_CONVERGED ? abut_holds_miss(&m.holds) : 0.0;
    result->outcome = miss > 0.0 ? ABUT_SOLVE_INACCURATE : m.answer.outcome;
    result->iterations = m.answer.iterations;
    result->history_count = 0;
    result->rejections = result->newton_steps = 0;
    result->residual = m.answer.outcome == ABUT_SOLVE_DIVERGED ? HUGE_VAL : fmax(residual_speed(&m), miss);
    result->scale = scale;
    return ABUT_OK;
}
