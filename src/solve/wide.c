// SPDX-License-Identifier: MIT
// wide.c: sorts contacts into levels and batches, and sweeps over them
#include "solve/wide.h"

#include <sched.h>
#include <string.h>

// Batches that a thread takes at a time; a batch takes about a tenth of a microsecond.
enum { CLAIM_BATCHES = 2 };

const abut_wide_code *abut_wide_choose(void)
{
#if defined(ABUT_HAS_AVX2)
    if (__builtin_cpu_supports("avx2")) {
        return &abut_wide_avx2;
    }
#endif
    return &abut_wide_plain;
}

// ---------------------------------------------------------------------------------------------------------------
// Batches

typedef struct run {
    int first, count, level;
} run;

// Cuts the contacts into runs and finds their levels. Returns the number of runs.
static int find_runs(const abut_wide_pair *pairs, int contact_count, const unsigned char *moves, int *next_level,
                     run *runs)
{
    int run_count = 0;
    for (int i = 0; i < contact_count;) {
        int a = pairs[i].a, b = pairs[i].b, count = 1;
        while (count < ABUT_RUN_CONTACTS && i + count < contact_count && pairs[i + count].a == a &&
               pairs[i + count].b == b) {
            ++count;
        }
        int level_a = moves[a] ? next_level[a] : 0, level_b = moves[b] ? next_level[b] : 0;
        run made = {i, count, level_a > level_b ? level_a : level_b};
        next_level[a] = next_level[b] = made.level + 1; // not read of movers that do not move
        runs[run_count++] = made;
        i += count;
    }
    return run_count;
}

// A run in the order of visits.
typedef struct order {
    int next[2]; ///< the next run that moves body A, or B; or -1
    int waits;   ///< for so many runs that come before it
    int tail;    ///< contacts on the longest way from here to the last run, through runs that wait for each other
    int below;   ///< another run that is ready, with the same tail; or -1
} order;

// The runs that may be visited next: a list for each tail.
typedef struct ready {
    int *lists;
    int highest, count;
} ready;

static void push_ready(ready *r, order *orders, int at)
{
    int tail = orders[at].tail;
    orders[at].below = r->lists[tail];
    r->lists[tail] = at;
    r->highest = tail > r->highest ? tail : r->highest;
    ++r->count;
}

// Takes the run with the longest tail.
static int pop_ready(ready *r, const order *orders)
{
    while (r->lists[r->highest] < 0) {
        --r->highest;
    }
    int at = r->lists[r->highest];
    r->lists[r->highest] = orders[at].below;
    --r->count;
    return at;
}

// Finds which runs wait for which; `last` has room for all movers.
static void find_order(const abut_wide_pair *pairs, const unsigned char *moves, const run *runs, int run_count,
                       int *last, order *orders)
{
    for (int i = run_count - 1; i >= 0; --i) {
        abut_wide_pair pair = pairs[runs[i].first];
        const int bodies[2] = {pair.a, pair.b};
        order *o = &orders[i];
        int longest = 0;
        o->waits = 0;
        for (int k = 0; k < 2; ++k) {
            o->next[k] = moves[bodies[k]] ? last[bodies[k]] : -1;
            if (o->next[k] >= 0) {
                order *next = &orders[o->next[k]];
                ++next->waits;
                longest = next->tail > longest ? next->tail : longest;
            }
        }
        o->tail = runs[i].count + longest;
        last[pair.a] = last[pair.b] = i;
    }
}

// Gives each level up to four runs, those first that most others wait for: more lanes are filled than with levels of
// all runs that could be visited at once. Every body still sees its contacts in the same order. `lists` has room for
// every tail. Returns the number of levels.
static int fill_levels(run *runs, int run_count, order *orders, int *lists)
{
    ready r = {.lists = lists};
    int level = 0;
    for (int i = 0; i < run_count; ++i) {
        if (orders[i].waits == 0) {
            push_ready(&r, orders, i);
        }
    }
    for (; r.count > 0; ++level) {
        int taken[ABUT_LANES], count = 0;
        while (count < ABUT_LANES && r.count > 0) {
            taken[count++] = pop_ready(&r, orders);
        }
        for (int i = 0; i < count; ++i) {
            runs[taken[i]].level = level;
            for (int k = 0; k < 2; ++k) {
                int next = orders[taken[i]].next[k];
                if (next >= 0 && --orders[next].waits == 0) {
                    push_ready(&r, orders, next);
                }
            }
        }
    }
    return level;
}

