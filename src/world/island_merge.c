// SPDX-License-Identifier: MIT
// island_merge.c: puts what the parts of a world found in place of what the whole world had found of the same bodies
#include "world/island_cut.h"

#include "base/context.h"
#include "base/memory.h"
#include "base/sort.h"
#include "method/stats.h"

#include <limits.h>

// ---------------------------------------------------------------------------------------------------------------
// Keeping

static abut_body_pair numbers_of(const abut_world *part, abut_body_pair bodies)
{
    return (abut_body_pair){part->bodies[bodies.a].number, part->bodies[bodies.b].number};
}

/// Adds the regions that a pair has in another list. Returns 0 if memory ran out.
static int add_regions(const abut_context *context, abut_region_list *list, const abut_region_list *from,
                       const abut_pair_state *pair)
{
    abut_region_counts at = list->counts, sum = at;
    if (!abut_region_counts_add(&sum, &pair->region_count) || !abut_region_list_resize(context, list, &sum)) {
        return 0;
    }
    abut_region_list_copy_part(list, &at, from, &pair->region_begin, &pair->region_count);
    return 1;
}

/// Copies contacts to a list, for these bodies; their regions move from one place to another.
static void copy_contacts(const abut_world_contact *from, int count, abut_body_pair bodies, int regions_from,
                          int regions_to, abut_world_contact *to)
{
    for (int i = 0; i < count; ++i) {
        to[i] = from[i];
        to[i].body_a = bodies.a;
        to[i].body_b = bodies.b;
        to[i].contact.region += to[i].contact.region >= 0 ? regions_to - regions_from : 0;
    }
}

/// Counts the contacts of the solver that are of two bodies, from one of them on.
static int solve_run(const abut_solve_contact *contacts, int begin, int count, abut_body_pair bodies)
{
    int end = begin;
    while (end < count && contacts[end].body_a == bodies.a && contacts[end].body_b == bodies.b) {
        ++end;
    }
    return end - begin;
}

static int is_solve_before(const abut_solve_contact *c, abut_body_pair bodies)
{
    return abut_world_is_pair_before((abut_body_pair){c->body_a, c->body_b}, bodies);
}

/// Keeps the impulses of a pair, as large as those of a whole step.
static void keep_solved(abut_world *world, abut_body_pair bodies, int begin, int count)
{
    abut_cut_results *r = &world->cut->results;
    const abut_world *part = &world->cut->part;
    double factor = part->span > 0.0 ? world->def.dt / part->span : 0.0;
    for (int i = 0; i < count; ++i) {
        abut_solve_contact *c = &r->solve_contacts[r->solve_count];
        abut_solve_impulse *impulse = &r->impulses[r->solve_count++];
        *c = part->solve_contacts[begin + i];
        c->body_a = bodies.a;
        c->body_b = bodies.b;
        *impulse = part->impulses[begin + i];
        impulse->normal *= factor;
        impulse->tangent = abut_scale(factor, impulse->tangent);
        impulse->torsion *= factor;
    }
}

static int make_room(abut_world *world)
{
    const abut_context *context = &world->context;
    abut_cut_results *r = &world->cut->results;
    const abut_world *part = &world->cut->part;
    return part->pair_count <= INT_MAX - r->pair_count && part->contact_count <= INT_MAX - r->contact_count &&
           abut_grow(context, &r->pairs, &r->pair_capacity, r->pair_count + part->pair_count, sizeof *r->pairs) &&
           abut_grow(context, &r->contacts, &r->contact_capacity, r->contact_count + part->contact_count,
                     sizeof *r->contacts) &&
           abut_grow(context, &r->changes, &r->change_capacity, r->change_count + part->change_count,
                     sizeof *r->changes) &&
           abut_grow(context, &r->solve_contacts, &r->solve_capacity, r->solve_count + part->awake_contact_count,
                     sizeof *r->solve_contacts) &&
           abut_grow(context, &r->impulses, &r->impulse_capacity, r->solve_count + part->awake_contact_count,
                     sizeof *r->impulses);
}

