// SPDX-License-Identifier: MIT
// wide.h: Gauss-Seidel visits to four contacts at a time
//
// Visits to contacts that share no moving body commute. So the contacts are sorted into levels: runs of contacts of one
// pair of bodies and one normal, none of which moves a body of another one. Four runs are a batch, one in each lane of a
// vector. Two batches of a level are visited together, part by part: while one waits for its numbers, the processor works
// on the other. Those runs come first that have the longest way of runs after them (Hu 1961, "Parallel sequencing and
// assembly line problems"): few lanes stay empty, and there are few levels.
//
// For threads, the runs of a level are cut into segments. A thread stays with its segment, level after level, and waits
// for another thread only if that one has to visit a body of its next level first.
//
// Whatever the number of lanes and segments, every body sees its contacts in the order of the problem, and sums are made
// run by run: the numbers are the same to the last bit as in a loop over the contacts (visit.c).
#ifndef ABUT_SOLVE_WIDE_H
#define ABUT_SOLVE_WIDE_H

#include "solve/system.h"
#include "solve/team.h"
#include "solve/visit.h"

enum {
    ABUT_LANES = 4,
    ABUT_RUN_CONTACTS = 4,    ///< longer runs are cut, so that lanes of a batch have similar lengths
    ABUT_PIECE_RUNS = 64,     ///< runs whose sums are added up together, whatever their segments
    ABUT_VELOCITY_NUMBERS = 8 ///< linear, 0, angular, 0: a cache line
};

typedef double abut_lanes[ABUT_LANES];

/// Four runs. Lanes without a run have the body after the last, which nothing moves.
typedef struct abut_wide_batch {
    _Alignas(64) abut_lanes normal[3]; ///< of all contacts of a run
    abut_lanes first[3];
    abut_lanes friction;
    abut_lanes inverse_mass_a, inverse_mass_b;
    abut_lanes inertia_a[6], inertia_b[6]; ///< inverse: xx, yy, zz, xy, xz, yz
    int a[ABUT_LANES], b[ABUT_LANES];      ///< movers
    int runs[ABUT_LANES];                  ///< -1: none
    int first_slot, slot_count;
    unsigned moves_a, moves_b; ///< a bit for each lane: whether the mover moves
    int is_smooth;             ///< no contact has friction, or starts with any
    int has_twin;              ///< no run of the next batch moves a body of this one
} abut_wide_batch;

/// A contact of each run of a batch. Lanes without a contact have zero factors.
typedef struct abut_wide_slot {
    abut_lanes arm_a[3], arm_b[3];
    abut_lanes target, drift[2]; ///< the drift along the directions of friction
    abut_lanes factor_normal, factor_friction, per_normal, per_friction;
    abut_lanes coupling[2];
} abut_wide_slot;

/// Normal impulse and friction.
typedef struct abut_wide_impulse {
    abut_lanes of[3];
} abut_wide_impulse;

typedef struct abut_wide_place {
    int slot, lane;
} abut_wide_place;

/// Contacts of one pair of bodies with one frame and friction.
typedef struct abut_wide_run {
    int first, count;
} abut_wide_run;

/// What a sweep found.
typedef struct abut_wide_miss {
    abut_lanes largest; ///< the largest squared speed by which a contact missed its condition
    abut_lanes zero;    ///< NaN if a number was not finite
} abut_wide_miss;

/// Movers from `begin` to `end` - 1.
typedef struct abut_wide_stretch {
    int begin, end;
} abut_wide_stretch;

/// A segment waits until another one has visited so many levels, forward and back.
typedef struct abut_wide_wait {
    int segment, stages;
} abut_wide_wait;

/// How far a segment is. Segments are on different cache lines.
typedef struct abut_wide_progress {
    atomic_int stages;   ///< levels that were visited in this sweep, forward and back
    abut_wide_miss miss; ///< of this segment and of the next ones of the same thread
    char space[64];
} abut_wide_progress;

typedef struct abut_wide {
    int batch_count, slot_count, run_count, level_count, mover_count;
    int segment_count; ///< 1: no threads
    int *range_ends;   ///< by segments and levels: the first batch of the next one
    abut_wide_batch *batches;
    abut_wide_slot *slots;
    abut_wide_impulse *impulses; ///< of each slot
    const abut_wide_impulse
        *start;                   ///< at the start of the iteration, for `sums`; set before a sweep that goes back
    double *sums;                 ///< of each run: the squared change of its impulses since then
    double *piece_sums;           ///< of these, ABUT_PIECE_RUNS at a time
    const int *piece_segments;    ///< that have all runs of a piece; or -1
    double *velocities;           ///< of each mover
    abut_wide_place *places;      ///< of each contact
    abut_wide_run *runs;          ///< in the order of the problem
    abut_wide_wait *waits;        ///< what segments wait for, by levels forward and back, then by segments
    int *wait_ends;               ///< of each of these
    abut_wide_progress *progress; ///< of each segment
    abut_wide_stretch *stretches; ///< movers that segments visit last, by segments
    int *stretch_ends;            ///< of each segment
} abut_wide;

