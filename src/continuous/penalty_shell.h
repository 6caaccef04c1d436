// SPDX-License-Identifier: MIT
// penalty_shell.h: penetration intervals of features that keep a separation
#ifndef ABUT_CONTINUOUS_PENALTY_SHELL_H
#define ABUT_CONTINUOUS_PENALTY_SHELL_H

#include "continuous/force_paths.h"

/// Finds the intervals in which the features are nearer than the separation, and what is tracked; sets `shell` of the arms
/// if there are any. Without history a pair begins
///   - where its distance becomes the separation, if the features face each other there,
///   - at time 0, if they face each other within it then: they came in from the side,
///   - where they touch, if they came in from the side within the step.
/// The pair ends where the distance on its own side is the separation again.
/// @return ABUT_OK; what abut_find_impacts() returns
abut_status abut_find_shell_intervals(const abut_moving_pair *pair, const abut_penalty_track *track,
                                      double separation, abut_force_arms *arms, abut_penalty *penalty);

static inline int abut_sign_of(double x)
{
    return (x > 0.0) - (x < 0.0);
}

/// The impact at a crossing of the volume, or NULL: the features pass beside each other.
const abut_impact *abut_impact_at(const abut_impacts *impacts, double time);
/// Begins the next interval.
void abut_penalty_begin(abut_penalty *penalty, double time, int side, const double *weights);
/// Ends the last interval with the step: the pair is tracked.
void abut_penalty_keep(abut_penalty *penalty);

#endif