// Levels of up to four runs. Returns their number, or -1 without memory.
static int find_full_levels(abut_arena *arena, const abut_wide_pair *pairs, int contact_count,
                            const unsigned char *moves, int mover_count, run *runs, int run_count)
{
    size_t tails = (size_t)contact_count + 1, movers = (size_t)mover_count;
    order *orders = abut_arena_take(arena, (size_t)run_count * sizeof *orders);
    int *lists = abut_arena_take(arena, tails * sizeof *lists);
    int *last = abut_arena_take(arena, movers * sizeof *last);
    if (orders == NULL || lists == NULL || last == NULL) {
        return -1;
    }
    memset(lists, -1, tails * sizeof *lists); // all are empty
    memset(last, -1, movers * sizeof *last);
    find_order(pairs, moves, runs, run_count, last, orders);
    return fill_levels(runs, run_count, orders, lists);
}

// Where a run is in the order of the levels: by level, then the longest first, then in order. Runs of a level are
// independent, so their order does not change the result; lanes of similar length waste fewer slots.
static int key_of(const run *r)
{
    return r->level * ABUT_RUN_CONTACTS + ABUT_RUN_CONTACTS - r->count;
}

// Writes the runs in their order; `ends` gets the end of each key.
static void sort_runs(const run *runs, int run_count, int key_count, int *ends, run *sorted)
{
    memset(ends, 0, (size_t)key_count * sizeof *ends);
    for (int i = 0; i < run_count; ++i) {
        ++ends[key_of(&runs[i])];
    }
    for (int i = 0, begin = 0; i < key_count; ++i) {
        int count = ends[i];
        ends[i] = begin;
        begin += count;
    }
    for (int i = 0; i < run_count; ++i) {
        sorted[ends[key_of(&runs[i])]++] = runs[i];
    }
}

// Counts batches and slots, and fills `level_ends`.
static void count_batches(abut_wide *wide, const run *sorted, int run_count)
{
    int level = 0;
    for (int i = 0; i < run_count;) {
        for (; level < sorted[i].level; ++level) {
            wide->level_ends[level] = wide->batch_count;
        }
        ++wide->batch_count;
        wide->slot_count += sorted[i].count; // the longest
        for (int lane = 0; lane < ABUT_LANES && i < run_count && sorted[i].level == level; ++lane) {
            ++i;
        }
    }
    wide->level_ends[level] = wide->batch_count;
}

static void fill_batches(abut_wide *wide, const abut_wide_pair *pairs, const unsigned char *moves,
                         const run *sorted, int run_count)
{
    int slot = 0;
    for (int i = 0, next = 0; i < wide->batch_count; ++i) {
        abut_wide_batch *batch = &wide->batches[i];
        memset(batch, 0, sizeof *batch);
        batch->first_slot = slot;
        batch->slot_count = sorted[next].count;
        int level = sorted[next].level;
        for (int lane = 0; lane < ABUT_LANES; ++lane) {
            int has_run = next < run_count && sorted[next].level == level;
            abut_wide_run *kept = &wide->runs[ABUT_LANES * i + lane];
            kept->first = has_run ? sorted[next].first : 0;
            kept->count = has_run ? sorted[next].count : 0;
            batch->a[lane] = batch->b[lane] = wide->mover_count - 1;
            if (!has_run) {
                continue;
            }
            const run *r = &sorted[next++];
            batch->a[lane] = pairs[r->first].a;
            batch->b[lane] = pairs[r->first].b;
            batch->moves_a |= moves[batch->a[lane]] ? 1u << lane : 0u;
            batch->moves_b |= moves[batch->b[lane]] ? 1u << lane : 0u;
            for (int k = 0; k < r->count; ++k) {
                abut_wide_place place = {slot + k, lane};
                wide->places[r->first + k] = place;
            }
        }
        slot += batch->slot_count;
    }
}