abut_status abut_island_cut_keep(abut_world *world)
{
    abut_island_cut *cut = world->cut;
    abut_cut_results *r = &cut->results;
    abut_world *part = &cut->part;
    if (!make_room(world)) {
        return ABUT_NO_MEMORY;
    }
    int solved = 0;
    for (int i = 0; i < part->pair_count; ++i) {
        const abut_pair_state *from = &part->pairs[i];
        abut_region_counts at = r->regions.counts;
        if (!add_regions(&world->context, &r->regions, &part->regions, from)) {
            return ABUT_NO_MEMORY; // pairs up to here are in both lists: the part forgets them
        }
        abut_cut_pair *to = &r->pairs[r->pair_count++];
        *to = (abut_cut_pair){.state = *from, .run = cut->run_count, .solve_begin = r->solve_count};
        abut_body_pair bodies = to->state.bodies = numbers_of(part, from->bodies);
        for (int k = 0; k < from->region_count.regions; ++k) {
            r->regions.regions[at.regions + k].body_a = bodies.a;
            r->regions.regions[at.regions + k].body_b = bodies.b;
        }
        copy_contacts(part->contacts + from->contact_begin, from->contact_count, bodies, from->region_begin.regions,
                      at.regions, r->contacts + r->contact_count);
        to->state.contact_begin = r->contact_count;
        to->state.region_begin = at;
        r->contact_count += from->contact_count;
        while (solved < part->awake_contact_count && is_solve_before(&part->solve_contacts[solved], from->bodies)) {
            ++solved;
        }
        to->solve_count = solve_run(part->solve_contacts, solved, part->awake_contact_count, from->bodies);
        keep_solved(world, bodies, solved, to->solve_count);
        part->pairs[i].is_new = 0; // the results have its memory
    }
    for (int i = 0; i < part->change_count; ++i) {
        abut_world_change change = part->changes[i];
        abut_body_pair bodies = numbers_of(part, (abut_body_pair){change.body_a, change.body_b});
        change.body_a = bodies.a;
        change.body_b = bodies.b;
        r->changes[r->change_count++] = (abut_cut_change){change, cut->run_count};
    }
    return ABUT_OK;
}

