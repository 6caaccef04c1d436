// SPDX-License-Identifier: MIT
// wide_plan.c: sorts contacts into runs, levels and batches, and finds what the segments of a sweep wait for
#include "solve/wide.h"

#include <string.h>

// Batches of a level that a segment has at most: two, which are visited together.
enum { LEVEL_BATCHES = 2 };

// Runs that can be visited at once, on the average, for two batches in a level: with fewer, lanes of both stay empty.
enum { LEVEL_RUNS = 6 };

// Levels after which a segment may count on another one: if it did so at once, threads would often wait for each other.
enum { SEGMENT_LAG = 4 };

// Runs that can be visited at once, on the average, for each segment: with fewer, lanes stay empty.
enum { SEGMENT_RUNS = 8 };

// Of the levels of all segments: if more wait for other segments, threads take longer than one thread alone. Measured: in
// walls 0.13 to 0.17 of them wait, and two threads are 1.5 to 2 times as fast as one; in a pile 0.38, and 0.84 times.
static const double most_waits = 0.25;

typedef struct run {
    int number; ///< in the order of the problem
    int first, count, level, segment;
} run;

// A run in the order of visits.
typedef struct order {
    int next[2];  ///< the next run that moves body A, or B; or -1
    int waits;    ///< for so many runs that come before it
    int tail;     ///< contacts on the longest way from here to the last run, through runs that wait for each other
    int earliest; ///< level, because of the runs that were visited
    int below;    ///< another run in the same list; or -1
} order;

typedef struct planner {
    const abut_wide_pair *pairs;
    int contact_count;
    const unsigned char *moves;
    int mover_count;
    int segment_count;
    run *runs, *sorted;
    order *orders;
    int run_count, level_count;
    int depth; ///< the most runs of which each waits for the one before it
    int longest_tail;
} planner;

// ---------------------------------------------------------------------------------------------------------------
// Runs

// Cuts the contacts into runs, each as early a level as it can have. `next_level` has room for all movers.
static void find_runs(planner *p, int *next_level)
{
    memset(next_level, 0, (size_t)p->mover_count * sizeof *next_level);
    for (int i = 0; i < p->contact_count;) {
        int a = p->pairs[i].a, b = p->pairs[i].b, count = 1;
        while (count < ABUT_RUN_CONTACTS && i + count < p->contact_count && p->pairs[i + count].a == a &&
               p->pairs[i + count].b == b && p->pairs[i + count].frame == p->pairs[i].frame) {
            ++count;
        }
        int level_a = p->moves[a] ? next_level[a] : 0, level_b = p->moves[b] ? next_level[b] : 0;
        run made = {
            .number = p->run_count, .first = i, .count = count, .level = level_a > level_b ? level_a : level_b};
        next_level[a] = next_level[b] = made.level + 1; // not read of movers that do not move
        p->depth = made.level + 1 > p->depth ? made.level + 1 : p->depth;
        p->runs[p->run_count++] = made;
        i += count;
    }
}

// Finds which runs wait for which; `last` has room for all movers.
static void find_order(planner *p, int *last)
{
    memset(last, -1, (size_t)p->mover_count * sizeof *last);
    for (int i = p->run_count - 1; i >= 0; --i) {
        abut_wide_pair pair = p->pairs[p->runs[i].first];
        const int bodies[2] = {pair.a, pair.b};
        order *o = &p->orders[i];
        int longest = 0;
        o->waits = o->earliest = 0;
        for (int k = 0; k < 2; ++k) {
            o->next[k] = p->moves[bodies[k]] ? last[bodies[k]] : -1;
            if (o->next[k] >= 0) {
                order *next = &p->orders[o->next[k]];
                ++next->waits;
                longest = next->tail > longest ? next->tail : longest;
            }
        }
        o->tail = p->runs[i].count + longest;
        p->longest_tail = o->tail > p->longest_tail ? o->tail : p->longest_tail;
        last[pair.a] = last[pair.b] = i;
    }
}

