// SPDX-License-Identifier: MIT
// mcp.c: the mixed complementarity problem of Stewart and Trinkle, by Lemke's method
//
// The velocities are eliminated, which leaves a linear complementarity problem in the normal impulses f_N, the friction f_D along
// the edges of a pyramid, and a slip speed l for each contact:
//
//     w_N = N v - s            with f_N,     v = v_free + M^-1 (N^T f_N + D^T f_D)
//     w_D = D v + E l          with f_D
//     w_l = mu f_N - E^T f_D   with l
//
// Source:  Stewart and Trinkle 1996; equation 1 of Yi and Drumwright 2016.
// Differs: l >= 0, and E has a column for each contact (docs/solvers.md); impulses and speeds are scaled so that the diagonal of N is 1.
// Cost:    the cube of the unknowns, of which a contact has 2 + directions.
// Fails:   where no impulses can meet all conditions, for example a body wedged between walls that shall part from both.
#include "base/error.h"
#include "base/versioned.h"
#include "solve/lemke.h"
#include "solve/solver.h"
#include "solve/system.h"

#include <string.h>

// A contact's unknowns are numbered from `first` on: the normal impulse, and with friction the directions and the slip speed.
typedef struct contact_unknowns {
    int first;
    int count;     ///< 0 where nothing can move, 1, or 2 + directions
    double weight; ///< speeds times this, impulses over this, are the unknowns; of no use where there are none
} contact_unknowns;

typedef struct mcp {
    abut_system system;
    abut_mcp_params params;
    contact_unknowns *unknowns;
    abut_mover *changes; ///< the movers at rest: velocities that one impulse makes
    double *matrix, *vector;
    abut_lcp lcp;
    abut_lcp_answer answer;
} mcp;

static abut_status read_params(const abut_mcp_params *params, const abut_solve_result *result, abut_mcp_params *out,
                               abut_error *error)
{
    *out = abut_mcp_params_default();
    if (params != NULL && !abut_read_versioned(out, sizeof *out, params)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the parameters were not made by abut_mcp_params_default()");
    }
    if (result == NULL || result->history_capacity < 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the result is missing, or its capacity is negative");
    }
    if (out->directions < 2 || out->directions % 2 != 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the number of directions, %d, is not even and at least 2",
                         out->directions);
    }
    if (out->iteration_limit < 0 || !(out->tolerance >= 0.0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the iteration limit or the tolerance is below 0");
    }
    return ABUT_OK;
}

static double normal_response(const abut_row *row, const abut_mover *movers)
{
    const abut_vec3 none = {0.0, 0.0, 0.0};
    double spin;
    return abut_dot(row->normal, abut_row_response(row, movers, row->normal, none, &spin));
}

// Numbers the unknowns.
static abut_status count_unknowns(mcp *m, abut_error *error)
{
    int64_t count = 0;
    for (int i = 0; i < m->system.contact_count; ++i) {
        const abut_row *row = &m->system.rows[i];
        contact_unknowns *u = &m->unknowns[i];
        if (row->torsion_radius > 0.0) {
            return abut_fail_element(error, ABUT_UNSUPPORTED, i, "contact %d: a pyramid has no torsion", i);
        }
        double response = normal_response(row, m->system.movers);
        int can_move = !(response <= 0.0);
        u->first = (int)count;
        u->weight = response < HUGE_VAL ? 1.0 / sqrt(response) : NAN; // which is_finite() finds
        int64_t needed = can_move && row->friction > 0.0 ? 2 + (int64_t)m->params.directions : can_move;
        count += needed;
        if (count > ABUT_LCP_VARIABLES) {
            return abut_fail_element(error, ABUT_LIMIT, i, "contact %d: with it there are more than %d unknowns", i,
                                     ABUT_LCP_VARIABLES);
        }
        u->count = (int)needed;
    }
    m->lcp.count = (int)count;
    return ABUT_OK;
}

static abut_status take_memory(abut_arena *arena, mcp *m, abut_error *error)
{
    size_t n = (size_t)m->lcp.count, movers = (size_t)m->system.body_count + 1;
    m->changes = abut_arena_take(arena, movers * sizeof *m->changes);
    m->matrix = abut_arena_take(arena, n * n * sizeof *m->matrix);
    m->vector = abut_arena_take(arena, n * sizeof *m->vector);
    m->answer.z = abut_arena_take(arena, n * sizeof *m->answer.z);
    if (m->changes == NULL || m->matrix == NULL || m->vector == NULL || m->answer.z == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for %d unknowns", m->lcp.count);
    }
    return ABUT_OK;
}

// The normal for unknown 0 of a contact, an edge of the pyramid for 1 to `directions`. The second half of the edges is the
// first one turned round, to the last bit.
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

