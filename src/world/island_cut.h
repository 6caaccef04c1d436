// SPDX-License-Identifier: MIT
// island_cut.h: steps that are cut at times of contact, for the bodies that meet and those in contact with them
//
// The whole world has tried the step, and some bodies meet on their way. They and all bodies that they push make an
// island. A part of the world has this island and, as obstacles that move as they did, what is near; it does the step
// again, with cuts. If it runs into an obstacle, that obstacle and its island are joined to it, and it is done once more.
// So the cost of a cut follows the island, and the order of the islands, by their lowest bodies, makes the answer the
// same on any number of threads.
#ifndef ABUT_WORLD_ISLAND_CUT_H
#define ABUT_WORLD_ISLAND_CUT_H

#include "world/world.h"

/// A pair of bodies of the part of one run, with numbers of the whole world. Its ranges are in the lists of abut_cut_results.
typedef struct abut_cut_pair {
    abut_pair_state state;
    int run;
    int solve_begin, solve_count;
} abut_cut_pair;

typedef struct abut_cut_change {
    abut_world_change change;
    int run;
} abut_cut_change;

/// What runs of parts found, one after the other. Later runs replace what earlier ones found of the same bodies.
typedef struct abut_cut_results {
    abut_cut_pair *pairs;
    abut_world_contact *contacts;
    abut_region_list regions;
    abut_cut_change *changes;
    abut_solve_contact *solve_contacts;
    abut_solve_impulse *impulses; ///< of a whole step
    int pair_count, contact_count, change_count, solve_count;
    int pair_capacity, contact_capacity, change_capacity, solve_capacity, impulse_capacity;
} abut_cut_results;

typedef struct abut_island_cut {
    abut_world part; ///< owns its lists; shares methods, materials, solver and workspaces with the whole world
    int run_count;
    double work;             ///< bodies times cuts and impacts of the island, and of what has been joined to it
    double *works;           ///< of the root of an island
    int *runs;               ///< of each body of the world: the last run that moved it; 0: none
    int *places;             ///< its index in the part, or -1
    abut_box *boxes;         ///< that hold its path in the whole step
    unsigned char *is_bent;  ///< a run moved it, not along a straight line: who gets into its box meets it
    unsigned char *is_close; ///< it has been a pair with a body of the island
    double *times;           ///< of the root of an island: the first hit
    int run_capacity, place_capacity, box_capacity, bent_capacity, close_capacity, time_capacity, work_capacity;
    abut_cut_results results;
    abut_stats stats;         ///< of all queries of the parts
    abut_world_report report; ///< counts of all runs
    // what merging needs, and the lists that it fills
    int *order, *scratch;
    abut_pair_state *pairs;
    abut_world_contact *contacts;
    abut_region_list regions;
    abut_world_change *changes;
    abut_solve_contact *solve_contacts;
    abut_solve_impulse *impulses;
    int order_capacity, scratch_capacity, pair_capacity, contact_capacity, change_capacity, solve_capacity,
        impulse_capacity;
} abut_island_cut;

void abut_island_cut_destroy(abut_world *world);

/// Does the step again for all islands that have a hit, after the world has tried it and swept its paths.
abut_status abut_world_cut_islands(abut_world *world, abut_error *error);

/// Adds what the part has found to the results, as that of the run `run_count`. ABUT_OK or ABUT_NO_MEMORY.
abut_status abut_island_cut_keep(abut_world *world);
/// Puts the results into the lists of the world. ABUT_OK or ABUT_NO_MEMORY.
abut_status abut_island_cut_merge(abut_world *world);
/// Frees the memories of pairs of the results, after a failure.
void abut_island_cut_drop(abut_world *world);

#endif
