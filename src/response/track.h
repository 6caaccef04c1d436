// SPDX-License-Identifier: MIT
// track.h: pairs of features that a tracker follows
#ifndef ABUT_RESPONSE_TRACK_H
#define ABUT_RESPONSE_TRACK_H

#include "method/moving_features.h"

#include <abut/penalty.h>
#include <abut/response.h>

/// A pair of features between two steps.
typedef struct abut_tracked_pair {
    abut_moving_kind kind;
    int is_flipped; ///< as in abut_feature_pair, and so are the next two
    int elements[2];
    int vertices[4];
    abut_penalty_track track;
    double share; ///< of the stiffness
    /// Of A and B. 1: the other body came from where the normals of its triangles point, -1: from behind, 0: unknown.
    int fronts[2];
} abut_tracked_pair;

/// The order of pairs by their features; 0: they are the same.
int abut_tracked_pair_compare(const abut_tracked_pair *a, const abut_tracked_pair *b);

/// A list of tracked pairs.
typedef struct abut_track_list {
    abut_tracked_pair *items;
    int count, capacity;
} abut_track_list;

/// A pair that is tracked, or that penetrates within the step.
typedef struct abut_active_pair {
    abut_tracked_pair pair;
    double time;         ///< at which a new pair meets
    double weights[4];   ///< of the point where it meets
    abut_vec3 normal;    ///< there; of any length
    int side;            ///< the first feature came from side times normal
    abut_vec3 defect;    ///< angular, for share 1
    int is_new;          ///< it has no share yet
    int is_carrier;      ///< its share is not zero
    int is_exit;         ///< the vertex leaves the body
    abut_vec3 points[2]; ///< on A and B at the start of the step, as the weights have them
    double place;        ///< along a fixed direction: pairs at one point have the same
} abut_active_pair;

/// Room for the areas of shares.
typedef struct abut_share_room {
    int *order, *scratch;
    int order_capacity, scratch_capacity;
    int *triangles[2]; ///< around a point, of A and B
    int counts[2], capacities[2];
    unsigned char *is_done;
    int done_capacity;
} abut_share_room;

/// The side of the pair's first (0) or second (1) feature.
static inline const abut_moving_side *abut_pair_side(const abut_moving_bodies *bodies, int is_flipped, int second)
{
    return &bodies->sides[second != is_flipped];
}

/// How many of the four vertices belong to the first feature.
static inline int abut_first_count(abut_moving_kind kind)
{
    return kind == ABUT_VERTEX_FACE ? 1 : 2;
}

/// The paths of a pair's vertices.
abut_moving_pair abut_tracked_motion(const abut_moving_bodies *bodies, const abut_tracked_pair *pair);
/// The points of a pair with these weights, on A and B, at the start of the step.
void abut_tracked_points(const abut_moving_bodies *bodies, const abut_tracked_pair *pair, const double *weights,
                         abut_vec3 points[2]);

/// Gives each new pair its share: the area of contact around it, divided among the pairs that meet at the same point.
/// Pairs that were there before share with new ones at their point. Lengths up to `tolerance` count as nothing.
/// Returns 0 if memory ran out.
int abut_share_areas(const abut_context *context, const abut_moving_bodies *bodies, double tolerance,
                     abut_active_pair *pairs, int count, abut_share_room *room);
void abut_share_room_release(const abut_context *context, abut_share_room *room);

/// Whether the vertex of a pair is a tip, or its edges are the outermost parts of their bodies, along the normal from
/// the second feature to the first.
int abut_pair_is_outermost(const abut_moving_bodies *bodies, const abut_tracked_pair *pair, double time,
                           abut_vec3 normal);

/// Finds from where the bodies of a new pair came.
void abut_find_fronts(const abut_moving_bodies *bodies, abut_active_pair *pair);

/// What became of the tracked pairs at the start of a step.
typedef struct abut_slide_counts {
    int moved, left;
} abut_slide_counts;

/// Writes a tracked pair to `out`, with the points at which its features face each other now; if they do not, the
/// pairs of neighbouring features that it goes on to, with its share divided among them, or only the best of them.
/// Writes none if the features have left each other. Features penetrate up to the distance `tolerance`. Returns 0 if memory ran out.
int abut_slide_pair(const abut_context *context, const abut_moving_bodies *bodies, const abut_tracked_pair *pair,
                    double tolerance, int has_shares, abut_track_list *out, abut_slide_counts *counts);

#endif
