// SPDX-License-Identifier: MIT
// wide.c: loads contacts into batches, and sweeps over them
#include "solve/wide.h"

#include <string.h>

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

static void load_contact(abut_wide_slot *slot, int lane, const abut_row *row)
{
    set_lane(slot->arm_a, lane, row->arm_a);
    set_lane(slot->arm_b, lane, row->arm_b);
    slot->target[lane] = row->target;
    slot->drift[0][lane] = abut_dot(row->first, row->drift);
    slot->drift[1][lane] = abut_dot(row->second, row->drift);
}

static void load_factors(abut_wide_slot *slot, int lane, const abut_visit_factors *factors)
{
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
    int full = ABUT_RUN_CONTACTS, first = wide->batches[batch].first_slot;
    for (int lane = 0; lane < ABUT_LANES; ++lane) {
        int run = wide->batches[batch].runs[lane], count = run >= 0 ? wide->runs[run].count : 0;
        full = count < full ? count : full;
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
            if (batch->runs[lane] < 0) {
                continue;
            }
            int first = wide->runs[batch->runs[lane]].first, count = wide->runs[batch->runs[lane]].count;
            set_lane(batch->normal, lane, system->rows[first].normal);
            set_lane(batch->first, lane, system->rows[first].first);
            batch->friction[lane] = system->rows[first].friction;
            for (int k = 0; k < count; ++k) {
                load_contact(&wide->slots[batch->first_slot + k], lane, &system->rows[first + k]);
                if (factors != NULL) {
                    load_factors(&wide->slots[batch->first_slot + k], lane, &factors[first + k]);
                }
                load_impulse(wide, first + k, &impulses[first + k]);
                batch->is_smooth = batch->is_smooth && !(system->rows[first + k].friction > 0.0) &&
                                   abut_norm_squared(impulses[first + k].friction) == 0.0;
            }
        }
    }
}

void abut_wide_retarget(abut_wide *wide, const abut_system *system, const abut_visit_impulse *impulses, int begin,
                        int end)
{
    for (int i = begin; i < end; ++i) {
        abut_wide_batch *batch = &wide->batches[i];
        batch->is_smooth = 1;
        memset(wide->impulses + batch->first_slot, 0, (size_t)batch->slot_count * sizeof *wide->impulses);
        for (int lane = 0; lane < ABUT_LANES; ++lane) {
            const abut_wide_run none = {0, 0};
            abut_wide_run run = batch->runs[lane] >= 0 ? wide->runs[batch->runs[lane]] : none;
            for (int k = 0; k < run.count; ++k) {
                wide->slots[batch->first_slot + k].target[lane] = system->rows[run.first + k].target;
                wide->impulses[batch->first_slot + k].of[0][lane] = impulses[run.first + k].normal;
            }
        }
    }
}

void abut_wide_store(const abut_wide *wide, abut_visit_impulse *impulses, int begin, int end)
{
    for (int i = begin; i < end; ++i) {
        const abut_wide_impulse *impulse = &wide->impulses[wide->places[i].slot];
        int lane = wide->places[i].lane;
        impulses[i].normal = impulse->of[0][lane];
        impulses[i].friction = abut_vec3_make(impulse->of[1][lane], impulse->of[2][lane], 0.0);
    }
}