abut_status abut_wide_plan(abut_arena *arena, const abut_wide_pair *pairs, int contact_count,
                           const unsigned char *moves, int mover_count, int has_threads, abut_wide *wide)
{
    const abut_wide empty = {.mover_count = mover_count};
    *wide = empty;
    size_t contacts = (size_t)contact_count, movers = (size_t)mover_count;
    run *runs = abut_arena_take(arena, contacts * sizeof *runs);
    run *sorted = abut_arena_take(arena, contacts * sizeof *sorted);
    int *next_level = abut_arena_take(arena, movers * sizeof *next_level);
    if (runs == NULL || sorted == NULL || next_level == NULL) {
        return ABUT_NO_MEMORY;
    }
    memset(next_level, 0, movers * sizeof *next_level);
    int run_count = find_runs(pairs, contact_count, moves, next_level, runs);
    for (int i = 0; i < run_count; ++i) {
        wide->level_count = runs[i].level >= wide->level_count ? runs[i].level + 1 : wide->level_count;
    }
    if (!has_threads) {
        wide->level_count = find_full_levels(arena, pairs, contact_count, moves, mover_count, runs, run_count);
        if (wide->level_count < 0) {
            return ABUT_NO_MEMORY;
        }
    }
    int key_count = wide->level_count * ABUT_RUN_CONTACTS;
    int *ends = abut_arena_take(arena, (size_t)key_count * sizeof *ends);
    wide->level_ends = abut_arena_take(arena, (size_t)wide->level_count * sizeof *wide->level_ends);
    if (ends == NULL || wide->level_ends == NULL) {
        return ABUT_NO_MEMORY;
    }
    sort_runs(runs, run_count, key_count, ends, sorted);
    count_batches(wide, sorted, run_count);
    size_t batches = (size_t)wide->batch_count, slots = (size_t)wide->slot_count;
    size_t counters = has_threads ? 2 * (size_t)wide->level_count : 0;
    wide->batches = abut_arena_take(arena, batches * sizeof *wide->batches);
    wide->runs = abut_arena_take(arena, batches * ABUT_LANES * sizeof *wide->runs);
    wide->slots = abut_arena_take(arena, slots * sizeof *wide->slots);
    wide->impulses = abut_arena_take(arena, slots * sizeof *wide->impulses);
    wide->velocities = abut_arena_take(arena, movers * ABUT_VELOCITY_NUMBERS * sizeof *wide->velocities);
    wide->places = abut_arena_take(arena, contacts * sizeof *wide->places);
    wide->claimed = has_threads ? abut_arena_take(arena, counters * sizeof *wide->claimed) : NULL;
    wide->done = has_threads ? abut_arena_take(arena, counters * sizeof *wide->done) : NULL;
    if (wide->batches == NULL || wide->runs == NULL || wide->slots == NULL || wide->impulses == NULL ||
        wide->velocities == NULL || wide->places == NULL ||
        (has_threads && (wide->claimed == NULL || wide->done == NULL))) {
        return ABUT_NO_MEMORY;
    }
    fill_batches(wide, pairs, moves, sorted, run_count);
    return ABUT_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Loading and storing

static void set_lane(abut_lanes *lanes, int lane, abut_vec3 v)
{
    lanes[0][lane] = v.x;
    lanes[1][lane] = v.y;
    lanes[2][lane] = v.z;
}

static void load_mover(const abut_mover *mover, abut_lanes inverse_mass, abut_lanes *inertia, int lane)
{
    abut_mat3 m = mover->inverse_inertia;
    const double numbers[6] = {m.x.x, m.y.y, m.z.z, m.x.y, m.x.z, m.y.z};
    inverse_mass[lane] = mover->inverse_mass;
    for (int i = 0; i < 6; ++i) {
        inertia[i][lane] = numbers[i];
    }
}

static void load_impulse(abut_wide *wide, int contact, const abut_visit_impulse *from)
{
    abut_wide_impulse *impulse = &wide->impulses[wide->places[contact].slot];
    int lane = wide->places[contact].lane;
    impulse->of[0][lane] = from->normal;
    impulse->of[1][lane] = from->friction.x;
    impulse->of[2][lane] = from->friction.y;
}

void abut_wide_load_velocities(abut_wide *wide, const abut_system *system)
{
    for (int i = 0; i < wide->mover_count; ++i) {
        abut_solve_velocity v = system->movers[i].velocity;
        const double numbers[ABUT_VELOCITY_NUMBERS] = {v.linear.x,  v.linear.y,  v.linear.z,  0.0,
                                                       v.angular.x, v.angular.y, v.angular.z, 0.0};
        memcpy(wide->velocities + ABUT_VELOCITY_NUMBERS * i, numbers, sizeof numbers);
    }
}

void abut_wide_load_state(abut_wide *wide, const abut_system *system, const abut_visit_impulse *impulses)
{
    abut_wide_load_velocities(wide, system);
    for (int i = 0; i < system->contact_count; ++i) {
        load_impulse(wide, i, &impulses[i]);
    }
}

static void load_contact(abut_wide_slot *slot, int lane, const abut_row *row, const abut_visit_factors *factors)
{
    set_lane(slot->normal, lane, row->normal);
    set_lane(slot->first, lane, row->first);
    set_lane(slot->arm_a, lane, row->arm_a);
    set_lane(slot->arm_b, lane, row->arm_b);
    slot->target[lane] = row->target;
    slot->friction[lane] = row->friction;
    slot->factor_normal[lane] = factors->normal;
    slot->factor_friction[lane] = factors->friction;
    slot->per_normal[lane] = factors->per_normal;
    slot->per_friction[lane] = factors->per_friction;
    slot->coupling[0][lane] = factors->coupling.x;
    slot->coupling[1][lane] = factors->coupling.y;
}

// Clears the slots of a batch that have lanes without a contact.
static void clear_gaps(abut_wide *wide, int batch)
{
    const abut_wide_run *runs = &wide->runs[ABUT_LANES * batch];
    int full = ABUT_RUN_CONTACTS, first = wide->batches[batch].first_slot;
    for (int lane = 0; lane < ABUT_LANES; ++lane) {
        full = runs[lane].count < full ? runs[lane].count : full;
    }
    size_t gaps = (size_t)(wide->batches[batch].slot_count - full);
    memset(wide->slots + first + full, 0, gaps * sizeof *wide->slots);
    memset(wide->impulses + first + full, 0, gaps * sizeof *wide->impulses);
}

void abut_wide_load(abut_wide *wide, const abut_system *system, const abut_visit_factors *factors,
                    const abut_visit_impulse *impulses, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        abut_wide_batch *batch = &wide->batches[i];
        clear_gaps(wide, i);
        batch->is_smooth = 1;
        for (int lane = 0; lane < ABUT_LANES; ++lane) {
            load_mover(&system->movers[batch->a[lane]], batch->inverse_mass_a, batch->inertia_a, lane);
            load_mover(&system->movers[batch->b[lane]], batch->inverse_mass_b, batch->inertia_b, lane);
            int first = wide->runs[ABUT_LANES * i + lane].first, count = wide->runs[ABUT_LANES * i + lane].count;
            for (int k = 0; k < count; ++k) {
                load_contact(&wide->slots[batch->first_slot + k], lane, &system->rows[first + k],
                             &factors[first + k]);
                load_impulse(wide, first + k, &impulses[first + k]);
                batch->is_smooth = batch->is_smooth && !(system->rows[first + k].friction > 0.0) &&
                                   abut_norm_squared(impulses[first + k].friction) == 0.0;
            }
        }
    }
}