/// The first batch of a level of a segment; of the level after the last: the end of the segment.
static inline int abut_wide_range_begin(const abut_wide *wide, int segment, int level)
{
    int range = segment * wide->level_count + level;
    return range > 0 ? wide->range_ends[range - 1] : 0;
}

/// Visits the batches from `begin` to `end` - 1, or back from `end` - 1 to `begin`.
typedef void abut_wide_visit(const abut_wide *wide, int begin, int end, int is_back, double share,
                             abut_wide_miss *miss);

/// Does something with the numbers of some slots or movers: those from `first` on.
typedef void abut_wide_numbers(void *data, size_t first, size_t count);

/// Calls `impulses` for the numbers of the slots of a member's segments, and `velocities` for those of its movers: all
/// numbers are some member's.
void abut_wide_for_share(const abut_wide *wide, int member, int member_count, abut_wide_numbers *impulses,
                         abut_wide_numbers *velocities, void *data);

/// The loops over numbers, for a kind of processor. All kinds give the same bits.
typedef struct abut_wide_code {
    abut_wide_visit *visit;
    /// Finds the factors of the slots of the batches from `begin` to `end` - 1 by ABUT_FACTOR_LOCAL. Impulses that move
    /// nothing become zero.
    void (*find_factors)(const abut_wide *wide, int begin, int end);
    double (*sum)(const double *numbers, size_t count);
    /// The sum of (to - from)^2.
    double (*squared_change)(const double *to, const double *from, size_t count);
    /// Goes on from `at` by `ratio` times the way from `earlier` to `start`: `earlier` gets the point, and `next` if it
    /// is not NULL.
    void (*advance)(const double *at, double ratio, const double *start, double *earlier, double *next,
                    size_t count);
    /// 0, or NaN if a number is not finite.
    double (*zero_of)(const double *numbers, size_t count);
} abut_wide_code;

extern const abut_wide_code abut_wide_plain;
#if defined(ABUT_HAS_AVX2)
extern const abut_wide_code abut_wide_avx2; ///< only for processors with AVX2
#endif
/// The fastest that the processor can run.
const abut_wide_code *abut_wide_choose(void);

/// Two movers of a contact, which move or not. Contacts of the same pair and frame have the same normal, tangents and
/// friction.
typedef struct abut_wide_pair {
    int a, b;
    int frame;
} abut_wide_pair;

/// Memory that begins with a cache line, so that no vector is in two of them; or NULL.
void *abut_wide_take(abut_arena *arena, size_t size);

/// Sorts contacts into batches and takes the memory (wide_plan.c). Mover `mover_count` - 1 is the one that nothing moves.
/// There are at most `segment_limit` segments; fewer if the problem has too little to do at a time.
/// @return ABUT_OK or ABUT_NO_MEMORY
abut_status abut_wide_plan(abut_arena *arena, const abut_wide_pair *pairs, int contact_count,
                           const unsigned char *moves, int mover_count, int segment_limit, abut_wide *wide);
/// Copies the contacts of the batches from `begin` to `end` - 1, with their factors (NULL: not yet) and impulses, and the
/// masses of their movers.
void abut_wide_load(abut_wide *wide, const abut_system *system, const abut_visit_factors *factors,
                    const abut_visit_impulse *impulses, int begin, int end);
/// Copies the targets and normal impulses of these contacts, which have no friction now.
void abut_wide_retarget(abut_wide *wide, const abut_system *system, const abut_visit_impulse *impulses, int begin,
                        int end);
/// Whether impulses at a contact move anything, after its factors are known.
static inline int abut_wide_responds(const abut_wide *wide, int contact)
{
    return wide->slots[wide->places[contact].slot].per_normal[wide->places[contact].lane] > 0.0;
}

/// Copies velocities.
void abut_wide_load_velocities(abut_wide *wide, const abut_system *system);
/// Copies impulses and velocities, after all was loaded.
void abut_wide_load_state(abut_wide *wide, const abut_system *system, const abut_visit_impulse *impulses);
/// Copies the impulses of the contacts from `begin` to `end` - 1 back.
void abut_wide_store(const abut_wide *wide, abut_visit_impulse *impulses, int begin, int end);
/// Copies velocities back.
void abut_wide_store_velocities(const abut_wide *wide, abut_system *system);

/// Visits all contacts in order, and then back if there is a `start`; with a team, on its threads. Returns the largest
/// squared speed by which a contact missed its condition; infinite if this or a velocity is not finite.
double abut_wide_sweep(abut_wide *wide, const abut_wide_code *code, double share, abut_team *team);
/// After a sweep forward and back: the squared change of all impulses since its start.
double abut_wide_change(const abut_wide *wide, const abut_wide_code *code);

#endif
