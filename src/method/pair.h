// SPDX-License-Identifier: MIT
// pair.h: checking a pair and putting it into canonical order
#ifndef ABUT_METHOD_PAIR_H
#define ABUT_METHOD_PAIR_H

#include <abut/contact.h>

/// Checks the caller's pair and copies it in canonical order, with unit quaternions, velocities that agree with the end
/// poses, and identity poses for soft bodies. `is_swapped` tells whether A and B changed places.
/// If the pair has a memory, starts its next state.
abut_status abut_pair_canonical(const abut_pair *in, abut_pair *out, int *is_swapped, abut_error *error);

/// Drops what queries wrote to the pair's memory since the last commit, if it has one.
void abut_pair_drop_memory(const abut_pair *pair);

/// Whether both sides are the same body.
int abut_pair_is_self(const abut_pair *pair);

/// The motion of B relative to A, in A's frame: a point p of A's frame moves at linear + angular x p.
typedef struct abut_relative_motion {
    abut_vec3 linear, angular;
} abut_relative_motion;

abut_relative_motion abut_pair_relative_motion(const abut_side *a, const abut_side *b);

/// Velocity of a material point of a side, given in the world frame and by its anchor.
abut_vec3 abut_side_point_velocity(const abut_side *side, double dt, abut_vec3 position, const abut_anchor *anchor);

#endif
