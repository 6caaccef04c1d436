// SPDX-License-Identifier: MIT
// regions_memory.c: what method regions keeps for the next query of a pair
//
// The chosen normals are always kept: they decide the next time that several sets of normals are possible. The whole
// answer is kept if bodies at rest would get it again, and is given again until they have moved.
#include "method/regions_analysis.h"

#include <string.h>

static const double still = 1e-3; ///< of the tolerance: bodies that moved less than this reuse the last answer

/// Whether the options make the answer depend on the motion only through the choice between sets of normals.
static int is_free_of_motion(const abut_regions_analysis *a)
{
    return isinf(a->receding) && !a->hints.is_spanning && a->query->envelope <= a->query->tolerance;
}

static int is_at_rest(const abut_regions_analysis *a)
{
    return abut_regions_speed_bound(a) * a->query->pair->dt <= a->query->tolerance;
}

/// Whether the next query, in the same pose and at rest, would have the same answer. Geometry alone decides the same
/// way. If several sets of normals are possible, bodies at rest keep those that they have.
static int is_lasting(const abut_regions_analysis *a)
{
    int is_so = a->is_current && a->set.capped == 0 && a->set.open_outlines == 0;
    int rests = is_at_rest(a);
    for (int i = 0; is_so && i < a->set.region_count; ++i) {
        is_so = rests || a->set.regions[i].rule == ABUT_RULE_GEOMETRY;
    }
    return is_so;
}

/// The middle of the first region.
static abut_vec3 middle_of(const abut_regions_analysis *a)
{
    const abut_outline *outline = &a->set.outlines[a->set.regions[0].outline_begin];
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < outline->count; ++i) {
        sum = abut_add(sum, a->touch.nodes[a->set.corners[outline->begin + i]].point_a);
    }
    return abut_scale(1.0 / outline->count, sum);
}

void abut_regions_remember(abut_regions_analysis *a)
{
    abut_kept head = {.b_to_a = a->query->b_to_a, .tolerance = a->query->tolerance, .angle = a->query->angle};
    head.is_whole = is_free_of_motion(a) && is_lasting(a);
    head.ambiguous = a->set.ambiguous;
    head.reach = a->touch.tolerance;
    head.widenings = a->widenings;
    abut_regions_state *next = abut_sink_memory(a->sink, sizeof *next + abut_kept_measure(&a->set, &head));
    if (next != NULL) {
        next->recall = a->watch.recall;
        next->recall.is_touching = a->set.region_count > 0;
        if (next->recall.is_touching) {
            next->recall.middle = middle_of(a);
        }
        abut_kept_write(next + 1, &head, &a->touch, &a->set);
    }
}

/// An upper bound of the distance that a point of B has moved in A's frame since it was at `then`.
static double distance_moved(const abut_regions_analysis *a, abut_pose then)
{
    abut_pose now = a->query->b_to_a;
    abut_quat turn = abut_quat_multiply(abut_quat_conjugate(then.rotation), now.rotation);
    double half_sine = abut_norm(abut_vec3_make(turn.x, turn.y, turn.z));
    abut_box bounds = a->sides[1].model->elements.bounds;
    double reach = abut_norm(abut_max(abut_abs(bounds.lower), abut_abs(bounds.upper)));
    return abut_norm(abut_sub(now.position, then.position)) + 2.0 * half_sine * reach;
}

int abut_regions_recall(abut_regions_analysis *a, const abut_regions_state *state, size_t size)
{
    const abut_query *query = a->query;
    const abut_kept *kept = abut_regions_kept(state);
    if (kept == NULL || !kept->is_whole || !is_free_of_motion(a) || !is_at_rest(a) ||
        kept->tolerance != query->tolerance || kept->angle != query->angle ||
        !(distance_moved(a, kept->b_to_a) <= still * kept->tolerance)) {
        return 0;
    }
    if (!abut_kept_read(&a->sink->arena, kept, &a->touch, &a->set)) {
        return 0; // out of memory: the analysis that follows needs more and reports it
    }
    a->angle = abut_regions_angle(query, kept->reach);
    abut_sink_stats(a->sink)->fallbacks += kept->widenings;
    abut_sink_stats(a->sink)->arbitrary_normals += kept->ambiguous;
    abut_regions_place(a, kept->b_to_a);
    void *next = abut_sink_memory(a->sink, size);
    if (next != NULL) {
        memcpy(next, state, size);
    }
    return 1;
}
