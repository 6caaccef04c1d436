// SPDX-License-Identifier: MIT
// kept.h: what the memory of a pair keeps of its last analysis, as one block of bytes
#ifndef ABUT_REGION_KEPT_H
#define ABUT_REGION_KEPT_H

#include "region/contact_regions.h"

/// The head of the block; arrays follow it. They hold all regions that the analysis found. If `is_lasting` is set, they
/// answer the next query if the bodies have not moved.
typedef struct abut_kept {
    abut_pose b_to_a;        ///< of the query
    abut_pose touching;      ///< of the analysis: B in A's frame where the solids touch, at most a step before
    double tolerance, angle; ///< of the query
    double dt;               ///< of the query
    double reach;            ///< the tolerance of the analysis, which may be wider
    int64_t ambiguous;       ///< regions with several equally good sets of normals
    int32_t widenings;       ///< how often the tolerance was widened
    int32_t is_lasting;
    int32_t region_count, outline_count, corner_count, cone_count, direction_count;
    int32_t unused; ///< 0
} abut_kept;

/// A region whose lists are ranges of the block's arrays.
typedef struct abut_kept_region {
    abut_entity a, b;
    double measure;
    uint64_t of_b; ///< of abut_touch_region
    int32_t dimension, outline_begin, outline_count;
    int32_t normal_begin, normal_count, cone_begin, cone_count;
    int32_t ordinal;
    abut_rule rule;
    int32_t unused; ///< 0
} abut_kept_region;

/// Fills the counts of the head; returns the size of the block.
size_t abut_kept_measure(const abut_region_set *set, abut_kept *head);
/// Fills a block of that size.
void abut_kept_write(void *block, const abut_kept *head, const abut_touch *touch, const abut_region_set *set);

const abut_kept_region *abut_kept_regions(const abut_kept *block);
/// The corners of all outlines of a region.
const abut_touch_node *abut_kept_corners(const abut_kept *block, const abut_kept_region *region, int *count);
/// The normals of a region, in A's frame and the poses of the analysis.
abut_directions abut_kept_normals(const abut_kept *block, const abut_kept_region *region);

/// Nodes and regions of a block; they point into it and into the arena. Returns 0 if memory ran out.
int abut_kept_read(abut_arena *arena, const abut_kept *block, abut_touch *touch, abut_region_set *set);

#endif
