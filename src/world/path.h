// SPDX-License-Identifier: MIT
// path.h: the paths of all bodies in a part of a step, and what is in their way
//
// A part of a step has a time before its contacts are found and one after. The first is half of the step in the first part of
// a step by Moreau, else 0: after that it is known where bodies touch. In each of them the
// center of a body moves along a straight line, and the body turns in pieces of constant spin (motion.c).
#ifndef ABUT_WORLD_PATH_H
#define ABUT_WORLD_PATH_H

#include "world/broad.h"

#include <abut/sweep.h>

struct abut_world;

/// The motion of a body.
typedef struct abut_body_motion {
    abut_quat rotation;
    abut_vec3 center; ///< of mass
    abut_vec3 linear_velocity;
    abut_vec3 angular_velocity;
    abut_vec3 angular_momentum; ///< constant while nothing acts; the angular velocity follows from it
    int still_count;            ///< steps without motion
    int island;                 ///< 0: awake; else the number of the island that sleeps, its lowest body plus 1
} abut_body_motion;

/// Two bodies that touch on their way.
typedef struct abut_path_hit {
    abut_body_pair bodies;
    double time;     ///< since the beginning of the paths; infinite: they do not touch
    double speed;    ///< an upper bound of the speed of their points relative to each other
    double approach; ///< the speed at which they approach each other where they touch
    int is_slow;     ///< that is so little that it is no impact
    double margin;   ///< the length that counts as nothing: a part of the tolerance of the sweep
    double overlap;  ///< that they have at the beginning of their paths, as a sweep has told; or 0
    abut_sweep_hit touch;
} abut_path_hit;

typedef struct abut_paths {
    int is_cut;               ///< bodies touch at its end: speculative contacts would keep them apart
    int is_lenient;           ///< bodies that cannot pass each other in the step are left to the solver
    int is_behind;            ///< the step would not end within its cuts: bodies that touch slowly go on
    int is_moreau;            ///< the first part begins with half of the step
    int is_rest;              ///< it is not the first part of the step
    double before, after;     ///< times
    abut_body_motion *begin;  ///< of each body: at the beginning, with the velocities of `before`
    abut_body_motion *middle; ///< at the beginning of `after`
    abut_vec3 *velocities;    ///< of the centers in `after`
    unsigned char *is_held;   ///< the body does not move in what is left of the step
    abut_body_motion *held;   ///< of a body that is held: with the velocities that it gets back after the step
    abut_box *boxes;          ///< that hold the paths
    abut_box *traces;         ///< that hold the paths of a whole step of a part of a world
    unsigned char *is_passive;
    struct abut_path_walk *walks; ///< of each body
    int *island_sizes;            ///< of each body: how many bodies push each other in the step, with it
    double *shares; ///< of the step, for which a group of bodies moves (step_limit.c, stabilise.c); at its root
    int begin_capacity, middle_capacity, velocity_capacity, held_capacity, box_capacity, trace_capacity,
        passive_capacity, share_capacity, held_motion_capacity, walk_capacity, island_capacity;
    abut_broad broad;
    abut_path_hit *hits; ///< of each pair of `broad`
    int hit_count, hit_capacity;
    abut_status *statuses; ///< of the sweeps
    int status_capacity;
} abut_paths;

/// Makes room for all bodies. ABUT_OK or ABUT_NO_MEMORY.
abut_status abut_world_grow_paths(struct abut_world *world);
void abut_world_release_paths(struct abut_world *world);

/// Fills `hits` with the first touch of each pair of bodies on their paths, and returns the index of the earliest, or -1.
/// Bodies that touch at the beginning and do not approach each other faster than the solver leaves them slide.
abut_status abut_world_sweep_paths(struct abut_world *world, int *earliest, abut_error *error);

#endif