void abut_island_cut_drop(abut_world *world)
{
    abut_cut_results *r = &world->cut->results;
    for (int i = 0; i < r->pair_count; ++i) {
        if (r->pairs[i].state.is_new) {
            abut_world_make_spare(world, r->pairs[i].state.memory);
        }
    }
    r->pair_count = 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Merging

/// The last run that moved one of two bodies.
static int run_of(const abut_world *world, int a, int b)
{
    const int *runs = world->cut->runs;
    return runs[a] > runs[b] ? runs[a] : runs[b];
}

static int compare_pairs(const void *user, int a, int b)
{
    const abut_cut_pair *pairs = user;
    return abut_world_is_pair_before(pairs[a].state.bodies, pairs[b].state.bodies)   ? -1
           : abut_world_is_pair_before(pairs[b].state.bodies, pairs[a].state.bodies) ? 1
                                                                                     : 0;
}

/// What a pair has, in some lists.
typedef struct pair_content {
    abut_pair_state state;
    const abut_world_contact *contacts;
    const abut_region_list *regions;
    const abut_solve_contact *solve_contacts;
    const abut_solve_impulse *impulses;
    int solve_count;
} pair_content;

/// Adds a pair to the merged lists, which have room for it.
static int add_pair(abut_world *world, const pair_content *content, int index, int *contact_count, int *solve_count)
{
    abut_island_cut *cut = world->cut;
    abut_region_counts at = cut->regions.counts;
    abut_pair_state *state = &cut->pairs[index];
    *state = content->state;
    if (!add_regions(&world->context, &cut->regions, content->regions, state)) {
        return 0;
    }
    copy_contacts(content->contacts + state->contact_begin, state->contact_count, state->bodies,
                  state->region_begin.regions, at.regions, cut->contacts + *contact_count);
    state->contact_begin = *contact_count;
    state->region_begin = at;
    *contact_count += state->contact_count;
    for (int i = 0; i < content->solve_count; ++i) {
        cut->solve_contacts[*solve_count] = content->solve_contacts[i];
        cut->impulses[(*solve_count)++] = content->impulses[i];
    }
    return 1;
}

/// The next pair of the whole world that no run has replaced; `at` and `solved` go on with it. Returns 0 after the last.
static int next_own(const abut_world *world, int *at, int *solved, pair_content *content)
{
    while (*at < world->pair_count) {
        const abut_pair_state *pair = &world->pairs[(*at)++];
        while (*solved < world->awake_contact_count &&
               is_solve_before(&world->solve_contacts[*solved], pair->bodies)) {
            ++*solved;
        }
        if (run_of(world, pair->bodies.a, pair->bodies.b) == 0) {
            int count = solve_run(world->solve_contacts, *solved, world->awake_contact_count, pair->bodies);
            *content = (pair_content){
                *pair, world->contacts, &world->regions, world->solve_contacts + *solved, world->impulses + *solved,
                count};
            return 1;
        }
    }
    return 0;
}

static int next_cut(const abut_world *world, int count, int *at, pair_content *content)
{
    const abut_cut_results *r = &world->cut->results;
    if (*at == count) {
        return 0;
    }
    const abut_cut_pair *pair = &r->pairs[world->cut->order[(*at)++]];
    *content = (pair_content){pair->state,
                              r->contacts,
                              &r->regions,
                              r->solve_contacts + pair->solve_begin,
                              r->impulses + pair->solve_begin,
                              pair->solve_count};
    return 1;
}

static int compare_changes(const void *user, int a, int b)
{
    const abut_world_change *changes = user;
    abut_body_pair of_a = {changes[a].body_a, changes[a].body_b}, of_b = {changes[b].body_a, changes[b].body_b};
    return abut_world_is_pair_before(of_a, of_b) ? -1 : abut_world_is_pair_before(of_b, of_a) ? 1 : 0;
}

/// Puts the changes of both in order.
static abut_status merge_changes(abut_world *world)
{
    abut_island_cut *cut = world->cut;
    const abut_cut_results *r = &cut->results;
    int room = world->change_count + r->change_count, count = 0;
    if (!abut_grow(&world->context, &cut->changes, &cut->change_capacity, room, sizeof *cut->changes) ||
        !abut_grow(&world->context, &cut->order, &cut->order_capacity, room, sizeof *cut->order) ||
        !abut_grow(&world->context, &cut->scratch, &cut->scratch_capacity, room, sizeof *cut->scratch) ||
        !abut_grow(&world->context, &world->changes, &world->change_capacity, room, sizeof *world->changes)) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < world->change_count; ++i) {
        if (run_of(world, world->changes[i].body_a, world->changes[i].body_b) == 0) {
            cut->changes[count++] = world->changes[i];
        }
    }
    for (int i = 0; i < r->change_count; ++i) {
        const abut_cut_change *c = &r->changes[i];
        if (run_of(world, c->change.body_a, c->change.body_b) == c->run) {
            cut->changes[count++] = c->change;
        }
    }
    for (int i = 0; i < count; ++i) {
        cut->order[i] = i;
    }
    abut_sort_indices(cut->order, cut->scratch, count, compare_changes, cut->changes);
    world->change_count = count;
    world->report.churn = 0;
    for (int i = 0; i < count; ++i) {
        world->changes[i] = cut->changes[cut->order[i]];
        world->report.churn += !world->changes[i].event.is_region;
    }
    world->report.changes = world->changes;
    world->report.change_count = count;
    return ABUT_OK;
}

/// Makes the merged lists those of the world.
static void exchange_lists(abut_world *world, int pair_count, int contact_count, int solve_count)
{
    abut_island_cut *cut = world->cut;
    abut_pair_state *pairs = world->pairs;
    abut_world_contact *contacts = world->contacts;
    abut_solve_contact *solve_contacts = world->solve_contacts;
    abut_solve_impulse *impulses = world->impulses;
    abut_region_list regions = world->regions;
    int pair_capacity = world->pair_capacity, contact_capacity = world->contact_capacity,
        solve_capacity = world->solve_contact_capacity, impulse_capacity = world->impulse_capacity;
    world->pairs = cut->pairs;
    world->contacts = cut->contacts;
    world->solve_contacts = cut->solve_contacts;
    world->impulses = cut->impulses;
    world->has_pushes = 0;
    world->regions = cut->regions;
    world->pair_capacity = cut->pair_capacity;
    world->contact_capacity = cut->contact_capacity;
    world->solve_contact_capacity = cut->solve_capacity;
    world->impulse_capacity = cut->impulse_capacity;
    cut->pairs = pairs;
    cut->contacts = contacts;
    cut->solve_contacts = solve_contacts;
    cut->impulses = impulses;
    cut->regions = regions;
    cut->pair_capacity = pair_capacity;
    cut->contact_capacity = contact_capacity;
    cut->solve_capacity = solve_capacity;
    cut->impulse_capacity = impulse_capacity;
    world->pair_count = pair_count;
    world->contact_count = contact_count;
    world->awake_contact_count = solve_count;
}

