// SPDX-License-Identifier: MIT
// match.c: impulses to begin with, from the contacts of the last step with the same bodies and ids
#include "base/arena_list.h"
#include "base/error.h"
#include "solve/solver.h"

#include <string.h>

static int compare(const abut_solve_contact *a, const abut_solve_contact *b)
{
    if (a->body_a != b->body_a) {
        return a->body_a < b->body_a ? -1 : 1;
    }
    if (a->body_b != b->body_b) {
        return a->body_b < b->body_b ? -1 : 1;
    }
    return a->id == b->id ? 0 : (a->id < b->id ? -1 : 1);
}

static int compare_indices(const void *user, int a, int b)
{
    const abut_solve_contact *contacts = user;
    return compare(&contacts[a], &contacts[b]);
}

static int match_sorted(const abut_solve_past *past, const int *past_order, const abut_solve_problem *problem,
                        const int *order, abut_solve_impulse *start)
{
    int matched = 0;
    for (int i = 0, k = 0; i < past->count && k < problem->contact_count;) {
        const abut_solve_contact *now = &problem->contacts[order[k]];
        int side = compare(&past->contacts[past_order[i]], now);
        if (side == 0) {
            abut_solve_impulse impulse = past->impulses[past_order[i]];
            impulse.tangent =
                abut_add_scaled(impulse.tangent, -abut_dot(impulse.tangent, now->normal), now->normal);
            start[order[k]] = impulse;
            ++matched;
        }
        i += side <= 0;
        k += side >= 0;
    }
    return matched;
}

abut_status abut_solve_match(abut_solver *solver, const abut_solve_past *past, const abut_solve_problem *problem,
                             abut_solve_impulse *start, int *matched)
{
    ABUT_ASSERT(solver != NULL);
    abut_solve_problem p = abut_solve_problem_default();
    if (past == NULL || past->count < 0 || problem == NULL || !abut_read_versioned(&p, sizeof p, problem) ||
        p.contact_count < 0 || (past->count > 0 && (past->contacts == NULL || past->impulses == NULL)) ||
        (p.contact_count > 0 && (p.contacts == NULL || start == NULL))) {
        return ABUT_BAD_ARGUMENT;
    }
    abut_solver_reset(solver);
    // contacts with the same bodies and ids keep the order of their array
    const int *past_order = abut_arena_order(&solver->arena, past->count, compare_indices, past->contacts);
    const int *order = abut_arena_order(&solver->arena, p.contact_count, compare_indices, p.contacts);
    if (past_order == NULL || order == NULL) {
        return ABUT_NO_MEMORY;
    }
    if (p.contact_count > 0) {
        memset(start, 0, (size_t)p.contact_count * sizeof *start);
    }
    int found = match_sorted(past, past_order, &p, order, start);
    if (matched != NULL) {
        *matched = found;
    }
    return ABUT_OK;
}
