// SPDX-License-Identifier: MIT
// regions_convex.c: what method regions knows of two convex solids before it analyses them
//
// The signed distance of convex solids is quick to find, from a remembered plane between them or from their last
// nearest features. It foresees the outcome of most analyses: solids further apart than the tolerance do not touch,
// solids that overlap by much more do not only touch. The rest is left to the analysis, so the answers are the same.
#include "method/regions_analysis.h"

/// Times the tolerance: solids that overlap by more cannot count as touching. An analysis moves points by at most the
/// tolerance, and compares at most two of them.
static const double deep = 4.0;

abut_status abut_regions_watch(abut_regions_analysis *a, const abut_regions_data *const data[2],
                               const abut_convex_recall *recall)
{
    // a face that recedes is left out of the analysis, so that deep overlaps may count as touching
    if (data[0]->solid == NULL || data[1]->solid == NULL || !isinf(a->receding)) {
        return ABUT_OK;
    }
    a->is_convex = 1;
    a->watch.solids[0] = data[0]->solid;
    a->watch.solids[1] = data[1]->solid;
    if (recall != NULL) {
        a->watch.recall = *recall;
    }
    size_t room = abut_convex_watch_room(&a->watch);
    a->watch.scratch = room > 0 ? abut_sink_scratch(a->sink, room) : NULL;
    return room == 0 || a->watch.scratch != NULL ? ABUT_OK : ABUT_NO_MEMORY;
}

static abut_pose pose_of(const abut_regions_analysis *a)
{
    return abut_pose_make(a->sides[1].translation, a->sides[1].turn);
}

/// Finds the distance in the pose that is being analysed, if it is not known yet.
static const abut_convex_gap *find_gap(abut_regions_analysis *a)
{
    if (!a->has_gap || !a->gap.is_exact) {
        a->gap = abut_convex_gap_find(&a->watch, pose_of(a));
        a->has_gap = 1;
    }
    return &a->gap;
}

abut_convex_gap abut_regions_gap(abut_regions_analysis *a)
{
    return *find_gap(a);
}

static int is_apart(const abut_convex_gap *gap, double tolerance)
{
    return gap->lower > tolerance;
}

static int is_deep(const abut_convex_gap *gap, double tolerance)
{
    return gap->upper < -deep * tolerance;
}

int abut_regions_foresee(abut_regions_analysis *a, double tolerance)
{
    if (!a->is_convex) {
        return 0;
    }
    if (!a->has_gap) {
        a->gap = abut_convex_gap_guess(&a->watch, pose_of(a));
        a->has_gap = 1;
    }
    // solids that touched, and whose planes are still so near, touch still: how much they overlap does not matter
    int is_touching = a->watch.recall.is_touching && fabs(a->gap.lower) < 0.5 * tolerance;
    if (!is_apart(&a->gap, tolerance) && !is_deep(&a->gap, tolerance) && !is_touching) {
        (void)find_gap(a);
    }
    a->overlaps = is_deep(&a->gap, tolerance);
    if (!is_apart(&a->gap, tolerance) && !a->overlaps) {
        return 0;
    }
    a->touch.tolerance = tolerance;
    a->touch.overlaps = a->overlaps;
    a->touch.node_count = a->touch.interval_count = 0;
    a->set = (abut_region_set){0};
    return 1;
}

int abut_regions_stay_apart(abut_regions_analysis *a, const abut_regions_state *state)
{
    const abut_query *query = a->query;
    if (!a->is_convex || state == NULL || abut_regions_kept(state)->region_count > 0) {
        return 0;
    }
    a->gap = abut_convex_gap_guess(&a->watch, pose_of(a));
    a->has_gap = 1;
    a->is_current = is_apart(&a->gap, fmax(query->tolerance, query->envelope));
    a->touch.tolerance = query->tolerance;
    return a->is_current;
}

double abut_regions_distance(abut_regions_analysis *a)
{
    const abut_query *query = a->query;
    if (a->is_convex) {
        const abut_convex_gap *gap = a->has_gap && is_apart(&a->gap, query->envelope) ? &a->gap : find_gap(a);
        if (is_apart(gap, query->envelope)) {
            return HUGE_VAL;
        }
        if (gap->upper <= query->envelope && (gap->lower > query->tolerance || gap->upper <= query->tolerance)) {
            return gap->upper;
        }
    }
    abut_tree_gap gap = abut_tree_distance(a->sides[0].tree, a->sides[1].tree, query->b_to_a, query->envelope);
    return gap.element_a >= 0 ? gap.distance : HUGE_VAL;
}