static int make_merge_room(abut_world *world)
{
    abut_island_cut *cut = world->cut;
    const abut_cut_results *r = &cut->results;
    const abut_context *context = &world->context;
    int pairs = world->pair_count + r->pair_count, solved = world->awake_contact_count + r->solve_count;
    return abut_grow(context, &cut->order, &cut->order_capacity, r->pair_count, sizeof *cut->order) &&
           abut_grow(context, &cut->scratch, &cut->scratch_capacity, r->pair_count, sizeof *cut->scratch) &&
           abut_grow(context, &cut->pairs, &cut->pair_capacity, pairs, sizeof *cut->pairs) &&
           abut_grow(context, &cut->contacts, &cut->contact_capacity, world->contact_count + r->contact_count,
                     sizeof *cut->contacts) &&
           abut_grow(context, &cut->solve_contacts, &cut->solve_capacity, solved, sizeof *cut->solve_contacts) &&
           abut_grow(context, &cut->impulses, &cut->impulse_capacity, solved, sizeof *cut->impulses);
}

/// Frees the memories of the pairs that were replaced.
static void drop_replaced(abut_world *world)
{
    abut_cut_results *r = &world->cut->results;
    for (int i = 0; i < world->pair_count; ++i) {
        const abut_pair_state *pair = &world->pairs[i];
        if (pair->is_new && run_of(world, pair->bodies.a, pair->bodies.b) > 0) {
            abut_world_make_spare(world, pair->memory);
        }
    }
    for (int i = 0; i < r->pair_count; ++i) {
        abut_cut_pair *pair = &r->pairs[i];
        if (pair->state.is_new && run_of(world, pair->state.bodies.a, pair->state.bodies.b) != pair->run) {
            abut_world_make_spare(world, pair->state.memory);
        }
    }
}

static void update_report(abut_world *world)
{
    abut_world_report *report = &world->report;
    const abut_island_cut *cut = world->cut;
    report->contacts = world->contacts;
    report->contact_count = world->contact_count;
    report->pair_count = world->pair_count;
    report->regions = abut_region_list_view(&world->regions);
    abut_stats_add(&report->stats, &cut->stats);
    report->cut_count = cut->report.cut_count;
    report->impact_count = cut->report.impact_count;
    report->held_count = cut->report.held_count;
    report->lost_time = cut->report.lost_time;
    report->outcome = cut->report.outcome;
    report->residual = cut->report.residual;
}

abut_status abut_island_cut_merge(abut_world *world)
{
    abut_island_cut *cut = world->cut;
    const abut_cut_results *r = &cut->results;
    if (!make_merge_room(world)) {
        return ABUT_NO_MEMORY;
    }
    int valid = 0;
    for (int i = 0; i < r->pair_count; ++i) {
        const abut_cut_pair *pair = &r->pairs[i];
        if (run_of(world, pair->state.bodies.a, pair->state.bodies.b) == pair->run) {
            cut->order[valid++] = i;
        }
    }
    abut_sort_indices(cut->order, cut->scratch, valid, compare_pairs, r->pairs);
    cut->regions.counts = (abut_region_counts){0};
    int own_at = 0, solved = 0, cut_at = 0, pair_count = 0, contact_count = 0, solve_count = 0;
    pair_content own, other;
    int has_own = next_own(world, &own_at, &solved, &own), has_cut = next_cut(world, valid, &cut_at, &other);
    while (has_own || has_cut) {
        int is_own = has_own && (!has_cut || abut_world_is_pair_before(own.state.bodies, other.state.bodies));
        if (!add_pair(world, is_own ? &own : &other, pair_count, &contact_count, &solve_count)) {
            return ABUT_NO_MEMORY;
        }
        ++pair_count;
        if (is_own) {
            has_own = next_own(world, &own_at, &solved, &own);
        } else {
            has_cut = next_cut(world, valid, &cut_at, &other);
        }
    }
    if (merge_changes(world) != ABUT_OK) {
        return ABUT_NO_MEMORY;
    }
    drop_replaced(world);
    exchange_lists(world, pair_count, contact_count, solve_count);
    cut->results.pair_count = 0;
    update_report(world);
    return ABUT_OK;
}
