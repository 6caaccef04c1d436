// SPDX-License-Identifier: MIT
// regions_analysis.h: what the files of method regions share during one query
//
// regions.c reads the query. regions_memory.c answers pairs that have not moved. regions_touching.c finds poses in
// which the solids touch, and their regions; regions_overlap.c those of solids that overlap; regions_convex.c foresees what it will find. regions_output.c turns these
// into contacts and regions of the result, with the features that regions_names.c finds and the numbers that
// regions_identity.c gives to regions of the same features.
#ifndef ABUT_METHOD_REGIONS_ANALYSIS_H
#define ABUT_METHOD_REGIONS_ANALYSIS_H

#include "method/workspace.h"
#include "region/contact_regions.h"
#include "region/convex_touch.h"
#include "region/kept.h"

/// What abut_shape_prepare() builds.
typedef struct abut_regions_data {
    abut_region_model *model;
    abut_convex_solid *solid; ///< NULL if the model is not convex
} abut_regions_data;

/// A query of method regions. Its geometry is in the frame of A's mesh ("A's frame").
typedef struct abut_regions_analysis {
    const abut_query *query;
    abut_sink *sink;
    abut_touch_side sides[2]; ///< B in the pose that is being analysed
    abut_mat3 to_world[2];    ///< rotations from the frames of the meshes to the world, in the poses of the query
    double angle;             ///< directions within it are parallel, in radians; grows with the tolerance
    abut_region_hints hints;
    int points_span; ///< option points=spanning
    double receding; ///< option culling: faces that recede faster than this are left out; HUGE_VAL: none
    abut_touch touch;
    abut_region_set set;
    int overlaps;   ///< the solids overlap in the analysed poses
    int is_current; ///< the regions were found in the poses of the query, not in earlier ones
    int widenings;  ///< how often the tolerance was widened to find them
    double way_out; ///< how far abut_regions_separate() moved B
    int is_strict;  ///< the last analysis showed that the solids do not overlap by more than its strict tolerance
    int is_convex;  ///< both solids are convex, and `watch` finds their distance
    int has_gap;    ///< `gap` is that of the pose being analysed
    const abut_kept *past;              ///< what the memory kept of the last step, or NULL if it had no regions
    const abut_region_life *past_lives; ///< of its regions
    abut_convex_watch watch;
    abut_convex_gap gap;
} abut_regions_analysis;

/// The state of a pair begins with this; what abut_kept_write() wrote follows.
typedef struct abut_regions_state {
    abut_convex_recall recall;
} abut_regions_state;

static inline const abut_kept *abut_regions_kept(const abut_regions_state *state)
{
    return state != NULL ? (const abut_kept *)(state + 1) : NULL;
}

/// Puts B where `b_to_a` says.
void abut_regions_place(abut_regions_analysis *a, abut_pose b_to_a);

/// An upper bound of the speed of B relative to A wherever they can touch.
double abut_regions_speed_bound(const abut_regions_analysis *a);

/// How the angle of the analysis follows from its tolerance.
double abut_regions_angle(const abut_query *query, double tolerance);

/// Prepares to foresee analyses if both solids are convex. `recall` is what the last query of the pair left, or NULL.
abut_status abut_regions_watch(abut_regions_analysis *a, const abut_regions_data *const data[2],
                               const abut_convex_recall *recall);

/// Whether the distance of convex solids tells what an analysis with this tolerance would find: nothing, or an overlap.
/// Then it fills in the outcome.
int abut_regions_foresee(abut_regions_analysis *a, double tolerance);

/// Whether the solids had no regions in the last query, and what it left shows that they have none now: most pairs of
/// bodies near each other do not touch. Nothing but abut_regions_remember() is left to do then.
int abut_regions_stay_apart(abut_regions_analysis *a, const abut_regions_state *state);

/// The distance in the poses of the query, HUGE_VAL if it is beyond the envelope. It may be another one on the same
/// side of the tolerance.
double abut_regions_distance(abut_regions_analysis *a);

/// Finds poses in which the solids touch, at most one time step ago, and the regions there. No regions: they are
/// apart. Fails if there are no such poses.
abut_status abut_regions_find_touching(abut_regions_analysis *a);

/// Finds what touches within the tolerance in the poses where the solids are placed, and the regions.
abut_status abut_regions_analyse(abut_regions_analysis *a, double tolerance);

/// The same for solids that are apart where they are placed: a smaller tolerance is taken if parts that are nearly
/// parallel seem to overlap.
abut_status abut_regions_analyse_apart(abut_regions_analysis *a, double tolerance);

/// The distance of convex solids where they are placed.
abut_convex_gap abut_regions_gap(abut_regions_analysis *a);

/// Of the size: overlaps up to this may count as touching, with a tolerance that is as large.
static const double abut_regions_overlap_limit = 1e-3;

/// For solids that overlap: finds the least translation of B that it can, to where the solids touch, and the regions
/// there.
abut_status abut_regions_separate(abut_regions_analysis *a);

/// For solids that were moved back to where they touch: what lies within their way there overlapped as well. Takes the
/// regions with a tolerance as large, or smaller, if they ask for the same translation.
abut_status abut_regions_widen_touch(abut_regions_analysis *a);

/// The mesh feature of a part of the B-rep.
abut_feature abut_regions_feature(const abut_region_model *model, abut_entity entity);

/// A point in the mesh's frame by its weights on vertices. `triangle` holds the point; it is read for faces only.
abut_anchor abut_regions_anchor(const abut_touch_side *side, abut_entity entity, int triangle, abut_vec3 local);

/// Which side has a face with this normal of the region, and which face it is. ABUT_NORMAL_BOTH if neither has one.
abut_normal_side abut_regions_normal_face(const abut_regions_analysis *a, const abut_touch_region *region,
                                          abut_vec3 n, int *face);

/// By kind and index of A's entity, then of B's.
int abut_regions_compare_entities(abut_entity xa, abut_entity xb, abut_entity ya, abut_entity yb);
/// The regions in the order of their entities, then of their places on these. NULL if memory ran out.
const int *abut_regions_find_order(abut_regions_analysis *a);
/// Numbers the regions among those of the same two entities: ids then differ, and do not change with regions elsewhere.
/// With a memory, regions of the last step keep their numbers, and events tell what became of them. Returns 0 if memory
/// ran out.
int abut_regions_identify(abut_regions_analysis *a);

/// The id of a region, by its entities and its number among those with the same ones.
uint64_t abut_regions_id(const abut_regions_analysis *a, abut_entity entity_a, abut_entity entity_b, int ordinal);

/// Reports an event of a region, if the pair has a memory. `other` is the one of the last step, for split, merge and
/// shrink.
void abut_regions_tell(abut_regions_analysis *a, abut_event_kind kind, const abut_touch_region *region,
                       const abut_kept_region *other);

/// Adds the regions and their contacts to the sink.
void abut_regions_deliver(abut_regions_analysis *a);

/// An upper bound of the distance that a point of B has moved in A's frame since it was at `then`.
double abut_regions_distance_moved(const abut_regions_analysis *a, abut_pose then);

/// Takes the last answer of the pair from its memory if it still holds. Returns 0 if it does not.
int abut_regions_recall(abut_regions_analysis *a, const abut_regions_state *state, size_t size);

/// Reads what the memory kept of the last step: regions, and which of them are temporary contacts.
abut_status abut_regions_read_past(abut_regions_analysis *a, const abut_regions_state *state);

/// Keeps the regions for the next query of the pair.
void abut_regions_remember(abut_regions_analysis *a);

#endif
