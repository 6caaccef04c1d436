// SPDX-License-Identifier: MIT
// matching.h: which things of the last step are which of this one, by their places
#ifndef ABUT_METHOD_MATCHING_H
#define ABUT_METHOD_MATCHING_H

#include "base/arena_list.h"

#include <abut/math.h>

/// A thing with a place.
typedef struct abut_match_item {
    abut_vec3 points[2]; ///< seen from A and from B, in the frames of their meshes
    abut_vec3 normal;    ///< in A's frame; zero: any
    double weight;       ///< of equally near things, the heavier one comes first
    double reach;        ///< of a thing of this step: what is further away, seen from both bodies, is another
    int group;           ///< only things of the same group match
} abut_match_item;

/// Matches each thing of this step with at most one of the last, the nearest ones first: `matches[i]` is the index of that,
/// or -1. Distances are compared in steps of `step`, and equal ones are ordered by places in A's frame, so the order of the
/// things does not matter. Takes time n log n if few things are within reach of each other. Returns 0 if memory ran
/// out.
int abut_match_near(abut_arena *arena, const abut_match_item *then, int then_count, const abut_match_item *now,
                    int now_count, double step, int *matches);

#endif
