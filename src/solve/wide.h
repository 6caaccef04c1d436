// SPDX-License-Identifier: MIT
// wide.h: Gauss-Seidel visits to four contacts at a time
//
// Visits to contacts that share no moving body commute. So the contacts are sorted into levels: a run of contacts of
// one pair of bodies is one level above the last run that moves one of its bodies. Runs of a level are independent;
// four of them are a batch, one in each lane of a vector, and batches of a level may run on several threads. If one
// thread does all, a level has up to four runs, chosen such that few lanes stay empty: those first that have the
// longest way of runs after them (Hu 1961, "Parallel sequencing and assembly line problems"). Whatever the number of
// lanes and threads, every body sees its contacts in the order of the problem: the numbers are the same to the last bit
// as in a loop over the contacts (visit.c).
#ifndef ABUT_SOLVE_WIDE_H
#define ABUT_SOLVE_WIDE_H

#include "solve/system.h"
#include "solve/team.h"
#include "solve/visit.h"

enum {
    ABUT_LANES = 4,
    ABUT_RUN_CONTACTS = 4,    ///< longer runs are cut, so that lanes of a batch have similar lengths
    ABUT_VELOCITY_NUMBERS = 8 ///< linear, 0, angular, 0: a cache line
};

typedef double abut_lanes[ABUT_LANES];

/// Four runs. Lanes without a run have the body after the last, which nothing moves.
typedef struct abut_wide_batch {
    int a[ABUT_LANES], b[ABUT_LANES]; ///< movers
    unsigned moves_a, moves_b;        ///< a bit for each lane: whether the mover moves
    int first_slot, slot_count;
    int is_smooth; ///< no contact has friction, or starts with any
    abut_lanes inverse_mass_a, inverse_mass_b;
    abut_lanes inertia_a[6], inertia_b[6]; ///< inverse: xx, yy, zz, xy, xz, yz
} abut_wide_batch;

/// A contact of each run of a batch. Lanes without a contact have zero factors.
typedef struct abut_wide_slot {
    abut_lanes normal[3], first[3];
    abut_lanes arm_a[3], arm_b[3];
    abut_lanes target, friction;
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

/// Contacts of a lane; none if `count` is 0.
typedef struct abut_wide_run {
    int first, count;
} abut_wide_run;

typedef struct abut_wide {
    int batch_count, slot_count, level_count, mover_count;
    int *level_ends; ///< the first batch of the next level
    abut_wide_batch *batches;
    abut_wide_slot *slots;
    abut_wide_impulse *impulses; ///< of each slot
    double *velocities;          ///< of each mover
    abut_wide_place *places;     ///< of each contact
    abut_wide_run *runs;         ///< of each lane of each batch
    atomic_int *claimed, *done;  ///< batches of each level of a sweep forward and back; NULL: one thread
} abut_wide;

/// What a sweep found.
typedef struct abut_wide_miss {
    abut_lanes largest; ///< the largest squared speed by which a contact missed its condition
    abut_lanes zero;    ///< NaN if a number was not finite
} abut_wide_miss;

/// Visits the batches from `begin` to `end` - 1, or back from `end` - 1 to `begin`.
typedef void abut_wide_visit(const abut_wide *wide, int begin, int end, int is_back, double share,
                             abut_wide_miss *miss);

/// The loops over numbers, for a kind of processor. All kinds give the same bits.
typedef struct abut_wide_code {
    abut_wide_visit *visit;
    /// The sum of (to - from)^2.
    double (*squared_change)(const double *to, const double *from, size_t count);
    /// Goes on from `at` by `ratio` times `way`: `next` and `start` get the point, `way` the way to it from `start`.
    void (*advance)(const double *at, double ratio, double *next, double *start, double *way, size_t count);
    /// 0, or NaN if a number is not finite.
    double (*zero_of)(const double *numbers, size_t count);
} abut_wide_code;

extern const abut_wide_code abut_wide_plain;
#if defined(ABUT_HAS_AVX2)
extern const abut_wide_code abut_wide_avx2; ///< only for processors with AVX2
#endif
/// The fastest that the processor can run.
const abut_wide_code *abut_wide_choose(void);

/// Two movers of a contact, which move or not.
typedef struct abut_wide_pair {
    int a, b;
} abut_wide_pair;

/// Sorts contacts into batches and takes the memory. Mover `mover_count` - 1 is the one that nothing moves.
/// @return ABUT_OK or ABUT_NO_MEMORY
abut_status abut_wide_plan(abut_arena *arena, const abut_wide_pair *pairs, int contact_count,
                           const unsigned char *moves, int mover_count, int has_threads, abut_wide *wide);
/// Copies the contacts of the batches from `begin` to `end` - 1, with their factors and impulses, and the masses of
/// their movers.
void abut_wide_load(abut_wide *wide, const abut_system *system, const abut_visit_factors *factors,
                    const abut_visit_impulse *impulses, int begin, int end);
/// Copies velocities.
void abut_wide_load_velocities(abut_wide *wide, const abut_system *system);
/// Copies impulses and velocities, after all was loaded.
void abut_wide_load_state(abut_wide *wide, const abut_system *system, const abut_visit_impulse *impulses);
/// Copies impulses and velocities back.
void abut_wide_store(const abut_wide *wide, abut_system *system, abut_visit_impulse *impulses);

/// Visits all contacts in order, and then back if `is_symmetric`. With a team, which `wide` was planned for: on its
/// threads. Returns the largest
/// squared speed by which a contact missed its condition; infinite if a number was not finite.
double abut_wide_sweep(abut_wide *wide, abut_wide_visit *visit, int is_symmetric, double share, abut_team *team);

#endif
