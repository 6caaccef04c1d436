// SPDX-License-Identifier: MIT
// contact_regions.h: the contact regions of two touching solids, reduced to the necessary ones, with their normals
#ifndef ABUT_REGION_CONTACT_REGIONS_H
#define ABUT_REGION_CONTACT_REGIONS_H

#include "region/motions.h"
#include "region/touch.h"

#include <abut/contact.h>

/// A closed chain of corners, which are nodes of the touch. A point has one corner, a segment two.
typedef struct abut_outline {
    int begin, count; ///< in `corners`
    int is_hole;
} abut_outline;

/// A connected set of touching points with the same neighbourhood on both solids.
typedef struct abut_touch_region {
    abut_entity a, b;
    int dimension;
    int outline_begin, outline_count;
    double measure;
    abut_feasible feasible;
    abut_directions normals; ///< the chosen ones, from A to B
    abut_rule rule;
    uint64_t of_b;         ///< bit i: normal i is that of a face of B and not of A, and turns with B; i < 64
    int ordinal;           ///< among the regions of the same entities
    abut_region_life life; ///< by the last commit
} abut_touch_region;

typedef struct abut_region_set {
    abut_touch_region *regions;
    int region_count;
    abut_outline *outlines;
    int outline_count;
    int *corners;
    int corner_count;
    int64_t ambiguous;     ///< regions with several equally good sets of normals
    int64_t open_outlines; ///< outlines of parallel faces that did not close: their edges are kept as segments
    int64_t capped;        ///< regions cut short by a limit of the method
    int overlaps;          ///< near some node the solids overlap
} abut_region_set;

/// A temporary contact of the last step: the normals of two entities, as they have turned since with the body that
/// gave them, in A's frame.
typedef struct abut_remembered_region {
    abut_entity a, b;
    abut_directions normals;
} abut_remembered_region;

/// What decides if several sets of normals are possible.
typedef struct abut_region_hints {
    abut_vec3 linear, angular; ///< velocity of B relative to A at a point p of A's frame: linear + angular x p
    double least_speed;        ///< slower points count as resting
    /// The solids do not overlap, and what is further apart than the tolerance counts as touching too: a normal along
    /// which the points of a node overlap by more than this does not separate the solids. HUGE_VAL: all do.
    double deepest;
    /// Within an envelope, faces of a polygon may be at an angle: corners whose gaps differ by less than this are as near.
    /// HUGE_VAL: its faces are parallel.
    double level;
    const abut_remembered_region *remembered;
    int remembered_count;
    int is_spanning;   ///< keep at most three normals a region, the most transversal ones
    int polygons_only; ///< without a polygon nothing is of use, and no segments and points are looked for
} abut_region_hints;

/// How a region follows one of the last step, by their entities.
enum {
    ABUT_FOLLOWS_SAME = 1,  ///< the same entities: condition (6)
    ABUT_FOLLOWS_LARGER = 2 ///< entities on the border of those, or one of them, which were convex: condition (7)
};

/// How the entities of a region of two sides follow those of another; 0: they do not.
int abut_region_follows(const abut_touch_side sides[2], const abut_entity now[2], const abut_entity then[2]);

/// Gives the polygons, the first regions of a set, their normals; each has one. Returns 0 if memory ran out.
int abut_regions_finish_polygons(const abut_touch *touch, const abut_region_hints *hints, abut_region_set *set);

/// The regions that are necessary to keep the solids apart. Returns 0 if memory ran out.
int abut_regions_find(const abut_touch *touch, const abut_region_hints *hints, abut_region_set *set);

#endif
