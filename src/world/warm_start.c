// SPDX-License-Identifier: MIT
// warm_start.c: impulses to start from, by the contacts of the last step
//
// A contact with the id of an earlier one of the same bodies gets its impulse. Ids come from features, and features
// change without a change of the contact: where corner lies on corner, rounding decides which edges meet. So a contact
// whose id is new gets the impulse of the nearest one that is left.
#include "world/world.h"

/// Of the smaller body: contacts this near to each other, seen from either body, are taken for the same. A poor match
/// costs iterations, not accuracy.
static const double nearness = 1e-2;

enum {
    NEAR_LIMIT = 64
}; ///< contacts of a pair: in time that grows with their square; those with more match ids only

/// The contacts of one pair in both steps.
typedef struct match {
    const abut_solve_contact *then, *now;
    const abut_solve_impulse *impulses; ///< of `then`
    abut_solve_impulse *start;          ///< of `now`
    int then_count, now_count;
    uint64_t is_taken; ///< a bit for each of `then`
} match;

static void take(match *m, int from, int to)
{
    abut_vec3 normal = m->now[to].normal;
    abut_solve_impulse impulse = m->impulses[from];
    impulse.tangent = abut_add_scaled(impulse.tangent, -abut_dot(impulse.tangent, normal), normal);
    m->start[to] = impulse;
    m->is_taken |= (uint64_t)1 << from;
}

static int is_free(const match *m, int from)
{
    return (m->is_taken >> from & 1) == 0;
}

/// The earlier contact with the id, or -1. Most contacts keep their place.
static int find_id(const match *m, int to)
{
    int from = to < m->then_count ? to : 0;
    for (int i = 0; i < m->then_count; ++i) {
        if (m->then[from].id == m->now[to].id && is_free(m, from)) {
            return from;
        }
        from = from + 1 < m->then_count ? from + 1 : 0;
    }
    return -1;
}

/// The nearest earlier contact that is left, or -1.
static int find_near(const match *m, int to, double reach)
{
    int best = -1;
    double least = reach * reach;
    for (int i = 0; i < m->then_count; ++i) {
        const abut_solve_contact *then = &m->then[i], *now = &m->now[to];
        double squared = fmin(abut_norm_squared(abut_sub(then->arm_a, now->arm_a)),
                              abut_norm_squared(abut_sub(then->arm_b, now->arm_b)));
        if (squared < least && is_free(m, i) && abut_dot(then->normal, now->normal) > 0.0) {
            least = squared;
            best = i;
        }
    }
    return best;
}

static int match_pair(match *m, double reach)
{
    uint64_t is_matched = 0; ///< a bit for each of `now`
    int count = 0;
    for (int pass = 0; pass < 2 && count < m->now_count && count < m->then_count; ++pass) {
        for (int to = 0; to < m->now_count; ++to) {
            int is_done = (int)(is_matched >> to & 1);
            int from = is_done ? -1 : pass == 0 ? find_id(m, to) : find_near(m, to, reach);
            if (from >= 0) {
                take(m, from, to);
                is_matched |= (uint64_t)1 << to;
                ++count;
            }
        }
    }
    return count;
}

static int pair_end(const abut_solve_contact *contacts, int begin, int count)
{
    int end = begin;
    while (end < count && contacts[end].body_a == contacts[begin].body_a &&
           contacts[end].body_b == contacts[begin].body_b) {
        ++end;
    }
    return end;
}

static int is_before(const abut_solve_contact *c, const abut_solve_contact *d)
{
    return c->body_a < d->body_a || (c->body_a == d->body_a && c->body_b < d->body_b);
}

static abut_status match_many(abut_solver *solver, const match *m, int *matched)
{
    abut_solve_past past = {m->then, m->impulses, m->then_count};
    abut_solve_problem problem = abut_solve_problem_default();
    problem.contacts = m->now;
    problem.contact_count = m->now_count;
    int count = 0;
    abut_status status = abut_solve_match(solver, &past, &problem, m->start, &count);
    *matched += count;
    return status;
}

/// Impulses of a part of a step are as large as the part is long.
static void scale_impulses(abut_world *world)
{
    double factor = world->last_span > 0.0 ? world->span / world->last_span : 1.0;
    for (int i = 0; i < world->awake_contact_count && factor != 1.0; ++i) {
        abut_solve_impulse *impulse = &world->impulses[i];
        impulse->normal *= factor;
        impulse->tangent = abut_scale(factor, impulse->tangent);
        impulse->torsion *= factor;
    }
}

abut_status abut_world_warm_start(abut_world *world)
{
    const abut_solve_contact *then = world->last_contacts, *now = world->solve_contacts;
    int then_count = world->last_contact_count, now_count = world->awake_contact_count;
    int *matched = &world->report.matched;
    for (int i = 0; i < now_count; ++i) {
        world->impulses[i] = (abut_solve_impulse){0};
    }
    for (int i = 0, k = 0; i < then_count && k < now_count;) { // both ascend by bodies
        int then_end = pair_end(then, i, then_count), now_end = pair_end(now, k, now_count);
        if (is_before(&then[i], &now[k])) {
            i = then_end;
            continue;
        }
        if (!is_before(&now[k], &then[i])) {
            match m = {then + i,    now + k, world->last_impulses + i, world->impulses + k, then_end - i,
                       now_end - k, 0};
            const abut_body *a = &world->bodies[now[k].body_a], *b = &world->bodies[now[k].body_b];
            if (m.then_count <= NEAR_LIMIT && m.now_count <= NEAR_LIMIT) {
                *matched += match_pair(&m, nearness * fmin(a->size, b->size));
            } else if (match_many(world->solver, &m, matched) != ABUT_OK) {
                return ABUT_NO_MEMORY;
            }
            i = then_end;
        }
        k = now_end;
    }
    scale_impulses(world);
    for (int i = 0; i < now_count;
         ++i) { // those of an island that woke have the impulses with which it fell asleep
        const abut_solve_impulse *kept = &world->contacts[world->awake_contacts[i]].impulse;
        if (kept->normal > 0.0 && world->impulses[i].normal == 0.0) {
            world->impulses[i] = *kept;
            ++*matched;
        }
    }
    return ABUT_OK;
}