void abut_wide_store_velocities(const abut_wide *wide, abut_system *system)
{
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

// The segments of a member. Returns 0 if it has none.
static int find_segments(const abut_wide *wide, int member, int member_count, int *begin, int *end)
{
    int members = member_count < wide->segment_count ? member_count : wide->segment_count;
    *begin = member < members ? abut_team_share(wide->segment_count, member, members) : 0;
    *end = member < members ? abut_team_share(wide->segment_count, member + 1, members) : 0;
    return member < members;
}

static size_t first_number(const abut_wide *wide, int batch)
{
    int slot = batch < wide->batch_count ? wide->batches[batch].first_slot : wide->slot_count;
    return (size_t)slot * sizeof *wide->impulses / sizeof(double);
}

void abut_wide_for_share(const abut_wide *wide, int member, int member_count, abut_wide_numbers *impulses,
                         abut_wide_numbers *velocities, void *data)
{
    int begin, end;
    if (member_count == 1) { // all at once
        impulses(data, 0, first_number(wide, wide->batch_count));
        velocities(data, 0, (size_t)wide->mover_count * ABUT_VELOCITY_NUMBERS);
        return;
    }
    if (!find_segments(wide, member, member_count, &begin, &end)) {
        return;
    }
    size_t first = first_number(wide, abut_wide_range_begin(wide, begin, 0));
    impulses(data, first, first_number(wide, abut_wide_range_begin(wide, end, 0)) - first);
    for (int i = begin > 0 ? wide->stretch_ends[begin - 1] : 0; i < wide->stretch_ends[end - 1]; ++i) {
        abut_wide_stretch s = wide->stretches[i];
        velocities(data, (size_t)s.begin * ABUT_VELOCITY_NUMBERS,
                   (size_t)(s.end - s.begin) * ABUT_VELOCITY_NUMBERS);
    }
}

// Adds up the pieces of sums that have all their runs in segments from `begin` to `end` - 1; those with runs of several
// segments if `begin` is -1.
static void sum_pieces(const abut_wide *wide, const abut_wide_code *code, int begin, int end)
{
    for (int i = 0, first = 0; first < wide->run_count; ++i, first += ABUT_PIECE_RUNS) {
        int left = wide->run_count - first;
        if (wide->piece_segments[i] >= begin && wide->piece_segments[i] < end) {
            wide->piece_sums[i] =
                code->sum(wide->sums + first, (size_t)(left < ABUT_PIECE_RUNS ? left : ABUT_PIECE_RUNS));
        }
    }
}

double abut_wide_change(const abut_wide *wide, const abut_wide_code *code)
{
    return code->sum(wide->piece_sums, (size_t)((wide->run_count + ABUT_PIECE_RUNS - 1) / ABUT_PIECE_RUNS));
}

// A velocity that is not finite does not always show in a miss: a contact without friction takes NaN for parting.
static double zero_of_velocities(const abut_wide *wide, const abut_wide_code *code, int begin, int end)
{
    double zero = 0.0;
    for (int i = begin > 0 ? wide->stretch_ends[begin - 1] : 0; i < wide->stretch_ends[end - 1]; ++i) {
        abut_wide_stretch s = wide->stretches[i];
        zero += code->zero_of(wide->velocities + (size_t)s.begin * ABUT_VELOCITY_NUMBERS,
                              (size_t)(s.end - s.begin) * ABUT_VELOCITY_NUMBERS);
    }
    return zero;
}

/// A sweep on several threads.
typedef struct sweep_work {
    abut_wide *wide;
    abut_team *team;
    const abut_wide_code *code;
    double share;
    int stage_count; ///< levels of the sweep: twice those of the plan if it goes back too
} sweep_work;

// Visits the segments of a member, level by level. Before a level of a segment, it waits until other segments have
// visited what comes before it. What the leader needs of the numbers is found here, by the thread that has them.
static void sweep_segments(void *data, int member, int member_count)
{
    const sweep_work work = *(const sweep_work *)data; // a copy: the leader writes beside its own
    abut_wide *wide = work.wide;
    abut_wide_miss miss = no_miss;
    int count = wide->segment_count, begin, end;
    if (!find_segments(wide, member, member_count, &begin, &end)) {
        return;
    }
    for (int stage = 0; stage < work.stage_count; ++stage) {
        int is_back = stage >= wide->level_count, level = is_back ? 2 * wide->level_count - 1 - stage : stage;
        for (int segment = begin; segment < end; ++segment) {
            int at = stage * count + segment;
            for (int i = at > 0 ? wide->wait_ends[at - 1] : 0; i < wide->wait_ends[at]; ++i) {
                abut_team_wait(work.team, member, &wide->progress[wide->waits[i].segment].stages,
                               wide->waits[i].stages);
            }
            work.code->visit(wide, abut_wide_range_begin(wide, segment, level),
                             abut_wide_range_begin(wide, segment, level + 1), is_back, work.share, &miss);
            atomic_store_explicit(&wide->progress[segment].stages, stage + 1, memory_order_release);
        }
    }
    if (wide->start != NULL) {
        sum_pieces(wide, work.code, begin, end);
        miss.zero[0] += zero_of_velocities(wide, work.code, begin, end);
    }
    wide->progress[begin].miss = miss;
}

static abut_wide_miss sweep_together(abut_wide *wide, const abut_wide_code *code, double share, abut_team *team)
{
    abut_wide_miss all = no_miss;
    sweep_work work = {.wide = wide,
                       .team = team,
                       .code = code,
                       .share = share,
                       .stage_count = wide->start != NULL ? 2 * wide->level_count : wide->level_count};
    for (int i = 0; i < wide->segment_count; ++i) {
        atomic_store_explicit(&wide->progress[i].stages, 0, memory_order_relaxed);
        wide->progress[i].miss = no_miss;
    }
    abut_team_call(team, sweep_segments, &work);
    for (int i = 0; i < wide->segment_count; ++i) {
        merge(&all, &wide->progress[i].miss);
    }
    if (wide->start != NULL) {
        sum_pieces(wide, code, -1, 0);
    } else {
        // forward only: movers are last visited by others than in a sweep back
        all.zero[0] += code->zero_of(wide->velocities, (size_t)wide->mover_count * ABUT_VELOCITY_NUMBERS);
    }
    return all;
}

double abut_wide_sweep(abut_wide *wide, const abut_wide_code *code, double share, abut_team *team)
{
    abut_wide_miss all = no_miss;
    if (wide->segment_count > 1) {
        all = sweep_together(wide, code, share, team);
    } else {
        abut_wide_miss miss = no_miss;
        code->visit(wide, 0, wide->batch_count, 0, share, &miss);
        if (wide->start != NULL) {
            code->visit(wide, 0, wide->batch_count, 1, share, &miss);
            sum_pieces(wide, code, 0, 1);
        }
        merge(&all, &miss);
        all.zero[0] += code->zero_of(wide->velocities, (size_t)wide->mover_count * ABUT_VELOCITY_NUMBERS);
    }
    return all.zero[0] == 0.0 ? all.largest[0] : HUGE_VAL;
}