// Unknowns of a contact that are impulses.
static int impulse_count(const contact_unknowns *u)
{
    return u->count > 1 ? u->count - 1 : u->count;
}

// One column of the matrix: what a unit of impulse k of contact i does at all contacts.
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
        for (int l = 0; l < impulse_count(v); ++l) {
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
        abut_vec3 velocity = abut_row_velocity(row, m->system.movers);
        size_t first = (size_t)u->first, last = first + (size_t)u->count - 1;
        for (int k = 0; k < impulse_count(u); ++k) {
            double speed = abut_dot(direction(row, k, m->params.directions), velocity);
            m->vector[u->first + k] = u->weight * (k == 0 ? speed - row->target : speed);
            fill_column(m, i, k);
        }
        if (u->count > 1) {
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
    double zero = 0.0; // x - x is NaN for infinite x and NaN
    for (size_t i = 0; i < n * n; ++i) {
        zero += m->matrix[i] - m->matrix[i];
    }
    for (size_t i = 0; i < n; ++i) {
        zero += m->vector[i] - m->vector[i];
    }
    return zero == 0.0;
}

// The largest |min(z, w)| as a speed.
static double residual_speed(const mcp *m)
{
    size_t n = (size_t)m->lcp.count;
    double largest = 0.0;
    for (int i = 0; i < m->system.contact_count; ++i) {
        const contact_unknowns *u = &m->unknowns[i];
        for (int k = u->first; k < u->first + u->count; ++k) {
            double w = m->vector[k];
            for (size_t j = 0; j < n; ++j) {
                w += m->matrix[(size_t)k * n + j] * m->answer.z[j];
            }
            largest = fmax(largest, fabs(fmin(w, m->answer.z[k])) / u->weight);
        }
    }
    return largest;
}

// Writes the impulses and puts them on the movers.
static void deliver(mcp *m, abut_solve_result *result)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    for (int i = 0; i < m->system.contact_count; ++i) {
        const abut_row *row = &m->system.rows[i];
        const contact_unknowns *u = &m->unknowns[i];
        abut_solve_impulse impulse = {0.0, zero, 0.0};
        for (int k = 0; k < impulse_count(u); ++k) {
            double z = m->answer.z[u->first + k];
            double size = z > 0.0 ? u->weight * z : 0.0; // the weight may be NaN
            if (k == 0) {
                impulse.normal = size;
            } else {
                impulse.tangent = abut_add_scaled(impulse.tangent, size, direction(row, k, m->params.directions));
            }
        }
        abut_row_push(row, m->system.movers, abut_add_scaled(impulse.tangent, impulse.normal, row->normal));
        if (result->impulses != NULL) {
            result->impulses[i] = impulse;
        }
    }
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
    m->unknowns = abut_arena_take(arena, (size_t)m->system.contact_count * sizeof *m->unknowns);
    if (m->unknowns == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for %d contacts", m->system.contact_count);
    }
    status = count_unknowns(m, error);
    if (status == ABUT_OK) {
        status = take_memory(arena, m, error);
    }
    if (status == ABUT_OK) {
        fill(m);
    }
    return status;
}

abut_status abut_solve_mcp(abut_solver *solver, const abut_solve_problem *problem, const abut_mcp_params *params,
                           abut_solve_result *result, abut_error *error)
{
    ABUT_ASSERT(solver != NULL);
    abut_arena_reset(&solver->arena);
    mcp m;
    abut_status status = read_params(params, result, &m.params, error);
    if (status == ABUT_OK) {
        status = build(&solver->arena, problem, &m, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    double scale = abut_system_scale(&m.system);
    abut_lcp_params lcp_params = abut_lcp_params_default();
    lcp_params.iteration_limit = m.params.iteration_limit;
    lcp_params.tolerance = m.params.tolerance;
    if (is_finite(&m)) {
        status = abut_lemke(&solver->arena, &m.lcp, &lcp_params, &m.answer);
    } else {
        memset(m.answer.z, 0, (size_t)m.lcp.count * sizeof *m.answer.z);
        m.answer.outcome = ABUT_SOLVE_DIVERGED;
        m.answer.iterations = 0;
    }
    if (status != ABUT_OK) {
        return abut_fail(error, status, "no memory for %d unknowns", m.lcp.count);
    }
    deliver(&m, result);
    result->outcome = m.answer.outcome;
    result->iterations = m.answer.iterations;
    result->history_count = 0;
    result->rejections = 0;
    result->residual = m.answer.outcome == ABUT_SOLVE_DIVERGED ? HUGE_VAL : residual_speed(&m);
    result->scale = scale;
    return ABUT_OK;
}
