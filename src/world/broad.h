// SPDX-License-Identifier: MIT
// broad.h: the pairs of bodies whose boxes touch
#ifndef ABUT_WORLD_BROAD_H
#define ABUT_WORLD_BROAD_H

#include <abut/base.h>
#include <abut/math.h>

typedef struct abut_body_pair {
    int a, b; ///< a < b
} abut_body_pair;

/// A tree of boxes that is built anew for every search; its memory is kept.
typedef struct abut_broad {
    abut_context context;
    struct abut_broad_node *nodes;
    int *order; ///< boxes by leaf; then counters of the sort
    abut_body_pair *pairs;
    abut_body_pair *sorted; ///< by b, on the way
    int node_capacity, order_capacity, pair_capacity, sorted_capacity;
    int pair_count;
} abut_broad;

void abut_broad_init(abut_broad *broad, const abut_context *context);
void abut_broad_release(abut_broad *broad);

/// Fills `pairs` with all pairs of boxes that have a common point, ascending by a, then b. Two boxes that
/// are both marked in `is_passive` are no pair; NULL: none is marked. Boxes must not have NaN. ABUT_OK or ABUT_NO_MEMORY. Near n log n where
/// boxes overlap few others.
abut_status abut_broad_find(abut_broad *broad, const abut_box *boxes, const unsigned char *is_passive, int count);

#endif