void abut_wide_store(const abut_wide *wide, abut_system *system, abut_visit_impulse *impulses)
{
    for (int i = 0; i < system->contact_count; ++i) {
        const abut_wide_impulse *impulse = &wide->impulses[wide->places[i].slot];
        int lane = wide->places[i].lane;
        impulses[i].normal = impulse->of[0][lane];
        impulses[i].friction = abut_vec3_make(impulse->of[1][lane], impulse->of[2][lane], 0.0);
    }
    for (int i = 0; i < wide->mover_count; ++i) {
        const double *v = wide->velocities + ABUT_VELOCITY_NUMBERS * i;
        system->movers[i].velocity.linear = abut_vec3_make(v[0], v[1], v[2]);
        system->movers[i].velocity.angular = abut_vec3_make(v[4], v[5], v[6]);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Sweeps

static const abut_wide_miss no_miss = {.largest = {0.0}};

static void merge(abut_wide_miss *into, const abut_wide_miss *from)
{
    for (int i = 0; i < ABUT_LANES; ++i) {
        into->largest[0] = fmax(into->largest[0], from->largest[i]);
        into->zero[0] += from->zero[i];
    }
}

/// A sweep on several threads.
typedef struct sweep_work {
    abut_wide *wide;
    abut_wide_visit *visit;
    double share;
    int level_count; ///< of the sweep: twice those of the plan if it goes back too
    atomic_flag lock;
    abut_wide_miss miss;
} sweep_work;

// Takes batches of a level as long as there are any, then goes to the next level when all of them are done.
static void sweep_levels(void *data, int begin, int end, int worker)
{
    sweep_work *work = data;
    abut_wide *wide = work->wide;
    abut_wide_miss miss = no_miss;
    (void)begin, (void)end, (void)worker;
    for (int i = 0; i < work->level_count; ++i) {
        int is_back = i >= wide->level_count;
        int level = is_back ? 2 * wide->level_count - 1 - i : i;
        int first = level > 0 ? wide->level_ends[level - 1] : 0, count = wide->level_ends[level] - first;
        for (;;) {
            int from = atomic_fetch_add_explicit(&wide->claimed[i], CLAIM_BATCHES, memory_order_relaxed);
            if (from >= count) {
                break;
            }
            int to = from + CLAIM_BATCHES < count ? from + CLAIM_BATCHES : count;
            work->visit(wide, first + from, first + to, is_back, work->share, &miss);
            (void)atomic_fetch_add_explicit(&wide->done[i], to - from, memory_order_release);
        }
        abut_team_wait(&wide->done[i], count);
    }
    while (atomic_flag_test_and_set_explicit(&work->lock, memory_order_acquire)) {
        (void)sched_yield();
    }
    merge(&work->miss, &miss); // a maximum, in any order
    atomic_flag_clear_explicit(&work->lock, memory_order_release);
}

double abut_wide_sweep(abut_wide *wide, abut_wide_visit *visit, int is_symmetric, double share, abut_team *team)
{
    abut_wide_miss all = no_miss;
    if (team != NULL && wide->claimed != NULL) {
        sweep_work work = {.wide = wide,
                           .visit = visit,
                           .share = share,
                           .level_count = is_symmetric ? 2 * wide->level_count : wide->level_count,
                           .lock = ATOMIC_FLAG_INIT,
                           .miss = no_miss};
        for (int i = 0; i < work.level_count; ++i) {
            atomic_init(&wide->claimed[i], 0);
            atomic_init(&wide->done[i], 0);
        }
        abut_team_run(team, abut_team_size(team), 1, sweep_levels, &work);
        all = work.miss;
    } else {
        abut_wide_miss miss = no_miss;
        visit(wide, 0, wide->batch_count, 0, share, &miss);
        if (is_symmetric) {
            visit(wide, 0, wide->batch_count, 1, share, &miss);
        }
        merge(&all, &miss);
    }
    return all.zero[0] == 0.0 ? all.largest[0] : HUGE_VAL;
}
