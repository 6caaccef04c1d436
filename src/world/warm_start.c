// SPDX-License-Identifier: MIT
// warm_start.c: impulses to start from, by the contacts of the last step
//
// A contact with the id of an earlier one of the same bodies gets its impulse. Ids come from features, and features
// change without a change of the contact: where corner lies on corner, rounding decides which edges meet. So a contact
// whose id is new gets the impulse of the nearest one that is left.
#include "world/world.h"

#include <stdatomic.h>

/// Of the smaller body: contacts this near to each other, seen from either body, are taken for the same. A poor match
/// costs iterations, not accuracy.
static const double nearness = 1e-2;

/// Of the impulses of stabilisation: they fade, so that they do not outlive the overlap for long. A tower that rocks loses
/// the more speed, the larger this is; a pile overlaps the less.
static const double push_share = 0.8;

enum {
    NEAR_LIMIT = 64
}; ///< contacts of a pair: in time that grows with their square; those with more match ids only

/// The contacts of one pair in both steps.
typedef struct match {
    const abut_solve_contact *then, *now;
    const abut_solve_impulse *impulses; ///< of `then`
    abut_solve_impulse *start;          ///< of `now`
    const abut_solve_impulse *pushes;   ///< of stabilisation, of `then`; or NULL
    abut_solve_impulse *push_start;     ///< of `now`
    int then_count, now_count;
    uint64_t is_taken; ///< a bit for each of `then`
} match;

static void take(match *m, int from, int to)
{
    abut_vec3 normal = m->now[to].normal;
    abut_solve_impulse impulse = m->impulses[from];
    impulse.tangent = abut_add_scaled(impulse.tangent, -abut_dot(impulse.tangent, normal), normal);
    m->start[to] = impulse;
    if (m->pushes != NULL) {
        m->push_start[to].normal = push_share * m->pushes[from].normal;
    }
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
    return abut_solve_match(solver, &past, &problem, m->start, matched);
}

/// Impulses of a part of a step are as large as the part is long.
static void scale_impulses(const abut_world *world, abut_solve_impulse *impulses, int count)
{
    double factor = world->last_span > 0.0 ? world->span / world->last_span : 1.0;
    for (int i = 0; i < count && factor != 1.0; ++i) {
        impulses[i].normal *= factor;
        impulses[i].tangent = abut_scale(factor, impulses[i].tangent);
        impulses[i].torsion *= factor;
    }
}

/// Contacts of an island that woke start with the impulses with which it fell asleep. Returns how many did.
static int take_kept(abut_world *world, int begin, int end)
{
    int count = 0;
    for (int i = begin; i < end; ++i) {
        const abut_solve_impulse *kept = &world->contacts[world->awake_contacts[i]].impulse;
        if (kept->normal > 0.0 && world->impulses[i].normal == 0.0) {
            world->impulses[i] = *kept;
            ++count;
        }
    }
    return count;
}

/// The first contact of the last step whose bodies are not before those of a contact now.
static int find_then(const abut_world *world, const abut_solve_contact *now)
{
    int low = 0, high = world->last_contact_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (is_before(&world->last_contacts[middle], now)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/// The start of all contacts, by pairs, on several threads. Pairs of many contacts need the solver's memory, and wait for
/// their turn.
typedef struct starting {
    abut_world *world;
    atomic_int matched;
    atomic_int has_many;
} starting;

static int is_many(const match *m)
{
    return m->then_count > NEAR_LIMIT || m->now_count > NEAR_LIMIT;
}

/// The contacts of the pair from `begin` to `end` - 1, and those that it had. `*then` goes on to the next pair.
static match match_of(const abut_world *world, int begin, int end, int *then)
{
    const abut_solve_contact *now = world->solve_contacts, *last = world->last_contacts;
    int count = world->last_contact_count;
    while (*then < count && is_before(&last[*then], &now[begin])) {
        *then = pair_end(last, *then, count);
    }
    int from = *then, is_same = from < count && !is_before(&now[begin], &last[from]);
    *then = is_same ? pair_end(last, from, count) : from;
    match m = {last + from, now + begin, world->last_impulses + from, world->impulses + begin,
               // those of steps of another length part the bodies at another speed
               world->push_span == world->span ? world->last_pushes + from : NULL, world->pushes + begin,
               *then - from, end - begin, 0};
    return m;
}

/// Starts the pairs whose first contacts are in this range.
static void start_pairs(void *data, int begin, int end, int worker)
{
    starting *s = data;
    abut_world *world = s->world;
    const abut_solve_contact *now = world->solve_contacts;
    int count = world->awake_contact_count, matched = 0;
    (void)worker;
    if (begin > 0 && begin < count && !is_before(&now[begin - 1], &now[begin])) {
        begin = pair_end(now, begin, count);
    }
    int then = begin < end ? find_then(world, &now[begin]) : 0;
    for (int i = begin, next; i < end; i = next) {
        next = pair_end(now, i, count);
        for (int k = i; k < next; ++k) {
            world->impulses[k] = (abut_solve_impulse){0};
        }
        match m = match_of(world, i, next, &then);
        if (is_many(&m)) {
            atomic_store(&s->has_many, 1);
            continue;
        }
        const abut_body *a = &world->bodies[now[i].body_a], *b = &world->bodies[now[i].body_b];
        matched += match_pair(&m, nearness * fmin(a->size, b->size));
        scale_impulses(world, m.start, m.now_count);
        matched += take_kept(world, i, next);
    }
    atomic_fetch_add(&s->matched, matched);
}

/// Starts the pairs of many contacts.
static abut_status start_many(starting *s)
{
    abut_world *world = s->world;
    int count = world->awake_contact_count, then = 0;
    for (int i = 0, next; i < count; i = next) {
        next = pair_end(world->solve_contacts, i, count);
        match m = match_of(world, i, next, &then);
        int matched = 0;
        if (!is_many(&m)) {
            continue;
        }
        if (match_many(world->solver, &m, &matched) != ABUT_OK) {
            return ABUT_NO_MEMORY;
        }
        scale_impulses(world, m.start, m.now_count);
        atomic_fetch_add(&s->matched, matched + take_kept(world, i, next));
    }
    return ABUT_OK;
}

abut_status abut_world_warm_start(abut_world *world)
{
    starting s = {.world = world};
    abut_world_spread(world, world->awake_contact_count, start_pairs, &s);
    abut_status status = atomic_load(&s.has_many) ? start_many(&s) : ABUT_OK;
    world->report.matched += atomic_load(&s.matched);
    return status;
}
