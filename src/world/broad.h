// SPDX-License-Identifier: MIT
// broad.h: the pairs of bodies whose boxes touch
#ifndef ABUT_WORLD_BROAD_H
#define ABUT_WORLD_BROAD_H

#include <abut/base.h>
#include <abut/math.h>
#include <stdint.h>

typedef struct abut_body_pair {
    int a, b; ///< a < b
} abut_body_pair;

/// Boxes that were widened when the last tree was built, and the pairs of these that touch.
typedef struct abut_broad {
    abut_context context;
    struct abut_broad_node *nodes;
    int *order; ///< boxes by leaf; then counters of the sort
    abut_box *wide;
    unsigned char *is_passive; ///< of each box when the tree was built
    int count;                 ///< of these boxes
    abut_body_pair *near;      ///< pairs of widened boxes
    abut_body_pair *sorted;    ///< by b, on the way
    abut_body_pair *pairs;     ///< pairs of boxes
    int node_capacity, order_capacity, wide_capacity, passive_capacity, near_capacity, sorted_capacity,
        pair_capacity;
    int near_count, pair_count;
    int64_t build_count; ///< trees
} abut_broad;

void abut_broad_init(abut_broad *broad, const abut_context *context);
void abut_broad_release(abut_broad *broad);

/// Fills `pairs` with all pairs of boxes that have a common point, ascending by a, then b. Two boxes that are both
/// marked in `is_passive` are no pair; NULL: none is marked. Boxes must not have NaN. ABUT_OK or ABUT_NO_MEMORY. Near
/// n log n if boxes overlap few others; linear if they have moved little since a tree was built.
abut_status abut_broad_find(abut_broad *broad, const abut_box *boxes, const unsigned char *is_passive, int count);

/// Builds a tree over boxes as they are, for casts. ABUT_OK or ABUT_NO_MEMORY.
abut_status abut_broad_build(abut_broad *broad, const abut_box *boxes, int count);

/// Called with a box that a cast may enter. Returns the new limit of the cast, at most the old one.
typedef double abut_broad_visit(void *user, int box, double limit);

/// Visits the boxes of the last abut_broad_build() that a box of the given half sides meets on the way of its center,
/// origin + t direction, 0 <= t <= limit; near ones tend to come first. It may visit others.
void abut_broad_cast(const abut_broad *broad, abut_vec3 origin, abut_vec3 direction, abut_vec3 half, double limit,
                     abut_broad_visit *visit, void *user);

#endif
