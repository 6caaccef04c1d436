// SPDX-License-Identifier: MIT
// kept.h: what the memory of a pair keeps of its last analysis, as one block of bytes
#ifndef ABUT_REGION_KEPT_H
#define ABUT_REGION_KEPT_H

#include "region/contact_regions.h"

/// The head of the block; arrays follow it. If `is_whole` is set, the block holds all that the analysis found, and
/// answers the next query if the bodies have not moved.
typedef struct abut_kept {
    abut_pose b_to_a;        ///< of the query
    double tolerance, angle; ///< of the query
    double reach;            ///< the tolerance of the analysis, which may be wider
    int64_t ambiguous;       ///< regions with several equally good sets of normals
    int32_t widenings;       ///< how often the tolerance was widened
    int32_t is_whole;
    int32_t remembered_count;
    int32_t region_count, outline_count, corner_count, cone_count, direction_count; ///< 0 if not whole
} abut_kept;

/// Fills the counts of the head; returns the size of the block.
size_t abut_kept_measure(const abut_region_set *set, abut_kept *head);
/// Fills a block of that size.
void abut_kept_write(void *block, const abut_kept *head, const abut_touch *touch, const abut_region_set *set);

/// The normals that were chosen.
const abut_remembered_region *abut_kept_remembered(const abut_kept *block);
/// Nodes and regions of a whole block; they point into it and into the arena. Returns 0 if memory ran out.
int abut_kept_read(abut_arena *arena, const abut_kept *block, abut_touch *touch, abut_region_set *set);

#endif