// Where a mover is among those that are visited at the same time.
typedef struct rank {
    double sum; ///< over its runs: from 0 for the first run of the level to 1 for the last one
    int count;
} rank;

// Gives each run to a segment. A level is cut where its runs, in the order of the problem, are: the first segment gets
// the first ones. A mover is in the middle of its runs, and a run is in the segment of a mover, so that few movers change
// segments. `sizes` and `seen` have room for `depth`, `ranks` for all movers.
static void find_segments(planner *p, int *sizes, int *seen, rank *ranks)
{
    memset(sizes, 0, (size_t)p->depth * sizeof *sizes);
    memset(seen, 0, (size_t)p->depth * sizeof *seen);
    memset(ranks, 0, (size_t)p->mover_count * sizeof *ranks);
    for (int i = 0; i < p->run_count; ++i) {
        ++sizes[p->runs[i].level];
    }
    for (int i = 0; i < p->run_count; ++i) {
        int level = p->runs[i].level;
        double at = (seen[level]++ + 0.5) / sizes[level];
        abut_wide_pair pair = p->pairs[p->runs[i].first];
        ranks[pair.a].sum += at;
        ranks[pair.b].sum += at;
        ++ranks[pair.a].count;
        ++ranks[pair.b].count;
    }
    for (int i = 0; i < p->run_count; ++i) {
        abut_wide_pair pair = p->pairs[p->runs[i].first];
        const rank *r = &ranks[p->moves[pair.a] ? pair.a : pair.b];
        int segment = (int)(p->segment_count * r->sum / r->count);
        p->runs[i].segment = segment < p->segment_count ? segment : p->segment_count - 1;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Levels

// Runs that may be visited next: of each segment, a list for each tail; and those that become so in the next levels.
typedef struct ready {
    int *lists;
    int *highest;               ///< tail of each segment that may have a run
    int later[SEGMENT_LAG + 1]; ///< lists by level, which repeats
} ready;

static void push_ready(const planner *p, const ready *r, int at)
{
    order *o = &p->orders[at];
    int segment = p->runs[at].segment, *list = &r->lists[segment * (p->longest_tail + 1) + o->tail];
    o->below = *list;
    *list = at;
    r->highest[segment] = o->tail > r->highest[segment] ? o->tail : r->highest[segment];
}

// Takes the run of a segment with the longest tail. Returns -1 if there is none.
static int pop_ready(const planner *p, const ready *r, int segment)
{
    int *lists = &r->lists[segment * (p->longest_tail + 1)];
    while (r->highest[segment] > 0 && lists[r->highest[segment]] < 0) {
        --r->highest[segment];
    }
    int at = lists[r->highest[segment]]; // no run has a tail of 0
    lists[r->highest[segment]] = at >= 0 ? p->orders[at].below : -1;
    return at;
}

static void push_later(const planner *p, ready *r, int at)
{
    int *list = &r->later[p->orders[at].earliest % (SEGMENT_LAG + 1)];
    p->orders[at].below = *list;
    *list = at;
}

// After a visit to a run: those that waited for it.
static void release_next(const planner *p, ready *r, int at)
{
    for (int k = 0; k < 2; ++k) {
        int next = p->orders[at].next[k];
        if (next >= 0) {
            order *o = &p->orders[next];
            int lag = p->runs[next].segment == p->runs[at].segment ? 1 : SEGMENT_LAG;
            int earliest = p->runs[at].level + lag;
            o->earliest = earliest > o->earliest ? earliest : o->earliest;
            if (--o->waits == 0) {
                push_later(p, r, next);
            }
        }
    }
}

// Gives each level up to `width` runs of each segment, those first that most others wait for: few lanes stay empty, and
// there are few levels. `taken` has room for all runs.
static void fill_levels(planner *p, int width, ready *r, int *taken)
{
    int left = p->run_count;
    memset(r->lists, -1,
           (size_t)p->segment_count * ((size_t)p->longest_tail + 1) * sizeof *r->lists); // all are empty
    memset(r->highest, 0, (size_t)p->segment_count * sizeof *r->highest);
    memset(r->later, -1, sizeof r->later);
    for (int i = 0; i < p->run_count; ++i) {
        if (p->orders[i].waits == 0) {
            push_later(p, r, i);
        }
    }
    for (p->level_count = 0; left > 0; ++p->level_count) {
        int count = 0, *due = &r->later[p->level_count % (SEGMENT_LAG + 1)];
        for (int at = *due, next; at >= 0; at = next) {
            next = p->orders[at].below;
            push_ready(p, r, at);
        }
        *due = -1;
        for (int segment = 0; segment < p->segment_count; ++segment) {
            for (int i = 0, at; i < width && (at = pop_ready(p, r, segment)) >= 0; ++i) {
                p->runs[at].level = p->level_count;
                taken[count++] = at;
            }
        }
        for (int i = 0; i < count; ++i) {
            release_next(p, r, taken[i]);
        }
        left -= count;
    }
}

// What a segment visits is in one piece, so that no thread, and no prefetch for it, gets near the data of another.
static int range_of(const planner *p, const run *r)
{
    return r->segment * p->level_count + r->level;
}

// The order of the runs: those of a range the longest first, since lanes of similar length waste fewer slots.
static int key_of(const planner *p, const run *r)
{
    return (range_of(p, r) + 1) * ABUT_RUN_CONTACTS - r->count;
}

// `ends` has room for all keys.
static void sort_runs(planner *p, int *ends)
{
    int key_count = p->level_count * p->segment_count * ABUT_RUN_CONTACTS;
    memset(ends, 0, (size_t)key_count * sizeof *ends);
    for (int i = 0; i < p->run_count; ++i) {
        ++ends[key_of(p, &p->runs[i])];
    }
    for (int i = 0, begin = 0; i < key_count; ++i) {
        int count = ends[i];
        ends[i] = begin;
        begin += count;
    }
    for (int i = 0; i < p->run_count; ++i) {
        p->sorted[ends[key_of(p, &p->runs[i])]++] = p->runs[i];
    }
}

// Finds the runs, their segments, at most `segment_limit`, and their levels, and sorts them.
static int find_levels(abut_arena *arena, planner *p, int segment_limit)
{
    size_t contacts = (size_t)p->contact_count, movers = (size_t)p->mover_count;
    p->runs = abut_arena_take(arena, contacts * sizeof *p->runs);
    p->sorted = abut_arena_take(arena, contacts * sizeof *p->sorted);
    p->orders = abut_arena_take(arena, contacts * sizeof *p->orders);
    int *last = abut_arena_take(arena, movers * sizeof *last);
    rank *ranks = abut_arena_take(arena, movers * sizeof *ranks);
    int *taken = abut_arena_take(arena, 2 * contacts * sizeof *taken);
    if (p->runs == NULL || p->sorted == NULL || p->orders == NULL || last == NULL || ranks == NULL ||
        taken == NULL) {
        return 0;
    }
    find_runs(p, last);
    find_order(p, last);
    int most = p->run_count / p->depth / SEGMENT_RUNS;
    p->segment_count = most < segment_limit ? most : segment_limit;
    p->segment_count = p->segment_count > 1 ? p->segment_count : 1;
    find_segments(p, taken, taken + p->depth, ranks);
    size_t segments = (size_t)p->segment_count, tails = (size_t)p->longest_tail + 1;
    ready r = {.lists = abut_arena_take(arena, segments * tails * sizeof *r.lists),
               .highest = abut_arena_take(arena, segments * sizeof *r.highest)};
    if (r.lists == NULL || r.highest == NULL) {
        return 0;
    }
    int has_twins = segments > 1 || p->run_count / p->depth >= LEVEL_RUNS;
    fill_levels(p, has_twins ? LEVEL_BATCHES * ABUT_LANES : ABUT_LANES, &r, taken);
    int *ends = abut_arena_take(arena, (size_t)p->level_count * segments * ABUT_RUN_CONTACTS * sizeof *ends);
    if (ends != NULL) {
        sort_runs(p, ends);
    }
    return ends != NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Batches

// Counts batches and slots, and fills `range_ends`.
static void count_batches(abut_wide *wide, const planner *p)
{
    int range = 0;
    for (int i = 0; i < p->run_count;) {
        for (; range < range_of(p, &p->sorted[i]); ++range) {
            wide->range_ends[range] = wide->batch_count;
        }
        ++wide->batch_count;
        wide->slot_count += p->sorted[i].count; // the longest
        for (int lane = 0; lane < ABUT_LANES && i < p->run_count && range_of(p, &p->sorted[i]) == range; ++lane) {
            ++i;
        }
    }
    for (; range < p->level_count * p->segment_count; ++range) {
        wide->range_ends[range] = wide->batch_count;
    }
}

static void fill_batches(abut_wide *wide, const planner *p)
{
    int slot = 0, is_second = 0; ///< of a level
    for (int i = 0, next = 0; i < wide->batch_count; ++i) {
        abut_wide_batch *batch = &wide->batches[i];
        memset(batch, 0, sizeof *batch);
        batch->first_slot = slot;
        batch->slot_count = p->sorted[next].count;
        int range = range_of(p, &p->sorted[next]);
        for (int lane = 0; lane < ABUT_LANES; ++lane) {
            batch->a[lane] = batch->b[lane] = wide->mover_count - 1;
            batch->runs[lane] = -1;
            if (next == p->run_count || range_of(p, &p->sorted[next]) != range) {
                continue;
            }
            const run *r = &p->sorted[next++];
            batch->a[lane] = p->pairs[r->first].a;
            batch->b[lane] = p->pairs[r->first].b;
            batch->moves_a |= p->moves[batch->a[lane]] ? 1u << lane : 0u;
            batch->moves_b |= p->moves[batch->b[lane]] ? 1u << lane : 0u;
            batch->runs[lane] = r->number;
            for (int k = 0; k < r->count; ++k) {
                abut_wide_place place = {slot + k, lane};
                wide->places[r->first + k] = place;
            }
        }
        slot += batch->slot_count;
        is_second = !is_second && next < p->run_count && range_of(p, &p->sorted[next]) == range;
        batch->has_twin = is_second;
    }
    for (int i = 0; i < p->run_count; ++i) {
        abut_wide_run kept = {p->runs[i].first, p->runs[i].count};
        wide->runs[i] = kept;
    }
}

void *abut_wide_take(abut_arena *arena, size_t size)
{
    enum { LINE = 64 };
    char *taken = abut_arena_take(arena, size + LINE);
    return taken != NULL ? taken + (LINE - (uintptr_t)taken % LINE) : NULL;
}

static int take_batches(abut_arena *arena, abut_wide *wide, int contact_count)
{
    size_t batches = (size_t)wide->batch_count, slots = (size_t)wide->slot_count;
    size_t movers = (size_t)wide->mover_count, contacts = (size_t)contact_count;
    wide->batches = abut_wide_take(arena, batches * sizeof *wide->batches);
    wide->runs = abut_arena_take(arena, (size_t)wide->run_count * sizeof *wide->runs);
    wide->slots = abut_wide_take(arena, slots * sizeof *wide->slots);
    wide->impulses = abut_wide_take(arena, slots * sizeof *wide->impulses);
    wide->velocities = abut_wide_take(arena, movers * ABUT_VELOCITY_NUMBERS * sizeof *wide->velocities);
    wide->places = abut_arena_take(arena, contacts * sizeof *wide->places);
    wide->sums = abut_arena_take(arena, (size_t)wide->run_count * sizeof *wide->sums);
    return wide->batches != NULL && wide->runs != NULL && wide->slots != NULL && wide->impulses != NULL &&
           wide->velocities != NULL && wide->places != NULL && wide->sums != NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Segments

/// The last visit to a mover.
typedef struct visited {
    int stage, segment; ///< the stage is -1 if there was none
} visited;

typedef struct waiting {
    abut_wide *wide;
    visited *last;  ///< of each mover
    int *needed;    ///< stages of each segment that the present one needs
    int *known;     ///< of two segments: the stages of the second that the first has waited for
    int wait_count; ///< so far
} waiting;

static void visit_mover(waiting *w, int mover, int stage, int segment)
{
    (void)stage;
    visited *last = &w->last[mover];
    if (last->stage >= 0 && last->segment != segment && w->needed[last->segment] < last->stage + 1) {
        w->needed[last->segment] = last->stage + 1;
    }
}

static void leave_mover(waiting *w, int mover, int stage, int segment)
{
    visited made = {stage, segment};
    w->last[mover] = made;
}

// Calls a function for the movers of a segment's batches that move.
static void for_movers(waiting *w, int stage, int level, int segment,
                       void (*call)(waiting *w, int mover, int stage, int segment))
{
    int end = abut_wide_range_begin(w->wide, segment, level + 1);
    for (int i = abut_wide_range_begin(w->wide, segment, level); i < end; ++i) {
        const abut_wide_batch *batch = &w->wide->batches[i];
        for (int lane = 0; lane < ABUT_LANES; ++lane) {
            if (batch->moves_a >> lane & 1u) {
                call(w, batch->a[lane], stage, segment);
            }
            if (batch->moves_b >> lane & 1u) {
                call(w, batch->b[lane], stage, segment);
            }
        }
    }
}

// Finds for each level of each segment, in a sweep forward and back, how far other segments must be. A segment need not
// wait for what it has already waited for, nor for what the segment before it has waited for.
static void find_waits(waiting *w)
{
    abut_wide *wide = w->wide;
    int count = wide->segment_count;
    memset(w->known, 0, (size_t)count * (size_t)count * sizeof *w->known);
    for (int i = 0; i < wide->mover_count; ++i) {
        leave_mover(w, i, -1, 0);
    }
    for (int stage = 0; stage < 2 * wide->level_count; ++stage) {
        int level = stage < wide->level_count ? stage : 2 * wide->level_count - 1 - stage;
        for (int segment = 0; segment < count; ++segment) {
            memset(w->needed, 0, (size_t)count * sizeof *w->needed);
            for_movers(w, stage, level, segment, visit_mover);
            for_movers(w, stage, level, segment, leave_mover);
            for (int i = 0; i < count; ++i) {
                int *known = &w->known[segment * count + i];
                if (w->needed[i] > *known) {
                    abut_wide_wait wait = {i, w->needed[i]};
                    *known = w->needed[i];
                    wide->waits[w->wait_count++] = wait;
                }
            }
            wide->wait_ends[stage * count + segment] = w->wait_count;
        }
    }
}

// Gives each mover to the segment that visits it last, after which its velocity is in that thread's cache.
static void find_stretches(const waiting *w)
{
    abut_wide *wide = w->wide;
    int count = 0;
    for (int segment = 0; segment < wide->segment_count; ++segment) {
        for (int i = 0; i < wide->mover_count; ++i) {
            if (w->last[i].segment != segment) {
                continue;
            }
            if (count > (segment > 0 ? wide->stretch_ends[segment - 1] : 0) &&
                wide->stretches[count - 1].end == i) {
                ++wide->stretches[count - 1].end;
            } else {
                abut_wide_stretch made = {i, i + 1};
                wide->stretches[count++] = made;
            }
        }
        wide->stretch_ends[segment] = count;
    }
}

// `share` gets the share of the levels of all segments that wait.
static int plan_waits(abut_arena *arena, abut_wide *wide, double *share)
{
    size_t count = (size_t)wide->segment_count, stages = 2 * (size_t)wide->level_count;
    // each batch waits for at most one visit of each of its movers, in both directions
    size_t by_batches = 2 * 2 * ABUT_LANES * (size_t)wide->batch_count, by_segments = stages * count * (count - 1);
    waiting w = {.wide = wide};
    w.last = abut_arena_take(arena, (size_t)wide->mover_count * sizeof *w.last);
    w.needed = abut_arena_take(arena, count * sizeof *w.needed);
    w.known = abut_arena_take(arena, count * count * sizeof *w.known);
    wide->waits =
        abut_arena_take(arena, (by_batches < by_segments ? by_batches : by_segments) * sizeof *wide->waits);
    wide->wait_ends = abut_arena_take(arena, stages * count * sizeof *wide->wait_ends);
    wide->progress = abut_arena_take(arena, count * sizeof *wide->progress);
    wide->stretches = abut_arena_take(arena, (size_t)wide->mover_count * sizeof *wide->stretches);
    wide->stretch_ends = abut_arena_take(arena, count * sizeof *wide->stretch_ends);
    if (w.last == NULL || w.needed == NULL || w.known == NULL || wide->waits == NULL || wide->wait_ends == NULL ||
        wide->progress == NULL || wide->stretches == NULL || wide->stretch_ends == NULL) {
        return 0;
    }
    find_waits(&w);
    find_stretches(&w);
    *share = (double)w.wait_count / (double)(stages * count);
    return 1;
}

// Finds which segment has all runs of each piece.
static int plan_pieces(abut_arena *arena, abut_wide *wide, const planner *p)
{
    size_t count = (size_t)((p->run_count + ABUT_PIECE_RUNS - 1) / ABUT_PIECE_RUNS);
    int *segments = abut_arena_take(arena, count * sizeof *segments);
    wide->piece_sums = abut_arena_take(arena, count * sizeof *wide->piece_sums);
    if (segments == NULL || wide->piece_sums == NULL) {
        return 0;
    }
    for (int i = 0; i < p->run_count; ++i) {
        int *segment = &segments[i / ABUT_PIECE_RUNS];
        *segment = i % ABUT_PIECE_RUNS == 0 || *segment == p->runs[i].segment ? p->runs[i].segment : -1;
    }
    wide->piece_segments = segments;
    return 1;
}

// `waits` gets the share of the levels of all segments that wait.
static abut_status plan_segments(abut_arena *arena, const abut_wide_pair *pairs, int contact_count,
                                 const unsigned char *moves, int mover_count, int segment_limit, abut_wide *wide,
                                 double *waits)
{
    const abut_wide empty = {.mover_count = mover_count};
    *wide = empty;
    planner p = {.pairs = pairs, .contact_count = contact_count, .moves = moves, .mover_count = mover_count};
    if (!find_levels(arena, &p, segment_limit)) {
        return ABUT_NO_MEMORY;
    }
    wide->run_count = p.run_count;
    wide->level_count = p.level_count;
    wide->segment_count = p.segment_count;
    size_t ranges = (size_t)p.level_count * (size_t)p.segment_count;
    wide->range_ends = abut_arena_take(arena, ranges * sizeof *wide->range_ends);
    if (wide->range_ends == NULL) {
        return ABUT_NO_MEMORY;
    }
    count_batches(wide, &p);
    if (!take_batches(arena, wide, contact_count)) {
        return ABUT_NO_MEMORY;
    }
    fill_batches(wide, &p);
    if (!plan_pieces(arena, wide, &p)) {
        return ABUT_NO_MEMORY;
    }
    return wide->segment_count == 1 || plan_waits(arena, wide, waits) ? ABUT_OK : ABUT_NO_MEMORY;
}

abut_status abut_wide_plan(abut_arena *arena, const abut_wide_pair *pairs, int contact_count,
                           const unsigned char *moves, int mover_count, int segment_limit, abut_wide *wide)
{
    double waits = 0.0;
    abut_status status =
        plan_segments(arena, pairs, contact_count, moves, mover_count, segment_limit, wide, &waits);
    if (status == ABUT_OK && waits > most_waits) {
        status = plan_segments(arena, pairs, contact_count, moves, mover_count, 1, wide, &waits);
    }
    return status;
}
